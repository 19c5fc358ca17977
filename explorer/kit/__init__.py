"""Everything Qt that more than one room uses. No view knows another view or the window."""

from explorer.kit.overrides import guard_overrides

guard_overrides()
