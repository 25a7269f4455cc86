"""Training keeps the keys rank one and blind to the token.

A token at position p of prompt P is the vector X(P, p, c) = u(c) + s(c) with s orthogonal to the
unit vector u, and s of mean 0 at every position. The key matrix W(tau, l, c) is trained in full,
by the gradient of the population loss; psi(t, l) is the feature of lag t.
"""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m, over_planes
from ropeproof.theory.slash.descent.notation import PLACE, STEPS, beta, over_rows, steps, tau
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import IN_PROMPT, IN_ROW, length, probability, prompt, prompts

c, h, place, dimension = integer("c h p D")
cone, token, matrix = real_function("u"), real_function("X"), real_function("W")
feature, key = real_function("psi"), real_function("k")

LAG = (le(0, j), le(j, i - 1))
PLACES = (le(1, place), le(place, length))
INPUT = (le(0, c), le(c, dimension - 1))
OUTPUT = (le(0, l), le(l, m - 1))
ENTRY = (*OUTPUT, *INPUT)
TOKEN = (*IN_PROMPT, *PLACES)


def over_inputs(term: Any) -> Any:
    """The sum of a term in c over the input coordinates."""
    return sp.Sum(term, (c, 0, dimension - 1))


def over_lags(term: Any) -> Any:
    """The sum of a term in j over the lags of row i."""
    return sp.Sum(term, (j, 0, i - 1))


def over_prompts(term: Any) -> Any:
    """The sum of a term in P over the prompts."""
    return sp.Sum(term, (prompt, 0, prompts - 1))


# -- the head on a prompt, and its gradient ----------------------------------------------


def own_key(time: Any, position: Any) -> Any:
    """Coordinate l of the key at a position of the prompt."""
    return over_inputs(matrix(time, l, c) * token(prompt, position, c))


def own_logit(time: Any, lag: Any) -> Any:
    """The logit of row i at a lag, on the prompt."""
    return over_planes(feature(lag, l) * own_key(time, i - lag))


def own_weight(time: Any) -> Any:
    """S_{i,i-j} on the prompt."""
    return sp.exp(own_logit(time, j)) / over_lags(sp.exp(own_logit(time, j)))


def attended(weight: Any) -> Any:
    """The mean over the lags of psi(j, l) times coordinate c of the token there."""
    return over_lags(weight * (feature(j, l) * token(prompt, i - j, c)))


def row_gradient(weight: Any) -> Any:
    """Row i's gradient in W(l, c) for given weights: what is attended to less the target."""
    target = feature(offset, l) * token(prompt, i - offset, c)
    return over_prompts(probability(prompt) * (attended(weight) - target))


def gradient(time: Any) -> Any:
    """The population gradient in W(l, c)."""
    return over_rows(row_gradient(own_weight(time))) / (length - offset)


# -- the statement -----------------------------------------------------------------------


def entries(time: Any, vector: Any) -> Any:
    """W = k u^T, entry by entry, where `vector` is coordinate l of k."""
    return Every((l, c), If(Both(*ENTRY), eq(matrix(time, l, c), vector * cone(c))))


def rank_one(time: Any) -> Any:
    """W = k u^T for some k."""
    return Some((key(h),), entries(time, key(l)))


def own_direction(time: Any, row: Any) -> Any:
    """k(tau) = W(tau) u, a coordinate."""
    return over_inputs(matrix(time, row, c) * cone(c))


def mean_gradient(vector: Any) -> Any:
    """Coordinate l of the gradient in k: of the rows' mean of E psi - psi(Delta), E by k's weights."""
    scores = sp.exp(over_planes(feature(j, l) * vector(l)))
    mean = over_lags(scores / over_lags(scores) * feature(j, l)) - feature(offset, l)
    return over_rows(mean) / (length - offset)


along = over_inputs(token(prompt, place, c) * cone(c))
expected = over_prompts(probability(prompt) * token(prompt, place, c))
BLIND = Every((prompt, place, l), If(Both(*TOKEN, *OUTPUT), eq(own_key(steps, place), key(l))))
COMPONENT = Hypothesis(
    "tokens have component 1 along u", Every((prompt, place), If(Both(*TOKEN), eq(along, 1)))
)
MEAN = Hypothesis(
    "tokens have mean u at every position",
    Every((place, c), If(Both(*PLACES, *INPUT), eq(expected, cone(c)))),
)
START = Hypothesis("training starts at 0", Every((l, c), If(Both(*ENTRY), eq(matrix(0, l, c), 0))))
ALGORITHM = Hypothesis(
    "gradient descent on W with step 1/beta",
    Every(
        (tau, l, c),
        If(
            Both(le(0, tau), *ENTRY),
            eq(matrix(tau + 1, l, c), matrix(tau, l, c) - gradient(tau) / beta),
        ),
    ),
)

UNIT = eq(over_inputs(cone(c) ** 2), 1)
THEN = own_direction(tau, l) - mean_gradient(lambda row: own_direction(tau, row)) / beta
RECURSION = Both(
    every(l, 0, m - 1, eq(own_direction(0, l), 0)),
    Every((tau,), If(le(0, tau), entries(tau, own_direction(tau, l)))),
    Every((tau, l), If(Both(le(0, tau), *OUTPUT), eq(own_direction(tau + 1, l), THEN))),
)

_RANK_ONE = Claim(
    id="slash.gd.rank-one",
    title="Keys stay rank one and blind to the token",
    role="main result",
    statement=(
        r"Gradient descent from $W_K(0)=0$ with step $1/\beta$, $W_K\leftarrow W_K-\frac1\beta\nabla "
        r"\mathcal L$, on the population loss $\mathcal L=-\frac1{N-\Delta}\sum_{i>\Delta}\mathbb E\log "
        r"S_{i,i-\Delta}$, tokens having component 1 along $u$ and mean $u$ at every position: "
        r"$W_K(\tau)=k(\tau)u^\top$ at every step. Keys stay exactly rank one and independent of the "
        r"token, $W_Kx_v=k(\tau)$. If $\|u\|=1$, $k(\tau)=W_K(\tau)u$ follows gradient descent on "
        r"the lags' features: $k(0)=0$, $k(\tau+1)=k(\tau)-\frac1\beta\frac1{N-\Delta}\sum_{i>\Delta}"
        r"\big[\sum_tS_{it}\psi(t)-\psi(\Delta)\big]$, $S$ the weights of the logits "
        r"$\langle k(\tau),\psi(t)\rangle$."
    ),
    needs=frozenset("PT"),
    hypotheses=(STEPS, PLACE, COMPONENT, MEAN, START, ALGORITHM),
    conclusion=Both(Some((key(h),), Both(entries(steps, key(l)), BLIND)), If(UNIT, RECURSION)),
)

# -- the proof ---------------------------------------------------------------------------

NOW = entries(tau, key(l))
score = over_planes(feature(j, l) * key(l))
weight = sp.exp(score) / over_lags(sp.exp(score))
mean_feature = over_lags(weight * feature(j, l)) - feature(offset, l)


def _token_key(p: Proof, entry: Fact) -> Fact:
    """If W = k u^T every token has the key k."""
    term = entry.scope.show(
        eq(matrix(tau, l, c) * token(prompt, place, c), key(l) * cone(c) * token(prompt, place, c)),
        "the key of a token has the terms of k u^T,",
        entry,
    )
    total = term.summed(c, 0, dimension - 1, "so it is their sum,")
    factor = p.show(eq(total.formula.rhs, key(l) * along), "k times the token's component")
    component = p.under(*TOKEN).use(COMPONENT, why="along u, which is 1:")
    return p.under(NOW, *OUTPUT, *TOKEN).show(
        eq(own_key(tau, place), key(l)), "every token has the key k.", total, factor, component
    )


def _attended(p: Proof, token_key: Fact) -> Fact:
    """What a row attends to is averaged with the weights of k, on every prompt and on average."""
    row = p.under(NOW, *IN_ROW, *IN_PROMPT)
    lag = row.under(*LAG)
    plane = p.under(NOW, *IN_ROW, *OUTPUT, *IN_PROMPT, *LAG)
    own = plane.use(token_key, {place: i - j}, PLACE, why="So has the token at every lag of a row,")
    term = plane.show(
        eq(feature(j, l) * own_key(tau, i - j), feature(j, l) * key(l)),
        "its products with the feature are those of k,",
        own,
    )
    logit = term.summed(l, 0, m - 1, "so is the logit,")
    power = lag.rewrite(eq(sp.exp(own_logit(tau, j)), sp.exp(score)), "its exponential", logit)
    whole = power.summed(j, 0, i - 1, "and the normaliser, whatever the prompt.")
    seen = lag.rewrite(
        eq(attended(own_weight(tau)).function, attended(weight).function),
        "So a lag has the weight of k,",
        power,
        whole,
    )
    same = seen.summed(j, 0, i - 1, "and all that is attended to is the same,")
    of_prompt = row.show(
        eq(row_gradient(own_weight(tau)).function, row_gradient(weight).function),
        "on every prompt",
        same,
    )
    return of_prompt.summed(prompt, 0, prompts - 1, "and on average.")


def _mean_token(p: Proof, mean: Fact, lag: Any, where: tuple[Any, ...], why: str) -> Fact:
    """The token at a lag of a row has mean u."""
    return p.under(*IN_ROW, *where, *INPUT).use(mean, {place: i - lag}, PLACE, why=why)


def _row(p: Proof, same: Fact) -> Fact:
    """A row's gradient is a multiple of u."""
    target = probability(prompt) * token(prompt, i - offset, c)
    one_lag = weight * feature(j, l)
    at_lag = probability(prompt) * one_lag * token(prompt, i - j, c)
    nested = over_prompts(over_lags(at_lag))
    parts = p.show(
        eq(row_gradient(weight), nested - feature(offset, l) * over_prompts(target)),
        "Split off the target,",
    )
    turned = p.swap(nested, "exchange the sums of the rest")
    mean = p.under(*PLACES, *INPUT).use(MEAN, why="and use that tokens have mean u")
    here = _mean_token(p, mean, j, LAG, "at every lag")
    there = _mean_token(p, mean, offset, (), "and at the target:")
    factor = p.show(eq(over_prompts(at_lag), one_lag * here.formula.lhs), "a lag's weight")
    lag_mean = here.scope.show(
        eq(over_prompts(at_lag), one_lag * cone(c)), "stays, times u,", factor, here
    )
    lag_means = lag_mean.summed(j, 0, i - 1, "summed over the lags")
    collected = p.show(
        eq(lag_means.formula.rhs - feature(offset, l) * cone(c), mean_feature * cone(c)),
        "and collected.",
    )
    return p.under(NOW, *IN_ROW, *INPUT).show(
        eq(row_gradient(own_weight(tau)), mean_feature * cone(c)),
        "So a row's gradient is a multiple of u,",
        (same, parts, turned, there, lag_means, collected),
    )


def _next(p: Proof, entry: Fact, row: Fact) -> tuple[Fact, Fact]:
    """If W = k u^T at a step, an entry at the next; and so W is k' u^T, for some k'."""
    rows = row.summed(i, offset + 1, length, "and so is the sum over the rows,")
    factor = p.show(
        eq(rows.formula.rhs, cone(c) * over_rows(mean_feature)), "from which u is taken out."
    )
    step = p.under(le(0, tau), *ENTRY).use(
        ALGORITHM, {tau: tau, l: l, c: c}, why="A step subtracts that,"
    )
    new_key = key(l) - mean_gradient(key) / beta
    after = p.under(NOW, le(0, tau), *ENTRY).show(
        eq(matrix(tau + 1, l, c), new_key * cone(c)),
        "which leaves a multiple of u again,",
        (step, entry, rows, factor),
    )
    entry_by_entry = after.for_all(l, c, why="entry by entry,")
    return after, entry_by_entry.scope.witness(
        rank_one(tau + 1),
        {key: sp.Lambda(l, new_key)},
        entry_by_entry,
        why="rank one with a new k.",
    )


def _along(fact: Fact, why: str) -> Fact:
    """From an entry `W = v u`: W u = v, as u is a unit vector."""
    vector = fact.formula.rhs / cone(c)
    term = fact.scope.show(
        eq(fact.formula.lhs * cone(c), vector * cone(c) ** 2), "Times the coordinate of u", fact
    )
    total = term.summed(c, 0, dimension - 1, "and summed:")
    unit = fact.scope.proof.given(UNIT, "u is a unit vector,")
    factor = fact.scope.proof.show(
        eq(total.formula.rhs, vector * UNIT.lhs), "taken out of the sum,"
    )
    return total.scope.under(UNIT).show(eq(total.formula.lhs, vector), why, total, factor, unit)


def _recursion(p: Proof, always: Fact, entry: Fact, after: Fact) -> Fact:
    """k = W u follows gradient descent on the features."""
    unit = p.under(UNIT)
    own = own_direction(tau, l)
    nothing = p.under(*ENTRY).use(START, why="At the start W is 0,")
    term = nothing.scope.show(eq(matrix(0, l, c) * cone(c), 0), "so is its product", nothing)
    none = term.summed(c, 0, dimension - 1, "with u.")
    at_start = none.for_all(l)

    exists = p.under(le(0, tau)).use(always, why="At any step W is k u^T for some k,")
    same = _along(entry, "which is W u:")
    ours = entry.scope.under(UNIT).show(
        eq(matrix(tau, l, c), own * cone(c)), "so W is W u u^T,", entry, same
    )
    found = ours.for_all(l, c, why="entry by entry.")
    now = unit.under(le(0, tau)).choose(exists, found)
    mapping = {key: sp.Lambda(l, own)}
    following = unit.under(le(0, tau), *ENTRY).use(
        after,
        mapping,
        now,
        why="The next is a step on the features",
        goal=eq(matrix(tau + 1, l, c), THEN * cone(c)),
    )
    moved = _along(following, "along u:")
    steps_of = moved.for_all(tau, l, why="at every step.")
    return unit.show(RECURSION, "All three.", at_start, now.for_all(tau), steps_of)


def _proof(p: Proof) -> None:
    nothing = p.under(*ENTRY).use(START, why="At the start W is 0,")
    start = p.witness(
        rank_one(sp.Integer(0)),
        {key: sp.Lambda(l, sp.Integer(0))},
        nothing.for_all(l, c, why="in every entry, which is rank one"),
        why="with k = 0.",
    )
    now = p.under(NOW).given(NOW, "Let W be k u^T at a step:")
    entry = now.scope.under(*ENTRY).use(now, why="entry by entry")
    token_key = _token_key(p, entry)
    after, following = _next(p, entry, _row(p, _attended(p, token_key)))

    before = p.under(rank_one(tau)).given(rank_one(tau), "If W is rank one at a step")
    again = p.under(rank_one(tau), le(0, tau)).choose(before, following, "it is so at the next.")
    always = p.under(le(0, tau)).induction(
        rank_one(tau), tau, 0, start, again, why="Induction over the steps."
    )
    end = p.use(always, {tau: steps}, STEPS, why="So it is at the end,")
    found = end.body()
    last = found.under(*OUTPUT, *TOKEN).use(
        token_key, {tau: steps}, why="where keys are blind to the token"
    )
    blind = found.step(BLIND, rules.generalise(), "on any prompt", last)
    final = found.given(entries(steps, key(l)), "and W is rank one,")
    both = found.witness(p.goal.args[0], {key: key}, final, blind, why="with the same k,")
    one = p.choose(end, both, "which exists.")
    p.qed("Both.", one, _recursion(p, always, entry, after))


_ONE_TOKEN = {
    **{m: 1, dimension: 1, prompts: 1, probability(0): 1, cone(0): 1, token(0, 1, 0): 1},
    **{matrix(0, 0, 0): 0, l: 0},
}


def _zero(_: Any) -> Any:
    return sp.Integer(0)


SLASH_GD_RANK_ONE = prove(
    _RANK_ONE,
    _proof,
    Attack(
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
        unshown={
            STEPS: "there is no key before the start",
            PLACE: "a negative offset reads tokens beyond the prompt, whose mean may be off u",
            COMPONENT: "tokens with other components get other keys",
            MEAN: "a mean off u drives W off u",
            START: "what W starts with across u stays",
            ALGORITHM: "any other sequence may go anywhere",
        },
    ),
)

CLAIMS = (SLASH_GD_RANK_ONE,)
