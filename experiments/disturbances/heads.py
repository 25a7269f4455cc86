"""Constructed heads on prompts of their own tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions import Head, index_head, retrieval_head, slash_head
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LENGTH", "Drawn", "Floats", "constructed"]

Floats = NDArray[np.float64]
LENGTH = 128


@dataclass(frozen=True, eq=False)
class Drawn:
    """One head on one prompt: queries, keys and values before rotation, `(length, ...)` each."""

    queries: Floats
    keys: Floats
    values: Floats
    spec: RopeSpec


def on_prompt(head: Head, embeddings: Floats, random: np.random.Generator) -> Drawn:
    """A constructed head on a prompt of its own tokens, drawn uniformly."""
    x = embeddings[random.integers(len(embeddings), size=LENGTH)]
    return Drawn(x @ head.w_q.T, x @ head.w_k.T, x @ head.w_v.T, head.spec)


def constructed() -> dict[str, Drawn]:
    """The constructed heads of the tables, and one of random vectors, by name."""
    random = np.random.default_rng(0)
    spec = RopeSpec(64, 10_000)
    slash = slash_head(spec, 3, LENGTH, 0.9, tokens=[f"t{n}" for n in range(32)])
    heads = {
        "slash head, 3 back": slash,
        "index head, one plane": index_head(8, 8, LENGTH),
        "index head, all planes": index_head(8, 8, LENGTH, spec=spec, planes="optimal"),
        "retrieval head, angle 0.0027": retrieval_head(8, LENGTH, angle=0.0027),
        "retrieval head, no rotation": retrieval_head(8, LENGTH),
    }
    found = {name: on_prompt(head, head.embeddings, random) for name, head in heads.items()}
    vectors = [random.normal(size=(LENGTH, 64)) for _ in range(3)]
    found["random queries and keys"] = Drawn(vectors[0], vectors[1], vectors[2], spec)
    return found
