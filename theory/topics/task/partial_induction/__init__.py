"""Partial induction: the last value of a key, by a symbolic and a positional part."""
