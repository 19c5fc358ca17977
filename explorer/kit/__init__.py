"""What is seen. Every view draws frames and emits intents; no view knows another or the window."""

from explorer.kit.overrides import guard_overrides

guard_overrides()
