"""The entries of R_1 A - A R_1 are 0 if A and B keep the logits at the lags 0 and 1."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.library.duality import injective
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.columns import Vector, lag_one, picks
from ropeproof.theory.topics.rope.gauge.terms import a, b, c, f, j, key, on_key, on_query

e = integer("e")
vector = real_function("w")


def _difference(second: bool) -> tuple[Term, Term]:
    """R_1 A e - A R_1 e for a unit vector e: the coordinates l and l + m."""
    of, partner = (j + m, j) if second else (j, j + m)
    sign = -1 if second else 1
    along, across = sp.cos(theta(l)), sp.sin(theta(l))
    near, turned = sp.cos(theta(j)), sign * sp.sin(theta(j))
    first, other = on_query(l, of), on_query(l + m, of)
    return (
        along * first - across * other - (near * first + turned * on_query(l, partner)),
        across * first + along * other - (near * other + turned * on_query(l + m, partner)),
    )


def orthogonal(p: Proof, zero: Fact, second: bool) -> Fact:
    """The difference is orthogonal to each column of B."""
    of, partner = (j + m, j) if second else (j, j + m)
    sign = -1 if second else 1
    here = p.under(within(j, 0, m - 1))
    one = lag_one(p, second)
    flat = [
        here.use(zero, {c: at}, terms.PLANES, why="Take the inner product at lag 0 as well.")
        for at in (of, partner)
    ]
    moved = terms.times(on_key, key)
    upper, lower = _difference(second)
    total = terms.over_planes(upper * moved(l) + lower * moved(l + m))
    near, turned = sp.cos(theta(j)), sign * sp.sin(theta(j))
    scaled = [
        fact.times(by, "Multiply by the cosine or the sine.")
        for fact, by in zip(flat, (near, turned), strict=True)
    ]
    gone = here.show(
        eq(total, 0),
        "Sum the parts of the difference one by one. So the difference is orthogonal to B "
        "times any vector.",
        (one, scaled),
    )
    at = here.under(within(e, 0, 2 * m - 1))
    entries = [picks(at, on_key, e, place) for place in (l, l + m)]
    there = at.use(
        gone, {key: sp.Lambda(a, indicator(a, e))}, why="Take a unit vector for the key."
    )
    turned_ = terms.times(on_key, terms.unit(e))
    term = at.rewrite(
        eq(
            upper * on_key(l, e) + lower * on_key(l + m, e),
            upper * turned_(l) + lower * turned_(l + m),
        ),
        "So the column of B stands for B times the unit vector.",
        *entries,
    )
    total_ = term.summed(l, 0, m - 1, "Sum over the planes.")
    return at.step(
        eq(total_.formula.lhs, 0),
        rules.chain(),
        "So the difference is orthogonal to the column.",
        total_,
        there,
    )


def _as_vector(p: Proof, parts: tuple[Term, Term]) -> Fact:
    """There is a vector with given coordinates l and l + m."""

    def entry(of: Vector) -> Formula:
        return Both(If(le(l, m - 1), eq(of(l), parts[0])), If(le(0, l), eq(of(l + m), parts[1])))

    def written(place: Term) -> Term:
        upper, lower = parts[0].subs(l, place), parts[1].subs(l, place - m)
        return sp.Piecewise((upper, place <= m - 1), (lower, True))

    return p.witness(
        Some((vector(a),), Every((l,), entry(vector))),
        {vector: written},
        why="Write the coordinates of the difference one after the other. It is so in every "
        "plane. So there is a vector with these coordinates.",
    )


def vanishes(p: Proof, inverse_: Fact, orthogonal: Fact, second: bool) -> Fact:
    """The difference is 0, as it is orthogonal to all columns of B."""
    parts = _difference(second)
    exist = _as_vector(p, parts)
    chosen = exist.body()
    known = chosen.given(exist.formula.args[1], "Let w be this vector.")
    here = chosen.under(within(l, 0, m - 1))
    upper, lower = (
        here.use(known, why=why, goal=eq(vector(place), part))
        for place, part, why in (
            (l, parts[0], "Its first half has these coordinates."),
            (l + m, parts[1], "Its second half has these."),
        )
    )
    half = p.use(
        terms.halves(p),
        {f: sp.Lambda(b, on_key(b, e) * vector(b))},
        why="A sum over the coordinates is one over the planes.",
    )
    term = here.rewrite(
        eq(half.formula.rhs.function, parts[0] * on_key(l, e) + parts[1] * on_key(l + m, e)),
        "Put in the coordinates of w.",
        upper,
        lower,
    ).summed(l, 0, m - 1, "Sum over the planes.")
    at = chosen.under(within(j, 0, m - 1), within(e, 0, 2 * m - 1))
    kernel = at.step(
        eq(half.formula.lhs, 0),
        rules.chain(),
        "So w is orthogonal to each column of B.",
        half,
        term,
        orthogonal,
    ).for_all(e, why="It is so for all columns.")
    zero = kernel.scope.lemma(
        injective.DUALITY_INJECTIVE.at(
            n=2 * m, A=sp.Lambda((a, b), on_key(b, a)), B=on_query, w=vector
        ),
        (terms.PLANES, inverse_, kernel),
        why="The number of coordinates is not negative. As B^T A is the unit matrix, w is 0.",
    )
    there = zero.scope.under(within(l, 0, m - 1))
    found = []
    for place, part, fact in ((l, parts[0], upper), (l + m, parts[1], lower)):
        none = there.use(zero, {injective.e: place}, terms.PLANES, why="So this coordinate is 0.")
        found.append(there.show(eq(part, 0), "So this part of the difference is 0.", fact, none))
    both = there.show(Both(eq(parts[0], 0), eq(parts[1], 0)), "So both parts are 0.", found)
    return _without(p, exist, both)


def _without(p: Proof, exist: Fact, both: Fact) -> Fact:
    """The fact without the vector that stood for the difference."""
    return p.under(within(l, 0, m - 1), within(j, 0, m - 1)).choose(
        exist, both, "There is such a vector, and the difference does not depend on it."
    )
