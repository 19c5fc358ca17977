"""Sentences about single vectors: a row of X, Q, K or V, or one number of it."""

from __future__ import annotations

from explorer.attention import row_from
from explorer.kit.text_runs import Chip, Marker, Runs, Text, TokenInk, spliced
from explorer.kit.wording import caption, mistaken, number, scaling, vector
from explorer.rooms.explore.strip.section import DROP_ADDS, DROP_SCALE, Section, Terms
from explorer.rooms.explore.strip.teller import EQUALS, Teller
from explorer.session import Array, Role, Selection, Space
from explorer.text import _


class PointTeller(Teller):
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

    def query(self, query: int, column: int | None) -> tuple[Section, ...]:
        """A query and its dot products."""
        token = TokenInk(query)
        values = self.breakdown(query, 0).q

        def term(key: int) -> Runs:
            return self._score_chip(query, key, self.named("k", TokenInk(key, key=True)))

        products = Terms(self.attention.keys, term, ",  ")
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
        terms = Terms(self.attention.queries, term, ",  ")
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
        whole = (Text("(", "ink2"), *self.made(letter, token), Text(f")[{column + 1}]", "ink2"))
        before = (*self.named(letter, token, column), EQUALS, *whole, EQUALS)
        total = Text(number(values[column], 3, least), weight=600)
        return Section(said, before, Terms(len(weights), term), (*after, EQUALS, total))

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
