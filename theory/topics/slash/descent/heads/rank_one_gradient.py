"""The gradient in the key matrix where that is rank one: a multiple of u, row by row."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, m, over_planes
from ropeproof.theory.topics.slash.corpus import (
    IN_PROMPT,
    IN_ROW,
    length,
    probability,
    prompt,
    prompts,
)
from ropeproof.theory.topics.slash.descent.notation import PLACE, over_rows, tau
from ropeproof.theory.topics.slash.lags import offset

c, h, place, dimension = integer("c h p D")
cone, token, matrix = real_function("u"), real_function("X"), real_function("W")
feature, key = real_function("psi"), real_function("k")
MEANINGS: Meanings = {
    c: "a coordinate of the input",
    place: "a position",
    dimension: "dimension of the input",
    cone: vector_in(dimension, "component that all tokens have in common"),
    token: vector_in(dimension, "tokens of the prompts, by prompt and position"),
    feature: vector_in(m, "features of the lags"),
    key: vector_in(m, "the key"),
}

LAG = (le(0, j), le(j, i - 1))
PLACES = (le(1, place), le(place, length))
INPUT = (le(0, c), le(c, dimension - 1))
OUTPUT = (le(0, l), le(l, m - 1))
ENTRY = (*OUTPUT, *INPUT)
TOKEN = (*IN_PROMPT, *PLACES)


def over_inputs(term: Term) -> Term:
    """The sum of a term in c over the input coordinates."""
    return sp.Sum(term, (c, 0, dimension - 1))


def over_lags(term: Term) -> Term:
    """The sum of a term in j over the lags of row i."""
    return sp.Sum(term, (j, 0, i - 1))


def over_prompts(term: Term) -> Term:
    """The sum of a term in P over the prompts."""
    return sp.Sum(term, (prompt, 0, prompts - 1))


# -- the head on a prompt, and its gradient ----------------------------------------------


def own_key(time: Term, position: Term) -> Term:
    """Coordinate l of the key at a position of the prompt."""
    return over_inputs(matrix(time, l, c) * token(prompt, position, c))


def own_logit(time: Term, lag: Term) -> Term:
    """The logit of row i at a lag, on the prompt."""
    return over_planes(feature(lag, l) * own_key(time, i - lag))


def own_weight(time: Term) -> Term:
    """S_{i,i-j} on the prompt."""
    return sp.exp(own_logit(time, j)) / over_lags(sp.exp(own_logit(time, j)))


def attended(weight: Term) -> Term:
    """The mean over the lags of psi(j, l) times coordinate c of the token there."""
    return over_lags(weight * (feature(j, l) * token(prompt, i - j, c)))


def row_gradient(weight: Term) -> Term:
    """Row i's gradient in W(l, c) for given weights: what is attended to less the target."""
    target = feature(offset, l) * token(prompt, i - offset, c)
    return over_prompts(probability(prompt) * (attended(weight) - target))


def gradient(time: Term) -> Term:
    """The population gradient in W(l, c)."""
    return over_rows(row_gradient(own_weight(time))) / (length - offset)


# -- the statement -----------------------------------------------------------------------


def entries(time: Term, vector: Term) -> Formula:
    """W = k u^T, entry by entry, where `vector` is coordinate l of k."""
    return Every((l, c), If(Both(*ENTRY), eq(matrix(time, l, c), vector * cone(c))))


along = over_inputs(token(prompt, place, c) * cone(c))
expected = over_prompts(probability(prompt) * token(prompt, place, c))
COMPONENT = Hypothesis(
    "tokens have component 1 along u", Every((prompt, place), If(Both(*TOKEN), eq(along, 1)))
)
MEAN = Hypothesis(
    "tokens have mean u at every position",
    Every((place, c), If(Both(*PLACES, *INPUT), eq(expected, cone(c)))),
)
NOW = entries(tau, key(l))
score = over_planes(feature(j, l) * key(l))
weight = sp.exp(score) / over_lags(sp.exp(score))
mean_feature = over_lags(weight * feature(j, l)) - feature(offset, l)


def token_key_of(p: Proof, entry: Fact) -> Fact:
    """If W = k u^T every token has the key k."""
    term = entry.scope.show(
        eq(matrix(tau, l, c) * token(prompt, place, c), key(l) * cone(c) * token(prompt, place, c)),
        "The terms of a token's key are those of k u^T.",
        entry,
    )
    total = term.summed(c, 0, dimension - 1, "Sum this equation over the input coordinates.")
    component = p.under(*TOKEN).use(COMPONENT, why="The component of a token along u is 1.")
    return p.under(NOW, *OUTPUT, *TOKEN).show(
        eq(own_key(tau, place), key(l)),
        "The sum is k times the token's component along u. So every token has the key k.",
        (total, component),
    )


def attended_alike(p: Proof, token_key: Fact) -> Fact:
    """What a row attends to is averaged with the weights of k, on every prompt and on average."""
    row = p.under(NOW, *IN_ROW, *IN_PROMPT)
    lag = row.under(*LAG)
    plane = p.under(NOW, *IN_ROW, *OUTPUT, *IN_PROMPT, *LAG)
    own = plane.use(
        token_key,
        {place: i - j},
        PLACE,
        why="In particular the token at a lag of a row has the key k.",
    )
    logit = plane.show(
        eq(feature(j, l) * own_key(tau, i - j), feature(j, l) * key(l)),
        "So its product with the feature is that of k in a plane.",
        own,
    ).summed(l, 0, m - 1, "Summed over the planes, the logit is the score of k.")
    power = logit.image(sp.exp, "So the exponential of the logit is that of the score.")
    whole = power.summed(
        j, 0, i - 1, "Summed over the lags, the normaliser is the same on every prompt."
    )
    same = lag.rewrite(
        eq(attended(own_weight(tau)).function, attended(weight).function),
        "So a lag has the weight that k gives it.",
        (power, whole),
    ).summed(j, 0, i - 1, "Sum this equation over the lags of the row.")
    return row.show(
        eq(row_gradient(own_weight(tau)).function, row_gradient(weight).function),
        "So the row's gradient on a prompt has the weights of k.",
        same,
    ).summed(prompt, 0, prompts - 1, "Sum this equation over the prompts.")


def _mean_token(p: Proof, mean: Fact, lag: Term, where: tuple[Formula, ...], why: str) -> Fact:
    """The token at a lag of a row has mean u."""
    return p.under(*IN_ROW, *where, *INPUT).use(mean, {place: i - lag}, PLACE, why=why)


def row_along(p: Proof, same: Fact) -> Fact:
    """A row's gradient is a multiple of u."""
    one_lag = weight * feature(j, l)
    at_lag = probability(prompt) * one_lag * token(prompt, i - j, c)
    nested = over_prompts(over_lags(at_lag))
    turned = p.swap(nested, "Exchange the sums over prompts and over lags.")
    mean = p.under(*PLACES, *INPUT).use(
        MEAN, why="By hypothesis the tokens of a position have mean u."
    )
    here = _mean_token(p, mean, j, LAG, "In particular the token at a lag of the row has mean u.")
    there = _mean_token(p, mean, offset, (), "In particular the token at the target has mean u.")
    lag_mean = here.scope.show(
        eq(over_prompts(at_lag), one_lag * cone(c)),
        "The weight of a lag does not depend on the prompt. So the mean over the prompts is "
        "the weighted feature times u.",
        here,
    )
    lag_means = lag_mean.summed(j, 0, i - 1, "Sum this equation over the lags.")
    return p.under(NOW, *IN_ROW, *INPUT).show(
        eq(row_gradient(own_weight(tau)), mean_feature * cone(c)),
        "Split the row's gradient into what is attended to and the target. The coordinate of "
        "u is a common factor of both parts. So a row's gradient is a multiple of u.",
        (same, turned, there, lag_means),
    )
