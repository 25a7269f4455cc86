"""Rank-one queries and keys and a margin make a slash head, on every prompt."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.corpus import DISTRIBUTION, PLACE, kappa, prompt
from ropeproof.theory.topics.slash.dominance import SLASH_DOMINANCE_ONE_LENGTH
from ropeproof.theory.topics.slash.emergence import contest
from ropeproof.theory.topics.slash.emergence.contest import all_x, all_y, keys_x, keys_y
from ropeproof.theory.topics.slash.emergence.row_emergence import SLASH_ROW_EMERGENCE
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE

MEANINGS: Meanings = {
    **cluster.MEANINGS,
    **contest.MEANINGS,
    **corpus.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
}


def own(lag: Term) -> Term:
    """The logit of the row `i` of a prompt."""
    query = all_x(prompt, i, l), all_y(prompt, i, l)
    return cluster.bilinear(*query, keys_x(prompt, i - lag, l), keys_y(prompt, i - lag, l), lag)


def _at_every_place(place: Term, formula: Formula) -> Formula:
    return Every(
        (prompt, place),
        If(Both(*corpus.IN_PROMPT, le(1, place), le(place, corpus.length)), formula),
    )


QUERIES = Hypothesis(
    "queries are close to their mean",
    _at_every_place(
        i,
        cluster.close(all_x(prompt, i, l), all_y(prompt, i, l), cluster.MEAN_QUERY, cluster.eps_q),
    ),
)
KEYS = Hypothesis(
    "keys are close to their mean",
    _at_every_place(
        j,
        cluster.close(keys_x(prompt, j, l), keys_y(prompt, j, l), cluster.MEAN_KEY, cluster.eps_k),
    ),
)
WEIGHTS = Hypothesis(
    "the weights are the head's", corpus.in_every_row(eq(corpus.slash(prompt, i), lags.weight(own)))
)
MARGIN = Hypothesis("the margin", contest.wins(logit))
ENOUGH = Hypothesis("the margin is large enough", contest.large_enough(cluster.spread()))


def _two_prompts(
    count: int, target: int, size: Term, chances: tuple[int, ...]
) -> tuple[Formula, ...]:
    """An instance of one plane and two positions; the second prompt's keys are longer."""
    tenth = sp.Rational(1, 10)
    values: Values = {
        **{m: 1, s: 1, theta(0): 3, corpus.length: 2},
        **{lags.offset: target, corpus.prompts: count, kappa: 6 * tenth},
        **{cluster.eps_q: 0, cluster.eps_k: tenth, contest.margin: 59 * tenth / 10},
        **{query_x(0): size, query_y(0): 0, key_x(0): 1, key_y(0): 0},
        **{corpus.probability(p): chance for p, chance in enumerate(chances)},
    }
    for p in range(count):
        for at in ((p, 1, 0), (p, 2, 0)):
            values |= {all_x(*at): size, all_y(*at): 0}
            values |= {keys_x(*at): (9 + 2 * p) * tenth, keys_y(*at): 0}
    return where(values)


one_prompt = _two_prompts(1, 1, -sp.Rational(3, 10), (1,))


@theorem(
    "slash.emergence",
    compare=(prior.SIMILAR_QUERIES,),
    role="main result",
    needs="PCTXW",
    hypotheses=(
        *DISTRIBUTION,
        PLACE,
        contest.COMPETITOR,
        *contest.SCORE_RANGE,
        cluster.SCALE,
        QUERIES,
        KEYS,
        WEIGHTS,
        MARGIN,
        ENOUGH,
    ),
    conclusion=le(kappa, corpus.score()),
    attack=Attack(
        {
            "a tenth more": le(kappa + sp.Rational(1, 10), corpus.score()),
            "the square root": le(sp.sqrt(kappa), corpus.score()),
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

    With $\Gamma=g(\Delta)-\max_{t<N,t\ne\Delta}g(t)$, the margin of the mean head's logit
    $g(t)=s\langle R_t\bar q,\bar k\rangle$, the head is
    $(\kappa,\Delta)$-slash-dominant for every distribution of prompts of length $N$ once
    $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, where queries and keys lie within
    $\varepsilon_q\|\bar q\|$, $\varepsilon_k\|\bar k\|$ of their means and $\eta=s\|\bar q\|\|\bar
    k\|(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$.
    """
    row = p.under(*corpus.IN_PROMPT, *corpus.IN_ROW)
    lag = row.under(within(j, 0, i - 1))
    logits = lag.lemma(
        SLASH_LOGIT_CLOSE.at(
            Q_x=sp.Lambda(l, all_x(prompt, i, l)),
            Q_y=sp.Lambda(l, all_y(prompt, i, l)),
            K_x=sp.Lambda((j, l), keys_x(prompt, i - j, l)),
            K_y=sp.Lambda((j, l), keys_y(prompt, i - j, l)),
        ),
        (cluster.SCALE, QUERIES, PLACE, KEYS),
        why="In every row of every prompt the query is close to its mean. In every row of every "
        "prompt the keys are close to their mean. So the logit at a lag is close to that of "
        "the mean head.",
    )
    everywhere = lag.show(
        cluster.near(own, logit, cluster.spread()),
        "That is, it lies within eta above and below the mean head's.",
        logits,
    ).for_all(j, why="This holds at every lag of the row.")
    rival = row.under(within(j, 0, i - 1), ne(j, lags.offset))
    margins = rival.use(MARGIN, why="The mean head keeps the margin over every other lag.").for_all(
        j, why="This holds over all other lags of the row."
    )
    target = row.show(lags.OFFSET.formula, "The target is one of the lags.", PLACE)
    attends = row.lemma(
        SLASH_ROW_EMERGENCE.at(g=logit, w=own, eta=cluster.spread()),
        (target, contest.COMPETITOR, contest.SCORE_RANGE, everywhere, margins, ENOUGH),
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
