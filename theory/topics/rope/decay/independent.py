"""The mean logit of a query and a key that are drawn independently is the logit of their means."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.decay.base_expectation import (
    chance,
    expected,
    hx,
    hy,
    independent_mean,
    other,
    other_chance,
    other_x,
    other_y,
    others,
    outcomes,
    over_others,
    plane,
    qx,
    qy,
)


@named(
    "Re(Eq.Ek*)_{}", r"\mathrm{Re}\,P_{{}}", "real part of mean query times conjugate mean key", l
)
def real_part(of: Term) -> Term:
    """Re P_l, P_l = E q_l conj(E k_l)."""
    term = expected(qx) * over_others(hx) + expected(qy) * over_others(hy)
    return term.xreplace({l: of})


@named("Im(Eq.Ek*)_{}", r"\mathrm{Im}\,P_{{}}", "imaginary part of it", l)
def imaginary_part(of: Term) -> Term:
    """Im P_l."""
    term = expected(qy) * over_others(hx) - expected(qx) * over_others(hy)
    return term.xreplace({l: of})


def of_means(at: Term, sign: int = 1) -> Term:
    """The logit of the mean query and the mean key at a lag."""
    angle = theta(l) * at
    return over_planes(
        s * (real_part(l) * sp.cos(angle) - sign * imaginary_part(l) * sp.sin(angle))
    )


IS_THAT_OF_MEANS = eq(other, of_means(t))
of_products = over_planes(
    s
    * (
        expected(qx * over_others(hx)) * sp.cos(theta(l) * t)
        + expected(qx * over_others(hy)) * sp.sin(theta(l) * t)
    )
)
"""The mean of the products, which the logit of the means is not."""

TWO_PLANES = (
    *where({m: 2, outcomes: 2, others: 2, s: 1, t: 1}),
    *(Every((l,), eq(of(l), sp.Rational(1, 2))) for of in (chance, other_chance)),
    Every((l,), eq(theta(l), l + 1)),
)
"""Two planes, and two outcomes of the query and of the key, each of probability 1/2."""
ONE_PLANE = {
    **{m: 1, s: 1, outcomes: 1, others: 1, chance(0): 1, other_chance(0): 1, theta(0): 1, t: 1},
    **{query_x(0, 0): 1, query_y(0, 0): 0, other_x(0, 0): 0, other_y(0, 0): 1},
}
"""One plane, and one outcome of the query and of the key."""


def mean_of_independent(p: Proof) -> Fact:
    """The mean logit of an independent query and key is the logit of their means."""
    mean_x, mean_y = over_others(hx), over_others(hy)
    inner = p.show(
        eq(
            expected(plane(mean_x, mean_y)),
            s * (real_part(l) * sp.cos(theta(l) * t) - imaginary_part(l) * sp.sin(theta(l) * t)),
        ),
        "In each plane the logit is linear in the query too.",
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    return p.chain(
        independent_mean(p), inner, why="So the mean logit is the logit of the mean query and key."
    )
