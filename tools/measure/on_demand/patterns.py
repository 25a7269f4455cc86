"""`ropeproof measure --patterns`: the attention patterns of chosen heads, small enough for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.patterns import own_patterns
from ropeproof.tools.measure.on_demand.chosen_heads import chosen_heads

__all__ = ["LEVELS", "MOST", "PIXELS", "levels_of", "patterns_of"]

Json = dict[str, Any]
MOST = 12
"""Largest number of heads whose patterns a report has."""

PIXELS = 256
"""Rows of a picture at most; of more tokens, each pixel stands for a square of pairs."""

LEVELS = 16
"""Shades of a picture."""


def patterns_of(patterns: str, model: Any, found: Json, asked: Any) -> Json | None:
    """The attention patterns of the heads that an option names, as JSON; None without heads.

    On the first prompt and, where kinds are decided, on the first of repeated random tokens, on which
    induction heads show. `heads` has for each head `rows` by prompt, as `levels_of`; `prompts` the number of
    tokens and how many of them in each direction one pixel stands for.
    """
    heads = chosen_heads("patterns", patterns, found)
    if not heads:
        return None
    prompts: dict[str, Sequence[int]] = {asked.prompts[0].name: asked.prompts[0].tokens}
    if asked.kinds is not None:
        prompts["repeated random tokens"] = asked.kinds.repeated[0].tolist()
    pictures: dict[str, dict[tuple[int, int], list[str]]] = {}
    sizes: Json = {}
    for name, tokens in prompts.items():
        weights = own_patterns(model, tokens, heads)
        block = -(-len(tokens) // PIXELS)
        pictures[name] = {place: levels_of(each, block) for place, each in weights.items()}
        sizes[name] = {"tokens": len(tokens), "block": block}
    return {
        "prompts": sizes,
        "heads": [
            {"layer": place[0], "head": place[1]}
            | {"rows": {name: pictures[name][place] for name in prompts}}
            for place in heads
        ],
    }


def levels_of(weights: NDArray[np.float32], block: int) -> list[str]:
    """An attention pattern as one text per row, with a hexadecimal digit per causal pixel.

    A pixel is the largest weight of `block` by `block` pairs, as a mean would hide a single lag; its digit
    is 15 times the square root of that, rounded.
    """
    length = len(weights)
    count = -(-length // block)
    whole = np.zeros((count * block, count * block))
    whole[:length, :length] = weights
    largest = whole.reshape(count, block, count, block).max((1, 3))
    digits = np.rint((LEVELS - 1) * np.sqrt(np.clip(largest, 0.0, 1.0))).astype(int)
    return ["".join(f"{digit:x}" for digit in row[: n + 1]) for n, row in enumerate(digits)]
