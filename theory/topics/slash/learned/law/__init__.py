"""Rows of independent keys: which distributions decide the slash score."""
