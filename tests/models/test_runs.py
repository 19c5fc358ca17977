"""Runs of a model: texts, pieces, heads one by one, replacements, switching off, what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from explorer import models
from explorer.models import Model, Piece
from explorer.text import Problem, use_language
from tests.models.made import BERT, GPT2, LLAMA, arrays_of, model_folder

ARRAYS = ("q", "k", "v", "scores", "weights")


@pytest.fixture(params=["bert", "gpt2", "llama"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Model:
    config = {"bert": BERT, "gpt2": GPT2, "llama": LLAMA}[request.param]
    return models.load(model_folder(tmp_path / request.param, config))


def test_a_text_is_taken_apart_into_pieces(model: Model) -> None:
    run = model.run("The cat sat,  aba")
    assert run.tokens == ("[CLS]", "the", "cat", "sat", "[UNK]", "a", "b", "a", "[SEP]")[:0] or [
        piece.token for piece in run.pieces
    ] == ["[CLS]", "the", "cat", "sat", "[UNK]", "a", "##b", "##a", "[SEP]"]
    assert run.tokens == ("[CLS]", "The", "cat", "sat", ",", "a", "b", "a", "[SEP]")
    assert run.special == (True, *[False] * 7, True)
    assert run.pieces[3] == Piece("sat", "sat", 8, 11)
    assert [piece.continues for piece in run.pieces] == [*[False] * 6, True, True, False]
    assert run.key_tokens == run.tokens
    assert run.remarks == ()


def test_pieces_of_bytes_are_pieces_of_the_text(tmp_path: Path) -> None:
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.decoder = ByteLevelDecoder()
    trainer = BpeTrainer(
        vocab_size=300,
        initial_alphabet=ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(["the cat sat on the mat"] * 3, trainer)
    folder = model_folder(tmp_path, GPT2 | {"vocab_size": 400}, tokenizer=False)
    tokenizer.save(str(folder / "tokenizer.json"))
    model = models.load(folder)
    text = "the cat  sät\n字 on"
    run = model.run(text)
    covered = [False] * len(text)
    for piece in run.pieces:
        assert text[piece.start : piece.end].strip(" ") in (piece.text, "")
        covered[piece.start : piece.end] = [True] * (piece.end - piece.start)
    assert [c for c, seen in zip(text, covered, strict=True) if not seen and c != " "] == []
    assert run.tokens[:2] == ("the", "cat")
    assert not run.pieces[1].continues
    assert run.pieces[1].token == "Ġcat"
    assert model.text_of(run.ids[1]) == " cat"
    # A character of several bytes is several pieces, which all show it.
    assert run.tokens.count("字") == 3
    assert model.run(ids=run.ids).tokens[1] == " cat"
    # Without the text around them they are no letter: each keeps the name by which it is told.
    bytes_alone = {model.text_of(run.ids[run.tokens.index("字") + n]) for n in range(3)}
    assert len(bytes_alone) == 3
    assert "\ufffd" not in bytes_alone


def test_one_head_is_a_row_of_its_layer(model: Model) -> None:
    run = model.run("the cat sat on a mat", off={(2, 3)})
    for i, layer in enumerate(run.layers, start=1):
        for h in range(4):
            head = run.head(i, h + 1)
            for name in ARRAYS:
                np.testing.assert_allclose(
                    getattr(head, name), getattr(layer, name)[h], rtol=2e-5, atol=2e-6
                )
            np.testing.assert_allclose(head.output, layer.head_output[h], rtol=2e-5, atol=2e-6)
            np.testing.assert_array_equal(head.x, layer.x)
            np.testing.assert_allclose(head.weights.sum(axis=-1), 1, rtol=1e-5)
            np.testing.assert_allclose(layer.row(4)[h], layer.weights[h, 4], rtol=2e-5, atol=2e-6)
    assert (run.head(2, 3).output == 0).all()


@pytest.mark.parametrize("place", [(0, 1), (1, 0), (9, 1), (1, 5), (-1, 1)])
def test_heads_are_counted_from_one(model: Model, place: tuple[int, int]) -> None:
    run = model.run("the cat")
    for ask in (lambda: run.head(*place), lambda: model.run("the cat", off={place})):
        with pytest.raises(Problem, match=f"head {place[0]}.{place[1]}"):
            ask()


def test_numbers_of_tokens_need_no_tokenizer(tmp_path: Path) -> None:
    folder = model_folder(tmp_path, GPT2)
    told = models.load(folder).run("the cat")
    (folder / "tokenizer.json").unlink()
    bare = models.load(folder)
    run = bare.run(ids=told.ids)
    np.testing.assert_array_equal(run.logits, told.logits)
    assert run.tokens == tuple(f"#{i}" for i in told.ids)
    with pytest.raises(Problem, match=r"tokenizer\.json"):
        bare.run("the cat")
    named = models.load(model_folder(tmp_path, GPT2)).run(ids=list(told.ids))
    assert named.tokens == ("[CLS]", "the", "cat", "[SEP]")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "Give either"),
        ({"text": "a", "ids": [4]}, "Give either"),
        ({"ids": []}, "no tokens"),
        ({"ids": [4, 40]}, "Token 40 is not in the model's vocabulary, which goes from 0 to 39."),
        ({"ids": [-1]}, "Token -1"),
        ({"text": "\ud800"}, "broken character"),
    ],
)
def test_what_cannot_be_run_is_said(model: Model, asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        model.run(**asked)


def test_a_text_too_long_is_run_on_its_first_tokens(tmp_path: Path) -> None:
    folder = model_folder(tmp_path)
    run = models.load(folder).run("the cat sat on a mat because it was tired the cat")
    assert len(run.ids) == 12
    assert run.tokens[0] == "[CLS]"
    assert run.tokens[-1] == "[SEP]"
    assert run.left_out == 2
    assert [str(each) for each in run.remarks] == ["14 of 12 tokens, the last 2 are left out"]
    use_language("zh")
    assert "略去" in str(run.remarks[0])
    use_language("en")
    ids = models.load(folder).run(ids=list(range(4, 20)))
    assert (ids.ids, ids.left_out) == (tuple(range(4, 16)), 4)
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 5}))
    [remark] = models.load(folder).run("the cat sat on").remarks
    assert str(remark) == "6 of 12 tokens, made for 5"


def test_every_intermediate_can_be_replaced(model: Model) -> None:
    text = "the cat sat on a mat"
    plain = model.run(text)
    last = model.plan.layers

    def output(replace: dict[tuple[int, str], Callable[[Any], Any]]) -> Any:
        return model.run(text, replace=replace).hidden

    for name in ("residual", "x", *ARRAYS, "head_output", "attention", "inner"):
        np.testing.assert_allclose(
            output({(2, name): lambda value: value}), plain.hidden, rtol=1e-4, atol=1e-5
        )
        changed = output({(2, name): lambda value: value * 0.5})
        assert np.abs(changed - plain.hidden).max() > 1e-4, name

    # Zeros for a head's output, by hand and by switching it off.
    def silent(value: Any) -> Any:
        value[1] = 0
        return value

    off = model.run(text, off={(2, 2)})
    np.testing.assert_allclose(
        output({(2, "head_output"): silent}), off.hidden, rtol=1e-4, atol=1e-5
    )
    ends = model.run(text, replace={(last + 1, "hidden"): np.zeros_like})
    assert (ends.hidden == 0).all()
    # A pattern that is put in shows in the layer, and in its heads.
    even = model.run(text, replace={(1, "weights"): lambda w: np.full_like(w, 1 / w.shape[-1])})
    assert (even.layers[0].weights == np.float32(1 / len(even.ids))).all()
    assert (even.head(1, 3).weights == even.layers[0].weights[2]).all()
    assert (even.layers[0].row(2) == even.layers[0].weights[:, 2]).all()
    np.testing.assert_allclose(
        even.head(1, 3).output,
        np.tile(even.head(1, 3).v.mean(axis=0), (len(even.ids), 1)),
        rtol=1e-4,
        atol=1e-5,
    )
    with pytest.raises(ValueError, match="weights must stay"):
        model.run(text, replace={(1, "weights"): lambda w: w[:1]})


def test_a_run_goes_on_from_the_first_layer_that_differs(model: Model) -> None:
    text = "the cat sat on a mat"
    plain = model.run(text)
    last = model.plan.layers
    done: list[int] = []
    again = model.again(plain, off={(last, 2)}, report=done.append)
    assert done == [last]
    np.testing.assert_array_equal(again.hidden, model.run(text, off={(last, 2)}).hidden)
    assert again.streams[0] is plain.streams[0]
    back = model.again(again)
    np.testing.assert_array_equal(back.hidden, plain.hidden)

    def halved(value: Any) -> Any:
        return value * 0.5

    for name in ("residual", "weights", "inner"):
        for layer in (1, 2):
            told = {(layer, name): halved}
            expected = model.run(text, replace=told)
            made = model.again(plain, replace=told)
            np.testing.assert_array_equal(made.hidden, expected.hidden)
            np.testing.assert_array_equal(model.again(made).hidden, plain.hidden)
            np.testing.assert_array_equal(
                model.again(made, replace=told, off={(2, 1)}).hidden,
                model.run(text, replace=told, off={(2, 1)}).hidden,
            )
    assert (again.text, again.ids, again.tokens) == (plain.text, plain.ids, plain.tokens)


def test_a_run_reports_its_layers_and_can_be_stopped(model: Model) -> None:
    done: list[int] = []
    model.run("the cat", report=done.append)
    assert done == list(range(1, model.plan.layers + 1))

    class Stop(Exception):
        pass

    def stop(layer: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        model.run("the cat", report=stop)


def test_what_a_run_holds_cannot_be_changed(model: Model) -> None:
    run = model.run("the cat")
    for array in (run.streams[0], run.streams[-1], run.hidden):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    before = run.layers[0].weights.copy()
    run.layers[0].q[:] = 0
    run.layers[0].x.flags.writeable = True
    np.testing.assert_array_equal(run.layers[0].weights, before)


def test_numbers_that_become_too_large_are_said(tmp_path: Path) -> None:
    arrays = arrays_of(GPT2)
    arrays["h.1.mlp.c_proj.weight"] = np.full((64, 16), 3e38, np.float32)
    with pytest.raises(Problem, match="layer 2"):
        models.load(model_folder(tmp_path, GPT2, arrays=arrays)).run("the cat")


def test_only_what_is_needed_is_read(tmp_path: Path) -> None:
    folder = model_folder(tmp_path, GPT2 | {"vocab_size": 4000}, tokenizer=False)
    opened = models.load(folder)
    assert opened.weights.read_bytes == 0
    run = opened.run(ids=[7, 8, 7])
    table = 4000 * 16 * 4
    assert 0 < opened.weights.read_bytes < table
    _ = run.logits
    assert opened.weights.read_bytes > table


def test_the_layers_of_old_files_have_their_old_names(tmp_path: Path) -> None:
    arrays = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): array
        for name, array in arrays_of(BERT).items()
    }
    arrays["cls.seq_relationship.weight"] = np.zeros((2, 16), np.float32)
    old = models.load(model_folder(tmp_path / "old", arrays=arrays)).run("the cat")
    new = models.load(model_folder(tmp_path / "new")).run("the cat")
    np.testing.assert_array_equal(old.hidden, new.hidden)


def test_masks_that_old_files_keep_are_left_alone(tmp_path: Path) -> None:
    arrays = arrays_of(GPT2)
    arrays["h.0.attn.bias"] = np.ones((1, 1, 4, 4), np.float32)
    arrays["h.0.attn.masked_bias"] = np.array(-1e4, np.float32)
    folder = model_folder(tmp_path, GPT2, arrays=arrays)
    assert models.load(folder).run("the cat").logits.shape == (4, 40)
