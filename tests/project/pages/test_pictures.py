"""The pages' pictures are painted by the program as it is now."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from explorer.cli import main
from explorer.text import use_language
from tests.project.pages.told import CHINESE, ENGLISH, LARGEST_PICTURE, PICTURES, ROOT

Command = tuple[str, list[str]]  # its language, its words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the commands paint."""
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="module")
def commands(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Command]:
    """The commands of `make pictures`, by the name of the picture that each paints."""
    told = tmp_path_factory.mktemp("told")
    (told / "keep.sh").write_text('printf \'%s\\n\' "$LANGUAGE" "$@" \'\' >>"$KEPT"\n')
    subprocess.run(
        ["sh", "scripts/pictures.sh", "sh", str(told / "keep.sh")],
        cwd=ROOT,
        env=os.environ | {"PICTURES": str(folder), "KEPT": str(told / "commands")},
        check=True,
    )
    kept = (told / "commands").read_text("utf-8").split("\n\n")[:-1]
    made = [(language, words) for language, *words in (each.splitlines() for each in kept)]
    return {str(Path(words[-1]).relative_to(folder)): (language, words) for language, words in made}


def paint(command: Command, qapp: QApplication) -> None:
    """Paint a picture in this process."""
    language, words = command
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("LANGUAGE", language)
        assert main(words) == 0
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    use_language("en")


def test_every_picture_has_its_place_and_its_words(commands: dict[str, Command]) -> None:
    shown = []
    for pages in (ENGLISH, CHINESE):
        text = "\n".join(pages.values())
        here = re.findall(r"!\[[^\]]+\]\((?:\.\./)*resources/pictures/([\w/-]+\.png)\)", text)
        assert len(here) == text.count("![") == len(set(here))
        shown += here
    kept = {path.relative_to(PICTURES).as_posix() for path in PICTURES.rglob("*.png")}
    assert set(shown) == kept == commands.keys()


@pytest.mark.more
@pytest.mark.timeout(1200)
def test_pictures_are_as_the_script_paints_them(
    commands: dict[str, Command], folder: Path, qapp: QApplication
) -> None:
    for name, command in commands.items():
        paint(command, qapp)
        kept = PICTURES / name
        assert kept.stat().st_size < LARGEST_PICTURE, name
        assert QImage(str(kept)).size() == QImage(str(folder / name)).size(), name


def test_a_picture_still_shows_what_the_program_shows(
    commands: dict[str, Command], folder: Path, qapp: QApplication
) -> None:
    paint(commands["outputs.png"], qapp)
    # The plane has few words, so that other fonts change it little: by 0.4 of 255 where they were
    # tried, while another selected token changes it by 2.
    kept, made = (coarse(where / "outputs.png") for where in (PICTURES, folder))
    assert np.abs(kept - made).mean() < 1.2, "make pictures paints the pictures again"


def coarse(path: Path) -> np.ndarray:
    """Return a picture in 48 × 30 cells, each the mean of its pixels, as floats to 255."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    small = image.scaled(
        48,
        30,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    pixels = np.frombuffer(small.constBits(), np.uint8).reshape(30, small.bytesPerLine())
    return pixels[:, : 48 * 3].astype(float)
