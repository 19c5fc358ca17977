"""The command `export`: a scene with all results, as code or as text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.cli.arguments import add_language, add_path
from explorer.cli.files import NO_SCENE, importer_for, scene_of
from explorer.exporters import WHOLE, Exporter
from explorer.session.resolve import resolve
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Listing, Problem, _, listed, use_language

_SUFFIXES = tuple(dict.fromkeys(each.suffix for each in WHOLE))


def export(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Write a scene as `words` say. Raises Problem."""
    add = parser.add_argument
    add("scene", metavar="SCENE", type=Path, help=_("a scene file"))
    add_path(parser, _("a {suffixes} file").format(suffixes=listed(_SUFFIXES)))
    add(
        "--as",
        dest="key",
        choices=[each.key for each in WHOLE],
        help=_("the format; by default, from the file's name"),
    )
    add(
        "--select",
        metavar="A:B",
        help=_("a query and a key, by name or number: cat:cloud, #1:#4; one alone is a token"),
    )
    add("--head", metavar="N", type=int, help=_("a head from 1; the first by default"))
    add("--sequence", metavar="N", type=int, help=_("a sequence from 1; the first by default"))
    add_language(parser)
    asked = parser.parse_args(words)
    exporter = _exporter(asked.path, asked.key)

    from explorer.cli.looked_at import look_of, selection_of, sequence_of

    scene = scene_of(asked.scene, importer_for(asked.scene, NO_SCENE))
    use_language(asked.language)
    scene, view = sequence_of(scene, asked.sequence), scene.view
    selection = None if asked.select is None else selection_of(scene, asked.select)
    look = look_of(scene, None, None, None, asked.head or 1)
    if view is not None and asked.select is None and asked.head is None:
        look, selection = view.look, view.selection  # nothing is asked for: as the file says
    text = exporter.text_of(resolve(scene, look, selection))
    write_bytes(text.encode("utf-8"), asked.path)


def _exporter(path: Path, key: str | None) -> Exporter:
    """Return the format that is named, or that a file's name tells. Raises Problem."""
    suffix = path.suffix.lower()
    found = [each for each in WHOLE if (each.suffix == suffix if key is None else each.key == key)]
    if not found:
        raise Problem(
            N_("{path}: an exported file's name ends in {suffixes}; or name the format with --as."),
            path=path,
            suffixes=Listing.of(_SUFFIXES),
        )
    return found[0]
