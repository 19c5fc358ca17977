"""A document with its session, and dialogs that answer as a test wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from explorer.app.document import Document
from explorer.app.recovery import Abandoned, Recovery
from explorer.app.settings import SettingsStore, data_folder
from explorer.session import Scene, Session, write_scene
from explorer.text import Message, Problem


class ScriptedDialogs:
    """Answers from a script, in order; a question that it does not expect fails the test."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, object]] = []
        self.asked: list[tuple[str, object]] = []
        self.told: list[str] = []
        self.waited: list[str] = []  # what was being done
        self.cancels = False

    def expect(self, question: str, answer: object) -> None:
        self.answers.append((question, answer))

    def _answer(self, question: str, about: object) -> object:
        self.asked.append((question, about))
        assert self.answers, f"unexpected question: {question}"
        expected, answer = self.answers.pop(0)
        assert question == expected
        return answer(about) if callable(answer) else answer

    def ask_open(self, folder: Path) -> Path | None:
        return self._answer("open", folder)  # type: ignore[return-value]

    def ask_save(self, folder: Path, name: str) -> Path | None:
        return self._answer("save", (folder, name))  # type: ignore[return-value]

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        return self._answer("unsaved", title)  # type: ignore[return-value]

    def ask_revert(self, title: str) -> bool:
        return bool(self._answer("revert", title))

    def ask_overwrite_changed(self, path: Path) -> bool:
        return bool(self._answer("overwrite", path))

    def ask_recover(
        self, abandoned: Sequence[Abandoned]
    ) -> Abandoned | Literal["later", "discard"]:
        return self._answer("recover", abandoned)  # type: ignore[return-value]

    def ask_reading(self, text: str, readings: tuple[float, ...]) -> float | None:
        raise AssertionError("a document asks for no number")

    def ask_columns(self, line: str) -> int | None:
        raise AssertionError("a document asks for no number")

    def wait_for(self, text: str, done: Callable[[], bool]) -> bool:
        self.waited.append(text)
        if self.cancels:
            return False
        while not done():
            pass
        return True

    def tell(self, problem: Problem) -> None:
        self.told.append(str(problem))


def scene(value: float = 1.0, title: str = "") -> Scene:
    X = np.array([[value, 0.0], [0.0, 1.0]])
    return Scene(tokens=("cat", "fish"), X=X, title=title)


def edit(session: Session, value: float = 7.0) -> Scene:
    made = session.scene.replace(X=np.array([[value, 0.0], [0.0, 1.0]]))
    session.edit(Message("change X"), made)
    return made


def recovery_files() -> list[Path]:
    return sorted((data_folder() / "recovery").glob("*.json"))


class Window:
    """What a window joins, without one."""

    def __init__(self, first: Scene | None = None) -> None:
        self.session = Session(first or scene(title="first"))
        self.dialogs = ScriptedDialogs()
        self.settings = SettingsStore(self.dialogs.tell)
        self.recovery = Recovery()
        self.document = Document(self.session, self.dialogs, self.settings, self.recovery)
        self.changes = 0
        self.document.changed.connect(self._count)

    def _count(self) -> None:
        self.changes += 1

    def recent(self) -> list[str]:
        return [Path(each).name for each in self.settings.settings.recent]


@pytest.fixture
def window(qapp: object) -> Iterator[Window]:
    made = Window()
    yield made
    made.document.close()
    assert made.dialogs.answers == []
    assert recovery_files() == []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cat.json"
    write_scene(scene(2.0, "The cat"), path)
    return path


def shown(window: Window) -> float:
    return float(window.session.scene.X[0, 0])
