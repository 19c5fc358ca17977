"""Why the system refused, in the language in use: its own words follow the system's alone."""

from __future__ import annotations

import errno

from explorer.text.messages import N_, Message, _

_REASONS = {
    errno.ENOENT: N_("No such file or directory"),
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EEXIST: N_("File exists"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENOTEMPTY: N_("Directory not empty"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EROFS: N_("Read-only file system"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ELOOP: N_("Too many levels of symbolic links"),
    errno.EMFILE: N_("Too many open files"),
    errno.ENOMEM: N_("Cannot allocate memory"),
    errno.EAGAIN: N_("Resource temporarily unavailable"),
    errno.EIO: N_("Input/output error"),
}


def why_refused(error: OSError | ValueError) -> Message | str:
    """Return why the system refused: words of the catalogue, or for rare refusals its own."""
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    if known is not None:
        return Message(known)
    return _(error.strerror if isinstance(error, OSError) and error.strerror else str(error))
