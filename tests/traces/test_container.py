"""The safetensors container, held to its own library in both directions."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load, save

from explorer.text import Problem
from explorer.traces.container import Contents, Entry, read_contents, write_contents

NAMES = {"F16": "f2", "F32": "f4", "F64": "f8", "I32": "i4", "I64": "i8", "U8": "u1"}
NUMPY = {f"<{short}" if short != "u1" else "|u1": name for name, short in NAMES.items()}

arrays = st.sampled_from(sorted(NUMPY)).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0))
)
# Lone halves of surrogate pairs cannot be written as UTF-8.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
files = st.dictionaries(texts, arrays)


def written(values: Mapping[str, np.ndarray[Any, Any]], metadata: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    layout = {name: Entry(NUMPY[array.dtype.str], array.shape) for name, array in values.items()}
    write_contents(file, layout, metadata, lambda name: [values[name].tobytes()])
    return file.getvalue()


def read(data: bytes) -> Contents:
    return read_contents(lambda start, count: data[start : start + count], len(data))


@given(files, st.dictionaries(texts, texts))
def test_what_is_written_the_library_reads(
    values: dict[str, np.ndarray[Any, Any]], metadata: dict[str, str]
) -> None:
    data = written(values, metadata)
    found = load(data)
    assert found.keys() == values.keys()
    for name, array in values.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()
    assert read(data).metadata == metadata


# The library's own header is broken where there is neither an array nor metadata.
@given(files.filter(bool), st.dictionaries(texts, texts))
def test_what_the_library_writes_is_read(
    values: dict[str, np.ndarray[Any, Any]], metadata: dict[str, str]
) -> None:
    data = save(values, metadata)
    contents = read(data)
    assert contents.metadata == metadata
    assert contents.entries.keys() == values.keys()
    for name, entry in contents.entries.items():
        assert entry.shape == values[name].shape
        assert entry.dtype == NUMPY[values[name].dtype.str]
        assert data[entry.start : entry.start + entry.nbytes] == values[name].tobytes()


def file_of(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(start: int, end: int, shape: object = None, dtype: object = "F32") -> dict[str, object]:
    shape = [(end - start) // 4] if shape is None else shape
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This is not a safetensors file: it is too short."),
        (b"1234567", "This is not a safetensors file: it is too short."),
        (
            (2**63).to_bytes(8, "little"),
            "This is not a safetensors file, or its first bytes are damaged.",
        ),
        ((100).to_bytes(8, "little") + b"{}", "cut off within its header"),
        (file_of(b"[" * 100_000), "its header is not JSON"),
        (file_of(b'{"a": NaN}'), "its header is not JSON"),
        (file_of(b"\xff\xfe"), "its header is not JSON"),
        (file_of(b'{"\\ud800": {}}'), "its header is not JSON"),
        (file_of(b"[1]"), "not a group of fields"),
        (file_of({"__metadata__": {"a": 1}}), "Its metadata must be texts."),
        (file_of({"__metadata__": []}), "Its metadata must be texts."),
        (
            file_of(b'{"q": {"dtype": "F32"}, "q": {"dtype": "F32"}}'),
            "q appears twice.",
        ),
        (
            file_of(b'{"__metadata__": {"run": "1", "run": "2"}}'),
            "run appears twice.",
        ),
        (
            file_of(b'{"q": {"dtype": "F32", "dtype": "F64", "shape": [], "data_offsets": []}}'),
            "dtype appears twice.",
        ),
        (file_of({"q": 1}), "q must be described by dtype, shape and data_offsets alone."),
        (file_of({"q": {"dtype": "F32", "shape": []}}), "q must be described by"),
        (file_of({"q": entry(0, 4, dtype="F31")}, b"1234"), "q has the type F31, which is unknown"),
        (file_of({"q": entry(0, 4, dtype=["F32"])}, b"1234"), "q has the type"),
        (file_of({"q": entry(0, 4, [-1])}, b"1234"), "The shape of q must be a list of counts."),
        (file_of({"q": entry(0, 4, [True])}, b"1234"), "The shape of q must be a list of counts."),
        (file_of({"q": entry(0, 4, "1")}, b"1234"), "The shape of q must be a list of counts."),
        (file_of({"q": entry(0, 4, [2])}, b"1234"), "q does not have as many bytes"),
        (file_of({"q": entry(0, 4, [1] * 33)}, b"1234"), "q does not have as many bytes"),
        (file_of({"q": entry(0, 4, [2**40] * 4 + [0])}, b"1234"), "q does not have as many bytes"),
        (file_of({"q": entry(4, 0, [1])}, b"1234"), "q does not have as many bytes"),
        (
            file_of({"q": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 4]}}, b"1234"),
            "The offsets of q must be two counts.",
        ),
        (file_of({"k": entry(0, 8), "q": entry(4, 8)}, b"12345678"), "q overlaps the array before"),
        (file_of({"k": entry(0, 4), "q": entry(0, 4)}, b"1234"), "q overlaps the array before it."),
        (file_of({"k": entry(0, 4), "q": entry(8, 12)}, b"1234" * 3), "There is a gap before q."),
        (file_of({"q": entry(4, 8)}, b"12345678"), "There is a gap before q."),
        (file_of({"q": entry(0, 8)}, b"1234567"), "cut off: 1 bytes are missing at its end."),
        (file_of({"q": entry(0, 8)}, b"1234567890"), "2 bytes at the file's end belong to no"),
        (
            file_of({"q": entry(0, 4, [10**30])}, b"1234"),
            "The shape of q must be a list of counts.",
        ),
        (file_of(b'{"q": ' + b"9" * 5000 + b"}"), "its header is not JSON"),
        (file_of(b'{"q": [' + b'{"a": 1},' * 2**17 + b"1]}"), "header is not a group of fields"),
    ],
)
def test_a_broken_header_is_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Problem) as caught:
        read(data)
    assert sentence in str(caught.value)


def test_the_library_refuses_what_is_refused_here_but_for_double_names() -> None:
    sound = {"k": entry(0, 4), "q": entry(4, 8)}
    assert load(file_of(sound, b"12345678")).keys() == sound.keys()
    assert read(file_of(sound, b"12345678")).entries.keys() == sound.keys()
    twice = file_of(b'{"q":%b,"q":%b}' % ((json.dumps(entry(0, 4)).encode(),) * 2), b"1234")
    assert math.isfinite(load(twice)["q"][0])
    with pytest.raises(Problem, match="twice"):
        read(twice)


def test_arrays_that_give_other_bytes_than_they_have_are_noticed() -> None:
    with pytest.raises(ValueError, match="4 bytes, but 8"):
        write_contents(io.BytesIO(), {"q": Entry("F32", (2,))}, {}, lambda _name: [b"1234"])
