"""Diagnoses that somebody has read, where the required words alone do not judge rightly."""

READ: dict[str, tuple[str, str, str]] = {
    "c-unscaled": (
        "stretch",
        "SAME NUMBERS",
        "that the scaling is not applied has the same numbers and is not said",
    ),
    "c-overwritten": ("overwritten", "named rightly", "a value made of the new one is overwriting"),
    "c-page": ("shift-from", "described", "shifts of 16 and 32, not pages of 16"),
    "c-last-not-turned": (
        "documents",
        "SAME NUMBERS",
        "a document of one token at the end, where the last token is not turned",
    ),
    "vllm-first-head": (
        "not-rotated",
        "named rightly",
        "heads from 1 on are not rotated; that the keys are right, the tests say",
    ),
    "vllm-keys-not": (
        "constant",
        "SAME NUMBERS",
        "that keys are not rotated has the same numbers and is not said",
    ),
    "vllm-keys-twice": (
        "stretch",
        "SAME NUMBERS",
        "that keys are rotated twice has the same numbers and is not said",
    ),
    "shift-twice": (
        "shift",
        "NAMED WRONGLY",
        "the sign of the sines is right, and the keys are 500 ahead",
    ),
    "shift-not": ("shift", "described", "500 ahead, not that the keys were left where they were"),
    "tree-depth": ("shift-from", "described", "shifts, not that tokens are counted one by one"),
    "rank-overlap": (
        "ranks",
        "named rightly",
        "a position that occurs on both ranks is where their shards overlap",
    ),
    "eight-heads": (
        "not-rotated",
        "NAMED WRONGLY",
        "of 13 and of 32 heads more than the last are not rotated",
    ),
}
"""Of an entry the cause that was said when it was read, the verdict, and why."""
