"""Sorting: finitely many numbers can be put in order."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n

b, c, g, h, k, z = integer("b c g h k z")
f = real_function("f")
rank, longer = integer_function("sigma"), integer_function("sigma_next")
MEANINGS: Meanings = {
    n: "number of terms",
    b: "an index",
    c: "an index",
    f: "the terms, by index",
    rank: "indices of the terms, in order",
}


def _pairs(count: Term | int, body: Formula) -> Formula:
    return Every((b, c), If(Both(le(0, b), lt(b, c), le(c, count - 1)), body))


def in_range(ranks: Callable[..., Term | int], count: Term | int) -> Formula:
    """The formula that the first `count` entries are indices below `count`."""
    return every(b, 0, count - 1, within(ranks(b), 0, count - 1))


def in_order(ranks: Callable[..., Term | int], count: Term | int) -> Formula:
    """The formula that the first `count` entries are distinct and f is nondecreasing along them."""
    return _pairs(count, Both(le(f(ranks(b)), f(ranks(c))), ne(ranks(b), ranks(c))))


def is_sorted(ranks: Callable[..., Term | int], count: Term | int) -> Any:
    """The formula that a list has `count` distinct indices below `count` and sorts f."""
    return Both(in_range(ranks, count), in_order(ranks, count))


def _sorted(count: Term) -> Formula:
    """The formula that some list of distinct indices below `count` sorts f."""
    return Some((rank(z),), is_sorted(rank, count))


NUMBER = Hypothesis("n is not negative", le(0, n))


def _split(count: Term, place: Term = k) -> Formula:
    """The formula that a place splits the first `count` entries by f(h).

    Those before it are at most f(h), those from it on at least f(h).
    """
    before = every(b, 0, place - 1, le(f(rank(b)), f(h)))
    after = every(b, place, count - 1, le(f(h), f(rank(b))))
    return Both(within(place, 0, count), before, after)


def _some_place(count: Term) -> Formula:
    return Some((k,), _split(count))


def _all_to(scope: Scope, low: Term, before: Fact, at_g: Fact, formula: Formula) -> Fact:
    """The fact for all low <= b <= g, from the cases b < g and b = g."""
    same = scope.under(eq(b, g))
    itself = same.rewrite(
        eq(f(rank(b)), f(rank(g))),
        "Then the number at b is that at g.",
        same.given(eq(b, g), "Consider the entry at b = g itself."),
    )
    each = scope.under(within(b, low, g)).show(
        formula, "In both cases the number at b is at most the next number.", before, itself, at_g
    )
    return each.for_all(b, why="As b was arbitrary, this holds for all entries up to g.")


def _place(p: Proof) -> Fact:
    """The place of the next number, by induction on the part of the list that was searched."""

    def found(count: Term) -> Formula:
        return If(le(count, h), _some_place(count))

    start = p.witness(
        _some_place(sp.S.Zero), {k: 0}, why="In an empty list the place of the next number is 0."
    )
    base = p.show(
        found(sp.S.Zero), "This is the start of an induction over the length of the list.", start
    )
    listed = p.under(le(0, g), in_order(rank, h), le(g + 1, h))
    order = listed.under(within(b, 0, g - 1)).use(
        listed.given(in_order(rank, h), "Suppose that the list of h numbers is in order."),
        {b: b, c: g},
        why="Then every entry before the place g is at most the entry at g.",
    )
    small, large = listed.under(le(f(rank(g)), f(h))), listed.under(lt(f(h), f(rank(g))))

    is_small = small.given(
        le(f(rank(g)), f(h)), "Consider the case that the entry at g is at most the next number."
    )
    all_small = _all_to(small, sp.S.Zero, order, is_small, le(f(rank(b)), f(h)))
    behind = small.witness(
        _some_place(g + 1),
        {k: g + 1},
        all_small,
        why="No entry lies behind the place g + 1. So the condition on the entries behind it "
        "holds for all of none. So the next number has its place behind the entry at g.",
    )

    here = large.under(_split(g))
    is_large = here.given(
        lt(f(h), f(rank(g))),
        "Consider the case that the entry at g is larger than the next number.",
    )
    after = here.under(within(b, k, g - 1)).use(
        here.given(
            every(b, k, g - 1, le(f(h), f(rank(b)))),
            "Let the entries from the place k to g - 1 be at least the next number.",
        ),
        why="So the entry at b before g is at least the next number.",
    )
    all_large = _all_to(here, k, after, is_large, le(f(h), f(rank(b))))
    kept_place = here.witness(
        _some_place(g + 1),
        {k: k},
        all_large,
        why="So k is still the place in the list up to g. So there is a place in the list up to g.",
    )
    known = large.under(found(g))
    there = known.show(
        _some_place(g),
        "Suppose that there is a place in the list before g. As g is in the range, there is "
        "a place in the list before g.",
    )
    still = known.choose(
        there, kept_place, "This place exists, so there is a place in the list up to g."
    )

    more = p.under(le(0, g), in_order(rank, h)).supposing(found(g))
    step = more.show(
        found(g + 1), "In both cases there is a place in the list up to g.", behind, still
    )
    return p.under(le(0, g), in_order(rank, h)).induction(
        found(g), g, 0, base, step, why="By induction there is a place in a list of any length."
    )


# -- the longer list ---------------------------------------------------------------------

inserted = every(
    b,
    0,
    h,
    Both(
        If(lt(b, k), eq(longer(b), rank(b))),
        If(eq(b, k), eq(longer(b), h)),
        If(lt(k, b), eq(longer(b), rank(b - 1))),
    ),
)


def _image(scope: Scope, entries: Fact, at: Term, index: Term) -> Fact:
    """The fact that an entry of the longer list is this index, with f's value there.

    The longer list is the sorted one with one number inserted.
    """
    entry = scope.use(entries, {b: at}, why="Take this entry of the longer list by its definition.")
    known = scope.show(
        eq(longer(at), index),
        "In this case the definition says which number it is.",
        entry,
        by=rules.smt(),
    )
    value = known.image(f, "So f has the same value at both.")
    return scope.show(
        Both(known.formula, value.formula),
        "So the entry and the value of f there are known.",
        (known, value),
    )


def _longer(p: Proof) -> Fact:
    """The list with the next number inserted in its place is sorted."""
    base = p.under(le(0, h), is_sorted(rank, h), _split(h), inserted)
    entries = base.given(inserted, "Let the longer list have the next number h at the place k.")
    ranges = base.given(in_range(rank, h), "Suppose that the entries of the old list are below h.")
    order = base.given(
        in_order(rank, h), "Suppose that the old list is in order and without repetition."
    )
    small = base.given(
        every(b, 0, k - 1, le(f(rank(b)), f(h))),
        "Suppose that the numbers before the place are at most the next one.",
    )
    large = base.given(
        every(b, k, h - 1, le(f(h), f(rank(b)))),
        "Suppose that the numbers from the place on are at least the next one.",
    )

    at_b = base.under(within(b, 0, h))
    entry = at_b.use(entries, why="Take an entry of the longer list by its definition.")
    old = at_b.under(lt(b, k)).use(ranges, why="The old entry at b is below h.")
    late = at_b.under(lt(k, b)).use(ranges, {b: b - 1}, why="The old entry at b - 1 is below h.")
    below = at_b.show(
        within(longer(b), 0, h),
        "So the entry, an old one or h itself, lies between 0 and h.",
        (entry, old, late),
    )

    pair = base.under(le(0, b), lt(b, c), le(c, h))
    goal = Both(le(f(longer(b)), f(longer(c))), ne(longer(b), longer(c)))
    cases = []
    for where_b, where_c, one, two in (
        (lt(b, k), lt(c, k), rank(b), rank(c)),
        (lt(b, k), eq(c, k), rank(b), h),
        (lt(b, k), lt(k, c), rank(b), rank(c - 1)),
        (eq(b, k), lt(k, c), h, rank(c - 1)),
        (lt(k, b), lt(k, c), rank(b - 1), rank(c - 1)),
    ):
        case = pair.under(where_b, where_c)
        images = _image(case, entries, b, one), _image(case, entries, c, two)
        if h in (one, two):
            index = c - 1 if one == h else b
            known = case.use(
                ranges, {b: index}, why="The old entry is below h, so it is not h itself."
            )
            side = case.use(
                large if one == h else small,
                {b: index},
                why="By the choice of the place the two numbers are in order.",
            )
            facts: tuple[Fact, ...] = known, side
        else:
            facts = (
                case.use(
                    order,
                    {b: one.args[0], c: two.args[0]},
                    why="The two old entries are in order and different.",
                ),
            )
        cases.append(
            case.show(
                goal,
                "So the two entries of the longer list are in order and different.",
                (*images, *facts),
            )
        )
    kept_order = pair.show(
        goal, "In each of these cases the two entries are in order and different.", *cases
    ).for_all(b, c)
    goal = is_sorted(longer, h + 1)
    return base.show(
        goal,
        "So the longer list is in order, with entries between 0 and h.",
        (below.for_all(b), kept_order),
    )


@theorem(
    "sums.sorted",
    hypotheses=(NUMBER,),
    conclusion=_sorted(n),
    attack=Attack(
        {"as they are": is_sorted(sp.Lambda(z, z), n), "in any list": is_sorted(rank, n)},
        at={"as they are": {n: 2, f(0): 1, f(1): 0}, "in any list": {n: 2, rank(0): 0, rank(1): 0}},
        idle={NUMBER: "a list of no entries is in order"},
    ),
)
def SUMS_SORTED(p: Proof) -> None:
    r"""Finitely many numbers can be put in order

    For real $f_0,\dots,f_{n-1}$ there are distinct indices $\sigma(0),\dots,\sigma(n-1)$ below $n$
    with $f_{\sigma(b)}\le f_{\sigma(c)}$ for $b<c$.
    """
    start = p.witness(
        _sorted(sp.S.Zero),
        {rank: sp.Lambda(z, 0)},
        why="Without numbers the empty list is in order.",
    )
    place = _place(p)
    longer_list = _longer(p)
    here = p.under(le(0, h), is_sorted(rank, h))
    there = here.use(
        place,
        {g: h},
        why="Let the list of the first h numbers be in order. The next number has a place in "
        "this list.",
    )
    append = p.witness(
        Some((longer(z),), inserted),
        {
            longer: sp.Lambda(
                b, sp.Piecewise((rank(b), b < k), (h, sp.Eq(b, k)), (rank(b - 1), True))
            )
        },
        why="So there is a list with the next number at this place.",
    )
    chosen = here.under(_split(h))
    ahead = chosen.under(inserted)
    done = ahead.witness(
        _sorted(h + 1),
        {rank: longer},
        longer_list,
        why="So the first h + 1 numbers can be put in order.",
    )
    in_place = chosen.choose(
        append, done, "Such a longer list exists, and the conclusion does not depend on it."
    )
    with_rank = here.choose(
        there, in_place, "Such a place exists, and the conclusion does not depend on it."
    )
    more = p.under(le(0, h))
    given = more.given(_sorted(h), "Suppose that the first h numbers can be put in order.")
    step = given.scope.choose(
        given, with_rank, "So the first h + 1 numbers can be put in order too."
    )
    number = more.induction(
        _sorted(h), h, 0, start, step, why="By induction any number of numbers can be put in order."
    )
    p.use(number, {h: n}, NUMBER, why="Apply this to the n numbers.")
