"""What the plane says in words, held to the scene it shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.kit.plane.words import summary, why_held
from explorer.session import Drag, Edges, Frame, Look, Scene, Space, Stage, resolve
from explorer.session.backwards import pull_point
from tests.kinds import KINDS, with_options


@pytest.mark.parametrize(
    ("name", "look", "said"),
    [
        ("cat-likes-fish", Look(), "Points of X, no edges"),
        ("sinusoidal", Look().at_stage(Stage.P), "Points of X, X + P, no edges"),
        ("Wo", Look().at_stage(Stage.Y), "Points of Y, no edges"),
        (
            "two heads",
            Look(head=1).at_stage(Stage.S),
            "Points of Q, K, head 2 of 2, edges show scores",
        ),
        (
            "two heads",
            Look(average=True).at_stage(Stage.O),
            "Points of V, O, head 1 of 2, edges show attention, mean of 2 heads",
        ),
        (
            "one bias",
            replace(Look(average=True).at_stage(Stage.A), edges=Edges.SCORES),
            "Points of Q, K, head 1 of 2, edges show scores",
        ),
    ],
)
def test_what_is_shown_is_summed_up(name: str, look: Look, said: str) -> None:
    assert summary(resolve(KINDS[name], look)) == said


def dragged(scene: Scene, space: Space, row: int) -> Frame:
    """Return a frame in which a point is dragged away."""
    look = Look(spaces=frozenset({space}))
    frame = resolve(scene, look)
    start = frame.points(space)[row]
    _moved, found = pull_point(scene, frame.attention, space, row, start + np.ones(2))
    return resolve(scene, look, drag=Drag(row, start, space, found))


def flattened(head: int) -> Scene:
    """Return a scene whose second head of Wq, or first, maps everything onto a line."""
    Wq = np.array(KINDS["two heads"].Wq)
    Wq[head, :, 1] = 2 * Wq[head, :, 0]
    return KINDS["two heads"].replace(Wq=Wq)


def test_the_head_that_flattens_a_point_is_named() -> None:
    held = "Wq of head {} is flattened: this point can only move along this line."
    assert why_held(dragged(flattened(0), Space.Q, 1)) == held.format(1)
    assert why_held(dragged(flattened(1), Space.Q, 1)) == ""
    # Row 2 of the first head is made by the second one where the heads are mixed.
    mixed = with_options(flattened(1), variant="heads_mixed")
    assert why_held(dragged(mixed, Space.Q, 1)) == held.format(2)
