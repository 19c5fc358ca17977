"""A field that varies: its name, its values as chips, and a line for further ones."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from explorer.kit.context_menu import offer_actions
from explorer.kit.icons import icon
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put
from explorer.kit.small_inputs import mark_wrong
from explorer.kit.theme import Theme
from explorer.rooms.sweep.intents import AddValues, RemoveValue
from explorer.rooms.sweep.picture import swatch
from explorer.rooms.sweep.shown import shade_of
from explorer.sweeps.plan import Value, value_text
from explorer.text import _, plain_tip
from explorer.traces import LABELS, Config

_CHIP = 30  # px at 100 %
_CHOICES = {
    "use_position": "on, off",
    "causal": "on, off",
    "position_kind": "learned, sinusoidal",
    "initialisation": "pytorch, xavier, he",
    "optimizer": "adam, sgd",
}

Emit = Callable[[object], None]


class ValueChip(QPushButton):
    """One value; Del takes it away."""

    def __init__(
        self, field: str, place: int, value: Value, shade: float | None, theme: Theme, emit: Emit
    ) -> None:
        super().__init__(value_text(value))
        self._emit, self._asked = emit, RemoveValue(field, place)
        self.setFont(theme.font(14))
        self.setFixedHeight(theme.px(_CHIP))
        pad = theme.px(6)
        self.setStyleSheet(
            f"QPushButton {{ padding: 0 {pad}px; }}"
            f' QPushButton[ringed="true"]:focus {{ padding: 0 {pad - 1}px; }}'
        )
        self.setToolTip(plain_tip(_("Del removes it")))
        self.setAccessibleName(f"{_(LABELS[field])} {value_text(value)}")
        if shade is not None:
            drawn = swatch(theme, shade)
            self.setIcon(QIcon(drawn))
            self.setIconSize(drawn.size())
        remove = QAction(_("Remove"), self)
        remove.triggered.connect(lambda: emit(self._asked))
        self.addAction(remove)
        offer_actions(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the value away with Del or Backspace."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._emit(self._asked)
        else:
            super().keyPressEvent(event)


class FieldRow(QWidget):
    """A field with its chips.

    Parameters
    ----------
    first : bool
        Whether each of its values has a shade of its own in the pictures.
    width : int
        What chips are laid out in, px on the screen.
    """

    def __init__(
        self,
        field: str,
        values: tuple[Value, ...],
        *,
        first: bool,
        editable: bool,
        config: Config,
        theme: Theme,
        width: int,
        emit: Emit,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._field, self._emit = field, emit
        px = theme.px
        name = plain_label("ink2", self, _(LABELS[field]))
        name.setFont(theme.font(14))
        self.add = QToolButton(self)
        self.add.setIcon(icon("add", theme))
        self.add.setIconSize(QSize(px(14), px(14)))
        self.add.setAccessibleName(_("Further values of {label}").format(label=_(LABELS[field])))
        self.add.setToolTip(plain_tip(self.add.accessibleName()))
        self.add.setVisible(editable)
        self.add.clicked.connect(self._open)
        self.typed = QLineEdit(self)
        self.typed.setAccessibleName(_("Further values, with commas between them"))
        self.typed.setPlaceholderText(_CHOICES.get(field, value_text(getattr(config, field))))
        self.typed.setFont(theme.font(14))
        self.typed.returnPressed.connect(self._take)
        self.typed.hide()
        head = put(QHBoxLayout(), (name, 1), self.add)
        column = fill(QVBoxLayout(self), head, gap=px(4))
        grid = QVBoxLayout()
        grid.setSpacing(px(6))
        column.addLayout(grid)
        self.chips: list[ValueChip] = []
        line, left = QHBoxLayout(), 0
        for place, value in enumerate(values):
            shade = shade_of(value, values) if first else None
            chip = ValueChip(field, place, value, shade, theme, emit)
            if not editable:  # what a sweep had is read, not changed
                chip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
                chip.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            chip.setParent(self)
            needs = chip.sizeHint().width() + px(6)
            if left < needs and self.chips:
                line.addStretch(1)
                grid.addLayout(line)
                line, left = QHBoxLayout(), 0
            if not line.count():
                line.setSpacing(px(6))
                left = width
            left -= needs
            line.addWidget(chip)
            self.chips.append(chip)
        line.addStretch(1)
        grid.addLayout(line)
        column.addWidget(self.typed)

    def _open(self) -> None:
        self.typed.show()
        self.typed.setFocus()

    def show_typed(self, text: str) -> None:
        """Show what was typed and cannot be."""
        self.typed.setText(text)
        self.typed.show()
        mark_wrong(self.typed, True)

    def _take(self) -> None:
        self._emit(AddValues(self._field, self.typed.text()))
