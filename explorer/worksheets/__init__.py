"""Worksheets: attention to be computed by hand, each copy with other numbers, and its key."""

from explorer.worksheets.choices import Choices, What, names_sheet, read_number
from explorer.worksheets.sheet import Grid, Mistake, Step, Worksheet, made_sheet, sheet_scene

__all__ = [
    "Choices",
    "Grid",
    "Mistake",
    "Worksheet",
    "Step",
    "What",
    "names_sheet",
    "made_sheet",
    "read_number",
    "sheet_scene",
]
