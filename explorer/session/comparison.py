"""The scene under two settings, side by side: what each side is, and where they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.attention import MISTAKES, VARIANT_TITLES, Variant
from explorer.session.checks import check_scene
from explorer.session.edits import add_projections, set_position, set_scale, set_variant
from explorer.session.forms import set_heads
from explorer.session.frame import Drag, Frame
from explorer.session.look import Comparison, Edges
from explorer.session.resolve import fitting_look, resolve, space_dimension
from explorer.session.scene import PARAMETERS, Array, Scene
from explorer.text import N_, Message, Problem, decimal_places, display_number

_SAME = 1e-12  # of the largest magnitude: less is rounding, no difference

_BARE = N_("no projections: Q = K = V = X")
_BARE_CROSS = N_("no projections: Q = X, K = V = context")
_WITH = N_("with Wq, Wk and Wv")
_WITH_IDENTITY = N_("Wq, Wk and Wv, each the identity")

# Their scores are not divided by what the scale option says.
_UNHEEDING = (Variant.AVERAGE, Variant.SOFTMAX_FIRST, Variant.MULTIPLIED, Variant.UNSCALED)


@dataclass(frozen=True, eq=False)
class Side:
    """The scene under one of two settings.

    Parameters
    ----------
    title : Message
        Which setting: "not scaled", "÷ √2".
    scene : Scene
        The very scene on the table where that has this setting.
    """

    title: Message
    scene: Scene


@dataclass(frozen=True, eq=False)
class ScenePair:
    """Two scenes that differ in one setting: off on the left, on on the right."""

    left: Side
    right: Side


@dataclass(frozen=True)
class Facts:
    """What a setting makes of a scene.

    Parameters
    ----------
    projections : bool
        Whether there are Wq, Wk and Wv.
    parameters : int
        How many numbers of W and b there are to be learnt.
    scaling : Message
        What the scores, or else the weights or outputs, are divided or multiplied by.
    output_from : str or None
        The W whose columns say how wide the output is; None where the rows of X (or the context)
        are.
    output_width : int
        d_out.
    """

    projections: bool
    parameters: int
    scaling: Message
    output_from: str | None
    output_width: int


@dataclass(frozen=True)
class Difference:
    """The place where two sides differ most in an array, and both numbers there.

    Parameters
    ----------
    array : "A" or "output"
    query, column : int
        The column is a key of A, or a column of the output.
    """

    array: str
    query: int
    column: int
    left: float
    right: float

    @property
    def difference(self) -> float:
        """What the right one has more."""
        return self.right - self.left

    @property
    def same(self) -> bool:
        """Whether there is none but by rounding."""
        size = max(abs(self.left), abs(self.right))
        return abs(self.difference) <= _SAME * max(size, 1.0)


@dataclass(frozen=True, eq=False)
class Compared:
    """Both sides as frames, for one frame of the scene on the table.

    Parameters
    ----------
    table : Frame
        Of the scene on the table.
    sides : ScenePair
    left, right : Frame
        With the table's selection; with its projection too, where the shown points are as wide.
    """

    table: Frame
    sides: ScenePair
    left: Frame
    right: Frame

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The largest difference of the shown weights, and of the outputs where these can be."""
        found = (
            largest_difference("A", self.left.weights, self.right.weights),
            largest_difference("output", self.left.attention.output, self.right.attention.output),
        )
        return tuple(one for one in found if one is not None)


def comparisons(scene: Scene) -> tuple[Comparison, ...]:
    """Return what a scene can be compared in; the mistake where one is made."""
    has_mistake = scene.options.variant in MISTAKES
    return tuple(c for c in Comparison if has_mistake or c is not Comparison.MISTAKE)


def sides(scene: Scene, comparison: Comparison) -> ScenePair | Message:
    """Return the scene without and with a setting, or why there is no such comparison."""
    try:
        return _MADE[comparison](scene)
    except Problem as problem:
        return problem.message


def facts(scene: Scene) -> Facts:
    """Return what can be said of a scene's setting in four values."""
    from_w = "Wo" if scene.Wo is not None else "Wv" if scene.projected else None
    width = scene.heads * scene.d_v if scene.Wo is None else scene.Wo.shape[1]
    arrays = [getattr(scene, name) for name in PARAMETERS]
    return Facts(
        projections=scene.projected,
        parameters=sum(array.size for array in arrays if array is not None),
        scaling=scaling(scene),
        output_from=from_w,
        output_width=width,
    )


def scaling(scene: Scene) -> Message:
    """Return what is divided or multiplied in a scene: "÷ √2", "× √2", "all scores are 0"."""
    variant, temperature = scene.options.variant, scene.options.temperature
    root = {"d": scene.d_k}
    scale = scale_words(scene)
    match variant:
        case Variant.AVERAGE:
            return Message(N_("all scores are 0"))
        case Variant.SOFTMAX_FIRST:
            scale = Message(N_("A ÷ √{d}, after the softmax"), root)
        case Variant.MULTIPLIED:
            scale = Message(N_("× √{d}"), root)
        case Variant.UNSCALED:
            scale = Message(N_("none"))
        case Variant.OUTPUT_SCALED:
            scale = Message(N_("{scale}, output × √{d}"), {"scale": scale, **root})
    if temperature == 1.0:
        return scale
    return Message(
        N_("{scale}, temperature {temperature}"),
        {"scale": scale, "temperature": _number(temperature)},
    )


def scale_words(scene: Scene) -> Message:
    """Return what the scale option stands for: "÷ √2", "÷ 3" or "none"."""
    scale = scene.options.scale
    if scale == "none":
        return Message(N_("none"))
    if scale == "sqrt_dk":
        return Message(N_("÷ √{d}"), {"d": scene.d_k})
    return Message(N_("÷ {number}"), {"number": _number(float(scale))})


def largest_difference(array: str, left: Array, right: Array) -> Difference | None:
    """Return where two arrays, shape (T, columns), differ most; None where shapes disagree."""
    if left.shape != right.shape:
        return None
    query, column = np.unravel_index(np.abs(right - left).argmax(), left.shape)
    place = int(query), int(column)
    return Difference(array, *place, float(left[place]), float(right[place]))


def resolve_pair(frame: Frame, previous: Compared | None = None) -> Compared | Message:
    """Return both sides of the comparison that a frame's look asks for, or why there is none.

    Parameters
    ----------
    previous : Compared, optional
        The sides before: what has not changed is taken over, and axes do not flip.
    """
    comparison = frame.look.comparison
    if previous is not None and previous.table.look.comparison is not comparison:
        previous = None
    if previous is not None and previous.table.scene is frame.scene:
        made: ScenePair | Message = previous.sides
    else:
        made = sides(frame.scene, comparison)
    if isinstance(made, Message):
        return made
    left = _resolved(made.left.scene, frame, previous.left if previous is not None else None)
    right = _resolved(made.right.scene, frame, previous.right if previous is not None else None)
    scores = max(left.score_domain, right.score_domain)
    weights = max(left.weight_domain, right.weight_domain)
    return Compared(
        frame,
        made,
        replace(left, score_domain=scores, weight_domain=weights),
        replace(right, score_domain=scores, weight_domain=weights),
    )


# --- the two scenes ------------------------------------------------------------------------------


def _scales(scene: Scene) -> ScenePair | Message:
    variant = scene.options.variant
    if variant in _UNHEEDING:
        return Message(
            N_("The scale option changes nothing under “{variant}”."),
            {"variant": Message(VARIANT_TITLES[variant])},
        )
    scaled = set_scale(scene, "sqrt_dk") if scene.options.scale == "none" else scene
    left = Side(Message(N_("not scaled")), set_scale(scene, "none"))
    return ScenePair(left, Side(scale_words(scaled), scaled))


def _masks(scene: Scene) -> ScenePair:
    mask = scene.options.mask
    own = not isinstance(mask, str)
    hides = not mask.all() if isinstance(mask, np.ndarray) else mask != "none"
    left = scene if not hides else _with_option(scene, mask="none")
    right = scene if hides else _with_option(scene, mask="causal")
    title = Message(N_("the scene’s own mask")) if hides and own else Message(N_("causal mask"))
    return ScenePair(Side(Message(N_("no mask")), left), Side(title, right))


def _heads(scene: Scene) -> ScenePair:
    several = scene.heads > 1
    one = set_heads(scene, 1, split=True) if several else scene
    # W side by side is one W whose columns are the heads': neither loses a number.
    more = scene if several else set_heads(scene, 2, split=True)
    title = Message(N_("{heads} heads"), {"heads": more.heads})
    return ScenePair(Side(Message(N_("1 head")), one), Side(title, more))


def _projections(scene: Scene) -> ScenePair | Message:
    context = scene.context
    if context is not None and context.X.shape[1] != scene.d_model:
        return Message(
            N_(
                "Without projections q · k would be made of rows of X, which have {width} columns, "
                "and of rows of the context, which have {found}."
            ),
            {"width": scene.d_model, "found": context.X.shape[1]},
        )
    nothing: dict[str, Any] = dict.fromkeys(PARAMETERS)
    bare = _with_option(scene.replace(**nothing), heads=1)
    if not any(getattr(scene, name) is not None for name in PARAMETERS):
        bare = scene
    check_scene(bare)  # norms of Q and K may not fit rows of X
    left = _BARE if context is None else _BARE_CROSS
    right = _WITH if scene.projected else _WITH_IDENTITY
    return ScenePair(
        Side(Message(left), bare),
        Side(Message(right), scene if scene.projected else add_projections(scene)),
    )


def _positions(scene: Scene) -> ScenePair:
    position = scene.options.position
    absent = isinstance(position, str) and position == "none"
    left = scene if absent else _with_option(scene, position="none")
    right = set_position(scene, "sinusoidal") if absent else scene
    own = not isinstance(position, str)
    title = Message(N_("own position")) if own else Message(N_("sinusoidal position"))
    return ScenePair(Side(Message(N_("no position")), left), Side(title, right))


def _mistakes(scene: Scene) -> ScenePair | Message:
    variant = scene.options.variant
    if variant not in MISTAKES:
        return Message(N_("No mistake is made here."))
    corrected = set_variant(scene, Variant.NONE)
    if variant in _UNHEEDING:  # what these get wrong is ÷ √d_k, whatever the scale option says
        corrected = set_scale(corrected, "sqrt_dk")
    title = Message(N_("mistake: {variant}"), {"variant": Message(VARIANT_TITLES[variant])})
    return ScenePair(Side(Message(N_("without the mistake")), corrected), Side(title, scene))


_MADE: dict[Comparison, Callable[[Scene], ScenePair | Message]] = {
    Comparison.SCALE: _scales,
    Comparison.MASK: _masks,
    Comparison.HEADS: _heads,
    Comparison.PROJECTIONS: _projections,
    Comparison.POSITION: _positions,
    Comparison.MISTAKE: _mistakes,
}


def _with_option(scene: Scene, **changes: Any) -> Scene:
    return scene.replace(options=replace(scene.options, **changes))


# --- as frames -----------------------------------------------------------------------------------


def _resolved(scene: Scene, table: Frame, previous: Frame | None) -> Frame:
    """Return one side as a frame that is looked at as the table is, with attention's edges."""
    look = fitting_look(scene, replace(table.look, field=False, movements=frozenset()))
    if look.edges is Edges.NONE:  # points alone would often be the same on both sides
        look = replace(look, edges=Edges.ATTENTION)
    frame = resolve(
        scene,
        look,
        table.selection,
        table.hover,
        drag=_drag(scene, table, previous),
        invalid=table.invalid,
        previous=previous,
        attention=table.attention if scene is table.scene else None,
        axes=table.projection,
    )
    return replace(frame, slots=table.slots) if len(frame.slots) == len(table.slots) else frame


def _drag(scene: Scene, table: Frame, previous: Frame | None) -> Drag | None:
    """Return the drag as a side shows it; None where the dragged point's space is another one.

    A side whose point begins elsewhere has its own start, and no line that the hand pulls it along.
    """
    drag = table.drag
    if drag is None or space_dimension(scene, drag.space) != len(drag.start):
        return None
    if previous is None or scene is table.scene or previous.scene.tokens != scene.tokens:
        return drag
    before = previous.drag
    if before is not None and (before.space, before.token) == (drag.space, drag.token):
        start = before.start
    else:
        start = previous.points(drag.space)[drag.token]
    same = np.array_equal(start, drag.start)
    return drag if same else Drag(drag.token, start, drag.space)


def _number(value: float) -> str:
    return display_number(value, decimal_places(value, most=3, least=0))


def tint_domain(left: Array, right: Array) -> float:
    """Return the difference of two arrays that is tinted in full.

    Of 1, 2, 5, 10 … the next: in steps, so that colours stay while numbers change a little. At
    least a quarter of the largest number, so that small differences look small.
    """
    size = max(float(np.abs(left).max()), float(np.abs(right).max())) / 4
    if left.shape == right.shape:
        size = max(size, float(np.abs(right - left).max()))
    if size == 0.0:
        return 1.0
    tenth = 10.0 ** math.floor(math.log10(size))
    return next((step * tenth for step in (1, 2, 5) if step * tenth >= size), 10 * tenth)
