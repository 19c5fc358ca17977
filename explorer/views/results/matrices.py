"""The matrices page: scores, weights and outputs below each other, or one of them at a time."""

from __future__ import annotations

import itertools

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.session import Frame, Role, Stage
from explorer.session.intents import ShowScaled
from explorer.session.look import Space
from explorer.text import _, decimal_places, display_number
from explorer.views.copying import CopyFormats
from explorer.views.results.cells import CellTable
from explorer.views.results.fitted import FittedTable
from explorer.views.results.grid import PADDING
from explorer.views.results.heat import HeatTable
from explorer.views.results.listing import HEADER, ROW, ListTable
from explorer.views.results.outputs import OutputsTable
from explorer.views.results.sources import HeatSource, OutputNumbers, OutputSource, Source
from explorer.views.results.titles import Title
from explorer.views.segments import Segment, Segments
from explorer.views.theme import Theme

_FULL_ROWS = 8  # in view at full size
_SCALING_PAD = 2  # px at 100 %: buttons beside a title are narrower than those of the picture's bar
_PARTS = (Stage.S, Stage.A, Stage.O)


class Part(QWidget):
    """A title and its table, fitted or at full size.

    Parameters
    ----------
    fitted : FittedTable
    full : ListTable
        The same numbers at full size.
    """

    intent = Signal(object)

    def __init__(
        self, title: Title, fitted: FittedTable, full: ListTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title, self.fitted, self.full = title, fitted, full
        full.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._beside = QHBoxLayout()
        self._beside.addWidget(full)
        column.addWidget(title)
        column.addWidget(fitted)
        column.addLayout(self._beside)
        for table in (fitted, full):
            table.intent.connect(self.intent)
        title.full.toggled.connect(self._switched)
        self._shown: tuple[Source, Source] | None = None

    def draw(self, fitted: Source, full: Source) -> None:
        """Show the sources; a picture can be switched to its full size."""
        self._shown = fitted, full
        self.title.show_held(fitted.frame.held)
        self.fitted.show_source(fitted)
        picture = self.fitted.is_picture
        self.title.full.setVisible(picture)
        at_full = picture and self.title.full.isChecked()
        self.fitted.setVisible(not at_full)
        self.full.setVisible(at_full)
        if at_full:
            rows = min(full.shape[0], _FULL_ROWS)
            margin = fitted.theme.px(PADDING) // 2
            self._beside.setContentsMargins(margin, 0, margin, 0)
            self.full.setFixedHeight(fitted.theme.px(HEADER + ROW * rows + 12))
            self.full.show_source(full)

    @property
    def table(self) -> CellTable:
        """The table in view."""
        return self.full if self.full.isVisibleTo(self) else self.fitted

    def _switched(self) -> None:
        if self._shown is not None:
            at_full = self.title.full.isChecked()
            fitted, full = self._shown
            self.draw(fitted, full)
            if at_full:
                self.full.scrollTo(self.full.currentIndex())


class MatricesPage(QWidget):
    """S, A and O of one head."""

    intent = Signal(object)

    def __init__(self, formats: CopyFormats, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame: Frame | None = None
        self._tabbed = self._compact = False
        self._part = Stage.S
        self.parts: dict[Stage, Part] = {}
        for stage, title, name, kind in (
            (Stage.S, Title("S", _("scores")), _("S, scores"), HeatTable),
            (
                Stage.A,
                Title("A", _("attention, each row sums to 1")),
                _("A, attention"),
                HeatTable,
            ),
            (Stage.O, Title("O", _("output"), Space.O), _("O, output"), OutputsTable),
        ):
            full = ListTable(_("{table} at full size").format(table=name), theme, formats)
            self.parts[stage] = Part(title, kind(name, theme, formats), full)
        self.scores, self.weights, self.outputs = (self.parts[stage] for stage in _PARTS)
        self.scaling = Segments(
            [
                Segment(False, "QKᵀ", _("Scores before scaling")),
                Segment(True, "÷ √d"),
            ],
            _("Scores"),
            theme,
            exclusive=True,
            pad=_SCALING_PAD,
        )
        self.scaling.picked.connect(lambda scaled: self.intent.emit(ShowScaled(bool(scaled))))
        self.scores.title.row.addWidget(self.scaling)
        self._made_of = QLabel(_("made of"), self.outputs.title)
        self._made_of.setProperty("ink", "ink3")
        self.tabs = Segments(
            [
                Segment(stage, stage.value, part.fitted.accessibleName())
                for stage, part in self.parts.items()
            ],
            _("Table"),
            theme,
            exclusive=True,
        )
        self.tabs.picked.connect(self._picked)
        self._tab_row = QHBoxLayout()
        self._tab_row.addWidget(self.tabs)
        self._tab_row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._tab_row)
        for part in self.parts.values():
            self._column.addWidget(part)
            part.intent.connect(self.intent)
        self._column.addStretch(1)
        self._order_focus()
        self.retheme(theme)

    def _order_focus(self) -> None:
        """Lead the tab key from top to bottom, a title's buttons before its table."""
        stops: list[QWidget] = [self.tabs.button(stage) for stage in _PARTS]
        for part in self.parts.values():
            if part is self.scores:
                stops += [self.scaling.button(scaled) for scaled in (False, True)]
            stops += [part.title.full, part.fitted, part.full]
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)

    # --- looks -----------------------------------------------------------------------------------

    def set_compact(self, compact: bool) -> None:
        """Use lower rows or not."""
        self._compact = compact
        for part in self.parts.values():
            part.fitted.set_compact(compact)
        self._space()

    def set_tabbed(self, tabbed: bool) -> None:
        """Show one table at a time or all."""
        self._tabbed = tabbed
        self._show_parts()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        for part in self.parts.values():
            part.title.retheme(theme)
            for table in (part.fitted, part.full):
                table.theme = theme
        self.scaling.retheme(theme)
        self.tabs.retheme(theme)
        self._made_of.setFont(theme.font(13))
        self._space()
        self._show_parts()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(0, px(14), 0, px(8))
        self._column.setSpacing(px(8 if self._compact else 18))
        self._tab_row.setContentsMargins(px(PADDING), 0, px(PADDING), 0)
        for stage, part in self.parts.items():
            part.title.setFixedHeight(px({Stage.S: 28, Stage.A: 22, Stage.O: 24}[stage]))

    def _picked(self, stage: Stage) -> None:
        self._part = stage
        self._show_parts()

    def _show_parts(self) -> None:
        self.tabs.setVisible(self._tabbed)
        self.tabs.show_checked({self._part})
        for stage, part in self.parts.items():
            part.setVisible(not self._tabbed or stage is self._part)

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame's chosen head."""
        theme, old, self._frame = self._theme, self._frame, frame
        if frame.look.stage in _PARTS and (old is None or old.look.stage != frame.look.stage):
            self._part = frame.look.stage
            self._show_parts()
        self._show_scaling(frame)
        for part, role in ((self.scores, Role.S), (self.weights, Role.A)):
            source = HeatSource(frame, theme, role)
            part.draw(source, source)
        self.outputs.draw(OutputSource(frame, theme), OutputNumbers(frame, theme))
        outputs = self.outputs.fitted
        assert isinstance(outputs, OutputsTable)
        at = outputs.layout_
        self._made_of.setVisible(at.bar_width > 0 and self.outputs.table is outputs)
        self._made_of.adjustSize()
        rightmost = outputs.width() - theme.px(PADDING) - self._made_of.width()
        self._made_of.move(
            min(round(at.bar_left), rightmost),
            (self.outputs.title.height() - self._made_of.height()) // 2,
        )

    def _show_scaling(self, frame: Frame) -> None:
        label = scaling_label(frame)
        button = self.scaling.button(True)
        if label is not None and label != button.text():
            button.setText(label)
            button.setAccessibleName(
                _("Scores after scaling and mask, {label}").format(label=label)
            )
        self.scaling.setVisible(label is not None)
        self.scaling.show_checked({frame.look.scaled})


def scaling_label(frame: Frame) -> str | None:
    """Return what becomes of raw scores, "÷ √2", "÷ 3" or "masked"; None for nothing at all."""
    scale = frame.scene.options.scale
    if scale == "none":
        return None if frame.attention.mask is None else _("masked")
    if scale == "sqrt_dk":
        return f"÷ √{frame.attention.d_k}"
    return f"÷ {display_number(float(scale), decimal_places(float(scale), most=3, least=0))}"
