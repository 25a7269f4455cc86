"""A double sum over a triangle, in either order."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.plain import SUMS_EMPTY

k, l, low, high = integer("k l a b")
f = real_function("f")
MEANINGS: Meanings = {
    k: "an index",
    l: "an index",
    low: "first index",
    high: "last index",
    f: "the terms, by index",
}


def by_rows(last: Term | int) -> Term:
    """The double sum over a <= l <= k <= last, row by row."""
    return sp.Sum(sp.Sum(f(k, l), (l, low, k)), (k, low, last))


def by_columns(last: Term | int) -> Term:
    """The double sum over a <= l <= k <= last, column by column."""
    return sp.Sum(sp.Sum(f(k, l), (k, l, last)), (l, low, last))


@theorem(
    "sums.triangle",
    source=Source("textbook", "finite sums"),
    hypotheses=(),
    conclusion=eq(by_rows(high), by_columns(high)),
    attack=Attack(
        {
            "without the diagonal": eq(
                by_rows(high), sp.Sum(sp.Sum(f(k, l), (k, l + 1, high)), (l, low, high))
            ),
            "over the square": eq(
                by_rows(high), sp.Sum(sp.Sum(f(k, l), (k, low, high)), (l, low, high))
            ),
        },
        at={
            "without the diagonal": {low: 0, high: 0, f(0, 0): 1},
            "over the square": {low: 0, high: 1, f(0, 1): 1},
        },
    ),
)
def SUMS_TRIANGLE(p: Proof) -> None:
    r"""A sum over a triangle may be exchanged

    $\sum_{k=a}^b\sum_{l=a}^kf_{k,l}=\sum_{l=a}^b\sum_{k=l}^bf_{k,l}$.
    """

    def equal(last: Term) -> Formula:
        return eq(by_rows(last), by_columns(last))

    start = p.show(equal(low - 1), "Without rows both sums are empty and 0.", by=rules.identity())
    here = p.under(le(low - 1, high))
    row = here.last(by_rows(high + 1), "With one more row the left side gains the row b + 1.")
    columns = here.last(
        by_columns(high + 1), "With one more column the right side gains the column b + 1."
    )
    longer = here.under(within(l, low, high)).last(
        sp.Sum(f(k, l), (k, l, high + 1)),
        "Each of the other columns gains the term of the row b + 1.",
    )
    terms = longer.summed(l, low, high, "Sum this equation over the columns up to b.")
    end = here.last(
        sp.Sum(f(high + 1, l), (l, low, high + 1)), "Split the corner term off the new row."
    )
    following = here.under(equal(high)).show(
        equal(high + 1),
        "So both sides gain the same terms and stay equal.",
        (row, columns, terms, end),
        by=rules.smt(),
    )
    some = here.induction(equal(high), high, low - 1, start, following)
    empty = p.under(lt(high, low))
    nothing = [
        empty.lemma(
            SUMS_EMPTY.at(
                f=sp.Lambda(total.limits[-1][0], sp.Sum(f(k, l), total.limits[0])), b=high, a=low
            ),
            why="Consider the case that the range is empty, as b < a. A sum over the empty range is "
            "0.",
        )
        for total in (by_rows(high), by_columns(high))
    ]
    p.qed("In both cases the two sides are equal.", some, *nothing, by=rules.smt())
