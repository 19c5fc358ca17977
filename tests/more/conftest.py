"""The real window, as its own tests have it."""

from tests.window.conftest import learner, newcomer, person, window_in_train

__all__ = ["learner", "newcomer", "person", "window_in_train"]
