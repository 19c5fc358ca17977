"""The run of a sweep that is looked at: its curves, a sentence, and its heads that tell most."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.heads import HeadMaps
from explorer.kit.labels import plain_label, show_text
from explorer.kit.layouts import put, set_spacing
from explorer.kit.loss_curves import label_epochs, rounded_up
from explorer.kit.mosaic import Tile
from explorer.kit.numbers import Columns
from explorer.kit.plot import Curve, Plot, paint_plot
from explorer.kit.scrolling import ColumnArea
from explorer.kit.table.painting import LEFT, RIGHT, draw_text
from explorer.kit.theme import Theme
from explorer.rooms.sweep.intents import OpenInRun
from explorer.rooms.sweep.picture import shade_colour
from explorer.rooms.sweep.shown import SelectedRun, Shown
from explorer.rooms.sweep.words import seed_name
from explorer.sweeps.heads import TellingMap
from explorer.sweeps.plan import setting_text
from explorer.text import N_, Message, _, display_number, displayable, in_a_row, joined
from explorer.traces import Corpus

_CURVES = 116  # px at 100 %
_ACCURACY = 0.66  # of the attention ramp


class RunCurves(QWidget):
    """Loss and accuracy of a run over its epochs, and where all is right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._run: SelectedRun | None = None
        self.setAccessibleName(_("Loss and accuracy of the selected run"))
        self.retheme(theme)

    def draw(self, run: SelectedRun | None) -> None:
        """Show a run's curves."""
        self._run = run
        self.update()

    def plotted(self) -> Columns:
        """Return the numbers of the curves, by name."""
        if self._run is None:
            return {}
        epochs = np.arange(float(len(self._run.loss)))
        return {"epoch": epochs, "loss": self._run.loss, "accuracy": self._run.accuracy}

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(theme.px(_CURVES))

    def sizeHint(self) -> QSize:
        """Return a size at which two curves can be told apart."""
        return QSize(self._theme.px(300), self._theme.px(_CURVES))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint both curves between 0 and the top."""
        run, theme = self._run, self._theme
        if run is None:
            return
        px = theme.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = QRectF(px(26), px(22), self.width() - px(40), self.height() - px(46))
            fine = np.isfinite(run.loss)
            top = rounded_up(max(float(run.loss[fine].max(initial=0.0)), 1e-3))
            epochs = np.arange(float(len(run.loss)))
            last = len(run.loss) - 1
            accuracy = shade_colour(theme, _ACCURACY)
            curves = [
                Curve(epochs[fine], run.accuracy[fine].astype(float), accuracy, 1.6),
                Curve(epochs[fine], run.loss[fine] / top, theme.color("ink1"), 1.8),
            ]
            bottom = [(float(each), str(each)) for each in label_epochs(last, 5)]
            seen = QRectF(0, 0, max(last, 1), 1)
            size = (self.width(), self.height())
            paint_plot(
                painter,
                theme,
                Plot(size, place, seen, [(0.0, "0"), (1.0, "1")], bottom, curves, rules=True),
            )
            start = run.result.all_right_from
            if start is not None:
                x = place.left() + start / max(last, 1) * place.width()
                painter.setPen(QPen(theme.color("ink1"), 1.5))
                painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
            over = QRectF(place.left(), 0, place.width(), px(18))
            draw_text(painter, theme, _("accuracy"), over, accuracy, 13, align=LEFT)
            text = _("loss, 0 to {top}").format(top=f"{top:g}")
            draw_text(painter, theme, text, over, theme.color("ink1"), 13, align=RIGHT)


class RunPanel(QWidget):
    """The selected run, and what can be done with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run = plain_label("ink1", self)
        self.said = plain_label("ink2", self)
        self.curves = RunCurves(theme, self)
        self.maps_note = plain_label("ink3", self)
        self.maps = (
            HeadMaps(theme, _("An informative head"), self),
            HeadMaps(theme, _("Another informative head"), self),
        )
        self.open, self.compare = (
            QPushButton(_("Open in Run"), self),
            QPushButton(_("Compare"), self),
        )
        self.open.setProperty("kind", "primary")
        self.open.setToolTip(_("Trains this run again, recorded epoch by epoch"))
        self.compare.setToolTip(_("Trains this run again, as B beside the run that is shown there"))
        inner = QWidget()
        inner.setProperty("panel", True)
        self._scroll = ColumnArea(self)
        self._column = put(QVBoxLayout(inner), self.run, self.curves, self.said, self.maps_note)
        self.sentences = tuple(plain_label("ink2", self) for _maps in self.maps)
        # In rows, so that both maps begin at one height, whatever their sentences take.
        self._beside = QGridLayout()
        for column, parts in enumerate(zip(self.sentences, self.maps, strict=True)):
            self._beside.setColumnStretch(column, 1)
            for row, part in enumerate(parts):
                self._beside.addWidget(part, row, column, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(self._beside)
        self._buttons = put(QHBoxLayout(), (self.open, 1), (self.compare, 1))
        self._column.addStretch(1)
        self._scroll.setWidget(inner)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        put(self._whole, (self._scroll, 1), self._buttons)
        self.retheme(theme)

    def ask_through(self, emit: Callable[[object], object]) -> None:
        """Ask through `emit`."""
        self.open.clicked.connect(lambda: emit(OpenInRun(False)))
        self.compare.clicked.connect(lambda: emit(OpenInRun(True)))

    def draw(self, shown: Shown | None, selected: SelectedRun | None) -> None:
        """Show a run of a sweep, or how one is selected."""
        there = shown is not None and selected is not None
        for part in (self.curves, self.open, self.compare):
            part.setVisible(there)
        self.curves.draw(selected)
        if shown is None or selected is None:
            show_text(self.run, "")
            show_text(self.said, _("Click a dot or a setting: its run is dashed in the losses."))
            self.said.setVisible(shown is not None)
            show_text(self.maps_note, "")
            for below in (*self.maps, *self.sentences):
                below.hide()
            return
        plan = shown.plan
        setting = setting_text(plan.setting(selected.run))
        seed = seed_name(plan, selected.run)
        show_text(self.run, " · ".join(filter(None, (seed, setting))))
        show_text(self.said, run_text(selected))
        kept = bool(selected.maps)
        note = _("Two informative heads, from its last weights")
        if len(selected.maps) == 1 or plan.run_config(selected.run).heads == 1:
            note = _("Its head, from its last weights")
        if not kept:
            finished = selected.result.status == "finished"
            note = _("Its last weights are not kept: open it in Run.") if finished else ""
        show_text(self.maps_note, note)
        for number, maps in enumerate(self.maps):
            there = number < len(selected.maps)
            maps.setVisible(there)
            self.sentences[number].setVisible(there)
            if there:
                told = selected.maps[number]
                words = " ".join(displayable(word, 24) for word in told.words)
                self.sentences[number].setText(words)
                head = _head(told, plan.run_config(selected.run).layers)
                _show_map(maps, told, head, plan.sentences, self._theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self._theme = theme
        px = theme.px
        set_spacing(self._column, 0, 0, 0, 0, gap=px(7))
        self._beside.setHorizontalSpacing(px(8))
        self._beside.setVerticalSpacing(0)
        self._whole.setSpacing(px(8))
        self._buttons.setSpacing(px(12))
        self.run.setFont(theme.font(15, 600))
        self.said.setFont(theme.font(14))
        self.maps_note.setFont(theme.font(13))
        self.curves.retheme(theme)
        for sentence, maps in zip(self.sentences, self.maps, strict=True):
            sentence.setFont(theme.font(13))
            maps.retheme(theme)
        for button in (self.open, self.compare):
            button.setFont(theme.font(14, 500))


def _head(told: TellingMap, layers: int) -> str:
    head = _("Head {head}").format(head=told.head + 1)
    layer = _("Layer {layer}").format(layer=told.layer + 1)
    return joined((layer, head)) if layers > 1 else head


def _show_map(maps: HeadMaps, told: TellingMap, head: str, corpus: Corpus, theme: Theme) -> None:
    masked = np.zeros(told.weights.shape, dtype=bool)
    maps.show_tiles((Tile(told.head, told.weights, masked, head),))
    order = list(dict.fromkeys(word for line in corpus.lines for word in line))
    colours = [
        theme.slot(order.index(word)) if order.index(word) < 8 else theme.neutral_token
        for word in told.words
    ]
    maps.show_chosen(0, told.words, colours)


def run_text(selected: SelectedRun) -> str:
    """Return what a run did, in a sentence or two."""
    result, flat = selected.result, selected.plateau
    said: list[Message] = []
    if flat is not None:
        near = {"first": flat.first, "last": flat.last, "loss": display_number(flat.loss, 2)}
        if flat.choices is None:
            template = N_("From epoch {first} to {last} the loss stays near {loss}.")
        else:
            template = N_(
                "From epoch {first} to {last} the loss stays near {loss} = ln\u00a0{count}: as if "
                "{count} words were equally likely."
            )
            near["count"] = flat.choices
        said.append(Message(template, near))
    if result.status == "failed":
        said.append(Message(N_("It ended its worker three times and has no numbers.")))
    elif result.status == "diverged":
        epoch = int(np.flatnonzero(~np.isfinite(selected.loss))[0])
        said.append(Message(N_("It diverged at epoch {epoch}."), {"epoch": epoch}))
    elif result.all_right_from is None:
        said.append(Message(N_("It never got all sentences right.")))
    else:
        said.append(
            Message(
                N_("All sentences are correct from epoch {epoch} on; the last loss is {loss}."),
                {
                    "epoch": result.all_right_from,
                    "loss": display_number(result.last_loss, _places(result.last_loss)),
                },
            )
        )
    return in_a_row(map(str, said))


def _places(value: float) -> int:
    """Return decimals that show two digits of a small number."""
    return 2 if value <= 0 else max(2, 1 - math.floor(math.log10(value)))
