"""A long drag of a large scene is remembered from its first scene to its last, within bounds."""

from __future__ import annotations

import numpy as np

from explorer.app.moving.films import GestureRecorder
from explorer.session import Scene, Session
from explorer.text import Message


def test_a_long_drag_of_a_large_scene_is_thinned_out() -> None:
    rng = np.random.default_rng(1)
    session = Session(Scene(("a", "b"), rng.normal(size=(2, 400_000))))
    recorder = GestureRecorder(session)
    first = session.scene
    session.begin_gesture(Message("move"))
    for _move in range(60):
        session.move(first.replace(X=first.X + rng.normal()))
    last = session.scene
    session.finish_gesture()

    assert recorder.last is not None
    kept = recorder.last.scenes
    assert kept[0] is first
    assert kept[-1] is last
    assert sum(scene.X.nbytes for scene in kept) <= 64 * 2**20
    assert len(kept) >= 4
