"""Broken trace files: a sentence naming file, array and reason; never a crash, never a freeze."""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file, save, save_file

from explorer.text import Problem
from explorer.traces import BadStep, Config, Trace, TraceFile, parse_corpus
from tests.traces.made import saved

Arrays = dict[str, NDArray[Any]]
Change = Callable[[Arrays, dict[str, str]], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Arrays, dict[str, str]]:
    """The arrays and the metadata of a sound file."""
    path = tmp_path_factory.mktemp("sound") / "a.safetensors"
    file = saved(path)
    return load_file(path), dict(file.metadata)


def refusal(path: Path) -> str:
    with pytest.raises(Problem) as caught:
        TraceFile(path)
    sentence = str(caught.value)
    assert path.name in sentence
    assert "\n" not in sentence
    return sentence


def changed(name: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Change:
    def apply(arrays: Arrays, _metadata: dict[str, str]) -> None:
        arrays[name] = np.ascontiguousarray(change(arrays[name]))

    return apply


def entry(name: str, place: tuple[int, ...], value: float) -> Change:
    def change(array: NDArray[Any]) -> NDArray[Any]:
        array[place] = value
        return array

    return changed(name, change)


def without(name: str) -> Change:
    def apply(arrays: Arrays, _metadata: dict[str, str]) -> None:
        del arrays[name]

    return apply


def metadata(name: str, value: str) -> Change:
    def apply(_arrays: Arrays, metadata: dict[str, str]) -> None:
        metadata[name] = value

    return apply


def run(**fields: Any) -> Change:
    def apply(_arrays: Arrays, metadata: dict[str, str]) -> None:
        metadata["run"] = json.dumps(json.loads(metadata["run"]) | fields)

    return apply


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (metadata("format", "pt"), '"format" in its metadata must be "attention-explorer/trace"'),
        (metadata("version", "2"), "Its version is 2, but this program reads version 1."),
        (metadata("run", "{"), '"run" in its metadata is not valid'),
        (metadata("run", "[" * 100_000), '"run" in its metadata is not valid'),
        (run(vocabulary=[]), "The vocabulary"),
        (run(vocabulary="abc"), '"run" in its metadata is not valid'),
        (run(vocabulary=["a"] * 7), "logits has 8 words of the vocabulary, but the run has 7"),
        (run(config={"heads": 0}), "Heads must be a whole number from 1 to 8, but is 0."),
        (run(config={"heads": 3}), "Heads must divide D Model"),
        (run(config={"heads": 4}), "4"),
        (without("weights"), "weights is missing."),
        (without("lengths"), "lengths is missing."),
        (without("tokens"), "tokens is missing."),
        (without("epochs"), "epochs is missing."),
        (without("scalar.epoch"), "scalar.epoch is missing."),
        (changed("weights", lambda a: a.astype(np.int32)), "weights has the type I32"),
        (changed("tokens", lambda a: a.astype(np.float32)), "tokens has the type F32"),
        (changed("weights", lambda a: a[0]), "weights has 5 dimensions, but must have 6"),
        (changed("weights", lambda a: a[..., :1]), "weights has 1 tokens, but tokens has 2"),
        (changed("weights", lambda a: a[:2]), "weights has 2 recorded epochs, but epochs has 3"),
        (changed("q", lambda a: a[:, :5]), "q has 5 samples, but tokens has 6"),
        (changed("k", lambda a: a[..., :7]), "k has 7 columns (d_k), but the run has 8"),
        (changed("targets", lambda a: a[:-1]), "targets has 5 samples"),
        (changed("param.layers.0.Wo", lambda a: a[:, :9]), "param.layers.0.Wo has 9 rows"),
        (changed("scalar.loss", lambda a: a[:2]), "scalar.loss has 2 epochs"),
        (changed("epochs", lambda a: a[:0]), "epochs is empty."),
        (entry("lengths", (2,), 0), "lengths[2] is 0, but must be from 1 to 2."),
        (entry("lengths", (2,), 3), "lengths[2] is 3, but must be from 1 to 2."),
        (entry("tokens", (1, 0), 8), "tokens[1][0] is 8, but must be from 0 to 7."),
        (entry("tokens", (1, 0), -1), "tokens[1][0] is -1"),
        (entry("targets", (5,), 8), "targets[5] is 8"),
        (entry("samples", (5,), 6), "samples[5] is 6, but must be from 0 to 5."),
        (entry("epochs", (1,), 0), "epochs must ascend from 0 or more."),
        (entry("epochs", (0,), -5), "epochs must ascend from 0 or more."),
        (entry("epochs", (2,), 2**62), "epochs must ascend from 0 or more."),
        (entry("scalar.epoch", (0,), -1), "scalar.epoch must ascend from 0 or more."),
    ],
)
def test_what_does_not_fit_is_named(
    sound: tuple[Arrays, dict[str, str]], tmp_path: Path, change: Change, sentence: str
) -> None:
    arrays = {name: array.copy() for name, array in sound[0].items()}
    texts = dict(sound[1])
    change(arrays, texts)
    save_file(arrays, tmp_path / "broken.safetensors", texts)
    assert sentence in refusal(tmp_path / "broken.safetensors")


def test_a_layer_too_many_and_a_nameless_file(
    sound: tuple[Arrays, dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "broken.safetensors"
    arrays = dict(sound[0])
    arrays["param.layers.1.bo"] = arrays["param.layers.0.bo"]
    save_file(arrays, path, sound[1])
    assert "param.layers.1.bo is of a layer that weights does not have" in refusal(path)
    save_file(sound[0], path)
    assert "This is not a trace" in refusal(path)
    save_file(sound[0], path, {"format": "attention-explorer/trace", "version": "1"})
    assert '"run" is missing in its metadata.' in refusal(path)


def test_what_is_no_file_to_be_read(tmp_path: Path) -> None:
    assert "cannot be opened" in refusal(tmp_path / "none.safetensors")
    assert "not a file that can be opened" in refusal(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert "not a file that can be opened" in refusal(tmp_path / "pipe")
    with pytest.raises(Problem):
        TraceFile("a\0b")


def test_a_file_cut_off_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    saved(path)
    data = path.read_bytes()
    for end in [*range(200), *range(200, len(data), 997), len(data) - 1]:
        (tmp_path / "cut.safetensors").write_bytes(data[:end])
        refusal(tmp_path / "cut.safetensors")


def test_shapes_that_would_need_more_than_there_is_are_refused_unread(tmp_path: Path) -> None:
    # Nothing but holes: a tiny file on disk that claims to hold terabytes.
    tokens = 2**20
    arrays = {
        "epochs": ("I64", [1]),
        "lengths": ("I64", [1]),
        "tokens": ("I64", [1, tokens]),
        "weights": ("F32", [1, 1, 1, 1, tokens, tokens]),
    }
    header: dict[str, Any] = {
        "__metadata__": {
            "format": "attention-explorer/trace",
            "version": "1",
            "run": '{"vocabulary":["a"]}',
        }
    }
    place = 0
    for name, (dtype, shape) in arrays.items():
        size = int(np.prod(shape)) * int(dtype[1:]) // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [place, place + size]}
        place += size
    text = json.dumps(header).encode()
    path = tmp_path / "holes.safetensors"
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + place)
    assert "One step of weights takes 4398046 MB" in refusal(path)


# --- steps that hold no numbers ------------------------------------------------------------------


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["weights", "x", "logits", "param.layers.0.Wq", "scores"])
def test_a_step_that_holds_no_numbers_is_marked_when_it_is_shown(
    sound: tuple[Arrays, dict[str, str]], tmp_path: Path, name: str, value: float
) -> None:
    arrays = {each: array.copy() for each, array in sound[0].items()}
    arrays[name][1].reshape(-1)[-1] = value
    save_file(arrays, tmp_path / "a.safetensors", sound[1])
    file = TraceFile(tmp_path / "a.safetensors")
    np.testing.assert_array_equal(file.array(name, 0), arrays[name][0])
    assert file.bad_steps == {}
    with pytest.raises(BadStep) as caught:
        file.array(name, 1)
    assert (caught.value.step, caught.value.name) == (1, name)
    assert str(caught.value) == (
        f"a.safetensors: {name} of epoch 5 holds values that are not numbers."
    )
    assert list(file.bad_steps) == [1]
    np.testing.assert_array_equal(file.array(name, 2), arrays[name][2])


def test_scores_are_minus_infinity_where_the_weight_is_0(tmp_path: Path) -> None:
    config, corpus = Config(causal=True), parse_corpus("a b c d\na c\n")
    file = saved(tmp_path / "a.safetensors", config, corpus)
    scores = file.array("scores", 0)
    assert np.isneginf(scores[0, 0, :, 0, 1:]).all()  # causal
    assert np.isneginf(scores[1, 0, :, 0, 1:]).all()  # padding
    np.testing.assert_array_equal(file.array("scores", 0, 1, 0, 1), scores[1, 0, 1])


def test_names_nobody_knows_are_let_be(
    sound: tuple[Arrays, dict[str, str]], tmp_path: Path
) -> None:
    arrays = dict(sound[0])
    arrays["gradients"] = np.full((2, 2), np.nan, np.float16)
    arrays["param.layers.0.gate"] = np.zeros(3, np.uint8)
    save_file(arrays, tmp_path / "a.safetensors", sound[1] | {"note": "早"})
    file = TraceFile(tmp_path / "a.safetensors")
    assert file.names == sound[0].keys()
    assert file.entries.keys() == arrays.keys()


# --- mutations -----------------------------------------------------------------------------------


def small_file(folder: Path) -> bytes:
    """Return a small sound file with one array of each kind of axis, and a basis."""
    file = saved(
        folder / "base.safetensors", Config(d_model=2, heads=2), parse_corpus("a b\nb a"), 2
    )
    arrays = load_file(file.path)
    kept = ("epochs", "tokens", "lengths", "targets", "samples", "x", "q", "scores", "weights")
    kept += ("scalar.epoch", "scalar.loss", "logits", "param.embedding", "param.layers.0.Wo")
    arrays = {name: arrays[name] for name in kept}
    arrays["basis.mean"] = np.zeros(2, np.float32)
    arrays["basis.components"] = np.eye(3, 2, dtype=np.float32)
    arrays["basis.explained"] = np.ones(3, np.float32)
    return save(arrays, dict(file.metadata))


def look_at_everything(trace: Trace) -> None:
    """Read all that a view may ask for; steps that hold no numbers are expected."""
    for step in range(trace.recorded):
        for name in ("x", "q", "scores", "weights", "logits", "param.embedding"):
            if name in trace.names:
                with contextlib.suppress(BadStep):
                    assert np.isfinite(trace.array(name, step)).all() or name == "scores"
                    trace.array(name, step, 0, 0, 0)
    for sample in range(len(trace.tokens)):
        trace.words(sample)
        trace.target(sample)
    for name in ("epoch", "loss"):
        if f"scalar.{name}" in trace.names:
            trace.scalars(name)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file changed in one of many ways, most often in its header."""
    length = int.from_bytes(data[:8], "little")
    head, body = bytearray(data[8 : 8 + length]), bytearray(data[8 + length :])
    kind = rng.randrange(9)
    if kind == 0:  # any byte at all
        whole = bytearray(data)
        whole[rng.randrange(len(whole))] = rng.randrange(256)
        return bytes(whole)
    if kind == 1:
        return data[: rng.randrange(len(data))]
    if kind == 2:  # a number in the array data
        place = rng.randrange(len(body) - 8)
        body[place : place + 4] = rng.choice(
            [b"\xff\xff\xff\xff", b"\0\0\xc0\x7f", b"\0\0\x80\xff", b"\0\0\0\x80", b"\1\0\0\0"]
        )
    elif kind == 3:  # a digit of the header
        places = [i for i, byte in enumerate(head) if chr(byte).isdigit()]
        head[rng.choice(places)] = ord(rng.choice("0123456789"))
    elif kind == 4:  # some bytes of the header
        for _ in range(rng.randrange(1, 4)):
            head[rng.randrange(len(head))] = rng.randrange(256)
    elif kind == 5:  # a piece of the header once more, or gone
        start = rng.randrange(len(head))
        end = start + rng.randrange(1, 80)
        head[start:end] = rng.choice([b"", bytes(head[start:end]) * 2])
    elif kind in (6, 7):  # one field of the header
        header = json.loads(head)
        name = rng.choice([name for name in header if name != "__metadata__"])
        field = rng.choice(["dtype", "shape", "data_offsets"])
        values: list[object] = ["F32", "I64", "F16", "BF16", "", 0, -1, 2**70, 1.5, None, [], {}]
        part: Any = header[name]
        if field != "dtype" and rng.random() < 0.7 and part[field]:
            part, field = part[field], rng.randrange(len(part[field]))
            values += [1, 2, 3, 4, 8, 2**31, 2**62]
        part[field] = rng.choice(values)
        head = bytearray(json.dumps(header).encode())
    else:  # one field of the run
        header = json.loads(head)
        details = json.loads(header["__metadata__"]["run"])
        where: Any = rng.choice([details, details["config"]])
        where[rng.choice(list(where))] = rng.choice([None, 0, -1, "", "a", [], ["a"], {}, 1e9, 3])
        header["__metadata__"]["run"] = json.dumps(details)
        head = bytearray(json.dumps(header).encode())
    return len(head).to_bytes(8, "little") + bytes(head) + bytes(body)


def assert_withstood(folder: Path, mutations: int) -> None:
    """Fail where a mutated file is neither opened nor refused with a sentence, or takes long."""
    data = small_file(folder)
    rng = random.Random(7)
    path = folder / "mutated.safetensors"
    opened = refused = 0
    slowest = 0.0
    for _ in range(mutations):
        path.write_bytes(mutated(data, rng))
        start = time.process_time()
        try:
            trace = TraceFile(path)
        except Problem as problem:
            sentence = str(problem)
            assert "mutated.safetensors" in sentence
            assert "\n" not in sentence
            refused += 1
        else:
            look_at_everything(trace)
            trace.close()
            opened += 1
        slowest = max(slowest, time.process_time() - start)
    # Some mutations do no harm; both ways are gone often.
    assert opened > mutations / 20
    assert refused > mutations / 2
    assert slowest < 5


def test_mutated_files_are_opened_or_refused(tmp_path: Path) -> None:
    assert_withstood(tmp_path, 4000)
