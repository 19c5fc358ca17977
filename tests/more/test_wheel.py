"""The built wheel holds the whole program: it runs where there is no checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    [built] = folder.glob("attention_explorer-*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel alone, which sees the dependencies but not the checkout."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip("--python", str(scripts(folder) / "python"), "install", "--no-deps", str(wheel))
    # Folders named in a .pth file are searched, but .pth files inside them, such as that of an
    # editable install, are not read.
    [packages] = folder.glob("**/site-packages")
    dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(dependencies), "utf-8")
    return folder


@pytest.fixture
def run(environment: Path, tmp_path: Path) -> Run:
    """Run a program of the environment, from a folder outside the checkout."""

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [scripts(environment) / program, *arguments],
            cwd=tmp_path,
            env=variables | {"QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done

    return run


def scripts(environment: Path) -> Path:
    return environment / ("Scripts" if os.name == "nt" else "bin")


def pip(*arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments],
        check=True,
    )


def test_the_wheel_holds_every_resource_and_example(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("resources", "examples"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        assert files
        assert {f"explorer/_data/{path.relative_to(ROOT).as_posix()}" for path in files} <= inside
    assert {name.partition("/")[0].partition("-")[0] for name in inside} == {
        "explorer",
        "attention_explorer",
    }


def test_the_installed_program_is_the_wheel_s(run: Run, environment: Path) -> None:
    where = "import explorer, explorer.resources as r; print(explorer.__file__, *r.examples())"
    for path in run("python", "-c", where).stdout.split():
        assert Path(path).is_relative_to(environment)


def test_the_installed_program_computes_an_example(run: Run) -> None:
    where = "from explorer.resources import example; print(example('cat-likes-fish.json'))"
    scene = run("python", "-c", where).stdout.strip()
    computed = json.loads(run("attention-explorer", "compute", scene, "--json").stdout)
    assert computed["tokens"] == ["cat", "likes", "fish", "cloud"]
    assert computed["raw"][0][0] == pytest.approx([1, 0.6, 0.2, -0.62])


def test_the_installed_window_paints_an_example(run: Run, tmp_path: Path) -> None:
    where = "from explorer.resources import example; print(example('cat-likes-fish.json'))"
    scene = run("python", "-c", where).stdout.strip()
    run("attention-explorer", "render", scene, "-o", "out.png", "--view", "window")
    assert (tmp_path / "out.png").read_bytes().startswith(PNG)
