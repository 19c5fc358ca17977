"""The pages tell the scene file's keys and defaults as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.attention import QKNorm, Rotary, Variant
from explorer.session import (
    Context,
    Look,
    Options,
    Scene,
    Stage,
    dump_scene,
    parse_scene,
    read_scene,
)
from explorer.session.scene_schema import RotaryFields
from explorer.session.scene_view import View, ViewFields
from explorer.text import Problem
from tests.project.pages.told import code, quoted, rows


def full_scene() -> dict[str, Any]:
    """Return a scene file's fields with every key there can be beside tokens and X."""
    eye = np.eye(2)
    scene = Scene(
        ("a", "b"),
        eye,
        *(np.ones((2, 4)),) * 3,
        *(np.ones(4),) * 3,
        Wo=np.ones((4, 2)),
        bo=np.ones(2),
        context=Context(("c",), np.ones((1, 2))),
        options=Options(
            scale=2.0,
            mask=np.ones((2, 1), bool),
            heads=2,
            temperature=0.5,
            position=eye,
            variant=Variant.AVERAGE,
            rotary=Rotary(2),
            qk_norm=QKNorm(np.ones(2), np.ones(2)),
        ),
        view=View(Look().at_stage(Stage.A)),
        title="full",
        note="every key",
    )
    fields: dict[str, Any] = json.loads(dump_scene(scene))
    return fields


def flat(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with those of groups beside them, such as "options.mask"."""
    made: dict[str, Any] = {}
    for key, value in fields.items():
        group = (
            {f"{key}.{inner}": each for inner, each in value.items()}
            if isinstance(value, dict) and key != "view"
            else {key: value}
        )
        made |= group
    return made


def test_the_example_opens(tmp_path: Path) -> None:
    example, given = code("json")
    assert parse_scene(given.encode(), "given").given
    (tmp_path / "example.json").write_text(example, "utf-8")
    scene = read_scene(tmp_path / "example.json")
    assert scene.title
    assert scene.options.mask == "causal"


def test_the_keys_of_a_scene_are_all_told() -> None:
    told = [quoted(cells[0]) for cells in rows("files", "key")]
    assert len(told) == len(set(told))
    assert set(told) == set(flat(full_scene()))


def test_the_keys_of_rotary_positions_and_of_a_view_are_all_told() -> None:
    for name, fields in (("rotary", RotaryFields), ("view", ViewFields)):
        told = [key for cells in rows("files", name) for key in re.findall("`(.*?)`", cells[0])]
        assert sorted(told) == sorted(fields.__struct_fields__)


def test_what_is_needed_is_needed_and_nothing_else() -> None:
    needed = {quoted(cells[0]) for cells in rows("files", "key") if cells[2].startswith("needed")}
    fields = full_scene()
    parse_scene(json.dumps({key: fields[key] for key in needed}).encode(), "least")
    for key in needed:
        less = json.dumps({other: fields[other] for other in needed - {key}})
        with pytest.raises(Problem):
            parse_scene(less.encode(), "less")


def test_the_defaults_are_those_told() -> None:
    told = {quoted(cells[0]): cells[2].rstrip("| ") for cells in rows("files", "key")}
    least = json.dumps({key: full_scene()[key] for key in ("format", "version", "tokens", "X")})
    filled = flat(json.loads(dump_scene(parse_scene(least.encode(), "least"))))
    for key, default in told.items():
        if re.fullmatch("`.*`", default):
            assert filled[key] == json.loads(default.strip("`"))
        elif default != "needed":
            assert key not in filled
