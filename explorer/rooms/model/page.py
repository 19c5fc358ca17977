"""Model's parts in their places: chain, text and atlas, the middle, the head, the arithmetic."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QLocale, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from explorer.kit.arrangement import Arrangement
from explorer.kit.base import FrameView, made_view, why_hidden
from explorer.kit.labels import plain_label, plain_line
from explorer.kit.layouts import as_panel, fill, put
from explorer.kit.left_panel import LeftPanel, Rail
from explorer.kit.page import Page
from explorer.kit.progress_line import ProgressLine
from explorer.kit.theme import Theme
from explorer.models.switches import Put
from explorer.rooms.model.atlas import AtlasView
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.centre_bar import CentreBar
from explorer.rooms.model.chain import ModelChain
from explorer.rooms.model.empty import EmptyView
from explorer.rooms.model.head_panel import HeadPanel
from explorer.rooms.model.strip import ModelStrip
from explorer.rooms.model.switched_panel import SwitchedPanel
from explorer.rooms.model.text_panel import TextPanel
from explorer.rooms.model.whole_head import WholeHead
from explorer.session import Look
from explorer.session.model.frame import LONG, ModelCentre, ModelChange, ModelFrame
from explorer.session.model.intents import (
    FilterHeads,
    GoToHead,
    RunText,
    StepPair,
    StopModel,
    SwitchHead,
)
from explorer.text import N_, _

_MEGABYTE = 10**6
_RAIL = (("edit", N_("Text")),)
_LEFT, _RIGHT = 284, 372  # px at 100 %, where there is room
_PALE = 0.6  # how much is left of what lies below, where it is pale


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


class ModelPage(Page):
    """Model's views.

    Parameters
    ----------
    theme : Theme
    """

    bottom_name = N_("Arithmetic")
    chain: ModelChain

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._frame = ModelFrame()
        self.chain = ModelChain(theme, self)
        self.rail = Rail(theme, _RAIL, self.body)
        self.left = LeftPanel(theme, _("Text"), self.body)
        numbers = QWidget(self.left.pages)
        self.text = TextPanel(theme, numbers)
        self.atlas = AtlasView(theme, numbers)
        fill(QVBoxLayout(numbers), self.text, (self.atlas, 1))
        numbers.setFocusProxy(self.text)
        self.left.put(numbers)
        self.progress = ProgressBar(theme, self.middle)
        self.bar = CentreBar(theme, self.middle)
        self._stack = QStackedWidget(self.middle)
        self.empty = EmptyView(theme, self._stack)
        self._stack.addWidget(self.empty)
        self.pages: dict[ModelCentre, FrameView[Any]] = {}
        for centre in ModelCentre:
            self.pages[centre] = made_view(centre, theme, self._stack)
            self._stack.addWidget(self.pages[centre])
        self._beside = QStackedWidget(self.body)
        self.right = self._beside
        self.head = HeadPanel(theme, self._beside)
        self.whole = WholeHead(theme, self._beside)
        self.switched = SwitchedPanel(theme, self._beside)
        for view in (self.head, self.whole, self.switched):
            self._beside.addWidget(view)
        self.bottom = self.strip = ModelStrip(theme, self)
        self.veils = [
            Veil(theme, self._stack, "canvas"),
            *(Veil(theme, part, "win") for part in (self._beside, self.strip, self.atlas)),
        ]
        # While a lesson asks what the model says, nothing that tells it is there.
        self.hidden = plain_label("ink3", self._stack)
        self.hidden.setText(str(why_hidden(Look(veiled=True))))
        self.hidden.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hidden.setFont(theme.font(15))
        self._stack.addWidget(self.hidden)
        self.nothing = QWidget(self._beside)
        self._beside.addWidget(self.nothing)
        self.covers = [Veil(theme, part, "win", whole=True) for part in (self.strip, self.atlas)]
        self.progress.hide()
        self.compose((self.progress, self.bar, self._stack))
        self.show_frame(self._frame)

    @property
    def views(self) -> tuple[FrameView[Any], ...]:
        """The views, from top to bottom and left to right."""
        return (
            self.chain,
            self.text,
            self.atlas,
            *(() if self.lesson is None else (self.lesson,)),
            self.progress,
            self.bar,
            self.empty,
            *self.pages.values(),
            self.head,
            self.whole,
            self.switched,
            self.strip,
        )

    def show_frame(self, frame: ModelFrame) -> None:
        """Bring those views to the front that the frame asks for; an old run's are pale."""
        before, self._frame = self._frame, frame
        there = frame.run is not None
        hidden = there and frame.look.veiled
        shown = self.hidden if hidden else self.pages[frame.look.centre]
        self._stack.setCurrentWidget(shown if there else self.empty)
        self.bar.setVisible(there)
        self.progress.setVisible(bool(frame.progress.what))
        beside = self.whole if _whole(frame) else self.switched if _stepped(frame) else self.head
        self._beside.setCurrentWidget(self.nothing if hidden else beside)
        for cover in self.covers:
            cover.show_over(hidden)
        if frame.stale != before.stale:
            for veil in self.veils:
                veil.show_over(frame.stale)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        for veil in (*self.veils, *self.covers):
            veil.retheme(theme)
        self.hidden.setFont(theme.font(15))

    @property
    def main_picture(self) -> str:
        """The name of the picture of what stands in the middle."""
        return self._frame.look.centre.spec.picture_name

    def take_focus(self) -> None:
        """Give the focus to what stands in the middle; to the text where there is none yet."""
        if self._frame.run is None:
            self.text.setFocus()
        else:
            self.pages[self._frame.look.centre].viewport().setFocus()

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        lesson = self.lesson
        return {
            **{centre.value: view.viewport() for centre, view in self.pages.items()},
            **({} if lesson is None or lesson.isHidden() else {"lesson": lesson}),
            "atlas": self.atlas,
            "head": self._beside,
            "input": self.text,
            "chain": self.chain,
            "strip": self.strip,
        }

    def part(self, name: str) -> QWidget | None:
        """Return what a lesson calls so; None where it is not there."""
        views = {centre.value: view for centre, view in self.pages.items()}
        return {**self.pictures(), **views}.get(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through layers, weights and filters, and switch heads, wherever no control wants these
        keys."""
        if not self._take_key(event):
            super().keyPressEvent(event)

    def _take_key(self, event: QKeyEvent) -> bool:
        frame, key = self._frame, event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        cursor = frame.cursor
        if control and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.text.intent.emit(RunText())
        elif frame.run is None or control:
            return False
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            if self._pinned:  # they turn the lesson's pages
                return False
            by = 1 if key == Qt.Key.Key_PageDown else -1
            self.text.intent.emit(GoToHead(cursor.layer + by, cursor.head))
        elif event.text() in ("[", "]"):
            self.text.intent.emit(StepPair(1 if event.text() == "[" else -1))
        elif key == Qt.Key.Key_Delete:
            place = cursor.layer, cursor.head
            self.text.intent.emit(
                SwitchHead(*place, None if place in frame.switches.off else Put.ZEROS)
            )
        elif key == Qt.Key.Key_F:
            kind = frame.run.kinds[cursor.layer][cursor.head]
            self.text.intent.emit(FilterHeads(None if frame.look.kinds else kind))
        else:
            return False
        return True

    def widths(self, arrangement: Arrangement) -> tuple[int, int]:
        """Return the widths of the side panels, wider than elsewhere."""
        px = self.theme.px
        return px(_LEFT), arrangement.right if arrangement.rail else px(_RIGHT)

    def fold(self, arrangement: Arrangement) -> None:
        """Tell the views how much room there is."""
        low = arrangement.compact_strip or arrangement.compact_rows
        self.chain.set_compact(arrangement.compact_chain)
        self.strip.set_compact(arrangement.compact_strip)
        self.bar.set_railed(bool(arrangement.rail))
        self.head.tabs.set_by_turns(low)
        self.whole.tabs.set_by_turns(low)
        self.switched.set_compact(low)


def _whole(frame: ModelFrame) -> bool:
    """Return whether the whole of a head stands on the right, not its figures."""
    if frame.run is None:
        return False
    centre = frame.look.centre
    long = len(frame.run.pieces) > LONG
    return centre is ModelCentre.TEXT or (long and centre is ModelCentre.MATRIX)


def _stepped(frame: ModelFrame) -> bool:
    """Return whether on the right stands which heads are switched."""
    return frame.look.centre is ModelCentre.NEXT and frame.follows is not None


class Veil(QWidget):
    """Lies over a part, in the colour of its ground; what is below can still be used.

    An opacity effect would not do: Qt does not paint the ground under what is opaque in the part,
    and what stood there before would shine through.

    Parameters
    ----------
    part : QWidget
    ground : str
        A colour of the palette.
    whole : bool
        Whether nothing of the part is seen.
    """

    def __init__(self, theme: Theme, part: QWidget, ground: str, *, whole: bool = False) -> None:
        super().__init__(part)
        self._theme, self._part, self._ground = theme, part, ground
        self._left = 0.0 if whole else _PALE
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not whole)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        part.installEventFilter(self)
        self.hide()

    def show_over(self, shown: bool) -> None:
        """Lie over the part, all of it, or be gone."""
        self.setGeometry(self._part.rect())
        self.setVisible(shown)
        self.raise_()

    def retheme(self, theme: Theme) -> None:
        """Take another theme."""
        self._theme = theme
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Be as large as the part."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._part.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), self._theme.color(self._ground, 1 - self._left))
