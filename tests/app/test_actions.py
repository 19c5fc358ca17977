"""The table of commands and the sheet of shortcuts made from it."""

from __future__ import annotations

from explorer.app.actions import COMMANDS, shortcut_groups


def test_the_sheet_lists_every_way_to_open_itself() -> None:
    keys = {what: keys for _group, rows in shortcut_groups() for keys, what in rows}
    assert keys["Keyboard shortcuts"] == "?, F1"


def test_every_command_with_a_shortcut_is_on_the_sheet() -> None:
    listed = {what for _group, rows in shortcut_groups() for _keys, what in rows}
    assert {command.text for command in COMMANDS if command.shortcuts} <= listed
