"""Pictures that move, written by `render --animate`."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from explorer.app.main import make_window
from explorer.app.moving.making import save_moving
from explorer.app.pictures import image_of
from explorer.cli import main
from explorer.cli.animate import way_of
from explorer.resources import example
from explorer.session import Scene, read_scene, write_scene
from explorer.session.lesson import TurnTo
from explorer.text import Problem
from explorer.traces import TraceFile
from tests.pixels import decoded, pixels

TRACE = str(example("tiny-transformer.safetensors"))
CAT = str(example("cat-likes-fish.json"))
SMALL = ("--size", "960x640")


def rendered(*words: object) -> None:
    assert main(["render", *map(str, words)]) == 0
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_webp_is_decoded_to_the_same_pixels_and_a_gif_nearly(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    images = []
    for place in range(3):  # a width whose lines are padded
        data = rng.integers(0, 256, (8, 13, 3), np.uint8) // 64 * 64
        data[place] = 255
        images.append(QImage(data.tobytes(), 13, 8, 39, QImage.Format.Format_RGB888).copy())
    for name, loop in (("a.webp", 2), ("a.gif", 0), ("a.mp4", 0)):
        save_moving(images, tmp_path / name, 10, loop)
    for found, image in zip(decoded(tmp_path / "a.webp"), images, strict=True):
        assert np.array_equal(found, pixels(image))
    assert len(decoded(tmp_path / "a.gif")) == 3
    with Image.open(tmp_path / "a.webp") as file:
        assert file.info["loop"] == 2
    with Image.open(tmp_path / "a.gif") as file:
        assert (file.info["loop"], file.info["duration"]) == (0, 100)


@pytest.mark.parametrize("fps", [7, 12, 40])
def test_a_gif_lasts_as_long_as_was_asked_for(tmp_path: Path, fps: int) -> None:
    images = [QImage(4, 4, QImage.Format.Format_RGB32) for _place in range(2 * fps)]
    for place, image in enumerate(images):
        image.fill(QColor(6 * (place % 40), 0, 0))
    save_moving(images, tmp_path / "a.gif", fps, 0)
    lasting = []
    with Image.open(tmp_path / "a.gif") as file:
        for place in range(file.n_frames):
            file.seek(place)
            lasting.append(file.info["duration"])
    assert sum(lasting) == 2000


def test_a_run_is_played_as_its_window_shows_it(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "run.webp"
    usual = (TRACE, *SMALL, "--view", "heads")
    rendered(*usual, "-o", path, "--animate", "--fps", 3, "--seconds", 1)
    trace = TraceFile(TRACE)
    last = len(trace.epochs) - 1
    steps = [0, round(last / 2), last]
    frames = decoded(path)
    assert len(frames) == 3
    for step, frame in zip(steps, frames, strict=True):
        rendered(*usual, "-o", tmp_path / "one.png", "--epoch", trace.epochs[step])
        assert np.array_equal(frame, pixels(QImage(str(tmp_path / "one.png"))))
    trace.close()


LESSON = """
format = "attention-explorer/lesson"
version = 1
title.en = "From a scene to a model"

[[step]]
scene = "example:cat-likes-fish"
short.en = "A scene"
text.en = "A scene."

[[step]]
model = "example:stories"
short.en = "A model"
text.en = "A model."
[step.examine]
text = "John gave a drink to"
layer = 3
head = 1

[[step]]
scene = "nowhere.json"
short.en = "Nothing"
text.en = "Nothing."
"""


def test_a_lesson_moves_page_by_page_and_what_is_wrong_with_it_is_told(
    qapp: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson, path = tmp_path / "lesson.toml", tmp_path / "lesson.webp"
    lesson.write_text(LESSON, "utf-8")
    asked = ["render", str(lesson), *SMALL, "-o", str(path), "--animate"]
    assert main(asked) == 1
    assert "nowhere.json" in capsys.readouterr().err
    frames = decoded(path)
    assert len(frames) == 3
    with Image.open(path) as file:
        file.load()
        assert file.info["duration"] == 4000
    window = make_window()
    window.resize(960, 640)
    window.show()
    window.setFocus()
    window.open_file(lesson)
    for place, frame in enumerate(frames):
        window.playing.handle(TurnTo(place))
        while not window.playing.settled:
            QApplication.processEvents()
        assert window.actions_by_name["moving"].isEnabled()
        for _round in range(3):
            QApplication.processEvents()
            window.flush()
        shown = pixels(image_of(window))
        top = window.topbar.height()  # there stands the file's name
        assert np.array_equal(frame[top:], shown[top:]), place
    window.close()
    for words, says in (
        (("--view", "plane"), "Choose one of window"),
        (("--head", "2"), "--head is not for lessons"),
        (("--animate", "x"), "is played as it is"),
    ):
        assert main([*asked, *words]) == 2
        assert says in capsys.readouterr().err
    assert main([*asked[:-1]]) == 2
    assert "add --animate" in capsys.readouterr().err


def gone(scene: Scene, what: str, count: int) -> list[Scene]:
    way = way_of(scene, what)
    return [way(place / (count - 1)) for place in range(count)]


def test_a_number_moves_and_a_scene_into_another(qapp: QApplication, tmp_path: Path) -> None:
    scene = read_scene(CAT)
    other = scene.replace(X=scene.X * 2)
    write_scene(other, tmp_path / "other.json")
    made = gone(scene, str(tmp_path / "other.json"), 5)
    assert np.array_equal(made[0].X, scene.X)
    assert np.array_equal(made[4].X, other.X)
    np.testing.assert_allclose(made[2].X, scene.X * 1.5)
    made = gone(scene, "Wk[2,1]=-1..3", 5)
    assert [each.Wk[1, 0] for each in made if each.Wk is not None] == [-1, 0, 1, 2, 3]
    made = gone(scene, "temperature=0.5..2.5", 3)
    assert [each.options.temperature for each in made] == [0.5, 1.5, 2.5]
    path = tmp_path / "sweep.gif"
    words = ("--animate", "X[1,2]=0..2", "--seconds", "0.5", "--fps", "8", "--loop", "1")
    rendered(CAT, *SMALL, "--view", "weights", "-o", path, *words)
    frames = decoded(path)
    assert len(frames) == 4
    assert not np.array_equal(frames[0], frames[-1])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--animate", "X[9,1]=0..1"), "X has 4 rows and 2 columns"),
        (("--animate", "Wo[1,1]=0..1"), "Wo has 0 rows"),
        (("--animate",), "name another scene's file, or a number such as X[1,2]=-1..1"),
        (("--animate", str(example("two-heads.json"))), "differ in the shape of X"),
        (("--animate", "X[1,1]=0..1", "--seconds", "600", "--fps", "50"), "are too many"),
        (("--animate", "X[1,1]=0..1", "--fps", "90"), "not a whole number from 1 to 50"),
        (("--animate", "X[1,1]=0..1", "--seconds", "0"), "not a number of seconds up to 600"),
    ],
)
def test_what_cannot_move_is_said(
    qapp: QApplication,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    says: str,
) -> None:
    path = tmp_path / "never.gif"
    assert main(["render", CAT, "-o", str(path), *words]) == 2
    assert says in capsys.readouterr().err
    assert not path.exists()


def test_the_name_tells_the_kind(tmp_path: Path) -> None:
    scene = read_scene(CAT)
    with pytest.raises(Problem, match="name another"):
        way_of(scene, "Q[1,1]=0..1")
    assert main(["render", CAT, "-o", str(tmp_path / "a.avi"), "--animate", "X[1,1]=0..1"]) == 2


def test_a_video_is_nearly_the_pictures_at_their_pace(tmp_path: Path) -> None:
    colours = [(0, 114, 178), (213, 94, 0), (255, 255, 255), (22, 28, 38)]
    images = [QImage(33, 21, QImage.Format.Format_RGB32) for _colour in colours]
    for image, colour in zip(images, colours, strict=True):
        image.fill(QColor(*colour))
    save_moving(images, tmp_path / "a.mp4", 4, 0)
    with av.open(tmp_path / "a.mp4") as file:
        shown = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
        rate = file.streams.video[0].average_rate
    assert (len(shown), rate) == (12, 12)  # each three times: no player stumbles
    assert shown[0].shape == (22, 34, 3)
    for colour, frame in zip(colours, shown[1::3], strict=True):
        assert np.abs(frame.astype(int) - colour).max() <= 4


def test_without_its_library_a_video_is_not_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.exporters.moving.find_spec", lambda _name: None)
    path = tmp_path / "a.mp4"
    assert main(["render", CAT, "-o", str(path), "--animate", "X[1,1]=0..1"]) == 2
    assert "pip install 'attention-explorer[video]'" in capsys.readouterr().err
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert main(["render", CAT, "-o", str(path), "--animate", "X[1,1]=0..1"]) == 2
    assert "choose WebP or GIF" in capsys.readouterr().err
    assert not path.exists()
