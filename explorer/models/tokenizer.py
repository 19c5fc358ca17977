"""Text to numbers of tokens, by a folder's `tokenizer.json`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock
from typing import Any

from explorer.models.folders import read_small
from explorer.text import N_, Problem, displayable

TOKENIZER = "tokenizer.json"
_PANIC = re.compile(rb"\n*thread '.*panicked at .*", re.DOTALL)  # to the end: the way there
_ERRORS = RLock()  # who holds it may put a file in the place of standard error
_BROKEN = "\ufffd"  # bytes that are no letter by themselves
_LARGEST = 128 * 2**20  # bytes; the largest published ones have about 35 MB


@dataclass(frozen=True)
class Piece:
    """A token of a text.

    Attributes
    ----------
    token : str
        As the vocabulary has it, such as "##ing" or "Ġcat".
    text : str
        What it covers of the text; for a special token, such as [CLS], the token itself. Untrusted
        plain text.
    start, end : int
        Where that lies in the text, in characters; both 0 for a special token.
    special : bool
    continues : bool
        Whether it goes on with the word of the piece before it.
    """

    token: str
    text: str
    start: int = 0
    end: int = 0
    special: bool = False
    continues: bool = False


@dataclass(frozen=True)
class Encoded:
    """A text as a model takes it: numbers of tokens, pieces, how many did not fit."""

    ids: tuple[int, ...]
    pieces: tuple[Piece, ...]
    left_out: int = 0


class Tokenizer:
    """The tokenizer of a model folder. Raises Problem where its file cannot be read.

    words : how many the model knows
    """

    def __init__(self, folder: Path, words: int) -> None:
        data = read_small(folder, TOKENIZER, _LARGEST)
        from tokenizers import Tokenizer as Made

        self._made = _guarded(lambda: Made.from_str(data.decode("utf-8")))
        self._made.no_padding()
        self._made.no_truncation()
        if self._made.get_vocab_size() > words:
            raise Problem(
                N_(
                    "{file} knows {found} tokens, but the model {words}: take both from the same"
                    " source."
                ),
                file=TOKENIZER,
                found=self._made.get_vocab_size(),
                words=words,
            )

    def encode(self, text: str, most: int) -> Encoded:
        """Return the tokens of a text, special ones added, at most `most`: the first ones."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Problem(N_("The text contains a broken character: type it again.")) from None
        whole = _guarded(lambda: self._made.encode(text))
        if len(whole.ids) <= most:
            return self._encoded(text, whole, 0)
        # Shortened by the tokenizer, so that what stands at a text's end still does.
        self._made.enable_truncation(most)
        try:
            first = _guarded(lambda: self._made.encode(text))
        finally:
            self._made.no_truncation()
        return self._encoded(text, first, len(whole.ids) - len(first.ids))

    def pieces(self, ids: Sequence[int]) -> tuple[Piece, ...]:
        """Return what tokens are called whose text is not known; part of a letter as it is kept."""
        made = self._made
        texts = _guarded(lambda: [(made.id_to_token(i), made.decode([i])) for i in map(int, ids)])
        return tuple(
            Piece(
                token or f"#{i}",
                (text if text and _BROKEN not in text else token) or f"#{i}",
                special=not text,
            )
            for i, (token, text) in zip(ids, texts, strict=True)
        )

    @property
    def special_ids(self) -> frozenset[int]:
        """The numbers of the tokens that are no words, such as that of [MASK]."""
        added = self._made.get_added_tokens_decoder()
        return frozenset(i for i, token in added.items() if token.special)

    def text_of(self, token: int) -> str:
        """Return what one token of the vocabulary is called, for a list of next words."""
        return self.pieces([token])[0].text

    def _encoded(self, text: str, made: Any, left_out: int) -> Encoded:
        words = made.word_ids
        # Numbers that the vocabulary does not have are left out of the library's own tokens.
        tokens = [self._made.id_to_token(i) or f"#{i}" for i in made.ids]
        pieces = []
        for i, (token, (start, end), word) in enumerate(
            zip(tokens, made.offsets, words, strict=True)
        ):
            special = bool(made.special_tokens_mask[i])
            shown = "" if special else text[start:end].strip(" ")
            continues = word is not None and i > 0 and words[i - 1] == word and not special
            pieces.append(
                Piece(token, shown or token, start, end, special, continues)
                if not special
                else Piece(token, token, special=True)
            )
        return Encoded(tuple(made.ids), tuple(pieces), left_out)


def _guarded(call: Callable[[], Any]) -> Any:
    """Return what the library returns; raise a Problem for whatever it raises."""
    try:
        with _panics_unprinted():
            return call()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic of the library is no Exception
        raise Problem(
            N_("{file} is not valid ({reason}): take it from the model's source."),
            file=TOKENIZER,
            reason=displayable(str(error), 120),
        ) from None


@contextmanager
def _panics_unprinted() -> Iterator[None]:
    """Keep a panic's own report from standard error, where its message is raised as well.

    Whatever else is written there meanwhile comes afterwards.
    """
    with _ERRORS, ExitStack() as stack:
        try:
            held = stack.enter_context(TemporaryFile())
            real = os.dup(2)
        except OSError:  # no room, or no standard error
            yield
            return
        panicked = False
        os.dup2(held.fileno(), 2)
        try:
            yield
        except BaseException as error:
            panicked = not isinstance(error, Exception)
            raise
        finally:
            os.dup2(real, 2)
            os.close(real)
            held.seek(0)
            said = held.read()
            os.write(2, _PANIC.sub(b"", said) if panicked else said)
