"""What every group of options is: a caption, its controls, and why something cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.attention import Variant
from explorer.kit.fold import INSET
from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import put
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import (
    AskingCheck,
    CalmWheel,
    StepField,
    asks_to_undo,
    give_font,
    mark_wrong,
)
from explorer.kit.theme import Theme
from explorer.session import Frame, Scene
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    Problem,
    _,
    expected_instead,
    parse_number,
    plain_tip,
)
from explorer.text.blocks import parse_block
from explorer.text.numbers import MINUS

_PLAIN_DIGITS = N_("Type the number without thousands separators, for example 1234.5")

T = TypeVar("T")  # what is typed
Judge = Callable[[float], Message | None]

_NO_SCALE = frozenset(
    {Variant.AVERAGE, Variant.SOFTMAX_FIRST, Variant.MULTIPLIED, Variant.UNSCALED}
)


def short_number(value: float) -> str:
    """Return a number with all its digits, as short as it can be: 3, 2.5 or 1e−5."""
    mantissa, _e, exponent = repr(float(value)).partition("e")
    digits = mantissa.removesuffix(".0")
    return (f"{digits}e{int(exponent)}" if exponent else digits).replace("-", MINUS)


def uses_scale(variant: Variant) -> bool:
    """Return whether the scale has a say in a variant."""
    return variant not in _NO_SCALE


class CheckedField(StepField, Generic[T]):
    """A line for a value that is judged when it was typed; a subclass reads it and writes it.

    Parameters
    ----------
    name : str
        What is typed, for screen readers.
    judge : callable
        Says why a value cannot be; None where it can.
    """

    taken = Signal(object)
    judged = Signal(object)  # a Message why the text was refused, or None

    def __init__(
        self,
        name: str,
        judge: Callable[[T], Message | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, arrows=False, parent=parent)
        self._judge = judge
        self._value: T | None = None
        self._refused: Message | None = None
        self.committed.connect(self._take)

    def read(self, text: str) -> T | Message:
        """Return the value that a text is, or why it is none."""
        raise NotImplementedError

    def written(self, value: T) -> str:
        """Return a value as a text."""
        raise NotImplementedError

    def show_value(self, value: T) -> None:
        """Show a value, in place of what was refused before."""
        self._value = value
        self.forget()

    def forget(self) -> None:
        """Show the value again instead of what was refused."""
        if self._refused is not None:
            self._refused = None
            self.judged.emit(None)
        self._show_own()
        self.setAccessibleDescription("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back with Esc what was refused."""
        if event.key() == Qt.Key.Key_Escape and self._refused is not None:
            self.drop_typed()
            self.forget()
        else:
            super().keyPressEvent(event)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        give_font(self, theme.font(14))

    def _show_own(self) -> None:
        self.show_text("" if self._value is None else self.written(self._value))

    def _take(self, text: str) -> None:
        found = self.read(text)
        message = found if isinstance(found, Message) else self._judge(found)
        self._refused = message
        self.judged.emit(message)
        if message is not None:
            self.show_text(text, wrong=True)
            self.setAccessibleDescription(str(message))
            return
        self._show_own()  # the frame alone says what it is
        self.taken.emit(found)


class NumberField(CheckedField[float]):
    """A line for one number."""

    def read(self, text: str) -> float | Message:
        """Return the number that a text is, or why it is none."""
        try:
            return parse_number(text)
        except Ambiguous:
            return Message(_PLAIN_DIGITS)
        except NotANumber as wrong:
            return expected_instead(wrong)

    def written(self, value: float) -> str:
        """Return a number with all its digits."""
        return short_number(value)


class RowField(CheckedField[tuple[float, ...]]):
    """A line for a row of numbers, with blanks between them."""

    def read(self, text: str) -> tuple[float, ...] | Message:
        """Return the numbers that a text is, or why it is none."""
        try:
            return tuple(parse_block(text).ravel().tolist())
        except Problem as problem:
            return problem.message

    def written(self, value: tuple[float, ...]) -> str:
        """Return the numbers with all their digits."""
        return " ".join(map(short_number, value))


class CountBox(CalmWheel, QSpinBox):
    """A whole number that the wheel changes only where it has the focus.

    Parameters
    ----------
    name : str
        What is counted, for screen readers.
    most : int
        The least is 1.
    judge : callable
        Says why a number cannot be; None where it can.
    """

    taken = Signal(int)
    judged = Signal(object)  # a Message why the number was refused, or None

    def __init__(self, name: str, most: int, judge: Judge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._judge = judge
        self.setRange(1, most)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.valueChanged.connect(self._take)

    def show_value(self, value: int, most: int) -> None:
        """Show a number, and take it as the largest where it is beyond `most`; emits nothing."""
        mark_wrong(self, False)
        with QSignalBlocker(self):  # a lower maximum changes the number too
            self.setMaximum(max(most, value))
            self.setValue(value)

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the window unless something is being typed."""
        if self.text() == self.textFromValue(self.value()) and asks_to_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        give_font(self, theme.font(14))
        self.setMinimumWidth(theme.px(56))

    def _take(self, value: int) -> None:
        message = self._judge(value)
        mark_wrong(self, message is not None)
        self.judged.emit(message)
        self.setAccessibleDescription("" if message is None else str(message))
        if message is None:
            self.taken.emit(value)


_GAP = 6  # px at 100 %, within a group


class Themed(Protocol):
    """A part that takes another theme by itself."""

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""


class Group(QWidget):
    """Some options that belong together.

    A subclass makes its controls in `build`, names in `reads` what of a frame they depend on, and
    shows that in `show_frame`, which emits nothing.

    Parameters
    ----------
    theme : Theme
    """

    intent = Signal(object)
    told = Signal(QWidget)  # a sentence on what was typed, which is to be seen
    title = ""  # marked by N_

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._frame: Frame | None = None
        self._seen: tuple[object, ...] | None = None
        self.explained: object = None  # what was chosen and is explained below the choice
        self._small: list[QWidget] = []
        self._themed: list[Themed] = []
        self._links: list[QWidget] = []
        self._rows: list[tuple[QHBoxLayout, bool, bool]] = []
        self.caption = self.label(_(self.title), "ink2")
        self.problem = self._label("err")
        self.note = self._label("ink3")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName(self.caption.text())
        self.build()
        put(self._column, self.problem, self.note)
        self.problem.hide()
        self.note.hide()
        self.retheme(theme)

    def build(self) -> None:
        """Make the controls and put them below each other with `row`."""
        raise NotImplementedError

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return what the controls depend on: while it is the same, they are left alone."""
        raise NotImplementedError

    def show_frame(self, frame: Frame) -> None:
        """Show what the frame says; emits nothing."""
        raise NotImplementedError

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame's options; emits nothing."""
        self._frame = frame
        seen = self.reads(frame)
        if self._seen is None or not _same(seen, self._seen):
            self._seen = seen
            self.say(None)
            self.show_frame(frame)

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        assert self._frame is not None
        return self._frame.scene

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = theme
        for widget in self._small:
            widget.setFont(theme.font(13))
        for part in self._themed:
            part.retheme(theme)
        self._column.setSpacing(theme.px(_GAP))
        inset = theme.px(INSET)
        for row, from_edge, to_edge in self._rows:
            row.setSpacing(theme.px(8))
            row.setContentsMargins(0 if from_edge else inset, 0, 0 if to_edge else inset, 0)
        for label in (self.problem, self.note):
            label.setContentsMargins(inset, 0, inset, 0)

    def say(self, problem: Message | None) -> None:
        """Say below the controls why something cannot be, or nothing any more."""
        show_text(self.problem, "" if problem is None else str(problem))
        if problem is not None:
            self.told.emit(self.problem)

    # --- making ----------------------------------------------------------------------------------

    def row(self, *parts: QWidget | None) -> None:
        """Put parts beside each other, below what is there; None takes the room that is left.

        All stand `INSET` inside the group but links, whose words do so.
        """
        row = QHBoxLayout()
        for part in parts:
            if part is None:
                row.addStretch(1)
            else:
                row.addWidget(part)
        self._rows.append((row, parts[0] in self._links, parts[-1] in self._links))
        self._column.addLayout(row)

    def small(self, widget: QWidget) -> None:
        """Give a control the small type."""
        self._small.append(widget)

    def themed(self, part: Themed) -> None:
        """Have a part take every other theme."""
        self._themed.append(part)

    def _label(self, ink: str) -> QLabel:
        label = plain_label(ink, self)
        self._small.append(label)
        return label

    def label(self, text: str, ink: str = "ink3") -> QLabel:
        """Return a label that does not wrap."""
        label = plain_line(ink, self, text)
        self._small.append(label)
        return label

    def segments(
        self, items: Sequence[Segment], name: str, *, exclusive: bool = True, pad: int = 10
    ) -> Segments:
        """Return a row of joined buttons."""
        made = Segments(items, name, self.theme, exclusive=exclusive, pad=pad, parent=self)
        self._themed.append(made)
        return made

    def check(self, name: str, text: str) -> AskingCheck:
        """Return a check box."""
        made = AskingCheck(name, text, self)
        self._small.append(made)
        return made

    def button(self, text: str, wanted: Callable[[], object]) -> QPushButton:
        """Return a button that emits the intent it is for."""
        made = QPushButton(text, self)
        made.clicked.connect(lambda: self.intent.emit(wanted()))
        self._small.append(made)
        return made

    def link(self, text: str, wanted: Callable[[], object]) -> QToolButton:
        """Return a word that can be pressed; it emits the intent it is for."""
        made = QToolButton(self)
        made.setText(text)
        made.setProperty("kind", "link")
        self._links.append(made)
        made.clicked.connect(lambda: self.intent.emit(wanted()))
        self._small.append(made)
        return made


def reason(edit: Callable[[], Any]) -> Message | None:
    """Return why an edit cannot be, or None where it can."""
    try:
        edit()
    except Problem as problem:
        return problem.message
    return None


def allow(widget: QWidget, why_not: Message | None) -> None:
    """Enable a control, or disable it with a tooltip that says why."""
    if widget.isEnabled() != (why_not is None):
        widget.setEnabled(why_not is None)
    tip = "" if why_not is None else plain_tip(str(why_not))
    if widget.toolTip() != tip:
        widget.setToolTip(tip)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Return whether two tuples hold the same: things by identity, plain values by equality."""
    plain = (bool, int, float, str, tuple, frozenset)
    return len(one) == len(other) and all(
        a is b or (isinstance(a, plain) and isinstance(b, plain) and a == b)
        for a, b in zip(one, other, strict=True)
    )
