"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *

eps_q, eps_k, eta = real("varepsilon_q varepsilon_k eta")
row_x, row_y = real_function("Q_x"), real_function("Q_y")
column_x, column_y = real_function("K_x"), real_function("K_y")
actual = real_function("w")
MEANINGS: Meanings = {
    **NOTATION,
    eps_q: "relative distance of queries from their mean",
    eps_k: "relative distance of keys from their mean",
    eta: "how far a logit may be moved",
    (row_x, row_y): shown_as("q", "q", "the row's own query"),
    **dict.fromkeys(
        (row_x, row_y, column_x, column_y), "coordinates, in a plane, of a query or key"
    ),
    (column_x, column_y): shown_as("k", "k", "the row's own keys, by lag"),
    actual: "logits of the keys",
}
SCALE = Hypothesis("the scale is not negative", le(0, s))


def norm(first: Term, second: Term) -> Term:
    """The Euclidean norm of a vector given by its planes."""
    return sp.sqrt(over_planes(first**2 + second**2))


def bilinear(a_x: Term, a_y: Term, b_x: Term, b_y: Term, lag: Term) -> Term:
    """s Re sum_l a_l conj(b_l) exp(i theta_l lag), in real coordinates (terms in l)."""
    angle = theta(l) * lag
    return over_planes(
        s * ((a_x * b_x + a_y * b_y) * sp.cos(angle) - (a_y * b_x - a_x * b_y) * sp.sin(angle))
    )


def row_logit(lag: Term) -> Term:
    """The row's own logit at a lag."""
    return bilinear(row_x(l), row_y(l), column_x(lag, l), column_y(lag, l), lag)


@named("η", r"\eta", "how far a logit lies from the mean head's, at most", once=True)
def spread() -> Term:
    """eta = s |q| |k| (eps_q + eps_k + eps_q eps_k)."""
    return (
        s
        * norm(query_x(l), query_y(l))
        * norm(key_x(l), key_y(l))
        * (eps_q + eps_k + eps_q * eps_k)
    )


def near(own: Callable[..., Term], mean: Callable[..., Any], distance: Term) -> Formula:
    """own(j) lies within a distance of mean(j)."""
    return within(own(j), mean(j) - distance, mean(j) + distance)


def close(first: Term, second: Term, mean: tuple[Term, Term], epsilon: Term) -> Formula:
    """|v - mean| <= epsilon |mean|."""
    return le(norm(first - mean[0], second - mean[1]), epsilon * norm(*mean))


MEAN_QUERY, MEAN_KEY = (query_x(l), query_y(l)), (key_x(l), key_y(l))
QUERY_CLOSE = close(row_x(l), row_y(l), MEAN_QUERY, eps_q)
KEYS_CLOSE = every(j, 0, i - 1, close(column_x(j, l), column_y(j, l), MEAN_KEY, eps_k))
