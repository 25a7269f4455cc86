"""The named textbook facts that a proof may rest on; every report lists which were used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy as sp

from theory.logic import every, integer, le, ne, real_function

__all__ = ["AXIOMS", "Axiom"]


@dataclass(frozen=True)
class Axiom:
    """A textbook fact: whenever the hypotheses hold, so does the conclusion."""

    name: str
    statement: str
    hypotheses: tuple[Any, ...]
    conclusion: Any


def _axioms() -> dict[str, Axiom]:
    p, q, m, n, dimension, j, e = integer("p q m n D j e")
    weight, vector = real_function("p"), real_function("u")
    norm = sp.sqrt(sp.Sum(vector(j, e) ** 2, (e, 0, dimension - 1)))
    mean = sp.Sum(weight(j) * vector(j, e), (j, 0, n - 1))
    entries = (
        Axiom(
            "Lindemann",
            r"$\pi$ is transcendental; here: $p=q\,\pi^m$ for integers $p$, $q$ and "
            r"$m\ge1$ only if $q=0$.",
            (le(1, m), ne(q, 0)),
            ne(p, q * sp.pi**m),
        ),
        Axiom(
            "triangle inequality",
            r"$\|\sum_jp_ju_j\|\le\sum_jp_j\|u_j\|$ for $p_j\ge0$ in Euclidean space.",
            (every(j, 0, n - 1, le(0, weight(j))),),
            le(
                sp.sqrt(sp.Sum(mean**2, (e, 0, dimension - 1))),
                sp.Sum(weight(j) * norm, (j, 0, n - 1)),
            ),
        ),
    )
    return {entry.name: entry for entry in entries}


AXIOMS: Mapping[str, Axiom] = MappingProxyType(_axioms())
