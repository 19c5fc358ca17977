"""What the suite tries some of, tried many times: copies of a worksheet, mutated files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.traces.test_broken_files import assert_withstood
from tests.worksheets.test_sheet import assert_all_different

pytestmark = pytest.mark.timeout(3600)


def test_two_hundred_copies_hold_every_rule_and_are_all_different() -> None:
    assert_all_different(200)


def test_20000_mutated_files_are_opened_or_refused(tmp_path: Path) -> None:
    assert_withstood(tmp_path, 20_000)
