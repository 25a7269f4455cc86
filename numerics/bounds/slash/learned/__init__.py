"""Learned heads in numbers: rank-one factors, independent keys, rounding, scaling."""
