"""Sums of nonnegative terms."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes

c, k = integer("c k")
f = real_function("f")
MEANINGS: Meanings = {
    **dict.fromkeys((l, c, k), "an index"),
    m: "number of terms",
    f: "the terms, by index",
}

NO_TERM_NEGATIVE = Hypothesis("no term is negative", every(l, 0, m - 1, le(0, f(l))))
whole = over_planes(f(l))

# -- one term ----------------------------------------------------------------------------

INDEX = Hypothesis("the index is in the range", within(k, 0, m - 1))


@theorem(
    "sums.member",
    hypotheses=(NO_TERM_NEGATIVE, INDEX),
    conclusion=le(f(k), whole),
    attack=Attack(
        {"twice the term": le(2 * f(k), whole), "equal": eq(f(k), whole)},
        without={
            NO_TERM_NEGATIVE: {m: 2, k: 0, f(0): 1, f(1): -1},
            INDEX: {m: 1, k: 3, f(0): 0, f(3): 1},
        },
    ),
)
def SUMS_MEMBER(p: Proof) -> None:
    r"""A sum of terms that are not negative is at least each of them

    $f_k\le\sum_{l<m}f_l$ for $0\le k<m$ if all $f_l\ge0$.
    """

    def rest(low: Term | int, high: Term, where: str) -> Fact:
        term = p.under(within(l, low, high)).use(
            NO_TERM_NEGATIVE, INDEX, why=f"The terms {where} it are not negative, by hypothesis."
        )
        return term.summed(l, low, high, "So the sum of these terms is not negative.")

    cut = p.split(whole, k, "Split the sum after the term f(k).", INDEX)
    last = p.last(sp.Sum(f(l), (l, 0, k)), "Split the term f(k) off the first part.", INDEX)
    p.qed(
        "What remains besides f(k) is not negative, so the sum is at least f(k).",
        (cut, last, rest(0, k - 1, "before"), rest(k + 1, m - 1, "after")),
    )


# -- two terms ---------------------------------------------------------------------------

OTHER_INDEX = Hypothesis("so is the other index", within(c, 0, m - 1))
DIFFERENT = Hypothesis("they are different", ne(c, k))


def _ordered(p: Proof, first: Term, second: Term) -> Fact:
    """The bound of the sum by two terms if one index is before the other."""
    inside = p.under(within(first, 0, m - 1), within(second, 0, m - 1), lt(first, second))
    after = inside.under(within(l, 0, m - second - 1)).use(
        NO_TERM_NEGATIVE,
        {l: l + second},
        why="The terms from the later index on are not negative, by hypothesis.",
    )
    last = inside.lemma(
        SUMS_MEMBER.at(f=sp.Lambda(l, f(l + second)), m=m - second, k=0),
        after.for_all(l),
        why="So the sum of the terms from the later index on is at least the first of them.",
    )
    before = inside.under(within(l, 0, second - 1)).use(
        NO_TERM_NEGATIVE, why="The terms before the later index are not negative, by hypothesis."
    )
    early = inside.apply(
        SUMS_MEMBER,
        before.for_all(l),
        why="So the sum of the terms before the later index is at least the earlier one.",
    )
    cut = inside.split(whole, second - 1, "Split the sum before the later index.")
    return inside.show(
        p.goal,
        "Number the terms from the later index on from 0. The two parts are at least the two "
        "terms.",
        (cut, early, last),
    )


@theorem(
    "sums.two-members",
    hypotheses=(NO_TERM_NEGATIVE, INDEX, OTHER_INDEX, DIFFERENT),
    conclusion=le(f(c) + f(k), whole),
    attack=Attack(
        {
            "the second one twice": le(f(c) + 2 * f(k), whole),
            "no more than these": eq(f(c) + f(k), whole),
        },
        without={
            NO_TERM_NEGATIVE: {m: 3, c: 0, k: 1, f(0): 1, f(1): 1, f(2): -1},
            INDEX: {m: 1, c: 0, k: 1, f(0): 0, f(1): 1},
            OTHER_INDEX: {m: 1, c: 1, k: 0, f(0): 0, f(1): 1},
            DIFFERENT: {m: 1, c: 0, k: 0, f(0): 1},
        },
    ),
)
def SUMS_TWO_MEMBERS(p: Proof) -> None:
    r"""A sum of terms that are not negative is at least any two of them

    $f_c+f_k\le\sum_{l<m}f_l$ for $c\ne k$ among the indices if all $f_l\ge0$.
    """
    either = _ordered(p, c, k), _ordered(p, k, c)
    p.qed(
        "Whichever index is the smaller one, the sum is at least the two terms.",
        (either, INDEX, OTHER_INDEX, DIFFERENT),
    )


# -- no sum ------------------------------------------------------------------------------

SUM_IS_0 = Hypothesis("the sum is 0", eq(whole, 0))


@theorem(
    "sums.zero-terms",
    source=Source("textbook", "finite sums"),
    hypotheses=(NO_TERM_NEGATIVE, SUM_IS_0),
    conclusion=every(c, 0, m - 1, eq(f(c), 0)),
    attack=Attack(
        {
            "terms equal 1": every(c, 0, m - 1, eq(f(c), 1)),
            "one term more": every(c, 0, m, eq(f(c), 0)),
        },
        at={"terms equal 1": {m: 1}},
        without={NO_TERM_NEGATIVE: {m: 2, f(0): 1, f(1): -1}, SUM_IS_0: (le(1, m),)},
    ),
)
def SUMS_ZERO_TERMS(p: Proof) -> None:
    r"""Non-negative terms that add up to 0 are 0

    If $f_l\ge0$ for $0\le l<m$ and $\sum_lf_l=0$ then every $f_l=0$.
    """
    place = p.under(within(c, 0, m - 1))
    below = place.apply(
        SUMS_MEMBER,
        NO_TERM_NEGATIVE,
        why="A term is at most the sum of all terms, which are not negative.",
    )
    above = place.use(NO_TERM_NEGATIVE, why="The term f(c) is not negative, by hypothesis.")
    zero = place.show(
        eq(f(c), 0), "The term f(c) lies between 0 and the sum, which is 0.", below, above, SUM_IS_0
    )
    zero.for_all(c, why="As c was arbitrary, every term is 0.")
