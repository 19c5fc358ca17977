"""The style sheet and the palette: what can be told apart, and what every state looks like."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.kit.icons import PLACEHOLDER, icon
from explorer.kit.style import apply_theme, palette, style_sheet
from explorer.kit.theme import SCALES, Palette, Theme, contrast
from explorer.resources import resource
from tests.showing import to_front

LIGHT, DARK = Theme(), Theme(dark=True)
THEMES = [LIGHT, DARK]

# The design's table: ratios to canvas / win / hover, or one of them, in light and dark.
TEXTS = {
    "ink1": ((17.10, 15.68, 14.44), (16.44, 14.91, 12.38)),
    "ink2": ((8.25, 7.57, 6.97), (10.14, 9.20, 7.64)),
    "ink3": ((5.55, 5.09, 4.69), (6.54, 5.93, 4.93)),
    "ctl": ((3.43, 3.15, 2.90), (4.34, 3.94, 3.27)),
    "err": ((6.54, 6.00, 5.52), (8.15, 7.40, 6.14)),
    "ok": ((5.76, 5.28, 4.86), (8.92, 8.09, 6.72)),
}
INKS = {  # of token slots, on canvas / win
    False: "6.69/6.14 5.62/5.16 5.64/5.17 5.70/5.23 5.70/5.23 5.81/5.33 5.66/5.19 9.27/8.50",
    True: "7.67/6.96 7.63/6.92 7.50/6.80 8.04/7.30 9.71/8.81 11.28/10.23 14.07/12.77 16.44/14.91",
}
ICONS = (
    *("logo", "add", "remove", "undo", "redo", "sun", "moon", "more", "fit", "copy", "save"),
    *("open", "chevron-right", "chevron-down", "chevron-left", "help", "close", "drag"),
    *("warning", "code", "picture", "play", "pause", "stop", "to-start", "to-end", "step-back"),
    *("step-forward", "loop", "start-over", "edit", "reset-view", "turn"),
)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def ratio(colours: Palette, a: str, b: str) -> float:
    return contrast(rgb(getattr(colours, a)), rgb(getattr(colours, b)))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", TEXTS)
def test_contrasts_are_the_designs(theme: Theme, name: str) -> None:
    for ground, expected in zip(("canvas", "win", "hover"), TEXTS[name][theme.dark], strict=True):
        assert ratio(theme.palette, name, ground) == pytest.approx(expected, abs=0.011)


@pytest.mark.parametrize("theme", THEMES)
def test_text_on_the_active_fill(theme: Theme) -> None:
    expected = 16.44 if theme.dark else 17.10
    assert ratio(theme.palette, "on_sel", "ink1") == pytest.approx(expected, abs=0.011)
    assert ratio(theme.palette, "on_sel", "ink2") >= 4.5, "a primary button under the mouse"


@pytest.mark.parametrize("theme", THEMES)
def test_contrasts_of_token_inks(theme: Theme) -> None:
    for slot, pair in enumerate(INKS[theme.dark].split()):
        ink = rgb(theme.slot(slot).ink)
        for ground, expected in zip(("canvas", "win"), pair.split("/"), strict=True):
            found = contrast(ink, rgb(getattr(theme.palette, ground)))
            assert found == pytest.approx(float(expected), abs=0.011)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["win", "raised", "hover"])
def test_text_is_readable_wherever_it_stands(theme: Theme, ground: str) -> None:
    for ink in ("ink1", "ink2", "ink3", "err", "ok"):
        assert ratio(theme.palette, ink, ground) >= 4.5


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("dark", [False, True])
def test_the_sheet_knows_only_the_themes_colours(dark: bool, percent: int) -> None:
    theme = Theme(dark, percent)
    sheet = style_sheet(theme)
    assert "$" not in sheet
    own = {colour.upper() for colour in vars(theme.palette).values()}
    assert {colour.upper() for colour in re.findall(r"#[0-9A-Fa-f]{6}", sheet)} <= own
    assert "font" not in sheet, "a font in the sheet would lose the tabular figures"
    for path in re.findall(r'url\("([^"]*)"\)', sheet):
        assert Path(path).is_file()


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_every_role_of_every_group(theme: Theme) -> None:
    made = palette(theme)
    own = {QColor(colour).name() for colour in vars(theme.palette).values()}
    groups = (
        QPalette.ColorGroup.Active,
        QPalette.ColorGroup.Inactive,
        QPalette.ColorGroup.Disabled,
    )
    for group in groups:
        for role in QPalette.ColorRole:
            if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
                assert made.color(group, role).name() in own, (group, role)
    text = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    assert text.alphaF() == pytest.approx(0.38, abs=0.01)


WIDGETS = {
    "button": lambda: QPushButton("Open"),
    "quiet": lambda: kind(QPushButton("Quiet"), "quiet"),
    "link": lambda: kind(link("identity"), "link"),
    "row": lambda: kind(QPushButton("Options"), "row"),
    "tool": QToolButton,
    "line": lambda: QLineEdit("0.5"),
    "spin": QSpinBox,
    "combo": lambda: combo("one", "two"),
}


def link(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    return button


def kind(button: QAbstractButton, name: str) -> QAbstractButton:
    button.setProperty("kind", name)
    return button


def combo(*texts: str) -> QComboBox:
    box = QComboBox()
    box.addItems(texts)
    return box


@pytest.mark.parametrize("theme", [LIGHT, DARK, Theme(percent=150)])
@pytest.mark.parametrize("name", WIDGETS)
def test_the_focus_ring_is_two_px_of_ink_moves_nothing_and_comes_with_keys_alone(
    qtbot: QtBot, name: str, theme: Theme
) -> None:
    apply_theme(QApplication.instance(), theme)
    window, widget, other = QWidget(), WIDGETS[name](), QLineEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(other)
    layout.addWidget(widget)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    to_front(window)
    QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    hint = widget.sizeHint()
    middle = widget.height() // 2
    calm = widget.grab().toImage()
    widget.setFocus()
    typed = isinstance(widget, (QLineEdit, QAbstractSpinBox))
    assert typed or widget.grab().toImage() == calm, "no key was used"
    other.setFocus()
    QTest.keyClick(other, Qt.Key.Key_Tab)
    assert widget.hasFocus()
    focused = widget.grab().toImage()
    assert widget.sizeHint() == hint
    ink = theme.color("ink1")
    assert [focused.pixelColor(x, middle) == ink for x in range(3)] == [True, True, False]
    assert calm.pixelColor(0, middle) != ink


@pytest.mark.parametrize("theme", THEMES)
def test_a_checked_box_is_filled_and_an_unchecked_one_is_not(qtbot: QtBot, theme: Theme) -> None:
    apply_theme(QApplication.instance(), theme)
    box = QCheckBox("Live")
    qtbot.addWidget(box)
    box.show()
    colours = []
    for checked in (False, True):
        box.setChecked(checked)
        colours.append(box.grab().toImage().pixelColor(4, box.height() // 2 - 4))
    assert colours == [theme.color("raised"), theme.color("ink1")]


def test_an_invalid_input_has_a_border_in_the_error_colour(qtbot: QtBot) -> None:
    apply_theme(QApplication.instance(), LIGHT)
    line = QLineEdit("abc")
    line.setProperty("invalid", True)
    qtbot.addWidget(line)
    line.show()
    image = line.grab().toImage()
    for x in (0, 1):
        assert image.pixelColor(x, line.height() // 2) == LIGHT.color("err")


# --- icons ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_drawn_in_the_colour_asked_for(qapp: QApplication, name: str) -> None:
    for theme, colour in ((LIGHT, "ink2"), (DARK, "ink1"), (DARK, "#34B98C")):
        image = icon(name, theme, colour).pixmap(QSize(20, 20), 2.0).toImage()
        assert image.width() == image.height() == 40
        pixels = [image.pixelColor(x, y) for x in range(40) for y in range(40)]
        drawn = [pixel for pixel in pixels if pixel.alpha() == 255]
        assert len(drawn) >= 12
        assert {pixel.name() for pixel in drawn} == {theme.color(colour).name()}
        edge = [p for i in range(40) for p in (image.pixelColor(0, i), image.pixelColor(i, 39))]
        assert all(pixel.alpha() == 0 for pixel in edge), "the drawing is not cut off"


def test_a_disabled_icon_is_faint(qapp: QApplication) -> None:
    image = icon("save", LIGHT).pixmap(20, 20, QIcon.Mode.Disabled).toImage()
    strongest = max(image.pixelColor(x, y).alpha() for x in range(20) for y in range(20))
    assert strongest == pytest.approx(0.38 * 255, abs=3)


def test_icon_files_keep_to_what_is_drawn_everywhere() -> None:
    files = sorted(resource("icons").glob("*.svg"))
    assert {path.stem for path in files} >= set(ICONS)
    for path in files:
        text = path.read_text(encoding="ascii")
        assert set(re.findall(r"<(\w+)", text)) <= {"svg", "g", "path", "rect", "circle"}
        assert 'viewBox="0 0 20 20"' in text
        assert set(re.findall(r"#[0-9A-Fa-f]+", text)) == {PLACEHOLDER}


def test_an_unknown_icon_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        icon("nothing", LIGHT)


@pytest.mark.parametrize("theme", THEMES)
def test_drawn_controls_have_the_themes_colours(theme: Theme) -> None:
    shade = "dark" if theme.dark else "light"
    wanted = {"check": theme.palette.on_sel}
    for path in resource("icons", "style", shade).glob("*.svg"):
        colours = set(re.findall(r"#[0-9A-Fa-f]{6}", path.read_text(encoding="ascii")))
        assert colours == {wanted.get(path.stem, theme.palette.ink3)}
