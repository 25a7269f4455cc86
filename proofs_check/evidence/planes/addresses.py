"""Evidence on addresses: drawn keys on a circle against the limit that even keys attain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_QUERIES = 2048
_ROUNDING = 64 * UNIT


@dataclass(frozen=True)
class AddressKeys:
    """Angles `(addresses,)` of keys of equal size, and the queries' amplitudes, at most 1."""

    angles: Floats
    amplitudes: Floats

    def margin(self) -> float:
        """The least margin of an address over the others, each with the best query on a grid.

        The grid includes each key's own angle, which is the best query for even keys.
        """
        grid = np.linspace(0, 2 * np.pi, _QUERIES, endpoint=False)
        queries = np.append(grid, self.angles)
        logits = np.cos(queries[:, np.newaxis] - self.angles)
        best = np.sort(logits, axis=1)
        leads = logits - np.where(logits == best[:, -1:], best[:, -2:-1], best[:, -1:])
        return float((self.amplitudes * leads.max(0)).min())


@st.composite
def _keys(draw: st.DrawFn) -> AddressKeys:
    """Drawn keys: multiples of one angle, nearly even, uniform or clustered.

    The amplitudes are 1 or drawn.
    """
    count = draw(st.integers(2, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    even = 2 * np.pi * np.arange(count) / count
    kinds = {
        "places": np.arange(count) * random.uniform(0, np.pi),
        "near even": even + random.normal(size=count) * 10.0 ** -random.uniform(0, 6),
        "drawn": random.uniform(-9, 9, count),
        "clustered": random.uniform(0, np.pi, count),
    }
    full = draw(st.booleans())
    return AddressKeys(
        kinds[draw(st.sampled_from(sorted(kinds)))],
        np.ones(count) if full else random.uniform(0.2, 1, count),
    )


@evidence("planes.address", "property", "keys on a circle, every query")
def address(how: Profile) -> Finding:
    """No drawn keys and queries separate all addresses by more than the limit.

    Even keys, each queried at its own angle, attain it.
    """

    def check(keys: AddressKeys) -> None:
        count = len(keys.angles)
        limit = 1 - math.cos(2 * math.pi / count)
        found = keys.margin()
        require(
            found <= limit + _ROUNDING,
            "above the limit",
            angles=keys.angles,
            amplitudes=keys.amplitudes,
            margin=found,
        )
        even = AddressKeys(2 * np.pi * np.arange(count) / count, np.ones(count))
        within(even.margin(), limit, _ROUNDING, "even keys", addresses=count)

    domain = f"2 to 12 addresses, amplitudes up to 1, {_QUERIES} query angles and the keys' own"
    return draw_cases(how, _keys(), check, domain=domain)
