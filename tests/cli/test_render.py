"""Pictures of a trace from the command line: where they look, what is refused, what is left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app.main import make_window
from explorer.app.pictures import image_of
from explorer.cli import main
from explorer.cli.looked_at import cursor_of
from explorer.cli.render import TRACE_VIEWS
from explorer.importers.sniffs import is_trace
from explorer.resources import example
from explorer.session import Look, Role, Selection, Stage, read_scene, write_scene
from explorer.session.scene_view import View
from explorer.session.train import Cursor, TrainCentre
from explorer.text import Problem
from explorer.traces import Config, TraceFile
from tests.commands import refused
from tests.train_frames import MemoryTrace, recorded_run

ROOT = Path(__file__).parents[2]
CAT = example("cat-likes-fish.json")
TRACE = example("tiny-transformer.safetensors")

Paint = Callable[..., QImage]


@pytest.fixture
def paint(qapp: QApplication, tmp_path: Path) -> Paint:
    """Returns the picture that the command paints of the example trace."""

    def painted(*words: object) -> QImage:
        path = tmp_path / "picture.png"
        small = ("--size", "1024x768")
        assert main(["render", str(TRACE), "-o", str(path), *small, *map(str, words)]) == 0
        picture = QImage(str(path))
        assert not picture.isNull()
        # As the end of the process would: windows that are only closed cost time at each next one.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return picture

    return painted


def unpainted(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Return the sentence with which a picture is refused, and nothing is written."""
    said = refused(capsys, "render", *words, "-o", "never.png")
    assert not Path("never.png").exists()
    return said


# --- where it looks ------------------------------------------------------------------------------


def test_the_nearest_recorded_epoch_at_or_before_is_shown() -> None:
    trace = TraceFile(TRACE)
    for epoch in range(201):
        assert trace.epochs[cursor_of(trace, epoch, 1, 1, None).step] == epoch // 5 * 5
    trace.close()


def test_places_count_from_1_and_the_usual_one_is_the_end_of_the_average() -> None:
    trace = recorded_run("a b c\nc b a\nb c a", Config(layers=3, heads=4), steps=4)
    assert cursor_of(trace, None, 1, 1, None) == Cursor(3, 0, 0, None)
    assert cursor_of(trace, 0, 3, 2, 4) == Cursor(0, 2, 1, 3)


def test_an_epoch_before_the_first_recorded_one_is_refused() -> None:
    whole = recorded_run("a b", steps=3, only=())
    trace = MemoryTrace(whole.run, {**whole.arrays, "epochs": np.array([10, 20, 30])})
    assert cursor_of(trace, 19, 1, 1, None).step == 0
    with pytest.raises(Problem, match="--epoch 9: the run goes from epoch 10 to 30"):
        cursor_of(trace, 9, 1, 1, None)


def test_each_option_leads_to_another_picture(paint: Paint) -> None:
    view = ("--view", "heads")
    usual = paint(*view)
    assert paint(*view, "--epoch", 200, "--sample", 1, "--layer", 1, "--head", "average") == usual
    for words in (("--epoch", 30), ("--sample", 4), ("--head", 2), ("--theme", "dark")):
        assert paint(*view, *words) != usual, words
    assert paint(*view, "--epoch", 34) == paint(*view, "--epoch", 30)


@pytest.mark.parametrize(
    ("name", "usual", "others"),
    [
        ("two-heads", "--view weights --head 1", ("--head 2", "--head average")),
        ("batch-of-three", "--view weights --sequence 1", ("--sequence 2", "--sequence 3")),
        ("order-regained", "--view plane --stage X", ("--stage x+p", "--show P")),
        ("two-heads", "--view chain --stage X", ("--stage c", "--head 2")),
    ],
)
def test_each_option_of_a_scene_leads_to_another_picture(
    qapp: QApplication, tmp_path: Path, name: str, usual: str, others: tuple[str, ...]
) -> None:
    def painted(words: str) -> QImage:
        path = tmp_path / "picture.png"
        file = str(example(f"{name}.json"))
        assert main(["render", file, "-o", str(path), *words.split()]) == 0
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return QImage(str(path))

    view = " ".join(usual.split()[:2])
    pictures = [painted(f"{view} {words}") for words in others]
    assert painted(usual) == painted(view)
    pictures.append(painted(usual))
    assert not any(one == other for one, other in combinations(pictures, 2))


def test_a_scene_is_painted_as_its_file_says_that_it_is_looked_at(
    qapp: QApplication, tmp_path: Path
) -> None:
    scene = read_scene(example("cat-likes-fish.json"))
    view = View(Look().at_stage(Stage.A), Selection(Role.A, 0, 3))
    write_scene(scene, tmp_path / "plain.json")
    write_scene(scene.replace(view=view), tmp_path / "viewed.json")

    def painted(name: str, *words: str) -> QImage:
        path = tmp_path / "picture.png"
        assert main(["render", str(tmp_path / name), "-o", str(path), *words]) == 0
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return QImage(str(path))

    asked = ("--stage", "A", "--select", "cat:cloud")
    usual = painted("plain.json", "--view", "plane")
    assert painted("viewed.json", "--view", "plane") == painted(
        "plain.json", "--view", "plane", *asked
    )
    assert painted("viewed.json", "--view", "plane") != usual
    assert painted("viewed.json", "--view", "plane", "--stage", "X") == usual


def test_a_view_is_painted_as_the_window_shows_it(paint: Paint, qtbot: QtBot) -> None:
    place = ("--epoch", 42, "--sample", 3, "--head", 2)
    painted = {view: paint("--view", view, *place) for view in TRACE_VIEWS}
    window = make_window()
    qtbot.addWidget(window)
    train = window.show_train(warm=False)
    assert window.open_file(TRACE)
    train.session.go(step=8, sample=2, head=1)
    window.resize(1024, 768)
    window.show()
    window.setFocus()
    for view, picture in painted.items():
        train.session.look_at(
            page=next((each for each in TrainCentre if each == view), TrainCentre.GRAPH)
        )
        train.page.pin_left(view == "parameters")  # which is folded away in so small a window
        QApplication.processEvents()
        train.clock.flush()
        shown = image_of(window.pictures()[view])
        assert shown.height() > 50
        assert picture == shown.convertToFormat(picture.format()), view


@pytest.mark.parametrize("name", ["order-regained", "two-heads", "translation"])
def test_a_scene_is_painted_as_a_window_shows_it_that_has_been_open_for_long(
    qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "picture.png"
    assert main(["render", str(example(f"{name}.json")), "-o", str(path)]) == 0
    picture = QImage(str(path))
    window = make_window()
    qtbot.addWidget(window)
    window.session.open(read_scene(example(f"{name}.json")), Look(scaled=True))
    window.resize(1440, 900)
    window.show()
    window.setFocus()
    for _round in range(8):
        QApplication.processEvents()
        window.clock.flush()
    shown = image_of(window.pictures()["window"])
    assert picture == shown.convertToFormat(picture.format())


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--epoch 201", "--epoch 201: the run goes from epoch 0 to 200."),
        ("--epoch -1", "--epoch -1: the run goes from epoch 0 to 200."),
        ("--sample 0", "--sample 0: samples are counted from 1, and the last is 6."),
        ("--sample 7", "--sample 7: samples are counted from 1, and the last is 6."),
        ("--layer 2", "--layer 2: layers are counted from 1, and the last is 1."),
        ("--head 0", "--head 0: heads are counted from 1, and the last is 2."),
        ("--head 3", "--head 3: heads are counted from 1, and the last is 2."),
        (
            "--view plane",
            "There is no view plane. Choose one of window, graph, spaces, matrices, heads,"
            " parameters, chain, timeline.",
        ),
        (
            "--select cat:fish",
            "--select is for scenes, but tiny-transformer.safetensors is a trace.",
        ),
        ("--show QK", "--show is for scenes, but tiny-transformer.safetensors is a trace."),
        ("--stage S", "--stage is for scenes, but tiny-transformer.safetensors is a trace."),
        ("--edges none", "--edges is for scenes, but tiny-transformer.safetensors is a trace."),
        ("--sequence 1", "--sequence is for scenes, but tiny-transformer.safetensors is a trace."),
        ("--movement Wk", "--movement is for scenes, but tiny-transformer.safetensors is a trace."),
    ],
)
def test_what_a_trace_does_not_have_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unpainted(capsys, TRACE, *words.split()) == sentence


@pytest.mark.parametrize("words", ["--epoch 3", "--sample 1", "--layer 1"])
def test_a_scene_has_no_places_of_a_trace(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    option = words.split()[0]
    assert unpainted(capsys, CAT, *words.split()) == (
        f"{option} is for traces, but cat-likes-fish.json is a scene."
    )


def test_without_projections_there_is_no_movement(capsys: pytest.CaptureFixture[str]) -> None:
    scene = example("zao-shang-hao.json")
    said = "--movement Wk: the scene has no Wq, Wk, Wv."
    assert unpainted(capsys, scene, "--movement", "Wk") == said


def test_a_file_that_is_neither_is_told_before_its_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(TRACE.read_bytes()[:9000])
    assert unpainted(capsys, cut, "--stage", "S").startswith("cut.safetensors: The file is cut off")
    assert unpainted(capsys, tmp_path / "none", "--epoch", 3).startswith("none cannot be opened")


def test_a_step_without_numbers_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(TRACE.read_bytes())
    trace = TraceFile(TRACE)
    weights = trace.entries["weights"]
    step = weights.nbytes // weights.shape[0]
    trace.close()
    at = weights.start + 3 * step
    data[at : at + 4] = b"\xff" * 4
    path = tmp_path / "nan.safetensors"
    path.write_bytes(data)
    assert unpainted(capsys, path, "--epoch", 16) == (
        "nan.safetensors: weights of epoch 15 holds values that are not numbers."
    )


@pytest.mark.parametrize("words", ["--epoch x", "--sample 1.5", "--layer all", "--head middle"])
def test_what_is_no_number_is_refused(capsys: pytest.CaptureFixture[str], words: str) -> None:
    option, value = words.split()
    sentence = unpainted(capsys, TRACE, option, value)
    assert sentence.startswith(f"argument {option}: ")
    assert repr(value) in sentence


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such name there")
def test_nothing_is_taken_out_of_a_pipe_by_looking_what_it_is() -> None:
    begin, end = os.pipe()
    os.write(end, b"some scene")
    os.close(end)
    assert not is_trace(Path(f"/dev/fd/{begin}"))
    assert os.read(begin, 99) == b"some scene"
    os.close(begin)


# --- what is left --------------------------------------------------------------------------------


def test_nothing_is_trained_and_nothing_else_is_written(tmp_path: Path) -> None:
    code = (
        "import sys; from explorer.cli import main;"
        f"main(['render', {str(TRACE)!r}, '-o', {str(tmp_path / 'a.png')!r}]);"
        "print([m for m in sys.modules if m.startswith(('torch', 'multiprocessing.popen'))])"
    )
    display = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")  # which a command does without
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in display},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    home = Path(os.environ["HOME"])
    assert [path for path in home.rglob("*") if path.is_file() or path.name == "runs"] == []
