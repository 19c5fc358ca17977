"""Sentences about a query and a key: how much the one attends to the other, and why."""

from __future__ import annotations

import numpy as np

from explorer.attention import MISTAKES, Breakdown, Variant
from explorer.kit.text_runs import Chip, Marker, Place, Runs, Text, TokenInk, spliced
from explorer.kit.wording import caption, mistaken, named, number, root, scaling, vector
from explorer.rooms.explore.strip.section import (
    BEFORE_CHIP,
    DROP_ADDS,
    DROP_SCALE,
    DROP_SOFTMAX,
    EQUALS,
    Section,
    Sentences,
    Terms,
)
from explorer.session import Role, Selection, Space, Stage
from explorer.session.masks import MaskKind, mask_kinds, padded_keys
from explorer.text import _, display_divisor, display_number, joined, ngettext


class PairSentences(Sentences):
    """Says how a weight comes about."""

    def pair(self, query: int, key: int, *, mean_alone: bool = False) -> tuple[Section, ...]:
        """How much a query attends to a key, and why.

        Where table A shows the mean over the heads, that is told too, or alone.
        """
        q, k = TokenInk(query), TokenInk(key, key=True)
        averaged = self.frame.averaged
        arrow = Text("  →  ", "ctl")
        selected = self.selected(
            Marker(Space.Q, q),
            self.name(q),
            arrow,
            Marker(Space.K, k),
            self.name(k),
            of_head=not (averaged and mean_alone),
        )
        parts = self.breakdown(query, key)
        if parts.masked:
            return selected, Section(caption(_("Masked")), self._why_masked(q, k))
        if averaged and mean_alone:
            return selected, self._mean(q, k, drop=0)
        sections = [selected, *self._sources(q, k)]
        if self.variant is Variant.AVERAGE:
            sections += self._plain_average(parts, q, k)
        else:
            steps = scaling(self.frame)
            chip_scaled = self.frame.look.scaled and bool(steps)
            sections.append(self._dot_product(parts, q, k, chip=not chip_scaled))
            if self.frame.look.unnamed and self.variant in MISTAKES:
                return tuple(sections)
            if steps or self.variant is Variant.UNSCALED:
                sections.append(self._scaling(parts, q, k, steps, chip=chip_scaled))
            if self.frame.look.hides(Stage.A, query, key):
                return tuple(sections)
            sections.append(self._softmax(parts, q, k))
        sections.append(self._adds(parts, q, k))
        if averaged:
            sections.append(self._mean(q, k, drop=DROP_ADDS))
        return tuple(sections)

    def _why_masked(self, q: TokenInk, k: TokenInk) -> Runs:
        kinds = mask_kinds(self.scene)
        if not self.frame.attention.mask[q.token].any():  # type: ignore[index]  # masked: there
            said = _("{query} may attend to no key at all")
        elif MaskKind.PADDING in kinds and k.token in padded_keys(self.scene):
            said = _("{key} is padding: no token may attend to it")
        elif MaskKind.CAUSAL in kinds and self.scene.context is None:
            said = _("{query} may not attend to {key}, which comes later")
        else:
            said = _("{query} may not attend to {key}")
        return spliced(said, "ink2", query=(self.name(q),), key=(self.name(k),))

    def _sources(self, q: TokenInk, k: TokenInk) -> list[Section]:
        """Return what q and k really are, where heads are mixed and they are not their own."""
        own = self.is_own("q", q) and self.is_own("k", k)
        if own or self.frame.look.unnamed:  # the mistake is to be found
            return []
        line = (
            *self.named("q", q),
            EQUALS,
            *self.made("q", q),
            Text(_(",  "), "ink2"),
            *self.named("k", k),
            EQUALS,
            *self.made("k", k),
        )
        return [Section(mistaken(_("Heads mixed"), _(": a mistake")), line, drop=DROP_SOFTMAX)]

    def _dot_product(self, parts: Breakdown, q: TokenInk, k: TokenInk, *, chip: bool) -> Section:
        def term(i: int) -> Runs:
            return (
                Text(number(parts.q[i], 3, 1), q, 500),
                Text(" × ", "ink2"),
                Text(number(parts.k[i], 3, 1), k, 500),
            )

        before = (*self.named("q", q), Text(" · "), *self.named("k", k), EQUALS)
        after = self._score(parts.raw, q, k, chip=chip)
        unused = self.variant is Variant.AVERAGE
        said = caption(_("Dot product, not used") if unused else _("Dot product"))
        drop = DROP_SCALE if unused else 0
        return Section(said, before, Terms(len(parts.q), term), after, drop=drop)

    def _scaling(
        self, parts: Breakdown, q: TokenInk, k: TokenInk, steps: str, *, chip: bool
    ) -> Section:
        said, line, drop = caption(_("Scale")), steps, DROP_SCALE
        if self.variant is Variant.UNSCALED:
            line = _("{root} forgotten").format(root=f"÷ {root(self.frame)}")
            line = joined((line, steps))
        if self.variant in (Variant.UNSCALED, Variant.MULTIPLIED):
            said, drop = mistaken(_("Scale"), _(": a mistake")), DROP_SOFTMAX
        return Section(said, (Text(line), *self._score(parts.score, q, k, chip=chip)), drop=drop)

    def _score(self, value: float, q: TokenInk, k: TokenInk, *, chip: bool) -> Runs:
        """`= score`: a chip where the scores table shows just this number."""
        text = number(value, 3, 2)
        if chip:
            return BEFORE_CHIP, Chip(text, value, Selection(Role.S, q.token, k.token))
        return EQUALS, Text(text, weight=600)

    def _plain_average(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> list[Section]:
        """Return the unused dot product, and the weight that every visible key has."""
        scaled = self.frame.look.scaled
        count = int(np.isfinite(parts.row_scores).sum())
        zero = number(parts.score, 3, 2)
        score = Chip(zero, parts.score, Selection(Role.S, q.token, k.token))
        said = spliced(
            ngettext(
                "every score is {zero}, so the one visible key gets 1 ÷ {count}",
                "every score is {zero}, so each of the {count} visible keys gets 1 ÷ {count}",
                count,
            ),
            "ink2",
            zero=(score if scaled else Text("0"),),
            count=(Text(str(count)),),
        )
        weight = (BEFORE_CHIP, self.weight(parts.weight, q.token, k.token))
        return [
            self._dot_product(parts, q, k, chip=not scaled),
            Section(caption(_("Plain average")), (*said, *weight)),
        ]

    def _softmax(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        exponent = number(parts.score, 3, 2)
        if parts.shift:
            sign = "−" if parts.shift > 0 else "+"
            exponent += f" {sign} {number(abs(parts.shift), 3, 2)}"
        said, after = caption(_("Softmax")), ""
        if parts.weight_divisor != 1.0:
            after = f" ÷ {root(self.frame)}"
            said = mistaken(_("Softmax"), _(", then {step}: a mistake").format(step=after.strip()))
        line = (
            Text("e"),
            Text(exponent, place=Place.SUPER),
            Text(f" ÷ {display_divisor(parts.row_sum, 3)}{after}"),
            BEFORE_CHIP,
            self.weight(parts.weight, q.token, k.token),
        )
        return Section(said, line, drop=DROP_SOFTMAX)

    def _adds(self, parts: Breakdown, q: TokenInk, k: TokenInk) -> Section:
        output = named("o", self.cut(q), "ink3", 400)
        said, factor, drop = spliced(_("Adds to {output}"), "ink3", output=output), "", DROP_ADDS
        if parts.output_factor != 1.0:
            factor, drop = f"{root(self.frame)} × ", DROP_SOFTMAX
            said += (Text(_(", × {root}: a mistake").format(root=root(self.frame)), "err", 500),)
        line = (
            Text(f"{factor}{display_number(parts.weight, 3)} × "),
            *self.named("v", k),
            EQUALS,
            *vector(parts.adds.__getitem__, len(parts.adds), 3, 3, entries=self.entries),
        )
        return Section(said, line, drop=drop)

    def _mean(self, q: TokenInk, k: TokenInk, drop: int) -> Section:
        weights = self.attention.weights[:, q.token, k.token]

        def term(head: int) -> Runs:
            return (Text(display_number(float(weights[head]), 3)),)

        count = len(weights)
        mean = self.weight_chip(float(self.frame.weights[q.token, k.token]), q.token, k.token)
        return Section(
            caption(_("Mean of {count} heads").format(count=count)),
            (Text("("),),
            Terms(count, term),
            (Text(f") ÷ {count}"), BEFORE_CHIP, mean),
            drop=drop,
        )
