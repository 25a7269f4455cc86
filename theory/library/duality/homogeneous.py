"""Linear equations in more unknowns than there are equations have a solution that is not 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.library.sums.indicators import indicator, whether

k, e, h = integer("k e h")
matrix, unknown, longer = real_function("M"), real_function("z"), real_function("y")
MEANINGS: Meanings = {
    i: "an equation",
    n: "number of equations",
    k: "an unknown",
    matrix: "coefficients, by equation and unknown",
    unknown: "the unknowns",
}


def row(coefficients: Function, unknowns: Function, last: Term | int) -> Term:
    """The left side of equation i in the unknowns 0..last."""
    return sp.Sum(coefficients(i, k) * unknowns(k), (k, 0, last))


def solves(
    count: Term | int, coefficients: Function = matrix, unknowns: Function = unknown
) -> Formula:
    """The formula that some of the unknowns 0..count is not 0 and that they solve `count` equations."""
    return Both(
        some(k, 0, count, ne(unknowns(k), 0)),
        every(i, 0, count - 1, eq(row(coefficients, unknowns, count), 0)),
    )


def solvable(count: Term | int) -> Formula:
    """The formula that `count` equations in one more unknown have a solution that is not 0."""
    return Every((matrix(i, k),), Some((unknown(h),), solves(count)))


SIZE = Hypothesis("the number of equations is not negative", le(0, n))


def _no_equation(p: Proof) -> Fact:
    """No equation in one unknown: it may be 1."""
    ones = Every((h,), eq(unknown(h), 1))
    exist = p.witness(
        Some((unknown(h),), ones), {unknown: sp.Lambda(h, 1)}, why="Let the unknown be 1."
    )
    here = exist.body()
    place = here.witness(
        some(k, 0, 0, ne(unknown(k), 0)),
        {k: 0},
        why="Let z be 1. In particular z_0 is 1. So it is not 0. So some unknown is not 0.",
    )
    found = here.witness(
        Some((unknown(h),), solves(sp.Integer(0))),
        {unknown: unknown},
        place,
        why="There is no equation to solve. So all equations hold. So there is a solution that "
        "is not 0.",
    )
    return p.choose(exist, found, "Such an unknown exists.").for_all(
        matrix(i, k), why="It is so for all coefficients."
    )


_last = matrix(i, n + 1)
_pivot = matrix(e, n + 1)


def _only_last(p: Proof) -> Fact:
    """If no equation contains the last unknown, it may be 1 and the others 0."""
    given = Both(
        *(If(relation(h, n + 1), eq(unknown(h), value)) for relation, value in ((eq, 1), (ne, 0)))
    )
    exist = p.witness(
        Some((unknown(h),), Every((h,), given)),
        {unknown: lambda place: sp.Piecewise((1, eq(place, n + 1)), (0, True))},
        why="Let the last unknown be 1 and the others 0. It is so at every place. So there are "
        "such unknowns.",
    )
    absent = every(i, 0, n, eq(_last, 0))
    here = exist.body().under(le(0, n))
    known = here.given(exist.formula.args[1], "Let z be such unknowns.")
    place = here.witness(
        some(k, 0, n + 1, ne(unknown(k), 0)),
        {k: n + 1},
        known,
        why="The last one is 1. So it is not 0. So some unknown is not 0.",
    )
    inside = here.under(within(k, 0, n))
    other = inside.use(known, {h: k}, why="Any other one is 0.", goal=eq(unknown(k), 0))
    rest = other.times(matrix(i, k), "Multiply by its coefficient.").summed(
        k, 0, n, "So the other unknowns add nothing."
    )
    cut = here.last(row(matrix, unknown, n + 1), "Split off the last unknown.")
    none = here.supposing(absent).given(absent, "Suppose that no equation contains it.")
    equation = none.scope.under(within(i, 0, n))
    last = equation.use(none, why="This equation does not contain the last unknown.")
    holds = equation.show(
        eq(row(matrix, unknown, n + 1), 0), "So the equation holds.", (rest, cut, last)
    )
    found = none.scope.witness(
        Some((unknown(h),), solves(n + 1)),
        {unknown: unknown},
        (place, holds.for_all(i, why="So all equations hold.")),
        why="So there is a solution that is not 0.",
    )
    return p.under(le(0, n)).supposing(absent).choose(exist, found, "There are such unknowns.")


def substituted(formula: Any, value: Any) -> Any:
    """The formula for unknowns that are given by a function of the place."""
    return substitute(formula, as_values({unknown: value}, formula))


def _eliminated(of: Term, place: Term) -> Term:
    """A coefficient of an equation without the last unknown, by the pivot's equation."""
    return matrix(of, place) * _pivot - matrix(of, n + 1) * matrix(e, place)


def _reduced(of: Term, place: Term) -> Term:
    """The n equations that are left: the last one stands where the pivot's equation stood."""
    return _eliminated(of, place) + indicator(of, e) * _eliminated(n, place)


def _pivoted(p: Proof) -> Fact:
    """With a pivot the last unknown is eliminated."""
    hypothesis = p.under(le(0, n)).given(solvable(n), "Suppose that n equations are solvable so.")
    here = hypothesis.scope.under(within(e, 0, n), ne(_pivot, 0))
    smaller = here.use(
        hypothesis,
        {matrix: sp.Lambda((i, k), _reduced(i, k))},
        why="Then the n equations without the last unknown have a solution that is not 0.",
    )
    inner = smaller.body()
    not_zero, solved = (
        inner.given(part, "Let z be such a solution.") for part in smaller.formula.args[1].args
    )
    zero = inner.under(within(i, 0, n - 1)).use(solved, why="So this equation holds here.")
    each = zero.scope.show(
        eq(_left(i) + indicator(i, e) * _left(n), 0),
        "Sum the two parts of an equation. So its two parts add up to 0.",
        zero,
    )
    differ = whether(p, (i, e))[1]
    other = inner.under(within(i, 0, n - 1), ne(i, e)).show(
        eq(_left(i), 0),
        "An equation other than that in the pivot's place is as it was.",
        (each, differ),
        by=rules.smt(),
    )
    own = inner.under(eq(i, e)).rewrite(
        eq(_left(i), 0),
        "The pivot's own equation loses all terms. The pivot's equation has no terms left.",
        inner.under(eq(i, e)).given(eq(i, e), "Take the pivot's equation."),
    )
    moved = inner.under(le(e, n - 1)).use(
        each, {i: e}, why="The last equation stands in the pivot's place."
    )
    last_one = moved.scope.show(
        eq(_left(n), 0), "So the last equation holds without the last unknown.", moved
    )
    at_end = last_one.scope.under(eq(i, n))
    same = at_end.rewrite(
        eq(_left(i), _left(n)), "Take the last equation.", at_end.given(eq(i, n), "Let i be n.")
    )
    ends = at_end.chain(same, last_one, why="So it holds without the last unknown.")
    there = inner.under(within(i, 0, n))
    every_one = there.show(
        eq(_left(i), 0),
        "So every equation holds without the last unknown.",
        (other, own, ends),
        by=rules.smt(),
    )
    return here.choose(
        smaller,
        _with_last(inner, not_zero, every_one),
        "The smaller system has such a solution, and the conclusion does not depend on it.",
    )


def _left(of: Term) -> Term:
    """The left side of an equation without the last unknown."""
    return sp.Sum(_eliminated(of, k) * unknown(k), (k, 0, n))


def _with_last(inner: Scope, not_zero: Fact, every_one: Fact) -> Fact:
    """The last unknown from the pivot's equation."""
    p = inner.proof
    before = sp.Sum(matrix(e, k) * unknown(k), (k, 0, n))
    value = -before / _pivot

    def entry(of: Function) -> Formula:
        return Both(If(le(h, n), eq(of(h), unknown(h))), If(eq(h, n + 1), eq(of(h), value)))

    def shape(place: Term) -> Term:
        return sp.Piecewise((unknown(place), place <= n), (value, True))

    exist = p.witness(
        Some((longer(h),), Every((h,), entry(longer))),
        {longer: shape},
        why="Append the last unknown, from the pivot's equation. It is so at every place. So "
        "there are such unknowns.",
    )
    here = inner.under(exist.formula.args[1])
    known = here.given(exist.formula.args[1], "Let y be these unknowns.")
    inside = here.under(within(k, 0, n))
    old = inside.use(
        known, {h: k}, why="The first n + 1 unknowns are as before.", goal=eq(longer(k), unknown(k))
    )
    rest = old.times(matrix(i, k), "Multiply by the coefficient.").summed(
        k, 0, n, "So they add the same."
    )
    end = here.use(
        known,
        {h: n + 1},
        why="The last one is from the pivot's equation.",
        goal=eq(longer(n + 1), value),
    )
    cut = here.last(row(matrix, longer, n + 1), "Split off the last unknown.")
    equation = here.under(within(i, 0, n))
    holds = equation.show(
        eq(row(matrix, longer, n + 1), 0),
        "Sum the two parts of an equation without the last unknown. The pivot times the last "
        "unknown is minus this sum. Multiply by the coefficient. Multiply by the pivot. So "
        "the pivot times the left side is 0. As the pivot is not 0, the equation holds.",
        (rest, cut, end, every_one),
        by=rules.smt(),
    )
    which = not_zero.formula
    at = here.under(which.args[1])
    place = at.witness(
        some(k, 0, n + 1, ne(longer(k), 0)),
        {k: k},
        known,
        why="This unknown is as before. So it is not 0. So some unknown is not 0.",
    )
    nonzero = here.choose(not_zero, place, "One unknown is not 0.")
    found = here.witness(
        Some((unknown(h),), solves(n + 1)),
        {unknown: longer},
        (nonzero, holds.for_all(i, why="So all equations hold.")),
        why="So there is a solution that is not 0.",
    )
    return inner.choose(exist, found, "There are such unknowns.")


@theorem(
    "duality.homogeneous",
    source=Source("textbook", "systems of linear equations"),
    hypotheses=(SIZE,),
    conclusion=solvable(n),
    attack=Attack(
        {"any unknowns solve them": solves(n), "no such system": Negation(solvable(n))},
        at={
            "any unknowns solve them": {
                n: 1,
                **listed(unknown, 1, 1),
                matrix(0, 0): 1,
                matrix(0, 1): 1,
            }
        },
        unshown={
            SIZE: "of no unknowns none differs from 0; no instance shows that for all coefficients"
        },
    ),
)
def DUALITY_HOMOGENEOUS(p: Proof) -> None:
    r"""Linear equations in more unknowns than there are equations have a solution that is not 0

    For all real $M_{ik}$, $i<n$, $k\le n$, there are numbers $z_0,\dots,z_n$, not all 0, with
    $\sum_{k\le n}M_{ik}z_k=0$ for all $i<n$.
    """
    start, without, pivoted = _no_equation(p), _only_last(p), _pivoted(p)
    step = p.under(le(0, n), solvable(n))
    goal = Some((unknown(h),), solves(n + 1))
    pivot = some(e, 0, n, ne(_pivot, 0))
    found = step.supposing(pivot).given(
        pivot, "Suppose that some equation contains the last unknown."
    )
    first = found.scope.choose(found, pivoted, "Then there is a solution, whichever it is.")
    seen = p.under(within(i, 0, n), ne(_last, 0)).witness(
        pivot, {e: i}, why="A coefficient of the last unknown that is not 0 is a pivot."
    )
    none = (
        p.under(Negation(pivot), within(i, 0, n))
        .show(eq(_last, 0), "Without a pivot the coefficient is 0.", seen, by=rules.smt())
        .for_all(i, why="So no equation contains the last unknown.")
    )
    solved = step.show(
        goal,
        "Some equation contains the last unknown, or none does. In both cases there is a "
        "solution that is not 0.",
        (none, first, without),
    )
    p.induction(
        solvable(n),
        n,
        0,
        start,
        solved.for_all(matrix(i, k), why="It is so for all coefficients."),
        SIZE,
        why="By induction on the number of equations.",
    )
