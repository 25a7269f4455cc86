"""Combinations of linear forms, and points that tell a form from others: two ends of Farkas' lemma.

Linear forms on points x_0, ..., x_{n-1} are lists of coefficients: a_i(x) = sum_k a_{ik} x_k.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, m, n
from ropeproof.theory.library.sums.terms import SUMS_ZERO_TERMS, f

k, h = integer("k h")
last = real("v")
form, target = real_function("a"), real_function("g")
point, other = real_function("x"), real_function("y")
factor, longer = real_function("lambda"), real_function("mu")


def at(coefficients: Any, place: Any) -> Any:
    """The value of a linear form at a point."""
    return sp.Sum(coefficients(k) * place(k), (k, 0, n - 1))


def of(index: Any) -> Any:
    """The coefficients of a form."""
    return lambda coordinate: form(index, coordinate)


def combined(factors: Any, count: Any, forms: Any = form) -> Any:
    """The k-th coefficient of the combination of the first `count` forms."""
    return sp.Sum(factors(i) * forms(i, k), (i, 0, count - 1))


def combines(factors: Any, count: Any, forms: Any = form, goal: Any = target) -> Any:
    """The target is the combination of the first `count` forms with factors that are not negative."""
    return Both(
        every(i, 0, count - 1, le(0, factors(i))),
        every(k, 0, n - 1, eq(goal(k), combined(factors, count, forms))),
    )


def separates(place: Any, count: Any, forms: Any = form, goal: Any = target) -> Any:
    """The first `count` forms are at most 0 at the point, and the target is positive there."""
    at_most = le(at(lambda coordinate: forms(i, coordinate), place), 0)
    return Both(every(i, 0, count - 1, at_most), lt(0, at(goal, place)))


def alternative(count: Any) -> Any:
    """The target is a combination of the forms, or some point tells it from them."""
    return Either(
        Some((factor(h),), combines(factor, count)), Some((point(h),), separates(point, count))
    )


def none(p: Proof) -> Fact:
    """Without forms: the target is 0, or it tells itself from nothing."""
    size = at(target, target)
    square = p.show(le(0, target(k) ** 2), "A square is not negative,", by=rules.smt())
    sign = square.summed(k, 0, n - 1, "nor is a sum of squares.")
    empty = p.under(within(i, 0, -1))
    nowhere = empty.show(le(at(of(i), target), 0), "There is no form,", by=rules.smt())
    positive = p.under(lt(0, size))
    there = positive.witness(
        Some((point(h),), separates(point, sp.S.Zero)),
        {point: target},
        (nowhere.for_all(i), positive.given(lt(0, size), "If it is positive")),
        why="the target's own coefficients are the point.",
    )
    zero = p.under(eq(size, 0))
    squares = zero.lemma(
        SUMS_ZERO_TERMS,
        {m: n, f: lambda place: target(place) ** 2},
        (square.for_all(k), zero.given(eq(size, 0), "If it is 0")),
        why="all squares are 0,",
    )
    bound = squares.formula.args[0][0]
    inside = zero.under(within(k, 0, n - 1))
    each = inside.use(squares, {bound: k}, why="each of them,")
    nothing = inside.show(
        eq(target(k), combined(lambda _: sp.S.Zero, sp.S.Zero)), "so is the target", each,
        by=rules.smt(),
    )  # fmt: skip
    combination = zero.witness(
        Some((factor(h),), combines(factor, sp.S.Zero)),
        {factor: sp.Lambda(h, 0)},
        nothing.for_all(k),
        why="the combination of no forms.",
    )
    cases = p.show(Either(lt(0, size), eq(size, 0)), "One of the two holds,", sign)
    return p.show(
        alternative(sp.S.Zero), "so there is one or the other.", cases, there, combination
    )


def _entry(factors: Any) -> Any:
    return Both(If(lt(i, m), eq(factors(i), factor(i))), If(eq(i, m), eq(factors(i), last)))


def _with_last(index: Any) -> Any:
    """The factors with one more at m."""
    return sp.Piecewise((factor(index), index < m), (last, True))


entries = Every((i,), _entry(longer))


def one_more(p: Proof) -> Fact:
    """A combination of m forms and a multiple of one more is a combination of m + 1."""
    signs = every(i, 0, m - 1, le(0, factor(i)))
    sums = every(k, 0, n - 1, eq(target(k), combined(factor, m) + last * form(m, k)))
    base = p.under(le(0, m), le(0, last), signs, sums)
    list_of_them = p.show(_entry(_with_last), "Put one more factor behind,", by=rules.smt())
    append = p.witness(
        Some((longer(h),), entries),
        {longer: _with_last},
        list_of_them.for_all(i),
        why="and there is the list with it,",
    )
    ahead = base.under(entries)
    known = ahead.given(entries, "its entries being these.")
    here = ahead.under(within(i, 0, m))
    entry = here.use(known, why="Each")
    old = here.under(lt(i, m)).use(here.given(signs), why="is an old one")
    sign = here.show(
        le(0, longer(i)),
        "or the new one, not negative;",
        entry,
        old,
        here.given(le(0, last), "as is c"),
    )
    front = ahead.under(within(i, 0, m - 1))
    before = front.show(
        eq(longer(i), factor(i)),
        "Those before the last are the old ones:",
        front.use(known, why="each is old or new."),
        by=rules.smt(),
    )
    term = front.show(eq(longer(i) * form(i, k), factor(i) * form(i, k)), "in the sum,", before)
    terms = term.summed(i, 0, m - 1, "term by term,")
    end = ahead.use(known, {i: m}, why="the last is the new one.")
    cut = ahead.last(combined(longer, m + 1), "Cut it off:", ahead.given(le(0, m)))
    place = ahead.under(within(k, 0, n - 1))
    split = place.use(place.given(sums), why="The target is this sum")
    total = place.show(
        eq(target(k), combined(longer, m + 1)), "with the new factors.", split, cut, terms, end,
        by=rules.smt(),
    )  # fmt: skip
    found = ahead.witness(
        Some((factor(h),), combines(factor, m + 1)),
        {factor: longer},
        (sign.for_all(i), total.for_all(k)),
        why="So they combine to the target;",
    )
    return base.choose(append, found, "there are such.")
