"""What is said of a scene before an audience."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.attention import Variant
from explorer.kit.formula import drawn
from explorer.kit.theme import Theme
from explorer.rooms.present.wording import sheet_html
from explorer.session import (
    Look,
    Role,
    Selection,
    Stage,
    edits,
    fitting_look,
    read_scene,
    resolve,
    stages_of,
)
from explorer.session.lesson import Question, Sheet
from explorer.session.wording import formula, sentence

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.json"))
CAT = read_scene(next(path for path in EXAMPLES if path.stem == "cat-likes-fish"))


def at(scene, stage: Stage, *, scaled: bool = True):
    """Return the frame of a scene at a stage, with its first token selected."""
    look = fitting_look(scene, Look(scaled=scaled).at_stage(stage))
    return resolve(scene, look, Selection(Role.X, 0))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_stage_of_every_variant_has_a_sentence_and_formulas_parse(path):
    scene = read_scene(path)
    for variant in Variant:
        changed = edits.set_variant(scene, variant)
        for stage in stages_of(changed):
            frame = at(changed, stage)
            assert 0 < len(sentence(frame).split()) <= 25
            tex = formula(frame)
            if tex:
                assert drawn(tex, 44, "#000000", {}).smallest >= 20


def test_the_division_is_the_scenes():
    assert r"\sqrt{d_k}" in formula(at(CAT, Stage.S))
    assert "frac" not in formula(at(CAT, Stage.S, scaled=False))
    assert "frac" not in formula(at(edits.set_scale(CAT, "none"), Stage.S))
    assert "{1.5}" in formula(at(edits.set_scale(CAT, 1.5), Stage.S))
    warm = formula(at(edits.set_temperature(CAT, 0.5), Stage.S))
    assert r"0.5 \cdot \sqrt{d_k}" in warm
    assert formula(at(edits.set_variant(CAT, Variant.AVERAGE), Stage.S)) == "s_{ij} = 0"


def test_the_sum_is_over_what_may_be_seen():
    assert r"\sum_{m} " in formula(at(CAT, Stage.A))
    assert r"\sum_{m \le i} " in formula(at(edits.set_mask(CAT, "causal"), Stage.A))


def test_a_mistake_is_called_one():
    for variant, stage in (
        (Variant.SOFTMAX_FIRST, Stage.A),
        (Variant.MULTIPLIED, Stage.S),
        (Variant.OUTPUT_SCALED, Stage.O),
        (Variant.UNSCALED, Stage.S),
        (Variant.HEADS_MIXED, Stage.Q),
    ):
        assert "mistake" in sentence(at(edits.set_variant(CAT, variant), stage))


def test_the_selected_token_is_named():
    assert sentence(at(CAT, Stage.A)).startswith("cat has 1 unit of attention")


@pytest.mark.parametrize("choices", [(), ("Larger", "Smaller")])
def test_a_room_is_asked_in_the_lessons_own_words_where_a_question_is_the_same_of_all(choices):
    def said(general: bool) -> str:
        question = Question("Is this number larger?", choices, general=general)
        text = "A turn. Does cat get more from fish?"
        sheet = Sheet("Turns", 0, 1, text, "A turn.", question=question)
        return sheet_html(sheet, str, Theme())

    assert "Does cat get more from fish?" in said(True)
    assert "Is this number larger?" not in said(True)
    assert "Is this number larger?" in said(False)
