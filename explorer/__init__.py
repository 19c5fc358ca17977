"""Attention Explorer: see one attention computation completely, and change any number of it."""

__version__ = "0.1.0"
