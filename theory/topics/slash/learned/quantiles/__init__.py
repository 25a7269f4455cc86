"""Bounds of a slash score from quantiles of two distributions."""
