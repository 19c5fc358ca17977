"""A large attention computes a head's tables when they are asked for, and the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.attention import Attention, LargeAttention, attend

H, T, D, WIDTH = 4, 200, 24, 6
TABLES = ("raw", "scores", "weights", "head_output")


def parts(seed: int = 5, size: float = 1.0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    made = {name: rng.normal(size=(H, D, WIDTH)) * size for name in ("Wq", "Wk", "Wv")}
    return {"X": rng.normal(size=(T, D)), **made, "Wo": rng.normal(size=(H * WIDTH, 5))}


def of_all_heads(**given: object) -> Attention:
    """The same, all heads at once: as the first of a batch."""
    made = attend(**{**given, "X": given["X"][None]})  # type: ignore[arg-type, index]
    assert not isinstance(made, LargeAttention)
    return made


OPTIONS = [
    {},
    {"mask": "causal", "temperature": 0.7, "bo": np.arange(5.0)},
    {"variant": "softmax_first", "scale": "none"},
    {"variant": "output_scaled"},
    {"variant": "average", "mask": np.tri(T, dtype=bool)[::-1].copy()},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_numbers_are_those_of_all_heads_together(options: dict[str, object]) -> None:
    large, whole = attend(**parts(), **options), of_all_heads(**parts(), **options)
    assert isinstance(large, LargeAttention)
    for head in (2, 0):
        for name, table in large.of_head(head)._asdict().items():
            np.testing.assert_array_equal(table, getattr(whole, name)[0, head])
            assert not table.flags.writeable
    np.testing.assert_allclose(large.mean_weights, whole.weights[0].mean(axis=0), rtol=1e-14)
    np.testing.assert_array_equal(large.output, whole.output[0])
    for name in TABLES:
        np.testing.assert_array_equal(getattr(large, name), getattr(whole, name)[0])
        assert not getattr(large, name).flags.writeable
    assert (large.heads, large.queries, large.keys, large.d_v) == (H, T, T, WIDTH)


def test_one_head_does_not_wait_for_the_others() -> None:
    large = attend(**parts())
    assert not any(large.has_head(head) for head in range(H))
    large.of_head(1)
    assert [large.has_head(head) for head in range(H)] == [False, True, False, False]
    assert large.of_head(1) is large.of_head(1)


@pytest.mark.parametrize(
    ("changes", "beyond"),
    [({"Wq": 1e200, "Wk": 1e200}, "score"), ({"Wv": 1e200, "Wo": 1e200}, "output")],
)
def test_numbers_that_are_too_large_are_refused_at_once(
    changes: dict[str, float], beyond: str
) -> None:
    made = parts()
    for name, size in changes.items():
        made[name] = made[name] * size
    with pytest.raises(ValueError, match=rf"too large: an? {beyond}"):
        attend(**made)


def test_large_numbers_within_float64_are_computed() -> None:
    made = parts()
    made["Wv"] = made["Wv"] * 1e300
    del made["Wo"]
    result = attend(**made)
    assert np.isfinite(result.output).all()
