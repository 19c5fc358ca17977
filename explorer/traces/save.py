"""A trace saved as one safetensors file, whatever its size, in one step."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from explorer.attention import Projection
from explorer.text import N_, Problem, displayable, why_refused
from explorer.traces.basis import written_basis
from explorer.traces.container import Chunk, write_contents
from explorer.traces.files import replacing
from explorer.traces.marks import Said, with_said
from explorer.traces.storage import TraceFile
from explorer.traces.trace import Trace


def save_trace(
    trace: Trace,
    path: str | os.PathLike[str],
    *,
    basis: Projection | None = None,
    said: Said | None = None,
) -> TraceFile:
    """Save what a trace holds now, and return the file, opened.

    The file is at every moment either the old or the new one, complete; it may be the one that
    `trace` itself reads. Arrays and metadata that a trace does not know are kept. A few MiB of
    memory are used.

    Parameters
    ----------
    basis : Projection, optional
        The basis of the word graph, with three axes, to be kept in the file in place of the one in
        the trace.
    said : Said, optional
        The name and the marks kept in the file in place of those in the trace.

    Raises
    ------
    Problem
        One sentence; the file that was there is still there.
    """
    path = Path(path)
    source = trace.snapshot()
    if not source.recorded:
        raise Problem(N_("Nothing has been recorded yet, so there is nothing to save."))
    entries = dict(source.entries)
    extra: dict[str, bytes] = {}
    if basis is not None:
        for name, (entry, data) in written_basis(basis).items():
            entries[name], extra[name] = entry, data

    metadata = dict(source.metadata)
    if said is not None:
        metadata = with_said(metadata, said)

    def chunks(name: str) -> Iterator[Chunk]:
        return iter((extra[name],)) if name in extra else source.chunks(name)

    try:
        with replacing(path) as file:
            write_contents(file, entries, metadata, chunks)
            if sys.platform == "win32" and isinstance(trace, TraceFile):
                # An open file cannot be replaced there.
                with suppress(OSError):
                    if path.samefile(trace.path):
                        trace.close()
    except (OSError, ValueError) as error:
        raise Problem(
            N_("{file} cannot be saved: {reason}."),
            file=displayable(path.name or str(path)),
            reason=why_refused(error),
        ) from None
    return TraceFile(path)
