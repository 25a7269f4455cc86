"""Linear encodings whose logits see the lag only are powers of one orthogonal matrix."""

from ropeproof.theory.language import *
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.rope.only import two_sided as sides
from ropeproof.theory.topics.rope.only.two_sided import (
    ROPE_ONLY_TWO_SIDED,
    a,
    b,
    c,
    dimension,
    e,
    entries,
    over,
    p,
    r,
    u,
)

encoding, undo = real_function("R"), real_function("S")
MEANINGS: Meanings = {
    **sides.MEANINGS,
    r: "a position",
    encoding: "entries of the encoding's matrices, by position, row and column",
    undo: "entries of the inverse of R_0",
    sides.power: "entries of the powers of U_1, by exponent",
}

BOTH = {
    sides.for_query: encoding,
    sides.for_key: encoding,
    sides.undo_query: undo,
    sides.undo_key: undo,
}
"""What the two-sided claim speaks of where queries and keys have one encoding."""


def one_sided(formula: Formula) -> Any:
    """A formula of the two-sided claim for one encoding of queries and keys."""
    return substitute(formula, as_values(BOTH, ROPE_ONLY_TWO_SIDED.conclusion))


@named("U_{}[{},{}]", r"U_{{}}[{},{}]", "entry of R_p R_0⁻¹", p, a, b)
def turn(position: Term | int, first: Term, second: Term) -> Term:
    """(R_p S)_{a,b}, S the inverse of R_0."""
    return over(u, encoding(position, first, u) * undo(u, second))


RELATIVE = Hypothesis(sides.RELATIVE.name, one_sided(sides.RELATIVE.formula))
INVERSE = Hypothesis("S is the inverse of R_0", one_sided(sides.KEY_INVERSE.formula))

orthogonal = Every(
    (p, a, b), If(entries(a, b), sides.identity(over(e, turn(p, e, a) * turn(p, e, b)), a, b))
)
powers = one_sided(If(sides.defined, sides.is_power))

_sign = sp.Piecewise((1, eq(2 * sp.floor(p / 2), p)), (-1, True))  # (-1)^p
_swap = (1 - a) * b + a * (1 - b)
_reflections = (
    eq(dimension, 2),
    Every((p, a, b), eq(encoding(p, a, b), (1 - a) * b + _sign * a * (1 - b))),
    Every((a, b), eq(undo(a, b), _swap)),
    Every((p, a, b), eq(sides.power(p, a, b), (1 - a) * (1 - b) + _sign * a * b)),
)


def _transposed(p_: Proof, two_sided: list[Fact]) -> Fact:
    """U_p^T = U_(-p), its entry at (a, e)."""
    queries = next(fact for fact in two_sided if fact.formula == one_sided(sides.queries))
    each = p_.under(entries(e, u)).use(
        queries, {p: p, a: e, b: u}, why="The two-sided claim says that R_p^T is R_0^T U_(-p)."
    )
    weighed = each.times(undo(u, a), "Multiply both sides with an entry of S.").summed(
        u, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    first = p_.use(
        sides.associativity(p_),
        {
            sides.row: sp.Lambda(c, turn(-p, c, e)),
            sides.table: sp.Lambda((c, u), encoding(0, c, u)),
            sides.column: sp.Lambda(u, undo(u, a)),
        },
        why="Multiply R_0 and S first.",
        goal=eq(
            over(c, turn(-p, c, e) * turn(0, c, a)),
            over(u, over(c, turn(-p, c, e) * encoding(0, c, u)) * undo(u, a)),
        ),
    )
    known = p_.under(entries(c, a)).use(INVERSE, {a: c, b: a}, why="R_0 S is the unit matrix.")
    place = p_.under(entries(a, e))
    left = sides.unit_sum(
        place,
        turn(0, c, a),
        c,
        a,
        turn(-p, c, e),
        known,
        "As R_0 S is the unit matrix, only U_(-p) is left.",
    )
    return place.show(
        eq(turn(p, e, a), turn(-p, a, e)),
        "So the transpose of U_p is U_(-p).",
        (weighed, first, left),
    )


_line = (
    eq(dimension, 1),
    Every((p, a, b), eq(encoding(p, a, b), 2)),
    Every((a, b), eq(undo(a, b), sp.Rational(1, 2))),
)


@theorem(
    "rope.only",
    compare=(prior.GENERATORS, prior.JORDAN),
    needs="PTX",
    hypotheses=(RELATIVE, INVERSE),
    conclusion=Both(orthogonal, Both(one_sided(sides.group), powers)),
    example=_reflections,
    attack=Attack(
        {
            "the encoding itself is orthogonal": Every(
                (p, a, b),
                If(
                    entries(a, b),
                    sides.identity(over(e, encoding(p, e, a) * encoding(p, e, b)), a, b),
                ),
            ),
            "orthogonal to the next": Every(
                (p, a, b),
                If(entries(a, b), sides.identity(over(e, turn(p, e, a) * turn(p + 1, e, b)), a, b)),
            ),
            "all positions alike": Every(
                (p, a, b), If(entries(a, b), eq(turn(p, a, b), turn(0, a, b)))
            ),
            "one step more": Every(
                (p, r, a, b),
                If(
                    entries(a, b), eq(turn(p + r + 1, a, b), over(c, turn(p, a, c) * turn(r, c, b)))
                ),
            ),
        },
        at={
            "the encoding itself is orthogonal": _line,
            "orthogonal to the next": _reflections,
            "all positions alike": _reflections,
            "one step more": _reflections,
        },
        without={
            RELATIVE: (
                eq(dimension, 1),
                Every((p, a, b), eq(encoding(p, a, b), 1 + p**2)),
                Every((a, b), eq(undo(a, b), 1)),
            ),
            INVERSE: (
                eq(dimension, 1),
                Every((p, a, b), eq(encoding(p, a, b), 0)),
                Every((a, b), eq(undo(a, b), 1)),
            ),
        },
    ),
)
def ROPE_ONLY(p_: Proof) -> None:
    r"""A linear encoding whose logits see the lag only is powers of one orthogonal matrix

    Real $d\times d$ matrices $R_p$ for every integer position, $R_0$ invertible, such that
    $R_i^\top R_j=R_0^\top R_{j-i}$ for all $i,j$: the logit $\langle R_iq,R_jk\rangle$ of all $q,k$
    depends on the lag only. Let $U_p=R_pR_0^{-1}$. Then $U_p^\top U_p=I$ and $U_{p+r}=U_pU_r$ for
    all integers $p,r$; so $U_p=U_1^p$, the matrices $P(p)$ with $P(0)=I$ and $P(p+1)=P(p)U_1$. A
    relative linear encoding is the powers of one orthogonal matrix after one fixed map; the group
    law follows and need not be assumed.
    """
    parts = p_.lemma(
        ROPE_ONLY_TWO_SIDED.at(**by_name(BOTH)),
        (RELATIVE, INVERSE),
        why="Take the two-sided claim with one encoding of queries and keys.",
    ).parts("This is one part of the two-sided claim.")
    group_, power_ = parts[0], parts[1]
    flipped = _transposed(p_, parts)
    place = p_.under(entries(a, b))
    factor = flipped.times(turn(p, e, b), "Multiply both sides with an entry of U_p.").summed(
        e, 0, dimension - 1, "Sum this equation over the coordinate."
    )
    product = place.use(
        group_,
        {p: -p, r: p},
        why="U_(-p) times U_p is U_0.",
        goal=eq(turn(0, a, b), over(e, turn(-p, a, e) * turn(p, e, b))),
    )
    unit = place.use(INVERSE, why="By hypothesis U_0 is the unit matrix.")
    square = place.show(
        orthogonal.args[1].args[1], "So U_p^T U_p is the unit matrix.", (factor, product, unit)
    )
    p_.qed(
        "So each U_p is orthogonal, and U_p is the p-th power of U_1.",
        (square.for_all(p, a, b, why="This holds for all positions and entries."), group_, power_),
    )
