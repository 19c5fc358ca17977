"""One scene of every kind there is, by name: the examples, and one for each option."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.attention import QKNorm, Rotary, Variant
from explorer.resources import examples
from explorer.session import Context, Scene, Sequence, read_scene
from explorer.session.masks import set_padding

_RNG = np.random.default_rng(11)
_TOKENS = ("cat", "likes", "fish", "cloud")


def _numbers(*shape: int) -> np.ndarray:
    return np.round(_RNG.normal(size=shape), 2)


ONE = Scene(_TOKENS, _numbers(4, 2), *(_numbers(2, 2) for _ in range(3)))
TWO = Scene(_TOKENS, _numbers(4, 3), *(_numbers(2, 3, 2) for _ in range(3)))
BIASES = {"bq": _numbers(2, 2), "bk": _numbers(2, 2), "bv": _numbers(2, 2)}
AFTER = {"Wo": _numbers(4, 3), "bo": _numbers(3)}
CONTEXT = Context(("sea", "sky", "sun"), _numbers(3, 3))
FREE = np.array([[1, 1, 0, 1], [0, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 1]], dtype=bool)


def with_options(scene: Scene, **changes: Any) -> Scene:
    """Return the scene with some of its options changed."""
    return scene.replace(options=replace(scene.options, **changes))


def _batch() -> Scene:
    other = Sequence(("dog", "runs"), _numbers(2, 3), None, "causal")
    return TWO.replace(others=(other,))


KINDS: dict[str, Scene] = {
    **{path.stem: read_scene(path) for path in examples()},
    "no scale": with_options(ONE, scale="none"),
    "divisor": with_options(ONE, scale=2.5),
    "temperature": with_options(ONE, temperature=0.5),
    "temperature alone": with_options(ONE, temperature=2.0, scale="none"),
    "causal": with_options(ONE, mask="causal"),
    "padding": set_padding(ONE, (3,)),
    "causal and padding": set_padding(with_options(ONE, mask="causal"), (1,)),
    "free mask": with_options(ONE, mask=FREE),
    "sinusoidal": with_options(ONE, position="sinusoidal"),
    "own position": with_options(TWO, position=_numbers(4, 3)),
    "biases": TWO.replace(**BIASES),
    "one bias": TWO.replace(bk=BIASES["bk"]),
    "Wo": ONE.replace(Wo=_numbers(2, 3)),
    "two heads": TWO,
    "two heads, Wo": TWO.replace(**AFTER),
    "context": TWO.replace(context=CONTEXT, **BIASES),
    "context, no W": Scene(_TOKENS, _numbers(4, 3), context=CONTEXT),
    "no W": Scene(_TOKENS, _numbers(4, 3)),
    "no W, position": with_options(Scene(_TOKENS, _numbers(4, 3)), position="sinusoidal"),
    "sequences": _batch(),
    "rotary": with_options(ONE, rotary=Rotary(2, 100.0)),
    "rotary, norm, Wo": with_options(
        TWO.replace(**BIASES, **AFTER), rotary=Rotary(2), qk_norm=QKNorm(_numbers(2), _numbers(2))
    ),
    "rotary, context": with_options(TWO.replace(context=CONTEXT), rotary=Rotary(2)),
    "norm": with_options(ONE, qk_norm=QKNorm(_numbers(2), _numbers(2))),
    **{
        f"{variant}, {name}": with_options(scene, variant=variant)
        for variant in Variant
        if variant is not Variant.NONE
        for name, scene in (
            ("one head", ONE),
            ("masked", with_options(ONE, mask=FREE, temperature=0.5)),
            ("two heads", TWO.replace(**BIASES)),
            ("context", TWO.replace(context=CONTEXT)),
        )
    },
    "everything": with_options(
        TWO.replace(**BIASES, **AFTER), temperature=0.5, position="sinusoidal", mask="causal"
    ),
    "everything wrong": with_options(
        TWO.replace(**BIASES, **AFTER),
        temperature=0.5,
        position="sinusoidal",
        mask="causal",
        variant="softmax_first",
    ),
}
