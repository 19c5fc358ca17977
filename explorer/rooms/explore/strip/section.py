"""What every sentence of the strip is made of: captions above lines, and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from explorer.attention import Breakdown, OutputBreakdown, Variant, breakdown, breakdown_output
from explorer.kit.text_runs import Chip, Marker, Run, Runs, Text, TokenInk, plain
from explorer.kit.wording import caption, matrix, named, vector
from explorer.session import Array, Frame, Role, Selection, Space, position_rows
from explorer.text import _, display_weight, displayable, labelled
from explorer.text.numbers import MINUS

# Which columns go first where room is short; 0 stays.
DROP_ADDS, DROP_SELECTED, DROP_SCALE, DROP_SOFTMAX = 1, 2, 3, 4


@dataclass(frozen=True)
class Terms:
    """The terms of a sum, made only when asked for.

    Parameters
    ----------
    count : int
    term : callable
        From the place of a term, counted from 0, to its runs.
    joint : str
        What stands between two terms.
    order : sequence of int
        Places, those first that are shown where not all have room; where it is empty, the first
        terms and the last are.
    """

    count: int
    term: Callable[[int], Runs]
    joint: str = " + "
    order: Sequence[int] = ()

    @property
    def joint_runs(self) -> Runs:
        """What stands between two terms, as runs."""
        return (Text(self.joint, "ink2"),)


@dataclass(frozen=True)
class Section:
    """One column of the strip: a caption above a line.

    Parameters
    ----------
    caption, before : tuple of Run
    terms : Terms or None
        Follow `before`; all of them, or the first and last around a button.
    after : tuple of Run
    drop : int
        One of the DROP numbers: in which order columns go where room is short.
    width : int
        The least width where there is room, px at 100 %.
    """

    caption: Runs
    before: Runs
    terms: Terms | None = None
    after: Runs = ()
    drop: int = 0
    width: int = 0


def text_of(sections: Iterable[Section], most: int | None = None) -> str:
    """Return sections as plain text with ASCII minus, one a line; sums fold beyond `most` terms."""
    lines = []
    for section in sections:
        line = plain((*section.before, *_folded(section.terms, most), *section.after))
        caption = plain(section.caption)
        lines.append(labelled(caption, line) if caption else line)
    return "\n".join(lines)


def all_terms(section: Section) -> str:
    """Return a section for reading on screen: each term on a line of its own, then the sum."""
    rows = [plain(section.before, MINUS)] if section.before else []
    if section.terms is not None:
        joint = section.terms.joint.strip()
        for place in range(section.terms.count):
            row = plain(section.terms.term(place), MINUS)
            rows.append(f"{joint} {row}" if place and joint == "+" else row)
    if section.after:
        rows.append(plain(section.after, MINUS))
    return "\n".join(rows)


def _folded(terms: Terms | None, most: int | None) -> Runs:
    if terms is None:
        return ()
    if most is None or terms.count <= most:
        groups = [terms.term(place) for place in range(terms.count)]
    else:
        groups = [terms.term(place) for place in range(most - 1)]
        groups += [(Text("…"),), terms.term(terms.count - 1)]
    joined = (
        group if not place else terms.joint_runs + group for place, group in enumerate(groups)
    )
    return sum(joined, ())


EQUALS = Text("  =  ")
BEFORE_CHIP = Text("  = ")  # a chip brings its own margin
_SELECTED_WIDTH = 204  # the first column ends where the left panel does


class Sentences:
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
        self.scene = frame.scene
        self.attention = frame.attention
        self.variant = frame.attention.variant
        self.head = frame.look.head
        self.position = position_rows(frame.scene)
        self.letters = letters
        self.entries = entries

    def selected(self, *line: Run, of_head: bool = True) -> Section:
        """Return the first column, which names what is selected and, of several, its head."""
        said = _("Selected")
        if of_head and self.attention.heads > 1:
            said = _("Selected, head {head} of {heads}").format(
                head=self.head + 1, heads=self.attention.heads
            )
        return Section(caption(said), line, drop=DROP_SELECTED, width=_SELECTED_WIDTH)

    def selected_row(
        self, space: Space, token: TokenInk, what: str, column: int | None, *, of_head: bool = True
    ) -> Section:
        """Return the first column for a token's row, or for one number of it."""
        if column is not None:
            what = _("{role}, column {column}").format(role=what, column=column + 1)
        return self.selected(
            Marker(space, token), self.name(token), Text(f"  {what}", "ink2"), of_head=of_head
        )

    def breakdown(self, query: int, key: int) -> Breakdown:
        """Return the pair's breakdown for the chosen head."""
        return breakdown(self.attention, query, key, self.head)

    def output_columns(
        self, query: int, head: int | None = None
    ) -> Callable[[int], OutputBreakdown]:
        """Return a function from a column to its breakdown, which it makes once."""
        head = self.head if head is None else head
        return cache(lambda column: breakdown_output(self.attention, query, column, head))

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
        scene = self.scene
        return displayable(
            (scene.key_tokens if token.key else scene.tokens)[token.token], self.letters
        )

    def name(self, token: TokenInk) -> Text:
        """Return a token's name as text of its own."""
        return Text(self.cut(token), weight=600)

    def named(self, letter: str, token: TokenInk, column: int | None = None) -> Runs:
        """Return the name of a token's vector, `q_cat`, or of one of its numbers, `q_cat[2]`."""
        name = named(letter, self.cut(token), token)
        return name if column is None else (*name, Text(f"[{column + 1}]", token, 500))

    def row(self, token: TokenInk) -> Runs:
        """Return the name of the row that a query, a key or a value is made from: x, or x + p."""
        x = self.named("x", token)
        if not self.is_placed(token):
            return x
        return *x, Text(" + ", "ink2"), *self.named("p", token)

    def is_placed(self, token: TokenInk) -> bool:
        """Return whether a position is added to a token's row."""
        return self.position is not None and not self.crossed(token)

    def crossed(self, token: TokenInk) -> bool:
        """Return whether a token is one of a context."""
        return token.key and self.scene.context is not None

    def source(self, letter: str, token: TokenInk) -> tuple[int, int]:
        """Return the token and the head of W that a row of Q, K or V is made from."""
        if letter == "q":
            _sequence, row, head = self.breakdown(token.token, 0).query_source
        else:
            _sequence, row, head = self.breakdown(0, token.token).key_source
        return row, head

    def is_own(self, letter: str, token: TokenInk) -> bool:
        """Return whether a row is made from its own token, by its own head of W."""
        if self.variant is not Variant.HEADS_MIXED:
            return True
        return self.source(letter, token) == (token.token, self.head)

    def made(self, letter: str, token: TokenInk, *, entering: bool = True) -> Runs:
        """Return what q, k or v is made from, such as `x_cat W_q + b_q`."""
        if self.scene.given:
            return ()
        source, head = self.source(letter, token)
        row = TokenInk(source, token.key)
        runs = self.row(row)
        if self.scene.projected:
            if self.is_placed(row):
                runs = (Text("(", "ink2"), *runs, Text(")", "ink2"))
            runs += (Text(" "), *matrix(f"W{letter}"))
        if self.scene.per_head(f"b{letter}") is not None:
            runs += (Text(" + ", "ink2"), *matrix(f"b{letter}"))
        if self.variant is Variant.HEADS_MIXED and not self.is_own(letter, token):
            runs += (Text(" " + _("of head {head}").format(head=head + 1), "ink2"),)
        return runs + self.entering() if entering and letter != "v" else runs

    def projected(self, letter: str, token: TokenInk) -> Array | None:
        """Return q or k before it is normalised and turned; None where it is neither."""
        if letter == "v" or self.attention.projected is None:
            return None
        rows: Array = self.attention.projected["qk".index(letter)][self.head]
        return rows[token.token]

    def entering(self) -> Runs:
        """Return what q and k go through before the product."""
        options = self.scene.options
        said = [_("normalised")] if options.qk_norm is not None else []
        said += [_("turned by position")] if options.rotary is not None else []
        return tuple(Text(_(", ") + each, "ink2") for each in said)

    def equals(
        self,
        letter: str,
        token: TokenInk,
        values: Array,
        column: int | None = None,
        *,
        via: Runs = (),
        most: int = 3,
        least: int = 1,
    ) -> Runs:
        """Return a vector with its name, `q_cat = (1.0, 0.0)`; its decimals between two bounds.

        `via` is said between the two: `q_cat = x_cat W_q = (1.0, 0.0)`.
        """
        entries = vector(
            values.__getitem__, len(values), most, least, entries=self.entries, column=column
        )
        way = (*via, EQUALS) if via else ()
        return *self.named(letter, token), EQUALS, *way, *entries

    def weight(self, weight: float, query: int, key: int, head: int | None = None) -> Run:
        """Return a head's weight: as the chip that selects its cell, where table A shows it."""
        text = display_weight(weight)
        if self.frame.averaged or head not in (None, self.head):
            return Text(f" {text} ", weight=600)
        return self.weight_chip(weight, query, key)

    def weight_chip(self, weight: float, query: int, key: int) -> Chip:
        """Return a weight that table A shows as the chip that selects its cell."""
        return Chip(display_weight(weight), float(weight), Selection(Role.A, query, key))
