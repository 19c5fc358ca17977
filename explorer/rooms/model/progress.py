"""How far opening or running is, over Model's middle, and the button that ends it."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.kit.labels import plain_line
from explorer.kit.layouts import as_panel, fill, put
from explorer.kit.progress_line import ProgressLine
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import StopModel
from explorer.text import _

_MEGABYTE = 10**6


class ProgressBar(ModelView):
    """A line of 4 px, what it counts, and Stop; nothing while nothing goes on."""

    concerns: ClassVar[ModelChange] = ModelChange.PROGRESS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.line = ProgressLine(theme, self)
        self.said = plain_line("ink2", self)
        self.stop = QToolButton(self)
        self.stop.setText(_("Stop"))
        self.stop.clicked.connect(lambda: self.intent.emit(StopModel()))
        self._row = put(QHBoxLayout(), self.said, None, self.stop)
        fill(QVBoxLayout(self), self.line, self._row)
        self.retheme(theme)

    def draw(self, frame: ModelFrame) -> None:
        """Show how far it is; the page hides this while nothing goes on."""
        progress = frame.progress
        self.line.show_share(progress.done / progress.total if progress.total else 0.0)
        if progress.what == "opening":
            done, total = (
                QLocale().toString(count / _MEGABYTE, "f", 1)
                for count in (progress.done, progress.total)
            )
            said = _("Opening: {done} of {total} MB").format(done=done, total=total)
            self.said.setText(said if progress.total else _("Opening…"))
        elif progress.what:
            # The second half of the layers' count is of the pictures of their heads.
            layers = progress.total // 2
            running = _("Running: layer {layer} of {layers}")
            heads = _("Weights of the heads: layer {layer} of {layers}")
            first = progress.done < layers
            self.said.setText(
                (running if first else heads).format(
                    layer=min(progress.done % max(layers, 1) + 1, layers), layers=layers
                )
            )

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.line.retheme(theme)
        for widget in (self.said, self.stop):
            widget.setFont(theme.font(13))
        self._row.setContentsMargins(theme.px(16), theme.px(2), theme.px(8), theme.px(2))
