"""The pair at distance t lies at most E_t below the target."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    reindex,
    smt,
    termwise,
)
from ropeproof.theory.logic import Both, eq, every, le, lt
from ropeproof.theory.notation import amplitude, cosine_logit, i, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling.common import (
    INSIDE,
    _amplitude_step,
    aligned,
    ceiling,
    energy,
    lag,
)
from ropeproof.theory.slash.row import (
    OFFSET,
    OWN,
    SIDE,
    WINDOW,
    after,
    before,
    fall,
    g,
    offset,
    row_partition,
    side,
    weight,
)

__all__ = ["CLAIMS", "SLASH_CEILING", "SLASH_PAIR"]


def _aligned_steps() -> tuple[Step, ...]:
    """The aligned head's weight, exactly."""
    peak = aligned(offset)
    low = sp.Sum(sp.exp(-energy(j)), (j, 1, offset))
    high = sp.Sum(sp.exp(-energy(j)), (j, 1, i - 1 - offset))
    term = sp.exp(peak) * sp.exp(-energy(j - offset))
    mirrored = sp.Sum(sp.exp(-energy(offset - j)), (j, 0, offset - 1))
    return (
        Step(
            "aligned logit",
            eq(aligned(j), peak - energy(j - offset)),
            identity(),
            "An aligned head's logit falls by exactly E_t at distance t,",
        ),
        Step(
            "aligned term",
            eq(sp.exp(aligned(j)), term),
            smt(),
            "so its exponential by the factor exp(-E_t).",
            ("aligned logit",),
        ),
        Step(
            "aligned before",
            eq(before(aligned), sp.Sum(term, (j, 0, offset - 1))),
            termwise(),
            "Sum below the target",
            ("aligned term",),
        ),
        Step(
            "aligned after",
            eq(after(aligned), sp.Sum(term, (j, offset + 1, i - 1))),
            termwise(),
            "and above it.",
            ("aligned term",),
        ),
        Step(
            "below",
            eq(sp.Sum(term, (j, 0, offset - 1)), sp.exp(peak) * mirrored),
            identity(),
            "Below, the distance is Delta - j",
        ),
        Step(
            "turned",
            eq(mirrored, sp.Sum(sp.exp(-energy(j + 1)), (j, 0, offset - 1))),
            reindex(),
            "counted from the far end.",
        ),
        Step(
            "from one",
            eq(sp.Sum(sp.exp(-energy(j + 1)), (j, 0, offset - 1)), low),
            identity(),
            "It runs from 1 to Delta;",
        ),
        Step(
            "above",
            eq(sp.Sum(term, (j, offset + 1, i - 1)), sp.exp(peak) * high),
            identity(),
            "above, from 1 to i - 1 - Delta.",
        ),
        row_partition("aligned parts", aligned, "in the row"),
        Step("fall term", le(0, sp.exp(-energy(j))), smt(), "Exponentials are positive,"),
        Step("low sum", le(0, low), termwise(), "as are their sums", ("fall term",)),
        Step("high sum", le(0, high), termwise(), "on both sides.", ("fall term",)),
        Step(
            "aligned normaliser",
            eq(
                before(aligned) + sp.exp(peak) + after(aligned),
                sp.exp(peak) * (1 + low + high),
            ),
            smt(),
            "Take the target's exponential out of the normaliser",
            ("aligned before", "aligned after", "below", "turned", "from one", "above"),
        ),
        Step(
            "attained",
            eq(weight(aligned), 1 / (1 + low + high)),
            smt(),
            "and divide.",
            ("aligned parts", "aligned normaliser", "low sum", "high sum"),
        ),
    )


def _pair(lag: Any) -> Any:
    """Twice the target's logit is at most that of the pair at this distance plus twice E_t."""
    return le(
        2 * cosine_logit(offset),
        cosine_logit(offset + lag) + cosine_logit(offset - lag) + 2 * energy(lag),
    )


def _pair_fall() -> Claim:
    curve_term = sp.cos(theta(l) * offset + phase(l))
    pair_term = sp.cos(theta(l) * (offset + lag) + phase(l)) + sp.cos(
        theta(l) * (offset - lag) + phase(l)
    )
    return Claim(
        id="slash.pair",
        title="The pair at distance t lies at most E_t below the target",
        statement=(
            r"$g(\Delta)-\frac12[g(\Delta+t)+g(\Delta-t)]\le E_t=\sum_lA_l(1-\cos\theta_lt)$ for any "
            r"phases and any real $\Delta$, $t$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(NOT_NEGATIVE,),
        conclusion=_pair(lag),
        derivation=Derivation(
            (
                _amplitude_step(),
                Step(
                    "plane",
                    eq(
                        2 * curve_term - pair_term,
                        2 * curve_term * (1 - sp.cos(theta(l) * lag)),
                    ),
                    identity(),
                    "In one plane the target exceeds the mean of a pair by its cosine times "
                    "1 - cos(theta t),",
                ),
                Step(
                    "at most",
                    le(
                        2 * amplitude(l) * curve_term,
                        amplitude(l) * pair_term + 2 * amplitude(l) * (1 - sp.cos(theta(l) * lag)),
                    ),
                    smt(),
                    "which is largest if the cosine is 1.",
                    ("plane", "amplitude"),
                    INSIDE,
                ),
                Step(
                    "planes",
                    le(
                        over_planes(2 * amplitude(l) * curve_term),
                        over_planes(
                            amplitude(l) * pair_term
                            + 2 * amplitude(l) * (1 - sp.cos(theta(l) * lag))
                        ),
                    ),
                    termwise(),
                    "Sum over the planes.",
                    ("at most",),
                ),
                Step(
                    "left side",
                    eq(over_planes(2 * amplitude(l) * curve_term), 2 * cosine_logit(offset)),
                    identity(),
                    "The left side is twice the target's logit,",
                ),
                Step(
                    "right side",
                    eq(
                        over_planes(
                            amplitude(l) * pair_term
                            + 2 * amplitude(l) * (1 - sp.cos(theta(l) * lag))
                        ),
                        cosine_logit(offset + lag) + cosine_logit(offset - lag) + 2 * energy(lag),
                    ),
                    identity(),
                    "the right side a pair's logits and the fall.",
                ),
                Step(
                    "pair",
                    _pair(lag),
                    smt(),
                    "That is the claim.",
                    ("planes", "left side", "right side"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "half the fall",
                le(
                    2 * cosine_logit(offset),
                    cosine_logit(offset + lag) + cosine_logit(offset - lag) + energy(lag),
                ),
            ),
            Mutant(
                "equality",
                eq(
                    2 * cosine_logit(offset),
                    cosine_logit(offset + lag) + cosine_logit(offset - lag) + 2 * energy(lag),
                ),
            ),
        ),
    )


def _ceiling() -> Claim:
    curve = _pair(j)
    low = sp.Sum(sp.exp(-energy(j)), (j, 1, offset))
    high = sp.Sum(sp.exp(-energy(j)), (j, 1, i - 1 - offset))
    first = le(weight(cosine_logit), ceiling())
    second = eq(weight(aligned), 1 / (1 + low + high))
    goal = Both(first, second)
    return Claim(
        id="slash.ceiling",
        title="No phases beat the aligned ones on a symmetric window",
        statement=(
            r"For any phases and any $M$ with $M\le\Delta$, $M\le i-1-\Delta$ (so for their minimum): "
            r"$S_{i,i-\Delta}\le\big[1+2\sum_{t=1}^Me^{-E_t}\big]^{-1}$ with "
            r"$E_t=\sum_lA_l(1-\cos\theta_lt)$. The aligned phases $\varphi_l=-\theta_l\Delta$ attain "
            r"$\big[1+\sum_{t=1}^{\Delta}e^{-E_t}+\sum_{t=1}^{i-1-\Delta}e^{-E_t}\big]^{-1}$: on a "
            r"symmetric window the bound itself."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            SIDE,
            Hypothesis(
                WINDOW.name,
                WINDOW.formula,
                without=(eq(m, 0), eq(i, 1), eq(offset, 0), eq(side, 3)),
            ),
            NOT_NEGATIVE,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "curve",
                    curve,
                    by_claim("slash.pair", {lag: j}),
                    "No pair lies lower than E_t on average,",
                    (NOT_NEGATIVE.name,),
                ),
                Step(
                    "every pair",
                    every(j, 1, side, curve),
                    generalise(),
                    "whatever its distance,",
                    ("curve",),
                ),
                Step(
                    "bound",
                    first,
                    by_claim(
                        "slash.window",
                        {
                            g: sp.Lambda(j, cosine_logit(j)),
                            fall: sp.Lambda(j, energy(j)),
                        },
                    ),
                    "which bounds the weight.",
                    ("every pair", SIDE.name, WINDOW.name),
                ),
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "The target is one of the lags.",
                    (SIDE.name, WINDOW.name),
                ),
                *_aligned_steps(),
                Step("both", goal, smt(), "Both parts.", ("bound", "attained")),
            )
        ),
        uses=("softmax.partition", "slash.window", "slash.pair"),
        mutants=(
            Mutant(
                "half the fall",
                le(
                    weight(cosine_logit),
                    1 / (1 + 2 * sp.Sum(sp.exp(-energy(j) / 2), (j, 1, side))),
                ),
            ),
            Mutant(
                "three for two",
                le(
                    weight(cosine_logit),
                    1 / (1 + 3 * sp.Sum(sp.exp(-energy(j)), (j, 1, side))),
                ),
            ),
            Mutant("aligned heads attain more", lt(1 / (1 + low + high), weight(aligned))),
            Mutant("any phases attain it", eq(weight(cosine_logit), 1 / (1 + low + high))),
        ),
    )


SLASH_PAIR = _pair_fall()
SLASH_CEILING = _ceiling()

CLAIMS = (SLASH_PAIR, SLASH_CEILING)
