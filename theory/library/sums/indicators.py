"""The indicator of one index, and sums against it."""

from functools import cache

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m

plane = integer("p")
f, here = real_function("f"), real_function("here")
MEANINGS: Meanings = {
    l: "an index",
    m: "number of terms",
    plane: "an index",
    f: "the terms, by index",
    here: "1 at the index p, else 0",
}
IN_RANGE = Hypothesis("the index is in the range", within(plane, 0, m - 1))

# -- any function that is 1 at the index and 0 elsewhere ---------------------------------

AT_INDEX = Hypothesis("it is 1 at the index", eq(here(plane), 1))
ELSEWHERE = Hypothesis("it is 0 elsewhere", every(l, 0, m - 1, If(ne(l, plane), eq(here(l), 0))))
product = sp.Sum(here(l) * f(l), (l, 0, m - 1))


def _nothing(p: Proof, low: Term, high: Term, where: str) -> Fact:
    """The fact that the terms from `low` to `high`, without the index, add up to 0."""
    place = p.under(within(l, low, high))
    zero = place.use(ELSEWHERE, IN_RANGE, why=f"The indicator is 0 {where} the index.")
    return place.show(
        eq(here(l) * f(l), 0), "So the product of f and the indicator is 0 there.", zero
    ).summed(l, low, high, "Sum these products, which are all 0.")


@theorem(
    "sums.pick",
    hypotheses=(IN_RANGE, AT_INDEX, ELSEWHERE),
    conclusion=eq(product, f(plane)),
    attack=Attack(
        {"minus": eq(product, -f(plane)), "twice": eq(product, 2 * f(plane))},
        at={"minus": {f(plane): 1}},
        without={
            IN_RANGE: {m: 1, plane: 3, f(3): 1, here(0): 0, here(3): 1},
            ELSEWHERE: {m: 2, plane: 0, here(0): 1, here(1): 1, f(1): 1},
        },
    ),
)
def SUMS_PICK(p: Proof) -> None:
    r"""A sum against an indicator picks one term

    $\sum_l\mathbb 1[l=p]f_l=f_p$ for $0\le p<m$.
    """
    before = _nothing(p, sp.Integer(0), plane - 1, "before")
    after = _nothing(p, plane + 1, m - 1, "after")
    cut_after = p.split(product, plane, "Split the sum after the index p.", IN_RANGE)
    cut_before = p.last(
        cut_after.formula.rhs.args[0], "Split the term at p off the first part.", IN_RANGE
    )
    p.qed(
        "Both other parts are 0 and the indicator is 1 at p, so f(p) remains.",
        (cut_after, cut_before, before, after, AT_INDEX),
    )


# -- a term that is it -------------------------------------------------------------------


@cache  # SymPy looks for a long time at a maximum, and there are few places
def indicator(first: Term | int, second: Term | int) -> Term | int:
    """The indicator of two integers being equal, 1 or 0: max(0, 1 - |first - second|)."""
    return sp.Max(0, 1 - sp.Abs(first - second))


def whether(p: Proof, *pairs: tuple[Term, Term | int]) -> list[Fact]:
    """Facts for each pair of integers: its indicator is 1 if they are equal, 0 if not."""
    return [
        p.under(relation(value, content)).show(
            eq(indicator(content, value), told),
            "The indicator is 1 if the two integers are equal, and 0 if not.",
        )
        for content, value in pairs
        for relation, told in ((eq, 1), (ne, 0))
    ]


total = sp.Sum(indicator(l, plane) * f(l), (l, 0, m - 1))


@theorem(
    "sums.indicator",
    hypotheses=(IN_RANGE,),
    conclusion=eq(total, f(plane)),
    attack=Attack(
        {"twice": eq(total, 2 * f(plane)), "minus": eq(total, -f(plane))},
        at={"minus": {f(plane): 1}},
        without={IN_RANGE: {m: 1, plane: 3, f(3): 1}},
    ),
)
def SUMS_INDICATOR(p: Proof) -> None:
    r"""A sum against the indicator of an index picks its term

    $\sum_{l<m}\max(0,1-|l-p|)\,f_l=f_p$ for $0\le p<m$.
    """
    p.lemma(
        SUMS_PICK.at(here=lambda place: indicator(place, plane)),
        IN_RANGE,
        why="The indicator of p is 0 at any other index. As l was arbitrary, the indicator is 0 "
        "at every index other than p. The indicator is 1 at p itself, so the sum is the term "
        "f(p).",
    )
