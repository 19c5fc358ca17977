"""What holds for every test: nobody's own files are touched, one thread, and on demand no skips."""

from __future__ import annotations

import gc
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.fonts import FAMILY, own_fonts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

NO_SKIPS = bool(os.environ.get("EXPLORER_NO_SKIPS"))
HOMES = pytest.StashKey[Path]()  # where each test has its home

# Small matrices are faster, and the machine's other work slower, with one thread each. Read when
# numpy or torch is first imported, so that neither needs to be imported here.
os.environ["OMP_NUM_THREADS"] = "1"
# Wherever the tests run, the program speaks English in them until another language is chosen.
os.environ["LANGUAGE"] = "en"
# Without a choice Qt may prefer a Wayland session to the virtual X screen.
if sys.platform.startswith("linux"):
    os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile(
    "ci", deadline=None, derandomize=True, database=None, print_blob=True
)
hypothesis.settings.load_profile("ci" if NO_SKIPS else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let files be run in another order: none may need what an earlier one left behind."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the files in random order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the files where that is asked for; the tests of each keep their order."""
    seed = config.getoption("shuffle")
    if seed is not None:
        files = list(dict.fromkeys(item.path for item in items))
        random.Random(seed).shuffle(files)
        items.sort(key=lambda item: files.index(item.path))


def pytest_report_header(config: pytest.Config) -> str | None:
    """Return the seed of the order, by which it can be had again."""
    seed = config.getoption("shuffle")
    return None if seed is None else f"files shuffled: --shuffle={seed}"


def pytest_configure(config: pytest.Config) -> None:
    """Stop with one sentence where there is no screen; else give the whole run its own home."""
    if (
        os.environ.get("QT_QPA_PLATFORM") == "xcb"
        and not shutil.which("Xvfb")
        and not os.environ.get("DISPLAY")
    ):
        pytest.exit(
            "There is no screen to test on: install Xvfb, or set QT_QPA_PLATFORM=offscreen.",
            returncode=4,
        )
    if config.getoption("shuffle") is not None:
        config.option.loadscopereorder = False  # else files with many tests would still come first
    home = Path(tempfile.mkdtemp(prefix="explorer-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    # Read when the first window or child process starts: what is drawn hangs on no other fonts.
    patch.setenv("FONTCONFIG_FILE", str(own_fonts(home, FAMILY)))
    _move_in(patch, home)
    config.stash[HOMES] = home / "homes"
    config.stash[HOMES].mkdir()
    # Fonts are cached once, not once a test; a socket folder must belong to its user alone.
    for variable, name in (("XDG_CACHE_HOME", "cache"), ("XDG_RUNTIME_DIR", "runtime")):
        (home / name).mkdir(mode=0o700)
        patch.setenv(variable, str(home / name))


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """Wait longer than usual for what is to come: a busy machine has other things to do."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=30_000))
    return qtbot


@pytest.fixture(autouse=True, scope="module")
def _home_of_the_file(pytestconfig: pytest.Config) -> Iterator[None]:
    """Give each file an empty home folder: a window of many tests stores its settings there."""
    with pytest.MonkeyPatch.context() as patch:
        _move_in(patch, _empty_home(pytestconfig))
        yield


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """Give each test an empty home folder, so that no test sees another's settings or files."""
    _move_in(monkeypatch, _empty_home(pytestconfig))


@pytest.fixture(autouse=True, scope="module")
def _frozen() -> Iterator[None]:
    """Keep all modules and tests out of the search for garbage, which each theme change does.

    As the window does for itself when it is shown; where it is closed, it takes that back. What
    the file's tests have left on the screen is deleted: each change of the application's look
    would reach it.
    """
    gc.collect()
    gc.freeze()
    yield
    gui = sys.modules.get("PySide6.QtWidgets")
    if not gui or not gui.QApplication.instance():
        return
    was_on = gc.isenabled()
    gc.disable()  # a widget that is freed meanwhile would be in the list
    shown = [each for each in gui.QApplication.topLevelWidgets() if each.isVisible()]
    if was_on:
        gc.enable()
    for widget in shown:
        if widget.parent() is None:
            widget.close()
            widget.deleteLater()
    _delete_now()


def _delete_now() -> None:
    core = sys.modules["PySide6.QtCore"]
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """Let the application look as it does in use, whichever test comes first."""
    from explorer.kit.style import prepare
    from explorer.kit.theme import Theme

    prepare(Theme())
    # A text cursor that blinks would tell two pictures apart where a busy machine is slow.
    qapp.setCursorFlashTime(0)
    return qapp


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Let no test meet what another left: a language, widgets, the pointer, a font, a sheet."""
    from explorer.text import language, use_language

    spoken = language()
    yield
    if language() != spoken:
        # A window that spoke another language has left Qt's own words in it, too.
        ours = sys.modules.get("explorer.app.language")
        (ours.speak if ours else use_language)(spoken)
    gui = sys.modules.get("PySide6.QtWidgets")
    application = gui and gui.QApplication.instance()
    if not application:
        return
    _delete_now()
    # Where the pointer was left, the next test's window would be hovered, now or a moment later.
    pointer = sys.modules["PySide6.QtGui"].QCursor
    aside = application.primaryScreen().geometry().bottomRight()
    if pointer.pos() != aside:
        pointer.setPos(aside)
    if "explorer.kit.style" not in sys.modules:
        return
    from explorer.kit.style import prepare
    from explorer.kit.theme import Theme

    usual = Theme()
    if application.styleSheet():
        application.setStyleSheet("")
    if application.font() != usual.font():
        prepare(usual)


def _empty_home(config: pytest.Config) -> Path:
    # Not a folder of `tmp_path_factory`, which lists all that there are to number the next one.
    home = Path(tempfile.mkdtemp(dir=config.stash[HOMES])) / "home"
    home.mkdir()
    return home


def _move_in(patch: pytest.MonkeyPatch, home: Path) -> None:
    for variable, folder in (
        ("HOME", home),
        ("USERPROFILE", home),
        ("XDG_CONFIG_HOME", home / "config"),
        ("XDG_DATA_HOME", home / "data"),
        ("XDG_STATE_HOME", home / "state"),
    ):
        patch.setenv(variable, str(folder))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where nothing may be skipped, report a skipped test as failed."""
    report = yield
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing may be skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Where nothing may be skipped, report a file that skips itself as failed."""
    report = yield
    if NO_SKIPS and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing may be skipped: {report.longrepr}"
    return report
