"""The command that sweeps, and what `info` tells of a sweep."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from explorer.cli import main


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["sweep", *map(str, words)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("attention-explorer: ").rstrip("\n")


def test_a_sweep_of_the_command_is_trained_kept_told_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rates"
    words = (
        "--vary learning_rate=0.01,0.002 --vary heads=1,2,3 --leave-out --seeds 1-3 --epochs 6 "
        f"--d-model 8 --workers 1 --device cpu -o {folder}"
    ).split()
    assert main(["sweep", *words, "--plan"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Learning Rate: 0.01, 0.002",
        "Heads: 1, 2, 3",
        "12 runs: 4 settings × 3 seeds, in 2 parts; 38 kB on disk",
        "Left out: 2 of the settings are impossible (Learning Rate 0.01, Heads 3; "
        "Learning Rate 0.002, Heads 3): Heads must divide D Model: 8 / 3 leaves a "
        "remainder.",
    ]
    assert not folder.exists()
    assert main(["sweep", *words]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2].startswith("about ")
    assert printed[-2].endswith(" with 1 worker")
    assert printed[-1] == f"12 of 12 runs done, 0 diverged, 0 failed; saved in {folder}"
    with (folder / "summary.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 12

    assert main(["info", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["done"], told["seeds"]) == (12, 12, [1, 2, 3])
    assert told["varied"] == {"learning_rate": [0.01, 0.002], "heads": [1, 2, 3]}
    assert [row["done"] for row in told["settings"]] == [3] * 4
    assert main(["info", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "12 of 12 runs are done, 0 of them diverged"
    assert lines[-1].split()[:3] == ["0.002", "2", "3"]

    assert main(["sweep", "--resume", "--workers", "1", "-o", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("12 of 12 runs done")
    assert "--resume" in refused(capsys, *words)
    assert "leave out --vary" in refused(capsys, *words, "--resume")
    assert "leave out --vary" in refused(capsys, "-o", folder, "--resume", "--epochs", "20")
    assert "leave out --vary" in refused(capsys, "-o", folder, "--resume", "--corpus", "a.txt")
    nowhere = folder / "parts"
    assert refused(capsys, "--resume", "-o", nowhere) == f"There is no sweep in {nowhere}."
    assert not (nowhere / "lock").exists()
    assert "leave out --vary" in refused(capsys, *words[:-1], nowhere, "--resume")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--seeds 1", "Nothing varies yet"),
        ("--vary heads=2,3 --seeds 1-2", "are impossible (Heads 3): Heads must divide D Model"),
        ("--vary heads=1 --vary heads=2 --seeds 1-2", "--vary heads appears twice"),
        ("--seeds 1-2 --workers 0", "--workers must be a whole number, 1 or more"),
        ("--seeds 1-2 --workers 2 --dask tcp://x:1", "not allowed with argument"),
        ("--vary dropout=0,2 --seeds 1-2", "Dropout must be a number from 0 to 0.9, but is 2"),
        ("--seeds one", "Seeds must be numbers such as 1-32, not “one”"),
    ],
)
def test_what_cannot_be_swept_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, reason: str
) -> None:
    folder = tmp_path / "sweep"
    assert reason in refused(capsys, *words.split(), "-o", folder)
    assert not folder.exists()


def test_a_folder_with_something_else_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert "is not empty" in refused(capsys, "--seeds", "1-2", "--device", "cpu", "-o", tmp_path)
