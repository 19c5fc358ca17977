"""The parameters of the next run: those that are shown, and those that are folded away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.fold import INSET, Fold
from explorer.kit.labels import plain_label, show_text
from explorer.kit.layouts import as_panel, fill, put, set_spacing
from explorer.kit.motion import unfold
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.corpus import CorpusBox
from explorer.rooms.train.parameter_rows import Emit, ParameterRow, SamplesRow, rows
from explorer.rooms.train.run_box import RunBox
from explorer.rooms.train.run_cards import RunList
from explorer.rooms.train.this_run import FIELDS, ThisRun
from explorer.session.train import TrainChange, TrainFrame
from explorer.session.train.intents import (
    BeginUntrained,
    ChangeTrainLook,
    StartOver,
    StepOnce,
    Train,
)
from explorer.session.train.runs import changed_fields
from explorer.text import _, displayable, joined, labelled, listed, ngettext, size_text
from explorer.traces import LABELS, Config, Corpus, expected_bytes, recorded_epochs
from explorer.training.forks import KEPT

MORE_FIELDS = (
    "layers",
    "feed_forward",
    "causal",
    "every_place",
    "position_kind",
    "initialisation",
    "dropout",
    "optimizer",
    "batch_size",
    "device",
    "keep_state",
)
_HEADER = 30  # px at 100 %
_LONGEST = 60  # of a device's name


class MoreParameters(QWidget):
    """A line that says the most telling of them and unfolds to all."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self._devices: tuple[str, ...] | None = None
        self._frame = TrainFrame()
        self._optimizers = {"adam": "Adam", "sgd": "SGD"}
        choices = {
            "position_kind": {"learned": _("Learned"), "sinusoidal": _("Sinusoidal")},
            "initialisation": {"pytorch": "PyTorch", "xavier": "Xavier", "he": "He"},
            "optimizer": self._optimizers,
            "device": {"auto": _("Automatic"), "cpu": "CPU"},
        }
        self.fold = Fold(_("More"), INSET, theme)
        self.fold.header.clicked.connect(
            lambda: emit(ChangeTrainLook({"more_open": not self._frame.look.more_open}))
        )
        self.rows: dict[str, ParameterRow] = rows(MORE_FIELDS, theme, emit, choices)
        self.rows["samples"] = SamplesRow(theme, emit)
        self.running = plain_label("ink3")
        self.body = QWidget()
        self._column = QVBoxLayout(self.body)
        self._column.setSpacing(0)
        for row in self.rows.values():
            self._column.addWidget(row)
        self._column.addWidget(self.running)
        self.body.hide()
        fill(QVBoxLayout(self), self.fold, self.body)
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's values."""
        self._frame = frame
        if frame.devices != self._devices:
            self._devices = frame.devices
            self._offer_devices(frame)
        for row in self.rows.values():
            row.draw(frame)
        width = str(2 * frame.config.d_model)
        self.rows["feed_forward"].set_placeholder(width)
        self.rows["batch_size"].set_placeholder(_("all"))
        self._tell(frame)
        # What cannot be is never hidden.
        unfolded = frame.look.more_open or any(field in frame.problems for field in self.rows)
        if unfolded != self._open:
            self._open = unfolded
            self.body.setVisible(unfolded)
            self.fold.show_open(unfolded)
            if unfolded:
                unfold(self.body)

    def _offer_devices(self, frame: TrainFrame) -> None:
        found = dict.fromkeys(("cpu", *frame.devices, frame.config.device))
        found.pop("auto", None)
        names = {"auto": _("Automatic")} | {kind: kind.upper() for kind in found}
        combo = self.rows["device"].input
        assert isinstance(combo, CalmCombo)
        ParameterRow.offer(combo, names)

    def _tell(self, frame: TrainFrame) -> None:
        config, progress = frame.config, frame.progress
        running = progress.device if progress.active else ""
        layers = ngettext("{n} layer", "{n} layers", config.layers).format(n=config.layers)
        if running or config.device != "auto":
            device = _device_name(running or config.device)
        else:
            device = "CPU" if len(frame.devices) < 2 else _("auto")
        parts = (layers, self._optimizers[config.optimizer], device)
        self.fold.show_summary(" · ".join(parts))
        text = _("The run trains on {device}.").format(device=_device_name(running))
        if self.running.text() != (text if running else ""):
            self.running.setText(text if running else "")
        self.running.setVisible(bool(running))

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height."""
        inset = theme.px(INSET)
        self.fold.retheme(theme)
        self.fold.header.setFixedHeight(theme.px(_HEADER))
        self._column.setContentsMargins(inset, 0, inset, theme.px(8))
        self.running.setFont(theme.font(13))
        for row in self.rows.values():
            row.retheme(theme, compact)
            row.label.setFont(theme.font(13))


def _device_name(device: str) -> str:
    """Return a device as it is written: CPU, CUDA, or what its maker calls it."""
    return device.upper() if device in ("cpu", "cuda", "mps") else displayable(device, _LONGEST)


WIDTH = 256  # px at 100 %


class _Column(QWidget):
    """What is scrolled. Where it is too high for the area, the sentences below the rest fill it.

    That costs nothing, as one scrolls to them anyway. It is told to the area as the column's own
    height, each time it asks: what the panel went through before counts for nothing.
    """

    def __init__(self, corpus: CorpusBox, area: ColumnArea) -> None:
        super().__init__()
        self._corpus, self._area = corpus, area

    def minimumSizeHint(self) -> QSize:
        """Return the least size."""
        least = super().minimumSizeHint()
        return QSize(least.width(), self._filled(least.height()))

    def heightForWidth(self, width: int) -> int:
        """Return the height with texts that are broken at that width."""
        return self._filled(super().heightForWidth(width))

    def _filled(self, least: int) -> int:
        area = self._area.viewport().height()
        return least + self._corpus.spare(area) if least > area else least


class ParametersView(TrainView):
    """Shows what the next run is asked to be, the run, and the sentences it learns."""

    concerns = (
        TrainChange.NUMBERS
        | TrainChange.PROGRESS
        | TrainChange.CONFIG
        | TrainChange.LOOK
        | TrainChange.SELECTION
        | TrainChange.RUNS
        | TrainChange.RECORDED
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Parameters"))
        self._compact = False
        self._planned: tuple[object, ...] = ()  # what the rows show
        self._recording: tuple[Config, Corpus | None, tuple[int, ...] | None] | None = None
        self.list = RunList(theme, self._emit)
        self.choice = Segments(
            [Segment(False, _("This run")), Segment(True, _("Next run"))],
            _("Which run the panel shows"),
            theme,
            exclusive=True,
        )
        self.choice.picked.connect(lambda wanted: self._emit(ChangeTrainLook({"next_run": wanted})))
        self.changes = plain_label("ink3")
        self.untrained = QPushButton(_("Begin untrained"))
        self.untrained.clicked.connect(lambda: self._emit(BeginUntrained()))
        self.this = ThisRun(theme, self._emit)
        for part in (self.list, self.list.buttons, self.changes, self.untrained, self.this):
            part.hide()
        self.rows = rows(FIELDS, theme, self._emit, {})
        self.more = MoreParameters(theme, self._emit)
        self.run = RunBox(theme, self._begin)
        self.corpus = CorpusBox(theme, self._emit)
        for told in (self.corpus.editor.typed, self.corpus.editor.closed):
            told.connect(self._show_waiting)
        self.corpus.list.asked.connect(self._see_chosen)
        self._scroll = ColumnArea()
        self._column = _Column(self.corpus, self._scroll)
        as_panel(self._column)
        self._layout = QVBoxLayout(self._column)
        self._layout.setSpacing(0)
        self._upper = QVBoxLayout()
        self._upper.setSpacing(0)
        self._head = put(QHBoxLayout(), self.choice, None)
        put(self._upper, self._head, self.list.buttons)
        self._upper.addWidget(self.untrained, 0, Qt.AlignmentFlag.AlignLeft)
        for row in self.rows.values():
            self._upper.addWidget(row)
        put(self._layout, self.list, self._upper, self.this, self.more, (self.corpus, 1))
        self._scroll.setWidget(self._column)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._fit)
        # Below what scrolls: runs that are added and what is said of the next one move no button.
        self._foot = put(QVBoxLayout(), self.changes, self.run)
        self._whole = fill(QVBoxLayout(self), (self._scroll, 1), self._foot)
        self.retheme(theme)

    def _emit(self, intent: object) -> None:
        self._planned = ()  # what was typed is replaced by what it means
        self.intent.emit(intent)

    def _begin(self, intent: object) -> None:
        """Ask for something of the run; one that begins learns the sentences that were typed."""
        editor = self.corpus.editor
        if editor.waiting and isinstance(intent, Train | StepOnce | StartOver):
            editor.take()
        self._emit(intent)

    def _show_waiting(self) -> None:
        self.run.show_corpus_waits(self.corpus.editor.waiting)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's parameters, run and sentences."""
        self.list.draw(frame)
        several = len(frame.runs) > 1
        self.list.setVisible(several)
        self.list.buttons.setVisible(several or not frame.look.next_run)
        self.choice.show_checked({frame.look.next_run})
        following = frame.look.next_run
        planned = (
            self.theme,
            *(frame.config, frame.problems, frame.devices, frame.samples, frame.corpus),
            *(frame.fork, frame.look, frame.progress.active, frame.progress.device),
        )
        if planned != self._planned:  # not for every epoch of a run
            self._planned = planned
            self._show_rows(frame)
        self._show_changes(frame)
        self.this.setVisible(not following)
        if not following:
            self.this.draw(frame)
        self.run.setVisible(following or frame.progress.active)
        self.run.draw(frame)
        self.corpus.draw(frame)
        self._show_waiting()
        for layout in (self._whole, self._layout):
            layout.activate()  # what was shown or hidden has its place at once

    def _show_rows(self, frame: TrainFrame) -> None:
        following = frame.look.next_run
        for field, row in self.rows.items():
            row.draw(frame)
            # A fork keeps what the shapes follow from.
            row.setEnabled(frame.fork is None or field not in KEPT)
            row.setVisible(following)
        self._show_recording(frame)
        self.more.setVisible(following)
        self.more.draw(frame)
        for field in KEPT:
            if field in self.more.rows:
                self.more.rows[field].setEnabled(frame.fork is None)

    def _show_changes(self, frame: TrainFrame) -> None:
        """Say what the next run goes on from, and in how much it differs from the shown one."""
        parts = []
        if frame.fork is not None:
            card = frame.card(frame.fork.key)
            name = "" if card is None else displayable(frame.name_of(card), _LONGEST)
            parts.append(
                _("Continues {name} from epoch {epoch}").format(name=name, epoch=frame.fork.epoch)
            )
        shown = None if frame.trace is None else frame.trace.run.config
        if shown is not None and (frame.fork is not None or not frame.example):
            changes = changed_fields(shown, frame.config)
            if changes:
                count = ngettext("{n} change", "{n} changes", len(changes)).format(n=len(changes))
                parts.append(labelled(count, listed(_(LABELS[field]) for field in changes)))
        if frame.progress.active and frame.look.next_run:
            parts.append(_("what is changed now is for the next run"))
        show_text(self.changes, " · ".join(parts) if frame.look.next_run else "")
        self.untrained.setVisible(frame.look.next_run and frame.fork is not None)

    def _show_recording(self, frame: TrainFrame) -> None:
        """Say how much the next run records."""
        config, corpus, samples = recording = frame.config, frame.corpus, frame.samples
        if recording == self._recording:
            return
        self._recording = recording
        count = len(recorded_epochs(config))
        text = ngettext("{n} step", "{n} steps", count).format(n=count)
        if corpus is not None:
            text = joined((text, size_text(expected_bytes(config, corpus, samples))))
        self.rows["watch_every"].set_note(text)

    def set_compact(self, compact: bool) -> None:
        """Take less height, for a low window."""
        if compact != self._compact:
            self._compact = compact
            self.retheme(self.theme)

    def _see_chosen(self) -> None:
        """Keep a sentence in sight that arrow keys have chosen."""
        shown = self.corpus.list
        row = shown.visualRect(shown.currentIndex())
        middle = shown.viewport().mapTo(self._column, row.center())
        self._scroll.ensureVisible(middle.x(), middle.y(), 0, row.height())

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px, compact = theme.px, self._compact
        inset = px(INSET)
        self.setFixedWidth(px(WIDTH))
        self._set_margins()
        self._upper.setContentsMargins(inset, 0, inset, px(4))
        side, above = px(16), px(4 if compact else 8)
        set_spacing(self._foot, side, above, side, above, gap=above)
        self.list.retheme(theme, compact)
        self.choice.retheme(theme)
        self._head.setContentsMargins(0, 0, 0, 0 if compact else px(4))
        self.changes.setFont(theme.font(12.5))
        self.untrained.setFont(theme.font(13, 500))
        self.untrained.setFixedHeight(px(28))
        self.this.retheme(theme)
        for row in self.rows.values():
            row.retheme(theme, compact)
        self.more.retheme(theme, compact)
        self.run.retheme(theme)
        self.corpus.retheme(theme, compact)

    def _set_margins(self) -> None:
        """Let a scroll bar stand in the margin, so that it moves nothing."""
        px = self.theme.px
        side = px(16 - INSET)
        bar = self._scroll.verticalScrollBar()
        right = side - (bar.sizeHint().width() if bar.maximum() > 0 else 0)
        self._layout.setContentsMargins(side, px(8 if self._compact else 16), right, px(4))

    def _fit(self) -> None:
        """Keep the corpus editor's buttons visible where the panel is too high."""
        self._set_margins()
        if self.corpus.editing:
            self._scroll.ensureWidgetVisible(self.corpus.editor.use)
