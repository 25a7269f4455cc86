"""Farkas' lemma: a linear form is a combination of others, or a point tells it from them.

The proof is D. Bartl's, by induction on the number of forms: it needs no limits.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, m, n
from ropeproof.theory.library.duality.combination import (
    alternative,
    at,
    combined,
    combines,
    factor,
    form,
    h,
    k,
    last,
    none,
    of,
    one_more,
    other,
    point,
    separates,
    target,
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


# -- the step --------------------------------------------------------------------------------


def _combination(count: Any) -> Any:
    return Some((factor(h),), combines(factor, count))


def _told(count: Any) -> Any:
    return Some((point(h),), separates(point, count))


pivot = at(of(m), point)
share = at(of(m), other) / pivot


def _bent(index: Any, coordinate: Any) -> Any:
    """The form minus the multiple of the last that makes it 0 at the point."""
    return form(index, coordinate) - at(of(index), point) / pivot * form(m, coordinate)


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
        eq(at(of(i), place), at(of(m), place)), "the last", same.given(eq(i, m), "or")
    )
    each = here.show(le(at(of(i), place), 0), "all of them", before, equal, end)
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
        le(factor(i) * at(of(i), point), 0),
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
    same = _identity(front, bent.formula.lhs, at(of(i), moved))
    before = front.show(le(at(of(i), moved), 0), "as the form is at the moved point,", bent, same)
    parts = inside.show(value(of(m)), "the last", by=rules.identity())
    end = inside.show(le(at(of(m), moved), 0), "is 0,", parts, inside.given(lt(0, pivot)))
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
    more = one_more(p)
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
    start = none(p).for_all(form(i, k), target(k))
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
