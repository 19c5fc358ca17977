"""What is told of the next tokens: a sentence, the entropy, how many others there are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.models.next_token import NextToken
from explorer.rooms.model.followed import followed_row, shown_name, what_is_expected
from explorer.session.model.frame import ModelFrame
from explorer.text import N_, _, display_number, displayable

# By whether the followed token falls, stays or rises, and what becomes of its first place.
_MOVES = {
    (-1, True, True): N_("{token} falls from {before} to {after}, and stays first."),
    (-1, True, False): N_("{token} falls from {before} to {after}; now {other} is first."),
    (-1, False, False): N_("{token} falls from {before} to {after}."),
    (-1, False, True): N_("{token} falls from {before} to {after}, and is now first."),
    (0, True, True): N_("{token} stays at {after}, and stays first."),
    (0, True, False): N_("{token} stays at {after}; now {other} is first."),
    (0, False, False): N_("{token} stays at {after}."),
    (0, False, True): N_("{token} stays at {after}, and is now first."),
    (1, True, True): N_("{token} rises from {before} to {after}, and stays first."),
    (1, True, False): N_("{token} rises from {before} to {after}; now {other} is first."),
    (1, False, False): N_("{token} rises from {before} to {after}."),
    (1, False, True): N_("{token} rises from {before} to {after}, and is now first."),
}
_ENTROPIES = {
    -1: N_(
        "With {count} of {heads} heads switched, the model is surer: the entropy of "
        "{what} falls from {before} to {entropy} bit."
    ),
    0: N_("With {count} of {heads} heads switched, the entropy of {what} stays at {entropy} bit."),
    1: N_(
        "With {count} of {heads} heads switched, the model is less sure: the entropy of "
        "{what} grows from {before} to {entropy} bit."
    ),
}


@dataclass(frozen=True)
class Told:
    """What is told of a frame's next tokens."""

    frame: ModelFrame

    @property
    def rows(self) -> tuple[NextToken, ...]:
        """The likeliest tokens."""
        return () if self.frame.next is None else self.frame.next.rows

    @property
    def sentence(self) -> str:
        """What is told above the rows, or instead of them."""
        if not self.rows:
            return self._of_the_vector()
        row, first = self.subject, self.rows[0]
        now = f"{row.probability:.3f}"
        if not self.compares or row.before is None:
            said = _("{token} is expected at {probability}; the likeliest is {other}.")
            if row is first:
                said = _("{token} is the likeliest next token, at {probability}.")
                if self.frame.info is not None and not self.frame.info.predicts:
                    said = _("{token} is the likeliest masked token, at {probability}.")
            return said.format(token=shown_name(row), probability=now, other=shown_name(first))
        before = f"{row.before:.3f}"
        way = 0 if before == now else 1 if row.probability > row.before else -1
        was_first = row.before == max(each.before or 0.0 for each in self.rows)
        return _(_MOVES[way, was_first, row is first]).format(
            token=shown_name(row), before=before, after=now, other=shown_name(first)
        )

    def _of_the_vector(self) -> str:
        """Return how far the text's vector is turned, where no word is predicted."""
        info, outcome = self.frame.info, self.frame.outcome
        if info is None or info.predicts:
            return ""
        if not info.runs:
            model = displayable(info.title, 40)
            return _("{model} does not predict a next token.").format(model=model)
        run = self.frame.run
        if outcome is None or outcome.turned is None or run is None or not run.off:
            return _("With all heads on, the text's vector, the mean of its tokens, is unchanged.")
        turned = math.degrees(math.acos(min(max(outcome.turned, -1.0), 1.0)))
        return _("The text's vector turns by {degrees}°: its cosine to before is {cosine}.").format(
            degrees=display_number(turned, 1), cosine=display_number(outcome.turned, 3)
        )

    @property
    def compares(self) -> bool:
        """Whether two states are shown: with all heads, and with some switched."""
        return self.frame.compares

    @property
    def subject(self) -> NextToken:
        """The row that the sentence is about: that of the followed token."""
        followed = followed_row(self.frame)
        if followed is None and self.compares:
            return max(self.rows, key=lambda row: row.before or 0.0)
        return followed or self.rows[0]

    @property
    def entropy(self) -> str:
        """What is told of all probabilities together."""
        info, run = self.frame.info, self.frame.run
        if self.frame.next is None:
            if info is None or info.predicts or not info.runs:
                return ""
            if info.fills:
                return _("Write [MASK] in the text to see what the model expects there.")
            return _(
                "{model} predicts no words; switch heads off to see how the vector turns."
            ).format(model=displayable(info.title, 40))
        what = what_is_expected(self.frame)
        then, entropy = self.frame.next.entropy_before, display_number(self.frame.next.entropy, 2)
        if not self.compares or then is None or run is None or info is None:
            return _("The entropy of {what} is {entropy} bit.").format(what=what, entropy=entropy)
        before = display_number(then, 2)
        way = 0 if before == entropy else 1 if self.frame.next.entropy > then else -1
        return _(_ENTROPIES[way]).format(
            count=len(run.off),
            heads=info.layers * info.heads,
            before=before,
            entropy=entropy,
            what=what,
        )

    @property
    def short_entropy(self) -> str:
        """What is told in place of `entropy` where there is little room."""
        told = self.frame.next
        if not self.compares or told is None or told.entropy_before is None:
            return self.entropy
        return _("Entropy of {what}: {before} bit before, {entropy} now.").format(
            what=what_is_expected(self.frame),
            before=display_number(told.entropy_before, 2),
            entropy=display_number(told.entropy, 2),
        )

    @property
    def others(self) -> str:
        """How many tokens the last row is of, where that is known."""
        info = self.frame.info
        if info is None or info.vocabulary <= len(self.rows):
            return ""
        return _("{count} tokens").format(count=f"{info.vocabulary - len(self.rows):,}")
