"""The game on a one-sided or unequal window, where phases matter.

At displacement e from the target, -B <= e <= C, the target's advantage in plane l is
cos(psi_l) - cos(theta_l e + psi_l), with psi_l the plane's angle at the target. Weights y on the
displacements meet it with the point (C_l, S_l) = sum_e y_e (1 - cos theta_l e, sin theta_l e) of
the plane; the best angle points at it, and its length is what the plane earns.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    rewrite,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import INSIDE, total
from ropeproof.theory.slash.row import OWN

__all__ = ["CLAIMS", "SLASH_GAME_ONE_SIDED", "SLASH_GAME_SLACKNESS"]

low, high = integer("B C")
margin, upper = real("Gamma U")
p_x, p_y, turn = real("p_x p_y psi_0")
y, angle = real_function("y"), real_function("psi")
INSIDE_WINDOW = (le(-low, j), le(j, high))


def _sum(term: Any) -> Any:
    return sp.Sum(term, (j, -low, high))


def _advantage(displacement: Any) -> Any:
    """The target's logit minus that at a displacement."""
    return over_planes(
        amplitude(l) * (sp.cos(angle(l)) - sp.cos(theta(l) * displacement + angle(l)))
    )


COSINE = _sum(y(j) * (1 - sp.cos(theta(l) * j)))
SINE = _sum(y(j) * sp.sin(theta(l) * j))


def _exchange() -> tuple[Step, ...]:
    """Steps that end in `sum_e y_e advantage(e) = sum_l A_l (C_l cos psi_l + S_l sin psi_l)`."""
    term = sp.cos(angle(l)) - sp.cos(theta(l) * j + angle(l))
    weighted = _sum(y(j) * _advantage(j))
    nested = _sum(over_planes(y(j) * amplitude(l) * term))
    swapped = over_planes(_sum(y(j) * amplitude(l) * term))
    by_plane = over_planes(amplitude(l) * (sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE))
    return (
        Step("nested", eq(weighted, nested), identity(), "Average the advantages: a double sum."),
        Step("swap", eq(nested, swapped), swap(), "Exchange it."),
        Step(
            "plane sum",
            eq(
                _sum(y(j) * amplitude(l) * term),
                amplitude(l) * (sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE),
            ),
            identity(),
            "By the addition theorem each plane meets the point (C_l, S_l) with its angle.",
        ),
        Step(
            "planes",
            eq(swapped, by_plane),
            termwise(),
            "So do all.",
            ("plane sum",),
        ),
        Step(
            "exchanged",
            eq(weighted, by_plane),
            smt(),
            "The weights see the planes one by one.",
            ("nested", "swap", "planes"),
        ),
    )


BY_PLANE = over_planes(amplitude(l) * (sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE))
WEIGHTS = (
    Hypothesis(
        "the target is in the window",
        Both(le(0, low), le(0, high)),
        idle="outside its window the target is no displacement, and nothing changes",
    ),
    Hypothesis(
        "weights are not negative",
        every(j, -low, high, le(0, y(j))),
        without=(
            eq(m, 1),
            eq(low, 0),
            eq(high, 2),
            eq(theta(0), sp.Rational(1, 2)),
            eq(angle(0), sp.Rational(132, 100)),
            eq(amplitude(0), 1),
            eq(y(0), 0),
            eq(y(1), sp.Rational(3, 2)),
            eq(y(2), -sp.Rational(1, 2)),
            eq(upper, sp.Rational(31, 100)),
            eq(margin, sp.Rational(49, 100)),
        ),
    ),
    Hypothesis(
        "no weight lies on the target",
        eq(y(0), 0),
        without=(
            eq(m, 1),
            eq(low, 0),
            eq(high, 1),
            eq(y(0), sp.Rational(1, 2)),
            eq(y(1), sp.Rational(1, 2)),
            eq(theta(0), 3),
            eq(angle(0), 0),
            eq(amplitude(0), 1),
            eq(margin, sp.Rational(198, 100)),
            eq(upper, 1),
        ),
    ),
    Hypothesis(
        "weights add up to 1",
        eq(_sum(y(j)), 1),
        without=(eq(m, 1), eq(low, 0), eq(high, 1), eq(y(1), 0), eq(y(0), 0)),
    ),
)


def _one_sided() -> Claim:
    bounded = every(l, 0, m - 1, le(COSINE**2 + SINE**2, upper**2))
    wins = Every((j,), If(Both(le(-low, j), le(j, high), ne(j, 0)), le(margin, _advantage(j))))
    weighted = _sum(y(j) * _advantage(j))
    goal = le(margin, upper * total())
    meets = sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE
    return Claim(
        id="slash.game-one-sided",
        title="On any window weights on the displacements bound every head's margin",
        statement=(
            r"Let a head of amplitude $A$, with any phases, keep the margin $\Gamma$ over every "
            r"displacement $-B\le e\le C$, $e\ne0$, from its target. Then "
            r"$\Gamma\le A\max_l|1-\sum_ey_ee^{\mathrm i\theta_le}|$ for any probabilities $y$ on the "
            r"displacements. A plane's best angle at the target is that of "
            r"$\sum_ey_e(1-e^{-\mathrm i\theta_le})$; on symmetric weights it is 0, the aligned one."
        ),
        source=OWN,
        needs=frozenset("PCX"),
        hypotheses=(
            NOT_NEGATIVE,
            *WEIGHTS,
            Hypothesis("U is not negative", le(0, upper), without=(eq(upper, -2), eq(m, 1))),
            Hypothesis("every plane earns at most U", bounded),
            Hypothesis("the margin", wins),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "advantage",
                    le(margin, _advantage(j)),
                    instance({j: j}),
                    "The target keeps its margin",
                    ("the margin",),
                    (*INSIDE_WINDOW, ne(j, 0)),
                ),
                Step(
                    "weight",
                    le(0, y(j)),
                    instance({j: j}),
                    "and weights are not negative,",
                    ("weights are not negative",),
                    INSIDE_WINDOW,
                ),
                Step(
                    "elsewhere",
                    le(y(j) * margin, y(j) * _advantage(j)),
                    smt(),
                    "so every weighted advantage is at least the weighted margin,",
                    ("advantage", "weight"),
                    (*INSIDE_WINDOW, ne(j, 0)),
                ),
                Step("here", eq(j, 0), smt(), "also at the target,", (), (eq(j, 0),)),
                Step(
                    "at 0",
                    eq(y(j), y(0)),
                    rewrite(),
                    "where the weight",
                    ("here",),
                    (eq(j, 0),),
                ),
                Step(
                    "target",
                    le(y(j) * margin, y(j) * _advantage(j)),
                    smt(),
                    "is 0.",
                    ("at 0", "no weight lies on the target"),
                    (eq(j, 0),),
                ),
                Step(
                    "everywhere",
                    le(y(j) * margin, y(j) * _advantage(j)),
                    smt(),
                    "So",
                    ("elsewhere", "target"),
                    INSIDE_WINDOW,
                ),
                Step(
                    "average",
                    le(_sum(y(j) * margin), weighted),
                    termwise(),
                    "on average too.",
                    ("everywhere",),
                ),
                Step(
                    "left",
                    eq(_sum(y(j) * margin), margin * _sum(y(j))),
                    identity(),
                    "The left side is the margin.",
                ),
                *_exchange(),
                Step(
                    "length",
                    le(COSINE**2 + SINE**2, upper**2),
                    instance({l: l}),
                    "The point's distance from the origin is at most U,",
                    ("every plane earns at most U",),
                    INSIDE,
                ),
                Step(
                    "square",
                    le(meets**2, (COSINE**2 + SINE**2)),
                    by_claim("trig.projection", {p_x: COSINE, p_y: SINE, turn: angle(l)}),
                    "and so is its projection on any angle.",
                ),
                Step(
                    "projection",
                    le(meets, upper),
                    smt(),
                    "A plane earns at most U",
                    ("length", "square", "U is not negative"),
                    INSIDE,
                ),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "per unit of amplitude,",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(amplitude(l) * meets, amplitude(l) * upper),
                    smt(),
                    "whatever its phase,",
                    ("projection", "amplitude"),
                    INSIDE,
                ),
                Step(
                    "sum",
                    le(BY_PLANE, over_planes(amplitude(l) * upper)),
                    termwise(),
                    "and all together",
                    ("plane",),
                ),
                Step(
                    "factor",
                    eq(over_planes(amplitude(l) * upper), upper * total()),
                    identity(),
                    "at most U A.",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "Together.",
                    ("average", "left", "weights add up to 1", "exchanged", "sum", "factor"),
                ),
            )
        ),
        uses=("trig.projection",),
        mutants=(
            Mutant(
                "0.9 of it",
                le(margin, sp.Rational(9, 10) * upper * total()),
                at=(
                    eq(m, 1),
                    eq(low, 0),
                    eq(high, 1),
                    eq(y(0), 0),
                    eq(y(1), 1),
                    eq(theta(0), 3),
                    eq(angle(0), 0),
                    eq(amplitude(0), 1),
                    eq(upper, 2),
                    eq(margin, sp.Rational(198, 100)),
                ),
            ),
            Mutant("strict", lt(margin, upper * total())),
        ),
    )


def _slackness() -> Claim:
    earns = every(
        l,
        0,
        m - 1,
        eq(
            amplitude(l) * (sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE),
            amplitude(l) * upper,
        ),
    )
    tight = every(j, -low, high, eq(y(j) * _advantage(j), y(j) * margin))
    goal = eq(margin, upper * total())
    return Claim(
        id="slash.game-slackness",
        title="When a head is optimal on a window",
        statement=(
            r"If a head's margin $\Gamma$ is attained wherever the weights $y$ lie, and every plane "
            r"with amplitude points at $\sum_ey_e(1-e^{-\mathrm i\theta_le})$ and earns the same $U$ "
            r"there, then $\Gamma=UA$: by `slash.game-one-sided` no head of this amplitude has a "
            r"larger margin."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            WEIGHTS[3],
            Hypothesis("every plane with amplitude earns U", earns),
            Hypothesis("weights lie where the margin is attained", tight),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "tight",
                    eq(y(j) * _advantage(j), y(j) * margin),
                    instance({j: j}),
                    "Weights lie where the margin is attained,",
                    ("weights lie where the margin is attained",),
                    INSIDE_WINDOW,
                ),
                Step(
                    "average",
                    eq(_sum(y(j) * _advantage(j)), _sum(y(j) * margin)),
                    termwise(),
                    "so the average advantage",
                    ("tight",),
                ),
                Step(
                    "left",
                    eq(_sum(y(j) * margin), margin * _sum(y(j))),
                    identity(),
                    "is the margin.",
                ),
                *_exchange(),
                Step(
                    "earns",
                    eq(
                        amplitude(l) * (sp.cos(angle(l)) * COSINE + sp.sin(angle(l)) * SINE),
                        amplitude(l) * upper,
                    ),
                    instance({l: l}),
                    "Each plane earns U per unit of amplitude,",
                    ("every plane with amplitude earns U",),
                    INSIDE,
                ),
                Step(
                    "sum",
                    eq(BY_PLANE, over_planes(amplitude(l) * upper)),
                    termwise(),
                    "all together",
                    ("earns",),
                ),
                Step(
                    "factor",
                    eq(over_planes(amplitude(l) * upper), upper * total()),
                    identity(),
                    "U A.",
                ),
                Step(
                    "equal",
                    goal,
                    smt(),
                    "Together.",
                    ("average", "left", "weights add up to 1", "exchanged", "sum", "factor"),
                ),
            )
        ),
        mutants=(
            Mutant("less", lt(margin, upper * total())),
            Mutant("one unit more", eq(margin, (upper + 1) * total())),
        ),
    )


SLASH_GAME_ONE_SIDED = _one_sided()
SLASH_GAME_SLACKNESS = _slackness()

CLAIMS = (SLASH_GAME_ONE_SIDED, SLASH_GAME_SLACKNESS)
