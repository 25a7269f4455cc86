"""A stored key that is turned again and again in rounded arithmetic."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import (
    SUMS_CAUCHY_SCHWARZ,
    f_x,
    f_y,
    h_x,
    h_y,
)
from ropeproof.theory.papers import prior

c, h = integer("c h")
u, v = real("u v")
stored_x, stored_y = real_function("X"), real_function("Y")
turned_by = real_function("alpha")
rounding, table_rounding = real_function("delta"), real_function("epsilon")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a turn",
    n: "number of turns",
    c: "an operation of a turn, or a table",
    h: "a turn",
    u: "unit roundoff of the stored key's type",
    v: "bound of the relative error of the tables",
    stored_x: "first coordinate of the stored key in a plane, after so many turns",
    stored_y: "second coordinate of the stored key in a plane, after so many turns",
    turned_by: "angle of a turn, by turn and plane",
    rounding: "relative rounding error of an operation, by turn, plane and operation",
    table_rounding: "relative error of a table's cosine and sine, by turn and plane",
}


@named("γ", r"\gamma", "error of one turn, relative to the key", once=True)
def one_turn() -> Term:
    """sqrt(2) ((1 + u)^2 (1 + v) - 1)."""
    return sp.sqrt(2) * ((1 + u) ** 2 * (1 + v) - 1)


def norm(x: Term, y: Term) -> Term:
    """The Euclidean norm of the vector with these coordinates in plane `l`."""
    return sp.sqrt(over_planes(x**2 + y**2))


def angle(count: Term | int) -> Term:
    """The sum of the first angles by which plane `l` is turned."""
    return sp.Sum(turned_by(j, l), (j, 0, count - 1))


def exact_x(count: Term | int) -> Term:
    """The first coordinate of the key turned exactly by the sum of the angles."""
    return key_x(l) * sp.cos(angle(count)) - key_y(l) * sp.sin(angle(count))


def exact_y(count: Term | int) -> Term:
    """The second coordinate of it."""
    return key_x(l) * sp.sin(angle(count)) + key_y(l) * sp.cos(angle(count))


def table(function: Callable[..., Term], place: int) -> Term:
    """The cosine or sine of a turn's angle as the table has it."""
    return function(turned_by(h, l)) * (1 + table_rounding(h, l, place))


def rounded(place: int) -> Term:
    """One plus the rounding error of an operation of a turn."""
    return 1 + rounding(h, l, place)


x, y = stored_x(h, l), stored_y(h, l)
cosine, sine = table(sp.cos, 1), table(sp.sin, 2)
next_x = (x * cosine * rounded(1) - y * sine * rounded(2)) * rounded(3)
next_y = (x * sine * rounded(4) + y * cosine * rounded(5)) * rounded(6)

turn_of_plane = Both(within(h, 0, n - 1), within(l, 0, m - 1))
key_norm = norm(key_x(l), key_y(l))
query_norm = norm(query_x(l), query_y(l))


def error_norm(count: Term) -> Term:
    """How far the stored key is from the exactly turned one after so many turns."""
    return norm(stored_x(count, l) - exact_x(count), stored_y(count, l) - exact_y(count))


def inner(x: Term, y: Term) -> Term:
    """The logit of the query with the key of these coordinates, both turned already."""
    return over_planes(s * (query_x(l) * x + query_y(l) * y))


def growth(count: Term) -> Term:
    """(1 + gamma)^count - 1."""
    return (1 + one_turn()) ** count - 1


COUNT = Hypothesis("the number of turns is not negative", le(0, n))
ROUNDOFF = Hypothesis("the roundoff is not negative", le(0, u))
TABLE_ROUNDOFF = Hypothesis("the tables' roundoff is not negative", le(0, v))
START = Hypothesis(
    "the stored key is the key at first",
    every(l, 0, m - 1, Both(eq(stored_x(0, l), key_x(l)), eq(stored_y(0, l), key_y(l)))),
)
TURN = Hypothesis(
    "each turn is two products and a sum, rounded",
    Every(
        (h, l),
        If(turn_of_plane, Both(eq(stored_x(h + 1, l), next_x), eq(stored_y(h + 1, l), next_y))),
    ),
)
ROUNDED = Hypothesis(
    "an operation's relative error is at most u",
    Every(
        (h, l, c), If(Both(*turn_of_plane.args, within(c, 1, 6)), within(rounding(h, l, c), -u, u))
    ),
)
TABLES = Hypothesis(
    "a table's relative error is at most v",
    Every(
        (h, l, c),
        If(Both(*turn_of_plane.args, within(c, 1, 2)), within(table_rounding(h, l, c), -v, v)),
    ),
)
SCALE = Hypothesis("the scale is not negative", le(0, s))

close = le(error_norm(n), growth(n) * key_norm)
moved = inner(stored_x(n, l), stored_y(n, l)) - inner(exact_x(n), exact_y(n))
logit_close = le(sp.Abs(moved), s * query_norm * key_norm * growth(n))


p_, q_, bound_p, bound_q = real("p q P Q")
first, second, third = real("d_1 d_2 d_3")


def _factor(p: Proof) -> Fact:
    """|(1 + e)(1 + d)(1 + d') - 1| <= (1 + u)^2 (1 + v) - 1."""
    product = p.under(within(p_, -bound_p, bound_p), within(q_, -bound_q, bound_q)).show(
        within(p_ * q_, -bound_p * bound_q, bound_p * bound_q),
        "A product of numbers is at most the product of their bounds in size.",
    )
    errors = p.under(
        within(third, -v, v), within(first, -u, u), within(second, -u, u), le(0, u), le(0, v)
    )

    def at(one: Term, of_one: Term, other: Term, of_other: Term, *known: Premise) -> Fact:
        return errors.use(
            product,
            {p_: one, bound_p: of_one, q_: other, bound_q: of_other},
            *known,
            why="So the product of these two errors is at most the product of their bounds.",
        )

    pair = at(first, u, second, u)
    size = (1 + u) ** 2 * (1 + v) - 1
    parts = [*real("a_1 a_2 a_3 a_4 a_5 a_6 a_7")]
    most = [*real("b_1 b_2 b_3 b_4 b_5 b_6 b_7")]
    total = p.under(*(within(a, -b, b) for a, b in zip(parts, most, strict=True))).show(
        within(sum(parts), -sum(most), sum(most)),
        "A sum of numbers is at most the sum of their bounds in size.",
    )
    terms = [third, first, second, third * first, third * second, first * second]
    bounds = [v, u, u, u * v, u * v, u * u]
    values = dict(zip(parts, [*terms, third * first * second], strict=True))
    summed = errors.use(
        total,
        {**values, **dict(zip(most, [*bounds, v * u * u], strict=True))},
        at(third, v, first, u),
        at(third, v, second, u),
        pair,
        at(third, v, first * second, u * u, pair),
        why="So the sum of the seven products of errors is at most that of their bounds.",
    )
    expanded = p.show(
        eq((1 + third) * (1 + first) * (1 + second) - 1, sum(values.values())),
        "The product of the factors, less 1, is this sum.",
    )
    return errors.rewrite(
        within((1 + third) * (1 + first) * (1 + second) - 1, -size, size),
        "The bound, multiplied out, is the sum of theirs. So the product of three rounded "
        "factors is this near to 1.",
        (expanded, summed),
    )


def _plane(p: Proof) -> Fact:
    """One plane: the squared error of a turn is at most 2 g^2 |k|^2, in plain symbols."""
    a, b, g = real("a b g")
    k_x, k_y = real("x y")
    f_1, f_2, f_3, f_4 = (real(f"f_{place}") for place in range(1, 5))
    square = p.under(within(p_, -g, g)).show(
        le(p_**2, g**2), "What is at most g in size has at most the square of g."
    )
    twice = p.show(
        le((p_ - q_) ** 2, 2 * p_**2 + 2 * q_**2),
        "The square of a difference is at most twice the sum of the squares.",
    )
    scope = p.under(*(within(f, -g, g) for f in (f_1, f_2, f_3, f_4)), eq(a**2 + b**2, 1))
    halves = []
    for one, other, f, other_f in ((k_x * a, k_y * b, f_1, f_2), (k_x * b, -k_y * a, f_3, f_4)):
        sizes = [
            scope.use(
                square,
                {p_: factor},
                why="As a factor's error is at most g in size, its square is at most g^2.",
            )
            for factor in (f, other_f)
        ]
        weighed = [
            scope.show(
                le(term**2 * size.formula.lhs, term**2 * g**2),
                "Multiplied with a square, the order stays.",
                size,
            )
            for term, size in zip((one, other), sizes, strict=True)
        ]
        halves.append(
            scope.show(
                le((one * f - other * other_f) ** 2, 2 * g**2 * (one**2 + other**2)),
                "The squared difference of two errors is at most twice the sum of their squares. "
                "So the squared error of the coordinate is at most this.",
                (twice, weighed),
            )
        )
    norm_ = scope.show(
        eq((k_x * a) ** 2 + (k_y * b) ** 2 + (k_x * b) ** 2 + (k_y * a) ** 2, k_x**2 + k_y**2),
        "A rotation keeps the norm.",
        scope.given(eq(a**2 + b**2, 1), "The squares of cosine and sine add up to 1."),
    )
    added = p.under(le(p_, bound_p), le(q_, bound_q)).show(
        le(p_ + q_, bound_p + bound_q), "Inequalities may be added side by side."
    )
    (left, most), (other_left, other_most) = (half.formula.args for half in halves)
    both = scope.use(
        added,
        {p_: left, bound_p: most, q_: other_left, bound_q: other_most},
        halves,
        why="So the squared errors of both coordinates add up.",
    )
    common = p.show(
        eq(most + other_most, 2 * g**2 * norm_.formula.lhs), "Take out the common factor."
    )
    turned = norm_.times(2 * g**2, "Multiply the equation of the norms with 2 g^2.")
    return scope.chain(
        both,
        common,
        turned,
        why="So a plane's squared error is at most 2 g^2 times the square of its key.",
    )


def _triangle(p: Proof) -> tuple[Fact, Fact]:
    """|<f, h>| <= |f| |h|, and |f + h| <= |f| + |h|, for vectors of m planes."""
    square_f, square_h = (
        over_planes(f_x(l) ** 2 + f_y(l) ** 2),
        over_planes(h_x(l) ** 2 + h_y(l) ** 2),
    )
    mixed = over_planes(f_x(l) * h_x(l) + f_y(l) * h_y(l))
    cauchy = p.apply(SUMS_CAUCHY_SCHWARZ, why="Cauchy and Schwarz bound the inner product.")
    signs = [
        p.show(le(0, square.function), "A sum of two squares is not negative.").summed(
            l, 0, m - 1, "So the square of a norm is not negative."
        )
        for square in (square_f, square_h)
    ]
    root = p.under(le(q_**2, bound_p * bound_q), le(0, bound_p), le(0, bound_q)).show(
        within(q_, -sp.sqrt(bound_p) * sp.sqrt(bound_q), sp.sqrt(bound_p) * sp.sqrt(bound_q)),
        "A number is at most the root of a bound of its square in size.",
    )
    product = p.use(
        root,
        {q_: mixed, bound_p: square_f, bound_q: square_h},
        (cauchy, signs),
        why="So the inner product is at most the product of the norms in size.",
    )
    whole = over_planes((f_x(l) + h_x(l)) ** 2 + (f_y(l) + h_y(l)) ** 2)
    abstract = p.under(
        le(0, bound_p),
        le(0, bound_q),
        le(0, p_),
        eq(p_, bound_p + 2 * q_ + bound_q),
        le(q_, sp.sqrt(bound_p) * sp.sqrt(bound_q)),
    ).show(
        le(sp.sqrt(p_), sp.sqrt(bound_p) + sp.sqrt(bound_q)),
        "What is at most the square of a sum of roots has at most this sum as its root.",
        by=rules.smt(),
    )
    triangle = p.use(
        abstract,
        {p_: whole, bound_p: square_f, bound_q: square_h, q_: mixed},
        (product, signs),
        why="Multiply the square of the sum's norm out. A sum of two squares is not negative. So "
        "the square of the sum's norm is not negative. So the norm of a sum is at most the "
        "sum of the norms.",
    )
    return product, triangle


def _turn(p: Proof) -> Fact:
    """|X_(h+1) - T X_h| <= gamma |X_h|, T the exact turn."""
    a, b = sp.cos(turned_by(h, l)), sp.sin(turned_by(h, l))
    size = (1 + u) ** 2 * (1 + v) - 1
    plane, factor = _plane(p), _factor(p)
    place = p.under(turn_of_plane)
    near = []
    for of_table, of_product, of_sum in ((1, 1, 3), (2, 2, 3), (2, 4, 6), (1, 5, 6)):
        errors = [
            place.use(
                hypothesis,
                {h: h, l: l, c: sp.Integer(number)},
                why="By hypothesis this error is at most the roundoff in size.",
            )
            for hypothesis, number in ((TABLES, of_table), (ROUNDED, of_product), (ROUNDED, of_sum))
        ]
        values = {
            third: table_rounding(h, l, of_table),
            first: rounding(h, l, of_product),
            second: rounding(h, l, of_sum),
        }
        near.append(
            place.use(
                factor,
                values,
                (errors, ROUNDOFF, TABLE_ROUNDOFF),
                why="So the table's, the product's and the sum's errors together are bounded.",
            )
        )
    k_x, k_y = real("x y")
    g = real("g")
    bound = place.use(
        plane,
        {
            real("a"): a,
            real("b"): b,
            k_x: x,
            k_y: y,
            g: size,
            **{real(f"f_{k}"): known.formula.args[0].rhs for k, known in enumerate(near, 1)},
        },
        near,
        why="The squares of cosine and sine add up to 1. So a plane's squared error is bounded.",
    )
    error_x, error_y = stored_x(h + 1, l) - (x * a - y * b), stored_y(h + 1, l) - (x * b + y * a)
    stored = place.use(TURN, why="The stored key is what the rounded turn gives.")
    f = [known.formula.args[0].rhs for known in near]
    parts = [
        place.show(
            eq(error, formula), "So its error in this coordinate comes from two products.", stored
        )
        for error, formula in (
            (error_x, x * a * f[0] - y * b * f[1]),
            (error_y, x * b * f[2] + y * a * f[3]),
        )
    ]
    total = place.rewrite(
        le(error_x**2 + error_y**2, 2 * size**2 * (x**2 + y**2)),
        "So the turn's squared error in the plane is at most 2 g^2 times the square of the key.",
        (*parts, bound),
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")
    whole = over_planes(x**2 + y**2)
    squares = p.show(le(0, p_**2 + q_**2), "A sum of two squares is not negative.")
    signs = [
        p.use(
            squares,
            {p_: one, q_: other},
            why="So the sum of the squares of a plane's coordinates is not negative.",
        ).summed(l, 0, m - 1, "So the square of a norm is not negative.")
        for one, other in ((error_x, error_y), (x, y))
    ]
    root = p.under(le(0, p_), le(0, q_), le(p_, q_**2)).show(
        le(sp.sqrt(p_), q_), "The root of what is at most a square is at most its root."
    )
    positive = p.show(
        le(0, size), "As the roundoffs are not negative, g is not.", (ROUNDOFF, TABLE_ROUNDOFF)
    )
    limit = one_turn() * sp.sqrt(whole)
    not_negative = p.show(
        le(0, limit), "The product of gamma and the norm is not negative.", (positive, signs)
    )
    below = p.under(within(h, 0, n - 1)).show(
        le(total.formula.lhs, limit**2),
        "Take the common factor out of the sum. So the squared errors add up to at most this "
        "square.",
        total,
    )
    return p.under(within(h, 0, n - 1)).use(
        root,
        {p_: total.formula.lhs, q_: limit},
        (below, not_negative, signs),
        why="So a turn's error is at most gamma times the norm of the key that is turned.",
    )


def _step(p: Proof, triangle: Fact) -> Fact:
    """E_(h+1) <= gamma (E_h + |k|) + E_h."""
    a, b = sp.cos(turned_by(h, l)), sp.sin(turned_by(h, l))
    more, place = p.under(within(h, 0, n - 1)), p.under(within(h, 0, n - 1))
    rounded_ = _turn(p)
    longer = more.last(angle(h + 1), "The sum of the angles gains the angle of this turn.")
    off_x = x * a - y * b - exact_x(h + 1)
    off_y = x * b + y * a - exact_y(h + 1)
    same = more.rewrite(
        eq(off_x**2 + off_y**2, (x - exact_x(h)) ** 2 + (y - exact_y(h)) ** 2),
        "An exact turn keeps the distance of two keys in a plane.",
        longer,
    ).summed(l, 0, m - 1, "So the turn keeps the square of the distance of two keys.")
    distance = same.image(sp.sqrt, "So the turn keeps the distance of two keys.")
    error_x, error_y = stored_x(h + 1, l) - (x * a - y * b), stored_y(h + 1, l) - (x * b + y * a)

    def added(first_: tuple[Term, Term], second_: tuple[Term, Term], why: str) -> Fact:
        values = dict(zip((f_x, f_y, h_x, h_y), (*first_, *second_), strict=True))
        return p.use(triangle, {key: sp.Lambda(l, value) for key, value in values.items()}, why=why)

    through = added(
        (error_x, error_y),
        (off_x, off_y),
        "The error is at most that of the turn and that from before.",
    )
    long = added(
        (x - exact_x(h), y - exact_y(h)),
        (exact_x(h), exact_y(h)),
        "The stored key is at most the exact one and the error.",
    )
    plane = p.show(
        eq(exact_x(h) ** 2 + exact_y(h) ** 2, key_x(l) ** 2 + key_y(l) ** 2),
        "Turning keeps the norm of the key in a plane.",
    )
    length = plane.summed(l, 0, m - 1, "So the turn keeps the square of the norm.").image(
        sp.sqrt, "So the turn keeps the norm."
    )
    positive = p.show(
        le(0, one_turn()),
        "As the roundoffs are not negative, gamma is not.",
        (ROUNDOFF, TABLE_ROUNDOFF),
    )
    larger = p.under(le(p_, q_), le(0, bound_p)).show(
        le(bound_p * p_, bound_p * q_), "An inequality may be multiplied."
    )
    stored_bound = p.show(
        le(norm(x, y), error_norm(h) + key_norm),
        "So the stored key is at most this long.",
        (long, length),
    )
    weighed = p.use(
        larger,
        {p_: norm(x, y), q_: error_norm(h) + key_norm, bound_p: one_turn()},
        (stored_bound, positive),
        why="So the turn's error is at most gamma times that.",
    )
    return place.show(
        le(error_norm(h + 1), one_turn() * (error_norm(h) + key_norm) + error_norm(h)),
        "So a turn adds at most gamma times the error and the key.",
        (through, rounded_, distance, weighed),
    )


def _on_a_line(turns: int, roundoff: Term | int, of_tables: int = 0) -> Values:
    """One plane with the key 1, turned by 0 so many times, each error as large as can be."""
    one = (1 + sp.Integer(of_tables)) * (1 + sp.Rational(roundoff)) ** 2
    at: Values = {
        m: 1, n: turns, s: 1, u: roundoff, v: of_tables, key_x(0): 1, key_y(0): 0, query_x(0): 1,
        query_y(0): 0, stored_x(0, 0): 1, stored_y(0, 0): 0,
    }  # fmt: skip
    for turn in range(turns):
        at |= {turned_by(turn, 0): 0, stored_x(turn + 1, 0): one ** (turn + 1)}
        at |= {stored_y(turn + 1, 0): 0}
        at |= {rounding(turn, 0, place): roundoff for place in range(1, 7)}
        at |= {table_rounding(turn, 0, place): of_tables for place in (1, 2)}
    return at


_small = sp.Rational(1, 100)
_diagonal = {
    **_on_a_line(1, _small),
    key_y(0): 1,
    stored_y(0, 0): 1,
    turned_by(0, 0): sp.pi / 4,
    rounding(0, 0, 2): -_small,
    stored_x(1, 0): 2 * _small * (1 + _small) / sp.sqrt(2),
    stored_y(1, 0): sp.sqrt(2) * (1 + _small) ** 2,
}


def _bound(size: Term | int, of_turns: Term | None = None) -> Formula:
    """The first part of the claim with another error of a turn, or another growth."""
    total = (1 + size) ** n - 1 if of_turns is None else of_turns
    return le(error_norm(n), total * key_norm)


@theorem(
    "rope.rerotation",
    compare=(prior.REROTATION,),
    needs="PCTX",
    hypotheses=(COUNT, ROUNDOFF, TABLE_ROUNDOFF, START, TURN, ROUNDED, TABLES, SCALE),
    conclusion=Both(close, logit_close),
    attack=Attack(
        {
            "half the error": le(error_norm(n), growth(n) * key_norm / 2),
            "without the root of 2": _bound((1 + u) ** 2 * (1 + v) - 1),
            "errors that add up": _bound(0, n * one_turn()),
            "one rounding a coordinate": _bound(sp.sqrt(2) * ((1 + u) * (1 + v) - 1)),
            "exact tables": _bound(sp.sqrt(2) * ((1 + u) ** 2 - 1)),
            "half the logit's": le(sp.Abs(moved), s * query_norm * key_norm * growth(n) / 2),
        },
        at={
            "half the error": _on_a_line(1, 1),
            "without the root of 2": _diagonal,
            "errors that add up": _on_a_line(3, 1),
            "one rounding a coordinate": _on_a_line(1, 1),
            "exact tables": _on_a_line(1, 0, 1),
            "half the logit's": _on_a_line(1, 1),
        },
        without={
            COUNT: {**_on_a_line(0, 1), n: -1, stored_x(-1, 0): 9, stored_y(-1, 0): 0},
            START: {**_on_a_line(0, 1), stored_x(0, 0): 2},
            TURN: {**_on_a_line(1, 0), stored_x(1, 0): 2},
            ROUNDED: {**_on_a_line(1, 1), u: 0},
            TABLES: {**_on_a_line(1, 0, 1), v: 0},
            SCALE: {**_on_a_line(1, 1), s: -1},
        },
        idle={
            ROUNDOFF: "no error is at most a negative number in size, and without a turn there is none",
            TABLE_ROUNDOFF: "no error is at most a negative number in size, nor is there one without a turn",
        },
    ),
)
def ROPE_REROTATION(p: Proof) -> None:
    r"""The error of a stored key that is turned again n times

    A key $k$ is stored in a type of unit roundoff $u$ and turned again $n$ times, as a cache shift
    does: turn $h<n$ turns plane $l$ by the angle $\alpha_{h,l}$, with two products and a sum for
    each coordinate, each operation rounded with a relative error of at most $u$ (no underflow), and
    tables of cosines and sines of relative error at most $v$. Let $Rk$ be the key turned exactly by
    the sums of the angles, and $\gamma=\sqrt2\,((1+u)^2(1+v)-1)$: for exact tables ($v=0$)
    $\sqrt2\,((1+u)^2-1)$, for tables rounded to the same type ($v=u$) $\sqrt2\,((1+u)^3-1)$. Then
    $\|\hat k_n-Rk\|\le((1+\gamma)^n-1)\|k\|$, and the logit with any turned query $q$ moves by at
    most $s\|q\|\|k\|((1+\gamma)^n-1)$ ($s\ge0$). Turned once by the sum of the angles it has $n=1$:
    its error is at most $\gamma\|k\|$.
    """
    product, triangle = _triangle(p)
    step = _step(p, triangle)

    def so_far(count: Term) -> Formula:
        return If(le(count, n), le(error_norm(count), growth(count) * key_norm))

    initial = p.under(within(l, 0, m - 1)).use(START, why="At first the stored key is the key.")
    zero = p.under(within(l, 0, m - 1)).show(
        eq((stored_x(0, l) - exact_x(0)) ** 2 + (stored_y(0, l) - exact_y(0)) ** 2, 0),
        "So there is no error in a plane.",
        initial,
    )
    start = p.show(
        kept_at(so_far(h), h, 0),
        "So the norm of the error, its root, is 0. So the bound holds without a turn.",
        zero.summed(l, 0, m - 1, "So the sum of the squares is 0."),
    )
    more = p.under(le(0, h))
    further = more.under(so_far(h)).show(
        so_far(h + 1),
        "As the roundoffs are not negative, gamma is not. The next power has one factor "
        "more. So the bound holds after the next turn.",
        (step, ROUNDOFF, TABLE_ROUNDOFF),
    )
    always = more.induction(
        so_far(h), h, 0, start, further, why="By induction it holds after each turn."
    )
    first_ = p.use(always, {h: n}, COUNT, why="In particular it holds after n turns.")

    difference_x = stored_x(n, l) - exact_x(n)
    difference_y = stored_y(n, l) - exact_y(n)
    inner_product = over_planes(query_x(l) * difference_x + query_y(l) * difference_y)
    values = {f_x: query_x(l), f_y: query_y(l), h_x: difference_x, h_y: difference_y}
    aligned = p.use(
        product,
        {key: sp.Lambda(l, value) for key, value in values.items()},
        why="By Cauchy and Schwarz the inner product of query and error is bounded.",
    )
    linear = p.show(eq(moved, s * inner_product), "The logit is linear in the key.")
    p.qed(
        "A sum of two squares is not negative. So the square of a norm is not negative. So a "
        "norm is not negative. A multiple of what is bounded is bounded by the multiple. So "
        "s times the inner product is bounded. So the logit moves by at most that. These are "
        "both bounds.",
        (first_, linear, SCALE, aligned),
    )
