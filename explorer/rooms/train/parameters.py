"""The left panel of Train: the next run's parameters, the run's buttons, and the corpus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.kit.fold import INSET
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.corpus import CorpusBox
from explorer.rooms.train.more_parameters import MoreParameters
from explorer.rooms.train.parameter_rows import rows
from explorer.rooms.train.run_box import RunBox
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import _, ngettext
from explorer.traces import Config, Corpus, expected_bytes, recorded_epochs

WIDTH = 256  # px at 100 %
FIELDS = (
    "d_model",
    "heads",
    "learning_rate",
    "epochs",
    "watch_every",
    "use_position",
    "seed",
)


class ParametersView(TrainView):
    """Shows what the next run is asked to be, the run, and the sentences it learns."""

    concerns = (
        TrainChange.NUMBERS
        | TrainChange.PROGRESS
        | TrainChange.CONFIG
        | TrainChange.LOOK
        | TrainChange.SELECTION
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Parameters"))
        self._compact = False
        self._recording: tuple[Config, Corpus | None, tuple[int, ...] | None] | None = None
        self.title = QLabel(_("Parameters"))
        self.rows = rows(FIELDS, theme, self._emit, {})
        self.more = MoreParameters(theme, self._emit)
        self.run = RunBox(theme, self._emit)
        self.corpus = CorpusBox(theme, self._emit)
        self._column = QWidget()
        self._column.setProperty("panel", True)
        self._column.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QVBoxLayout(self._column)
        self._layout.setSpacing(0)
        self._upper, self._middle = QVBoxLayout(), QVBoxLayout()
        self._upper.setSpacing(0)
        self._upper.addWidget(self.title)
        for row in self.rows.values():
            self._upper.addWidget(row)
        self._middle.addWidget(self.run)
        self._layout.addLayout(self._upper)
        self._layout.addWidget(self.more)
        self._layout.addLayout(self._middle)
        self._layout.addWidget(self.corpus, 1)
        self._scroll = ColumnArea()
        self._scroll.setWidget(self._column)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._fit)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)
        self.retheme(theme)

    def _emit(self, intent: object) -> None:
        self.intent.emit(intent)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's parameters, run and sentences."""
        for row in self.rows.values():
            row.draw(frame)
        self._show_recording(frame)
        self.more.draw(frame)
        self.run.draw(frame)
        self.corpus.draw(frame)

    def _show_recording(self, frame: TrainFrame) -> None:
        """Say how much the next run records."""
        config, corpus, samples = recording = frame.config, frame.corpus, frame.samples
        if recording == self._recording:
            return
        self._recording = recording
        count = len(recorded_epochs(config))
        text = ngettext("{n} step", "{n} steps", count).format(n=count)
        if corpus is not None:
            text = f"{text}, {size_text(expected_bytes(config, corpus, samples))}"
        self.rows["watch_every"].set_note(text)

    def set_compact(self, compact: bool) -> None:
        """Take less height, for a low window."""
        if compact != self._compact:
            self._compact = compact
            self.retheme(self.theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px, compact = theme.px, self._compact
        inset = px(INSET)
        self.setFixedWidth(px(WIDTH))
        self._set_margins()
        self._upper.setContentsMargins(inset, 0, inset, px(4))
        self._middle.setContentsMargins(inset, px(8), inset, px(8 if compact else 12))
        self.title.setFont(theme.font(14, 600))
        self.title.setFixedHeight(px(22 if compact else 26))
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
        """Keep the corpus editor's buttons in sight where the panel is too high."""
        self._set_margins()
        if self.corpus.editing:
            self._scroll.ensureWidgetVisible(self.corpus.editor.use)


def size_text(size: float) -> str:
    """Return a number of bytes in kB, MB or GB."""
    for unit in (_("kB"), _("MB"), _("GB")):
        size /= 1000
        if size < 999.5 or unit == _("GB"):
            break
    return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"


if __name__ == "__main__":
    from explorer.rooms.train.preview import preview

    preview(ParametersView)
