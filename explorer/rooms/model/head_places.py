"""Where the heads of a run lie: layers by heads, or sorted into groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Qt

from explorer.kit.table.painting import LEFT, RIGHT
from explorer.kit.theme import Theme
from explorer.models.figures import Kind
from explorer.rooms.model.words import kind_name
from explorer.session.model.frame import ModelFrame, Order
from explorer.text import _

Place = tuple[int, int]  # layer and head, from 0
SIDE = 28  # px at 100 %, as all below
PITCH_X, PITCH_Y = 39, 31.6
MARGIN, EDGE, NUMBERS = 16, 44, 36  # of the groups; of the thumbnails; right end of head numbers
TOP = 20  # room for the layers' numbers
_IN_A_ROW, _SORTED_X, _SORTED_Y = 8, 32, 32.4
_TITLE, _GROUP_GAP = 24, 12
_FEW = 1  # heads of a group that shares its line with another


@dataclass(frozen=True)
class Title:
    """A text beside thumbnails: where it stands, in which ink and weight."""

    where: QRectF
    text: str
    ink: str = "ink3"
    weight: int = 400
    align: Qt.AlignmentFlag = LEFT
    after: str = ""  # follows it, fainter


@dataclass
class Arranged:
    """Where thumbnails lie, in px from the corner of what scrolls.

    by_layer : whether columns are layers and rows heads, with numbers that do not scroll
    """

    by_layer: bool
    places: dict[Place, QRectF] = field(default_factory=dict)
    titles: list[Title] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


def by_layer(theme: Theme, layers: int, heads: int) -> Arranged:
    """Return layers side by side and heads below each other."""
    scale, made = theme.percent / 100, Arranged(True)
    side = theme.px(SIDE)
    for layer in range(layers):
        for head in range(heads):
            x, y = round(layer * PITCH_X * scale), round(head * PITCH_Y * scale)
            made.places[layer, head] = QRectF(x, y, side, side)
    made.width = ((layers - 1) * PITCH_X + SIDE) * scale
    made.height = ((heads - 1) * PITCH_Y + SIDE) * scale
    return made


def grouped(theme: Theme, groups: Sequence[tuple[str, str, list[Place]]]) -> Arranged:
    """Return groups below each other, eight heads a row; small ones share a line.

    groups : of each its title, a note at the right and its heads
    """
    scale, made = theme.percent / 100, Arranged(False)
    wide = (_IN_A_ROW - 1) * _SORTED_X + SIDE
    y, beside = 0.0, False
    for title, note, heads in groups:
        few = len(heads) <= _FEW
        if beside and not few:
            y, beside = y + _TITLE + _SORTED_Y + _GROUP_GAP, False
        x = (_IN_A_ROW // 2) * _SORTED_X - 2.0 if beside else 0.0
        line = QRectF(x * scale, y * scale, wide * scale - x * scale, _TITLE * scale)
        made.titles.append(Title(line, title, "ink1", 600, after=str(len(heads))))
        if note:
            made.titles.append(Title(line, note, align=RIGHT))
        for place, (layer, head) in enumerate(heads):
            row, column = divmod(place, _IN_A_ROW)
            at = x + column * _SORTED_X, y + _TITLE + row * _SORTED_Y
            side = theme.px(SIDE)
            box = QRectF(round(at[0] * scale), round(at[1] * scale), side, side)
            made.places[layer, head] = box
            if few:
                name = f"L{layer + 1} H{head + 1}"
                right = box.translated(theme.px(SIDE + 8), 0)
                right.setWidth(theme.px(70))
                made.titles.append(Title(right, name, "ink2"))
        if few and not beside:
            beside = True
        else:
            rows = -(-len(heads) // _IN_A_ROW)
            y, beside = y + _TITLE + rows * _SORTED_Y + _GROUP_GAP, False
    if beside:
        y += _TITLE + _SORTED_Y + _GROUP_GAP
    made.width, made.height = wide * scale, max(y - _GROUP_GAP, 0.0) * scale
    return made


def arranged(theme: Theme, frame: ModelFrame) -> Arranged:
    """Return where the heads of a frame lie, by its order and without those filtered away."""
    run, look = frame.run, frame.look
    if run is None:
        if frame.info is None:
            return Arranged(True)
        return by_layer(theme, frame.info.layers, frame.info.heads)
    layers, heads = run.tiles.shape[:2]
    values = None
    if look.order is Order.ENTROPY:
        values, title, note = run.figures.entropy, _("entropy"), _("smallest first")
    elif look.order is Order.PAIR and frame.pair is not None:
        values, title, note = -frame.pair.weights, _("weight of the pair"), _("largest first")
    shown = shown_heads(frame)
    if values is not None:
        ranked = sorted(shown, key=lambda place: (values[place], place))
        return grouped(theme, [(title, note, ranked)])
    if look.order is not Order.KIND:
        return by_layer(theme, layers, heads)
    groups = []
    for kind in Kind:
        of_kind = [place for place in frame.heads_of(kind) if place in shown]
        if of_kind:
            groups.append((kind_name(frame, kind), "", of_kind))
    if groups and len(groups[-1][2]) > _FEW:
        groups[-1] = (groups[-1][0], _("by layer, then head"), groups[-1][2])
    return grouped(theme, groups)


def shown_heads(frame: ModelFrame) -> set[Place]:
    """Return the heads that are not filtered away."""
    if frame.run is None:
        return set()
    if not frame.look.kinds:
        layers, heads = frame.run.tiles.shape[:2]
        return {(layer, head) for layer in range(layers) for head in range(heads)}
    kinds = (place for kind in frame.look.kinds for place in frame.heads_of(kind))
    return {*kinds, *frame.look.kept}
