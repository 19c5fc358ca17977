"""What the tables' titles say: true for every scale, variant, mask and number of heads."""

from __future__ import annotations

from explorer.attention import Variant
from explorer.kit.wording import root, scaling
from explorer.session import Frame, Stage
from explorer.text import _, decimal_places, display_number


def scores_words(frame: Frame) -> str:
    """Return what S is."""
    if frame.attention.heads == 1:
        return _("scores")
    return _("scores of head {head}").format(head=frame.look.head + 1)


def scaling_label(frame: Frame) -> str | None:
    """Return what becomes of raw scores, "÷ √2", "÷ 3 ÷ 0.5" or "masked"; None for nothing."""
    if frame.attention.variant is Variant.AVERAGE:
        return _("all 0")
    if frame.attention.mask is None:
        return scaling(frame) or None
    return scaling(frame) or _("masked")


def weights_words(frame: Frame) -> str:
    """Return whose A it is, and what its rows sum to."""
    what = _("attention")
    if frame.averaged:
        what = _("average of {heads} heads").format(heads=frame.attention.heads)
    elif frame.attention.heads > 1:
        what = _("head {head} of {heads}").format(
            head=frame.look.head + 1, heads=frame.attention.heads
        )
    mask, total = frame.attention.mask, 1.0 / frame.attention.weight_divisor
    sums = display_number(total, decimal_places(total, most=3, least=0))
    if mask is None or mask.any(axis=1).all():
        return _("{what}, each row sums to {total}").format(what=what, total=sums)
    if not mask.any():
        return _("{what}, every key is masked").format(what=what)
    return _("{what}, rows sum to {total} or are all masked").format(what=what, total=sums)


def fill_words(frame: Frame) -> str:
    """Return which numbers are to be filled in, of a frame in which some are."""
    look, blank = frame.look, frame.look.blank
    assert blank is not None
    said = []
    if blank.table is Stage.S:
        said.append((scaling_label(frame) if look.scaled else None) or "QKᵀ")
    if frame.attention.heads > 1 and look.version(blank.table)[0]:
        said.append(_("head {head}").format(head=look.head + 1))
    return _(", ").join([*said, _("fill in by hand")])


def output_words(frame: Frame) -> str:
    """Return what O is."""
    one = frame.attention.heads == 1
    head, scaled = frame.look.head + 1, frame.attention.variant is Variant.OUTPUT_SCALED
    if scaled and one:
        return _("output × {root}").format(root=root(frame))
    if scaled:
        return _("output of head {head} × {root}").format(head=head, root=root(frame))
    return _("output") if one else _("output of head {head}").format(head=head)
