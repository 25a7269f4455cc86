"""What the kit does not do yet by entries of the collection, each with the reason."""

OPEN: dict[str, str] = {
    "pointer": "no name: the fact is told that vectors have gaps in memory",
    "odd-number": "no name: the fact is told that the last place of the last head is wrong",
    "keys-through-bfloat16": "no name: the fact is told that keys hold about 9 bits",
    "loads-of-64": "no name: the fact is told that planes 24 to 39 are wrong",
    "dimensions-before-heads": "no name: heads and dimensions in the other order",
}
"""Of an entry what is wrong with its diagnosis today."""

LIGHT: tuple[str, ...] = (
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
