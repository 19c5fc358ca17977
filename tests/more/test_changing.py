"""Theme and text scale change while windows come and go and garbage is pending."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TIMES = 300


@pytest.mark.timeout(3600)
def test_three_hundred_changes_of_theme_and_scale_end_well() -> None:
    """A process comes to its end and complains of nothing."""
    ran = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.more.changing", str(TIMES)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    complaints = [line for line in ran.stderr.splitlines() if "does not support" not in line]

    assert (ran.returncode, ran.stdout, complaints) == (0, f"{TIMES}\n", []), ran.stderr[-2000:]
