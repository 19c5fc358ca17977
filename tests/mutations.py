"""Files with something changed in them, as a bad disk or a hand that edits a text changes them."""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

from explorer.text import Problem

_DEEP = b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}"
ODD: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 3, 2**70, 1.5, 1e308, float("nan"), float("inf")),
    *("", "a", "\ud800", "\0", "\u202e", "%s{0}<b>", "x" * 3000, "none"),
    *([], {}, [[]], [None], [1, "a"], {"": 0}),
)
ODD_BYTES = (b"\0", b"\xff" * 4, b"\0\0\xc0\x7f", b'"', b"[", b"{", b"\n", b"\r", b",")
ODD_NUMBERS = (b"0", b"-1", b"7", b"1e999", b"1e-320", b"99999999999999999999", b"nan", b"")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file's content with something changed: a value of JSON, a member of an archive,
    or any bytes.
    """
    if zipfile.is_zipfile(BytesIO(data)) and rng.random() < 0.8:
        return _repacked(data, rng)
    if rng.random() < 0.5:
        with suppress(ValueError):
            return _with_json_changed(data, rng)
    return _with_bytes_changed(data, rng)


def opened_or_refused(
    files: list[Path], open_all: Callable[[], object], times: int, seed: int
) -> int:
    """Open what files hold, each time with one of them mutated; return how often it was refused.

    At first lists within lists stand in the place of all JSON. A refusal is a Problem of one line
    that can be shown; anything else is let through.
    """
    rng, refused = random.Random(seed), 0
    sound = {path: path.read_bytes() for path in files}
    for turn in range(-len(files), times):
        path = files[turn] if turn < 0 else rng.choice(files)
        path.write_bytes(_nested(sound[path]) if turn < 0 else mutated(sound[path], rng))
        try:
            open_all()
        except Problem as problem:
            refused += 1
            sentence = str(problem)
            assert sentence.strip(), path
            assert "\n" not in sentence, sentence
            sentence.encode()  # whatever stands in the file, it can be printed
        finally:
            path.write_bytes(sound[path])
    open_all()  # as they were, they still open
    return refused


def _nested(data: bytes) -> bytes:
    """Return JSON, or what begins with it and its length, as lists within lists."""
    length = int.from_bytes(data[:8], "little")
    if data[8:9] == b"{" and length < len(data):
        return len(_DEEP).to_bytes(8, "little") + _DEEP + data[8 + length :]
    return _DEEP if data[:1] == b"{" else data


def _with_bytes_changed(data: bytes, rng: random.Random) -> bytes:
    made = bytearray(data)
    start = rng.randrange(len(made))
    end = min(start + rng.randrange(1, 60), len(made))
    match rng.randrange(6):
        case 0:
            made[start] = rng.randrange(256)
        case 1:
            del made[start:]
        case 2:
            del made[start:end]
        case 3:
            made[end:end] = made[start:end]
        case 4:
            odd = rng.choice(ODD_BYTES)
            made[start : start + rng.choice((0, len(odd)))] = odd
        case _:
            numbers = list(re.finditer(rb"\d+(\.\d+)?", data[:20_000]))
            if numbers:
                found = rng.choice(numbers)
                made[found.start() : found.end()] = rng.choice(ODD_NUMBERS)
    return bytes(made)


def _with_json_changed(data: bytes, rng: random.Random) -> bytes:
    """Return JSON, or what begins with it and its length, with a value exchanged or gone.

    Raises ValueError where there is no JSON.
    """
    length = int.from_bytes(data[:8], "little")
    header = data[8:9] == b"{" and length < len(data)
    text = data[8 : 8 + length] if header else data
    value = json.loads(text.decode())
    places = list(_places(value))
    if not places:
        raise ValueError
    *way, key = rng.choice(places)
    inner = value
    for part in way:
        inner = inner[part]
    if rng.random() < 0.2:
        del inner[key]
    elif isinstance(inner[key], str) and inner[key][:1] in "{[" and rng.random() < 0.8:
        with suppress(ValueError):  # JSON within a text, as in a header's metadata
            inner[key] = _with_json_changed(inner[key].encode(), rng).decode()
    else:
        inner[key] = deepcopy(rng.choice(ODD))
    made = json.dumps(value).encode()
    return len(made).to_bytes(8, "little") + made + data[8 + length :] if header else made


def _places(value: Any, *way: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value within a value of JSON, of long lists of the first ones."""
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value[:4])
        for key, each in inner:
            yield (*way, key)
            yield from _places(each, *way, key)


def _repacked(data: bytes, rng: random.Random) -> bytes:
    """Return an archive with one of its members mutated, whose checksum is right again."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name == chosen and content:
                content = _with_bytes_changed(content, rng)
            new.writestr(name, content)
    return made.getvalue()
