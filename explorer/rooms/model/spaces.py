"""The vectors of a head as points: queries and keys in one plane, values in another."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.attention import Projection, fit_projection
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.space_pane import SpacePane
from explorer.session import Array, Space
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.text import _


class SpacesView(ModelView):
    """Two planes of principal components, or why there is none."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS | ModelChange.PAIR | ModelChange.HOVER | ModelChange.LOOK
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.matching = SpacePane(theme, _("Q and K: queries and keys in one plane"))
        self.values = SpacePane(theme, _("V: what is mixed"))
        self.note = plain_label("ink3")
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = fill(QHBoxLayout(self), gap=1)
        for pane, stretch in ((self.matching, 3), (self.values, 2)):
            pane.intent.connect(self.intent)
            row.addWidget(pane, stretch)
        row.addWidget(self.note, 1)
        self.note.hide()
        self._fitted: object = None
        self._planes: dict[SpacePane, tuple[Projection, dict[Space, Array]]] = {}
        self.retheme(theme)

    def viewport(self) -> QWidget:
        """Return the larger plane, which takes the focus."""
        return self.matching

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor; the planes are fitted once for each."""
        fitted = (frame.run, frame.head, frame.look.special)
        if fitted != self._fitted:
            self._fitted, self._planes = fitted, self._fit(frame)
        for pane in (self.matching, self.values):
            plane = self._planes.get(pane)
            pane.setVisible(plane is not None)
            if plane is not None:
                pane.draw(frame, self.theme, *plane)
        nothing = frame.head is not None and not self._planes
        self.note.setText(
            _("This run does not hold q, k or v, so there are no vectors to show.")
            if nothing
            else ""
        )
        self.note.setVisible(not self._planes)

    def _fit(self, frame: ModelFrame) -> dict[SpacePane, tuple[Projection, dict[Space, Array]]]:
        """Return the plane of each pane that there are vectors for, fitted to what is shown."""
        if frame.head is None or frame.run is None:
            return {}
        arrays, (queries, keys) = frame.head.arrays, frame.shown
        made: dict[SpacePane, tuple[Projection, dict[Space, Array]]] = {}
        if arrays.q is not None and arrays.k is not None and len(queries) and len(keys):
            both = {Space.K: arrays.k, Space.Q: arrays.q}
            cloud = np.concatenate([arrays.q[queries], arrays.k[keys]])
            made[self.matching] = fit_projection(cloud), both
        if arrays.v is not None and len(keys):
            made[self.values] = fit_projection(arrays.v[keys]), {Space.V: arrays.v}
        return made

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.note.setFont(theme.font(15))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        ground = "line" if self._planes else "canvas"
        QPainter(self).fillRect(event.rect(), self.theme.color(ground))
