"""At lag 0 the changes of queries and keys undo each other; at lag 1 they commute with the rotation."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.indicators import indicator, whether
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.columns import lag_zero, picks
from ropeproof.theory.topics.rope.gauge.difference import orthogonal, vanishes
from ropeproof.theory.topics.rope.gauge.terms import a, b, c, f, j, key, on_key, on_query, times

MEANINGS: Meanings = terms.MEANINGS


def _inverse(p: Proof, zero: Fact) -> Fact:
    """A^T B is the unit matrix, its entry at (a, c)."""
    at = p.under(terms.coordinate)
    here = p.under(within(a, 0, 2 * m - 1))
    flat = here.use(zero, {c: a}, why="Take the column a of A.")
    with_unit = at.use(
        flat, {key: sp.Lambda(b, indicator(b, c))}, why="Take a unit vector for the key."
    )
    entries = [picks(p.under(within(c, 0, 2 * m - 1)), on_key, c, place) for place in (l, l + m)]
    moved = times(on_key, terms.unit(c))
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
        terms.halves(p),
        {f: sp.Lambda(b, on_query(b, a) * on_key(b, c))},
        why="A sum over the coordinates is one over the planes.",
    )
    return at.show(
        terms.inverse(half.formula.lhs),
        "So the entry of the product is the indicator. So the product is the unit matrix.",
        (half, term, with_unit, whether(p, (a, c))),
    )


_kept = terms.as_instance(terms.diagonal(1), terms.diagonal(1))
_turned_back = Every((l, j), If(terms.planes, Both(*terms.intertwines(l, j, back=-1))))


@theorem(
    "rope.gauge-commutes",
    source=Source("ropeproof", "own statement and proof; compare the Lean survey of Basu (2026)"),
    needs="PTX",
    hypotheses=(terms.PLANES, terms.TWO_LAGS),
    conclusion=Both(terms.inverses, terms.commutes),
    example=_kept,
    attack=Attack(
        {
            "A turns the rotation back": Both(terms.inverses, _turned_back),
            "B is the inverse of A": Both(
                Every(
                    (key(a), c),
                    If(
                        within(c, 0, 2 * m - 1),
                        eq(terms.over(on_query(c, b) * times(on_key, key)(b)), key(c)),
                    ),
                ),
                terms.commutes,
            ),
        },
        at={
            "A turns the rotation back": _kept,
            "B is the inverse of A": terms.as_instance(terms.quarter, terms.quarter),
        },
        idle={terms.PLANES: "without planes there is no coordinate"},
        without={terms.TWO_LAGS: terms.as_instance(terms.diagonal(0), terms.diagonal(0))},
    ),
)
def ROPE_GAUGE_COMMUTES(p: Proof) -> None:
    r"""What keeps all logits at the lags 0 and 1 is inverse and transposed, and commutes with the rotation

    Any frequencies; real $2m\times2m$ matrices $A,B$ with $\langle R_tAq,Bk\rangle=\langle
    R_tq,k\rangle$ for all $q,k$ at the lags $t=0$ and $t=1$. Then $A^\top Bk=k$ for all $k$, so
    $B=A^{-\top}$, and $R_1A=AR_1$.
    """
    zero = lag_zero(p)
    half = p.use(
        terms.halves(p),
        {f: sp.Lambda(b, on_query(b, c) * times(on_key, key)(b))},
        why="A sum over the coordinates is one over the planes.",
    )
    undone = zero.scope.chain(half, zero, why="So A^T B k is k in this coordinate.")
    entry = _inverse(p, zero)
    turned = (
        p.under(terms.coordinate)
        .show(
            terms.inverse(terms.over(on_key(b, a) * on_query(b, c))),
            "So B^T A is the unit matrix as well.",
            entry.scope.use(entry, {a: c, c: a}, why="Take the entry of the transpose."),
        )
        .for_all(a, c, why="It is so in every entry.")
    )
    parts = [vanishes(p, turned, orthogonal(p, zero, second), second) for second in (False, True)]
    both = p.under(terms.planes).show(
        Both(*terms.intertwines(l, j)), "So R_1 A and A R_1 have the same entries.", parts
    )
    p.qed(
        "These are the two parts of the claim.",
        undone.for_all(key(a), c, why="It is so for all vectors and coordinates."),
        both.for_all(l, j, why="It is so in every block."),
    )
