"""What the comparison says and tints, for both sides alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.compare import CompareView
from explorer.rooms.explore.compare.column import said
from explorer.rooms.explore.compare.tables import BesideSource, OutputBeside, output_role
from explorer.rooms.explore.compare.view import differences_said
from explorer.session import (
    Comparison,
    Look,
    Options,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    fitting_look,
    resolve,
)
from explorer.session.comparison import Compared, facts, resolve_pair

THEME = Theme()


def compared(scene: Scene, comparison: Comparison, **look: object) -> Compared:
    asked = fitting_look(scene, Look(comparison=comparison, **look))
    found = resolve_pair(resolve(scene, asked))
    assert isinstance(found, Compared)
    return found


def random_scene(T: int = 3, d: int = 2, **fields: object) -> Scene:
    rng = np.random.default_rng(1)
    made = {name: rng.normal(size=(d, d)) for name in ("Wq", "Wk", "Wv")}
    tokens = tuple(f"t{i}" for i in range(T))
    return Scene(**({"tokens": tokens, "X": rng.normal(size=(T, d))} | made | fields))


# --- words ---------------------------------------------------------------------------------------


def test_the_largest_differences_are_named_with_their_sign() -> None:
    assert differences_said(compared(SAMPLE, Comparison.SCALE)) == (
        "Largest difference: A[cloud, cloud] 0.464 → 0.403, −0.061; "
        "output[cloud, 1] −0.114 → −0.029, +0.086."
    )


def test_tokens_of_one_name_are_told_apart_by_their_numbers() -> None:
    scene = SAMPLE.replace(tokens=("cat", "likes", "fish", "cat"))
    text = differences_said(compared(scene, Comparison.SCALE))
    assert "A[cat #4, cat #4]" in text
    assert "output[cat #4, 1]" in text


def test_small_differences_get_the_decimals_they_need() -> None:
    scene = random_scene(X=np.array([[1e-3, 0.0], [0.0, 1e-3], [1e-3, 1e-3]]))
    text = differences_said(compared(scene, Comparison.SCALE))
    for part in text.removeprefix("Largest difference: ").removesuffix(".").split("; "):
        numbers = part.split("] ")[1].replace("−", "-").replace("→", ",").split(",")
        left, right, more = (float(number) for number in numbers)
        assert left != right
        assert more == pytest.approx(right - left, rel=0.6)


def test_outputs_of_other_widths_are_said_to_be_so() -> None:
    thin = random_scene(Wv=np.ones((2, 1)))
    assert differences_said(compared(thin, Comparison.PROJECTIONS)).endswith(
        " The outputs have different widths."
    )
    same = thin.replace(Wq=np.eye(2), Wk=np.eye(2))
    assert differences_said(compared(same, Comparison.PROJECTIONS)) == (
        "Both sides compute the same A; their outputs have different widths."
    )


def test_names_are_plain_and_short() -> None:
    scene = SAMPLE.replace(tokens=("a" * 40, "<b>x</b>", "c", "\u202e" + "w" * 40))
    text = differences_said(compared(scene, Comparison.SCALE))
    assert "\u202e" not in text
    assert "w" * 25 not in text


def test_the_output_is_chosen_by_the_last_w() -> None:
    for fields, words in (
        ({}, "2, chosen by Wv"),
        ({"Wo": np.ones((2, 5))}, "5, chosen by Wo"),
        (dict.fromkeys(("Wq", "Wk", "Wv")), "2, that of X"),
    ):
        assert dict(said(facts(random_scene(**fields))))["Output width d_out"] == words


# --- tables --------------------------------------------------------------------------------------


def test_a_cell_is_tinted_as_the_other_sides_is_the_other_way_round() -> None:
    both = compared(SAMPLE, Comparison.SCALE)
    left = BesideSource(both.left, both.right, THEME)
    right = BesideSource(both.right, both.left, THEME)
    assert left.domain == right.domain
    np.testing.assert_array_equal(left.more, -right.more)
    more = THEME.scores_map
    for i in range(4):
        for j in range(4):
            difference = both.left.weights[i, j] - both.right.weights[i, j]
            assert left.fill(i, j) == more.fill(difference, left.domain)
            assert right.fill(i, j) == more.fill(-difference, left.domain)
    assert "more than on the other side" in left.tip(0, 0)
    assert "less than on the other side" in right.tip(0, 0)


def test_a_masked_cell_stays_hatched_and_the_other_side_has_more() -> None:
    both = compared(SAMPLE, Comparison.MASK)
    left = BesideSource(both.left, both.right, THEME)
    right = BesideSource(both.right, both.left, THEME)
    assert right.hatched(0, 3)
    assert right.fill(0, 3) is None
    assert right.text(0, 3) == ""
    assert left.more[0, 3] == both.left.weights[0, 3]


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({}, Role.O),
        ({"options": Options(heads=2)}, Role.C),
        ({"Wo": np.ones((2, 3))}, Role.Y),
        ({"Wo": np.ones((2, 3)), "options": Options(heads=2)}, Role.Y),
    ],
)
def test_a_row_of_the_output_selects_what_the_table_calls_it(
    fields: dict[str, object], role: Role
) -> None:
    scene = random_scene(**fields)
    both = compared(scene, Comparison.SCALE)
    source = OutputBeside(both.left, both.right, both.table, THEME)
    assert output_role(both.table) is role
    assert source.selection(1, 0) == Selection(role, query=1, column=0)
    assert source.place(Selection(role, query=1, column=0)) == (1, 0)
    np.testing.assert_array_equal(source.values, both.left.attention.output)
    # Of what only this side has as many columns, the row is selected.
    assert source.selection(1, source.shape[1]).column is None


# --- the view ------------------------------------------------------------------------------------


def view_of(qtbot: QtBot, size: tuple[int, int]) -> CompareView:
    view = CompareView(THEME)
    qtbot.addWidget(view)
    view.resize(*size)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_tables_stand_beside_each_other_where_there_is_room(qtbot: QtBot) -> None:
    wide = view_of(qtbot, (836, 704))
    frame = resolve(SAMPLE, Look(comparison=Comparison.SCALE))
    wide.draw(frame)
    tables = wide.left.tables
    assert tables.outputs.x() > tables.weights.x()
    assert tables.outputs.y() == tables.weights.y()
    assert tables.outputs.table.height() == tables.weights.table.height()
    narrow = view_of(qtbot, (480, 400))
    narrow.draw(frame)
    tables = narrow.left.tables
    assert tables.outputs.y() > tables.weights.y()


def test_another_kind_of_picture_is_fitted_and_a_chosen_view_stays(qtbot: QtBot) -> None:
    view = view_of(qtbot, (836, 704))
    look = Look(comparison=Comparison.SCALE)
    view.draw(resolve(SAMPLE, look))
    plane = view.left.plane
    assert plane.rect().contains(plane.screen_point(Space.X, 3).toPoint())
    far = SAMPLE.replace(X=SAMPLE.X * 50)
    view.draw(resolve(far, look))
    assert plane.rect().contains(plane.screen_point(Space.X, 3).toPoint())
    view.draw(resolve(far, look.at_stage(Stage.O)))
    for row in range(4):
        assert plane.rect().contains(plane.screen_point(Space.O, row).toPoint())


def test_of_a_large_scene_the_outputs_are_compared_while_the_window_goes_on(qtbot: QtBot) -> None:
    heads = {name: np.random.default_rng(3).normal(size=(4, 4, 3)) for name in ("Wq", "Wk", "Wv")}
    view = CompareView(THEME)
    qtbot.addWidget(view)
    view.show()
    frame = resolve(random_scene(T=256, d=4, **heads, options=Options(heads=4)))
    view.draw(frame)
    assert view.difference.text() == "Comparing all heads…"
    assert not view.left.tables.outputs.table.isVisible()
    made = resolve_pair(frame)
    assert isinstance(made, Compared)
    qtbot.waitUntil(lambda: view.difference.text() == differences_said(made))
    assert view.left.tables.outputs.table.isVisible()
    view.draw(frame)  # what is known is there at once
    assert view.difference.text() == differences_said(made)


def test_two_heads_say_whose_weights_are_shown(qtbot: QtBot) -> None:
    view = view_of(qtbot, (836, 704))
    scene = random_scene(options=Options(heads=2))
    frame = resolve(scene, Look(comparison=Comparison.HEADS, head=1))
    view.draw(frame)
    assert "attention of head 2" in view.right.tables.weights.title.visible_text
    assert "attention of head" not in view.left.tables.weights.title.visible_text
    view.draw(resolve(scene, replace(frame.look, average=True)))
    assert "mean over heads" in view.right.tables.weights.title.visible_text
