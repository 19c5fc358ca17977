"""Sentences about a number of a W or of a bias: what it does to every token."""

from __future__ import annotations

from explorer.attention import Variant, row_from
from explorer.kit.text_runs import Marker, Runs, Text, TokenInk, spliced
from explorer.kit.wording import caption, matrix, number
from explorer.rooms.explore.strip.section import DROP_ADDS, Section, Terms
from explorer.rooms.explore.strip.teller import Teller
from explorer.session import Array, Matrix, Role, Selection, Space
from explorer.text import N_, _

_CARRIES = N_(
    "{entry} = {value}: how much column {row} of {source} adds to column {column} of {space}"
)


class EntryTeller(Teller):
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

        adds = Section(caption(_("It adds")), (), Terms(count, term, ",  "), drop=DROP_ADDS)
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

        adds = Section(caption(_("It adds")), (), Terms(len(inputs), term, ",  "), drop=DROP_ADDS)
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
