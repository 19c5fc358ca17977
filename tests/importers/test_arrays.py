"""NumPy files as scenes."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.importers import SCENES, importer_of
from explorer.importers.arrays import LARGEST, read_arrays
from explorer.session import Scene
from explorer.text import Problem

X = np.arange(6.0).reshape(3, 2)
EYE = np.eye(2)


def npz(path: Path, **arrays: np.ndarray) -> Path:
    np.savez(path, **arrays)
    return path


def opened(path: Path) -> Scene:
    return importer_of(path).load(path)


def refusal(path: Path) -> str:
    with pytest.raises(Problem) as raised:
        opened(path)
    return str(raised.value)


def test_arrays_are_taken_by_their_names(tmp_path: Path) -> None:
    path = npz(
        tmp_path / "my scene.npz",
        X=X.astype(np.float32),
        Wq=EYE,
        Wk=2 * EYE,
        Wv=np.array([[1, 2], [3, 4]]),
        Wo=np.asfortranarray([[0.5, 1.0], [2.0, 0.0]]),
        tokens=np.array(["a", "猫", "c"]),
    )
    scene = opened(path)
    assert (scene.title, scene.tokens) == ("my scene", ("a", "猫", "c"))
    for found, wanted in ((scene.X, X), (scene.Wk, 2 * EYE), (scene.Wv, [[1, 2], [3, 4]])):
        assert np.array_equal(found, wanted)
    assert np.array_equal(scene.Wo, [[0.5, 1.0], [2.0, 0.0]])


def test_one_array_is_x(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    scene = opened(tmp_path / "x.npy")
    assert scene.tokens == ("1", "2", "3")
    assert np.array_equal(scene.X, X)
    assert scene.Wq is None


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"Y": X}, "The array Y is not known."),
        ({"Wq": EYE}, "The array X is missing: a row for each token."),
        ({"X": X, "Wq": EYE}, "Wk is missing: Wq, Wk and Wv go together."),
        ({"X": X, "tokens": np.array(["a"])}, "X must have a row for each entry of tokens: 1"),
        ({"X": X, "tokens": np.arange(3)}, "tokens must hold texts."),
        ({"X": np.array([[1.0, np.nan]])}, "X[0][1] must be a number"),
        ({"X": np.arange(3.0)}, "X[0] must be a row of numbers."),
        ({"X": X * 1j}, "X must hold numbers."),
        ({"X": np.ones((600, 2))}, "at most 512 are possible"),
        ({"X": np.ones((2, 2, 2, 2))}, "X has 4 axes: it must be a table"),
    ],
)
def test_what_is_no_scene_is_told(tmp_path: Path, arrays: dict[str, np.ndarray], told: str) -> None:
    said = refusal(npz(tmp_path / "bad.npz", **arrays))
    assert said.startswith("bad.npz: ")
    assert told in said


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([[object()]], dtype=object), allow_pickle=True)
    assert refusal(tmp_path / "x.npy") == "x.npy: X must hold numbers."


def test_a_damaged_array_is_named_and_nothing_else(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    whole = (tmp_path / "x.npy").read_bytes()
    for damaged in (whole[:-5], whole[:40], whole[:10] + bytes(80), whole + b"x"):
        (tmp_path / "x.npy").write_bytes(damaged)
        told = "x.npy: X is damaged: save the file again with NumPy."
        assert refusal(tmp_path / "x.npy") == told


def test_a_file_that_grows_when_it_is_unpacked_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("X.npy", b"\x93NUMPY" + bytes(LARGEST))
    assert "X is larger than 32 MB." in refusal(tmp_path / "x.npz")


def test_a_file_of_another_format_is_read_as_a_scene(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04")
    assert importer_of(tmp_path / "x.zip") is SCENES
    assert importer_of(tmp_path / "there is none.npz") is SCENES


@given(data=st.data())
def test_a_damaged_file_ends_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, X=X, Wq=EYE, Wk=EYE, Wv=EYE)
    damaged = bytearray(buffer.getvalue())
    for _fault in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(4, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(damaged[: data.draw(st.integers(4, len(damaged)))])
    with suppress(Problem):  # nothing else is raised
        assert read_arrays(path).X.ndim == 2
