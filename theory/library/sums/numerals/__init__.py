"""Digits and numerals: a number determines its digits to a base, and these the number."""
