"""What every sentence is made with: names, vectors, chips and numbers of one frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from explorer.attention import Breakdown, OutputBreakdown, breakdown, breakdown_output
from explorer.session import Array, Frame, Role, Selection
from explorer.text import _, display_number, displayable
from explorer.views.runs import Chip, Run, Runs, Text, TokenInk
from explorer.views.strip.section import DROP_SELECTED, Section
from explorer.views.strip.words import caption, named, vector

EQUALS = Text("  =  ")
BEFORE_CHIP = Text("  = ")  # a chip brings its own margin
_SELECTED_WIDTH = 204  # the first column ends where the left panel does


class Teller:
    """Says things about one frame.

    Parameters
    ----------
    frame : Frame
    letters : int
        Longer token names are cut to this many letters.
    entries : int
        Of longer vectors only so many entries are spelled out.
    """

    def __init__(self, frame: Frame, letters: int, entries: int) -> None:
        self.frame = frame
        self.attention = frame.attention
        self.head = frame.look.head
        self.letters = letters
        self.entries = entries

    def selected(self, *line: Run) -> Section:
        """Return the first column, which names what is selected and, of several, the head."""
        said = _("Selected")
        if self.attention.heads > 1:
            said = _("Selected, head {head} of {heads}").format(
                head=self.head + 1, heads=self.attention.heads
            )
        return Section(caption(said), line, drop=DROP_SELECTED, width=_SELECTED_WIDTH)

    def breakdown(self, query: int, key: int) -> Breakdown:
        """Return the pair's breakdown for the chosen head."""
        return breakdown(self.attention, query, key, self.head)

    def output_columns(self, query: int) -> Callable[[int], OutputBreakdown]:
        """Return a function from a column to its breakdown, which it makes once."""
        return cache(lambda column: breakdown_output(self.attention, query, column, self.head))

    def output(self, columns: Callable[[int], OutputBreakdown]) -> Runs:
        """Return an output, bold, from its columns."""
        return vector(
            lambda c: columns(c).total,
            self.attention.d_v,
            3,
            3,
            weight=600,
            entries=self.entries,
        )

    def cut(self, token: TokenInk) -> str:
        """Return a token's name, safe to show and not too long."""
        scene = self.frame.scene
        return displayable(
            (scene.key_tokens if token.key else scene.tokens)[token.token], self.letters
        )

    def name(self, token: TokenInk) -> Text:
        """Return a token's name as text of its own."""
        return Text(self.cut(token), weight=600)

    def named(self, letter: str, token: TokenInk) -> Runs:
        """Return the name of a token's vector: `q_cat`."""
        return named(letter, self.cut(token), token)

    def equals(
        self,
        letter: str,
        token: TokenInk,
        values: Array,
        column: int | None = None,
        *,
        most: int = 3,
        least: int = 1,
    ) -> Runs:
        """Return a vector with its name, `q_cat = (1.0, 0.0)`; its decimals between two bounds."""
        entries = vector(
            values.__getitem__, len(values), most, least, entries=self.entries, column=column
        )
        return *self.named(letter, token), EQUALS, *entries

    def weight_chip(self, weight: float, query: int, key: int) -> Chip:
        """Return a weight as the chip that selects its cell."""
        return Chip(display_number(weight, 3), float(weight), Selection(Role.A, query, key))
