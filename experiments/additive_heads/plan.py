"""Which heads are replaced by what: growing shares of the heads, most additive first or in random order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from released.subject import Json

from additive_heads.fits import PlaneErrors
from additive_heads.replaced import KINDS

__all__ = ["FIRST", "Replacement", "chosen_heads", "orders_of", "replacements"]

FIRST = "most additive first"
Place = tuple[int, int]


class Replacement(NamedTuple):
    """A kind of logits, an order of the heads and the share of them that is replaced."""

    kind: str
    order: str
    share: float

    @property
    def name(self) -> str:
        """The name that records and predictions use; all heads have no order."""
        if self.share == 1:
            return f"{self.kind}, all"
        return f"{self.kind}, {self.order}, {self.share:g}"


def replacements(settings: Json) -> list[Replacement]:
    """All replacements of the settings, each once."""
    found = [
        Replacement(kind, FIRST, share)
        for kind, shares in settings["shares"].items()
        for share in shares
    ]
    found += [
        Replacement(kind, f"random {draw}", share)
        for kind, shares in settings["random order"].items()
        for share in shares
        for draw in range(settings["draws"])
    ]
    return found


def orders_of(
    errors: Mapping[Place, PlaneErrors], draws: int
) -> dict[tuple[str, str], list[Place]]:
    """The heads in every order, by kind and name of the order.

    Most additive first is by the R^2 of the fit with two axes, for `three axes` with three.
    """
    places = sorted(errors)
    found: dict[tuple[str, str], list[Place]] = {}
    for kind in KINDS:
        axes = 3 if kind == "three axes" else 2
        found[kind, FIRST] = sorted(places, key=lambda place: -errors[place].r_squared(axes))
        for draw in range(draws):
            order = np.random.default_rng(draw).permutation(len(places))
            found[kind, f"random {draw}"] = [places[number] for number in order]
    return found


def chosen_heads(order: Sequence[Place], share: float) -> dict[int, list[int]]:
    """The first heads of an order, by layer; their number is rounded."""
    found: dict[int, list[int]] = {}
    for layer, head in sorted(order[: round(share * len(order))]):
        found.setdefault(layer, []).append(head)
    return found
