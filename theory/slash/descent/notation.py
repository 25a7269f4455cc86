"""The head that is trained: features of the lags, rows, loss, gradient.

A key vector k has the score g(t) = <k, psi(t)> at lag t, with psi(t) = d^{-1/2} R_t qbar the
feature of the lag (claim `slash.gd.features`); vectors are given by their planes, (x(l), y(l)).
Row i has the lags 0..i-1; its loss is -ln S_{i,i-Delta} = ln sum_t e^{g(t)} - g(Delta), and the
loss L is its mean over the rows Delta < i <= N. The training itself is in `training`.
"""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, key_x, key_y, l, m, over_planes
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.sandwich.common import f_x, f_y, h_x, h_y
from ropeproof.theory.slash.sandwich.logit_size import SUMS_CAUCHY_SCHWARZ
from ropeproof.theory.slash.score import length

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


def square(vector: Vector) -> Any:
    """The squared Euclidean norm."""
    return over_planes(vector[0] ** 2 + vector[1] ** 2)


def distance(first: Vector, second: Vector) -> Any:
    """The squared distance of two vectors."""
    return square((first[0] - second[0], first[1] - second[1]))


def feature(lag: Any) -> Vector:
    """psi(t), in its planes."""
    return psi_x(lag, l), psi_y(lag, l)


# -- scores and losses -------------------------------------------------------------------


def scores(key: Vector) -> Callable[[Any], Any]:
    """g(t) = <k, psi(t)>."""
    return lambda lag: inner(key, feature(lag))


def partition(key: Vector) -> Any:
    """sum over the row's lags of e^{g(t)}."""
    return sp.Sum(sp.exp(scores(key)(j)), (j, 0, i - 1))


def row_loss(key: Vector) -> Any:
    """-ln S_{i,i-Delta}."""
    return sp.log(partition(key)) - scores(key)(offset)


def loss(key: Vector) -> Any:
    """The mean of the rows' losses."""
    return over_rows(row_loss(key)) / (length - offset)


def over_rows(term: Any) -> Any:
    """The sum of a term in i over the rows that reach back to the target."""
    return sp.Sum(term, (i, offset + 1, length))


def row_weight(key: Vector) -> Any:
    """S_{i,i-Delta}."""
    return sp.exp(scores(key)(offset)) / partition(key)


def slash_of(key: Vector) -> Any:
    """The slash score: the mean of S_{i,i-Delta} over the rows."""
    return over_rows(row_weight(key)) / (length - offset)


def row_missing(key: Vector) -> Any:
    """1 - S_{i,i-Delta}."""
    return 1 - row_weight(key)


def missing(key: Vector) -> Any:
    """The mean of 1 - S_{i,i-Delta} over the rows: 1 minus the slash score."""
    return over_rows(row_missing(key)) / (length - offset)


# -- slopes ------------------------------------------------------------------------------


def row_slope(key: Vector, direction: Vector) -> Any:
    """The directional derivative of the row's loss: sum_t S_it <v, psi(t)> - <v, psi(Delta)>."""
    moves = scores(direction)
    return sp.Sum(sp.exp(scores(key)(j)) * moves(j), (j, 0, i - 1)) / partition(key) - moves(offset)


def slope(key: Vector, direction: Vector) -> Any:
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


def lower_by(direction: Vector, amount: Any) -> Any:
    """Along the direction every other lag lies lower than the target by the amount."""
    score = scores(direction)
    return Every((j,), If(OTHER_LAG, le(score(j), score(offset) - amount)))


# -- hypotheses --------------------------------------------------------------------------

BETA = Hypothesis("beta is positive", lt(0, beta))
PLACE = Hypothesis("some row reaches back far enough", within(offset, 0, length - 1))
FEATURES = Hypothesis(
    "features have norm sqrt(beta) at most", every(j, 0, length - 1, le(square(feature(j)), beta))
)
IS_GRADIENT = Hypothesis("G is the gradient", every(l, 0, m - 1, same(GRADIENT, gradient(KEY))))


# -- for the proofs ----------------------------------------------------------------------


def square_sign(scope: Scope, vector: Vector) -> Fact:
    """0 <= |v|^2."""
    term = scope.show(le(0, vector[0] ** 2 + vector[1] ** 2), "Squares are not negative,")
    return term.summed(l, 0, m - 1, "nor is their sum over the planes.")


def same_products(agree: Fact, first: Vector, second: Vector, other: Vector, why: str) -> Fact:
    """<v, w> = <v', w>, from the fact that v and v' agree in a plane."""
    terms = (key[0] * other[0] + key[1] * other[1] for key in (first, second))
    term = agree.scope.show(eq(*terms), "Equal vectors have equal products in a plane,", agree)
    return term.summed(l, 0, m - 1, why)


def cauchy_schwarz(scope: Scope, first: Vector, second: Vector, why: str) -> Fact:
    """<v, w>^2 <= |v|^2 |w|^2."""
    values = {**taking((f_x(l), f_y(l)), first), **taking((h_x(l), h_y(l)), second)}
    return scope.lemma(SUMS_CAUCHY_SCHWARZ, values, why=why)


def partition_sign(row: Scope) -> Fact:
    """0 < sum_t e^{g(t)} in a row that reaches back to the target."""
    term = row.show(lt(0, sp.exp(scores(KEY)(j))), "Exponentials are positive,")
    lags = row.show(le(1, i), "and a row has a lag,", PLACE)
    return term.summed(j, 0, i - 1, "so their sum is positive.", lags)


def weight_of_loss(row: Scope, partition_is_positive: Fact) -> Fact:
    """S_{i,i-Delta} = exp(-l_i)."""
    goal = eq(row_weight(KEY), kept(sp.exp, -row_loss(KEY)))
    why = "A row's weight is exp of minus its loss."
    return row.show(goal, why, partition_is_positive, by=rules.identity())
