"""The line at the foot of the panel that says the options and unfolds to all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.attention import VARIANT_TITLES, Variant
from explorer.kit.fold import INSET, Fold
from explorer.kit.layouts import as_panel
from explorer.kit.motion import unfold
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.group import short_number, uses_scale
from explorer.session import Frame, Options, Scene
from explorer.session.intents import ChangeLook
from explorer.session.masks import MaskKind, mask_kinds
from explorer.text import N_, _, ngettext

if TYPE_CHECKING:
    from explorer.rooms.explore.options.group import Group


_MASKS = {
    MaskKind.CAUSAL: N_("causal"),
    MaskKind.PADDING: N_("padding"),
    MaskKind.OTHER: N_("own mask"),
}


def options_summary(scene: Scene) -> str:
    """Return whatever departs from plain attention, such as "÷ √d · no mask" or "÷ 3 · causal"."""
    options = scene.options
    parts = [*_scale(options)]
    mask = [_(_MASKS[kind]) for kind in mask_kinds(scene)]
    rest = _rest(scene)
    if not mask and not rest:
        mask = [_("no mask")]
    return " · ".join((*parts, *mask, *rest))


def _scale(options: Options) -> list[str]:
    parts = []
    if options.variant is Variant.AVERAGE:
        parts.append(_("plain average"))
    elif options.variant is not Variant.NONE:
        parts.append(_("mistake: {title}").format(title=_(VARIANT_TITLES[options.variant])))
    if uses_scale(options.variant):
        if options.scale == "sqrt_dk":
            parts.append(_("÷ √d"))
        elif options.scale == "none":
            parts.append(_("not scaled"))
        else:
            parts.append(f"÷ {short_number(options.scale)}")
    if options.temperature != 1 and options.variant is not Variant.AVERAGE:
        parts.append(_("T {temperature}").format(temperature=short_number(options.temperature)))
    return parts


def _rest(scene: Scene) -> list[str]:
    parts = []
    if scene.given:
        parts.append(_("Q, K and V given"))
    elif not scene.projected:
        parts.append(_("no projections"))
    if scene.heads > 1:
        parts.append(ngettext("{n} head", "{n} heads", scene.heads).format(n=scene.heads))
    biases = [name for name in ("bq", "bk", "bv", "bo") if getattr(scene, name) is not None]
    if biases:
        parts.append(" ".join(biases))
    if scene.Wo is not None:
        parts.append("Wo")
    position = scene.options.position
    if not isinstance(position, str):
        parts.append(_("own position"))
    elif position == "sinusoidal":
        parts.append(_("sinusoidal"))
    if scene.options.rotary is not None:
        parts.append(_("rotary positions"))
    if scene.options.qk_norm is not None:
        parts.append(_("Q and K normalised"))
    if scene.context is not None and not scene.given:
        parts.append(_("cross-attention"))
    if scene.others:
        count = len(scene.others) + 1
        parts.append(ngettext("{n} sequence", "{n} sequences", count).format(n=count))
    return parts


_APART = 16  # px at 100 %, between groups


class OptionsBox(QWidget):
    """A line that says the options and unfolds to the groups of `groups.GROUPS`.

    The line stands still at the panel's foot; the groups come at the end of what scrolls above it.
    They are made when they are first unfolded.

    Parameters
    ----------
    column : QWidget
        What scrolls, and is the parent of `body`.
    """

    intent = Signal(object)
    told = Signal(QWidget)  # a sentence on what was typed, which is to be seen

    def __init__(self, theme: Theme, column: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        as_panel(self)
        self._theme = theme
        self._open = False
        self._shown: Scene | None = None
        self._fold = Fold(_("Options"), INSET, theme, self)
        self.header = self._fold.header
        self.header.clicked.connect(
            lambda: self.intent.emit(ChangeLook({"options_open": not self._open}))
        )
        self.groups: dict[type[Group], Group] = {}
        self.body = QWidget(column)
        self.body.hide()
        self._column = QVBoxLayout(self.body)
        self._line = QVBoxLayout(self)
        self._line.addWidget(self._fold)
        self.retheme(theme)

    @property
    def is_open(self) -> bool:
        """Whether the groups are unfolded."""
        return self._open

    @property
    def shown(self) -> QWidget:
        """The groups where they are unfolded, else the line."""
        return self.body if self._open else self

    def draw(self, frame: Frame) -> QWidget | None:
        """Show the frame's options, and return what has come that is to be seen; emits nothing."""
        came: QWidget | None = None
        if frame.scene is not self._shown:
            self._shown = frame.scene
            self._fold.show_summary(options_summary(frame.scene))
        if frame.look.options_open and not self.groups:
            self._make_groups()
        if frame.look.options_open:
            for group in self.groups.values():
                explained = group.explained
                group.draw(frame)
                if group.explained not in (None, explained):
                    came = group
        if frame.look.options_open != self._open:
            self._open = frame.look.options_open
            self.body.setVisible(self._open)
            self._fold.show_open(self._open)
            if self._open:
                unfold(self.body)
                came = self.body
        return came

    def _make_groups(self) -> None:
        from explorer.rooms.explore.options.groups import (
            GROUPS,  # not needed before the window is seen
        )

        for kind in GROUPS:
            group = self.groups[kind] = kind(self._theme, self.body)
            group.intent.connect(self.intent)
            group.told.connect(self.told)
            self._column.addWidget(group)
            group.show()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._fold.retheme(theme)
        for group in self.groups.values():
            group.retheme(theme)
        side = theme.px(16) - theme.px(INSET)
        self._line.setContentsMargins(side, 0, side, theme.px(2))
        self._column.setSpacing(theme.px(_APART))
        self._column.setContentsMargins(0, 0, 0, theme.px(16))
