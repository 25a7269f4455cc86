"""Verdicts of the slash claims about one head."""
