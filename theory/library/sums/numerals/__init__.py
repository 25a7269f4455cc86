"""Digits and numerals: a number to a base, and what its digits determine."""
