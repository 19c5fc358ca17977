"""The command `handout`: a lesson on paper, as it is or with other numbers on each copy."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from explorer.cli.arguments import check_whole
from explorer.cli.files import no_folder
from explorer.text import N_, Message, Problem, use_language

_NO_LESSON = N_("{file} is a folder: name a lesson file.")


def handout(asked: argparse.Namespace) -> Sequence[Message]:
    """Write a lesson as a PDF; return what is wrong with its steps. Raises Problem."""
    from explorer.cli.render import without_screen
    from explorer.lessons.lesson_index import lesson_called
    from explorer.lessons.read import read_lesson

    lesson = read_lesson(no_folder(lesson_called(asked.lesson), _NO_LESSON))
    use_language(asked.language)
    without_screen()
    from explorer.app.handout.handout import write_handout, write_variants
    from explorer.app.lessons.variants import LAST_SEED, MOST

    if asked.variants is None:
        if asked.seed is not None:
            raise Problem(N_("--seed goes with --variants: add it, or leave out --seed."))
        return write_handout(lesson, asked.path, paper=asked.paper, answers=asked.answers)
    check_whole("--variants", asked.variants, 1, MOST)
    check_whole("--seed", asked.seed, 0, LAST_SEED)
    seed = random.randrange(1000, 10_000) if asked.seed is None else asked.seed
    from tqdm import tqdm

    with tqdm(total=1.0, disable=None, leave=False, bar_format="{l_bar}{bar}") as bar:
        wrong = write_variants(
            lesson,
            asked.path,
            seed,
            asked.variants,
            paper=asked.paper,
            answers=asked.answers,
            told=lambda share: bar.update(share - bar.n) and None,
        )
    print(f"{seed}-01" + ("" if asked.variants == 1 else f" … {seed}-{asked.variants:02}"))
    return wrong
