"""Help's glossary, in the languages that it has."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.app.glossary_sheet import GlossarySheet
from explorer.kit.theme import Theme
from explorer.lessons.glossary import glossary
from explorer.lessons.lesson import said_in
from explorer.text import language, languages


def show_glossary(theme: Theme, window: QWidget) -> None:
    """Open the glossary over a window: the terms in the language in use, beside the others."""
    terms, names = glossary(), languages()
    codes = [code for code in names if any(code in term.name for term in terms)]
    codes.sort(key=lambda code: code != language())
    headings = [names[code] for code in codes]
    rows = [
        ([term.name.get(code, "") for code in codes], said_in(language(), term.text))
        for term in terms
    ]
    GlossarySheet(headings, rows, theme, window).open()
