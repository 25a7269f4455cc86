"""Queries and keys that read one direction: the slash weight while its component stays in an interval.

A row's query is near `c` times one query, the key at lag `j` near `u(j)` times one key, as of weights of
rank one, which see of a token only its component along one direction.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import OFFSET, g, offset, weight
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.cluster import (
    SCALE,
    actual,
    column_x,
    eta,
    norm,
    row_logit,
    row_x,
)
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_LOGIT_SIZE, SLASH_NORM

least, most, own = real("a b c")
component, ceiling = real_function("u"), real_function("f")
delta_q, delta_k = real("delta_q delta_k")
MEANINGS: Meanings = {
    **cluster.MEANINGS,
    **lags.MEANINGS,
    (key_x, key_y): shown_as("k̄", r"\bar k", "the mean key"),
    key_x: shown_as("k̄_x", r"\bar k_x", "first coordinate of the mean key in a plane"),
    key_y: shown_as("k̄_y", r"\bar k_y", "second coordinate of the mean key in a plane"),
    (query_x, query_y): shown_as("q̄", r"\bar q", "the mean query"),
    query_x: shown_as("q̄_x", r"\bar q_x", "first coordinate of the mean query in a plane"),
    query_y: shown_as("q̄_y", r"\bar q_y", "second coordinate of the mean query in a plane"),
    g: "logits of component 1, by lag",
    least: "least component of the row and of its target",
    most: "largest component of the row",
    own: "the row's own component",
    component: "components of the keys' tokens, by lag",
    ceiling: "a ceiling of the logits g, by lag",
    delta_q: "how far the query is from its multiple",
    delta_k: "how far a key is from its multiple",
}

POSITIVE = Hypothesis("the interval is of positive numbers", lt(0, least))
READS = Hypothesis("the query's component is not below it", le(least, own))
TARGET = Hypothesis("the target's component is not below it", le(least, component(offset)))
KEYS = Hypothesis(
    "no key's component is negative or above it", every(j, 0, i - 1, within(component(j), 0, most))
)


def lead(lag: Term, logits: Callable[..., Any] = g) -> Any:
    """h(j) = a (a g(Delta) - b f(j)), by which the target leads the key at a lag at least."""
    return least * (least * logits(offset) - most * ceiling(lag))


def rivals(formula: Formula) -> Formula:
    """A formula at every lag of the row but the target's."""
    return Every((j,), If(Both(le(0, j), le(j, i - 1), ne(j, offset)), formula))


def competition(logits: Callable[..., Any] = g) -> Term:
    """The sum of exp(-h(j)) over the row's lags but the target's."""
    term = sp.exp(-lead(j, logits))
    return lags.over_lags(term, 0, offset - 1) + lags.over_lags(term, offset + 1, i - 1)


def leads(logits: Callable[..., Any]) -> tuple[Hypothesis, Hypothesis]:
    """The ceiling of the logits at other lags, and that the target leads it over the interval."""
    return (
        Hypothesis(
            "a ceiling of the logits at other lags",
            rivals(Both(le(0, ceiling(j)), le(logits(j), ceiling(j)))),
        ),
        Hypothesis(
            "the target leads over the interval",
            rivals(le(most * ceiling(j), least * logits(offset))),
        ),
    )


CEILING, LEADS = leads(g)
NEAR = Hypothesis(
    "logits move by at most eta",
    every(
        j,
        0,
        i - 1,
        within(actual(j), own * component(j) * g(j) - eta, own * component(j) * g(j) + eta),
    ),
)


def _part(p: Proof, name: str, first: Term | int, last: Term) -> Fact:
    """The competitors of a part of the row, by the target's exponential."""
    row = p.under(within(j, first, last))
    known = [
        row.use(fact, OFFSET, why=why)
        for fact, why in (
            (KEYS, f"A key {name} the target has a component between 0 and b."),
            (CEILING, "Its logit in the mean head is at most the ceiling, which is not negative."),
            (LEADS, "The target leads this ceiling over the interval."),
            (NEAR, "The key's own logit is within eta of the product."),
        )
    ]
    keys, high, led, near = known
    target = row.use(NEAR, {j: offset}, OFFSET, why="The target's logit moves by at most eta, too.")
    sign = row.show(le(0, most * ceiling(j)), "The ceiling times b is not negative.", keys, high)
    rival = row.show(
        le(component(j) * g(j), most * ceiling(j)),
        "The key's component times its logit is at most b times the ceiling.",
        (keys, high),
    )
    gap = row.show(
        le(
            least * (least * g(offset) - most * ceiling(j)),
            own * (least * g(offset) - most * ceiling(j)),
        ),
        "The query's component is at least a, and what it multiplies is not negative.",
        (READS, led),
    )
    term = row.show(
        le(actual(j), actual(offset) + 2 * eta - lead(j)),
        "So the target's logit is not negative. The target's component times its logit is at "
        "least a times that logit. The query's component multiplies a difference that is at "
        "least as large. So the key's logit is lower than the target's by h, up to 2 eta.",
        (gap, rival, sign, led, POSITIVE, TARGET, READS, near, target),
    ).image(sp.exp, "So its exponential is at most exp(2 eta - h) times the target's.")
    return term.summed(j, first, last, "Sum this bound over these lags.")


@theorem(
    "slash.row-one-direction",
    hypotheses=(OFFSET, POSITIVE, READS, TARGET, KEYS, CEILING, LEADS, NEAR),
    conclusion=le(1 / (1 + sp.exp(2 * eta) * competition()), weight(actual)),
    attack=Attack(
        {
            "once eta": le(1 / (1 + sp.exp(eta) * competition()), weight(actual)),
            "no competitor": le(1, weight(actual)),
        }
    ),
)
def SLASH_ROW_ONE_DIRECTION(p: Proof) -> None:
    r"""A row whose logits are products of components in an interval

    Let $|w(j)-c\,u_jg(j)|\le\eta$ on the row with $0<a\le c$, $a\le u_\Delta$, $0\le u_j\le b$, and let
    $f(j)\ge0$ be at least $g(j)$ with $bf(j)\le ag(\Delta)$ at the other lags. Then with
    $h_j=a\,(a\,g(\Delta)-b\,f(j))$: $S_{i,i-\Delta}\ge(1+e^{2\eta}\sum_{j\ne\Delta}e^{-h_j})^{-1}$.
    """
    parts = _part(p, "before", 0, offset - 1), _part(p, "after", offset + 1, i - 1)
    whole = lags.partition_of(p, actual, OFFSET)
    p.qed(
        "The competitors weigh at most exp(2 eta) sum exp(-h) times the target. The weight "
        "is the target's share of the normaliser. Divide by the target's exponential.",
        (whole, parts),
    )


# -- vectors near multiples of one query and one key -------------------------------------

of_query = row_x(l) - own * query_x(l), cluster.row_y(l) - own * query_y(l)
of_key = column_x(j, l) - component(j) * key_x(l), cluster.column_y(j, l) - component(j) * key_y(l)
QUERY_NEAR = Hypothesis("the query is near c times one query", le(norm(*of_query), delta_q))
KEYS_NEAR = Hypothesis(
    "each key is near its component times one key", every(j, 0, i - 1, le(norm(*of_key), delta_k))
)
CEILING_OF_LOGIT, LEADS_LOGIT = leads(logit)
BELOW = Hypothesis("the query's component is not above the interval", le(own, most))


@named(
    "η",
    r"\eta",
    "how far a logit lies from the product of components and mean logit, at most",
    once=True,
)
def moved() -> Term:
    """eta = s (b |q| delta_k + b |k| delta_q + delta_q delta_k)."""
    n_q, n_k = norm(*cluster.MEAN_QUERY), norm(*cluster.MEAN_KEY)
    return s * (most * n_q * delta_k + most * n_k * delta_q + delta_q * delta_k)


def _size(p: Scope, which: str, a: tuple[Term, Term], b: tuple[Term, Term]) -> Fact:
    return p.apply(
        SLASH_LOGIT_SIZE,
        SCALE,
        why=f"The logit of {which} is at most the product of their norms.",
        goal=le(sp.Abs(cluster.bilinear(*a, *b, j)), s * norm(*a) * norm(*b)),
    )


equal: Values = {  # one plane that does not turn; two keys, both the mean key
    **{m: 1, s: 1, i: 2, offset: 0, theta(0): 0, least: 1, most: 1, own: 1},
    **{component(0): 1, component(1): 1, ceiling(0): 1, ceiling(1): 1, delta_q: 0, delta_k: 0},
    **{query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0, row_x(0): 1, cluster.row_y(0): 0},
    **{column_x(0, 0): 1, column_x(1, 0): 1, cluster.column_y(0, 0): 0, cluster.column_y(1, 0): 0},
}
longer: Values = {**equal, delta_k: 1, column_x(0, 0): 0, column_x(1, 0): 2}
opposite: Values = {**equal, theta(0): sp.pi, ceiling(1): 0}
silent: Values = {component(1): 0, column_x(1, 0): 0}


@theorem(
    "slash.one-direction",
    meanings={
        own: "the row's own component, by which its query is near a multiple",
        ceiling: "a ceiling of the mean head's logits, by lag",
    },
    hypotheses=(
        OFFSET,
        SCALE,
        POSITIVE,
        READS,
        BELOW,
        TARGET,
        KEYS,
        QUERY_NEAR,
        KEYS_NEAR,
        CEILING_OF_LOGIT,
        LEADS_LOGIT,
    ),
    conclusion=le(1 / (1 + sp.exp(2 * moved()) * competition(logit)), weight(row_logit)),
    example=(
        *(eq(symbol, 1) for symbol in (m, s, least, most, own)),
        *(eq(i, 3), eq(offset, 1), eq(delta_q, 0), eq(delta_k, 0)),
        *(Every((l,), eq(part(l), 1)) for part in (query_x, key_x, row_x)),
        *(Every((l,), eq(part(l), 0)) for part in (theta, query_y, key_y, cluster.row_y)),
        *(Every((j,), eq(part(j), 1)) for part in (component, ceiling)),
        *(Every((j, l), eq(column_x(j, l), 1)), Every((j, l), eq(cluster.column_y(j, l), 0))),
    ),
    attack=Attack(
        {
            "once eta": le(1 / (1 + sp.exp(moved()) * competition(logit)), weight(row_logit)),
            "exactly multiples": le(1 / (1 + competition(logit)), weight(row_logit)),
        },
        at={"once eta": longer, "exactly multiples": longer},
        without={
            POSITIVE: {
                **equal,
                least: 0,
                key_x(0): -1,
                column_x(0, 0): -1,
                **silent,
                ceiling(1): 0,
            },
            READS: {**opposite, own: 0, row_x(0): 0},
            BELOW: {**longer, own: 10, row_x(0): 10},
            TARGET: {**opposite, **silent, component(0): 0, column_x(0, 0): 0},
            KEYS: {**equal, component(1): 5, column_x(1, 0): 5},
            LEADS_LOGIT: {
                **equal,
                **{most: 2, own: 2, row_x(0): 2, component(1): 2, column_x(1, 0): 2},
            },
        },
    ),
)
def SLASH_ONE_DIRECTION(p: Proof) -> None:
    r"""Queries and keys that read one direction make a slash while its component stays in an interval

    Let $\|q_i-c\,\bar q\|\le\delta_q$ and $\|k_j-u_j\bar k\|\le\delta_k$ on the row with $0<a\le c\le b$,
    $a\le u_\Delta$, $0\le u_j\le b$, and let $f(j)\ge0$ be at least the mean head's logit
    $g(j)=s\langle R_j\bar q,\bar k\rangle$ with $bf(j)\le ag(\Delta)$ at the other lags. Then with
    $h_j=a\,(a\,g(\Delta)-b\,f(j))$ and
    $\eta=s\,(b\|\bar q\|\delta_k+b\|\bar k\|\delta_q+\delta_q\delta_k)$:
    $S_{i,i-\Delta}\ge(1+e^{2\eta}\sum_{j\ne\Delta}e^{-h_j})^{-1}$.
    """
    lag = p.under(within(j, 0, i - 1))
    u = component(j)
    key = lag.use(KEYS_NEAR, why="Every key of the row is near its component times one key.")
    range_ = lag.use(KEYS, why="Every key's component lies between 0 and b.")
    n_q, n_k, n_d, n_e = (
        norm(*v) for v in (cluster.MEAN_QUERY, cluster.MEAN_KEY, of_query, of_key)
    )
    pairs = (
        ("the query's remainder and the mean key", of_query, cluster.MEAN_KEY),
        ("the mean query and the key's remainder", cluster.MEAN_QUERY, of_key),
        ("both remainders", of_query, of_key),
    )
    first, second, third = (cluster.bilinear(*a, *b, j) for _, a, b in pairs)
    sizes = [_size(lag, *pair) for pair in pairs]
    signs = [
        lag.lemma(
            SLASH_NORM.at(f_x=sp.Lambda(l, v[0]), f_y=sp.Lambda(l, v[1])),
            why="A norm is not negative.",
        )
        for v in (cluster.MEAN_QUERY, cluster.MEAN_KEY, of_query, of_key)
    ]
    limits = [
        lag.show(
            le(sp.Abs(first), s * delta_q * n_k),
            "The query's remainder is at most delta_q long.",
            (sizes[0], QUERY_NEAR, SCALE, signs[1]),
        ),
        lag.show(
            le(sp.Abs(second), s * n_q * delta_k),
            "The key's remainder is at most delta_k long.",
            (sizes[1], key, SCALE, signs[0]),
        ),
    ]
    joint = lag.show(
        le(n_d * n_e, delta_q * delta_k),
        "The product of both remainders' lengths is at most delta_q delta_k.",
        (QUERY_NEAR, key, signs[2], signs[3]),
    )
    limits.append(
        lag.show(
            within(third, -s * delta_q * delta_k, s * delta_q * delta_k),
            "So the logit of both remainders is at most s delta_q delta_k.",
            (sizes[2], joint, SCALE),
        )
    )
    scaled = [
        lag.show(
            within(u * first, -most * (s * delta_q * n_k), most * (s * delta_q * n_k)),
            "The key's component multiplies the first part by at most b.",
            (limits[0], range_),
        ),
        lag.show(
            within(own * second, -most * (s * n_q * delta_k), most * (s * n_q * delta_k)),
            "The query's component multiplies the second part by at most b.",
            (limits[1], POSITIVE, READS, BELOW),
        ),
    ]
    total = [
        lag.show(formula, why, scaled, limits[2])
        for formula, why in (
            (
                le(u * first + own * second + third, moved()),
                "So the three parts add up to at most eta.",
            ),
            (le(-moved(), u * first + own * second + third), "They add up to at least minus eta."),
        )
    ]
    product = own * u * logit(j)
    near = lag.show(
        within(row_logit(j), product - moved(), product + moved()),
        "The difference has three parts: the query's remainder, the key's, both. So the "
        "logit lies within eta of the product of components and mean logit.",
        total,
    )
    p.lemma(
        SLASH_ROW_ONE_DIRECTION.at(g=logit, w=row_logit, eta=moved()),
        (OFFSET, POSITIVE, READS, TARGET, KEYS, CEILING_OF_LOGIT, LEADS_LOGIT),
        near.for_all(j, why="This holds at every lag of the row."),
        why="So the bound of such a row holds for its weight.",
    )
