"""Model's presenter: carries out what Model's views ask for."""

from __future__ import annotations

from collections.abc import Callable

from explorer.kit.base import BasePresenter
from explorer.rooms.model.runner import ModelRunner
from explorer.session import Stage, intents
from explorer.session.model import intents as model_intents
from explorer.session.model.frame import ModelCentre
from explorer.session.model.session import ModelSession
from explorer.text import Problem


class ModelPresenter(BasePresenter):
    """Turns Model's intents into calls of the session and of the runner. Holds no state.

    Parameters
    ----------
    session : ModelSession
    runner : ModelRunner
    tell : callable
        Shows a problem.
    copy : callable
        Puts a text on the clipboard.
    choose : callable
        Opens what is at a path, or asks for it where that is empty.
    """

    def __init__(
        self,
        session: ModelSession,
        runner: ModelRunner,
        tell: Callable[[Problem], None],
        copy: Callable[[str], None],
        choose: Callable[[str], object],
    ) -> None:
        super().__init__(tell, copy)
        self._session, self._runner = session, runner
        self._choose = choose

    def _handle(self, intent: object) -> None:
        session = self._session
        match intent:
            case model_intents.EditText(text):
                session.edit(text)
            case model_intents.GoToHead(layer, head):
                session.go_to_head(layer, head)
            case model_intents.SelectPair(query, key):
                session.select(query, key)
            case intents.Select(None):
                session.select(None)
            case model_intents.HoverPair(query, key):
                session.hover(query, key)
            case model_intents.StepPair(by):
                session.step(by)
            case intents.ShowStage(stage):
                session.look_at(stage=stage, centre=_centre_of(stage, session.frame.look.centre))
            case model_intents.ChangeModelLook(changes):
                session.look_at(**changes)
            case model_intents.FilterHeads(kind):
                session.filter(kind)
            case model_intents.KeepHead(layer, head):
                session.keep(layer, head)
            case model_intents.SwitchHead(layer, head, put):
                session.switch(layer, head, put)
            case model_intents.EditSecond(text):
                session.edit_second(text)
            case model_intents.GoToStep(step):
                session.go_to_step(step)
            case model_intents.FollowToken(token):
                session.follow(token)
            case model_intents.UndoStep():
                session.undo()
            case model_intents.ShowEffects(shown):
                session.show_heads(effects=shown)
            case model_intents.RestoreHeads():
                session.restore_all()
            case model_intents.PinToken(place):
                session.pin(place)
            case model_intents.MoveWindow(query, key, size):
                session.look_at(window=(query, key, size))
            case _:
                self._handle_run(intent)

    def _handle_run(self, intent: object) -> None:
        match intent:
            case model_intents.RunText():
                self._runner.run()
            case model_intents.StopModel():
                self._runner.stop()
            case model_intents.FollowWord(word):
                self._runner.follow(word)
            case model_intents.MeasureRepeats():
                self._runner.measure()
            case model_intents.EditHeadCopy():
                self._runner.copy()
            case model_intents.ChooseModel(path):
                self._choose(path)
            case _:
                raise TypeError(f"no such intent: {intent!r}")


def _centre_of(stage: Stage, shown: ModelCentre) -> ModelCentre:
    """Return what shows a stage of the chain: points as spaces, scores and weights as now."""
    points = stage in (Stage.X, Stage.Q, Stage.K, Stage.V, Stage.O)
    if points:
        return ModelCentre.SPACES
    return ModelCentre.MATRIX if shown is ModelCentre.SPACES else shown
