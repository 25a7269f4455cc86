"""How close two weights are to each other, as the cosine of their angle with the diagonal."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.head.scores import ORDER_SQUARE, cosine
from ropeproof.theory.topics.head.scores import x as square_x
from ropeproof.theory.topics.head.scores import y as square_y
from ropeproof.theory.topics.slash.row import y as size_y
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER
from ropeproof.theory.topics.slash.sandwich.logit_size import z_ as size_z

x, y, u, v, most, least, slack = real("x y u v M mu s")
root_2 = sp.sqrt(2)


def length(one: Any, other: Any) -> Any:
    """The length of (one, other)."""
    return sp.sqrt(one**2 + other**2)


def diagonal(one: Any, other: Any) -> Any:
    """The cosine of the angle between (one, other) and the diagonal."""
    return (one + other) / (root_2 * length(one, other))


def lengths(scope: Scope, one: Any, other: Any, why: str, *positive: Premise) -> Fact:
    """The length of a pair is positive, and its square the sum of squares."""
    root = length(one, other)
    square = eq(kept(sp.Pow, root, 2), one**2 + other**2)
    return scope.show(Both(lt(0, root), square), why, *positive, by=rules.smt())


def root_of_2(p: Proof) -> Fact:
    """The square of sqrt 2 is 2."""
    square = eq(kept(sp.Pow, root_2, 2), 2)
    return p.show(Both(lt(1, root_2), square), "sqrt 2 squared is 2.", by=rules.smt())


def at_most_1(scope: Scope, one: Any, other: Any, why: str, size: Fact, two: Fact) -> Fact:
    """The cosine with the diagonal is at most 1; of the length and of sqrt 2 is known what they are."""
    total, bound = one + other, root_2 * length(one, other)
    gap = scope.show(le(0, (one - other) ** 2), "A square is not negative,")
    square = scope.show(
        le(total**2, 2 * (one**2 + other**2)), "so a sum's is at most twice the squares;", gap
    )
    sign = scope.show(le(0, bound), "a length is not negative;", size, two)
    values = {size_z: total, size_y: bound}
    known = (square, size, two, sign)
    root = scope.lemma(SLASH_SIZE_ORDER, values, known, why="take the root,")
    below = scope.show(le(total, bound), "without the sign,", root)
    share = scope.show(le(total / length(one, other), root_2), "divide by the length", below, size)
    return scope.show(le(diagonal(one, other), 1), why, share, two, size)


# -- two scores --------------------------------------------------------------------------

BEFORE = Hypothesis("the weights are positive", Both(lt(0, x), lt(0, y)))
AFTER = Hypothesis("and so are those after the swap", Both(lt(0, u), lt(0, v)))
both_scores = cosine(u, v, x, y) + cosine(u, v, y, x)

_SWAP_SUM = Claim(
    id="head.swap-sum",
    title="The two cosines of a swap add up to at most twice that with the diagonal",
    statement=(
        r"For positive weights $v=(x,y)$ and $v'$ after the swap: "
        r"$\cos(v',(x,y))+\cos(v',(y,x))\le2\cos\phi$, where $\phi$ is the angle of $v$ with the "
        r"diagonal: $\cos\phi=\frac{x+y}{\sqrt2\|v\|}$."
    ),
    needs=frozenset("PX"),
    hypotheses=(BEFORE, AFTER),
    conclusion=le(both_scores, 2 * diagonal(x, y)),
)


def _swap_sum(p: Proof) -> None:
    before, after = length(x, y), length(u, v)
    first = lengths(p, x, y, "The length before the swap", BEFORE)
    second = lengths(p, u, v, "and that after it.", AFTER)
    two = root_of_2(p)
    product = p.show(
        eq(both_scores, (x + y) / before * ((u + v) / after)),
        "The two add up to a product,",
        first,
        second,
    )
    square = p.show(le((u + v) ** 2, (root_2 * after) ** 2), "of which one factor", second, two)
    ratio = p.show(le((u + v) / after, root_2), "is at most sqrt 2,", square, second, two, AFTER)
    sign = p.show(le(0, (x + y) / before), "and the other not negative.", first, BEFORE)
    bound = times(p, ratio, (x + y) / before, "So the product", sign)
    p.qed("is at most that.", product, bound)


even = {x: 1, y: 1, u: 1, v: 1}

HEAD_SWAP_SUM = prove(
    _SWAP_SUM,
    _swap_sum,
    Attack(
        {
            "at most once": le(both_scores, diagonal(x, y)),
            "less": le(both_scores, diagonal(x, y) * 39 / 20),
        },
        at={"at most once": even, "less": even},
        without={BEFORE: {**even, x: -1, y: -1, u: 1, v: sp.Rational(1, 2)}},
        idle={AFTER: "other signs make both cosines smaller"},
    ),
)

# -- how even two weights are ------------------------------------------------------------

PAIR = Hypothesis("both weights lie between", Both(within(x, least, most), within(y, least, most)))
POSITIVE = Hypothesis("the least weight is positive", lt(0, least))
SLACK = Hypothesis("the slack is one", within(slack, 0, most - least))
APART = Hypothesis("they are far apart", le(most - least - slack, sp.Abs(x - y)))

_DIAGONAL_ORDER = Claim(
    id="head.diagonal-order",
    title="Weights far apart are far from the diagonal",
    statement=(
        r"For weights $x,y$ in $[\mu,M]$, $\mu>0$, with $|x-y|\ge M-\mu-s$: the cosine of $(x,y)$ "
        r"with the diagonal is at most that of $(M,\mu+s)$, $0\le s\le M-\mu$."
    ),
    needs=frozenset("PX"),
    hypotheses=(POSITIVE, PAIR, SLACK, APART),
    conclusion=le(diagonal(x, y), diagonal(most, least + slack)),
)


def _diagonal_order(p: Proof) -> None:
    given = (POSITIVE, PAIR, SLACK, APART)
    total, gap = x + y, sp.Abs(x - y)
    whole, rest = most + least + slack, most - least - slack
    here, there = length(x, y), length(most, least + slack)
    both = p.show(Both(lt(0, x), lt(0, y), lt(0, most)), "All are positive.", given)
    first = lengths(p, x, y, "The length of the one", both)
    second = lengths(p, most, least + slack, "and of the other.", both)
    sizes = p.show(
        Both(within(rest, 0, gap), le(total, 2 * most - gap), le(0, total), le(0, whole)),
        "The larger weight is at most M, so the sum at most 2M less the gap:",
        given,
        by=rules.smt(),
    )
    one = times(p, p.show(le(total, 2 * most - gap), "", sizes), rest, "times the rest,", sizes)
    slope = p.show(
        le((2 * most - gap) * rest, whole * gap),
        "which is at most the whole times the gap,",
        sizes,
        both,
        by=rules.smt(),
    )
    cross = p.show(
        le(total * rest, whole * gap), "so the sums compare across the gaps,", one, slope
    )
    sign = p.show(le(0, total * rest), "being not negative", sizes)
    squares = p.lemma(
        ORDER_SQUARE,
        {square_x: total * rest, square_y: whole * gap},
        (sign, cross),
        why="as do their squares;",
        goal=le((total * rest) ** 2, (whole * gap) ** 2),
    )
    scaled = p.show(
        le((total * there) ** 2, (whole * here) ** 2),
        "with the squares of the lengths:",
        (squares, first, second),
    )
    room = p.show(le(0, whole * here), "The right one is no negative number's,", sizes, first)
    size = p.lemma(
        SLASH_SIZE_ORDER, {size_z: total * there, size_y: whole * here}, scaled, room, why="so"
    )
    across = p.show(le(total * there, whole * here), "the roots compare, too.", size)
    shares = p.show(le(total / here, whole / there), "Divide by the lengths", across, first, second)
    root_2_squared = root_of_2(p)
    half = times(p, shares, root_2 / 2, "and scale:", root_2_squared)
    p.qed("half the root of 2 is its inverse.", half, first, second, root_2_squared)


apart = {least: 1, most: 2, slack: 0, x: 2, y: 1}

HEAD_DIAGONAL_ORDER = prove(
    _DIAGONAL_ORDER,
    _diagonal_order,
    Attack(
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

CLAIMS = (HEAD_SWAP_SUM, HEAD_DIAGONAL_ORDER)
