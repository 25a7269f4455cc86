"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.derivation import Step
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m
from ropeproof.theory.slash.descent.model import (
    BETA,
    FEATURES,
    PLACE,
    Vector,
    beta,
    gradient,
    partition,
    psi_x,
    psi_y,
    scores,
    square,
)
from ropeproof.theory.slash.descent.step import stepped
from ropeproof.theory.slash.row import offset, row_partition
from ropeproof.theory.slash.score import length

__all__ = [
    "ALGORITHM",
    "BEST",
    "GRADIENTS",
    "IN_ROW",
    "MOVE",
    "OTHER",
    "PLANES",
    "RATE",
    "SEPARATES",
    "SEPARATES_PLAIN",
    "SHARE",
    "START",
    "TRAINING",
    "UNIT",
    "WINS",
    "a",
    "factor",
    "fall",
    "gap",
    "gap_size",
    "grad_at",
    "grown_x",
    "grown_y",
    "key_at",
    "later",
    "level",
    "margin",
    "missing",
    "one_plane",
    "row",
    "row_missing",
    "row_step",
    "slash_of",
    "slope_x",
    "slope_y",
    "start",
    "steps",
    "t_",
    "tau",
    "trained",
    "training",
    "v_x",
    "v_y",
    "x",
    "y",
]

tau, steps = integer("tau T")


margin, factor, level = real("gamma c u")


fall, gap = real_function("L"), real_function("D")


grown_x, grown_y = real_function("kappa_x"), real_function("kappa_y")


slope_x, slope_y = real_function("Gamma_x"), real_function("Gamma_y")


BEST: Vector = (real_function("kstar_x")(l), real_function("kstar_y")(l))


x, y, t_ = real("x y t")


OTHER: Vector = (real_function("a_x")(l), real_function("a_y")(l))


PLANES = (le(0, l), le(l, m - 1))


def key_at(time: Any) -> Vector:
    """k(tau)."""
    return grown_x(time, l), grown_y(time, l)


def grad_at(time: Any) -> Vector:
    """The gradient at k(tau)."""
    return slope_x(time, l), slope_y(time, l)


START = Hypothesis(
    "training starts at 0", every(l, 0, m - 1, Both(eq(grown_x(0, l), 0), eq(grown_y(0, l), 0)))
)


ALGORITHM = Hypothesis(
    "gradient descent with step 1/beta",
    Every(
        (tau, l),
        If(
            Both(le(0, tau), *PLANES),
            Both(
                eq(grown_x(tau + 1, l), stepped(key_at(tau), grad_at(tau))[0]),
                eq(grown_y(tau + 1, l), stepped(key_at(tau), grad_at(tau))[1]),
            ),
        ),
    ),
)


GRADIENTS = Hypothesis(
    "G is the gradient at every step",
    Every(
        (tau, l),
        If(
            Both(le(0, tau), *PLANES),
            Both(
                *(
                    eq(named, exact)
                    for named, exact in zip(grad_at(tau), gradient(key_at(tau)), strict=True)
                )
            ),
        ),
    ),
)


UNIT = Hypothesis("k* is a unit vector", eq(square(BEST), 1))


WINS = Hypothesis(
    "k* separates the target by gamma",
    Every(
        (j,),
        If(
            Both(le(0, j), le(j, length - 1), ne(j, offset)),
            le(scores(BEST)(j) + margin, scores(BEST)(offset)),
        ),
    ),
)


SEPARATES = Hypothesis("gamma is positive", lt(0, margin))


def one_plane() -> tuple[Any, ...]:
    """An instance of one plane and two positions with opposite features."""
    return (
        eq(m, 1),
        eq(length, 2),
        eq(offset, 1),
        eq(margin, 2),
        eq(BEST[0].func(0), 1),
        eq(BEST[1].func(0), 0),
        eq(psi_x(0, 0), -1),
        eq(psi_x(1, 0), 1),
        eq(psi_y(0, 0), 0),
        eq(psi_y(1, 0), 0),
    )


def row_step(label: str, logits: Any, where: tuple[Any, ...]) -> Step:
    """The step that splits a row's normaliser at the target, for rows placed by `where`."""
    step = row_partition(label, logits, "in the row")
    return Step(step.label, step.conclusion, step.rule, step.because, step.using, where)


SEPARATES_PLAIN = Hypothesis(
    SEPARATES.name, SEPARATES.formula, unshown="without a margin no multiple of k* has a small loss"
)


def slash_of(key: Vector) -> Any:
    """The slash score: the mean of S_{i,i-Delta} over the rows."""
    return sp.Sum(sp.exp(scores(key)(offset)) / partition(key), (i, offset + 1, length)) / (
        length - offset
    )


def training(**changed: Any) -> tuple[Any, ...]:
    """One plane with opposite features, trained from key 0; `changed` breaks a hypothesis."""
    values: dict[str, tuple[Any, Any]] = {
        "steps": (steps, 2),
        "beta": (beta, 100),
        "margin": (margin, 2),
        "best": (BEST[0].func(0), 1),
        "start": (key_at(0)[0].func(0, 0), 0),
    }
    extra = {
        "after": (key_at(0)[0].func(1, 0), -5),
        "before": (key_at(0)[0].func(-1, 0), -50),
        "slope": (grad_at(0)[0].func(0, 0), 500),
    }
    for name, value in changed.items():
        target = extra[name][0] if name in extra else values[name][0]
        values[name] = (target, value)
    kept = {margin, BEST[0].func(0)}
    return (
        *(eq(target, value) for target, value in values.values()),
        eq(key_at(0)[1].func(0, 0), 0),
        *(f for f in one_plane() if f.args[0] not in kept),
    )


v_x, v_y = real_function("v_x"), real_function("v_y")


MOVE = (v_x(l), v_y(l))


gap_size, a, level = real("c a u")


fall = real_function("L")


later = integer("h")


SHARE = 1 - sp.exp(-sp.Integer(1), evaluate=False)


IN_ROW = (le(offset + 1, i), le(i, length))


def row_missing(key: Any) -> Any:
    """1 - S_{i,i-Delta}."""
    return 1 - sp.exp(scores(key)(offset)) / partition(key)


def missing(key: Any) -> Any:
    """The mean of 1 - S_{i,i-Delta} over the rows: 1 minus the slash score."""
    return sp.Sum(row_missing(key), (i, offset + 1, length)) / (length - offset)


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
