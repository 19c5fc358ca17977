"""The real window, as its own tests have it, and the order in which what takes long is run."""

from __future__ import annotations

import pytest

from tests.window.conftest import learner, newcomer, person, window_in_train

__all__ = ["learner", "newcomer", "person", "window_in_train"]

# Begun last, one of them would be waited for while nothing else is left to do.
LONGEST = [
    "test_elsewhere",
    "test_sweep_kills",
    "test_long_session",
    "test_changing",
    "test_bundle",
]


def pytest_configure(config: pytest.Config) -> None:
    """Keep the order of the files, where several processes share them."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first."""
    items.sort(key=lambda item: [*LONGEST, item.path.stem].index(item.path.stem))
