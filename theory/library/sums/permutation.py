"""Permuted finite sums, and a term that is at most the mean."""

from ropeproof.theory.language import *
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, whether

k, r, plane = integer("k r p")
f, here = real_function("f"), real_function("here")
forth, back = integer_function("pi"), integer_function("rho")
MEANINGS: Meanings = {
    j: "an index",
    n: "number of terms",
    k: "an index",
    r: "number of letters",
    f: "the terms, by index",
    forth: "a permutation of the indices",
    back: "its inverse",
}

# -- another order -----------------------------------------------------------------------

terms = sp.Sum(f(j), (j, 0, n - 1))
permuted = sp.Sum(f(forth(j)), (j, 0, n - 1))

INTO = Hypothesis(
    "pi stays in the range", every(j, 0, n - 1, Both(le(0, forth(j)), le(forth(j), n - 1)))
)
ONTO = Hypothesis("rho too", every(k, 0, n - 1, Both(le(0, back(k)), le(back(k), n - 1))))
THERE = Hypothesis("rho undoes pi", every(j, 0, n - 1, eq(back(forth(j)), j)))
AGAIN = Hypothesis("pi undoes rho", every(k, 0, n - 1, eq(forth(back(k)), k)))
_BIJECTION = (INTO, ONTO, THERE, AGAIN)


def image(
    scope: Scope, function: Function, left: Term | int, right: Term | int, if_so: str, then: str
) -> Fact:
    """The fact that a function has equal values at two arguments if they are equal."""
    same = scope.given(eq(left, right), if_so)
    return same.scope.rewrite(eq(function(left), function(right)), then, same)


@theorem(
    "sums.permute",
    hypotheses=_BIJECTION,
    conclusion=eq(permuted, terms),
    attack=Attack(
        {"twice": eq(permuted, 2 * terms)},
        idle=dict.fromkeys(_BIJECTION, "it follows from the other three by counting"),
    ),
)
def SUMS_PERMUTE(p: Proof) -> None:
    r"""A sum does not depend on the order of its terms

    $\sum_{j<n}f(\pi(j))=\sum_{j<n}f(j)$ for a permutation $\pi$ of $0,\dots,n-1$ with inverse
    $\rho$.
    """
    at_j, at_k = p.under(within(j, 0, n - 1)), p.under(within(k, 0, n - 1))
    match, inverse = indicator(k, forth(j)), indicator(j, back(k))

    rows = at_j.apply(
        SUMS_INDICATOR,
        INTO,
        why="The place pi(j) is in the range, by hypothesis. So f at this place is the sum of "
        "all f(k) times the indicator of k = pi(j).",
        goal=eq(sp.Sum(match * f(k), (k, 0, n - 1)), f(forth(j))),
    ).summed(j, 0, n - 1, "Sum this equation over all j.")
    exchange = p.swap(rows.formula.lhs)

    forward = image(
        p,
        back,
        k,
        forth(j),
        "Consider the case that k is pi(j).",
        "In this case rho(k) is rho(pi(j)).",
    )
    undone = at_j.use(THERE, why="As rho undoes pi, rho(pi(j)) is j.")
    backward = image(
        p,
        forth,
        j,
        back(k),
        "Consider the case that j is rho(k).",
        "In this case pi(j) is pi(rho(k)).",
    )
    redone = at_k.use(AGAIN, why="As pi undoes rho, pi(rho(k)) is k.")
    row = at_j.under(within(k, 0, n - 1))
    counts = whether(p, (k, forth(j)), (j, back(k)))
    same = row.show(
        eq(match * f(k), inverse * f(k)),
        "So k is pi(j) exactly when j is rho(k), and the indicators are equal. Multiply both "
        "indicators by f(k).",
        (forward, undone, backward, redone, *counts),
    )
    column = at_k.apply(
        SUMS_INDICATOR,
        ONTO,
        why="The place rho(k) is in the range, by hypothesis. The sum of f(k) times the "
        "indicator of j = rho(k) over all j is f(k).",
        goal=eq(sp.Sum(inverse * f(k), (j, 0, n - 1)), f(k)),
    )
    columns = at_k.chain(
        same.summed(j, 0, n - 1, "Sum the equation of the products over all j."),
        column,
        why="So the sum over j of f(k) times the indicator of k = pi(j) is f(k).",
    ).summed(k, 0, n - 1, "Sum this equation over all places k.")
    p.qed(
        "The sum of f over pi(j) equals the double sum and so the sum of f.",
        (rows, exchange, columns),
    )


# -- the least term ----------------------------------------------------------------------


def _is_lowest(place: Term, count: Term | int) -> Formula:
    return every(j, 0, count - 1, le(f(place), f(j)))


def _lowest(count: Term | int) -> Formula:
    """The formula that one of the first `count` terms is lowest."""
    return Some((k,), Both(le(0, k), le(k, count - 1), _is_lowest(k, count)))


A_TERM = Hypothesis("there is a term", le(1, n))


def _of_one(p: Proof) -> Fact:
    single = p.under(within(j, 0, 0))
    only = single.show(eq(j, 0), "In a list of a single term the only index is 0.", by=smt())
    itself = only.image(f, "So the term f(j) is the term f(0).")
    least = single.show(le(f(0), f(j)), "So f(0) is at most f(j).", itself)
    return p.witness(
        _lowest(1),
        {k: 0},
        least.for_all(j, why="As j was arbitrary, f(0) is at most every term."),
        why="So the first term is the lowest of a single term.",
    )


def _of_one_more(p: Proof) -> Fact:
    count = p.under(_lowest(r), le(1, r))
    some = count.given(_lowest(r), "Suppose that the first r terms have a lowest one.")
    chosen = some.body()
    lowest = chosen.given(_is_lowest(k, r), "Let f(k) be the lowest of the first r terms.")
    before = chosen.under(within(j, 0, r - 1)).use(
        lowest, why="So f(k) is at most the term f(j) among the first r."
    )
    last = image(
        p, f, j, r, "Consider the new term, that with j = r.", "In this case f(j) is f(r)."
    )

    def stays(place: Term, case: Scope, why: str) -> Fact:
        each = case.under(within(j, 0, r)).show(le(f(place), f(j)), why, before, last)
        lowest_now = each.for_all(
            j, why="As j was arbitrary, this holds for each of the r + 1 terms."
        )
        return case.witness(
            _lowest(r + 1), {k: place}, lowest_now, why="So the r + 1 terms have a lowest one."
        )

    old = stays(
        k,
        chosen.under(le(f(k), f(r))),
        "If f(k) is at most f(r), f(k) is at most each of the r + 1 terms.",
    )
    new = stays(
        r,
        chosen.under(lt(f(r), f(k))),
        "If f(r) is less than f(k), f(r) is at most each of the r + 1 terms.",
    )
    either = chosen.show(
        _lowest(r + 1), "In both cases the r + 1 terms have a lowest one.", old, new
    )
    return count.choose(
        some,
        either,
        "The first r terms have a lowest one, by assumption, so the r + 1 terms have one.",
    )


@theorem(
    "sums.lowest",
    hypotheses=(A_TERM,),
    conclusion=_lowest(n),
    attack=Attack(
        {
            "below all others by 1": Some(
                (k,),
                Both(
                    *(le(0, k), le(k, n - 1)), every(j, 0, n - 1, If(ne(j, k), le(f(k) + 1, f(j))))
                ),
            ),
            "the highest, too": Some(
                (k,), Both(*(le(0, k), le(k, n - 1)), every(j, 0, n - 1, eq(f(k), f(j))))
            ),
        },
        at={
            "below all others by 1": {n: 2, f(0): 0, f(1): 0},
            "the highest, too": {n: 2, f(0): 0, f(1): 1},
        },
        without={A_TERM: {n: 0}},
    ),
)
def SUMS_LOWEST(p: Proof) -> None:
    r"""Finitely many numbers have a least one

    For $n\ge1$ there is $0\le k<n$ with $f_k\le f_j$ for all $0\le j<n$.
    """
    start, following = _of_one(p), _of_one_more(p)
    every_count = p.under(le(1, r)).induction(
        _lowest(r),
        r,
        1,
        start,
        following,
        why="By induction any positive number of terms has a lowest one.",
    )
    p.use(every_count, {r: n}, A_TERM, why="Apply this to the n terms.")


@theorem(
    "sums.least",
    hypotheses=(A_TERM,),
    conclusion=Some((k,), Both(le(0, k), le(k, n - 1), le(n * f(k), terms))),
    attack=Attack(
        {
            "strictly": Some((k,), Both(le(0, k), le(k, n - 1), lt(n * f(k), terms))),
            "half": Some((k,), Both(le(0, k), le(k, n - 1), le(2 * n * f(k), terms))),
        },
        at={"strictly": {n: 1}},
        without={A_TERM: {n: 0}},
    ),
)
def SUMS_LEAST(p: Proof) -> None:
    r"""Some term is no larger than the mean

    For $n\ge1$ there is $0\le k<n$ with $f_k\le\frac1n\sum_{j<n}f_j$.
    """
    all_terms = p.apply(SUMS_LOWEST, A_TERM, why="Finitely many terms have a lowest one.")
    found = all_terms.body()
    lowest = found.given(_is_lowest(k, n), "Let f(k) be the lowest term.")
    term = found.under(within(j, 0, n - 1)).use(lowest, why="So f(k) is at most the term f(j).")
    summed = term.summed(j, 0, n - 1, "Sum this inequality over all j.")
    exists = found.witness(
        p.goal,
        {k: k},
        (summed, A_TERM),
        why="The sum of n equal terms is n f(k). So n f(k) is at most the sum. So there is a "
        "term of which n times is at most the sum.",
    )
    p.choose(
        all_terms,
        exists,
        "Some term is the lowest one, and the conclusion does not depend on which.",
    )
