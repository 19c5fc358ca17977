"""The one mutable object of Sweep: the draft with its history, and what is shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from explorer.rooms.sweep.shown import Draft, Shown, SweepChange, SweepFrame
from explorer.session import Listeners
from explorer.session.history import History, Undoable
from explorer.sweeps.plan import Contradictory, Plan, made_plan
from explorer.text import N_, Message, Problem
from explorer.traces import Config, Corpus

USUAL = (("learning_rate", (0.0005, 0.0015, 0.006)), ("heads", (1, 2, 4)))
_DRAFT = ("draft", "config", "corpus", "plan", "wrong", "contradictory", "seconds", "reached")
_KINDS: Mapping[str, SweepChange] = {
    **dict.fromkeys((*_DRAFT, "typed"), SweepChange.DRAFT),
    **dict.fromkeys(("state", "progress", "title"), SweepChange.STATE),
    "shown": SweepChange.RESULTS,
    "selected": SweepChange.SELECTION,
}


class SweepSession(Undoable[Draft]):
    """What the user is doing in Sweep, and the only place where it changes.

    Every method that changes something emits `changed` once, with the kinds of data that changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.changed = Listeners()
        self._frame = SweepFrame(Draft(USUAL, workers=os.cpu_count() or 1), Config())

    @property
    def frame(self) -> SweepFrame:
        """What is shown now."""
        return self._frame

    def set_base(self, config: Config, corpus: Corpus | None) -> None:
        """Take what Run is asked to be."""
        if (config, corpus) != (self._frame.config, self._frame.corpus):
            self._tell(_planned(replace(self._frame, config=config, corpus=corpus)))

    def edit(self, name: Message, draft: Draft, merge: str | None = None) -> None:
        """Replace the draft, as one undo entry."""
        before = self._frame
        if draft != before.draft:
            self._history = self._history.push(name, before.draft, draft, merge)
        self._tell(_planned(replace(before, draft=draft, typed=None)))

    def change(self, **changes: Any) -> None:
        """Replace fields of the frame that no draft follows from."""
        self._tell(replace(self._frame, **changes))

    def show(self, shown: Shown | None, title: str) -> None:
        """Show a sweep, or the draft (None); nothing of it is selected."""
        self._tell(replace(self._frame, shown=shown, title=title, selected=None, progress=None))

    def _turn(self, history: History[Draft], value: Draft) -> None:
        self._history = history
        self._tell(_planned(replace(self._frame, draft=value, typed=None)))

    def _tell(self, frame: SweepFrame) -> None:
        before, self._frame = self._frame, frame
        change = SweepChange(0)
        for field, kind in _KINDS.items():
            if getattr(before, field) is not getattr(frame, field):
                change |= kind
        if change:
            self.changed.emit(change)


def _planned(frame: SweepFrame) -> SweepFrame:
    """Return a frame with the plan of its draft, or why it cannot be."""
    plan: Plan | None = None
    wrong: Message | None = None
    contradictory = False
    draft = frame.draft
    try:
        if frame.corpus is None:
            raise Problem(N_("The corpus in Run is not valid: change it first."))
        if draft.last < draft.first:
            raise Problem(N_("The last seed must not be less than the first."))
        seeds = range(draft.first, draft.last + 1)
        plan = made_plan(frame.config, draft.fields, seeds, frame.corpus, leave_out=draft.leave_out)
        contradictory = bool(plan.contradictions)
    except Problem as problem:
        wrong = problem.message
        contradictory = isinstance(problem, Contradictory)
    if frame.plan is not None and plan == frame.plan:
        plan = frame.plan
    seconds = frame.seconds if plan is frame.plan else None
    return replace(frame, plan=plan, wrong=wrong, contradictory=contradictory, seconds=seconds)
