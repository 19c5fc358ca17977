"""Settings: overrides only, a broken file set aside, writes that happen whole or not at all."""

from __future__ import annotations

import errno
import os
from functools import partial
from pathlib import Path

import msgspec
import pytest

from explorer.app.settings import (
    RECENT,
    Settings,
    SettingsStore,
    config_folder,
    data_folder,
    load,
    settings_file,
    store,
    with_recent,
    without_recent,
)
from explorer.session import ResultsTab
from explorer.text import Problem


def no_problem(problem: Problem) -> None:
    raise AssertionError(str(problem))


def test_nothing_is_written_by_looking() -> None:
    assert load(no_problem) == Settings()
    assert SettingsStore(no_problem).settings == Settings()
    assert not config_folder().exists()
    assert not data_folder().exists()


def test_settings_come_back_as_stored() -> None:
    settings = Settings(
        theme="dark",
        percent=150,
        reduce_motion=True,
        geometry="AdnQywAD",
        recent=("/a/早.json", "/b.json"),
        last_folder="/a",
        tab=ResultsTab.PAIRS,
        torch_code=True,
    )
    store(settings)
    assert load(no_problem) == settings


def test_the_file_holds_overrides_only() -> None:
    store(Settings(theme="dark"))
    assert msgspec.json.decode(settings_file().read_bytes()) == {"theme": "dark"}


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"[]",
        b'{"theme": "pink"}',
        b'{"percent": 110}',
        b'{"colour": 1}',
        b'{"recent": ["\xff"]}',
        b"[" * 100_000,
        b'{"recent": ' + msgspec.json.encode(["x"] * (RECENT + 1)) + b"}",
    ],
)
def test_a_broken_file_is_set_aside_and_said_so(broken: bytes) -> None:
    config_folder().mkdir(parents=True)
    settings_file().write_bytes(broken)
    told: list[Problem] = []
    assert load(told.append) == Settings()
    aside = config_folder() / "settings.json.broken"
    assert aside.read_bytes() == broken
    assert not settings_file().exists()
    (problem,) = told
    assert str(aside) in str(problem)
    assert load(no_problem) == Settings()


def test_recent_files_are_in_order_without_repetition_and_few() -> None:
    settings = Settings()
    for i in range(RECENT + 3):
        settings = with_recent(settings, Path(f"/somewhere/{i}.json"))
    settings = with_recent(settings, Path("/elsewhere/5.json"))
    settings = with_recent(settings, Path("/somewhere/7.json"))
    assert len(settings.recent) == RECENT
    assert settings.recent[:3] == (
        "/somewhere/7.json",
        "/elsewhere/5.json",
        "/somewhere/12.json",
    )
    assert settings.recent.count("/somewhere/7.json") == 1
    assert settings.last_folder == "/somewhere"
    assert without_recent(settings, Path("/elsewhere/5.json")).recent == tuple(
        each for each in settings.recent if each != "/elsewhere/5.json"
    )


def test_a_path_that_is_no_unicode_is_not_remembered_and_no_obstacle() -> None:
    path = Path(os.fsdecode(b"/x/\xff.json"))
    settings = with_recent(Settings(theme="dark"), path)
    assert settings == Settings(theme="dark")


def test_two_windows_keep_each_others_settings() -> None:
    one, other = SettingsStore(no_problem), SettingsStore(no_problem)
    one.update(partial(with_recent, path=Path("/x/one.json")))
    other.update(partial(with_recent, path=Path("/x/other.json")))
    other.update(lambda settings: msgspec.structs.replace(settings, theme="dark"))
    assert load(no_problem).recent == ("/x/other.json", "/x/one.json")
    assert one.settings.theme == "system"
    one.update(lambda settings: msgspec.structs.replace(settings, percent=150))
    assert load(no_problem).theme == "dark"
    assert load(no_problem).percent == 150


def test_a_full_disk_keeps_the_old_file_and_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store(Settings(theme="dark"))
    before = settings_file().read_bytes()

    def full(source: object, target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    told: list[Problem] = []
    settings = SettingsStore(told.append)
    monkeypatch.setattr(os, "replace", full)
    settings.update(lambda s: msgspec.structs.replace(s, percent=150))
    settings.update(lambda s: msgspec.structs.replace(s, percent=200))
    assert settings.settings == Settings(theme="dark", percent=200)
    assert settings_file().read_bytes() == before
    assert [path.name for path in config_folder().iterdir()] == ["settings.json"]
    (problem,) = told
    assert "settings.json" in str(problem)
    assert "No space left on device" in str(problem)


def test_a_settings_folder_that_is_a_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    config_folder().parent.mkdir(parents=True)
    config_folder().write_text("in the way")
    with pytest.raises(Problem, match=r"settings\.json"):
        store(Settings())
