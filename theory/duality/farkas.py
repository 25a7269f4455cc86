"""Farkas' lemma: a linear form is a combination of others, or a point tells it from them.

Linear forms on points x_0, ..., x_{n-1} are lists of coefficients: a_i(x) = sum_k a_{ik} x_k.
The proof is D. Bartl's, by induction on the number of forms: it needs no limits.
"""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, m, n
from ropeproof.theory.sums.terms import SUMS_ZERO_TERMS, f

k, h = integer("k h")
last = real("v")
form, target = real_function("a"), real_function("g")
point, other = real_function("x"), real_function("y")
factor, longer = real_function("lambda"), real_function("mu")


def at(coefficients: Any, place: Any) -> Any:
    """The value of a linear form at a point."""
    return sp.Sum(coefficients(k) * place(k), (k, 0, n - 1))


def _of(index: Any) -> Any:
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


def _always(count: Any) -> Any:
    return Every((form(i, k), target(k)), alternative(count))


NUMBER = Hypothesis("the number of forms is not negative", le(0, m))

_FARKAS = Claim(
    id="duality.farkas",
    title="A linear form is a combination of others, or a point tells it from them",
    statement=(
        r"For linear forms $a_0,\dots,a_{m-1}$ and $g$ in $n$ coordinates: either "
        r"$g=\sum_i\lambda_ia_i$ with factors $\lambda_i\ge0$, or there is a point $x$ with "
        r"$a_i(x)\le0$ for all $i$ and $g(x)>0$."
    ),
    source=Source("textbook", "Farkas' lemma"),
    needs=frozenset("PX"),
    hypotheses=(NUMBER,),
    conclusion=alternative(m),
)


def _none(p: Proof) -> Fact:
    """Without forms: the target is 0, or it tells itself from nothing."""
    size = at(target, target)
    square = p.show(le(0, target(k) ** 2), "A square is not negative,", by=rules.smt())
    sign = square.summed(k, 0, n - 1, "nor is a sum of squares.")
    empty = p.under(within(i, 0, -1))
    nowhere = empty.show(le(at(_of(i), target), 0), "There is no form,", by=rules.smt())
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
    sign_of = empty.show(le(0, sp.S.Zero), "no factors,", by=rules.smt())
    combination = zero.witness(
        Some((factor(h),), combines(factor, sp.S.Zero)),
        {factor: sp.Lambda(h, 0)},
        (sign_of.for_all(i), nothing.for_all(k)),
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


def _one_more(p: Proof) -> Fact:
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


# -- the step --------------------------------------------------------------------------------


def _combination(count: Any) -> Any:
    return Some((factor(h),), combines(factor, count))


def _told(count: Any) -> Any:
    return Some((point(h),), separates(point, count))


pivot = at(_of(m), point)
share = at(_of(m), other) / pivot


def _bent(index: Any, coordinate: Any) -> Any:
    """The form minus the multiple of the last that makes it 0 at the point."""
    return form(index, coordinate) - at(_of(index), point) / pivot * form(m, coordinate)


def _bent_target(coordinate: Any) -> Any:
    return target(coordinate) - at(target, point) / pivot * form(m, coordinate)


BENT = combines(factor, m, _bent, _bent_target), separates(other, m, _bent, _bent_target)


def _identity(scope: Scope, left: Any, right: Any) -> Fact:
    """An equation by the normal form."""
    return scope.show(eq(left, right), "which is the same as", by=rules.identity())


def _at_last(scope: Scope, place: Any, before: Fact, end: Fact) -> Fact:
    """All m + 1 forms are at most 0 at the place: those before the last, and the last."""
    here = scope.under(within(i, 0, m))
    same = here.under(eq(i, m))
    equal = same.rewrite(
        eq(at(_of(i), place), at(_of(m), place)), "the last", same.given(eq(i, m), "or")
    )
    each = here.show(le(at(_of(i), place), 0), "all of them", before, equal, end)
    return each.for_all(i, why="whichever.")


def _same_point(base: Scope) -> Fact:
    """The point serves for the last form too if that is at most 0 there."""
    low = base.under(le(pivot, 0))
    each = low.under(within(i, 0, m - 1)).use(
        low.given(separates(point, m).args[0], "The first m forms"), why="are at most 0 there,"
    )
    signs = _at_last(low, point, each, low.given(le(pivot, 0), "and so is the last:"))
    positive = low.given(separates(point, m).args[1], "The target is positive:")
    return low.witness(_told(m + 1), {point: point}, (signs, positive), why="the point will do.")


def _combined(high: Scope, more: Fact) -> Fact:
    """From a combination of the bent forms: one of the forms and the last."""
    inside = high.under(BENT[0])
    signs, sums = (inside.given(part, "They combine.") for part in BENT[0].args)
    front = inside.under(within(i, 0, m - 1))
    product = front.show(
        le(factor(i) * at(_of(i), point), 0),
        "A form is at most 0 at the point, and so is its multiple,",
        front.use(signs),
        front.use(front.given(separates(point, m).args[0])),
    )
    low = product.summed(i, 0, m - 1, "as is the combination.")
    amount = (at(target, point) - low.formula.lhs) / pivot
    at_least = inside.show(
        le(0, amount),
        "The target is positive there, and so is the last form,",
        low,
        inside.given(separates(point, m).args[1]),
        inside.given(lt(0, pivot)),
    )
    place = inside.under(within(k, 0, n - 1))
    bent = place.use(sums, why="The bent target is a sum,")
    apart = _identity(
        place, bent.formula.rhs, combined(factor, m) - low.formula.lhs / pivot * form(m, k)
    )
    whole = place.show(
        eq(target(k), combined(factor, m) + amount * form(m, k)), "so the target is.", bent, apart
    )
    return inside.use(
        more,
        {last: amount},
        (inside.given(le(0, m)), at_least, signs, whole.for_all(k)),
        why="That is a combination of m + 1 forms.",
        goal=_combination(m + 1),
    )


def _moved(high: Scope) -> Fact:
    """From a point that tells the bent target: one that tells the target, the last form being 0."""
    inside = high.under(BENT[1])
    signs, positive = (inside.given(part, "A point tells them.") for part in BENT[1].args)

    def moved(coordinate: Any) -> Any:
        return other(coordinate) - share * point(coordinate)

    def value(coefficients: Any) -> Any:
        return eq(
            at(coefficients, moved), at(coefficients, other) - share * at(coefficients, point)
        )

    front = inside.under(within(i, 0, m - 1))
    bent = front.use(signs, why="A bent form is at most 0 there,")
    same = _identity(front, bent.formula.lhs, at(_of(i), moved))
    before = front.show(le(at(_of(i), moved), 0), "as the form is at the moved point,", bent, same)
    parts = inside.show(value(_of(m)), "the last", by=rules.identity())
    end = inside.show(le(at(_of(m), moved), 0), "is 0,", parts, inside.given(lt(0, pivot)))
    same_target = _identity(inside, positive.formula.rhs, at(target, moved))
    above = inside.show(lt(0, at(target, moved)), "the target positive.", positive, same_target)
    return inside.witness(
        _told(m + 1),
        {point: moved},
        (_at_last(inside, moved, before, end), above),
        why="So the moved point tells them.",
    )


def _cases(scope: Scope, known: Fact, *cases: Fact) -> Fact:
    """The alternative for one form more, from that for the forms and each of its cases."""
    found = []
    for formula, case in zip(known.formula.args, cases, strict=True):
        existence = scope.given(formula, "Suppose so;")
        found.append(existence.scope.choose(existence, case, "then take such."))
    return scope.show(alternative(m + 1), "Either way.", known, *found)


def _next(p: Proof) -> Fact:
    more = _one_more(p)
    scope = p.under(le(0, m)).supposing(_always(m))
    induction = scope.given(_always(m), "Let it hold for m forms.")
    now = scope.use(induction, {form: form, target: target}, why="So for the first m:")
    inside = scope.under(combines(factor, m))
    zero = inside.use(
        more,
        {last: 0},
        inside.given(combines(factor, m), "If they combine to the target"),
        inside.given(le(0, m)),
        why="they do with 0 times the last.",
        goal=_combination(m + 1),
    )
    base = scope.under(separates(point, m))
    easy = _same_point(base)
    high = base.under(lt(0, pivot))
    bent = high.use(
        induction,
        {form: _bent, target: _bent_target},
        why="If not, the same for the bent forms:",
        goal=Either(Some((factor(h),), BENT[0]), Some((other(h),), BENT[1])),
    )
    hard = _cases(high, bent, _combined(high, more), _moved(high))
    cases = base.show(Either(le(pivot, 0), lt(0, pivot)), "Of the two cases one holds.")
    told = base.show(alternative(m + 1), "So it is in both.", cases, easy, hard)
    return _cases(scope, now, zero, told)


def _proof(p: Proof) -> None:
    start = _none(p).for_all(form(i, k), target(k))
    following = _next(p).for_all(form(i, k), target(k))
    every_number = p.under(le(0, m)).induction(_always(m), m, 0, start, following)
    p.use(every_number, {form: form, target: target}, NUMBER, why="In particular.", goal=p.goal)


_ONE = {m: 1, n: 1, form(0, 0): 1, target(0): 2, factor(0): 0, point(0): 0}

DUALITY_FARKAS = prove(
    _FARKAS,
    _proof,
    Attack(
        {
            "any factors, or any point": Either(combines(factor, m), separates(point, m)),
            "the forms' own sum, or the target as a point": Either(
                combines(lambda _: sp.S.One, m), separates(target, m)
            ),
        },
        at=dict.fromkeys(
            ("any factors, or any point", "the forms' own sum, or the target as a point"), _ONE
        ),
        idle={NUMBER: "fewer than no forms are none"},
    ),
)

CLAIMS = (DUALITY_FARKAS,)
