"""Slash-dominant heads: the game over amplitudes and phases, bounds, budgets, gradient descent."""
