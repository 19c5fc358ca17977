"""What the program remembers from one start to the next. The file holds overrides only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs

from explorer.session.look import ResultsTab
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, why_refused

RECENT = 10  # files remembered
_LARGEST = 10**6  # bytes
_NOT_UNDERSTOOD = (msgspec.MsgspecError, UnicodeError, RecursionError)


class Settings(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The settings; what is not in the file has its default.

    Parameters
    ----------
    theme : "system", "light" or "dark"
    percent : int
        Text scale.
    reduce_motion : bool
    geometry : str
        The window's `saveGeometry()` as base64; empty where it was never shown.
    recent : tuple of str
        Paths of scene files, the last one first.
    last_folder : str
        Where the file dialogs open.
    tab : ResultsTab
        The right panel's page.
    wider : int
        By how much the right panel is wider than it has to be, px at 100 %.
    torch_code : bool
        Whether the code page shows PyTorch instead of NumPy.
    lessons : str
        Folder of a teacher's lessons; empty where none was named.
    model : str
        Path of the model that was open last; empty where none was.
    read_lessons : tuple of str
        File names of the lessons that were read to their last page.
    last_lesson : str
        Path of the lesson that was open last; empty where there was none.
    last_page : int
        Its page, counted from 0.
    language : str
        Code of the language; empty where it follows the system.
    """

    theme: Literal["system", "light", "dark"] = "system"
    percent: Literal[100, 125, 150, 200] = 100
    reduce_motion: bool = False
    geometry: str = ""
    recent: Annotated[tuple[str, ...], msgspec.Meta(max_length=RECENT)] = ()
    last_folder: str = ""
    tab: ResultsTab = ResultsTab.MATRICES
    wider: Annotated[int, msgspec.Meta(ge=0, le=4000)] = 0
    torch_code: bool = False
    lessons: str = ""
    model: str = ""
    read_lessons: Annotated[tuple[str, ...], msgspec.Meta(max_length=200)] = ()
    last_lesson: str = ""
    last_page: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    language: Annotated[str, msgspec.Meta(max_length=35)] = ""


def settings_file() -> Path:
    """Return the path of the settings."""
    return config_folder() / "settings.json"


def load(tell: Callable[[Problem], None]) -> Settings:
    """Return the stored settings; the defaults where there are none.

    A file that cannot be read is told and no obstacle; one that is not understood is renamed to
    `settings.json.broken`.
    """
    path = settings_file()
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        template = N_("{path} cannot be read ({reason}), so the settings start afresh.")
        tell(Problem(template, **_why(error, path)))
    except _NOT_UNDERSTOOD:
        try:
            template = N_("The settings could not be understood and were set aside as {path}.")
            tell(Problem(template, path=str(set_aside(path))))
        except OSError as error:
            template = N_("{path} holds no settings and cannot be renamed ({reason}).")
            tell(Problem(template, **_why(error, path)))
    return Settings()


def remembered_language() -> str:
    """Return the code of the language that was chosen; empty where none was, or none is known."""
    try:
        return _read(settings_file()).language
    except (OSError, *_NOT_UNDERSTOOD):
        return ""


def store(settings: Settings) -> None:
    """Write the settings as a whole; the last writer wins. Raises Problem."""
    path = settings_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            N_("Settings cannot be written to {path} ({reason})."), **_why(error, path)
        ) from error
    write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n", path)


def with_recent(settings: Settings, path: Path) -> Settings:
    """Return the settings with `path` as the most recent file and its folder as the last one."""
    text = path_text(path)
    if not text:
        return settings
    recent = (text, *(each for each in settings.recent if each != text))[:RECENT]
    return msgspec.structs.replace(settings, recent=recent, last_folder=path_text(path.parent))


def without_recent(settings: Settings, path: Path) -> Settings:
    """Return the settings with `path` no longer among the recent files."""
    recent = tuple(each for each in settings.recent if each != str(path))
    return msgspec.structs.replace(settings, recent=recent)


class SettingsStore:
    """The settings in use, kept on disk at each change.

    Parameters
    ----------
    tell : callable
        Shows a problem: unreadable settings, and the first time that they cannot be written.
    """

    def __init__(self, tell: Callable[[Problem], None]) -> None:
        self._tell = tell
        self._told = False
        self._settings = load(tell)

    @property
    def settings(self) -> Settings:
        """The settings in use."""
        return self._settings

    def update(self, change: Callable[[Settings], Settings]) -> None:
        """Apply a function of the settings, to those in use and to those on disk.

        What another window stored meanwhile and `change` does not touch stays on disk.
        """
        try:
            stored = _read(settings_file())
        except (OSError, *_NOT_UNDERSTOOD):
            stored = self._settings
        self._settings = change(self._settings)
        try:
            store(change(stored))
        except Problem as problem:
            if not self._told:
                self._told = True
                self._tell(problem)


class MemorySettings(SettingsStore):
    """Settings that begin with the defaults and are never read or written."""

    def __init__(self) -> None:
        self._settings = Settings()

    def update(self, change: Callable[[Settings], Settings]) -> None:
        """Apply a function of the settings to those in use."""
        self._settings = change(self._settings)


def _read(path: Path) -> Settings:
    with path.open("rb") as file:
        data = file.read(_LARGEST)  # of a longer file a part, which is no JSON
    return msgspec.json.decode(data, type=Settings)


def _why(error: OSError, path: Path) -> dict[str, object]:
    return {"path": str(path), "reason": why_refused(error)}


_NAME = "attention-explorer"


def config_folder() -> Path:
    """Return the folder of the settings; whoever writes first creates it."""
    return platformdirs.user_config_path(_NAME, appauthor=False)


def data_folder() -> Path:
    """Return the folder of what the program keeps for itself; whoever writes first creates it."""
    return platformdirs.user_data_path(_NAME, appauthor=False)


def runs_folder() -> Path:
    """Return the folder of the runs that are being recorded, or are kept without being saved."""
    return data_folder() / "runs"


def sweeps_folder() -> Path:
    """Return where this person's sweeps are kept, a folder each."""
    return data_folder() / "sweeps"


def make_private(folder: Path) -> None:
    """Create `folder` where it is missing and close it to other users. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def set_aside(path: Path) -> Path:
    """Rename an unreadable file to `….broken`, in place of an earlier one, and return its new path.

    Raises OSError.
    """
    aside = path.with_name(path.name + ".broken")
    os.replace(path, aside)
    return aside


def path_text(path: Path) -> str:
    """Return a path as text for a JSON file; empty where its name is no valid Unicode."""
    text = str(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        return ""
    return text
