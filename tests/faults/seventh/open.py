"""What the kit does not do yet by entries of the collection, each with the reason."""

OPEN: dict[str, str] = {
    "grid-limit": "no name: the first wrong position of a test, without a cause or a fact",
    "split-calls": "no name: the first wrong position of a test, without a cause or a fact",
    "pointer": "no name: the fact is told that vectors have gaps in memory",
    "odd-number": "no name: the fact is told that the last place of the last head is wrong",
    "tables-mixed": "no name: cosines for half layout and sines for interleaved layout",
    "dimensions-before-heads": "no name: heads and dimensions in the other order",
    "table-regrown": "no name: base 10000 in calls that go beyond 1024 positions",
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
