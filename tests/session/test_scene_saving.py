"""Scene files: what is written, and how it takes the old file's place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from explorer.session import (
    Context,
    Options,
    Scene,
    dump_scene,
    parse_scene,
    read_scene,
    write_scene,
)
from explorer.session.scene_file import LARGEST_FILE, write_bytes
from explorer.text import Problem
from tests.scenes import assert_same_scene, scenes


def test_what_could_not_be_opened_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    for scene in (
        Scene(("a",), np.array([[np.nan]])),
        Scene(("a", "b"), np.eye(1)),
        Scene(("a",), np.eye(1), note="x" * LARGEST_FILE),
    ):
        with pytest.raises(Problem):
            write_scene(scene, path)
    assert list(tmp_path.iterdir()) == []


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(scenes())
def test_a_saved_scene_opens_as_the_same(scene: Scene) -> None:
    data = dump_scene(scene)
    opened = parse_scene(data, "x")
    assert_same_scene(opened, scene)
    assert dump_scene(opened) == data


def test_the_file_can_be_read_by_people() -> None:
    scene = Scene(
        tokens=("早", "b"),
        X=np.array([[1, 0.1], [1e-7, -2]]),
        context=Context(("k",), np.array([[1.0, 2.0]])),
        options=Options(mask=np.array([[True], [False]])),
    )
    assert (
        dump_scene(scene).decode()
        == """{
  "format": "attention-explorer/scene",
  "version": 1,
  "title": "",
  "note": "",
  "tokens": ["早", "b"],
  "X": [
    [1.0, 0.1],
    [1e-7, -2.0]
  ],
  "context": {
    "tokens": ["k"],
    "X": [
      [1.0, 2.0]
    ]
  },
  "options": {
    "scale": "sqrt_dk",
    "mask": [
      [true],
      [false]
    ],
    "heads": 1
  }
}
"""
    )


SCENE = Scene(("a",), np.array([[1.0]]))


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_scene(SCENE, link)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert_same_scene(read_scene(real), SCENE)
    assert {path.name for path in tmp_path.iterdir()} == {"real.json", "link.json"}


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_scene(SCENE, tmp_path / "new.json")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failed_save_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = tmp_path / "scene.json"
    path.write_text("old")

    def fail(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(Problem) as problem:
        write_scene(SCENE, path)
    assert str(problem.value) == "scene.json cannot be saved: No space left on device."
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_protected_file_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scene.json"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_args: False)  # root may write everywhere
    with pytest.raises(Problem, match="write-protected"):
        write_bytes(b"new", path)
    assert path.read_text() == "old"


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(
        Problem, match=r"^none\.json cannot be opened: No such file or directory\.$"
    ):
        read_scene(tmp_path / "none.json")
    with pytest.raises(Problem, match="Is a directory"):
        read_scene(tmp_path)
    with pytest.raises(Problem, match="cannot be opened"):
        read_scene("a\0b")
    with pytest.raises(Problem, match="cannot be saved: No such file or directory"):
        write_scene(SCENE, tmp_path / "none" / "scene.json")
