"""Presenting: a window for the audience, and its keys."""
