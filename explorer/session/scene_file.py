"""Scene files: JSON that people can read and edit, checked before anything is shown."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import read_only
from explorer.session.checks import MOST_HEADS, check_scene
from explorer.session.scene import PARAMETERS, Context, Options, Scene
from explorer.text import N_, Message, Problem, displayable
from explorer.text.layout import json_text

FORMAT = "attention-explorer/scene"
VERSION = 1
LARGEST_FILE = 64 * 2**20  # bytes

_Rows = list[list[float]]
_Matrices = list[list[float | list[float]]]  # rows of numbers, or matrices of such rows
_Bias = list[float | list[float]]


class _Context(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: list[str]
    X: _Rows


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scale: Literal["sqrt_dk", "none"] | float = "sqrt_dk"
    mask: Literal["none", "causal"] | list[list[bool]] = "none"
    heads: Annotated[int, msgspec.Meta(ge=1, le=MOST_HEADS)] = 1


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    tokens: list[str]
    X: _Rows
    title: str = ""
    note: str = ""
    Wq: _Matrices | None = None
    Wk: _Matrices | None = None
    Wv: _Matrices | None = None
    bq: _Bias | None = None
    bk: _Bias | None = None
    bv: _Bias | None = None
    Wo: _Rows | None = None
    bo: list[float] | None = None
    context: _Context | None = None
    options: _Options = _Options()


_NUMBER = N_("a number between −1e50 and 1e50")
_ROW = N_("a row of numbers")
_TABLE = N_("a list of rows of numbers")
_MATRICES = N_("a list of rows of numbers, or one such list a head")
_TEXT = N_("a text")
_NAMES = N_("a list of texts")
_GROUP = N_("a group of fields")

# What is expected at each place, by its path with the numbers taken out.
_EXPECTED = {
    "tokens": _NAMES,
    "tokens[]": _TEXT,
    "X": _TABLE,
    "X[]": _ROW,
    "title": _TEXT,
    "note": _TEXT,
    **dict.fromkeys(("Wq", "Wk", "Wv"), _MATRICES),
    **{f"{name}[]": _TABLE for name in ("Wq", "Wk", "Wv")},
    "Wo": _TABLE,
    "Wo[]": _ROW,
    **{name: N_("a row of numbers, or one such row a head") for name in ("bq", "bk", "bv")},
    "bo": _ROW,
    "context": _GROUP,
    "context.tokens": _NAMES,
    "context.tokens[]": _TEXT,
    "context.X": _TABLE,
    "context.X[]": _ROW,
    "options": _GROUP,
    "options.scale": N_('"sqrt_dk", "none" or a number to divide by'),
    "options.mask": N_('"none", "causal" or rows of true and false'),
    "options.mask[]": N_("a row of true and false"),
    "options.mask[][]": N_("true or false"),
    "options.heads": N_("a whole number from 1 to 64"),
}


def read_scene(path: str | os.PathLike[str]) -> Scene:
    """Return the scene in a file, whatever the file is called.

    Raises
    ------
    Problem
        One sentence naming the file, the field and the reason.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL character
        raise _file_problem(N_("{file} cannot be opened: {reason}."), path, error) from None
    return parse_scene(data, path.name)


def parse_scene(data: bytes, name: str) -> Scene:
    """Return the scene that a file's bytes hold; `name` is what a Problem calls the file."""
    try:
        if len(data) > LARGEST_FILE:
            raise Problem(
                N_("The file is larger than a scene may be, {most} MiB."),
                most=LARGEST_FILE // 2**20,
            )
        scene = _scene(_decoded(data))
        check_scene(scene)
    except Problem as problem:
        raise Problem(
            N_("{file}: {reason}"), file=displayable(name), reason=problem.message
        ) from None
    return scene


def dump_scene(scene: Scene) -> bytes:
    """Return a scene as the bytes of its file: one matrix row a line, every digit kept.

    Raises Problem where the scene is beyond a limit, so that whatever is saved can be opened.
    """
    check_scene(scene)
    mask = scene.options.mask
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": scene.title,
        "note": scene.note,
        "tokens": list(scene.tokens),
        "X": scene.X.tolist(),
    }
    for name in PARAMETERS:
        if (array := getattr(scene, name)) is not None:
            fields[name] = array.tolist()
    if scene.context is not None:
        fields["context"] = {
            "tokens": list(scene.context.tokens),
            "X": scene.context.X.tolist(),
        }
    fields["options"] = {
        "scale": scene.options.scale,
        "mask": mask if isinstance(mask, str) else mask.tolist(),
        "heads": scene.heads,
    }
    data = (json_text(fields) + "\n").encode()
    if len(data) > LARGEST_FILE:
        raise Problem(
            N_("The file would be larger than a scene may be, {most} MiB: shorten the note."),
            most=LARGEST_FILE // 2**20,
        )
    return data


def write_scene(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Save a scene so that the file is at every moment either the old or the new one, complete.

    An existing file keeps its permissions, and a link keeps pointing to it. Raises Problem.
    """
    write_bytes(dump_scene(scene), path)


def write_bytes(data: bytes, path: str | os.PathLike[str]) -> None:
    """Put `data` in place of a file in one step, as `write_scene` says."""
    from explorer.traces.files import replacing  # all of traces comes with it

    try:
        with replacing(Path(path)) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise _file_problem(N_("{file} cannot be saved: {reason}."), Path(path), error) from None


def _decoded(data: bytes) -> Any:
    """Return JSON as Python values; NaN and infinities are let through, to be named by place."""
    try:
        return json.loads(data, object_pairs_hook=_unique, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise Problem(
            N_("This is not JSON (line {line}, column {column})."),
            line=error.lineno,
            column=error.colno,
        ) from None
    except UnicodeDecodeError:
        raise Problem(N_("This is no text, so it is no scene.")) from None
    except RecursionError:
        raise Problem(N_("Its lists are nested too deeply for a scene.")) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise Problem(N_("{field} is there twice."), field=displayable(name, 64))
        fields[name] = value
    return fields


def _whole(digits: str) -> int | float:
    # Python refuses to read integers of more than 4,300 digits.
    return int(digits) if len(digits) < 400 else math.inf


def _scene(value: Any) -> Scene:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Problem(N_('This is no scene: "format" must be "{format}".'), format=FORMAT)
    version = value.get("version")
    if type(version) is not int:
        raise Problem(N_("version must be a whole number."))
    if version != VERSION:
        raise Problem(
            N_("version is {found}, but this program reads version {known}."),
            found=displayable(str(version), 20),
            known=VERSION,
        )
    try:
        file = msgspec.convert(value, _File)
    except msgspec.ValidationError as error:
        raise _explained(error) from None
    mask = file.options.mask
    return Scene(
        tokens=tuple(file.tokens),
        X=_array("X", file.X),
        **{
            name: None if (rows := getattr(file, name)) is None else _array(name, rows)
            for name in PARAMETERS
        },
        context=None
        if file.context is None
        else Context(tuple(file.context.tokens), _array("context.X", file.context.X)),
        options=Options(
            scale=file.options.scale,
            mask=mask if isinstance(mask, str) else _array("options.mask", mask, np.bool_),
            heads=file.options.heads,
        ),
        title=file.title,
        note=file.note,
    )


def _explained(error: msgspec.ValidationError) -> Problem:
    """Return msgspec's complaint as a sentence of ours; it names the path at its end."""
    text, _sep, path = str(error).partition(" - at `$")
    path = path.removesuffix("`").removeprefix(".")
    if named := re.search(r"(unknown|missing required) field `(.*)`", text, re.DOTALL):
        kind, field = named.groups()
        field = displayable(f"{path}.{field}" if path else field, 64)
        if kind == "unknown":
            return Problem(N_("{field} is no field of a scene."), field=field)
        return Problem(N_("{field} is missing."), field=field)
    expected = _EXPECTED.get(re.sub(r"\d+", "", path), _NUMBER)
    return Problem(N_("{field} must be {expected}."), field=path, expected=Message(expected))


def _array(field: str, rows: list[Any], dtype: type = np.float64) -> NDArray[Any]:
    """Return nested lists as a read-only array; a Problem names the part unlike its siblings."""
    try:
        array: NDArray[Any] = np.array(rows, dtype=dtype)
    except ValueError:
        _shape(field, rows)
        raise
    if array.size == 0:
        _shape(field, rows)
    return read_only(array)


def _shape(field: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        return ()
    if not value:
        raise Problem(N_("{field} is empty."), field=field)
    first = _shape(f"{field}[0]", value[0])
    for i, part in enumerate(value):
        shape = _shape(f"{field}[{i}]", part)
        if shape != first:
            raise Problem(
                N_("{field} must be like {first}, {expected}, but is {found}."),
                field=f"{field}[{i}]",
                first=f"{field}[0]",
                expected=_described(first),
                found=_described(shape),
            )
    return (len(value), *first)


def _described(shape: tuple[int, ...]) -> Message:
    if not shape:
        return Message(N_("a number"))
    if len(shape) == 1:
        return Message(N_("a row of {count}"), {"count": shape[0]})
    return Message(N_("a table of {rows} × {columns}"), {"rows": shape[0], "columns": shape[1]})


def _file_problem(template: str, path: Path, error: OSError | ValueError) -> Problem:
    from explorer.traces.files import reason

    return Problem(template, file=displayable(path.name or str(path)), reason=reason(error))
