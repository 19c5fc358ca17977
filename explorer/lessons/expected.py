"""What a key of a lesson file must be, said from the types of its schema."""

from __future__ import annotations

import re
from functools import reduce

from msgspec import inspect

from explorer.lessons.schema import Head, Step
from explorer.text import N_, Listing, Message


def expected(path: str, *, of_step: bool) -> Message | str:
    """Return what is expected at a path such as `show.select.table` or `task.solution[0]`.

    of_step : whether the path begins in a step, or at the top of the file
    """
    alternatives = [each for each in map(_said, _plain(_type_at(path, of_step))) if each]
    return reduce(
        lambda one, other: Message(N_("{one} or {other}"), {"one": one, "other": other}),
        alternatives,
    )


def keys_at(path: str, *, of_step: bool) -> str:
    """Return the keys that a table can have, such as `text, short`."""
    found = _plain(_type_at(path, of_step))
    tables = (each for each in found if isinstance(each, inspect.StructType))
    return ", ".join(field.encode_name for table in tables for field in table.fields)


def _type_at(path: str, of_step: bool) -> inspect.Type:
    found: inspect.Type = inspect.type_info(Step if of_step else Head)
    for part in re.findall(r"\[[^\]]*\]|[^.\[\]]+", path):
        found = _inside(found, part) or found
    return found


def _plain(found: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types that a value may have."""
    return found.types if isinstance(found, inspect.UnionType) else (found,)


def _inside(found: inspect.Type, part: str) -> inspect.Type | None:
    """Return the type of a key, or of an entry of a list, as one part of a path names it."""
    for each in _plain(found):
        match each:
            case inspect.StructType(fields=fields):
                inner = next((f.type for f in fields if f.encode_name == part), None)
                if inner is not None:
                    return inner
            case inspect.DictType(value_type=inner):
                return inner
            case inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
                return inner
    return None


def _said(found: inspect.Type) -> Message | str:
    """Return words for a type; empty for what is no value of a file."""
    match found:
        case inspect.LiteralType(values=values):
            return ", ".join(f'"{value}"' for value in values)
        case inspect.EnumType(cls=cls):
            return ", ".join(f'"{member.value}"' for member in cls)
        case inspect.IntType(ge=int(least), le=int(most)):
            return Message(
                N_("a whole number from {least} to {most}"), {"least": least, "most": most}
            )
        case inspect.IntType():
            return Message(N_("a whole number"))
        case inspect.FloatType(ge=int() | float() as least, le=int() | float() as most):
            span = {"least": f"{least:g}", "most": f"{most:g}"}
            return Message(N_("a number from {least} to {most}"), span)
        case inspect.FloatType():
            return Message(N_("a number"))
        case inspect.StrType():
            return Message(N_("a text"))
        case inspect.BoolType():
            return Message(N_("true or false"))
        case inspect.DictType(value_type=inspect.AnyType()):
            return Message(N_("a table"))
        case inspect.DictType():
            return Message(N_('a table of texts by language, such as en = "…"'))
        case inspect.StructType(fields=fields):
            keys = Listing.of(field.encode_name for field in fields)
            return Message(N_("a table with keys of {keys}"), {"keys": keys})
        case inspect.VarTupleType(min_length=least, max_length=int(most)):
            return Message(
                N_("a list of {least} to {most} entries"), {"least": least or 0, "most": most}
            )
        case inspect.VarTupleType() | inspect.ListType():
            return Message(N_("a list"))
    return ""
