"""Scene files: JSON that people can read and edit, checked before anything is shown.

Version 2 has several sequences, position, temperature and variants; version 3 rotary positions,
norms of Q and K, and Q, K and V themselves. A scene is written in the first version that has all of
what it needs.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import re
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
import numpy as np
from numpy.typing import NDArray

from explorer.attention import QKNorm, Rotary
from explorer.attention.arrays import read_only
from explorer.session.checks import BeyondLimits, check_scene
from explorer.session.scene import PARAMETERS, Context, Options, Scene, Sequence
from explorer.session.scene_schema import (
    EXPECTED,
    NUMBER,
    SINCE,
    FileFields,
    MaskField,
    SequenceFields,
)
from explorer.session.scene_view import ViewFields, read_view, view_fields
from explorer.text import N_, Message, Problem, displayable, why_refused
from explorer.text.layout import json_text

FORMAT = "attention-explorer/scene"
VERSION = 3  # the newest
_UNWRITABLE = N_("{field} holds characters that cannot be written.")
LARGEST_FILE = 256 * 10**6  # bytes
# No scene within the limits of `checks` has as many; what has more would take long to read.
_MOST_GROUPS = 300_000
_MOST_LISTS = 2_400_000  # 64 heads of 8,192 rows in each of Wq, Wk, Wv and Wo, and some
_MOST_ENTRIES = 8_200_000  # but for what is true or false: a mask may have more
_MOST_TEXTS = 150_000  # 512 tokens and 512 of a context in each of 64 sequences, and fields
_LARGE = 10**6  # bytes from which on what is no scene is refused before it is read as a whole
_ROW = re.compile(rb'\[[^][{}"]*\]')  # numbers alone


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
            raise BeyondLimits(
                N_("The file is larger than a scene may be, {most} MB."),
                most=LARGEST_FILE // 10**6,
            )
        if (
            data.count(b"{") > _MOST_GROUPS
            or data.count(b"[") > _MOST_LISTS
            or data.count(b",") - data.count(b"true") - data.count(b"false") > _MOST_ENTRIES
            or (data.count(b'"') - data.count(b'\\"')) // 2 > _MOST_TEXTS
        ):
            raise BeyondLimits(N_("The file holds more lists, texts or numbers than a scene may."))
        scene, fields = _scene(*_fields(data))
        check_scene(scene)
        if fields is not None:
            scene = scene.replace(view=read_view(fields, scene))
    except Problem as problem:
        raise type(problem)(
            N_("{file}: {reason}"), file=displayable(name), reason=problem.message
        ) from None
    return scene


def dump_scene(scene: Scene) -> bytes:
    """Return a scene as the bytes of its file: one matrix row a line, every digit kept.

    Raises Problem where the scene is beyond a limit, so that whatever is saved can be opened.
    """
    check_scene(scene)
    options = scene.options
    mask: Any = options.mask
    shown: dict[str, Any] = _tokens_and_rows(scene)
    context: dict[str, Any] = _context(scene)
    if scene.others:
        named = {
            sequence.mask if isinstance(sequence.mask, str) else None
            for sequence in scene.sequences
        }
        # One name for all stands once, in the options.
        mask = (named.pop() if len(named) == 1 else None) or "none"
        shown, context = {"sequences": [_sequence(one, mask) for one in scene.sequences]}, {}
    if scene.given:
        assert scene.context is not None
        assert scene.V is not None
        keys = scene.context.tokens
        shown = {"tokens": list(scene.tokens)}
        shown |= {} if keys == scene.tokens else {"key_tokens": list(keys)}
        shown |= {"Q": scene.X, "K": scene.context.X, "V": scene.V}
        context = {}
    newer: dict[str, Any] = {
        name: value
        for name, value, usual in (
            ("temperature", options.temperature, 1.0),
            ("position", options.position, "none"),
            ("variant", str(options.variant), "none"),
        )
        if isinstance(value, np.ndarray) or value != usual
    }
    if options.rotary is not None:
        newer["rotary"] = dataclasses.asdict(options.rotary)
    if (norm := options.qk_norm) is not None:
        newer["qk_norm"] = {
            "query": norm.query,
            "key": norm.key,
            "epsilon": norm.epsilon,
        }
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": 1,
        "title": scene.title,
        "note": scene.note,
        **shown,
    }
    for name in PARAMETERS:
        if (array := getattr(scene, name)) is not None:
            fields[name] = array
    fields |= context
    fields["options"] = {"scale": options.scale, "mask": mask, "heads": scene.heads, **newer}
    if scene.view is not None:
        fields["view"] = view_fields(scene.view, scene)
    fields["version"] = max(map(_since, _fields_of(fields)))
    data = (json_text(fields) + "\n").encode()
    if len(data) > LARGEST_FILE:
        raise Problem(
            N_("The file would be larger than a scene may be, {most} MB: shorten the note."),
            most=LARGEST_FILE // 10**6,
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


def _tokens_and_rows(part: Scene | Sequence | Context) -> dict[str, Any]:
    return {"tokens": list(part.tokens), "X": part.X}


def _context(part: Scene | Sequence) -> dict[str, Any]:
    return {} if part.context is None else {"context": _tokens_and_rows(part.context)}


def _sequence(sequence: Sequence, shared_mask: str) -> dict[str, Any]:
    shared = isinstance(sequence.mask, str) and sequence.mask == shared_mask
    own = {} if shared else {"mask": sequence.mask}
    return _tokens_and_rows(sequence) | _context(sequence) | own


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
        raise Problem(N_("This is not text, so it is not a scene.")) from None
    except RecursionError:
        raise Problem(N_("Its lists are nested too deeply for a scene.")) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise Problem(N_("{field} appears twice."), field=displayable(name, 64))
        fields[name] = value
    return fields


def _whole(digits: str) -> int | float:
    # Python refuses to read integers of more than 4,300 digits.
    return int(digits) if len(digits) < 400 else math.inf


def _fields(data: bytes) -> tuple[FileFields, dict[str, Any]]:
    """Return a scene's fields, and the file as it stands, where lists of numbers may be empty.

    Raises Problem.
    """
    try:
        file = msgspec.json.decode(data, type=FileFields)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        # Python's own reader lets NaN and numbers without bounds through, to be named by place.
        if len(data) > _LARGE and _is_mismatch(error):
            _check_head(_head(data))
            raise _explained(error) from None
    else:
        named = _decoded(_ROW.sub(b"[]", data))  # no field may be there twice
        _check_head(named)
        return file, named
    value = _decoded(data)
    _check_head(value)
    try:
        return msgspec.convert(value, FileFields), value
    except msgspec.ValidationError as error:
        raise _explained(error) from None
    except UnicodeEncodeError:
        raise Problem(_UNWRITABLE, field=_unwritable(value)) from None


def _is_mismatch(error: Exception) -> TypeGuard[msgspec.ValidationError]:
    return isinstance(error, msgspec.ValidationError) and "out of range" not in str(error)


class _Head(msgspec.Struct):
    """What says that a file is a scene; anything else is skipped."""

    format: msgspec.Raw = msgspec.Raw(b"null")
    version: msgspec.Raw = msgspec.Raw(b"null")


def _head(data: bytes) -> dict[str, Any]:
    """Return a file's format and version, each where it is there and short. Raises Problem."""
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    told = {"format": head.format, "version": head.version}
    return {name: _decoded(bytes(raw)) for name, raw in told.items() if len(raw) < 64}


def _check_head(value: Any) -> None:
    """Raise Problem unless a file's fields say that it is a scene which this program knows."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Problem(N_('This is not a scene: "format" must be "{format}".'), format=FORMAT)
    version = value.get("version")
    if type(version) is not int:
        raise Problem(N_("version must be a whole number."))
    if not 1 <= version <= VERSION:
        raise Problem(
            N_("version is {found}, but this program reads versions up to {known}."),
            found=displayable(str(version), 20),
            known=VERSION,
        )


def _scene(file: FileFields, named: dict[str, Any]) -> tuple[Scene, ViewFields | None]:
    _refuse_newer(named, file.version)
    sequences = _sequences(file)
    options = Options(
        scale=file.options.scale,
        mask=sequences[0].mask,
        heads=file.options.heads,
        temperature=file.options.temperature,
        position=_named_or_array("options.position", file.options.position),
        variant=file.options.variant,
        rotary=msgspec.convert(file.options.rotary, Rotary | None, from_attributes=True),
        qk_norm=None
        if (norm := file.options.qk_norm) is None
        else QKNorm(
            _array("options.qk_norm.query", norm.query),
            _array("options.qk_norm.key", norm.key),
            norm.epsilon,
        ),
    )
    parameters: dict[str, Any] = {
        name: None if (rows := getattr(file, name)) is None else _array(name, rows)
        for name in PARAMETERS
    }
    scene = Scene(
        tokens=sequences[0].tokens,
        X=sequences[0].X,
        **parameters,
        context=sequences[0].context,
        options=options,
        title=file.title,
        note=file.note,
        others=sequences[1:],
        V=None if isinstance(file.V, msgspec.UnsetType) else _array("V", file.V),
    )
    return scene, file.view


def _unwritable(value: Any, field: str = "") -> str | None:
    """Return the first field that holds half of a surrogate pair, or whose name does."""
    if isinstance(value, str):
        return field if any("\ud800" <= letter <= "\udfff" for letter in value) else None
    parts: list[tuple[str, Any]] = []
    if isinstance(value, list):
        parts = [(f"{field}[{place}]", part) for place, part in enumerate(value)]
    elif isinstance(value, dict):
        for name, part in value.items():
            inner = f"{field}.{name}" if field else name
            if _unwritable(name) is not None:
                return displayable(inner.encode(errors="backslashreplace").decode(), 64)
            parts.append((inner, part))
    found = (_unwritable(part, inner) for inner, part in parts)
    return next((place for place in found if place is not None), None)


def _fields_of(value: dict[str, Any]) -> list[str]:
    return [*value, *(f"options.{name}" for name in value.get("options", {}))]


def _since(field: str) -> int:
    return SINCE.get(field, 1)


def _refuse_newer(value: dict[str, Any], version: int) -> None:
    fields = set(_fields_of(value))
    for field, needed in SINCE.items():
        if field in fields and needed > version:
            raise Problem(N_('{field} needs "version": {needed}.'), field=field, needed=needed)


def _sequences(file: FileFields) -> tuple[Sequence, ...]:
    """Return all sequences of a file: those it lists, or the one of its own tokens and X."""
    given = [name for name in ("Q", "K", "V") if getattr(file, name) is not msgspec.UNSET]
    if given or file.key_tokens is not msgspec.UNSET:
        return (_given(file, given),)
    if isinstance(file.sequences, msgspec.UnsetType):
        for name in ("tokens", "X"):
            if getattr(file, name) is msgspec.UNSET:
                raise Problem(N_("{field} is missing."), field=name)
        context, mask = file.context, file.options.mask
        assert file.tokens is not msgspec.UNSET
        assert file.X is not msgspec.UNSET
        alone = SequenceFields(file.tokens, file.X, context, mask)
        return (_read_sequence(alone, "", "options.mask", mask),)
    for name in ("tokens", "X", "context"):
        if getattr(file, name) not in (msgspec.UNSET, None):
            raise Problem(N_("{field} is given in each sequence here."), field=name)
    if not file.sequences:
        raise Problem(N_("{field} is empty."), field="sequences")
    return tuple(
        _read_sequence(
            each,
            f"sequences[{place}].",
            "options.mask" if each.mask is None else f"sequences[{place}].mask",
            file.options.mask if each.mask is None else each.mask,
        )
        for place, each in enumerate(file.sequences)
    )


def _given(file: FileFields, given: list[str]) -> Sequence:
    """Return the one sequence of a file that gives Q, K and V; all but V, which stands apart."""
    for name in ("X", "sequences", "context"):
        if getattr(file, name) not in (msgspec.UNSET, None):
            raise Problem(N_("{field} cannot be given beside Q, K and V."), field=name)
    for name in ("tokens", "Q", "K", "V"):
        if getattr(file, name) is msgspec.UNSET:
            raise Problem(N_("{field} is missing."), field=name)
    tokens, Q, K = file.tokens, file.Q, file.K
    assert not isinstance(tokens, msgspec.UnsetType)
    assert not isinstance(Q, msgspec.UnsetType)
    assert not isinstance(K, msgspec.UnsetType)
    keys = tokens if isinstance(file.key_tokens, msgspec.UnsetType) else file.key_tokens
    context = Context(tuple(keys), _array("K", K))
    mask: Any = _named_or_array("options.mask", file.options.mask, np.bool_)
    return Sequence(tuple(tokens), _array("Q", Q), context, mask)


def _read_sequence(each: SequenceFields, prefix: str, mask_field: str, mask: MaskField) -> Sequence:
    context = each.context
    return Sequence(
        tokens=tuple(each.tokens),
        X=_array(prefix + "X", each.X),
        context=None
        if context is None
        else Context(tuple(context.tokens), _array(prefix + "context.X", context.X)),
        mask=_named_or_array(mask_field, mask, np.bool_),
    )


def _named_or_array(field: str, value: Any, dtype: type = np.float64) -> Any:
    return value if isinstance(value, str) else _array(field, value, dtype)


def _explained(error: msgspec.ValidationError) -> Problem:
    """Return msgspec's complaint as a sentence of ours; it names the path at its end."""
    text, _sep, path = str(error).partition(" - at `$")
    path = path.removesuffix("`").removeprefix(".")
    if named := re.search(r"(unknown|missing required) field `(.*)`", text, re.DOTALL):
        kind, field = named.groups()
        field = displayable(f"{path}.{field}" if path else field, 64)
        if kind == "unknown":
            return Problem(N_("{field} is not a field of a scene."), field=field)
        return Problem(N_("{field} is missing."), field=field)
    expected = EXPECTED.get(re.sub(r"\d+", "", path), NUMBER)
    if isinstance(expected, str):
        expected = Message(expected)
    return Problem(N_("{field} must be {expected}."), field=path, expected=expected)


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
    return Problem(template, file=displayable(path.name or str(path)), reason=why_refused(error))
