"""The command `share`: one HTML page that needs no installation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.importers import SCENES, Kind, importer_of
from explorer.text import N_, Problem, _, language, languages, use_language


def share(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Write a page as `words` say. Raises Problem."""
    add = parser.add_argument
    add("file", metavar="SCENE", type=Path, help=_("a scene file"))
    add("-o", dest="path", metavar="FILE", type=Path, required=True, help=_("a .html file"))
    add(
        "--language",
        choices=tuple(languages()),
        default=language(),
        help=_("in which the page opens; that of the window by default"),
    )
    asked = parser.parse_args(words)
    if asked.path.suffix.lower() not in (".html", ".htm"):
        raise Problem(N_("{path}: a page's name ends in .html."), path=asked.path)
    use_language(asked.language)

    from explorer.session.scene_file import write_bytes

    write_bytes(_page(asked.file), asked.path)


def _page(file: Path) -> bytes:
    from explorer.share.scene_page import scene_page

    importer = importer_of(file)
    return scene_page((importer if importer.kind is Kind.SCENE else SCENES).load(file))
