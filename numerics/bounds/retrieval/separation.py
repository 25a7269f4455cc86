r"""Index against retrieval on one plane: the inverse temperatures that they need, by length.

Index needs one that grows as `n^2` at any angle, retrieval on an unrotated plane one that grows as
`ln n`. Claim `separation.one-plane`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy

from ropeproof.numerics.bounds.index.temperature import (
    index_temperature,
    temperature_enough,
    temperature_floor,
)
from ropeproof.numerics.bounds.retrieval.temperature import retrieval_temperature
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["SeparationRow", "separation"]


@dataclass(frozen=True)
class SeparationRow:
    """Inverse temperatures that index and retrieval need at a length, certified.

    - `index_floor`: every angle needs more than `0.0040 (n - 1)^2`;
    - `index`: the exact need of the angle `2 pi/n`; at most `index_enough = ln 3/8 n^2`;
    - `retrieval`: the exact need of an unrotated plane, `ln(n - 1)/(1 - cos(2 pi/letters))`.
    """

    length: int
    index_floor: Enclosure
    index: Enclosure
    index_enough: Enclosure
    retrieval: Enclosure


def separation(lengths: Iterable[int], *, letters: int) -> tuple[SeparationRow, ...]:
    """The inverse temperatures of index and retrieval at each length, certified.

    >>> rows = separation([17, 170], letters=8)
    >>> [f"{row.index.upper:.1f} {row.retrieval.upper:.1f}" for row in rows]
    ['11.8 9.5', '1150.2 17.5']

    Claim `separation.one-plane`. Cost: a scan of each length. Raises `InvalidArgument` unless all lengths
    are at least 3.
    """
    if isinstance(lengths, str) or not isinstance(lengths, Iterable):
        raise InvalidArgument("lengths", lengths, "integers >= 3")
    rows = []
    for length in lengths:
        n = read_integer("lengths", length, least=3)
        rows.append(
            SeparationRow(
                n,
                temperature_floor(n),
                index_temperature(2 * sympy.pi / n, length=n),
                temperature_enough(n),
                retrieval_temperature(letters=letters, length=n),
            )
        )
    return tuple(rows)
