"""The window's commands: one table; menus, shortcuts and the shortcuts sheet are made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from explorer.app.rooms import Rooms
from explorer.app.shortcuts import Group
from explorer.kit.painted import is_alone
from explorer.session import CHAIN, Centre, Stage
from explorer.session.intents import Select
from explorer.text import N_, Message, _, listed


@dataclass(frozen=True)
class Command:
    """Something the window can do.

    Parameters
    ----------
    key : str
        Its name in code.
    group : str
        Under which heading the shortcuts sheet lists it.
    text : str
        Its name on screen, untranslated.
    shortcuts : tuple of str
        In Qt's portable form.
    typed : str
        A character that does the same where no field takes what is typed.
    """

    key: str
    group: str
    text: str
    shortcuts: tuple[str, ...] = ()
    typed: str = ""


FILE, EDIT, VIEW, HELP = N_("File"), N_("Edit"), N_("View"), N_("Help")

# What takes the plane's place by a command of its own.
CENTRES = tuple(centre for centre in Centre if centre is not Centre.PLANE)

COMMANDS: tuple[Command, ...] = (
    Command("new", FILE, N_("New scene"), ("Ctrl+N",)),
    Command("open", FILE, N_("Open…"), ("Ctrl+O",)),
    Command("open_model", FILE, N_("Open a model…"), ("Ctrl+Shift+O",)),
    Command("save", FILE, N_("Save"), ("Ctrl+S",)),
    Command("save_as", FILE, N_("Save as…"), ("Ctrl+Shift+S",)),
    Command("revert", FILE, N_("Revert to the saved file")),
    Command("worksheet", FILE, N_("Worksheet…")),
    Command("share", FILE, N_("Share as a page…")),
    Command("figure", FILE, N_("Save a figure…")),
    Command("moving", FILE, N_("Save a moving picture…")),
    Command("sweep", FILE, N_("Sweep")),
    Command("copy_picture", FILE, N_("Copy a picture"), ("Ctrl+Shift+C",)),
    Command("save_picture", FILE, N_("Save a picture…"), ("Ctrl+Shift+E",)),
    Command("quit", FILE, N_("Quit"), ("Ctrl+Q",)),
    Command("undo", EDIT, N_("Undo"), ("Ctrl+Z",)),
    Command("redo", EDIT, N_("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("explore", VIEW, N_("Explore"), ("Ctrl+1",)),
    Command("train", VIEW, N_("Train"), ("Ctrl+2",)),
    Command("model", VIEW, N_("Model"), ("Ctrl+3",)),
    *(
        Command(centre.value, VIEW, centre.spec.title, tuple(filter(None, [centre.spec.shortcut])))
        for centre in CENTRES
    ),
    Command("present", VIEW, N_("Present"), ("F5",)),
    Command("freeze", VIEW, N_("Keep the audience’s picture still"), ("F6",)),
    Command("room", VIEW, N_("Room check…")),
    Command("theme", VIEW, N_("Light or dark"), ("Ctrl+D",)),
    Command("larger", VIEW, N_("Larger text"), ("Ctrl++", "Ctrl+=")),
    Command("smaller", VIEW, N_("Smaller text"), ("Ctrl+-",)),
    Command("normal", VIEW, N_("Text at 100 %"), ("Ctrl+0",)),
    Command("field", VIEW, N_("Tint the plane while dragging")),
    Command("reduce_motion", VIEW, N_("Reduce motion")),
    Command("glossary", HELP, N_("Glossary"), ("Shift+F1",)),
    Command("shortcuts", HELP, N_("Keyboard shortcuts"), ("F1",), typed="?"),
)

_Place = tuple[str, tuple[tuple[str, str], ...]]  # a group's name, its keys and what they do
PRESENT = N_("Present")

# Keys that are not commands of the window but of the place that has the focus.
PLACES: tuple[_Place, ...] = (
    (
        N_("Chain"),
        (
            (N_("1 … 7"), N_("Show X, Q, K, V, S, A, O")),
            (N_("Alt+1 … Alt+7"), N_("The same while a number is being edited")),
            (N_("Left, Right"), N_("Move along the chain; Enter shows the step")),
        ),
    ),
    (
        N_("Numbers"),
        (
            (N_("F2, or type"), N_("Edit the cell")),
            (N_("Enter, Tab"), N_("Accept, and go down or right")),
            (
                N_("Alt+Up, Alt+Down"),
                N_("Nudge by 0.1 (with Shift by 0.01); the wheel does it too"),
            ),
            (N_("Ctrl+C, Ctrl+V"), N_("Copy and paste a block")),
            (N_("Alt+Shift+Up, Down"), N_("Move a token up or down")),
        ),
    ),
    (
        N_("Scores and attention"),
        (
            (N_("F2, or type"), N_("Say what the cell should be")),
            (N_("M"), N_("Mask the pair, or let it be seen")),
            (N_("Esc"), N_("Cancel the brush stroke")),
        ),
    ),
    (
        N_("Plane"),
        (
            (N_("Arrow keys"), N_("Select the next token")),
            (N_("Alt+arrow keys"), N_("Move the selected point by 0.05")),
            (N_("Shift while dragging"), N_("Snap to 0.05")),
            (N_("F"), N_("Fit the picture")),
            (N_("Esc"), N_("Clear the selection; cancel a drag")),
        ),
    ),
    (
        N_("Word graph"),
        (
            (N_("Arrow keys"), N_("Turn; with Shift, move")),
            (N_("+, −"), N_("Zoom")),
            (N_("Page Up, Page Down"), N_("Select the next word")),
            (N_("A"), N_("Turn slowly by itself, or stop")),
            (N_("O"), N_("The edges of all sentences, or of the chosen one")),
            (N_("R"), N_("Reset the view")),
        ),
    ),
    (
        PRESENT,
        (
            (N_("Page Up, Page Down"), N_("Previous, next; arrow keys do it too")),
            (N_("Space"), N_("Reveal what was to be predicted or filled in; otherwise next")),
            (N_("Left, Right"), N_("Move the playhead where a page is about a run")),
            (N_("B"), N_("Show a black screen; any key ends it")),
            (N_("P, C"), N_("Draw with the mouse, or stop; erase the drawing")),
            (N_("L"), N_("Darken all but a circle around the mouse")),
            (N_("F"), N_("Keep the picture while something else is prepared")),
            (N_("T"), N_("Show the table, or the plane again")),
            (N_("A"), N_("Show or hide the arithmetic of what is selected")),
            (N_("Home, End"), N_("First, last: page, stage or recorded step")),
            (N_("Return"), N_("Play the recorded run, or stop")),
            (N_("W"), N_("Let the selected number move by itself")),
            (N_("R"), N_("Room check: can the last row read it?")),
            (N_("Ctrl+plus, Ctrl+minus"), N_("Larger text, smaller text")),
            (N_("Esc"), N_("Leave")),
        ),
    ),
    (
        N_("Heads"),
        (
            (N_("Page Up, Page Down"), N_("Show the next head")),
            (N_("Arrow keys"), N_("Select the next cell")),
        ),
    ),
    (
        N_("Model"),
        (
            (N_("Ctrl+Enter"), N_("Run the text")),
            (N_("Page Up, Page Down"), N_("One layer up or down")),
            (N_("[, ]"), N_("Select the next larger or smaller weight of the row")),
            (N_("Del"), N_("Switch the chosen head off, or on again")),
            (N_("F"), N_("Show the heads of the selected one’s kind, or all")),
            (N_("Arrow keys"), N_("Select the next cell or head")),
        ),
    ),
    (
        N_("Timeline"),
        (
            (N_("Left, Right"), N_("One step back or forward")),
            (N_("Home, End"), N_("To the start, to the end")),
            (N_("Space"), N_("Play, or stop")),
            (N_("L"), N_("Follow the newest step of the run")),
        ),
    ),
)


def make_actions(owner: QWidget, run: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Return an action for every command, added to `owner` so that its shortcuts work.

    Raises KeyError where a command has nothing to run.
    """
    actions: dict[str, QAction] = {}
    for command in COMMANDS:
        action = QAction(_(command.text), owner)
        action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
        action.triggered.connect(_without_checked(run[command.key]))
        owner.addAction(action)
        actions[command.key] = action
    return actions


def name_actions(actions: Mapping[str, QAction]) -> None:
    """Name every command again, in the language in use."""
    for command in COMMANDS:
        actions[command.key].setText(_(command.text))


def name_undo(
    actions: Mapping[str, QAction], undone: Message | None, redone: Message | None
) -> None:
    """Name what would be undone and redone; None where there is nothing to."""
    for key, word, name in (("undo", _("Undo"), undone), ("redo", _("Redo"), redone)):
        actions[key].setEnabled(name is not None)
        actions[key].setText(word if name is None else f"{word} {name}".replace("&", "&&"))


def _without_checked(run: Callable[[], object]) -> Callable[[], None]:
    def triggered() -> None:
        run()

    return triggered


def shortcut_groups() -> list[Group]:
    """Return every shortcut, by group."""
    groups: list[Group] = []
    for group in (FILE, EDIT, VIEW, HELP):
        rows = [
            (
                listed([*filter(None, [command.typed]), *map(_native, command.shortcuts)]),
                _(command.text),
            )
            for command in COMMANDS
            if command.group == group and command.shortcuts
        ]
        groups.append((_(group), rows))
    return [*groups, *map(_in_place, PLACES)]


def present_keys() -> Group:
    """Return the keys of Present."""
    return next(_in_place(place) for place in PLACES if place[0] == PRESENT)


def _in_place(place: _Place) -> Group:
    group, entries = place
    return _(group), [(_(keys), _(what)) for keys, what in entries]


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class WindowKeys:
    """Keys that no menu lists: 1–7, Esc, ?, a lesson's Page Up and Page Down, Alt with 1–7.

    Parameters
    ----------
    rooms : Rooms
    turn : callable
        Turns a page of the lesson where a key says so; returns whether it did.
    show_shortcuts : callable
    owner : QWidget
        Where Alt with a number is heard.
    """

    def __init__(
        self,
        rooms: Rooms,
        turn: Callable[[int], bool],
        show_shortcuts: Callable[[], None],
        owner: QWidget,
    ) -> None:
        self._rooms, self._turn, self._show_shortcuts = rooms, turn, show_shortcuts
        for number, stage in enumerate(CHAIN, 1):
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), owner)
            shortcut.activated.connect(partial(self._show_stage, stage))

    def take(self, event: QKeyEvent) -> bool:
        """Carry out what a key means; return whether it means something."""
        plain = is_alone(event)
        stages = list(CHAIN)
        number = event.key() - Qt.Key.Key_1
        if plain and 0 <= number < len(stages):
            self._show_stage(stages[number])
        elif plain and event.key() == Qt.Key.Key_Escape:
            front = self._rooms.front
            if front.page.left_floats:
                front.page.close_left()
            else:
                front.handle(Select(None))
        elif event.text() == "?":
            self._show_shortcuts()
        else:
            return plain and self._turn(event.key())
        return True

    def _show_stage(self, stage: Stage) -> None:
        self._rooms.front.show_stage(stage)
