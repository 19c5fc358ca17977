"""The program in the desktop's menu, and its files on a double click, for the person alone."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from explorer.resources import resource
from explorer.text import N_, Problem
from explorer.text.languages import ENGLISH, codes, said_in

NAME = "attention-explorer"
_ONLY_LINUX = N_(
    "Only desktops of Linux and BSD keep a menu in this way: there is nothing to install here."
)
_PROGRAM = N_("Attention Explorer")
_COMMENT = N_("See attention, and change any number of it")
# The ends of names by which a desktop knows a file. A plain .json or .toml may be anybody's.
_KINDS = {
    "scene": ("*.scene.json", N_("Attention Explorer scene")),
    "trace": ("*.safetensors", N_("Attention Explorer trace")),
    "lesson": ("*.lesson.toml", N_("Attention Explorer lesson")),
}


def install(home: Path) -> Iterator[str]:
    """Write the entry, the icon and the kinds of files below a folder, and yield their paths.

    home : the folder of the person's data, such as ~/.local/share

    Raises Problem on a system without such a menu, and OSError where nothing can be written.
    """
    if not sys.platform.startswith(("linux", "freebsd")):
        raise Problem(_ONLY_LINUX)
    logo = resource("icons", "logo.svg").read_text("utf-8").replace("#ABCDEF", "#4B3FA8")
    for path, text in zip(_files(home), (_entry(), logo, _kinds()), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        yield str(path)
    _tell_desktop(home)


def remove(home: Path) -> Iterator[str]:
    """Remove what `install` wrote below a folder, and yield the paths of what was there."""
    for path in _files(home):
        if path.exists():
            path.unlink()
            yield str(path)
    _tell_desktop(home)


def data_home() -> Path:
    """Return the folder of a person's data, by the desktop's own rule."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def _files(home: Path) -> tuple[Path, Path, Path]:
    return (
        home / "applications" / f"{NAME}.desktop",
        home / "icons" / "hicolor" / "scalable" / "apps" / f"{NAME}.svg",
        home / "mime" / "packages" / f"{NAME}.xml",
    )


def _entry() -> str:
    frozen = getattr(sys, "frozen", False)
    words = [sys.executable] if frozen else [sys.executable, "-m", "explorer"]
    # In this file % and $ have a meaning of their own, also within quotes.
    command = shlex.join(words).replace("%", "%%").replace("$", "\\\\$")
    types = "".join(f"application/x-{NAME}-{kind};" for kind in _KINDS)
    return "\n".join(
        [
            "[Desktop Entry]",
            "Type=Application",
            *(f"Name{_of(code)}={text}" for code, text in _said(_PROGRAM)),
            *(f"Comment{_of(code)}={text}" for code, text in _said(_COMMENT)),
            f"Exec={command} %f",
            f"Icon={NAME}",
            "Categories=Education;Science;",
            f"MimeType={types}",
            "Terminal=false",
            "",
        ]
    )


def _of(code: str) -> str:
    return f"[{code}]" if code else ""


def _said(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in every language, English under an empty code."""
    for code in codes():
        yield ("" if code == ENGLISH else code), said_in(code, text)


def _kinds() -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    ]
    for kind, (pattern, name) in _KINDS.items():
        lines.append(f'  <mime-type type="application/x-{NAME}-{kind}">')
        for code, text in _said(name):
            language = f' xml:lang="{code}"' if code else ""
            lines.append(f"    <comment{language}>{escape(text)}</comment>")
        lines.append(f'    <glob pattern="{pattern}"/>')
        lines.append(f'    <icon name="{NAME}"/>')
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def _tell_desktop(home: Path) -> None:
    """Have the desktop read its lists again; one without these programs does so by itself."""
    for program, folder in (
        ("update-mime-database", "mime"),
        ("update-desktop-database", "applications"),
    ):
        if (found := shutil.which(program)) and (home / folder).is_dir():
            subprocess.run([found, str(home / folder)], check=False, capture_output=True)
