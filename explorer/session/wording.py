"""One sentence and one formula about each stage, true for the scene's options."""

from __future__ import annotations

from explorer.attention import Variant
from explorer.session import Frame, Stage, position_rows
from explorer.session.masks import MaskKind, mask_kinds
from explorer.text import N_, _, displayable

LONGEST = 24  # letters of a token


def asking(frame: Frame) -> int | None:
    """Return the token whose row of weights is selected; None where none is."""
    thing = frame.selection
    if thing is None or thing.in_weights or thing.query is None:
        return None
    return thing.query if thing.query < len(frame.scene.tokens) else None


def sentence(frame: Frame) -> str:
    """Return one sentence about the active stage, true for the scene's options."""
    scene, stage, token = frame.scene, frame.look.stage, asking(frame)
    name = "" if token is None else displayable(scene.tokens[token], LONGEST)
    match stage:
        case Stage.X:
            return _("Each token is a row of numbers: one point.")
        case Stage.P:
            return _("Each place has a position, which is added to the token there.")
        case Stage.Q | Stage.K | Stage.V:
            return _projection(frame, name)
        case Stage.R:
            return _("Each query and each key turns by its position: the further on, the more.")
        case Stage.S:
            return _scores(frame)
        case Stage.A:
            return _weights(frame, name)
        case Stage.C:
            return _("The outputs of all heads stand side by side in one row.")
        case Stage.Y:
            return _("Wo turns what attention has put together into the output Y.")
        case _:
            return _output(frame, name)


def _projection(frame: Frame, name: str) -> str:
    scene, stage = frame.scene, frame.look.stage
    if scene.options.variant is Variant.HEADS_MIXED:
        return _("A mistake on purpose: the heads are split by reshape, without a transpose.")
    if scene.given:
        return _("Q, K and V are given here: they come from elsewhere.")
    if not scene.projected:
        return {
            Stage.Q: _("There is no Wq: each query is the token’s own row."),
            Stage.K: _("There is no Wk: each key is the token’s own row."),
            Stage.V: _("There is no Wv: each value is the token’s own row."),
        }[stage]
    if stage is Stage.Q and name:
        return _("{query} asks with its query, made by Wq.").format(query=name)
    return {
        Stage.Q: _("Each token asks with its query, made by Wq."),
        Stage.K: _("Each token can be found by its key, made by Wk."),
        Stage.V: _("Each token has a value to give, made by Wv."),
    }[stage]


def _scores(frame: Frame) -> str:
    match frame.scene.options.variant:
        case Variant.AVERAGE:
            return _("In the plain average every score is 0: nobody is asked.")
        case Variant.MULTIPLIED:
            return _("A mistake on purpose: scores are multiplied by √d, not divided.")
        case Variant.UNSCALED:
            return _("A mistake on purpose: the division by √d is forgotten.")
    return _("A score is large where a query and a key are long and point the same way.")


def _weights(frame: Frame, name: str) -> str:
    variant = frame.scene.options.variant
    if variant is Variant.SOFTMAX_FIRST:
        return _("A mistake on purpose: the shares are divided by √d after the softmax.")
    if variant is Variant.AVERAGE:
        if name:
            return _("{query} gives every token it may see the same share.").format(query=name)
        return _("Every token gives all it may see the same share.")
    if frame.averaged:
        return _("Shares of {count} heads, averaged: they still sum to 1.").format(
            count=frame.attention.heads
        )
    if name:
        return _(
            "{query} has 1 unit of attention to give. A higher score takes a larger share."
        ).format(query=name)
    return _("Each token has 1 unit of attention to give. A higher score takes a larger share.")


def _output(frame: Frame, name: str) -> str:
    if frame.scene.options.variant is Variant.OUTPUT_SCALED:
        return _("A mistake on purpose: the mixture of values is multiplied by √d.")
    if name:
        return _("The output of {query} mixes values, each by its share.").format(query=name)
    return _("An output mixes values, each by its share.")


def formula(frame: Frame) -> str:
    """Return the LaTeX of the active stage, true for the scene's options; "" where none fits."""
    scene, stage, head = frame.scene, frame.look.stage, frame.look.head + 1
    of_head = f"^{{({head})}}" if scene.heads > 1 else ""
    match stage:
        case Stage.X:
            rows, columns = scene.X.shape
            return rf"X \in \mathbb{{R}}^{{{rows} \times {columns}}}"
        case Stage.P:
            return "x_i + p_i"
        case Stage.Q | Stage.K | Stage.V:
            return _projecting(frame, of_head)
        case Stage.R:
            q, k = (rf"\mathrm{{norm}}({row})" if _normed(frame) else row for row in ("q_i", "k_j"))
            return rf"q'_i = {q}\, R_i, \quad k'_j = {k}\, R_j"
        case Stage.S:
            return _scoring(frame)
        case Stage.A:
            return _softmax(frame)
        case Stage.C:
            if scene.heads < 2:
                return ""
            dots = r",\; \dots" if scene.heads > 2 else ""
            return rf"c_i = [\,o_i^{{(1)}}{dots},\; o_i^{{({scene.heads})}}\,]"
        case Stage.Y:
            made = "c_i" if scene.heads > 1 else "o_i"
            return rf"y_i = {made}\, W_o" + (" + b_o" if scene.bo is not None else "")
        case _:
            shares = "a_{ij}" if not frame.averaged else rf"a_{{ij}}{of_head}"
            scaled = scene.options.variant is Variant.OUTPUT_SCALED
            factor = r"\sqrt{d_k}\," if scaled else ""
            return rf"o_i = {factor}\sum_j {shares}\, v_j"


def _projecting(frame: Frame, of_head: str) -> str:
    scene, letter = frame.scene, frame.look.stage.value.lower()
    if scene.options.variant is Variant.HEADS_MIXED or scene.given:
        return ""
    own, crossed = letter == "q", scene.context is not None
    at = "i" if own else "j"
    row = f"c_{at}" if crossed and not own else f"x_{at}"
    placed = position_rows(scene) is not None and not (crossed and not own)
    made = f"{row} + p_{at}" if placed else row
    if scene.projected:
        row = f"({made})" if placed else row
        bias = f" + b_{letter}" if getattr(scene, f"b{letter}") is not None else ""
        made = rf"{row}\, W_{letter}{of_head}{bias}"
    if letter != "v" and _normed(frame) and scene.options.rotary is None:
        made = rf"\mathrm{{norm}}({made})"
    return f"{letter}_{at} = {made}"


def _normed(frame: Frame) -> bool:
    return frame.scene.options.qk_norm is not None


def _scoring(frame: Frame) -> str:
    options, dot = frame.scene.options, r"q_i \cdot k_j"
    if options.rotary is not None:
        dot = r"q'_i \cdot k'_j"
    if options.variant is Variant.AVERAGE:
        return "s_{ij} = 0"
    if not frame.look.scaled:
        return dot
    below = [] if options.temperature == 1 else [f"{options.temperature:.4g}"]
    factor = ""
    match options.variant:
        case Variant.MULTIPLIED:
            factor = r"\sqrt{d_k}\;"
        case Variant.UNSCALED | Variant.SOFTMAX_FIRST:
            pass
        case _:
            if options.scale == "sqrt_dk":
                below.append(r"\sqrt{d_k}")
            elif options.scale != "none":
                below.append(f"{float(options.scale):.4g}")
    over = factor + dot
    under = r" \cdot ".join(below)
    return "s_{ij} = " + (rf"\frac{{{over}}}{{{under}}}" if below else over)


def _softmax(frame: Frame) -> str:
    scene = frame.scene
    if frame.averaged:
        heads = frame.attention.heads
        return rf"\bar{{a}}_{{ij}} = \frac{{1}}{{{heads}}} \sum_h a_{{ij}}^{{(h)}}"
    kinds = mask_kinds(scene)
    over = "m"
    if MaskKind.CAUSAL in kinds and len(kinds) == 1:
        over = r"m \le i"
    elif kinds:
        over = r"m\ \mathrm{seen}"
    first = scene.options.variant is Variant.SOFTMAX_FIRST
    factor = r"\frac{1}{\sqrt{d_k}}\," if first else ""
    return (
        rf"a_{{ij}} = {factor}\frac{{e^{{s_{{ij}}}}}}{{\textstyle\sum_{{{over}}} e^{{s_{{im}}}}}}"
    )


STAGE_WORDS = {
    Stage.X: N_("tokens"),
    Stage.Q: N_("query"),
    Stage.K: N_("key"),
    Stage.V: N_("value"),
    Stage.S: N_("scores"),
    Stage.A: N_("attention"),
    Stage.O: N_("output"),
    Stage.P: N_("with position"),
    Stage.R: N_("rotary"),
    Stage.C: N_("concat"),
    Stage.Y: N_("output"),
}
