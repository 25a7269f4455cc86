"""Training keeps the keys rank one and blind to the token.

A token at position p of prompt P is the vector X(P, p, c) = u(c) + s(c) with s orthogonal to the
unit vector u, and s of mean 0 at every position. The key matrix W(tau, l, c) is trained in full,
by the gradient of the population loss; psi(t, l) is the feature of lag t.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.heads import rank_one_gradient
from ropeproof.theory.topics.slash.descent.heads.rank_one_gradient import (
    ENTRY,
    c,
    cone,
    dimension,
    feature,
    key,
    matrix,
    token,
)
from ropeproof.theory.topics.slash.descent.notation import PLACE, STEPS, beta, over_rows, steps, tau
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = {
    **corpus.MEANINGS,
    **rank_one_gradient.MEANINGS,
    i: "a row, which has i keys",
    j: "a lag",
    l: "a coordinate of the key",
    m: "dimension of keys",
    length: "length of the prompts",
    matrix: vector_in(dimension, "key matrix, by step", "W", "W", matrix=True),
    beta: "inverse of the step; the loss's curvature is at most this",
    steps: "number of steps",
    tau: "a step of the training",
}


def rank_one(time: Term) -> Formula:
    """W = k u^T for some k."""
    return Some((key(rank_one_gradient.h),), rank_one_gradient.entries(time, key(l)))


def own_direction(time: Term | int, row: Term | int) -> Term:
    """k(tau) = W(tau) u, a coordinate."""
    return rank_one_gradient.over_inputs(matrix(time, row, c) * cone(c))


def mean_gradient(vector: Callable[..., Term]) -> Term:
    """Coordinate l of the gradient in k: of the rows' mean of E psi - psi(Delta), E by k's weights."""
    scores = sp.exp(over_planes(feature(j, l) * vector(l)))
    mean = rank_one_gradient.over_lags(
        scores / rank_one_gradient.over_lags(scores) * feature(j, l)
    ) - feature(offset, l)
    return over_rows(mean) / (length - offset)


BLIND = Every(
    (corpus.prompt, rank_one_gradient.place, l),
    If(
        Both(*rank_one_gradient.TOKEN, *rank_one_gradient.OUTPUT),
        eq(rank_one_gradient.own_key(steps, rank_one_gradient.place), key(l)),
    ),
)
START = Hypothesis("training starts at 0", Every((l, c), If(Both(*ENTRY), eq(matrix(0, l, c), 0))))
ALGORITHM = Hypothesis(
    "gradient descent on W with step 1/beta",
    Every(
        (tau, l, c),
        If(
            Both(le(0, tau), *ENTRY),
            eq(matrix(tau + 1, l, c), matrix(tau, l, c) - rank_one_gradient.gradient(tau) / beta),
        ),
    ),
)

UNIT = eq(rank_one_gradient.over_inputs(cone(c) ** 2), 1)
THEN = own_direction(tau, l) - mean_gradient(lambda row: own_direction(tau, row)) / beta
RECURSION = Both(
    every(l, 0, m - 1, eq(own_direction(0, l), 0)),
    Every((tau,), If(le(0, tau), rank_one_gradient.entries(tau, own_direction(tau, l)))),
    Every(
        (tau, l),
        If(Both(le(0, tau), *rank_one_gradient.OUTPUT), eq(own_direction(tau + 1, l), THEN)),
    ),
)


# -- the proof ---------------------------------------------------------------------------


def _next(p: Proof, entry: Fact, row: Fact) -> tuple[Fact, Fact]:
    """If W = k u^T at a step, an entry at the next; and so W is k' u^T, for some k'."""
    rows = row.summed(i, offset + 1, length, "Sum this equation over the rows.")
    step = p.under(le(0, tau), *ENTRY).use(
        ALGORITHM, why="A step subtracts the gradient over beta."
    )
    new_key = key(l) - mean_gradient(key) / beta
    after = p.under(rank_one_gradient.NOW, le(0, tau), *ENTRY).show(
        eq(matrix(tau + 1, l, c), new_key * cone(c)),
        "The coordinate of u is a common factor of the sum. So the entry at the next step is "
        "a multiple of u's coordinate again.",
        (step, entry, rows),
    )
    entry_by_entry = after.for_all(l, c, why="This holds for every entry of W.")
    return after, entry_by_entry.scope.witness(
        rank_one(tau + 1),
        {key: sp.Lambda(l, new_key)},
        entry_by_entry,
        why="So W at the next step is of rank one with a new k.",
    )


def _along(fact: Fact, why: str) -> Fact:
    """From an entry `W = v u`: W u = v, as u is a unit vector."""
    vector = fact.formula.rhs / cone(c)
    term = fact.scope.show(
        eq(fact.formula.lhs * cone(c), vector * cone(c) ** 2),
        "Multiply the entry by the coordinate of u.",
        fact,
    )
    total = term.summed(c, 0, dimension - 1, "Sum this equation over the coordinates.")
    factor = fact.scope.proof.show(
        eq(total.formula.rhs, vector * UNIT.lhs),
        "The vector's coordinate is a common factor of the sum.",
    )
    return total.scope.under(UNIT).show(
        eq(total.formula.lhs, vector), "By assumption u is a unit vector. " + why, (total, factor)
    )


def _recursion(p: Proof, always: Fact, entry: Fact, after: Fact) -> Fact:
    """k = W u follows gradient descent on the features."""
    unit = p.under(UNIT)
    own = own_direction(tau, l)
    nothing = p.under(*ENTRY).use(START, why="At the start the entry of W is 0.")
    term = nothing.scope.show(
        eq(matrix(0, l, c) * cone(c), 0), "So its product with the coordinate of u is 0.", nothing
    )
    none = term.summed(c, 0, dimension - 1, "Summed over the coordinates, W u is 0 at the start.")
    at_start = none.for_all(l)

    exists = p.under(le(0, tau)).use(always, why="At any step W is k u^T for some k.")
    same = _along(entry, "So this k is W u, as u is a unit vector.")
    ours = entry.scope.under(UNIT).show(
        eq(matrix(tau, l, c), own * cone(c)), "So the entry of W is that of W u u^T.", entry, same
    )
    found = ours.for_all(l, c, why="This holds for every entry of W.")
    now = unit.under(le(0, tau)).choose(exists, found)
    mapping = {key: sp.Lambda(l, own)}
    following = unit.under(le(0, tau), *ENTRY).use(
        after, mapping, now, why="So the next W comes from a step of W u on the features."
    )
    moved = _along(following, "Applied to u, the next W u is that step.")
    steps_of = moved.for_all(tau, l, why="This holds at every step.")
    return unit.show(
        RECURSION,
        "So k starts at 0, W is k u^T, and k makes steps on the features.",
        (at_start, now.for_all(tau), steps_of),
    )


_ONE_TOKEN = {
    **{m: 1, dimension: 1, corpus.prompts: 1},
    **{corpus.probability(0): 1, cone(0): 1, token(0, 1, 0): 1},
    **{matrix(0, 0, 0): 0, l: 0},
}


_HALF = sp.Rational(1, 2)
_TWO = {
    **{**_ONE_TOKEN, dimension: 2, cone(1): 0, matrix(0, 0, 1): 0, steps: 0, beta: 1},
    **{length: 2, offset: 1, feature(0, 0): -1, feature(1, 0): 1},
}
"""Two positions with opposite features; tokens have a coordinate along u and one across."""


def _zero(_: Term) -> Term:
    return sp.Integer(0)


@theorem(
    "slash.gd.rank-one",
    role="main result",
    needs="PT",
    hypotheses=(
        STEPS,
        PLACE,
        rank_one_gradient.COMPONENT,
        rank_one_gradient.MEAN,
        START,
        ALGORITHM,
    ),
    conclusion=Both(
        Some((key(rank_one_gradient.h),), Both(rank_one_gradient.entries(steps, key(l)), BLIND)),
        If(UNIT, RECURSION),
    ),
    attack=Attack(
        {
            "one moves by 1": Every((l, c), If(Both(*ENTRY), eq(matrix(steps, l, c), 1))),
            "steps of twice the size": If(
                UNIT, eq(own_direction(1, 0), own_direction(0, 0) - 2 * mean_gradient(_zero) / beta)
            ),
        },
        at={
            "one moves by 1": {**_ONE_TOKEN, steps: 0, length: 1, offset: 0, beta: 1},
            "steps of twice the size": {
                **{**_ONE_TOKEN, steps: 1, length: 2, offset: 1, beta: 1, token(0, 2, 0): 1},
                **{feature(0, 0): 0, feature(1, 0): 2, matrix(1, 0, 0): 1},
            },
        },
        without={
            STEPS: {**_TWO, steps: -1, matrix(-1, 0, 0): 0, matrix(-1, 0, 1): 5},
            PLACE: {
                **{**_TWO, length: 1, offset: -1, token(0, 1, 1): 0, token(0, 2, 0): 1},
                **{token(0, 2, 1): 5, feature(-1, 0): 1},
            },
            rank_one_gradient.COMPONENT: {
                **{**_TWO, dimension: 1, corpus.prompts: 2, token(0, 1, 0): 2, token(0, 2, 0): 2},
                **{corpus.probability(0): _HALF, corpus.probability(1): _HALF},
                **{token(1, 1, 0): 0, token(1, 2, 0): 0},
            },
            rank_one_gradient.MEAN: {
                **_TWO,
                token(0, 1, 1): 3,
                token(0, 2, 0): 1,
                token(0, 2, 1): 0,
            },
            START: {**_ONE_TOKEN, steps: 0, length: 1, offset: 0, beta: 1, matrix(0, 0, 0): 5},
            ALGORITHM: {**_ONE_TOKEN, steps: 0, length: 1, offset: 0, beta: 1, matrix(1, 0, 0): 5},
        },
    ),
)
def SLASH_GD_RANK_ONE(p: Proof) -> None:
    r"""Keys stay rank one and blind to the token

    Let queries be held fixed, so that the logit of a key $k$ at lag $t$ is $\langle
    k,\psi(t)\rangle$. Gradient descent from $W_K(0)=0$ with step $1/\beta$, $W_K\leftarrow
    W_K-\frac1\beta\nabla \mathcal L$, on the population loss $\mathcal
    L=-\frac1{N-\Delta}\sum_{i>\Delta}\mathbb E\log S_{i,i-\Delta}$, tokens having component 1 along
    $u$ and mean $u$ at every position: $W_K(\tau)=k(\tau)u^\top$ at every step. Keys stay exactly
    rank one and independent of the token, $W_Kx_v=k(\tau)$. If $\|u\|=1$, $k(\tau)=W_K(\tau)u$
    follows gradient descent on the lags' features: $k(0)=0$,
    $k(\tau+1)=k(\tau)-\frac1\beta\frac1{N-\Delta}\sum_{i>\Delta}\big[\sum_tS_{it}\psi(t)-\psi(\Delta)\big]$,
    $S$ the weights of the logits $\langle k(\tau),\psi(t)\rangle$.
    """
    nothing = p.under(*ENTRY).use(START, why="At the start the entry of W is 0.")
    start = p.witness(
        rank_one(sp.Integer(0)),
        {key: sp.Lambda(l, sp.Integer(0))},
        nothing.for_all(l, c, why="This holds for every entry of W."),
        why="So at the start W is of rank one with k = 0.",
    )
    now = p.under(rank_one_gradient.NOW).given(
        rank_one_gradient.NOW, "Suppose that W is k u^T at a step."
    )
    entry = now.scope.under(*ENTRY).use(now, why="In particular its entry is that of k u^T.")
    token_key = rank_one_gradient.token_key_of(p, entry)
    after, following = _next(
        p, entry, rank_one_gradient.row_along(p, rank_one_gradient.attended_alike(p, token_key))
    )

    before = p.under(rank_one(tau)).given(rank_one(tau), "Suppose that W is of rank one at a step.")
    again = p.under(rank_one(tau), le(0, tau)).choose(
        before, following, "Then W is of rank one at the next step."
    )
    always = p.under(le(0, tau)).induction(
        rank_one(tau), tau, 0, start, again, why="By induction W is of rank one at every step."
    )
    end = p.use(always, {tau: steps}, STEPS, why="In particular W is of rank one at the end.")
    found = end.body()
    last = found.under(*rank_one_gradient.OUTPUT, *rank_one_gradient.TOKEN).use(
        token_key, {tau: steps}, why="At the end the key of a token is k."
    )
    blind = found.step(
        BLIND, rules.generalise(), "This holds for every token of every prompt.", last
    )
    both = found.witness(
        p.goal.args[0],
        {key: key},
        blind,
        why="At the end W is k u^T for this k. So both statements hold with the same k.",
    )
    one = p.choose(end, both, "The first statement holds, as such a k exists.")
    p.qed(
        "This proves rank one at the end and the recursion of k.",
        (one, _recursion(p, always, entry, after)),
    )
