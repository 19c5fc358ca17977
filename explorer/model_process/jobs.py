"""What the model's process works out while nothing else is asked of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from explorer.model_process.messages import (
    AskEffects,
    AskOutcomes,
    HeadEffects,
    Outcomes,
)
from explorer.model_process.text_runs import TextRuns
from explorer.models.effects import Effects

_TELL_EVERY = 0.05  # seconds


class OutcomesJob:
    """Tells what is followed with each of some switches."""

    def __init__(self, asked: AskOutcomes, runs: TextRuns) -> None:
        self.asked, self.runs = asked, runs
        self._left = list(asked.switches)

    def go_on(self, tell: Callable[[Outcomes], object], check: Callable[[], None]) -> bool:
        """Tell the next one; return whether that was all. What `check` raises changes nothing."""
        if self._left:
            each = self._left[0]
            value = self.runs.outcome(each, self.asked.follows, report=lambda _layer: check())
            self._left.pop(0)
            tell(Outcomes(self.runs.text, self.asked, {each: value}, not self._left))
        return not self._left


class EffectsJob:
    """Tells what each head alone does, those first that seem to matter."""

    def __init__(self, asked: AskEffects, runs: TextRuns) -> None:
        self.asked, self.runs = asked, runs
        self._effects: Effects | None = None
        self._left: list[tuple[int, int]] = []

    def go_on(self, tell: Callable[[HeadEffects], object], check: Callable[[], None]) -> bool:
        """Tell some heads; return whether these were the last. What `check` raises loses none."""
        if self._effects is None:
            self._effects = Effects(self.runs.whole, self.asked.follows, lambda _layer: check())
            self._left = list(self._effects.order)
        begun, effects = time.monotonic(), self._effects
        found: list[tuple[int, int, float]] = []
        try:
            while self._left and time.monotonic() - begun < _TELL_EVERY:
                check()
                found.append((*self._left[0], effects.of(*self._left[0]).change))
                self._left.pop(0)
        finally:
            if found:
                told = self.runs.text, self.asked.follows, effects.before, tuple(found)
                tell(HeadEffects(*told, not self._left))
        return not self._left
