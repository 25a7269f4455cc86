"""Farkas' lemma: a linear form is a combination of others, or a point separates it from them.

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

MEANINGS: Meanings = {
    i: "a form",
    m: "number of forms",
    n: "number of coordinates",
    factor: "factors of the forms",
    form: "the forms, by form and coordinate",
    k: "a coordinate",
    point: "a point",
    target: "one more form, by coordinate",
}


def _always(count: Term) -> Formula:
    return Every((form(i, k), target(k)), alternative(count))


NUMBER = Hypothesis("the number of forms is not negative", le(0, m))


# -- the step --------------------------------------------------------------------------------


def _combination(count: Any) -> Any:
    return Some((factor(h),), combines(factor, count))


def _told(count: Term) -> Formula:
    return Some((point(h),), separates(point, count))


pivot = at(of(m), point)
share = at(of(m), other) / pivot


def _bent(index: Term, coordinate: Term) -> Term:
    """A form's coefficients less the multiple of the last form that makes it 0 at the point."""
    return form(index, coordinate) - at(of(index), point) / pivot * form(m, coordinate)


def _bent_target(coordinate: Term) -> Term:
    return target(coordinate) - at(target, point) / pivot * form(m, coordinate)


BENT = combines(factor, m, _bent, _bent_target), separates(other, m, _bent, _bent_target)


def _identity(scope: Scope, left: Term, right: Term) -> Fact:
    """An equation proved by the normal form."""
    return scope.show(eq(left, right), "Multiply out and take the quotient in front of the sum.")


def _at_last(scope: Scope, place: Callable[..., Term], before: Fact, end: Fact) -> Fact:
    """The fact that all m + 1 forms are at most 0 at the place, from the first m and the last."""
    here = scope.under(within(i, 0, m))
    same = here.under(eq(i, m))
    equal = same.rewrite(
        eq(at(of(i), place), at(of(m), place)),
        "The value of form i is then that of the last form.",
        same.given(eq(i, m), "Consider the last form, that with the index m."),
    )
    return here.show(
        le(at(of(i), place), 0),
        "In each case the value of form i is at most 0.",
        (before, equal, end),
    ).for_all(i, why="As i was arbitrary, all m + 1 forms are at most 0 at this point.")


def _same_point(base: Scope) -> Fact:
    """The same point serves for m + 1 forms if the last form is at most 0 there."""
    low = base.under(le(pivot, 0))
    each = low.under(within(i, 0, m - 1)).use(
        low.given(
            separates(point, m).args[0],
            "Suppose that the first m forms are at most 0 at the point x.",
        ),
        why="So the form i, one of the first m, is at most 0 there.",
    )
    signs = _at_last(
        low,
        point,
        each,
        low.given(le(pivot, 0), "Consider the case that the last form is at most 0 there too."),
    )
    return low.witness(
        _told(m + 1),
        {point: point},
        signs,
        why="The target is positive at the point x, by assumption. So x is a point that "
        "separates the target from all m + 1 forms.",
    )


def _combined(high: Scope, more: Fact) -> Fact:
    """From a combination of the reduced forms follows one of the first m forms and the last form."""
    inside = high.under(BENT[0])
    signs, sums = (
        inside.given(part, "Suppose that the forms so reduced combine to the reduced target.")
        for part in BENT[0].args
    )
    front = inside.under(within(i, 0, m - 1))
    low = front.show(
        le(factor(i) * at(of(i), point), 0),
        "The value of form i is at most 0 and its factor is not negative.",
        (front.use(signs), front.use(front.given(separates(point, m).args[0]))),
    ).summed(i, 0, m - 1, "Sum this inequality over the first m forms.")
    amount = (at(target, point) - low.formula.lhs) / pivot
    place = inside.under(within(k, 0, n - 1))
    bent = place.use(sums, why="The reduced target is the combination of the reduced forms.")
    apart = _identity(
        place, bent.formula.rhs, combined(factor, m) - low.formula.lhs / pivot * form(m, k)
    )
    whole = place.show(
        eq(target(k), combined(factor, m) + amount * form(m, k)),
        "So the target is a combination of the first m forms and the last.",
        (bent, apart),
    )
    return inside.use(
        more,
        {last: amount},
        (low, signs, whole),
        why="The numerator is not negative, and the last form is positive at x. So factors that "
        "are not negative combine the m + 1 forms to the target.",
    )


def _moved(high: Scope) -> Fact:
    """A point that separates the reduced target gives one that separates the target."""
    inside = high.under(BENT[1])
    signs, positive = (
        inside.given(
            part, "Suppose that a point y separates the reduced target from the reduced forms."
        )
        for part in BENT[1].args
    )

    def moved(coordinate: Term) -> Term:
        return other(coordinate) - share * point(coordinate)

    def value(coefficients: Any) -> Any:
        return eq(
            at(coefficients, moved), at(coefficients, other) - share * at(coefficients, point)
        )

    front = inside.under(within(i, 0, m - 1))
    bent = front.use(signs, why="At y the reduced form i is at most 0.")
    same = _identity(front, bent.formula.lhs, at(of(i), moved))
    before = front.show(
        le(at(of(i), moved), 0),
        "This is the value of form i at the point y moved along x.",
        (bent, same),
    )
    end = inside.show(
        le(at(of(m), moved), 0),
        "The last form vanishes at the moved point, by its choice. So the last form is at "
        "most 0 at the moved point.",
    )
    same_target = _identity(inside, positive.formula.rhs, at(target, moved))
    return inside.witness(
        _told(m + 1),
        {point: moved},
        (_at_last(inside, moved, before, end), positive, same_target),
        why="At the moved point the target has the value of the reduced target, a positive one. "
        "So the moved point separates the target from all m + 1 forms.",
    )


def _cases(scope: Scope, known: Fact, *cases: Fact) -> Fact:
    """The alternative for one form more, from each of the two cases for the forms."""
    found = []
    for formula, case in zip(known.formula.args, cases, strict=True):
        existence = scope.given(formula, "Suppose that values of this kind exist.")
        found.append(
            existence.scope.choose(
                existence,
                case,
                "Values of this kind exist, and the conclusion does not depend on them.",
            )
        )
    return scope.show(
        alternative(m + 1),
        "In both cases one of the two alternatives holds for m + 1 forms.",
        (known, *found),
    )


def _next(p: Proof) -> Fact:
    more = one_more(p)
    scope = p.under(le(0, m)).supposing(_always(m))
    induction = scope.given(
        _always(m), "Assume as induction hypothesis that the statement holds for any m forms."
    )
    now = scope.use(
        induction,
        {form: form, target: target},
        why="Apply the induction hypothesis to the first m forms.",
    )
    inside = scope.under(combines(factor, m))
    zero = inside.use(
        more,
        {last: 0},
        why="Suppose that the first m forms combine to the target. With factor 0 for the last "
        "form, all m + 1 forms combine to it.",
    )
    base = scope.under(separates(point, m))
    easy = _same_point(base)
    high = base.under(lt(0, pivot))
    bent = high.use(
        induction,
        {form: _bent, target: _bent_target},
        why="Apply the induction hypothesis to the forms and target with the last form eliminated.",
        goal=Either(Some((factor(h),), BENT[0]), Some((other(h),), BENT[1])),
    )
    hard = _cases(high, bent, _combined(high, more), _moved(high))
    told = base.show(
        alternative(m + 1),
        "The last form is either at most 0 at x or positive there. In both cases one of the "
        "two alternatives holds for m + 1 forms.",
        (easy, hard),
    )
    return _cases(scope, now, zero, told)


_ONE = {m: 1, n: 1, form(0, 0): 1, target(0): 2, factor(0): 0, point(0): 0}


@theorem(
    "duality.farkas",
    source=Source("textbook", "Farkas' lemma"),
    hypotheses=(NUMBER,),
    conclusion=alternative(m),
    attack=Attack(
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
def DUALITY_FARKAS(p: Proof) -> None:
    r"""A linear form is a combination of others, or a point tells it from them

    For linear forms $a_0,\dots,a_{m-1}$ and $g$ in $n$ coordinates: either $g=\sum_i\lambda_ia_i$
    with factors $\lambda_i\ge0$, or there is a point $x$ with $a_i(x)\le0$ for all $i$ and
    $g(x)>0$.
    """
    start = none(p).for_all(form(i, k), target(k))
    following = _next(p).for_all(form(i, k), target(k))
    every_number = p.under(le(0, m)).induction(_always(m), m, 0, start, following)
    p.use(
        every_number,
        {form: form, target: target},
        NUMBER,
        why="Apply this to the given forms and target.",
    )
