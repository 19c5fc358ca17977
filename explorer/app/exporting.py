"""The scene in front as code or text: copied, or saved where the person says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.exporters import Exporter
from explorer.kit.copying import put_on_clipboard
from explorer.session import Session
from explorer.session.scene_file import write_bytes
from explorer.text import Problem

if TYPE_CHECKING:
    from explorer.app.dialogs import QtDialogs


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
