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
from explorer.session import (
    Edges,
    Frame,
    Space,
    Stage,
    space_dimension,
    space_exists,
    spaces_agree,
)
from explorer.session.intents import ChangeLook, ShowSpaces, ShowStrongest
from explorer.text import _, displayable, ngettext, plain_tip

_LONGEST = 12  # letters of a token's name
_MOST = 0.25  # of the plane's height that two rows take
# As the chain goes; X + P and Y only where the scene has them.
_SPACES = (Space.X, Space.P, Space.Q, Space.K, Space.V, Space.O, Space.Y)


class PlaneBar(QWidget):
    """Show, Edges and fit in one row, or two where the plane is narrow.

    Where two rows would take too much of a low plane, the choices say less.
    """

    intent = Signal(object)
    fit_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        self._compact = False
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
                Segment(Edges.NONE, _("None"), _("No edges"), _("No edges"), short="–"),
                Segment(
                    Edges.SCORES, _("Scores"), "", _("Edges show the scores S"), short=Stage.S.value
                ),
                Segment(
                    Edges.ATTENTION,
                    _("Attention"),
                    "",
                    _("Edges show the weights A"),
                    short=Stage.A.value,
                ),
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
        self._known: dict[object, tuple[int, int]] = {}
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

    def _room(self) -> tuple[object, ...]:
        hidden = [self.spaces.button(space).isHidden() for space in _SPACES]
        return *hidden, self.strongest.isHidden(), self._of.text()

    def _show_whose(self) -> None:
        """Say whose edges are drawn, where they are the strongest of many."""
        frame = self._frame
        many = frame is not None and is_chosen(frame)
        self.strongest.setVisible(many)
        for part in (self._captions[2], self._of):
            part.setVisible(many and not self._compact)
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

    def arrange(self, width: int, height: int) -> int:
        """Lay the controls out in a plane of a size, in px; return the height they cover."""
        for captions, compact in (True, False), (False, False), (False, True):
            first, second = self._sizes(captions, compact)
            room = width - 2 * (self._gap if compact else self._margin)
            one_row = first + second + 2 * self._gap <= room
            tall = self._rows[0].sizeHint().height()
            top = round(self._gap * 1.5)
            below = top if one_row else top + tall + self._gap
            if one_row or (not captions and first <= room and below + tall <= _MOST * height):
                break
        self._say(captions, compact)
        margin = self._gap if compact else self._margin
        self._rows[0].setGeometry(margin, top, first, tall)
        left = width - self._gap - second if one_row else margin
        self._rows[1].setGeometry(left, below, second, tall)
        return below + tall

    def _say(self, captions: bool, compact: bool) -> None:
        """Show the captions, or not; say less, or all."""
        for caption in self._captions[:2]:
            caption.setVisible(captions)
        self._compact = compact
        self.spaces.set_compact(compact)
        self.edges.set_compact(compact)
        self.fit.setVisible(not compact)  # a key does it too
        self._show_whose()

    def _sizes(self, captions: bool, compact: bool) -> tuple[int, int]:
        """Return the widths of both rows, measured where that was not yet done."""
        key = captions, compact, *self._room()
        if key not in self._known:
            self._say(captions, compact)
            first, second = (line.sizeHint().width() for line in self._lines)
            self._known[key] = first, second
        return self._known[key]

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
