"""The head that is trained: features of the lags, rows, loss, gradient.

A key vector k has the score g(t) = <k, psi(t)> at lag t, with psi(t) = d^{-1/2} R_t qbar the
feature of the lag (claim `slash.gd.features`); vectors are given by their planes, (x(l), y(l)).
Row i has the lags 0..i-1; its loss is -ln S_{i,i-Delta} = ln sum_t e^{g(t)} - g(Delta), and the
loss L is its mean over the rows Delta < i <= N.
"""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m, over_planes
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

__all__ = [
    "BETA",
    "FEATURES",
    "LAGS",
    "PLACE",
    "Vector",
    "beta",
    "feature",
    "gradient",
    "inner",
    "loss",
    "lowest",
    "mean_feature",
    "partition",
    "row_loss",
    "row_slope",
    "scores",
    "slope",
    "square",
]

Vector = tuple[Any, Any]
psi_x, psi_y = real_function("psi_x"), real_function("psi_y")
beta = real("beta")
BETA = Hypothesis("beta is positive", lt(0, beta))
PLACE = Hypothesis("some row reaches back far enough", Both(le(0, offset), le(offset, length - 1)))
LAGS = (le(0, j), le(j, length - 1))


def feature(lag: Any) -> Vector:
    """psi(t), in its planes."""
    return psi_x(lag, l), psi_y(lag, l)


def inner(first: Vector, second: Vector) -> Any:
    """The inner product, summed over the planes."""
    return over_planes(first[0] * second[0] + first[1] * second[1])


def square(vector: Vector) -> Any:
    """The squared Euclidean norm."""
    return over_planes(vector[0] ** 2 + vector[1] ** 2)


FEATURES = Hypothesis(
    "features have norm sqrt(beta) at most", every(j, 0, length - 1, le(square(feature(j)), beta))
)


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
    return sp.Sum(row_loss(key), (i, offset + 1, length)) / (length - offset)


def row_slope(key: Vector, direction: Vector) -> Any:
    """The directional derivative of the row's loss: sum_t S_it <v, psi(t)> - <v, psi(Delta)>."""
    moves = scores(direction)
    return sp.Sum(sp.exp(scores(key)(j)) * moves(j), (j, 0, i - 1)) / partition(key) - moves(offset)


def slope(key: Vector, direction: Vector) -> Any:
    """The directional derivative of the loss."""
    return sp.Sum(row_slope(key, direction), (i, offset + 1, length)) / (length - offset)


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
    rows = length - offset
    return (
        sp.Sum(first, (i, offset + 1, length)) / rows,
        sp.Sum(second, (i, offset + 1, length)) / rows,
    )


def lowest() -> Any:
    """The number of planes is not negative: sums over planes then count as vectors."""
    return le(0, m)
