"""Scene files of version 2: sequences, position, temperature, variants."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.attention import Variant, attend, sinusoidal
from explorer.session import (
    Context,
    Options,
    Scene,
    Sequence,
    at_sequence,
    compute,
    dump_scene,
    parse_scene,
    position_rows,
)
from tests.scenes import assert_same_scene, scenes
from tests.session.test_scene_file import GOOD, refused

TWO = GOOD | {"version": 2}


def opened(fields: dict[str, Any]) -> Scene:
    return parse_scene(json.dumps(fields).encode(), "x")


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in TWO.items() if name not in names}


def batch(*sequences: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return without("tokens", "X") | {"sequences": list(sequences)} | fields


FIRST = {"tokens": ["a", "b"], "X": [[1, 0], [0, 1]]}
SECOND = {"tokens": ["c"], "X": [[2, 2]]}


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(scenes())
def test_only_what_is_new_makes_a_file_of_a_newer_version(scene: Scene) -> None:
    fields = json.loads(dump_scene(scene))
    options = scene.options
    new = (
        bool(scene.others)
        or options.temperature != 1
        or isinstance(options.position, np.ndarray)
        or options.position != "none"
        or options.variant != "none"
    )
    newer = scene.given or options.rotary is not None or options.qk_norm is not None
    assert fields["version"] == (3 if newer else 2 if new else 1)
    if not new and not newer:
        assert set(fields["options"]) == {"scale", "mask", "heads"}
    assert ("sequences" in fields) == bool(scene.others)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(scenes(), st.data())
def test_any_sequence_may_be_shown_and_nothing_else_changes(
    scene: Scene, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(scene.others)))
    shown = at_sequence(scene, place)
    assert shown.shown == place
    assert_same_scene(shown, scene)
    chosen = scene.sequences[place]
    assert (shown.tokens, shown.X, shown.context) == (chosen.tokens, chosen.X, chosen.context)
    assert shown.options.mask is chosen.mask
    assert dump_scene(shown) == dump_scene(scene)
    assert at_sequence(scene, scene.shown) is scene


def test_a_file_of_version_2_may_hold_what_version_1_does() -> None:
    assert json.loads(dump_scene(opened(TWO)))["version"] == 1


def test_one_sequence_is_a_scene_like_any_other() -> None:
    scene = opened(batch(FIRST))
    assert scene.others == ()
    assert json.loads(dump_scene(scene))["tokens"] == ["a", "b"]


def test_each_sequence_has_its_own_context_and_mask_or_that_of_the_options() -> None:
    context = {"tokens": ["k", "l"], "X": [[1, 2], [3, 4]]}
    fields = batch(
        FIRST, SECOND | {"context": context, "mask": [[True, False]]}, options={"mask": "causal"}
    )
    scene = opened(fields)
    assert scene.options.mask == "causal"
    second = at_sequence(scene, 1)
    assert second.key_tokens == ("k", "l")
    np.testing.assert_array_equal(compute(second).mask, [[True, False]])
    # In a file a mask that is not everyone's stands beside its tokens.
    saved = json.loads(dump_scene(scene))
    assert saved["options"]["mask"] == "none"
    assert [one.get("mask") for one in saved["sequences"]] == ["causal", [[True, False]]]
    alike = json.loads(dump_scene(opened(batch(FIRST, SECOND, options={"mask": "causal"}))))
    assert alike["options"]["mask"] == "causal"
    assert [one.get("mask") for one in alike["sequences"]] == [None, None]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(scenes(largest=5.0))
def test_what_is_computed_has_all_options_in_it(scene: Scene) -> None:
    options = scene.options
    if isinstance(options.position, np.ndarray):
        P = options.position[: len(scene.tokens)]
    else:
        P = sinusoidal(*scene.X.shape) if options.position == "sinusoidal" else None
    expected = attend(
        scene.X if P is None else scene.X + P,
        *(scene.per_head(name) for name in ("Wq", "Wk", "Wv")),
        **{name: scene.per_head(name) for name in ("bq", "bk", "bv")},
        Wo=scene.Wo,
        bo=scene.bo,
        context=None if scene.context is None else scene.context.X,
        mask=options.mask,
        scale=options.scale,
        temperature=options.temperature,
        variant=options.variant,
        rotary=options.rotary,
        qk_norm=options.qk_norm,
        V=scene.V,
    )
    result = compute(scene)
    np.testing.assert_array_equal(result.output, expected.output)
    assert (result.temperature, result.variant) == (options.temperature, options.variant)
    rows = position_rows(scene)
    assert (rows is None) == (P is None)
    if P is None:
        assert result.X is scene.X


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (GOOD | {"sequences": [FIRST]}, 'sequences needs "version": 2.'),
        (
            GOOD | {"options": {"temperature": 1}},
            'options.temperature needs "version": 2.',
        ),
        (GOOD | {"options": {"variant": "none"}}, 'options.variant needs "version": 2.'),
        (TWO | {"sequences": [FIRST]}, "tokens is given in each sequence here."),
        (
            batch(FIRST, context={"tokens": ["k"], "X": [[1, 2]]}),
            "context is given in each sequence here.",
        ),
        (without("tokens"), "tokens is missing."),
        (without("X"), "X is missing."),
        (batch(), "sequences is empty."),
        (batch({"tokens": ["a"]}), "sequences[0].X is missing."),
        (batch(FIRST, 3), "sequences[1] must be a group of tokens and X."),
        (batch(FIRST) | {"sequences": 3}, "sequences must be a list of groups of tokens and X."),
        (batch(FIRST, SECOND | {"Wq": []}), "sequences[1].Wq is not a field of a scene."),
        (batch(FIRST, {"tokens": ["c"], "X": [[1]]}),
         "sequences[1].X must have as many columns as sequences[0].X: 2, not 1."),
        (batch(FIRST, {"tokens": ["c"], "X": [[1, "2"]]}),
         "sequences[1].X[0][1] must be a number between −1e50 and 1e50."),
        (batch(FIRST, {"tokens": ["c"], "X": [[1, 1e51]]}),
         "sequences[1].X[0][1] must be a number between −1e50 and 1e50."),
        (batch(FIRST, {"tokens": ["c", ""], "X": [[1, 2], [3, 4]]}),
         "sequences[1].tokens[1] must have 1 to 64 characters and no control characters."),
        (batch(FIRST, {"tokens": ["c"], "X": [[1, 2], [3, 4]]}),
         "sequences[1].X must have a row for each entry of sequences[1].tokens: 1, not 2."),
        (batch(FIRST, SECOND | {"mask": [[True, False]]}),
         "sequences[1].mask must have the shape 1 × 1 to fit tokens, but has 1 × 2."),
        (batch(FIRST, SECOND | {"mask": "all"}),
         'sequences[1].mask must be "none", "causal" or rows of true and false.'),
        (batch(FIRST, SECOND | {"context": {"tokens": ["k"], "X": [[1]]}}),
         "Wk must have a row for each column of sequences[1].context.X: 1, not 2."),
        (batch(*[SECOND] * 65), "sequences has 65 entries, but at most 64 are possible."),
        (TWO | {"options": {"temperature": 0}},
         "options.temperature must be a number from 1e−20 to 1e50."),
        (TWO | {"options": {"temperature": -1.0}},
         "options.temperature must be a number from 1e−20 to 1e50."),
        (TWO | {"options": {"temperature": float("nan")}},
         "options.temperature must be a number from 1e−20 to 1e50."),
        (TWO | {"options": {"temperature": "hot"}},
         "options.temperature must be a number to divide by after the scale."),
        (TWO | {"options": {"position": "sine"}},
         'options.position must be "none", "sinusoidal" or rows of numbers.'),
        (TWO | {"options": {"position": [[1, 2]]}},
         "options.position must have the shape 2 × 2 to fit X, but has 1 × 2."),
        (TWO | {"options": {"position": [[1, 2], [3]]}},
         "options.position[1] must be like options.position[0], a row of 2, but is a row of 1."),
        (TWO | {"options": {"position": [[1, 2], [3, 1e60]]}},
         "options.position[1][1] must be a number between −1e50 and 1e50."),
        (TWO | {"options": {"variant": "wrong"}},
         'options.variant must be one of "none", "average", "softmax_first", "multiplied", '
         '"output_scaled", "unscaled", "heads_mixed".'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_its_field(fields: dict[str, Any], sentence: str) -> None:
    assert refused(fields) == sentence


def test_a_batch_can_be_read_by_people() -> None:
    scene = Scene(
        ("a",),
        np.array([[1.0]]),
        context=Context(("k",), np.array([[2.0]])),
        options=Options(temperature=0.5, variant=Variant.AVERAGE),
        others=(Sequence(("b",), np.array([[3.0]])),),
    )
    text = dump_scene(scene).decode()
    assert text.endswith(
        """  "sequences": [
    {
      "tokens": ["a"],
      "X": [
        [1.0]
      ],
      "context": {
        "tokens": ["k"],
        "X": [
          [2.0]
        ]
      }
    },
    {
      "tokens": ["b"],
      "X": [
        [3.0]
      ]
    }
  ],
  "options": {"scale": "sqrt_dk", "mask": "none", "heads": 1, "temperature": 0.5, "variant": "average"}
}
"""  # noqa: E501 - as it stands in the file
    )


def test_the_numbers_of_a_scene_at_the_limits_stay_within_float64() -> None:
    largest = 1e50
    ones = np.full((512, 512), largest)
    for variant in Variant:
        scene = Scene(
            ("a",),
            np.full((1, 512), largest),
            ones,
            ones,
            np.eye(512),
            options=Options(
                scale=1e-50, temperature=1e-20, position=np.full((1, 512), largest), variant=variant
            ),
        )
        assert np.isfinite(compute(scene).scores).all()
