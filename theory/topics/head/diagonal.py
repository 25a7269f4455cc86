"""How close two weights are to each other, as the cosine of their angle with the diagonal."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import ORDER_SQUARE
from ropeproof.theory.topics.head.scores import cosine
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER

x, y, u, v, most, least, slack = real("x y u v M mu s")
MEANINGS: Meanings = {
    **dict.fromkeys((x, y, u, v), "a number"),
    most: "the largest weight",
    least: "the least weight",
    slack: "any difference of two weights",
}
root_2 = sp.sqrt(2)


def length(one: Term, other: Term) -> Term:
    """The length of (one, other)."""
    return sp.sqrt(one**2 + other**2)


def diagonal(one: Term, other: Term) -> Term:
    """The cosine of the angle between (one, other) and the diagonal."""
    return (one + other) / (root_2 * length(one, other))


def lengths(scope: Scope, one: Term, other: Term, why: str, *positive: Premise) -> Fact:
    """The length of a pair is positive, and its square the sum of squares."""
    root = length(one, other)
    square = eq(kept(sp.Pow, root, 2), one**2 + other**2)
    return scope.show(Both(lt(0, root), square), why, *positive)


def root_of_2(p: Proof) -> Fact:
    """The square of sqrt 2 is 2."""
    square = eq(kept(sp.Pow, root_2, 2), 2)
    return p.show(Both(lt(1, root_2), square), "The square of sqrt 2 is 2, and sqrt 2 exceeds 1.")


def at_most_1(scope: Scope, one: Term, other: Term, why: str, size: Fact, two: Fact) -> Fact:
    """The cosine with the diagonal is at most 1; of the length and of sqrt 2 is known what they are."""
    total, bound = one + other, root_2 * length(one, other)
    gap = scope.show(le(0, (one - other) ** 2), "The square of the difference is not negative.")
    square = scope.show(
        le(total**2, 2 * (one**2 + other**2)),
        "So the square of the sum is at most twice the sum of squares.",
        gap,
    )
    sign = scope.show(
        le(0, bound), "The product of sqrt 2 and the length is not negative.", size, two
    )
    values = {"z": total, "y": bound}
    known = (square, size, two, sign)
    root = scope.lemma(
        SLASH_SIZE_ORDER.at(**values), known, why="Take square roots of both squares."
    )
    return scope.show(
        le(diagonal(one, other), 1),
        "So the sum itself is at most sqrt 2 times the length. Divide by the length, which "
        "is positive. " + why,
        (root, size, two),
    )


# -- two scores --------------------------------------------------------------------------

BEFORE = Hypothesis("the weights are positive", Both(lt(0, x), lt(0, y)))
AFTER = Hypothesis("and so are those after the swap", Both(lt(0, u), lt(0, v)))
both_scores = cosine(u, v, x, y) + cosine(u, v, y, x)


even = {x: 1, y: 1, u: 1, v: 1}


@theorem(
    "head.swap-sum",
    hypotheses=(BEFORE, AFTER),
    conclusion=le(both_scores, 2 * diagonal(x, y)),
    attack=Attack(
        {
            "at most once": le(both_scores, diagonal(x, y)),
            "less": le(both_scores, diagonal(x, y) * 39 / 20),
        },
        at={"at most once": even, "less": even},
        without={BEFORE: {**even, x: -1, y: -1, u: 1, v: sp.Rational(1, 2)}},
        idle={AFTER: "other signs make both cosines smaller"},
    ),
)
def HEAD_SWAP_SUM(p: Proof) -> None:
    r"""The two cosines of a swap add up to at most twice that with the diagonal

    For positive weights $v=(x,y)$ and $v'$ after the swap:
    $\cos(v',(x,y))+\cos(v',(y,x))\le2\cos\phi$, where $\phi$ is the angle of $v$ with the diagonal:
    $\cos\phi=\frac{x+y}{\sqrt2\|v\|}$.
    """
    before, after = length(x, y), length(u, v)
    first = lengths(p, x, y, "The length of the weights before the swap is positive.", BEFORE)
    second = lengths(p, u, v, "The length of the weights after the swap is positive.", AFTER)
    two = root_of_2(p)
    square = p.show(
        le((u + v) ** 2, (root_2 * after) ** 2),
        "The square of u + v is at most twice the squared length of (u, v).",
        (second, two),
    )
    ratio = p.show(
        le((u + v) / after, root_2),
        "So (u + v)/|(u, v)| is at most sqrt 2.",
        (square, second, two, AFTER),
    )
    sign = p.show(
        le(0, (x + y) / before), "The other factor (x + y)/|(x, y)| is not negative.", first, BEFORE
    )
    bound = ratio.times((x + y) / before, "Multiply the bound sqrt 2 by this factor.", sign)
    p.qed(
        "The sum of the two cosines is a product of two quotients. So the sum of the cosines "
        "is at most twice the cosine with the diagonal.",
        (first, second, bound),
    )


# -- how even two weights are ------------------------------------------------------------

PAIR = Hypothesis("both weights lie between", Both(within(x, least, most), within(y, least, most)))
POSITIVE = Hypothesis("the least weight is positive", lt(0, least))
SLACK = Hypothesis("the slack is one", within(slack, 0, most - least))
APART = Hypothesis("they are far apart", le(most - least - slack, sp.Abs(x - y)))


apart = {least: 1, most: 2, slack: 0, x: 2, y: 1}


@theorem(
    "head.diagonal-order",
    meanings={x: "a weight", y: "another weight"},
    hypotheses=(POSITIVE, PAIR, SLACK, APART),
    conclusion=le(diagonal(x, y), diagonal(most, least + slack)),
    attack=Attack(
        {
            "less": le(diagonal(x, y), diagonal(most, least + slack) * 39 / 40),
            "without the slack": le(diagonal(x, y), diagonal(most, least)),
        },
        at={"less": apart, "without the slack": {**apart, slack: 1, y: 2}},
        without={
            POSITIVE: {least: -2, most: 1, slack: 0, x: 1, y: -2},
            PAIR: {**apart, x: 5, y: 4},
            APART: {**apart, y: 2},
            SLACK: {**apart, slack: 3, y: 2},
        },
    ),
)
def HEAD_DIAGONAL_ORDER(p: Proof) -> None:
    r"""Weights far apart are far from the diagonal

    For weights $x,y$ in $[\mu,M]$, $\mu>0$, with $|x-y|\ge M-\mu-s$: the cosine of $(x,y)$ with the
    diagonal is at most that of $(M,\mu+s)$, $0\le s\le M-\mu$.
    """
    given = (POSITIVE, PAIR, SLACK, APART)
    total, gap = x + y, sp.Abs(x - y)
    whole, rest = most + least + slack, most - least - slack
    here, there = length(x, y), length(most, least + slack)
    both = p.show(
        Both(lt(0, x), lt(0, y), lt(0, most)),
        "The weights x and y and the largest weight M are positive.",
        given,
    )
    first = lengths(p, x, y, "The length of (x, y) is positive.", both)
    second = lengths(p, most, least + slack, "The length of (M, mu + s) is positive.", both)
    sizes = p.show(
        Both(within(rest, 0, gap), le(total, 2 * most - gap), le(0, total), le(0, whole)),
        "The larger weight is at most M, so the sum is at most 2M minus the gap.",
        given,
    )
    cross = p.show(
        le(total * rest, whole * gap),
        "The sum x + y is at most 2M - |x - y|. Multiply this bound by M - mu - s, which is "
        "not negative. As the gap is at least M - mu - s, this is at most the gap times M + "
        "mu + s. So (x + y)(M - mu - s) is at most (M + mu + s)|x - y|.",
        (sizes, both),
    )
    sign = p.show(le(0, total * rest), "The left side of this bound is not negative.", sizes)
    squares = p.apply(
        ORDER_SQUARE, (sign, cross), why="So the squares of both sides have the same order."
    )
    scaled = p.show(
        le((total * there) ** 2, (whole * here) ** 2),
        "So the sums times the lengths have squares in this order, too.",
        (squares, first, second),
    )
    room = p.show(
        le(0, whole * here), "The right side (M + mu + s)|(x, y)| is not negative.", sizes, first
    )
    size = p.apply(
        SLASH_SIZE_ORDER.at(z=total * there),
        (scaled, room),
        why="The left side is at most the right in size, as its square is.",
    )
    across = p.show(
        le(total * there, whole * here), "So the left side is at most the right side.", size
    )
    root_2_squared = root_of_2(p)
    p.qed(
        "Divide by the two lengths, which are positive. Multiply by sqrt 2/2, which is not "
        "negative. As sqrt 2/2 = 1/sqrt 2, this compares the cosines with the diagonal.",
        (across, first, second, root_2_squared),
    )
