"""A row whose logits move by at most eta, and the sandwich of its slash weight."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import (
    OFFSET,
    after,
    before,
    g,
    offset,
    partition_of,
    weight,
)
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import actual, eta, row_logit, spread
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE
from ropeproof.theory.topics.slash.sandwich.share_order import SLASH_SHARE_ORDER

MEANINGS: Meanings = {
    **cluster.MEANINGS,
    **lags.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
    g: "logits of the mean head, by lag",
}

# -- any row -----------------------------------------------------------------------------

rest = (before(g) + after(g)) / sp.exp(g(offset))
NEAR = Hypothesis("logits move by at most eta", every(j, 0, i - 1, cluster.near(actual, g, eta)))


def _sums_moved(p: Proof, name: str, first: Term | int, last: Term) -> list[Fact]:
    """The sum of exponentials over a part of the row moves by at most a factor exp(eta)."""
    row = p.under(within(j, first, last))
    moved = row.use(NEAR, OFFSET, why=f"A lag {name} the target moves by at most eta.")
    most = exponentials(
        row,
        actual(j),
        g(j) + eta,
        "So its exponential grows by a factor of at most exp(eta).",
        moved,
    )
    least = exponentials(
        row,
        g(j) - eta,
        actual(j),
        "The moved exponential is at least exp(-eta) times the old one.",
        moved,
    )
    return [
        most.summed(
            j, first, last, "Summed over these lags, the exponentials grow by at most exp(eta)."
        ),
        least.summed(
            j,
            first,
            last,
            "Summed over these lags, the exponentials are at least exp(-eta) times the old.",
        ),
    ]


@theorem(
    "slash.row-sandwich",
    hypotheses=(OFFSET, NEAR),
    conclusion=within(
        weight(actual), 1 / (1 + sp.exp(2 * eta) * rest), 1 / (1 + sp.exp(-2 * eta) * rest)
    ),
    attack=Attack(
        {
            "once eta": le(1 / (1 + sp.exp(eta) * rest), weight(actual)),
            "not moved": eq(weight(actual), 1 / (1 + rest)),
        },
        at={"once eta": {i: 2, offset: 0, g(0): 0, g(1): 0, eta: 1, actual(0): -1, actual(1): 1}},
    ),
)
def SLASH_ROW_SANDWICH(p: Proof) -> None:
    r"""A row whose logits move by at most eta

    If $|w(t)-g(t)|\le\eta$ on the row and $Z=\sum_{t<i,t\ne\Delta}e^{g(t)-g(\Delta)}$ then
    $(1+e^{2\eta}Z)^{-1}\le S_{i,i-\Delta}\le(1+e^{-2\eta}Z)^{-1}$.
    """
    sums = _sums_moved(p, "before", 0, offset - 1), _sums_moved(p, "after", offset + 1, i - 1)
    target = p.use(NEAR, OFFSET, why="The target's logit moves by at most eta, too.")
    up = exponentials(
        p,
        actual(offset),
        g(offset) + eta,
        "So the target's exponential grows by a factor of at most exp(eta).",
        target,
    )
    down = exponentials(
        p,
        g(offset) - eta,
        actual(offset),
        "The target's exponential is at least exp(-eta) times the old one.",
        target,
    )
    own, mean = partition_of(p, actual, OFFSET), partition_of(p, g, OFFSET)
    own_rest, mean_rest = before(actual) + after(actual), before(g) + after(g)
    own_target = sp.exp(actual(offset))
    between = p.lemma(
        SLASH_SHARE_ORDER.at(
            a=own_target, r=own_rest, b=sp.exp(g(offset)), q=mean_rest, u=sp.exp(eta)
        ),
        (own, mean, sums, down, up),
        why="The competitors' sum moves by a factor of at most exp(eta). The weight is smallest "
        "if the target falls and the others rise, largest the other way round.",
    )
    p.qed(
        "The weight is the target's share of the normaliser. So the weight lies between the "
        "two bounds.",
        (own, between),
    )


# -- nearly constant queries and keys ----------------------------------------------------

mean_rest = (before(logit) + after(logit)) / sp.exp(logit(offset))
QUERY = Hypothesis("the query is close", cluster.QUERY_CLOSE)
KEYS = Hypothesis("the keys are close", cluster.KEYS_CLOSE)


longer = {
    **{m: 1, s: 1, i: 2, offset: 0, theta(0): 0, cluster.eps_q: 0, cluster.eps_k: 1},
    **{query_x(0): 1, query_y(0): 0, key_x(0): 1},
    **{key_y(0): 0, cluster.row_x(0): 1, cluster.row_y(0): 0},
    **{
        cluster.column_x(0, 0): 0,
        cluster.column_x(1, 0): 2,
        cluster.column_y(0, 0): 0,
        cluster.column_y(1, 0): 0,
    },
}


@theorem(
    "slash.sandwich",
    compare=(prior.CLUSTERS,),
    needs="PTX",
    hypotheses=(OFFSET, cluster.SCALE, QUERY, KEYS),
    conclusion=within(
        weight(row_logit),
        1 / (1 + sp.exp(2 * spread()) * mean_rest),
        1 / (1 + sp.exp(-2 * spread()) * mean_rest),
    ),
    attack=Attack(
        {
            "exactly the mean head's": eq(weight(row_logit), 1 / (1 + mean_rest)),
            "once eta": le(1 / (1 + sp.exp(spread()) * mean_rest), weight(row_logit)),
        },
        at={"once eta": longer},
    ),
)
def SLASH_SANDWICH(p: Proof) -> None:
    r"""Nearly rank-one queries and keys: the slash weight lies between two numbers

    If $\|q_i-\bar q\|\le\varepsilon_q\|\bar q\|$ and $\|k_j-\bar k\|\le\varepsilon_k\|\bar k\|$ on
    the row, then with $g(t)=s\langle R_t\bar q,\bar k\rangle$, $\eta=s\|\bar q\|\|\bar
    k\|(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$ and
    $Z_i=\sum_{t<i,t\ne\Delta}e^{g(t)-g(\Delta)}$: $(1+e^{2\eta}Z_i)^{-1}\le
    S_{i,i-\Delta}\le(1+e^{-2\eta}Z_i)^{-1}$.
    """
    lag = p.under(within(j, 0, i - 1))
    close = lag.apply(
        SLASH_LOGIT_CLOSE,
        (cluster.SCALE, QUERY, KEYS),
        why="Every key of the row is close to the mean key. So every logit is close to the mean "
        "head's.",
    )
    moved = lag.show(
        cluster.near(row_logit, logit, spread()),
        "That is, it lies within eta above and below the mean head's.",
        close,
    )
    p.lemma(
        SLASH_ROW_SANDWICH.at(g=logit, w=row_logit, eta=spread()),
        (OFFSET, moved.for_all(j, why="This holds at every lag of the row.")),
        why="So the sandwich of a row holds for its weight.",
    )
