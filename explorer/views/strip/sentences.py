"""What the strip says: the selected thing spelled out, as values.

Every result comes from `breakdown` and `breakdown_output`; inputs come from the scene.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.attention import Breakdown, breakdown_output
from explorer.session import Frame, Role, Selection, Space
from explorer.text import _, display_number, ngettext
from explorer.views.runs import Chip, Marker, Place, Runs, Text, TokenInk, spliced
from explorer.views.strip.points import PointTeller
from explorer.views.strip.section import (
    DROP_ADDS,
    DROP_SCALE,
    DROP_SOFTMAX,
    Section,
    Terms,
)
from explorer.views.strip.teller import BEFORE_CHIP, EQUALS, Teller
from explorer.views.strip.words import caption, counted, divided_by, named, number, vector


def sentences(frame: Frame, letters: int = 24, entries: int = 4) -> tuple[Section, ...]:
    """Return what is said about the frame's selection.

    Parameters
    ----------
    letters : int
        Longer token names are cut to this many letters.
    entries : int
        Of longer vectors only so many entries are spelled out.
    """
    selection = frame.selection
    if selection is None:
        return (Section((), (Text(_("Choose a cell, a token or an edge"), "ink2"),)),)
    sums, points = _SumTeller(frame, letters, entries), PointTeller(frame, letters, entries)
    if selection.in_weights:
        sections = points.weight_entry(selection)
    elif selection.query is None:
        sections = points.key_or_value(selection)
    elif selection.key is not None:
        sections = sums.pair(selection.query, selection.key)
    elif selection.role is Role.X and selection.column is not None:
        sections = points.input_cell(selection.query, selection.column)
    elif selection.role is Role.Q:
        sections = points.query(selection.query, selection.column)
    elif selection.role is Role.O and selection.column is not None:
        sections = sums.output_cell(selection.query, selection.column)
    else:
        space = Space.X if selection.role is Role.X else Space.O
        sections = sums.output_row(selection.query, space)
    return _held(sections) if frame.held else sections


def _held(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return the sections with a word that their numbers are the last valid ones."""
    place = next(i for i, section in enumerate(sections) if section.drop == 0)
    said = (*sections[place].caption, Text("  "), Text(_("held"), "err", 500))
    return (*sections[:place], replace(sections[place], caption=said), *sections[place + 1 :])


class _SumTeller(Teller):
    """Says how a weight and an output come about."""

    def pair(self, query: int, key: int) -> tuple[Section, ...]:
        """How much a query attends to a key, and why."""
        q, k = TokenInk(query), TokenInk(key, key=True)
        arrow = Text("  →  ", "ctl")
        selected = self.selected(
            Marker(Space.Q, q), self.name(q), arrow, Marker(Space.K, k), self.name(k)
        )
        parts = self.breakdown(query, key)
        if parts.masked:
            said = spliced(
                _("{query} may not attend to {key}"),
                "ink2",
                query=(self.name(q),),
                key=(self.name(k),),
            )
            return selected, Section(caption(_("Masked")), said)
        unscaled = self.frame.scene.options.scale == "none"
        chip_scaled = self.frame.look.scaled and not unscaled
        sections = [selected, self._dot_product(parts, q, k, chip=not chip_scaled)]
        if not unscaled:
            sections.append(self._scaling(parts, q, k, chip=chip_scaled))
        return *sections, self._softmax(parts, q, k), self._adds(parts, q, k)

    def output_row(self, query: int, space: Space) -> tuple[Section, ...]:
        """A token's output as the weighted sum of the values."""
        token = TokenInk(query)
        columns = self.output_columns(query)

        def term(key: int) -> Runs:
            ink = TokenInk(key, key=True)
            value = vector(
                lambda c: columns(c).values[key],
                self.attention.d_v,
                3,
                2,
                ink,
                500,
                entries=self.entries,
            )
            return self.weight_chip(columns(0).weights[key], query, key), *value

        role = _("token") if space is Space.X else _("output")
        selected = self.selected(Marker(space, token), self.name(token), Text(f"  {role}", "ink2"))
        total = self.output(columns)
        return selected, self._weighted_sum(query, self.named("o", token), term, total)

    def output_cell(self, query: int, column: int) -> tuple[Section, ...]:
        """One number of a token's output as a weighted sum of numbers."""
        token = TokenInk(query)
        parts = breakdown_output(self.attention, query, column, self.head)

        def term(key: int) -> Runs:
            value = Text(number(parts.values[key], 3, 2), TokenInk(key, key=True), 500)
            return self.weight_chip(parts.weights[key], query, key), Text("× ", "ink2"), value

        place = _("output, column {column}").format(column=column + 1)
        selected = self.selected(
            Marker(Space.O, token), self.name(token), Text(f"  {place}", "ink2")
        )
        output = (*self.named("o", token), Text(f"[{column + 1}]", token, 500))
        total = (Text(display_number(parts.total, 3), weight=600),)
        return selected, self._weighted_sum(query, output, term, total)

    def _dot_product(self, parts: Breakdown, q: TokenInk, k: TokenInk, *, chip: bool) -> Section:
        def term(i: int) -> Runs:
            return (
                Text(number(parts.q[i], 3, 1), q, 500),
                Text(" × ", "ink2"),
                Text(number(parts.k[i], 3, 1), k, 500),
            )

        before = (*self.named("q", q), Text(" · "), *self.named("k", k), EQUALS)
        after = self._score(parts.raw, q, k, chip=chip)
        return Section(caption(_("Dot product")), before, Terms(len(parts.q), term), after)

    def _scaling(self, parts: Breakdown, q: TokenInk, k: TokenInk, *, chip: bool) -> Section:
        line = (Text(divided_by(self.frame)), *self._score(parts.score, q, k, chip=chip))
        return Section(caption(_("Scale")), line, drop=DROP_SCALE)

    def _score(self, value: float, q: TokenInk, k: TokenInk, *, chip: bool) -> Runs:
        """`= score`: a chip where the scores table shows just this number."""
        text = number(value, 3, 2)
        if chip:
            return BEFORE_CHIP, Chip(text, value, Selection(Role.S, q.token, k.token))
        return EQUALS, Text(text, weight=600)

    def _softmax(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        exponent = number(parts.score, 3, 2)
        if parts.shift:
            sign = "−" if parts.shift > 0 else "+"
            exponent += f" {sign} {number(abs(parts.shift), 3, 2)}"
        line = (
            Text("e"),
            Text(exponent, place=Place.SUPER),
            Text(f" ÷ {display_number(parts.row_sum, 3)}"),
            BEFORE_CHIP,
            self.weight_chip(parts.weight, q.token, k.token),
        )
        return Section(caption(_("Softmax")), line, drop=DROP_SOFTMAX)

    def _adds(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        output = named("o", self.cut(q), "ink3", 400)
        line = (
            Text(f"{display_number(parts.weight, 3)} × "),
            *self.named("v", k),
            EQUALS,
            *vector(parts.adds.__getitem__, len(parts.adds), 3, 3, entries=self.entries),
        )
        return Section(spliced(_("Adds to {output}"), "ink3", output=output), line, drop=DROP_ADDS)

    def _weighted_sum(
        self, query: int, output: Runs, term: Callable[[int], Runs], total: Runs
    ) -> Section:
        mask = self.attention.mask
        keys: NDArray[np.intp] = (
            np.arange(self.attention.keys) if mask is None else np.flatnonzero(mask[query])
        )
        count = len(keys)
        if count == 0:
            said = _("Every key is masked, so nothing is added")
            return Section(caption(said), (*output, EQUALS, *total))
        if count == self.attention.keys:
            said = ngettext("The one value", "Weighted sum of the {count} values", count)
        else:
            said = ngettext(
                "The one value it may attend to",
                "Weighted sum of the {count} values it may attend to",
                count,
            )
        terms = Terms(count, lambda place: term(int(keys[place])))
        return Section(
            caption(said.format(count=counted(count))),
            (*output, BEFORE_CHIP),
            terms,
            (EQUALS, *total),
        )
