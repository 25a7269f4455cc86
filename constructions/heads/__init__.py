"""Heads with explicit weights and a certificate each, topic by topic."""
