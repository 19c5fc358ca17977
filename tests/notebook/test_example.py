"""The notebook that comes with the program runs, cell by cell, and is kept without outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.resources import example
from explorer.traces import TraceFile


def test_the_notebook_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(example("any-model.ipynb").read_text("utf-8"))
    cells = [cell for cell in told["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    printed = capsys.readouterr().out
    assert "(8, 8)" in printed
    assert (np.triu(names["head"].weights, 1) == 0).all()
    trace = TraceFile("run.safetensors")
    assert trace.epochs.tolist() == [0, 20, 40, 60, 80, 100]
    losses = trace.scalars("loss")
    assert len(losses) == 101
    assert losses[-1] < 0.5 * losses[0]
    assert trace.words(0) == tuple(names["words"])
    trace.close()
