"""Diagnoses that somebody has read, where the required words alone do not judge rightly."""

READ: dict[str, tuple[str, str, str]] = {
    "c-overwritten": ("overwritten", "named rightly", "a value made of the new one is overwriting"),
    "table-clamped": (
        "limit",
        "named rightly",
        "positions from 1024 on are taken for 1023, the last row of the table",
    ),
    "vllm-first-head": (
        "not-rotated",
        "named rightly",
        "heads from 1 on are not rotated; that the keys are right, the tests say",
    ),
    "rank-overlap": (
        "ranks",
        "named rightly",
        "a position that occurs on both ranks is where their shards overlap",
    ),
}
"""Of an entry the cause that was said when it was read, the verdict, and why."""
