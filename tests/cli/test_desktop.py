"""The command `desktop`: the entry, its icon and kinds of files, written and taken away again."""

from __future__ import annotations

import configparser
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from explorer.cli import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


def files(home: Path) -> list[Path]:
    return sorted(path for path in home.rglob("attention-explorer.*") if path.is_file())


def test_what_is_installed_is_told_and_taken_away(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["desktop"]) == 0
    assert sorted(map(Path, capsys.readouterr().out.splitlines())) == files(home)
    assert [path.suffix for path in files(home)] == [".desktop", ".svg", ".xml"]
    assert main(["desktop"]) == 0
    assert main(["desktop", "--remove"]) == 0
    assert files(home) == []
    assert main(["desktop", "--remove"]) == 0


def test_the_entry_starts_the_program_in_every_language(home: Path) -> None:
    main(["desktop"])
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(home / "applications" / "attention-explorer.desktop", "utf-8")
    entry = parser["Desktop Entry"]
    words = shlex.split(entry["Exec"])
    assert words[-1] == "%f"
    done = subprocess.run([*words[:-1], "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("attention-explorer ")
    assert words[0] == sys.executable
    assert entry["Name"] == "Attention Explorer"
    assert entry["Comment[zh]"].startswith("看见注意力")

    kinds = ElementTree.parse(home / "mime" / "packages" / "attention-explorer.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    types = [kind.attrib["type"] for kind in kinds]
    assert entry["MimeType"].rstrip(";").split(";") == types
    patterns = [glob.attrib["pattern"] for glob in kinds.iter(f"{space}glob")]
    assert patterns == ["*.scene.json", "*.safetensors", "*.lesson.toml"]


def test_a_folder_that_cannot_be_written_is_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text("a file")
    assert main(["desktop"]) == 2
    assert capsys.readouterr().err.endswith(": Not a directory.\n")


def test_elsewhere_there_is_no_such_menu(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["desktop"]) == 2
    assert "nothing to install" in capsys.readouterr().err
    assert not home.exists()
