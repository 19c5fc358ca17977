"""The atlas: every head of a run, filtered by what it does and sorted."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QActionGroup, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.focus_ring import is_ringed
from explorer.kit.icons import icon
from explorer.kit.layouts import put, set_spacing
from explorer.kit.segments import Segment, Segments
from explorer.kit.style import DISABLED
from explorer.kit.table.painting import draw_box, draw_text, elided
from explorer.kit.theme import Theme
from explorer.models.figures import Kind
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.effects_panel import EffectsPanel
from explorer.rooms.model.head_grid import HeadGrid
from explorer.rooms.model.words import kind_name, rule_of
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame, Order, Repeated
from explorer.session.model.intents import ChangeModelLook, FilterHeads, MeasureRepeats, ShowEffects
from explorer.text import N_, _, joined, plain_tip

_CHIP_WIDTH, _CHIP_HEIGHT = 60, 40  # px at 100 %
_ALL = (None, Kind.PREVIOUS, Kind.NEXT, Kind.SELF, Kind.FIRST, Kind.END, Kind.BROAD, Kind.OTHER)
_ORDERS = {
    Order.LAYER: N_("layer"),
    Order.KIND: N_("kind"),
    Order.ENTROPY: N_("entropy"),
    Order.PAIR: N_("weight of the pair"),
}


class FilterChip(QAbstractButton):
    """A count above a name; the frame says whether it is checked.

    Parameters
    ----------
    kind : Kind, Repeated or None
        What it shows alone; None for all heads.
    """

    def __init__(self, kind: Kind | Repeated | None, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = kind
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(plain_tip(rule_of(kind)))
        self._name, self._count = "", 0

    def show_count(self, name: str, count: int, checked: bool) -> None:
        """Show how many heads there are, and whether these are shown alone."""
        self._name, self._count = name, count
        self.setText(f"{count} {name}".replace("&", "&&"))
        self.setAccessibleName(joined((name, str(count))))
        self.setEnabled(count > 0)
        self.setChecked(checked)
        self.update()

    def nextCheckState(self) -> None:
        """Leave the state alone: it is said by the frame."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press on Enter as well."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedSize(theme.px(_CHIP_WIDTH), theme.px(_CHIP_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, checked = self._theme, self.isChecked()
        with QPainter(self) as painter:
            if not self.isEnabled():
                painter.setOpacity(DISABLED)
            hovered = self.isEnabled() and self.underMouse()
            width = 2.0 if checked or is_ringed(self) else 1.0
            edge = "ink1" if checked or is_ringed(self) else "ctl" if hovered else "line2"
            fill = theme.color("hover" if hovered and not checked else "raised")
            box = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
            draw_box(painter, box, theme.px(6), fill, theme.color(edge), width)
            if is_ringed(self) and checked:
                inner = box.adjusted(3, 3, -3, -3)
                draw_box(painter, inner, theme.px(4), fill, theme.color("ink1"))
            high = self.height()
            upper = QRectF(0, high * 0.08, self.width(), high * 0.46)
            lower = QRectF(0, high * 0.5, self.width(), high * 0.42)
            draw_text(painter, theme, str(self._count), upper, theme.color("ink1"), 14, 600)
            name = elided(theme, self._name, 12, 400, self.width() - 4)
            draw_text(painter, theme, name, lower, theme.color("ink2"), 12)


class AtlasView(ModelView):
    """Counts of heads by kind, how they are sorted, and all of them as thumbnails."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.LOOK
        | ModelChange.TEXT
        | ModelChange.REPEATS
        | ModelChange.SWITCHES
        | ModelChange.EFFECTS
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Heads"))
        self._frame = ModelFrame()
        self._title = QLabel(_("Heads"))
        self.repeats = QToolButton()
        self.repeats.setProperty("kind", "link")
        self.repeats.setText(_("repeats"))
        self.repeats.setToolTip(
            plain_tip(
                _(
                    "Give the model repeated random tokens, and count the induction heads and the "
                    "duplicate-token heads"
                )
            )
        )
        self.repeats.clicked.connect(lambda: self.intent.emit(MeasureRepeats()))
        self.sort = QToolButton()
        self.sort.setProperty("kind", "link")
        self.sort.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sort.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.sort.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow after the text
        self._menu = QMenu(self)
        self._choice = QActionGroup(self)
        self._orders = {order: self._menu.addAction(_(name)) for order, name in _ORDERS.items()}
        for order, action in self._orders.items():
            action.setCheckable(True)
            action.setData(order)
            self._choice.addAction(action)
        self._choice.triggered.connect(self._sort)
        self.sort.setMenu(self._menu)
        self.choice = Segments(
            [Segment(False, _("Weights")), Segment(True, _("Effect"))],
            _("Heads"),
            theme,
            exclusive=True,
            parent=self,
        )
        self.choice.picked.connect(lambda shown: self.intent.emit(ShowEffects(bool(shown))))
        self.effects = EffectsPanel(theme, self)
        self.effects.intent.connect(self.intent)
        self.chips = {kind: FilterChip(kind, theme, self) for kind in (*_ALL, *Repeated)}
        self.grid = HeadGrid(theme, self)
        self.grid.intent.connect(self.intent)
        self.setFocusProxy(self.grid)
        self._head, self._filters = QHBoxLayout(), QGridLayout()
        put(self._head, self._title, None, self.repeats, self.sort, self.choice)
        for place, chip in enumerate(self.chips.values()):
            chip.clicked.connect(self._filter)
            self._filters.addWidget(chip, *divmod(place, 4))
        self._filters.setColumnStretch(4, 1)
        self._column = put(
            QVBoxLayout(self), self._head, self._filters, (self.grid, 1), (self.effects, 1)
        )
        self._apply_theme()

    def draw(self, frame: ModelFrame) -> None:
        """Show the counts and the heads of a frame."""
        self._frame = frame
        run, look = frame.run, frame.look
        counts = {kind: len(frame.heads_of(kind)) for kind in self.chips if kind is not None}
        for kind, chip in self.chips.items():
            if kind is None:
                count = 0 if run is None else run.tiles.shape[0] * run.tiles.shape[1]
                chip.show_count(_("all"), count, run is not None and not look.kinds)
            else:
                chip.show_count(kind_name(frame, kind), counts[kind], kind in look.kinds)
        info = frame.info
        runs = info is not None and info.runs
        beside = look.centre is ModelCentre.NEXT and runs and run is not None
        effects = beside and look.effects
        for kind, chip in self.chips.items():
            known = frame.repeats is not None or not isinstance(kind, Repeated)
            chip.setVisible(known and not effects)
        self.repeats.setVisible(runs and not beside and frame.repeats is None)
        self.sort.setVisible(not beside)
        self.choice.setVisible(beside)
        self.choice.show_checked({look.effects})
        self.grid.setVisible(not effects)
        self.effects.setVisible(effects)
        if effects:
            self.effects.draw(frame)
        self.sort.setEnabled(run is not None)
        self._orders[Order.PAIR].setEnabled(frame.pair is not None)
        for order, action in self._orders.items():
            action.setChecked(order is look.order)
        said = _("sort: {order}").format(order=_(_ORDERS[look.order]))
        if self.sort.text() != said:
            self.sort.setText(said)
        self.grid.draw(frame)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for part in (self.grid, self.choice, self.effects):
            part.retheme(theme)
        self._apply_theme()

    def viewport(self) -> QWidget:
        """Return the thumbnails, or the cells that stand in their place."""
        return self.effects.cells if self.grid.isHidden() else self.grid

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(284), self.theme.px(540))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the filters with F."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and event.key() == Qt.Key.Key_F:
            self.focus_filters()
        else:
            super().keyPressEvent(event)

    def focus_filters(self) -> None:
        """Give the keys to the filter that is chosen."""
        chosen = next((chip for chip in self.chips.values() if chip.isChecked()), None)
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _filter(self) -> None:
        chip = next(chip for chip in self.chips.values() if chip is self.sender())
        chosen = chip.kind if chip.kind not in self._frame.look.kinds else None
        if chosen is not None or self._frame.look.kinds:
            self.intent.emit(FilterHeads(chosen))

    def _sort(self) -> None:
        action = self._choice.checkedAction()
        order = next(order for order, each in self._orders.items() if each is action)
        self._orders[self._frame.look.order].setChecked(True)  # the frame alone says what is chosen
        if order is not self._frame.look.order:
            self.intent.emit(ChangeModelLook({"order": order}))

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        self._title.setFont(theme.font(14, 600))
        for button in (self.sort, self.repeats):
            button.setFont(theme.font(13))
        self.sort.setIcon(icon("chevron-down", theme))
        self.sort.setIconSize(QSize(px(16), px(16)))
        for chip in self.chips.values():
            chip.retheme(theme)
        set_spacing(self._head, px(16), px(8), px(14), px(4), gap=px(10))
        set_spacing(self._filters, px(16), 0, px(14), px(6), gap=px(4))
        set_spacing(self._column, 0, 0, 0, 0, gap=0)
