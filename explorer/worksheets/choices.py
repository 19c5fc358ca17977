"""What a worksheet is to be, and the number that gives the same sheet again."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path

from explorer.text import N_, Listing, Problem, displayable

LAST_SEED = 999_999
MOST_COPIES = 200
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NO_NUMBER = N_(
    "{text} is not a worksheet's number, such as 4711-01: copy it from the top of the sheet."
)
_SEED = re.compile(r"\d{1,6}", re.ASCII)
_NUMBER = re.compile(r"(\d{1,6})-(\d{1,3})(?:-([0-9A-Z]{1,3}))?", re.ASCII)


class What(StrEnum):
    """What is computed by hand."""

    SCORES = "scores"
    SOFTMAX = "softmax"
    OUTPUT = "output"
    ALL = "all"


@dataclass(frozen=True)
class Choices:
    """What stands on a worksheet and how it is computed.

    Attributes
    ----------
    what : What
    tokens : int
        2 to 4.
    width : int
        Columns of X, Q, K and V, d: 2 or 3.
    decimals : int
        Of the numbers given: 0 or 1.
    columns : bool
        Whether a token is a column (Q = Wq X), not a row (Q = X Wq).
    table : bool
        Whether powers of e come from a printed table with e ≈ 2.72, not from a calculator.
    mask : bool
        Whether tokens see only themselves and those before.
    heads : int
        1 or 2.
    """

    what: What = What.ALL
    tokens: int = 3
    width: int = 2
    decimals: int = 0
    columns: bool = False
    table: bool = True
    mask: bool = False
    heads: int = 1

    def __post_init__(self) -> None:
        for field, values in _VALUES.items():
            if getattr(self, field) not in values:
                raise Problem(
                    N_("{field} of a worksheet must be one of {values}, not {found}."),
                    field=field,
                    values=Listing.of(values),
                    found=str(getattr(self, field)),
                )

    @property
    def code(self) -> int:
        """The choices as one number, from 0."""
        made = 0
        for field, values in _VALUES.items():
            made = made * len(values) + values.index(getattr(self, field))
        return made

    def number(self, seed: int, copy: int) -> str:
        """Return the number of a sheet, such as "4711-01"; unusual choices make it longer."""
        usual = self == Choices()
        return f"{seed}-{copy:02}" + ("" if usual else f"-{_in_letters(self.code)}")


_VALUES: dict[str, tuple[object, ...]] = {
    "what": tuple(What),
    "tokens": (2, 3, 4),
    "width": (2, 3),
    "decimals": (0, 1),
    "columns": (False, True),
    "table": (False, True),
    "mask": (False, True),
    "heads": (1, 2),
}
assert list(_VALUES) == [field.name for field in fields(Choices)]


def names_sheet(path: Path) -> bool:
    """Return whether what is asked for is no file, but a sheet's number, or a seed alone."""
    text = path.name.strip().upper()
    return any(kind.fullmatch(text) for kind in (_NUMBER, _SEED)) and not path.exists()


def read_names(text: str) -> list[str]:
    """Return the pupils' names, one a line of a text; none may be left without a sheet.

    Raises Problem where there are more than sheets can be made at once.
    """
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if len(names) > MOST_COPIES:
        raise Problem(
            N_(
                "There are {names} names, but at most {most} sheets are made at once: divide the"
                " list."
            ),
            names=len(names),
            most=MOST_COPIES,
        )
    return names


def read_number(text: str) -> tuple[Choices, int, int]:
    """Return the choices, the seed and the copy that a sheet's number names. Raises Problem.

    A seed alone is the first sheet of the usual choices.
    """
    match = _NUMBER.fullmatch(text.strip().upper())
    if _SEED.fullmatch(text.strip()):
        return Choices(), int(text), 1
    if match is None or not 1 <= int(match[2]) <= MOST_COPIES:
        raise Problem(
            _NO_NUMBER,
            text=displayable(text, 40),
        )
    choices = Choices() if match[3] is None else _with_code(int(match[3], 36), text)
    return choices, int(match[1]), int(match[2])


def _with_code(code: int, text: str) -> Choices:
    found = {}
    for field, values in reversed(_VALUES.items()):
        code, place = divmod(code, len(values))
        found[field] = values[place]
    if code:
        raise Problem(
            _NO_NUMBER,
            text=displayable(text, 40),
        )
    return Choices(**found)  # type: ignore[arg-type]


def _in_letters(number: int) -> str:
    made = ""
    while number or not made:
        number, digit = divmod(number, len(_DIGITS))
        made = _DIGITS[digit] + made
    return made
