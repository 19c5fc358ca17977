"""The dialog that saves a picture that moves: what moves, of which part, how large and how fast."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from explorer.app.moving.films import Film, Pace
from explorer.app.moving.making import Making
from explorer.app.saving import SavingDialog
from explorer.exporters.moving import MOST_BYTES, MOVING, encoder_of
from explorer.kit.layouts import put, set_spacing
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.session import Cell, Matrix, Scene, Session
from explorer.session.edits import head_matrix
from explorer.session.scene_file import write_bytes
from explorer.session.ways import Way, cell_places, way_between, way_of_cell, way_of_temperature
from explorer.text import N_, Problem, _, displayable, ngettext
from explorer.traces.files import check_place

_WIDEST = 720  # px at 100 %
_SECONDS, _FPS = 3.0, 12
_MOST_WIDTH = 3840  # pixels of a picture
_NUMBERS = 999.0  # as far as a number goes
_NAMES = {".webp": "WebP"}  # of the formats that are not called like their files in capitals
_MATRICES = (Matrix.X, Matrix.WQ, Matrix.WK, Matrix.WV, Matrix.WO)


@dataclass(frozen=True)
class Subject:
    """Something that can move.

    Parameters
    ----------
    title : str
        Translated.
    begin : callable
        Takes how many stills a film without stills of its own is to have, and returns the film.
        Raises Problem.
    seconds : float
        How long it takes where nothing else is asked for.
    parts : sequence of str, optional
        The only parts that stay there; all of them by default.
    """

    title: str
    begin: Callable[[int], Film]
    seconds: float = _SECONDS
    parts: Sequence[str] | None = None


class MovingDialog(SavingDialog):
    """Saves a GIF, a WebP or a video of what is shown.

    Parameters
    ----------
    subjects : mapping of str to Subject
        What moves by itself, by name.
    session : Session or None
        Whose numbers can move, where that is what is shown.
    film_of : callable
        Returns the film of a way of its scene, of so many stills.
    parts : callable
        Returns what pictures can be taken of, by name.
    titles : mapping of str to str
        What the parts are called, translated, in the order in which they are offered.
    first : str
        The part that is offered first.
    settle : callable
        Draws what waits to be drawn.
    ask_path : callable
        Asks where to save a kind of file; None to leave it.
    ask_scene : callable
        Asks for another scene, and returns it with its name; None to leave it. Raises Problem.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        subjects: Mapping[str, Subject],
        session: Session | None,
        film_of: Callable[[Way, int], Film],
        parts: Callable[[], Mapping[str, QWidget]],
        titles: Mapping[str, str],
        first: str,
        settle: Callable[[], None],
        ask_path: Callable[[str], Path | None],
        ask_scene: Callable[[], tuple[str, Scene] | None],
    ) -> None:
        super().__init__(_("Save a moving picture"), theme, parent, widest=_WIDEST)
        self._session, self._film_of = session, film_of
        self._parts, self._titles = parts, titles
        self._settle, self._ask_path, self._ask_scene = settle, ask_path, ask_scene
        self._subjects = dict(subjects)
        if session is not None:
            self._subjects["number"] = Subject(_("A number"), self._number_film)
            self._subjects["scenes"] = Subject(_("Into another scene"), self._scenes_film)
        self._chosen, self._suffix = next(iter(self._subjects)), ".webp"
        self._other: Scene | None = None
        self._path: Path | None = None
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.px(12))
        self._grid.setVerticalSpacing(theme.px(10))
        self._grid.setColumnStretch(1, 1)
        self.column.addLayout(self._grid)
        self._rows(first)
        self.add_foot()
        self._choose("subject", self._chosen)

    # --- parts -----------------------------------------------------------------------------------

    def _rows(self, first: str) -> None:
        self.subjects = self._segments(
            _("What moves"), {key: each.title for key, each in self._subjects.items()}, "subject"
        )
        self._row(_("What moves"), self.subjects)
        self.number, self.scenes = self._number_row(), self._scenes_row()
        for row in (self.number, self.scenes):
            self._grid.addWidget(row, self._grid.rowCount(), 1)
            self._inputs.append(row)
        self.part = CalmCombo(_("Picture of"), self.frame)
        self._row(_("Picture of"), self.part)
        self._first = first
        self.part.currentIndexChanged.connect(self._part_chosen)
        self.format = self._segments(
            _("Format"),
            {suffix: _NAMES.get(suffix, suffix[1:].upper()) for suffix in MOVING},
            "format",
        )
        self._row(_("Format"), self.format)
        self.width_box = QSpinBox(self.frame, minimum=160, maximum=_MOST_WIDTH, suffix=" px")
        self.fps = QSpinBox(self.frame, minimum=1, maximum=50, value=_FPS)
        self.seconds = QDoubleSpinBox(self.frame, minimum=0.1, maximum=600.0, decimals=1)
        self.loop = QSpinBox(self.frame, minimum=0, maximum=100)
        self.loop.setSpecialValueText(_("without end"))
        for name, box in (
            (_("Width"), self.width_box),
            (_("Pictures a second"), self.fps),
            (_("Seconds"), self.seconds),
            (_("Times it plays"), self.loop),
        ):
            box.setAccessibleName(name)
            box.setLocale(QLocale.c())
            box.valueChanged.connect(self._show_counts)
            self._row(name, box)

    def _row(self, name: str, widget: QWidget) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(self.label(name, 13, 400, "ink2"), row, 0)
        self._grid.addWidget(widget, row, 1, Qt.AlignmentFlag.AlignLeft)
        self._inputs.append(widget)

    def _segments(self, name: str, items: Mapping[str, str], what: str) -> Segments:
        made = Segments(
            [Segment(key, text) for key, text in items.items()],
            name,
            self.theme,
            exclusive=True,
            parent=self.frame,
        )
        made.picked.connect(partial(self._choose, what))
        return made

    def _number_row(self) -> QFrame:
        """Return the choice of a number, from where it goes and to where."""
        frame, line = self._inner_row()
        scene = None if self._session is None else self._session.scene
        self.matrix = CalmCombo(_("Number"), frame)
        self.matrix.addItem(_("Temperature"))
        self._matrices: list[Matrix | None] = [None]  # of the choice; None is the temperature
        for matrix in _MATRICES:
            if scene is not None and cell_places(scene, matrix)[0]:
                self.matrix.addItem(matrix.value)
                self._matrices.append(matrix)
        line.addWidget(self.matrix)
        self.row, self.place = (QSpinBox(frame, minimum=1) for _which in range(2))
        self.start, self.end = (
            QDoubleSpinBox(frame, minimum=-_NUMBERS, maximum=_NUMBERS, decimals=2, singleStep=0.1)
            for _which in range(2)
        )
        self._cell_parts: list[QWidget] = []  # what tells where in a matrix
        for box, name, before in (
            (self.row, _("Row"), _("row")),
            (self.place, _("Column"), _("column")),
            (self.start, _("From"), _("from")),
            (self.end, _("To"), _("to")),
        ):
            box.setAccessibleName(name)
            box.setLocale(QLocale.c())
            said = self.label(before, 13, 400, "ink3")
            put(line, said, box)
            if box in (self.row, self.place):
                self._cell_parts += (said, box)
        line.addStretch(1)
        self.matrix.currentIndexChanged.connect(self._number_chosen)
        for box in (self.row, self.place):
            box.valueChanged.connect(self._cell_chosen)
        self.matrix.setCurrentIndex(min(1, self.matrix.count() - 1))
        return frame

    def _scenes_row(self) -> QFrame:
        """Return the choice of the scene that is gone to."""
        frame, line = self._inner_row()
        button = QPushButton(_("Choose a scene…"), frame)
        button.setAutoDefault(False)
        button.clicked.connect(self._choose_scene)
        self.other_name = self.label(_("none yet"), 13, 400, "ink3")
        put(line, button, (self.other_name, 1))
        return frame

    def _inner_row(self) -> tuple[QFrame, QHBoxLayout]:
        frame = QFrame(self.frame)
        line = QHBoxLayout(frame)
        set_spacing(line, 0, 0, 0, 0, gap=self.theme.px(6))
        return frame, line

    # --- what is chosen --------------------------------------------------------------------------

    def _choose(self, what: str, key: Hashable) -> None:
        if what == "format":
            self._suffix = str(key)
        else:
            self._chosen = str(key)
            subject = self._subjects[self._chosen]
            self._offer_parts(subject.parts)
            self.seconds.setValue(subject.seconds)
        self.subjects.show_checked([self._chosen])
        self.format.show_checked([self._suffix])
        self.number.setVisible(self._chosen == "number")
        self.scenes.setVisible(self._chosen == "scenes")
        self.loop.setEnabled(self._suffix != ".mp4")  # its player decides
        self._show_counts()
        self.column.activate()
        self.take_size(self.most_width, min(self.most_height, self.sizeHint().height()))

    def _offer_parts(self, only: Sequence[str] | None) -> None:
        there = self._parts()
        before = self.part.currentData() or self._first
        self.part.blockSignals(True)
        self.part.clear()
        for key, title in self._titles.items():
            if key in there and (only is None or key in only):
                self.part.addItem(title, key)
        self.part.setCurrentIndex(max(0, self.part.findData(before)))
        self.part.blockSignals(False)
        self._part_chosen()

    def _part_chosen(self) -> None:
        self.width_box.setValue(self._widget.width())
        self._show_counts()

    @property
    def _widget(self) -> QWidget:
        return self._parts()[self.part.currentData()]

    def _number_chosen(self) -> None:
        matrix = self._matrix
        for part in self._cell_parts:
            part.setVisible(matrix is not None)
        if matrix is None or self._session is None:
            self.start.setValue(0.2)
            self.end.setValue(3.0)
            return
        rows, columns = cell_places(self._session.scene, matrix)
        self.row.setMaximum(rows)
        self.place.setMaximum(columns)
        self._cell_chosen()

    def _cell_chosen(self) -> None:
        """Go from one less than the number is to one more."""
        cell = self._cell
        if cell is None or self._session is None:
            return
        now = float(head_matrix(self._session.scene, cell.matrix, cell.head)[cell.row, cell.column])
        self.start.setValue(now - 1)
        self.end.setValue(now + 1)

    @property
    def _matrix(self) -> Matrix | None:
        return self._matrices[max(0, self.matrix.currentIndex())]

    @property
    def _cell(self) -> Cell | None:
        matrix = self._matrix
        if matrix is None or self._session is None:
            return None
        head = 0 if matrix in (Matrix.X, Matrix.WO) else self._session.look.head
        return Cell(matrix, self.row.value() - 1, self.place.value() - 1, head)

    def _choose_scene(self) -> None:
        try:
            found = self._ask_scene()
        except Problem as problem:
            self.say(str(problem), wrong=True)
            return
        if found is not None:
            name, self._other = found
            self.other_name.setText(displayable(name, 40))
            self._show_counts()

    # --- what is made ----------------------------------------------------------------------------

    def _number_film(self, stills: int) -> Film:
        session, cell = self._session, self._cell
        assert session is not None
        start, end = self.start.value(), self.end.value()
        if cell is None:
            way = way_of_temperature(session.scene, start, end)
            for share in (0.0, 1.0):  # what cannot be is said before anything is painted
                way(share)
        else:
            way = way_of_cell(session.scene, cell, start, end)
        return self._film_of(way, stills)

    def _scenes_film(self, stills: int) -> Film:
        assert self._session is not None
        if self._other is None:
            raise Problem(N_("Choose the scene that it changes into."))
        return self._film_of(way_between(self._session.scene, self._other), stills)

    @property
    def pace(self) -> Pace:
        """What is asked for of time."""
        return Pace(self.fps.value(), self.seconds.value(), self.loop.value())

    @property
    def _size(self) -> tuple[int, int]:
        part, width = self._widget, self.width_box.value()
        return width, round(part.height() * width / max(1, part.width()))

    def _show_counts(self) -> None:
        """Say how many pictures there will be, or why there can be none."""
        if self.making is not None:
            return
        width, height = self._size
        count = self.pace.count
        try:
            encoder_of(Path(f"picture{self._suffix}"))
            if count * width * height * 4 > MOST_BYTES:
                raise Problem(N_("Too many pictures: ask for fewer seconds or a smaller width."))
        except Problem as problem:
            self.say(str(problem), wrong=True)
            self.save.setEnabled(False)
            return
        said = ngettext(
            "up to {count} picture of {width} × {height} pixels",
            "up to {count} pictures of {width} × {height} pixels",
            count,
        )
        self.say(said.format(count=count, width=width, height=height))
        self.save.setEnabled(True)

    def _save(self) -> None:
        path = self._ask_path(self._suffix)
        if path is None:
            return
        density = self.width_box.value() / max(1, self._widget.width())
        part, pace = self.part.currentData(), self.pace
        try:
            check_place(path)
            encoder_of(path)
            film = self._subjects[self._chosen].begin(pace.count)
        except Problem as problem:
            self.say(str(problem), wrong=True)
            return
        self._path = path
        making = Making(
            film,
            lambda: self._parts()[part],
            self._settle,
            density,
            path.suffix.lower(),
            pace,
            self,
        )
        making.told.connect(self._show_told)
        making.made.connect(self._made)
        self._begin(making)

    def _show_told(self, done: int, count: int) -> None:
        self.line.show_share(done / count)
        said = _("picture {done} of {count}").format(done=done, count=count)
        self.say(said if done < count else _("writing the file…"))

    def _made(self, file: bytes) -> None:
        self.making = None
        assert self._path is not None
        try:
            write_bytes(file, self._path)
        except Problem as problem:
            self._failed(problem)
            return
        self.accept()

    def _let_choose(self, may: bool) -> None:
        super()._let_choose(may)
        self.loop.setEnabled(may and self._suffix != ".mp4")
        if may:
            self._show_counts()
