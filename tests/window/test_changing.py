"""Theme and text scale change while windows come and go and garbage is pending."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_dozen_changes_of_theme_and_scale_end_well():
    assert_changes(12)


def assert_changes(times: int) -> None:
    """Let a process change them so often; it must come to its end and complain of nothing."""
    ran = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.window.changing", str(times)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    complaints = [line for line in ran.stderr.splitlines() if "does not support" not in line]

    assert (ran.returncode, ran.stdout, complaints) == (0, f"{times}\n", []), ran.stderr[-2000:]
