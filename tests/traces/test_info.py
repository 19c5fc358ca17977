"""The command `info`: what a trace file holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.cli import main
from explorer.resources import example
from explorer.traces import save_trace
from tests.commands import printed
from tests.traces.made import CONFIG, CORPUS, saved, spooled, step_of


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path / "a.safetensors")
    found = json.loads(printed(capsys, "info", file.path, "--json"))
    assert found["format"] == "attention-explorer/trace"
    assert found["version"] == "1"
    assert found["config"]["d_model"] == CONFIG.d_model
    assert found["corpus"] == list(CORPUS.sentences)
    assert found["vocabulary"] == list(CORPUS.vocabulary)
    assert found["epochs"] == [0, 5, 10]
    assert found["last"] == {"accuracy": pytest.approx(1 / 3), "loss": 1.25, "gradient": 1.25}
    assert found["arrays"].keys() == file.entries.keys()
    assert found["arrays"]["weights"] == {
        "dtype": "F32",
        "shape": [3, 6, 1, 2, 2, 2],
        "bytes": 4 * 3 * 6 * 2 * 2 * 2,
    }


def test_a_loss_that_is_no_number_is_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spool = spooled(tmp_path / "run", {0: step_of()}, losses=[1.0, np.nan])
    save_trace(spool, tmp_path / "a.safetensors")
    found = json.loads(printed(capsys, "info", tmp_path / "a.safetensors", "--json"))
    assert found["last"]["loss"] is None
    lines = printed(capsys, "info", tmp_path / "a.safetensors").splitlines()
    assert any(line.split() == ["Last", "loss", "nan"] for line in lines)


def test_as_a_description(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path / "a.safetensors")
    lines = printed(capsys, "info", file.path).splitlines()
    facts = {" ".join(line.split()) for line in lines}
    for fact in (
        "Recorded 3 steps, epochs 0 to 10",
        "Last loss 1.2500",
        "Samples 6, at most 2 tokens",
        "Vocabulary 8: bird bone cat dog eats fish likes worm",
        "D Model 16",
        "Use Position on",
        "Feed-forward Width default",
        "weights F32 3 × 6 × 1 × 2 × 2 × 2",
    ):
        assert fact in facts
    assert {line.split()[0] for line in lines[lines.index("") + 1 :]} == file.entries.keys()


def test_a_broken_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.safetensors").write_bytes(b"{}")
    assert main(["info", str(tmp_path / "a.safetensors")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "attention-explorer: a.safetensors: This is not a safetensors file: it is too short.\n"
    )


def test_what_is_no_trace_is_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "a.npz", X=np.eye(2))
    (tmp_path / "a.txt").write_text("the cat")
    for path in (tmp_path / "a.npz", tmp_path / "a.txt", example("cat-likes-fish.json")):
        assert main(["info", str(path)]) == 2
        assert capsys.readouterr().err == (
            f"attention-explorer: {path.name} is not a trace file: name one, or the folder of a"
            " sweep or a model.\n"
        )


def test_neither_qt_nor_torch_is_loaded(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    code = (
        "import sys; from explorer.cli import main; main(['info', sys.argv[1]]);"
        "print({'PySide6', 'torch', 'sklearn', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file.path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"
