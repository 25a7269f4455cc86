"""Counting: distinct codes take each value at most once, so there are no more codes than values."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator

values, i, k, c, r = integer("K i k c r")
code = integer_function("code")
MEANINGS: Meanings = {
    n: "number of codes",
    values: "number of values",
    i: "an index",
    k: "an index",
    c: "a value",
    code: "the codes",
}
match = indicator(c, code(i))


def different(codes: Function = code) -> Formula:
    """The formula that different indices have different codes."""
    both = Both(le(0, i), le(i, n - 1), le(0, k), le(k, n - 1), ne(i, k))
    return Every((i, k), If(both, ne(codes(i), codes(k))))


DIFFER = Hypothesis("codes differ", different())
COUNT = Hypothesis("the number is not negative", le(0, n))

# -- a value is taken once ---------------------------------------------------------------


def _count(until: Term) -> Term:
    """The number of the first `until` codes that equal c."""
    return sp.Sum(match, (i, 0, until - 1))


def _at_most_once(until: Term) -> Formula:
    return If(le(until, n), le(_count(until), 1))


@theorem(
    "sums.once",
    hypotheses=(DIFFER, COUNT),
    conclusion=le(_count(n), 1),
    attack=Attack(
        {"never": le(_count(n), 0), "always": le(1, _count(n))},
        at={"never": {n: 1, code(0): 0, c: 0}, "always": {n: 1, code(0): 1, c: 0}},
        without={DIFFER: {n: 2, code(0): 0, code(1): 0, c: 0}},
        idle={COUNT: "then the sum is empty"},
    ),
)
def SUMS_ONCE(p: Proof) -> None:
    r"""Different codes take each value at most once

    $\#\{i<n:\mathrm{code}_i=c\}\le1$ if the codes of different indices differ.
    """
    none = sp.Integer(0)
    start = p.show(
        _at_most_once(none),
        "Before any index is counted, the sum is empty. So no value is counted more than once.",
    )
    one_more = p.under(le(0, r)).last(
        _count(r + 1), "With one index more the count gains the indicator of code(r)."
    )
    hit = p.under(within(r, 0, n - 1), eq(code(r), c))
    before = hit.under(within(i, 0, r - 1))
    other = before.use(
        DIFFER, {i: i, k: r}, why="The codes are different, so no earlier index has the code of r."
    )
    none_before = before.show(
        eq(match, 0), "If c is the code of r, it is not the code of the earlier index i.", other
    ).summed(i, 0, r - 1, "Sum over the earlier indices, none of which has this code.")
    own = indicator(c, code(r))
    at_most_1 = p.show(le(own, 1), "The index r counts at most once.")
    miss = p.under(ne(code(r), c)).show(
        eq(own, 0), "Consider the case that c is not the code of r."
    )
    counted = p.under(within(r, 0, n - 1), eq(code(r), c)).show(
        le(_count(r + 1), 1),
        "If c is the code of r, only r is counted.",
        (one_more, none_before, at_most_1),
    )
    passed = p.under(le(0, r), ne(code(r), c), le(_count(r), 1)).show(
        le(_count(r + 1), 1),
        "If not, the count does not change, so it is still at most 1.",
        (one_more, miss),
    )
    following = p.under(le(0, r), _at_most_once(r)).show(
        _at_most_once(r + 1), "In both cases the count stays at most 1.", counted, passed
    )
    always = p.under(le(0, r)).induction(
        _at_most_once(r),
        r,
        0,
        start,
        following,
        why="By induction the count is at most 1 for any number of indices.",
    )
    p.use(always, {r: n}, COUNT, why="Apply this to all n indices.")


# -- so there are no more codes than values ----------------------------------------------

ARE_VALUES = Hypothesis("codes are values", every(i, 0, n - 1, within(code(i), 0, values - 1)))
A_VALUE = Hypothesis("there is a value", le(0, values))


@theorem(
    "sums.pigeonhole",
    hypotheses=(ARE_VALUES, DIFFER, COUNT, A_VALUE),
    conclusion=le(n, values),
    attack=Attack(
        {"one less": le(n, values - 1), "all taken": le(values, n)},
        at={"one less": {n: 1, values: 1, code(0): 0}, "all taken": {n: 1, values: 2, code(0): 0}},
        without={
            ARE_VALUES: {n: 2, values: 1, code(0): 0, code(1): 5},
            DIFFER: {n: 2, values: 1, code(0): 0, code(1): 0},
            A_VALUE: {n: 0, values: -1},
        },
        idle={COUNT: "a negative number is at most any"},
    ),
)
def SUMS_PIGEONHOLE(p: Proof) -> None:
    """The pigeonhole principle

    Different codes among $K$ values: there are at most $K$ of them.
    """
    index = p.under(within(i, 0, n - 1))
    rows = index.lemma(
        SUMS_INDICATOR.at(m=values, p=code(i), f=lambda place: sp.Integer(1)),
        ARE_VALUES,
        why="The code of i is one of the K values, by hypothesis. So it is counted exactly once "
        "among all values.",
        goal=eq(sp.Sum(match, (c, 0, values - 1)), 1),
    ).summed(i, 0, n - 1, "Sum this equation over all n codes.")
    exchange = p.swap(
        rows.formula.lhs, "Exchange the sums, so that codes are counted value by value."
    )
    once = p.apply(SUMS_ONCE, DIFFER, COUNT, why="Each value is the code of at most one index.")
    columns = once.summed(c, 0, values - 1, "Sum this inequality over all values.")
    p.qed(
        "The sums of ones are the numbers of codes and of values. So there are no more codes "
        "than values.",
        (rows, exchange, columns, COUNT, A_VALUE),
    )
