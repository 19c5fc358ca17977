"""Sentences about single rows: of X, Q, K or V, and numbers of a W or of a bias."""

from __future__ import annotations

import math

from explorer.attention import Variant, row_from
from explorer.kit.text_runs import Chip, Marker, Runs, Text, TokenInk, spliced
from explorer.kit.wording import caption, matrix, mistaken, number, scaling, vector
from explorer.rooms.explore.strip.section import (
    DROP_ADDS,
    DROP_SCALE,
    EQUALS,
    Section,
    Sentences,
    Terms,
)
from explorer.session import Array, Matrix, Role, Selection, Space
from explorer.text import N_, _, display_number


class PointSentences(Sentences):
    """Says what a vector or a number of it is, and what becomes of it."""

    def input_cell(self, row: int, column: int) -> tuple[Section, ...]:
        """A number of X: the row it stands in, and what that row becomes."""
        token = TokenInk(row)
        place = _("column {column}").format(column=column + 1)
        selected = self.selected(
            Marker(Space.X, token), self.name(token), Text(f"  {place}", "ink2")
        )
        own = Section(
            caption(_("Row of X")), self.equals("x", token, self.scene.X[row], column, most=6)
        )
        sections = [selected, own if self.position is None else self._placed_row(row, column)]
        elsewhere = self._elsewhere(token, key=False)
        if elsewhere is not None:
            return *sections, elsewhere
        parts = self.breakdown(row, row if self.scene.context is None else 0)
        made, said = self.equals("q", token, parts.q), _("Its query")
        if self.scene.context is None:
            gap = (Text("   "),)
            made += gap + self.equals("k", token, parts.k) + gap
            made += self.equals("v", token, parts.v, least=2)
            said = _("Its query, key and value")
        output = (*self.named("o", token), EQUALS, *self.output(self.output_columns(row)))
        return (
            *sections,
            Section(caption(said), made, drop=DROP_ADDS),
            Section(caption(_("Its output")), output, drop=DROP_SCALE),
        )

    def context_cell(self, row: int, column: int | None) -> tuple[Section, ...]:
        """A row of the context, or a number of it, and what that row becomes."""
        context = self.scene.context
        if context is None:
            raise ValueError("The scene has no context to select from.")
        token = TokenInk(row, key=True)
        own = self.equals("x", token, context.X[row], column, most=6)
        sections = [
            self.selected_row(Space.X, token, _("context"), column),
            Section(caption(_("Row of the context")), own),
        ]
        elsewhere = self._elsewhere(token, key=True)
        if elsewhere is not None:
            return *sections, elsewhere
        parts = self.breakdown(0, row)
        value = self.equals("v", token, parts.v, least=2)
        made = (*self.equals("k", token, parts.k), Text("   "), *value)
        return *sections, Section(caption(_("Its key and value")), made, drop=DROP_ADDS)

    def placed(self, row: int, column: int | None, role: Role) -> tuple[Section, ...]:
        """A row of X + P, or of P, or a number of it: the sum that it stands in."""
        own = role is Role.POSITION
        what = _("position") if own else _("with position")
        selected = self.selected_row(
            Space.X if own else Space.P, TokenInk(row), what, column, of_head=False
        )
        return selected, (
            self._placed_row(row) if column is None else self._placed_cell(row, column)
        )

    def turn(self, row: int, column: int | None) -> tuple[Section, ...]:
        """By how much a token's query and key turn, pair of columns by pair."""
        token, angles = TokenInk(row), self.frame.angles[row]
        selected = self.selected_row(Space.Q, token, _("angle"), column, of_head=False)
        if column is None:
            line = vector(angles.__getitem__, len(angles), 3, 1, entries=self.entries)
        else:
            rotary = self.scene.options.rotary
            assert rotary is not None
            angle = float(angles[column])
            line = (
                Text(_("position {place}").format(place=row), "ink2"),
                Text(f" × {number(float(rotary.frequencies()[column]), 6, 1)}"),
                EQUALS,
                Text(number(angle, 3, 1), weight=600),
                Text(f"  ({display_number(math.degrees(angle), 0)}°)", "ink2"),
            )
        sections = [selected, Section(caption(_("Angle in radians, positions from 0")), line)]
        crossed = self.scene.context is not None
        for letter, said in (("q", _("Query")), *(() if crossed else (("k", _("Key")),))):
            parts = self.breakdown(row, 0 if letter == "q" else row)
            made = self.equals(
                letter, token, getattr(parts, letter), via=self._before(letter, token)
            )
            sections.append(Section(caption(said), made, drop=DROP_ADDS))
        return tuple(sections)

    def _before(self, letter: str, token: TokenInk) -> Runs:
        """Return q or k before it is normalised and turned, and what it goes through then."""
        rows = self.projected(letter, token)
        if rows is None:
            return ()
        return *vector(rows.__getitem__, len(rows), 3, 1, entries=self.entries), *self.entering()

    def query(self, query: int, column: int | None) -> tuple[Section, ...]:
        """A query and its dot products."""
        token = TokenInk(query)
        values = self.breakdown(query, 0).q

        def term(key: int) -> Runs:
            return self._score_chip(query, key, self.named("k", TokenInk(key, key=True)))

        products = Terms(self.attention.keys, term, _(",  "))
        return (
            self.selected_row(Space.Q, token, _("query"), column),
            self._made_section("q", token, values, column, _("Query")),
            Section(self._scores_caption(), (), products, drop=_drop_of_row(column)),
        )

    def key_or_value(self, selection: Selection) -> tuple[Section, ...]:
        """A key and its dot products, or a value and its shares of the outputs."""
        key, column = selection.key or 0, selection.column
        token = TokenInk(key, key=True)
        parts = self.breakdown(0, key)

        def score(query: int) -> Runs:
            return self._score_chip(query, key, self.named("q", TokenInk(query)))

        def share(query: int) -> Runs:
            vector_name = self.named("o", TokenInk(query))
            if self.frame.masked(query, key):
                return Text(_("masked") + " ", "ink3"), *vector_name
            return self.weight(self.breakdown(query, key).weight, query, key), *vector_name

        if selection.role is Role.V:
            selected = self.selected_row(Space.V, token, _("value"), column)
            own = self._made_section("v", token, parts.v, column, _("Value"), least=2)
            said, term = caption(_("Its weight in each output")), share
        else:
            selected = self.selected_row(Space.K, token, _("key"), column)
            own = self._made_section("k", token, parts.k, column, _("Key"))
            said, term = self._scores_caption(), score
        terms = Terms(self.attention.queries, term, _(",  "))
        return selected, own, Section(said, (), terms, drop=_drop_of_row(column))

    def _placed_row(self, row: int, column: int | None = None) -> Section:
        """Return x + p of a row, with one of its columns bold."""
        assert self.position is not None
        x, p, total = (
            vector(values.__getitem__, len(values), 3, 1, entries=self.entries, column=column)
            for values in (self.scene.X[row], self.position[row], self.attention.X[row])
        )
        return self._placed(row, None, x, p, total)

    def _placed_cell(self, row: int, column: int) -> Section:
        """Return x + p of one number."""
        assert self.position is not None
        x, p, total = (
            (Text(number(values[row, column], 3, 1)),)
            for values in (self.scene.X, self.position, self.attention.X)
        )
        return self._placed(row, column, x, p, total)

    def _placed(self, row: int, column: int | None, x: Runs, p: Runs, total: Runs) -> Section:
        token, plus = TokenInk(row), Text(" + ", "ink2")
        names = (*self.named("x", token, column), plus, *self.named("p", token, column))
        line = (*names, EQUALS, *x, plus, *p, EQUALS, *total)
        return Section(caption(_("With position")), line)

    def _made_section(
        self,
        letter: str,
        token: TokenInk,
        values: Array,
        column: int | None,
        name: str,
        *,
        least: int = 1,
    ) -> Section:
        """Return what a query, a key or a value is made from; of one number, the whole sum."""
        own = self.is_own(letter, token)
        said = caption(name) if own else mistaken(name, _(", heads mixed: a mistake"))
        W = self.scene.per_head(f"W{letter}")
        if column is None or W is None:
            via = self.made(letter, token)
            before = self._before(letter, token)
            if before:
                first = self.made(letter, token, entering=False)
                via = (*first, EQUALS, *before) if first else before
            line = self.equals(letter, token, values, column, via=via, least=least)
            return Section(said, line, drop=0 if column is not None else DROP_ADDS)
        source, head = self.source(letter, token)
        rows = self.attention.context if self.crossed(token) else self.attention.X
        weights, ink = W[head, :, column], TokenInk(source, token.key)

        def term(i: int) -> Runs:
            row = Text(number(rows[source, i], 3, 1), ink, 500)
            return row, Text(" × ", "ink2"), Text(number(weights[i], 3, 1))

        bias = self.scene.per_head(f"b{letter}")
        after: Runs = ()
        if bias is not None:
            after = (Text(" + ", "ink2"), Text(number(bias[head, column], 3, 1)))
        whole = (
            Text("(", "ink2"),
            *self.made(letter, token, entering=False),
            Text(f")[{column + 1}]", "ink2"),
        )
        before = (*self.named(letter, token, column), EQUALS, *whole, EQUALS)
        made = self.projected(letter, token)
        own_value = values[column] if made is None else made[column]
        total: Runs = (Text(number(own_value, 3, least), weight=600 if made is None else 400),)
        if made is not None:
            entered = Text(number(values[column], 3, least), weight=600)
            total += (*self.entering(), Text(" → ", "ink2"), entered)
        return Section(said, before, Terms(len(weights), term), (*after, EQUALS, *total))

    def _elsewhere(self, token: TokenInk, *, key: bool) -> Section | None:
        """Return where the chosen head of W puts what it makes of a token, if elsewhere."""
        attention = self.attention
        count = attention.keys if key else attention.queries
        head, row = row_from(attention.variant, self.head, token.token, attention.heads, count)
        if (head, row) == (self.head, token.token):
            return None
        said = spliced(
            _("what head {head} of W makes of it is called {token} in head {other}"),
            "ink2",
            head=(Text(str(self.head + 1)),),
            token=(self.name(TokenInk(row, token.key)),),
            other=(Text(str(head + 1)),),
        )
        return Section(mistaken(_("Heads mixed"), _(": a mistake")), said, drop=DROP_ADDS)

    def _scores_caption(self) -> Runs:
        steps = scaling(self.frame)
        if self.frame.look.scaled and steps:
            return caption(_("Its scores, {scaling}").format(scaling=steps))
        if self.frame.look.scaled and self.attention.divisor != 1.0:
            return caption(_("Its scores, all 0"))
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


def _drop_of_row(column: int | None) -> int:
    """Return when what becomes of a whole row is left out: first, where one number is selected."""
    return 0 if column is None else DROP_ADDS


_CARRIES = N_(
    "{entry} = {value}: how much column {row} of {source} adds to column {column} of {space}"
)


class EntrySentences(Sentences):
    """Says what a number that every token is multiplied by, or given, does."""

    def entry(self, selection: Selection) -> tuple[Section, ...]:
        """A number of a W or of a bias."""
        row, column = selection.query or 0, selection.column or 0
        match selection.role:
            case Role.WQ | Role.WK | Role.WV:
                return self._projection(selection.role, row, column)
            case Role.BQ | Role.BK | Role.BV:
                return self._bias(selection.role, column)
            case Role.WO:
                return self._output(row, column)
            case _:
                return self._output_bias(column)

    def _projection(self, role: Role, row: int, column: int) -> tuple[Section, ...]:
        letter = role.value[1]
        key = letter != "q"
        W = self.scene.per_head(role.value)
        if W is None:
            raise ValueError(f"The scene has no {role.value} to select from.")
        crossed = key and self.scene.context is not None
        rows = self.attention.context if key else self.attention.X
        source = "X" if self.position is None else "X + P"
        factor = W[self.head, row, column]
        if crossed:
            source = _("the context")
        said = self._said(_(_CARRIES), role, factor, row, column, source)
        count = len(rows)
        heads, head = self.attention.heads, self.head

        def term(token: int) -> Runs:
            ink = TokenInk(token, key=key)
            product = Text(f"{number(rows[token, row], 3, 1)} × {number(factor, 6, 1)}", ink, 500)
            place, made = row_from(self.variant, head, token, heads, count)
            vector = self.named(letter, TokenInk(made, key=key))
            if place != head:
                vector += (Text(" " + _("of head {head}").format(head=place + 1), "ink2"),)
            return spliced(_("{product} to {vector}"), "ink2", product=(product,), vector=vector)

        adds = Section(caption(_("It adds")), (), Terms(count, term, _(",  ")), drop=DROP_ADDS)
        return self._selected(role, row, column), said, adds

    def _bias(self, role: Role, column: int) -> tuple[Section, ...]:
        bias = self.scene.per_head(role.value)
        if bias is None:
            raise ValueError(f"The scene has no {role.value} to select from.")
        template = _("{entry} = {value}: added to column {column} of every row of {space}")
        if self.variant is Variant.HEADS_MIXED:
            template = _(
                "{entry} = {value}: added to column {column} of every row of {space} "
                "that this head of W makes"
            )
        said = self._said(template, role, bias[self.head, column], None, column, "")
        return self._selected(role, None, column), said

    def _output(self, row: int, column: int) -> tuple[Section, ...]:
        factor = self._kept(Matrix.WO)[row, column]
        source = "O" if self.attention.heads == 1 else "C"
        inputs = self.frame.concatenated[:, row]

        def term(token: int) -> Runs:
            ink = TokenInk(token)
            product = Text(f"{number(inputs[token], 3, 3)} × {number(factor, 6, 1)}", ink, 500)
            return spliced(
                _("{product} to {vector}"),
                "ink2",
                product=(product,),
                vector=self.named("y", ink),
            )

        adds = Section(
            caption(_("It adds")), (), Terms(len(inputs), term, _(",  ")), drop=DROP_ADDS
        )
        said = self._said(_(_CARRIES), Role.WO, factor, row, column, source)
        return self._selected(Role.WO, row, column), said, adds

    def _output_bias(self, column: int) -> tuple[Section, ...]:
        template = _("{entry} = {value}: added to column {column} of every row of {space}")
        value = self._kept(Matrix.BO)[column]
        said = self._said(template, Role.BO, value, None, column, "")
        return self._selected(Role.BO, None, column), said

    def _kept(self, name: Matrix) -> Array:
        values = self.scene.array(name)
        if values is None:
            raise ValueError(f"The scene has no {name} to select from.")
        return values

    def _said(
        self, template: str, role: Role, value: float, row: int | None, column: int, source: str
    ) -> Section:
        """Return what a number does, in a sentence."""
        place = f"[{column + 1}]" if row is None else f"[{row + 1},{column + 1}]"
        runs = spliced(
            template,
            "ink2",
            entry=(*matrix(role.value, weight=600), Text(place, weight=600)),
            value=(Text(number(value, 6, 1), weight=600),),
            row=(Text("" if row is None else str(row + 1)),),
            source=(Text(source),),
            column=(Text(str(column + 1)),),
            space=(Text(_space(role).value),),
        )
        return Section(caption(_("What it does")), runs)

    def _selected(self, role: Role, row: int | None, column: int) -> Section:
        place = _("column {column}").format(column=column + 1)
        if row is not None:
            place = _("row {row}, column {column}").format(row=row + 1, column=column + 1)
        return self.selected(
            Marker(_space(role), "ink2"),
            *matrix(role.value, weight=600),
            Text(f"  {place}", "ink2"),
            of_head=role not in (Role.WO, Role.BO),
        )


def _space(role: Role) -> Space:
    """Return what a W or a bias makes."""
    return Space.Y if role.value[1] == "o" else Space(role.value[1].upper())
