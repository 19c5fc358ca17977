"""The shown run's parameters, read only, and beside them those of the run it is compared with."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.kit.fold import INSET
from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import put
from explorer.kit.run_badge import RunBadge
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit
from explorer.session.train import TrainFrame
from explorer.session.train.intents import UseParameters
from explorer.session.train.pair import share_axes
from explorer.session.train.runs import Difference, side_by_side
from explorer.text import N_, _, listed, plain_tip

FIELDS = (
    "d_model",
    "heads",
    "learning_rate",
    "epochs",
    "watch_every",
    "use_position",
    "seed",
)
_BEGINS = N_("Begins at")
_ROW = 25  # px at 100 %


class ThisRun(QWidget):
    """A row for each parameter; those that differ between the two runs are marked."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] | None = None
        self.rows: dict[str, tuple[QLabel, QLabel, QLabel]] = {}
        self.badges = RunBadge(theme, "A"), RunBadge(theme, "B")
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 1)
        self._grid.setSpacing(0)
        for column, badge in enumerate(self.badges, 1):
            self._grid.addWidget(badge, 0, column, Qt.AlignmentFlag.AlignRight)
        self.note = plain_label("ink3")
        self.use = QPushButton(_("Use these"))
        self.use.setToolTip(plain_tip(_("Use these parameters and sentences for the next run")))
        self.use.clicked.connect(lambda: emit(UseParameters()))
        self._buttons = put(QHBoxLayout(), self.use, None)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        put(self._column, self._grid, self.note, self._buttons)
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show the parameters of A, and of B."""
        other = None if frame.other is None else frame.other.trace
        shown = frame.trace, other
        if shown == self._shown:
            return
        self._shown = shown
        found: tuple[Difference, ...] = ()
        if frame.trace is not None and frame.trace.run.config is not None:
            found = side_by_side(frame.trace, other, FIELDS, _BEGINS)
        for badge in self.badges:
            badge.setVisible(other is not None)
        for number, difference in enumerate(found, 1):
            self._show_row(number, difference, other is not None)
        names = {difference.field for difference in found}
        for field, labels in self.rows.items():
            for label in labels:
                label.setVisible(field in names and (label is not labels[2] or other is not None))
        self.use.setEnabled(bool(found))
        show_text(self.note, self._said(frame, found))

    def _said(self, frame: TrainFrame, found: tuple[Difference, ...]) -> str:
        if not found:
            return _("This trace does not contain its parameters.")
        other = None if frame.other is None else frame.other.trace
        if other is None or frame.trace is None:
            return ""
        fork = other.run.fork
        if fork is not None and fork.parent and fork.parent == frame.trace.run.id:
            changed = [row for row in found if row.differs and row.field != "begins"]
            if not changed:
                return _("B continues A, and nothing is changed.")
            labels = listed(_(row.label) for row in changed)
            return _("B continues A; only this differs: {labels}.").format(labels=labels)
        if not share_axes(frame.trace, other):
            return _(
                "The words of the two runs are points of different spaces: each has its own axes, "
                "B's turned so that the common words lie closest."
            )
        return ""

    def _show_row(self, number: int, row: Difference, pair: bool) -> None:
        if row.field not in self.rows:
            labels = plain_line(text=_(row.label)), plain_line(), plain_line()
            for label in labels[1:]:
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.rows[row.field] = labels
            self._style(labels)
        labels = self.rows[row.field]
        for column, label in enumerate(labels):
            self._grid.addWidget(label, number, column)
        marked = pair and row.differs
        labels[1].setText(value_text(row.first))
        labels[2].setText(value_text(row.second))
        for label, ink in zip(labels, ("ink1" if marked else "ink2", "ink1", "run_b"), strict=True):
            label.setProperty("marked", marked)
            label.setProperty("ink", ink if marked or label is not labels[2] else "ink1")
            label.setFont(self._theme.font(14, 600 if marked else 400))
            label.style().unpolish(label)
            label.style().polish(label)

    def _style(self, labels: tuple[QLabel, QLabel, QLabel]) -> None:
        px = self._theme.px
        for column, label in enumerate(labels):
            label.setFixedHeight(px(_ROW))
            label.setFont(self._theme.font(14))
            label.setContentsMargins(px(6) if not column else px(4), 0, px(4) if column else 0, 0)
            label.setMinimumWidth(1)  # nothing is pushed out of the panel

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._shown = None
        px = theme.px
        inset = px(INSET)
        self._grid.setContentsMargins(inset - px(6), px(4), inset - px(6), px(4))
        for badge in self.badges:
            badge.retheme(theme)
        for labels in self.rows.values():
            self._style(labels)
        self.note.setFont(theme.font(13))
        self.note.setContentsMargins(inset, px(4), inset, px(4))
        self._buttons.setContentsMargins(inset, px(4), inset, px(8))
        self.use.setFont(theme.font(13, 500))
        self.use.setFixedHeight(px(30))


def value_text(value: object) -> str:
    """Return a parameter's value as it is read."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _("usual") if value is None else f"{value:g}" if isinstance(value, float) else str(value)
