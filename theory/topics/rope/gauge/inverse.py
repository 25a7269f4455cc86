"""At lag 0 the changes of queries and keys undo each other; at lag 1 they commute with the rotation."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.library.duality import injective
from ropeproof.theory.library.duality.injective import DUALITY_INJECTIVE
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane, whether
from ropeproof.theory.library.sums.indicators import f as picked
from ropeproof.theory.topics.rope.gauge.terms import (
    PLANES,
    TWO_LAGS,
    a,
    as_instance,
    b,
    c,
    commutes,
    coordinate,
    diagonal,
    f,
    halves,
    intertwines,
    inverse,
    inverses,
    j,
    key,
    logit_of,
    on_key,
    on_query,
    over,
    over_planes,
    planes,
    quarter,
    query,
    share,
    times,
    unit,
)

e = integer("e")
vector = real_function("w")
Vector = Any
"""A function from a coordinate to a term."""


def picks(at: Scope, matrix: Any, column: Any, place: Any) -> Fact:
    """A matrix takes a unit vector to its column, in one row."""
    return at.lemma(
        SUMS_INDICATOR,
        {m: 2 * m, plane: column, picked: sp.Lambda(b, matrix(place, b))},
        why="A matrix takes a unit vector to its column.",
        goal=eq(times(matrix, unit(column))(place), matrix(place, column)),
    )


def column(of: Any) -> Vector:
    """A column of A."""
    return lambda place: on_query(place, of)


def of_column(p: Proof, at: Any) -> Fact:
    """The logit of a column of A and B times a vector is that of the unit vector and the vector."""
    here = p.under(within(c, 0, 2 * m - 1))
    entries = [picks(here, on_query, c, place) for place in (l, l + m)]
    moved = times(on_key, key)
    term = here.rewrite(
        eq(share(at, times(on_query, unit(c)), moved), share(at, column(c), moved)),
        "So the column stands for A times the unit vector.",
        *entries,
    ).summed(l, 0, m - 1, "Sum over the planes.")
    said = here.use(
        TWO_LAGS,
        {query: sp.Lambda(a, indicator(a, c)), key: key},
        why="Take a unit vector for the query.",
        goal=eq(logit_of(times(on_query, unit(c)), moved, at), logit_of(unit(c), key, at)),
    )
    return here.step(
        eq(logit_of(column(c), moved, at), logit_of(unit(c), key, at)),
        rules.chain(),
        "So this is the logit of the unit vector.",
        term,
        said,
    )


def lag_zero(p: Proof) -> Fact:
    """A column of A and B times a vector have the vector's coordinate as their inner product."""
    said = of_column(p, sp.Integer(0))
    here = said.scope
    half = p.use(
        halves(p),
        {f: sp.Lambda(b, indicator(b, c) * key(b))},
        why="The sum over the planes is one over the coordinates.",
    )
    pick = here.lemma(
        SUMS_INDICATOR,
        {m: 2 * m, plane: c, picked: key},
        why="The unit vector picks one coordinate.",
    )
    return here.show(
        eq(said.formula.lhs, key(c)), "So the inner product is this coordinate.", (said, half, pick)
    )


def lag_one(p: Proof, second: bool) -> Fact:
    """At lag 1 the logit of a column of A is a coordinate of the turned vector."""
    said = of_column(p, sp.Integer(1))
    of = j + m if second else j
    here = p.under(within(j, 0, m - 1))
    at = here.use(said, {c: of}, PLANES, why="Take a column of this half.")
    inside = here.under(within(l, 0, m - 1))
    nothing = inside.show(
        eq(indicator(l, of) if second else indicator(l + m, of), 0),
        "The unit vector is 0 on the other half.",
        PLANES,
    )
    sign = -1 if second else 1
    value = sp.cos(theta(l)) * key(l + m if second else l) + sign * sp.sin(theta(l)) * key(
        l if second else l + m
    )
    term = inside.show(
        eq(share(sp.Integer(1), unit(of), key), indicator(l, j) * value),
        "So only its own plane contributes.",
        nothing,
    ).summed(l, 0, m - 1, "Sum over the planes.")
    pick = here.lemma(
        SUMS_INDICATOR,
        {plane: j, picked: sp.Lambda(l, value)},
        why="The unit vector picks one plane.",
    )
    return here.chain(at, term, pick, why="So the logit is a coordinate of the turned vector.")


def _difference(second: bool) -> tuple[Any, Any]:
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


def _orthogonal(p: Proof, zero: Fact, second: bool) -> Fact:
    """The difference is orthogonal to each column of B."""
    of, partner = (j + m, j) if second else (j, j + m)
    sign = -1 if second else 1
    here = p.under(within(j, 0, m - 1))
    one = lag_one(p, second)
    flat = [
        here.use(zero, {c: at}, PLANES, why="Take the inner product at lag 0 as well.")
        for at in (of, partner)
    ]
    moved = times(on_key, key)
    upper, lower = _difference(second)
    total = over_planes(upper * moved(l) + lower * moved(l + m))
    near, turned = sp.cos(theta(j)), sign * sp.sin(theta(j))
    spread = p.show(
        eq(
            total,
            logit_of(column(of), moved, sp.Integer(1))
            - near * logit_of(column(of), moved, sp.Integer(0))
            - turned * logit_of(column(partner), moved, sp.Integer(0)),
        ),
        "Sum the parts of the difference one by one.",
    )
    scaled = [
        fact.times(by, "Multiply by the cosine or the sine.")
        for fact, by in zip(flat, (near, turned), strict=True)
    ]
    gone = here.show(
        eq(total, 0),
        "So the difference is orthogonal to B times any vector.",
        (spread, one, scaled),
    )
    at = here.under(within(e, 0, 2 * m - 1))
    entries = [picks(at, on_key, e, place) for place in (l, l + m)]
    there = at.use(
        gone, {key: sp.Lambda(a, indicator(a, e))}, why="Take a unit vector for the key."
    )
    turned_ = times(on_key, unit(e))
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


def _as_vector(p: Proof, parts: tuple[Any, Any]) -> Fact:
    """There is a vector with given coordinates l and l + m."""

    def entry(of: Vector) -> Any:
        return Both(If(le(l, m - 1), eq(of(l), parts[0])), If(le(0, l), eq(of(l + m), parts[1])))

    def written(place: Any) -> Any:
        upper, lower = parts[0].subs(l, place), parts[1].subs(l, place - m)
        return sp.Piecewise((upper, place <= m - 1), (lower, True))

    shape = p.show(entry(written), "Write the coordinates of the difference one after the other.")
    return p.witness(
        Some((vector(a),), Every((l,), entry(vector))),
        {vector: written},
        shape.for_all(l, why="It is so in every plane."),
        why="So there is a vector with these coordinates.",
    )


def _vanishes(p: Proof, inverse_: Fact, orthogonal: Fact, second: bool) -> Fact:
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
        halves(p),
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
    size = p.show(le(0, 2 * m), "The number of coordinates is not negative.", PLANES)
    zero = kernel.scope.lemma(
        DUALITY_INJECTIVE,
        {
            injective.n: 2 * m,
            injective.left: sp.Lambda((a, b), on_key(b, a)),
            injective.right: on_query,
            injective.vector: vector,
        },
        (size, inverse_, kernel),
        why="As B^T A is the unit matrix, w is 0.",
    )
    there = zero.scope.under(within(l, 0, m - 1))
    found = []
    for place, part, fact in ((l, parts[0], upper), (l + m, parts[1], lower)):
        none = there.use(zero, {injective.e: place}, PLANES, why="So this coordinate is 0.")
        found.append(there.show(eq(part, 0), "So this part of the difference is 0.", fact, none))
    both = there.show(Both(eq(parts[0], 0), eq(parts[1], 0)), "So both parts are 0.", found)
    return there_without(p, exist, both)


def there_without(p: Proof, exist: Fact, both: Fact) -> Fact:
    """The fact without the vector that stood for the difference."""
    return p.under(within(l, 0, m - 1), within(j, 0, m - 1)).choose(
        exist, both, "There is such a vector, and the difference does not depend on it."
    )


def _inverse(p: Proof, zero: Fact) -> Fact:
    """A^T B is the unit matrix, its entry at (a, c)."""
    at = p.under(coordinate)
    here = p.under(within(a, 0, 2 * m - 1))
    flat = here.use(zero, {c: a}, why="Take the column a of A.")
    with_unit = at.use(
        flat, {key: sp.Lambda(b, indicator(b, c))}, why="Take a unit vector for the key."
    )
    entries = [picks(p.under(within(c, 0, 2 * m - 1)), on_key, c, place) for place in (l, l + m)]
    moved = times(on_key, unit(c))
    term = (
        p.under(within(c, 0, 2 * m - 1))
        .rewrite(
            eq(
                on_query(l, a) * on_key(l, c) + on_query(l + m, a) * on_key(l + m, c),
                on_query(l, a) * moved(l) + on_query(l + m, a) * moved(l + m),
            ),
            "So the column of B stands for B times the unit vector.",
            *entries,
        )
        .summed(l, 0, m - 1, "Sum over the planes.")
    )
    half = p.use(
        halves(p),
        {f: sp.Lambda(b, on_query(b, a) * on_key(b, c))},
        why="A sum over the coordinates is one over the planes.",
    )
    product = at.step(
        eq(half.formula.lhs, indicator(a, c)),
        rules.chain(),
        "So the entry of the product is the indicator.",
        half,
        term,
        with_unit,
    )
    return at.show(
        inverse(half.formula.lhs), "So the product is the unit matrix.", product, whether(p, (a, c))
    )


_kept = as_instance(diagonal(1), diagonal(1))
_turned_back = Every((l, j), If(planes, Both(*intertwines(l, j, back=-1))))


@theorem(
    "rope.gauge-commutes",
    source=Source("ropeproof", "own statement and proof; compare the Lean survey of Basu (2026)"),
    needs="PTX",
    hypotheses=(PLANES, TWO_LAGS),
    conclusion=Both(inverses, commutes),
    example=_kept,
    attack=Attack(
        {
            "A turns the rotation back": Both(inverses, _turned_back),
            "B is the inverse of A": Both(
                Every(
                    (key(a), c),
                    If(
                        within(c, 0, 2 * m - 1),
                        eq(over(on_query(c, b) * times(on_key, key)(b)), key(c)),
                    ),
                ),
                commutes,
            ),
        },
        at={
            "A turns the rotation back": _kept,
            "B is the inverse of A": as_instance(quarter, quarter),
        },
        idle={PLANES: "without planes there is no coordinate"},
        without={TWO_LAGS: as_instance(diagonal(0), diagonal(0))},
    ),
)
def ROPE_GAUGE_COMMUTES(p: Proof) -> None:
    r"""What keeps all logits at the lags 0 and 1 is inverse and transposed, and commutes with the rotation

    Any frequencies; real $2m\times2m$ matrices $A,B$ with $\langle R_iAq,R_jBk\rangle=\langle
    R_iq,R_jk\rangle$ for all $q,k$ at the lags $i-j=0$ and $i-j=1$. Then $A^\top Bk=k$ for all $k$, so
    $B=A^{-\top}$, and $R_1A=AR_1$.
    """
    zero = lag_zero(p)
    half = p.use(
        halves(p),
        {f: sp.Lambda(b, on_query(b, c) * times(on_key, key)(b))},
        why="A sum over the coordinates is one over the planes.",
    )
    undone = zero.scope.chain(half, zero, why="So A^T B k is k in this coordinate.")
    entry = _inverse(p, zero)
    turned = (
        p.under(coordinate)
        .show(
            inverse(over(on_key(b, a) * on_query(b, c))),
            "So B^T A is the unit matrix as well.",
            entry.scope.use(entry, {a: c, c: a}, why="Take the entry of the transpose."),
        )
        .for_all(a, c, why="It is so in every entry.")
    )
    parts = [_vanishes(p, turned, _orthogonal(p, zero, second), second) for second in (False, True)]
    both = p.under(planes).show(
        Both(*intertwines(l, j)), "So R_1 A and A R_1 have the same entries.", parts
    )
    p.qed(
        "These are the two parts of the claim.",
        undone.for_all(key(a), c, why="It is so for all vectors and coordinates."),
        both.for_all(l, j, why="It is so in every block."),
    )
