"""The folder that runs without Python, tried in a root that has nothing but Debian's base."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.more.test_wheel import PNG

# The first test makes the folder and the root, for all of them.
pytestmark = pytest.mark.timeout(3600)

ROOT = Path(__file__).parents[2]
OLDEST_C_LIBRARY = 35  # of the 2.x; Ubuntu 22.04 has it
MOST = 250e6  # bytes, unpacked
EXAMPLES = "/program/_internal/explorer/_data/examples"
LESSONS = "/program/_internal/explorer/_data/resources/lessons"
# Debian has debootstrap and chroot where only root looks for programs.
PATH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])


@pytest.fixture(scope="module")
def bundle() -> Path:
    subprocess.run(
        ["sh", "scripts/bundle/build.sh", sys.executable, "-m"],
        cwd=ROOT,
        env=os.environ | {"XZ_OPT": "-0"},  # minutes less: the archive is not what is tried
        check=True,
    )
    return ROOT / "build" / "bundle" / "attention-explorer"


@pytest.fixture(scope="module")
def bare(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root of Debian 12 without Python, in which the folder stands as /program."""
    root = tmp_path_factory.mktemp("bare") / "root"
    subprocess.run(
        ["debootstrap", "--variant=minbase", "bookworm", root],
        env=os.environ | {"PATH": PATH},
        check=True,
        capture_output=True,
    )
    assert not list(root.glob("usr/bin/python*"))
    shutil.copytree(bundle, root / "program", symlinks=True)
    return root


def start(bare: Path, *words: str, **variables: str) -> subprocess.Popen[str]:
    environment = {"HOME": "/root", "PATH": PATH, "LANG": "C.UTF-8", **variables}
    return subprocess.Popen(
        ["chroot", bare, "/program/attention-explorer", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(bare: Path, *words: str, **variables: str) -> str:
    running = start(bare, *words, **variables)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (0, ""), err
    return out


def test_no_file_needs_a_newer_c_library(bundle: Path) -> None:
    needs = {}
    for path in bundle.rglob("*"):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if data.startswith(b"\x7fELF"):
                needs[path.name] = max(map(int, re.findall(rb"GLIBC_2\.(\d+)", data)), default=0)
    assert len(needs) > 100
    assert {name: least for name, least in needs.items() if least > OLDEST_C_LIBRARY} == {}


def test_it_is_small_and_whole(bundle: Path) -> None:
    files = [path for path in bundle.rglob("*") if not path.is_dir() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) <= MOST
    assert [path for path in bundle.rglob("*") if path.is_symlink() and not path.exists()] == []


def test_it_computes(bare: Path) -> None:
    scene = f"{EXAMPLES}/cat-likes-fish.json"
    here = subprocess.run(
        [sys.executable, "-m", "explorer", "compute", "examples/cat-likes-fish.json", "--json"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert json.loads(printed(bare, "compute", scene, "--json")) == json.loads(here.stdout)


def test_it_paints_a_scene_and_writes_a_lesson_in_chinese(bare: Path) -> None:
    offscreen = {"QT_QPA_PLATFORM": "offscreen", "LANGUAGE": "zh"}
    printed(bare, "render", f"{EXAMPLES}/zao-shang-hao.json", "-o", "/root/a.png", **offscreen)
    assert (bare / "root" / "a.png").read_bytes().startswith(PNG)
    lesson = sorted((ROOT / "resources" / "lessons").glob("*.toml"))[0].name
    printed(bare, "handout", f"{LESSONS}/{lesson}", "-o", "/root/a.pdf", **offscreen)
    fonts = subprocess.run(
        ["pdffonts", bare / "root" / "a.pdf"], capture_output=True, text=True, check=True
    )
    assert "NotoSansCJK" in fonts.stdout


def test_it_runs_a_model(bare: Path) -> None:
    told = printed(bare, "model", f"{EXAMPLES}/stories", "--text", "John gave a drink to")
    assert "1.1" in told


def test_training_says_where_it_is(bare: Path) -> None:
    running = start(bare, "train", "-o", "/root/a.safetensors")
    assert "with training" in running.communicate(timeout=60)[1]
    assert running.returncode == 2


@pytest.fixture
def screen() -> Iterator[str]:
    """A virtual screen that a changed root can reach too: by its abstract socket."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(writing)
        with os.fdopen(reading) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


@pytest.mark.parametrize(
    "opened", ["cat-likes-fish.json", "stories", "tiny-transformer.safetensors"]
)
def test_it_opens_its_window(bare: Path, screen: str, opened: str) -> None:
    running = start(bare, f"{EXAMPLES}/{opened}", DISPLAY=screen)
    try:
        # The program's name is what the window's title ends in.
        subprocess.run(
            ["xdotool", "search", "--sync", "--onlyvisible", "--name", "Attention Explorer"],
            env=os.environ | {"DISPLAY": screen},
            check=True,
            timeout=60,
            capture_output=True,
        )
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(timeout=5)  # it does not end by itself
    finally:
        running.terminate()
        err = running.communicate(timeout=30)[1]
    assert err == ""
