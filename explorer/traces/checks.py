"""What a trace must be before any of it is shown: types, shapes that agree, indices that exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from explorer.text import N_, Listing, Message, Problem, displayable
from explorer.traces.container import Entry
from explorer.traces.schema import REQUIRED, ArraySpec, array_spec, layer_of
from explorer.traces.spec import FORMAT, VERSION, Run, check
from explorer.traces.trace import Array

MOST_AT_ONCE = 2**20  # numbers of an array that is read as a whole
LARGEST_STEP = 512 * 10**6  # bytes of one step of an array

_AXES = {
    "E": N_("recorded epochs"),
    "N": N_("samples"),
    "L": N_("layers"),
    "H": N_("heads"),
    "T": N_("tokens"),
    "V": N_("words of the vocabulary"),
    "P": N_("positions"),
    "C": N_("epochs"),
    "d": N_("columns (d_model)"),
    "d_k": N_("columns (d_k)"),
    "d_v": N_("columns (d_v)"),
    "f": N_("columns of the feed-forward layer"),
    "M": N_("numbers of all parameters"),
}
BASIS = ("basis.mean", "basis.components", "basis.explained")


def check_metadata(metadata: Mapping[str, str]) -> Run:
    """Return the run that a file's metadata tells of. Raises Problem."""
    if metadata.get("format") != FORMAT:
        raise Problem(
            N_('This is not a trace: "format" in its metadata must be "{format}".'), format=FORMAT
        )
    version = metadata.get("version", "")
    if version != VERSION:
        raise Problem(
            N_("Its version is {found}, but this program reads version {known}."),
            found=displayable(version, 20) or "?",
            known=VERSION,
        )
    if "run" not in metadata:
        raise Problem(N_('"run" is missing in its metadata.'))
    try:
        run = msgspec.json.decode(metadata["run"], type=Run)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Problem(
            N_('"run" in its metadata is not valid ({reason}).'),
            reason=displayable(str(error), 120),
        ) from None
    if not run.vocabulary:
        raise Problem(N_('The vocabulary of "run" in its metadata is empty.'))
    if run.config is not None:
        check(run.config)
    return run


def check_entries(
    entries: Mapping[str, Entry], run: Run, required: Sequence[str] = REQUIRED
) -> dict[str, int]:
    """Return what the letters of the shapes stand for. Raises a Problem naming an array.

    Arrays whose names a trace does not know may be anything.
    """
    for name in required:
        if name not in entries:
            raise Problem(N_("{array} is missing."), array=name)
    sizes = _sizes_of(run)
    products = []
    # Arrays in the order of their letters' names, so that a sentence blames the more special one.
    known = {name: spec for name in entries if (spec := array_spec(name)) is not None}
    for name in (*required, *sorted(known.keys() - set(required), key=_rank)):
        entry, spec = entries[name], known[name]
        _check_entry(name, entry, spec)
        for axis, found in zip(spec.shape, entry.shape, strict=True):
            if "*" in axis:
                products.append((name, axis, found))
            else:
                _check_size(name, axis, found, sizes)
    for name, axis, found in products:
        first, second = axis.split("*")
        if first in sizes and second in sizes:
            wanted = sizes[first].value * sizes[second].value
            if found != wanted:
                raise Problem(
                    N_(
                        "{array} has {found} rows, but {heads} heads with {columns} columns need"
                        " {wanted}."
                    ),
                    array=name,
                    found=found,
                    heads=sizes[first].value,
                    columns=sizes[second].value,
                    wanted=wanted,
                )
    for name in known:
        layer = layer_of(name)
        if layer is not None and "L" in sizes and layer >= sizes["L"].value:
            raise Problem(
                N_("{array} is of a layer that weights does not have: it has {layers}."),
                array=name,
                layers=sizes["L"].value,
            )
    if "C" in sizes and "scalar.epoch" not in entries:
        raise Problem(N_("{array} is missing."), array="scalar.epoch")
    return {letter: size.value for letter, size in sizes.items()}


def check_indices(arrays: Mapping[str, Array], run: Run) -> None:
    """Raise a Problem naming the first array of indices that leads nowhere.

    arrays : those of `epochs`, `lengths`, `tokens`, `targets`, `samples`, `scalar.epoch` there are
    """
    for name in ("epochs", "scalar.epoch"):
        if name in arrays:
            check_ascending(name, arrays[name])
    _check_range("lengths", arrays["lengths"], 1, arrays["tokens"].shape[1])
    words = len(run.vocabulary) - 1
    _check_range("tokens", arrays["tokens"], 0, words)
    if "targets" in arrays:
        _check_range("targets", arrays["targets"], 0, words)
    if "samples" in arrays:
        most = len(run.corpus) - 1 if run.corpus else np.iinfo(np.int64).max
        _check_range("samples", arrays["samples"], 0, int(most))


def check_ascending(name: str, values: Array) -> None:
    """Raise a Problem where epochs do not ascend from 0 or more."""
    # Compared, not subtracted: neither NaN nor an overflow slips through.
    fine = (values[:1] >= 0).all() and (values[1:] > values[:-1]).all() and (values < 2**53).all()
    if not fine:
        raise Problem(N_("{array} must ascend from 0 or more."), array=name)


def check_basis(arrays: Iterable[Array]) -> None:
    """Raise a Problem where a number of the basis is not finite."""
    for name, array in zip(BASIS, arrays, strict=True):
        if not np.isfinite(array).all():
            raise Problem(N_("{array} holds values that are not numbers."), array=name)


@dataclass(frozen=True)
class _Size:
    """What a letter stands for, and the array that said so."""

    value: int
    said_by: object


def _sizes_of(run: Run) -> dict[str, _Size]:
    """Return what the run itself says of the shapes."""
    said = {"V": len(run.vocabulary)}
    if (config := run.config) is not None:
        said |= {"L": config.layers, "H": config.heads, "d": config.d_model, "d_k": config.d_k}
        said |= {"d_v": config.d_k, "f": config.feed_forward_width}
    return {letter: _Size(size, Message(N_("the run"))) for letter, size in said.items()}


def _rank(name: str) -> tuple[bool, str]:
    return name.startswith("param."), name


def _check_entry(name: str, entry: Entry, spec: ArraySpec) -> None:
    if entry.dtype not in spec.dtypes:
        raise Problem(
            N_("{array} has the type {found}, but must have one of {allowed}."),
            array=name,
            found=entry.dtype,
            allowed=Listing.of(spec.dtypes),
        )
    if len(entry.shape) != len(spec.shape):
        raise Problem(
            N_("{array} has {found} dimensions, but must have {wanted}: {letters}."),
            array=name,
            found=len(entry.shape),
            wanted=len(spec.shape),
            letters=" × ".join(spec.shape),
        )
    if 0 in entry.shape:
        raise Problem(N_("{array} is empty."), array=name)
    if not spec.per_step or name == "epochs":
        numbers = np.prod(entry.shape, dtype=object)
        if numbers > MOST_AT_ONCE:
            raise Problem(
                N_("{array} holds {found} numbers, but at most {most} are possible."),
                array=name,
                found=numbers,
                most=MOST_AT_ONCE,
            )
    elif entry.nbytes // entry.shape[0] > LARGEST_STEP:
        raise Problem(
            N_("One step of {array} takes {found} MB, but at most {most} are possible."),
            array=name,
            found=entry.nbytes // entry.shape[0] // 10**6,
            most=LARGEST_STEP // 10**6,
        )


def _check_size(name: str, axis: str, found: int, sizes: dict[str, _Size]) -> None:
    known = _Size(int(axis), name) if axis.isdigit() else sizes.setdefault(axis, _Size(found, name))
    if found != known.value:
        raise Problem(
            N_("{array} has {found} {axis}, but {other} has {wanted}."),
            array=name,
            found=found,
            axis=Message(_AXES.get(axis, N_("rows"))),
            other=known.said_by,
            wanted=known.value,
        )


def _check_range(name: str, values: Array, least: int, most: int) -> None:
    wrong = np.argwhere((values < least) | (values > most))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise Problem(
            N_("{place} is {found}, but must be from {least} to {most}."),
            place=name + "".join(f"[{i}]" for i in place),
            found=int(values[place]),
            least=least,
            most=most,
        )
