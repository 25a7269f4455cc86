"""What rounded angles, or rounded tables of cosines and sines, can move a logit by."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, over_planes, phase, theta
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_SIZE_ORDER
from ropeproof.theory.topics.slash.sandwich.logit_size import z_ as z

first, second, unit = real("p_q p_k u")
a, b, e, f, reach = real("a b e f R")
of_query, of_key = real_function("alpha_q"), real_function("alpha_k")
cosines, sines = real_function("C"), real_function("S_t")
MEANINGS: Meanings = {
    **NOTATION,
    first: "position of the query",
    second: "position of the key",
    unit: "unit roundoff",
    of_query: "computed angles of the query's planes",
    of_key: "computed angles of the key's planes",
    cosines: "cosine tables, of the query (0) and of the key (1), by plane",
    sines: shown_as("S", "S", "sine tables, of the query (0) and of the key (1), by plane"),
}


def formed(angle: Function, position: Term) -> Formula:
    """An angle is off by at most u times what it is."""
    return le(sp.Abs(angle(l) - position * theta(l)), unit * position * theta(l))


ANGLES = Hypothesis(
    "angles have the relative error u",
    every(l, 0, m - 1, Both(formed(of_query, first), formed(of_key, second))),
)
sides = ((0, first), (1, second))
ENTRIES = Hypothesis(
    "table entries have the error u",
    every(
        l,
        0,
        m - 1,
        Both(
            *(
                le(sp.Abs(table(side, l) - wave(position * theta(l))), unit)
                for side, position in sides
                for table, wave in ((cosines, sp.cos), (sines, sp.sin))
            )
        ),
    ),
)
exact = over_planes(amplitude(l) * sp.cos((first - second) * theta(l) + phase(l)))
by_angles = over_planes(amplitude(l) * sp.cos(of_query(l) - of_key(l) + phase(l)))
turned = sp.Min(2, unit * (first + second) * theta(l))


def product(c_q: Term, s_q: Term, c_k: Term, s_k: Term) -> Term:
    """Re e^{i phi} z_q conj(z_k) of two table entries z = C + i S."""
    real_part, imaginary = c_q * c_k + s_q * s_k, s_q * c_k - c_q * s_k
    return sp.cos(phase(l)) * real_part - sp.sin(phase(l)) * imaginary


table = product(cosines(0, l), sines(0, l), cosines(1, l), sines(1, l))
by_tables = over_planes(amplitude(l) * table)
most = 2 * sp.sqrt(2) * unit + 2 * unit**2


def _summed(p: Proof, term: Term, bound: Term, small: Fact, goal: Formula) -> Fact:
    """From |term| <= bound in every plane: the goal, about the sums with amplitudes."""
    plane = small.scope
    bounded = p.under(le(sp.Abs(a), e), le(0, b))
    values = {a: term, b: amplitude(l), e: bound}
    above = bounded.show(le(b * a, b * e), "If |a| is at most e, b a is at most b e for b >= 0.")
    under = bounded.show(le(-b * e, b * a), "If |a| is at most e, b a is at least -b e for b >= 0.")
    above = plane.use(
        above,
        values,
        (small, NOT_NEGATIVE),
        why="The amplitude of a plane is not negative. So a plane's change is at most its "
        "amplitude times the bound.",
    )
    under = plane.use(
        under,
        values,
        (small, NOT_NEGATIVE),
        why="So a plane's change is at least minus its amplitude times the bound.",
    )
    sums = [fact.summed(l, 0, m - 1, "Sum this bound over the planes.") for fact in (above, under)]
    return p.show(goal, "So the logit moves by at most the sum of the bounds.", sums)


def _unit_product(p: Proof) -> Fact:
    """A unit vector's product with a vector is at most that one's length."""
    vectors = p.under(eq(a**2 + b**2, 1), le(e**2 + f**2, reach**2), le(0, reach))
    square = p.show(le(0, (a * f - b * e) ** 2), "The square of a real number is not negative.")
    second = vectors.show(
        eq((a**2 + b**2) * (e**2 + f**2), e**2 + f**2),
        "As the first vector is a unit vector, the product of the squares is that of the second.",
        by=rules.smt(),
    )
    below = vectors.show(
        le((a * e + b * f) ** 2, reach**2),
        "By Lagrange's identity the product of the squares exceeds the squared product by a "
        "square. So the squared product is at most R^2.",
        (square, second),
    )
    return vectors.apply(
        SLASH_SIZE_ORDER, below, why="So the product of the two vectors is at most R in size."
    )


def _tables(p: Proof) -> Fact:
    """In a plane the tables' product is near the cosine."""
    plane = p.under(within(l, 0, m - 1))
    entries = plane.use(ENTRIES, why="In a plane all four table entries are in error by at most u.")
    sign = plane.show(le(0, unit), "So the error u is not negative.", entries)
    angle_q, angle_k, lead = first * theta(l), second * theta(l), phase(l)
    c_q, s_q, c_k, s_k = (wave(x) for x in (angle_q, angle_k) for wave in (sp.cos, sp.sin))
    off = [
        table_(side, l) - wave(position * theta(l))
        for side, position in sides
        for table_, wave in ((cosines, sp.cos), (sines, sp.sin))
    ]
    e_q, f_q, e_k, f_k = off
    turn_c, turn_s = sp.cos(lead), sp.sin(lead)
    of_k = turn_c * c_k + turn_s * s_k, turn_c * s_k - turn_s * c_k
    of_q = turn_c * c_q - turn_s * s_q, turn_s * c_q + turn_c * s_q
    both = e_q * e_k + f_q * f_k, f_k * e_q - e_k * f_q
    product_of = _unit_product(p)
    root = sp.sqrt(2) * unit
    lengths = [
        plane.show(
            within(x_**2 + y_**2, 0, 2 * unit**2),
            "The squared errors of a position's cosine and sine sum to at most 2 u^2.",
            entries,
        )
        for x_, y_ in ((e_q, f_q), (e_k, f_k))
    ]
    compared = p.under(within(a, 0, e), within(b, 0, e))
    products = compared.show(
        le(a * b, e**2), "The product of two numbers between 0 and e is at most e^2."
    )
    squared = {a: e_q**2 + f_q**2, b: e_k**2 + f_k**2, e: 2 * unit**2}
    whole = plane.use(
        products, squared, lengths, why="So the product of the squared errors is at most 4 u^4."
    )
    lagrange = p.show(
        eq(both[0] ** 2 + both[1] ** 2, (e_q**2 + f_q**2) * (e_k**2 + f_k**2)),
        "The square of the joint error is the product of the squared errors.",
    )
    parts = []
    for unit_vector, vector, most_of, known, why in (
        (
            of_k,
            (e_q, f_q),
            root,
            lengths,
            "The query's errors along a unit vector are at most sqrt 2 u.",
        ),
        (
            of_q,
            (e_k, f_k),
            root,
            lengths,
            "The key's errors along a unit vector are at most sqrt 2 u.",
        ),
        (
            (turn_c, turn_s),
            both,
            2 * unit**2,
            (whole, lagrange),
            "Both errors together along a unit vector are at most 2 u^2.",
        ),
    ):
        values = {a: unit_vector[0], b: unit_vector[1], e: vector[0], f: vector[1], reach: most_of}
        parts.append(
            plane.use(
                product_of,
                values,
                (known, sign),
                why="The vector that the errors are projected on is a unit vector. The square of the "
                "errors is at most the square of their bound. The bound of the errors is not "
                "negative. " + why,
            )
        )
    pairs = ((of_k, (e_q, f_q)), (of_q, (e_k, f_k)), ((turn_c, turn_s), both))
    terms = [vector[0] * errors[0] + vector[1] * errors[1] for vector, errors in pairs]
    off_by = table - sp.cos((first - second) * theta(l) + lead)
    split = p.show(
        eq(off_by, sum(terms)), "The error of the tables' product is the sum of these three parts."
    )
    values = {a: terms[0], b: terms[1], z: terms[2], e: root, reach: 2 * unit**2}
    return plane.show(
        le(sp.Abs(off_by), most),
        "The size of a sum of three numbers is at most the sum of their bounds. So the three "
        "parts together are at most 2 sqrt 2 u + 2 u^2. So the tables' product is off by at "
        "most 2 sqrt 2 u + 2 u^2.",
        (split, parts),
    )


_ONE_PLANE = {m: 1, amplitude(0): 1, theta(0): 1, phase(0): 0, first: 1, second: 0}
_HALF = sp.Rational(1, 2)
_RIGHT: Values = {
    **_ONE_PLANE,
    **{first: 0, unit: _HALF, of_query(0): 0, of_key(0): 0, sines(0, 0): 0, sines(1, 0): 0},
    **{cosines(0, 0): 1, cosines(1, 0): 1},
}
"""Both at position 0, where the tables are 1 and 0."""
_LONG: Values = {**_RIGHT, cosines(0, 0): 3 * _HALF, cosines(1, 0): 3 * _HALF}
_FALSE = {
    "once the error": le(sp.Abs(by_tables - exact), over_planes(amplitude(l)) * unit),
    "no angle moves it": le(sp.Abs(by_angles - exact), 0),
}


@theorem(
    "slash.precision",
    needs="PCTX",
    hypotheses=(NOT_NEGATIVE, ANGLES, ENTRIES),
    conclusion=Both(
        le(sp.Abs(by_angles - exact), over_planes(amplitude(l) * turned)),
        le(sp.Abs(by_tables - exact), over_planes(amplitude(l)) * most),
    ),
    attack=Attack(
        _FALSE,
        at={
            "once the error": _LONG,
            "no angle moves it": {
                **_RIGHT,
                **{first: 1, of_query(0): 3 * _HALF, unit: 1, sines(0, 0): 1},
            },
        },
        without={
            NOT_NEGATIVE: {**_LONG, amplitude(0): -1},
            ANGLES: {**_RIGHT, of_query(0): 1},
            ENTRIES: {**_RIGHT, cosines(0, 0): 100},
        },
    ),
)
def SLASH_PRECISION(p: Proof) -> None:
    r"""What rounded angles and rounded tables move a logit by

    Angles formed with relative error $u$ move the logit of a query at $p_q$ and a key at $p_k$ by
    at most $\sum_lA_l\min(2,u(p_q+p_k)\theta_l)$, a bound that rises along the prompt. Cosine and
    sine tables with entries in error by $u$ move it by at most $A(2\sqrt2u+2u^2)$, whatever the
    length.
    """
    of_angles, of_tables = p.goal.args
    plane = p.under(within(l, 0, m - 1))
    formed_angles = plane.use(ANGLES, why="In a plane both angles have the relative error u.")
    new, old = of_query(l) - of_key(l) + phase(l), (first - second) * theta(l) + phase(l)
    close = plane.show(
        le(sp.Abs(new - old), unit * (first + second) * theta(l)),
        "So the angle between query and key is off by at most the sum of the errors.",
        formed_angles,
    )
    lipschitz = [
        p.lemma(TRIG_COSINE_LIPSCHITZ.at(x=one, y=other), why=why)
        for one, other, why in (
            (new, old, "The cosine rises by no more than the angle changes."),
            (old, new, "The cosine falls by no more than the angle changes."),
        )
    ]
    ends = p.show(
        Both(within(sp.cos(new), -1, 1), within(sp.cos(old), -1, 1)),
        "Both cosines lie between -1 and 1, so they differ by at most 2.",
    )
    least = plane.show(
        le(sp.Abs(sp.cos(new) - sp.cos(old)), turned),
        "So the cosine moves by at most the smaller of 2 and the change of the angle.",
        (close, lipschitz, ends),
    )
    angles = _summed(p, sp.cos(new) - sp.cos(old), turned, least, of_angles)

    tables = _tables(p)
    moved = table - sp.cos(old)
    nearly = _summed(p, moved, most, tables, of_tables)
    p.qed("This proves the bounds for rounded angles and for rounded tables.", angles, nearly)
