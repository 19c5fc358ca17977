"""One head of a recorded step as a scene that can be dragged."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.session.checks import check_scene
from explorer.session.scene import PROJECTIONS, Array, Options, Scene
from explorer.text import N_, Problem, _, plain_text
from explorer.text.plain import LONGEST_NAME
from explorer.traces import Trace

_UNNAMED = "·"  # a word without a character that can be shown
_LONGEST_TITLE = 48


def head_scene(trace: Trace, step: int, sample: int, layer: int, head: int) -> Scene:
    """Return the attention of one head as a scene: its real X, Wq, Wk, Wv, biases and mask.

    Padding is left out. The title says where it came from. All indices count from 0.

    Raises
    ------
    Problem
        Where the trace does not hold what is needed, or a scene cannot be that large.
    BadStep
        Where the step holds values that are no numbers.
    """
    names = {name: f"param.layers.{layer}.{name}" for name in (*PROJECTIONS, "bq", "bk", "bv")}
    for name in ("x", *(names[name] for name in PROJECTIONS)):
        if name not in trace.names:
            raise Problem(
                N_("{file} does not hold {array}, which a copy of this head needs."),
                file=trace.title,
                array=name,
            )
    length = int(trace.lengths[sample])
    words = trace.words(sample)
    scene = Scene(
        tokens=tuple(plain_text(word, LONGEST_NAME).strip() or _UNNAMED for word in words),
        X=trace.array("x", step, sample, layer)[:length],
        options=Options(mask=_mask(trace, step, sample, layer, head, length)),
        title=_("{words}, epoch {epoch}, layer {layer}, head {head}").format(
            words=plain_text(" ".join(words), _LONGEST_TITLE),
            epoch=int(trace.epochs[step]),
            layer=layer + 1,
            head=head + 1,
        ),
    )
    scene = scene.replace(
        **{
            name: trace.array(array, step, head=head)
            for name, array in names.items()
            if array in trace.names
        }
    )
    check_scene(scene)
    return scene


def _mask(
    trace: Trace, step: int, sample: int, layer: int, head: int, length: int
) -> Literal["none", "causal"] | NDArray[np.bool_]:
    """Return the mask among the real tokens: as the scores show it, else as the run says."""
    if "scores" not in trace.names:
        config = trace.run.config
        return "causal" if config is not None and config.causal else "none"
    scores: Array = trace.array("scores", step, sample, layer, head)[:length, :length]
    visible = ~np.isneginf(scores)
    if visible.all():
        return "none"
    return "causal" if np.array_equal(visible, np.tri(length, dtype=bool)) else visible
