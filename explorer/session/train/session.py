"""The one mutable object of Train: the run's parameters, the shown trace, and where one looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from explorer.session.look import Role, Selection, Stage
from explorer.session.train.frame import (
    Compared,
    Plan,
    Progress,
)
from explorer.session.train.reading import (
    looking,
)
from explorer.session.train.shown import ShownRuns
from explorer.session.views import TrainCentre
from explorer.text import Message, Problem
from explorer.traces import (
    LABELS,
    SPLITTING_LABELS,
    Config,
    Corpus,
    Splitting,
    parse_samples,
    samples_text,
)

_SAMPLES = "samples"  # what problems with it are kept under


class PlaybackChanges(TypedDict, total=False):
    """What changes of Playback."""

    rate: int
    loop: bool


class LookChanges(TypedDict, total=False):
    """What changes of TrainLook."""

    stage: Stage
    page: TrainCentre
    threshold: float
    tsne: bool
    numbers_open: bool
    more_open: bool
    compared: Compared
    next_run: bool
    measure: str | None
    veiled: bool
    others: bool | None


class _Pointed(TypedDict, total=False):
    selection: Selection | None
    hover: Selection | None


class TrainSession(ShownRuns):
    """What the user is doing in Train, and the only place where it changes.

    Every method that changes something emits `changed` once, with the kinds of data that changed.
    """

    # --- where one looks -----------------------------------------------------------------------

    def follow(self) -> None:
        """Stay at the newest step from now on."""
        before = self._frame
        playback = replace(before.playback, following=True, playing=False, between=0.0)
        cursor = replace(before.cursor, step=max(0, len(before.recorded) - 1))
        self._frame = looking(before, before, cursor, playback)
        self._tell(before)

    def play(self, play: bool) -> None:
        """Play from the cursor, from the start where it is at the end; or stop."""
        before = self._frame
        cursor = before.cursor
        if play and cursor.step >= len(before.recorded) - 1:
            cursor = replace(cursor, step=0)
        playback = replace(
            before.playback,
            playing=play and len(before.recorded) > 1,
            following=False,
            between=0.0,
        )
        self._frame = looking(before, before, cursor, playback)
        self._tell(before)

    def set_playback(self, **changes: Unpack[PlaybackChanges]) -> None:
        """Change rate or loop."""
        before = self._frame
        self._frame = replace(before, playback=replace(before.playback, **changes))
        self._tell(before)

    def advance(self, seconds: float, *, motion: bool = True) -> None:
        """Play on by so much time; positions move between steps unless there is to be no motion."""
        before = self._frame
        playback, last = before.playback, len(before.recorded) - 1
        if not playback.playing:
            return
        # Without motion the share still counts the time; it is just not drawn by anybody.
        at = before.cursor.step + playback.between + seconds * playback.rate
        if at >= last and playback.loop:
            at %= last
        if at >= last:
            at, playback = float(last), replace(playback, playing=False)
        step = int(at)
        share = at - step
        self._frame = looking(
            before, before, replace(before.cursor, step=step), replace(playback, between=share)
        )
        if not motion:
            self._frame = replace(self._frame, following_values=None)
        self._tell(before)

    def look_at(self, **changes: Unpack[LookChanges]) -> None:
        """Change what is drawn: fields of TrainLook."""
        before = self._frame
        self._frame = replace(before, look=replace(before.look, **changes))
        self._tell(before)

    def select(self, selection: Selection | None) -> None:
        """Select a pair of positions of the sample, or nothing."""
        self._point(selection=self._existing(selection))

    def hover(self, selection: Selection | None) -> None:
        """Point at a pair of positions, or at nothing any more."""
        self._point(hover=self._existing(selection))

    def select_word(self, word: int | None) -> None:
        """Select a word of the graph, or none."""
        before = self._frame
        if word is not None and not 0 <= word < len(before.vocabulary):
            return
        self._frame = replace(before, word=word)
        self._tell(before)

    def hover_word(self, word: int | None) -> None:
        """Point at a word, or at none any more."""
        before = self._frame
        if word is not None and not 0 <= word < len(before.vocabulary):
            return
        self._frame = replace(before, hover_word=word)
        self._tell(before)

    def set_layout(self, layout: Any) -> None:
        """Show where t-SNE puts the words, shape (V, 2); None while that is worked out."""
        before = self._frame
        self._frame = replace(before, layout=layout)
        self._tell(before)

    # --- the next run --------------------------------------------------------------------------

    def set_config(
        self,
        name: Message,
        config: Config,
        problems: Mapping[str, tuple[str, Message]] | None = None,
    ) -> None:
        """Replace the parameters, and those values that cannot be, as one undo entry."""
        kept = {key: told for key, told in self._frame.problems.items() if key not in LABELS}
        problems = kept | dict(problems or {})
        self._plan(name, replace(self._frame.plan, config=config, problems=problems))

    def set_samples(self, name: Message, text: str) -> None:
        """Pick the sentences that are recorded, as `parse_samples` takes them; one undo entry.

        Where that cannot be, `problems` keeps what was typed and tells why.
        """
        self._plan(name, _picked(self._frame.plan, text))

    def set_corpus(
        self,
        name: Message,
        text: str,
        corpus: Corpus | None,
        problem: tuple[int | None, Message] | None,
        *,
        splitting: Splitting,
    ) -> None:
        """Replace the corpus text, as one undo entry.

        Where it cannot be, `corpus` is None and the last one stays. Sentences that were picked to
        be recorded, and are not there any more, become a problem.
        """
        before = self._frame.plan
        typed, _message = before.problems.get(_SAMPLES, (samples_text(before.samples), None))
        plan = replace(
            before,
            corpus_text=text,
            corpus=corpus or before.corpus,
            corpus_problem=problem,
            splitting=splitting,
            problems={
                key: told for key, told in before.problems.items() if key not in SPLITTING_LABELS
            },
        )
        self._plan(name, _picked(plan, typed))

    def set_splitting_problem(self, name: Message, field: str, text: str, why: Message) -> None:
        """Keep what was typed for a field of the splitting, and why it cannot be; one undo entry.

        The corpus stays as it is.
        """
        plan = self._frame.plan
        self._plan(name, replace(plan, problems={**plan.problems, field: (text, why)}))

    def set_reading(self, reading: bool) -> None:
        """Take note of whether a corpus is being read."""
        before = self._frame
        self._frame = replace(before, reading=reading)
        self._tell(before)

    def set_devices(self, devices: tuple[str, ...]) -> None:
        """Take note of the devices that were found."""
        before = self._frame
        self._frame = replace(before, devices=devices)
        self._tell(before)

    def set_pace(self, pace: int | None) -> None:
        """Choose epochs a second, None for full speed."""
        before = self._frame
        self._frame = replace(before, pace=pace)
        self._tell(before)

    def set_progress(self, progress: Progress) -> None:
        """Take note of how far the run is."""
        before = self._frame
        self._frame = replace(before, progress=progress)
        self._tell(before)

    # --- inside --------------------------------------------------------------------------------

    def _point(self, **changes: Unpack[_Pointed]) -> None:
        before = self._frame
        self._frame = replace(before, **changes)
        self._tell(before)

    def _existing(self, selection: Selection | None) -> Selection | None:
        """Return a selection, or None where it is not within the sample."""
        length = len(self._frame.words)
        return selection if selection is not None and _inside(selection, length) else None


def _picked(plan: Plan, text: str) -> Plan:
    """Return a plan with the samples that were typed, or with the problem that they are."""
    problems = {key: told for key, told in plan.problems.items() if key != _SAMPLES}
    try:
        samples = None if plan.corpus is None else parse_samples(text, plan.corpus)
    except Problem as problem:
        problems[_SAMPLES] = (text, problem.message)
        samples = None
    return replace(plan, problems=problems, samples=samples)


def _inside(selection: Selection, length: int) -> bool:
    return selection.role is Role.A and all(
        place is None or 0 <= place < length for place in (selection.query, selection.key)
    )
