"""Bounds of learned heads: rank-one factors, independent keys, rounding, scaling."""
