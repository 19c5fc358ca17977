"""Scenes of every form, for tests that hold for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.attention import PAIRINGS, ROPE_TYPES, QKNorm, Rotary, Variant
from explorer.session import Context, Options, Scene, Sequence

PARAMETERS = ("Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")
FORMS = ("plain", "columns", "stacked", "given")

# What a token may be called: any text without control characters and halves of surrogate pairs.
NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=5)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)


@st.composite
def scenes(draw: st.DrawFn, largest: float = 1e50) -> Scene:
    """A scene with or without W (both forms), heads, biases, Wo, context, mask and other options.

    It may have several sequences, of which any may be shown.
    """

    def numbers(*shape: int) -> Any:
        return draw(arrays(np.float64, shape, elements=st.floats(-largest, largest)))

    size = st.integers(1, 3)
    form = draw(st.sampled_from(FORMS))
    queries, d, d_k, d_v, d_out = (draw(size) for _ in range(5))
    if form == "given":
        return _given(draw, largest, queries, d, d_v)
    heads = 1 if form == "plain" else draw(size)
    fields: dict[str, Any] = {}
    cross = draw(st.booleans())
    d_context = d if form == "plain" or not cross else draw(size)

    def sequence(queries: int) -> Sequence:
        context, keys = None, queries
        if cross:
            keys = draw(size)
            names = tuple(draw(NAMES) for _ in range(keys))
            context = Context(names, numbers(keys, d_context))
        mask = draw(st.sampled_from(["none", "causal"]) | arrays(np.bool_, (queries, keys)))
        tokens = tuple(draw(NAMES) for _ in range(queries))
        return Sequence(tokens, numbers(queries, d), context, mask)

    shown = sequence(queries)
    others = [sequence(draw(size)) for _ in range(draw(st.integers(0, 2)))]
    longest = max(len(one.tokens) for one in (shown, *others))
    rows = arrays(np.float64, (longest, d), elements=st.floats(-largest, largest))
    position = draw(st.sampled_from(["none", "sinusoidal"]) | rows)
    columns = d if form == "plain" else d_k
    rotary = norm = None
    if columns > 1 and draw(st.booleans()):
        rotary = Rotary(
            2,
            draw(st.floats(1.5, 1e6)),
            draw(st.sampled_from(ROPE_TYPES)),
            factor=draw(st.floats(0.5, 8)),
            original=draw(st.floats(1, 100)),
            pairing=draw(st.sampled_from(PAIRINGS)),
        )
    if draw(st.booleans()):
        norm = QKNorm(numbers(columns), numbers(columns), draw(st.floats(1e-6, 1)))
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
    scale = draw(st.sampled_from(["sqrt_dk", "none"]) | st.floats(0.01, 1e50))
    return Scene(
        tokens=shown.tokens,
        X=shown.X,
        **fields,
        context=shown.context,
        options=Options(
            scale=scale,
            mask=shown.mask,
            heads=heads,
            temperature=draw(st.just(1.0) | st.floats(0.01, 1e50)),
            position=position,
            variant=draw(st.sampled_from(Variant)),
            rotary=rotary,
            qk_norm=norm,
        ),
        title=draw(TEXTS),
        note=draw(TEXTS),
        others=tuple(others),
        shown=draw(st.integers(0, len(others))),
    )


def _given(draw: st.DrawFn, largest: float, queries: int, d_k: int, d_v: int) -> Scene:
    """A scene whose Q, K and V are given."""

    def numbers(*shape: int) -> Any:
        return draw(arrays(np.float64, shape, elements=st.floats(-largest, largest)))

    keys = draw(st.integers(1, 3))
    tokens, names = (tuple(draw(NAMES) for _ in range(count)) for count in (queries, keys))
    own_mask = arrays(np.bool_, (queries, keys))
    return Scene(
        tokens=tokens,
        X=numbers(queries, d_k),
        context=Context(names, numbers(keys, d_k)),
        V=numbers(keys, d_v),
        Wo=draw(st.none() | st.just(numbers(d_v, 2))),
        options=Options(
            mask=draw(st.sampled_from(["none", "causal"]) | own_mask),
            variant=draw(st.sampled_from([v for v in Variant if v != Variant.HEADS_MIXED])),
        ),
        title=draw(TEXTS),
    )


def assert_same_scene(a: Scene, b: Scene) -> None:
    """Fail where two scenes differ in any number, name, form or option; not in what is shown."""
    assert (a.title, a.note, a.heads) == (b.title, b.note, b.heads)
    assert a.options.rotary == b.options.rotary
    for gain in ("query", "key", "epsilon"):
        _assert_same(*(getattr(each.options.qk_norm, gain, None) for each in (a, b)))
    for name in (*PARAMETERS, "V"):
        _assert_same_array(getattr(a, name), getattr(b, name))
    for name in ("scale", "temperature", "variant", "position"):
        _assert_same(getattr(a.options, name), getattr(b.options, name))
    assert len(a.sequences) == len(b.sequences)
    for one, other in zip(a.sequences, b.sequences, strict=True):
        assert one.tokens == other.tokens
        _assert_same_array(one.X, other.X)
        _assert_same(one.mask, other.mask)
        assert (one.context is None) == (other.context is None)
        if one.context is not None and other.context is not None:
            assert one.context.tokens == other.context.tokens
            _assert_same_array(one.context.X, other.context.X)


def _assert_same(a: Any, b: Any) -> None:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        _assert_same_array(a, b)
    else:
        assert not isinstance(a, np.ndarray)
        assert not isinstance(b, np.ndarray)
        assert a == b


def _assert_same_array(a: Any, b: Any) -> None:
    assert (a is None) == (b is None)
    if a is not None:
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()  # tells −0.0 from 0.0
