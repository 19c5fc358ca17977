"""A group of options on the screen, scenes for it, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.attention import MISTAKES, Variant
from explorer.kit.preview import SAMPLE
from explorer.kit.style import finish, prepare
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.group import Group
from explorer.session import Context, Frame, Options, Scene, Sequence, resolve
from tests.showing import to_front

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key
ROOM = 236  # px at 100 %, of the panel's 256
FOUR = SAMPLE
PADDED = np.tile([True, True, False, True], (4, 1))


def with_options(scene: Scene = FOUR, **options: object) -> Scene:
    return scene.replace(options=Options(**options))


class Shown:
    """A group in a window, and everything it says."""

    def __init__(self, group: Group, qtbot: QtBot) -> None:
        self.group = group
        self.said: list[object] = []
        group.intent.connect(self.said.append)
        qtbot.addWidget(group)
        group.resize(group.theme.px(ROOM), 600)
        with qtbot.waitExposed(group):
            group.show()
        to_front(group)

    def draw(self, scene: Scene) -> None:
        self.group.draw(resolve(scene))
        QApplication.processEvents()

    def take(self) -> list[object]:
        said, self.said[:] = list(self.said), []
        return said

    def texts(self) -> str:
        labels = self.group.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisible())


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[..., Shown]:
    def make(kind: type[Group], scene: Scene = FOUR, theme: Theme | None = None) -> Shown:
        theme = theme or Theme()
        prepare(theme)
        group = kind(theme)
        finish(group, theme)
        it = Shown(group, qtbot)
        it.draw(scene)
        return it

    return make


OWN = np.tri(4, dtype=bool)[::-1].copy()
EVERYTHING = with_options(
    FOUR.replace(
        **{name: np.eye(2, 4) for name in ("Wq", "Wk", "Wv")},
        bq=np.zeros(4),
        Wo=np.eye(4),
        context=Context(("<b>x</b>", "W" * 40, "早上好", "x", "x"), np.ones((5, 2))),
        others=(Sequence(("a",), [[1, 2]], Context(("b",), [[1, 2]])),),
    ),
    heads=2,
    scale=1 / 3,
    temperature=1e-20,
    mask=np.tile([True, True, False, True, True], (4, 1)),
    position=np.ones((4, 2)),
    variant=Variant.HEADS_MIXED,
)
FULL = {
    "everything": EVERYTHING,
    "average": with_options(variant=Variant.AVERAGE, scale=3.0, temperature=7.0),
    "own mask": with_options(mask=OWN),
    "context of another width": FOUR.replace(
        context=Context(("a",), [[1, 2, 3]]), Wk=np.ones((3, 2)), Wv=np.ones((3, 2))
    ),
    **{variant.value: with_options(variant=variant) for variant in MISTAKES},
}


def check(it: Shown, frame: Frame, name: str) -> None:
    """Draw twice alike, without a word, within the panel.

    name : of the frame, for who reads what failed
    """
    it.group.draw(frame)
    QApplication.processEvents()
    first = it.group.grab().toImage()
    it.group.draw(frame)
    QApplication.processEvents()
    assert it.group.grab().toImage() == first, name
    assert it.said == [], name
    assert it.group.minimumSizeHint().width() <= it.group.theme.px(ROOM), name
