"""Brings the catalogues of `resources/i18n` up to date: extract, update, compile.

python scripts/translations.py           every language there is
python scripts/translations.py fr        the same, and begins another
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from explorer.text.messages import EXAMPLE

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
# What Babel writes of dates and persons, which would change each time or say nothing.
NO_HEADERS = tuple(
    f'"{name}'.encode()
    for name in ("Report-", "POT-", "PO-Rev", "Last-Tr", "Language-Team", "Generated-By")
)
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def extracted() -> Catalog:
    """Return every sentence of the program, untranslated."""
    catalogue = Catalog(project="Attention Explorer", charset="utf-8")
    for file, _line, message, comments, context in extract_from_dir(
        ROOT / "explorer", method_map=[("**.py", "python")], keywords=KEYWORDS
    ):
        place = ("explorer/" + Path(file).as_posix(), 0)
        catalogue.add(message, None, [place], auto_comments=comments, context=context)
    for folder in ("examples", "resources/lessons"):
        for scene in sorted((ROOT / folder).glob("*.json")):
            told = json.loads(scene.read_text("utf-8"))
            for text in filter(None, (told["title"], told.get("note"))):
                catalogue.add(text, None, [(f"{folder}/{scene.name}", 0)], context=EXAMPLE)
    return catalogue


def catalogues() -> Iterator[Path]:
    """Return the catalogues there are, each a language's."""
    return iter(sorted(FOLDER.glob("*/LC_MESSAGES/explorer.po")))


def read(path: Path) -> Catalog:
    """Return a catalogue as it stands in its folder, which is named like its language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def update(path: Path, sentences: Catalog) -> int:
    """Bring a catalogue up to date and compile it; return how many sentences it lacks."""
    catalogue = read(path)
    catalogue.update(sentences, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    written = BytesIO()
    write_po(written, catalogue, width=100, sort_output=True, include_lineno=False)
    lines = written.getvalue().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if not line.startswith(NO_HEADERS)))
    compile_catalogue(path)
    return sum(not all(_texts(each.string)) for each in catalogue if each.id)


def compile_catalogue(path: Path) -> None:
    """Write what the program reads beside a catalogue."""
    catalogue = read(path)
    catalogue.creation_date = catalogue.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def _texts(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(string) if isinstance(string, tuple | list) else (string or "",)


def main() -> None:
    """Do it, and say what each language lacks."""
    for code in sys.argv[1:]:
        path = FOLDER / code / "LC_MESSAGES" / "explorer.po"
        if not path.exists():
            path.parent.mkdir(parents=True)
            with path.open("wb") as file:
                write_po(file, Catalog(locale=code, charset="utf-8"))
    sentences = extracted()
    for path in catalogues():
        print(f"{path.parts[-3]}: {update(path, sentences)} of {len(sentences)} untranslated")


if __name__ == "__main__":
    main()
