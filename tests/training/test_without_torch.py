"""Without PyTorch and scikit-learn all but training works, and training says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HIDDEN = Path(__file__).parents[1] / "without_torch"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    before = [environment["PYTHONPATH"]] if "PYTHONPATH" in environment else []
    environment["PYTHONPATH"] = os.pathsep.join([str(HIDDEN), *before])
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )


def test_the_command_says_how_to_get_it(tmp_path: Path) -> None:
    done = run("-m", "explorer", "train", "-o", str(tmp_path / "a.safetensors"))
    assert done.returncode == 2
    assert done.stderr == (
        "attention-explorer: This needs PyTorch, which is not installed here: "
        "pip install torch installs it.\n"
    )


IN_THE_WINDOW = """
import time
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from explorer.text import Problem
from explorer.training import Ended, LayoutProcess, Mailbox, Trainer
import numpy as np, pathlib, threading

mailbox = Mailbox()
trainer = Trainer(mailbox)
trainer.warm()
trainer.start(Config(), parse_corpus(DEFAULT_CORPUS), pathlib.Path("never-made"))
trainer.close()
for item in mailbox.take().events:
    if isinstance(item, Ended):
        print(item.message)
try:
    LayoutProcess().ask("trace", 0, np.eye(3), 1)
except Problem as problem:
    print(problem)
"""


def test_the_window_says_it_of_a_run_and_of_a_layout() -> None:
    done = run("-c", IN_THE_WINDOW)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.startswith("This needs PyTorch, which is not installed here")
    assert second.startswith("This needs scikit-learn, which is not installed here")


@pytest.mark.parametrize(
    "words",
    [
        ("compute", "examples/cat-likes-fish.json"),
        ("model", "examples/stories", "--text", "John gave a drink to"),
        ("info", "examples/tiny-transformer.safetensors"),
    ],
)
def test_other_commands_do_without(words: tuple[str, ...]) -> None:
    done = run("-m", "explorer", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout
