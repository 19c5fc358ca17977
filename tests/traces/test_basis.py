"""The basis of the word graph, held to scikit-learn's principal components."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from sklearn.decomposition import PCA

from explorer.text import Problem
from explorer.traces import BadStep, Config, TraceFile, as_kept, fit_basis, save_trace
from tests.traces.made import CORPUS, saved, spooled, step_of


def test_it_is_the_principal_components_over_all_steps(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors", steps=7)
    rows = np.concatenate([step_of(seed=i)["param.embedding"] for i in range(7)])
    oracle = PCA(3).fit(rows.astype(np.float64))
    basis = fit_basis(file)
    np.testing.assert_allclose(basis.mean, oracle.mean_, atol=1e-12)
    np.testing.assert_allclose(basis.explained, oracle.explained_variance_ratio_, atol=1e-12)
    turn = basis.components @ oracle.components_.T
    np.testing.assert_allclose(np.abs(turn), np.eye(3), atol=1e-6)


def test_at_most_256_evenly_spaced_steps_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Config(d_model=4)
    arrays = step_of(small)
    steps = dict.fromkeys(range(600), arrays)
    trace = spooled(tmp_path / "run", steps, small)
    read: list[int] = []
    original = type(trace).array

    def counting(self: TraceFile, name: str, step: int, *rest: int) -> object:
        read.append(step)
        return original(self, name, step, *rest)

    monkeypatch.setattr(type(trace), "array", counting)
    fit_basis(trace)
    assert len(read) == 256
    assert (read[0], read[-1]) == (0, 599)
    assert set(np.diff(read)) == {2, 3}


def test_a_refitted_basis_lies_close_to_the_one_before(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    basis = fit_basis(file)
    turn, _upper = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    turned = type(basis)(basis.mean, turn @ basis.components, basis.explained, exact=False)
    again = fit_basis(file, turned)
    np.testing.assert_allclose(again.components, turned.components, atol=1e-9)


def test_as_it_is_kept_it_is_what_a_file_holds(tmp_path: Path) -> None:
    run = saved(tmp_path / "a.safetensors")
    basis = as_kept(fit_basis(run))
    again = save_trace(run, tmp_path / "b.safetensors", basis=basis).basis
    assert again is not None
    for name in ("mean", "components", "explained"):
        np.testing.assert_array_equal(getattr(again, name), getattr(basis, name))
    assert again.exact == basis.exact
    np.testing.assert_allclose(basis.components, fit_basis(run).components, rtol=1e-7)


def test_two_dimensions_are_shown_as_they_are(tmp_path: Path) -> None:
    basis = fit_basis(saved(tmp_path / "a.safetensors", Config(d_model=2)))
    assert basis.exact
    np.testing.assert_array_equal(basis.components, np.eye(3, 2))
    np.testing.assert_array_equal(basis.mean, np.zeros(2))
    assert basis.explained[2] == 0


def test_steps_that_hold_no_numbers_are_left_out(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    arrays = {name: array.copy() for name, array in load_file(file.path).items()}
    arrays["param.embedding"][1:] = np.nan
    save_file(arrays, tmp_path / "b.safetensors", dict(file.metadata))
    diverged = TraceFile(tmp_path / "b.safetensors")
    one = spooled(tmp_path / "run", {0: step_of()})
    np.testing.assert_allclose(fit_basis(diverged).components, fit_basis(one).components)
    arrays["param.embedding"][:] = np.nan
    save_file(arrays, tmp_path / "c.safetensors", dict(file.metadata))
    with pytest.raises(BadStep, match=r"param\.embedding"):
        fit_basis(TraceFile(tmp_path / "c.safetensors"))


def test_without_an_embedding_the_words_have_no_place(tmp_path: Path) -> None:
    trace = spooled(tmp_path / "run", {0: {"weights": step_of()["weights"]}}, corpus=CORPUS)
    with pytest.raises(Problem, match=r"run does not hold param\.embedding"):
        fit_basis(trace)
