"""Numbers of which among any three one is small add up to little more than two."""

from ropeproof.theory.language import *

k, r, K = integer("k r K")
i1, i2, i3 = integer("a b c")
small = real("eta")
h = real_function("h")
MEANINGS: Meanings = {
    k: "index of a number",
    K: "how many numbers there are",
    i1: "index of a number",
    i2: "index of a second number",
    i3: "index of a third number",
    small: "a number that is at most this is small",
    h: "the numbers",
}
TOLERANCE = Hypothesis("the tolerance is not negative", le(0, small))
COUNT = Hypothesis("there are K numbers", le(0, K))
AT_MOST_1 = Hypothesis("no number is above 1", every(k, 0, K - 1, le(h(k), 1)))


def _pair(until: Term) -> Formula:
    """Of any two of the first numbers one is small."""
    inside = Both(le(0, i1), lt(i1, i2), lt(i2, until))
    return Every((i1, i2), If(inside, Either(le(h(i1), small), le(h(i2), small))))


def _triple(until: Term) -> Formula:
    """Of any three of the first numbers one is small."""
    inside = Both(le(0, i1), lt(i1, i2), lt(i2, i3), lt(i3, until))
    some_ = Either(le(h(i1), small), le(h(i2), small), le(h(i3), small))
    return Every((i1, i2, i3), If(inside, some_))


def _sum(until: Term) -> Term:
    return sp.Sum(h(k), (k, 0, until - 1))


THREE = Hypothesis("of any three numbers one is small", _triple(K))
_AT = {K: 3, small: 0, h(0): 1, h(1): 1, h(2): 0}


@theorem(
    "sums.two-of-three",
    hypotheses=(TOLERANCE, COUNT, AT_MOST_1, THREE),
    conclusion=le(_sum(K), 2 + K * small),
    attack=Attack(
        {"one": le(_sum(K), 1 + K * small), "without the rest": lt(_sum(K), 2)},
        at={"one": _AT, "without the rest": _AT},
        without={
            TOLERANCE: {K: 3, small: -1, h(0): 1, h(1): 1, h(2): -1},
            COUNT: {K: -3, small: 1},
            AT_MOST_1: {**_AT, h(0): 9},
            THREE: {**_AT, h(2): 1},
        },
    ),
)
def SUMS_TWO_OF_THREE(p: Proof) -> None:
    r"""Numbers of which among any three one is small add up to little more than two

    If $h_k\le1$ for $0\le k<K$ and of any three of these numbers one is at most $\eta\ge0$, then
    $\sum_kh_k\le2+K\eta$.
    """
    pairs = _bounded(p, 1, _pair, None)
    triples = _bounded(p, 2, _triple, pairs)
    whole = p.use(triples, {r: K}, COUNT, why="In particular of all K.", goal=_goal(2, _triple, K))
    p.qed("So the numbers add up to no more than that.", whole, AT_MOST_1, THREE)


def _goal(bound: int, given: Callable[..., Formula], until: Term) -> Formula:
    ones = every(k, 0, until - 1, le(h(k), 1))
    return If(Both(ones, given(until)), le(_sum(until), bound + until * small))


def _bounded(p: Proof, bound: int, given: Callable[..., Formula], fewer: Fact | None) -> Fact:
    """The first r numbers add up to `bound` and r times the tolerance, if `given` holds of them."""
    more = p.under(le(0, r))
    start = p.show(kept_at(_goal(bound, given, r), r, 0), "No terms add up to 0.")
    before = more.supposing(_goal(bound, given, r))
    all_ones, all_given = every(k, 0, r, le(h(k), 1)), given(r + 1)
    here = before.under(all_ones).supposing(all_given)
    ones = here.given(all_ones, "Let no number be above 1.")
    some_ = here.given(all_given, "Let one of any few be small.")
    first_ones = (
        here.under(within(k, 0, r - 1))
        .use(ones, {k: k}, why="So is none of the first r.")
        .for_all(k)
    )
    indices = (i1, i2) if fewer is None else (i1, i2, i3)
    steps = [le(0, i1), *(lt(a, b) for a, b in zip(indices, (*indices[1:], r), strict=True))]
    first_given = (
        here.under(*steps)
        .use(some_, {place: place for place in indices}, why="So is one of any few of the first r.")
        .for_all(*indices)
    )
    last = here.last(_sum(r + 1), "Split off the last number.")
    if_small = here.under(le(h(r), small)).show(
        le(_sum(r + 1), bound + (r + 1) * small),
        "Suppose so of the first r numbers. So the first r numbers are bounded. A small "
        "number adds the tolerance.",
        (first_ones, first_given, last),
    )
    large = here.under(lt(small, h(r)))
    own = large.use(ones, {k: r}, why="The last number is at most 1.")
    if fewer is None:
        others = large.under(within(k, 0, r - 1)).use(
            some_, {i1: k, i2: r}, why="One of this and the last number is small."
        )
        each = others.scope.show(le(h(k), small), "It is not the last one.", others)
        rest = each.summed(k, 0, r - 1, "Sum this inequality over the first r numbers.")
        rest = large.show(
            le(_sum(r), r * small),
            "The sum of r tolerances is r times it. So they add up to r times the tolerance.",
            rest,
        )
    else:
        both = large.under(le(0, i1), lt(i1, i2), lt(i2, r))
        pair = both.use(
            some_, {i1: i1, i2: i2, i3: r}, why="One of these two and the last number is small."
        )
        pairs = both.show(
            Either(le(h(i1), small), le(h(i2), small)), "It is not the last one.", pair
        ).for_all(i1, i2)
        rest = large.show(
            le(_sum(r), 1 + r * small),
            "Of pairs it is known. So the first r numbers add up to one less.",
            (fewer, first_ones, pairs),
        )
    if_large = large.show(
        le(_sum(r + 1), bound + (r + 1) * small),
        "With the last number, at most 1, it is the bound.",
        (rest, own, last, TOLERANCE),
    )
    step = here.show(
        le(_sum(r + 1), bound + (r + 1) * small),
        "In both cases the bound holds.",
        if_small,
        if_large,
        cases=(le(h(r), small),),
    )
    following = before.show(_goal(bound, given, r + 1), "So it holds of one number more.", step)
    return more.induction(
        _goal(bound, given, r), r, 0, start, following, why="By induction it holds of any number."
    )
