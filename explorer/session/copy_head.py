"""One head, of a recorded step or of a model's run, as a scene that can be dragged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.attention import QKNorm, softmax
from explorer.session.checks import check_scene, check_sizes
from explorer.session.scene import PROJECTIONS, Array, Context, Options, Scene, compute
from explorer.text import N_, Problem, _, plain_text
from explorer.text.plain import LONGEST_NAME
from explorer.traces import Trace

if TYPE_CHECKING:
    from explorer.models.model_run import ModelRun
    from explorer.models.run import Run

_UNNAMED = "·"  # a word without a character that can be shown
_LONGEST_TITLE = 48
_EXACT = 1e-5  # largest difference of a weight, both in float64
_RECORDED = 1e-3  # the same, where one was recorded in a lower precision


def head_scene(
    trace: Trace, step: int, sample: int, layer: int, head: int, *, exact: bool = True
) -> Scene:
    """Return the attention of one head as a scene: its real X, Wq, Wk, Wv, biases and mask.

    Where the trace does not hold these, or more is done to Q and K than they say, the scene gives
    the recorded Q, K and V. Padding is left out. The title says where it came from. All indices
    count from 0.

    Raises
    ------
    Problem
        Where the trace does not hold what is needed, or a scene cannot be that large; where
        `exact`, also where a scene's weights would not be those that were recorded.
    BadStep
        Where the step holds values that are no numbers.
    """
    names = {name: f"param.layers.{layer}.{name}" for name in (*PROJECTIONS, "bq", "bk", "bv")}
    needed = ("x", *(names[name] for name in PROJECTIONS))
    missing = next((name for name in needed if name not in trace.names), None)
    qkv = {"q", "k", "v"} <= trace.names
    if missing is not None and not qkv:
        raise Problem(
            N_("{file} does not hold {array}, which a copy of this head needs."),
            file=trace.title,
            array=missing,
        )
    length = int(trace.lengths[sample])
    words = trace.words(sample)
    place = (step, sample, layer, head)
    bare = Scene(
        tokens=_names(words),
        X=trace.array("q" if missing else "x", *(place if missing else place[:3]))[:length],
        options=Options(mask=_mask(trace, step, sample, layer, head, length)),
        title=_("{words}, epoch {epoch}, layer {layer}, head {head}").format(
            words=plain_text(" ".join(words), _LONGEST_TITLE),
            epoch=int(trace.epochs[step]),
            layer=layer + 1,
            head=head + 1,
        ),
    )
    recorded: Array | None = None
    if exact and "weights" in trace.names:
        recorded = trace.array("weights", *place)[:length, :length]
    if missing is None:
        scene = bare.replace(
            **{
                name: trace.array(array, step, head=head)
                for name, array in names.items()
                if array in trace.names
            }
        )
        check_scene(scene)
        if recorded is None or not qkv or _distance(scene, recorded) <= _RECORDED:
            return _matching(scene, recorded, _RECORDED)
    q, k, v = (trace.array(name, *place)[:length] for name in "qkv")
    return _matching(_given(bare, bare.tokens, q, k, v), recorded, _RECORDED)


@dataclass(frozen=True, eq=False)
class HeadCopy:
    """A head of a run as a scene.

    Parameters
    ----------
    scene : Scene
        Its note says how far its weights are from the run's.
    distance : float
        The largest difference between the scene's weights and those of the run, in its precision.
    """

    scene: Scene
    distance: float


def model_head_scene(run: Run, layer: int, head: int) -> HeadCopy:
    """Return one head of a model's run, or of a run of arrays, as a scene; both count from 1.

    Of a model it has the real X, Wq, Wk, Wv, biases, mask and scale, rotary positions and norms of
    Q and K, and K and V of the head's group. Of arrays it gives Q, K and V themselves.

    Raises
    ------
    Problem
        Where the head cannot be a scene: it is too large, or what it computes in float64 from the
        run's x would not be the same to 1e-5.
    """
    from explorer.models.model_run import ModelRun

    found = run.head(layer, head)
    words = run.tokens
    title = _("{words}, layer {layer}, head {head}").format(
        words=plain_text(" ".join(words), _LONGEST_TITLE), layer=layer, head=head
    )
    bare = Scene(tokens=_names(words), X=np.zeros((len(words), 1)), title=title)
    # Its size is judged by the number of tokens before anything large is made.
    check_sizes(bare)
    if isinstance(run, ModelRun):
        scene, exact = _of_model(run, bare, layer, head)
        most = _EXACT
    else:
        scene, exact, most = _of_arrays(run, bare, layer, head)
    _matching(scene, exact, most)
    distance = _distance(scene, found.weights)
    note = _("The weights match those of the run to within {distance}.").format(
        distance=f"{distance:.0e}"
    )
    return HeadCopy(scene.replace(note=note), distance)


def _of_model(run: ModelRun, bare: Scene, layer: int, head: int) -> tuple[Scene, Array]:
    """Return a model's head as a scene, and its weights as the model computes them in float64."""
    forward = run.forward
    if forward.touched(layer - 1) & {"q", "k", "v", "scores", "weights", "head_output"}:
        raise Problem(N_("Numbers of this head are replaced in this run: copy it from another."))
    own = run.model.parameters(layer, head)
    x = np.asarray(run.layers[layer - 1].x, np.float64)
    length, width = len(x), own.Wq.shape[1]
    mask: Any = "causal" if own.causal else "none"
    if own.causal and own.window is not None and own.window < length:
        mask = np.tri(length, dtype=bool) & ~np.tri(length, k=-own.window, dtype=bool)
    norm = None
    if own.query_gain is not None and own.key_gain is not None:
        norm = QKNorm(own.query_gain, own.key_gain, own.epsilon)
    options = Options(scale=_scale(own.scale, width), mask=mask, rotary=own.rotary, qk_norm=norm)
    parameters = {name: getattr(own, name) for name in (*PROJECTIONS, "bq", "bk", "bv")}
    scene = bare.replace(X=x, options=options, **parameters)
    exact = replace(forward, dtype=np.float64, off=frozenset(), replace={})
    return scene, exact.one_head(layer - 1, head - 1, x)["weights"]


def _of_arrays(run: Run, bare: Scene, layer: int, head: int) -> tuple[Scene, Array, float]:
    """Return a head of arrays as a scene, its weights, and how close it must come to them."""
    found = run.head(layer, head)
    for name in "qkv":
        if getattr(found, name) is None:
            raise Problem(
                N_("{file} does not hold {array}, which a copy of this head needs."),
                file=_("The run"),
                array=name,
            )
    assert found.q is not None
    assert found.k is not None
    assert found.v is not None
    q, k = np.asarray(found.q, np.float64), np.asarray(found.k, np.float64)
    exact, most = np.asarray(found.weights, np.float64), _RECORDED
    visible, factor = exact > 0, 1 / math.sqrt(q.shape[1])
    if found.scores is not None:
        scores = np.asarray(found.scores, np.float64)
        made = softmax(scores)
        # Weights may have been given beside q and k alone, which then know nothing of a mask.
        if np.abs(made - exact).max() <= _RECORDED:
            exact, most, visible = made, _EXACT, ~np.isneginf(scores)
            factor = _factor(q @ k.T, scores, factor)
    scene = _given(bare, _names(run.key_tokens), q, k, found.v)
    options = Options(scale=_scale(factor, q.shape[1]), mask=_named(visible))
    return scene.replace(options=options), exact, most


def _factor(products: Array, scores: Array, usual: float) -> float:
    """Return what scores are, of the products of queries and keys; the usual where none tells."""
    seen = np.isfinite(scores)
    square = float((products[seen] ** 2).sum())
    factor = float((products[seen] * scores[seen]).sum()) / square if square > 0 else usual
    return factor if factor > 0 else usual


def _given(bare: Scene, key_tokens: tuple[str, ...], q: Any, k: Any, v: Any) -> Scene:
    """Return the scene that gives Q, K and V. Raises Problem."""
    scene = bare.replace(X=q, context=Context(key_tokens, k), V=v)
    check_scene(scene)
    return scene


def _scale(factor: float, width: int) -> Literal["sqrt_dk"] | float:
    """Return the option by which scores are divided, of what they are multiplied by."""
    usual = math.isclose(factor, width**-0.5, rel_tol=1e-6)
    return "sqrt_dk" if usual else 1 / factor


def _distance(scene: Scene, weights: Array) -> float:
    return float(np.abs(compute(scene).weights[0] - weights).max())


def _matching(scene: Scene, weights: Array | None, most: float) -> Scene:
    """Return a scene that computes these weights. Raises Problem where it does not."""
    check_scene(scene)
    if weights is not None and not (distance := _distance(scene, weights)) <= most:
        raise Problem(
            N_(
                "A scene cannot compute this head: its weights would be off by {distance}, because"
                " more is done to its scores than a scale and a mask."
            ),
            distance=f"{distance:.1g}",
        )
    return scene


def _names(words: Iterable[str]) -> tuple[str, ...]:
    """Return words as names that tokens may have."""
    return tuple(plain_text(word, LONGEST_NAME).strip() or _UNNAMED for word in words)


def _mask(
    trace: Trace, step: int, sample: int, layer: int, head: int, length: int
) -> Literal["none", "causal"] | NDArray[np.bool_]:
    """Return the mask among the real tokens: as the scores show it, else as the run says."""
    if "scores" not in trace.names:
        config = trace.run.config
        return "causal" if config is not None and config.causal else "none"
    scores: Array = trace.array("scores", step, sample, layer, head)[:length, :length]
    visible = ~np.isneginf(scores)
    return _named(visible)


def _named(visible: NDArray[np.bool_]) -> Literal["none", "causal"] | NDArray[np.bool_]:
    if visible.all():
        return "none"
    return "causal" if np.array_equal(visible, np.tri(*visible.shape, dtype=bool)) else visible
