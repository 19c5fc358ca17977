"""Lessons played in Explore."""
