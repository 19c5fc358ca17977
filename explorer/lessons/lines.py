"""Where in a TOML file a step and a key of it stand; the parser of the language does not tell."""

from __future__ import annotations

import re

_STEP = re.compile(r"\s*\[\[\s*step\s*\]\]")
_QUOTES = re.compile(r'"""|\'\'\'')


class Lines:
    """The lines of a lesson file.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._starts: list[int] = []
        within = ""  # the quotes of a text over several lines
        for place, line in enumerate(self._lines):
            if not within and _STEP.match(line):
                self._starts.append(place)
            for quotes in _QUOTES.findall(line):
                within = "" if within == quotes else within or quotes

    def of_step(self, step: int) -> int:
        """Return the line of a step's heading, counted from 1; the step from 0."""
        return self._starts[step] + 1 if step < len(self._starts) else 1

    def of_key(self, step: int, path: str) -> int:
        """Return the line where the last part of a key such as `task.check` stands in a step."""
        if step >= len(self._starts):
            return 1
        ends = [*self._starts[1:], len(self._lines)]
        wanted = re.sub(r"\[.*?\]", "", path).rpartition(".")[2] or path
        key = re.compile(rf"(?:^|[\s.\[{{,]){re.escape(wanted)}\s*(?:[.=]|\]\s*$)")
        for place in range(self._starts[step], ends[step]):
            if key.search(self._lines[place]):
                return place + 1
        return self.of_step(step)
