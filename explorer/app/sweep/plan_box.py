"""What a sweep is asked to be: what varies, the seeds, and who trains."""

from __future__ import annotations

import os

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label
from explorer.kit.small_inputs import CalmCombo, mark_wrong
from explorer.kit.theme import Theme
from explorer.sweeps.plan import Plan, made_plan, parse_seeds, parse_varied
from explorer.text import Problem, _, ngettext, size_text
from explorer.traces import LABELS, Config, Corpus

_USUAL = (("learning_rate", "0.0005, 0.0015, 0.006"), ("heads", "1, 2, 4"), ("", ""))
_ADDRESS = "tcp://scheduler:8786"  # as one is typed
_NOT_VARIED = ("seed", "watch_every", "keep_state", "device")


class PlanBox(QWidget):
    """Asks for a plan; says how many runs it has, or why it cannot be.

    Parameters
    ----------
    config, corpus : those of Run, which stay where nothing varies
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, config: Config, corpus: Corpus, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._config, self._corpus = config, corpus
        self.plan: Plan | None = None
        px = theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addWidget(_title(theme, _("What varies")))
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(6))
        column.addLayout(grid)
        self.rows: list[tuple[CalmCombo, QLineEdit]] = []
        for place, (field, values) in enumerate(_USUAL):
            combo = CalmCombo(_("Parameter that varies"), self)
            combo.addItem(_("another parameter"), "")
            for each, label in LABELS.items():
                if each not in _NOT_VARIED:
                    combo.addItem(_(label), each)
            combo.setCurrentIndex(combo.findData(field))
            typed = QLineEdit(values, self)
            typed.setAccessibleName(_("Its values, with commas between them"))
            typed.setPlaceholderText("1, 2, 4" if not field else "")
            combo.activated.connect(self._read)
            typed.textChanged.connect(self._read)
            grid.addWidget(combo, 2 * place, 0, 1, 2)
            grid.addWidget(typed, 2 * place + 1, 0, 1, 2)
            self.rows.append((combo, typed))
        self.seeds = QLineEdit("1-32", self)
        self.workers = QSpinBox(self, minimum=1, maximum=256, value=os.cpu_count() or 1)
        self.dask = QLineEdit(self)
        self.dask.setPlaceholderText(_ADDRESS)
        asked: tuple[tuple[str, QWidget], ...] = (
            (_("Seeds"), self.seeds),
            (_("Workers"), self.workers),
            (_("Dask cluster"), self.dask),
        )
        for row, (name, widget) in enumerate(asked, 2 * len(_USUAL)):
            word = plain_label("ink2", self)
            word.setText(name)
            word.setFont(theme.font(13))
            widget.setAccessibleName(name)
            grid.addWidget(word, row, 0)
            grid.addWidget(widget, row, 1)
        self.seeds.textChanged.connect(self._read)
        self.dask.textChanged.connect(lambda text: self.workers.setEnabled(not text.strip()))
        self.said = plain_label("ink2", self)
        self.said.setWordWrap(True)
        self.said.setFont(theme.font(13))
        self.stays = plain_label("ink3", self)
        self.stays.setWordWrap(True)
        self.stays.setFont(theme.font(13))
        self.stays.setText(
            _(
                "All else is as in Run: D Model {width}, {epochs}, {sentences}. "
                "The losses and accuracies of every run are kept."
            ).format(
                width=config.d_model,
                epochs=ngettext("{n} epoch", "{n} epochs", config.epochs).format(n=config.epochs),
                sentences=ngettext("{n} sentence", "{n} sentences", len(corpus.lines)).format(
                    n=len(corpus.lines)
                ),
            )
        )
        column.addWidget(self.said)
        column.addWidget(self.stays)
        column.addStretch(1)
        self._read()

    def _read(self) -> None:
        """Make the plan anew, and say what it comes to."""
        self.plan, wrong = None, None
        varied = {}
        for combo, typed in self.rows:
            field = combo.currentData()
            typed.setEnabled(bool(field))
            mark_wrong(typed, False)
            if not field or not typed.text().strip():
                continue
            try:
                name, values = parse_varied(f"{field}={typed.text()}")
                varied[name] = values
            except Problem as problem:
                mark_wrong(typed, True)
                wrong = wrong or problem
        mark_wrong(self.seeds, False)
        seeds: tuple[int, ...] = ()
        try:
            seeds = parse_seeds(self.seeds.text())
        except Problem as problem:
            mark_wrong(self.seeds, True)
            wrong = wrong or problem
        if wrong is None:
            try:
                self.plan = made_plan(self._config, varied, seeds, self._corpus)
            except Problem as problem:
                wrong = problem
        self.said.setProperty("ink", "ink2" if wrong is None else "err")
        self.said.style().polish(self.said)
        self.said.setText(str(wrong) if self.plan is None else _sum(self.plan))
        self.changed.emit()


def _sum(plan: Plan) -> str:
    counts = [str(len(values)) for values in plan.varied.values()] + [str(len(plan.seeds))]
    return _("{product} = {runs} runs, {size} on disk").format(
        product=" × ".join(counts), runs=plan.runs, size=size_text(plan.nbytes())
    )


def _title(theme: Theme, text: str) -> QLabel:
    label = plain_label("ink1")
    label.setText(text)
    label.setFont(theme.font(14, 600))
    return label
