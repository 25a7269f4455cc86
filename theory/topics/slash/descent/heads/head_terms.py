"""The head of the headline of training: its matrices, features, training and sequences.

The key matrix W(tau, r, c), r = 0..2m-1, is trained in full; plane l has the rows l and l + m. The
query matrix is qbar u^T, fixed; psi(t, r) is RoPE's feature of lag t.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.heads import ood
from ropeproof.theory.topics.slash.descent.heads.rank_one import ALGORITHM as DESCENT
from ropeproof.theory.topics.slash.descent.heads.rank_one import START as UNTRAINED
from ropeproof.theory.topics.slash.descent.heads.rank_one import UNIT as UNIT_AXIS
from ropeproof.theory.topics.slash.descent.heads.rank_one import own_direction
from ropeproof.theory.topics.slash.descent.heads.rank_one_gradient import (
    COMPONENT,
    MEAN,
    c,
    dimension,
    matrix,
)
from ropeproof.theory.topics.slash.descent.heads.rank_one_gradient import feature as of_rank_one
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.rates.rate import bound as slow_bound
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

end = start + n
sequence, row = real_function("Y"), integer("r")
query, turned = real_function("q"), real_function("q_turned")
MEANINGS = {**NOTATION}
QUERY: Substitution = {query_x: sp.Lambda(l, query(l)), query_y: sp.Lambda(l, query(l + m))}
"""The query's planes among its coordinates."""
ON_IT: Substitution = {ood.sequence: sequence, n: length, **QUERY}


def taken(term: Any, values: Any) -> Any:
    """The term with values for its symbols."""
    return substitute(term, as_values(values, term))


def taken_pair(vector: Vector, values: Any) -> Vector:
    """A vector with values for its symbols."""
    return taken(vector[0], values), taken(vector[1], values)


@named("ψ({})_{}", r"\psi({})_{{}}", "features of the lags, by coordinate", integer("t"), row)
def psi(lag: Any, at: Any) -> Any:
    """A coordinate of RoPE's feature of a lag, s R_t qbar."""
    angle = theta(at) * lag
    return s * (query(at) * sp.cos(angle) + turned(at) * sp.sin(angle))


# -- the head ----------------------------------------------------------------------------

ROWS: Substitution = {m: 2 * m, of_rank_one: sp.Lambda((j, row), psi(j, row))}
HALVES: Substitution = {
    psi_x: sp.Lambda((j, l), psi(j, l)),
    psi_y: sp.Lambda((j, l), psi(j, l + m)),
}
"""The features' planes among their coordinates."""


def learned(time: Term) -> Vector:
    """k(tau) = W(tau) u, in its planes."""
    return own_direction(time, l), own_direction(time, l + m)


KEYS: Substitution = {
    **HALVES,
    grown_x: sp.Lambda((tau, l), own_direction(tau, l)),
    grown_y: sp.Lambda((tau, l), own_direction(tau, l + m)),
}
slopes = (taken(part, KEYS) for part in gradient(key_at(tau)))
TRAINING_OF_KEYS: Substitution = {
    **KEYS,
    **{
        name: sp.Lambda((tau, l), part)
        for name, part in zip((slope_x, slope_y), slopes, strict=True)
    },
}
"""The training of W as one of k on the features."""


def of_keys(term: Any) -> Any:
    """A term of the training on features, for this one."""
    return taken(term, TRAINING_OF_KEYS)


def own(lag: Term) -> Term:
    """The logit of row i of a sequence, with the key matrix that training left."""
    seen_x, seen_y = (taken(ood.image(part(l), i), ON_IT) for part in (query_x, query_y))
    own_x, own_y = (
        sp.Sum(matrix(end, at, c) * sequence(i - lag, c), (c, 0, dimension - 1))
        for at in (l, l + m)
    )
    return bilinear(seen_x, seen_y, own_x, own_y, lag)


weight = sp.exp(own(offset)) / sp.Sum(sp.exp(own(j)), (j, 0, i - 1))
score = over_rows(weight) / (length - offset)


def of_rows(known: Hypothesis) -> Hypothesis:
    """A hypothesis of the training of W, for its 2m rows."""
    return Hypothesis(known.name, taken(known.formula, ROWS))


W_COMPONENT, W_MEAN, W_START, W_DESCENT = map(of_rows, (COMPONENT, MEAN, UNTRAINED, DESCENT))
AXIS = Hypothesis("u is a unit vector", UNIT_AXIS)
PLANES = Hypothesis("there is a plane", le(1, m))
STEP = Hypothesis(
    "beta is that of the features",
    Both(lt(0, beta), eq(beta, s**2 * over_planes(query(l) ** 2 + query(l + m) ** 2))),
)
WINDOW, INSIDE = (le(0, j), le(j, length - 1)), (le(0, l), le(l, m - 1))
HALF = Hypothesis(
    "rows l and l + m are a plane",
    every(
        l,
        0,
        m - 1,
        Both(eq(theta(l + m), theta(l)), eq(turned(l), -query(l + m)), eq(turned(l + m), query(l))),
    ),
)
WON = Hypothesis(WINS.name, taken(WINS.formula, HALVES))
TIMES = Hypothesis("there are steps before tau_0 and after", Both(le(1, start), le(1, n)))
FEW = Hypothesis("tau_0 is late enough", le((length - offset) * slow_bound.subs(steps, start), 1))
LONG = Hypothesis("there are two positions", le(2, length))
SEQUENCE = Hypothesis("so have those of the sequence", taken(ood.COMPONENT.formula, ON_IT))
