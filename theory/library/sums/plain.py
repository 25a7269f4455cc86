"""Facts that readers take for granted: powers of numbers at least 1, floors, empty sums."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l

x = real("x")
k, n, low, high = integer("k n a b")
f = real_function("f")
MEANINGS: Meanings = {
    l: "an index",
    x: "a number",
    k: "the exponent",
    n: "an integer",
    low: "first index",
    high: "last index",
    f: "the terms, by index",
}

# -- powers --------------------------------------------------------------------------------

BASE = Hypothesis("the base is at least 1", le(1, x))
COUNT = Hypothesis("the exponent is not negative", le(0, k))


@theorem(
    "sums.power-at-least-one",
    meanings={x: "the base"},
    source=Source("textbook", "finite sums"),
    hypotheses=(BASE, COUNT),
    conclusion=le(1, x**k),
    attack=Attack(
        {"at least 2": le(2, x**k), "at most 1": le(x**k, 1)},
        at={"at least 2": {x: 1, k: 1}, "at most 1": {x: 2, k: 1}},
        without={BASE: {x: 0, k: 1}, COUNT: {x: 2, k: -1}},
    ),
)
def SUMS_POWER(p: Proof) -> None:
    r"""A power of a number that is at least 1 is at least 1

    $x^k\ge1$ for $x\ge1$ and integers $k\ge0$.
    """
    start = p.show(kept_at(le(1, x**k), k, 0), "The power x^0 is the empty product 1.")
    before = p.under(le(0, k), le(1, x**k))
    following = before.show(
        le(1, x ** (k + 1)),
        "The power x^(k+1) has one factor x more than x^k. Suppose that x^k is at least 1. "
        "As x is at least 1 too, their product x^(k+1) is.",
        BASE,
    )
    always = p.under(le(0, k)).induction(le(1, x**k), k, 0, start, following)
    p.use(always, {k: k}, COUNT, why="Apply this to the given exponent k.")


# -- floors --------------------------------------------------------------------------------

NOT_BELOW = Hypothesis("n is at most x", le(n, x))
LESS = Hypothesis("x is less than n + 1", lt(x, n + 1))


@theorem(
    "floor.value",
    source=Source("textbook", "integer part"),
    hypotheses=(NOT_BELOW, LESS),
    conclusion=eq(sp.floor(x), n),
    attack=Attack(
        {"one more": eq(sp.floor(x), n + 1), "x": eq(sp.floor(x), x)},
        at={"x": {x: sp.Rational(1, 2), n: 0}},
        without={NOT_BELOW: {x: 0, n: 1}, LESS: {x: 1, n: 0}},
    ),
)
def FLOOR_VALUE(p: Proof) -> None:
    r"""The floor is the integer below

    $\lfloor x\rfloor=n$ for an integer $n\le x<n+1$.
    """
    p.qed("The floor of x is the integer n with n <= x < n + 1.", NOT_BELOW, LESS, by=rules.smt())


# -- no terms ------------------------------------------------------------------------------

NONE = Hypothesis("the range has no terms", lt(high, low))


@theorem(
    "sums.empty",
    source=Source("textbook", "finite sums"),
    hypotheses=(NONE,),
    conclusion=eq(sp.Sum(f(l), (l, low, high)), 0),
    attack=Attack(
        {"1": eq(sp.Sum(f(l), (l, low, high)), 1)}, without={NONE: {low: 0, high: 0, f(0): 1}}
    ),
)
def SUMS_EMPTY(p: Proof) -> None:
    r"""A sum over no terms is 0

    $\sum_{l=a}^bf_l=0$ for $b<a$.
    """
    nowhere = p.under(within(l, low, high)).show(
        eq(f(l), 0), "The range is empty, so the statement is vacuous.", NONE, by=rules.smt()
    )
    nowhere.summed(l, low, high, "Sum this equation over the empty range.")
