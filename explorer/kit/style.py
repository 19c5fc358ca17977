"""How standard widgets look: one style sheet and one Qt palette, both made from the theme.

Widgets choose a variant by a dynamic property, set once when they are made:

========================= ======================================================================
`ink` on a QLabel         the colour of its text: "ink1", "ink2", "ink3", "err", "run_b" or "ok"
`kind` on a QPushButton   "primary" (ink fill), "quiet" (no border) or "row" (as wide as a panel,
                          with labels in it)
`kind` on a QToolButton   "link" (a word that can be pressed)
`invalid` on an input     what it holds cannot be used: a border in the error colour
`cell` on a QLineEdit     it edits a table's cell, "square" or "rounded", with less padding
`hairline` on a QFrame    a line that parts two things
`ringed` on any widget    it shows that it has the focus (`kit/focus_ring.py`)
`panel` on a QWidget      a side panel or strip: the window's own colour
========================= ======================================================================

Fonts are never set here: a style sheet's font would drop the tabular figures.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from string import Template

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QStyle, QToolTip, QWidget

from explorer.kit.focus_ring import FocusRings
from explorer.kit.garbage import no_collection
from explorer.kit.theme import Theme
from explorer.resources import resource

_FUSION = "fusion"  # a property of the application: its style was set

DISABLED = 0.38  # opacity of what cannot be used now

_SHEET = Template("""
QMainWindow, QDialog, QWidget[panel="true"] { background: $win; }

QLabel { color: $ink1; }
QLabel[ink="ink2"] { color: $ink2; }
QLabel[ink="ink3"] { color: $ink3; }
QLabel[ink="err"] { color: $err; }
QLabel[ink="run_b"] { color: $run_b; }
QLabel[marked="true"] { background: $hover; }
QLabel[ink="ok"] { color: $ok; }
QLabel:disabled { color: $ink1_off; }
QFrame[hairline="true"] { background: $line; border: none; }

QPushButton {
    background: $raised; color: $ink1; border: 1px solid $line2; border-radius: $r6;
    padding: $p5 $p11;
}
QPushButton:hover { background: $hover; border-color: $ctl; }
QPushButton:pressed { background: $line; }
QPushButton:checked { background: $ink1; color: $on_sel; border-color: $ink1; }
QPushButton[ringed="true"]:focus { border: 2px solid $ink1; padding: $f5 $f11; }
QPushButton[ringed="true"]:checked:focus { border: 2px solid $ctl; }
QPushButton:disabled { color: $ink1_off; border-color: $line2_off; background: transparent; }
QPushButton::menu-indicator { image: none; width: 0px; }
QPushButton[kind="primary"] { background: $ink1; color: $on_sel; border-color: $ink1; }
QPushButton[kind="primary"]:hover { background: $ink2; border-color: $ink2; }
QPushButton[kind="primary"][ringed="true"]:focus { border: 2px solid $ctl; }
QPushButton[kind="primary"]:disabled { background: $ink1_off; color: $on_sel; border: none; }
QPushButton[kind="quiet"] {
    background: transparent; color: $ink3; border: 1px solid transparent; padding: $p1 $p4;
}
QPushButton[kind="quiet"]:hover { background: $hover; color: $ink1; }
QPushButton[kind="quiet"]:pressed { background: $line; }
QPushButton[kind="quiet"][ringed="true"]:focus { border: 2px solid $ink1; padding: $f1 $f4; }
QPushButton[kind="quiet"]:disabled { color: $ink3_off; }
QPushButton[kind="row"] {
    background: transparent; border: 1px solid transparent; padding: 1px; text-align: left;
}
QPushButton[kind="row"]:hover { background: $hover; }
QPushButton[kind="row"][ringed="true"]:focus { border: 2px solid $ink1; padding: 0px; }

QToolButton {
    background: transparent; color: $ink2; border: 1px solid transparent; border-radius: $r6;
    padding: $p5;
}
QToolButton:hover { background: $hover; color: $ink1; }
QToolButton:pressed, QToolButton:open { background: $line; }
QToolButton:checked { color: $ink1; border-color: $ink1; }
QToolButton[ringed="true"]:focus { border: 2px solid $ink1; padding: $f5; }
QToolButton:disabled { color: $ink2_off; }
QToolButton::menu-indicator { image: none; width: 0px; }
QToolButton[kind="link"] {
    background: transparent; color: $ink3; border: 1px solid transparent; border-radius: $r3;
    padding: 1px;
}
QToolButton[kind="link"]:hover { background: $hover; color: $ink1; }
QToolButton[kind="link"]:pressed { background: $line; }
QToolButton[kind="link"][ringed="true"]:focus { border: 2px solid $ink1; padding: 0px; }
QToolButton[kind="link"]:disabled { color: $ink3_off; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
    background: $raised; color: $ink1; border: 1px solid $ctl; border-radius: $r6;
    padding: $p4 $p7; selection-background-color: $ink1; selection-color: $on_sel;
}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox[ringed="true"]:focus, QComboBox:on,
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $ink1; padding: $f4 $f7; }
QLineEdit:hover:!focus, QAbstractSpinBox:hover:!focus,
QComboBox:hover:!focus { border-color: $ink3; }
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"], QPlainTextEdit[invalid="true"] {
    border: 2px solid $err; padding: $f4 $f7;
}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
    color: $ink1_off; border-color: $ctl_off; background: transparent;
}
QLineEdit[cell="square"], QLineEdit[cell="square"]:focus {
    border: 2px solid $ink1; border-radius: 0px; padding: 0px $p4;
}
QLineEdit[cell="rounded"], QLineEdit[cell="rounded"]:focus {
    border: 2px solid $ink1; border-radius: $r4; padding: 0px $p3;
}
QLineEdit[cell][invalid="true"] { border-color: $err; }
QAbstractSpinBox, QComboBox { padding-right: $p2; }
QAbstractSpinBox:focus, QComboBox[ringed="true"]:focus, QComboBox:on { padding-right: $f2; }
QAbstractSpinBox::up-button {
    subcontrol-origin: border; subcontrol-position: top right; width: $p20; height: $p12;
    border: none;
    background: transparent; margin: 2px 2px 0px 0px; border-radius: $r3;
}
QAbstractSpinBox::down-button {
    subcontrol-origin: border; subcontrol-position: bottom right; width: $p20; height: $p12;
    border: none;
    background: transparent; margin: 0px 2px 2px 0px; border-radius: $r3;
}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-arrow { image: url("$up"); width: $p10; height: $p10; }
QAbstractSpinBox::down-arrow {
    image: url("$down"); width: $p10; height: $p10;
}
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::down-arrow:off { image: none; }
QComboBox::drop-down { border: none; width: $p20; }
QComboBox::down-arrow { image: url("$down"); width: $p12; height: $p12; }
QComboBox QAbstractItemView {
    background: $raised; border: 1px solid $line2; outline: 0; padding: $p4;
    selection-background-color: $hover; selection-color: $ink1;
}

QCheckBox { spacing: $p8; background: transparent; }
QCheckBox:disabled { color: $ink1_off; }
QCheckBox::indicator, QListView::indicator {
    width: $p14; height: $p14; border: 1px solid $ctl; border-radius: $r3; background: $raised;
    padding: 1px;
}
QCheckBox::indicator:hover, QListView::indicator:hover { background: $hover; }
QCheckBox::indicator:checked, QListView::indicator:checked {
    background: $ink1; border-color: $ink1; image: url("$check");
}
QCheckBox[ringed="true"]::indicator:focus { border: 2px solid $ink1; padding: 0px; }
QCheckBox[ringed="true"]::indicator:checked:focus { border: 2px solid $ctl; }
QCheckBox::indicator:disabled { border-color: $ctl_off; background: transparent; }
QCheckBox::indicator:checked:disabled { background: $ink1_off; border-color: transparent; }

QMenu { background: $raised; border: 1px solid $line2; border-radius: 0px; padding: $p4; }
QMenu::item { padding: $p6 $p24 $p6 $p12; border-radius: $r5; background: transparent; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $ink1_off; }
QMenu::separator { height: 1px; background: $line; margin: $p4 $p8; }
QMenu::icon { padding-left: $p8; }
QToolTip {
    background: $ink1; color: $on_sel; border: 1px solid $ink1; padding: $p4 $p8;
}

#compare, #compare-page { background: $win; }
#beside, #sqrt-d, #sqrt-d-page { background: $canvas; }
#space-panes { background: $line; }

QTableView { background: transparent; border: none; }
QScrollArea, QScrollArea > QWidget > QWidget[panel="true"] { background: $win; border: none; }
QScrollBar { background: transparent; border: none; margin: 0px; }
QScrollBar:vertical { width: $bar; }
QScrollBar:horizontal { height: $bar; }
QScrollBar::handle { background: $line2; border-radius: $bar_r; margin: 1px; }
QScrollBar::handle:vertical { min-height: $p24; }
QScrollBar::handle:horizontal { min-width: $p24; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $ctl; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
""")


@lru_cache(maxsize=8)
def style_sheet(theme: Theme) -> str:
    """Return the style sheet for a theme and text scale."""
    colours = dataclasses.asdict(theme.palette)
    faint = {f"{name}_off": _rgba(theme, name) for name in ("ink1", "ink2", "ink3", "ctl", "line2")}
    sizes = {f"p{n}": f"{theme.px(n)}px" for n in range(1, 25)}
    # With the focus a border of 1 px becomes 2 and the padding 1 less, so that nothing moves.
    sizes |= {f"f{n}": f"{theme.px(n) - 1}px" for n in range(1, 25)}
    radii = {f"r{n}": f"{theme.px(n)}px" for n in (3, 4, 5, 6, 7)}
    bar = {"bar": f"{theme.px(8)}px", "bar_r": f"{theme.px(8) // 2 - 1}px"}
    shade = "dark" if theme.dark else "light"
    drawn = {
        name: resource("icons", "style", shade, f"{file}.svg").as_posix()
        for name, file in (("up", "arrow-up"), ("down", "arrow-down"), ("check", "check"))
    }
    return _SHEET.substitute(colours | faint | sizes | radii | bar | drawn)


def palette(theme: Theme) -> QPalette:
    """Return every role of every group, so that Fusion draws nothing in a colour of its own."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    names = {
        role.Window: "win",
        role.WindowText: "ink1",
        role.Base: "raised",
        role.AlternateBase: "hover",
        role.ToolTipBase: "ink1",
        role.ToolTipText: "on_sel",
        role.PlaceholderText: "ink3",
        role.Text: "ink1",
        role.Button: "raised",
        role.ButtonText: "ink1",
        role.BrightText: "on_sel",
        role.Light: "raised",
        role.Midlight: "hover",
        role.Mid: "line2",
        role.Dark: "ctl",
        role.Shadow: "line2",
        role.Highlight: "ink1",
        role.HighlightedText: "on_sel",
        role.Accent: "ink1",
        role.Link: "ink1",
        role.LinkVisited: "ink2",
    }
    text = {role.WindowText, role.Text, role.ButtonText, role.PlaceholderText}
    result = QPalette()
    for where in (group.Active, group.Inactive, group.Disabled):
        for which, name in names.items():
            faint = where is group.Disabled and which in text
            result.setColor(where, which, theme.color(name, DISABLED if faint else 1.0))
    return result


def apply_theme(target: QWidget | QApplication, theme: Theme) -> None:
    """Give a part the theme: Fusion, palette and font, which all windows share, and its sheet."""
    with no_collection():
        prepare(theme)
        finish(target, theme)


def prepare(theme: Theme) -> None:
    """Give the application all of the theme but the style sheet."""
    application = use_fusion()
    with no_collection():
        application.setPalette(palette(theme))
        application.setFont(theme.font())
    size_tips(theme)


def size_tips(theme: Theme) -> None:
    """Let tooltips from now on have the size of a theme's small text."""
    QToolTip.setFont(theme.font(13))


def use_fusion() -> QApplication:
    """Let the application draw as Fusion does, whatever the system's own style is; return it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    # Remembered: under a style sheet the application's style has no name.
    if not application.property(_FUSION):
        with no_collection():
            application.setStyle("Fusion")
        application.setProperty(_FUSION, True)
        FocusRings(application)
    return application


def finish(target: QWidget | QApplication, theme: Theme) -> None:
    """Give a part of a window its style sheet, after `prepare` and the widgets in it.

    Qt polishes every widget below one that is given a sheet, hidden or not, and widgets made under
    a sheet at every place that they are put into. So neither the application nor a window has one,
    but each room's page, the bar above them and each `FramedDialog`. Questions, menus and tooltips
    wear their owner's, so none is to be owned by the window itself.
    """
    sheet = style_sheet(theme)
    if target.styleSheet() != sheet:
        with no_collection():
            target.setStyleSheet(sheet)


def animates() -> bool:
    """Return whether the platform lets things move, as far as Qt tells."""
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return QApplication.style().styleHint(hint) > 0


def _rgba(theme: Theme, name: str) -> str:
    colour = theme.color(name)
    return f"rgba({colour.red()}, {colour.green()}, {colour.blue()}, {round(DISABLED * 255)})"
