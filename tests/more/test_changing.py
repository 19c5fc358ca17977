"""What is done in a long evening of changing theme and text scale."""

from __future__ import annotations

import pytest

from tests.window.test_changing import assert_changes


@pytest.mark.timeout(3600)
def test_three_hundred_changes_of_theme_and_scale_end_well():
    assert_changes(300)
