"""What the kit does not do yet by entries of the collection, each with the reason: nothing today."""

OPEN: dict[str, str] = {}
"""Of an entry what is wrong with its diagnosis today."""

LIGHT: tuple[str, ...] = (
    "pointer",
    "odd-number",
    "keys-through-bfloat16",
    "loads-of-64",
    "dimensions-before-heads",
    "large-calls",
    "tail-of-tile",
    "one-past-block",
    "fewer-queries",
    "odd-last-head",
    "grouped-queries",
    "one-key-head",
    "longrope-by-token",
    "eight-heads",
)
"""Faults of code that the tests try in float32; the benchmark tries all, in all types."""
