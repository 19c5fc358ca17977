"""How a text becomes sentences of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from explorer.text import N_, Message
from explorer.text.plain import LONGEST_NAME
from explorer.traces.spec import ConfigProblem, Limit, check_choice, check_number

TokenKind = Literal["words", "characters", "pairs"]
MOST_CONTEXT = 64
SPLITTING_LIMITS = {
    "vocabulary": Limit(N_("Vocabulary"), 16, 5000),
    "context": Limit(N_("Context Length"), 2, MOST_CONTEXT),
}
SPLITTING_LABELS = {field: limit.label for field, limit in SPLITTING_LIMITS.items()} | {
    "tokens": N_("Tokens"),
}
SPACE = "▁"  # begins a piece that begins a word


class Splitting(msgspec.Struct, frozen=True, kw_only=True):
    """How a text becomes sentences of tokens; `check_splitting` tells whether that can be.

    tokens : str
        "words" between white space, "characters" but white space, or pieces of words: "pairs" of
        neighbours, joined as often as `vocabulary` allows.
    vocabulary : int
        Most pieces that are learned; for "pairs".
    context : int or None
        The text is read as one, and cut into sentences of so many tokens and the one after them;
        None for one sentence a line.
    """

    tokens: TokenKind = "words"
    vocabulary: int = 500
    context: int | None = None


def check_splitting(splitting: Splitting) -> None:
    """Raise a ConfigProblem naming the first field, its value and what is allowed."""
    check_choice(
        "tokens",
        Message(SPLITTING_LABELS["tokens"]),
        splitting.tokens,
        get_args(TokenKind),
    )
    for field, limit in SPLITTING_LIMITS.items():
        value = getattr(splitting, field)
        if value is not None:
            check_number(field, limit, value)


def pieces(texts: Sequence[str], vocabulary: int) -> list[tuple[str, ...]]:
    """Return the pieces of each text, by a byte-pair encoding that is learned from all of them.

    The two neighbouring pieces that stand together most often become one, until there are so many
    (Sennrich, Haddow & Birch 2016). A word's first piece begins with "▁".

    Raises ConfigProblem where the texts have more different characters than there may be pieces.
    """
    # Here and not above: only who learns a vocabulary needs it.
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    found = len(set().union(*texts) - {" "}) + 1
    if found > vocabulary:
        raise ConfigProblem(
            "vocabulary",
            N_(
                "The text has {found} different characters: Vocabulary must be at least that large."
            ),
            found=found,
        )
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE)
    learner = trainers.BpeTrainer(
        vocab_size=vocabulary, show_progress=False, max_token_length=LONGEST_NAME
    )
    made.train_from_iterator(texts, learner)
    return [tuple(each.tokens) for each in made.encode_batch(texts)]
