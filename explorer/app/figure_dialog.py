"""The dialog that saves a figure for a paper: a view, its width, the size of its text, colours."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QWidget

from explorer.app.saving import SavingDialog, Slices
from explorer.exporters.figure import COLOUR_BLIND, GREY, SIZES, WIDTHS, Figure
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.text import N_, Problem, _
from explorer.traces.files import check_place

_WIDEST = 560  # px at 100 %
_COLOURS = ((COLOUR_BLIND, N_("colour-blind-safe")), (GREY, N_("greyscale")))


class FigureDialog(SavingDialog):
    """Saves one view as a figure.

    Parameters
    ----------
    titles : mapping of str to str
        What the views are called, translated, by name and in the order in which they are offered.
    first : str
        The view that is offered first.
    ask_path : callable
        Asks where to save the figure of a view; None to leave it.
    save_in : callable
        Writes a view into a file as a figure, and yields the shares that are done. Raises Problem.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        titles: Mapping[str, str],
        first: str,
        ask_path: Callable[[str], Path | None],
        save_in: Callable[[str, Path, Figure], Generator[float, None, None]],
    ) -> None:
        super().__init__(_("Save a figure"), theme, parent, widest=_WIDEST)
        self._ask_path, self._save_in = ask_path, save_in
        usual = Figure()
        self._palette = usual.palette
        said = _("for a paper: one view alone, as large as it is printed")
        self.column.addWidget(self.label(said, 13, 400, "ink3"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(12))
        grid.setVerticalSpacing(theme.px(10))
        grid.setColumnStretch(1, 1)
        self.column.addLayout(grid)
        self.view = CalmCombo(_("Picture of"), self.frame)
        for name, title in titles.items():
            self.view.addItem(title, name)
        self.view.setCurrentIndex(max(0, self.view.findData(first)))
        self.wide = QDoubleSpinBox(self.frame, decimals=1, suffix=" mm")
        self.wide.setRange(*WIDTHS)
        self.wide.setValue(usual.width_mm)
        self.type = QDoubleSpinBox(self.frame, decimals=1, suffix=" pt")
        self.type.setRange(*SIZES)
        self.type.setValue(usual.font_pt)
        for box, name in ((self.wide, _("Width")), (self.type, _("Size of text"))):
            box.setAccessibleName(name)
            box.setLocale(QLocale.c())
        self.colours = Segments(
            [Segment(key, _(text)) for key, text in _COLOURS],
            _("Colours"),
            theme,
            exclusive=True,
            parent=self.frame,
        )
        self.colours.picked.connect(self._choose)
        self.colours.show_checked([self._palette])
        for row, (name, widget) in enumerate(
            (
                (_("Picture of"), self.view),
                (_("Width"), self.wide),
                (_("Size of text"), self.type),
                (_("Colours"), self.colours),
            )
        ):
            grid.addWidget(self.label(name, 13, 400, "ink2"), row, 0)
            grid.addWidget(widget, row, 1, Qt.AlignmentFlag.AlignLeft)
            self._inputs.append(widget)
        self.add_foot()
        self.take_size(self.most_width, self.sizeHint().height())

    def _choose(self, key: object) -> None:
        self._palette = str(key)
        self.colours.show_checked([self._palette])

    def _save(self) -> None:
        view = self.view.currentData()
        path = self._ask_path(view)
        if path is None:
            return
        try:
            check_place(path)
        except Problem as problem:
            self.say(str(problem), wrong=True)
            return
        figure = Figure(self.wide.value(), self.type.value(), self._palette)
        making = Slices(self._worked(self._save_in(view, path, figure)), self)
        making.ended.connect(self._made)
        self._begin(making)

    def _worked(self, shares: Generator[float, None, None]) -> Generator[int, None, None]:
        with closing(shares):
            for share in shares:
                self.line.show_share(share)
                yield 0

    def _made(self) -> None:
        self.making = None
        self.accept()
