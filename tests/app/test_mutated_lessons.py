"""Shipped lessons with anything changed in them: played, or told in one sentence, and soon."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.app.lessons.player import Player
from explorer.app.lessons.tables import ModelTable, RunTable, SceneTable
from explorer.lessons.read import read_lesson
from explorer.resources import example, lessons
from explorer.session import Scene, read_scene
from explorer.session.lesson import AnswerQuestion, AskForHint, RestoreStep, SolveTask, TurnTo
from explorer.text import Problem
from tests.app.desk import Desk

FIRST = read_scene(example("cat-likes-fish.json"))
SHIPPED = [path.read_text(encoding="utf-8") for path in lessons()]
WORDS = (
    *("X", "Q", "S", "A", "weights", "output", "Wk", "cat", "cloud", "dog", "mask", "heads", "own"),
    *(
        "example:translation",
        "example:two-heads",
        "../x",
        "/dev/zero",
        "%s",
        "{0}",
        "<b>",
        "\u202e",
    ),
    *("", "\0", "most", "value", "change", "causal", "compare", "C", r"\frac{1", "x" * 3000),
)
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from((0, 1, 2, 3, -1, 7, 10**9, 10**400)),
    st.sampled_from((0.0, 0.5, -3.0, 1e-300, 1e60, math.inf, -math.inf, math.nan)),
    st.booleans(),
    st.sampled_from(([], {}, [[]], {"": ""}, {"en": ""}, [{"value": "weights"}])),
)


def toml(value: Any) -> str:
    """Return a value as TOML, tables inline."""
    match value:
        case dict():
            return "{" + ", ".join(f"{toml(str(k))} = {toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case str():
            return json.dumps(value).replace("\x7f", "\\u007f")
        case float():
            return repr(value)
        case bool() | int():
            return json.dumps(value)
    raise TypeError(value)


def paths(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from paths(each, *path, key)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return a shipped lesson's text with a few values exchanged, left out or added."""
    lesson = tomllib.loads(draw(st.sampled_from(SHIPPED)))
    steps = lesson["step"]
    first = draw(st.integers(0, len(steps) - 1))
    lesson["step"] = [steps[0], *steps[first : first + 2]]
    for _change in range(draw(st.integers(1, 4))):
        within = [path for path in paths(lesson) if path[0] == "step"]
        if not within:  # all of it is gone
            break
        *way, key = draw(st.sampled_from(within))
        place: Any = lesson
        for part in way:
            place = place[part]
        match draw(st.sampled_from(("exchange", "exchange", "copy", "remove", "add"))):
            case "exchange":
                place[key] = deepcopy(draw(VALUES))
            case "copy" if isinstance(place, dict):
                found: Any = lesson
                for part in draw(st.sampled_from(within)):
                    found = found[part]
                place[key] = deepcopy(found)
            case "add" if isinstance(place, dict):
                place[draw(st.sampled_from((*WORDS, "fill", "task", "show", "trace")))] = draw(
                    VALUES
                )
            case _:
                del place[key]
    return "\n".join(f"{toml(key)} = {toml(value)}" for key, value in lesson.items())


class Table:
    """A document that asks nothing before a lesson takes its place."""

    def __init__(self, desk: Desk) -> None:
        self._session = desk.session

    def show(self, scene: Scene) -> bool:
        self._session.open(scene)
        return True


def no_train() -> NoReturn:
    raise Problem("There is no Train here.")


def play(path: Path, scene: Scene) -> None:
    """Do on every page of a lesson all that can be done."""
    desk = Desk(scene)
    told: list[Problem] = []
    scenes = SceneTable(desk.session, desk.presenter.handle, lambda: None)
    player = Player(scenes, RunTable(no_train), ModelTable(no_train), Table(desk), told.append)
    if not player.open(path):
        assert len(told) == 1
        assert str(told[0]).startswith(path.name)
        return
    for place in range(len(read_lesson(path).steps)):
        for wanted in (
            TurnTo(place),
            AnswerQuestion("0.5"),
            AskForHint(),
            SolveTask(),
            RestoreStep(),
        ):
            player.handle(wanted)
            sheet = player.sheet(desk.session.frame)
            assert sheet is not None
            assert sheet.fault.startswith(path.name) or sheet.text
    assert not desk.told


@given(mutated())
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_changed_in_a_lesson_it_is_played_or_told(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "changed.toml"
        path.write_text(text, encoding="utf-8")
        play(path, FIRST)


@given(st.sampled_from(SHIPPED), st.data())
@settings(max_examples=60)
def test_a_file_that_is_cut_up_is_a_lesson_or_told(shipped: str, data: st.DataObject) -> None:
    content = shipped.encode()
    start, end = sorted(data.draw(st.integers(0, len(content))) for _cut in range(2))
    other = data.draw(st.sampled_from((b"", b"[", b'"', b'"""', b"\n[[step]]\n", b"\xff", b"\0")))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cut.toml"
        path.write_bytes(content[:start] + other + content[end:])
        play(path, FIRST)
