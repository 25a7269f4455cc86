"""Exclusion over all permutations of the contents, with the factorials of the paper."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.even import count, size
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, whether
from ropeproof.theory.library.sums.permutation import SUMS_PERMUTE
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head.exclusion import exclusion
from ropeproof.theory.topics.head.exclusion.exclusion import (
    A_POSITION,
    HEAD_EXCLUSION,
    h,
    j,
    k,
    permuted,
)
from ropeproof.theory.topics.head.table import a

l, q, r = integer("l q r")
factorial, exchanged = integer_function("G"), integer_function("eta")
MEANINGS: Meanings = {
    **exclusion.MEANINGS,
    factorial: "factorials",
    exchanged: "the permutation that exchanging two contents makes of another",
}
places = (within(k, 0, size - 1), within(l, 0, size - 1))


def _times(content: Term, position: Term) -> Term:
    """How often a content comes to a position."""
    return sp.Sum(indicator(content, permuted(h, position)), (h, 1, count))


FACTORIAL = Hypothesis(
    "G is the factorial",
    Both(eq(factorial(0), 1), every(k, 0, size - 1, eq(factorial(k + 1), (k + 1) * factorial(k)))),
)
ALL = Hypothesis("there are N! permutations", eq(count, factorial(size)))
OTHER = exchanged(k, l, h)
CLOSED = Hypothesis(
    "exchanging two contents in a permutation gives a permutation, and undoes itself",
    Every(
        (h, k, l),
        If(
            Both(*within(h, 1, count).args, *places[0].args, *places[1].args),
            Both(le(1, OTHER), le(OTHER, count), eq(exchanged(k, l, OTHER), h)),
        ),
    ),
)
EXCHANGES = Hypothesis(
    "where the one has k, the other has l",
    Every(
        (h, j, k, l),
        If(
            Both(
                *within(h, 1, count).args,
                *within(j, 0, size - 1).args,
                *places[0].args,
                *places[1].args,
            ),
            iff(eq(permuted(h, j), k), eq(permuted(OTHER, j), l)),
        ),
    ),
)
every_pair = Both(*within(j, 0, size - 1).args, *within(k, 0, size - 1).args)
often = Every((j, k), If(every_pair, eq(_times(k, j), factorial(size - 1))))
variance = exclusion.N2_VARIANCE / size**2
bound = le(variance, (exclusion.positional + exclusion.symbolic) / (count * size))


def _positive(p: Proof) -> Fact:
    """Factorials are positive."""

    def so_far(at: Term) -> Formula:
        return If(le(at, size), lt(0, factorial(at)))

    start = p.show(so_far(sp.Integer(0)), "The factorial of 0 is 1, which is positive.", FACTORIAL)
    before = p.under(le(0, r), so_far(r))
    recursion = p.show(
        FACTORIAL.formula.args[1], "The factorial of k + 1 is k + 1 times that of k.", FACTORIAL
    )
    one_more = before.under(le(r + 1, size)).use(
        recursion, {k: r}, why="In particular the factorial of r + 1 is r + 1 times that of r."
    )
    following = before.show(
        so_far(r + 1), "So the factorial of r + 1 is positive if that of r is.", one_more
    )
    return p.under(le(0, r)).induction(
        so_far(r), r, 0, start, following, why="By induction the factorials up to N are positive."
    )


def _equally_often(p: Proof) -> Fact:
    """Two contents come to a position equally often."""
    pair = p.under(within(q, 0, size - 1), *places)
    row = pair.under(within(h, 1, count))
    exchange = row.use(
        EXCHANGES,
        {h: h, j: q, k: k, l: l},
        why="Where one permutation has k, the exchanged one has l.",
    )
    own, there = permuted(h, q), permuted(OTHER, q)
    here = indicator(l, there)
    counts = whether(p, (k, own), (l, there))
    match = row.show(
        eq(indicator(k, own), here),
        "So k contributes to one sum what l contributes to the other.",
        (exchange, *counts),
    ).summed(h, 1, count, "Sum this equation over all permutations.")
    closed = pair.under(within(r, 0, count - 1)).use(
        CLOSED,
        {h: r + 1, k: k, l: l},
        why="Exchanging k and l gives a permutation of the list, and undoes itself.",
    )
    inside, again = (
        closed.scope.show(
            Both(le(0, exchanged(k, l, r + 1) - 1), le(exchanged(k, l, r + 1) - 1, count - 1)),
            "So the exchanged permutation has a number in the list.",
            closed,
        ),
        closed.scope.show(
            eq(exchanged(k, l, exchanged(k, l, r + 1)) - 1, r),
            "Exchanging twice gives the number of the first permutation again.",
            closed,
        ),
    )
    order = pair.lemma(
        SUMS_PERMUTE.at(
            n=count,
            f=lambda at: indicator(l, permuted(at + 1, q)),
            pi=lambda at: exchanged(k, l, at + 1) - 1,
            rho=lambda at: exchanged(k, l, at + 1) - 1,
        ),
        (inside.for_all(r), again.for_all(r)),
        why="So the exchanged permutations are the list in another order.",
    )
    return pair.show(
        eq(_times(k, q), _times(l, q)), "So k and l come to a position equally often.", match, order
    )


def _often(p: Proof, positive: Fact) -> Fact:
    """A content comes to a position (N - 1)! times."""
    same = _equally_often(p)
    pair = p.under(within(q, 0, size - 1), places[0])
    row = p.under(within(q, 0, size - 1), within(h, 1, count))
    one = row.lemma(
        SUMS_INDICATOR.at(m=size, p=permuted(h, q), f=lambda at: sp.Integer(1)),
        exclusion.POSITIONS,
        why="At a position a permutation has a content of the list. So exactly one content "
        "stands at this position.",
    ).summed(h, 1, count, "Summed over the permutations, all contents together come once in each.")
    swapped = p.swap(
        sp.Sum(_times(l, q), (l, 0, size - 1)),
        "Exchange the sums over permutations and over contents.",
    )
    all_same = same.summed(
        l, 0, size - 1, "Each content comes as often as k does; sum this over the contents."
    )
    some = p.use(positive, {r: size}, A_POSITION, why="The number N! of permutations is positive.")
    recursion = p.show(
        FACTORIAL.formula.args[1], "The factorial of k + 1 is k + 1 times that of k.", FACTORIAL
    )
    last = p.use(recursion, {k: size - 1}, A_POSITION, why="In particular N! = N (N - 1)!.")
    return pair.show(
        eq(_times(k, q), factorial(size - 1)),
        "The sum of N equal numbers is N times the number. The sum of 1 over all "
        "permutations is their number. So N times the number for one content is the number "
        "of permutations. So a content comes to a position (N - 1)! times.",
        (all_same, A_POSITION, swapped, one, some, ALL, last),
    ).for_all(q, k, why="This holds for every position and every content.")


two = {size: 2, count: 2} | listed(factorial, 1, 1, 2)
maps = {permuted(1, 0): 0, permuted(1, 1): 1, permuted(2, 0): 1, permuted(2, 1): 0}
moves = {exchanged(x, y, z): z if x == y else 3 - z for x in (0, 1) for y in (0, 1) for z in (1, 2)}
diagonal = {a(0, 0): 0, a(1, 1): 2, a(0, 1): 1, a(1, 0): 1}


@theorem(
    "head.exclusion-all",
    source=DECOUPLE.at("section 3.2, Theorem 1; its proof in A.2"),
    needs="PTX",
    hypotheses=(FACTORIAL, ALL, exclusion.POSITIONS, CLOSED, EXCHANGES, A_POSITION),
    conclusion=Both(often, bound),
    example=(
        *where({size: 1, count: 1}),
        Every((k,), eq(factorial(k), 1)),
        Every((h, j), eq(permuted(h, j), 0)),
        Every((k, l, h), eq(exchanged(k, l, h), 1)),
    ),
    attack=Attack(
        {
            "half of the deviations": le(
                variance, (exclusion.positional + exclusion.symbolic) / (2 * count * size)
            ),
            "N! times": Every((j, k), If(every_pair, eq(_times(k, j), factorial(size)))),
        },
        at={
            "half of the deviations": two | maps | moves | diagonal,
            "N! times": two | maps | moves | diagonal,
        },
        without={
            FACTORIAL: two | maps | moves | diagonal | {factorial(1): 5},
            ALL: two | maps | moves | diagonal | {factorial(1): 3, factorial(2): 6},
            exclusion.POSITIONS: {size: 1, count: 1, factorial(0): 1, factorial(1): 1}
            | {permuted(1, 0): 5, exchanged(0, 0, 1): 1, a(0, 0): 0, a(5, 0): 0, a(0, 5): 0},
            CLOSED: two
            | {permuted(1, 0): 0, permuted(1, 1): 1, permuted(2, 0): 0, permuted(2, 1): 1}
            | {
                exchanged(x, y, z): z if x == y else z + 2
                for x in (0, 1)
                for y in (0, 1)
                for z in (1, 2)
            }
            | {permuted(3, 0): 1, permuted(3, 1): 0, permuted(4, 0): 1, permuted(4, 1): 0}
            | diagonal,
            EXCHANGES: two
            | {permuted(1, 0): 0, permuted(1, 1): 1, permuted(2, 0): 0, permuted(2, 1): 1}
            | moves
            | diagonal,
        },
        idle={A_POSITION: "without positions nothing is to be shown"},
    ),
)
def HEAD_EXCLUSION_ALL(p: Proof) -> None:
    r"""Exclusion over all permutations, with the printed constant

    Of the $N!$ permutations of $N=n-1$ contents each content comes to each position in
    $(N-1)!=(n-2)!$, so that $\mathrm{Var}(\lambda)\le\frac{\|\delta^{\rm pos}\|^2+\|\delta^{\rm
    sym}\|^2}{(n-1)!\,(n-1)}$. (Of the list $\pi_1,\dots,\pi_{N!}$ only this is used: exchanging two
    contents in one permutation gives one of the list, $\pi_{\eta(k,l,h)}$, and exchanging them
    again gives the first.)
    """
    positive = _positive(p)
    evenly = _often(p, positive)
    each = p.under(within(j, 0, size - 1), within(k, 0, size - 1)).use(
        evenly, {q: j, k: k}, why="Every content comes to every position (N - 1)! times."
    )
    equally = each.for_all(j, k, why="This holds for every position and every content.")
    some = p.use(positive, {r: size - 1}, A_POSITION, why="The number (N - 1)! is positive.")
    excluded = p.apply(
        HEAD_EXCLUSION,
        (exclusion.POSITIONS, equally, some, A_POSITION),
        why="So the exclusion theorem holds with c = (N - 1)!.",
    )
    recursion = p.show(
        FACTORIAL.formula.args[1], "The factorial of k + 1 is k + 1 times that of k.", FACTORIAL
    )
    last = p.use(recursion, {k: size - 1}, A_POSITION, why="In particular N! = N (N - 1)!.")
    p.qed(
        "Divided by N N!, this is the bound as the paper prints it. This proves how often "
        "contents come, and the printed bound.",
        (equally, excluded, last, ALL, some, A_POSITION),
    )
