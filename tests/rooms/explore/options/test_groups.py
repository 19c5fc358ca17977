"""Every group of options on every frame, and the options in a line."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.attention import Variant
from explorer.kit.theme import Theme
from explorer.rooms.explore.options.box import options_summary
from explorer.rooms.explore.options.group import Group
from explorer.rooms.explore.options.groups import GROUPS
from explorer.session import Context, Scene, Sequence, resolve
from tests.rooms.conftest import AWKWARD
from tests.rooms.explore.options.conftest import FOUR, FULL, OWN, PADDED, check, with_options

# --- in a line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "summary"),
    [
        (FOUR, "÷ √d · no mask"),
        (with_options(scale="none", mask="causal"), "not scaled · causal"),
        (with_options(scale=3.0, mask=OWN), "÷ 3 · own mask"),
        (with_options(scale=2.5), "÷ 2.5 · no mask"),
        (with_options(scale=1e-5, temperature=0.5), "÷ 1e−5 · T 0.5 · no mask"),
        (with_options(mask=PADDED), "÷ √d · padding"),
        (with_options(mask=np.ones((4, 4), bool)), "÷ √d · no mask"),
        (with_options(variant=Variant.AVERAGE, temperature=2.0), "plain average · no mask"),
        (
            with_options(variant=Variant.OUTPUT_SCALED, scale=3.0),
            "mistake: output × √d · ÷ 3 · no mask",
        ),
        (
            with_options(variant=Variant.UNSCALED, temperature=2.0),
            "mistake: ÷ √d forgotten · T 2 · no mask",
        ),
        (Scene(FOUR.tokens, FOUR.X), "÷ √d · no projections"),
        (
            with_options(
                FOUR.replace(
                    context=Context(FOUR.tokens, FOUR.X),
                    bq=np.zeros(2),
                    bo=np.zeros(2),
                    Wo=np.eye(2),
                    others=(Sequence(("a",), [[1, 2]], Context(("b",), [[1, 2]])),),
                ),
                heads=2,
                scale=3.0,
                temperature=0.5,
                mask="causal",
                position="sinusoidal",
            ),
            "÷ 3 · T 0.5 · causal · 2 heads · bq bo · Wo · sinusoidal · cross-attention"
            " · 2 sequences",
        ),
        (with_options(position=np.zeros((4, 2))), "÷ √d · own position"),
    ],
)
def test_whatever_departs_from_plain_attention_is_named(scene: Scene, summary: str) -> None:
    assert options_summary(scene) == summary


# --- every group ---------------------------------------------------------------------------------


@pytest.fixture(params=GROUPS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[Group]:
    chosen: type[Group] = request.param
    return chosen


def test_every_group_draws_any_frame(shown, kind: type[Group]) -> None:
    it = shown(kind)
    for name, make in AWKWARD.items():
        check(it, make(), name)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, percent=150)], ids=["100", "150"])
def test_every_group_draws_any_options(shown, kind: type[Group], theme: Theme) -> None:
    it = shown(kind, theme=theme)
    for name, scene in FULL.items():
        check(it, resolve(scene), name)
        it.group.retheme(Theme())
        it.group.retheme(theme)
        check(it, resolve(scene), name)


def test_every_group_has_a_caption(shown, kind: type[Group]) -> None:
    it = shown(kind)
    assert it.group.caption.text()
    assert it.group.caption.isVisible()
