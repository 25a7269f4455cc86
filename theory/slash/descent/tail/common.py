"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.slash.descent.model import BETA, FEATURES, PLACE, beta
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    SHARE,
    UNIT,
    WINS,
    grown_x,
    grown_y,
    margin,
    one_plane,
    tau,
)

__all__ = ["NAMES", "RATE", "TRAINING", "row", "start", "trained"]

row, start = integer("r tau_0")


RATE = margin**2 * SHARE**2 / (2 * beta)


TRAINING = (
    Hypothesis(PLACE.name, PLACE.formula, unshown="otherwise there is no row"),
    Hypothesis(BETA.name, BETA.formula, unshown="a step of the wrong sign climbs"),
    Hypothesis(
        FEATURES.name, FEATURES.formula, unshown="features longer than sqrt(beta): too long a step"
    ),
    Hypothesis(ALGORITHM.name, ALGORITHM.formula, unshown="any other sequence may stay away"),
    Hypothesis(GRADIENTS.name, GRADIENTS.formula, unshown="any other direction may lead away"),
    Hypothesis("gamma is not negative", le(0, margin), unshown="its square forgets the sign"),
    Hypothesis(UNIT.name, UNIT.formula, unshown="a longer k* separates by more"),
    Hypothesis(WINS.name, WINS.formula, unshown="features that cannot be separated keep a loss"),
)


NAMES = tuple(h.name for h in TRAINING)


def trained(time: int, first: int = 0) -> tuple[Any, ...]:
    """One plane, two lags; the key starts at `first` times the separating direction."""
    return (
        *one_plane(),
        eq(tau, time),
        eq(beta, 1),
        eq(grown_x(0, 0), first),
        eq(grown_y(0, 0), 0),
    )
