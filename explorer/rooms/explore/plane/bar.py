"""The controls over the plane: which spaces are shown, what the edges show, and fit."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_line
from explorer.kit.plane.relations import is_chosen, points_at, possible_flow
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import StepField, give_font
from explorer.kit.theme import Theme
from explorer.session import Edges, Frame, Space, space_dimension, space_exists, spaces_agree
from explorer.session.intents import ChangeLook, ShowSpaces, ShowStrongest
from explorer.text import _, displayable, ngettext, plain_tip

_LONGEST = 12  # letters of a token's name
# As the chain goes; X + P and Y only where the scene has them.
_SPACES = (Space.X, Space.P, Space.Q, Space.K, Space.V, Space.O, Space.Y)


class PlaneBar(QWidget):
    """Show, Edges and fit in one row, or two where the plane is narrow."""

    intent = Signal(object)
    fit_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        names = {
            Space.X: _("X, tokens"),
            Space.Q: _("Q, queries"),
            Space.K: _("K, keys"),
            Space.V: _("V, values"),
            Space.O: _("O, outputs"),
            Space.P: _("X + P, tokens with their position"),
            Space.Y: _("Y, outputs after Wo"),
        }
        self.spaces = Segments(
            [Segment(s, s.value, names[s], names[s], marker=s) for s in _SPACES],
            _("Shown points"),
            theme,
        )
        self.edges = Segments(
            [
                Segment(Edges.NONE, _("None"), _("No edges"), _("No edges")),
                Segment(Edges.SCORES, _("Scores"), "", _("Edges show the scores S")),
                Segment(Edges.ATTENTION, _("Attention"), "", _("Edges show the weights A")),
            ],
            _("Edges"),
            theme,
            exclusive=True,
        )
        self.fit = QToolButton()
        self.fit.setObjectName("fit")
        self.fit.setAccessibleName(_("Fit"))
        self.fit.setToolTip(_("Show everything (F)"))
        self.fit.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.strongest = StepField(_("Number of edges"))
        self.strongest.setToolTip(
            plain_tip(_("How many edges are drawn: those of the strongest values"))
        )
        self.strongest.asked.connect(self._step)
        self.strongest.committed.connect(self._type)
        captions = (_("Show"), _("Edges"), _("strongest"), "")
        self._captions = tuple(plain_line(text=text) for text in captions)
        self._of = self._captions[3]
        self._rows = (QWidget(self), QWidget(self))
        self._lines = tuple(QHBoxLayout(row) for row in self._rows)
        parts = (
            (self._captions[0], self.spaces),
            (self._captions[1], self.edges, self._captions[2], self.strongest, self._of, self.fit),
        )
        for line, widgets in zip(self._lines, parts, strict=True):
            for widget in widgets:
                line.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self.spaces.picked.connect(self._pick_space)
        self.edges.picked.connect(self._pick_edges)
        self.fit.clicked.connect(self.fit_asked)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._margin = theme.px(16)
        self._gap = theme.px(8)
        self.spaces.retheme(theme)
        self.edges.retheme(theme)
        for line in self._lines:
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(self._gap)
        for caption in self._captions:
            caption.setFont(theme.font(14))
            caption.setStyleSheet(f"color: {theme.palette.ink3}; background: transparent;")
        give_font(self.strongest, theme.font(14))
        self.strongest.setFixedSize(theme.px(52), theme.px(30))
        self._show_whose()
        self.fit.setIcon(icon("fit", theme))
        side = theme.px(SIDE)
        self.fit.setIconSize(QSize(side, side))
        self.fit.setFixedSize(theme.px(32), theme.px(32))

    def draw(self, frame: Frame) -> bool:
        """Show what the look says, and what can be chosen; return whether that needs other room."""
        before, self._frame = self._room(), frame
        self.spaces.show_checked(frame.look.spaces)
        self.edges.show_checked({frame.look.edges})
        self.strongest.show_text(str(frame.look.strongest))
        self._show_whose()
        for space in _SPACES:
            self.spaces.set_shown(space, space_exists(frame.scene, space))
            self.spaces.set_enabled(space, True, self._tooltip(frame, space))
        for edges in (Edges.SCORES, Edges.ATTENTION):
            possible = possible_flow(frame, edges) is not None or frame.look.edges is edges
            self.edges.set_enabled(edges, possible, None if possible else self._why_not(edges))
        return self._room() != before

    def _room(self) -> list[object]:
        hidden = [self.spaces.button(space).isHidden() for space in _SPACES]
        return [*hidden, self.strongest.isHidden(), self._of.text()]

    def _show_whose(self) -> None:
        """Say whose edges are drawn, where they are the strongest of many."""
        frame = self._frame
        many = frame is not None and is_chosen(frame)
        for part in (self._captions[2], self.strongest, self._of):
            part.setVisible(many)
        if frame is None or not many:
            return
        thing = points_at(frame.pointed)
        if thing is None:
            self._of.setText(_("of all"))
            return
        of_query = thing.query is not None
        names = frame.scene.tokens if of_query else frame.scene.key_tokens
        place = thing.query if of_query else thing.key
        name = "" if place is None else displayable(names[place], _LONGEST)
        if place is not None and names.count(names[place]) > 1:
            name += f" {place + 1}"
        self._of.setText(_("of {token}").format(token=name))

    def _step(self, up: bool) -> None:
        if self._frame is not None:
            self.intent.emit(ShowStrongest(self._frame.look.strongest + (1 if up else -1)))

    def _type(self, text: str) -> None:
        if self._frame is not None:
            count = int(text) if text.strip().isdecimal() else self._frame.look.strongest
            self.intent.emit(ShowStrongest(count))
            self.strongest.show_text(str(self._frame.look.strongest))

    def arrange(self, width: int) -> int:
        """Lay the controls out in a width; return the height they cover."""
        for caption in self._captions[:2]:
            caption.setVisible(True)
        room = width - 2 * self._margin
        first, second = self._sizes()
        if first + second + 2 * self._gap > room:
            for caption in self._captions[:2]:
                caption.setVisible(False)
            first, second = self._sizes()
        height = self._rows[0].sizeHint().height()
        top = round(self._gap * 1.5)
        self._rows[0].setGeometry(self._margin, top, first, height)
        right = width - self._gap - second
        if first + second + 2 * self._gap <= room:
            self._rows[1].setGeometry(right, top, second, height)
            bottom = top + height
        else:
            below = top + height + self._gap
            self._rows[1].setGeometry(self._margin, below, second, height)
            bottom = below + height
        return bottom

    def _sizes(self) -> tuple[int, int]:
        first, second = (line.sizeHint().width() for line in self._lines)
        return first, second

    def _tooltip(self, frame: Frame, space: Space) -> str | None:
        """Return what a click on a space does, where that is not plain."""
        if space in frame.look.spaces:
            if len(frame.look.spaces) == 1:
                return _("{space}: shown alone, so it stays").format(space=space.value)
            return self._of_context(frame, space)
        if self._agrees(frame, space):
            return self._of_context(frame, space)
        own = space_dimension(frame.scene, space)
        return ngettext(
            "{space} has {count} column, so it is shown alone",
            "{space} has {count} columns, so it is shown alone",
            own,
        ).format(space=space.value, count=own)

    @staticmethod
    def _of_context(frame: Frame, space: Space) -> str | None:
        """Return which tokens a space's points belong to, where there is a context."""
        if frame.scene.context is None:
            return None
        if space in (Space.K, Space.V):
            return _(
                "{space}: points of the context’s tokens, whose own rows are not drawn"
            ).format(space=space.value)
        return _("{space}: points of the tokens that ask, not of the context’s").format(
            space=space.value
        )

    @staticmethod
    def _why_not(edges: Edges) -> str:
        if edges is Edges.SCORES:
            return _("Score edges need Q and K together, or X")
        return _("Attention edges need Q and K, or V and O together, or X")

    @staticmethod
    def _agrees(frame: Frame, space: Space) -> bool:
        return spaces_agree(frame.scene, frame.look.spaces | {space})

    def _pick_space(self, space: Space) -> None:
        if self._frame is None:
            return
        shown = self._frame.look.spaces
        if space in shown:
            if len(shown) > 1:
                self.intent.emit(ShowSpaces(shown - {space}))
        elif self._agrees(self._frame, space):
            self.intent.emit(ShowSpaces(shown | {space}, added=space))
        else:
            self.intent.emit(ShowSpaces(frozenset({space}), added=space))

    def _pick_edges(self, edges: Edges) -> None:
        self.intent.emit(ChangeLook({"edges": edges}))
