"""Frames that views tend to draw badly: every view gets them all, from one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.attention import Unreachable, Variant
from explorer.kit.preview import SAMPLE
from explorer.session import (
    STAGE_EDGES,
    STAGE_SPACES,
    Aiming,
    Context,
    Drag,
    Edges,
    Frame,
    Look,
    Matrix,
    Options,
    Role,
    Scene,
    Selection,
    Stage,
    resolve,
)
from explorer.session.backwards import Proposal, aim_cell
from explorer.text import Message
from tests.kinds import KINDS


def _look(stage: Stage, edges: Edges | None = None) -> Look:
    return Look(stage, STAGE_SPACES[stage], edges or STAGE_EDGES.get(stage, Edges.NONE))


SCORES, ATTENTION, OUTPUT = (_look(stage) for stage in (Stage.S, Stage.A, Stage.O))
PAIR = Selection(Role.S, 0, 0)


def _plain(tokens: int, width: int, size: float = 1.0) -> Scene:
    """Return a scene without W: Q = K = V = X."""
    X = np.random.default_rng(tokens).normal(size=(tokens, width)) * size
    return Scene(tuple(f"t{i}" for i in range(tokens)), X)


def _wide(tokens: int, width: int) -> Scene:
    rng = np.random.default_rng(7)
    W = {name: rng.normal(size=(width, width)) / 8 for name in ("Wq", "Wk", "Wv")}
    return _plain(tokens, width).replace(**W)


def _blind() -> Frame:
    mask = np.zeros((4, 4), bool)
    return resolve(SAMPLE.replace(options=Options(mask=mask)), OUTPUT, Selection(Role.O, 0))


def _crossed() -> Frame:
    context = Context(("sea", "sky"), np.array([[0.2, 0.9], [-0.4, 0.1]]))
    return resolve(SAMPLE.replace(context=context), SCORES, Selection(Role.S, 2, 1))


def _headed(heads: int, stage: Stage, average: bool = False, **options: Any) -> Frame:
    """Return a frame of several heads with an output after Wo, a position and some options."""
    rng = np.random.default_rng(heads)
    W = {name: rng.normal(size=(heads, 2, 2)) for name in ("Wq", "Wk", "Wv")}
    scene = SAMPLE.replace(
        **W,
        Wo=rng.normal(size=(2 * heads, 2)),
        options=Options(**{"position": "sinusoidal", "mask": "causal", **options}),
    )
    return resolve(scene, replace(_look(stage), average=average, head=heads - 1))


def _moving(look: Look) -> Look:
    return replace(look, movements=frozenset({Matrix.WQ, Matrix.WK, Matrix.WV}))


def _aimed(moves: Matrix, target: float, weight: bool = True) -> Frame:
    frame = resolve(SAMPLE, ATTENTION if weight else SCORES, Selection(Role.A, 0, 3))
    try:
        outcome: Proposal | Message = aim_cell(
            frame.scene, frame.attention, 0, 3, target, moves, weight=weight
        )
    except Unreachable as unreachable:
        outcome = unreachable.message
    return replace(frame, aiming=Aiming(0, 3, target, weight, moves, outcome))


def _named(*tokens: str) -> Scene:
    return _plain(len(tokens), 2).replace(tokens=tokens)


AWKWARD: dict[str, Callable[[], Frame]] = {
    "calm": lambda: resolve(SAMPLE),
    "pair": lambda: resolve(SAMPLE, SCORES, Selection(Role.S, 0, 3)),
    "hovered": lambda: resolve(SAMPLE, SCORES, Selection(Role.S, 0, 3), Selection(Role.S, 1, 2)),
    "hovered cell of W": lambda: resolve(SAMPLE, SCORES, None, Selection(Role.WQ, 1, column=1)),
    "key": lambda: resolve(SAMPLE, SCORES, Selection(Role.K, key=2)),
    "output": lambda: resolve(SAMPLE, OUTPUT, Selection(Role.O, 3)),
    "no selection": lambda: resolve(SAMPLE, ATTENTION),
    "dragged": lambda: resolve(
        SAMPLE, _look(Stage.X, Edges.ATTENTION), drag=Drag(1, np.array([0.0, 0.0]))
    ),
    "one token": lambda: resolve(_plain(1, 2), SCORES, PAIR),
    "one token at zero": lambda: resolve(Scene(("a",), np.zeros((1, 2))), SCORES, PAIR),
    "one column": lambda: resolve(_plain(3, 1), SCORES, PAIR),
    "one of each": lambda: resolve(_plain(1, 1), OUTPUT, Selection(Role.O, 0)),
    "all masked": _blind,
    "causal": lambda: resolve(SAMPLE.replace(options=Options(mask="causal")), SCORES),
    "huge": lambda: resolve(_plain(4, 2, 1e50), SCORES, PAIR),
    "huge and wide": lambda: resolve(_plain(4, 5, 1e50), SCORES, PAIR),
    "tiny": lambda: resolve(_plain(4, 2, 1e-300), SCORES, PAIR),
    "tiny and wide": lambda: resolve(_plain(4, 5, 1e-300), SCORES, PAIR),
    "equal tokens": lambda: resolve(Scene(("a",) * 4, np.full((4, 2), 0.5)), ATTENTION),
    "equal wide tokens": lambda: resolve(Scene(("a",) * 4, np.full((4, 6), 0.1)), ATTENTION),
    "64 tokens": lambda: resolve(_wide(64, 64), ATTENTION, Selection(Role.A, 5, 9)),
    "64 tokens, none selected": lambda: resolve(_wide(64, 64), SCORES),
    "64 tokens, a pair hovered": lambda: resolve(
        _wide(64, 64), OUTPUT, None, Selection(Role.A, 5, 40)
    ),
    "40 letters": lambda: resolve(_named("W" * 40, "i" * 40), SCORES),
    "scripts": lambda: resolve(_named("👩‍👩‍👧", "早上好", "مرحبا", "e\u0301"), SCORES, PAIR),
    "markup": lambda: resolve(_named("<b>s</b>", "&amp;", "%s {x}", "\u202eabc"), SCORES, PAIR),
    "no W": lambda: resolve(_plain(3, 2), OUTPUT, Selection(Role.A, 1, 1)),
    "everything": lambda: resolve(
        KINDS["everything"], replace(_look(Stage.Y), head=1), Selection(Role.Y, 1, column=2)
    ),
    "heads mixed, on the average": lambda: resolve(
        KINDS["heads_mixed, context"], replace(ATTENTION, average=True), Selection(Role.A, 1, 2)
    ),
    "a number of Wo": lambda: resolve(
        KINDS["two heads, Wo"], OUTPUT, Selection(Role.WO, 3, column=1)
    ),
    "a number of a bias": lambda: resolve(KINDS["biases"], SCORES, Selection(Role.BK, 0, column=1)),
    "a row of the context": lambda: resolve(
        KINDS["context"], SCORES, Selection(Role.CONTEXT, key=2, column=1)
    ),
    "crossed": _crossed,
    "movements": lambda: resolve(SAMPLE, _moving(SCORES)),
    "flattened movement": lambda: resolve(
        SAMPLE.replace(Wk=np.outer([0.8, 0.4], [1.0, 0.5])), _moving(_look(Stage.K))
    ),
    "wide movements": lambda: resolve(_wide(12, 24), _moving(ATTENTION)),
    "heads": lambda: _headed(2, Stage.A),
    "average of heads": lambda: _headed(4, Stage.A, average=True),
    "heads side by side": lambda: _headed(3, Stage.C),
    "output after Wo": lambda: _headed(2, Stage.Y),
    "with its position": lambda: _headed(2, Stage.P),
    "64 heads": lambda: _headed(64, Stage.C, average=True, mask=np.zeros((4, 4), bool)),
    "softmax first": lambda: _headed(2, Stage.A, variant=Variant.SOFTMAX_FIRST),
    "plain average": lambda: _headed(1, Stage.S, variant=Variant.AVERAGE),
    "wanted weight": lambda: _aimed(Matrix.WQ, 0.7),
    "wanted score": lambda: _aimed(Matrix.X, -12.5, weight=False),
    "unreachable weight": lambda: _aimed(Matrix.X, 0.7),
    "crossed, X alone": lambda: resolve(_crossed().scene, _look(Stage.X, Edges.SCORES), PAIR),
}


@pytest.fixture(params=list(AWKWARD))
def awkward_frame(request: pytest.FixtureRequest) -> Frame:
    """A frame that some view may find hard to draw."""
    return AWKWARD[request.param]()
