"""`explorer.record`: a training loop of one's own becomes a trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import explorer
from explorer.models.functions import softmax
from explorer.text import Problem
from explorer.traces import TraceFile

WORDS = ["the", "cat", "saw", "the", "dog"]
RANDOM = np.random.default_rng(9)
L, H, T, D = 2, 3, 5, 4
A = softmax(RANDOM.normal(size=(4, L, H, T, T)).astype(np.float32))
Q = RANDOM.normal(size=(4, L, H, T, D)).astype(np.float32)
X = RANDOM.normal(size=(4, L, T, 6)).astype(np.float32)


def test_steps_become_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    with explorer.record(path, tokens=WORDS) as run:
        for epoch in range(4):
            run.step(
                epoch * 10,
                weights=torch.from_numpy(A[epoch]),
                q=Q[epoch],
                x=X[epoch],
                loss=torch.tensor(1 / (epoch + 1), requires_grad=True),
            )
            run.step(epoch * 10 + 1, loss=0.5, accuracy=torch.tensor(0.25))
    trace = TraceFile(path)
    assert trace.epochs.tolist() == [0, 10, 20, 30]
    assert trace.words(0) == tuple(WORDS)
    assert trace.target(0) is None
    for step in range(4):
        assert (trace.array("weights", step, 0) == A[step]).all()
        assert (trace.array("q", step, 0) == Q[step]).all()
        assert (trace.array("x", step, 0, 1) == X[step, 1]).all()
    assert trace.scalars("epoch").tolist() == [0, 1, 10, 11, 20, 21, 30, 31]
    np.testing.assert_allclose(trace.scalars("loss")[::2], [1, 1 / 2, 1 / 3, 1 / 4])
    trace.close()


@pytest.mark.parametrize(
    ("weights", "shape"),
    [
        (A[0, 0, 0], (1, 1, 1, T, T)),
        (A[0, 0], (1, 1, H, T, T)),
        (A[0], (1, L, H, T, T)),
        (A[:1], (1, L, H, T, T)),
        (list(A[0]), (1, L, H, T, T)),
        ([torch.from_numpy(a)[None].to(torch.float16) for a in A[0]], (1, L, H, T, T)),
    ],
)
def test_weights_have_any_number_of_axes(
    tmp_path: Path, weights: Any, shape: tuple[int, ...]
) -> None:
    path = tmp_path / "run.safetensors"
    with explorer.record(path, tokens=WORDS) as run:
        run.step(0, weights=weights)
    trace = TraceFile(path)
    expected = A[0].reshape(-1)[: np.prod(shape)].reshape(shape[1:])
    made = trace.array("weights", 0, 0)
    assert made.shape == shape[1:]
    assert np.abs(made - expected).max() < 1e-3
    trace.close()


def test_several_texts_are_samples(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    with explorer.record(path, tokens=[WORDS, ["a", "cat"]]) as run:
        run.step(0, weights=[np.stack([A[0, i], A[1, i]]) for i in range(L)])
    trace = TraceFile(path)
    assert trace.words(1) == ("a", "cat")
    assert (trace.array("weights", 0, 1, 1) == A[1, 1]).all()
    trace.close()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"q": Q[0]}, "needs weights"),
        ({"weights": A[0][..., :3]}, "explorer.capture"),
        ({"weights": A[0][..., :3, :3]}, "does not fit 5 tokens"),
        ({"weights": A[0], "q": Q[0][..., :2, :]}, "q has the shape"),
        ({"weights": A[:2]}, "does not fit"),
        ({"weights": [A[0, 0], A[0, 1][:1]]}, "weights has the shape"),
        ({"weights": []}, "weights has the shape"),
        ({"weights": 3.0}, "weights has the shape"),
        ({"weights": A[0], "loss": [1.0, 2.0]}, "loss must be one number"),
        ({"weights": A[0], "loss": "low"}, "loss must be one number"),
        ({"weights": A[0], "loss": None}, "loss must be one number"),
    ],
)
def test_what_cannot_be_recorded_is_said(tmp_path: Path, values: dict[str, Any], said: str) -> None:
    run = explorer.record(tmp_path / "run.safetensors", tokens=WORDS)
    with run, pytest.raises(Problem, match=said):
        run.step(0, **values)
    assert not (tmp_path / "run.safetensors").exists()


def test_epochs_ascend_and_steps_are_alike(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    with explorer.record(path, tokens=WORDS) as run:
        with pytest.raises(Problem, match="Nothing has been recorded"):
            run.save()
        run.step(5, weights=A[0])
        with pytest.raises(Problem, match="Epoch 5"):
            run.step(5, weights=A[0])
        with pytest.raises(Problem, match="Epoch 6"):
            run.step(6, weights=A[0, 0])
        run.save()
        early = TraceFile(path)
        assert early.epochs.tolist() == [5]
        early.close()
        run.step(7, weights=A[1])
    run.close()
    late = TraceFile(path)
    assert late.epochs.tolist() == [5, 7]
    late.close()
    with pytest.raises(Problem, match="closed"):
        run.step(8, weights=A[0])


def test_where_nothing_can_be_saved_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no folder"):
        explorer.record(tmp_path / "gone" / "a.safetensors", tokens=WORDS)
    with pytest.raises(Problem, match="at least one"):
        explorer.record(tmp_path / "a.safetensors", tokens=[])


def test_what_is_open_when_python_ends_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    script = (
        "import explorer, numpy as np; run = explorer.record('run.safetensors', tokens=['a', 'b']);"
        "run.step(3, weights=np.full((2, 2), .5), loss=1.0)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=tmp_path, check=True)
    trace = TraceFile(path)
    assert (trace.array("weights", 0, 0) == 0.5).all()
    trace.close()
