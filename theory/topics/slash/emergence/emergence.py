"""Rank-one queries and keys and a margin make a slash head, on every prompt."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import (
    i,
    j,
    key_x,
    key_y,
    l,
    logit,
    m,
    query_x,
    query_y,
    s,
    theta,
)
from ropeproof.theory.topics.slash.corpus import (
    DISTRIBUTION,
    IN_PROMPT,
    IN_ROW,
    PLACE,
    in_every_row,
    kappa,
    length,
    probability,
    prompt,
    prompts,
    score,
    slash,
)
from ropeproof.theory.topics.slash.dominance import SLASH_DOMINANCE_ONE_LENGTH
from ropeproof.theory.topics.slash.emergence.contest import (
    COMPETITOR,
    SCORE_RANGE,
    all_x,
    all_y,
    keys_x,
    keys_y,
    large_enough,
    margin,
    wins,
)
from ropeproof.theory.topics.slash.emergence.row_emergence import SLASH_ROW_EMERGENCE
from ropeproof.theory.topics.slash.lags import OFFSET, g, offset, partition_of, weight
from ropeproof.theory.topics.slash.sandwich.cluster import (
    MEAN_KEY,
    MEAN_QUERY,
    SCALE,
    actual,
    bilinear,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    eta,
    near,
    row_x,
    row_y,
    spread,
)
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE


def own(lag: Any) -> Any:
    """The logit of the row `i` of a prompt."""
    query = all_x(prompt, i, l), all_y(prompt, i, l)
    return bilinear(*query, keys_x(prompt, i - lag, l), keys_y(prompt, i - lag, l), lag)


def _at_every_place(place: Any, formula: Any) -> Any:
    return Every((prompt, place), If(Both(*IN_PROMPT, le(1, place), le(place, length)), formula))


QUERIES = Hypothesis(
    "queries are close to their mean",
    _at_every_place(i, close(all_x(prompt, i, l), all_y(prompt, i, l), MEAN_QUERY, eps_q)),
)
KEYS = Hypothesis(
    "keys are close to their mean",
    _at_every_place(j, close(keys_x(prompt, j, l), keys_y(prompt, j, l), MEAN_KEY, eps_k)),
)
WEIGHTS = Hypothesis("the weights are the head's", in_every_row(eq(slash(prompt, i), weight(own))))
MARGIN = Hypothesis("the margin", wins(logit))
ENOUGH = Hypothesis("the margin is large enough", large_enough(spread()))


def _two_prompts(count: int, target: int, size: Any, chances: tuple[int, ...]) -> tuple[Any, ...]:
    """An instance of one plane and two positions; the second prompt's keys are longer."""
    tenth = sp.Rational(1, 10)
    values = {
        **{m: 1, s: 1, theta(0): 3, length: 2, offset: target, prompts: count, kappa: 6 * tenth},
        **{eps_q: 0, eps_k: tenth, margin: 59 * tenth / 10},
        **{query_x(0): size, query_y(0): 0, key_x(0): 1, key_y(0): 0},
        **{probability(p): chance for p, chance in enumerate(chances)},
    }
    for p in range(count):
        for at in ((p, 1, 0), (p, 2, 0)):
            values |= {all_x(*at): size, all_y(*at): 0}
            values |= {keys_x(*at): (9 + 2 * p) * tenth, keys_y(*at): 0}
    return where(values)


one_prompt = _two_prompts(1, 1, -sp.Rational(3, 10), (1,))


@theorem(
    "slash.emergence",
    role="main result",
    needs="PCTXW",
    hypotheses=(
        *DISTRIBUTION,
        PLACE,
        COMPETITOR,
        *SCORE_RANGE,
        SCALE,
        QUERIES,
        KEYS,
        WEIGHTS,
        MARGIN,
        ENOUGH,
    ),
    conclusion=le(kappa, score()),
    attack=Attack(
        {
            "a tenth more": le(kappa + sp.Rational(1, 10), score()),
            "the square root": le(sp.sqrt(kappa), score()),
        },
        at={"a tenth more": one_prompt, "the square root": one_prompt},
        without={
            DISTRIBUTION[0]: _two_prompts(2, 0, sp.Rational(3, 10), (30, -29)),
            DISTRIBUTION[1]: _two_prompts(1, 1, -sp.Rational(3, 10), (0,)),
        },
    ),
)
def SLASH_EMERGENCE(p: Proof) -> None:
    r"""Rank-one queries and keys and a margin make a slash head, on every prompt

    With $\Gamma=g(\Delta)-\max_{t<N,t\ne\Delta}g(t)$, the mean logit's margin, the head is
    $(\kappa,\Delta)$-slash-dominant for every distribution of prompts of length $N$ once
    $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, where queries and keys lie within
    $\varepsilon_q\|\bar q\|$, $\varepsilon_k\|\bar k\|$ of their means and $\eta=s\|\bar q\|\|\bar
    k\|(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$.
    """
    row = p.under(*IN_PROMPT, *IN_ROW)
    lag = row.under(within(j, 0, i - 1))
    query = row.use(
        QUERIES, None, PLACE, why="In every row of every prompt the query is close to its mean."
    )
    key = lag.use(
        KEYS,
        {prompt: prompt, j: i - j},
        PLACE,
        why="In every row of every prompt the keys are close to their mean.",
    )
    logits = lag.lemma(
        SLASH_LOGIT_CLOSE,
        {
            row_x: sp.Lambda(l, all_x(prompt, i, l)),
            row_y: sp.Lambda(l, all_y(prompt, i, l)),
            column_x: sp.Lambda((j, l), keys_x(prompt, i - j, l)),
            column_y: sp.Lambda((j, l), keys_y(prompt, i - j, l)),
        },
        (SCALE, query, key),
        why="So the logit at a lag is close to that of the mean head.",
    )
    moved = lag.show(
        near(own, logit, spread()),
        "That is, it lies within eta above and below the mean head's.",
        logits,
    )
    everywhere = moved.for_all(j, why="This holds at every lag of the row.")
    rival = row.under(within(j, 0, i - 1), ne(j, offset))
    margins = rival.use(MARGIN, why="The mean head keeps the margin over every other lag.").for_all(
        j, why="This holds over all other lags of the row."
    )
    target = row.show(OFFSET.formula, "The target is one of the lags.", PLACE)
    attends = row.lemma(
        SLASH_ROW_EMERGENCE,
        {g: logit, actual: own, eta: spread()},
        (target, COMPETITOR, SCORE_RANGE, everywhere, margins, ENOUGH),
        why="So the target's weight in the row is at least kappa.",
    )
    its_weight = row.use(WEIGHTS, why="By hypothesis the row's weight is that of the head.")
    reach = row.show(
        le(kappa, slash(prompt, i)),
        "So the weight of every row is at least kappa.",
        attends,
        its_weight,
    )
    parts = partition_of(row, own, target)
    share = row.show(le(slash(prompt, i), 1), "A softmax weight is at most 1.", its_weight, parts)
    p.lemma(
        SLASH_DOMINANCE_ONE_LENGTH,
        {},
        (
            *DISTRIBUTION,
            PLACE,
            reach.for_all(
                prompt, i, why="So the weight reaches kappa in every row of every prompt."
            ),
            share.for_all(prompt, i, why="This holds in every row of every prompt."),
        ),
        why="So the average score is at least kappa: the head is slash-dominant.",
        goal=p.goal,
    )
