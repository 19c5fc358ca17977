"""All options in a line."""

from __future__ import annotations

from explorer.attention import VARIANT_TITLES, Variant
from explorer.rooms.explore.options.fields import short_number
from explorer.session import Options, Scene
from explorer.session.masks import MaskKind, mask_kinds
from explorer.text import N_, _, ngettext

_MASKS = {
    MaskKind.CAUSAL: N_("causal"),
    MaskKind.PADDING: N_("padding"),
    MaskKind.OTHER: N_("own mask"),
}
_NO_SCALE = frozenset(
    {Variant.AVERAGE, Variant.SOFTMAX_FIRST, Variant.MULTIPLIED, Variant.UNSCALED}
)


def options_summary(scene: Scene) -> str:
    """Return whatever departs from plain attention, such as "÷ √d · no mask" or "÷ 3 · causal"."""
    options = scene.options
    parts = [*_scale(options)]
    mask = [_(_MASKS[kind]) for kind in mask_kinds(scene)]
    rest = _rest(scene)
    if not mask and not rest:
        mask = [_("no mask")]
    return " · ".join((*parts, *mask, *rest))


def uses_scale(variant: Variant) -> bool:
    """Return whether the scale has a say in a variant."""
    return variant not in _NO_SCALE


def _scale(options: Options) -> list[str]:
    parts = []
    if options.variant is Variant.AVERAGE:
        parts.append(_("plain average"))
    elif options.variant is not Variant.NONE:
        parts.append(_("mistake: {title}").format(title=_(VARIANT_TITLES[options.variant])))
    if uses_scale(options.variant):
        if options.scale == "sqrt_dk":
            parts.append(_("÷ √d"))
        elif options.scale == "none":
            parts.append(_("not scaled"))
        else:
            parts.append(f"÷ {short_number(options.scale)}")
    if options.temperature != 1 and options.variant is not Variant.AVERAGE:
        parts.append(_("T {temperature}").format(temperature=short_number(options.temperature)))
    return parts


def _rest(scene: Scene) -> list[str]:
    parts = []
    if not scene.projected:
        parts.append(_("no projections"))
    if scene.heads > 1:
        parts.append(ngettext("{n} head", "{n} heads", scene.heads).format(n=scene.heads))
    biases = [name for name in ("bq", "bk", "bv", "bo") if getattr(scene, name) is not None]
    if biases:
        parts.append(" ".join(biases))
    if scene.Wo is not None:
        parts.append("Wo")
    position = scene.options.position
    if not isinstance(position, str):
        parts.append(_("own position"))
    elif position == "sinusoidal":
        parts.append(_("sinusoidal"))
    if scene.context is not None:
        parts.append(_("cross-attention"))
    if scene.others:
        count = len(scene.others) + 1
        parts.append(ngettext("{n} sequence", "{n} sequences", count).format(n=count))
    return parts
