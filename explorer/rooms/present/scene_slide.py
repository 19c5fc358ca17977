"""The page for an audience in Explore: a lesson's step or the scene's active stage, large."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.kit.base import FrameView
from explorer.kit.theme import Theme
from explorer.rooms.present.side import Said, Share, shares_of
from explorer.rooms.present.slide import Slide
from explorer.rooms.present.table import LargeTable
from explorer.rooms.present.wording import paragraph, sheet_html, waits
from explorer.session import CHAIN, Centre, Change, Frame, Stage, Veil, stages_of, wording
from explorer.session.blanks import blank_cells
from explorer.session.intents import BlankOut, ShowStage
from explorer.session.lesson import Code, Reveal, Sheet, TurnTo
from explorer.text import _, displayable, html_escaped, of_example

_SHARED = (Stage.A, Stage.O, Stage.C, Stage.Y)
_STRIP = "strip"  # the part of a lesson that is shown below the picture
_TABLES = {"scores", "weights", "outputs"}  # parts of a lesson that are tables

TellSheet = Callable[[Frame], Sheet | None]


class SceneSlide(Slide[Frame]):
    """Shows the page of a lesson, or where there is none the scene's active stage.

    The picture is what stands in the middle of Explore. A plane turns into the active stage's
    table and back: by hand, and where the step of a lesson mentions a table and not the plane.

    Parameters
    ----------
    theme : Theme
    make : callable
        Returns what stands in the middle of Explore, with a parent.
    tell : callable
        Returns the lesson's sheet beside a frame, or None.
    aim : callable
        Looks at the plane from where the lesson's page says.
    make_foot : callable
        Returns the arithmetic strip, with a parent: made when first shown.
    """

    concerns: ClassVar[Change] = Change.ALL & ~(Change.PAGES | Change.INVALID | Change.ORIGINAL)

    def __init__(
        self,
        theme: Theme,
        make: Callable[[Centre, Theme, QWidget], FrameView[Any]],
        tell: TellSheet,
        aim: Callable[[FrameView[Any]], None],
        make_foot: Callable[[Theme, QWidget], FrameView[Frame]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, CHAIN, parent)
        self._make_view, self._tell, self._aim = make, tell, aim
        self._frame: Frame | None = None
        self._place, self._pages = 0, 1
        self._revealed = 0  # how many rows or cells of a lesson's blank table were revealed
        self._over = False  # whether the picture shows its other form
        self._make_foot = make_foot
        self.plane = make(Centre.PLANE, self.sizes.plane, self)
        self.plane.be_presented()
        self.plane.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table = LargeTable(self.sizes.picture, self)
        self._wide: dict[Centre, FrameView[Any]] = {}  # made when first shown
        for picture in (self.plane, self.table):
            picture.setMinimumSize(0, 0)
            picture.intent.connect(self.intent)
        self.table.hide()
        self.left.steps.chosen.connect(lambda stage: self.intent.emit(ShowStage(stage)))

    # --- as a page -------------------------------------------------------------------------------

    @property
    def picture(self) -> QWidget:
        """What stands beside what is said, or above it."""
        if self.wide:
            return self._wide[self._centre]
        return self.table if self._over and not self._hidden else self.plane

    @property
    def wide(self) -> bool:
        """Whether the picture takes the whole width."""
        return self._centre in self._wide

    @property
    def dragged(self) -> QWidget | None:
        """What takes the key that gives a drag up."""
        held = self._frame is not None and self._frame.drag is not None
        return self.plane.viewport() if held else None

    def draw(self, frame: Frame) -> None:
        """Show the frame; another page is faded in."""
        sheet = self._tell(frame)
        centre, self._frame = self._centre, frame
        begun = self.begin_page(
            (frame.look.stage, None if sheet is None else (sheet.title, sheet.place))
        )
        if begun:
            self._revealed = 0
        if begun and sheet is not None:
            self._over = frame.look.blank is not None or (
                bool(_TABLES.intersection(sheet.parts)) and "plane" not in sheet.parts
            )
        self._make(frame.look.centre)
        if begun and sheet is not None:
            self._show_arithmetic(_STRIP in sheet.parts)
        self._say(frame, sheet)
        if centre is not self._centre or begun or self.picture.isHidden() or self.left.crowded:
            self._show_picture()
        else:
            self._draw_picture()
        self.draw_foot(frame)
        if begun and self.picture is self.plane:
            self._aim(self.plane)

    def turn(self, by: int) -> None:
        """Ask for the next page of the lesson, or the next stage; nothing at the ends."""
        frame, at = self._frame, self._place + by
        if frame is None or not 0 <= at < self._pages:
            return
        if self._tell(frame) is not None:
            self.intent.emit(TurnTo(at))
        else:
            self.intent.emit(ShowStage(stages_of(frame.scene)[at]))

    def go_to_end(self, last: bool) -> None:
        """Ask for the first page of the lesson or the first stage, or the last."""
        self.turn((self._pages - 1 if last else 0) - self._place)

    def show_arithmetic(self) -> None:
        """Show the arithmetic of what is selected below the picture, or no more."""
        self._show_arithmetic(not self.foot_wanted)

    def _show_arithmetic(self, wanted: bool) -> None:
        if wanted is self.foot_wanted:
            return
        if self.foot is None:
            self.take_foot(self._make_foot(self.sizes.picture, self))
        self.foot_wanted = wanted
        self.lay_out()

    def reveal(self) -> bool:
        """Ask for what is to be predicted or filled in; return whether there is anything."""
        if self._frame is None:
            return False
        sheet, look = self._tell(self._frame), self._frame.look
        if not (look.veiled or look.blank is not None or waits(sheet)):
            return False
        if look.blank is not None and sheet is not None and len(self._empty) > self._step_of_fill:
            self._revealed += self._step_of_fill
            self._over = True
            self._show_picture()
            return True
        self._over |= look.blank is not None  # the table that was to be filled in is what to see
        self.intent.emit(BlankOut(None) if sheet is None else Reveal())
        return True

    def show_other_half(self) -> None:
        """Show the table instead of the plane, or the other half of what does not fit at once."""
        self._over = not self._over
        self._show_picture()

    def set_motion(self, wanted: bool) -> None:
        """Let points move from one stage to the next, or be there at once."""
        self.plane.set_motion(wanted)

    def resize_picture(self, theme: Theme) -> None:
        """Give the picture other sizes and colours."""
        self.plane.retheme(self.sizes.plane)
        for view in self._wide.values():
            view.retheme(theme)
        self.table.retheme(theme)
        if self._frame is not None:
            self._say(self._frame, self._tell(self._frame))
            self._draw_picture()
            self.draw_foot(self._frame)

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _hidden(self) -> bool:
        """Whether the table's numbers are to be predicted or filled in first."""
        look = None if self._frame is None else self._frame.look
        if look is not None and look.blank is not None and self._tell_sheet is not None:
            return look.veiled  # its cells are shown one by one
        return look is not None and look.stage in look.hidden

    @property
    def _tell_sheet(self) -> Sheet | None:
        return None if self._frame is None else self._tell(self._frame)

    @property
    def _step_of_fill(self) -> int:
        """How many cells are revealed at once: one of a row, a row of a table."""
        assert self._frame is not None
        blank = self._frame.look.blank
        assert blank is not None
        return 1 if blank.row is not None else self._frame.table(blank.table).shape[1]

    @property
    def _empty(self) -> list[tuple[int, int]]:
        """The cells of a lesson's blank table that were not revealed yet."""
        return [] if self._frame is None else blank_cells(self._frame)[self._revealed :]

    def _filled(self, frame: Frame) -> Frame:
        """Return a frame whose blank table shows what was revealed of it."""
        blank = frame.look.blank
        if blank is None or self._tell_sheet is None:
            return frame
        left = {Veil(blank.table, *cell) for cell in self._empty}
        look = replace(frame.look, blank=None, stage=blank.table, veils=frame.look.veils | left)
        return replace(frame, look=look)

    @property
    def _centre(self) -> Centre:
        return Centre.PLANE if self._frame is None else self._frame.look.centre

    def _make(self, centre: Centre) -> None:
        """Make what stands in the middle, where it is shown for the first time."""
        wide = centre is not Centre.PLANE and centre.spec.presentable
        if wide and centre not in self._wide:
            page = self._make_view(centre, self.sizes.picture, self)
            page.be_presented()
            page.setMinimumSize(0, 0)
            page.intent.connect(self.intent)
            self._wide[centre] = page

    def _show_picture(self) -> None:
        """Bring the picture of this page to the front, drawn."""
        for picture in (self.plane, self.table, *self._wide.values()):
            picture.setVisible(picture is self.picture)
        if self.wide:
            self._wide[self._centre].turn_over(self._over)
        self.lay_out()

    def _draw_picture(self) -> None:
        frame, picture = self._frame, self.picture
        assert isinstance(picture, FrameView | LargeTable)
        if frame is not None:
            picture.draw(self._filled(frame) if picture is self.table else frame)

    def _say(self, frame: Frame, sheet: Sheet | None) -> None:
        theme = self.sizes.theme
        shares = () if sheet is not None and sheet.questions else self._shares(frame)
        if sheet is not None:
            title, formula = sheet.title, sheet.formula
            self._place, self._pages = sheet.place, sheet.count
            text = sheet_html(sheet, lambda each: _coloured(each, frame, theme), theme)
        else:
            there, stage = stages_of(frame.scene), frame.look.stage
            self._place = there.index(stage) if stage in there else 0
            self._pages = len(there)
            title = of_example(frame.scene.title) or _("Attention")
            text = paragraph(_coloured(wording.sentence(frame), frame, theme))
            formula = wording.formula(frame)
        code = Code() if sheet is None else sheet.code
        said = Said(title, text, formula, _inks(frame, theme), shares, code)
        self.left.steps.show_steps(frame.look.stage, self._place, self._pages)
        self.left.say(said)

    def _shares(self, frame: Frame) -> tuple[Share, ...]:
        """Return what is shared; nothing where this page is not about that."""
        if frame.look.hides(Stage.A) or frame.look.stage not in _SHARED:
            return ()
        query = wording.asking(frame)
        return () if query is None else shares_of(frame, query, self.sizes.theme)


def _inks(frame: Frame, theme: Theme) -> dict[str, str]:
    """Return the ink of every token by its name."""
    queries, keys = theme.token_colours(frame)
    named = [
        *zip(frame.scene.key_tokens, keys, strict=True),
        *zip(frame.scene.tokens, queries, strict=True),
    ]
    return {name: colour.ink for name, colour in named}


def _coloured(text: str, frame: Frame, theme: Theme) -> str:
    """Return a text as HTML in which the selected tokens have their colours."""
    thing = frame.selection
    inks: dict[str, str] = {}
    if thing is not None and not thing.in_weights:
        queries, keys = theme.token_colours(frame)
        for at, names, colours in (
            (thing.key, frame.scene.key_tokens, keys),
            (thing.query, frame.scene.tokens, queries),
        ):
            if at is not None and at < len(names):
                inks[displayable(names[at])] = colours[at].ink
    text = displayable(text)
    found = "|".join(re.escape(name) for name in sorted(inks, key=len, reverse=True) if name)
    parts = re.split(rf"(?<!\w)({found})(?!\w)", text) if found else [text]
    return "".join(
        f'<b style="color:{inks[part]}">{html_escaped(part)}</b>' if odd else html_escaped(part)
        for odd, part in ((n % 2, part) for n, part in enumerate(parts))
    )
