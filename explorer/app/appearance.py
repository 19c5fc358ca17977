"""Theme, text scale and reduced motion: as chosen, as remembered, as the system asks."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from explorer.app.settings import SettingsStore
from explorer.kit.garbage import no_collection
from explorer.kit.style import animates, finish, prepare
from explorer.kit.theme import SCALES, Theme

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Appearance(QObject):
    """Theme and motion of a window.

    Parameters
    ----------
    settings : SettingsStore
        Remembers what is chosen.
    theme : Theme
        The first one; the application has its palette and font before widgets are made.
    window : QWidget
        Its dialogs have the theme, and what it does with `theme_changed`.
    """

    theme_changed = Signal(object)  # the application and open dialogs have the theme already
    moved = Signal()  # whether things move

    def __init__(self, settings: SettingsStore, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._settings = settings
        self.theme = theme
        self._window = window
        prepare(theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def reduced(self) -> bool:
        """Whether less motion was asked for."""
        return self._settings.settings.reduce_motion

    @property
    def moves(self) -> bool:
        """Whether things move: nobody asked for less, and the platform lets them."""
        return not self.reduced and animates()

    def toggle_theme(self) -> None:
        """Change from light to dark or back, and keep it so."""
        self._choose(Theme(not self.theme.dark, self.theme.percent))

    def scale_text(self, steps: int) -> None:
        """Make the text larger (1), smaller (−1) or as at first (0), and keep it so."""
        at = SCALES.index(self.theme.percent)
        self.scale_text_to(SCALES[min(max(at + steps, 0), len(SCALES) - 1)] if steps else 100)

    def scale_text_to(self, percent: int) -> None:
        """Give the text a size in percent, and keep it so."""
        self._choose(Theme(self.theme.dark, percent))

    def toggle_motion(self) -> None:
        """Let things move or not, and keep it so."""
        reduced = not self.reduced
        self._settings.update(lambda settings: replace(settings, reduce_motion=reduced))
        self.moved.emit()

    def _choose(self, theme: Theme) -> None:
        dark_changed = theme.dark != self.theme.dark
        name = "dark" if theme.dark else "light"
        self._settings.update(
            lambda settings: replace(
                settings, percent=theme.percent, theme=name if dark_changed else settings.theme
            )
        )
        self._apply_theme(theme)

    def _follow_system(self, scheme: Qt.ColorScheme) -> None:
        if self._settings.settings.theme == "system":
            self._apply_theme(Theme(scheme == Qt.ColorScheme.Dark, self.theme.percent))

    def _apply_theme(self, theme: Theme) -> None:
        self.theme = theme
        with no_collection():  # all parts take it in one change
            prepare(theme)
            for part in self._window.findChildren(QWidget, options=_DIRECT):
                if part.isWindow() and part.styleSheet():  # a dialog that is open
                    finish(part, theme)
            self.theme_changed.emit(theme)
