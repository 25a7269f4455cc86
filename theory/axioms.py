"""The named textbook facts that a proof may rest on; every report lists which were used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy as sp
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
    real_function,
)

__all__ = ["AXIOMS", "PROVED_SINCE", "Axiom", "axiom_named", "no_axiom"]


@dataclass(frozen=True)
class Axiom:
    """A textbook fact: whenever the hypotheses hold, so does the conclusion."""

    name: str
    statement: str
    hypotheses: tuple[Any, ...]
    conclusion: Any


def _tends(close: Any, least: Any, free: tuple[Any, ...], count: Any, term: Any, to: Any) -> Any:
    """The term is as close to its limit as one likes from some count on, for all that is free."""
    near = If(Both(le(1, count), le(least, count)), le(sp.Abs(term - to), close))
    return Every((close,), If(lt(0, close), Some((least,), Every(free, near))))


def _axioms() -> dict[str, Axiom]:
    p, q, m, n, j = integer("p q m n j")
    l, z = integer("l z")
    frequency, rotating, mean_of = real_function("theta"), real_function("g"), real_function("M")
    bound, turns = real_function("c"), integer_function("h")
    x, y, close = real("x y epsilon")
    whole, least, offset, steps = integer("k n_0 p N")
    circle = sp.Sum(sp.exp(rotating(l, 2 * sp.pi * j / steps)), (j, 0, steps - 1)) / steps
    planes = sp.Sum(rotating(l, frequency(l) * (j - offset)), (l, 0, m - 1))
    along = sp.Sum(sp.exp(planes), (j, 0, n - 1)) / n
    product = sp.exp(sp.Sum(sp.log(mean_of(l)), (l, 0, m - 1)))
    entries = (
        Axiom(
            "Lindemann",
            r"$\pi$ is transcendental; here: $p=q\,\pi^m$ for integers $p$, $q$ and "
            r"$m\ge1$ only if $q=0$.",
            (le(1, m), ne(q, 0)),
            ne(p, q * sp.pi**m),
        ),
        Axiom(
            "Weyl",
            r"Equidistribution: $\frac1n\sum_{j<n}\prod_le^{g_l(\theta_l(j-p))}\to\prod_lM_l$ uniformly in "
            r"$p$, for $\theta_0,\dots,\theta_{m-1},2\pi$ independent over the rationals and $g_l$ Lipschitz "
            r"of period $2\pi$, $M_l$ being the circle's mean of $e^{g_l}$.",
            (
                Every(
                    (turns(z), whole),
                    If(
                        eq(sp.Sum(turns(l) * frequency(l), (l, 0, m - 1)), 2 * sp.pi * whole),
                        every(l, 0, m - 1, eq(turns(l), 0)),
                    ),
                ),
                every(l, 0, m - 1, Every((x,), eq(rotating(l, x + 2 * sp.pi), rotating(l, x)))),
                every(
                    l,
                    0,
                    m - 1,
                    Every(
                        (x, y),
                        le(sp.Abs(rotating(l, x) - rotating(l, y)), bound(l) * sp.Abs(x - y)),
                    ),
                ),
                every(l, 0, m - 1, _tends(close, least, (steps,), steps, circle, mean_of(l))),
            ),
            _tends(close, least, (n, offset), n, along, product),
        ),
    )
    return {entry.name: entry for entry in entries}


AXIOMS: Mapping[str, Axiom] = MappingProxyType(_axioms())

PROVED_SINCE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "triangle inequality": ("sums.triangle-inequality",),
        "Dirichlet": ("sums.dirichlet",),
        "strong duality": ("duality.minimax", "duality.farkas"),
    }
)
"""Names that were axioms once, each with the claims that are proved in its place."""


def no_axiom(name: str) -> str:
    """What is said of a name that no axiom has."""
    if name in PROVED_SINCE:
        instead = " or ".join(PROVED_SINCE[name])
        return f"{name!r} is no axiom any more, it is proved: use the claim {instead}"
    return f"no axiom is called {name!r}; there are {', '.join(AXIOMS)}"


def axiom_named(name: str) -> Axiom:
    """The axiom of that name; raises `InvalidClaim` if there is none."""
    if name not in AXIOMS:
        raise InvalidClaim(no_axiom(name))
    return AXIOMS[name]
