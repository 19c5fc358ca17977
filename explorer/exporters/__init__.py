"""What a scene and its matrices are written as: one table, from which menus and commands know all.

A format is one module, or a function of one, and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name

from explorer.session import Array, Frame
from explorer.text import N_

_HERE = "explorer.exporters"


@dataclass(frozen=True)
class Exporter:
    """A format.

    Parameters
    ----------
    key : str
        Its name on the command line.
    title : str
        Its name in menus, untranslated.
    suffix : str
        The end of a file's name; where two share one, the first is meant by it.
    whole : str
        "module:function", imported when first needed: the text of a frame. Empty where only
        matrices are written so.
    matrix : str
        In the same way the text of one matrix, from its name and its numbers, shape (rows,
        columns). Empty where only whole scenes are written so.
    """

    key: str
    title: str
    suffix: str
    whole: str = ""
    matrix: str = ""

    def text_of(self, frame: Frame) -> str:
        """Return the scene of a frame with all results, at its head and with what is selected."""
        made: Callable[[Frame], str] = resolve_name(self.whole)
        return made(frame)

    def matrix_text(self, name: str, array: Array) -> str:
        """Return a matrix as text."""
        made: Callable[[str, Array], str] = resolve_name(self.matrix)
        return made(name, array)


EXPORTERS: tuple[Exporter, ...] = (
    Exporter("table", N_("table"), ".tsv", matrix=f"{_HERE}.tables:as_table"),
    Exporter(
        "numpy", "NumPy", ".py", f"{_HERE}.code:numpy_script", matrix=f"{_HERE}.tables:as_numpy"
    ),
    Exporter("latex", "LaTeX", ".tex", f"{_HERE}.latex:latex", matrix=f"{_HERE}.tables:as_latex"),
    Exporter(
        "pytorch",
        "PyTorch",
        ".py",
        f"{_HERE}.pytorch:pytorch_module",
        matrix=f"{_HERE}.tables:as_pytorch",
    ),
    Exporter(
        "markdown",
        "Markdown",
        ".md",
        f"{_HERE}.markdown:markdown",
        matrix=f"{_HERE}.markdown:as_markdown",
    ),
    Exporter(
        "csv", "CSV", ".csv", f"{_HERE}.csv_blocks:csv_blocks", matrix=f"{_HERE}.csv_blocks:as_csv"
    ),
    Exporter("notebook", N_("Jupyter notebook"), ".ipynb", f"{_HERE}.notebook:notebook"),
)

# What a whole scene is written as, and what a matrix is copied as; the first is what the copy key
# takes.
WHOLE = tuple(each for each in EXPORTERS if each.whole)
FORMATS: dict[str, Callable[[str, Array], str]] = {
    each.title: each.matrix_text for each in EXPORTERS if each.matrix
}
