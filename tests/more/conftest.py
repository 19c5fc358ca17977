"""The real window, as its own tests have it."""

from tests.window.conftest import person

__all__ = ["person"]
