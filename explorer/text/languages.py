"""The languages of the program: each a folder of `resources/i18n`, one of them in use."""

from __future__ import annotations

import gettext
import locale
import os
import re
from collections.abc import Iterable
from pathlib import Path

from explorer.resources import resource
from explorer.text.messages import N_, of_example, speak

ENGLISH = "en"  # the language that the sentences are written in; it needs no folder
DOMAIN = "explorer"  # the catalogues' name
# Translated in each catalogue by the name that the language has in itself.
_OWN_NAME = N_("English")
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_in_use = ENGLISH


def codes() -> list[str]:
    """Return the codes of the languages there are."""
    found = sorted(path.parts[-3] for path in _folder().glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return [ENGLISH, *found]


def own_name(code: str) -> str:
    """Return the name that a language has in itself."""
    return said_in(code, _OWN_NAME)


def said_in(code: str, text: str) -> str:
    """Return a text, marked by `N_`, in the language of a code, whichever is in use."""
    return text if code == ENGLISH else _catalogue(code).gettext(text)


def languages() -> dict[str, str]:
    """Return the languages there are: their codes, and their names in themselves."""
    return {code: own_name(code) for code in codes()}


def language() -> str:
    """Return the code of the language in use."""
    return _in_use


def use_language(code: str) -> None:
    """Say everything from now on in a language, by its code; in English where there is none."""
    global _in_use
    known = code in codes()
    _in_use = code if known else ENGLISH
    speak(_catalogue(_in_use) if _in_use != ENGLISH else gettext.NullTranslations())


def in_language(code: str, text: str, context: str | None = None) -> str:
    """Return `text` in a language that there is, whichever is in use."""
    if code == ENGLISH:
        return text
    catalogue = _catalogue(code)
    return catalogue.gettext(text) if context is None else of_example(text, catalogue)


def system_languages() -> list[str]:
    """Return what this computer's environment wants to be spoken to in, such as "zh_CN.UTF-8"."""
    wanted = [each for name in _VARIABLES for each in os.environ.get(name, "").split(":") if each]
    return wanted or list(filter(None, locale.getlocale()[:1]))


def first_spoken(wanted: Iterable[str]) -> str:
    """Return the code of the first of the wanted languages that the program has.

    wanted : names such as "zh_CN.UTF-8", "zh-Hans-CN" or "en"
    """
    known = codes()
    asked = (re.split(r"[-_.@]", name)[0].lower() for name in wanted)
    return next((code for code in asked if code in known), ENGLISH)


def _folder() -> Path:
    return resource("i18n")


def _catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, _folder(), [code])
