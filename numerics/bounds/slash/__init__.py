"""Slash-dominant heads in numbers: the game over amplitudes and phases, and what a head costs."""
