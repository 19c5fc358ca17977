"""The page on models names families, limits and arrays as they are."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from explorer.models import array_files, arrays, model
from explorer.models.families import FAMILIES
from explorer.traces import TraceFile
from tests.models.made import BERT, model_folder
from tests.project.pages.told import all_quoted, code, prose, rows


def test_the_programs_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model_folder(tmp_path / "bert-base-uncased", BERT)
    monkeypatch.chdir(tmp_path)
    for program in code("python", "models"):
        exec(compile(program, "models.md", "exec"), {})
    first, *effects, second = capsys.readouterr().out.splitlines()
    assert first.endswith("'mat', '[SEP]') (8, 8) float32")
    assert {tuple(map(int, line.split()[:2])) for line in effects} == {
        (layer, head) for layer in range(1, 5) for head in range(1, 5)
    }
    assert second == "(3, 3)"
    assert array_files.read_arrays("attention.safetensors").tokens == ("the", "cat", "sat")
    trace = TraceFile("run.safetensors")
    assert trace.epochs.tolist() == [0, 1, 2]
    trace.close()


def test_the_families_are_all_told() -> None:
    told = prose("models").split("by `model_type` in `config.json`: ")[1].split(".")[0]
    assert all_quoted(told) == list(FAMILIES)


def test_the_limits_are_as_told() -> None:
    limits = re.findall(r"\d[\d,]*", prose("models").split("Limits: ")[1].split(".")[0])
    gigabytes, tokens, layers = (int(text.strip(",").replace(",", "")) for text in limits)
    assert gigabytes * 10**9 == array_files.MOST_BYTES
    assert (tokens, layers) == (arrays.MOST_TOKENS, arrays.MOST_LAYERS)
    assert f"at most {model.MOST_TOKENS:,} tokens" in prose("models")


def test_the_arrays_are_known() -> None:
    told = [name for cells in rows("models", "array") for name in all_quoted(cells[0])]
    hooks = {
        name.removeprefix("blocks.3.attn.")
        for name in re.findall(r"`([\w.]*hook_\w+)`", prose("models"))
    }
    for name in [*told, "weights.3", "q_3", *(f"blocks.3.attn.{hook}" for hook in hooks)]:
        assert arrays.known(name), name
    assert len(told) == 8
    assert len(hooks) == 7


def test_the_shapes_are_as_told(tmp_path: Path) -> None:
    sizes = {"L": 2, "H": 4, "T": 3, "S": 3, "d": 2}
    shapes = {
        quoted[0]: all_quoted(cells[1])
        for cells in rows("models", "array")
        if (quoted := all_quoted(cells[0]))
    }
    for shape in shapes["weights"]:
        array = np.full([sizes[letter] for letter in shape.split()], 1 / 3)
        np.savez(tmp_path / "weights.npz", weights=array)
        run = array_files.read_arrays(tmp_path / "weights.npz")
        assert len(run.layers) == (2 if "L" in shape else 1)
        assert run.layers[0].heads == (4 if "H" in shape else 1)
    for shape in shapes["q"]:
        array = np.ones([sizes[letter] for letter in shape.split()])
        np.savez(tmp_path / "q.npz", q=array, k=array)
        assert array_files.read_arrays(tmp_path / "q.npz").layers[0].weights == pytest.approx(1 / 3)
