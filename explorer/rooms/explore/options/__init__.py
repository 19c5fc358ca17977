"""The options of the scene: a line that unfolds to a table of groups."""

from explorer.rooms.explore.options.box import OptionsBox, options_summary

__all__ = ["OptionsBox", "options_summary"]
