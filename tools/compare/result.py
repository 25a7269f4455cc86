"""What two models were found to share, head by head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ropeproof
from ropeproof.numerics.forms.distance import HeadDistance

__all__ = ["HeadComparison", "ModelComparison", "NotCompared", "place"]

Place = tuple[int, int]


def place(where: Place) -> str:
    """A head as it is written: `layer.head`."""
    return f"{where[0]}.{where[1]}"


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadComparison:
    """One head of the first model beside heads of the other.

    - `head`: its layer and number; `own`: its distance from the head at the same place, None if the other
      model has none there;
    - `nearest`: the head of the other model whose forms make the least angle with its own, and
      `nearest_distance` from it.
    """

    head: Place
    own: HeadDistance | None
    nearest: Place
    nearest_distance: HeadDistance

    def as_json(self, unit: float) -> dict[str, Any]:
        """A JSON object."""
        own, nearest = self.own, self.nearest_distance
        return {
            "head": place(self.head),
            "same": own is not None and own.same_within(unit),
            "own": None if own is None else _numbers(own),
            "nearest": place(self.nearest),
            "nearest_same": nearest.same_within(unit),
            "nearest_distance": _numbers(nearest),
        }


@dataclass(frozen=True)
class NotCompared:
    """A layer of the first model whose heads were not compared, and why."""

    layer: int
    reason: str


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelComparison:
    """Which heads of two models are the same.

    - `on`: what the heads were compared on: `weights`, `tokens` or `text`; `inputs`: the inputs of the forms,
      in words; `notes`: what else has to be known to read the numbers;
    - `cosine`: the mean cosine between the models' embeddings of the same tokens, None if they have other
      widths;
    - `unit`, `type`: up to which rounding heads are called the same;
    - `heads`: of all layers that were compared; `not_compared`: the other ones; `across`: whether the nearest
      heads were looked for in all layers.
    """

    model: str
    other: str
    on: str
    inputs: str
    notes: tuple[str, ...]
    cosine: float | None
    unit: float
    type: str
    heads: tuple[HeadComparison, ...]
    not_compared: tuple[NotCompared, ...]
    across: bool

    @property
    def same(self) -> bool:
        """Whether all heads that were asked for were compared and are the same, each at its place."""
        return not self.not_compared and all(self.is_same(head) for head in self.heads)

    def is_same(self, head: HeadComparison) -> bool:
        """Whether a head is the same as the one at its place, up to rounding."""
        return head.own is not None and head.own.same_within(self.unit)

    def moved(self) -> tuple[HeadComparison, ...]:
        """The heads that are the same as a head at another place and not as that at their own."""
        return tuple(
            head
            for head in self.heads
            if not self.is_same(head) and head.nearest_distance.same_within(self.unit)
        )

    def as_json(self) -> dict[str, Any]:
        """A JSON object; schema 1."""
        return {
            "schema": 1,
            "version": ropeproof.__version__,
            "model": self.model,
            "other": self.other,
            "on": self.on,
            "inputs": self.inputs,
            "embedding_cosine": self.cosine,
            "rounding_of": self.type,
            "nearest_among": "all layers" if self.across else "the same layer",
            "same": self.same,
            "summary": {
                "heads": len(self.heads),
                "same": sum(self.is_same(head) for head in self.heads),
                "same_elsewhere": len(self.moved()),
                "layers_not_compared": len(self.not_compared),
            },
            "heads": [head.as_json(self.unit) for head in self.heads],
            "not_compared": [vars(each) for each in self.not_compared],
            "notes": list(self.notes),
        }


def _numbers(found: HeadDistance) -> dict[str, Any]:
    return {
        "distance": found.distance,
        "relative": found.relative,
        "alike": found.alike,
        "size": found.size,
        "logit_bound": found.logit_bound(),
        "weight_bound": found.weight_bound(),
        "planes": [
            {
                "planes": list(group.planes),
                "distance": float(distance),
                "sizes": [float(size), float(other)],
            }
            for group, distance, size, other in zip(
                found.groups, found.distances, found.sizes, found.other_sizes, strict=True
            )
        ],
    }
