"""What a trace file holds, as text; only its header and its small arrays are read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from explorer.text import N_, _, ascii_number, columns_taken, listed, plain_text
from explorer.text.layout import json_text
from explorer.traces import LABELS, Trace

_LONGEST_LINE = 72
# Others have names of their own.
_SCALARS = {"loss": N_("loss"), "accuracy": N_("accuracy"), "gradient": N_("gradient")}


def as_json(trace: Trace) -> Iterator[str]:
    """Yield one JSON object: the run, the recorded epochs, the last scalars, every array."""
    run = trace.run
    config = run.config
    yield json_text(
        {
            "format": trace.metadata["format"],
            "version": trace.metadata["version"],
            "created": run.created,
            "device": run.device,
            "versions": run.versions,
            "config": None
            if config is None
            else {field: getattr(config, field) for field in config.__struct_fields__},
            "corpus": list(run.corpus),
            "vocabulary": list(run.vocabulary),
            "epochs": trace.epochs.tolist(),
            "last": {name: _finite(value) for name, value in _last(trace).items()},
            "sizes": dict(trace.sizes),
            "arrays": {
                name: {"dtype": entry.dtype, "shape": list(entry.shape), "bytes": entry.nbytes}
                for name, entry in sorted(trace.entries.items())
            },
        },
        ascii_only=True,
    )


def as_table(trace: Trace) -> Iterator[str]:
    """Yield the lines of a short description."""
    run, sizes = trace.run, trace.sizes
    epochs = trace.epochs
    facts = [
        (_("Created"), run.created),
        (_("Device"), run.device),
        (_("Versions"), listed(f"{name} {text}" for name, text in run.versions.items())),
        (
            _("Recorded"),
            _("{count} steps, epochs {first} to {last}").format(
                count=len(epochs), first=epochs[0], last=epochs[-1]
            ),
        ),
        *(
            (
                _("Last {name}").format(name=_(_SCALARS[name]) if name in _SCALARS else name),
                ascii_number(value, 4),
            )
            for name, value in _last(trace).items()
        ),
        (
            _("Samples"),
            _("{count}, at most {tokens} tokens").format(count=sizes["N"], tokens=sizes["T"]),
        ),
        (_("Corpus"), _("{count} sentences").format(count=len(run.corpus))),
        (_("Vocabulary"), f"{len(run.vocabulary)}: {' '.join(run.vocabulary[:20])}"),
    ]
    if run.config is not None:
        facts += [(_(label), _setting(getattr(run.config, name))) for name, label in LABELS.items()]
    width = max(columns_taken(name) for name, _text in facts) + 2
    for name, text in facts:
        gap = " " * (width - columns_taken(name))
        yield plain_text(name) + gap + plain_text(text, _LONGEST_LINE)
    yield ""
    width = max(map(len, map(_shown, trace.entries))) + 2
    for name, entry in sorted(trace.entries.items()):
        shape = " × ".join(map(str, entry.shape))
        yield f"{_shown(name).ljust(width)}{entry.dtype:5}{shape}"


def _last(trace: Trace) -> dict[str, float]:
    """Return the last value of each scalar."""
    names = sorted(name for name in trace.names if name.startswith("scalar."))
    return {
        name: float(trace.scalars(name)[-1])
        for name in (each.removeprefix("scalar.") for each in names)
        if name != "epoch"
    }


def _setting(value: object) -> str:
    if value is None:
        return _("default")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return str(value)


def _finite(value: float) -> Any:
    return value if math.isfinite(value) else None


def _shown(name: str) -> str:
    return plain_text(name, _LONGEST_LINE)
