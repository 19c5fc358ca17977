"""Skipped-because-missing is a failure where the environment asks for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

ONE_SKIPS = """
import pytest

def test_that_skips():
    pytest.skip("no such program")

def test_that_runs():
    pass

@pytest.mark.xfail
def test_known_to_fail():
    assert False
"""
FILE_SKIPS = """
import pytest

pytest.importorskip("no_such_library")
"""


@pytest.mark.parametrize(
    ("demanded", "expected_exit", "expected_summary"),
    [
        ("", 0, "1 passed, 2 skipped, 1 xfailed"),
        ("1", 1, "1 failed, 1 passed, 1 xfailed, 1 error"),
    ],
)
def test_a_skip_fails_where_nothing_may_be_skipped(
    tmp_path: Path, demanded: str, expected_exit: int, expected_summary: str
) -> None:
    shutil.copy(CONFTEST, tmp_path / "conftest.py")
    (tmp_path / "test_one.py").write_text(ONE_SKIPS)
    (tmp_path / "test_file.py").write_text(FILE_SKIPS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--no-xvfb", "--continue-on-collection-errors", "-q", "."],
        cwd=tmp_path,
        env=os.environ | {"EXPLORER_NO_SKIPS": demanded, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == expected_exit, done.stdout
    assert expected_summary in done.stdout
    assert ("no such program" in done.stdout) == bool(demanded)
