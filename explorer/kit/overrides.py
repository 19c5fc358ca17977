"""Exceptions in methods that Qt calls are reported, and end nothing else.

PySide hands an exception that leaves such a method to the Python code that called Qt, whichever
that is. Before Python 3.12 the program dies there of one that C code raised (`next` of nothing,
`len` of a number, a widget that is deleted): it has no instance yet, and PySide 6.10 to 6.12 does
not make one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject


def guard_overrides() -> None:
    """Guard, in every class made from now on, the methods that it puts in the place of Qt's own."""
    setattr(QObject, "__init_subclass__", classmethod(_guard))  # noqa: B010 - Qt's class has none


def _guard(made: type[Any], /, **words: Any) -> None:
    super(QObject, made).__init_subclass__(**words)  # what a generic class says of itself
    of_qt = [vars(base) for base in made.__mro__ if base.__module__.startswith("PySide6.")]
    for name, method in list(vars(made).items()):
        if not isinstance(method, FunctionType) or name.startswith("__"):
            continue
        if any(name in methods for methods in of_qt):
            setattr(made, name, _guarded(method))


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method with its exceptions caught.

    One that handles events reports an exception and lets the event pass. One that Qt asks for a
    value has none to return: it raises again what is an instance by now, and PySide reports it.
    """
    handles = method.__name__.lower().endswith(("event", "eventfilter"))

    @wraps(method)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        except Exception:  # to catch it makes the instance
            if not handles:
                raise
            sys.excepthook(*sys.exc_info())
            return False

    return called
