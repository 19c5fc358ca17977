"""The make targets and the scripts that set a machine up."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
ENVIRONMENT = ROOT / "scripts" / "environment.sh"
LIBRARIES = ROOT / "scripts" / "system-libraries.sh"

Result = subprocess.CompletedProcess


def make(folder: Path, *arguments: str) -> Result[str]:
    """Run make as from a terminal, whatever make runs these tests."""
    variables = {
        k: v for k, v in os.environ.items() if k not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    }
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=variables, capture_output=True, text=True
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what make reads, in a folder with a space in its name."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "scripts"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


def test_every_make_command_of_the_pages_is_a_target() -> None:
    named = set()
    for page in (README, *(ROOT / "docs").rglob("*.md")):
        named |= set(re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"run", "test"} <= named <= targets


@pytest.mark.parametrize("target", ["run", "docs", "test", "bench"])
def test_a_target_installs_once(checkout: Path, target: str) -> None:
    first = make(checkout, "-n", target)
    assert first.returncode == 0, first.stderr
    assert "environment.sh" in first.stdout

    installed(checkout, target)
    again = make(checkout, "-n", target)
    assert again.returncode == 0, again.stderr
    assert "environment.sh" not in again.stdout


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_a_changed_requirement_is_installed(checkout: Path, changed: str) -> None:
    installed(checkout, "run")
    stamp = (checkout / ".venv" / "run.stamp").stat().st_mtime
    os.utime(checkout / changed, (stamp + 1, stamp + 1))
    assert "environment.sh" in make(checkout, "-n", "run").stdout


@pytest.mark.parametrize(
    ("first", "then"),
    [("docs", "run"), ("test", "run"), ("test", "docs"), ("bench", "run"), ("bench", "test")],
)
def test_what_holds_more_serves_what_needs_less(checkout: Path, first: str, then: str) -> None:
    installed(checkout, first)
    assert "environment.sh" not in make(checkout, "-n", then).stdout


def installed(checkout: Path, target: str) -> None:
    """Leave the checkout as after an install, which is not done."""
    (checkout / ".venv").mkdir()
    (checkout / "scripts" / "environment.sh").write_text("")
    os.utime(checkout / "scripts" / "environment.sh", (0, 0))
    done = make(checkout, f".venv/{target}.stamp")
    assert done.returncode == 0, done.stderr


Machine = Callable[..., Result[str]]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A made-up machine: run a script where the only programs are those given as shell text."""

    def run(script: Path, *arguments: str, **programs: str) -> Result[str]:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "sed").symlink_to(str(shutil.which("sed")))
        (folder / "env").symlink_to(str(shutil.which("env")))
        for name, text in programs.items():
            program = folder / name.replace("_", "-")
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        return subprocess.run(
            [str(shutil.which("sh")), str(script), *arguments],
            cwd=tmp_path,
            env={"PATH": str(folder)},
            capture_output=True,
            text=True,
        )

    return run


# dpkg-query as it answers: a line for each package it knows, of those it is asked for.
ALL_BUT_TWO = """
for name in "$@"; do
    case $name in
    *t64) ;;
    libgl1 | libglib2.0-0 | xvfb) ;;
    lib* | fonts-* | poppler-utils | xauth) echo "installed $name" ;;
    esac
done
echo "installed libglib2.0-0t64"
exit 1
"""
OLD_CONFIGURATION_LEFT = 'echo "config-files libgl1"\n' + ALL_BUT_TWO
RECORD = 'echo "$0 $*" >>apt.log'


def recorded(folder: Path) -> list[str]:
    log = folder / "apt.log"
    return [line.rpartition("/bin/")[2] for line in log.read_text().splitlines()]


@pytest.mark.parametrize("dpkg_query", [ALL_BUT_TWO, OLD_CONFIGURATION_LEFT])
def test_root_gets_the_missing_libraries(machine: Machine, tmp_path: Path, dpkg_query: str) -> None:
    done = machine(LIBRARIES, dpkg_query=dpkg_query, id="echo 0", apt_get=RECORD)
    assert done.returncode == 0, done.stderr
    update, install = recorded(tmp_path)
    assert update == "apt-get -qq update"
    assert install == "apt-get install -y --no-install-recommends libgl1 -qq"


def test_newer_names_are_used_where_the_release_has_them(machine: Machine, tmp_path: Path) -> None:
    newer = 'case "$2" in libglib2.0-0t64) ;; *) exit 100 ;; esac'
    machine(LIBRARIES, dpkg_query="exit 1", id="echo 0", apt_cache=newer, apt_get=RECORD)
    names = recorded(tmp_path)[-1].split()
    assert "libglib2.0-0t64" in names
    assert "libglib2.0-0" not in names
    assert "libgl1" in names


def test_the_tests_bring_a_screen_too(machine: Machine, tmp_path: Path) -> None:
    machine(LIBRARIES, "--tests", dpkg_query=ALL_BUT_TWO, id="echo 0", apt_get=RECORD)
    assert recorded(tmp_path)[-1].endswith(" libgl1 chromium xvfb -qq")


def test_sudo_without_a_password_gets_them_too(machine: Machine, tmp_path: Path) -> None:
    sudo = '[ "$1" = -n ] && shift && "$@"'
    machine(
        LIBRARIES, dpkg_query=ALL_BUT_TWO, id="echo 1000", sudo=sudo, true="exit 0", apt_get=RECORD
    )
    assert recorded(tmp_path)[-1] == "apt-get install -y --no-install-recommends libgl1 -qq"


def test_who_may_not_install_is_told_the_exact_line(machine: Machine, tmp_path: Path) -> None:
    done = machine(LIBRARIES, dpkg_query=ALL_BUT_TWO, id="echo 1000", sudo="exit 1", apt_get=RECORD)
    assert done.returncode == 0
    assert done.stderr == (
        "Some system libraries are missing. This line brings them: "
        "sudo apt-get install -y --no-install-recommends libgl1\n"
    )
    assert not (tmp_path / "apt.log").exists()


def test_a_failed_install_tells_the_exact_line(machine: Machine) -> None:
    done = machine(LIBRARIES, dpkg_query=ALL_BUT_TWO, id="echo 0", apt_get="exit 100")
    assert done.returncode == 0
    assert "sudo apt-get install -y --no-install-recommends libgl1\n" in done.stderr


def test_a_whole_machine_is_left_in_peace(machine: Machine) -> None:
    done = machine(LIBRARIES, "--tests", dpkg_query='printf "installed %s\\n" "$@"', id="echo 0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_other_systems_are_left_in_peace(machine: Machine) -> None:
    done = machine(LIBRARIES)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_machine_without_python_is_told(machine: Machine) -> None:
    done = machine(ENVIRONMENT, ".")
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_older_python_is_told(machine: Machine) -> None:
    older = 'case "$2" in *version_info*) exit 1 ;; *python_version*) echo 3.9.2 ;; esac'
    done = machine(ENVIRONMENT, ".", python3=older)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer, and python3 is 3.9.2" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_python_without_venv_is_told(machine: Machine) -> None:
    done = machine(ENVIRONMENT, ".", python3='case "$2" in *venv*) exit 1 ;; esac')
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_every_dependency_is_pinned_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    pins = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    pins = {canonicalize_name(name): version for name, version in pins.items()}
    for text in [*project["dependencies"], *(text for extra in extras for text in extra)]:
        requirement = Requirement(text)
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier
