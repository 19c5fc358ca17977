"""The language of the window: the program's sentences, and Qt's own words of its dialogs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from explorer.app.settings import Settings
from explorer.text import first_spoken, language, system_languages, use_language

_translators: list[QTranslator] = []  # Qt's translator in use, kept alive


def chosen_language(settings: Settings) -> str:
    """Return the code of the remembered language; of the system's where none is remembered."""
    wanted = [settings.language, *system_languages(), *QLocale.system().uiLanguages()]
    return first_spoken(wanted)


def speak(code: str) -> None:
    """Say everything from now on in a language; what is shown already stays as it is."""
    use_language(code)
    system, own = QLocale.system(), QLocale(language())
    # Dates and sizes are written as the person's system does it, where it speaks this language.
    QLocale.setDefault(system if system.language() == own.language() else own)
    while _translators:
        QCoreApplication.removeTranslator(_translators.pop())
    translator = QTranslator()
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(own, "qtbase", "_", folder):
        QCoreApplication.installTranslator(translator)
        _translators.append(translator)
