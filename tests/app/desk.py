"""A presenter with everything around it written down."""

from __future__ import annotations

from explorer.rooms.explore.presenter import Presenter
from explorer.session import Frame, Scene, Session
from explorer.text import Problem


class Desk:
    """A presenter with everything around it written down."""

    def __init__(self, scene: Scene) -> None:
        self.session = Session(scene)
        self.told: list[Problem] = []
        self.copied: list[str] = []
        self.asked: list[tuple[str, tuple[float, ...]]] = []
        self.answer: float | None = None
        self.lines: list[str] = []
        self.columns: int | None = None
        self.presenter = Presenter(
            self.session,
            self._ask,
            self.told.append,
            self.copied.append,
            ask_columns=lambda line: self.lines.append(line) or self.columns,
        )

    def _ask(self, text: str, readings: tuple[float, ...]) -> float | None:
        self.asked.append((text, readings))
        return self.answer

    def do(self, *wanted: object) -> None:
        for intent in wanted:
            self.presenter.handle(intent)

    @property
    def frame(self) -> Frame:
        return self.session.frame

    @property
    def scene(self) -> Scene:
        return self.session.scene
