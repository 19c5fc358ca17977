"""Sentences about single vectors and numbers: a row of Q, K or V, an entry of X or of a W."""

from __future__ import annotations

from explorer.session import ROLE_OF_MATRIX, Role, Selection, Space
from explorer.text import _
from explorer.views.runs import Chip, Marker, Place, Runs, Text, TokenInk, spliced
from explorer.views.strip.section import DROP_ADDS, DROP_SCALE, Section, Terms
from explorer.views.strip.teller import EQUALS, Teller
from explorer.views.strip.words import caption, divided_by, number

_MATRIX_OF_ROLE = {role: matrix for matrix, role in ROLE_OF_MATRIX.items()}


class PointTeller(Teller):
    """Says what a vector or a number is, and what becomes of it."""

    def input_cell(self, row: int, column: int) -> tuple[Section, ...]:
        """A number of X: the row it stands in, and what that row becomes."""
        token = TokenInk(row)
        alone = self.frame.scene.context is None
        place = _("column {column}").format(column=column + 1)
        selected = self.selected(
            Marker(Space.X, token), self.name(token), Text(f"  {place}", "ink2")
        )
        parts = self.breakdown(row, row if alone else 0)
        made = self.equals("q", token, parts.q)
        said = _("Its query")
        if alone:
            gap = (Text("   "),)
            made += gap + self.equals("k", token, parts.k) + gap
            made += self.equals("v", token, parts.v, least=2)
            said = _("Its query, key and value")
        own = self.equals("x", token, self.frame.scene.X[row], column, most=6)
        output = (*self.named("o", token), EQUALS, *self.output(self.output_columns(row)))
        return (
            selected,
            Section(caption(_("Row of X")), own),
            Section(caption(said), made, drop=DROP_ADDS),
            Section(caption(_("Its output")), output, drop=DROP_SCALE),
        )

    def query(self, query: int, column: int | None) -> tuple[Section, ...]:
        """A query and its dot products."""
        token = TokenInk(query)
        own = self.equals("q", token, self.breakdown(query, 0).q, column)

        def term(key: int) -> Runs:
            return self._score_chip(query, key, self.named("k", TokenInk(key, key=True)))

        return (
            self._vector_selected(Marker(Space.Q, token), token, _("query"), column),
            Section(caption(_("Query")), own, drop=DROP_ADDS),
            Section(self._scores_caption(), (), Terms(self.attention.keys, term, ",  ")),
        )

    def key_or_value(self, selection: Selection) -> tuple[Section, ...]:
        """A key and its dot products, or a value and its shares of the outputs."""
        key, column = selection.key or 0, selection.column
        token = TokenInk(key, key=True)
        parts = self.breakdown(0, key)

        def score(query: int) -> Runs:
            return self._score_chip(query, key, self.named("q", TokenInk(query)))

        def share(query: int) -> Runs:
            chip = self.weight_chip(self.breakdown(query, key).weight, query, key)
            return chip, *self.named("o", TokenInk(query))

        if selection.role is Role.V:
            selected = self._vector_selected(Marker(Space.V, token), token, _("value"), column)
            own = Section(
                caption(_("Value")),
                self.equals("v", token, parts.v, column, least=2),
                drop=DROP_ADDS,
            )
            said, term = caption(_("Its weight in each output")), share
        else:
            selected = self._vector_selected(Marker(Space.K, token), token, _("key"), column)
            own = Section(
                caption(_("Key")), self.equals("k", token, parts.k, column), drop=DROP_ADDS
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
                vector=self.named(letter, ink),
            )

        place = _("row {row}, column {column}").format(row=row + 1, column=column + 1)
        return (
            self.selected(Marker(space, "ink2"), *matrix, Text(f"  {place}", "ink2")),
            Section(caption(_("What it does")), said),
            Section(caption(_("It adds")), (), Terms(len(rows), term, ",  "), drop=DROP_ADDS),
        )

    def _vector_selected(
        self, marker: Marker, token: TokenInk, role: str, column: int | None
    ) -> Section:
        if column is not None:
            role = _("{role}, column {column}").format(role=role, column=column + 1)
        return self.selected(marker, self.name(token), Text(f"  {role}", "ink2"))

    def _scores_caption(self) -> Runs:
        if self.frame.look.scaled and self.frame.scene.options.scale != "none":
            return caption(_("Its scores, {scaling}").format(scaling=divided_by(self.frame)))
        return caption(_("Its dot products"))

    def _score_chip(self, query: int, key: int, vector_name: Runs) -> Runs:
        parts = self.breakdown(query, key)
        if parts.masked:
            return Text(_("masked") + " ", "ink3"), *vector_name
        value = parts.score if self.frame.look.scaled else parts.raw
        return (
            Chip(number(value, 3, 2), value, Selection(Role.S, query, key)),
            *vector_name,
        )
