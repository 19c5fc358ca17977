"""What steps about models show, worked out where no window waits: for paper and shared pages."""

from __future__ import annotations

from explorer.app.lessons.arrival import Arrival
from explorer.lessons.lesson import Lesson
from explorer.lessons.models import examine_of, model_intents_of, model_of
from explorer.lessons.readings import holds
from explorer.lessons.schema import Edit, Step
from explorer.rooms.model.presenter import ModelPresenter
from explorer.rooms.model.runner import ModelRunner
from explorer.session.model.frame import ModelFrame
from explorer.session.model.session import ModelSession
from explorer.text import N_, Message, Problem


class ModelSteps:
    """Runs models in a process of its own, which begins with the first step and is closed."""

    def __init__(self) -> None:
        self._session = ModelSession()
        self._runner = ModelRunner(self._session, _pass, _pass, _pass, _pass)
        self._presenter = ModelPresenter(self._session, self._runner, _pass, _pass, _pass)

    def frame(self, lesson: Lesson, place: int) -> ModelFrame:
        """Return what a step shows, veiled where it asks for numbers of that.

        Raises Problem where it cannot be shown, or a task is not solved by its solution.
        """
        step = lesson.steps[place]
        asked = isinstance(step, Step) and step.predict is not None and step.predict.hides
        path, examine = model_of(lesson, place), examine_of(lesson, place)
        self._session.look_at(veiled=asked)
        self._session.select(None)
        arrival = Arrival(
            self._session,
            self._presenter.handle,
            self._runner.open,
            path,
            examine,
            Message(N_("lesson step {step}"), {"step": place + 1}),
        )
        while arrival.advance() is None:
            if not self._runner.busy:
                raise Problem(N_("There is no run to look at."))
            self._runner.finish()
        self._runner.finish()  # what is shown beside
        shown = self._session.frame
        task = step.task if isinstance(step, Step) else None
        if task is not None and not holds(task.check, self._after(task.solution)):
            raise Problem(N_("It does not solve the task."))
        return shown

    def _after(self, edits: tuple[Edit, ...]) -> ModelFrame:
        for edit in edits:
            for intent in model_intents_of(edit, self._session.frame):
                self._presenter.handle(intent)
            self._runner.finish()
        return self._session.frame

    def close(self) -> None:
        """End the process."""
        self._runner.close()


def _pass(*_told: object, **_more: object) -> None:
    """Leave it to `Arrival`, which reads what is wrong from the frame."""
