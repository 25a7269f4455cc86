"""Fault models: tables cached by an earlier call and used again where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["WAYS"]


def _stale(guess: Guess, seen: Observation) -> Iterator[Change]:
    for key, positions in seen.stale:
        text = f"the tables of an earlier call, cached under {key}, are used again"
        if key == "the call before":
            text = "the tables of the call before are used, where it had the same shape"
        every = seen.coordinates_of(positions)
        yield (
            text,
            altered(guess, places=every[0], coordinates=every if guess.axis is not None else ()),
        )


def _types(guess: Guess, seen: Observation) -> Iterator[Change]:
    if seen.first_type in ("bfloat16", "float16") and seen.first_type != seen.dtype:
        rule = "the type of the first call with the same positions"
        text = f"cosines and sines cached in {seen.first_type}, {rule}"
        yield text, altered(guess, table_type=seen.first_type, rule=rule)


WAYS = (Way("stale-tables", "memory", _stale), Way("stale-types", "types", _types))
