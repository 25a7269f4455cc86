"""Comparing formulas and runs with a rotation, and putting the verdict into words."""
