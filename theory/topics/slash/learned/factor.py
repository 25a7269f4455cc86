"""A rank-one factor of queries and keys, and how far a logit lies from the factor's."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import (
    MEAN_KEY,
    MEAN_QUERY,
    SCALE,
    bilinear,
    column_x,
    column_y,
    norm,
    row_logit,
    row_x,
    row_y,
)
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_LOGIT_SIZE

size_q, size_k = real("a b")
MEANINGS: Meanings = {
    **cluster.MEANINGS,
    j: "the lag",
    (column_x, column_y): "the row's own keys, by lag",
    (row_x, row_y): "the row's own query",
    size_q: "the query's multiple of the factor's",
    size_k: "the key's multiple of the factor's",
}
left_of_query = row_x(l) - size_q * query_x(l), row_y(l) - size_q * query_y(l)
left_of_key = column_x(j, l) - size_k * key_x(l), column_y(j, l) - size_k * key_y(l)
distance = sp.Abs(row_logit(j) - size_q * size_k * logit(j))
by_key = sp.Abs(size_q) * norm(*MEAN_QUERY) * norm(*left_of_key)
by_query = sp.Abs(size_k) * norm(*MEAN_KEY) * norm(*left_of_query)
by_both = norm(*left_of_query) * norm(*left_of_key)


_FALSE = {
    "without what both leave": le(distance, s * (by_key + by_query)),
    "scalars with their signs": le(
        distance, s * (size_q * norm(*MEAN_QUERY) * norm(*left_of_key) + by_query + by_both)
    ),
    "of the query alone": le(distance, s * (by_query + by_both)),
}
_OPPOSITE = where(
    {
        **{m: 1, s: 1, j: 0, size_q: -1, size_k: 1},
        **{query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0},
        **{row_x(0): -2, row_y(0): 0, column_x(0, 0): 2, column_y(0, 0): 0},
    }
)


@theorem(
    "slash.factor",
    needs="PTX",
    hypotheses=(SCALE,),
    conclusion=le(distance, s * (by_key + by_query + by_both)),
    attack=Attack(_FALSE, at=dict.fromkeys(_FALSE, _OPPOSITE)),
)
def SLASH_FACTOR(p: Proof) -> None:
    r"""A logit lies close to the factor's

    For any scalars $a_i,b_j$ and vectors $q,k$, with $e_i=Q_i-a_iq$, $f_j=K_j-b_jk$ and
    $f(t)=w(t,q,k)$: $|w_{ij}-a_ib_jf(i-j)|\le
    s(|a_i|\|q\|\|f_j\|+|b_j|\|k\|\|e_i\|+\|e_i\|\|f_j\|)$.
    """

    def size(a: tuple[Term, Term], b: tuple[Term, Term], why: str) -> Fact:
        vectors = {query_x: a[0], query_y: a[1], key_x: b[0], key_y: b[1]}
        values = {vector: sp.Lambda(l, term) for vector, term in vectors.items()}
        return p.lemma(SLASH_LOGIT_SIZE.at(**by_name(values), t=j), SCALE, why=why)

    of_key, of_query = (
        bilinear(*pair, j) for pair in ((*MEAN_QUERY, *left_of_key), (*left_of_query, *MEAN_KEY))
    )
    of_both = bilinear(*left_of_query, *left_of_key, j)
    key = size(
        MEAN_QUERY,
        left_of_key,
        "The logit of u and the key's rest is at most the product of their norms.",
    )
    query = size(
        left_of_query,
        MEAN_KEY,
        "The logit of the query's rest and v is at most the product of their norms.",
    )
    both = size(
        left_of_query, left_of_key, "The logit of both rests is at most the product of their norms."
    )
    scaled = [
        p.show(
            le(sp.Abs(scalar * part), sp.Abs(scalar) * bound),
            "Multiply this bound by the size of the scalar.",
            fact,
        )
        for scalar, part, bound, fact in (
            (size_q, of_key, key.formula.rhs, key),
            (size_k, of_query, query.formula.rhs, query),
        )
    ]
    sizes = x, y, z = real("x y z")
    bounds = real("x_most y_most z_most")
    small = p.under(*(within(part, -most, most) for part, most in zip(sizes, bounds, strict=True)))
    added = small.show(
        le(sp.Abs(x + y + z), sum(bounds)),
        "The size of a sum of three numbers is at most the sum of their bounds.",
    )
    terms = size_q * of_key, size_k * of_query, of_both
    ends = s * by_key, s * by_query, s * by_both
    each = [
        p.show(
            within(term, -most, most),
            "Each of the three parts lies within its bound in both directions.",
            fact,
        )
        for term, most, fact in zip(terms, ends, (*scaled, both), strict=True)
    ]
    total = p.use(
        added,
        dict(zip((*sizes, *bounds), (*terms, *ends), strict=True)),
        each,
        why="So the sum of the three parts is at most the sum of their bounds.",
    )
    p.qed(
        "What the factor leaves has three parts: the key's rest, the query's, and both. So "
        "the logit differs from the factor's by at most this sum.",
        total,
    )
