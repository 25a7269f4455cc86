"""Gradient descent leaves slow planes small."""
