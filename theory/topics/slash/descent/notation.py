"""The head that is trained: features of the lags, rows, loss, gradient; and its training.

A key vector k has the score g(t) = <k, psi(t)> at lag t, with psi(t) = d^{-1/2} R_t qbar the
feature of the lag (claim `slash.gd.features`); vectors are given by their planes, (x(l), y(l)).
Row i has the lags 0..i-1; its loss is -ln S_{i,i-Delta} = ln sum_t e^{g(t)} - g(Delta), and the
loss L is its mean over the rows Delta < i <= N. The training makes keys
k(tau) from 0 by steps of gradient descent; k* is what separates the target by gamma.
"""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, key_x, key_y, l, m, over_planes
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.lags import offset

Vector = tuple[Any, Any]
psi_x, psi_y = real_function("psi_x"), real_function("psi_y")
v_x, v_y = real_function("v_x"), real_function("v_y")
beta, gap_size = real("beta c")
later = integer("h")

KEY: Vector = (key_x(l), key_y(l))
MOVE: Vector = (v_x(l), v_y(l))
TARGET: Vector = (real_function("u_x")(l), real_function("u_y")(l))
GRADIENT: Vector = (real_function("G_x")(l), real_function("G_y")(l))
OTHER: Vector = (real_function("a_x")(l), real_function("a_y")(l))

PLANE = within(l, 0, m - 1)
LAG = within(j, 0, length - 1)
OTHER_LAG = Both(le(0, j), le(j, length - 1), ne(j, offset))
ROW = within(i, offset + 1, length)

SHARE = 1 - kept(sp.exp, -1)
"""1 - 1/e."""


# -- vectors -----------------------------------------------------------------------------


def taking(names: Vector, value: Vector) -> dict[Any, Any]:
    """The mapping under which the vector of the given names is `value`."""
    return {name.func: sp.Lambda(l, part) for name, part in zip(names, value, strict=True)}


def same(first: Vector, second: Vector) -> Any:
    """The two agree, in a plane."""
    return Both(*(eq(one, other) for one, other in zip(first, second, strict=True)))


def inner(first: Vector, second: Vector) -> Any:
    """The inner product, summed over the planes."""
    return over_planes(first[0] * second[0] + first[1] * second[1])


def square(vector: Vector) -> Term:
    """The squared Euclidean norm."""
    return over_planes(vector[0] ** 2 + vector[1] ** 2)


def distance(first: Vector, second: Vector) -> Term:
    """The squared distance of two vectors."""
    return square((first[0] - second[0], first[1] - second[1]))


def feature(lag: Term | int) -> Vector:
    """psi(t), in its planes."""
    return psi_x(lag, l), psi_y(lag, l)


# -- scores and losses -------------------------------------------------------------------


def scores(key: Vector) -> Callable[[Any], Any]:
    """g(t) = <k, psi(t)>."""
    return lambda lag: inner(key, feature(lag))


def partition(key: Vector) -> Any:
    """sum over the row's lags of e^{g(t)}."""
    return sp.Sum(sp.exp(scores(key)(j)), (j, 0, i - 1))


@named("ℓ_i({})", r"\ell_i({})", "loss of row i of a head with this key", OTHER)
def row_loss(key: Vector) -> Any:
    """-ln S_{i,i-Delta}."""
    return sp.log(partition(key)) - scores(key)(offset)


@named("ℒ({})", r"\mathcal{L}({})", "loss of a head with this key", OTHER)
def loss(key: Vector) -> Term:
    """The mean of the rows' losses."""
    return over_rows(row_loss(key)) / (length - offset)


def over_rows(term: Term | int) -> Term:
    """The sum of a term in i over the rows that reach back to the target."""
    return sp.Sum(term, (i, offset + 1, length))


def row_weight(key: Vector) -> Any:
    """S_{i,i-Delta}."""
    return sp.exp(scores(key)(offset)) / partition(key)


@named("Slash({})", r"\mathrm{Slash}({})", "slash score of a head with this key", OTHER)
def slash_of(key: Vector) -> Term:
    """The slash score: the mean of S_{i,i-Delta} over the rows."""
    return over_rows(row_weight(key)) / (length - offset)


def row_missing(key: Vector) -> Any:
    """1 - S_{i,i-Delta}."""
    return 1 - row_weight(key)


@named("M({})", r"M({})", "mean weight off the target of a head with this key", OTHER)
def missing(key: Vector) -> Term:
    """The mean of 1 - S_{i,i-Delta} over the rows: 1 minus the slash score."""
    return over_rows(row_missing(key)) / (length - offset)


# -- slopes ------------------------------------------------------------------------------


def row_slope(key: Vector, direction: Vector) -> Any:
    """The directional derivative of the row's loss: sum_t S_it <v, psi(t)> - <v, psi(Delta)>."""
    moves = scores(direction)
    return sp.Sum(sp.exp(scores(key)(j)) * moves(j), (j, 0, i - 1)) / partition(key) - moves(offset)


@named(
    "ℒ′({}; {})", r"\mathcal{L}'({};{})", "slope of the loss at a key, along a move", OTHER, MOVE
)
def slope(key: Vector, direction: Vector) -> Term:
    """The directional derivative of the loss."""
    return over_rows(row_slope(key, direction)) / (length - offset)


def mean_feature(key: Vector) -> Vector:
    """sum_t S_it psi(t) - psi(Delta) in the row, in its planes."""
    parts = []
    for component in (psi_x, psi_y):
        top = sp.Sum(sp.exp(scores(key)(j)) * component(j, l), (j, 0, i - 1))
        parts.append(top / partition(key) - component(offset, l))
    return parts[0], parts[1]


def gradient(key: Vector) -> Vector:
    """The gradient of the loss, in its planes."""
    first, second = mean_feature(key)
    return over_rows(first) / (length - offset), over_rows(second) / (length - offset)


def stepped(key: Vector, grad: Vector) -> Vector:
    """k - grad / beta."""
    return key[0] - grad[0] / beta, key[1] - grad[1] / beta


def lower_by(direction: Vector, amount: Term) -> Formula:
    """Along the direction every other lag lies lower than the target by the amount."""
    score = scores(direction)
    return Every((j,), If(OTHER_LAG, le(score(j), score(offset) - amount)))


# -- the training: keys k(tau) from 0 by steps 1/beta, and what separates ---------------

tau, steps, start = integer("tau T tau_0")
margin = real("gamma")
grown_x, grown_y = real_function("kappa_x"), real_function("kappa_y")
slope_x, slope_y = real_function("Gamma_x"), real_function("Gamma_y")
best_x, best_y = real_function("kstar_x"), real_function("kstar_y")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    i: "a row, which has i keys",
    j: "a lag",
    (key_x, key_y): "the key",
    length: "length of the prompts",
    (psi_x, psi_y): "features of the lags, s R_t q̄",
    psi_x: "first coordinate of a lag's feature in a plane",
    psi_y: "second coordinate of a lag's feature in a plane",
    (v_x, v_y): "a move of the key",
    v_x: "first coordinate of the move in a plane",
    v_y: "second coordinate of the move in a plane",
    beta: "inverse of the step; the loss's curvature is at most this",
    gap_size: "how much lower other lags lie",
    later: "a step before T",
    tau: "a step of the training",
    steps: "number of steps",
    start: "the step from which the rate holds",
    margin: "margin by which k* separates the target",
    (grown_x, grown_y): shown_as("k", "k", "the key after so many steps"),
    grown_x: shown_as("k_x", "k_{x}", "its first coordinate in a plane, by step"),
    grown_y: shown_as("k_y", "k_{y}", "its second coordinate in a plane, by step"),
    (slope_x, slope_y): shown_as("G", "G", "gradient of the loss at that key"),
    slope_x: shown_as("G_x", "G_{x}", "first coordinate of the gradient, by step and plane"),
    slope_y: shown_as("G_y", "G_{y}", "second coordinate of the gradient, by step and plane"),
    (best_x, best_y): shown_as(
        "k*", "k_{*}", "unit vector that separates the target from all other lags"
    ),
    best_x: shown_as("k*_x", "k_{*,x}", "first coordinate of k* in a plane"),
    best_y: shown_as("k*_y", "k_{*,y}", "second coordinate of k* in a plane"),
}
BEST: Vector = (best_x(l), best_y(l))


def key_at(time: Term | int) -> Vector:
    """k(tau)."""
    return grown_x(time, l), grown_y(time, l)


def grad_at(time: Term) -> Vector:
    """The gradient at k(tau)."""
    return slope_x(time, l), slope_y(time, l)


now, after, grad = key_at(tau), key_at(tau + 1), grad_at(tau)
moved = stepped(now, grad)

# -- hypotheses --------------------------------------------------------------------------

BETA = Hypothesis("beta is positive", lt(0, beta))
PLACE = Hypothesis("some row reaches back far enough", within(offset, 0, length - 1))
FEATURES = Hypothesis(
    "features have norm sqrt(beta) at most", every(j, 0, length - 1, le(square(feature(j)), beta))
)
IS_GRADIENT = Hypothesis("G is the gradient", every(l, 0, m - 1, same(GRADIENT, gradient(KEY))))


def _always(body: Formula) -> Formula:
    return Every((tau, l), If(Both(le(0, tau), le(0, l), le(l, m - 1)), body))


TIME = Hypothesis("the time is not negative", le(0, tau))
STEPS = Hypothesis("T is not negative", le(0, steps))
START = Hypothesis("training starts at 0", every(l, 0, m - 1, same(key_at(0), (0, 0))))
ALGORITHM = Hypothesis("gradient descent with step 1/beta", _always(same(after, moved)))
GRADIENTS = Hypothesis("G is the gradient at every step", _always(same(grad, gradient(now))))
UNIT = Hypothesis("k* is a unit vector", eq(square(BEST), 1))
WINS = Hypothesis(
    "k* separates the target by gamma",
    Every((j,), If(OTHER_LAG, le(scores(BEST)(j) + margin, scores(BEST)(offset)))),
)
MARGIN = Hypothesis("gamma is not negative", le(0, margin))
SEPARATES = Hypothesis("gamma is positive", lt(0, margin))

STEPPING = (PLACE, BETA, FEATURES, ALGORITHM, GRADIENTS)
TRAINING = (*STEPPING, MARGIN, UNIT, WINS)
NO_FEATURES = (
    "features of square at most beta exist for 0 <= beta only, and beta = 0 leaves the feature 0 at "
    "every lag: no loss depends on the key"
)
"""Why beta need not be positive where features have norm sqrt(beta) at most."""

# -- instances ---------------------------------------------------------------------------

_FEATURES = {psi_x(0, 0): -1, psi_x(1, 0): 1, psi_y(0, 0): 0, psi_y(1, 0): 0}
ONE_PLANE: dict[Any, Any] = {
    m: 1, length: 2, offset: 1, margin: 2, best_x(0): 1, best_y(0): 0, **_FEATURES
}  # fmt: skip
"""One plane and two positions with opposite features."""


def trained(time: int, first: int = 0) -> Values:
    """One plane, two lags; the key starts at `first` times the separating direction."""
    return {**ONE_PLANE, tau: time, beta: 1, grown_x(0, 0): first, grown_y(0, 0): 0}


def training(changed: Values) -> Values:
    """One plane with opposite features, trained from key 0; `changed` breaks a hypothesis."""
    usual = {steps: 2, beta: 100, margin: 2, best_x(0): 1, grown_x(0, 0): 0}
    return {**usual, **changed, grown_y(0, 0): 0, **ONE_PLANE, **changed}


def before_the_first(changed: Values) -> Values:
    """One position, and the target before it: no row has that lag, and the loss is linear."""
    usual = {m: 1, length: 1, offset: -1, beta: 1, margin: 1, tau: 0, steps: 1, best_x(0): 1}
    features = {psi_x(-1, 0): 1, psi_x(0, 0): 0, psi_y(-1, 0): 0, psi_y(0, 0): 0}
    return {**usual, **features, best_y(0): 0, grown_x(0, 0): 0, grown_y(0, 0): 0, **changed}


def overshooting(changed: Values) -> Values:
    """Three positions: what leads away from the longer competitor leads to the other one."""
    usual = {m: 1, length: 3, offset: 2, beta: 1, margin: 1, tau: 0, steps: 1, best_x(0): 0}
    features = {psi_x(0, 0): -10, psi_x(1, 0): 5, psi_x(2, 0): 0, psi_y(2, 0): 0}
    features |= {psi_y(0, 0): -1, psi_y(1, 0): -1}
    return {**usual, **features, best_y(0): 1, grown_x(0, 0): 0, grown_y(0, 0): 0, **changed}


def still(changed: Values) -> Values:
    """Two positions, beta = 0 and no features: every key has the same loss."""
    usual = {m: 1, length: 2, offset: 1, beta: 0, margin: 0, tau: 0, best_x(0): 1, best_y(0): 0}
    usual |= {part(lag, 0): 0 for part in (psi_x, psi_y) for lag in (0, 1)}
    return {**usual, grown_x(0, 0): 0, grown_y(0, 0): 0, **changed}
