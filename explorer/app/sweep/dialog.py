"""The dialog of a sweep: its plan, how far it is, bands, dots, the settings and one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.app.dialogs import QtDialogs
from explorer.app.pictures import PictureTaker
from explorer.app.settings import data_folder
from explorer.app.sweep.plan_box import PlanBox
from explorer.kit.framed_dialog import FramedDialog
from explorer.kit.progress_line import ProgressLine
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.resources import example
from explorer.rooms.sweep.plots import Dots, LossBands
from explorer.rooms.sweep.shown import MOST_DRAWN, Shown, shown_results
from explorer.session import Array
from explorer.sweeps.conduct import Progress
from explorer.sweeps.folder import Result, SweepFolder, is_sweep_folder
from explorer.sweeps.plan import Plan, Value, value_text
from explorer.sweeps.process import Begin, Ended, SweepProcess
from explorer.text import N_, Message, Problem, _, display_number, plain_tip, time_text
from explorer.traces import LABELS, Config, Corpus

EXAMPLE = "rates-and-heads"  # the sweep that comes with the program
_WIDEST, _HIGHEST = 1320, 800  # px at 100 %
_TICK = 100  # ms between two looks at what has come
_LEFT, _RIGHT = (250, 200), (340, 290)  # px at 100 %, and where there is little room
_NARROW = 1150  # px at 100 %


class SweepDialog(FramedDialog):
    """Sweeps, follows the sweep and shows what it came to.

    Parameters
    ----------
    config, corpus : those of Run
    dialogs : QtDialogs
        Asks for the folder of a sweep to be opened, and where a picture is to be saved.
    open_run : callable
        Trains a run of these parameters in Run.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        config: Config,
        corpus: Corpus,
        dialogs: QtDialogs,
        open_run: Callable[[Config, Corpus], object],
    ) -> None:
        super().__init__(_("Sweep"), theme, parent, widest=_WIDEST)
        self._ask_folder, self._open_run = dialogs.ask_sweep, open_run
        self._process: SweepProcess | None = None
        self._folder: SweepFolder | None = None
        self._path: Path | None = None
        self._results: dict[int, Result] = {}
        self._losses: dict[int, Array] = {}
        self._selected: int | None = None
        self._paused = False
        self._timer = QTimer(self, interval=_TICK)
        self._timer.timeout.connect(self.take)
        self.finished.connect(self._end)
        self.column.addLayout(self._strip())
        sides = QHBoxLayout()
        sides.setSpacing(theme.px(20))
        self.column.addLayout(sides, 1)
        sides.addWidget(self._left(config, corpus))
        sides.addLayout(self._centre(), 1)
        sides.addWidget(self._right())
        plots: dict[str, QWidget] = {"loss": self.bands, "epochs": self.dots}
        PictureTaker(
            parts=lambda: plots,
            settle=lambda: None,
            title=lambda: "" if self._path is None else self._path.name,
            dialogs=dialogs,
            tell=lambda problem: self._tell(str(problem)),
        ).offer(plots)
        self._show_buttons()
        self._show(None)
        self.take_size(self.most_width, min(self.most_height, theme.px(_HIGHEST)))

    # --- parts -----------------------------------------------------------------------------------

    def _strip(self) -> QHBoxLayout:
        strip = QHBoxLayout()
        strip.setSpacing(self.theme.px(12))
        self.count = self.label("", 14, 600)
        self.line = ProgressLine(self.theme, self.frame)
        self.line.retheme(self.theme)
        self.left_time = self.label("", 13, 400, "ink3")
        self.pause, self.stop = QPushButton(self.frame), QPushButton(_("Stop"), self.frame)
        self.pause.clicked.connect(self._pause_or_go_on)
        self.stop.clicked.connect(self._stop)
        strip.addWidget(self.count)
        strip.addWidget(self.line, 1)
        strip.addWidget(self.left_time)
        strip.addWidget(self.pause)
        strip.addWidget(self.stop)
        return strip

    def _left(self, config: Config, corpus: Corpus) -> QWidget:
        side = QWidget(self.frame)
        side.setFixedWidth(self._width(_LEFT))
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        scrolled = ColumnArea(side)
        self.plan_box = PlanBox(self.theme, config, corpus, scrolled)
        self.plan_box.changed.connect(self._show_buttons)
        scrolled.setWidget(self.plan_box)
        column.addWidget(scrolled, 1)
        self.start = QPushButton(_("Start"), side)
        self.start.setProperty("kind", "primary")
        self.start.clicked.connect(self.begin)
        self.open_button = QPushButton(_("Open a sweep…"), side)
        self.open_button.clicked.connect(self._open)
        self.example_button = QPushButton(_("Example"), side)
        self.example_button.clicked.connect(lambda: self.open_folder(example(EXAMPLE)))
        self.close_button = QPushButton(_("Close"), side)
        self.close_button.clicked.connect(self.accept)
        for button in (
            self.start,
            self.open_button,
            self.example_button,
            self.close_button,
        ):
            column.addWidget(button)
        return side

    def _centre(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(self.theme.px(6))
        self.problem = self.label("", 13, 400, "err")
        self.problem.setWordWrap(True)
        self.problem.hide()
        column.addWidget(self.problem)
        self.bands, self.dots = LossBands(self.theme, self.frame), Dots(self.theme, self.frame)
        self.dots.picked.connect(self.select)
        for title, said, picture, stretch in (
            (
                _("Loss over the epochs"),
                _("median, and the band of 10 to 90 % of the runs; a logarithmic axis"),
                self.bands,
                3,
            ),
            (
                _("All sentences right from epoch …"),
                _("one dot a run; the line is the median"),
                self.dots,
                4,
            ),
        ):
            column.addWidget(self.label(title, 14, 600))
            note = self.label(said, 12, 400, "ink3")
            note.setWordWrap(True)
            column.addWidget(note)
            column.addWidget(picture, stretch)
        return column

    def _right(self) -> QWidget:
        side = QWidget(self.frame)
        side.setFixedWidth(self._width(_RIGHT))
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.theme.px(6))
        column.addWidget(self.label(_("Settings"), 14, 600))
        self.table = QTableWidget(side)
        self.table.setAccessibleName(_("Settings"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.setFont(self.theme.font(12.5))
        self.table.horizontalHeader().setFont(self.theme.font(12))
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.setSortingEnabled(True)
        self.table.cellClicked.connect(self._row_clicked)
        column.addWidget(self.table, 1)
        column.addWidget(self.label(_("Selected run"), 14, 600))
        self.run_said: QLabel = self.label("", 13, 400, "ink2")
        self.run_said.setWordWrap(True)
        column.addWidget(self.run_said)
        self.open_run = QPushButton(_("Open in Run"), side)
        self.open_run.clicked.connect(self._train_selected)
        column.addWidget(self.open_run)
        return side

    def _width(self, widths: tuple[int, int]) -> int:
        return self.theme.px(widths[self.most_width < self.theme.px(_NARROW)])

    # --- doing -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the sweep that is planned, or go on with the one that is shown."""
        going_on = self._folder is not None and len(self._results) < self._folder.plan.runs
        plan = None if going_on else self.plan_box.plan
        if self._process is not None or (plan is None and not going_on):
            return
        if plan is not None:
            folder = data_folder() / "sweeps"
            path = folder / time.strftime("%Y%m%d-%H%M%S")
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self._tell(str(error))
                return
            while path.exists():
                path = path.with_name(f"{path.name}+")
            self._forget(path)
        assert self._path is not None
        box = self.plan_box
        self._tell("")
        try:
            self._process = SweepProcess(
                Begin(
                    self._path,
                    plan,
                    box.workers.value(),
                    box.dask.text().strip(),
                )
            )
        except OSError as error:
            self._tell(str(error))
            return
        self._paused = False
        self.count.setText(_("starting…"))
        self._timer.start()
        self._show_buttons()

    def _forget(self, path: Path) -> None:
        self._path, self._folder, self._selected = path, None, None
        self._results.clear()
        self._losses.clear()

    def open_folder(self, path: Path) -> None:
        """Show a sweep that is on disk."""
        try:
            folder = SweepFolder(path)
            self._forget(path)
            self._folder = folder
            self._read(list(folder.done()))
        except Problem as problem:
            self._tell(str(problem))
            return
        self._tell("")
        self._count(folder.plan.runs, len(self._results))
        self._draw()
        self._show_buttons()

    def _open(self) -> None:
        path = self._ask_folder()
        if path is None:
            return
        if is_sweep_folder(path):
            self.open_folder(path)
        else:
            self._tell(str(Problem(N_("There is no sweep in {folder}."), folder=path.name)))

    def _pause_or_go_on(self) -> None:
        if self._process is not None:
            self._paused = not self._paused
            self._process.order("pause" if self._paused else "resume")
            self._show_buttons()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.order("stop")
            self.stop.setEnabled(False)

    def _end(self) -> None:
        self._timer.stop()
        if self._process is not None:
            self._process.close()
            self._process = None

    def _train_selected(self) -> None:
        if self._folder is not None and self._selected is not None:
            plan = self._folder.plan
            config = plan.run_config(self._selected)
            self.accept()
            self._open_run(config, plan.sentences)

    # --- taking in -------------------------------------------------------------------------------

    def take(self) -> None:
        """Take in what the sweep has come to."""
        if self._process is None or self._path is None:
            return
        changed = False
        for each in self._process.take():
            if isinstance(each, Ended):
                self._process = None
                self._timer.stop()
                if each.message is not None:
                    self._tell(str(each.message))
                self._finish()
            else:
                changed = self._take_progress(each) or changed
        if changed:
            self._draw()

    def _take_progress(self, progress: Progress) -> bool:
        assert self._path is not None
        try:
            if self._folder is None and progress.new:
                self._folder = SweepFolder(self._path)
            self._read(progress.new)
        except Problem as problem:
            self._tell(str(problem))
        for message in progress.said:
            self._tell(str(message))
        self._count(progress.runs, progress.done, progress.left, progress.diverged)
        return bool(progress.new)

    def _read(self, chunks: list[int]) -> None:
        folder = self._folder
        if folder is None:
            return
        for chunk in chunks:
            if not (folder.path / "parts" / f"{chunk:06}.safetensors").exists():
                continue  # it was given up
            part = folder.part(chunk)
            self._results.update((each.run, each) for each in part.results())
            for row, run in enumerate(part.runs):
                if run < MOST_DRAWN:
                    self._losses[run] = part.loss[row]

    def _finish(self) -> None:
        if self._folder is not None:
            self._count(self._folder.plan.runs, len(self._results))
        else:
            self.count.setText("")
        self._draw()
        self._show_buttons()

    # --- showing ---------------------------------------------------------------------------------

    def _tell(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _count(self, runs: int, done: int, left: float | None = None, diverged: int = 0) -> None:
        text = _("{done} of {runs} runs").format(done=done, runs=runs)
        if diverged:
            text += " · " + _("{count} diverged").format(count=diverged)
        self.count.setText(text)
        self.line.show_share(done / max(runs, 1))
        near = left is not None and done < runs
        self.left_time.setText(
            _("about {time} left").format(time=time_text(left or 0)) if near else ""
        )

    def _show_buttons(self) -> None:
        going = self._process is not None
        unfinished = self._folder is not None and len(self._results) < self._folder.plan.runs
        self.pause.setText(_("Go on") if self._paused else _("Pause"))
        for button in (self.pause, self.stop):
            button.setVisible(going)
            button.setEnabled(True)
        self.line.setVisible(going)
        self.start.setText(_("Go on with this sweep") if unfinished and not going else _("Start"))
        self.start.setEnabled(not going and (unfinished or self.plan_box.plan is not None))
        self.open_button.setEnabled(not going)
        self.example_button.setEnabled(not going)
        self.plan_box.setEnabled(not going)

    def select(self, run: int) -> None:
        """Select a run."""
        self._selected = run
        self._draw()

    def _row_clicked(self, row: int, _column: int) -> None:
        item = self.table.item(row, 0)
        if item is None or self._folder is None:
            return
        place = int(item.data(Qt.ItemDataRole.UserRole))
        of_row = [run for run in self._losses if run % len(self._folder.plan.settings) == place]
        # The one that took longest tells most.
        if of_row:
            self.select(max(of_row, key=lambda run: _start(self._results[run])))

    def _draw(self) -> None:
        folder = self._folder
        shown = None
        if folder is not None and self._results:
            shown = shown_results(folder.plan, self._results, self._losses, self._selected)
        self._show(shown)

    def _show(self, shown: Shown | None) -> None:
        self.bands.draw(shown)
        self.dots.draw(shown)
        self._show_table(shown)
        self.open_run.setEnabled(shown is not None and shown.selected is not None)
        self.run_said.setText(
            _("Click a dot or a setting: its run is dashed in the losses.")
            if shown is None or shown.selected is None
            else _run_text(shown, shown.selected)
        )

    def _show_table(self, shown: Shown | None) -> None:
        table = self.table
        plan = None if shown is None else shown.plan
        names = [] if plan is None else [_(LABELS[field]) for field in plan.varied]
        heads = [*names, _("median"), _("10–90 %"), _("last loss")]
        table.setSortingEnabled(False)
        table.setColumnCount(len(heads))
        table.setHorizontalHeaderLabels(heads)
        rows = () if shown is None else shown.rows
        table.setRowCount(len(rows))
        for place, row in enumerate(rows):
            late = float("inf")
            cells: list[tuple[str, float]] = [
                (value_text(value), float(index))
                for index, value in _places(plan, row.setting.values())
            ]
            cells += [
                (_epoch(row.median), late if row.median is None else row.median),
                (
                    f"{_epoch(row.low, 0)}–{_epoch(row.high, 0)}",
                    late if row.high is None else row.high,
                ),
                (
                    "–" if row.last_loss is None else f"{row.last_loss:.2g}",
                    late if row.last_loss is None else row.last_loss,
                ),
            ]
            for column, (text, key) in enumerate(cells):
                item = _Cell(text, key)
                item.setData(Qt.ItemDataRole.UserRole, place)
                table.setItem(place, column, item)
        table.setSortingEnabled(True)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, name in enumerate(heads):
            head = table.horizontalHeaderItem(column)
            if head is not None:
                head.setToolTip(plain_tip(name))


class _Cell(QTableWidgetItem):
    """A cell that sorts by a number."""

    def __init__(self, text: str, key: float) -> None:
        super().__init__(text)
        self._key = key
        self.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def __lt__(self, other: QTableWidgetItem) -> bool:
        """Return whether this cell stands above another."""
        return isinstance(other, _Cell) and self._key < other._key


def _places(plan: Plan | None, values: Iterable[Value]) -> list[tuple[int, Value]]:
    """Return each value of a setting, with its place among those of its field."""
    assert plan is not None
    return [
        (every.index(value), value)
        for every, value in zip(plan.varied.values(), values, strict=True)
    ]


def _start(result: Result) -> float:
    return float("inf") if result.all_right_from is None else result.all_right_from


def _epoch(value: float | None, decimals: int = 1) -> str:
    """Return an epoch, which may lie between two; a dash where there is none."""
    return "–" if value is None else f"{round(value, decimals):g}"


def _run_text(shown: Shown, run: int) -> str:
    result, plan = shown.results[run], shown.plan
    setting = " · ".join(
        f"{_(LABELS[field])} {value_text(value)}" for field, value in plan.setting(run).items()
    )
    if result.status == "diverged":
        ended = Message(N_("It diverged."))
    elif result.all_right_from is None:
        ended = Message(N_("It never got all sentences right."))
    else:
        ended = Message(
            N_("All sentences are right from epoch {epoch} on; the last loss is {loss}."),
            {"epoch": result.all_right_from, "loss": display_number(result.last_loss, 4)},
        )
    return f"{_('Seed')} {plan.seed(run)} · {setting}. {ended}"
