"""What arguments of commands have in common: parsers, and what a word stands for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from explorer.text import N_, Problem, _, displayable, language, languages, ngettext

SMALLEST_SIZE = 960, 640  # pixels of the window
LARGEST_SIDE = 8192
_LONGEST = 400  # characters
# As they stand in Python 3.11 to 3.14. What another version words otherwise stays English.
WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("expected one argument"),
    N_("not allowed with argument %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("ignored explicit argument %r"),
)


def add_path(parser: argparse.ArgumentParser, what: str, *, required: bool = True) -> None:
    """Let a parser ask for the file to be written, `what` says of which kind.

    Where it cannot be saved, a Problem says so before the work of making it.
    """
    parser.add_argument(
        "-o", dest="path", metavar="FILE", type=_place, required=required, help=what
    )


def _place(text: str) -> Path:
    from explorer.traces.files import check_place  # all of traces comes with it

    path = Path(text)
    check_place(path)
    return path


def add_language(parser: argparse.ArgumentParser) -> None:
    """Let a parser take the language that is written in."""
    parser.add_argument(
        "--language",
        choices=tuple(languages()),
        default=language(),
        help=_("that of the window by default"),
    )


def add_paper(parser: argparse.ArgumentParser) -> None:
    """Let a parser take the size of the paper."""
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help=_("a4 by default"))


def size(text: str) -> tuple[int, int]:
    """Return the width and height of "1440x900"."""
    match = re.fullmatch(r"(\d{1,9})[x×](\d{1,9})", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(
            _("{text} is not a size such as 1440x900").format(text=repr(text))
        )
    width, height = map(int, match.groups())
    if width < SMALLEST_SIZE[0] or height < SMALLEST_SIZE[1]:
        raise argparse.ArgumentTypeError(
            _("{text} is too small: the window is never smaller than 960x640").format(
                text=repr(text)
            )
        )
    if max(width, height) > LARGEST_SIDE:
        raise argparse.ArgumentTypeError(
            _("{text} is too large: no side may be longer than {side} pixels").format(
                text=repr(text), side=LARGEST_SIDE
            )
        )
    return width, height


def head(text: str) -> int | tuple[int, int] | None:
    """Return a head's number; layer and head of "4.2"; None for "average"."""
    if text == "average":
        return None
    if "." in text:
        return head_of(text)
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise argparse.ArgumentTypeError(
            _("{text} is neither a whole number nor average").format(text=repr(text))
        )
    return int(text)


def head_of(text: str) -> tuple[int, int]:
    """Return the layer and the head of "4.2"."""
    match = re.fullmatch(r"(\d{1,4})\.(\d{1,4})", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(
            _("{text} is not a layer and head such as 4.2").format(text=repr(text))
        )
    return int(match[1]), int(match[2])


def ids(text: str) -> list[int]:
    """Return the numbers of "101,2023,102"."""
    if not re.fullmatch(r"\d{1,9}(,\d{1,9})*", text, re.ASCII):
        raise argparse.ArgumentTypeError(
            _("{text} is not a list of numbers such as 101,2023,102").format(text=repr(text))
        )
    return [int(part) for part in text.split(",")]


def frames_a_second(text: str) -> int:
    """Return a whole number from 1 to 50."""
    return _whole(text, 1, 50)


def times(text: str) -> int:
    """Return a whole number from 0 to 1000."""
    return _whole(text, 0, 1000)


def _whole(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII) or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(
            _("{text} is not a whole number from {least} to {most}").format(
                text=repr(text), least=least, most=most
            )
        )
    return int(text)


def seconds(text: str) -> float:
    """Return a number of seconds, more than 0 and at most 600."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3})?", text, re.ASCII) or not 0 < float(text) <= 600:
        raise argparse.ArgumentTypeError(
            _("{text} is not a number of seconds up to 600").format(text=repr(text))
        )
    return float(text)


def measure(least: int, most: int) -> Callable[[str], float]:
    """Return what reads a number within two limits."""

    def read(text: str) -> float:
        fits = re.fullmatch(r"\d{1,3}(\.\d{1,3})?", text, re.ASCII)
        if not fits or not least <= float(text) <= most:
            raise argparse.ArgumentTypeError(
                _("{text} is not a number from {least} to {most}").format(
                    text=repr(text), least=least, most=most
                )
            )
        return float(text)

    return read


def check_whole(option: str, value: int | None, least: int, most: int) -> None:
    """Raise Problem where an option that is given is no number within two limits."""
    if value is not None and not least <= value <= most:
        raise Problem(
            N_("{option} must be a whole number from {least} to {most}, not {found}."),
            option=option,
            least=least,
            most=most,
            found=value,
        )


def percent(text: str) -> int:
    """Return a whole number from 100 to 200."""
    return _whole(text, 100, 200)


def _read(kind: Callable[[str], float], wrong: str, text: str) -> float:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_(wrong).format(text=repr(text))) from None


class Parser(argparse.ArgumentParser):
    """A parser that tells a wrong word like every other problem: in one sentence."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for kind, wrong in (
            (int, N_("{text} is not a whole number")),
            (float, N_("{text} is not a number")),
        ):
            self.register("type", kind, partial(_read, kind, wrong))

    def error(self, message: str) -> NoReturn:
        """Raise Problem."""
        said = displayable(message, _LONGEST)  # it repeats what was typed, whatever that is
        raise Problem(N_("{message}; see {command} --help."), message=said, command=self.prog)


def translate_parser() -> None:
    """Have every parser of this process say its own words in the language in use.

    The parser asks two names of its module for them, as Python's documentation of gettext
    proposes for modules.
    """
    for name, translated in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, translated)
