"""In and out of distribution: the same attention, or nearly."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import (
    column_x,
    column_y,
    eps_k,
    row_logit,
    row_x,
    row_y,
    spread,
)
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE
from ropeproof.theory.topics.softmax.odds import SOFTMAX_PERTURB

other_x, other_y = real_function("X_q"), real_function("Y_q")
others_x, others_y = real_function("X_k"), real_function("Y_k")
MEANINGS: Meanings = {
    **cluster.MEANINGS,
    **lags.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
    (column_x, column_y): "the row's own keys, by lag",
    (row_x, row_y): "the row's own query",
    (other_x, other_y): shown_as(
        "q̃", r"\tilde q", "another query: of a prompt's row, or of another prompt"
    ),
    **dict.fromkeys(
        (other_x, other_y, others_x, others_y), "coordinates, in a plane, of a query or key"
    ),
    (others_x, others_y): shown_as(
        "k̃", r"\tilde k", "other keys: of a prompt, or of another prompt"
    ),
    integer("t"): "a lag",
}
t = integer("t")


def other_logit(lag: Term) -> Term:
    """The logit of the same row on the other prompt."""
    return cluster.bilinear(other_x(l), other_y(l), others_x(lag, l), others_y(lag, l), lag)


def odds(logits: Callable[..., Term]) -> Term:
    """The odds of the target's weight."""
    return sp.exp(logits(offset)) / (lags.before(logits) + lags.after(logits))


def share(logits: Callable[..., Any], lag: Term) -> Term:
    """The weight of a lag."""
    return sp.exp(logits(lag)) / lags.normaliser(logits)


one_token = Both(
    eq(row_x(l), query_x(l)),
    eq(row_y(l), query_y(l)),
    eq(column_x(j, l), key_x(l)),
    eq(column_y(j, l), key_y(l)),
)
CONSTANT = Every((j, l), If(Both(le(0, j), le(j, i - 1), le(0, l), le(l, m - 1)), one_token))
COMPETITOR = Hypothesis("there is a competitor", le(2, i))
QUERY = Hypothesis("the query is close", cluster.QUERY_CLOSE)
KEYS = Hypothesis("the keys are close", cluster.KEYS_CLOSE)
OTHER_QUERY = Hypothesis(
    "the other prompt's query is close",
    cluster.close(other_x(l), other_y(l), cluster.MEAN_QUERY, cluster.eps_q),
)
OTHER_KEYS = Hypothesis(
    "the other prompt's keys are close",
    every(j, 0, i - 1, cluster.close(others_x(j, l), others_y(j, l), cluster.MEAN_KEY, eps_k)),
)


def _one_plane(target: int, changed: Term, value: int) -> Values:
    """Two prompts of one plane and two lags with equal, constant tokens, but for one change."""
    return {
        **{m: 1, s: 1, i: 2, offset: target, theta(0): 3, cluster.eps_q: 0, eps_k: 0},
        **{query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0},
        **{row_x(0): 1, row_y(0): 0, other_x(0): 1, other_y(0): 0},
        **{f(lag, 0): 1 for f in (column_x, others_x) for lag in (0, 1)},
        **{f(lag, 0): 0 for f in (column_y, others_y) for lag in (0, 1)},
        changed: value,
    }


@theorem(
    "slash.ood",
    role="main result",
    needs="PTXW",
    hypotheses=(lags.OFFSET, cluster.SCALE, COMPETITOR, QUERY, KEYS, OTHER_QUERY, OTHER_KEYS),
    example=(
        *where({m: 1, i: 3, offset: 1, s: 1, cluster.eps_q: 0, eps_k: 0}),
        *(Every((l,), eq(of(l), 1)) for of in (query_x, row_x, other_x, key_x)),
        *(Every((l,), eq(of(l), 0)) for of in (query_y, row_y, other_y, key_y)),
        *(Every((j, l), eq(of(j, l), 1)) for of in (column_x, others_x)),
        *(Every((j, l), eq(of(j, l), 0)) for of in (column_y, others_y)),
    ),
    conclusion=Both(
        If(CONSTANT, every(t, 0, i - 1, eq(share(row_logit, t), share(logit, t)))),
        within(
            odds(other_logit),
            sp.exp(-4 * spread()) * odds(row_logit),
            sp.exp(4 * spread()) * odds(row_logit),
        ),
    ),
    attack=Attack(
        {
            "odds do not move": eq(odds(other_logit), odds(row_logit)),
            "twice eta": le(odds(other_logit), sp.exp(2 * spread()) * odds(row_logit)),
        },
        at={
            "twice eta": {
                **_one_plane(0, eps_k, 1),
                **{theta(0): 0, column_x(0, 0): 0, column_x(1, 0): 2},
                **{others_x(0, 0): 2, others_x(1, 0): 0},
            }
        },
        without={
            lags.OFFSET: _one_plane(3, column_x(3, 0), 2),
            QUERY: _one_plane(0, row_x(0), 2),
            KEYS: _one_plane(0, column_x(0, 0), 2),
            OTHER_QUERY: _one_plane(0, other_x(0), 2),
            OTHER_KEYS: _one_plane(0, others_x(0, 0), 2),
        },
        idle={
            COMPETITOR: "without one the odds are infinite; totalised division makes both sides 0"
        },
    ),
)
def SLASH_OOD(p: Proof) -> None:
    r"""In and out of distribution: the same attention, or nearly

    If $q_i=\bar q$, $k_j=\bar k$ on the whole vocabulary, the attention matrix is that of the mean
    head, the same on every prompt. If queries and keys are only within
    $\varepsilon_q,\varepsilon_k$ of the means, swapping prompts moves the odds of $S_{i,i-\Delta}$
    by at most a factor $e^{4\eta}$.
    """
    constant = p.under(CONSTANT)
    lag = constant.under(within(j, 0, i - 1))
    plane = lag.under(within(l, 0, m - 1))
    tokens = constant.given(CONSTANT, "Let queries and keys be constant.")
    token = plane.use(tokens, why="Then every token has the query and the key of the mean.")
    term = plane.show(
        eq(row_logit(j).function, logit(j).function),
        "So each plane contributes what it does in the mean head.",
        token,
    )
    same = term.summed(
        l, 0, m - 1, "Summed over the planes, the logit is that of the mean head."
    ).image(sp.exp, "So the exponential of the logit is that of the mean head.")
    whole = same.summed(
        j, 0, i - 1, "Summed over the lags, the normaliser is that of the mean head."
    )
    at_lag = constant.under(within(t, 0, i - 1))
    there = at_lag.use(same, {j: t}, why="In particular the exponentials are equal at the lag t.")
    row = at_lag.rewrite(
        eq(share(row_logit, t), share(logit, t)),
        "So the weight at the lag t is that of the mean head.",
        (there, whole),
    ).for_all(t, why="This holds at every lag of the row.")

    lag = p.under(within(j, 0, i - 1))
    near = lag.apply(
        SLASH_LOGIT_CLOSE,
        (cluster.SCALE, QUERY, KEYS),
        why="By hypothesis the keys of this prompt are close to their mean. So each logit of "
        "this prompt is within eta of the mean head's.",
    )
    other_near = lag.lemma(
        SLASH_LOGIT_CLOSE.at(Q_x=other_x, Q_y=other_y, K_x=others_x, K_y=others_y),
        (cluster.SCALE, OTHER_QUERY, OTHER_KEYS),
        why="By hypothesis the keys of the other prompt are close to it, too. Each logit of the "
        "other prompt is within eta of the mean head's, too.",
    )
    everywhere = lag.show(
        within(other_logit(j), row_logit(j) - 2 * spread(), row_logit(j) + 2 * spread()),
        "So the logits of both prompts are within 2 eta of each other.",
        (near, other_near),
    ).for_all(j, why="This holds at every lag of the row.")
    factor = p.lemma(
        SOFTMAX_PERTURB.at(w=row_logit, w_moved=other_logit, n=i, a=offset, eta=2 * spread()),
        (lags.OFFSET, everywhere, COMPETITOR),
        why="So the odds move by a factor of at most exp(4 eta).",
    )
    p.qed("This proves equal attention for constant tokens and close odds for others.", row, factor)
