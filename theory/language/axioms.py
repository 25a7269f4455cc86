"""The named textbook facts that a proof may use; every report lists those that were used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    integer,
    le,
    lt,
    real,
    real_function,
)
from ropeproof.theory.language.types.terms import Formula

if TYPE_CHECKING:
    from ropeproof.theory.language.instance import LemmaInstance
    from ropeproof.theory.language.types import sympy_names as sp
    from ropeproof.theory.language.types.terms import Term
else:
    import sympy as sp

__all__ = ["AXIOMS", "PROVED_SINCE", "Axiom", "axiom_named", "no_axiom"]


@dataclass(frozen=True)
class Axiom:
    """A textbook fact: whenever the hypotheses hold, so does the conclusion."""

    name: str
    statement: str
    hypotheses: tuple[Formula, ...]
    conclusion: Formula

    @property
    def id(self) -> str:
        """The name, by which messages speak of the axiom."""
        return self.name

    def at(self, /, **values: Term | int | Callable[..., Term | int]) -> LemmaInstance:
        """The axiom at values of its symbols, each given by its name, for `Scope.axiom`.

        Raises `InvalidClaim` as `Claim.at` does.
        """
        from ropeproof.theory.language.instance import (
            LemmaInstance,  # for proofs, not for the kernel
        )

        return LemmaInstance.by_keyword(self, values)


def _axioms() -> dict[str, Axiom]:
    p, q, m, n, j = integer("p q m n j")
    l, z = integer("l z")
    frequency, rotating, start = real_function("theta"), real_function("g"), real_function("x")
    bound, turns = real_function("c"), logic.integer_function("h")
    x, y, close = real("x y epsilon")
    whole, least, steps = integer("k n_0 N")
    along = sp.Sum(rotating(l, start(l) + frequency(l) * j), (l, 0, m - 1))
    over_time = sp.Sum(sp.exp(along), (j, 0, n - 1)) / n
    circle = sp.Sum(sp.exp(rotating(l, 2 * sp.pi * j / steps)), (j, 0, steps - 1)) / steps
    over_torus = sp.exp(sp.Sum(sp.log(circle), (l, 0, m - 1)))
    late = Both(le(1, n), le(least, n), le(1, steps), le(least, steps))
    near = If(late, le(sp.Abs(over_time - over_torus), close))
    entries = (
        Axiom(
            "Lindemann",
            r"$\pi$ is transcendental; here: $p=q\,\pi^m$ for integers $p$, $q$ and "
            r"$m\ge1$ only if $q=0$.",
            (le(1, m), logic.ne(q, 0)),
            logic.ne(p, q * sp.pi**m),
        ),
        Axiom(
            "Weyl",
            r"Equidistribution: for $\theta_0,\dots,\theta_{m-1},2\pi$ independent over the rationals and "
            r"$g_l$ Lipschitz of period $2\pi$, the mean $\frac1n\sum_{j<n}\prod_le^{g_l(x_l+\theta_lj)}$ "
            r"along the orbit and the mean $\prod_l\frac1N\sum_{j<N}e^{g_l(2\pi j/N)}$ over a grid of the "
            r"torus come as near to each other as one likes, uniformly in the starting point $x$, from some "
            r"$n_0\le n,N$ on.",
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
            ),
            Every(
                (close,), If(lt(0, close), logic.Some((least,), Every((n, steps, start(z)), near)))
            ),
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
"""Former axioms, each with the claims that have been proved in its place."""


def no_axiom(name: str) -> str:
    """The error message for a name that is not an axiom."""
    if name in PROVED_SINCE:
        instead = " or ".join(PROVED_SINCE[name])
        return f"{name!r} is no axiom any more, it is proved: use the claim {instead}"
    return f"no axiom is called {name!r}; there are {', '.join(AXIOMS)}"


def axiom_named(name: str) -> Axiom:
    """The axiom with the given name. Raises `InvalidClaim` if there is none."""
    if name not in AXIOMS:
        raise InvalidClaim(no_axiom(name))
    return AXIOMS[name]
