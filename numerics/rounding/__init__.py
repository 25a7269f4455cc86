"""Rounding in the number types of models: nearest numbers, sets of computed numbers, exact turns."""
