"""What the tables' titles say: true for every scale, variant, mask and number of heads."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.attention import MISTAKES, Variant
from explorer.kit.icons import icon
from explorer.kit.labels import ElidedLabel, plain_line
from explorer.kit.layouts import put, set_spacing
from explorer.kit.markers import marker_pixmap
from explorer.kit.table.painting import PADDING
from explorer.kit.theme import Theme
from explorer.kit.wording import root, scaling
from explorer.session import Frame, Space, Stage
from explorer.text import _, decimal_places, display_number, joined, plain_tip


class Title(QWidget):
    """A table's title.

    Parameters
    ----------
    letter : str
        Of the blackboard.
    words : str
        What it means.
    marker : Space, optional
        Whose marker stands before the letter.
    """

    def __init__(
        self, letter: str, words: str, marker: Space | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._marker = marker
        self._icon, self._letter = QLabel(), plain_line(text=letter)
        self._words = ElidedLabel(text=words)
        self._held = plain_line("err", text=_("waiting for a number"))
        self._held.setToolTip(
            plain_tip(_("These are the last valid results: a marked cell holds no number."))
        )
        self._held.hide()
        self.full = QToolButton()
        self.full.setText("1:1")
        self.full.setCheckable(True)
        self.full.setToolTip(plain_tip(_("Full size, with all numbers")))
        self.full.setAccessibleName(_("{table} at full size").format(table=letter))
        self.full.hide()
        self.fill = QToolButton()
        self.fill.setToolTip(plain_tip(_("Hide the numbers and fill them in by hand")))
        self.fill.setAccessibleName(_("Fill in {table} by hand").format(table=letter))
        self.fill.hide()
        self.row = QHBoxLayout(self)
        if marker is not None:
            self.row.addWidget(self._icon)
        else:
            self._icon.setParent(None)
        put(self.row, self._letter, self._words, self._held, None, self.full, self.fill)
        self.show_words(words)

    @property
    def visible_text(self) -> str:
        """What can be read in the title."""
        labels = (self._letter, self._words, self._held)
        return " ".join(label.text() for label in labels if label.isVisibleTo(self))

    @property
    def words_end(self) -> int:
        """Where what can be read ends, in pixels from the left."""
        label = self._held if self._held.isVisibleTo(self) else self._words
        return label.x() + min(label.width(), label.sizeHint().width())

    def show_letter(self, letter: str) -> None:
        """Say which array the table is of."""
        self._letter.setText(letter)

    def show_words(self, words: str) -> None:
        """Say what the table is; where that has no room the tooltip has it whole."""
        if words != self._words.text() or not self._words.toolTip():
            self._words.setText(words)
            self._words.setToolTip(plain_tip(words))

    def show_held(self, held: bool) -> None:
        """Say that the results are held, or do not."""
        self._held.setVisible(held)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        pad = theme.px(PADDING)
        set_spacing(self.row, pad, 0, pad, 0, gap=theme.px(8))
        if self._marker is not None:
            ratio = self.devicePixelRatioF()
            pixmap = marker_pixmap(self._marker, theme.color("ink2"), theme.px(14), ratio)
            self._icon.setPixmap(pixmap)
        self._letter.setFont(theme.font(14, 600))
        self._words.setFont(theme.font(13))
        self._held.setFont(theme.font(13, 600))
        self.full.setFont(theme.font(13, 500))
        self.full.setFixedHeight(theme.px(22))
        show_sign(self.fill, "fill-in", theme)
        pad = theme.px(6)
        self.full.setStyleSheet(
            f"QToolButton {{ padding: 0 {pad}px; }}"
            f' QToolButton[ringed="true"]:focus {{ padding: 0 {pad - 1}px; }}'
        )


def show_sign(button: QToolButton, name: str, theme: Theme) -> None:
    """Show a title's button as an icon alone, low enough for the title."""
    side = theme.px(16)
    button.setIcon(icon(name, theme))
    button.setIconSize(QSize(side, side))
    button.setFixedSize(theme.px(26), theme.px(22))
    button.setStyleSheet('QToolButton, QToolButton[ringed="true"]:focus { padding: 0; }')


def scores_words(frame: Frame) -> str:
    """Return what S is."""
    if frame.attention.heads == 1:
        return _("scores")
    return _("scores of head {head}").format(head=frame.look.head + 1)


def scaling_label(frame: Frame) -> str | None:
    """Return what becomes of raw scores, "÷ √2", "÷ 3 ÷ 0.5" or "masked"; None for nothing."""
    if frame.attention.variant is Variant.AVERAGE:
        return _("all 0")
    if frame.attention.mask is None:
        return scaling(frame) or None
    return scaling(frame) or _("masked")


def weights_words(frame: Frame) -> str:
    """Return whose A it is, and what its rows sum to."""
    what = _("attention")
    if frame.averaged:
        what = _("average of {heads} heads").format(heads=frame.attention.heads)
    elif frame.attention.heads > 1:
        what = _("head {head} of {heads}").format(
            head=frame.look.head + 1, heads=frame.attention.heads
        )
    if frame.look.unnamed and frame.attention.variant in MISTAKES:
        return what  # what its rows sum to names the mistake
    mask, total = frame.attention.mask, 1.0 / frame.attention.weight_divisor
    sums = display_number(total, decimal_places(total, most=3, least=0))
    if mask is None or mask.any(axis=1).all():
        return _("{what}, each row sums to {total}").format(what=what, total=sums)
    if not mask.any():
        return _("{what}, every key is masked").format(what=what)
    return _("{what}, rows sum to {total} or are all masked").format(what=what, total=sums)


def fill_words(frame: Frame) -> str:
    """Return which numbers are to be filled in, of a frame in which some are."""
    look, blank = frame.look, frame.look.blank
    assert blank is not None
    said = []
    if blank.table is Stage.S:
        said.append((scaling_label(frame) if look.scaled else None) or "QKᵀ")
    if frame.attention.heads > 1 and look.version(blank.table)[0]:
        said.append(_("head {head}").format(head=look.head + 1))
    return joined((*said, _("fill in by hand")))


def output_words(frame: Frame) -> str:
    """Return what O is."""
    one = frame.attention.heads == 1
    head, scaled = frame.look.head + 1, frame.attention.variant is Variant.OUTPUT_SCALED
    if scaled and one:
        return _("output × {root}").format(root=root(frame))
    if scaled:
        return _("output of head {head} × {root}").format(head=head, root=root(frame))
    return _("output") if one else _("output of head {head}").format(head=head)
