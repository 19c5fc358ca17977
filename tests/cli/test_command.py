"""The command: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.attention import Attention, QKNorm, Rotary, Variant
from explorer.cli import main
from explorer.cli.compute import as_json, as_tables
from explorer.cli.render import look_of, sequence_of
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
from explorer.text import Problem
from tests.kinds import KINDS

CAT = example("cat-likes-fish.json")
GREETING = example("zao-shang-hao.json")
TRACE = example("tiny-transformer.safetensors")
WITHOUT_DISPLAY = {
    name: value
    for name, value in os.environ.items()
    if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
}


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([*map(str, words)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([*map(str, words)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("attention-explorer: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("attention-explorer: ").rstrip("\n")


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


# --- compute -------------------------------------------------------------------------------------


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


# --- what goes wrong -----------------------------------------------------------------------------


def test_a_bad_file_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(
        '{"format": "attention-explorer/scene", "version": 1, "tokens": ["a"], "X": [["1"]]}'
    )
    assert refused(capsys, "compute", path) == (
        "bad.json: X[0][0] must be a number between −1e50 and 1e50."
    )
    assert refused(capsys, "compute", tmp_path / "none.json") == (
        "none.json cannot be opened: No such file or directory."
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compute"], "the following arguments are required: SCENE"),
        (["compute", "a", "b"], "unrecognized arguments: b"),
        (["render", "a"], "the following arguments are required: -o"),
        (["render", "a", "-o", "b.png", "--size", "3"], "'3' is no size such as 1440x900"),
        (
            ["render", "a", "-o", "b.png", "--size", "959x640"],
            "'959x640' is too small: the window is never smaller than 960x640",
        ),
        (["render", "a", "-o", "b.png", "--size", "960x0"], "never smaller than 960x640"),
        (["render", "a", "-o", "b.png", "--size", "99999x900"], "longer than 8192 pixels"),
        (["render", "a", "-o", "b.png", "--theme", "grey"], "invalid choice: 'grey'"),
        (["render", "a", "-o", "b.png", "--percent", "99"], "no whole number from 100 to 200"),
        (["--what"], "unrecognized arguments: --what"),
        (["a", "b"], "unrecognized arguments: b"),
    ],
)
def test_a_wrong_word_is_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    sentence = refused(capsys, *words)
    assert said in sentence
    command = words[0] if words[0] in ("compute", "render") else ""
    assert sentence.endswith(f"; see {f'attention-explorer {command}'.strip()} --help.")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("compute", "is a folder: name a scene file."),
        ("", "is a folder, but not a model's: name a file or a model's folder."),
    ],
)
def test_a_folder_is_no_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, what: str
) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    words = [command] if command else []
    assert refused(capsys, *words, folder) == f"scenes {what}"


def test_a_folder_cannot_be_painted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refused(capsys, "render", tmp_path, "-o", tmp_path / "a.png")
    wanted = "is a folder, but not a model's: name a file or a model's folder."
    assert said == f"{tmp_path.name} {wanted}"


@pytest.mark.parametrize(
    ("select", "said"),
    [
        ("cat:", "the key is missing. Name it after the colon, such as cat:cloud."),
        (":cloud", "the query is missing. Name it first, such as cat:cloud."),
        ("", "the query is missing. Name it first, such as cat:cloud."),
        (":", "the key is missing. Name it after the colon, such as #1:cloud."),
        ("cat:dog", "there is no such token."),
    ],
)
def test_a_selection_that_lacks_a_part_says_which(
    capsys: pytest.CaptureFixture[str], select: str, said: str
) -> None:
    assert said in refused(capsys, "render", CAT, "-o", "a.png", "--select", select)


def test_a_stage_may_be_a_small_letter() -> None:
    scene = KINDS["everything"]
    for letter in ("x", "x+p", "q", "k", "v", "s", "a", "o", "c", "y"):
        look = look_of(scene, None, letter, None)
        assert look == look_of(scene, None, letter.upper(), None)
        assert look.stage.value.replace(" ", "").lower() == letter
    assert look_of(scene, None, "X + P", None) == look_of(scene, None, "x+p", None)


def test_a_head_a_mean_and_a_sequence_are_shown() -> None:
    scene = KINDS["batch-of-three"]
    assert look_of(KINDS["two heads"], None, None, None, 2).head == 1
    assert look_of(KINDS["two heads"], None, None, None, None).average
    assert not look_of(KINDS["two heads"], None, None, None).average
    assert sequence_of(scene, None) is scene
    assert sequence_of(scene, 3).tokens == scene.others[1].tokens


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        (
            "cat-likes-fish",
            "--stage Y",
            "There is no stage Y. Choose one of X, Q, K, V, S, A, O.",
        ),
        (
            "everything",
            "--stage Z",
            "There is no stage Z. Choose one of X, X+P, Q, K, V, S, A, O, C, Y.",
        ),
        (
            "cat-likes-fish",
            "--show XP",
            "--show XP: name spaces by the letters X, Q, K, V, O, such as QK.",
        ),
        (
            "everything",
            "--show XZ",
            "--show XZ: name spaces by the letters X, Q, K, V, O, P, Y, such as QK.",
        ),
        (
            "two heads",
            "--head 3",
            "--head 3: heads are counted from 1, and the last is 2.",
        ),
        ("two heads", "--head 0", "--head 0: heads are counted from 1, and the last is 2."),
        (
            "batch-of-three",
            "--sequence 4",
            "--sequence 4: sequences are counted from 1, and the last is 3.",
        ),
        (
            "cat-likes-fish",
            "--sequence 0",
            "--sequence 0: sequences are counted from 1, and the last is 1.",
        ),
    ],
)
def test_what_a_scene_does_not_have_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, words: str, sentence: str
) -> None:
    path = tmp_path / "scene.json"
    write_scene(KINDS[name], path)
    assert refused(capsys, "render", path, "-o", tmp_path / "a.png", *words.split()) == sentence
    assert not (tmp_path / "a.png").exists()


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in (
        (["--version"], f"attention-explorer {explorer.__version__}"),
        (["--help"], "render FILE -o FILE.png"),
        (["compute", "--help"], "--json"),
        (["render", "--help"], "--select"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert expected in capsys.readouterr().out


def test_a_problem_with_a_name_that_cannot_be_written_is_still_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "compute", str(tmp_path / "早.json")],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"attention-explorer: \\u65e9.json cannot be opened")


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    # More than a pipe holds, so that writing fails while it goes on.
    scene = Scene(tuple(map(str, range(120))), np.eye(120))
    write_scene(scene, tmp_path / "s.json")
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "compute", str(tmp_path / "s.json")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"Q\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


LONG = "x" * 5000


@pytest.mark.parametrize(
    "words",
    [
        ("compute", LONG),
        ("render", LONG, "-o", "a.png"),
        ("info", LONG),
        ("handout", LONG, "-o", "a.pdf"),
        ("handout", "1", "-o", f"{LONG}.pdf"),
        ("train", "--corpus", LONG, "-o", "a.safetensors"),
        ("train", "-o", f"{LONG}.safetensors"),
        ("train", "--epochs", "1", "-o", os.devnull),
        ("compute", os.devnull),
    ],
)
def test_what_cannot_be_read_or_written_is_one_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert refused(capsys, *words)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs a device that is full")
@pytest.mark.parametrize(
    "words",
    [["compute", str(CAT)], ["compute", str(CAT), "--json"], ["info", str(TRACE)]],
)
def test_a_disk_that_is_full_is_one_sentence(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "explorer", *words], stdout=full, stderr=subprocess.PIPE
        )
    assert ran.returncode == 2
    sentence = b"attention-explorer: standard output: No space left on device.\n"
    assert ran.stderr == sentence


def test_without_standard_output_nothing_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["compute", str(CAT)]) == 0


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


def test_a_picture_beyond_8192_pixels_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "render", CAT, "-o", "a.png", "--size", "8193x8192")
    assert "no side may be longer than 8192 pixels" in told


# --- the window and pictures ---------------------------------------------------------------------


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is a display")
def test_without_a_display_the_other_way_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "explorer"], capture_output=True, text=True, env=WITHOUT_DISPLAY
    )
    assert done.returncode == 2
    assert done.stderr == (
        'attention-explorer: There is no display to open a window on; "attention-explorer render '
        'FILE -o FILE.png" paints one into a file.\n'
    )
    assert done.stdout == ""


def test_a_file_is_opened_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path | None] = []

    def run(path: Path | None) -> int:
        opened.append(path)
        return 7

    monkeypatch.setattr("explorer.app.main.run", run)
    monkeypatch.setenv("DISPLAY", ":0")
    assert [main([]), main(["a.json"]), main(["./compute"]), main(["--", "-a"])] == [7] * 4
    assert opened == [None, Path("a.json"), Path("compute"), Path("-a")]


def test_a_picture_is_painted_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        "explorer.cli.render.render",
        lambda scene, path, **options: asked.append((scene.tokens, path, options)),
    )
    monkeypatch.setattr(
        "explorer.cli.render.render_trace",
        lambda trace, path, **options: asked.append((trace.recorded, path, options)),
    )
    usual = {"size": (1440, 900), "dark": False, "view": "window", "percent": 100}
    looks = {"size": (1000, 700), "dark": True, "percent": 150}
    words = "--size 1000x700 --theme dark --percent 150"
    of_scene = (
        "--view plane --select #1:#2 --show QK --stage S --edges scores --sequence 1 --movement Wk"
    )
    of_trace = "--view graph --epoch 30 --sample 2 --layer 1 --head 2"
    for file, options in (
        (GREETING, "-o a.png --head average"),
        (CAT, f"-o b.svg {words} {of_scene}"),
        (TRACE, "-o c.png"),
        (TRACE, f"-o d.svg {words} {of_trace}"),
        (TRACE, "-o e.png --head average"),
    ):
        assert main(["render", str(file), *options.split()]) == 0
    cat = ("cat", "likes", "fish", "cloud")
    edges = {"select": "#1:#2", "show": "QK", "stage": "S", "edges": "scores", "sequence": 1}
    edges |= {"movement": "Wk"}
    places = {"epoch": 30, "sample": 2, "layer": 1, "head": 2}
    title = {"title": "tiny-transformer"}
    assert asked == [
        (("早", "上", "好"), Path("a.png"), {**usual, "head": None}),
        (cat, Path("b.svg"), {**looks, "view": "plane", **edges}),
        (41, Path("c.png"), {**usual, **title}),
        (41, Path("d.svg"), {**looks, "view": "graph", **title, **places}),
        (41, Path("e.png"), {**usual, **title, "head": None}),
    ]


def test_a_picture_that_cannot_be_painted_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(*_args: object, **_options: object) -> None:
        raise Problem("There is no view {view}.", view="x")

    monkeypatch.setattr("explorer.cli.render.render", render)
    assert refused(capsys, "render", CAT, "-o", "a.png") == "There is no view x."
