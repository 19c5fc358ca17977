"""What all measurements share: a home of their own, and one table at the end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROWS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Let the table at the end be the only one."""
    config.stash[ROWS] = []
    config.option.benchmark_quiet = True


@pytest.fixture
def say(request: pytest.FixtureRequest) -> list[str]:
    """The lines of the table at the end, to be added to."""
    return request.config.stash[ROWS]


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    for variable in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    rows = terminalreporter.config.stash[ROWS]
    if not rows:
        return
    load = Path("/proc/loadavg")
    busy = (
        f", load {load.read_text().split()[0]} on {os.cpu_count()} cores" if load.exists() else ""
    )
    terminalreporter.section(f"measured: median of 5 runs{busy}")
    for row in rows:
        terminalreporter.write_line(row)
