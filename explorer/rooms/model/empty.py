"""What stands in Model's middle while there is no run: choose a model, or type a text."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label, show_text
from explorer.kit.layouts import put, set_spacing
from explorer.kit.theme import Theme
from explorer.models.found import found_models
from explorer.rooms.model.base import ModelView
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import ChooseModel
from explorer.text import _, displayable, plain_tip

_MOST = 12  # models that are offered here; the menu of the title has all


class EmptyView(ModelView):
    """A heading, a sentence, and what can be opened."""

    concerns: ClassVar[ModelChange] = ModelChange.MODEL | ModelChange.RUN | ModelChange.PROGRESS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._looked = False
        self.heading, self.sentence = plain_label("ink1", self), plain_label("ink2", self)
        self.here = plain_label("ink3", self)
        self.open = QPushButton(_("Open…"), self)
        self.open.setProperty("kind", "primary")
        self.open.clicked.connect(lambda: self.intent.emit(ChooseModel()))
        self.found: list[QPushButton] = []
        self._list = QVBoxLayout()
        column = QVBoxLayout(self)
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addStretch(2)
        for widget in (self.heading, self.sentence):
            widget.setAlignment(middle)
            column.addWidget(widget)
        column.addWidget(self.open, 0, middle)
        self.here.setAlignment(middle)
        put(column, self.here, self._list)
        column.addStretch(3)
        self._column = column
        self.retheme(theme)

    def draw(self, frame: ModelFrame) -> None:
        """Say what is missing."""
        if frame.info is None:
            if frame.progress.what:
                self._say(_("Opening…"), "")
            else:
                self._say(
                    _("Choose a model"),
                    _(
                        "A folder with config.json, model.safetensors and tokenizer.json, or a"
                        " file of attention arrays. Nothing is downloaded."
                    ),
                )
                self._offer()
        elif frame.progress.what:
            self._say(_("Running…"), "")
        else:
            self._say(
                _("No text yet"), _("Under Text, on the left, type a text or choose an example.")
            )
        choose = frame.info is None and not frame.progress.what
        self.open.setVisible(choose)
        show_text(self.here, _("On this computer") if choose and self.found else "")
        for button in self.found:
            button.setVisible(choose)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px = theme.px
        self.heading.setFont(theme.font(22, 600))
        self.sentence.setFont(theme.font(14))
        self.here.setFont(theme.font(13))
        self.open.setFont(theme.font(14, 500))
        self.open.setMinimumSize(px(96), px(34))
        for button in self.found:
            button.setFont(theme.font(14, 500))
        set_spacing(self._column, px(48), px(16), px(48), px(16), gap=px(12))
        self._list.setSpacing(px(4))

    def _say(self, heading: str, sentence: str) -> None:
        self.heading.setText(heading)
        show_text(self.sentence, sentence)

    def _offer(self) -> None:
        """Look once for models, when somebody sees this."""
        if self._looked:
            return
        self._looked = True
        for model in found_models()[:_MOST]:
            button = QPushButton(displayable(model.name, 60).replace("&", "&&"), self)
            button.setToolTip(plain_tip(displayable(str(model.folder))))
            button.setFont(self.theme.font(14, 500))
            button.clicked.connect(partial(self.intent.emit, ChooseModel(str(model.folder))))
            self._list.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self.found.append(button)
