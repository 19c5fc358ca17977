"""How things are said: messages as values, translation, numbers read and written."""

from explorer.text.messages import N_, Message, Problem, _, ngettext
from explorer.text.numbers import (
    Ambiguous,
    NotANumber,
    TooLarge,
    ascii_number,
    decimal_places,
    display_number,
    full_number,
    parse_number,
)
from explorer.text.plain import displayable, html_escaped

__all__ = [
    "Ambiguous",
    "Message",
    "N_",
    "NotANumber",
    "Problem",
    "TooLarge",
    "_",
    "ascii_number",
    "decimal_places",
    "display_number",
    "displayable",
    "full_number",
    "html_escaped",
    "ngettext",
    "parse_number",
]
