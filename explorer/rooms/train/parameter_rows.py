"""Parameters of the next run, one a row: what it is called, its value, and why it cannot be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label, plain_line, show_text
from explorer.kit.layouts import fill, put
from explorer.kit.small_inputs import AskingCheck, CalmCombo, StepField, give_font
from explorer.kit.theme import Theme
from explorer.session.train import TrainFrame
from explorer.session.train.intents import SetParameter
from explorer.text import Message, NotANumber, _, displayable, parse_number
from explorer.traces import (
    LABELS,
    LIMITS,
    MOST_SAMPLES,
    SAMPLES_LABEL,
    Config,
    Corpus,
    samples_text,
    usual_samples,
)

_LADDER = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # times a power of ten
_BY_ONE = ("seed", "layers")


def parameter_text(config: Config, field: str) -> str:
    """Return a parameter as it is typed; empty for one that is left to the program."""
    value = getattr(config, field)
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return "" if value is None else str(value)


def stepped(config: Config, field: str, typed: str, up: bool, whole: int) -> str:
    """Return the parameter's next value above or below what is typed, as it would be typed.

    Parameters
    ----------
    config : Config
        Heads divide D Model, so each of these two moves to the next value that fits the other.
        Where `typed` is no number, its value counts.
    field : str
        A number among the parameters.
    whole : int
        The sentences of the corpus: what an empty batch size stands for.
    """
    value = _number(config, field, typed, whole)
    limit = LIMITS[field]
    if field == "d_model":
        after = _multiple(value, config.heads, up)
    elif field == "heads":
        fitting = [n for n in range(1, int(limit.most) + 1) if config.d_model % n == 0]
        after = _next(fitting, value, up)
    elif field in _BY_ONE:
        after = value + (1 if up else -1)
    elif field == "dropout":
        after = round(value + (0.1 if up else -0.1), 1)
    else:
        after = _next(_rungs(value, field == "learning_rate"), value, up)
    after = min(max(after, limit.least), limit.most)
    return np.format_float_positional(after, trim="-", precision=12)


def _number(config: Config, field: str, typed: str, whole: int) -> float:
    try:
        value = parse_number(typed)
    except NotANumber:
        value = getattr(config, field)
        if value is None:
            value = whole if field == "batch_size" else config.feed_forward_width
    limit = LIMITS[field]
    return float(min(max(value, limit.least), limit.most))


def _multiple(value: float, of: int, up: bool) -> float:
    least = of * math.ceil(LIMITS["d_model"].least / of)
    after = math.floor(value / of + 1) * of if up else math.ceil(value / of - 1) * of
    return max(after, least)


def _rungs(value: float, fractions: bool) -> list[float]:
    power = math.floor(math.log10(value))
    rungs = [
        round(rung * 10.0**exponent, 12)
        for exponent in range(power - 1, power + 2)
        for rung in _LADDER
    ]
    return [rung for rung in rungs if fractions or (rung >= 1 and rung == int(rung))]


def _next(ascending: list[float] | list[int], value: float, up: bool) -> float:
    beyond = [each for each in ascending if (each > value if up else each < value)]
    if not beyond:
        return value
    return beyond[0] if up else beyond[-1]


ROW, COMPACT_ROW = 35, 30  # px at 100 %
_NUMBER, _CHOICE = 92, 126  # widths of inputs, px at 100 %
_HEIGHT, _COMPACT_HEIGHT = 28, 26
_LONGEST = 300  # of a sentence, in characters

Emit = Callable[[object], None]


class ParameterRow(QWidget):
    """One row: a line for a number, a check box, or a choice.

    Parameters
    ----------
    field : str
        The name in `Config`.
    emit : callable
        Takes the intent.
    choices : mapping of str to str, optional
        What each value of a choice is called, translated.
    """

    def __init__(
        self,
        field: str,
        theme: Theme,
        emit: Emit,
        choices: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = field
        self._emit = emit
        self._frame: TrainFrame | None = None
        name = _(self._label())
        self.input: QWidget = self._input(field, name, choices)
        self.label, self.note = plain_line("ink2", text=name), plain_line("ink3")
        self.note.hide()
        for label in (self.label, self.note):
            label.setMinimumWidth(1)  # the input is never pushed out of the panel
        self.problem = plain_label("err")
        self.problem.hide()
        self._line = QWidget()
        row = fill(QHBoxLayout(self._line))
        names = QVBoxLayout()
        names.setSpacing(0)
        put(names, None, self.label, self.note, None)
        put(row, names, None, self.input)
        fill(QVBoxLayout(self), self._line, self.problem)
        self.retheme(theme)

    def _label(self) -> str:
        return LABELS[self.field]

    def _input(self, field: str, name: str, choices: Mapping[str, str] | None) -> QWidget:
        if field in LIMITS:
            line = StepField(name)
            line.committed.connect(self._ask)
            line.asked.connect(self._step)
            return line
        if choices is None:
            check = AskingCheck(name)
            check.asked.connect(self._ask)
            return check
        combo = CalmCombo(name)
        self.offer(combo, choices)
        combo.activated.connect(self._choose)
        return combo

    # --- asking ----------------------------------------------------------------------------------

    def _ask(self, value: str | bool) -> None:
        self._emit(SetParameter(self.field, value))

    def _step(self, up: bool) -> None:
        assert isinstance(self.input, StepField)
        if self._frame is not None:
            corpus = self._frame.corpus
            whole = 1 if corpus is None else len(corpus.lines)
            typed = self.input.lineEdit().text()
            self._ask(stepped(self._frame.config, self.field, typed, up, whole))

    def _choose(self, index: int) -> None:
        assert isinstance(self.input, CalmCombo)
        wanted = self.input.itemData(index)
        if self._frame is not None:
            self._show_choice(self._frame.config)  # the frame alone says what is chosen
        self._ask(wanted)

    # --- showing ---------------------------------------------------------------------------------

    @staticmethod
    def offer(combo: CalmCombo, choices: Mapping[str, str]) -> None:
        """Offer these values in a choice, by what they are called."""
        combo.clear()
        for value, name in choices.items():
            combo.addItem(name, value)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's value, or what was typed and why it cannot be."""
        self._frame = frame
        typed, message = frame.problems.get(self.field, (None, None))
        match self.input:
            case StepField():
                text = self._text(frame) if typed is None else typed
                self.input.show_text(text, wrong=typed is not None)
            case AskingCheck():
                self.input.show_checked(getattr(frame.config, self.field))
            case _:
                self._show_choice(frame.config)
        self._say(message)

    def _text(self, frame: TrainFrame) -> str:
        return parameter_text(frame.config, self.field)

    def _show_choice(self, config: Config) -> None:
        assert isinstance(self.input, CalmCombo)
        index = self.input.findData(getattr(config, self.field))
        if index != self.input.currentIndex():
            self.input.setCurrentIndex(index)

    def _say(self, message: Message | None) -> None:
        text = "" if message is None else displayable(str(message), _LONGEST)
        if text != self.problem.text():
            self.input.setAccessibleDescription(text)
        show_text(self.problem, text)

    def set_note(self, text: str) -> None:
        """Say something small below the name."""
        show_text(self.note, text)

    def set_placeholder(self, text: str) -> None:
        """Say in an empty line what it stands for."""
        assert isinstance(self.input, StepField)
        if self.input.lineEdit().placeholderText() != text:
            self.input.lineEdit().setPlaceholderText(text)

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height."""
        px = theme.px
        self._line.setFixedHeight(px(COMPACT_ROW if compact else ROW))
        self.label.setFont(theme.font(14))
        self.note.setFont(theme.font(12))
        self.problem.setFont(theme.font(13))
        if isinstance(self.input, StepField):
            give_font(self.input, theme.font(15))
        else:
            self.input.setFont(theme.font(14))
        if not isinstance(self.input, AskingCheck):
            width = _NUMBER if isinstance(self.input, StepField) else _CHOICE
            self.input.setFixedSize(px(width), px(_COMPACT_HEIGHT if compact else _HEIGHT))


class SamplesRow(ParameterRow):
    """The row for the sentences that are recorded: numbers and ranges, no arrows beside them."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        self._of: tuple[Corpus | None, Config | None] = None, None
        super().__init__("samples", theme, emit, parent=parent)

    def _label(self) -> str:
        return SAMPLES_LABEL

    def _input(self, field: str, name: str, choices: Mapping[str, str] | None) -> QWidget:
        line = StepField(name, arrows=False)
        line.setToolTip(_("Which sentences of the corpus are recorded, such as 1-10, 20"))
        line.committed.connect(self._ask)
        return line

    def _text(self, frame: TrainFrame) -> str:
        return samples_text(frame.samples)

    def draw(self, frame: TrainFrame) -> None:
        """Show what is picked, or what was typed and why it cannot be."""
        super().draw(frame)
        corpus, most = frame.corpus, MOST_SAMPLES
        if corpus is self._of[0] and frame.config is self._of[1]:
            return  # a run's progress changes nothing here, and comes thirty times a second
        self._of = corpus, frame.config
        if corpus is not None:
            most = len(usual_samples(frame.config, corpus))
            self.set_note("" if most == len(corpus.first_samples) else _("16 MB a step"))
        few = corpus is not None and len(corpus.lines) <= most
        text = _("all") if few else _("first {most}").format(most=most)
        self.set_placeholder(text)


def rows(
    fields: Sequence[str], theme: Theme, emit: Emit, choices: Mapping[str, Mapping[str, str]]
) -> dict[str, ParameterRow]:
    """Return a row for each field."""
    return {field: ParameterRow(field, theme, emit, choices.get(field)) for field in fields}
