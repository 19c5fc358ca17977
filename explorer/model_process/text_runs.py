"""One text as a model runs it: with all heads, with some switched, and what that does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorer.models.effects import Followed
from explorer.models.forward import Report
from explorer.models.model_run import ModelRun
from explorer.models.next_token import probabilities
from explorer.models.run import Array
from explorer.models.switches import Switch, switched
from explorer.session.model.switching import ALL_ON, Switches

_KEPT = 64  # ends of runs that are remembered; one takes as much as the vocabulary is long


class TextRuns:
    """The runs of one text.

    Parameters
    ----------
    text : str
    whole : ModelRun
        With all heads.
    seconds : float
        That it took.
    run_second : callable
        Runs a second text, with all heads.
    """

    def __init__(
        self,
        text: str,
        whole: ModelRun,
        seconds: float,
        run_second: Callable[[str], ModelRun],
    ) -> None:
        self.text, self.whole, self.seconds = text, whole, seconds
        self._run_second = run_second
        self._second: tuple[str, ModelRun] | None = None
        self._ends: dict[tuple[Switches, int | None], Array] = {}

    def switched(
        self, switches: Switches, last: object = None, report: Report | None = None
    ) -> ModelRun:
        """Return the run with these switches, made from the first layer on that differs.

        last : the run before, of whatever text. Raises Problem.
        """
        if not switches.puts:
            return self.whole
        whole = self.whole
        if not isinstance(last, ModelRun) or (last.text, last.ids) != (whole.text, whole.ids):
            last = whole
        puts = [Switch(layer + 1, head + 1, put) for layer, head, put in switches.puts]
        return switched(last, puts, other=self._other(switches), report=report)

    def outcome(
        self,
        switches: Switches,
        follows: Followed,
        run: ModelRun | None = None,
        report: Report | None = None,
    ) -> float:
        """Return the followed word's probability, or the cosine to the vector with all heads.

        run : the one with these switches, where it was made already. Raises Problem.
        """
        end = self._end(switches, follows.place, run, report)
        if follows.place is not None:
            return float(end[follows.word])
        base = self._end(ALL_ON, None)
        return float(end @ base / (np.linalg.norm(end) * np.linalg.norm(base)))

    def _end(
        self,
        switches: Switches,
        place: int | None,
        run: ModelRun | None = None,
        report: Report | None = None,
    ) -> Array:
        """Return the probabilities at a place, (V,), or the mean of all tokens' vectors, (d,)."""
        key = switches, place
        if key not in self._ends:
            run = self.switched(switches, report=report) if run is None else run
            if len(self._ends) >= _KEPT:
                del self._ends[next(iter(self._ends))]
            if place is None:
                self._ends[key] = run.hidden.mean(axis=0, dtype=np.float64)
            else:
                self._ends[key] = probabilities(run, place)
        return self._ends[key]

    def _other(self, switches: Switches) -> ModelRun | None:
        text = switches.second
        if not switches.patched or not text.strip():
            return None
        if self._second is None or self._second[0] != text:
            self._second = text, self._run_second(text)
        return self._second[1]
