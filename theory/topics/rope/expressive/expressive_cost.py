"""What reaching every target costs: the amplitude of the worst one, certified."""

from collections.abc import Mapping
from types import MappingProxyType

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l

t, z = integer("t z")
f, a, c = real_function("f"), real_function("a"), real_function("c")
MEANINGS: Meanings = {
    **NOTATION,
    t: "a lag",
    f: "the target, a function of the lag",
    a: "coefficients of the cosines",
    c: "coefficients of the sines",
}

PRICES: Mapping[int, tuple[Term, Term]] = MappingProxyType(
    {
        8: (sp.Integer(1190677231) * 10**2, sp.Integer(1190677232) * 10**2),
        16: (sp.Integer(1304424870) * 10**20, sp.Integer(1304424874) * 10**20),
        32: (sp.Integer(1004763261) * 10**57, sp.Integer(1004763262) * 10**57),
    }
)
"""By the head's dimension: what the alternating target needs at least, and any at most."""


def price(dim: int, low: Term, high: Term) -> Formula:
    """Targets of +-1 on `dim` lags take an amplitude of at most `high`, the alternating one `low`.

    The frequencies are `10000**(-2 l/dim)`; the amplitude is that of any coefficients that reach
    the target, of which there are only one (`rope.expressive`).
    """
    planes, angle = sp.Integer(dim) / 2, sp.Integer(10000) ** (-2 * l / sp.Integer(dim)) * t
    reached = sp.Sum(a(l) * sp.cos(angle) + c(l) * sp.sin(angle), (l, 0, planes - 1))
    amplitude = sp.Sum(sp.sqrt(a(l) ** 2 + c(l) ** 2), (l, 0, planes - 1))
    alternates = every(t, 0, dim - 2, eq(f(t + 1), -f(t)))
    return Every(
        (f(z), a(z), c(z)),
        If(
            Both(every(t, 0, dim - 1, eq(f(t) ** 2, 1)), every(t, 0, dim - 1, eq(reached, f(t)))),
            Both(le(amplitude, high), If(alternates, le(low, amplitude))),
        ),
    )


def _prices(prices: Mapping[int, tuple[Term, Term]]) -> Formula:
    return Both(*(price(dim, low, high) for dim, (low, high) in prices.items()))


def _mutants() -> dict[str, Formula]:
    """Each bound, moved past the other one: an amplitude between them refutes it."""
    found: dict[str, Formula] = {}
    for dim, (low, high) in PRICES.items():
        found[f"less is enough at d = {dim}"] = _prices({**PRICES, dim: (low, low)})
        found[f"more is needed at d = {dim}"] = _prices({**PRICES, dim: (high, high)})
    return found


COST = Claim(
    id="rope.expressive-cost",
    title="Every target is reachable, but not cheaply",
    statement=(
        r"Let $b=10^4$ and $\theta_l=b^{-2l/d}$, $0\le l<d/2$. By `rope.expressive` every target "
        r"$f\in\{-1,1\}^d$ on the lags $0,\dots,d-1$ is $\sum_la_l\cos\theta_lt+c_l\sin\theta_lt$ "
        r"for exactly one choice of coefficients. The largest amplitude "
        r"$\sum_l\sqrt{a_l^2+c_l^2}$ over all $2^d$ targets lies in "
        r"$[1.190677231,\,1.190677232]\cdot10^{11}$ at $d=8$, in "
        r"$[1.304424870,\,1.304424874]\cdot10^{29}$ at $d=16$ and in "
        r"$[1.004763261,\,1.004763262]\cdot10^{66}$ at $d=32$. At each $d$ the alternating "
        r"target needs at least the lower end."
    ),
    source=Source("ropeproof", "certified in balls, `ropeproof.numerics.bounds.rope.expressive`"),
    needs=frozenset("C"),
    conclusion=_prices(PRICES),
    uses=("rope.expressive",),
)

ROPE_EXPRESSIVE_COST = Attack(_mutants()).on(COST)
