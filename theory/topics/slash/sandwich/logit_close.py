"""A logit of nearly constant queries and keys is close to the mean head's."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import MEAN_KEY, eps_k, eps_q, norm
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_LOGIT_SIZE, SLASH_NORM

MEANINGS: Meanings = {
    **cluster.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
}

Vector = tuple[Term, Term]  # the two coordinates of a plane, terms in `l`

of_query: Vector = (cluster.row_x(l) - query_x(l), cluster.row_y(l) - query_y(l))
of_key: Vector = (cluster.column_x(j, l) - key_x(l), cluster.column_y(j, l) - key_y(l))
n_q, n_k = norm(*cluster.MEAN_QUERY), norm(*MEAN_KEY)
distance = sp.Abs(cluster.row_logit(j) - logit(j))

QUERY = Hypothesis("the query is close", cluster.QUERY_CLOSE)
KEY = Hypothesis(
    "the key is close",
    cluster.close(cluster.column_x(j, l), cluster.column_y(j, l), MEAN_KEY, eps_k),
)


def _size(p: Proof, name: str, a: Vector, b: Vector) -> Fact:
    return p.apply(
        SLASH_LOGIT_SIZE,
        cluster.SCALE,
        why=f"The {name} part is at most the product of its norms.",
        goal=le(sp.Abs(cluster.bilinear(*a, *b, j)), s * norm(*a) * norm(*b)),
    )


one = {m: 1, s: 1, j: 0, query_x(0): 1, key_x(0): 1, cluster.row_x(0): 2, eps_k: 0}


@theorem(
    "slash.logit-close",
    hypotheses=(cluster.SCALE, QUERY, KEY),
    conclusion=le(distance, cluster.spread()),
    attack=Attack(
        {
            "without the query's part": le(distance, s * n_q * n_k * eps_k),
            "half of it": le(2 * distance, cluster.spread()),
        },
        at={
            "without the query's part": {**one, eps_q: 2},
            "half of it": {
                **one,
                **{eps_q: 1, query_y(0): 0, key_y(0): 0, cluster.row_y(0): 0},
                **{cluster.column_x(0, 0): 1, cluster.column_y(0, 0): 0},
            },
        },
    ),
)
def SLASH_LOGIT_CLOSE(p: Proof) -> None:
    r"""A logit of nearly constant queries and keys is close to the mean head's

    If $\|q-\bar q\|\le\varepsilon_q\|\bar q\|$ and $\|k_j-\bar k\|\le\varepsilon_k\|\bar k\|$ for
    the key $j$ back, then its logit $s\langle R_jq,k_j\rangle$ is within
    $\eta=s\|\bar q\|\|\bar k\|(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$ of the mean
    head's, $s\langle R_j\bar q,\bar k\rangle$.
    """
    pairs = {
        "query": (of_query, MEAN_KEY),
        "key": (cluster.MEAN_QUERY, of_key),
        "joint": (of_query, of_key),
    }
    sizes = [_size(p, name, a, b) for name, (a, b) in pairs.items()]
    mean_query, mean_key, moved_query, moved_key = (
        p.lemma(
            SLASH_NORM.at(f_x=sp.Lambda(l, v[0]), f_y=sp.Lambda(l, v[1])),
            why="A norm is not negative.",
        )
        for v in (cluster.MEAN_QUERY, MEAN_KEY, of_query, of_key)
    )

    n_d, n_e = norm(*of_query), norm(*of_key)
    room = p.show(le(0, eps_q * n_q), "This bound of a norm is not negative.", QUERY, moved_query)
    joint = p.show(
        le(n_d * n_e, eps_q * n_q * (eps_k * n_k)),
        "In the joint part insert the bound of the query's deviation. In the joint part "
        "insert the bound of the key's deviation, too.",
        (QUERY, moved_key, room, KEY),
    )
    total = p.show(
        le(n_d * n_k + n_q * n_e + n_d * n_e, n_q * n_k * (eps_q + eps_k + eps_q * eps_k)),
        "The query's part is at most eps_q |q||k|. The key's part is at most eps_k |q||k|. "
        "Add up the bounds of the three parts.",
        (QUERY, mean_key, KEY, mean_query, joint),
    )
    scaled = p.show(
        le(s * (n_d * n_k + n_q * n_e + n_d * n_e), cluster.spread()),
        "Multiply by the scale s, which is not negative.",
        (total, cluster.SCALE),
    )
    p.qed(
        "The difference has three parts: the query's deviation, the key's, both. So the "
        "difference is at most eta.",
        (sizes, scaled),
    )
