"""One view in a window of its own: `python -m explorer.kit.preview explore.chain [dark] [150]`.

A scene's view shows a sample scene; a view of Train a trace that is named, or the example; a view
of Model the model folder that is named, or the model that comes with the program.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from explorer.kit.base import FrameView
from explorer.kit.style import apply_theme
from explorer.kit.theme import SCALES, Theme
from explorer.models import is_model_folder, load
from explorer.resources import example
from explorer.session import Frame, Look, Role, Scene, Selection, Stage, frozen_array, resolve
from explorer.session.model.details import detail, pair, summary
from explorer.session.model.frame import (
    ModelChange,
    ModelCursor,
    ModelFrame,
    ModelInfo,
    ModelLook,
)
from explorer.session.train import Cursor, Scalars, StepValues, TrainChange, TrainFrame
from explorer.text import displayable
from explorer.traces import Trace, TraceFile, fit_basis

TEXT = "Tom and Lily went to the park because they wanted to play."
SAMPLE = Scene(
    tokens=("cat", "likes", "fish", "cloud"),
    X=frozen_array(((1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (-0.8, 0.9))),
    Wq=frozen_array(((1.0, 0.0), (0.0, 1.0))),
    Wk=frozen_array(((1.0, 0.2), (0.2, 1.0))),
    Wv=frozen_array(((0.9, 0.1), (0.1, 0.9))),
)


def preview(words: list[str]) -> None:
    """Show the view of a module of `explorer.rooms` until it is closed; intents are printed."""
    application = QApplication(words)
    percent = next((scale for scale in SCALES if str(scale) in words), 100)
    theme = Theme(dark="dark" in words, percent=percent)
    apply_theme(application, theme)
    view_class = _view_of(f"explorer.rooms.{words[0]}")
    frame: Frame | TrainFrame | ModelFrame
    if isinstance(view_class.concerns, ModelChange):
        folder = next(filter(is_model_folder, map(Path, words)), example("stories"))
        frame = model_frame(folder)
    elif isinstance(view_class.concerns, TrainChange):
        named = next((word for word in words if word.endswith(".safetensors")), None)
        path = example("tiny-transformer.safetensors") if named is None else Path(named)
        frame = train_frame(TraceFile(path))
    else:
        frame = resolve(SAMPLE, Look(stage=Stage.S), Selection(Role.S, 0, 3))
    view = view_class(theme)
    view.intent.connect(print)
    view.resize(view.sizeHint().expandedTo(view.minimumSizeHint()))
    view.show()
    view.draw(frame)
    application.exec()


def train_frame(trace: Trace) -> TrainFrame:
    """Return a frame of a trace's seventh step, or of its last where it has fewer."""
    basis = trace.basis or (fit_basis(trace) if "param.embedding" in trace.names else None)
    names = [name for name in ("epoch", "loss", "accuracy") if f"scalar.{name}" in trace.names]
    step = min(6, trace.recorded - 1)
    return TrainFrame(
        trace=trace,
        recorded=trace.epochs,
        cursor=Cursor(step),
        values=StepValues(trace.step(step), 0, basis),
        basis=basis,
        scalars=Scalars(*map(trace.scalars, names)),
        last_epoch=int(trace.epochs[-1]),
        example=True,
    )


def model_frame(folder: Path, text: str = TEXT) -> ModelFrame:
    """Return a frame of a model's run: the first head of its second layer, or of its only one."""
    model = load(folder)
    plan, run = model.plan, model.run(text)
    made, layer = summary(run, 1), min(1, plan.layers - 1)
    last = len(made.pieces) - 1
    info = ModelInfo(
        displayable(folder.name),
        folder,
        plan.layers,
        plan.heads,
        plan.width,
        plan.head_width,
        causal=plan.causal,
        predicts=plan.has_logits,
        vocabulary=plan.vocabulary,
    )
    return ModelFrame(
        info=info,
        text=text,
        run=made,
        head=detail(run, 1, layer, 0),
        pair=pair(run, 1, last, last // 2),
        cursor=ModelCursor(layer, 0, last, last // 2),
        look=ModelLook(pinned=(last, last // 2)),
        count=made.total,
    )


def _view_of(module: str) -> type[FrameView[Any]]:
    """Return the view that a module or package defines."""
    return next(
        each
        for each in vars(import_module(module)).values()
        if isinstance(each, type) and issubclass(each, FrameView) and module in each.__module__
    )


if __name__ == "__main__":
    preview(sys.argv[1:])
