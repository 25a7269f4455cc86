"""Combinations of linear forms, and points that separate a form from others, for Farkas' lemma.

Linear forms on points x_0, ..., x_{n-1} are lists of coefficients: a_i(x) = sum_k a_{ik} x_k.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, m, n
from ropeproof.theory.library.sums.terms import SUMS_ZERO_TERMS

k, h = integer("k h")
last = real("v")
form, target = real_function("a"), real_function("g")
point, other = real_function("x"), real_function("y")
factor, longer = real_function("lambda"), real_function("mu")
MEANINGS: Meanings = {}


def at(coefficients: Callable[..., Term], place: Callable[..., Term]) -> Term:
    """The value of a linear form at a point."""
    return sp.Sum(coefficients(k) * place(k), (k, 0, n - 1))


def of(index: Term | int) -> Callable[..., Term]:
    """The coefficients of a form, as a function of the coordinate."""
    return lambda coordinate: form(index, coordinate)


def combined(
    factors: Callable[..., Term], count: Term | int, forms: Callable[..., Term] = form
) -> Term:
    """The k-th coefficient of the combination of the first `count` forms."""
    return sp.Sum(factors(i) * forms(i, k), (i, 0, count - 1))


def combines(
    factors: Callable[..., Term],
    count: Term | int,
    forms: Callable[..., Term] = form,
    goal: Callable[..., Term] = target,
) -> Formula:
    """The formula that the target is a nonnegative combination of the first `count` forms."""
    return Both(
        every(i, 0, count - 1, le(0, factors(i))),
        every(k, 0, n - 1, eq(goal(k), combined(factors, count, forms))),
    )


def separates(
    place: Function,
    count: Term | int,
    forms: Callable[..., Term] = form,
    goal: Callable[..., Term] = target,
) -> Formula:
    """The formula that the first `count` forms are at most 0 at the point, the target positive."""
    at_most = le(at(lambda coordinate: forms(i, coordinate), place), 0)
    return Both(every(i, 0, count - 1, at_most), lt(0, at(goal, place)))


def alternative(count: Term | int) -> Formula:
    """The formula that the target is a combination of the forms, or a point separates it."""
    return Either(
        Some((factor(h),), combines(factor, count)), Some((point(h),), separates(point, count))
    )


def none(p: Proof) -> Fact:
    """The alternative for no forms: the target is 0, or it is positive at its own coefficients."""
    size = at(target, target)
    square = p.show(le(0, target(k) ** 2), "The square of a coefficient is not negative.")
    sign = square.summed(k, 0, n - 1, "A sum of squares is not negative.")
    positive = p.under(lt(0, size))
    there = positive.witness(
        Some((point(h),), separates(point, sp.S.Zero)),
        {point: target},
        why="Without any form there is no index i, so the statement is vacuous. Consider the "
        "case that the sum of squares is positive. The target's own coefficients are then a "
        "point at which it is positive.",
    )
    zero = p.under(eq(size, 0))
    squares = zero.apply(
        SUMS_ZERO_TERMS,
        square,
        why="Consider the case that the sum of squares is 0. Squares are not negative, so each "
        "one is 0 if their sum is.",
    )
    inside = zero.under(within(k, 0, n - 1))
    each = inside.use(squares, why="In particular the square of the coefficient g(k) is 0.")
    nothing = inside.show(
        eq(target(k), combined(lambda _: sp.S.Zero, sp.S.Zero)),
        "So the coefficient g(k) is 0, which is the empty sum.",
        each,
    )
    combination = zero.witness(
        Some((factor(h),), combines(factor, sp.S.Zero)),
        {factor: sp.Lambda(h, 0)},
        nothing.for_all(k),
        why="So the target is the combination of no forms.",
    )
    return p.show(
        alternative(sp.S.Zero),
        "The sum of squares is either positive or 0. In both cases one of the two "
        "alternatives holds.",
        (sign, there, combination),
    )


def _entry(factors: Function) -> Formula:
    return Both(If(lt(i, m), eq(factors(i), factor(i))), If(eq(i, m), eq(factors(i), last)))


def _with_last(index: Term) -> Term:
    """The list of factors with one more appended at index m."""
    return sp.Piecewise((factor(index), index < m), (last, True))


entries = Every((i,), _entry(longer))


def one_more(p: Proof) -> Fact:
    """A combination of m forms and a multiple of one more is a combination of m + 1."""
    signs = every(i, 0, m - 1, le(0, factor(i)))
    sums = every(k, 0, n - 1, eq(target(k), combined(factor, m) + last * form(m, k)))
    base = p.under(le(0, m), le(0, last), signs, sums)
    append = p.witness(
        Some((longer(h),), entries),
        {longer: _with_last},
        why="Define a list that is lambda below m and v at m. So there is a list mu that agrees "
        "with lambda and ends with v.",
    )
    ahead = base.under(entries)
    known = ahead.given(entries, "Let mu be a list of this kind.")
    here = ahead.under(within(i, 0, m))
    entry = here.use(known, why="Take one entry mu(i) of this list.")
    old = here.under(lt(i, m)).use(
        here.given(signs), why="The old factor lambda(i) is not negative."
    )
    sign = here.show(
        le(0, longer(i)),
        "The new factor v is not negative. So mu(i), an old factor or the new one, is not "
        "negative.",
        (entry, old),
    )
    front = ahead.under(within(i, 0, m - 1))
    before = front.show(
        eq(longer(i), factor(i)),
        "Below m the entry mu(i) is the old factor lambda(i).",
        front.use(known, why="Take one entry mu(i) of this list."),
        by=rules.smt(),
    )
    terms = front.show(
        eq(longer(i) * form(i, k), factor(i) * form(i, k)),
        "Multiply this equation by the coefficient a(i, k).",
        before,
    ).summed(i, 0, m - 1, "Sum this equation over the first m forms.")
    end = ahead.use(known, {i: m}, why="At place m the list has the new factor v.")
    cut = ahead.last(combined(longer, m + 1), "Split off the term of the last form.")
    place = ahead.under(within(k, 0, n - 1))
    split = place.use(place.given(sums), why="The target's coefficient is this sum, by assumption.")
    total = place.show(
        eq(target(k), combined(longer, m + 1)),
        "So the target's coefficient is the sum with the factors mu.",
        (split, cut, terms, end),
    )
    found = ahead.witness(
        Some((factor(h),), combines(factor, m + 1)),
        {factor: longer},
        (sign.for_all(i), total.for_all(k)),
        why="So factors that are not negative combine the m + 1 forms to the target.",
    )
    return base.choose(append, found, "A list mu of this kind exists, so such factors do.")
