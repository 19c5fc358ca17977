"""Options that decide what becomes of scores: scale, temperature, mask, mistakes, the start."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QListWidget, QListWidgetItem, QWidget

from explorer.attention import MISTAKES, VARIANT_TITLES, Variant
from explorer.kit.labels import show_text
from explorer.kit.segments import Segment
from explorer.kit.slider import LogScale, Slider, slider_sheet
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.group import Group, NumberField, reason, uses_scale
from explorer.session import Centre, Comparison, Frame, Scene, edits, forms, masks
from explorer.session.backwards import check_variant
from explorer.session.intents import (
    AddProjections,
    ChangeLook,
    Phase,
    RemoveProjections,
    SetMask,
    SetPadding,
    SetScale,
    SetTemperature,
    SetVariant,
    ShowPainting,
)
from explorer.text import N_, _, displayable, plain_tip

_FIELD = 64  # px at 100 %: width of a number


class ScaleGroup(Group):
    """÷ √d, nothing, or a number of one's own."""

    title = N_("Scale")

    def build(self) -> None:
        """Make the choice and the line for the number."""
        self.why = self.link(_("Why ÷ √d?"), lambda: ChangeLook({"centre": Centre.SQRT_D}))
        self.choice = self.segments(
            (
                Segment("sqrt_dk", "÷ √dₖ", _("divide scores by the square root of d_k")),
                Segment("none", _("None"), _("leave scores as they are")),
                Segment("own", "÷ n", _("divide scores by a number of your own")),
            ),
            _("Scale"),
        )
        self.divisor = NumberField(
            _("What scores are divided by"),
            lambda value: reason(lambda: edits.set_scale(self.scene, value)),
            self,
        )
        self.themed(self.divisor)
        self.row(self.caption, None, self.why)
        self.row(self.choice, None)
        self.by = self.label(_("scores are divided by"))
        self.row(self.by, None, self.divisor)
        self.choice.picked.connect(self._ask)
        self.divisor.taken.connect(lambda value: self.intent.emit(SetScale(value)))
        self.divisor.judged.connect(self.say)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the scale, and whether it has a say."""
        return frame.scene.options.scale, frame.scene.options.variant

    def show_frame(self, frame: Frame) -> None:
        """Show the scale."""
        options = frame.scene.options
        own = not isinstance(options.scale, str)
        self.choice.show_checked({"own" if own else options.scale})
        for part in (self.by, self.divisor):
            part.setVisible(own)
        if not isinstance(options.scale, str):
            self.divisor.show_value(options.scale)
        unused = ""
        if options.variant is Variant.AVERAGE:
            unused = _("All scores are 0 in the plain average, so nothing is divided.")
        elif not uses_scale(options.variant):
            unused = _("The chosen mistake divides in its own way instead.")
        show_text(self.note, unused)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.divisor.setFixedWidth(theme.px(_FIELD))

    def _ask(self, scale: str) -> None:
        if scale == "own":  # at first the number that scores are divided by anyway
            present = self.scene.options.scale
            root = round(math.sqrt(self.scene.d_k), 3)
            self.intent.emit(SetScale(root if present == "sqrt_dk" else 1.0))
        else:
            self.intent.emit(SetScale(scale))


_SLIDER = 24  # px at 100 %: height of the slider


class TemperatureGroup(Group):
    """A slider and a number for the same thing."""

    title = N_("Temperature")

    def build(self) -> None:
        """Make the slider, the line for the number and the way back to 1."""
        self.slider = Slider(_("Temperature"), LogScale(0.1, 10.0), self, rest=1.0)
        self.slider.setObjectName("temperature")
        self.number = NumberField(
            _("Temperature, as a number"),
            lambda value: reason(lambda: edits.set_temperature(self.scene, value)),
            self,
        )
        self.themed(self.number)
        self.reset = self.link(_("Back to 1"), lambda: SetTemperature(1.0, Phase.BEGIN))
        self.reset.clicked.connect(lambda: self.intent.emit(SetTemperature(1.0, Phase.END)))
        self.row(self.caption, None, self.reset)
        self.row(self.slider, self.number)
        self.slider.asked.connect(self._ask)
        self.number.taken.connect(self._take)
        self.number.judged.connect(self.say)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the temperature, and whether it has a say."""
        options = frame.scene.options
        return options.temperature, options.variant is Variant.AVERAGE

    def show_frame(self, frame: Frame) -> None:
        """Show the temperature."""
        temperature = frame.scene.options.temperature
        self.slider.show_number(temperature)
        self.number.show_value(temperature)
        self.reset.setVisible(temperature != 1)
        average = frame.scene.options.variant is Variant.AVERAGE
        unused = _("It changes nothing while all scores are 0.") if average else ""
        show_text(self.note, unused)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.number.setFixedWidth(theme.px(_FIELD))
        self.slider.setFixedHeight(theme.px(_SLIDER))
        self.setStyleSheet(slider_sheet(theme, "temperature"))

    def _ask(self, temperature: float, phase: Phase) -> None:
        self.intent.emit(SetTemperature(temperature, phase))

    def _take(self, temperature: float) -> None:
        self._ask(temperature, Phase.BEGIN)
        self._ask(temperature, Phase.END)


_ROW, _MOST_ROWS = 26, 6  # px at 100 %; more are scrolled to


class PaddingList(QListWidget):
    """Tokens with a check box each; the checked ones are hidden from every query."""

    asked = Signal(object)  # the places that are wanted, a frozenset

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hidden: frozenset[int] = frozenset()
        self._tokens: Sequence[str] | None = None
        self._theme = theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Tokens that no token may attend to"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(self._toggle)

    def show_tokens(self, tokens: Sequence[str], hidden: Collection[int]) -> None:
        """Show tokens, and which of them are hidden; emits nothing."""
        with QSignalBlocker(self):
            if tokens != self._tokens:
                self._tokens = tokens
                self.clear()
                for place, name in enumerate(names_apart(tokens)):
                    item = QListWidgetItem(name, self)
                    item.setToolTip(plain_tip(tokens[place]))
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                    item.setCheckState(Qt.CheckState.Unchecked)  # without one it has no box
                self._fit()
            self._hidden = frozenset(hidden)
            self._check()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFont(theme.font(13))
        colour, px = theme.palette, theme.px
        self.setStyleSheet(
            f"QListWidget {{ background: {colour.raised}; border: 1px solid {colour.line2};"
            f" border-radius: {px(6)}px; outline: 0; }}"
            f' QListWidget[ringed="true"]:focus {{ border: 1px solid {colour.ink1}; }}'
            f" QListWidget::item {{ height: {px(_ROW)}px; padding-left: {px(4)}px; }}"
            f" QListWidget::item:selected {{ background: {colour.hover}; color: {colour.ink1}; }}"
            f" QListWidget::item:hover {{ background: {colour.hover}; }}"
        )
        self._fit()

    def _fit(self) -> None:
        rows = min(max(self.count(), 1), _MOST_ROWS)
        self.setFixedHeight(rows * self._theme.px(_ROW) + 2)

    def _check(self) -> None:
        for place in range(self.count()):
            checked = place in self._hidden
            state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
            if self.item(place).checkState() is not state:
                self.item(place).setCheckState(state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hide or show the current token with Space."""
        if event.key() == Qt.Key.Key_Space and self.currentItem() is not None:
            self._toggle(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _toggle(self, item: QListWidgetItem) -> None:
        self.asked.emit(self._hidden ^ {self.row(item)})


def names_apart(tokens: Sequence[str]) -> list[str]:
    """Return the tokens' names for a list, equal ones with the number of their place."""
    return [
        f"{displayable(name)} · {place}" if tokens.count(name) > 1 else displayable(name)
        for place, name in enumerate(tokens, 1)
    ]


class MaskGroup(Group):
    """None, causal, padding with the tokens it hides, or one's own."""

    title = N_("Mask")

    def build(self) -> None:
        """Make the choice and the list of tokens."""
        self.choice = self.segments(
            (
                Segment("none", _("None"), _("every token sees every token")),
                Segment("causal", _("Causal"), _("a token sees itself and earlier ones")),
                Segment("padding", _("Padding"), _("some tokens are hidden from all")),
                Segment("own", _("Own"), _("any cell of A may be hidden")),
            ),
            _("Mask"),
            pad=1,
        )
        self.padding = PaddingList(self.theme, self)
        self.themed(self.padding)
        self.row(self.caption, None)
        self.row(self.choice, None)
        self.hidden = self.label(_("No token may attend to"))
        self.row(self.hidden, None)
        self.row(self.padding)
        self.paint = self.link(_("Paint cells of A"), lambda: ShowPainting(True))
        self.row(self.paint, None)
        self.choice.picked.connect(self._ask)
        self.padding.asked.connect(lambda keys: self.intent.emit(SetPadding(keys)))

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the mask and the tokens it may hide."""
        scene = frame.scene
        return scene.options.mask, scene.tokens, scene.key_tokens, frame.look.painting

    def show_frame(self, frame: Frame) -> None:
        """Show what kind of mask it is, and what it hides."""
        scene = frame.scene
        kinds = _chosen(scene)
        self.choice.show_checked(kinds)
        listed = "padding" in kinds
        self.hidden.setVisible(listed)
        self.padding.setVisible(listed)
        if listed:
            self.padding.show_tokens(scene.key_tokens, masks.padded_keys(scene))
        own, painting = "own" in kinds, frame.look.painting
        self.paint.setVisible(own and not painting)
        said = _("Click or drag over cells of A to paint which keys are hidden.")
        show_text(self.note, said if own and painting else "")

    def _ask(self, kind: str) -> None:
        if kind == "padding":  # something has to be hidden: at first the last token
            self.intent.emit(SetPadding(frozenset({len(self.scene.key_tokens) - 1})))
        else:
            self.intent.emit(SetMask(kind))
            if kind in ("own", "none"):  # a brush that stays would mask the next cell clicked
                self.intent.emit(ShowPainting(kind == "own"))


def _chosen(scene: Scene) -> frozenset[str]:
    """Return what is chosen: a mask of one's own is "own" unless it hides whole keys for all."""
    if isinstance(scene.options.mask, str):
        return frozenset({scene.options.mask})
    kinds = masks.mask_kinds(scene)
    return frozenset(map(str, kinds)) if masks.MaskKind.PADDING in kinds else frozenset({"own"})


class MistakesGroup(Group):
    """One of the mistakes, or none."""

    title = N_("Mistake from published code")

    def build(self) -> None:
        """Make the choice."""
        self.choice = CalmCombo(_(self.title), self)
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(8)
        self.small(self.choice)
        self.choice.addItem(_("none"), Variant.NONE)
        for mistake in MISTAKES:
            self.choice.addItem(_(VARIANT_TITLES[mistake]), mistake)
        self.compare = self.link(
            _("Compare"),
            lambda: ChangeLook({"centre": Centre.COMPARE, "comparison": Comparison.MISTAKE}),
        )
        self.finding = self._label("err")
        self.row(self.caption, None)
        self.row(self.choice)
        self.row(self.finding)
        self.row(self.compare, None)
        self.choice.activated.connect(self._ask)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return the mistake, and the numbers its check looks at."""
        variant = frame.scene.options.variant
        return (variant, frame.attention) if variant in MISTAKES else (variant,)

    def show_frame(self, frame: Frame) -> None:
        """Show which mistake is made, and what its check finds."""
        variant = frame.scene.options.variant
        made = variant in MISTAKES
        self.explained = variant if made else None
        self._show_choice(variant)
        self.compare.setVisible(made)
        said = ""
        if made:
            finding = check_variant(frame.scene, frame.attention, variant)
            said = _("Wrong on purpose. {finding}").format(finding=finding.says)
            if not finding.found:
                said = _("Wrong on purpose, though these numbers do not show it. {finding}")
                said = said.format(finding=finding.says)
        show_text(self.finding, said)

    def _show_choice(self, variant: Variant) -> None:
        index = self.choice.findData(variant if variant in MISTAKES else Variant.NONE)
        if index != self.choice.currentIndex():
            self.choice.setCurrentIndex(index)

    def _ask(self, index: int) -> None:
        present = self.scene.options.variant
        wanted = Variant(self.choice.itemData(index))
        self._show_choice(present)  # the frame alone says which is made
        if wanted is not (present if present in MISTAKES else Variant.NONE):
            self.intent.emit(SetVariant(wanted))


PLAIN, AVERAGE = "no projections", "plain average"


class StoryGroup(Group):
    """No projections, plain average, and the ways back."""

    title = N_("Simpler versions")

    def build(self) -> None:
        """Make the buttons."""
        self.choice = self.segments(
            (
                Segment(PLAIN, _("No projections"), "", _("Q = K = V = X: softmax(X Xᵀ) X")),
                Segment(AVERAGE, _("Plain average"), "", _("all scores are 0")),
            ),
            _("Simpler versions"),
            exclusive=False,
            pad=4,
        )
        self.add = self.link(_("Add Wq, Wk, Wv"), AddProjections)
        self.attend = self.link(_("Back to attention"), lambda: SetVariant(Variant.NONE))
        self.row(self.caption, None)
        self.row(self.choice, None)
        self.row(self.add, self.attend, None)
        self.choice.picked.connect(self._ask)

    def reads(self, frame: Frame) -> tuple[object, ...]:
        """Return whether there are projections or an average, and what decides if they can be."""
        scene = frame.scene
        context = -1 if scene.context is None else scene.context.X.shape[1]
        return scene.projected, scene.options.variant, context, scene.d_model, scene.others

    def show_frame(self, frame: Frame) -> None:
        """Show which version is in use."""
        scene = frame.scene
        average = scene.options.variant is Variant.AVERAGE
        shown = {PLAIN} if not scene.projected else set()
        self.choice.show_checked(shown | ({AVERAGE} if average else set()))
        why_not = reason(lambda: forms.without_projections(scene)) if scene.projected else None
        self.choice.set_enabled(PLAIN, why_not is None, None if why_not is None else str(why_not))
        show_text(self.note, "" if why_not is None else str(why_not))
        self.add.setVisible(not scene.projected)
        self.attend.setVisible(average)

    def _ask(self, start: str) -> None:
        scene = self.scene
        if start == PLAIN:
            self.intent.emit(RemoveProjections() if scene.projected else AddProjections())
        else:
            average = scene.options.variant is Variant.AVERAGE
            self.intent.emit(SetVariant(Variant.NONE if average else Variant.AVERAGE))
