"""The runs of a session: which one is shown, which one beside it, and where one looks in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np

from explorer.attention import Projection
from explorer.session.history import History
from explorer.session.train.chapters import chapters_of
from explorer.session.train.compare import compare
from explorer.session.train.frame import Cursor, Plan, TrainChange, TrainFrame
from explorer.session.train.pair import beside, paired_axes, same_sample
from explorer.session.train.plan_edits import PlanEdits
from explorer.session.train.reading import (
    fitted_basis,
    last_good,
    looking,
    read,
    scalars_of,
    within,
)
from explorer.session.train.runs import RunCard
from explorer.session.views import TrainCentre
from explorer.text import N_, Message, Problem, _
from explorer.traces import SpoolTrace, Trace, read_said
from explorer.traces.basis import MOST_STEPS as MOST_FITTED

_FITTED_LIVE = 64  # steps that the basis of a run in progress is fitted to: it takes a frame's time


MOST_CARDS = 8  # runs that are in the list; each has its file or folder open


class Places(TypedDict, total=False):
    """Where the cursor moves to: what is not named stays. See Cursor."""

    step: int
    sample: int
    layer: int
    head: int | None


class ShownRuns(PlanEdits):
    """The list of runs, the shown one (A) and the one that it is compared with (B)."""

    def __init__(self) -> None:
        super().__init__()
        self._fitted = 0  # how many steps the basis was fitted to
        self._last_key = 0
        self._beside: TrainFrame | None = None  # B, wherever one looks in it

    # --- the trace -----------------------------------------------------------------------------

    def show(
        self,
        trace: Trace,
        title: str,
        *,
        example: bool = False,
        modified: bool = False,
        called: Message | None = None,
    ) -> None:
        """Show another trace from its last step on; a run that is going on is followed.

        Where its last step cannot be shown, the last good one before it is. Raises Problem where
        there is none; what was shown stays. What it cannot be compared with is shown no more.

        called : what its card is called; its title by default
        """
        if isinstance(trace, SpoolTrace):
            trace.refresh()
        known, before = self._card_of(trace), self._frame
        self._frame = replace(
            before,
            **_from_last(trace, before.cursor, live=modified and before.progress.active),
            following_values=None,
            layout=None,
            playback=replace(before.playback, playing=False, between=0.0, following=modified),
            look=replace(before.look, tsne=False, page=_page(before, trace)),
            selection=None,
            hover=None,
            word=None,
            hover_word=None,
            title=title,
            example=example,
            modified=modified,
            spread=(),
        )
        self._fitted = len(self._frame.recorded)
        if known is None:
            unsaved = Message(N_("unsaved run")) if modified else title
            known = self._add(trace, called or unsaved, example=example, modified=modified)
        elif known.trace is not trace:
            cards = self._frame.cards
            fresh = tuple(replace(c, trace=trace) if c is known else c for c in cards)
            self._frame = replace(self._frame, cards=fresh)
        self._frame = replace(self._frame, shown=known.key, hidden=self._frame.hidden - {known.key})
        if self._beside is not None and self._beside.shown == known.key:
            self._beside = None
        try:
            self._pair()
        except Problem:  # B has no word in common with it
            self._beside = None
            self._pair()
        self._tell(before, TrainChange.ALL)

    def show_run(self, key: int) -> None:
        """Show the run of a card as A, at the same epoch and sentence; B shown as A changes place.

        Raises Problem where it cannot be read.
        """
        before = self._frame
        card = before.card(key)
        if card is None or key == before.shown:
            return
        other, epoch, sample = before.shown, before.epoch, before.cursor.sample
        swaps = before.other is not None and before.other.shown == key
        found = None if before.trace is None else same_sample(before.trace, sample, card.trace)
        self.show(
            card.trace,
            _("unsaved run") if card.modified else str(card.title),
            example=card.example,
            modified=card.modified,
        )
        self.go_to_epoch(epoch)
        self.go(sample=found or 0)
        if swaps:
            self.compare(other)

    def compare(self, key: int | None) -> None:
        """Compare A with the run of a card, B; None with nothing any more.

        Raises Problem where the two have no word in common, or B cannot be read.
        """
        before = self._frame
        card = None if key is None else before.card(key)
        if before.trace is None or (card is not None and card.key == before.shown):
            return
        live = card is not None and card.modified and before.progress.active
        self._beside = None if card is None else _beside(card, live=live)
        try:
            self._pair()
        except Problem:
            self._beside = None
            self._pair()
            raise
        if card is not None:
            look = replace(self._frame.look, tsne=False)
            self._frame = replace(self._frame, look=look)
        self._tell(before)

    def compare_with(self, trace: Trace, title: str) -> None:
        """Compare A with a run that may not be in the list yet, B. Raises Problem as `compare`."""
        known = self._card_of(trace)
        if known is None or known.key in self._frame.hidden:
            known = self._add(trace, title, beside=True)
        self.compare(known.key)

    def add_fork(self, trace: Trace, title: str | Message, parent: int) -> None:
        """Take a fork that is being recorded, and compare its parent, A, with it; one undo entry.

        Raises Problem where it cannot be read.
        """
        before = self._frame
        if parent != before.shown:
            self.show_run(parent)
        card = self._add(trace, title, modified=True, parent=parent)
        plan = self._frame.plan
        without = replace(plan, hidden=plan.hidden | {card.key})
        name = Message(N_("fork at epoch {epoch}"), {"epoch": int(trace.epochs[0])})
        self._history = self._history.push(name, without, plan)
        self.compare(card.key)
        self._tell(before, TrainChange.DOCUMENT)

    def _card_of(self, trace: Trace) -> RunCard | None:
        """Return the card of the run that a trace is of, also of a deleted one."""
        place = _place(trace)
        return next((card for card in self._frame.cards if _place(card.trace) == place), None)

    def _add(
        self,
        trace: Trace,
        title: str | Message,
        *,
        example: bool = False,
        modified: bool = False,
        parent: int | None = None,
        beside: bool = False,
    ) -> RunCard:
        """Return a new card, which stands behind the others.

        An example alone gives way to it, unless it is to be compared with that.
        """
        frame = self._frame
        self._last_key += 1
        fork = trace.run.fork
        if parent is None and fork is not None and fork.parent:
            known = (card.key for card in frame.runs if card.trace.run.id == fork.parent)
            parent = next(known, None)
        said = read_said(trace.metadata)
        card = RunCard(self._last_key, trace, title, example, modified, parent, said)
        cards = frame.cards
        alone = len(cards) == 1 and cards[0].example
        if alone and parent is None and not frame.fork and not beside:
            cards = ()
        cards = (*cards, card)
        if len([each for each in cards if each.key not in frame.hidden]) > MOST_CARDS:
            # It stays among the runs that are not saved, or in its file.
            kept = (frame.shown, 0 if self._beside is None else self._beside.shown)
            oldest = next(
                each for each in cards if each.key not in kept and each.key not in frame.hidden
            )
            cards = tuple(each for each in cards if each is not oldest)
        self._frame = replace(frame, cards=cards)
        return card

    def _pair(self) -> None:
        """Work out the axes in which A is shown, and B beside it. Raises Problem."""
        frame, other = self._frame, self._beside
        if frame.trace is None:
            return
        mine = frame.own_basis
        spread: tuple[tuple[Trace, Projection], ...] = ()
        if other is not None:
            assert other.trace is not None
            mine, theirs = paired_axes(frame.trace, other.trace, mine, other.own_basis)
            self._beside = other = replace(other, basis=theirs)
            second = other.trace
            if mine is not None and theirs is not None and second is not None:
                spread = ((frame.trace, mine), (second, theirs))
            self._beside = other = replace(other, spread=spread)
        fresh = replace(frame, basis=mine, spread=spread)
        self._frame = looking(fresh, frame, frame.cursor, frame.playback)

    def refresh_other(self, *, ended: bool = False) -> None:
        """Take in what was recorded of B since; the cursor goes along while it follows."""
        before, other = self._frame, self._beside
        if other is None or not isinstance(other.trace, SpoolTrace):
            return
        if not (other.trace.refresh() or ended):
            return
        trace = other.trace
        scalars = scalars_of(trace)
        self._beside = replace(
            other,
            recorded=np.array(trace.epochs),
            scalars=scalars,
            chapters=chapters_of(trace, scalars, heads=ended),
        )
        if ended:
            basis, last = fitted_basis(trace, other.own_basis), _last_epoch(trace, live=False)
            self._beside = replace(self._beside, own_basis=basis, last_epoch=last)
            self._pair()
        if before.playback.following:
            epoch = int(trace.epochs[-1])
            step = max(0, int(np.searchsorted(before.recorded, epoch, side="right")) - 1)
            cursor = replace(before.cursor, step=step)
            self._frame = looking(self._frame, before, cursor, before.playback)
        self._tell(before, TrainChange.RECORDED)

    def refresh(self, *, ended: bool = False) -> None:
        """Take in what was recorded since; the cursor goes along while it follows.

        The basis is fitted anew where twice as many steps are recorded, and at the end of a run.
        """
        before = self._frame
        trace = before.trace
        if not isinstance(trace, SpoolTrace) or not (trace.refresh() or ended):
            return
        recorded = np.array(trace.epochs)
        if not len(recorded):
            return
        basis, own = before.basis, before.own_basis
        if basis is None or len(recorded) >= 2 * self._fitted or ended:
            most = MOST_FITTED if ended else _FITTED_LIVE
            basis = own = fitted_basis(trace, before.own_basis, most, live=not ended)
            self._fitted = len(recorded)
        cursor = before.cursor
        if before.playback.following or before.values is None:
            cursor = replace(cursor, step=len(recorded) - 1)
        scalars = scalars_of(trace)
        fresh = replace(
            before,
            recorded=recorded,
            basis=basis,
            own_basis=own,
            scalars=scalars,
            chapters=chapters_of(trace, scalars, heads=ended),
            last_epoch=_last_epoch(trace, live=not ended),
        )
        self._frame = looking(fresh, before, cursor, before.playback)
        if self._beside is not None:
            if own is not before.own_basis:
                self._pair()
            else:
                self._frame = replace(self._frame, basis=before.basis)
        self._tell(before, TrainChange.RECORDED)

    def mark_saved(self, trace: Trace, title: str) -> None:
        """Go on with the file that the shown run was saved in."""
        before = self._frame
        fresh = replace(before, trace=trace, title=title, example=False, modified=False)
        cards = tuple(
            replace(card, trace=trace, title=title, modified=False, example=False)
            if card.key == before.shown
            else card
            for card in before.cards
        )
        self._frame = replace(
            fresh,
            values=read(trace, fresh.cursor, fresh.basis),
            following_values=None,
            cards=cards,
        )
        self._pair()
        self._tell(before, TrainChange.DOCUMENT)

    # --- where one looks and what is edited ---

    def go(self, *, scrubbing: bool = False, **places: Unpack[Places]) -> None:
        """Move the cursor: step, sample, layer, head. A step stops following and playing."""
        before = self._frame
        if before.trace is None:
            return
        cursor = within(replace(before.cursor, **places), before.trace, len(before.recorded))
        playback = before.playback
        if "step" in places:
            playback = replace(
                playback, following=False, playing=False, scrubbing=scrubbing, between=0.0
            )
        fresh = before
        if cursor.sample != before.cursor.sample:
            fresh = replace(fresh, selection=None, hover=None)
        self._frame = looking(fresh, before, cursor, playback)
        self._tell(before)

    def go_to_epoch(self, epoch: float, *, scrubbing: bool = False) -> None:
        """Show the recorded step nearest to an epoch."""
        if len(self._frame.recorded):
            step = int(np.abs(self._frame.recorded - epoch).argmin())
            self.go(step=step, scrubbing=scrubbing)

    def _turn(self, history: History[Plan], plan: Plan) -> None:
        before = self._frame
        self._history, self._frame = history, before.with_plan(plan)
        self._leave_hidden()
        self._tell(before, TrainChange.DOCUMENT)

    def _leave_hidden(self) -> None:
        """Show another run where the one that is shown was deleted."""
        frame = self._frame
        if self._beside is not None and frame.card(self._beside.shown) is None:
            self.compare(None)
        gone = next((card for card in frame.cards if card.key == frame.shown), None)
        if gone is not None and gone.key in frame.hidden and frame.runs:
            parent = None if gone.parent is None else frame.card(gone.parent)
            self.show_run((parent or frame.runs[-1]).key)

    def _tell(self, before: TrainFrame, more: TrainChange | None = None) -> None:
        other = self._beside
        if other is not None:
            other = self._beside = beside(self._frame, other)
        if other is not self._frame.other:
            self._frame = replace(self._frame, other=other)
        change = compare(before, self._frame) | (more or TrainChange(0))
        if change:
            self.changed.emit(change)


def _from_last(trace: Trace, cursor: Cursor, *, live: bool = False) -> dict[str, Any]:
    """Return what a frame has of a trace, from its last good step on. Raises Problem.

    live : whether the run is going on
    """
    recorded, scalars = np.array(trace.epochs), scalars_of(trace)
    basis = trace.basis or fitted_basis(trace, None, live=live)
    cursor = within(replace(cursor, sample=0, step=len(recorded) - 1), trace)
    values, bad = last_good(trace, cursor, basis) if len(recorded) else (None, None)
    return {
        "trace": trace,
        "recorded": recorded,
        "cursor": cursor,
        "values": values,
        "bad": bad,
        "basis": basis,
        "own_basis": basis,
        "scalars": scalars,
        "chapters": chapters_of(trace, scalars) if len(recorded) else (),
        "last_epoch": _last_epoch(trace, live=live),
    }


def _last_epoch(trace: Trace, *, live: bool) -> int:
    """Return the epoch that a run goes to: as planned while it goes on, else where it ended."""
    recorded, config = trace.epochs, trace.run.config
    if live and config is not None:
        return config.epochs
    return int(recorded[-1]) if len(recorded) else 0


def _beside(card: RunCard, *, live: bool) -> TrainFrame:
    """Return the run of a card as a frame of its own, at its last step. Raises Problem."""
    return TrainFrame(
        **_from_last(card.trace, Cursor(), live=live),
        title=str(card.title),
        modified=card.modified,
        shown=card.key,
    )


def _page(before: TrainFrame, trace: Trace) -> TrainCentre:
    """Return the page that a trace is first shown on: not the graph where words have no place."""
    page = before.look.page
    placed = "param.embedding" in trace.names
    return page if placed or page is not TrainCentre.GRAPH else TrainCentre.MATRICES


def _place(trace: Trace) -> object:
    """Return what tells whether two traces are of one run: the file or folder, else the trace."""
    return getattr(trace, "folder", None) or getattr(trace, "path", None) or id(trace)
