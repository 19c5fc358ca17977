"""The one mutable object of Train: the run's parameters, the shown trace, and where one looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypedDict, Unpack

from explorer.session.look import Role, Selection, Stage
from explorer.session.train.frame import Compared, Progress
from explorer.session.train.reading import looking
from explorer.session.train.shown import ShownRuns
from explorer.session.views import TrainCentre


class PlaybackChanges(TypedDict, total=False):
    """What changes of Playback."""

    rate: int
    loop: bool


class TrainLookChanges(TypedDict, total=False):
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
        self._set(playback=replace(self._frame.playback, **changes))

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

    def look_at(self, **changes: Unpack[TrainLookChanges]) -> None:
        """Change what is drawn: fields of TrainLook."""
        self._set(look=replace(self._frame.look, **changes))

    def select(self, selection: Selection | None) -> None:
        """Select a pair of positions of the sample, or nothing."""
        self._set(selection=self._existing(selection))

    def hover(self, selection: Selection | None) -> None:
        """Point at a pair of positions, or at nothing any more."""
        self._set(hover=self._existing(selection))

    def select_word(self, word: int | None) -> None:
        """Select a word of the graph, or none."""
        if word is None or 0 <= word < len(self._frame.vocabulary):
            self._set(word=word)

    def hover_word(self, word: int | None) -> None:
        """Point at a word, or at none any more."""
        if word is None or 0 <= word < len(self._frame.vocabulary):
            self._set(hover_word=word)

    def set_layout(self, layout: Any) -> None:
        """Show where t-SNE puts the words, shape (V, 2); None while that is worked out."""
        self._set(layout=layout)

    # --- what goes on --------------------------------------------------------------------------

    def set_reading(self, reading: bool) -> None:
        """Take note of whether a corpus is being read."""
        self._set(reading=reading)

    def set_devices(self, devices: tuple[str, ...]) -> None:
        """Take note of the devices that were found."""
        self._set(devices=devices)

    def set_pace(self, pace: int | None) -> None:
        """Choose epochs a second, None for full speed."""
        self._set(pace=pace)

    def set_progress(self, progress: Progress) -> None:
        """Take note of how far the run is."""
        self._set(progress=progress)

    # --- inside --------------------------------------------------------------------------------

    def _set(self, **changes: Any) -> None:
        """Replace fields of the frame."""
        before = self._frame
        self._frame = replace(before, **changes)
        self._tell(before)

    def _existing(self, selection: Selection | None) -> Selection | None:
        """Return a selection, or None where it is not within the sample."""
        length = len(self._frame.words)
        return selection if selection is not None and _inside(selection, length) else None


def _inside(selection: Selection, length: int) -> bool:
    return selection.role is Role.A and all(
        place is None or 0 <= place < length for place in (selection.query, selection.key)
    )
