"""The powers of one matrix in its normal form: planes that turn and grow, and lone coordinates."""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.rope.only import two_sided
from ropeproof.theory.topics.rope.only.two_sided import (
    a,
    b,
    c,
    column,
    dimension,
    entries,
    for_key,
    for_query,
    i,
    j,
    over,
    p,
    r,
    row,
    step,
)

h, k = integer("h k")
basis, dual = real_function("V"), real_function("W")
in_plane, alone = real_function("Q"), real_function("N")
rate, factor = real_function("sigma"), real_function("lambda")
MEANINGS: Meanings = {
    **NOTATION,
    **two_sided.MEANINGS,
    theta: "angle of a plane",
    r: "a coordinate",
    h: "a lone coordinate",
    k: "a coordinate of the new basis",
    basis: "entries of the change of basis",
    dual: "entries of its inverse",
    rate: "rate of growth of a plane, negative if it decays",
    factor: "powers of the factor of a lone coordinate, by exponent and coordinate",
}

_last = (h, 2 * m, dimension - 1)

Coordinates = Callable[[Term], Term]
"""A vector's coordinate of a number."""


def turned(at: Term, plane: Term, x: Coordinates, y: Coordinates) -> Term:
    """What a plane contributes at a lag to the product of x and y."""
    along = x(plane) * y(plane) + x(plane + m) * y(plane + m)
    across = x(plane + m) * y(plane) - x(plane) * y(plane + m)
    angle = at * theta(plane)
    return sp.exp(at * rate(plane)) * (sp.cos(angle) * along + sp.sin(angle) * across)


def stretched(at: Term, place: Term, x: Coordinates, y: Coordinates) -> Term:
    """What a lone coordinate contributes."""
    return factor(at, place) * x(place) * y(place)


def in_planes(at: Term, x: Coordinates, y: Coordinates) -> Term:
    """The product of x and y at a lag: planes 0..m-1, lone coordinates 2m..d-1."""
    return sp.Sum(turned(at, l, x, y), (l, 0, m - 1)) + sp.Sum(stretched(at, h, x, y), _last)


def entry(at: Term, first: Term, second: Term) -> Term:
    """The entry of the power of the matrix that has this normal form."""
    return in_planes(at, lambda k: basis(first, k), lambda k: dual(k, second))


@named("x_{}[{}]", r"x_{{}}[{}]", "coordinate of the fixed map of a query", k, b)
def query_in(place: Term, of: Term) -> Term:
    """The coordinate of the query e_of: (A_0^T V)."""
    return over(a, for_query(0, a, of) * basis(a, place))


@named("y_{}[{}]", r"y_{{}}[{}]", "coordinate of the fixed map of a key", k, c)
def key_in(place: Term, of: Term) -> Term:
    """The coordinate of the key e_of: (W B_0)."""
    return over(r, dual(place, r) * for_key(0, r, of))


def image(place: Term, second: Term) -> Term:
    """The entry of W G(1)."""
    return over(c, dual(place, c) * step(1, c, second))


QUERY_INVERSE = Hypothesis(
    "C is the inverse of A_0",
    Every(
        (a, b),
        If(
            entries(a, b),
            two_sided.identity(
                over(
                    two_sided.v, for_query(0, a, two_sided.v) * two_sided.undo_query(two_sided.v, b)
                ),
                a,
                b,
            ),
        ),
    ),
)
PLANES = Hypothesis("the planes fit into the dimension", Both(le(0, m), le(2 * m, dimension)))
INVERSE = Hypothesis(
    "W is the inverse of V",
    Every((a, b), If(entries(a, b), two_sided.identity(over(k, basis(a, k) * dual(k, b)), a, b))),
)
_along = sp.exp(rate(l)) * (sp.cos(theta(l)) * dual(l, b) - sp.sin(theta(l)) * dual(l + m, b))
_across = sp.exp(rate(l)) * (sp.sin(theta(l)) * dual(l, b) + sp.cos(theta(l)) * dual(l + m, b))
TURNS = Hypothesis(
    "G(1) turns the planes by their angles and stretches them",
    Every(
        (l, b),
        If(
            Both(*within(l, 0, m - 1).args, *within(b, 0, dimension - 1).args),
            Both(eq(image(l, b), _along), eq(image(l + m, b), _across)),
        ),
    ),
)
_alone = within(h, 2 * m, dimension - 1)
LONE = Hypothesis(
    "it multiplies the lone coordinates",
    Every(
        (h, b),
        If(
            Both(*_alone.args, *within(b, 0, dimension - 1).args),
            eq(image(h, b), factor(1, h) * dual(h, b)),
        ),
    ),
)
FACTORS = Hypothesis(
    "lambda_h(p) is the power of the factor lambda_h(1)",
    Every(
        (p, h),
        If(_alone, Both(eq(factor(0, h), 1), eq(factor(p + 1, h), factor(p, h) * factor(1, h)))),
    ),
)

powers = Every((p, a, b), If(entries(a, b), eq(step(p, a, b), entry(p, a, b))))
logits_in_planes = Every(
    (i, j, b, c),
    If(
        entries(b, c),
        eq(
            two_sided.product(i, j, b, c),
            in_planes(j - i, lambda k: query_in(k, b), lambda k: key_in(k, c)),
        ),
    ),
)


def _line(keys_: Term | int, queries_: Term | int = 1, **values: Term | int) -> tuple[Formula, ...]:
    """One coordinate, on which the keys' map depends on the position."""
    given: dict[str, Term | int] = {
        "C": 1,
        "D": 1,
        "V": 1,
        "W": 1,
        "theta": 0,
        "sigma": 0,
        "lambda": 1,
        **values,
    }
    return (
        eq(dimension, 1),
        eq(m, given.get("m", 0)),
        Every((p, a, b), eq(for_query(p, a, b), queries_)),
        Every((p, a, b), eq(for_key(p, a, b), keys_)),
        Every((a, b), eq(two_sided.undo_query(a, b), given["C"])),
        Every((a, b), eq(two_sided.undo_key(a, b), given["D"])),
        Every((a, b), eq(basis(a, b), given["V"])),
        Every((a, b), eq(dual(a, b), given["W"])),
        Every((a,), eq(theta(a), given["theta"])),
        Every((a,), eq(rate(a), given["sigma"])),
        Every((p, a), eq(factor(p, a), given["lambda"])),
    )


def quarter(first: Term, second: Term, at: Term) -> Term:
    """The entry of a quarter turn's power on two coordinates."""
    cosine, sine = sp.cos(at * sp.pi / 2), sp.sin(at * sp.pi / 2)
    same = (1 - first) * (1 - second) + first * second
    return same * cosine + (first * (1 - second) - (1 - first) * second) * sine


_unit = (1 - a) * (1 - b) + a * b
_plane = (
    eq(dimension, 2),
    eq(m, 1),
    Every((p, a, b), eq(for_query(p, a, b), quarter(a, b, p))),
    Every((p, a, b), eq(for_key(p, a, b), quarter(a, b, p))),
    *(
        Every((a, b), eq(of(a, b), _unit))
        for of in (two_sided.undo_query, two_sided.undo_key, basis, dual)
    ),
    Every((a,), eq(theta(a), sp.pi / 2)),
    Every((a,), eq(rate(a), 0)),
    Every((p, a), eq(factor(p, a), 1)),
)
"""RoPE with a quarter turn."""
_sign = sp.Piecewise((1, eq(2 * sp.floor(p / 2), p)), (-1, True))  # (-1)^p
_alternating = _line(_sign, _sign, **{"lambda": _sign})
_growing = (
    *_plane[:2],
    Every((p, a, b), eq(for_query(p, a, b), sp.exp(-p) * _unit)),
    Every((p, a, b), eq(for_key(p, a, b), sp.exp(p) * _unit)),
    *_plane[4:8],
    Every((a,), eq(theta(a), 0)),
    Every((a,), eq(rate(a), 1)),
    _plane[-1],
)
"""One plane that grows and does not turn."""
_both = (
    eq(dimension, 3),
    eq(m, 1),
    *(
        Every((p, a, b), eq(of(p, a, b), sp.Piecewise((0, ne(a, b)), (_sign, eq(a, 2)), (1, True))))
        for of in (for_query, for_key)
    ),
    *(
        Every((a, b), eq(of(a, b), sp.Piecewise((0, ne(a, b)), (1, True))))
        for of in (two_sided.undo_query, two_sided.undo_key, basis, dual)
    ),
    Every((a,), eq(theta(a), 0)),
    Every((a,), eq(rate(a), 0)),
    Every((p, a), eq(factor(p, a), _sign)),
)
"""A plane that stays, and a coordinate that changes its sign at every position."""


def _exchanged(p_: Proof) -> Fact:
    """A sum over a coordinate of sums over planes and lone coordinates, in the other order."""
    planes = sp.Sum(in_plane(l, c) * column(c), (l, 0, m - 1))
    lone = sp.Sum(alone(h, c) * column(c), _last)
    both = sp.Sum(in_plane(l, c), (l, 0, m - 1)) + sp.Sum(alone(h, c), _last)
    total = p_.show(
        eq(both * column(c), planes + lone), "Multiply both sums by an entry of the column."
    ).summed(c, 0, dimension - 1, "Sum this equation over the coordinates of the column.")
    swapped = [
        p_.swap(over(c, part), "Exchange the two sums of this part.") for part in (planes, lone)
    ]
    return p_.show(
        eq(total.formula.lhs, swapped[0].formula.rhs + swapped[1].formula.rhs),
        "A sum of two sums is the sum of each. So a column may be multiplied plane by plane.",
        (total, swapped),
    )


def _multiplied(
    p_: Proof, at: Term, index: Term, with_: Term, parts: tuple[Coordinates, ...], why: str
) -> Fact:
    """The product of x and y, times a column, is that of x and y where one is multiplied with it."""
    x, y, x_whole, y_whole = parts
    start = over(index, in_planes(at, x, y) * with_)
    there = (
        sp.Sum(over(index, turned(at, l, x, y) * with_), (l, 0, m - 1)),
        sp.Sum(over(index, stretched(at, h, x, y) * with_), _last),
    )
    wanted = (
        sp.Sum(turned(at, l, x_whole, y_whole), (l, 0, m - 1)),
        sp.Sum(stretched(at, h, x_whole, y_whole), _last),
    )
    exchanged = p_.use(
        _exchanged(p_),
        {
            in_plane: sp.Lambda((l, index), turned(at, l, x, y)),
            alone: sp.Lambda((h, index), stretched(at, h, x, y)),
            column: sp.Lambda(index, with_),
        },
        why="So the sum over the column can be taken inside.",
        goal=eq(start, sum(there)),
    )
    collected = [p_.show(eq(*sides), why) for sides in zip(there, wanted, strict=True)]
    return p_.show(
        eq(start, sum(wanted)), "So one may be multiplied first.", (exchanged, collected)
    )


def _on_the_right(p_: Proof, at: Term) -> Fact:
    """The product of x and the rows of W, times a column z, is that of x and Wz."""
    parts = (row, lambda k: dual(k, c), row, lambda k: over(c, dual(k, c) * column(c)))
    return _multiplied(p_, at, c, column(c), parts, "In each term the column meets a row of W.")


def _on_the_left(p_: Proof, at: Term) -> Fact:
    """A row times the columns of V, in the product with y, is that of the row's image and y."""
    parts = (lambda k: basis(a, k), column, lambda k: over(a, row(a) * basis(a, k)), column)
    return _multiplied(p_, at, a, row(a), parts, "In each term the row meets a column of V.")


def _begins(p_: Proof) -> Fact:
    """At 0 it is the unit matrix."""
    term = basis(a, k) * dual(k, b)
    whole = over(k, term)
    first = p_.split(
        whole, m - 1, "Split off the first m coordinates, the first of each plane.", PLANES
    )
    rest = sp.Sum(term, (k, m, dimension - 1))
    second = p_.split(
        rest,
        2 * m - 1,
        "Split the rest into the planes' second coordinates and the lone ones.",
        PLANES,
    )
    partners = p_.show(
        eq(
            sp.Sum(term, (k, m, 2 * m - 1)), sp.Sum(basis(a, l + m) * dual(l + m, b), (l, 0, m - 1))
        ),
        "Count the partners from 0.",
    )
    here = entry(sp.Integer(0), a, b)
    alone = p_.under(_alone)
    one = alone.use(FACTORS, {p: 0, h: h}, why="At exponent 0 each factor is 1.")
    still = alone.show(
        eq(factor(0, h) * basis(a, h) * dual(h, b), basis(a, h) * dual(h, b)),
        "So the term of a lone coordinate is as it was.",
        one,
    ).summed(h, 2 * m, dimension - 1, "So the sum over the lone coordinates is as it was.")
    place = p_.under(entries(a, b))
    unit = place.use(INVERSE, why="V W is the unit matrix.")
    return place.show(
        two_sided.identity(here, a, b),
        "At exponent 0 no plane is turned or stretched. So the sum is that of V W. So it is "
        "the unit matrix at 0.",
        (first, second, partners, still, unit),
    ).for_all(a, b, why="This holds in every entry.")


def _goes_on(p_: Proof) -> Fact:
    """One more is one factor G(1) more."""
    right = _on_the_right(p_, p)
    column_ = {row: sp.Lambda(k, basis(a, k)), column: sp.Lambda(c, step(1, c, b))}
    met = p_.use(right, column_, why="Multiply with a column of G(1).")
    place = p_.under(entries(a, b))

    def x(k: Term) -> Term:
        return basis(a, k)

    def moved(k: Term) -> Term:
        return image(k, b)

    def y(k: Term) -> Term:
        return dual(k, b)

    plane = place.under(within(l, 0, m - 1))
    both = plane.use(TURNS, why="G(1) turns and stretches the plane.")
    put = plane.rewrite(
        eq(
            turned(p, l, x, moved),
            turned(p, l, x, moved).xreplace({image(l, b): _along, image(l + m, b): _across}),
        ),
        "Put in what G(1) does to the plane.",
        *both.parts("It does this to one coordinate, and this to the other."),
    )
    angle = plane.show(eq(put.formula.rhs, turned(p + 1, l, x, y)), "Angles and rates add up.")
    planes = plane.chain(put, angle, why="So the plane is one turn further.").summed(
        l, 0, m - 1, "Sum over the planes."
    )

    lone = place.under(_alone)
    scaled = lone.use(LONE, why="By hypothesis G(1) multiplies a lone coordinate by its factor.")
    grown = lone.use(
        FACTORS, why="By hypothesis the factors at all exponents are powers of this one."
    )
    put = lone.rewrite(
        eq(
            stretched(p, h, x, moved),
            stretched(p, h, x, moved).xreplace({image(h, b): scaled.formula.rhs}),
        ),
        "Put in what G(1) does to the coordinate.",
        scaled,
    )
    same = lone.show(
        eq(put.formula.rhs, stretched(p + 1, h, x, y)),
        "So one more step multiplies the term by the factor once more.",
        grown,
    )
    rest = lone.chain(put, same, why="So it is one factor further.").summed(
        h, 2 * m, dimension - 1, "Sum over the lone coordinates."
    )
    return place.show(
        eq(entry(p + 1, a, b), over(c, entry(p, a, c) * step(1, c, b))),
        "So one more is one factor more.",
        (met, planes, rest),
    ).for_all(p, a, b, why="This holds at every exponent and in every entry.")


def _logits(p_: Proof, general: Fact, powers_: Fact) -> Fact:
    """The logits by planes."""
    place = p_.under(entries(b, c))
    known = place.use(general, why="The logits are those of powers of G.")
    at = j - i
    right = p_.use(
        _on_the_right(p_, p),
        {p: at, row: sp.Lambda(k, basis(a, k)), column: sp.Lambda(r, for_key(0, r, c))},
        why="Multiply with the fixed map of the key first.",
        goal=eq(
            over(r, entry(at, a, r) * for_key(0, r, c)),
            in_planes(at, lambda k: basis(a, k), lambda k: key_in(k, c)),
        ),
    )
    each = p_.under(entries(a, r)).use(
        powers_, {p: at, a: a, b: r}, why="The power has this entry."
    )
    inner = each.times(for_key(0, r, c), "Multiply with an entry of B_0.").summed(
        r, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    both = inner.scope.chain(inner, right, why="So this is the product of a row of V and the key.")
    outer = both.times(for_query(0, a, b), "Multiply with an entry of A_0.").summed(
        a, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    left = p_.use(
        _on_the_left(p_, p),
        {p: at, row: sp.Lambda(a, for_query(0, a, b)), column: sp.Lambda(k, key_in(k, c))},
        why="Multiply with the fixed map of the query first.",
    )
    return place.chain(known, outer, left, why="So the logits are those of the planes.")


def _otherwise(plane: Callable[..., Term], lone: Callable[..., Term]) -> Formula:
    """The powers with other planes and lone coordinates."""
    x, y = (lambda k: basis(a, k)), (lambda k: dual(k, b))
    return Every(
        (p, a, b),
        If(
            entries(a, b),
            eq(
                step(p, a, b),
                sp.Sum(plane(p, l, x, y), (l, 0, m - 1))
                + sp.Sum(lone(p, h, x, y), (h, 2 * m, dimension - 1)),
            ),
        ),
    )


@theorem(
    "rope.only-two-sided-planes",
    compare=(prior.JORDAN_TWO_SIDED, prior.JETS),
    role="main result",
    example=_both,
    hypotheses=(
        two_sided.RELATIVE,
        QUERY_INVERSE,
        two_sided.KEY_INVERSE,
        PLANES,
        INVERSE,
        TURNS,
        LONE,
        FACTORS,
    ),
    conclusion=Both(powers, logits_in_planes),
    attack=Attack(
        {
            "turned the other way": _otherwise(lambda at, k, x, y: turned(at, k, y, x), stretched),
            "lone coordinates stay": _otherwise(turned, lambda at, k, x, y: x(k) * y(k)),
            "nothing grows": _otherwise(
                lambda at, k, x, y: turned(at, k, x, y) * sp.exp(-at * rate(k)), stretched
            ),
            "the lag reversed": Every(
                (i, j, b, c),
                If(
                    entries(b, c),
                    eq(
                        two_sided.product(i, j, b, c),
                        in_planes(i - j, lambda k: query_in(k, b), lambda k: key_in(k, c)),
                    ),
                ),
            ),
        },
        at={
            "turned the other way": _plane,
            "lone coordinates stay": _alternating,
            "nothing grows": _growing,
            "the lag reversed": _growing,
        },
        without={
            two_sided.RELATIVE: _line(1 + p * (p - 1)),
            QUERY_INVERSE: _line(1 + p * (p - 1), 0),
            two_sided.KEY_INVERSE: _line(1, D=-1, **{"lambda": _sign}),
            PLANES: _line(1, m=1),
            INVERSE: _line(1, V=2),
            TURNS: (*_plane[:-3], Every((a,), eq(theta(a), 0)), *_plane[-2:]),
            LONE: _line(1, **{"lambda": _sign}),
            FACTORS: _line(1, **{"lambda": 1 + p * (p - 1)}),
        },
    ),
)
def ROPE_ONLY_TWO_SIDED_PLANES(p_: Proof) -> None:
    r"""What is left of two linear maps: planes that turn and decay, and lone coordinates

    Maps $A_i$ of queries and $B_j$ of keys whose logits see the lag only, as in
    `rope.only-two-sided`; their matrix $G(1)=B_1B_0^{-1}$ in a real normal form: an invertible $V$,
    $W=V^{-1}$, such that $WG(1)V$ turns the planes of the coordinates $l$ and $l+m$ by $\theta_l$
    and stretches them by $e^{\sigma_l}$, $l<m$, and multiplies each coordinate $2m\le h<d$ by
    $\lambda_h$. Then $G(p)=VB^pW$, its angles $p\theta_l$, its rates $p\sigma_l$ and its factors
    $\lambda_h^p$, for every integer $p$; the logit of all $q,k$ at lag $t=j-i$ is that of RoPE with
    the angles $\theta_l$ on the planes, each times $e^{t\sigma_l}$, of the queries $x=V^\top A_0q$
    and keys $y=WB_0k$, plus $\sum_h\lambda_h^tx_hy_h$.
    """
    parts = p_.lemma(
        two_sided.ROPE_ONLY_TWO_SIDED.at(P=sp.Lambda((p, a, b), entry(p, a, b))),
        (two_sided.RELATIVE, QUERY_INVERSE, two_sided.KEY_INVERSE),
        why="The maps are powers of G(1).",
    ).parts("This is one part of the claim on two-sided encodings.")
    implied = next(fact for fact in parts if isinstance(fact.formula, If))
    general = next(fact for fact in parts if fact.formula == two_sided.logits)
    begins, further = _begins(p_), _goes_on(p_)
    powers_ = p_.show(powers, "So these are the powers of G(1).", implied, begins, further)
    last = _logits(p_, general, powers_)
    p_.qed(
        "So are the logits.",
        (powers_, last.for_all(i, j, b, c, why="This holds at all positions and in every entry.")),
    )
