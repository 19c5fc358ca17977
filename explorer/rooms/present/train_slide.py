"""The page for an audience in Train: the word graph, large, with its epoch and loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.kit.base import FrameView
from explorer.kit.loss_curves import Curves, accuracy_text, curves_of
from explorer.kit.run_words import bars, sample_words
from explorer.kit.theme import Theme
from explorer.rooms.present.side import LONGEST, Said, Share
from explorer.rooms.present.slide import Slide
from explorer.rooms.present.wording import paragraph, sheet_html, waits
from explorer.session.lesson import Reveal, Sheet, TurnTo
from explorer.session.train import Scalars, TrainCentre, TrainChange, TrainFrame
from explorer.session.train.intents import GoToStep, Play, StepBy
from explorer.text import Problem, _, display_number, displayable, html_escaped, joined

TellSheet = Callable[[TrainFrame], Sheet | None]


class TrainSlide(Slide[TrainFrame]):
    """Shows a recorded step of a run: the presenter's keys move the playhead.

    Where a lesson is about the run, Left and Right do; the others turn its pages.

    Parameters
    ----------
    theme : Theme
    make : callable
        Returns the word graph, with a parent.
    tell : callable
        Returns the lesson's sheet beside a frame, or None.
    aim : callable
        Looks at the graph from where the lesson's page says.
    make_foot : callable
        Returns the timeline, with a parent.
    """

    concerns: ClassVar[TrainChange] = TrainChange.ALL

    def __init__(
        self,
        theme: Theme,
        make: Callable[[TrainCentre, Theme, QWidget], FrameView[TrainFrame]],
        tell: TellSheet,
        aim: Callable[[FrameView[TrainFrame]], None],
        make_foot: Callable[[Theme, QWidget], FrameView[TrainFrame]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, (), parent)
        self._tell, self._aim = tell, aim
        self._frame = TrainFrame()
        self._curves: tuple[Scalars, Curves] | None = None
        self.graph = make(TrainCentre.GRAPH, self.sizes.picture, self)
        self.graph.be_presented()
        self.graph.setMinimumSize(0, 0)
        self.graph.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.graph.intent.connect(self.intent)
        self.take_foot(make_foot(self.sizes.picture, self))

    @property
    def picture(self) -> QWidget:
        """The word graph."""
        return self.graph

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame."""
        self._frame = frame
        sheet = self._tell(frame)
        begun = self.begin_page(None if sheet is None else (sheet.title, sheet.place))
        self._say(frame, sheet)
        self.graph.draw(frame)
        self.draw_foot(frame)
        if begun:
            self._aim(self.graph)

    def turn(self, by: int) -> None:
        """Ask for the next recorded step or page, or one before; nothing at the ends."""
        frame = self._frame
        sheet = self._tell(frame)
        if sheet is not None and 0 <= sheet.place + by < sheet.count:
            self.intent.emit(TurnTo(sheet.place + by))
        elif sheet is None:
            self.step(by)

    def step(self, by: int) -> None:
        """Ask for the next recorded step, or one before; nothing at the ends."""
        if 0 <= self._frame.cursor.step + by < len(self._frame.recorded):
            self.intent.emit(StepBy(by))

    def go_to_end(self, last: bool) -> None:
        """Ask for the first recorded step, or the last."""
        self.intent.emit(GoToStep(max(len(self._frame.recorded) - 1, 0) if last else 0))

    def play(self) -> None:
        """Play the run from the playhead, or stop."""
        self.intent.emit(Play(not self._frame.playback.playing))

    def reveal(self) -> bool:
        """Ask for what a lesson's page keeps back; return whether there is anything."""
        hidden = waits(self._tell(self._frame))
        if hidden:
            self.intent.emit(Reveal())
        return hidden

    def set_motion(self, wanted: bool) -> None:
        """Let the graph turn by itself, or not."""
        self.graph.set_motion(wanted)

    def resize_picture(self, theme: Theme) -> None:
        """Give the graph other sizes and colours."""
        self.graph.retheme(theme)
        self._say(self._frame, self._tell(self._frame))
        self.graph.draw(self._frame)
        self.draw_foot(self._frame)

    def _say(self, frame: TrainFrame, sheet: Sheet | None) -> None:
        epoch = _("Epoch {epoch}").format(epoch=frame.epoch) if len(frame.recorded) else frame.title
        measured = self._measured(frame)
        thinking = sheet is not None and bool(sheet.questions)  # at the end, about no step
        shares = () if thinking or waits(sheet) else self._shares(frame)
        if sheet is None:
            self.left.steps.count_pages(frame.cursor.step, len(frame.recorded))
            lines = (*measured, _sentence(frame, self.sizes.theme))
            self.left.say(Said(epoch, paragraph("<br>".join(filter(None, lines))), "", {}, shares))
            return
        self.left.steps.count_pages(sheet.place, sheet.count)
        said = sheet_html(sheet, lambda text: html_escaped(displayable(text)), self.sizes.theme)
        if not thinking:
            said += paragraph(joined((html_escaped(epoch), *measured)))
        self.left.say(Said(sheet.title, said, sheet.formula, {}, shares, sheet.code))

    def _measured(self, frame: TrainFrame) -> tuple[str, ...]:
        """Return loss and accuracy at the playhead, as HTML."""
        self._curves = curves_of(frame, self._curves)
        curves = self._curves[1]
        loss, accuracy = curves.loss_at(frame.epoch), curves.accuracy_at(frame.epoch)
        told = []
        if loss is not None:
            told.append(_("loss {loss}").format(loss=f"<b>{display_number(loss, 2)}</b>"))
        if accuracy is not None:
            told.append(html_escaped(accuracy_text(accuracy)))
        return tuple(told)

    def _shares(self, frame: TrainFrame) -> tuple[Share, ...]:
        """Return the probabilities of the next word, the likeliest first."""
        try:
            shown = bars(self.sizes.theme, frame)
        except Problem:
            return ()  # the graph says that the step cannot be read
        return tuple(Share(bar.name[:LONGEST], bar.probability, bar.colour) for bar in shown)


def _sentence(frame: TrainFrame, theme: Theme) -> str:
    """Return the sample's words in their colours, as HTML."""
    words = sample_words(theme, frame)
    told = [
        f'<b style="color:{colour.ink}">{html_escaped(word)}</b>'
        for word, colour in zip(words.words, words.colours, strict=True)
    ]
    return " ".join([*told, "→"]) if told else ""
