"""A long run's memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.test_record import assert_bounded

pytestmark = pytest.mark.timeout(3600)


def test_a_run_of_20000_epochs_stays_within_its_memory(tmp_path: Path) -> None:
    assert_bounded(tmp_path, 20_000)
