"""The example scenes: each shows what its note claims, in numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.attention import attend
from explorer.attention.transforms import Effect, area
from explorer.resources import example
from explorer.session import Scene, Space, at_sequence, compute, read_scene
from explorer.session.backwards import pull_point
from explorer.session.edits import set_position, set_variant


def opened(name: str) -> Scene:
    return read_scene(example(f"{name}.json"))


def most_attended(scene: Scene, query: str, head: int = 0) -> tuple[str, float]:
    row = compute(scene).weights[head, scene.tokens.index(query)]
    return scene.key_tokens[row.argmax()], float(row.max())


def test_the_plain_average_is_the_mean_so_far_and_attention_is_not() -> None:
    scene = opened("plain-average")
    result = compute(scene)
    assert not result.scores[np.isfinite(result.scores)].any()
    for place in range(len(scene.tokens)):
        np.testing.assert_allclose(result.output[place], scene.X[: place + 1].mean(axis=0))
    weighed = compute(set_variant(scene, "none"))
    np.testing.assert_array_equal(weighed.weights > 0, result.weights > 0)
    assert np.abs(weighed.weights - result.weights).max().round(3) == 0.19


def test_it_looks_at_the_animal() -> None:
    scene = opened("tired-animal")
    assert " ".join(scene.tokens) == ("The animal didn't cross the street because it was too tired")
    token, weight = most_attended(scene, "it")
    assert token == "animal"
    assert round(weight, 3) == 0.692
    assert "by hand" in scene.note


def test_two_heads_find_who_does_it_and_to_whom_it_is_done() -> None:
    scene = opened("two-heads")
    assert scene.heads == 2
    assert [most_attended(scene, "chases", head)[0] for head in range(2)] == ["dog", "cat"]
    assert round(most_attended(scene, "chases")[1], 3) == 0.809
    assert "by hand" in scene.note


def test_a_translation_takes_keys_and_values_from_the_other_language() -> None:
    scene = opened("translation")
    assert (scene.tokens, scene.key_tokens) == (("the", "cat", "sits"), ("猫", "坐", "着"))
    result = compute(scene)
    np.testing.assert_array_equal(
        result.weights[0].round(2), [[0.35, 0.33, 0.32], [0.87, 0.05, 0.08], [0.02, 0.76, 0.22]]
    )


def test_order_is_lost_without_position_and_regained_with_it() -> None:
    scene = opened("order-regained")
    assert scene.options.position == "sinusoidal"
    with_position, without = compute(scene), compute(set_position(scene, "none"))
    np.testing.assert_array_equal(scene.X[0], scene.X[2])
    assert np.abs(with_position.output[0] - with_position.output[2]).max() > 0.5
    np.testing.assert_allclose(without.output[0], without.output[2], rtol=1e-14)


def test_a_flattened_wk_leaves_a_line_of_keys() -> None:
    scene = opened("flattened-wk")
    assert scene.Wk is not None
    assert area(scene.Wk).effect is Effect.FLATTENED
    np.testing.assert_array_equal(2 * scene.Wk[1], scene.Wk[0])
    attention = compute(scene)
    assert np.linalg.matrix_rank(attention.K[0]) == 1
    _, found = pull_point(scene, attention, Space.K, 0, [-0.4, 0.8])
    assert not found.reached
    assert abs(found.landing[0] - 2 * found.landing[1]) < 1e-12


def test_a_batch_of_three_is_three_computations_with_one_w() -> None:
    scene = opened("batch-of-three")
    assert [len(one.tokens) for one in scene.sequences] == [2, 3, 4]
    for place, one in enumerate(scene.sequences):
        alone = attend(one.X, scene.Wq, scene.Wk, scene.Wv)
        np.testing.assert_array_equal(compute(at_sequence(scene, place)).output, alone.output)
    other = replace(scene.others[0], X=-scene.others[0].X)
    changed = scene.replace(others=(other, scene.others[1]))
    np.testing.assert_array_equal(compute(changed).output, compute(scene).output)
