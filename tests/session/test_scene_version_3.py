"""Version 3 of a scene file: rotary positions, norms of Q and K, and Q, K and V themselves."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from explorer.attention import QKNorm, Rotary
from explorer.session import (
    Matrix,
    Options,
    Scene,
    Space,
    Stage,
    compute,
    dump_scene,
    edits,
    fitting_look,
    forms,
    parse_scene,
    stages_of,
    token_edits,
)
from explorer.session.backwards import OrderCause, order_causes, pull_point
from explorer.session.look import Look
from explorer.text import Problem
from tests.scenes import assert_same_scene
from tests.session.test_scene_file import refused
from tests.session.test_scene_version_2 import opened

HEAD = {"format": "attention-explorer/scene", "version": 3}
PLAIN = HEAD | {"tokens": ["a", "b"], "X": [[1.0, 0.0], [0.5, 2.0]]}
GIVEN = HEAD | {
    "tokens": ["a", "b"],
    "Q": [[1.0, 0.0], [0.5, 2.0]],
    "K": [[0.0, 1.0], [2.0, 1.0]],
    "V": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
}
LLAMA3 = {
    "dims": 2,
    "base": 500000.0,
    "scaling": "llama3",
    "factor": 8.0,
    "low": 1.0,
    "high": 4.0,
    "original": 8192.0,
    "pairing": "neighbours",
}
GAINS = {"query": [1.0, 2.0], "key": [0.5, 1.0], "epsilon": 0.001}
RNG = np.random.default_rng(3)


def test_options_are_read_and_written_as_they_are_documented() -> None:
    scene = opened(PLAIN | {"options": {"rotary": LLAMA3, "qk_norm": GAINS}})
    assert scene.options.rotary == Rotary(
        2, 500000.0, "llama3", 8.0, 1.0, 4.0, 8192.0, "neighbours"
    )
    norm = scene.options.qk_norm
    assert norm is not None
    assert (norm.query.tolist(), norm.key.tolist(), norm.epsilon) == ([1, 2], [0.5, 1], 0.001)
    saved = json.loads(dump_scene(scene))
    assert saved["version"] == 3
    assert (saved["options"]["rotary"], saved["options"]["qk_norm"]) == (LLAMA3, GAINS)
    assert_same_scene(parse_scene(dump_scene(scene), "x"), scene)


def test_a_file_may_say_no_more_than_it_must() -> None:
    scene = opened(PLAIN | {"options": {"rotary": {"dims": 2}}})
    assert scene.options.rotary == Rotary(2)


def test_q_k_and_v_stand_in_a_file_themselves() -> None:
    scene = opened(GIVEN)
    made = compute(scene)
    np.testing.assert_array_equal(made.Q[0], GIVEN["Q"])
    np.testing.assert_array_equal(made.K[0], GIVEN["K"])
    np.testing.assert_array_equal(made.V[0], GIVEN["V"])
    assert (scene.d_k, scene.d_v, scene.key_tokens) == (2, 3, ("a", "b"))
    saved = json.loads(dump_scene(scene))
    assert {name: saved[name] for name in GIVEN} == GIVEN
    assert not saved.keys() & {"X", "context", "key_tokens"}
    other = opened(GIVEN | {"key_tokens": ["c", "d"]})
    assert json.loads(dump_scene(other))["key_tokens"] == ["c", "d"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (GIVEN | {"version": 2}, 'Q needs "version": 3.'),
        (
            PLAIN | {"version": 2, "options": {"rotary": LLAMA3}},
            'options.rotary needs "version": 3.',
        ),
        (
            PLAIN | {"options": {"rotary": LLAMA3 | {"dims": 4}}},
            "options.rotary.dims must be an even number from 2 to the 2 columns of Q.",
        ),
        (
            PLAIN | {"options": {"rotary": LLAMA3 | {"dims": 1}}},
            "options.rotary.dims must be an even number from 2 to the 2 columns of Q.",
        ),
        (
            PLAIN | {"options": {"rotary": LLAMA3 | {"scaling": "yarn"}}},
            'options.rotary.scaling must be "default", "linear", "llama3".',
        ),
        (
            PLAIN | {"options": {"rotary": LLAMA3 | {"factor": 0}}},
            "options.rotary.factor must be a number from 1e−50 to 1e50.",
        ),
        (
            PLAIN | {"options": {"rotary": LLAMA3 | {"low": 4}}},
            "options.rotary.high must be larger than options.rotary.low.",
        ),
        (
            PLAIN | {"options": {"rotary": {}}},
            "options.rotary.dims is missing.",
        ),
        (
            PLAIN | {"options": {"qk_norm": GAINS | {"key": [1]}}},
            "options.qk_norm.key must have the shape 2 to fit Q, but has 1.",
        ),
        (
            PLAIN | {"options": {"qk_norm": GAINS | {"key": [1, 1e99]}}},
            "options.qk_norm.key[1] must be a number between −1e50 and 1e50.",
        ),
        (
            PLAIN | {"options": {"qk_norm": GAINS | {"epsilon": 0}}},
            "options.qk_norm.epsilon must be a number from 1e−50 to 1e50.",
        ),
        ({k: v for k, v in GIVEN.items() if k != "K"}, "K is missing."),
        (GIVEN | {"X": [[1], [2]]}, "X cannot be given beside Q, K and V."),
        (PLAIN | {"key_tokens": ["a"]}, "X cannot be given beside Q, K and V."),
        (
            GIVEN | {"Wq": [[1], [2]]},
            "Wq cannot be given beside Q, K and V: these are as they enter the product.",
        ),
        (
            GIVEN | {"options": {"rotary": {"dims": 2}}},
            "options.rotary cannot be given beside Q, K and V:"
            " these are as they enter the product.",
        ),
        (GIVEN | {"K": [[1, 2]]}, "K must have a row for each entry of key_tokens: 2, not 1."),
        (GIVEN | {"V": [[1, 2]]}, "V must have a row for each entry of key_tokens: 2, not 1."),
        (
            GIVEN | {"K": [[1], [2]]},
            "K must have as many columns as Q: 2, not 1.",
        ),
        (GIVEN | {"V": [[1], [1e99]]}, "V[1][0] must be a number between −1e50 and 1e50."),
        (GIVEN | {"Q": 3}, "Q must be a list of rows of numbers."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_its_field(fields: dict[str, Any], sentence: str) -> None:
    assert refused(fields) == sentence


def test_a_point_that_turns_is_dragged_by_turning_back_first() -> None:
    rotary = Rotary(4, 10.0, pairing="neighbours")
    W = RNG.normal(size=(3, 5, 4))
    scene = Scene(tuple("abc"), RNG.normal(size=(3, 5)), *W, options=Options(rotary=rotary))
    before = compute(scene)
    for space, index in ((Space.Q, "Q"), (Space.K, "K"), (Space.V, "V")):
        target = RNG.normal(size=4)
        made, pull = pull_point(scene, before, space, 2, target)
        assert pull.reached
        np.testing.assert_allclose(getattr(compute(made), index)[0, 2], target, atol=1e-10)
        # The least change of X: that of the point turned back, by the pseudoinverse.
        move = target - getattr(before, index)[0, 2]
        back = move if space is Space.V else rotary.at(move, 2, back=True)
        wanted = back @ np.linalg.pinv(W["QKV".index(index)])
        np.testing.assert_allclose(made.X[2] - scene.X[2], wanted, atol=1e-10)


def test_without_w_too() -> None:
    scene = Scene(tuple("abc"), RNG.normal(size=(3, 2)), options=Options(rotary=Rotary(2)))
    made, _pull = pull_point(scene, compute(scene), Space.K, 1, [3.0, -1.0])
    np.testing.assert_allclose(compute(made).K[0, 1], [3.0, -1.0], atol=1e-12)


def test_normalised_points_do_not_drag_and_say_why() -> None:
    norm = QKNorm(np.ones(2), np.ones(2))
    scene = Scene(("a", "b"), np.eye(2), options=Options(qk_norm=norm))
    for space in (Space.Q, Space.K):
        with pytest.raises(Problem, match="normalised"):
            pull_point(scene, compute(scene), space, 0, [1.0, 1.0])
    made, _pull = pull_point(scene, compute(scene), Space.V, 0, [2.0, 1.0])
    np.testing.assert_allclose(compute(made).V[0, 0], [2, 1])


def test_given_points_are_dragged_directly() -> None:
    scene = opened(GIVEN)
    before = compute(scene)
    for space, target in ((Space.Q, [3.0, 4.0]), (Space.K, [5.0, 6.0]), (Space.V, [7.0, 8.0, 9.0])):
        made, pull = pull_point(scene, before, space, 1, target)
        assert pull.reached
        after = compute(made)
        for name in "QKV":
            wanted = getattr(before, name)[0].copy()
            if name == space.value:
                wanted[1] = target
            np.testing.assert_allclose(getattr(after, name)[0], wanted, atol=1e-12)


def test_tokens_of_keys_take_their_values_along() -> None:
    scene = opened(GIVEN)
    swapped = token_edits.permute_tokens(scene, [1, 0], context=True)
    np.testing.assert_allclose(compute(swapped).output, compute(scene).output, atol=1e-12)
    more = token_edits.add_token(scene, 0, context=True)
    assert more.V is not None
    np.testing.assert_array_equal(more.V, [[1, 2, 3], [2.5, 3.5, 4.5], [4, 5, 6]])
    assert_same_scene(token_edits.remove_token(more, 1, context=True), scene)
    parse_scene(dump_scene(more), "x")
    typed = edits.set_matrix(scene, Matrix.V, np.ones((2, 3)))
    np.testing.assert_array_equal(compute(typed).V[0], np.ones((2, 3)))


def test_what_needs_x_is_refused_where_q_k_and_v_are_given() -> None:
    scene = opened(GIVEN)
    for edit in (
        edits.add_projections,
        forms.add_sequence,
        lambda scene: forms.set_context(scene, None),
        lambda scene: edits.set_position(scene, "sinusoidal"),
        lambda scene: edits.set_rotary(scene, Rotary(2)),
    ):
        with pytest.raises(Problem):
            edit(scene)


def test_the_chain_of_given_q_k_and_v_begins_with_them() -> None:
    scene = opened(GIVEN)
    assert stages_of(scene)[0] is Stage.Q
    look = fitting_look(scene, Look())
    assert (look.stage, look.spaces) == (Stage.Q, frozenset({Space.Q}))


def test_rotary_positions_make_the_order_matter() -> None:
    scene = Scene(("a", "b"), np.eye(2), options=Options(rotary=Rotary(2)))
    assert order_causes(scene) == (OrderCause.ROTARY,)
