"""The command `attention-explorer`: the window, and the same powers without one."""

from explorer.cli.main import main

__all__ = ["main"]
