"""One view in a window of its own: `python -m explorer.rooms.explore.chain [dark] [150]`."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication

from explorer.kit.base import F, FrameView, View
from explorer.kit.style import dress
from explorer.kit.theme import SCALES, Theme
from explorer.session import Look, Role, Scene, Selection, Stage, frozen_array, resolve

SAMPLE = Scene(
    tokens=("cat", "likes", "fish", "cloud"),
    X=frozen_array(((1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (-0.8, 0.9))),
    Wq=frozen_array(((1.0, 0.0), (0.0, 1.0))),
    Wk=frozen_array(((1.0, 0.2), (0.2, 1.0))),
    Wv=frozen_array(((0.9, 0.1), (0.1, 0.9))),
)


def preview(view_class: type[View]) -> None:
    """Show a view on a sample frame until its window is closed; intents are printed."""
    show_alone(view_class, resolve(SAMPLE, Look(stage=Stage.S), Selection(Role.S, 0, 3)))


def show_alone(view_class: type[FrameView[F]], frame: F) -> None:
    """Show a view of a frame until its window is closed, as the command line wants it to look."""
    application = QApplication(sys.argv)
    words = sys.argv[1:]
    percent = next((scale for scale in SCALES if str(scale) in words), 100)
    theme = Theme(dark="dark" in words, percent=percent)
    dress(application, theme)
    view = view_class(theme)
    view.intent.connect(print)
    view.resize(view.sizeHint().expandedTo(view.minimumSizeHint()))
    view.show()
    view.draw(frame)
    application.exec()
