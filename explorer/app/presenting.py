"""Presenting as the window sees it: what it takes is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.app.actions import present_keys
from explorer.app.appearance import Appearance
from explorer.app.playing import Playing
from explorer.app.rooms import Rooms
from explorer.app.shortcuts import ShortcutsSheet
from explorer.kit.base import made_view
from explorer.kit.theme import Theme
from explorer.rooms.explore.strip import StripView

if TYPE_CHECKING:
    from explorer.rooms.present.audience import Audience
    from explorer.rooms.present.presentation import Presentation, Shown

_KEYS = 1200  # px of the drawn page: the width of the sheet of keys


class Presenting(QObject):
    """Shows the rooms, with the lesson that is played on them, to an audience.

    Parameters
    ----------
    rooms : Rooms
    playing : Playing
    appearance : Appearance
    place : callable
        Returns the column at whose end the presenter's notes are put.
    over : QWidget
        The main window, which the audience's window belongs to.
    """

    changed = Signal()  # whether there is an audience, and whether its picture is kept still

    def __init__(
        self,
        rooms: Rooms,
        playing: Playing,
        appearance: Appearance,
        place: Callable[[], QVBoxLayout],
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._rooms, self._playing, self._appearance = rooms, playing, appearance
        self._place, self._over = place, over
        self.presentation: Presentation | None = None
        playing.changed.connect(self._turn)

    def present(self) -> None:
        """Show the scene, the run, or the lesson that is open, to an audience."""
        if self.presentation is None:
            from explorer.rooms.present.presentation import Presentation

            self.presentation = Presentation(
                self._over,
                self._rooms.explore.session,
                self._shown,
                lambda: self._playing.notes,
                self._place,
            )
            self.presentation.changed.connect(self.changed)
            self.presentation.room_asked.connect(self.check_room)
            self.presentation.keys_asked.connect(self._show_keys)
            self.presentation.scaled.connect(self._appearance.scale_text)
        self.presentation.show(
            self._rooms.name, self._appearance.theme, moves=self._appearance.moves
        )

    def _show_keys(self) -> None:
        """Show the audience's window which keys there are, as large as there is room for all."""
        if self.audience is None:
            return
        sheet: ShortcutsSheet | None = None
        for theme in self.audience.page.sizes.smaller:
            if sheet is not None:
                sheet.setParent(None)
                sheet.deleteLater()
            sheet = ShortcutsSheet([present_keys()], theme, self.audience, widest=_KEYS)
            if sheet.is_whole:
                break
        assert sheet is not None
        sheet.open()

    def _shown(self, name: str) -> Shown:
        """Return what can be shown to an audience: of Explore, of Train, or of Model."""
        from explorer.rooms.present import ModelSlide, SceneSlide, TrainSlide
        from explorer.rooms.present.presentation import Shown

        if name == "explore":
            return Shown(
                lambda theme, over: SceneSlide(
                    theme, made_view, self._playing.sheet, self._playing.aim, StripView, over
                ),
                self._rooms.explore.clock,
                self._rooms.explore.handle,
            )
        if name == "model":
            from explorer.rooms.model.effects_panel import EffectsPanel

            model = self._rooms.show_model()
            return Shown(
                lambda theme, over: ModelSlide(
                    theme, made_view, EffectsPanel, self._playing.model_sheet, over
                ),
                model.clock,
                model.handle,
            )
        from explorer.rooms.train.timeline import TimelineView

        return Shown(
            lambda theme, over: TrainSlide(
                theme, made_view, self._playing.train_sheet, self._playing.aim, TimelineView, over
            ),
            self._rooms.show_train(warm=False).clock,
            self._rooms.show_train(warm=False).handle,
        )

    @property
    def audience(self) -> Audience | None:
        """The audience's window; None where there is none."""
        return None if self.presentation is None else self.presentation.audience

    @property
    def frozen(self) -> bool:
        """Whether the audience's picture is kept still."""
        return self.audience is not None and self.audience.overlay.still is not None

    def freeze(self) -> None:
        """Keep the audience's picture while something else is prepared, or show that."""
        if self.audience is not None:
            self.audience.freeze()

    def leave(self) -> None:
        """Close the audience's window; nothing where there is none."""
        if self.presentation is not None:
            self.presentation.leave()

    def check_room(self) -> None:
        """Ask for the room's measures, and offer the text scale that it needs."""
        from explorer.rooms.present.room_check import check_room

        appearance = self._appearance
        check_room(appearance.theme, self._over, self.audience, appearance.scale_text_to)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        if self.presentation is not None:
            self.presentation.retheme(theme)

    def allow_motion(self, wanted: bool) -> None:
        """Let things move before the audience, or be there at once."""
        if self.presentation is not None:
            self.presentation.allow_motion(wanted)

    def _turn(self) -> None:
        """Show the lesson's page that is open by now."""
        if self.presentation is not None:
            if self._playing.page is not None:
                self.presentation.turn_to(self._playing.page)
            self.presentation.redraw()
