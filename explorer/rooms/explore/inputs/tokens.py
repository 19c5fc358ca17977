"""Rows of tokens in the panel, of X, of a context or of a position, and which sequence is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.copying import CopyFormats
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put
from explorer.kit.markers import marker_pixmap
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.table.grid import NumberGrid
from explorer.kit.theme import SLOTS, Theme, TokenColour
from explorer.rooms.explore.inputs.token_list import TokenList
from explorer.rooms.explore.inputs.weights import invalid_of, show_message
from explorer.session import (
    Array,
    Cell,
    Frame,
    Matrix,
    Role,
    Scene,
    Selection,
    Space,
    position_rows,
)
from explorer.session.intents import (
    AddToken,
    ChangeLook,
    Hover,
    PasteCells,
    Select,
    ShowSequence,
)
from explorer.text import _, displayable, plain_tip

_LONGEST = 60  # letters of what a sequence is called


class SequencePicker(QWidget):
    """A choice of the scene's sequences, each by its place and its tokens."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._shown = 0
        self.combo = CalmCombo(_("Shown sequence"), self)
        self.combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.combo.setMinimumContentsLength(8)
        self.combo.activated.connect(self._ask)
        fill(QHBoxLayout(self), self.combo)
        self.retheme(theme)

    def draw(self, frame: Frame) -> None:
        """Show the frame's sequences; emits nothing."""
        scene = frame.scene
        names = sequence_names(scene)
        if names != self._names:
            self._names = names
            self.combo.clear()
            self.combo.addItems(names)
        self._shown = scene.shown
        if self.combo.currentIndex() != scene.shown:
            self.combo.setCurrentIndex(scene.shown)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.combo.setFont(theme.font(14))

    def _ask(self, place: int) -> None:
        self.combo.setCurrentIndex(self._shown)  # the frame alone says which is shown
        if place != self._shown:
            self.intent.emit(ShowSequence(place))


def sequence_names(scene: Scene) -> list[str]:
    """Return what each sequence is called in a list, such as "1 of 3: the cat sits"."""
    count = len(scene.others) + 1
    return [
        _("{n} of {all}: {tokens}").format(
            n=place, all=count, tokens=displayable(" ".join(sequence.tokens), _LONGEST)
        )
        for place, sequence in enumerate(scene.sequences, 1)
    ]


class TokenRows(QWidget):
    """Shows the tokens of X, or those of the context, each with its row.

    Parameters
    ----------
    matrix : Matrix
        X or CONTEXT.
    name : str
        What the table is called.
    word : str
        What stands beside the letter X.
    add : str
        What the button does that adds a token.
    theme : Theme
    formats : CopyFormats
    """

    intent = Signal(object)

    def __init__(
        self,
        matrix: Matrix,
        name: str,
        word: str,
        add: str,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._of_context = matrix in (Matrix.CONTEXT, Matrix.V)
        self._theme = theme
        self._drawn: Callable[[], None] = lambda: None  # draws the same again
        self._rows_before: int | None = None  # where a token was asked for, until it is there
        self._marker = QLabel(self)
        self._letter, self._word = plain_label("ink1", self, "X"), plain_label("ink3", self, word)
        self._usual = word
        self.add_token = QToolButton(self)
        self.add_token.setAccessibleName(add)
        self.add_token.setToolTip(plain_tip(add))
        self.add_token.clicked.connect(self._add_token)
        self.grid = NumberGrid(matrix, name, theme, formats, named=True, parent=self)
        self.grid.intent.connect(self.intent)
        self.message = plain_label("err", self)
        self.message.hide()
        self.list: TokenList | None = None  # made when there are many tokens
        self._numbered = False  # whether the numbers of many are shown
        self.turn = QToolButton(self)
        self.turn.setProperty("kind", "link")
        self.turn.hide()
        self.turn.clicked.connect(self._turn)
        self._header = put(
            QHBoxLayout(), self._marker, self._letter, self._word, None, self.turn, self.add_token
        )
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self._header, self.grid, self.message)
        self.retheme(theme)

    def draw(
        self,
        frame: Frame,
        tokens: Sequence[str],
        values: Array,
        colours: Sequence[TokenColour],
        title: tuple[str, str] | None = None,
    ) -> None:
        """Show names and numbers, shape (rows, d), and what is pointed at; emits nothing.

        title : the letter of the numbers and a word on them, where they are not those of X
        """
        letter, word = title or ("X", self._usual)
        self._letter.setText(letter)
        self._word.setText(word)
        if self._rows_before is not None and len(tokens) > max(self._rows_before, SLOTS):
            self._numbered = True  # the new token's name is typed there
        self._drawn = partial(self.draw, frame, tokens, values, colours, title)
        if self._draw_list(frame, tuple(tokens), colours):
            return
        wrong = invalid_of(frame.invalid, self.grid.matrix, 0)
        dragged = frame.drag is not None
        self.grid.show_numbers(values, tokens, colours, wrong, dragged=dragged)
        show_message(self.message, self.grid, wrong)
        crossed = frame.scene.context is not None
        self.grid.show_pointing(frame.selection, frame.hover, crossed=crossed)
        if self._rows_before is not None:
            if len(tokens) > self._rows_before:
                self.grid.edit_name(len(tokens) - 1)
            self._rows_before = None

    @property
    def shown(self) -> QWidget:
        """The numbers, or the list in their place."""
        return self.grid if self.list is None or self.list.isHidden() else self.list

    def _draw_list(
        self, frame: Frame, tokens: tuple[str, ...], colours: Sequence[TokenColour]
    ) -> bool:
        """Of many tokens show their names, unless their numbers are wanted; return whether."""
        many = len(tokens) > SLOTS and self.grid.matrix in (Matrix.X, Matrix.CONTEXT)
        if self.turn.isHidden() == many:
            self.turn.setVisible(many)
        listed = many and not self._numbered
        if listed and self.list is None:
            self.list = TokenList(self._theme, self._of_context, self)
            self.list.intent.connect(self.intent)
            self.list.chosen.connect(lambda row: self.intent.emit(Select(self._thing(row))))
            self.list.pointed.connect(
                lambda row: self.intent.emit(Hover(None if row is None else self._thing(row)))
            )
            self.list.opened.connect(lambda row, named: self.open_numbers(row, rename=named))
            self.list.pasted.connect(
                lambda row, text: self.intent.emit(PasteCells(Cell(self.grid.matrix, row, 0), text))
            )
            self._column.insertWidget(1, self.list)
            self.list.show()
        focused = QApplication.focusWidget()
        focused_here = focused is self.grid or self.grid.isAncestorOf(focused or self)
        for part, wanted in ((self.list, listed), (self.grid, not listed)):
            if part is not None and part.isHidden() == wanted:
                part.setVisible(wanted)
        text = _("list") if self._numbered else _("numbers")
        if text != self.turn.text():
            self.turn.setText(text)
            tip = _("List the tokens") if self._numbered else _("Show the tokens' numbers")
            self.turn.setAccessibleName(tip)
            self.turn.setToolTip(plain_tip(tip))
        if listed and self.list is not None:
            first = len(frame.scene.tokens) if self._of_context else 0
            self.list.draw(tokens, colours, frame.slots, frame.look.pinned, first)
            self.list.show_pointing(self._row_of(frame.selection), self._row_of(frame.hover))
            if focused_here:  # Qt would give it to the search
                self.list.list.setFocus()
        return listed

    def _thing(self, row: int) -> Selection:
        if self._of_context:
            return Selection(Role.CONTEXT, key=row)
        return Selection(Role.X, query=row)

    def _row_of(self, thing: Selection | None) -> int | None:
        if thing is None or thing.in_weights:
            return None
        return thing.key if self._of_context else thing.query

    def take_over(self, before: TokenRows) -> None:
        """Show many tokens' numbers where others did."""
        if self._numbered != before._numbered:
            self._turn()

    def _turn(self) -> None:
        self._numbered = not self._numbered
        self._drawn()

    def open_numbers(self, row: int, *, rename: bool = False) -> None:
        """Show the numbers from a token's on, and let its name be typed if that is wanted."""
        if self.shown is self.list:
            self._turn()
        self.grid.scrollTo(self.grid.cells.index(row, 0), self.grid.ScrollHint.PositionAtTop)
        self.grid.setFocus()
        if rename:
            self.grid.edit_name(row)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme, px = theme, theme.px
        if self.list is not None:
            self.list.retheme(theme)
        self.turn.setFont(theme.font(13))
        marker = marker_pixmap(Space.X, theme.color("ink2"), px(16), self.devicePixelRatioF())
        self._marker.setPixmap(marker)
        self._letter.setFont(theme.font(14, 700))
        self._word.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.add_token.setIcon(icon("add", theme))
        self.add_token.setIconSize(QSize(px(SIDE), px(SIDE)))
        self._header.setSpacing(px(8))
        self._column.setSpacing(px(4))
        self.grid.retheme(theme)

    def _add_token(self) -> None:
        self._rows_before = self.grid.cells.rowCount()
        self.intent.emit(AddToken(context=self._of_context))


class PositionRows(QWidget):
    """Shows P: own rows as they are edited; sinusoidal ones folded away until they are asked for.

    Parameters
    ----------
    theme : Theme
    formats : CopyFormats
    """

    intent = Signal(object)

    def __init__(self, theme: Theme, formats: CopyFormats, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self._letter, self._word = plain_label("ink1", self, "P"), plain_label("ink3", self)
        self.toggle = QToolButton(self)
        self.toggle.clicked.connect(
            lambda: self.intent.emit(ChangeLook({"position_open": not self._open}))
        )
        self.grid = self._grid(_("P, the position"), theme, formats, editable=True)
        self.shown = self._grid(_("P, sinusoidal"), theme, formats, editable=False)
        self.message = plain_label("err", self)
        self.message.hide()
        self._header = put(QHBoxLayout(), self._letter, self._word, None, self.toggle)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self._header, self.grid, self.shown, self.message)
        self.retheme(theme)

    def _grid(self, name: str, theme: Theme, formats: CopyFormats, *, editable: bool) -> NumberGrid:
        grid = NumberGrid(
            Matrix.POSITION, name, theme, formats, named=True, editable=editable, parent=self
        )
        grid.intent.connect(self.intent)
        return grid

    def draw(self, frame: Frame, colours: Sequence[TokenColour]) -> None:
        """Show the frame's position, which it must have; emits nothing."""
        scene, rows = frame.scene, position_rows(frame.scene)
        assert rows is not None
        own = scene.array(Matrix.POSITION) is not None
        self._open = frame.look.position_open
        grid = self.grid if own else self.shown
        shown = own or self._open
        for part, wanted in (
            (self.grid, own),
            (self.shown, not own and self._open),
            (self.toggle, not own),
        ):
            if part.isHidden() == wanted:
                part.setVisible(wanted)
        self._say(own)
        wrong = invalid_of(frame.invalid, Matrix.POSITION, 0)
        if shown:
            grid.show_numbers(rows, scene.tokens, colours, wrong if own else None)
            crossed = scene.context is not None
            grid.show_pointing(frame.selection, frame.hover, crossed=crossed)
        show_message(self.message, self.grid, wrong if own else {})

    def _say(self, own: bool) -> None:
        word = _("position, own rows") if own else _("position, sinusoidal")
        if word != self._word.text():
            self._word.setText(word)
        name = _("Fold the position's numbers") if self._open else _("Show the position's numbers")
        if name != self.toggle.accessibleName():
            self.toggle.setAccessibleName(name)
            self.toggle.setToolTip(name)
            self._show_arrow()

    def _show_arrow(self) -> None:
        self.toggle.setIcon(icon("chevron-down" if self._open else "chevron-right", self._theme))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        self._letter.setFont(theme.font(14, 700))
        self._word.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.toggle.setIconSize(QSize(px(SIDE), px(SIDE)))
        self._header.setSpacing(px(8))
        self._column.setSpacing(px(4))
        self.grid.retheme(theme)
        self.shown.retheme(theme)
        self._show_arrow()
