"""The centre of Train: one run, two side by side in one view, or the difference of the two."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from explorer.kit.base import FrameView, made_view
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.run_badge import SIDE, draw_badge, run_ink
from explorer.kit.table.painting import LEFT, RIGHT, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.difference import DifferenceView
from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.run_cards import names_of
from explorer.session.train import Compared, TrainCentre, TrainChange, TrainFrame
from explorer.session.train.intents import EditCopy, HoverWord, SelectWord
from explorer.session.train.pair import share_axes
from explorer.text import _, display_number, joined, listed

_HEADER = 34  # px at 100 %
_TWO = 640  # px at 100 % from which on two panes stand side by side
_LEAST = 360  # px that a pane has at the least


class PaneHeader(QWidget):
    """Says which run a pane shows, at which epoch and with which loss; a click brings it."""

    clicked = Signal()

    def __init__(self, theme: Theme, letter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter = letter
        self._name = self._place = self._loss = ""
        self._chosen = True
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(_HEADER))
        self.update()

    def show_run(self, name: str, frame: TrainFrame, chosen: bool) -> None:
        """Show what a frame says of its run; a pane that is not seen has a thin line."""
        scalars = frame.scalars
        at = scalars.epochs == frame.epoch
        loss = float(scalars.loss[at][0]) if at.any() else None
        self._name, self._chosen = name, chosen
        self._place = _("epoch {epoch}").format(epoch=frame.epoch)
        self._loss = "" if loss is None else display_number(loss, 3)
        said = joined((self._letter, name, self._place, f"{_('loss')} {self._loss}"))
        if self.accessibleName() != said:
            self.setAccessibleName(said)
        self.update()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """Ask for this pane."""
        self.clicked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint badge, name, epoch and loss over a line in the run's colour."""
        theme, px = self._theme, self._theme.px
        with QPainter(self) as painter:
            side, width = px(SIDE), self.width()
            row = QRectF(0, 0, width, px(_HEADER - 6))
            badge = QRectF(0, (row.height() - side) / 2, side, side)
            draw_badge(painter, theme, badge, self._letter)
            ink1, ink3 = theme.color("ink1"), theme.color("ink3")
            left = side + px(8)
            named = left + text_width(theme, self._name, 14, 600) + px(8)
            right = row
            # Beside name and number, what the number is and where, as far as there is room.
            for text, weight, ink, apart in (
                (self._loss, 600, ink1, 5),
                (_("loss"), 400, ink3, 12),
                (self._place, 400, ink3, 0),
            ):
                taken = text_width(theme, text, 14, weight)
                if right is not row and right.width() - taken < named:
                    break
                draw_text(painter, theme, text, right, ink, 14, weight, RIGHT)
                right = right.adjusted(0, 0, -taken - px(apart), 0)
            room = right.width() - left - px(3)
            name = elided(theme, self._name, 14, 600, int(max(room, 1)), middle=True)
            draw_text(painter, theme, name, row.adjusted(left, 0, 0, 0), ink1, 14, 600, LEFT)
            high = 2.0 if self._chosen else 1.0
            colour = run_ink(theme, self._letter) if self._chosen else theme.color("line2")
            painter.fillRect(QRectF(0, px(_HEADER - 4), width, px(high)), colour)


class BesideView(TrainView):
    """Holds the views of A and, while two runs are compared, those of B or of the difference.

    Parameters
    ----------
    first : QStackedWidget
        The views of A.
    graph : GraphView
        The word graph among them: B's is looked at from where it is, and it from B's.
    """

    concerns: ClassVar[TrainChange] = TrainChange.ALL & ~TrainChange.CONFIG

    def __init__(
        self, theme: Theme, first: QStackedWidget, graph: GraphView, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("beside")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._first, self._graph = first, graph
        self._frame = TrainFrame()
        self._chosen = "A"  # where only one pane has room
        self._headers = {letter: PaneHeader(theme, letter, self) for letter in "AB"}
        for letter, header in self._headers.items():
            header.clicked.connect(lambda letter=letter: self._choose(letter))
        self._second = QStackedWidget(self)
        self.others: dict[TrainCentre, FrameView[Any]] = {}
        self.difference = DifferenceView(theme, self)
        self.difference.intent.connect(self.intent)
        self._note = plain_label("ink3", self)
        self._top, self._panes = QHBoxLayout(), QHBoxLayout()
        for letter in "AB":
            self._top.addWidget(self._headers[letter], 1)
        put(self._panes, (first, 1), (self._second, 1), (self.difference, 1))
        fill(QVBoxLayout(self), self._top, (self._panes, 1), self._note)
        graph.looked.connect(self._follow_first)
        self._arrange()
        self._apply_theme()

    def draw(self, frame: TrainFrame) -> None:
        """Show B, or the difference, where the frame's look asks for it."""
        self._frame = frame
        self._arrange()
        other = frame.other
        if other is None:
            return
        names = names_of(frame)
        wide = self._wide
        for letter, each in (("A", frame), ("B", other)):
            chosen = wide or letter == self._chosen
            self._headers[letter].show_run(names.get(each.shown, ""), each, chosen)
        if self.shown is Compared.DIFFERENCE:
            self.difference.draw(frame)
        elif self.shown is Compared.BOTH and not self._second.isHidden():
            view = self._other_view(frame.look.page)
            self._second.setCurrentWidget(view)
            view.draw(other)
        self._note.setText(self._said(frame, other))
        self._arrange()  # whether the note has room

    @property
    def shown(self) -> Compared:
        """What is shown now."""
        return Compared.ONE if self._frame.other is None else self._frame.look.compared

    @property
    def _wide(self) -> bool:
        return self.width() >= max(self.theme.px(_TWO), 2 * _LEAST)

    def set_motion(self, wanted: bool) -> None:
        """Let B's graph move by itself, or not."""
        for view in self.others.values():
            view.set_motion(wanted)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for header in self._headers.values():
            header.retheme(theme)
        for view in (*self.others.values(), self.difference):
            view.retheme(theme)
        self._apply_theme()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show one pane or two, and draw what comes into sight."""
        super().resizeEvent(event)
        if self._arrange():
            self.draw(self._frame)

    def event(self, event: QEvent) -> bool:
        """Draw what a new arrangement brings into sight."""
        asked = event.type() == QEvent.Type.LayoutRequest and self.shown is Compared.BOTH
        if asked and self._arrange():
            self.draw(self._frame)
        return super().event(event)

    def _choose(self, letter: str) -> None:
        self._chosen = letter
        self.draw(self._frame)

    def _arrange(self) -> bool:
        """Show and hide what the room is for; return whether that changed anything."""
        both = self.shown is Compared.BOTH
        wide = self._wide
        shown = {
            self._first: self.shown is not Compared.DIFFERENCE
            and (not both or wide or self._chosen == "A"),
            self._second: both and (wide or self._chosen == "B"),
            self.difference: self.shown is Compared.DIFFERENCE,
            self._headers["A"]: both,
            self._headers["B"]: both,
            self._note: both and bool(self._note.text()) and self._has_room_for_note,
        }
        changed = [widget for widget, wanted in shown.items() if widget.isHidden() == wanted]
        for widget in changed:
            widget.setVisible(shown[widget])
        return bool(changed)

    @property
    def _has_room_for_note(self) -> bool:
        """Whether the panes keep their least height above it."""
        least = self._top.sizeHint().height() + self._panes.minimumSize().height()
        return self.height() >= least + self._note.heightForWidth(self.width())

    def _other_view(self, page: TrainCentre) -> FrameView[Any]:
        """Return B's view of a page, made when first shown."""
        if page not in self.others:
            graph = page is TrainCentre.GRAPH
            view: FrameView[Any] = (
                GraphView(self.theme, self._second)
                if graph
                else made_view(page, self.theme, self._second)
            )
            self.others[page] = view
            self._second.addWidget(view)
            view.intent.connect(self._translated)
            if isinstance(view, GraphView):
                view.pair_with(self._graph)
                view.looked.connect(self._follow_second)
        return self.others[page]

    def _follow_first(self) -> None:
        second = self.others.get(TrainCentre.GRAPH)
        if isinstance(second, GraphView):
            second.follow(self._graph)

    def _follow_second(self) -> None:
        second = self.others.get(TrainCentre.GRAPH)
        if isinstance(second, GraphView):
            self._graph.follow(second)

    def _translated(self, intent: object) -> None:
        """Pass B's intents on; its words are meant as A's of the same name, a copy is of B."""
        if isinstance(intent, EditCopy):
            intent = EditCopy(of_b=True)
        if isinstance(intent, SelectWord | HoverWord) and intent.word is not None:
            other = self._frame.other
            word = "" if other is None else other.vocabulary[intent.word]
            if word not in self._frame.vocabulary:
                return
            intent = type(intent)(self._frame.vocabulary.index(word))
        self.intent.emit(intent)

    def _said(self, frame: TrainFrame, other: TrainFrame) -> str:
        """Return what is to be known of the axes, or of a sentence that B does not hold."""
        if other.lacks_sample:
            return _("B does not have this sentence and shows another.")
        if frame.look.page is not TrainCentre.GRAPH or frame.basis is None:
            return ""
        assert frame.trace is not None
        assert other.trace is not None
        if not share_axes(frame.trace, other.trace):
            return _("Separate axes, B's turned so that the common words lie closest.")
        shares = [f"PC{n} {share:.0%}" for n, share in enumerate(frame.basis.explained, 1)]
        said = (
            _("PCA of both runs, shared axes: {shares}. Turning one turns both.")
            if self._wide
            else _("PCA of both runs, shared axes: {shares}. Press A or B above to switch.")
        )
        return said.format(shares=listed(shares).replace("%", "\u2009%"))

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        set_spacing(self._top, px(16), 0, px(16), 0, gap=px(24))
        self._note.setFont(theme.font(13))
        self._note.setContentsMargins(px(16), px(2), px(16), px(8))
