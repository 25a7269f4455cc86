"""The training: keys k(tau) from 0 by gradient descent with step 1/beta, and what separates."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m
from ropeproof.theory.slash.descent.notation import (
    BETA,
    FEATURES,
    KEY,
    OTHER,
    OTHER_LAG,
    PLACE,
    PLANE,
    Vector,
    beta,
    gradient,
    lower_by,
    psi_x,
    psi_y,
    same,
    scores,
    square,
    stepped,
    taking,
)
from ropeproof.theory.slash.descent.same_loss import SLASH_GD_SAME_LOSS
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length

tau, steps, start = integer("tau T tau_0")
margin = real("gamma")
grown_x, grown_y = real_function("kappa_x"), real_function("kappa_y")
slope_x, slope_y = real_function("Gamma_x"), real_function("Gamma_y")
best_x, best_y = real_function("kstar_x"), real_function("kstar_y")
BEST: Vector = (best_x(l), best_y(l))


def key_at(time: Any) -> Vector:
    """k(tau)."""
    return grown_x(time, l), grown_y(time, l)


def grad_at(time: Any) -> Vector:
    """The gradient at k(tau)."""
    return slope_x(time, l), slope_y(time, l)


now, after, grad = key_at(tau), key_at(tau + 1), grad_at(tau)
moved = stepped(now, grad)

# -- hypotheses --------------------------------------------------------------------------


def _always(body: Any) -> Any:
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
UNSHOWN = {
    PLACE: "otherwise there is no row",
    BETA: "a step of the wrong sign climbs",
    FEATURES: "features longer than sqrt(beta): too long a step",
    ALGORITHM: "any other sequence may stay away",
    GRADIENTS: "any other direction may lead away",
    MARGIN: "its square forgets the sign",
    UNIT: "a longer k* separates by more",
    WINS: "features that cannot be separated keep a loss",
}
"""Why an instance without a hypothesis of `TRAINING` is not drawn."""

# -- instances ---------------------------------------------------------------------------

_FEATURES = {psi_x(0, 0): -1, psi_x(1, 0): 1, psi_y(0, 0): 0, psi_y(1, 0): 0}
ONE_PLANE: dict[Any, Any] = {
    m: 1, length: 2, offset: 1, margin: 2, best_x(0): 1, best_y(0): 0, **_FEATURES
}  # fmt: skip
"""One plane and two positions with opposite features."""


def trained(time: int, first: int = 0) -> dict[Any, Any]:
    """One plane, two lags; the key starts at `first` times the separating direction."""
    return {**ONE_PLANE, tau: time, beta: 1, grown_x(0, 0): first, grown_y(0, 0): 0}


def training(changed: dict[Any, Any]) -> dict[Any, Any]:
    """One plane with opposite features, trained from key 0; `changed` breaks a hypothesis."""
    usual = {steps: 2, beta: 100, margin: 2, best_x(0): 1, grown_x(0, 0): 0}
    return {**usual, **changed, grown_y(0, 0): 0, **ONE_PLANE, **changed}


# -- for the proofs ----------------------------------------------------------------------


def a_step(scope: Scope, *time: Premise) -> tuple[Fact, Fact]:
    """In a plane G is the gradient at k(tau), and k(tau + 1) is the step's."""
    plane = scope.under(PLANE)
    is_gradient = plane.use(GRADIENTS, None, *time, why="In every plane G is the gradient,")
    is_step = plane.use(ALGORITHM, None, *time, why="and the next key is the step's.")
    return is_gradient, is_step


def next_loss(scope: Scope, is_step: Fact) -> Fact:
    """L(k(tau + 1)) is the loss after the step."""
    keys = {**taking(OTHER, after), **taking(KEY, moved)}
    agree = is_step.for_all(l, why="As the keys agree in every plane,")
    return scope.lemma(SLASH_GD_SAME_LOSS, keys, agree, why="so do their losses.")


def best_is_lower_by(scope: Scope) -> Fact:
    """Along k* every other lag lies lower by gamma."""
    goal = lower_by(BEST, margin).args[1].args[1]
    lag = scope.under(OTHER_LAG)
    separated = lag.use(WINS, why="Along k* every other lag is separated,", goal=goal)
    return separated.for_all(j, why="that is, lower by gamma.")
