"""Rows of independent keys: which distributions bound the target's expected weight."""
