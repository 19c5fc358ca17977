"""Frames that views tend to draw badly: every view gets them all, from one place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from explorer.session import (
    STAGE_EDGES,
    STAGE_SPACES,
    Context,
    Drag,
    Edges,
    Frame,
    Look,
    Options,
    Role,
    Scene,
    Selection,
    Stage,
    resolve,
)
from explorer.views.preview import SAMPLE


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
    "crossed": _crossed,
    "crossed, X alone": lambda: resolve(_crossed().scene, _look(Stage.X, Edges.SCORES), PAIR),
}


@pytest.fixture(params=list(AWKWARD))
def awkward_frame(request: pytest.FixtureRequest) -> Frame:
    """A frame that some view may find hard to draw."""
    return AWKWARD[request.param]()
