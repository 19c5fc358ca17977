"""A row of joined buttons, one or several of them checked."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from explorer.kit.layouts import set_spacing
from explorer.kit.markers import marker_icon
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.session import Space
from explorer.text import _, plain_tip

_SHORT_PAD = 3  # px at 100 % on both sides of a text, where there is little room


@dataclass(frozen=True)
class Segment:
    """One button of a row.

    Parameters
    ----------
    key : hashable
        What `picked` emits.
    text : str
        Shown on it, as plain text.
    name : str
        Its accessible name; the text where empty.
    tooltip : str
        Plain text.
    marker : Space, optional
        Whose marker stands before the text.
    short : str
        Shown instead of the text where there is little room; the text where empty.
    """

    key: Hashable
    text: str
    name: str = ""
    tooltip: str = ""
    marker: Space | None = None
    short: str = ""


class Segments(QFrame):
    """A row of buttons that shows a choice and asks for another; it never changes by itself.

    Parameters
    ----------
    items : sequence of Segment
    name : str
        Accessible name of the whole row.
    exclusive : bool
        Whether exactly one is checked: a click on that one then asks for nothing.
    own : bool
        Whether nobody but the parts around it knows what is chosen.
    pad : int
        Room on both sides of a text, px at 100 %.
    """

    picked = Signal(object)  # the key of the button that was clicked

    def __init__(
        self,
        items: Sequence[Segment],
        name: str,
        theme: Theme,
        *,
        exclusive: bool = False,
        own: bool = False,
        pad: int = 10,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAccessibleName(name)
        self._exclusive, self._own, self._pad = exclusive, own, pad
        self._compact = False
        self._items = {item.key: item for item in items}
        self._buttons: dict[Hashable, QToolButton] = {}
        self._checked: frozenset[Hashable] = frozenset()
        self._layout = QHBoxLayout(self)
        for item in items:
            self._buttons[item.key] = self._button(item)
        self.retheme(theme)

    def button(self, key: Hashable) -> QToolButton:
        """Return the button of a key."""
        return self._buttons[key]

    @property
    def checked(self) -> frozenset[Hashable]:
        """The keys of the buttons that are checked."""
        return self._checked

    def show_checked(self, keys: Collection[Hashable]) -> None:
        """Check these buttons and no others; emits nothing."""
        self._checked = frozenset(keys)
        for key, button in self._buttons.items():
            button.setChecked(key in self._checked)

    def offered(self) -> dict[str, Hashable]:
        """Return the keys of the buttons that are not left out, by their texts."""
        return {
            self._items[key].text: key
            for key, button in self._buttons.items()
            if not button.isHidden()
        }

    def take_over(self, before: Segments) -> None:
        """Ask for what was chosen in another row, where nobody else knows it."""
        if self._own and before._checked != self._checked:
            for key in before._checked:
                self.picked.emit(key)

    def set_text(self, key: Hashable, text: str) -> None:
        """Give a button another text."""
        button, item = self._buttons[key], self._items[key]
        if button.accessibleName() != text:
            self._items[key] = replace(item, text=text)
            self._fill(button, self._items[key])
            button.setAccessibleName(text)

    def set_compact(self, compact: bool) -> None:
        """Leave markers out and show the short texts, or show all again."""
        if compact == self._compact:
            return
        self._compact = compact
        for key, button in self._buttons.items():
            self._fill(button, self._items[key])
        self._layout.activate()

    def set_shown(self, key: Hashable, shown: bool) -> None:
        """Show a button or leave it out."""
        button = self._buttons[key]
        if button.isHidden() == shown:
            button.setVisible(shown)
            self._layout.activate()  # its size is asked for before the events are over

    def set_enabled(self, key: Hashable, enabled: bool, tooltip: str | None = None) -> None:
        """Enable a button or not, with a plain text that says why (its own tooltip where None)."""
        button = self._buttons[key]
        button.setEnabled(enabled)
        button.setToolTip(plain_tip(self._items[key].tooltip if tooltip is None else tooltip))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        px, colour = theme.px, theme.palette
        gap = px(2)
        set_spacing(self._layout, gap, gap, gap, gap, gap=gap)
        short = px(_SHORT_PAD)
        pad, beside = px(self._pad), px(4)  # a marker leaves room on its left
        self.setStyleSheet(
            f"#segments {{ background: {colour.win}; border: 1px solid {colour.line2};"
            f" border-radius: {px(7)}px; }}"
            f" QToolButton {{ color: {colour.ink2}; background: transparent;"
            f" border: 1px solid transparent; border-radius: {px(5)}px;"
            f" padding: 0 {pad}px; height: {px(24)}px; }}"
            f' QToolButton[marked="true"] {{ padding-right: {beside}px; }}'
            f' QToolButton[short="true"] {{ padding: 0 {short}px; }}'
            f" QToolButton:hover {{ background: {colour.hover}; }}"
            f" QToolButton:checked {{ color: {colour.ink1}; background: {colour.raised};"
            f" border-color: {colour.ink2}; }}"
            f' QToolButton[ringed="true"]:focus {{ border: 2px solid {colour.ink1};'
            f" padding: 0 {pad - 1}px; height: {px(24) - 2}px; }}"
            f' QToolButton[marked="true"][ringed="true"]:focus {{ padding-right: {beside - 1}px; }}'
            f' QToolButton[short="true"][ringed="true"]:focus {{ padding: 0 {short - 1}px; }}'
            f" QToolButton:disabled {{ color: {_faint(theme)}; }}"
        )
        size = px(14)
        for key, button in self._buttons.items():
            button.setFont(theme.font(13, 500))
            marker = self._items[key].marker
            if marker is not None:
                icon = marker_icon(marker, theme.color("ink2"), theme.color("ink1"), size)
                button.setIcon(icon)
                button.setIconSize(QSize(size, size))

    def _button(self, item: Segment) -> QToolButton:
        button = QToolButton(self)
        self._fill(button, item)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(item.name or item.text)
        button.setToolTip(plain_tip(item.tooltip))
        button.clicked.connect(self._clicked)
        self._layout.addWidget(button)
        return button

    def _fill(self, button: QToolButton, item: Segment) -> None:
        marked = item.marker is not None and not self._compact
        before = button.property("marked"), button.property("short")
        if before != (marked, self._compact):
            button.setProperty("marked", marked)
            button.setProperty("short", self._compact)
            button.style().unpolish(button)
            button.style().polish(button)
        text = item.short if self._compact and item.short else item.text
        button.setText(("\u2009" if marked else "") + text.replace("&", "&&"))
        button.setToolButtonStyle(
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon
            if marked
            else Qt.ToolButtonStyle.ToolButtonTextOnly
        )

    def _clicked(self) -> None:
        button = self.sender()
        key = next(key for key, own in self._buttons.items() if own is button)
        wanted = not (self._exclusive and key in self._checked)
        self.show_checked(self._checked)  # what is checked is said by the frame alone
        if wanted:
            self.picked.emit(key)


class SegmentList(CalmCombo):
    """The choice of a row as a list, for where the names of its buttons have no room."""

    def __init__(self, row: Segments, parent: QWidget) -> None:
        super().__init__(row.accessibleName(), parent)
        self._row = row
        self.activated.connect(self._ask)

    def follow(self) -> None:
        """Offer and show what the row does."""
        offered = self._row.offered()
        if [self.itemText(n) for n in range(self.count())] != list(offered):
            self.clear()
            self.addItems(list(offered))
        checked = [key in self._row.checked for key in offered.values()]
        self.setCurrentIndex(checked.index(True) if any(checked) else -1)

    def _ask(self, index: int) -> None:
        wanted = list(self._row.offered().values())[index]  # Qt would give an enum back as text
        self.follow()  # what is checked is said by the frame alone
        self._row.picked.emit(wanted)


class Tabs(Segments):
    """Chooses which of several parts is shown, where there is no room for all; else it is hidden.

    Nobody but the parts around it knows what is chosen.
    """

    turned = Signal()  # other parts are to be shown

    def __init__(
        self, items: Sequence[Segment], name: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(items, name, theme, exclusive=True, own=True, parent=parent)
        self.by_turns = False
        self.picked.connect(self.turn_to)
        self.turn_to(items[0].key)
        self.hide()

    def turn_to(self, key: Hashable) -> None:
        """Choose a part."""
        self._chosen = key
        self.show_checked({key})
        self.turned.emit()

    def set_by_turns(self, by_turns: bool) -> None:
        """Show one part at a time, or all of them."""
        if by_turns != self.by_turns:
            self.by_turns = by_turns
            self.setVisible(by_turns)
            self.turned.emit()

    def shows(self, key: Hashable) -> bool:
        """Return whether a part is to be shown."""
        return not self.by_turns or self._chosen == key


def _faint(theme: Theme) -> str:
    """Return the text colour of a disabled button, as QSS."""
    colour = theme.color("ink1")
    return f"rgba({colour.red()}, {colour.green()}, {colour.blue()}, 38%)"


def run_or_sweep(shown: str, theme: Theme, parent: QWidget | None = None) -> Segments:
    """Return the choice; `shown` is the page that it stands on, "run" or "sweep"."""
    choice = Segments(
        [
            Segment("run", _("Run"), tooltip=_("One run, epoch by epoch")),
            Segment("sweep", _("Sweep"), tooltip=_("Many runs: what is usual, not what was lucky")),
        ],
        _("Run or sweep"),
        theme,
        exclusive=True,
        pad=14,
        parent=parent,
    )
    choice.show_checked({shown})
    return choice
