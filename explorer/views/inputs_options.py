"""The options at the foot of the panel: scale, mask and dimensions, folded to one line at first."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.session import Frame, Options
from explorer.session.checks import MOST_COLUMNS
from explorer.session.intents import OpenOptions, Resize, SetMask, SetScale
from explorer.text import _, full_number, html_escaped
from explorer.views.fold import Fold
from explorer.views.inputs_weights import INSET, plain_label
from explorer.views.segments import Segment, Segments
from explorer.views.theme import Theme

DIMENSIONS = ("d_model", "d_k", "d_v")


def options_summary(options: Options) -> str:
    """Return the options in a few words, such as "÷ √d · no mask"."""
    if options.scale == "sqrt_dk":
        scale = _("÷ √d")
    elif options.scale == "none":
        scale = _("not scaled")
    else:
        scale = f"÷ {divisor_text(options.scale)}"
    if isinstance(options.mask, str):
        mask = _("causal mask") if options.mask == "causal" else _("no mask")
    else:
        mask = _("own mask")
    return f"{scale} · {mask}"


def divisor_text(divisor: float) -> str:
    """Return a divisor of the scores as short as it can be: 3, 2.5 or 1e−5."""
    return full_number(divisor).removesuffix(".0")


class DimensionBox(QSpinBox):
    """A whole number that only changes where it has the focus."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(1, MOST_COLUMNS)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the box is chosen."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class OptionsBox(QWidget):
    """A line that says the options and unfolds to the controls that change them."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self._shown: Options | None = None
        self._fold = Fold(_("Options"), INSET, theme)
        self.header = self._fold.header
        self.header.clicked.connect(self._toggle)
        self.body = QWidget()
        self._build_body(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._fold)
        layout.addWidget(self.body)
        self.body.hide()
        self.retheme(theme)

    def _build_body(self, theme: Theme) -> None:
        self.scale_choice = Segments(
            (
                Segment("sqrt_dk", "÷ √dₖ", _("divide scores by the square root of d_k")),
                Segment("none", _("None"), _("leave scores as they are")),
            ),
            _("Scale"),
            theme,
            exclusive=True,
        )
        self.mask_choice = Segments(
            (
                Segment("none", _("None"), _("every token sees every token")),
                Segment("causal", _("Causal"), _("a token sees itself and earlier ones")),
            ),
            _("Mask"),
            theme,
            exclusive=True,
        )
        self.scale_choice.picked.connect(lambda scale: self.intent.emit(SetScale(scale)))
        self.mask_choice.picked.connect(lambda mask: self.intent.emit(SetMask(mask)))
        self._custom = plain_label("ink3")
        self._labels = [plain_label("ink3") for _name in range(2 + len(DIMENSIONS))]
        texts = (_("Scale"), _("Mask"), *DIMENSIONS)
        for label, text in zip(self._labels, texts, strict=True):
            label.setText(text)
            label.setWordWrap(False)
        self._form = QVBoxLayout(self.body)
        for label, choice in zip(self._labels, (self.scale_choice, self.mask_choice), strict=False):
            row = QHBoxLayout()
            row.addWidget(label, 1)
            row.addWidget(choice)
            self._form.addLayout(row)
        self._form.addWidget(self._custom)
        boxes = QGridLayout()
        self.dimensions: dict[str, DimensionBox] = {}
        for column, name in enumerate(DIMENSIONS):
            box = self.dimensions[name] = DimensionBox(name)
            box.valueChanged.connect(
                lambda value, name=name: self.intent.emit(Resize(**{name: value}))
            )
            boxes.addWidget(self._labels[2 + column], 0, column)
            boxes.addWidget(box, 1, column)
            boxes.setColumnStretch(column, 1)
        self._form.addLayout(boxes)

    def draw(self, frame: Frame) -> None:
        """Show the frame's options and dimensions; emits nothing."""
        scene, options = frame.scene, frame.scene.options
        if options is not self._shown:
            self._shown = options
            self._show_options(options)
        sizes = {"d_model": scene.X.shape[1], "d_k": scene.d_k, "d_v": scene.d_v}
        for name, box in self.dimensions.items():
            if box.value() != sizes[name]:
                with QSignalBlocker(box):
                    box.setValue(sizes[name])
            possible = name == "d_model" or scene.projected
            if box.isEnabled() != possible:
                why = _("Q = K = V = X here: add Wq, Wk and Wv to change it.")
                box.setEnabled(possible)
                box.setToolTip("" if possible else html_escaped(why))
        if frame.look.options_open != self._open:
            self._open = frame.look.options_open
            self.body.setVisible(self._open)
            self._fold.show_open(self._open)

    def _show_options(self, options: Options) -> None:
        self._fold.show_summary(options_summary(options))
        own_scale, own_mask = not isinstance(options.scale, str), not isinstance(options.mask, str)
        self.scale_choice.show_checked(() if own_scale else (str(options.scale),))
        self.mask_choice.show_checked(() if own_mask else (str(options.mask),))
        notes = []
        if own_scale:
            divisor = divisor_text(float(options.scale))
            notes.append(_("Scores are divided by {n}, as the file says.").format(n=divisor))
        if own_mask:
            notes.append(_("The mask is a table of its own, as the file says."))
        self._custom.setText("\n".join(notes))
        self._custom.setVisible(bool(notes))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        px = theme.px
        self._fold.retheme(theme)
        for label in (*self._labels, self._custom):
            label.setFont(theme.font(13))
        for box in self.dimensions.values():
            box.setFont(theme.font(14))
            box.setMinimumWidth(px(56))
        self.scale_choice.retheme(theme)
        self.mask_choice.retheme(theme)
        self._form.setSpacing(px(8))
        inset = px(INSET)
        self._form.setContentsMargins(inset, 0, inset, px(16))

    def _toggle(self) -> None:
        self.intent.emit(OpenOptions(not self._open))
