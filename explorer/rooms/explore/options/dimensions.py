"""How wide X, Q and K, and V are."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout

from explorer.kit.fold import INSET
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.fields import CountBox
from explorer.rooms.explore.options.group import Group, allow, reason
from explorer.session import Frame, edits
from explorer.session.checks import MOST_COLUMNS
from explorer.session.intents import Resize
from explorer.text import N_, Message

NAMES = ("d_model", "d_k", "d_v")
_NO_W = Message(N_("Q = K = V = X here: add Wq, Wk and Wv to change it."))


class DimensionsGroup(Group):
    """d_model, d_k and d_v."""

    title = N_("Columns of X, of Q and K, of V")

    def build(self) -> None:
        """Make a box for each."""
        self.row(self.caption)
        self._grid = QGridLayout()
        self.boxes: dict[str, CountBox] = {}
        for column, name in enumerate(NAMES):
            box = CountBox(name, MOST_COLUMNS, partial(self._judge, name), self)
            self.boxes[name] = box
            self.themed(box)
            box.taken.connect(partial(self._ask, name))
            box.judged.connect(self.say)
            self._grid.addWidget(self.label(name), 0, column)
            self._grid.addWidget(box, 1, column)
            self._grid.setColumnStretch(column, 1)
        self._column.addLayout(self._grid)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the widths, and whether there is a W."""
        scene = frame.scene
        return scene.d_model, scene.d_k, scene.d_v, scene.projected

    def show_frame(self, frame: Frame) -> None:
        """Show the widths."""
        scene = frame.scene
        widths = {"d_model": scene.d_model, "d_k": scene.d_k, "d_v": scene.d_v}
        for name, box in self.boxes.items():
            box.show_value(widths[name])
            allow(box, None if name == "d_model" or scene.projected else _NO_W)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._grid.setSpacing(theme.px(6))
        self._grid.setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)

    def _judge(self, name: str, width: float) -> Message | None:
        sizes = {name: int(width)}
        return reason(lambda: edits.resize(self.scene, **sizes))

    def _ask(self, name: str, width: int) -> None:
        self.intent.emit(Resize(**{name: width}))
