"""Sweeps in the window: planned, followed and read in a dialog."""
