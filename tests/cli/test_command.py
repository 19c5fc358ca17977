"""The command: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.cli import main
from explorer.cli.looked_at import look_of, sequence_of
from explorer.resources import example
from explorer.session import Scene, write_scene
from explorer.text import Problem
from tests.commands import refused
from tests.kinds import KINDS

CAT = example("cat-likes-fish.json")
GREETING = example("zao-shang-hao.json")
TRACE = example("tiny-transformer.safetensors")
WITHOUT_DISPLAY = {
    name: value
    for name, value in os.environ.items()
    if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
}


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
        (["render", "a", "-o", "b.png", "--size", "3"], "'3' is not a size such as 1440x900"),
        (
            ["render", "a", "-o", "b.png", "--size", "959x640"],
            "'959x640' is too small: the window is never smaller than 960x640",
        ),
        (["render", "a", "-o", "b.png", "--size", "960x0"], "never smaller than 960x640"),
        (["render", "a", "-o", "b.png", "--size", "99999x900"], "longer than 8192 pixels"),
        (["render", "a", "-o", "b.png", "--theme", "grey"], "invalid choice: 'grey'"),
        (["render", "a", "-o", "b.png", "--layer", "two"], "--layer: 'two' is not a whole number"),
        (["train", "-o", "b", "--lr", "x"], "--lr: 'x' is not a number;"),
        (["render", "a", "-o", "b.png", "--percent", "99"], "not a whole number from 100 to 200"),
        (["--what"], "unrecognized arguments: --what"),
        (["a", "b"], "unrecognized arguments: b"),
        (["a", "b\nc\x1b[31m"], "unrecognized arguments: b c [31m"),
    ],
)
def test_a_wrong_word_is_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    sentence = refused(capsys, *words)
    assert said in sentence
    command = words[0] if words[0] in ("compute", "render", "train") else ""
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


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="needs a device")
@pytest.mark.parametrize("command", ["export", "handout", "render", "share", "train --corpus"])
def test_where_nothing_can_be_saved_is_said_before_any_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    missing = [*command.split(), "no-such-file.json", "-o"]  # would be told when it is read
    assert refused(capsys, *missing, "/dev/null") == "null cannot be saved: it is not a file."
    assert "cannot be saved" in refused(capsys, *missing, f"{tmp_path}/{'x' * 300}.pdf")
    assert "There is no folder" in refused(capsys, *missing, tmp_path / "no" / "a.pdf")
    (tmp_path / "kept.pdf").write_bytes(b"kept")
    assert refused(capsys, *missing, tmp_path / "kept.pdf")
    assert [each.name for each in tmp_path.iterdir()] == ["kept.pdf"]
    assert (tmp_path / "kept.pdf").read_bytes() == b"kept"


def test_a_name_of_no_picture_is_said_before_anything_is_painted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("explorer.app.main.assemble", lambda *_: pytest.fail("painted"))
    words = "render", CAT, "-o", tmp_path / "a.txt"
    assert "a picture's name ends in .png" in refused(capsys, *words)
    assert "a figure's name ends in .pdf" in refused(capsys, *words, "--font-pt", "8")
    assert "a moving picture's name ends in .gif" in refused(
        capsys, *words, "--animate", "X[1,1]=0..1"
    )


def test_without_standard_output_nothing_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["compute", str(CAT)]) == 0


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
    asked = ["4711-03"], ["worksheet", "--seed", "4711"], ["worksheet", "4711-03-2S"]
    assert [main(words) for words in asked] == [7] * 3
    assert opened[4:] == [Path("4711-03"), Path("4711-01"), Path("4711-03-2S")]


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
