"""Verdicts about position generalisation of one head."""
