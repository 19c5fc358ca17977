"""A corpus file and how it becomes sentences of tokens, as options."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from explorer.text import N_, Problem, _
from explorer.traces import (
    DEFAULT_CORPUS,
    ConfigProblem,
    Corpus,
    CorpusProblem,
    Splitting,
    check_splitting,
    parse_corpus,
    read_corpus_text,
)
from explorer.traces.splitting import TokenKind


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
