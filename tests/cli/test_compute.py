"""The command `compute`: its tables and its JSON."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.attention import Attention, QKNorm, Rotary, Variant
from explorer.cli import main
from explorer.cli.compute import as_json, as_tables
from explorer.resources import example
from explorer.session import (
    Context,
    Options,
    Scene,
    Sequence,
    at_sequence,
    compute,
    read_scene,
    write_scene,
)
from tests.commands import printed
from tests.kinds import KINDS

CAT = example("cat-likes-fish.json")
GREETING = example("zao-shang-hao.json")


@pytest.fixture
def masked(tmp_path: Path) -> Path:
    """A scene file with two heads, other keys than queries, and a mask."""
    rng = np.random.default_rng(2)
    scene = Scene(
        ("早", "a"),
        rng.normal(size=(2, 3)),
        *(rng.normal(size=(2, 3, 2)) for _ in range(3)),
        context=Context(("k", "l", "m"), rng.normal(size=(3, 3))),
        options=Options(mask=np.array([[True, False, True], [False, False, False]])),
    )
    write_scene(scene, tmp_path / "masked.json")
    return tmp_path / "masked.json"


@pytest.mark.parametrize("name", ["cat-likes-fish.json", "your-journey.json", "zao-shang-hao.json"])
def test_json_holds_every_digit(capsys: pytest.CaptureFixture[str], name: str) -> None:
    result = json.loads(printed(capsys, "compute", example(name), "--json"))
    attention = compute(read_scene(example(name)))
    assert " ".join(result) == ("tokens context_tokens Q K V raw scores weights head_output output")
    assert result["tokens"] == list(read_scene(example(name)).tokens)
    assert result["context_tokens"] is None
    for field in list(result)[2:]:
        np.testing.assert_array_equal(result[field], getattr(attention, field))


def test_json_keeps_heads_and_has_null_for_masked_scores(
    capsys: pytest.CaptureFixture[str], masked: Path
) -> None:
    result = json.loads(printed(capsys, "compute", masked, "--json"))
    assert result["context_tokens"] == ["k", "l", "m"]
    assert np.shape(result["weights"]) == (2, 2, 3)
    for head in result["scores"]:
        assert [[score is None for score in row] for row in head] == [
            [False, True, False],
            [True, True, True],
        ]
    assert np.isfinite(result["raw"]).all()


def table(text: str, title: str) -> list[str]:
    lines = text.splitlines()
    start = lines.index(title) + 1
    return lines[start : lines.index("", start)]


def test_tables_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "compute", CAT)
    assert table(text, "weights") == [
        "          cat   likes    fish   cloud",
        "cat    0.3788  0.2855  0.2152  0.1205",
        "likes  0.2715  0.2715  0.2715  0.1854",
        "fish   0.1801  0.2390  0.3171  0.2638",
        "cloud  0.1142  0.1847  0.2987  0.4025",
    ]
    assert table(text, "K")[-1] == "cloud  -0.6200  0.7400"


def test_wide_characters_take_two_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert table(printed(capsys, "compute", GREETING), "weights") == [
        "        早      上      好",
        "早  0.4223  0.4223  0.1554",
        "上  0.0064  0.9465  0.0471",
        "好  0.0024  0.0473  0.9503",
    ]


def test_tables_name_heads_and_dot_what_is_masked(
    capsys: pytest.CaptureFixture[str], masked: Path
) -> None:
    text = printed(capsys, "compute", masked)
    rows = table(text, "scores, head 2 of 2")
    assert rows[0].split() == ["k", "l", "m"]
    assert [row.split()[1:].count("·") for row in rows[1:]] == [1, 3]
    assert len({len(row.replace("早", "xx")) for row in rows}) == 1
    assert [row.split()[0] for row in table(text, "V, head 1 of 2")[1:]] == ["k", "l", "m"]


def test_a_token_cannot_disturb_the_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "s.json"
    write_scene(Scene(("\u202ex\u2028y", "n" * 64), np.eye(2)), path)
    text = printed(capsys, "compute", path)
    assert "\u202e" not in text
    assert "\u2028" not in text
    assert max(map(len, text.splitlines())) < 100


def test_what_q_and_k_go_through_is_printed_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "turned.json"
    norm = QKNorm(np.array([1.0, 2.0]), np.ones(2))
    options = Options(rotary=Rotary(2, 100.0), qk_norm=norm)
    scene = Scene(("a", "b"), np.array([[1.0, 2.0], [3.0, 4.0]]), options=options)
    write_scene(scene, path)
    made = json.loads(printed(capsys, "compute", path, "--json"))
    for name in "QK":
        np.testing.assert_array_equal(made[f"{name}_projected"], [scene.X])
        np.testing.assert_array_equal(made[name], getattr(compute(scene), name))
    text = printed(capsys, "compute", path)
    assert "normalised" in text
    assert "turned by rotary positions: 2 columns, base 100.0" in text


def test_position_and_several_sequences_are_printed_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "batch.json"
    scene = Scene(
        ("a", "b"),
        np.eye(2),
        options=Options(position="sinusoidal", variant=Variant.OUTPUT_SCALED),
        others=(Sequence(("c",), np.ones((1, 2))),),
    )
    write_scene(scene, path)
    first, second = json.loads(printed(capsys, "compute", path, "--json"))["sequences"]
    assert (first["tokens"], second["tokens"]) == (["a", "b"], ["c"])
    assert first["variant"] == "output_scaled"
    np.testing.assert_array_equal(first["X_plus_P"], np.eye(2) + first["P"])
    np.testing.assert_array_equal(second["X_plus_P"], [[1, 2]])
    np.testing.assert_array_equal(first["output"], compute(scene).output)
    np.testing.assert_allclose(second["output"], [[2**0.5, 2 * 2**0.5]])

    lines = printed(capsys, "compute", path).splitlines()
    assert lines[:5] == [
        "computed wrongly on purpose: output × √d",
        "position added to X: sinusoidal",
        "",
        "sequence 1 of 2",
        "O is 1.414 times A V, so it may leave the hull of V.",
    ]
    assert "sequence 2 of 2" in lines
    assert lines.count("X + P") == 2
    last = lines[lines.index("sequence 2 of 2") :]
    assert last[last.index("X + P") + 2].split() == ["c", "1.0000", "2.0000"]


@pytest.mark.parametrize(
    ("name", "remarks"),
    [
        ("cat-likes-fish", []),
        ("temperature", ["scores divided by the temperature 0.5"]),
        ("own position", ["position added to X: the scene's own"]),
        ("average, one head", ["plain average: all scores 0"]),
        ("average, masked", ["plain average: all scores 0"]),
        (
            "everything",
            ["scores divided by the temperature 0.5", "position added to X: sinusoidal"],
        ),
        ("sequences", ["sequence 1 of 2"]),
    ],
)
def test_tables_begin_with_what_is_unusual(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, remarks: list[str]
) -> None:
    path = tmp_path / "scene.json"
    write_scene(KINDS[name], path)
    lines = printed(capsys, "compute", path).splitlines()
    first = lines.index("") if remarks else 0
    assert lines[:first] == remarks


@pytest.mark.parametrize("name", KINDS)
def test_json_has_every_intermediate_of_every_kind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    path, scene = tmp_path / "scene.json", KINDS[name]
    write_scene(scene, path)
    result = json.loads(printed(capsys, "compute", path, "--json"))
    parts = result["sequences"] if scene.others else [result]
    assert len(parts) == len(scene.sequences)
    for place, part in enumerate(parts):
        shown = at_sequence(scene, place)
        attention = compute(shown)
        assert part["tokens"] == list(shown.tokens)
        assert part.get("variant", "none") == scene.options.variant
        assert part.get("temperature", 1.0) == scene.options.temperature
        np.testing.assert_array_equal(part.get("X_plus_P", shown.X), attention.X)
        for field in ("Q", "K", "V", "raw", "weights", "head_output", "output"):
            np.testing.assert_array_equal(part[field], getattr(attention, field))


def test_each_sequence_is_computed_when_its_lines_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed: list[int] = []

    def counted(scene: Scene) -> Attention:
        computed.append(len(scene.tokens))
        return compute(scene)

    scene = KINDS["sequences"]
    monkeypatch.setattr("explorer.cli.compute.compute", counted)
    for made in (as_json, as_tables):
        computed.clear()
        lines = made(scene, compute(scene))
        first = [next(lines) for _ in range(5)]
        assert computed == []
        rest = list(lines)
        assert len(computed) == len(scene.others)
        if made is as_json:
            assert len(json.loads("\n".join(first + rest))["sequences"]) == len(scene.sequences)


class Terminal(io.StringIO):
    """Standard error that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_person_is_shown_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    assert main(["compute", str(CAT)]) == 0
    assert "lines" in seen.getvalue()
