"""Angles that keep as many lags equally apart as so many planes can."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.series.cycle import SUMS_CYCLE

distance = integer("d")
MEANINGS: Meanings = {**NOTATION, distance: "a difference of two lags"}
x, y = real("x y")
count = 2 * m + 1
_half = sp.Rational(1, 2)


def part(place: Term) -> Term:
    """That many parts of the circle, as often as the lags are apart."""
    return 2 * sp.pi * place * distance / count


def wave(place: Term) -> Term:
    """The cosine of that angle."""
    return sp.cos(part(place))


def apart(total: Term | int, high: Term = 2 * m) -> Formula:
    """The statement that the planes' cosines add up to the same number for all such distances."""
    return every(distance, 1, high, eq(sp.Sum(wave(l + 1), (l, 0, m - 1)), total))


@theorem(
    "slash.gd.offset-rope-apart",
    needs="PX",
    conclusion=apart(-_half),
    attack=Attack(
        {"they add up to 0": apart(0), "one lag more": apart(-_half, count)},
        at={"they add up to 0": {m: 1}, "one lag more": {m: 1}},
    ),
)
def SLASH_GD_OFFSET_ROPE_APART(p: Proof) -> None:
    r"""The planes of a circle cut into 2m + 1 parts keep 2m + 1 lags equally apart

    With $\theta_l=\frac{2\pi(l+1)}{2m+1}$, $0\le l<m$, which are distinct and lie in $(0,\pi)$:
    $\sum_{l<m}\cos\theta_ld=-\frac12$ for $1\le d\le2m$.
    """
    inside = p.under(within(distance, 1, 2 * m))
    whole = sp.Sum(wave(l), (l, 0, 2 * m))
    none = inside.lemma(
        SUMS_CYCLE.at(
            n=count, t=distance
        ), why="All cosines around the circle add up to 0.",
        goal=eq(whole, 0),
    )  # fmt: skip
    cut = inside.split(
        whole, m, "There is a plane, as there is a distance. Split the sum in the middle."
    )
    first = inside.split(sp.Sum(wave(l), (l, 0, m)), sp.Integer(0), "Split off the part 0.")
    upper = sp.Sum(wave(l), (l, m + 1, 2 * m))
    turned = p.reindex(upper, "Sum over the upper parts from the last to the first.")
    full = 2 * sp.pi * distance
    known = p.given(eq(y, full - x), "Suppose that y is full turns less x.")
    put = known.scope.rewrite(
        eq(sp.cos(y), kept(sp.cos, full - x)), "So its cosine is that of the difference.", known
    )
    same = known.scope.show(
        eq(sp.cos(y), sp.cos(x)),
        "The cosine does not see full turns or signs. So y has the cosine of x.",
        put,
    )
    here = p.under(le(1, m))
    below, above = part(l + 1), part(2 * m - l)
    mirrored = here.use(
        same,
        {x: below, y: above},
        why="An upper part is full turns less its mirror image. So it has the cosine of its "
        "mirror image.",
    ).summed(l, 0, m - 1, "Sum this equation over the parts.")
    inside.show(
        eq(sp.Sum(wave(l + 1), (l, 0, m - 1)), -_half),
        "Count them from 0. Count the lower parts from 0. So twice the sum over the planes, "
        "and 1, make 0.",
        (none, cut, first, turned, mirrored),
    ).for_all(distance, why="This holds for every such distance.")
