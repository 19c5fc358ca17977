"""The page for an audience in Model: what stands in its middle, large, with the head it is of."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from explorer.kit.base import FrameView, why_hidden
from explorer.kit.pieces import colour_of, head_name, name_of, numbered
from explorer.kit.theme import Theme
from explorer.rooms.present.side import LONGEST, Said, Share
from explorer.rooms.present.sizes import LEAST, Sizes
from explorer.rooms.present.slide import Slide
from explorer.rooms.present.wording import paragraph, sheet_html, waits
from explorer.session import Look
from explorer.session.lesson import Reveal, Sheet, TurnTo
from explorer.session.model.frame import LONG, ModelChange, ModelFrame
from explorer.session.model.intents import ChangeModelLook, GoToHead, StepPair
from explorer.session.views import ModelCentre
from explorer.text import _, display_number, displayable, html_escaped, joined, labelled, ngettext

_LARGEST, _BESIDE = 52, 48  # px of the drawn page: the text, and what is free around it
_SMALLER = 0.9  # the next smaller type, where one has no room
_STRONGEST = 5  # tokens of a row's bar; the others stand together
_LARGE = 10  # rows of a matrix whose names have the full size; more are smaller, down to a share
_SMALLEST = 0.55


class AskedText(QLabel):
    """Shows the words with the places of those that stand there twice, as large as has room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sizes, self._words = Sizes(), ""

    def show_text(self, frame: ModelFrame, sizes: Sizes) -> None:
        """Show the words of a frame's run, and that the rest is hidden."""
        pieces = () if frame.run is None else frame.run.pieces
        text = "" if frame.run is None else frame.run.text or ""
        words, end = "", 0
        for place, piece in enumerate(pieces):
            if not piece.special:
                name, number = map(html_escaped, numbered(pieces, place))
                ink = sizes.theme.palette.ink3
                beside = f'<sub style="color:{ink}">{number}</sub>' if number else ""
                words += (" " if text[end : piece.end][:1].isspace() else "") + name + beside
                end = piece.end
        self._sizes, self._words = sizes, words
        edge = sizes.px(_BESIDE)
        self.setContentsMargins(edge, edge, edge, edge)
        self.setFont(sizes.font(LEAST))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the size that has room now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        said = html_escaped(str(why_hidden(Look(veiled=True))))
        said = f'<span style="color:{self._sizes.theme.palette.ink3}">{said}</span>'
        size, least = self._sizes.text(_LARGEST), self._sizes.text(LEAST)
        while True:
            words = f'<span style="font-size:{size}px">{self._words}</span>'
            self.setText(paragraph(words) + paragraph(said))
            if size == least or self.heightForWidth(self.width()) <= self.height():
                break
            size = max(least, int(size * _SMALLER))


class ModelSlide(Slide[ModelFrame]):
    """Shows a head of a run: the presenter's keys go from head to head.

    Left and Right go through the weights of the selected row, T through the views of the middle.
    Where a lesson is about the run, the other keys turn its pages.

    Parameters
    ----------
    theme : Theme
    make : callable
        Returns a view of the middle, with a parent.
    effects : callable
        Returns a view of what each head alone does to the next token, which stands there instead
        where it is asked for.
    tell : callable
        Returns the lesson's sheet beside a frame, or None.
    """

    concerns: ClassVar[ModelChange] = ModelChange.ALL

    def __init__(
        self,
        theme: Theme,
        make: Callable[[ModelCentre, Theme, QWidget], FrameView[ModelFrame]],
        effects: Callable[[Theme, QWidget], FrameView[ModelFrame]],
        tell: Callable[[ModelFrame], Sheet | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, (), parent)
        self._make, self._make_effects, self._tell = make, effects, tell
        self._frame = ModelFrame()
        self._stack = QStackedWidget(self)
        self.views: dict[ModelCentre, FrameView[ModelFrame]] = {}  # each made when first shown
        self.effects: FrameView[ModelFrame] | None = None  # likewise
        self.hidden = AskedText(self._stack)  # while what the model says is asked
        self._stack.addWidget(self.hidden)

    @property
    def picture(self) -> QWidget:
        """The views of the middle, one of them in front."""
        return self._stack

    def draw(self, frame: ModelFrame) -> None:
        """Show the frame."""
        self._frame = frame
        sheet = self._tell(frame)
        page: object = (frame.cursor.layer, frame.cursor.head, frame.look.centre)
        self.begin_page(page if sheet is None else (sheet.title, sheet.place))
        self._say(frame, sheet)
        if frame.look.veiled:
            self.hidden.show_text(frame, self.sizes)
            self._stack.setCurrentWidget(self.hidden)
            return
        view = self._view(frame)
        self._stack.setCurrentWidget(view)
        wanted = self._theme_of(frame.look.centre)
        if view.theme != wanted:
            view.retheme(wanted)
        view.draw(frame)

    def turn(self, by: int) -> None:
        """Ask for the next head or page, or the one before; nothing at the ends."""
        sheet = self._tell(self._frame)
        if sheet is not None:
            if 0 <= sheet.place + by < sheet.count:
                self.intent.emit(TurnTo(sheet.place + by))
            return
        heads = self._heads
        at = self._place + by
        if heads and 0 <= at < self._count:
            self.intent.emit(GoToHead(at // heads, at % heads))

    def reveal(self) -> bool:
        """Ask for what a lesson's page keeps back; return whether there is anything."""
        hidden = waits(self._tell(self._frame))
        if hidden:
            self.intent.emit(Reveal())
        return hidden

    def step(self, by: int) -> None:
        """Ask for the next smaller weight of the selected row, or the next larger one."""
        self.intent.emit(StepPair(-by))

    def show_other_half(self) -> None:
        """Ask for the next view of the middle."""
        centres, frame = list(ModelCentre), self._frame
        at = centres.index(frame.look.centre) + 1
        predicts = frame.info is not None and frame.info.predicts
        shown = [c for c in centres[at:] + centres[:at] if predicts or c is not ModelCentre.NEXT]
        self.intent.emit(ChangeModelLook({"centre": shown[0]}))

    def set_motion(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        for view in self.views.values():
            view.set_motion(wanted)

    def resize_picture(self, theme: Theme) -> None:
        """Give the views other sizes and colours."""
        if self._stack.currentWidget() is not self.hidden or self._frame.look.veiled:
            self.draw(self._frame)

    def _theme_of(self, centre: ModelCentre) -> Theme:
        """Return a view's theme: of a matrix with many rows its type is smaller."""
        theme, run = self.sizes.picture, self._frame.run
        if centre is not ModelCentre.MATRIX or run is None:
            return theme
        rows = min(len(run.pieces), LONG)
        share = min(1.0, max(_LARGE / rows, _SMALLEST))
        return Theme(theme.dark, round(theme.percent * share), theme.least)

    def _view(self, frame: ModelFrame) -> FrameView[ModelFrame]:
        centre = frame.look.centre
        if centre is ModelCentre.NEXT and frame.look.effects and frame.next is not None:
            if self.effects is None:
                self.effects = self._made(self._make_effects(self.sizes.picture, self._stack))
            return self.effects
        if centre not in self.views:
            self.views[centre] = self._made(self._make(centre, self._theme_of(centre), self._stack))
        return self.views[centre]

    def _made(self, view: FrameView[ModelFrame]) -> FrameView[ModelFrame]:
        """Return a new view, which has become one for an audience."""
        view.be_presented()
        view.setMinimumSize(0, 0)
        for part in (view, *view.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the page takes all keys
        view.intent.connect(self.intent)
        self._stack.addWidget(view)
        return view

    # --- what is said ----------------------------------------------------------------------------

    @property
    def _heads(self) -> int:
        return 0 if self._frame.info is None else self._frame.info.heads

    @property
    def _count(self) -> int:
        info = self._frame.info
        return 0 if info is None or self._frame.run is None else info.layers * info.heads

    @property
    def _place(self) -> int:
        return self._frame.cursor.layer * self._heads + self._frame.cursor.head

    def _say(self, frame: ModelFrame, sheet: Sheet | None) -> None:
        if sheet is not None:
            self._say_page(frame, sheet)
            return
        self.left.steps.count_pages(self._place, self._count)
        if frame.run is None:
            title = _("no model") if frame.info is None else displayable(frame.info.title)
            self.left.say(Said(title))
            return
        title, lines = self._told(frame)
        said = paragraph(html_escaped(displayable(frame.run.text)))
        said += "".join(map(paragraph, lines))
        shares = () if frame.look.centre is ModelCentre.NEXT else self._shares(frame)
        self.left.say(Said(title, said, "", {}, shares))

    def _say_page(self, frame: ModelFrame, sheet: Sheet) -> None:
        """Say the lesson's page, and where in the run one is."""
        self.left.steps.count_pages(sheet.place, sheet.count)
        said = sheet_html(sheet, lambda text: html_escaped(displayable(text)), self.sizes.theme)
        kept = bool(sheet.questions) or waits(sheet) or frame.look.veiled or frame.run is None
        if not kept:
            title, lines = self._told(frame)
            said += paragraph(joined((html_escaped(title), *lines)))
        shares = () if kept or frame.look.centre is ModelCentre.NEXT else self._shares(frame)
        self.left.say(Said(sheet.title, said, sheet.formula, {}, shares))

    def _told(self, frame: ModelFrame) -> tuple[str, list[str]]:
        """Return what is looked at, and what is told of it as HTML."""
        if frame.look.centre is ModelCentre.NEXT:
            title, lines = _("Next token"), self._expected(frame)
        else:
            name = head_name(frame.cursor.layer, frame.cursor.head)
            title, lines = name[:1].upper() + name[1:], self._pair(frame)
        count = 0 if frame.run is None else len(frame.run.off)
        if count:
            off = ngettext("{n} head is off", "{n} heads are off", count).format(n=count)
            lines.append(html_escaped(off))
        return title, lines

    def _pair(self, frame: ModelFrame) -> list[str]:
        """Return the selected pair with its weight, as HTML."""
        cursor, head, run = frame.cursor, frame.head, frame.run
        if run is None or head is None or cursor.query is None or cursor.key is None:
            return []
        names = []
        for pieces, place in ((run.pieces, cursor.query), (run.key_pieces, cursor.key)):
            name = " ".join(filter(None, numbered(pieces, place)))
            colour = colour_of(self.sizes.theme, frame, place)
            ink = self.sizes.theme.palette.ink1 if colour is None else colour.ink
            names.append(f'<b style="color:{ink}">{html_escaped(name)}</b>')
        weight = display_number(float(head.arrays.weights[cursor.query, cursor.key]), 3)
        return [labelled(f"{names[0]} → {names[1]}", f"<b>{weight}</b>")]

    def _expected(self, frame: ModelFrame) -> list[str]:
        """Return the likeliest next token, as HTML."""
        if frame.next is None or not frame.next.rows:
            return []
        first = frame.next.rows[0]
        token = html_escaped(displayable(first.text).strip())
        return [f"<b>{token}</b> {display_number(first.probability, 3)}"]

    def _shares(self, frame: ModelFrame) -> tuple[Share, ...]:
        """Return the largest weights of the selected row, in the text's order, and the rest."""
        head, run, query = frame.head, frame.run, frame.cursor.query
        if run is None or head is None or query is None:
            return ()
        weights = head.arrays.weights[query]
        places = np.sort(np.argsort(-weights, kind="stable")[:_STRONGEST])
        theme = self.sizes.theme
        found = [
            Share(
                name_of(run.key_pieces[place])[:LONGEST],
                float(weights[place]),
                colour_of(theme, frame, place) or theme.neutral_token,
            )
            for place in places.tolist()
        ]
        rest = 1.0 - sum(share.share for share in found)
        if rest > 5e-4:
            found.append(Share(_("others"), rest, theme.neutral_token))
        return tuple(found)
