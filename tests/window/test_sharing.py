"""Sharing from the window: what is shown becomes a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.app.dialogs import QtDialogs
from explorer.resources import example
from explorer.session import Role, Selection, Stage
from explorer.session.intents import Select, ShowStage
from explorer.share.scene_page import scene_page
from tests.window.conftest import Person


def test_the_scene_is_shared_as_it_is_looked_at(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def ask(_dialogs: QtDialogs, name: str) -> Path | None:
        names.append(name)
        return path

    monkeypatch.setattr(QtDialogs, "ask_page", ask)
    path = tmp_path / "page.html"
    window = person.window
    window.explore.handle(ShowStage(Stage.S))
    window.explore.handle(Select(Selection(Role.S, 1, 3)))
    share = window.actions_by_name["share"]
    share.trigger()
    session = person.session
    assert path.read_bytes() == scene_page(session.scene, session.look, session.selection)
    assert b'"stage":"S"' in path.read_bytes()
    assert names == ["cat-likes-fish-cloud"]
    path = tmp_path / "no such folder" / "page.html"
    share.trigger()
    assert window.explore_page.error_bar.isVisible()


def test_the_run_in_front_is_shared(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.html"
    monkeypatch.setattr(QtDialogs, "ask_page", lambda _dialogs, _name: path)
    window = person.window
    window.open_file(example("tiny-transformer.safetensors"))
    window.actions_by_name["share"].trigger()
    assert b"tracePage" in path.read_bytes()
    assert b"<title>tiny-transformer</title>" in path.read_bytes()
