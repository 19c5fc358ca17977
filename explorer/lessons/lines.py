"""Where in a TOML file a step and a key of it stand; the parser of the language does not tell."""

from __future__ import annotations

import re

_STEP = re.compile(r"\s*\[\[\s*([\"']?)step\1\s*\]\]")
_QUOTED = re.compile(r"""\"{3}|'{3}|"(?:\\.|[^"\\])*"|'[^']*'|#.*""")
_LONG = ('"""', "'''")


class Lines:
    """The lines of a lesson file.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts: list[int] = []
        within = ""  # the quotes of a text over several lines
        for place, line in enumerate(self._lines):
            if not within and _STEP.match(line):
                self._starts.append(place)
            within = _open_quotes(line, within)

    def of_step(self, step: int) -> int:
        """Return the line of a step's heading, counted from 1; the step from 0."""
        return self._starts[step] + 1 if step < len(self._starts) else 1

    def of_top(self, name: str) -> int:
        """Return the line where a key that is no step's stands first; 1 where that is unclear."""
        key = re.compile(rf"\s*\[*{re.escape(name)}\s*[.=\]]")
        return next((at for at, line in enumerate(self._lines, 1) if key.match(line)), 1)

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


def _open_quotes(line: str, within: str) -> str:
    """Return the quotes that are open after a line; `within` are those open before it."""
    while True:
        if within:
            _text, closed, line = line.partition(within)
            if not closed:
                return within
            within = ""
        found = _QUOTED.search(line)
        if found is None:
            return ""
        line = line[found.end() :]
        within = found[0] if found[0] in _LONG else ""
