"""A step of a lesson, written for what is shown now, to be pasted into a lesson file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from explorer.lessons.schema import Pan
from explorer.resources import examples
from explorer.session import Frame, Scene, Selection
from explorer.session.scene_file import read_scene
from explorer.text import N_, _

_TEXTS = ((N_("What this step explains"), "text"), (N_("The same in short"), "short"))


def step_text(frame: Frame, scene: str, camera: Pan | None, language: str) -> str:
    """Return a step as TOML that shows a frame: stage, spaces, selection, options and camera.

    Parameters
    ----------
    frame : Frame
    scene : str
        The name of its scene, as a step has it.
    camera : Pan or None
        Where its plane is looked at from; None where everything is shown.
    language : str
        Of the texts that are to be written.
    """
    written = {**_look(frame), **_options(frame)}
    if frame.selection is not None:
        written["select"] = _selected(frame.selection, frame)
    written["camera"] = _quoted("fit") if camera is None else _pan(camera)
    lines = ["[[step]]", f"scene = {_quoted(scene)}"]
    lines += [f"{name}.{language} = {_quoted(_(said))}" for said, name in _TEXTS]
    lines.append(f"show = {_inline(written)}")
    return "\n".join(lines) + "\n"


def _look(frame: Frame) -> dict[str, str]:
    look = frame.look
    spaces = ", ".join(_quoted(space) for space in sorted(look.spaces))
    movements = ", ".join(_quoted(matrix) for matrix in sorted(look.movements))
    found = {
        "stage": _quoted(look.stage),
        "spaces": f"[{spaces}]",
        "edges": _quoted(look.edges),
        "scaled": _truth(look.scaled),
        "centre": _quoted(look.centre),
        "movements": f"[{movements}]",
    }
    if frame.scene.heads > 1:
        found |= {"head": str(look.head + 1), "average": _truth(look.average)}
    return found


def _options(frame: Frame) -> dict[str, str]:
    """Return the options; what is a table of its own stays as the scene's file has it."""
    options, scene = frame.scene.options, frame.scene
    found = {
        name: _quoted(value) if isinstance(value, str) else f"{value:g}"
        for name in ("scale", "mask", "temperature", "position", "variant")
        if not isinstance(value := getattr(options, name), np.ndarray)
    }
    if len(scene.sequences) > 1:
        found["sequence"] = str(scene.shown + 1)
    return found


def _selected(thing: Selection, frame: Frame) -> str:
    found = {"table": _quoted(thing.role)}
    for name, place, tokens in (
        ("query", thing.query, frame.scene.tokens),
        ("key", thing.key, frame.scene.key_tokens),
    ):
        if place is not None:
            found[name] = str(place + 1) if thing.in_weights else _token(place, tokens)
    if thing.column is not None:
        found["column"] = str(thing.column + 1)
    return _inline(found)


def _token(place: int, tokens: Sequence[str]) -> str:
    """Return a token's name, or its place where another has the same name."""
    name = tokens[place]
    return _quoted(name) if tokens.count(name) == 1 else str(place + 1)


def _pan(camera: Pan) -> str:
    return _inline({name: f"{getattr(camera, name):.4g}" for name in ("x", "y", "zoom")})


def _inline(table: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key} = {value}" for key, value in table.items()) + "}"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _quoted(text: str) -> str:
    return json.dumps(str(text), ensure_ascii=False)


def scene_name(scene: Scene, path: Path | None) -> str:
    """Return what a step calls a scene: its file's name, or that of the example that it is of."""
    if path is not None:
        return path.name
    found = (each for each in examples() if read_scene(each).title == scene.title)
    example = next(found, None)
    return "scene.json" if example is None else f"example:{example.stem}"
