"""Linear inequalities in nonnegative unknowns have a solution, or a combination refutes them."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, m, n
from ropeproof.theory.library.duality.combination import factor, form, h, k, point
from ropeproof.theory.library.duality.farkas import DUALITY_FARKAS
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane

matrix = real_function("M")
bound, solution, weight = real_function("b"), real_function("z"), real_function("w")
MEANINGS: Meanings = {
    i: "an unknown",
    m: "number of unknowns",
    n: "number of inequalities",
    k: "an inequality",
    matrix: "coefficients",
    bound: "right sides",
    solution: "the unknowns",
    weight: "weights of the inequalities",
}


def row(unknowns: Callable[..., Term]) -> Term:
    """The left side of inequality k, with the given unknowns."""
    return sp.Sum(matrix(k, i) * unknowns(i), (i, 0, m - 1))


def column(weights: Function) -> Term:
    """The coefficient of unknown i in the combination of inequalities with given weights."""
    return sp.Sum(matrix(k, i) * weights(k), (k, 0, n - 1))


def solves(unknowns: Callable[..., Term]) -> Formula:
    """The formula that the unknowns are nonnegative and satisfy every inequality."""
    return Both(
        every(i, 0, m - 1, le(0, unknowns(i))), every(k, 0, n - 1, le(bound(k), row(unknowns)))
    )


def refutes(weights: Function) -> Formula:
    """The formula that the combination of the inequalities with the weights is contradictory.

    The weights are nonnegative, all coefficients of the combination at most 0, and its bound positive.
    """
    return Both(
        every(k, 0, n - 1, le(0, weights(k))),
        every(i, 0, m - 1, le(column(weights), 0)),
        lt(0, sp.Sum(bound(k) * weights(k), (k, 0, n - 1))),
    )


UNKNOWNS = Hypothesis("the number of unknowns is not negative", le(0, m))
INEQUALITIES = Hypothesis("the number of inequalities is not negative", le(0, n))
SOLVED = Some((solution(h),), solves(solution))
REFUTED = Some((weight(h),), refutes(weight))


# Farkas' forms are the columns and, for what an inequality leaves over, minus each coordinate
def _entry(forms: Function) -> Formula:
    return Both(
        If(lt(i, m), eq(forms(i, k), matrix(k, i))),
        If(le(m, i), eq(forms(i, k), -indicator(k, i - m))),
    )


def _form(index: Term, coordinate: Term) -> Term:
    slack = -indicator(coordinate, index - m)
    return sp.Piecewise((matrix(coordinate, index), index < m), (slack, True))


forms = Every((i, k), _entry(form))


_ONE = {m: 1, n: 1, matrix(0, 0): 1, bound(0): 2, solution(0): 0, weight(0): 0}


@theorem(
    "duality.alternative",
    source=Source("textbook", "Farkas' lemma"),
    hypotheses=(UNKNOWNS, INEQUALITIES),
    conclusion=Either(SOLVED, REFUTED),
    attack=Attack(
        {
            "any unknowns, or any weights": Either(solves(solution), refutes(weight)),
            "unknowns 1, or the bounds as weights": Either(
                solves(lambda _: sp.S.One), refutes(bound)
            ),
        },
        at=dict.fromkeys(
            ("any unknowns, or any weights", "unknowns 1, or the bounds as weights"), _ONE
        ),
        idle={
            UNKNOWNS: "fewer than no unknowns are none",
            INEQUALITIES: "fewer than no inequalities are none",
        },
    ),
)
def DUALITY_ALTERNATIVE(p: Proof) -> None:
    r"""Linear inequalities have a solution that is not negative, or a combination refutes them

    Either some $z\ge0$ has $\sum_{i<m}M_{ki}z_i\ge b_k$ for all $k<n$, or some weights $w\ge0$ have
    $\sum_{k<n}M_{ki}w_k\le0$ for all $i<m$ and $\sum_kb_kw_k>0$.
    """
    size = (UNKNOWNS, INEQUALITIES)
    there = p.witness(
        Some((form(h, k),), forms),
        {form: _form},
        why="Let the forms be the columns of M and, behind them, minus each coordinate. So there "
        "are forms a with these coefficients.",
    )
    scope = p.under(forms)
    known = scope.given(forms, "Let a be forms of this kind.")
    either = scope.lemma(
        DUALITY_FARKAS.at(m=m + n, g=bound),
        size,
        why="By Farkas' lemma the bounds are a combination of the forms or a point separates them.",
    )
    combination, told = either.formula.args

    first = scope.under(combination.args[1])
    signs, sums = (
        first.given(part, "Suppose that the bounds are a combination of the forms.")
        for part in combination.args[1].args
    )
    sign = first.under(within(i, 0, m - 1)).use(
        signs, size, why="The factor of column i is not negative."
    )
    place = first.under(within(k, 0, n - 1))
    total = place.use(sums, why="The bound b(k) is the sum of the forms with their factors.")
    cut = place.split(total.formula.rhs, m - 1, "Split the sum after the columns of M.", size)
    column_at = place.under(within(i, 0, m - 1))
    columns = column_at.show(
        eq(factor(i) * form(i, k), matrix(k, i) * factor(i)),
        "Multiply this coefficient by the factor lambda(i).",
        column_at.use(known, why="The form i below m is the column i of M."),
        by=rules.smt(),
    ).summed(i, 0, m - 1, "Sum this equation over the m columns of M.")
    slack_at = place.under(within(i, m, m + n - 1))
    slacks = slack_at.show(
        le(factor(i) * form(i, k), 0),
        "So the product of the coefficient and the factor is at most 0.",
        slack_at.use(
            known,
            why="The form i from m on is minus a coordinate, so its coefficients are at most 0.",
        ),
        slack_at.use(signs, UNKNOWNS, why="Its factor lambda(i) is not negative."),
    ).summed(i, m, m + n - 1, "Sum this inequality over the forms from m on.")
    holds = place.show(
        le(bound(k), row(factor)),
        "So the bound b(k) is at most the left side of its inequality.",
        (total, cut, columns, slacks),
    )
    solved = first.witness(
        SOLVED,
        {solution: factor},
        (sign.for_all(i), holds.for_all(k)),
        why="So the factors of the columns solve the inequalities.",
    )

    second = scope.under(told.args[1])
    signs, positive = (
        second.given(part, "Suppose that a point x separates the bounds from the forms.")
        for part in told.args[1].args
    )
    at_column = second.under(within(i, 0, m - 1))
    value_at = at_column.use(signs, size, why="The form of column i is at most 0 at x.")
    entry = at_column.under(within(k, 0, n - 1))
    same_sum = entry.show(
        eq(form(i, k) * point(k), matrix(k, i) * point(k)),
        "Multiply the coefficient of column i by the coordinate x(k).",
        entry.use(known),
        by=rules.smt(),
    ).summed(k, 0, n - 1, "Sum this equation over all coordinates.")
    low = at_column.show(
        le(column(point), 0),
        "So the combination of column i with the weights x is at most 0.",
        (value_at, same_sum),
    )
    here = second.under(within(plane, 0, n - 1))
    coordinate = here.use(
        signs, {i: m + plane}, UNKNOWNS, why="The form of minus the coordinate p is at most 0 at x."
    )
    entry = here.under(within(k, 0, n - 1))
    minus_sum = entry.show(
        eq(form(m + plane, k) * point(k), -(indicator(k, plane) * point(k))),
        "Multiply the coefficient of this form by the coordinate x(k).",
        (entry.use(known, {i: m + plane, k: k}), UNKNOWNS),
    ).summed(k, 0, n - 1, "Sum this equation over all coordinates.")
    picked = here.apply(
        SUMS_INDICATOR.at(f=point), why="The sum against the indicator of p is the coordinate x(p)."
    )
    every_one = here.show(
        le(0, point(plane)),
        "So the coordinate x(p) is not negative.",
        (coordinate, minus_sum, picked),
    ).for_all(plane)
    refuted = second.witness(
        REFUTED,
        {weight: point},
        (every_one, low.for_all(i), positive),
        why="So the weights x refute the inequalities.",
    )
    found = []
    for existence, fact in ((combination, solved), (told, refuted)):
        some_ = scope.given(existence, "Suppose that values of this kind exist.")
        found.append(
            some_.scope.choose(
                some_,
                fact,
                "Values of this kind exist, and the conclusion does not depend on them.",
            )
        )
    ends = scope.show(p.goal, "So the inequalities are either solved or refuted.", either, *found)
    p.choose(there, ends, "Forms a of this kind exist, and the conclusion does not depend on them.")
