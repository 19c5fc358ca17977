"""Finds the files that come with the program, in a checkout and in an installed wheel alike."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_IN_WHEEL = _PACKAGE / "_data"
_ROOT = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent


def resource(*parts: str) -> Path:
    """Return the path of a file under `resources/`, such as `resource("icons", "undo.svg")`.

    Raises FileNotFoundError where there is no such file or folder.
    """
    return _existing(_ROOT.joinpath("resources", *parts))


def example(name: str) -> Path:
    """Return the path of one example scene by its file name, such as `cat-likes-fish.json`.

    Raises FileNotFoundError where there is no such example.
    """
    return _existing(_ROOT / "examples" / name)


def examples() -> list[Path]:
    """Return the paths of all example scenes, sorted by name."""
    return sorted((_ROOT / "examples").glob("*.json"))


def lessons() -> list[Path]:
    """Return the paths of all lessons, in their order: each is found, none is listed."""
    return sorted((_ROOT / "resources" / "lessons").glob("*.toml"))


def _existing(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: the installation is incomplete")
    return path
