"""The dialog that makes worksheets: choices on the left, the page and its key on the right."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.app.handout.paper import Paper, PaperPage, draw_page
from explorer.app.lessons.library import usual_paper
from explorer.app.progress import progress
from explorer.app.worksheet.sheets import pages_of, pdf_of
from explorer.kit.framed_dialog import MARGIN, FramedDialog
from explorer.kit.layouts import fill, put
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import mark_wrong
from explorer.kit.theme import LIGHT, Theme
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, _, displayable, ngettext
from explorer.traces.files import check_place
from explorer.worksheets import Choices, What, Worksheet, made_sheet, read_number
from explorer.worksheets.choices import MOST_COPIES, read_names
from explorer.worksheets.spreadsheet import xlsx

_WIDEST, _HIGHEST, _LEAST_PREVIEW = 1200, 788, 240  # px at 100 %, but the last
_TICK = 30  # ms between two looks at numbers that are searched for
_BOTH = 1.6  # pages side by side where there is room for so many
_KEY_DOWN = 0.05  # how much lower than the page its key lies, of its height

# Field of Choices: its name, and its values with theirs.
_ROWS: tuple[tuple[str, str, tuple[tuple[Hashable, str], ...]], ...] = (
    (
        "what",
        N_("What is computed"),
        (
            (What.SCORES, N_("Scores")),
            (What.SOFTMAX, N_("Softmax")),
            (What.OUTPUT, N_("Output")),
            (What.ALL, N_("All")),
        ),
    ),
    ("tokens", N_("Tokens"), ((2, "2"), (3, "3"), (4, "4"))),
    ("width", N_("Dimensions d"), ((2, "2"), (3, "3"))),
    ("decimals", N_("Numbers"), ((0, N_("whole, small")), (1, N_("one decimal")))),
    ("columns", N_("A token is"), ((False, N_("a row")), (True, N_("a column")))),
    ("table", N_("Powers of e"), ((False, N_("calculator")), (True, N_("table, e ≈ 2.72")))),
    ("mask", N_("Mask"), ((False, N_("none")), (True, N_("only those before")))),
    ("heads", N_("Heads"), ((1, "1"), (2, "2"))),
)


class WorksheetDialog(FramedDialog):
    """Makes worksheets as a PDF or a spreadsheet.

    Parameters
    ----------
    ask_path : callable
        Asks where to save; returns None to leave it.
    open_sheet : callable
        Opens a sheet as a scene, its results to be filled in.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        ask_path: Callable[[str], Path | None],
        open_sheet: Callable[[Worksheet], object],
    ) -> None:
        super().__init__(_("Worksheet"), theme, parent, widest=_WIDEST)
        self._ask_path, self._open_sheet = ask_path, open_sheet
        self._choices, self._seed, self._copy = Choices(), random.randrange(1000, 10_000), 1
        self._sheet: Worksheet | None = None
        self._names: list[str] = []
        self._too_many = ""  # why these names cannot all have a sheet
        # One thread: what is asked for last is found last, and no search blocks the window.
        self._searcher = ThreadPoolExecutor(1, "worksheet")
        self._found: Future[Worksheet] | None = None
        self._timer = QTimer(self, interval=_TICK)
        self._timer.timeout.connect(self._look)
        self.finished.connect(lambda: self._searcher.shutdown(wait=False, cancel_futures=True))
        px = theme.px
        said = _("attention to be computed by hand, each copy with different numbers")
        self.column.addWidget(self.label(said, 13, 400, "ink3"))
        sides = QHBoxLayout()
        sides.setSpacing(px(20))
        self.column.addLayout(sides, 1)
        left, right = self._left(), self._right()
        put(sides, left, (right, 1))
        _new, self.open_button, _cancel, self.save_button = self.put_buttons(
            (_("New numbers"), self._new_numbers),
            (_("Open as a scene"), self._open),
            (_("Cancel"), self.reject),
            (_("Save…"), self._save),
        )
        self._search()
        taken = left.width() + sides.spacing() + right.minimumSizeHint().width()
        right.setHidden(taken + 2 * px(MARGIN) + 2 > self.most_width)
        self.take_size(self.most_width, min(self.most_height, px(_HIGHEST)))

    # --- parts -----------------------------------------------------------------------------------

    def _left(self) -> ColumnArea:
        px = self.theme.px
        scrolled = ColumnArea(self.frame)
        inner = QWidget(scrolled)
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        self.rows: dict[str, Segments] = {}
        for row, (field, name, values) in enumerate(_ROWS):
            items = [Segment(value, _(text)) for value, text in values]
            segments = Segments(items, _(name), self.theme, exclusive=True, parent=self.frame)
            segments.picked.connect(partial(self._choose, field))
            self.rows[field] = segments
            grid.addWidget(self.label(_(name), 13, 400, "ink2"), row, 0)
            grid.addWidget(segments, row, 1, Qt.AlignmentFlag.AlignLeft)
        row = len(_ROWS)
        self.copies = QSpinBox(self.frame, minimum=1, maximum=MOST_COPIES, value=24)
        self.copies.setAccessibleName(_("Copies"))
        self.copies.valueChanged.connect(self._show_counts)
        grid.addWidget(self.label(_("Copies"), 13, 400, "ink2"), row, 0)
        grid.addWidget(self.copies, row, 1, Qt.AlignmentFlag.AlignLeft)
        self.names = QPlainTextEdit(self.frame)
        self.names.setAccessibleName(_("Names, one a line"))
        self.names.setPlaceholderText(_("Names, one a line"))
        self.names.setTabChangesFocus(True)
        self.names.setMaximumHeight(px(64))
        self.names.textChanged.connect(self._names_typed)
        grid.addWidget(self.label(_("Names"), 13, 400, "ink2"), row + 1, 0)
        grid.addWidget(self.names, row + 1, 1)
        self.key = QCheckBox(_("answers, a page a copy"), self.frame)
        self.key.setChecked(True)
        self.mistakes = QCheckBox(_("name the usual mistakes in the answers"), self.frame)
        for place, box in enumerate((self.key, self.mistakes), row + 2):
            box.toggled.connect(self._show_sheet)
            grid.addWidget(box, place, 1)
        self.number = QLineEdit(self.frame)
        self.number.setAccessibleName(_("Number of a sheet"))
        self.number.setToolTip(_("The number of a sheet gives the same numbers again"))
        self.number.editingFinished.connect(self._number_typed)
        grid.addWidget(self.label(_("Number"), 13, 400, "ink2"), row + 4, 0)
        grid.addWidget(self.number, row + 4, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(row + 5, 1)
        scrolled.setWidget(inner)
        bar = scrolled.verticalScrollBar().sizeHint().width()
        scrolled.setFixedWidth(inner.sizeHint().width() + bar)
        return scrolled

    def _right(self) -> QWidget:
        right = QWidget(self.frame)
        column = fill(QVBoxLayout(right))
        line = QHBoxLayout()
        line.setSpacing(self.theme.px(12))
        self.before = QPushButton("‹", self.frame)
        self.after = QPushButton("›", self.frame)
        self.place = self.label("", 13, 400, "ink2")
        for button, name, by in (
            (self.before, _("Previous copy"), -1),
            (self.after, _("Next copy"), 1),
        ):
            button.setAccessibleName(name)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._turn, by))
        put(line, None, self.before, self.place, self.after, None)
        column.addLayout(line)
        self.preview = _Preview(self.theme, self.frame)
        column.addWidget(self.preview, 1)
        return right

    # --- what is chosen --------------------------------------------------------------------------

    def _choose(self, field: str, value: object) -> None:
        self._choices = replace(self._choices, **{field: value})  # type: ignore[arg-type]
        self._search()

    def _turn(self, by: int) -> None:
        self._copy = min(max(1, self._copy + by), self.copies.value())
        self._search()

    def _new_numbers(self) -> None:
        self._seed = random.randrange(1000, 10_000)
        self._search()

    def _number_typed(self) -> None:
        text = self.number.text()
        if text == self._choices.number(self._seed, self._copy):
            return
        try:
            self._choices, self._seed, self._copy = read_number(text)
        except Problem as problem:
            mark_wrong(self.number, True)
            self.say(str(problem), wrong=True)
            return
        self.copies.setValue(max(self._copy, self.copies.value()))
        self._search()

    def _names_typed(self) -> None:
        try:
            self._names, self._too_many = read_names(self.names.toPlainText()), ""
        except Problem as problem:
            self._names, self._too_many = [], str(problem)
        mark_wrong(self.names, bool(self._too_many))
        if self._names:
            self.copies.setValue(len(self._names))
        self._show_sheet()

    # --- numbers ---------------------------------------------------------------------------------

    def _search(self) -> None:
        """Look for the numbers of the chosen copy."""
        for field, segments in self.rows.items():
            segments.show_checked([getattr(self._choices, field)])
        if self._found is not None:
            self._found.cancel()
        self._sheet = None
        self._let_make(False)
        self._found = self._searcher.submit(made_sheet, self._choices, self._seed, self._copy)
        self.number.setText(self._choices.number(self._seed, self._copy))
        mark_wrong(self.number, False)
        self._show_counts()
        self._timer.start()
        self._look()

    def _look(self) -> None:
        """Show the numbers once they are found, or why there are none."""
        if self._found is None or not self._found.done():
            return
        self._timer.stop()
        found, self._found = self._found, None
        try:
            self._sheet = found.result()
        except Problem as problem:
            self._sheet = None
            self.say(str(problem), wrong=True)
        self._show_sheet()

    def _show_sheet(self) -> None:
        self._let_make(self._sheet is not None)
        self.mistakes.setEnabled(self.key.isChecked())
        self._show_counts(keep=self._sheet is None)
        if self._sheet is None:
            self.preview.show_pages([])
            return
        names = self._names
        name = names[self._copy - 1] if self._copy <= len(names) else ""
        shown = [False, True] if self.key.isChecked() else [False]
        make = partial(pages_of, self._sheet, name, self.preview.paper, self.preview.ink)
        mistakes = self.mistakes.isChecked()
        pages = [make(solved=solved, mistakes=mistakes)[0] for solved in shown]
        self.preview.show_pages(pages)

    def _let_make(self, there: bool) -> None:
        """Let the shown sheet be saved and opened, or wait for its numbers."""
        self.open_button.setEnabled(there)
        self.save_button.setEnabled(there and not self._too_many)

    def _show_counts(self, *_value: object, keep: bool = False) -> None:
        count = self.copies.value()
        self._copy = min(self._copy, count)
        self.before.setEnabled(self._copy > 1)
        self.after.setEnabled(self._copy < count)
        self.place.setText(_("copy {copy} of {count}").format(copy=self._copy, count=count))
        if keep:
            return
        if self._too_many:
            self.say(self._too_many, wrong=True)
            return
        said = ngettext("{count} copy to fill in", "{count} copies to fill in", count)
        if self.key.isChecked():
            said = ngettext(
                "{count} copy to fill in, and its answers",
                "{count} copies to fill in, and their answers",
                count,
            )
        self.say(said.format(count=count))

    # --- what is made ----------------------------------------------------------------------------

    def _open(self) -> None:
        if self._sheet is not None:
            self.accept()
            self._open_sheet(self._sheet)

    def _save(self) -> None:
        path = self._ask_path(_("worksheet {number}").format(number=self._seed))
        if path is None:
            return
        try:
            check_place(path)
            with progress(_("Writing the worksheets"), self) as told:
                count = self.copies.value()
                sheets: list[Worksheet] = []
                for copy in range(1, count + 1):
                    told(copy / count / 2)
                    sheets.append(made_sheet(self._choices, self._seed, copy))
                data = self._written(path, sheets, lambda share: told((1 + share) / 2))
                write_bytes(data, path)
                self.accept()
        except Problem as problem:
            self.say(str(problem), wrong=True)

    def _written(
        self, path: Path, sheets: Sequence[Worksheet], told: Callable[[float], None]
    ) -> bytes:
        names, key = self._names, self.key.isChecked()
        suffix = path.suffix.lower()
        if suffix == ".xlsx":
            return xlsx(sheets, names, key=key, told=told)
        if suffix != ".pdf":
            raise Problem(
                N_("{path}: a worksheet's name ends in .pdf or .xlsx."),
                path=displayable(path.name, 64),
            )
        return pdf_of(
            sheets,
            names,
            paper=self.preview.paper.name,
            keys=key,
            mistakes=self.mistakes.isChecked(),
            told=told,
        )


class _Preview(QWidget):
    """A page as it will be printed, and its key behind it to the right; one page where narrow."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.paper = Paper(usual_paper())
        self.ink = Theme()  # black on white in every theme
        self._pages: list[PaperPage] = []
        self.setMinimumWidth(_LEAST_PREVIEW)
        self.setAccessibleName(_("Preview"))

    @property
    def shown(self) -> int:
        """How many pages there are to be seen: a page to fill in, and its answers."""
        return len(self._pages)

    def show_pages(self, pages: list[PaperPage]) -> None:
        """Show the first of these pages above the second."""
        self._pages = pages
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the pages, the last one first."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            sheet = self.paper.sheet
            both = len(self._pages) > 1 and self.width() > _BOTH * self.height() * (
                sheet.width() / sheet.height()
            )
            shown = self._pages if both else self._pages[:1]
            scale = min(
                self.height() * (1 - _KEY_DOWN * both) / sheet.height(),
                self.width() / (sheet.width() * (2 if both else 1)),
            )
            for place, page in reversed(list(enumerate(shown))):
                painter.save()
                painter.translate(
                    QPointF(place * sheet.width() * scale, place * _KEY_DOWN * self.height())
                )
                painter.scale(scale, scale)
                whole = QRectF(QPointF(), sheet)
                painter.fillRect(whole, QColor(Qt.GlobalColor.white))
                painter.setPen(QColor(LIGHT.line2))
                painter.drawRect(whole)
                draw_page(page, self.paper, self.ink, _("Attention by hand"), "", painter)
                painter.restore()
