"""What a model folder holds, and what it does with a text, as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from explorer.cli.compute import table
from explorer.models.effects import Followed, effects
from explorer.models.figures import Figures, Pair, run_figures, strongest_pairs
from explorer.models.model import Model
from explorer.models.model_run import ModelRun
from explorer.models.next_token import NextTokens, next_tokens
from explorer.models.run import Head
from explorer.text import N_, _, ascii_number, columns_taken, joined, listed, plain_text
from explorer.text.layout import json_text

_PAIRS = 7
_WORDS = 9
_LONGEST = 24
_HEAD = ("x", "q", "k", "v", "scores", "weights", "output")
_KINDS = {
    "previous": N_("previous"),
    "next": N_("next"),
    "self": N_("self"),
    "first": N_("first"),
    "end": N_("end"),
    "broad": N_("broad"),
    "other": N_("other"),
}


def model_json(model: Model) -> Iterator[str]:
    """Yield one JSON object that describes a model folder."""
    plan = model.plan
    yield json_text(
        {
            "family": plan.family,
            "layers": plan.layers,
            "heads": plan.heads,
            "key_heads": plan.key_heads,
            "width": plan.width,
            "head_width": plan.head_width,
            "inner": plan.inner,
            "vocabulary": plan.vocabulary,
            "positions": plan.positions,
            "made_for": model.made_for or None,
            "causal": plan.causal,
            "windows": list(plan.windows) if any(plan.windows) else None,
            "rotary": None
            if plan.rotary is None
            else {name: getattr(plan.rotary, name) for name in ("dims", "base", "scaling")},
            "activation": plan.activation,
            "predicts": plan.has_logits,
            "tokenizer": model.tokenizer is not None,
            "numbers": model.weights.count,
            "bytes": model.weights.nbytes,
            "types": model.weights.types,
        },
        ascii_only=True,
    )


def model_table(model: Model) -> Iterator[str]:
    """Yield the lines of a short description of a model folder."""
    plan = model.plan
    positions = str(plan.positions)
    if model.made_for:
        positions = _("{count}, made for {fewer}").format(count=positions, fewer=model.made_for)
    heads = str(plan.heads)
    if plan.key_heads != plan.heads:
        heads = _("{count}, {shared} of K and V").format(count=heads, shared=plan.key_heads)
    sees = _("itself and those before") if plan.causal else _("all tokens")
    window = max(filter(None, plan.windows), default=None)
    if window is not None:
        sees = joined((sees, _("at most {count}").format(count=window)))
    numbers = listed(model.weights.types)
    yes, no = _("yes"), _("no")
    facts = (
        (_("Family"), plan.family),
        (_("Layers"), str(plan.layers)),
        (_("Heads"), heads),
        (_("Width"), _("{width}, {head} a head").format(width=plan.width, head=plan.head_width)),
        (_("Vocabulary"), str(plan.vocabulary)),
        (_("Positions"), positions),
        (_("A token sees"), sees),
        (_("Predicts tokens"), yes if plan.has_logits else no),
        (_("Tokenizer"), yes if model.tokenizer is not None else no),
        (
            _("Weights"),
            _("{count} numbers, {size} MB, {types}").format(
                count=model.weights.count,
                size=ascii_number(model.weights.nbytes / 10**6, 1),
                types=numbers,
            ),
        ),
    )
    width = max(columns_taken(name) for name, _text in facts) + 2
    for name, text in facts:
        yield name + " " * (width - columns_taken(name)) + plain_text(text)


def run_json(
    run: ModelRun, head: tuple[int, int] | None, what: Followed | None = None
) -> Iterator[str]:
    """Yield one JSON object: the figures of all heads, or every number of one head.

    what : what the effect of each head is told of; None for no effects
    """
    told: dict[str, Any] = {
        "family": run.model.plan.family,
        "tokens": list(run.tokens),
        "ids": list(run.ids),
        "special": list(run.special),
        "left_out": run.left_out,
        "off": [list(each) for each in sorted(run.off)],
    }
    if what is not None:
        told["effects"] = [asdict(each) for each in effects(run, what)]
    figures = run_figures(run)
    if head is not None:
        layer, number = head
        one = run.head(layer, number)
        told |= {
            "layer": layer,
            "head": number,
            **_figures(figures, layer, number),
            "pairs": [_pair(run, each) for each in _strongest(run, one)],
        }
        told |= {name: getattr(one, name) for name in _HEAD}
        yield json_text(told, ascii_only=True)
        return
    told["heads"] = [
        {
            "layer": layer,
            "head": number,
            **_figures(figures, layer, number),
            "strongest": _pair(run, pair[0]) if pair else None,
        }
        for layer, number, pair in _first_pairs(run)
    ]
    expected = _expected(run)
    if expected is not None:
        told["next"] = [
            {"id": row.id, "token": row.text, "probability": row.probability}
            for row in expected.rows
        ]
        told["others"], told["next_entropy"] = expected.others, expected.entropy
    yield json_text(told, ascii_only=True)


def run_table(
    run: ModelRun, head: tuple[int, int] | None, what: Followed | None = None
) -> Iterator[str]:
    """Yield the lines of tables: the figures of all heads, or the weights of one head.

    what : what the effect of each head is told of; None for no effects
    """
    yield from map(str, run.remarks)
    figures = run_figures(run)
    if head is None:
        yield from _all_heads(run, figures)
        yield from _effects(run, what)
        return
    layer, number = head
    one = run.head(layer, number)
    told = _figures(figures, layer, number)
    most = ascii_number(float(figures.most[layer - 1]), 2)
    yield _("layer {layer} head {head}: {kind}").format(
        layer=layer, head=number, kind=_(_KINDS[told["kind"]])
    )
    yield _("entropy {bits} of {most} bit, mean distance {distance}").format(
        bits=ascii_number(told["entropy"], 2),
        most=most,
        distance=ascii_number(told["distance"], 1),
    )
    yield ""
    yield from table(_("weights"), run.tokens, run.key_tokens, one.weights)
    yield _("strongest pairs")
    for pair in _strongest(run, one):
        yield _pair_line(run, pair)
    yield from _effects(run, what)


def _all_heads(run: ModelRun, figures: Figures) -> Iterator[str]:
    rows = [(_("head"), _("kind"), _("entropy"), _("distance"), _("strongest pair"))]
    for layer, number, pair in _first_pairs(run):
        told = _figures(figures, layer, number)
        rows.append(
            (
                f"{layer}.{number}",
                _(_KINDS[told["kind"]]),
                ascii_number(told["entropy"], 2),
                ascii_number(told["distance"], 1),
                _pair_line(run, pair[0]) if pair else "",
            )
        )
    widths = [max(map(columns_taken, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            text + " " * (width - columns_taken(text))
            for text, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
    expected = _expected(run)
    if expected is not None:
        yield ""
        yield _("next token (entropy {bits} bit)").format(bits=ascii_number(expected.entropy, 2))
        for each in expected.rows:
            yield f"{ascii_number(each.probability, 4)}  {plain_text(each.text, _LONGEST)}"
        yield f"{ascii_number(expected.others, 4)}  {_('all others')}"


def _effects(run: ModelRun, what: Followed | None) -> Iterator[str]:
    """Yield the effect of each head, the largest fall first."""
    if what is None:
        return
    found = sorted(effects(run, what), key=lambda each: each.change)
    if not found:
        return
    yield ""
    before = ascii_number(found[0].before, 4)
    if what.place is None:
        yield _("cosine of the text's vector to what it was, each head off alone")
    else:
        word = plain_text(run.model.text_of(what.word), _LONGEST)
        yield _("probability of {word}, {before}, each head off alone").format(
            word=word, before=before
        )
    for each in found:
        change = ascii_number(each.change, 4)
        sign = "" if change.startswith("-") else "+"
        yield f"{each.layer}.{each.head}  {ascii_number(each.after, 4)}  {sign}{change}"


def _first_pairs(run: ModelRun) -> Iterator[tuple[int, int, tuple[Pair, ...]]]:
    for layer, each in enumerate(run.layers, start=1):
        for number, weights in enumerate(each.weights, start=1):
            yield layer, number, strongest_pairs(weights, 1, run.special)


def _strongest(run: ModelRun, head: Head) -> tuple[Pair, ...]:
    return strongest_pairs(head.weights, _PAIRS, run.special)


def _figures(figures: Figures, layer: int, head: int) -> dict[str, Any]:
    at = layer - 1, head - 1
    return {
        "kind": str(figures.kinds[at[0]][at[1]]),
        "entropy": float(figures.entropy[at]),
        "distance": float(figures.distance[at]),
    }


def _pair(run: ModelRun, pair: Pair) -> dict[str, Any]:
    """Return a pair with places that count from 1."""
    return {
        "query": pair.query + 1,
        "key": pair.key + 1,
        "tokens": [run.tokens[pair.query], run.key_tokens[pair.key]],
        "weight": pair.weight,
    }


def _pair_line(run: ModelRun, pair: Pair) -> str:
    query = plain_text(run.tokens[pair.query], _LONGEST)
    key = plain_text(run.key_tokens[pair.key], _LONGEST)
    return f"{ascii_number(pair.weight, 3)}  {query} {pair.query + 1} -> {key} {pair.key + 1}"


def _expected(run: ModelRun) -> NextTokens | None:
    plan = run.model.plan
    return next_tokens(run, _WORDS) if plan.causal and plan.has_logits else None
