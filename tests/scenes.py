"""Scenes of every form, for tests that hold for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.session import Context, Options, Scene

PARAMETERS = ("Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")
FORMS = ("plain", "columns", "stacked")

# What a token may be called: any text without control characters and halves of surrogate pairs.
NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=5)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)


@st.composite
def scenes(draw: st.DrawFn, largest: float = 1e50) -> Scene:
    """A scene with or without W (both forms), heads, biases, Wo, context and mask."""

    def numbers(*shape: int) -> Any:
        return draw(arrays(np.float64, shape, elements=st.floats(-largest, largest)))

    size = st.integers(1, 3)
    form = draw(st.sampled_from(FORMS))
    queries, d, d_k, d_v, d_out = (draw(size) for _ in range(5))
    heads = 1 if form == "plain" else draw(size)
    tokens = tuple(draw(NAMES) for _ in range(queries))
    fields: dict[str, Any] = {}
    context = None
    keys, d_context = queries, d
    if draw(st.booleans()):
        keys, d_context = draw(size), d if form == "plain" else draw(size)
        names = tuple(draw(NAMES) for _ in range(keys))
        context = Context(names, numbers(keys, d_context))
    if form != "plain":
        for letter, rows, width in (("q", d, d_k), ("k", d_context, d_k), ("v", d_context, d_v)):
            shape: tuple[int, ...] = (rows, heads * width)
            bias: tuple[int, ...] = (heads * width,)
            if form == "stacked":
                shape, bias = (heads, rows, width), (heads, width)
            fields[f"W{letter}"] = numbers(*shape)
            if draw(st.booleans()):
                fields[f"b{letter}"] = numbers(*bias)
    if draw(st.booleans()):
        fields["Wo"] = numbers(d if form == "plain" else heads * d_v, d_out)
        if draw(st.booleans()):
            fields["bo"] = numbers(d_out)
    mask = draw(st.sampled_from(["none", "causal"]) | arrays(np.bool_, (queries, keys)))
    scale = draw(st.sampled_from(["sqrt_dk", "none"]) | st.floats(0.01, 1e50))
    return Scene(
        tokens=tokens,
        X=numbers(queries, d),
        **fields,
        context=context,
        options=Options(scale=scale, mask=mask, heads=heads),
        title=draw(TEXTS),
        note=draw(TEXTS),
    )


def assert_same_scene(a: Scene, b: Scene) -> None:
    """Fail where two scenes differ in any number, name, form or option."""
    assert (a.tokens, a.title, a.note, a.heads) == (b.tokens, b.title, b.note, b.heads)
    for name in ("X", *PARAMETERS):
        _assert_same_array(getattr(a, name), getattr(b, name))
    assert (a.context is None) == (b.context is None)
    if a.context is not None and b.context is not None:
        assert a.context.tokens == b.context.tokens
        _assert_same_array(a.context.X, b.context.X)
    assert a.options.scale == b.options.scale
    if isinstance(a.options.mask, str) or isinstance(b.options.mask, str):
        assert isinstance(a.options.mask, str)
        assert a.options.mask == b.options.mask
    else:
        _assert_same_array(a.options.mask, b.options.mask)


def _assert_same_array(a: Any, b: Any) -> None:
    assert (a is None) == (b is None)
    if a is not None:
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()  # tells −0.0 from 0.0
