"""Every sentence is in every catalogue, and every sentence on screen comes from one."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from explorer.text import languages

ROOT = Path(__file__).parents[2]


def _script() -> ModuleType:
    path = ROOT / "scripts" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = _script()
CATALOGUES = list(SCRIPT.catalogues())
IN_EVERY = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


class Sources:
    """The program's modules, parsed once for all of these tests, and what is extracted of them."""

    def __init__(self) -> None:
        found = sorted((ROOT / "explorer").rglob("*.py"))
        self.trees = {path: ast.parse(path.read_text("utf-8")) for path in found}
        self.messages = list(SCRIPT.extracted())

    def all(self, *kinds: type[ast.AST]) -> Iterator[tuple[Path, Any]]:
        """Yield every node of some kinds, with its module."""
        for path, tree in self.trees.items():
            yield from ((path, node) for node in ast.walk(tree) if isinstance(node, kinds))


@pytest.fixture(scope="module")  # and let go of again: they are large
def sources() -> Sources:
    return Sources()


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _fields(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}|%\(\w+\)\w|%\w", text.replace("%)", "")))


def test_chinese_is_spoken() -> None:
    assert languages()["zh"] == "中文"


@IN_EVERY
def test_every_sentence_is_translated_with_its_fields(path: Path, sources: Sources) -> None:
    wanted = {(message.context, message.id) for message in sources.messages if message.id}
    catalogue = SCRIPT.read(path)
    messages = [message for message in catalogue if message.id]
    assert {(each.context, each.id) for each in messages} == wanted, "run make translations"
    found = {message.id: _forms(message.string) for message in messages}
    assert [each for each, forms in found.items() if not all(forms)] == []
    assert [
        each
        for each, forms in found.items()
        if isinstance(each, tuple) != (len(forms) > 1) and catalogue.num_plurals > 1
    ] == []
    for each, forms in found.items():
        assert all(_fields(form) == _fields(_forms(each)[-1]) for form in forms), each


@IN_EVERY
def test_what_is_read_is_what_was_compiled_of_it(path: Path) -> None:
    compiled = gettext.translation("explorer", SCRIPT.FOLDER, [path.parts[-3]])
    for message in SCRIPT.read(path):
        if isinstance(message.id, tuple):
            assert compiled.ngettext(*message.id, 1) == message.string[0]
        elif message.context:
            assert compiled.pgettext(message.context, message.id) == message.string
        elif message.id:
            assert compiled.gettext(message.id) == message.string


# --- literals ------------------------------------------------------------------------------------

SHOWN_BY = {
    "QLabel",
    "QPushButton",
    "QToolButton",
    "QCheckBox",
    "QRadioButton",
    "QMenu",
    "QAction",
    "Text",
    "drawText",
    "Segments",
    "ElidedLabel",
    "Fold",
    "Segment",
    "setText",
    "setToolTip",
    "setAccessibleName",
    "setAccessibleDescription",
    "setPlaceholderText",
    "setWindowTitle",
    "setTitle",
    "addAction",
    "addMenu",
    "addItem",
    "addTab",
    "setStatusTip",
    "setWhatsThis",
    "setHtml",
    "setPlainText",
}
# Letters, formulas, names and formats: the same in every language.
SAME_EVERYWHERE = {
    "QK",
    "QKᵀ",
    "Wo",
    "Wq",
    "Wk",
    "Wv",
    "bq",
    "bk",
    "bv",
    "bo",
    "÷ √dₖ",
    "NumPy",
    "PyTorch",
    "LaTeX",
    "Markdown",
    "CSV",
    "JSON",
    "PCA",
    "PNG",
    "SVG",
    "br",
    "<sub>",
    "</sub>",
    "Ctrl Enter",
    "Llama 3",
}


def _shown(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the literals that reach the screen without `_`, `N_` or `ngettext`."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _name(call.func) in SHOWN_BY:
            arguments = [*call.args, *(each.value for each in call.keywords)]
            if _name(call.func) in ("Segment", "ElidedLabel"):
                arguments = arguments[1:]  # the first is its key, or its ink
            if _name(call.func) == "Text":
                arguments = arguments[:1]  # the others say how it looks
            for argument in arguments:
                yield from _literals(argument)


def _literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.Call):
        if _name(node.func) == "format":
            yield from _literals(node.func)
        elif _name(node.func) in ("join", "plain_tip", "html_escaped", "displayable"):
            for argument in node.args:
                yield from _literals(argument)
    elif isinstance(
        node,
        ast.JoinedStr
        | ast.BinOp
        | ast.IfExp
        | ast.BoolOp
        | ast.FormattedValue
        | ast.Attribute
        | ast.List
        | ast.Tuple,
    ):
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.IfExp) and child is node.test):
                yield from _literals(child)


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


@pytest.mark.parametrize("folder", ["rooms", "kit", "app"])
def test_no_literal_reaches_the_screen_untranslated(folder: str, sources: Sources) -> None:
    bypassing = [
        f"{path.relative_to(ROOT)}:{line}: {text!r}"
        for path, tree in sources.trees.items()
        if path.is_relative_to(ROOT / "explorer" / folder)
        for line, text in _shown(tree)
        if re.search(r"[^\W\d_]{2}", text) and text not in SAME_EVERYWHERE
    ]
    assert bypassing == []


def test_no_two_plurals_share_their_singular(sources: Sources) -> None:
    """A catalogue finds a plural by its singular: the second would be said in the first's words."""
    plurals: dict[str, set[str]] = {}
    for _path, call in sources.all(ast.Call):
        if _name(call.func) == "ngettext":
            singular, plural = (ast.unparse(each) for each in call.args[:2])
            plurals.setdefault(singular, set()).add(plural)
    assert [each for each, found in plurals.items() if len(found) > 1] == []


def test_a_literal_that_bypasses_translation_is_found() -> None:
    wrong = 'label.setText("Save" if ok else _("Open"))\nQLabel(f"Row {n}")\nmenu.addAction(_("A"))'
    assert [text for _line, text in _shown(ast.parse(wrong))] == ["Save", "Row "]


def test_every_sentence_is_found_within_braces_too(sources: Sources) -> None:
    """Before Python 3.12 what is called within an f-string is not extracted."""
    found = {text for message in sources.messages for text in _forms(message.id)}
    lost = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, text in sources.all(ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and _name(call.func) == "_"
        if isinstance(call.args[0], ast.Constant) and call.args[0].value not in found
    ]
    assert lost == []


def test_nothing_is_said_before_the_language_is_known(sources: Sources) -> None:
    early = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, tree in sources.trees.items()
        for line in _said_at_import(tree)
    ]
    assert early == []


def _said_at_import(node: ast.AST) -> Iterator[int]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and _name(child.func) in ("_", "ngettext"):
            yield child.lineno
        if isinstance(child, ast.FunctionDef | ast.Lambda):
            for default in (*child.args.defaults, *filter(None, child.args.kw_defaults)):
                yield from _said_at_import(ast.Expr(default))
        else:
            yield from _said_at_import(child)
