"""A token on a cone, seen plane by plane: its query lies near that of the cone's axis.

The head's matrix has the rows 0..2m-1: plane l has the rows l and l + m (the half layout; by
`rope.layout` the other one is a permutation of them).
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ
from ropeproof.theory.topics.slash.cone import axis as whole
from ropeproof.theory.topics.slash.cone.axis import (
    LEAK_POSITIVE,
    OPEN,
    SLASH_CONE,
    UNIT,
    c,
    rho,
    slope,
)
from ropeproof.theory.topics.slash.cone.inequalities import size, zeta
from ropeproof.theory.topics.slash.cone.near_axis import test
from ropeproof.theory.topics.slash.sandwich.cluster import norm

length = real("a_h")
stray = real_function("xi_h")
MEANINGS: Meanings = {
    **whole.MEANINGS,
    **NOTATION,
    length: shown_as("a", "a", "size of the token"),
    stray: "scatter of the token",
    whole.matrix: "entries of the matrix",
    whole.cone: "the cone's axis",
}
radius = zeta + (1 + zeta) * (rho * slope)


def seen(row: Term) -> Term:
    """A coordinate of the token's query, W h with h = a_h (u + xi_h)."""
    return whole.over_inputs(whole.matrix(row, c) * (length * (whole.cone(c) + stray(c))))


def mean(row: Term) -> Term:
    """A coordinate of the mean query, a W u."""
    return size * whole.axis(row)


def over_rows(term: Term) -> Term:
    """The sum over the rows of the matrix, by their number l."""
    return sp.Sum(term, (l, 0, 2 * m - 1))


def in_planes(vector: Callable[..., Term]) -> Term:
    """The norm of a vector of 2m coordinates, plane by plane."""
    return norm(vector(l), vector(l + m))


PLANES = Hypothesis("there is a plane", le(1, m))
IMAGE_2 = Hypothesis(
    whole.IMAGE.name, Both(eq(over_rows(whole.axis(l) ** 2), whole.sigma**2), lt(0, whole.sigma))
)
LEAK_2 = Hypothesis(
    whole.LEAK.name,
    Every(
        (test(c),),
        le(
            over_rows(whole.across(test) ** 2),
            (rho * whole.sigma) ** 2 * whole.over_inputs(test(c) ** 2),
        ),
    ),
)
ORTHOGONAL = Hypothesis(
    "scatter is orthogonal to u", eq(whole.over_inputs(whole.cone(c) * stray(c)), 0)
)
WIDTH = Hypothesis("scatter lies within the cone", le(whole.over_inputs(stray(c) ** 2), slope**2))
NARROW = Hypothesis("the head sees little of the cone's width", le(rho * slope, 1))
SIZES = (
    Hypothesis("the mean size is positive", lt(0, size)),
    Hypothesis("the token's size is positive", lt(0, length)),
    Hypothesis("the token's size is close to it", le(sp.Abs(length / size - 1), zeta)),
)


def _by_planes(p: Proof, vector: Callable[..., Term], why: str) -> Fact:
    """The sum of squares over the rows is that over the planes."""
    square = over_rows(vector(l) ** 2)
    cut = p.split(
        square, m - 1, "Split the rows into first and second coordinates of the planes.", PLANES
    )
    goal = eq(square, sp.Sum(vector(l) ** 2 + vector(l + m) ** 2, (l, 0, m - 1)))
    return p.show(goal, "Count the second coordinates from 0. " + why, cut)


# -- the mean ----------------------------------------------------------------------------


_ONE_PLANE = {
    **{m: 1, whole.dimension: 2, whole.cone(0): 1, whole.cone(1): 0},
    **{stray(0): 0, stray(1): 1, whole.sigma: 1, rho: 1},
    **{whole.matrix(0, 0): 1, whole.matrix(0, 1): 1, whole.matrix(1, 0): 0, whole.matrix(1, 1): 0},
    **{slope: 1, length: 1, size: 1, zeta: 0},
}
"""Two input coordinates, u = (1, 0), scatter (0, 1), and a matrix that adds them up."""
_ANY_PLANES = {term: value for term, value in _ONE_PLANE.items() if term != m}
NO_PLANES = "without planes the image of u is 0, and not sigma > 0"


@theorem(
    "slash.cone-mean",
    hypotheses=(PLANES, IMAGE_2, SIZES[0]),
    conclusion=eq(in_planes(mean), size * whole.sigma),
    attack=Attack(
        {"sigma": eq(in_planes(mean), whole.sigma)},
        at={"sigma": {**_ONE_PLANE, size: 2}},
        without={PLANES: _ANY_PLANES, SIZES[0]: {**_ONE_PLANE, size: -1}},
        idle={PLANES: NO_PLANES},
    ),
)
def SLASH_CONE_MEAN(p: Proof) -> None:
    r"""How long the mean query is, plane by plane

    $\bar q=\bar aWu$ with $\|Wu\|=\sigma>0$, $\bar a>0$ has $\|\bar q\|=\bar a\sigma$, in planes
    $(l,l+m)$.
    """
    by_planes = _by_planes(p, mean, "So the mean's square is a sum over planes.")
    p.qed(
        "The squared length of the mean query is a^2 sigma^2. So the length of the mean "
        "query is a sigma, as a and sigma are positive.",
        (by_planes, IMAGE_2, SIZES[0]),
    )


# -- a token -----------------------------------------------------------------------------


distance, of_mean = in_planes(lambda row: seen(row) - mean(row)), in_planes(mean)
_LONGER = {**_ONE_PLANE, length: 2, stray(1): 0, slope: 0, zeta: 1}


@theorem(
    "slash.cone-planes",
    hypotheses=(
        PLANES,
        UNIT,
        ORTHOGONAL,
        WIDTH,
        IMAGE_2,
        LEAK_2,
        LEAK_POSITIVE,
        OPEN,
        NARROW,
        *SIZES,
    ),
    conclusion=le(distance, radius * of_mean),
    attack=Attack(
        {
            "half the width": le(distance, (zeta + (1 + zeta) * (rho * slope) / 2) * of_mean),
            "sizes do not matter": le(distance, rho * slope * of_mean),
        },
        at={"half the width": _ONE_PLANE, "sizes do not matter": _LONGER},
        without={
            PLANES: _ANY_PLANES,
            ORTHOGONAL: {**_ONE_PLANE, whole.matrix(0, 1): 0, stray(0): 1, stray(1): 0, rho: 0},
            WIDTH: {**_ONE_PLANE, slope: 0},
            IMAGE_2: {**_ONE_PLANE, whole.sigma: 2, rho: sp.Rational(1, 2)},
            LEAK_2: {**_ONE_PLANE, rho: 0},
            LEAK_POSITIVE: {**_ONE_PLANE, rho: -1},
            OPEN: {**_ONE_PLANE, slope: -1},
            NARROW: {**_ONE_PLANE, slope: 2},
            SIZES[0]: {**_ONE_PLANE, size: -1, zeta: 2},
            SIZES[1]: {**_ONE_PLANE, length: -1, zeta: 2},
            SIZES[2]: {**_ONE_PLANE, length: 5},
        },
        idle={
            PLANES: NO_PLANES,
            UNIT: "only the images of u and of the scatter enter",
            NARROW: "only r_1 needs it",
            SIZES[0]: "a negative size is allowed only by zeta >= 1, where the bound is above 1",
            SIZES[1]: "a negative size is allowed only by zeta >= 1, where the bound is above 1",
        },
    ),
)
def SLASH_CONE_PLANES(p: Proof) -> None:
    r"""A token on a cone has a query near the axis' own, plane by plane

    $h=a_h(u+\xi)$ on the cone of `slash.cone`, $|a_h/a-1|\le\zeta$, $\|Wu\|=\sigma$,
    $\|W(I-uu^\top)\|\le\rho\sigma$, $\rho\tan\alpha\le1$: the query $Wh$, in planes $(l,l+m)$,
    lies within $\zeta+(1+\zeta)\rho\tan\alpha$ of $\bar q=aWu$, relatively.
    """

    def own(row: Term) -> Term:
        return length * (whole.axis(row) + whole.over_inputs(whole.matrix(row, c) * stray(c)))

    one = p.under(within(j, 0, 0))
    orthogonal = one.show(
        ORTHOGONAL.formula,
        "Take the token as the only one: its scatter is orthogonal to u.",
        ORTHOGONAL,
    ).for_all(j)
    width = one.show(
        WIDTH.formula, "The token's scatter lies within the width of the cone.", WIDTH
    ).for_all(j)
    positive = one.show(
        lt(0, length), "The token's size is positive by hypothesis.", SIZES[1]
    ).for_all(j)
    direction = real_function("x")
    total = over_rows(own(l) ** 2)
    overlap = over_rows(own(l) * direction(l))
    cauchy = p.lemma(
        SUMS_CAUCHY_SCHWARZ.at(m=2 * m, f_x=own, f_y=lambda l: 0, h_x=direction, h_y=lambda l: 0),
        why="By Cauchy-Schwarz no direction has more of the query than its own square.",
    )
    most = p.show(
        le(sp.Sum(overlap**2, (j, 0, 0)), total * over_rows(direction(l) * direction(l))),
        "So the square of the overlap is at most the product of the squares. This is the sum "
        "over the only token.",
        cauchy,
    ).for_all(direction(l), why="This holds in every direction.")
    near_axis = p.lemma(
        SLASH_CONE.at(
            m=2 * m,
            n=1,
            xi=lambda which, place: stray(place),
            a_token=lambda which: length,
            varepsilon=rho * slope,
            top=total,
        ),
        (UNIT, orthogonal, width, IMAGE_2, LEAK_2, LEAK_POSITIVE, OPEN, NARROW, positive, most),
        why="So the query is near the image of the axis, by the theorem on the cone.",
    )
    fits = p.show(
        near_axis.formula.args[3], "Of its four statements take that on the distance.", near_axis
    )
    fit = p.use(fits, {j: 0}, SIZES, why="Take this statement for our token.")
    away = _by_planes(
        p, lambda row: own(row) - mean(row), "The squared distance is a sum over planes."
    )
    ours = _by_planes(p, mean, "The mean's square is a sum over planes.")
    planes = p.show(
        eq(
            (seen(l) - mean(l)) ** 2 + (seen(l + m) - mean(l + m)) ** 2,
            (own(l) - mean(l)) ** 2 + (own(l + m) - mean(l + m)) ** 2,
        ),
        "The first coordinate of the query is the matrix times the token. The second "
        "coordinate of the query is the matrix times the token. So the squared distance in a "
        "plane is the same for both.",
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    p.rewrite(
        p.goal, "So the bound holds for the distance plane by plane.", planes, away, ours, fit
    )
