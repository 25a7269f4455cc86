"""What the kit does not do yet by entries of the collection, each with the reason."""

OPEN: dict[str, str] = {}
"""Of an entry what is wrong with its diagnosis today."""

LIGHT: tuple[str, ...] = ()
"""Faults of code that the tests try; the benchmark tries all of them."""
