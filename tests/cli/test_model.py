"""The commands for model folders: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer import models
from explorer.models.figures import run_figures
from explorer.models.next_token import probabilities
from explorer.text import use_language
from tests.commands import printed, refused
from tests.models.made import BERT, GPT2, LLAMA, model_folder

TEXT = "the cat sat on a mat"


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return model_folder(tmp_path / "small-bert")


def test_a_head_is_printed_with_every_digit(capsys: Any, bert: Path) -> None:
    told = json.loads(printed(capsys, "model", bert, "--text", TEXT, "--head", "2.3", "--json"))
    run = models.load(bert).run(TEXT)
    head = run.head(2, 3)
    for name in ("x", "q", "k", "v", "scores", "weights", "output"):
        assert (np.array(told[name], np.float32) == getattr(head, name)).all()
    assert told["tokens"] == list(run.tokens)
    assert (told["layer"], told["head"], told["left_out"]) == (2, 3, 0)
    figures = run_figures(run)
    assert told["kind"] == figures.kinds[1][2]
    assert told["entropy"] == pytest.approx(figures.entropy[1, 2])
    first = told["pairs"][0]
    assert first["weight"] == head.weights[first["query"] - 1, first["key"] - 1]
    assert first["tokens"] == [run.tokens[first["query"] - 1], run.tokens[first["key"] - 1]]
    words = head.weights[1:-1, 1:-1]
    assert first["weight"] == words.max()


def test_masked_scores_are_null(capsys: Any, tmp_path: Path) -> None:
    folder = model_folder(tmp_path, LLAMA)
    told = json.loads(printed(capsys, "model", folder, "--text", TEXT, "--head", "1.1", "--json"))
    scores = told["scores"]
    n = len(scores)
    assert all((scores[i][j] is None) == (j > i) for i in range(n) for j in range(n))


def test_all_heads_are_printed(capsys: Any, tmp_path: Path) -> None:
    folder = model_folder(tmp_path, GPT2)
    told = json.loads(
        printed(capsys, "model", folder, "--text", TEXT, "--off", "1.2", "3.4", "--json")
    )
    assert told["off"] == [[1, 2], [3, 4]]
    assert [(each["layer"], each["head"]) for each in told["heads"]] == [
        (layer, head) for layer in (1, 2, 3) for head in (1, 2, 3, 4)
    ]
    expected = probabilities(models.load(folder).run(TEXT, off={(1, 2), (3, 4)}))
    for row in told["next"]:
        assert row["probability"] == pytest.approx(expected[row["id"]])
    table = printed(capsys, "model", folder, "--text", TEXT)
    for layer in (1, 2, 3):
        for head in (1, 2, 3, 4):
            assert f"\n{layer}.{head} " in table
    assert "all others" in table
    again = json.loads(printed(capsys, "model", folder, "--ids", "2,4,5", "--json"))
    assert again["ids"] == [2, 4, 5]


def test_the_effect_of_each_head_is_printed(capsys: Any, tmp_path: Path, bert: Path) -> None:
    folder = model_folder(tmp_path / "gpt2", GPT2)
    asked = ("model", folder, "--text", TEXT, "--off", "1.2", "--effect", "cat")
    told = json.loads(printed(capsys, *asked, "--json"))["effects"]
    assert len(told) == 11
    model = models.load(folder)
    word = model.tokenizer.encode("cat", 9).ids[1]  # type: ignore[union-attr]
    for each in told:
        expected = probabilities(model.run(TEXT, off={(1, 2), (each["layer"], each["head"])}))[word]
        assert each["after"] == pytest.approx(expected, abs=1e-5)
    table = printed(capsys, *asked)
    assert f"probability of cat, {told[0]['before']:.4f}, each head off alone" in table
    falls = [float(line.split()[2]) for line in table.splitlines()[-11:]]
    assert falls == sorted(falls)
    told = json.loads(printed(capsys, "model", bert, "--text", TEXT, "--effect", "cat", "--json"))
    assert [each["before"] for each in told["effects"]] == pytest.approx([1] * 8)
    assert "cosine" in printed(capsys, "model", bert, "--text", TEXT, "--effect", "cat")


def test_one_head_is_a_table(capsys: Any, bert: Path) -> None:
    table = printed(capsys, "model", bert, "--text", "the cat", "--head", "1.4")
    weights = models.load(bert).run("the cat").head(1, 4).weights
    assert "layer 1 head 4" in table
    assert f"{weights[1, 2]:.4f}" in table
    assert "strongest pairs" in table


def test_a_text_too_long_is_said(capsys: Any, bert: Path) -> None:
    table = printed(capsys, "model", bert, "--text", "the cat " * 9, "--head", "1.1")
    assert table.startswith("20 of 12 tokens, the last 8 are left out\n")


def test_tokens_are_plain_text(capsys: Any, bert: Path) -> None:
    table = printed(capsys, "model", bert, "--text", "cat \x1b[31m\u202e cat", "--head", "1.1")
    assert "\x1b" not in table
    assert "\u202e" not in table


def test_a_folder_is_described(capsys: Any, tmp_path: Path) -> None:
    folder = model_folder(tmp_path, LLAMA)
    table = printed(capsys, "info", folder)
    for text in ("llama", "4, 2 of K and V", "16, 4 a head", "itself and those before", "F32"):
        assert text in table
    told = json.loads(printed(capsys, "info", folder, "--json"))
    assert (told["family"], told["layers"], told["heads"], told["key_heads"]) == ("llama", 2, 4, 2)
    assert told["rotary"] == {"dims": 4, "base": 10000.0, "scaling": "default"}
    assert told["numbers"] == sum(
        int(np.prod(part.shape)) for part in models.load(folder).plan.parts.values()
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--text", "a", "--head", "3.1"], "There is no head 3.1"),
        (["--text", "a", "--off", "1.9"], "There is no head 1.9"),
        (["--text", "a", "--effect", "zebra"], "zebra is not one token of this model"),
        (["--text", "a", "--head", "4"], "not a layer and head such as 4.2"),
        (["--text", "a", "--ids", "4"], "Give either"),
        ([], "Give either"),
        (["--ids", "a"], "not a list of numbers"),
        (["--ids", "4000"], "Token 4000"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    capsys: Any, bert: Path, words: list[str], said: str
) -> None:
    assert said in refused(capsys, "model", bert, *words)


def test_an_empty_text_is_what_the_tokenizer_adds(capsys: Any, bert: Path) -> None:
    told = json.loads(printed(capsys, "model", bert, "--json", "--text", ""))
    assert told["tokens"] == ["[CLS]", "[SEP]"]


def test_what_is_no_model_is_said(capsys: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "empty has no config.json" in refused(capsys, "model", tmp_path / "empty", "--text", "a")
    assert refused(capsys, "info", tmp_path / "empty") == (
        "empty is a folder, but not a sweep's or a model's: name a trace file or such a folder."
    )
    folder = model_folder(tmp_path / "m")
    (folder / "config.json").write_text(json.dumps(BERT | {"model_type": "t5"}))
    assert "t5" in refused(capsys, "info", folder)
    assert "gone" in refused(capsys, "model", tmp_path / "gone", "--text", "a")


def test_everything_is_said_in_chinese_too(
    capsys: Any, bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh")
    try:
        assert "没有头 9.9" in refused(capsys, "model", bert, "--text", "a", "--head", "9.9")
        assert "词汇表" in printed(capsys, "info", bert)
        assert "熵" in printed(capsys, "model", bert, "--text", "the cat")
    finally:
        use_language("en")
