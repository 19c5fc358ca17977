"""One head's attention as a small map: a plain value, for every picture of several heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _


@dataclass(frozen=True, eq=False)
class Tile:
    """The map of one head, or of the average over all.

    Parameters
    ----------
    head : int or None
    weights : ndarray, shape (T, S)
    masked : ndarray of bool, shape (T, S)
        Where the query may not attend to the key.
    domain : float
        The weight that has the full colour.
    """

    head: int | None
    weights: Array
    masked: NDArray[np.bool_]
    domain: float

    @property
    def title(self) -> str:
        """What it is called."""
        return _("Average") if self.head is None else _("Head {head}").format(head=self.head + 1)

    def blind(self, query: int) -> bool:
        """Return whether every key is masked for a query."""
        return bool(self.masked[query].all())

    def image(self, theme: Theme) -> QImage:
        """Return a picture of the cells' colours, transparent where masked."""
        return theme.weights_map.picture(self.weights, self.domain, self.masked)
