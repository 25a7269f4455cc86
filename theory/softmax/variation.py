"""Tilted distributions: the total variation, and how large it can be."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, by_claim, instance, rewrite, smt, termwise
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, Either, If, eq, every, le, lt, real, real_function
from ropeproof.theory.notation import j, n

__all__ = ["CLAIMS", "SOFTMAX_TV", "SOFTMAX_TV_MASS"]

OWN = Source("ropeproof", "", "own")
epsilon = real("epsilon")

p, d, tilted = real_function("p"), real_function("d"), real_function("tau")
u = sp.exp(epsilon)


_z = sp.Sum(p(j) * sp.exp(d(j)), (j, 0, n - 1))
_change = p(j) * sp.exp(d(j)) / _z - p(j)
_chi = (1 + sp.sign(_change)) / 2
VARIATION = sp.Sum(sp.Abs(_change), (j, 0, n - 1)) / 2

PROBABILITIES = (
    Hypothesis("p is not negative", every(j, 0, n - 1, le(0, p(j)))),
    Hypothesis("p sums to 1", eq(sp.Sum(p(j), (j, 0, n - 1)), 1)),
)
_INSIDE = (le(0, j), le(j, n - 1))


def _over_keys(term: Any) -> Any:
    return sp.Sum(term, (j, 0, n - 1))


def _common_steps() -> tuple[Step, ...]:
    """Z > 0, the changes add up to 0, and the variation is the sum of the gains."""
    gain = _chi * _change
    return (
        Step(
            "p at j",
            le(0, p(j)),
            instance({j: j}),
            "A probability is not negative,",
            ("p is not negative",),
            _INSIDE,
        ),
        Step(
            "no net change",
            eq(_over_keys(_change), 0),
            smt(),
            "and the changes add up to Z/Z - 1 = 0.",
            ("p sums to 1", "Z is positive"),
        ),
        Step(
            "gain",
            eq(sp.Abs(_change), 2 * gain - _change),
            smt(),
            "|x| = 2 chi x - x where chi = 1 for gains and 0 for losses.",
        ),
        Step(
            "gains",
            eq(_over_keys(sp.Abs(_change)), _over_keys(2 * gain - _change)),
            termwise(),
            "Summed:",
            ("gain",),
        ),
        Step(
            "variation",
            eq(VARIATION, _over_keys(gain)),
            smt(),
            "the variation is the sum of the gains.",
            ("gains", "no net change"),
        ),
    )


def _tv_mass() -> Claim:
    gain = _chi * _change
    loss = (1 - _chi) * -_change
    cap = p(j) * tilted(j) * (u - 1)
    grows, shrinks = (le(1, _z),), (le(_z, 1),)
    local = _ONLY_TILTED.args[1].args[1]
    off, on = (eq(tilted(j), 0),), (eq(tilted(j), 1),)
    above_one = le(sp.exp(d(j)), 1 + tilted(j) * (u - 1))
    below_one = le(1 - tilted(j) * (u - 1), sp.exp(d(j)))
    return Claim(
        id="softmax.tv-mass",
        title="Tilting keys of mass mu moves attention by at most mu(exp(eps) - 1)",
        statement=(
            r"If only keys of mass $\mu=\sum_jp_j\tau_j$, $\tau_j\in\{0,1\}$, are tilted, by at most "
            r"$\varepsilon\ge0$ each, the total variation is at most $\mu(e^\varepsilon-1)$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                PROBABILITIES[0].name,
                PROBABILITIES[0].formula,
                without=(
                    eq(n, 2),
                    eq(p(0), 2),
                    eq(p(1), -1),
                    eq(tilted(0), 0),
                    eq(tilted(1), 1),
                    eq(epsilon, 1),
                ),
            ),
            PROBABILITIES[1],
            Hypothesis("only marked keys are tilted", _ONLY_TILTED),
            Hypothesis(
                "eps is not negative",
                le(0, epsilon),
                idle="then no key of positive mass is marked, and nothing moves",
            ),
        ),
        conclusion=_MASS_BOUND,
        derivation=Derivation(
            (
                Step(
                    "large",
                    le(1, u),
                    monotone(0, epsilon),
                    "exp(eps) >= 1.",
                    ("eps is not negative",),
                ),
                Step(
                    "tilt",
                    local,
                    instance({j: j}),
                    "A key is marked or not, and tilted only if it is.",
                    ("only marked keys are tilted",),
                    _INSIDE,
                ),
                Step(
                    "not tilted",
                    eq(d(j), 0),
                    smt(),
                    "An unmarked key has no tilt,",
                    ("tilt",),
                    (*_INSIDE, *off),
                ),
                Step(
                    "factor 1",
                    eq(sp.exp(d(j)), sp.exp(sp.Integer(0))),
                    rewrite(),
                    "its factor is 1.",
                    ("not tilted",),
                    (*_INSIDE, *off),
                ),
                Step(
                    "bounds",
                    Both(le(-epsilon, d(j)), le(d(j), epsilon)),
                    smt(),
                    "A marked key is tilted by at most eps,",
                    ("tilt",),
                    (*_INSIDE, *on),
                ),
                Step(
                    "factor above",
                    le(sp.exp(d(j)), u),
                    monotone(d(j), epsilon),
                    "its factor is at most exp(eps)",
                    ("bounds",),
                    (*_INSIDE, *on),
                ),
                Step(
                    "factor below",
                    le(1 / u, sp.exp(d(j))),
                    monotone(-epsilon, d(j)),
                    "and at least exp(-eps).",
                    ("bounds",),
                    (*_INSIDE, *on),
                ),
                Step(
                    "factors",
                    Both(above_one, below_one),
                    smt(),
                    "In both cases the factor is within tau (exp(eps) - 1) of 1, since "
                    "1 - exp(-eps) <= exp(eps) - 1.",
                    ("tilt", "factor 1", "factor above", "factor below", "large"),
                    _INSIDE,
                ),
                Step(
                    "p is there",
                    le(0, p(j)),
                    instance({j: j}),
                    "A probability is not negative.",
                    ("p is not negative",),
                    _INSIDE,
                ),
                Step(
                    "Z term",
                    le(p(j) * sp.exp(-epsilon), p(j) * sp.exp(d(j))),
                    smt(),
                    "Every factor is at least exp(-eps),",
                    ("tilt", "factor 1", "factor below", "large", "p is there"),
                    _INSIDE,
                ),
                Step(
                    "Z below",
                    le(_over_keys(p(j) * sp.exp(-epsilon)), _z),
                    termwise(),
                    "so the normaliser",
                    ("Z term",),
                ),
                Step("Z is positive", lt(0, _z), smt(), "is positive", ("Z below", "p sums to 1")),
                *_common_steps(),
                Step(
                    "loss",
                    eq(_over_keys(gain), _over_keys(loss)),
                    smt(),
                    "Gains and losses are equal.",
                    ("no net change",),
                ),
                Step(
                    "tilted mass",
                    Both(
                        le(p(j) * sp.exp(d(j)) - p(j), cap),
                        le(p(j) - p(j) * sp.exp(d(j)), cap),
                        le(0, p(j) * sp.exp(d(j))),
                        le(0, cap),
                    ),
                    smt(),
                    "Tilting alone moves a key's mass by at most p tau (exp(eps) - 1).",
                    ("factors", "p at j", "tilt", "large"),
                    _INSIDE,
                ),
                Step(
                    "normalised down",
                    le(p(j) * sp.exp(d(j)) / _z, p(j) * sp.exp(d(j))),
                    smt(),
                    "If Z >= 1 normalising lowers every value,",
                    ("tilted mass",),
                    (*_INSIDE, *grows),
                ),
                Step(
                    "gain term",
                    le(gain, cap),
                    smt(),
                    "so a gain is at most that.",
                    ("tilted mass", "normalised down"),
                    (*_INSIDE, *grows),
                ),
                Step(
                    "gains bounded",
                    le(_over_keys(gain), _over_keys(cap)),
                    termwise(),
                    "Summed.",
                    ("gain term",),
                    grows,
                ),
                Step(
                    "normalised up",
                    le(p(j) * sp.exp(d(j)), p(j) * sp.exp(d(j)) / _z),
                    smt(),
                    "If Z <= 1 it raises every value,",
                    ("tilted mass", "Z is positive"),
                    (*_INSIDE, *shrinks),
                ),
                Step(
                    "loss term",
                    le(loss, cap),
                    smt(),
                    "so a loss is at most that.",
                    ("tilted mass", "normalised up"),
                    (*_INSIDE, *shrinks),
                ),
                Step(
                    "losses bounded",
                    le(_over_keys(loss), _over_keys(cap)),
                    termwise(),
                    "Summed.",
                    ("loss term",),
                    shrinks,
                ),
                Step(
                    "bound",
                    _MASS_BOUND,
                    smt(),
                    "Either way the variation is at most mu (exp(eps) - 1).",
                    ("variation", "gains bounded", "losses bounded", "loss"),
                ),
            )
        ),
        uses=("exp.monotone",),
        mutants=(
            Mutant(
                "linear in eps",
                le(VARIATION, _over_keys(p(j) * tilted(j)) * epsilon / 2),
                at=(eq(n, 2), le(1, epsilon), every(j, 0, 0, eq(tilted(j), 1))),
            ),
            Mutant("sign flipped", le(_MASS_BOUND.rhs, VARIATION)),
        ),
    )


def _tv() -> Claim:
    gain = _chi * _change
    share, kept = _over_keys(_chi * p(j)), _over_keys((1 - _chi) * p(j))
    x_sum = _over_keys(_chi * p(j) * sp.exp(d(j)))
    y_sum = _over_keys((1 - _chi) * p(j) * sp.exp(d(j)))
    bounded = every(j, 0, n - 1, Both(le(-epsilon, d(j)), le(d(j), epsilon)))
    first, second = 1 / (1 + u), u / (1 + u)
    z_two = first * u + second / u
    attained = eq(
        (sp.Abs(first * u / z_two - first) + sp.Abs(second / u / z_two - second)) / 2,
        sp.tanh(epsilon / 2),
    )
    bound = le(VARIATION, sp.tanh(epsilon / 2))
    mass = If(_ONLY_TILTED, _MASS_BOUND)
    goal = Both(bound, attained, mass)
    return Claim(
        id="softmax.tv",
        title="Bounded tilts move attention by at most tanh(eps/2) in total variation",
        statement=(
            r"Tilts in $[-\varepsilon,\varepsilon]$ of a distribution $p$, "
            r"$p'_j\propto p_je^{d_j}$, change it by at most $\tanh(\varepsilon/2)$ in total "
            r"variation $\frac12\sum|p'_j-p_j|$. Two keys with $p_1=1/(1+e^\varepsilon)$ tilted by "
            r"$+\varepsilon$ and $p_2=e^\varepsilon/(1+e^\varepsilon)$ tilted by $-\varepsilon$ "
            r"attain it. If only keys of mass $\mu$ are tilted the change is at most "
            r"$\mu(e^\varepsilon-1)$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            *PROBABILITIES,
            Hypothesis("tilts are at most eps", bounded),
            Hypothesis(
                "eps is not negative",
                le(0, epsilon),
                without=(eq(n, 0), lt(epsilon, 0)),
                idle="tilts bounded by a negative number exist only where there is no key",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "tilt",
                    Both(le(-epsilon, d(j)), le(d(j), epsilon)),
                    instance({j: j}),
                    "Each tilt is bounded,",
                    ("tilts are at most eps",),
                    _INSIDE,
                ),
                Step(
                    "tilt above",
                    le(sp.exp(d(j)), u),
                    monotone(d(j), epsilon),
                    "so its exponential is at most exp(eps)",
                    ("tilt",),
                    _INSIDE,
                ),
                Step(
                    "tilt below",
                    le(1 / u, sp.exp(d(j))),
                    monotone(-epsilon, d(j)),
                    "and at least exp(-eps).",
                    ("tilt",),
                    _INSIDE,
                ),
                Step(
                    "p is there",
                    le(0, p(j)),
                    instance({j: j}),
                    "A probability is not negative,",
                    ("p is not negative",),
                    _INSIDE,
                ),
                Step(
                    "Z term",
                    le(p(j) / u, p(j) * sp.exp(d(j))),
                    smt(),
                    "so the tilted mass is at least exp(-eps) times the mass,",
                    ("tilt below", "p is there"),
                    _INSIDE,
                ),
                Step(
                    "Z below",
                    le(_over_keys(p(j) / u), _z),
                    termwise(),
                    "summed,",
                    ("Z term",),
                ),
                Step(
                    "Z is positive",
                    lt(0, _z),
                    smt(),
                    "and the normaliser is positive.",
                    ("Z below", "p sums to 1"),
                ),
                *_common_steps(),
                Step("chi", Both(le(0, _chi), le(_chi, 1)), smt(), "chi is between 0 and 1."),
                Step(
                    "gaining term",
                    Both(
                        le(_chi * p(j) * sp.exp(d(j)), u * _chi * p(j)),
                        le(0, _chi * p(j) * sp.exp(d(j))),
                    ),
                    smt(),
                    "Gaining keys grow by exp(eps) at most,",
                    ("chi", "tilt above", "p at j"),
                    _INSIDE,
                ),
                Step(
                    "losing term",
                    le((1 - _chi) * p(j) / u, (1 - _chi) * p(j) * sp.exp(d(j))),
                    smt(),
                    "the others shrink by exp(-eps) at most.",
                    ("chi", "tilt below", "p at j"),
                    _INSIDE,
                ),
                Step(
                    "share term",
                    Both(le(0, _chi * p(j)), le(0, (1 - _chi) * p(j))),
                    smt(),
                    "Both kinds have non-negative mass.",
                    ("chi", "p at j"),
                    _INSIDE,
                ),
                *(
                    Step(f"part {label}", formula, smt(), "One half of it.", (source,), _INSIDE)
                    for label, formula, source in (
                        ("gain", le(_chi * p(j) * sp.exp(d(j)), u * _chi * p(j)), "gaining term"),
                        ("positive", le(0, _chi * p(j) * sp.exp(d(j))), "gaining term"),
                        ("share", le(0, _chi * p(j)), "share term"),
                        ("kept", le(0, (1 - _chi) * p(j)), "share term"),
                    )
                ),
                Step(
                    "X above",
                    le(x_sum, _over_keys(u * _chi * p(j))),
                    termwise(),
                    "Sum over the keys: gains,",
                    ("part gain",),
                ),
                Step("X positive", le(0, x_sum), termwise(), "not negative,", ("part positive",)),
                Step(
                    "Y below",
                    le(_over_keys((1 - _chi) * p(j) / u), y_sum),
                    termwise(),
                    "losses,",
                    ("losing term",),
                ),
                Step("share", le(0, share), termwise(), "the gaining mass", ("part share",)),
                Step("kept", le(0, kept), termwise(), "and the other.", ("part kept",)),
                Step(
                    "sums",
                    Both(
                        eq(share + kept, 1),
                        eq(x_sum + y_sum, _z),
                        eq(_over_keys(gain), x_sum / _z - share),
                    ),
                    smt(),
                    "The masses add up to 1, their tilted values to Z.",
                    ("p sums to 1",),
                ),
                Step(
                    "large",
                    le(1, u),
                    monotone(0, epsilon),
                    "exp(eps) >= 1.",
                    ("eps is not negative",),
                ),
                Step(
                    "scaled",
                    Both(
                        le(x_sum, u * share), le(1 - share, u * y_sum), le(0, share), le(share, 1)
                    ),
                    smt(),
                    "With A the gaining mass: X <= A exp(eps), Y >= (1 - A) exp(-eps).",
                    ("X above", "Y below", "share", "kept", "sums"),
                ),
                Step(
                    "worst share",
                    le(x_sum * (u + 1), (x_sum + y_sum) * (share * (u + 1) + u - 1)),
                    by_claim(
                        "softmax.two-masses",
                        {
                            real("X"): x_sum,
                            real("Y"): y_sum,
                            real("A"): share,
                            real("U"): u,
                        },
                    ),
                    "X/(X+Y) - A is largest at A = 1/(1 + exp(eps)).",
                    ("scaled", "large", "X positive"),
                ),
                Step(
                    "gain bound",
                    le(_over_keys(gain), (u - 1) / (u + 1)),
                    by_claim(
                        "softmax.share-bound",
                        {
                            real("X"): x_sum,
                            real("Z"): _z,
                            real("A"): share,
                            real("U"): u,
                            real("G"): _over_keys(gain),
                        },
                    ),
                    "So the gains are at most (exp(eps) - 1)/(exp(eps) + 1),",
                    ("worst share", "sums", "large", "Z is positive"),
                ),
                Step(
                    "tanh",
                    eq((u - 1) / (u + 1), sp.tanh(epsilon / 2)),
                    smt(),
                    "which is tanh(eps/2).",
                ),
                Step(
                    "bound", bound, smt(), "That is the bound.", ("variation", "gain bound", "tanh")
                ),
                Step(
                    "two keys",
                    eq(z_two, 1),
                    smt(),
                    "For the two keys the normaliser is 1,",
                ),
                Step(
                    "their change",
                    attained,
                    smt(),
                    "and each changes by tanh(eps/2).",
                    ("two keys", "large", "tanh"),
                ),
                Step(
                    "few keys",
                    _MASS_BOUND,
                    by_claim("softmax.tv-mass"),
                    "If only marked keys are tilted their mass bounds the change.",
                    ("p is not negative", "p sums to 1", "eps is not negative"),
                    (_ONLY_TILTED,),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "Bound, equality, and the bound by the mass.",
                    ("bound", "their change", "few keys"),
                ),
            )
        ),
        uses=("exp.monotone", "softmax.two-masses", "softmax.share-bound", "softmax.tv-mass"),
        mutants=(
            Mutant("half the bound", le(VARIATION, sp.tanh(epsilon / 4))),
            Mutant("never attained", lt(attained.lhs, attained.rhs)),
            Mutant(
                "tanh eps is attained", eq(attained.lhs, sp.tanh(epsilon)), at=(eq(epsilon, 1),)
            ),
        ),
    )


_ONLY_TILTED = every(
    j,
    0,
    n - 1,
    Both(
        Either(eq(tilted(j), 0), eq(tilted(j), 1)),
        le(-epsilon * tilted(j), d(j)),
        le(d(j), epsilon * tilted(j)),
    ),
)
_MASS_BOUND = le(VARIATION, _over_keys(p(j) * tilted(j)) * (u - 1))


SOFTMAX_TV_MASS = _tv_mass()
SOFTMAX_TV = _tv()

CLAIMS = (SOFTMAX_TV_MASS, SOFTMAX_TV)
