"""Over both sides: what is compared, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.session import Centre, Comparison, Frame
from explorer.session.comparison import comparisons
from explorer.session.intents import ShowCentre, ShowComparison
from explorer.text import N_, _

NAMES = {
    Comparison.SCALE: N_("Scaling"),
    Comparison.MASK: N_("Mask"),
    Comparison.HEADS: N_("Heads"),
    Comparison.PROJECTIONS: N_("Projections"),
    Comparison.POSITION: N_("Position"),
    Comparison.MISTAKE: N_("Mistake"),
}


class Header(QWidget):
    """Asks for another comparison, and for the plane again."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self.picker = Segments(
            [Segment(comparison, _(name)) for comparison, name in NAMES.items()],
            _("Compare"),
            theme,
            exclusive=True,
            pad=8,
            parent=self,
        )
        self.picker.picked.connect(lambda picked: self.intent.emit(ShowComparison(picked)))
        self.back = QPushButton(_("Back to the plane"), self)
        self.back.setAccessibleName(self.back.text())
        self.back.setToolTip(self.back.text())
        self.back.clicked.connect(lambda: self.intent.emit(ShowCentre(Centre.PLANE)))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.addWidget(self.picker, 0, Qt.AlignmentFlag.AlignLeft)
        self._row.addStretch(1)
        self._row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.retheme(theme)

    def draw(self, frame: Frame) -> None:
        """Show what is compared, and what can be."""
        offered = comparisons(frame.scene)
        for comparison in Comparison:
            self.picker.set_shown(comparison, comparison in offered)
        self.picker.show_checked({frame.look.comparison})
        layout = self.picker.layout()
        assert layout is not None
        layout.activate()
        self.picker.updateGeometry()
        self._arrange()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        self._row.setContentsMargins(px(16), px(10), px(16), px(10))
        self._row.setSpacing(px(8))
        self.back.setFont(theme.font(14))
        self.picker.retheme(theme)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay everything out in the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Shorten the way back where there is little room, or put it below."""
        room = self.width() - self.picker.sizeHint().width() - self._theme.px(16 + 8 + 16)
        for text in (_("Back to the plane"), _("Back")):
            self.back.setText(text)
            if self.back.sizeHint().width() <= room:
                break
        beside = self.back.sizeHint().width() <= room
        if not beside:
            self.back.setText(_("Back to the plane"))
        way = QBoxLayout.Direction
        self._row.setDirection(way.LeftToRight if beside else way.TopToBottom)
