"""The room check: whether the last row can read the smallest text, and the text scale it needs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from explorer.kit.framed_dialog import FramedDialog
from explorer.kit.labels import show_ink
from explorer.kit.theme import SCALES, Theme
from explorer.lessons.legibility import (
    CHINESE,
    GOOD,
    LARGEST_PERCENT,
    READABLE,
    Judgement,
    ProjectedScreen,
    judge,
)
from explorer.rooms.present.presentation import screen_for
from explorer.rooms.present.sizes import Sizes
from explorer.text import N_, Ambiguous, Message, NotANumber, _, language, parse_number

_FIELD, _WIDEST = 110, 560  # px at 100 %
_LEAST, _MOST = 0.1, 1000.0  # metres


class RoomCheck(FramedDialog):
    """Asks for the picture's width and the last row's distance, and says what follows.

    Parameters
    ----------
    theme : Theme
        Its text scale is the one in use.
    picture : QSize
        Of the audience's view, in pixels.
    use : callable
        Takes another text scale, in percent.
    window : QWidget
        Which the sheet stays within.
    """

    def __init__(
        self, theme: Theme, picture: QSize, use: Callable[[int], None], window: QWidget
    ) -> None:
        super().__init__(_("Room check"), theme, window)
        self._picture, self._use = picture, use
        self._percent: int | None = None
        asked = self.label(_("Can the last row read it? Measure in metres."), 14, 400, "ink2")
        self.width_field = self._field(_("Width of the picture on the wall"))
        self.distance_field = self._field(_("From the picture to the last row"))
        self.verdict = self.label("", 15, 600)
        self.measured = self.label("", 14, 400, "ink2")
        self.use_button, self.close_button = QPushButton(self.frame), QPushButton(self.frame)
        self.use_button.setProperty("kind", "primary")
        self.use_button.clicked.connect(self._take)
        self.close_button.setText(_("Close"))
        self.close_button.clicked.connect(self.accept)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(10))
        grid.setVerticalSpacing(theme.px(8))
        for row, field in enumerate((self.width_field, self.distance_field)):
            grid.addWidget(self.label(field.accessibleName(), 14, 400), row, 0)
            grid.addWidget(field, row, 1)
            grid.addWidget(self.label(_("m"), 14, 400, "ink2"), row, 2)
        grid.setColumnStretch(3, 1)
        buttons = QGridLayout()
        buttons.setColumnStretch(0, 1)
        buttons.setHorizontalSpacing(theme.px(8))
        for column, button in enumerate((self.use_button, self.close_button), 1):
            button.setFont(theme.font(14, 500))
            buttons.addWidget(button, 0, column)
        self.column.addWidget(asked)
        self.column.addLayout(grid)
        for label in (self.verdict, self.measured):
            label.setWordWrap(True)
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing() + 2)
            self.column.addWidget(label)
        self.column.addLayout(buttons)
        self._say()
        width = min(theme.px(_WIDEST), self.most_width)
        self.take_size(width, min(self.heightForWidth(width), self.most_height))
        self.width_field.setFocus()

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self.frame)
        field.setAccessibleName(name)
        field.setFont(self.theme.font(15))
        field.setFixedWidth(self.theme.px(_FIELD))
        field.textChanged.connect(self._say)
        return field

    def _say(self) -> None:
        """Say what follows from what is typed."""
        self._percent = None
        fields = (self.width_field, self.distance_field)
        if not all(field.text().strip() for field in fields):
            self._show(Message(N_("Type both: 2.5 and 8, for example.")))
            return
        try:
            width, distance = map(_metres, fields)
        except NotANumber as problem:
            self._show(problem.args[0], wrong=True)
            return
        seen = _judged(
            ProjectedScreen(width, distance, self._picture.width()), self.theme, self._picture
        )
        enough = seen.readable and (not _chinese() or seen.characters >= CHINESE)
        self._percent = None if enough else seen.percent
        self._show(_verdict(seen, enough), wrong=not enough)
        self.measured.setText(
            str(
                Message(
                    N_(
                        "The smallest digits are seen at {digits}′ (readable from {least}′, good "
                        "from {good}′), Chinese characters at {characters}′ (from {chinese}′)."
                    ),
                    {
                        "digits": f"{seen.digits:.0f}",
                        "least": f"{READABLE:.0f}",
                        "good": f"{GOOD:.0f}",
                        "characters": f"{seen.characters:.0f}",
                        "chinese": f"{CHINESE:.0f}",
                    },
                )
            )
        )

    def _show(self, verdict: Message, *, wrong: bool = False) -> None:
        self.verdict.setText(str(verdict))
        show_ink(self.verdict, "err" if wrong else "ink1")
        self.measured.clear()
        offered = self._percent
        self.use_button.setVisible(offered is not None)
        if offered is not None:
            self.use_button.setText(_("Use {percent} %").format(percent=offered))
            self.use_button.setDefault(True)

    def _take(self) -> None:
        if self._percent is not None:
            self.accept()
            self._use(self._percent)


def check_room(
    theme: Theme, window: QWidget, audience: QWidget | None, use: Callable[[int], None]
) -> None:
    """Open the room check over the window that has the focus.

    Parameters
    ----------
    window : QWidget
        The main window.
    audience : QWidget or None
        The audience's, where there is one.
    use : callable
        Takes another text scale, in percent.
    """
    picture = screen_for(window).size() if audience is None else audience.size()
    over = audience if audience is not None and audience.isActiveWindow() else window
    RoomCheck(theme, picture, use, over).open()


def _metres(field: QLineEdit) -> float:
    """Return a typed length. Raises NotANumber with the sentence that says what is wrong."""
    try:
        metres = parse_number(field.text())
    except Ambiguous as unclear:
        metres = unclear.readings[0]
    except NotANumber:
        metres = 0.0
    if not _LEAST <= metres <= _MOST:
        template = N_("{field}: type metres from 0.1 to 1000, for example 2.5.")
        raise NotANumber(Message(template, {"field": field.accessibleName()}))
    return metres


def _judged(room: ProjectedScreen, theme: Theme, picture: QSize) -> Judgement:
    """Return how the smallest text is seen at the text scale in use."""
    smallest = Sizes.of(Theme(), picture.width(), picture.height()).least
    return judge(room, smallest, (theme.percent, *SCALES), chinese=_chinese())


def _chinese() -> bool:
    return language().startswith("zh")


def _verdict(seen: Judgement, enough: bool) -> Message:
    if enough and seen.good:
        return Message(N_("Good: the last row reads it with ease."))
    if enough:
        return Message(N_("Readable from the last row."))
    if seen.percent is not None:
        template = N_("Too small for the last row: it needs a text scale of {percent} %.")
        return Message(template, {"percent": seen.percent})
    template = N_(
        "The room is too deep: even at {percent} % the last row cannot read it. Move the seats "
        "nearer, or make the picture larger."
    )
    return Message(template, {"percent": LARGEST_PERCENT})
