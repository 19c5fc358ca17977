"""The command that trains: what it saves, what it refuses, and what Ctrl-C keeps."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.app.settings import runs_folder
from explorer.cli import main
from explorer.cli.train import train
from explorer.text import Problem
from explorer.traces import Config, TraceFile, abandoned_runs, parse_corpus, save_trace
from explorer.training import loop
from tests.commands import refused
from tests.waiting import until

ROOT = Path(__file__).parents[2]
RUN = (sys.executable, "-m", "explorer", "train")


def test_it_trains_what_it_is_asked_and_saves_the_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sentences = tmp_path / "corpus.txt"
    sentences.write_text("\ufeffthe cat eats fish\ndog bone\n", encoding="utf-8")
    path = tmp_path / "run.safetensors"
    words = (
        "--corpus {} --d-model 8 --heads 4 --lr 0.01 --epochs 12 --watch-every 5 --no-position "
        "--seed 3 --layers 2 --device cpu -o {}"
    )
    assert main(["train", *words.format(sentences, path).split()]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("12 epochs on CPU: loss ")
    assert printed.endswith(f"\n4 steps saved in {path}\n")
    config = Config(
        d_model=8,
        heads=4,
        learning_rate=0.01,
        epochs=12,
        watch_every=5,
        use_position=False,
        seed=3,
        layers=2,
        device="cpu",
    )
    trace = TraceFile(path)
    assert trace.run.config == config
    assert trace.run.corpus == ("the cat eats fish", "dog bone")
    assert trace.epochs.tolist() == [0, 5, 10, 12]
    assert trace.basis is not None
    step = 0
    for epoch in loop.train(config, parse_corpus(sentences.read_text("utf-8"))):
        if epoch.arrays is not None:
            for name, array in epoch.arrays.items():
                assert trace.array(name, step).tobytes() == array.tobytes(), name
            step += 1
    trace.close()
    assert not list((Path(os.environ["XDG_DATA_HOME"]) / "attention-explorer" / "runs").iterdir())


def test_the_picked_sentences_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    assert main(["train", "--samples", "2, 5-6", "--epochs", "2", "-o", str(path)]) == 0
    trace = TraceFile(path)
    assert trace.samples is not None
    assert trace.samples.tolist() == [1, 4, 5]
    assert trace.words(2) == ("bird", "eats")
    assert len(trace.run.corpus) == 6
    trace.close()


def test_what_cannot_be_is_one_sentence_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.safetensors"
    assert refused(capsys, "train", "--heads", 3, "-o", path) == (
        "Heads must divide D Model: 16 / 3 leaves a remainder."
    )
    assert refused(capsys, "train", "--samples", "5-7", "-o", path) == (
        "There is no sentence 7: the corpus has sentences 1 to 6."
    )
    assert "Epochs must be a whole number" in refused(capsys, "train", "--epochs", 0, "-o", path)
    bad = tmp_path / "bad.txt"
    bad.write_text("cat likes fish\n\ndog\n")
    assert refused(capsys, "train", "--corpus", bad, "-o", path).startswith(
        "bad.txt: Line 3 has one word"
    )
    bad.write_bytes(b"cat likes fish\n\xff dog\n")
    assert refused(capsys, "train", "--corpus", bad, "-o", path) == (
        "bad.txt: line 2 is not UTF-8 text: save the file as UTF-8."
    )
    bad.write_bytes(b" " * (4 * 10**6 + 1))
    assert "larger than 4 MB" in refused(capsys, "train", "--corpus", bad, "-o", path)
    bad.unlink()
    assert refused(capsys, "train", "--corpus", bad, "-o", path).startswith(
        "bad.txt cannot be opened"
    )
    nowhere = tmp_path / "no" / "run.safetensors"
    assert (
        refused(capsys, "train", "-o", nowhere)
        == f"There is no folder {nowhere.parent} to save in."
    )
    assert refused(capsys, "train", "-o", tmp_path) == f"{tmp_path} is a folder: name a file in it."
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "There is no cuda device here" in refused(
        capsys, "train", "--device", "cuda", "-o", path
    )
    assert not path.exists()


def test_a_diverged_run_is_saved_and_told(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    config = Config(d_model=128, learning_rate=1, optimizer="sgd", watch_every=1, device="cpu")
    lines = train(config, None, path)
    with pytest.raises(Problem, match="try a smaller learning rate"):
        list(lines)
    trace = TraceFile(path)
    assert trace.recorded > 1
    trace.close()


def test_ctrl_c_keeps_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    runs = Path(os.environ["XDG_DATA_HOME"]) / "attention-explorer" / "runs"
    command = subprocess.Popen(
        [*RUN, "--epochs", "100000", "-o", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def recorded() -> bool:
        assert command.poll() is None, command.communicate()
        return any(runs.glob("*/00000.safetensors"))

    until(recorded)
    command.send_signal(signal.SIGINT)
    output, errors = command.communicate(timeout=60)
    assert command.returncode == 130
    assert errors == ""
    trace = TraceFile(path)
    last = int(trace.scalars("epoch")[-1])
    assert 0 < last < 100_000
    assert output.startswith(f"{last} epochs on CPU")
    trace.close()
    assert not list(runs.iterdir())


def test_the_bar_shows_epochs_speed_and_loss_and_nothing_slow_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys; from explorer.cli import main;"
        "sys.stderr.isatty = lambda: True;"
        f"main(['train', '--epochs', '200', '-o', {str(tmp_path / 'run.safetensors')!r}]);"
        "slow = {'PySide6', 'pyqtgraph', 'sklearn', 'scipy', 'sympy', 'torch._dynamo'};"
        "print(slow & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("\nset()\n")
    assert "/200 [" in done.stderr
    assert " epochs/s" in done.stderr
    assert "loss " in done.stderr


def test_a_fork_goes_on_from_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    assert main(["train", "--epochs", "8", "--watch-every", "2", "-o", str(first)]) == 0
    asked = ["train", "--from", str(first), "--epoch", "4", "-o", str(second)]
    assert main([*asked, "--lr", "0.1"]) == 0
    parent, fork = TraceFile(first), TraceFile(second)
    assert parent.run.config is not None
    assert fork.run.config == replace(parent.run.config, learning_rate=0.1)
    assert fork.epochs.tolist() == [4, 6, 8]
    assert fork.array("x", 0).tobytes() == parent.array("x", 2).tobytes()
    assert fork.array("x", 1).tobytes() != parent.array("x", 3).tobytes()
    fork.close()
    parent.close()
    capsys.readouterr()
    assert "holds no epoch 5 of a run: the nearest is 4" in refused(
        capsys, "train", "--from", first, "--epoch", 5, "-o", second
    )
    assert "--from and --epoch go together" in refused(capsys, "train", "--epoch", 5, "-o", second)


def test_a_disk_that_is_full_at_the_end_loses_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def save(*what: Any, **how: Any) -> TraceFile:
        monkeypatch.setattr(os, "fsync", no_space)
        return save_trace(*what, **how)

    monkeypatch.setattr("explorer.cli.train.save_trace", save)
    words = "train", "--epochs", "3", "--watch-every", "1", "-o", tmp_path / "a.safetensors"
    assert refused(capsys, *words) == (
        "a.safetensors cannot be saved: No space left on device. The run is kept: the window "
        "offers it when it starts."
    )
    (run,), problems = abandoned_runs(runs_folder())
    assert not problems
    with closing(run.open()) as trace:
        assert trace.epochs.tolist() == [0, 1, 2, 3]
    run.discard()
