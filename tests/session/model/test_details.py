"""What the window keeps of a run, beside the run itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from explorer import models
from explorer.models.figures import Kind
from explorer.models.repeats import RepeatScores
from explorer.models.switches import Put
from explorer.session.model.details import TILE, detail, pair, summary
from explorer.session.model.frame import ModelFrame, Repeated
from explorer.session.model.switching import Switches
from tests.models.made import GPT2, model_folder


def test_a_summary_has_the_pieces_the_figures_and_the_tiles_of_a_run(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path))
    run = model.run("the cat sat on the mat", off={(2, 3)})
    made = summary(run, 7, switches=Switches(((1, 2, Put.ZEROS),)))
    assert (made.number, made.text, made.total) == (7, "the cat sat on the mat", 8)
    assert [piece.text for piece in made.pieces] == list(run.tokens)
    assert made.special == run.special
    assert made.square
    assert made.off == {(1, 2)}
    for layer in range(2):
        np.testing.assert_array_equal(made.tiles[layer], run.layers[layer].weights)
    assert [len(row) for row in made.kinds] == [4, 4]


def test_a_long_run_has_small_tiles_and_tells_what_was_left_out(tmp_path: Path) -> None:
    folder = model_folder(tmp_path, {**GPT2, "n_positions": 100})
    run = models.load(folder).run("the cat " * 60)
    made = summary(run, 1)
    assert made.tiles.shape == (3, 4, TILE, TILE)
    assert made.total == 122
    assert made.remarks == run.remarks


def test_a_detail_is_a_head_with_its_pairs_and_its_scale(tmp_path: Path) -> None:
    run = models.load(model_folder(tmp_path)).run("the cat sat")
    made = detail(run, 7, 1, 2)
    arrays = made.arrays
    assert (made.run, made.layer, made.head) == (7, 1, 2)
    np.testing.assert_array_equal(arrays.weights, run.head(2, 3).weights)
    assert arrays.q is not None
    assert arrays.k is not None
    assert arrays.scores is not None
    np.testing.assert_allclose(arrays.q @ arrays.k.T * made.scale, arrays.scores, atol=1e-5)
    assert len(made.pairs) == 7
    words = range(1, 4)
    assert all(each.query in words and each.key in words for each in made.pairs)
    assert made.pairs[0].weight == arrays.weights[1:4, 1:4].max()


def test_a_pair_has_its_weight_in_every_head_and_a_rank(tmp_path: Path) -> None:
    run = models.load(model_folder(tmp_path)).run("the cat sat")
    made = pair(run, 7, 2, 1)
    weights = np.stack([layer.weights[:, 2, 1] for layer in run.layers])
    np.testing.assert_allclose(made.weights, weights, atol=1e-7)
    largest = np.unravel_index(weights.argmax(), weights.shape)
    assert made.rank(int(largest[0]), int(largest[1])) == 1


def test_arrays_have_pieces_in_one_line_and_their_own_scale() -> None:
    random = np.random.default_rng(1)
    q, k = random.normal(size=(1, 2, 3, 4)), random.normal(size=(1, 2, 5, 4))
    given = {"q": q, "k": k, "scale": np.array(0.25)}
    run = models.run_of(given, tokens=["a", "b", "c"], key_tokens=list("vwxyz"))
    made = summary(run, 1)
    assert not made.square
    assert [piece.text for piece in made.key_pieces] == list("vwxyz")
    assert made.text == "a b c"
    assert all(made.text[piece.start : piece.end] == piece.text for piece in made.pieces)
    one = detail(run, 1, 0, 1)
    np.testing.assert_allclose(one.arrays.scores, q[0, 1] @ k[0, 1].T * 0.25)
    assert one.scale == 0.25


def test_heads_are_found_by_their_kind_and_by_their_scores(tmp_path: Path) -> None:
    made = summary(models.load(model_folder(tmp_path)).run("the cat sat"), 1)
    frame = ModelFrame(run=made)
    found = [pair for kind in Kind for pair in frame.heads_of(kind)]
    assert sorted(found) == [(i, h) for i in range(2) for h in range(4)]
    for kind in Kind:
        assert all(made.kinds[i][h] is kind for i, h in frame.heads_of(kind))
    assert frame.heads_of(Repeated.INDUCTION) == []
    low = np.zeros((2, 4))
    scores = RepeatScores(np.array([[0, 0.6, 0.59, 0], [0, 0, 0, 1]]), low, low)
    frame = ModelFrame(run=made, repeats=scores)
    assert frame.heads_of(Repeated.INDUCTION) == [(0, 1), (1, 3)]
    assert frame.heads_of(Repeated.DUPLICATE) == []
