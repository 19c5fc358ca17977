"""What holds for every view of Train, on every awkward frame; a new view is one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.rooms import train
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.beside import BesideView
from explorer.rooms.train.centre_bar import CentreBar
from explorer.rooms.train.chain import TrainChainView
from explorer.rooms.train.difference import DifferenceView
from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.matrices import MatricesView
from explorer.rooms.train.notice import NoticeBar
from explorer.rooms.train.parameters import ParametersView
from explorer.rooms.train.sample import SampleView
from explorer.rooms.train.spaces import SpacesView
from explorer.rooms.train.timeline import TimelineView
from explorer.session import Array, Role, Selection
from explorer.session.train import (
    Cursor,
    Playback,
    Progress,
    RunState,
    Scalars,
    TrainFrame,
    TrainLook,
    TrainSession,
)
from explorer.text import Message
from explorer.traces import Config, parse_corpus
from tests.sampled import checkered
from tests.showing import THEMES, assert_dies_when_closed, assert_drawn_alike
from tests.train_frames import recorded_run, sentences, train_frame
from tests.views_of import views_of

VIEWS: tuple[type[TrainView], ...] = (
    CentreBar,
    DifferenceView,
    GraphView,
    MatricesView,
    ParametersView,
    SampleView,
    SpacesView,
    TimelineView,
    TrainChainView,
)
NOT_A_NUMBER = Message("Loss is not a number after epoch 37.")


def _run(state: RunState, message: Message | None = None) -> Progress:
    return Progress(state, 30, 60, "cpu", message)


def _words(*lines: str) -> TrainFrame:
    return train_frame(recorded_run("\n".join(lines), steps=2), Cursor(1, 1))


def _broken(at: int) -> TrainFrame:
    loss = np.linspace(3, 1, 31)
    loss[at:] = np.nan
    frame = train_frame(scalars=Scalars(np.arange(31.0), loss, np.zeros(31)))
    return replace(frame, progress=_run(RunState.DIVERGED, NOT_A_NUMBER))


def _scalars(loss: Array) -> TrainFrame:
    epochs = np.arange(float(len(loss)))
    return train_frame(scalars=Scalars(epochs, loss, np.full(len(loss), 0.5)))


def _paired(second: Config) -> TrainFrame:
    session = TrainSession()
    session.show(recorded_run(config=second), "B")
    session.show(recorded_run(), "A")
    session.compare(1)
    session.look_at(next_run=False)
    return session.frame


AWKWARD: dict[str, Callable[[], TrainFrame]] = {
    "empty": TrainFrame,
    "starting": lambda: TrainFrame(progress=_run(RunState.STARTING)),
    "calm": train_frame,
    "running": lambda: train_frame(progress=_run(RunState.RUNNING), last_epoch=60, pace=None),
    "following": lambda: train_frame(
        progress=_run(RunState.RUNNING), playback=Playback(following=True)
    ),
    "playing": lambda: train_frame(playback=Playback(playing=True, between=0.4)),
    "failed": lambda: train_frame(progress=_run(RunState.FAILED, Message("The worker is gone."))),
    "diverged": lambda: _broken(20),
    "diverged at once": lambda: _broken(0),
    "unfolded": lambda: train_frame(look=TrainLook(more_open=True, numbers_open=True)),
    "a pair": lambda: train_frame(
        cursor=Cursor(3, head=1), selection=Selection(Role.A, 1, 0), hover=Selection(Role.A, 0, 1)
    ),
    "a word": lambda: train_frame(word=2),
    "one step": lambda: train_frame(recorded_run(steps=1)),
    "weights alone": lambda: train_frame(recorded_run(only=())),
    "no logits": lambda: train_frame(recorded_run(without=("logits",))),
    "no targets": lambda: train_frame(recorded_run(without=("targets", "samples"))),
    "no scalars": lambda: train_frame(scalars=Scalars()),
    "one epoch": lambda: train_frame(recorded_run(steps=1), last_epoch=0),
    "all zero": lambda: _scalars(np.zeros(31)),
    "huge losses": lambda: _scalars(1.7e308 * np.linspace(-1, 1, 31)),
    "tiny losses": lambda: _scalars(np.full(31, 5e-324)),
    "long": lambda: _scalars(np.random.default_rng(2).normal(size=5001)),
    "epochs in disorder": lambda: train_frame(
        scalars=Scalars(np.array([3.0, np.nan, 1.0]), np.ones(3), np.ones(3))
    ),
    "causal, two layers": lambda: train_frame(
        recorded_run(config=Config(layers=2, causal=True, heads=4)), Cursor(2, 1, 1, 3)
    ),
    "d_model 2": lambda: train_frame(recorded_run(config=Config(d_model=2, heads=1))),
    "many words": lambda: train_frame(recorded_run(sentences(60, 70, 9), steps=2), Cursor(1, 5)),
    "of different lengths": lambda: _words("a b", "a b c d e f g", "b a c"),
    "40 letters": lambda: _words(f"{'W' * 40} {'i' * 40}", "a b"),
    "scripts": lambda: _words("我 喜 欢 猫", "👩‍👩‍👧 مرحبا e\u0301"),
    "markup": lambda: _words("<b>s</b> &amp;", "%s {x}"),
    "another corpus": lambda: train_frame(corpus=parse_corpus("a b c\nd e f")),
    "a measure": lambda: train_frame(look=TrainLook(measure="norms")),
    "two runs": lambda: _paired(Config(learning_rate=0.01, seed=8)),
    "two shapes": lambda: _paired(Config(d_model=8, heads=1)),
    "wrong": lambda: train_frame(
        problems={"d_model": ("<b>", Message("D Model must be a number, but is <b>."))},
        corpus_text="a\nb c",
        corpus_problem=(1, Message("Line 1 has one word.")),
    ),
}


@pytest.fixture
def frame(request: pytest.FixtureRequest) -> TrainFrame:
    return AWKWARD[request.param]()


@pytest.fixture(params=VIEWS, ids=lambda view: view.__name__)
def view_class(request: pytest.FixtureRequest) -> type[TrainView]:
    chosen: type[TrainView] = request.param
    return chosen


def test_every_view_of_the_room_is_here() -> None:
    # A notice has no height while all is well; the last one holds the views of the middle.
    assert views_of(train, TrainView) == {*VIEWS, NoticeBar, BesideView}


@pytest.mark.parametrize(("view_class", "frame"), checkered(VIEWS, AWKWARD), indirect=["frame"])
def test_a_frame_is_drawn_twice_alike_in_any_theme_and_emits_nothing(
    qtbot: QtBot, view_class: type[TrainView], frame: TrainFrame
) -> None:
    assert_drawn_alike(qtbot, view_class(THEMES[0]), 840, 640, frame, TrainFrame())


def test_a_closed_view_dies(qtbot: QtBot, view_class: type[TrainView]) -> None:
    assert_dies_when_closed(qtbot, [view_class(THEMES[0])], train_frame())
