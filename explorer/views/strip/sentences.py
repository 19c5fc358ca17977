"""What the strip says: the selected thing spelled out, as values.

Every result comes from `breakdown` and `breakdown_output`; inputs come from the scene.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.attention import Breakdown, OutputBreakdown, breakdown, breakdown_output
from explorer.session import ROLE_OF_MATRIX, Array, Frame, Role, Selection, Space
from explorer.text import _, display_number, displayable, ngettext
from explorer.views.runs import Chip, Marker, Place, Run, Runs, Text, TokenInk, spliced
from explorer.views.strip.section import (
    DROP_ADDS,
    DROP_SCALE,
    DROP_SELECTED,
    DROP_SOFTMAX,
    Section,
    Terms,
)
from explorer.views.strip.words import caption, counted, divided_by, named, number, vector

_MATRIX_OF_ROLE = {role: matrix for matrix, role in ROLE_OF_MATRIX.items()}
_EQUALS = Text("  =  ")
_BEFORE_CHIP = Text("  = ")  # a chip brings its own margin
_SELECTED_WIDTH = 204  # the first column ends where the left panel does


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
    teller = _Teller(frame, letters, entries)
    if selection.in_weights:
        sections = teller.weight_entry(selection)
    elif selection.query is None:
        sections = teller.key_or_value(selection)
    elif selection.key is not None:
        sections = teller.pair(selection.query, selection.key)
    elif selection.role is Role.X and selection.column is not None:
        sections = teller.input_cell(selection.query, selection.column)
    elif selection.role is Role.Q:
        sections = teller.query(selection.query, selection.column)
    elif selection.role is Role.O and selection.column is not None:
        sections = teller.output_cell(selection.query, selection.column)
    else:
        sections = teller.output_row(
            selection.query, Space.X if selection.role is Role.X else Space.O
        )
    return _held(sections) if frame.held else sections


def _held(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return the sections with a word that their numbers are the last valid ones."""
    place = next(i for i, section in enumerate(sections) if section.drop == 0)
    said = (*sections[place].caption, Text("  "), Text(_("held"), "err", 500))
    return (*sections[:place], replace(sections[place], caption=said), *sections[place + 1 :])


class _Teller:
    """Says things about one frame."""

    def __init__(self, frame: Frame, letters: int, entries: int) -> None:
        self.frame = frame
        self.attention = frame.attention
        self.head = frame.look.head
        self.letters = letters
        self.entries = entries

    # --- the sentences -------------------------------------------------------------------------

    def pair(self, query: int, key: int) -> tuple[Section, ...]:
        """How much a query attends to a key, and why."""
        q, k = TokenInk(query), TokenInk(key, key=True)
        arrow = Text("  →  ", "ctl")
        selected = self._selected(
            Marker(Space.Q, q), self._name(q), arrow, Marker(Space.K, k), self._name(k)
        )
        parts = self._breakdown(query, key)
        if parts.masked:
            said = spliced(
                _("{query} may not attend to {key}"),
                "ink2",
                query=(self._name(q),),
                key=(self._name(k),),
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
        columns = self._output_columns(query)

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
            return self._weight_chip(columns(0).weights[key], query, key), *value

        role = _("token") if space is Space.X else _("output")
        selected = self._selected(
            Marker(space, token), self._name(token), Text(f"  {role}", "ink2")
        )
        total = self._output(columns)
        return selected, self._weighted_sum(query, self._named("o", token), term, total)

    def output_cell(self, query: int, column: int) -> tuple[Section, ...]:
        """One number of a token's output as a weighted sum of numbers."""
        token = TokenInk(query)
        parts = breakdown_output(self.attention, query, column, self.head)

        def term(key: int) -> Runs:
            value = Text(number(parts.values[key], 3, 2), TokenInk(key, key=True), 500)
            return self._weight_chip(parts.weights[key], query, key), Text("× ", "ink2"), value

        place = _("output, column {column}").format(column=column + 1)
        selected = self._selected(
            Marker(Space.O, token), self._name(token), Text(f"  {place}", "ink2")
        )
        output = (*self._named("o", token), Text(f"[{column + 1}]", token, 500))
        total = (Text(display_number(parts.total, 3), weight=600),)
        return selected, self._weighted_sum(query, output, term, total)

    def input_cell(self, row: int, column: int) -> tuple[Section, ...]:
        """A number of X: the row it stands in, and what that row becomes."""
        token = TokenInk(row)
        alone = self.frame.scene.context is None
        place = _("column {column}").format(column=column + 1)
        selected = self._selected(
            Marker(Space.X, token), self._name(token), Text(f"  {place}", "ink2")
        )
        parts = self._breakdown(row, row if alone else 0)
        made = self._equals("q", token, parts.q)
        said = _("Its query")
        if alone:
            gap = (Text("   "),)
            made += gap + self._equals("k", token, parts.k) + gap
            made += self._equals("v", token, parts.v, least=2)
            said = _("Its query, key and value")
        own = self._equals("x", token, self.frame.scene.X[row], column, most=6)
        output = (*self._named("o", token), _EQUALS, *self._output(self._output_columns(row)))
        return (
            selected,
            Section(caption(_("Row of X")), own),
            Section(caption(said), made, drop=DROP_ADDS),
            Section(caption(_("Its output")), output, drop=DROP_SCALE),
        )

    def query(self, query: int, column: int | None) -> tuple[Section, ...]:
        """A query and its dot products."""
        token = TokenInk(query)
        own = self._equals("q", token, self._breakdown(query, 0).q, column)

        def term(key: int) -> Runs:
            return self._score_chip(query, key, self._named("k", TokenInk(key, key=True)))

        return (
            self._vector_selected(Marker(Space.Q, token), token, _("query"), column),
            Section(caption(_("Query")), own, drop=DROP_ADDS),
            Section(self._scores_caption(), (), Terms(self.attention.keys, term, ",  ")),
        )

    def key_or_value(self, selection: Selection) -> tuple[Section, ...]:
        """A key and its dot products, or a value and its shares of the outputs."""
        key, column = selection.key or 0, selection.column
        token = TokenInk(key, key=True)
        parts = self._breakdown(0, key)

        def score(query: int) -> Runs:
            return self._score_chip(query, key, self._named("q", TokenInk(query)))

        def share(query: int) -> Runs:
            chip = self._weight_chip(self._breakdown(query, key).weight, query, key)
            return chip, *self._named("o", TokenInk(query))

        if selection.role is Role.V:
            selected = self._vector_selected(Marker(Space.V, token), token, _("value"), column)
            own = Section(
                caption(_("Value")),
                self._equals("v", token, parts.v, column, least=2),
                drop=DROP_ADDS,
            )
            said, term = caption(_("Its weight in each output")), share
        else:
            selected = self._vector_selected(Marker(Space.K, token), token, _("key"), column)
            own = Section(
                caption(_("Key")), self._equals("k", token, parts.k, column), drop=DROP_ADDS
            )
            said, term = self._scores_caption(), score
        return selected, own, Section(said, (), Terms(self.attention.queries, term, ",  "))

    def weight_entry(self, selection: Selection) -> tuple[Section, ...]:
        """A number of Wq, Wk or Wv: which column it carries into which."""
        scene = self.frame.scene
        row, column = selection.query or 0, selection.column or 0
        name = _MATRIX_OF_ROLE[selection.role]
        letter = name[1]
        space = Space(letter.upper())
        W = scene.per_head(name)
        if W is None:
            raise ValueError(f"The scene has no {name} to select from.")
        value = number(W[self.head, row, column], 6, 1)
        context = scene.context if space is not Space.Q else None
        rows = scene.X if context is None else context.X
        matrix = (Text("W", weight=600), Text(letter, weight=600, place=Place.SUB))
        said = spliced(
            _(
                "{entry} = {value}: how much column {row} of {source} "
                "adds to column {column} of {space}"
            ),
            "ink2",
            entry=(*matrix, Text(f"[{row + 1},{column + 1}]", weight=600)),
            value=(Text(value, weight=600),),
            row=(Text(str(row + 1)),),
            source=(Text("X" if context is None else _("the context")),),
            column=(Text(str(column + 1)),),
            space=(Text(space.value),),
        )

        def term(token: int) -> Runs:
            ink = TokenInk(token, key=space is not Space.Q)
            product = Text(f"{number(rows[token, row], 6, 1)} × {value}", ink, 500)
            return spliced(
                _("{product} to {vector}"),
                "ink2",
                product=(product,),
                vector=self._named(letter, ink),
            )

        place = _("row {row}, column {column}").format(row=row + 1, column=column + 1)
        return (
            self._selected(Marker(space, "ink2"), *matrix, Text(f"  {place}", "ink2")),
            Section(caption(_("What it does")), said),
            Section(caption(_("It adds")), (), Terms(len(rows), term, ",  "), drop=DROP_ADDS),
        )

    # --- their columns -------------------------------------------------------------------------

    def _selected(self, *line: Run) -> Section:
        said = _("Selected")
        if self.attention.heads > 1:
            said = _("Selected, head {head} of {heads}").format(
                head=self.head + 1, heads=self.attention.heads
            )
        return Section(caption(said), line, drop=DROP_SELECTED, width=_SELECTED_WIDTH)

    def _vector_selected(
        self, marker: Marker, token: TokenInk, role: str, column: int | None
    ) -> Section:
        if column is not None:
            role = _("{role}, column {column}").format(role=role, column=column + 1)
        return self._selected(marker, self._name(token), Text(f"  {role}", "ink2"))

    def _dot_product(self, parts: Breakdown, q: TokenInk, k: TokenInk, *, chip: bool) -> Section:
        def term(i: int) -> Runs:
            return (
                Text(number(parts.q[i], 3, 1), q, 500),
                Text(" × ", "ink2"),
                Text(number(parts.k[i], 3, 1), k, 500),
            )

        before = (*self._named("q", q), Text(" · "), *self._named("k", k), _EQUALS)
        after = self._score(parts.raw, q, k, chip=chip)
        return Section(caption(_("Dot product")), before, Terms(len(parts.q), term), after)

    def _scaling(self, parts: Breakdown, q: TokenInk, k: TokenInk, *, chip: bool) -> Section:
        line = (Text(divided_by(self.frame)), *self._score(parts.score, q, k, chip=chip))
        return Section(caption(_("Scale")), line, drop=DROP_SCALE)

    def _score(self, value: float, q: TokenInk, k: TokenInk, *, chip: bool) -> Runs:
        """`= score`: a chip where the scores table shows just this number."""
        text = number(value, 3, 2)
        if chip:
            return _BEFORE_CHIP, Chip(text, value, Selection(Role.S, q.token, k.token))
        return _EQUALS, Text(text, weight=600)

    def _softmax(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        exponent = number(parts.score, 3, 2)
        if parts.shift:
            sign = "−" if parts.shift > 0 else "+"
            exponent += f" {sign} {number(abs(parts.shift), 3, 2)}"
        line = (
            Text("e"),
            Text(exponent, place=Place.SUPER),
            Text(f" ÷ {display_number(parts.row_sum, 3)}"),
            _BEFORE_CHIP,
            self._weight_chip(parts.weight, q.token, k.token),
        )
        return Section(caption(_("Softmax")), line, drop=DROP_SOFTMAX)

    def _adds(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        output = named("o", self._cut(q), "ink3", 400)
        line = (
            Text(f"{display_number(parts.weight, 3)} × "),
            *self._named("v", k),
            _EQUALS,
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
            return Section(caption(said), (*output, _EQUALS, *total))
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
            (*output, _BEFORE_CHIP),
            terms,
            (_EQUALS, *total),
        )

    # --- their words ---------------------------------------------------------------------------

    def _breakdown(self, query: int, key: int) -> Breakdown:
        return breakdown(self.attention, query, key, self.head)

    def _output_columns(self, query: int) -> Callable[[int], OutputBreakdown]:
        """Return a function from a column to its breakdown, which it makes once."""
        return cache(lambda column: breakdown_output(self.attention, query, column, self.head))

    def _output(self, columns: Callable[[int], OutputBreakdown]) -> Runs:
        return vector(
            lambda c: columns(c).total,
            self.attention.d_v,
            3,
            3,
            weight=600,
            entries=self.entries,
        )

    def _cut(self, token: TokenInk) -> str:
        scene = self.frame.scene
        return displayable(
            (scene.key_tokens if token.key else scene.tokens)[token.token], self.letters
        )

    def _name(self, token: TokenInk) -> Text:
        return Text(self._cut(token), weight=600)

    def _named(self, letter: str, token: TokenInk) -> Runs:
        return named(letter, self._cut(token), token)

    def _equals(
        self,
        letter: str,
        token: TokenInk,
        values: Array,
        column: int | None = None,
        *,
        most: int = 3,
        least: int = 1,
    ) -> Runs:
        """`q_cat = (1.0, 0.0)`."""
        entries = vector(
            values.__getitem__, len(values), most, least, entries=self.entries, column=column
        )
        return *self._named(letter, token), _EQUALS, *entries

    def _scores_caption(self) -> Runs:
        if self.frame.look.scaled and self.frame.scene.options.scale != "none":
            return caption(_("Its scores, {scaling}").format(scaling=divided_by(self.frame)))
        return caption(_("Its dot products"))

    def _score_chip(self, query: int, key: int, vector_name: Runs) -> Runs:
        parts = self._breakdown(query, key)
        if parts.masked:
            return Text(_("masked") + " ", "ink3"), *vector_name
        value = parts.score if self.frame.look.scaled else parts.raw
        return (
            Chip(number(value, 3, 2), value, Selection(Role.S, query, key)),
            *vector_name,
        )

    def _weight_chip(self, weight: float, query: int, key: int) -> Chip:
        return Chip(display_number(weight, 3), float(weight), Selection(Role.A, query, key))
