"""Shows a step about a model: each thing as soon as the process has answered the one before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from explorer.lessons.models import arranged, check_heads, is_there, switches_of
from explorer.lessons.schema import Examine
from explorer.session.model.frame import ModelFrame, ModelProgress
from explorer.session.model.intents import RunText
from explorer.session.model.session import ModelSession
from explorer.text import Message, Problem


class Arrival:
    """Opens a step's model, runs its text and goes where the step looks.

    Parameters
    ----------
    session : ModelSession
    handle : callable
        Carries out an intent in Model.
    open_path : callable
        Begins to open a model's folder.
    path : Path
        Of the step's model.
    examine : Examine
    name : Message
        What the edit is called that it is undone by.
    """

    def __init__(
        self,
        session: ModelSession,
        handle: Callable[[object], None],
        open_path: Callable[[Path], object],
        path: Path,
        examine: Examine,
        name: Message,
    ) -> None:
        self._session, self._handle, self._open = session, handle, open_path
        self._path, self._examine, self._name = path.absolute(), examine, name
        self._opening = self._asked = self._arranged = False
        session.set_progress(ModelProgress())  # a problem of before is none of this step's

    def advance(self) -> ModelFrame | None:
        """Do what can be done by now; return what is shown once all of it has come.

        Raises Problem where the model cannot be opened or run, or has not what the step names.
        """
        session, examine = self._session, self._examine
        frame = session.frame
        if frame.progress.problem is not None:
            raise Problem.of(frame.progress.problem)
        if frame.info is None or frame.info.path != self._path:
            if not self._opening:
                self._opening = True
                if frame.info is None:  # then it is run at once
                    session.edit(examine.text or "")
                self._open(self._path)
            return None
        if not self._asked:
            self._asked = True
            check_heads(examine, frame)
            session.put(self._name, examine.text or "", switches_of(examine))
            if session.frame.stale or frame.run is None:
                self._handle(RunText())
        frame = session.frame
        if frame.run is None or frame.stale:
            return None
        if not self._arranged:
            self._arranged = True
            for intent in arranged(examine, frame):
                self._handle(intent)
        return session.frame if is_there(examine, session.frame) else None
