"""Sentences about sums: a head's output, the heads side by side, and the output after Wo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from explorer.attention import OutputBreakdown, Variant
from explorer.kit.text_runs import Runs, Text, TokenInk
from explorer.kit.wording import caption, counted, matrix, number, root, vector
from explorer.rooms.explore.strip.section import (
    BEFORE_CHIP,
    DROP_ADDS,
    EQUALS,
    Section,
    Sentences,
    Terms,
)
from explorer.session import Space
from explorer.text import _, display_number, ngettext


class SumSentences(Sentences):
    """Says how an output comes about."""

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
            return self.weight(columns(0).weights[key], query, key), *value

        selected = self.selected_row(
            space, token, _("token") if space is Space.X else _("output"), None
        )
        total = self.output(columns)
        return selected, self._weighted_sum(columns(0), query, self.named("o", token), term, total)

    def output_cell(self, query: int, column: int) -> tuple[Section, ...]:
        """One number of a head's output as a weighted sum of numbers."""
        selected = self.selected_row(Space.O, TokenInk(query), _("output"), column)
        return selected, self._sum_of_column(query, column, self.head)

    def concatenated_row(self, query: int) -> tuple[Section, ...]:
        """A token's outputs of all heads side by side."""
        token = TokenInk(query)

        def term(head: int) -> Runs:
            of_head = Text(" " + _("of head {head}").format(head=head + 1), "ink2")
            return *self.output(self.output_columns(query, head)), of_head

        heads = self.attention.heads
        return (
            self.selected_row(Space.O, token, _("concat"), None, of_head=False),
            Section(
                caption(
                    _("Outputs of the {count} heads side by side").format(count=counted(heads))
                ),
                (*self.named("c", token), EQUALS),
                Terms(heads, term, _(",  ")),
            ),
        )

    def concatenated_cell(self, query: int, column: int) -> tuple[Section, ...]:
        """One number of the heads' outputs side by side: whose it is, and its sum."""
        token = TokenInk(query)
        head, own = divmod(column, self.attention.d_v)
        place = _("column {column} of head {head}").format(column=own + 1, head=head + 1)
        line = (*self.named("c", token, column), EQUALS, *self.named("o", token, own))
        return (
            self.selected_row(Space.O, token, _("concat"), column, of_head=False),
            Section(
                caption(_("Side by side")),
                (*line, Text(_(",  ") + place, "ink2")),
                drop=DROP_ADDS,
            ),
            self._sum_of_column(query, own, head),
        )

    def final_row(self, query: int) -> tuple[Section, ...]:
        """A token's output after Wo as the sum of Wo's rows."""
        token, Wo = TokenInk(query), self._Wo
        inputs, total = self.frame.concatenated[query], self.attention.output[query]

        def rows(values: NDArray[np.float64]) -> Runs:
            return vector(values.__getitem__, len(values), 3, 1, entries=self.entries)

        def term(i: int) -> Runs:
            return Text(display_number(inputs[i], 3), token, 500), Text(" "), *rows(Wo[i])

        bo = self.scene.bo
        after = () if bo is None else (Text(" + ", "ink2"), *rows(bo))
        whole = vector(total.__getitem__, len(total), 3, 3, weight=600, entries=self.entries)
        return (
            self.selected_row(Space.Y, token, _("output"), None, of_head=False),
            Section(
                self._product,
                (*self.named("y", token), EQUALS),
                Terms(len(inputs), term),
                (*after, EQUALS, *whole),
            ),
        )

    def final_cell(self, query: int, column: int) -> tuple[Section, ...]:
        """One number of the output after Wo as a sum of products."""
        token, Wo = TokenInk(query), self._Wo
        inputs = self.frame.concatenated[query]

        def term(i: int) -> Runs:
            factor = Text(number(Wo[i, column], 3, 1), weight=500)
            return Text(display_number(inputs[i], 3), token, 500), Text(" × ", "ink2"), factor

        bo = self.scene.bo
        after = () if bo is None else (Text(" + ", "ink2"), Text(number(bo[column], 3, 1)))
        total = Text(display_number(self.attention.output[query, column], 3), weight=600)
        return (
            self.selected_row(Space.Y, token, _("output"), column, of_head=False),
            Section(
                self._product,
                (*self.named("y", token, column), EQUALS),
                Terms(len(inputs), term),
                (*after, EQUALS, total),
            ),
        )

    @property
    def _Wo(self) -> NDArray[np.float64]:
        if self.scene.Wo is None:
            raise ValueError("The scene has no Wo, so nothing after it can be selected.")
        return self.scene.Wo

    @property
    def _product(self) -> Runs:
        """What the output after Wo is, as a caption: `C W_o + b_o`."""
        source = caption("O " if self.attention.heads == 1 else "C ")
        bias = () if self.scene.bo is None else (*caption(" + "), *matrix("bo", "ink3"))
        return *source, *matrix("Wo", "ink3"), *bias

    def _sum_of_column(self, query: int, column: int, head: int) -> Section:
        token = TokenInk(query)
        parts = self.output_columns(query, head)(column)

        def term(key: int) -> Runs:
            value = Text(number(parts.values[key], 3, 2), TokenInk(key, key=True), 500)
            weight = self.weight(parts.weights[key], query, key, head)
            return weight, Text("× ", "ink2"), value

        total = (Text(display_number(parts.total, 3), weight=600),)
        return self._weighted_sum(parts, query, self.named("o", token, column), term, total)

    def _weighted_sum(
        self,
        parts: OutputBreakdown,
        query: int,
        output: Runs,
        term: Callable[[int], Runs],
        total: Runs,
    ) -> Section:
        mask = self.attention.mask
        keys: NDArray[np.intp] = (
            np.arange(self.attention.keys) if mask is None else np.flatnonzero(mask[query])
        )
        count = len(keys)
        if count == 0:
            said = _("Every key is masked, so nothing is added")
            return Section(caption(said), (*output, EQUALS, *total))
        opening: Runs = ()
        closing: Runs = ()
        if parts.output_factor != 1.0:
            opening, closing = (Text(f" {root(self.frame)} × ("),), (Text(")"),)
        largest = np.argsort(-parts.weights[keys], kind="stable").tolist()
        terms = Terms(count, lambda place: term(int(keys[place])), order=largest)
        said = self._kind_of_sum(count).format(count=counted(count))
        return Section(
            (*caption(said), *self._wrong_about(parts)),
            (*output, BEFORE_CHIP, *opening),
            terms,
            (*closing, EQUALS, *total),
        )

    def _kind_of_sum(self, count: int) -> str:
        """Return what a sum over so many keys is, with `{count}` for their number."""
        if count == self.attention.keys:
            if self.variant is Variant.AVERAGE:
                return ngettext("Mean of the one value", "Mean of the {count} values", count)
            return ngettext("The one value", "Weighted sum of the {count} values", count)
        if self.variant is Variant.AVERAGE:
            return ngettext(
                "Mean of the one value it may attend to",
                "Mean of the {count} values it may attend to",
                count,
            )
        return ngettext(
            "The one value it may attend to",
            "Weighted sum of the {count} values it may attend to",
            count,
        )

    def _wrong_about(self, parts: OutputBreakdown) -> Runs:
        """Return what a mistake does to a sum, for the end of its caption."""
        if parts.output_factor != 1.0:
            said = _(", × {root}: a mistake").format(root=root(self.frame))
        elif self.attention.weight_divisor != 1.0:
            said = _(", weights sum to {total}: a mistake").format(
                total=display_number(float(parts.weights.sum()), 3)
            )
        else:
            return ()
        return (Text(said, "err", 500),)
