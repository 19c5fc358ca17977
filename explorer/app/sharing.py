"""Sharing what is shown as one HTML page."""

from __future__ import annotations

from collections.abc import Callable

from explorer.app.dialogs import QtDialogs, file_stem
from explorer.session import Session
from explorer.session.scene_file import write_bytes
from explorer.text import Problem


def share_scene(session: Session, dialogs: QtDialogs, tell: Callable[[Problem], None]) -> None:
    """Save the page of the scene as it is looked at, where the person says."""
    from explorer.share.scene_page import scene_page  # not needed before the window is seen

    path = dialogs.ask_page(file_stem(session.scene.title) or "attention")
    if path is None:
        return
    try:
        write_bytes(scene_page(session.scene, session.look, session.selection), path)
    except Problem as problem:
        tell(problem)
