"""Saving: in one step, also over the open file, a few MiB at a time, and nothing is lost."""

from __future__ import annotations

import errno
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from explorer.text import Problem
from explorer.traces import SpoolTrace, TraceFile, as_kept, fit_basis, save_trace
from tests.traces.made import saved, spooled, step_of, writer


def test_over_the_open_file(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    before = load_file(file.path)
    again = save_trace(file, file.path, basis=fit_basis(file))
    assert again.basis is not None
    after = load_file(file.path)
    assert after.keys() == before.keys() | {"basis.mean", "basis.components", "basis.explained"}
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array)
    for trace in (file, again):
        np.testing.assert_array_equal(trace.array("weights", 2), before["weights"][2])
    assert sorted(os.listdir(tmp_path)) == ["a.safetensors", "a.safetensors.run"]


def test_a_shorter_file_over_a_longer_open_one(tmp_path: Path) -> None:
    long = saved(tmp_path / "a.safetensors", steps=5)
    short = saved(tmp_path / "b.safetensors", steps=1)
    save_trace(short, long.path)
    assert TraceFile(long.path).recorded == 1
    np.testing.assert_array_equal(long.array("x", 4), step_of(seed=4)["x"])


def test_the_basis_is_kept(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    basis = fit_basis(file)
    first = save_trace(file, tmp_path / "b.safetensors", basis=basis)
    second = save_trace(first, tmp_path / "c.safetensors")
    for trace in (first, second):
        assert trace.basis is not None
        np.testing.assert_allclose(trace.basis.mean, basis.mean, rtol=1e-6)
        np.testing.assert_allclose(trace.basis.components, basis.components, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(trace.basis.explained, basis.explained, rtol=1e-6)
        assert not trace.basis.exact


@pytest.mark.parametrize("size", [1e37, 1e39, 1e150])
def test_a_basis_beyond_single_precision_is_kept(tmp_path: Path, size: float) -> None:
    path = saved(tmp_path / "a.safetensors").path
    arrays = load_file(path)
    with safe_open(path, "np") as file:
        metadata = file.metadata()
    arrays["param.embedding"] = arrays["param.embedding"].astype(np.float64) * size
    save_file(arrays, path, metadata)
    huge = TraceFile(path)
    basis = as_kept(fit_basis(huge))
    again = save_trace(huge, tmp_path / "b.safetensors", basis=basis).basis
    assert again is not None
    for one, other in ((again.mean, basis.mean), (again.components, basis.components)):
        assert np.isfinite(one).all()
        np.testing.assert_array_equal(one, other)


def test_what_a_trace_does_not_know_is_kept(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    arrays = load_file(file.path) | {
        "gradients": np.arange(6, dtype=np.float16).reshape(2, 3),
        "flags": np.array([True, False]),
        "empty": np.zeros((0, 3), np.uint8),
    }
    save_file(arrays, tmp_path / "b.safetensors", dict(file.metadata) | {"author": "早"})
    again = save_trace(TraceFile(tmp_path / "b.safetensors"), tmp_path / "c.safetensors")
    found = load_file(again.path)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
    with safe_open(again.path, "np") as opened:
        assert opened.metadata() == dict(file.metadata) | {"author": "早"}


def test_saving_in_the_middle_of_a_run(tmp_path: Path) -> None:
    with writer(tmp_path / "run") as spool:
        live = SpoolTrace(tmp_path / "run")
        with pytest.raises(Problem, match="Nothing has been recorded yet"):
            save_trace(live, tmp_path / "a.safetensors")
        for epoch in range(3):
            spool.record(epoch, step_of(seed=epoch))
        spool.flush()
        live.refresh()
        file = save_trace(live, tmp_path / "a.safetensors")
        spool.record(3, step_of(seed=3))
    assert file.epochs.tolist() == [0, 1, 2]
    assert "scalar.loss" not in file.names
    np.testing.assert_array_equal(file.array("x", 2), step_of(seed=2)["x"])


def test_a_full_disk_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(tmp_path / "a.safetensors")
    before = file.path.read_bytes()

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problem) as caught:
        save_trace(file, file.path, basis=fit_basis(file))
    assert str(caught.value) == ("a.safetensors cannot be saved: No space left on device.")
    assert file.path.read_bytes() == before
    assert not list(tmp_path.glob(".*"))
    np.testing.assert_array_equal(file.array("x", 1), step_of(seed=1)["x"])


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    for path in (tmp_path / "none" / "a.safetensors", tmp_path, Path("a\0b")):
        with pytest.raises(Problem, match="cannot be saved"):
            save_trace(file, path)


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    file.path.chmod(0o640)
    link = tmp_path / "link.safetensors"
    link.symlink_to(file.path)
    save_trace(file, link)
    assert link.is_symlink()
    assert file.path.stat().st_mode & 0o777 == 0o640


def test_a_large_trace_is_saved_with_little_memory(tmp_path: Path) -> None:
    spool = spooled(tmp_path / "run", {0: step_of()})
    spool.close()
    arrays = {
        "epochs": np.arange(100),
        "tokens": np.zeros((1, 128), np.int64),
        "lengths": np.array([128]),
        "weights": np.zeros((100, 1, 1, 8, 128, 128), np.float32),
    }
    metadata = dict(spool.metadata) | {"run": '{"vocabulary": ["a"]}'}
    save_file(arrays, tmp_path / "a.safetensors", metadata)
    size = (tmp_path / "a.safetensors").stat().st_size
    assert size > 50 * 2**20
    del arrays
    file = TraceFile(tmp_path / "a.safetensors")
    tracemalloc.start()
    save_trace(file, tmp_path / "b.safetensors")
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 2**20
    assert (tmp_path / "b.safetensors").stat().st_size == pytest.approx(size, abs=1000)
