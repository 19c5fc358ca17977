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

# The first test paints all of them.
pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Path:
    """The folder into which the commands of `make pictures` have just painted the pictures."""
    folder, told = (tmp_path_factory.mktemp(name) for name in ("pictures", "told"))
    (told / "keep.sh").write_text('printf \'%s\\n\' "$LANGUAGE" "$@" \'\' >>"$KEPT"\n')
    subprocess.run(
        ["sh", "scripts/pictures.sh", "sh", str(told / "keep.sh")],
        cwd=ROOT,
        env=os.environ | {"PICTURES": str(folder), "KEPT": str(told / "commands")},
        check=True,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("XDG_CONFIG_HOME", str(told))
        for command in (told / "commands").read_text("utf-8").split("\n\n")[:-1]:
            language, *words = command.splitlines()
            patch.setenv("LANGUAGE", language)
            assert main(words) == 0
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    use_language("en")
    return folder


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}


def test_every_picture_has_its_place_and_its_words(painted: Path) -> None:
    shown = []
    for pages in (ENGLISH, CHINESE):
        text = "\n".join(pages.values())
        here = re.findall(r"!\[[^\]]+\]\((?:\.\./)*resources/pictures/([\w/-]+\.png)\)", text)
        assert len(here) == text.count("![") == len(set(here))
        shown += here
    assert set(shown) == names(PICTURES) == names(painted)


def test_pictures_are_as_the_script_paints_them(painted: Path) -> None:
    for name in names(painted):
        kept = PICTURES / name
        assert kept.stat().st_size < LARGEST_PICTURE, name
        assert QImage(str(kept)).size() == QImage(str(painted / name)).size(), name


def test_a_picture_still_shows_what_the_program_shows(painted: Path) -> None:
    # The plane has few words, so that other fonts change it little: by 0.4 of 255 where they were
    # tried, while another selected token changes it by 2.
    kept, made = (coarse(folder / "outputs.png") for folder in (PICTURES, painted))
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
