"""The parameters of a run and its corpus as options."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args, get_type_hints

from explorer.text import N_, Problem, _
from explorer.traces import (
    DEFAULT_CORPUS,
    Config,
    ConfigProblem,
    Corpus,
    CorpusProblem,
    Splitting,
    check_splitting,
    parse_corpus,
    read_corpus_text,
)
from explorer.traces.splitting import TokenKind

_WHAT = {
    "d_model": ("N", N_("the width of a token's vector")),
    "heads": ("N", N_("attention heads; must divide the width")),
    "layers": ("N", N_("layers")),
    "learning_rate": ("X", N_("the learning rate")),
    "epochs": ("N", N_("passes over the corpus")),
    "watch_every": ("N", N_("record every N epochs")),
    "seed": ("N", N_("the same seed gives the same run")),
    "feed_forward": ("N", N_("the width of the feed-forward layer, twice the model's by default")),
    "dropout": ("X", N_("the share of numbers that is dropped in training")),
    "batch_size": ("N", N_("sentences a step of the optimizer, all by default")),
    "use_position": ("", N_("whether the model is told where a word stands")),
    "causal": ("", N_("whether a word sees only itself and those before")),
    "every_place": ("", N_("whether each word predicts the next one; needs causal")),
    "position_kind": ("", N_("how the model is told where a word stands")),
    "initialisation": ("", N_("how the matrices are drawn")),
    "optimizer": ("", N_("the optimizer")),
    "keep_state": ("", N_("whether what a fork needs is kept")),
    "device": ("", N_("where to train")),
}
_SHORT = {"learning_rate": ("--lr",)}
_SWITCHES = (
    ("--no-position", "use_position", N_("leave out where a word stands")),
    ("--no-state", "keep_state", N_("keep nothing that a fork needs")),
)
_ON = {"on": True, "off": False}


def add_config_options(parser: argparse.ArgumentParser, *, but: tuple[str, ...] = ()) -> None:
    """Add an option for every field of `Config`, but for some."""
    usual, types = Config(), get_type_hints(Config)
    for field, (metavar, what) in _WHAT.items():
        if field in but:
            continue
        value = getattr(usual, field)
        # What is not given is not among the parsed options.
        options: dict[str, Any] = {
            "dest": field,
            "default": argparse.SUPPRESS,
            "help": _(what),
        }
        if isinstance(value, bool):
            options["choices"] = tuple(_ON)
        elif isinstance(value, str):
            options["choices"] = get_args(types[field])
        else:
            options |= {"metavar": metavar, "type": float if isinstance(value, float) else int}
        if value is not None:
            options["help"] = _("{what}; {default} by default").format(
                what=_(what), default=_of(value)
            )
        parser.add_argument(f"--{field.replace('_', '-')}", *_SHORT.get(field, ()), **options)
    for option, field, what in _SWITCHES:
        parser.add_argument(
            option,
            dest=field,
            action="store_const",
            const="off",
            default=argparse.SUPPRESS,
            help=_(what),
        )


def asked_values(asked: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of `Config` that the parsed options name, and their values."""
    values = {field: getattr(asked, field) for field in Config.__struct_fields__ if field in asked}
    return {
        field: _ON[value] if isinstance(getattr(Config(), field), bool) else value
        for field, value in values.items()
    }


def _of(value: object) -> str:
    """Return a value as it is typed."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `asked_corpus` reads."""
    usual, add = Splitting(), parser.add_argument
    text = _("a text file, one sentence a line, or a CSV file with columns text and target")
    add("--corpus", metavar="FILE", type=Path, help=text)
    tokens = _("what a token is; {default} by default").format(default=usual.tokens)
    add("--tokens", choices=get_args(TokenKind), default=usual.tokens, help=tokens)
    size = _("the most byte pairs to learn; {default} by default")
    size = size.format(default=usual.vocabulary)
    add("--vocabulary", metavar="N", type=int, default=usual.vocabulary, help=size)
    context = _("cut the text into sentences of this many tokens and the one after them")
    add("--context", metavar="N", type=int, help=context)


def asked_splitting(asked: argparse.Namespace) -> Splitting:
    """Return how the parsed options split a text. Raises Problem."""
    splitting = Splitting(tokens=asked.tokens, vocabulary=asked.vocabulary, context=asked.context)
    check_splitting(splitting)
    if asked.corpus is None and splitting != Splitting():
        raise Problem(N_("--tokens, --vocabulary and --context are about a file: name it too."))
    return splitting


def read_corpus(path: Path | None, splitting: Splitting = Splitting()) -> Corpus:  # noqa: B008
    """Return the corpus in a file, or the usual one. Raises Problem."""
    if path is None:
        return parse_corpus(DEFAULT_CORPUS)
    try:
        return parse_corpus(read_corpus_text(path), splitting)
    except (CorpusProblem, ConfigProblem) as problem:
        raise Problem(N_("{file}: {reason}"), file=path.name, reason=problem.message) from None
