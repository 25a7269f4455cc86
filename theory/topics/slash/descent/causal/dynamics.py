"""Descent on the logits of the lags, through causal softmax rows: its hypotheses, and what is said of it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.topics.slash.descent.causal import rewards, step
from ropeproof.theory.topics.slash.descent.causal.rewards import law, row
from ropeproof.theory.topics.slash.descent.causal.step import other
from ropeproof.theory.topics.slash.descent.offset.signs import floor, lag, length, occurs, r
from ropeproof.theory.topics.slash.descent.offset.step import eta

k = integer("k")
weights, logits, slopes = real_function("a"), real_function("g"), real_function("D")
MEANINGS: Meanings = {
    k: "a step",
    weights: "weight of a lag, by step and row",
    logits: "logit of a lag, by step",
    slopes: "derivative of the mean loss in a weight",
}
lags = within(lag, 0, length - 1)
in_row = Both(*within(row, 0, length - 1).args, *within(lag, 0, row).args)


def _at(function: Function, at: Term) -> Callable[..., Term]:
    """A function of row and lag after so many steps."""
    return lambda position, of_lag: function(at, position, of_lag)


def _logits(at: Term | int) -> Callable[..., Term]:
    return lambda of_lag: logits(at, of_lag)


def _always(condition: Formula, body: Formula, *variables: Term) -> Formula:
    return Every((k, *variables), If(Both(le(0, k), *condition.args), body))


SOFTMAX = Hypothesis(
    "each row is the softmax of its own lags' logits",
    _always(
        in_row,
        eq(
            weights(k, row, lag), sp.exp(logits(k, lag)) / sp.Sum(sp.exp(logits(k, r)), (r, 0, row))
        ),
        row,
        lag,
    ),
)
DERIVATIVE = Hypothesis(
    "D is the derivative of the mean loss",
    _always(in_row, eq(slopes(k, row, lag), rewards.slope(row, lag, _at(weights, k))), row, lag),
)
mean = sp.Sum(weights(k, row, r) * slopes(k, row, r), (r, 0, row))
STEP = Hypothesis(
    "each step is one of descent on the lags' logits",
    _always(
        lags,
        eq(
            logits(k + 1, lag),
            logits(k, lag)
            + eta
            * sp.Sum(weights(k, row, lag) * (mean - slopes(k, row, lag)), (row, lag, length - 1)),
        ),
        lag,
    ),
)
SIZE = Hypothesis("the step is not negative", le(0, eta))
START = Hypothesis(
    "at the start lag 1 has the largest logit",
    every(lag, 0, length - 1, le(logits(0, lag), logits(0, 1))),
)
STEPS = Hypothesis("a number of steps", le(0, n))


def odds(at: Term | int, of_lag: Term) -> Term:
    """y_t after so many steps."""
    return step.odds(_logits(at), of_lag)


def whole(at: Term | int) -> Term:
    """1/a_1 in the last row after so many steps."""
    return step.whole(_logits(at))


def ahead(at: Term) -> Formula:
    """Lag 1 has the largest logit."""
    return every(lag, 0, length - 1, le(logits(at, lag), logits(at, 1)))


def mass(of_lag: Term) -> Term:
    """The probability of the places from which a lag can lead to row p + 1, or of all but N - 2 for lag 0."""
    if of_lag == 0:
        return sp.Sum(law(occurs), (occurs, 0, length - 3))
    return sp.Sum(law(occurs), (occurs, of_lag - 1, length - 2))


def until(at: Term, of_lag: Term, factor: int = 1) -> Formula:
    """y_t after so many steps, times 1 + k eta c y_t(0)/Y(0), is at most y_t at the start."""
    pace = eta * floor * mass(of_lag) / whole(0)
    return le(odds(at, of_lag) * (1 + factor * at * pace * odds(0, of_lag)), odds(0, of_lag))


far = every(other, 2, length - 1, until(n, other))
near = until(n, sp.Integer(0))


def pace(at: Term, of_lag: Term) -> Term:
    """The rate of a lag per unit of y after so many steps."""
    return eta * floor * mass(of_lag) / whole(at)
