"""Finitely many numbers can be put in order."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n

b, c, g, h, k, z = integer("b c g h k z")
f = real_function("f")
rank, longer = integer_function("sigma"), integer_function("sigma_next")


def _pairs(count: Any, body: Any) -> Any:
    return Every((b, c), If(Both(le(0, b), lt(b, c), le(c, count - 1)), body))


def in_range(ranks: Any, count: Any) -> Any:
    """The first `count` entries are indices below `count`."""
    return every(b, 0, count - 1, within(ranks(b), 0, count - 1))


def in_order(ranks: Any, count: Any) -> Any:
    """The first `count` entries are distinct, and f does not fall along them."""
    return _pairs(count, Both(le(f(ranks(b)), f(ranks(c))), ne(ranks(b), ranks(c))))


def is_sorted(ranks: Any, count: Any) -> Any:
    """A list of `count` distinct indices below `count` along which f does not fall."""
    return Both(in_range(ranks, count), in_order(ranks, count))


def _sorted(count: Any) -> Any:
    """Some list of distinct indices below `count` has f in order."""
    return Some((rank(z),), is_sorted(rank, count))


NUMBER = Hypothesis("n is not negative", le(0, n))

SORTED = Claim(
    id="sums.sorted",
    title="Finitely many numbers can be put in order",
    statement=(
        r"For real $f_0,\dots,f_{n-1}$ there are distinct indices "
        r"$\sigma(0),\dots,\sigma(n-1)$ below $n$ with $f_{\sigma(b)}\le f_{\sigma(c)}$ for $b<c$."
    ),
    needs=frozenset("PX"),
    hypotheses=(NUMBER,),
    conclusion=_sorted(n),
)


def _split(count: Any, place: Any = k) -> Any:
    """Of the first `count` those before a place are at most f(h), those from it on at least."""
    before = every(b, 0, place - 1, le(f(rank(b)), f(h)))
    after = every(b, place, count - 1, le(f(h), f(rank(b))))
    return Both(within(place, 0, count), before, after)


def _some_place(count: Any) -> Any:
    return Some((k,), _split(count))


def _all_to(scope: Scope, low: Any, before: Fact, at_g: Fact, formula: Any) -> Fact:
    """For all low <= b <= g what holds of f(sigma(b)) before g, and at g."""
    same = scope.under(eq(b, g))
    itself = same.rewrite(
        eq(f(rank(b)), f(rank(g))), "the new one itself", same.given(eq(b, g), "or")
    )
    each = scope.under(within(b, low, g)).show(formula, "either way,", before, itself, at_g)
    return each.for_all(b, why="all of them,")


def _place(p: Proof) -> Fact:
    """Where the next number goes, by induction on how much of the list has been looked at."""

    def found(count: Any) -> Any:
        return If(le(count, h), _some_place(count))

    start = p.witness(_some_place(sp.S.Zero), {k: 0}, why="In an empty list the place is 0;")
    base = p.show(found(sp.S.Zero), "that starts an induction.", start)
    listed = p.under(le(0, g), in_order(rank, h), le(g + 1, h))
    order = listed.under(within(b, 0, g - 1)).use(
        listed.given(in_order(rank, h), "Look at one more of the list:"),
        {b: b, c: g},
        why="those before are at most it.",
    )
    small, large = listed.under(le(f(rank(g)), f(h))), listed.under(lt(f(h), f(rank(g))))

    is_small = small.given(le(f(rank(g)), f(h)), "If it is at most the next number,")
    all_small = _all_to(small, sp.S.Zero, order, is_small, le(f(rank(b)), f(h)))
    empty = small.under(within(b, g + 1, g)).show(le(f(h), f(rank(b))), "behind it is nothing,")
    none = empty.for_all(b, why="nothing at all,")
    behind = small.witness(
        _some_place(g + 1), {k: g + 1}, all_small, none, why="so the place is behind it."
    )

    here = large.under(_split(g))
    is_large = here.given(lt(f(h), f(rank(g))), "If it is larger,")
    after = here.under(within(b, k, g - 1)).use(
        here.given(every(b, k, g - 1, le(f(h), f(rank(b)))), "as all from the place on are,"),
        why="those before it too,",
    )
    all_large = _all_to(here, k, after, is_large, le(f(h), f(rank(b))))
    stays = here.show(_split(g + 1), "so the place stays,", all_large)
    kept_place = here.witness(_some_place(g + 1), {k: k}, stays, why="and is one.")
    known = large.under(found(g))
    there = known.show(_some_place(g), "as there was one", known.given(found(g), "before."))
    still = known.choose(there, kept_place, "there is one.")

    more = p.under(le(0, g), in_order(rank, h)).supposing(found(g))
    step = more.show(found(g + 1), "Either way there is a place,", behind, still)
    return p.under(le(0, g), in_order(rank, h)).induction(
        found(g), g, 0, base, step, why="however long the list."
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


def _image(scope: Scope, entries: Fact, at: Any, index: Any) -> Fact:
    """An entry of the longer list that is known, and f there."""
    entry = scope.use(entries, {b: at}, why="Take an entry:")
    known = scope.show(eq(longer(at), index), "it is known,", entry, by=rules.smt())
    value = scope.rewrite(eq(f(longer(at)), f(index)), "and f there.", known)
    return scope.show(Both(known.formula, value.formula), "So", known, value)


def _longer(p: Proof) -> Fact:
    """A list with the next number put in its place is in order."""
    base = p.under(le(0, h), is_sorted(rank, h), _split(h), inserted)
    entries = base.given(inserted, "The longer list's entries:")
    ranges = base.given(in_range(rank, h), "the old ones are below h")
    order = base.given(in_order(rank, h), "and in order,")
    small = base.given(every(b, 0, k - 1, le(f(rank(b)), f(h))), "those before the place small,")
    large = base.given(every(b, k, h - 1, le(f(h), f(rank(b)))), "those after it large.")

    at_b = base.under(within(b, 0, h))
    entry = at_b.use(entries, why="An entry")
    old = at_b.under(lt(b, k)).use(ranges, {b: b}, why="is an old one,")
    late = at_b.under(lt(k, b)).use(ranges, {b: b - 1}, why="one moved by a place,")
    below = at_b.show(within(longer(b), 0, h), "or the new one, below h + 1;", entry, old, late)

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
            known = case.use(ranges, {b: index}, why="The old one is below h,")
            side = case.use(large if one == h else small, {b: index}, why="and on its side;")
            facts: tuple[Fact, ...] = known, side
        else:
            facts = (
                case.use(order, {b: one.args[0], c: two.args[0]}, why="Old ones are in order;"),
            )
        cases.append(case.show(goal, "so are these two.", *images, *facts))
    kept_order = pair.show(goal, "In every case", *cases).for_all(b, c)
    goal = is_sorted(longer, h + 1)
    return base.show(goal, "the longer list is in order.", below.for_all(b), kept_order)


def _proof(p: Proof) -> None:
    start = p.witness(_sorted(sp.S.Zero), {rank: sp.Lambda(z, 0)}, why="Nothing is in order.")
    place = _place(p)
    longer_list = _longer(p)
    here = p.under(le(0, h), is_sorted(rank, h))
    ordered = here.given(in_order(rank, h), "If h numbers are in order,")
    there = here.use(place, {g: h}, ordered, why="the next has a place,", goal=_some_place(h))
    append = p.witness(
        Some((longer(z),), inserted),
        {
            longer: sp.Lambda(
                b, sp.Piecewise((rank(b), b < k), (h, sp.Eq(b, k)), (rank(b - 1), True))
            )
        },
        why="and there is the list with it in its place,",
    )
    chosen = here.under(_split(h))
    ahead = chosen.under(inserted)
    done = ahead.witness(_sorted(h + 1), {rank: longer}, longer_list, why="in order;")
    in_place = chosen.choose(append, done, "as there is")
    with_rank = here.choose(there, in_place, "for any such place,")
    more = p.under(le(0, h))
    given = more.given(_sorted(h), "So, if h numbers can be put in order,")
    step = given.scope.choose(given, with_rank, "h + 1 can.")
    number = more.induction(_sorted(h), h, 0, start, step, why="Any number can,")
    p.use(number, {h: n}, NUMBER, why="in particular n.", goal=p.goal)


SUMS_SORTED = prove(
    SORTED,
    _proof,
    Attack(
        {"as they are": is_sorted(sp.Lambda(z, z), n), "in any list": is_sorted(rank, n)},
        at={"as they are": {n: 2, f(0): 1, f(1): 0}, "in any list": {n: 2, rank(0): 0, rank(1): 0}},
        idle={NUMBER: "a list of no entries is in order"},
    ),
)

CLAIMS = (SUMS_SORTED,)
