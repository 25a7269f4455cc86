"""A rank-one factor with positive scalars and a margin make a slash head, on every prompt."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.corpus import DISTRIBUTION, PLACE, kappa, prompt
from ropeproof.theory.topics.slash.dominance import SLASH_DOMINANCE_ONE_LENGTH
from ropeproof.theory.topics.slash.emergence import contest
from ropeproof.theory.topics.slash.emergence.contest import COMPETITOR, SCORE_RANGE
from ropeproof.theory.topics.slash.emergence.row_emergence import SLASH_ROW_EMERGENCE
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import eta

least_q, least_k, most_k, gamma = real("a_low b_low b_high gamma")
_size, _height, _rest, _top = real("x g r y")
size_q, size_k, logits = real_function("a"), real_function("b"), real_function("W")
MEANINGS: Meanings = {
    **cluster.MEANINGS,
    **corpus.MEANINGS,
    least_q: shown_as("a₋", "a_-", "least size of a query"),
    least_k: shown_as("b₋", "b_-", "least size of a key"),
    most_k: shown_as("b₊", "b_+", "largest size of a key"),
    gamma: "the factor's margin",
    size_q: "sizes of the queries along the factor, by prompt and position",
    size_k: "sizes of the keys along the factor, by prompt and position",
    logits: "logits, by prompt, row and lag",
}
f = logit


def own(lag: Term) -> Term:
    """The logit of row `i` of a prompt."""
    return logits(prompt, i, lag)


def of_factor(lag: Term) -> Term:
    """The factor's logit there: a_i b_{i-t} f(t)."""
    return size_q(prompt, i) * size_k(prompt, i - lag) * f(lag)


QUERIES = Hypothesis(
    "queries are at least a_low long along u", corpus.in_every_row(le(least_q, size_q(prompt, i)))
)
KEYS = Hypothesis(
    "keys are between b_low and b_high long along v",
    Every(
        (prompt, j),
        If(
            Both(*corpus.IN_PROMPT, le(1, j), le(j, corpus.length)),
            within(size_k(prompt, j), least_k, most_k),
        ),
    ),
)
FORWARD = Hypothesis("queries point along u", le(0, least_q))
POSITIVE = Hypothesis("the factor's logit at the target is not negative", le(0, f(offset)))
NEAR = Hypothesis(
    "logits lie within eta of the factor's",
    corpus.in_every_row(every(j, 0, i - 1, cluster.near(own, of_factor, eta))),
)
WEIGHTS = Hypothesis(
    "the weights are the head's", corpus.in_every_row(eq(corpus.slash(prompt, i), lags.weight(own)))
)
MARGIN = Hypothesis(
    "the factor's margin, whatever the keys' sizes",
    Every(
        (j,),
        If(
            Both(le(0, j), le(j, corpus.length - 1), ne(j, offset)),
            Both(
                le(least_k * f(j) + gamma, least_k * f(offset)),
                le(most_k * f(j) + gamma, least_k * f(offset)),
            ),
        ),
    ),
)
NOT_LOST = Hypothesis("the target is ahead", le(0, gamma))
ENOUGH = Hypothesis(
    "the margin is large enough", le(2 * eta + sp.log(contest.odds), least_q * gamma)
)


def _at(
    target: int, frequency: int, size: Any, queries: tuple[Any, ...], chances: tuple[int, ...]
) -> Values:
    """One plane, two positions, keys of size 1; each prompt has one size for its queries."""
    values: Values = {
        **{m: 1, s: 1, theta(0): frequency, corpus.length: 2},
        **{offset: target, corpus.prompts: len(queries)},
        **{query_x(0): size, query_y(0): 0, key_x(0): 1, key_y(0): 0},
        **{least_k: 1, most_k: 1, least_q: min(queries), eta: sp.Rational(1, 10)},
    }
    for P, (query, chance) in enumerate(zip(queries, chances, strict=True)):
        values |= {corpus.probability(P): chance}
        for row in (1, 2):
            values |= {size_q(P, row): query, size_k(P, row): 1}
            for lag in range(row):
                logit = query * size * sp.cos(frequency * lag)
                values[logits(P, row, lag)] = sp.Rational(round(100 * float(logit)), 100)
    return values


_tenth = sp.Rational(1, 10)
_tight = {**_at(1, 3, -_tenth * 7, (1,), (1,)), kappa: sp.Rational(3, 4), gamma: 13 * _tenth}
_backward = {**_at(1, 3, -1, (-1,), (1,)), kappa: 2 * _tenth, gamma: _tenth}


@theorem(
    "slash.factor-emergence",
    needs="PTXW",
    hypotheses=(
        *DISTRIBUTION, PLACE, COMPETITOR, *SCORE_RANGE, QUERIES, KEYS, FORWARD, POSITIVE, NEAR,
        WEIGHTS, MARGIN, NOT_LOST, ENOUGH,
    ),
    conclusion=le(kappa, corpus.score()),
    attack=Attack(
        {
            "a tenth more": le(kappa + sp.Rational(1, 10), corpus.score()),
            "the cube root": le(kappa ** sp.Rational(1, 3), corpus.score()),
        },
        at={"a tenth more": _tight, "the cube root": _tight},
        without={
            DISTRIBUTION[0]: {
                **_at(1, 3, -_tenth * 7, (1, 2), (30, -29)),
                **{kappa: 6 * _tenth, gamma: 1},
            },
            QUERIES: {**_backward, least_q: 1},
            FORWARD: _backward,
            POSITIVE: {
                **{**_at(1, 1, -1, (1,), (1,)), theta(0): 84 * _tenth**2, eta: _tenth**2},
                **{query_x(0): -15 * _tenth, most_k: 2, size_k(0, 1): 2, kappa: 6 * _tenth},
                **{logits(0, 2, 0): -15 * _tenth, logits(0, 2, 1): -2, gamma: 49 * _tenth**2},
            },
            NOT_LOST: {
                **_at(1, 1, 1, (5,), (1,)),
                **{kappa: 3 * _tenth, gamma: -1, least_q: _tenth},
            },
        },
    ),
)  # fmt: skip
def SLASH_FACTOR_EMERGENCE(p: Proof) -> None:
    r"""A rank-one factor and a margin make a slash head, on every prompt

    Let $a_i\ge a_-\ge0$, $b_-\le b_j\le b_+$, $f(\Delta)\ge0$, and all logits lie within $\eta$ of
    $a_ib_jf(i-j)$. If $\gamma=\min_{t<N,t\ne\Delta}[b_-f(\Delta)-\max(b_-f(t),b_+f(t))]\ge0$ and
    $\Gamma=a_-\gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, the head is
    $(\kappa,\Delta)$-slash-dominant on every prompt distribution of length $N$. Queries may be as
    long as they like.
    """
    row = p.under(*corpus.IN_PROMPT, *corpus.IN_ROW)
    query = row.use(QUERIES, why="In every row the query is at least a_- long along u.")
    target_key = row.use(
        KEYS,
        {prompt: prompt, j: i - offset},
        PLACE,
        why="The target's key is between b_- and b_+ long along v.",
    )
    reached = row.show(
        le(least_k * f(offset), size_k(prompt, i - offset) * f(offset)),
        "As f(Delta) is not negative, the target's part is at least that of the smallest key.",
        (target_key, POSITIVE),
    )
    rival = row.under(within(j, 0, i - 1), ne(j, offset))
    ahead = rival.use(MARGIN, why="For keys of both of these lengths the rival is behind by gamma.")
    between = p.under(
        within(_size, least_k, most_k),
        le(least_k * _height + _rest, _top),
        le(most_k * _height + _rest, _top),
    )
    low = between.under(le(_height, 0)).show(
        le(_size * _height, least_k * _height),
        "If the height is not positive, its product with a size is at most that at the lower end.",
    )
    high = between.under(le(0, _height)).show(
        le(_size * _height, most_k * _height),
        "If the height is not negative, its product with a size is at most that at the upper end.",
    )
    ends = between.show(
        le(_size * _height + _rest, _top),
        "So what holds at both ends holds between them.",
        (low, high),
    )
    at_ends = [
        rival.show(le(end * f(j) + gamma, size_k(prompt, i - offset) * f(offset)), why, reached, at)
        for end, at, why in zip(
            (least_k, most_k),
            ahead.parts(),
            (
                "With the smallest key the rival is behind by gamma.",
                "With the largest key the rival is behind by gamma.",
            ),
            strict=True,
        )
    ]
    loses = rival.use(
        ends,
        {
            _size: size_k(prompt, i - j),
            _height: f(j),
            _rest: gamma,
            _top: size_k(prompt, i - offset) * f(offset),
        },
        (KEYS, at_ends),
        why="A rival's key is between b_- and b_+ long along v. So the rival is behind by gamma "
        "whatever its key's size.",
    )
    positive = rival.show(
        le(0, size_q(prompt, i)),
        "As the query points forward, its scalar is not negative.",
        (query, FORWARD),
    )
    least = times(
        rival,
        query,
        gamma,
        "Multiply the least size of the query by gamma, which is not negative.",
        NOT_LOST,
    )
    kept = rival.show(
        le(of_factor(j) + least_q * gamma, of_factor(offset)),
        "So the target leads by at least gamma per unit of the query. Multiply the lead by "
        "the query's size, which is not negative. So the lead times the query's size is at "
        "least a_- gamma. So the factor's logit keeps the margin a_- gamma over the rival.",
        (least, loses, positive),
    )
    close = row.use(NEAR, why="The logits are close to the factor's.")
    target = row.show(lags.OFFSET.formula, "The target is one of the lags.", PLACE)
    attends = row.apply(
        SLASH_ROW_EMERGENCE,
        (target, COMPETITOR, SCORE_RANGE, close, kept.for_all(j), ENOUGH),
        why="So the target's weight in the row is at least kappa.",
    )
    its_weight = row.use(WEIGHTS, why="By hypothesis the row's weight is that of the head.")
    reach = row.show(
        le(kappa, corpus.slash(prompt, i)),
        "So the weight of every row is at least kappa.",
        (attends, its_weight),
    )
    parts = lags.partition_of(row, own, target)
    share = row.show(
        le(corpus.slash(prompt, i), 1), "A softmax weight is at most 1.", its_weight, parts
    )
    p.apply(
        SLASH_DOMINANCE_ONE_LENGTH,
        (*DISTRIBUTION, PLACE, reach.for_all(prompt, i), share.for_all(prompt, i)),
        why="So the average score is at least kappa: the head is slash-dominant.",
        goal=p.goal,
    )
