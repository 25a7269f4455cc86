"""Which linear changes of queries and keys keep all logits: one complex number for each plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.topics.rope.expressive import expressive
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.numbers import HERE, gauge, number, numbers, size
from ropeproof.theory.topics.rope.gauge.terms import a, b, key, lag, on_key, on_query, query, times

MEANINGS: Meanings = terms.MEANINGS

every_lag = Every((query(a), key(a), lag), terms.same_at(lag))


def _back(p: Proof) -> Fact:
    """Numbers for the planes keep the logits at every lag."""
    given = p.supposing(gauge())
    known = given.given(gauge(), "Suppose that A and B multiply the planes by such numbers.")
    here = given.under(within(l, 0, m - 1))
    positive, acts_ = here.use(known, why="In this plane A and B act so.").parts(
        "This is one part."
    )
    both = here.use(acts_, {query: query, key: key}, why="Take a query and a key.")
    parts = both.parts("This is one coordinate.")
    values: Values = {fact.formula.lhs: fact.formula.rhs for fact in parts}
    term = terms.share(lag, times(on_query, query), times(on_key, key))
    put = here.rewrite(eq(term, term.xreplace(values)), "Put in the coordinates.", *parts)
    same = here.show(
        eq(put.formula.rhs, terms.share(lag, query, key)),
        "The number and the inverse of its conjugate cancel.",
        positive,
    )
    total = here.chain(put, same, why="So the plane adds what it added.").summed(
        l, 0, m - 1, "Sum over the planes."
    )
    return total.for_all(
        query(a), key(a), lag, why="It is so for all queries and keys and at every lag."
    )


def _inverse(place: Term) -> tuple[Term, Term]:
    re, im = number(place)
    return re / size(place), -im / size(place)


_shear = sp.Piecewise((1, eq(a, b)), (b, a < b), (0, True))
_sheared_back = sp.Piecewise((1, eq(a, b)), (-a, b < a), (0, True))
_place = 4 * a + b
_mixed = terms.as_instance(
    sp.Piecewise((1, eq(a, b)), (1, eq(_place, 1)), (1, eq(_place, 11)), (0, True)),
    sp.Piecewise((1, eq(a, b)), (-1, eq(_place, 4)), (-1, eq(_place, 14)), (0, True)),
    2,
)
"""Two planes of one frequency: A adds the second to the first, B takes the first from the second."""


@theorem(
    "rope.gauge",
    source=Source(
        "ropeproof",
        "own statement and proof; compare the Lean survey of Basu (2026), pages on the commutant, and the "
        "abstract of Wang & Wang, Complete Characterization of Gauge Symmetries (2025)",
    ),
    needs="PTXW",
    hypotheses=HERE,
    conclusion=Both(If(terms.two_lags, gauge()), If(gauge(), every_lag)),
    conditions=(terms.as_instance(terms.diagonal(1), terms.diagonal(1), 2, l + 1),),
    attack=Attack(
        {
            "B by the number itself": Both(
                If(terms.two_lags, gauge(number)), If(gauge(number), every_lag)
            ),
            "B by the inverse": Both(
                If(terms.two_lags, gauge(_inverse)), If(gauge(_inverse), every_lag)
            ),
            "lag 0 alone": If(Every((query(a), key(a)), terms.same_at(sp.Integer(0))), gauge()),
        },
        at={
            "B by the number itself": terms.as_instance(
                terms.diagonal(2), terms.diagonal(sp.Rational(1, 2))
            ),
            "B by the inverse": terms.as_instance(terms.quarter, terms.quarter),
            "lag 0 alone": terms.as_instance(_shear, _sheared_back),
        },
        idle={terms.PLANES: "without planes nothing is said"},
        without={
            expressive.IN_RANGE: terms.as_instance(_shear, _sheared_back, frequency=0),
            expressive.DISTINCT: _mixed,
        },
    ),
)
def ROPE_GAUGE(p: Proof) -> None:
    r"""RoPE sees every linear change of queries and keys but one complex number for each plane

    Distinct frequencies $\theta_l\in(0,\pi)$, $l<m$. Real $2m\times2m$ matrices $A,B$ keep all
    logits at two lags, $\langle R_tAq,Bk\rangle=\langle R_tq,k\rangle$ for all $q,k$ at $t=0$ and
    $t=1$, if and only if there are complex numbers $c_l\ne0$, namely $c_l=A_{l,l}+\mathrm
    iA_{l+m,l}$, such that $A$ multiplies plane $l$ of every $q$ by $c_l$ and $B$ that of every
    $k$ by $1/\overline{c_l}$. Then the logits are the same at every lag.
    """
    p.qed("These are the two directions.", numbers(p), _back(p))
