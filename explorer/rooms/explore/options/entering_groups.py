"""Options of what becomes of Q and K before they are multiplied: rotary positions, a norm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QLabel

from explorer.attention import QKNorm, Rotary
from explorer.kit.labels import show_text
from explorer.kit.segments import Segment
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.group import CheckedField, Group, NumberField, RowField, reason
from explorer.session import Frame, Scene, edits
from explorer.session.intents import SetQKNorm, SetRotary
from explorer.text import N_, Message, _

_FIELD, _ROW = 84, 120  # px at 100 %: width of a number, least width of a row of them
_BASE, _FACTOR = N_("Base"), N_("Stretched by")
_LOW, _HIGH, _ORIGINAL = N_("Low"), N_("High"), N_("Length before")


def _first_rotary(scene: Scene) -> Rotary:
    """Return what is chosen first: every column turns."""
    return Rotary(max(scene.d_k - scene.d_k % 2, 2))


class RotaryGroup(Group):
    """Nothing, or rotary positions with all their numbers."""

    title = N_("Rotary positions, of Q and K")

    def build(self) -> None:
        """Make the choices and a line for each number."""
        self.choice = self.segments(
            (
                Segment("none", _("None"), _("Q and K do not turn")),
                Segment("rotary", _("Rotary"), _("Q and K turn by their position")),
            ),
            _("Rotary positions"),
            pad=8,
        )
        self.scaling = self.segments(
            (
                Segment("default", _("As they are"), _("angles as the base gives them")),
                Segment("linear", _("Linear"), _("all angles divided by a number")),
                Segment("llama3", "Llama 3", _("small angles divided, large ones kept")),
            ),
            _("Angles"),
            pad=4,
        )
        self.pairing = self.segments(
            (
                Segment("halves", _("Halves"), _("column i turns with column i + half of them")),
                Segment(
                    "neighbours", _("Neighbours"), _("columns 1 and 2 turn together, and so on")
                ),
            ),
            _("Which columns turn together"),
            pad=8,
        )
        self.row(self.caption)
        self.row(self.choice, None)
        self.lines: dict[str, tuple[QLabel, NumberField]] = {}
        self._line("dims", _("Columns that turn"))
        self._line("base", _(_BASE))
        self.row(self.scaling, None)
        for name, text in (
            ("factor", _FACTOR),
            ("low", _LOW),
            ("high", _HIGH),
            ("original", _ORIGINAL),
        ):
            self._line(name, _(text))
        self.row(self.pairing, None)
        self.choice.picked.connect(self._choose)
        self.scaling.picked.connect(lambda scaling: self._ask(scaling=scaling))
        self.pairing.picked.connect(lambda pairing: self._ask(pairing=pairing))

    def _line(self, name: str, text: str) -> None:
        field = NumberField(text, lambda value: self._judged(name, value), self)
        label = self.label(text)
        self.lines[name] = label, field
        self.themed(field)
        self.row(label, None, field)
        field.taken.connect(lambda value: self._ask(**{name: _number(name, value)}))
        field.judged.connect(self.say)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the positions, and what may turn."""
        scene = frame.scene
        return scene.options.rotary, scene.d_k, scene.given

    def show_frame(self, frame: Frame) -> None:
        """Show how Q and K turn."""
        rotary = frame.scene.options.rotary
        why_not = None
        if rotary is None:
            first = _first_rotary(frame.scene)
            why_not = reason(lambda: edits.set_rotary(frame.scene, first))
            if frame.scene.d_k < 2:
                why_not = Message(N_("Two columns turn together, and Q has only one."))
        self.choice.show_checked({"none" if rotary is None else "rotary"})
        told = None if why_not is None else str(why_not)
        self.choice.set_enabled("rotary", why_not is None, told)
        show_text(self.note, told or "")
        for choice in (self.scaling, self.pairing):
            choice.setVisible(rotary is not None)
        for name, (label, field) in self.lines.items():
            for part in (label, field):
                part.setVisible(rotary is not None and name in _used(rotary))
            if rotary is not None:
                field.show_value(float(getattr(rotary, name)))
        if rotary is not None:
            self.scaling.show_checked({rotary.scaling})
            self.pairing.show_checked({rotary.pairing})

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        for _label, field in self.lines.values():
            field.setFixedWidth(theme.px(_FIELD))

    def _judged(self, name: str, value: float) -> Message | None:
        scene = self.scene
        rotary = scene.options.rotary
        if rotary is None:
            return None
        if name == "dims" and (value % 2 or not 2 <= value <= scene.d_k):
            said = N_("The number of columns that turn must be even, from 2 to the {width} of Q.")
            return Message(said, {"width": scene.d_k})
        changes: dict[str, Any] = {name: _number(name, value)}
        made = replace(rotary, **changes)
        if made.high <= made.low:
            return Message(N_("High must be larger than low."))
        if reason(lambda: edits.set_rotary(scene, made)) is not None:
            return Message(N_("This must be a number from 1e−50 to 1e50."))
        return None

    def _choose(self, kind: str) -> None:
        present = self.scene.options.rotary
        if kind == "none":
            self.intent.emit(SetRotary(None))
        elif present is None:
            self.intent.emit(SetRotary(_first_rotary(self.scene)))

    def _ask(self, **changes: Any) -> None:
        rotary = self.scene.options.rotary
        if rotary is not None:
            self.intent.emit(SetRotary(replace(rotary, **changes)))


def _number(name: str, value: float) -> float | int:
    return int(value) if name == "dims" else value


def _used(rotary: Rotary) -> frozenset[str]:
    """Return the numbers that have a say."""
    of_scaling = {"default": (), "linear": ("factor",), "llama3": ("factor", "low", "high")}
    original = ("original",) if rotary.scaling == "llama3" else ()
    return frozenset({"dims", "base", *of_scaling[rotary.scaling], *original})


class NormGroup(Group):
    """Nothing, or the RMS norm of Q and of K with its gains."""

    title = N_("Norm of Q and K")

    def build(self) -> None:
        """Make the choice, a line for the gains of each, and one for ε."""
        self.choice = self.segments(
            (
                Segment("none", _("None"), _("Q and K stay as they are")),
                Segment("rms", _("RMS norm"), _("each row divided by its root mean square")),
            ),
            _("Norm of Q and K"),
            pad=8,
        )
        self.row(self.caption)
        self.row(self.choice, None)
        self.query = RowField(_("Gains of Q"), lambda row: self._gains("query", row), self)
        self.key = RowField(_("Gains of K"), lambda row: self._gains("key", row), self)
        self.epsilon = NumberField(
            _("ε, added to the mean of the squares"),
            lambda value: self._judged(
                {"epsilon": value}, Message(N_("This must be a number from 1e−50 to 1e50."))
            ),
            self,
        )
        self.labels: list[QLabel] = []
        field: CheckedField[Any]
        for name, text, field in (
            ("query", _("Gains of Q"), self.query),
            ("key", _("Gains of K"), self.key),
            ("epsilon", "ε", self.epsilon),
        ):
            label = self.label(text)
            self.labels.append(label)
            self.themed(field)
            self.row(label, *((None,) if field is self.epsilon else ()), field)
            field.taken.connect(self._taker(name))
            field.judged.connect(self.say)
        self.choice.picked.connect(self._choose)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the norm, and what may be normalised."""
        scene = frame.scene
        return scene.options.qk_norm, scene.d_k, scene.given

    def show_frame(self, frame: Frame) -> None:
        """Show how Q and K are normalised."""
        norm = frame.scene.options.qk_norm
        first = _first_norm(frame.scene)
        why_not = reason(lambda: edits.set_qk_norm(frame.scene, first)) if norm is None else None
        self.choice.show_checked({"none" if norm is None else "rms"})
        told = None if why_not is None else str(why_not)
        self.choice.set_enabled("rms", why_not is None, told)
        show_text(self.note, told or "")
        for part in (*self.labels, self.query, self.key, self.epsilon):
            part.setVisible(norm is not None)
        if norm is not None:
            self.query.show_value(tuple(norm.query.tolist()))
            self.key.show_value(tuple(norm.key.tolist()))
            self.epsilon.show_value(norm.epsilon)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.epsilon.setFixedWidth(theme.px(_FIELD))
        for field in (self.query, self.key):
            field.setMinimumWidth(theme.px(_ROW))

    def _gains(self, name: str, row: tuple[float, ...]) -> Message | None:
        width = self.scene.d_k
        if len(row) != width:
            said = N_("There is one gain for each of the {width} columns of Q, not {found}.")
            return Message(said, {"width": width, "found": len(row)})
        return self._judged({name: row}, None)

    def _judged(self, changes: dict[str, Any], instead: Message | None) -> Message | None:
        norm = self.scene.options.qk_norm
        if norm is None:
            return None
        made = replace(norm, **changes)
        found = reason(lambda: edits.set_qk_norm(self.scene, made))
        return found if found is None or instead is None else instead

    def _choose(self, kind: str) -> None:
        if kind == "none":
            self.intent.emit(SetQKNorm(None))
        elif self.scene.options.qk_norm is None:
            self.intent.emit(SetQKNorm(_first_norm(self.scene)))

    def _taker(self, name: str) -> Callable[[Any], None]:
        def take(value: Any) -> None:
            norm = self.scene.options.qk_norm
            if norm is not None:
                self.intent.emit(SetQKNorm(replace(norm, **{name: value})))

        return take


def _first_norm(scene: Scene) -> QKNorm:
    """Return what is chosen first: all gains are 1."""
    ones: Any = [1.0] * scene.d_k
    return QKNorm(ones, ones)
