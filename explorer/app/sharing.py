"""What is shown in a file for others: a scene or a run as a page, the scene as code or text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from explorer.app.dialogs import QtDialogs, file_stem
from explorer.app.progress import progress
from explorer.exporters import Exporter
from explorer.kit.copying import put_on_clipboard
from explorer.session import Session
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, _, of_example

if TYPE_CHECKING:
    from explorer.session.train import TrainFrame


def share_scene(session: Session, dialogs: QtDialogs, tell: Callable[[Problem], None]) -> None:
    """Save the page of the scene as it is looked at, where the person says."""
    from explorer.share.scene_page import scene_page  # not needed before the window is seen

    path = dialogs.ask_page(file_stem(of_example(session.scene.title)) or "attention")
    if path is None:
        return
    try:
        write_bytes(scene_page(session.scene, session.look, session.selection), path)
    except Problem as problem:
        tell(problem)


def share_run(frame: TrainFrame, dialogs: QtDialogs, over: QWidget, title: str) -> None:
    """Save the page of the run that is shown, where the person says; with progress and Cancel."""
    from explorer.share.trace_page import trace_page

    if frame.trace is None:
        dialogs.tell(Problem(N_("There is no run to share yet: train one, or open one.")))
        return
    path = dialogs.ask_page(file_stem(title) or "run")
    if path is None:
        return
    try:
        with progress(_("Writing the page"), over) as told:
            write_bytes(trace_page(frame.trace.snapshot(), title, told), path)
    except Problem as problem:
        dialogs.tell(problem)


class SceneExports:
    """Copies and saves a session's scene with all results, in any format of `exporters`.

    Parameters
    ----------
    session : Session
    title : callable
        Returns the name of what is shown, which a file's name begins with.
    dialogs : QtDialogs
        Asks where a text is to be saved.
    tell : callable
        Shows a problem.
    """

    def __init__(
        self,
        session: Session,
        title: Callable[[], str],
        dialogs: QtDialogs,
        tell: Callable[[Problem], None],
    ) -> None:
        self._session, self._title, self._dialogs, self._tell = session, title, dialogs, tell

    def copy(self, exporter: Exporter) -> None:
        """Put the text on the clipboard."""
        put_on_clipboard(exporter.text_of(self._session.frame))

    def save(self, exporter: Exporter) -> None:
        """Save the text where the person says."""
        path = self._dialogs.ask_export(self._title(), exporter)
        if path is None:
            return
        try:
            write_bytes(exporter.text_of(self._session.frame).encode("utf-8"), path)
        except Problem as problem:
            self._tell(problem)
