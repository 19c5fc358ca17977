"""The layers: who may import whom, read from every import statement of the program."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Layer:
    """What one package of the program may import.

    `ours` and `libraries` count wherever the import stands; `ours_late` and `late` only inside
    functions, `if TYPE_CHECKING:` and `if __name__ == "__main__":`. `modules` allows a library at
    the top of single modules. "*" is anything that `never` does not name.
    """

    ours: Collection[str] = ()
    libraries: Collection[str] = ()
    ours_late: Collection[str] = ()
    late: Collection[str] = ()
    modules: dict[str, Collection[str]] = field(default_factory=dict)
    never: Collection[str] = ()


QT = {"PySide6", "shiboken6"}
# Leaves that every package may import.
LEAVES = {"text", "resources"}

OUTSIDE = Layer(
    ours={"attention", "traces", "session"},
    libraries={"numpy", "msgspec"},
    late={"*"},
    never=QT,
)

ROOM = Layer(
    ours={
        "attention",
        "traces",
        "models",
        "session",
        "training",
        "sweeps",
        "model_process",
        "exporters",
        "lessons",
        "kit",
    },
    libraries={"PySide6", "numpy", "msgspec"},
)
ROOMS = (
    "rooms.explore",
    "rooms.train",
    "rooms.sweep",
    "rooms.model",
    "rooms.present",
    "rooms.lesson",
)

LAYERS = {
    # The package itself (`explorer/__init__.py`) and `python -m explorer`.
    "": Layer(ours_late={"models", "notebook"}),
    "notebook": Layer(
        ours={"models", "traces", "processes"},
        ours_late={"session", "share"},
        libraries={"numpy"},
        late={"torch"},
    ),
    "__main__": Layer(ours={"cli"}),
    "text": Layer(libraries={"numpy"}, late={"orjson"}),
    "resources": Layer(),
    "attention": Layer(libraries={"numpy"}),
    "traces": Layer(
        ours={"attention"},
        libraries={"numpy", "msgspec", "platformdirs"},
        late={"tokenizers"},
    ),
    "models": Layer(
        ours={"attention", "traces"},
        libraries={"numpy", "msgspec"},
        late={"tokenizers"},
    ),
    "session": Layer(ours={"attention", "traces", "models"}, libraries={"numpy", "msgspec"}),
    "processes": Layer(),
    "model_process": Layer(
        ours={"attention", "traces", "models", "session", "processes"}, libraries={"numpy"}
    ),
    "training": Layer(
        ours={"attention", "traces", "models", "processes"},
        libraries={"numpy", "msgspec"},
        modules={
            "training.network": {"torch"},
            "training.loop": {"torch"},
            "training.optimizer": {"torch"},
            "training.batched": {"torch"},
            "training.layout": {"sklearn"},
        },
    ),
    "sweeps": Layer(
        ours={"traces", "processes", "training"},
        libraries={"numpy", "msgspec"},
        late={"distributed"},
    ),
    "importers": Layer(
        ours={"attention", "traces", "models", "session"},
        libraries={"numpy", "msgspec"},
        late={"*"},
        never=QT,
    ),
    "exporters": OUTSIDE,
    "lessons": OUTSIDE,
    "worksheets": OUTSIDE,
    "share": replace(OUTSIDE, ours={*OUTSIDE.ours, "lessons"}),
    "kit": Layer(
        ours={"attention", "traces", "models", "session"},
        libraries={"PySide6", "shiboken6", "numpy"},
        late={"ziamath"},
        modules={"kit.plot": {"pyqtgraph"}},
    ),
    # No room imports another: what two rooms share stands in the kit.
    "rooms": Layer(),
    **dict.fromkeys(ROOMS, ROOM),
    "app": Layer(
        ours={
            "attention",
            "traces",
            "models",
            "processes",
            "session",
            "training",
            "sweeps",
            "importers",
            "exporters",
            "lessons",
            "worksheets",
            "share",
            "kit",
            "rooms",
            *ROOMS,
        },
        libraries={"PySide6", "numpy", "msgspec", "platformdirs"},
        late={"pypdf"},
    ),
    # What brings Qt or torch with it waits until a command needs it.
    "cli": Layer(
        ours={
            "attention",
            "traces",
            "models",
            "processes",
            "session",
            "sweeps",
            "importers",
            "exporters",
            "lessons",
            "worksheets",
            "share",
        },
        libraries={"typer"},
        ours_late={"training", "kit", *ROOMS, "app"},
        late={"rich", "tqdm", "numpy", "PySide6", "torch"},
    ),
}


class When(Enum):
    """When an import statement runs: with its module, later, or never (types alone)."""

    AT_ONCE = "at the top"
    LATER = "inside a function"
    TYPES = "for types"


@dataclass(frozen=True)
class Import:
    """One imported module, by its full dotted name, and where it stands."""

    importer: str
    target: str
    when: When
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target} {self.when.value}"


def modules(root: Path) -> dict[str, Path]:
    """Return the file of each module under the package folder `root`, by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(root: Path) -> list[Import]:
    """Return every import of the package at `root`, each name resolved to the module it means."""
    files = modules(root)
    known = {root.name} | set(files) | {name.rpartition(".")[0] for name in files if "." in name}
    return [
        Import(name, _module(target, known), when, line)
        for name, path in files.items()
        for target, when, line in _statements(
            ast.parse(path.read_text("utf-8")), name, path.name == "__init__.py", When.AT_ONCE
        )
    ]


def _module(target: str, known: Collection[str]) -> str:
    """Return `target` without a last name that is no module (`from package import name`)."""
    owner = target.rpartition(".")[0]
    return owner if target not in known and owner in known else target


def _statements(
    node: ast.AST, name: str, is_package: bool, when: When
) -> Iterator[tuple[str, When, int]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import():
                for alias in child.names:
                    yield alias.name, when, child.lineno
            case ast.ImportFrom():
                base = child.module or ""
                if child.level:
                    parts = name.split(".")
                    parts = parts[: len(parts) - child.level + is_package]
                    base = ".".join([*parts, base] if base else parts)
                for alias in child.names:
                    yield f"{base}.{alias.name}", when, child.lineno
            case ast.If():
                inner = when
                match child.test:
                    case ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                        inner = When.TYPES
                    case ast.Compare(left=ast.Name("__name__")) if when is When.AT_ONCE:
                        inner = When.LATER
                body = ast.Module(child.body, [])
                yield from _statements(body, name, is_package, inner)
                yield from _statements(ast.Module(child.orelse, []), name, is_package, when)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                later = When.LATER if when is When.AT_ONCE else when
                yield from _statements(child, name, is_package, later)
            case ast.Call(
                func=ast.Name("import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(str(target)), *_],
            ):
                yield target, when, child.lineno
            case _:
                yield from _statements(child, name, is_package, when)


def problems(root: Path, layers: dict[str, Layer], leaves: Collection[str]) -> list[str]:
    """Return a line for each import that the table forbids, each unknown package, each cycle."""
    files = modules(root)
    found = imports(root)
    unknown = sorted({_package(name) for name in files} - layers.keys())
    lines = [f"{package} is not in the table of layers" for package in unknown]
    known = [each for each in found if _package(each.importer) in layers]
    lines += [
        str(each)
        for each in known
        if not _allowed(each, root.name, layers[_package(each.importer)], leaves)
    ]
    ours = [each for each in found if each.target.split(".")[0] == root.name]
    lines += _cycles(
        (_package(each.importer), _package(each.target))
        for each in ours
        if _package(each.importer) != _package(each.target)
    )
    lines += _cycles((each.importer, each.target) for each in ours if each.when is not When.TYPES)
    return lines


def _package(module: str) -> str:
    """Return the layer's name of a module of ours: "session" for "explorer.session.scene".

    Each room is a layer: "rooms.train" for "explorer.rooms.train.page".
    """
    _, package, *rest = [*module.split("."), ""]
    return f"{package}.{rest[0]}" if package == "rooms" and rest and rest[0] else package


def _allowed(each: Import, ours: str, layer: Layer, leaves: Collection[str]) -> bool:
    top = each.target.split(".")[0]
    late = each.when is not When.AT_ONCE
    if top == ours:
        package = _package(each.target)
        return (
            package == _package(each.importer)
            or package in leaves
            or package in layer.ours
            or (late and package in layer.ours_late)
            # The package itself holds the version and imports nothing.
            or package == ""
        )
    if top in sys.stdlib_module_names:
        return True
    if top in layer.never:
        return False
    return (
        top in layer.libraries
        or top in layer.modules.get(each.importer.partition(".")[2], ())
        or (late and (top in layer.late or "*" in layer.late))
    )


def _cycles(edges: Iterable[tuple[str, str]]) -> list[str]:
    graph: dict[str, set[str]] = {}
    for importer, target in edges:
        graph.setdefault(importer, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return ["cycle: " + " -> ".join(reversed(error.args[1]))]
    return []


def test_the_program_keeps_to_its_layers() -> None:
    assert problems(ROOT / "explorer", LAYERS, LEAVES) == []


# The checker itself, on small made-up trees.

SMALL = {
    "": Layer(),
    "low": Layer(libraries={"numpy"}, late={"rich"}, modules={"low.special": {"torch"}}),
    "high": Layer(ours={"low"}, ours_late={"side"}, late={"*"}, never={"PySide6"}),
    "side": Layer(ours={"high"}),
    "leaf": Layer(),
}


def tree(folder: Path, files: dict[str, str]) -> Path:
    root = folder / "made"
    for name, text in {"__init__.py": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.mark.parametrize(
    "files",
    [
        {
            "low/a.py": "import json, numpy.linalg\nfrom made.leaf import thing",
            "leaf.py": "thing=1",
        },
        {"high/a.py": "from made.low import a", "low/a.py": "def f():\n  import rich.table"},
        {"high/a.py": "from . import b\nfrom .b import x", "high/b.py": "x = 1"},
        {"high/__init__.py": "from .a import x", "high/a.py": "x = 1"},
        {"low/special.py": "import torch"},
        {"high/a.py": "def f():\n  import anything"},
        {"high/a.py": "if __name__ == '__main__':\n  from made.side import x", "side.py": "x=1"},
        {"high/a.py": "from made import __version__"},
        # Two modules may name each other's types.
        {
            "low/a.py": "import typing\nif typing.TYPE_CHECKING:\n  from made.low import b",
            "low/b.py": "from made.low import a",
        },
    ],
)
def test_allowed_imports_pass(tmp_path: Path, files: dict[str, str]) -> None:
    assert problems(tree(tmp_path, files), SMALL, {"leaf"}) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"low/a.py": "\nimport made.high", "high/b.py": ""},
            "made.low.a:2 imports made.high at the top",
        ),
        ({"low/a.py": "from ..high import b"}, "made.low.a:1 imports made.high.b at the top"),
        (
            {"low/a.py": "class C:\n  def f(self):\n    from made.high import b"},
            "made.low.a:3 imports made.high.b inside a function",
        ),
        (
            {"low/a.py": "import typing as t\nif t.TYPE_CHECKING:\n  from made.high import b"},
            "made.low.a:3 imports made.high.b for types",
        ),
        (
            {"low/a.py": "if TYPE_CHECKING:\n  pass\nelse:\n  import rich"},
            "made.low.a:4 imports rich at the top",
        ),
        (
            {"low/a.py": "if not t.TYPE_CHECKING:\n  import rich"},
            "made.low.a:2 imports rich at the top",
        ),
        ({"low/a.py": "import rich"}, "made.low.a:1 imports rich at the top"),
        (
            {"low/a.py": "try:\n  import torch\nexcept ImportError:\n  pass"},
            "made.low.a:2 imports torch at the top",
        ),
        ({"low/__init__.py": "import torch.nn"}, "made.low:1 imports torch.nn at the top"),
        (
            {"low/a.py": "import importlib\nimportlib.import_module('torch')"},
            "made.low.a:2 imports torch at the top",
        ),
        ({"high/a.py": "import made.side.b"}, "made.high.a:1 imports made.side.b at the top"),
        (
            {"high/a.py": "def f():\n  from PySide6.QtGui import QImage"},
            "made.high.a:2 imports PySide6.QtGui.QImage inside a function",
        ),
        ({"leaf.py": "import made.low", "low/a.py": ""}, "made.leaf:1 imports made.low at the top"),
        ({"new/a.py": ""}, "new is not in the table of layers"),
        ({"new.py": ""}, "new is not in the table of layers"),
    ],
)
def test_forbidden_imports_are_named(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    assert problems(tree(tmp_path, files), SMALL, {"leaf"}) == [expected]


def test_a_cycle_between_packages_is_named(tmp_path: Path) -> None:
    files = {"high/a.py": "def f():\n  from made.side import b", "side/b.py": "import made.high.c"}
    found = problems(tree(tmp_path, files), SMALL, {"leaf"})
    assert found in (["cycle: high -> side -> high"], ["cycle: side -> high -> side"])


def test_a_cycle_between_modules_is_named(tmp_path: Path) -> None:
    files = {"low/a.py": "from made.low.b import x", "low/b.py": "def f():\n  from . import a"}
    [found] = problems(tree(tmp_path, files), SMALL, {"leaf"})
    assert found.startswith("cycle: ")
    assert {"made.low.a", "made.low.b"} == set(found.removeprefix("cycle: ").split(" -> "))
