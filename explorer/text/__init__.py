"""How things are said: messages as values, translation, numbers read and written."""

from explorer.text.languages import (
    first_spoken,
    in_language,
    language,
    languages,
    own_name,
    system_languages,
    use_language,
)
from explorer.text.messages import N_, Message, Problem, _, ngettext, of_example
from explorer.text.numbers import (
    Ambiguous,
    NotANumber,
    TooLarge,
    ascii_number,
    decimal_places,
    display_number,
    display_weight,
    expected_instead,
    full_number,
    parse_number,
    size_text,
    time_text,
    unbroken,
)
from explorer.text.plain import columns_taken, displayable, html_escaped, plain_text, plain_tip
from explorer.text.reasons import why_refused

__all__ = [
    "Ambiguous",
    "Message",
    "N_",
    "NotANumber",
    "Problem",
    "TooLarge",
    "_",
    "ascii_number",
    "columns_taken",
    "decimal_places",
    "display_number",
    "display_weight",
    "displayable",
    "expected_instead",
    "first_spoken",
    "full_number",
    "html_escaped",
    "in_language",
    "language",
    "languages",
    "ngettext",
    "of_example",
    "own_name",
    "parse_number",
    "plain_text",
    "plain_tip",
    "size_text",
    "system_languages",
    "time_text",
    "unbroken",
    "use_language",
    "why_refused",
]
