"""Worksheets on paper."""
