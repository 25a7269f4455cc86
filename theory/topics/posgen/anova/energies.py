"""Planes that fluctuate in circles and apart add their energies."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.topics.posgen.anova import notation
from ropeproof.theory.topics.posgen.anova.notation import *

MEANINGS = {
    **notation.MEANINGS,
    cosine: "real parts of the c, by plane",
    sine: "minus the imaginary parts of the c, by plane",
}


def moment(kind: Function, other: Function) -> Any:
    """The mean over the keys of a product of two planes' parts."""
    return mean_over_keys(kind(h, v) * other(k, v))


def _moments(kind: Function, other: Function, value: Term | int) -> Any:
    pair = Both(le(0, h), le(h, m - 1), le(0, k), le(k, m - 1))
    return Every((h, k), If(pair, eq(moment(kind, other), value)))


own_half = energy(h) / 2 * indicator(k, h)
FIRST = Hypothesis("first parts are uncorrelated", _moments(first, first, own_half))
SECOND = Hypothesis("second parts too", _moments(second, second, own_half))
APART = Hypothesis("nor with each other", _moments(first, second, 0))


def pulled(at: Term | int) -> Term | int:
    """Re z conj(c), what one plane adds."""
    return first(at, v) * cosine(at) - second(at, v) * sine(at)


def over_h(term: Term | int) -> Any:
    """The sum over the planes h."""
    return sp.Sum(term, (h, 0, m - 1))


def over_k(term: Term | int) -> Term | int:
    """The sum over the planes k."""
    return sp.Sum(term, (k, 0, m - 1))


square = mean_over_keys(over_h(pulled(h)) ** 2)


def _pair(p: Proof) -> Fact:
    """Two planes have a mean product only if they are one."""
    pair = p.under(within(h, 0, m - 1), within(k, 0, m - 1))
    moments = (
        pair.use(
            FIRST,
            why="First parts of two planes have covariance 0, and half the energy in one plane.",
        ),
        pair.use(
            SECOND,
            why="Second parts of two planes have covariance 0, and half the energy in one plane.",
        ),
        pair.use(APART, why="First and second parts are uncorrelated, by hypothesis."),
        pair.use(APART, {h: k, k: h}, why="The same holds with the two planes exchanged."),
    )
    shared = energy(h) / 2 * (cosine(h) * cosine(k) + sine(h) * sine(k))
    goal = eq(over_keys(chance(v) * (pulled(h) * pulled(k))), indicator(k, h) * shared)
    return pair.show(
        goal, "So a pair of planes adds its energy only if both are the same plane.", moments
    )


def _turned(mean: tuple[int, int], fluctuations: Mapping[int, tuple[int, int]]) -> Values:
    """A plane of energy 1, its mean turn, and the fluctuations of its keys."""
    turn = dict(zip((cosine(0), sine(0)), mean, strict=True))
    return {**on_keys(len(fluctuations), fluctuations), **turn, energy(0): 1}


_instance = _turned((1, 0), UNITS)


@theorem(
    "posgen.energy",
    hypotheses=(FIRST, SECOND, APART),
    conclusion=eq(square, over_planes(energy(l) / 2 * (cosine(l) ** 2 + sine(l) ** 2))),
    attack=Attack(
        {
            "the whole energy": eq(
                square, over_planes(energy(l) * (cosine(l) ** 2 + sine(l) ** 2))
            ),
            "no energy": eq(square, 0),
        },
        at={"the whole energy": _instance, "no energy": _instance},
        without={
            FIRST: _turned((1, 0), {1: (2, 0), 2: (-2, 0), 3: (0, 1), 4: (0, -1)}),
            SECOND: _turned((0, 1), {1: (1, 0), 2: (-1, 0), 3: (0, 2), 4: (0, -2)}),
            APART: {**_turned((1, 1), {1: (1, 1), 2: (-1, -1)}), energy(0): 2},
        },
    ),
)
def POSGEN_ENERGY(p: Proof) -> None:
    r"""Planes that fluctuate in circles and apart add their energies

    If the planes' fluctuations $z_l=x_l+\mathrm iy_l$ are circular and uncorrelated, $\mathbb
    E|z_l|^2=e_l$, then $\mathbb E(\sum_l\mathrm{Re}\,z_l\overline{c_l})^2=\frac12\sum_le_l|c_l|^2$
    for any numbers $c_l=C_l-\mathrm iS_l$.
    """
    product, pull = chance(v) * (pulled(h) * pulled(k)), over_h(pulled(h)) ** 2
    triple = p.show(
        eq(chance(v) * pull, over_h(over_k(product))), "The square of a sum is a double sum."
    ).summed(v, 1, keys, "Sum this equation over all keys.")
    exchange = p.swap(
        triple.formula.rhs, "Exchange the sum over the keys with that over the first plane."
    )
    inner_sums = p.swap(
        over_keys(over_k(product)),
        "Exchange the sum over the keys with that over the second plane.",
    ).summed(h, 0, m - 1, "Sum this equation over the first plane.")
    row = _pair(p).summed(k, 0, m - 1, "Sum this equation over the second plane.")
    shared = energy(h) / 2 * (cosine(h) * cosine(l) + sine(h) * sine(l))
    picked = row.scope.apply(
        SUMS_INDICATOR.at(f=sp.Lambda(l, shared)),
        why="The sum against the indicator is the term of the plane itself.",
    )
    rename = p.show(
        eq(row.formula.rhs, picked.formula.lhs), "Name the index of the sum l instead of k."
    )
    own = row.scope.chain(
        row, rename, picked, why="So a plane adds its own energy times its factors' squares."
    )
    planes = own.summed(h, 0, m - 1, "Sum this equation over all planes.")
    names = p.show(eq(planes.formula.rhs, p.goal.rhs), "Name the index of the sum l instead of h.")
    p.chain(triple, exchange, inner_sums, planes, names)
