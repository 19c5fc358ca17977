"""The words of Python's own parser, in the language in use."""

from __future__ import annotations

import argparse

from explorer.text import N_, _, ngettext

# As they stand in Python 3.11 to 3.14. What another version words otherwise stays English.
WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("expected one argument"),
    N_("not allowed with argument %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("ignored explicit argument %r"),
)


def translate_parser() -> None:
    """Have every parser of this process say its own words in the language in use.

    The parser asks two names of its module for them, as Python's documentation of gettext
    proposes for modules.
    """
    for name, translated in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, translated)
