"""What the pages say of the project's files is so: paths, packages, dependencies, make targets."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.project.pages.told import CHINESE, ENGLISH, ROOT, all_quoted, prose, rows
from tests.project.test_layers import LAYERS

WHERE = (ROOT, ROOT / "explorer", ROOT / "resources" / "i18n")
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|\w+\.(?:py|toml|txt|yml|md)")
MADE = {"build/docs"}  # by make


@pytest.mark.parametrize("page", ["architecture", "contributing"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    for part in ENGLISH[page].split("\n\n"):
        folders = [*WHERE]
        for name in all_quoted(part):
            if PATH.fullmatch(name) and name not in MADE and not name.startswith((".venv/", "fr/")):
                there = [folder / name for folder in folders if (folder / name).exists()]
                assert there, name
                # "`test_numbers.py` beside it", "its table `groups.py`"
                folders += [path if path.is_dir() else path.parent for path in there]


def test_every_module_that_is_run_is_there() -> None:
    for name in re.findall(r"python -m (explorer[\w.]*)", prose("architecture")):
        path = ROOT.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").exists(), name


def test_every_layer_is_told() -> None:
    told = [
        name
        for cells in rows("architecture", "package | what it is")
        for name in all_quoted(cells[0])
    ]
    package = ROOT / "explorer"
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    modules = {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}
    assert sorted(told) == sorted(folders | modules)
    for place, name in enumerate(told):
        assert set(told[place:]).isdisjoint(LAYERS[name].ours), name


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    for page in (ENGLISH, CHINESE):
        [section] = re.findall(r"^## (?:Dependencies|依赖)$(.*)", page["architecture"], re.M | re.S)
        told = dict.fromkeys(groups, "")
        group = ""
        for name in all_quoted(section):
            group = name if name in groups else group
            told[group] += f" {name} "
        for group, texts in groups.items():
            for text in texts:
                assert f" {Requirement(text).name} " in told[group]


def test_every_target_of_make_is_told() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)
    told = [all_quoted(cells[0])[0] for cells in rows("contributing", "command")]
    assert sorted(told) == sorted(f"make {name}" for name in targets if name != "help")


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_link_leads_to_a_file(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not link.startswith(("#", "https://")):
            assert (path.parent / link.partition("#")[0]).exists(), link


def test_the_readme_is_short() -> None:
    for pages in (ENGLISH, CHINESE):
        assert len(pages["README"].splitlines()) <= 250
