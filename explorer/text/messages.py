"""Sentences as values: raised anywhere, translated only where they are shown."""

from __future__ import annotations

import errno
import gettext as _gettext
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

EXAMPLE = "example"  # where texts of scenes stand in a catalogue, apart from the program's own

_translations: _gettext.NullTranslations = _gettext.NullTranslations()


def speak(translations: _gettext.NullTranslations) -> None:
    """Take the translations of another language, for all that is said from now on."""
    global _translations
    _translations = translations


def _(text: str) -> str:
    """Return `text` in the language in use."""
    return _translations.gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form of a sentence that fits `n`, in the language in use."""
    return _translations.ngettext(one, many, n)


def of_example(text: str, translations: _gettext.NullTranslations | None = None) -> str:
    """Return the title or the note of a scene that comes with the program, or that it made of a
    worksheet, in the language in use or in that of translations; any other scene's as it is."""
    translations = translations or _translations
    sheet = _SHEET.fullmatch(text)
    if sheet is not None:
        return translations.gettext(WORKSHEET).format(number=sheet[1])
    return translations.pgettext(EXAMPLE, text)


def N_(text: str) -> str:
    """Return `text` itself: marks a string for the catalogue that is translated later."""
    return text


WORKSHEET = N_("Worksheet {number}")  # what a scene is called that was made of one
_SHEET = re.compile(r"Worksheet (\d+-\d+(?:-[0-9A-Z]+)?)")


@dataclass(frozen=True)
class Message:
    """A sentence not yet made: an English template and its named arguments.

    Parameters
    ----------
    template : str
        English text with `{name}` fields, as marked by `N_`.
    args : mapping
        The values of the fields. A `Message` among them is translated too.
    """

    template: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in the language in use."""
        return _(self.template).format(**self.args)


class Problem(Exception):
    """Something the person can put right, told in one sentence.

    Parameters
    ----------
    template : str
        English sentence with `{name}` fields; names the place and the remedy.
    **args
        The values of the fields.
    """

    def __init__(self, template: str, /, **args: object) -> None:
        self.message = Message(template, args)
        super().__init__(template, args)

    @classmethod
    def of(cls, message: Message) -> Problem:
        """Return the problem that a message tells."""
        return cls(message.template, **message.args)

    def __str__(self) -> str:
        """Return the sentence in the language in use."""
        return str(self.message)


_REASONS = {
    errno.ENOENT: N_("No such file or directory"),
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EEXIST: N_("File exists"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENOTEMPTY: N_("Directory not empty"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EROFS: N_("Read-only file system"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ELOOP: N_("Too many levels of symbolic links"),
    errno.EMFILE: N_("Too many open files"),
    errno.ENOMEM: N_("Cannot allocate memory"),
    errno.EAGAIN: N_("Resource temporarily unavailable"),
    errno.EIO: N_("Input/output error"),
}


def why_refused(error: OSError | ValueError) -> Message | str:
    """Return why the system refused: words of the catalogue, or for rare refusals its own."""
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    if known is not None:
        return Message(known)
    return _(error.strerror if isinstance(error, OSError) and error.strerror else str(error))
