"""`render` of a model: the real window, with its process behind it, on small folders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from safetensors.numpy import save_file

from explorer.cli.main import main
from explorer.cli.render import MODEL_VIEWS
from tests.models.made import model_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return model_folder(tmp_path / "small")


def rendered(path: Path, *words: str) -> QImage:
    assert main(["render", *words, "-o", str(path)]) == 0
    image = QImage(str(path))
    assert not image.isNull()
    return image


@pytest.mark.parametrize("view", MODEL_VIEWS)
def test_every_view_of_a_model_is_painted(view: str, folder: Path, tmp_path: Path) -> None:
    image = rendered(
        tmp_path / "a.png", str(folder), "--text", "the cat sat", "--view", view, "--head", "2.3"
    )
    if view == "window":
        assert (image.width(), image.height()) == (1440, 900)


def test_the_head_and_the_pair_are_chosen(folder: Path, tmp_path: Path) -> None:
    words = (str(folder), "--text", "the cat sat", "--view", "strip")
    pictures = [
        rendered(tmp_path / "a.png", *words, *more)
        for more in (
            ("--head", "1.2", "--select", "cat:sat"),
            ("--head", "2.2", "--select", "cat:sat"),
            ("--head", "1.2", "--select", "#3:#2"),
        )
    ]
    assert pictures[0] != pictures[1]
    assert pictures[0] != pictures[2]


def test_arrays_need_no_text(tmp_path: Path) -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(4), (1, 2, 4)).astype(np.float32)
    save_file({"weights": weights}, tmp_path / "a.safetensors")
    rendered(tmp_path / "a.png", str(tmp_path / "a.safetensors"), "--view", "atlas")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--text"),
        (("--text", "hi", "--epoch", "3"), "--epoch is not for models"),
        (("--text", "hi", "--head", "3"), "such as 4.2"),
        (("--text", "hi", "--head", "3.1"), "no head 3.1"),
        (("--text", "the cat", "--select", "dog"), "no such token"),
        (("--text", "hi", "--view", "graph"), "no view graph"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    words: tuple[str, ...],
    said: str,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["render", str(folder), "-o", str(tmp_path / "a.png"), *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
