"""The scene under two settings: two columns, and what differs most between them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.attention import MISTAKES, Attention, LargeAttention
from explorer.exporters import FORMATS
from explorer.kit.backlog import Backlog
from explorer.kit.base import LEAST_MIDDLE, View, why_hidden
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, hairline, lay_out, put, set_direction, set_spacing
from explorer.kit.plane.camera import Camera, Margins, fit
from explorer.kit.plane.placed_frame import points_in_plane
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, SegmentList, Segments
from explorer.kit.theme import Theme
from explorer.rooms.explore.compare.column import SideColumn
from explorer.session import Centre, Change, Comparison, Frame
from explorer.session.backwards import check_variant
from explorer.session.comparison import Compared, Difference, comparisons, resolve_pair
from explorer.session.intents import ChangeLook
from explorer.text import N_, Message, _, display_number, displayable, joined_long

NAMES = {
    Comparison.SCALE: N_("Scaling"),
    Comparison.MASK: N_("Mask"),
    Comparison.HEADS: N_("Heads"),
    Comparison.PROJECTIONS: N_("Projections"),
    Comparison.POSITION: N_("Position"),
    Comparison.MISTAKE: N_("Mistake"),
}


class Header(QWidget):
    """Asks for another comparison, and for the plane again."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self.picker = Segments(
            [Segment(comparison, _(name)) for comparison, name in NAMES.items()],
            _("Compare"),
            theme,
            exclusive=True,
            pad=8,
            parent=self,
        )
        self.picker.picked.connect(
            lambda picked: self.intent.emit(ChangeLook({"comparison": picked}))
        )
        self.choice = SegmentList(self.picker, self)
        self.back = QPushButton(_("Back to the plane"), self)
        self.back.setAccessibleName(self.back.text())
        self.back.setToolTip(self.back.text())
        self.back.clicked.connect(lambda: self.intent.emit(ChangeLook({"centre": Centre.PLANE})))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        for way in (self.picker, self.choice):
            self._row.addWidget(way, 0, Qt.AlignmentFlag.AlignLeft)
        self._row.addStretch(1)
        self._row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.retheme(theme)

    def draw(self, frame: Frame) -> None:
        """Show what is compared, and what can be."""
        offered = comparisons(frame.scene)
        for comparison in Comparison:
            self.picker.set_shown(comparison, comparison in offered)
        self.picker.show_checked({frame.look.comparison})
        self.choice.follow()
        layout = self.picker.layout()
        assert layout is not None
        layout.activate()
        self.picker.updateGeometry()
        self._arrange()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        set_spacing(self._row, px(16), px(10), px(16), px(10), gap=px(8))
        for part in (self.choice, self.back):
            part.setFont(theme.font(14))
        self.picker.retheme(theme)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay everything out in the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Make names that have no room a list, and shorten the way back, or put it below."""
        room = self.width() - self._theme.px(16 + 8 + 16)
        narrow = self.picker.sizeHint().width() > room
        self.picker.setVisible(not narrow)
        self.choice.setVisible(narrow)
        room -= (self.choice if narrow else self.picker).sizeHint().width()
        for text in (_("Back to the plane"), _("Back")):
            self.back.setText(text)
            if self.back.sizeHint().width() <= room:
                break
        beside = self.back.sizeHint().width() <= room
        if not beside:
            self.back.setText(_("Back to the plane"))
        set_direction(self._row, beside=beside)


_LONGEST = 24  # letters of a token's name


def differences_said(compared: Compared) -> str:
    """Return the largest differences of A and of the output as a sentence, or that there is none.

    Numbers have three decimals, and more where three would not tell them apart.
    """
    found = compared.differences
    outputs = any(one.array == "output" for one in found)
    if all(one.same for one in found):
        if outputs:
            return _("Both sides compute the same numbers.")
        return _("Both sides compute the same A; their outputs have different widths.")
    told = [_said(one, compared) for one in found if not one.same]
    sentence = _("Largest difference: {places}.").format(places=joined_long(told))
    if not outputs:
        sentence += " " + _("The outputs have different widths.")
    return sentence


def _said(one: Difference, compared: Compared) -> str:
    scene = compared.table.scene
    query = _named(one.query, scene.tokens)
    if one.array == "A":
        template = _("A[{query}, {column}] {left} → {right}, {difference}")
        column = _named(one.column, scene.key_tokens)
    else:
        template = _("output[{query}, {column}] {left} → {right}, {difference}")
        column = str(one.column + 1)
    places = _places(one)
    sign = "+" if one.difference > 0 else ""
    return template.format(
        query=query,
        column=column,
        left=display_number(one.left, places),
        right=display_number(one.right, places),
        difference=sign + display_number(one.difference, places),
    )


def _named(place: int, tokens: tuple[str, ...]) -> str:
    """Return what a token is called, with its number where others are called the same."""
    name = displayable(tokens[place], _LONGEST)
    return name if tokens.count(tokens[place]) == 1 else f"{name} #{place + 1}"


def _places(one: Difference) -> int:
    for places in range(3, 12):
        shown = (round(number, places) for number in (one.left, one.right))
        if abs(one.difference) >= 0.5 * 10**-places and len(set(shown)) == 2:
            return places
    return 12


_SIDE, _ABOVE, _BELOW, _CAPTIONED = 64.0, 36.0, 40.0, 72.0  # px kept around fitted points


class _Columns(QWidget):
    """Both sides' columns, equally wide: else names might slant on one side, and its rows stand
    lower."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(0)
        self.grid.addWidget(hairline(self, vertical=True), 0, 1, 4, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave a pixel empty that would make one column wider than the other."""
        super().resizeEvent(event)
        spare = 1 - self.width() % 2
        if self.grid.columnMinimumWidth(3) != spare:
            self.grid.setColumnMinimumWidth(3, spare)


class CompareView(View):
    """Both sides of a comparison; what is dragged in one of them moves in both.

    Both planes are seen through one camera, which fits what both show when they are first drawn,
    when the shape, the shown spaces or the comparison change, and where nothing would be seen
    otherwise.
    """

    concerns: ClassVar[Change] = (
        Change.RESULT
        | Change.LOOK
        | Change.SELECTION
        | Change.HOVER
        | Change.PLANE
        | Change.INVALID
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("compare")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(*LEAST_MIDDLE)
        self._compared: Compared | None = None
        self._missing: list[tuple[Attention, int]] = []  # heads that the outputs still need
        self._behind = Backlog(self._compute_next, self)
        self._camera = Camera()
        self._kind: object = None
        self._drawn = False  # whether the planes show what is compared
        self._fits = True  # whether the person has not moved the camera since it was fitted
        self.header = Header(theme, self)
        self.header.intent.connect(self.intent)
        self.area = ColumnArea(self)
        self._page = QWidget(self.area)
        self._page.setObjectName("compare-page")
        self._columns = _Columns(self._page)
        self.left = SideColumn(_("left"), theme, FORMATS, self._columns)
        self.right = SideColumn(_("right"), theme, FORMATS, self._columns)
        self._footer = QWidget(self)
        self.difference = plain_label("ink1", self._footer)
        self.finding = plain_label("ink1", self._footer)
        self.legend = plain_label("ink3", self._footer)
        self.legend.setText(
            _("Violet: more than on the other side; ochre: less. Drag a token: it moves on both.")
        )
        self.refusal = plain_label("ink2", self._page)
        self._build()
        for side in (self.left, self.right):
            side.intent.connect(self.intent)
            side.plane.camera_moved.connect(self._move_camera)
            side.plane.fit_asked.connect(self.fit)
            side.plane.resized.connect(self._resized)
        self.setFocusProxy(self.left.plane.viewport())
        self._apply_theme()

    def sizeHint(self) -> QSize:
        """Return the size of the middle of the usual window."""
        return QSize(836, 704)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay everything out in the new size."""
        super().resizeEvent(event)
        self._place_words()

    def _place_words(self) -> None:
        """Let the words scroll with the tables where they would leave no room for the planes."""
        words = self._footer.heightForWidth(self.width())
        room = self.height() - self.header.sizeHint().height() - words
        low = room < self.left.title.sizeHint().height() + self.left.plane.minimumHeight()
        column = self._column if low else self._whole
        if column.indexOf(self._footer) < 0:
            column.addWidget(self._footer)

    def draw(self, frame: Frame) -> None:
        """Show the comparison that the frame's look asks for, or say why there is none."""
        self._drawn = False  # the planes find their size, and are drawn once
        self.header.draw(frame)
        self._behind.clear()
        compared = _refused(frame) or resolve_pair(frame, self._compared)
        refused = isinstance(compared, Message)
        self._compared = None if isinstance(compared, Message) else compared
        for part in (self._columns, self._footer):
            part.setVisible(not refused)
        self.refusal.setVisible(refused)
        self._show_finding(frame)
        if isinstance(compared, Message):
            self.refusal.setText(displayable(str(compared), 400))
            return
        self._missing = [
            (attention, head)
            for attention in (compared.left.attention, compared.right.attention)
            if isinstance(attention, LargeAttention)
            for head in range(attention.heads)
            if not attention.has_head(head)
        ]
        self._show_numbers(compared)
        self._behind.put(range(len(self._missing)))
        if frame.drag is None:
            self._place_words()
            lay_out()
        self._drawn = True
        self._follow(compared)
        self._show_planes()

    def _show_numbers(self, compared: Compared) -> None:
        """Show both columns and what differs most; of outputs once all heads are computed."""
        known = not self._missing
        said = differences_said(compared) if known else _("Comparing all heads…")
        if said != self.difference.text():
            self.difference.setText(said)
        for column, side, own, other in (
            (self.left, compared.sides.left, compared.left, compared.right),
            (self.right, compared.sides.right, compared.right, compared.left),
        ):
            column.draw(side, own, other, compared.table, output_known=known)

    def _compute_next(self, piece: int) -> None:
        attention, head = self._missing[piece]
        attention.of_head(head)
        if piece == len(self._missing) - 1 and self._compared is not None:
            self._missing = []
            self._show_numbers(self._compared)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for part in (self.header, self.left, self.right):
            part.retheme(theme)
        self._apply_theme()

    def be_presented(self) -> None:
        """Leave out what an audience does not need, and what does not fit."""
        for part in (self.header.back, self.legend, self.left.facts, self.right.facts):
            part.hide()
        for side in (self.left, self.right):
            side.tables.outputs.hide()
            side.plane.be_presented()
        self.turn_over(False)

    def turn_over(self, over: bool) -> None:
        """Show the weights instead of the planes, or these: for both there is no room."""
        for side in (self.left, self.right):
            side.plane.setVisible(not over)
            side.tables.setVisible(over)

    def fit(self) -> None:
        """Show everything that is drawn on both sides."""
        self._fit_camera()
        self._show_planes()

    # --- the camera of both planes ---------------------------------------------------------------

    def _follow(self, compared: Compared) -> None:
        """Fit the camera where another kind of picture comes, or where points would be unseen."""
        frames = compared.left, compared.right
        kind = compared.table.look.comparison, *(_kind(frame) for frame in frames)
        if compared.table.drag is not None:
            return
        if kind != self._kind:
            self._kind = kind
            self._fit_camera()
            return
        planes = self.left.plane, self.right.plane
        seen = [
            plane.seen(frame, self._camera) for plane, frame in zip(planes, frames, strict=True)
        ]
        if not all(part.all() if self._fits else part.any() for part in seen):
            self._fit_camera()

    def _fit_camera(self) -> None:
        compared, plane = self._compared, self.left.plane
        if compared is None:
            return
        shown = [
            points
            for frame in (compared.left, compared.right)
            for points in points_in_plane(frame).values()
        ]
        if compared.left.projection.exact:
            shown.append(np.zeros((1, 2)))  # vectors start at the origin
        width, height = plane.width(), plane.height()
        side = min(self.theme.px(_SIDE), width * 0.16)
        above = min(self.theme.px(_ABOVE), height * 0.14)
        captioned = not compared.left.projection.exact  # how much is seen is said at the bottom
        below = min(self.theme.px(_CAPTIONED if captioned else _BELOW), height * 0.3)
        margins = Margins(side, above, side, below)
        self._camera = fit(np.concatenate(shown), width, height, margins)
        self._fits = True

    def _move_camera(self, camera: Camera) -> None:
        self._camera, self._fits = camera, False
        self._show_planes()

    def _resized(self) -> None:
        if not self._drawn:
            if self._fits:
                self._kind = None  # it is fitted anew once all have their size
            return
        if self._fits and not (self.left.plane.busy or self.right.plane.busy):
            self._fit_camera()
        self._show_planes()

    def _show_planes(self) -> None:
        compared = self._compared
        if compared is not None:
            for plane, frame in (
                (self.left.plane, compared.left),
                (self.right.plane, compared.right),
            ):
                plane.show_frame(frame, compared.table, self._camera)

    # --- words -----------------------------------------------------------------------------------

    def _show_finding(self, frame: Frame) -> None:
        """Say by what a mistake that is made is unmasked, where it is what is compared."""
        variant = frame.scene.options.variant
        made = variant in MISTAKES and frame.look.comparison is Comparison.MISTAKE
        self.finding.setVisible(made)
        if made and frame.drag is None:
            finding = check_variant(frame.scene, frame.attention, variant)
            said = displayable(str(finding.says), 400)
            self.finding.setText(_("How to find it: {finding}").format(finding=said))

    # --- making ----------------------------------------------------------------------------------

    def _build(self) -> None:
        for side, place in ((self.left, 0), (self.right, 2)):
            side.put_into(self._columns.grid, place)
            self._columns.grid.setColumnStretch(place, 1)
        self._column = QVBoxLayout(self._page)
        self._column.addWidget(self._columns, 1)
        self.refusal.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column.addWidget(self.refusal, 1)
        self.refusal.hide()
        self.area.setWidget(self._page)
        self._whole = fill(QVBoxLayout(self), self.header, (self.area, 1))
        self._under = QVBoxLayout(self._footer)
        put(self._under, self.difference, self.finding, self.legend)
        self._whole.addWidget(self._footer)

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        self._column.setContentsMargins(0, 0, 0, 0)
        self._columns.grid.setVerticalSpacing(px(6))
        set_spacing(self._under, px(16), px(8), px(16), px(10), gap=px(4))
        self.refusal.setContentsMargins(px(16), px(8), px(16), 0)
        for label, size, weight in (
            (self.difference, 14, 600),
            (self.finding, 14, 400),
            (self.legend, 13, 400),
            (self.refusal, 15, 400),
        ):
            label.setFont(theme.font(size, weight))


def _refused(frame: Frame) -> Message | None:
    """Return why nothing is compared: while numbers are hidden neither side may tell them."""
    return why_hidden(frame.look) if frame.look.hidden or frame.look.veils else None


def _kind(frame: Frame) -> object:
    """Return what makes two frames the same kind of picture, for which the camera stands still."""
    spaces = frame.look.shown
    return spaces, tuple(frame.points(space).shape for space in sorted(spaces)), frame.look.head
