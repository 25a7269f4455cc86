"""What moved logits do to attention: odds, and total variation."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.claim import Claim, Hypothesis, Mutant, Source
from theory.derivation import Derivation, Step, by_claim, instance, rewrite, smt, termwise
from theory.exponential import monotone
from theory.logic import Both, Either, If, eq, every, le, lt, real, real_function
from theory.notation import j, n
from theory.softmax.margin import TARGET, a, above, below, partition, w

__all__ = ["CLAIMS"]

OWN = Source("ropeproof", "", "own")
eta, epsilon = real("eta epsilon")
moved = real_function("w_moved")
p, d, tilted = real_function("p"), real_function("d"), real_function("tau")
u = sp.exp(epsilon)


def _odds(logits: Any) -> Any:
    return sp.exp(logits(a)) / (below(logits) + above(logits))


def _some_competitor(logits: Any, label: str) -> tuple[Step, ...]:
    """Steps that end in `0 < sum over the competitors`."""
    return (
        Step(f"{label} term", lt(0, sp.exp(logits(j))), smt(), "Exponentials are positive."),
        Step(
            f"{label} before",
            lt(0, below(logits)),
            termwise(),
            "A target that is not first has a key before it,",
            (f"{label} term",),
            (le(1, a),),
        ),
        Step(
            f"{label} after",
            lt(0, above(logits)),
            termwise(),
            "the first one has a key after it.",
            (f"{label} term", "there is a competitor"),
            (le(a, 0),),
        ),
        Step(
            f"{label} parts",
            partition(logits),
            by_claim("softmax.partition", {w: sp.Lambda(j, logits(j))}),
            "No part is negative,",
            ("the target is a key",),
        ),
        Step(
            label,
            lt(0, below(logits) + above(logits)),
            smt(),
            "so the competitors' sum is positive.",
            (f"{label} before", f"{label} after", f"{label} parts"),
        ),
    )


def _perturb() -> Claim:
    close = every(j, 0, n - 1, Both(le(w(j) - eta, moved(j)), le(moved(j), w(j) + eta)))
    goal = Both(
        le(sp.exp(-2 * eta) * _odds(w), _odds(moved)),
        le(_odds(moved), sp.exp(2 * eta) * _odds(w)),
    )
    where = {"before": (le(0, j), le(j, a - 1)), "after": (le(a + 1, j), le(j, n - 1))}
    low, high = sp.exp(w(j) - eta), sp.exp(w(j) + eta)

    def part(label: str, low_end: Any, high_end: Any) -> tuple[Step, ...]:
        total = sp.Sum(sp.exp(moved(j)), (j, low_end, high_end))
        inside = where[label]
        return (
            Step(
                f"close {label}",
                Both(le(w(j) - eta, moved(j)), le(moved(j), w(j) + eta)),
                instance({j: j}),
                f"A key {label} the target moves by at most eta,",
                ("no logit moves by more than eta", "the target is a key"),
                inside,
            ),
            Step(
                f"at most {label}",
                le(sp.exp(moved(j)), high),
                monotone(moved(j), w(j) + eta),
                "so its exponential grows by a factor exp(eta) at most",
                (f"close {label}",),
                inside,
            ),
            Step(
                f"at least {label}",
                le(low, sp.exp(moved(j))),
                monotone(w(j) - eta, moved(j)),
                "and shrinks by exp(-eta) at most.",
                (f"close {label}",),
                inside,
            ),
            Step(
                f"sum {label}",
                le(total, sp.Sum(high, (j, low_end, high_end))),
                termwise(),
                "Summed:",
                (f"at most {label}",),
            ),
            Step(
                f"sum from below {label}",
                le(sp.Sum(low, (j, low_end, high_end)), total),
                termwise(),
                "both ways.",
                (f"at least {label}",),
            ),
        )

    rest, rest_moved = below(w) + above(w), below(moved) + above(moved)
    return Claim(
        id="softmax.perturb",
        title="Logits that move by at most eta move odds by a factor of at most exp(2 eta)",
        statement=(
            r"If each logit moves by at most $\eta$, the odds $S_a/(1-S_a)$ of every weight move by a "
            r"factor in $[e^{-2\eta},e^{2\eta}]$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                "the target is a key",
                TARGET.formula,
                without=(eq(n, 2), eq(a, 5), eq(eta, 0)),
            ),
            Hypothesis("no logit moves by more than eta", close),
            Hypothesis(
                "there is a competitor",
                le(2, n),
                idle="without one the odds are infinite; totalised division makes both sides 0",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parts",
                    partition(w),
                    by_claim("softmax.partition"),
                    "The competitors' sum is not negative,",
                    ("the target is a key",),
                ),
                Step(
                    "moved parts",
                    partition(moved),
                    by_claim("softmax.partition", {w: sp.Lambda(j, moved(j))}),
                    "before and after the move.",
                    ("the target is a key",),
                ),
                *part("before", 0, a - 1),
                *part("after", a + 1, n - 1),
                Step(
                    "competitors",
                    Both(
                        le(rest_moved, sp.exp(eta) * rest),
                        le(sp.exp(-eta) * rest, rest_moved),
                        le(0, rest),
                        le(0, rest_moved),
                    ),
                    smt(),
                    "The competitors' sum moves by a factor of at most exp(eta).",
                    (
                        "parts",
                        "moved parts",
                        "sum before",
                        "sum after",
                        "sum from below before",
                        "sum from below after",
                    ),
                ),
                Step(
                    "target close",
                    Both(le(w(a) - eta, moved(a)), le(moved(a), w(a) + eta)),
                    instance({j: a}),
                    "The target moves by at most eta too,",
                    ("no logit moves by more than eta", "the target is a key"),
                ),
                Step(
                    "target at most",
                    le(sp.exp(moved(a)), sp.exp(w(a) + eta)),
                    monotone(moved(a), w(a) + eta),
                    "upwards",
                    ("target close",),
                ),
                Step(
                    "target at least",
                    le(sp.exp(w(a) - eta), sp.exp(moved(a))),
                    monotone(w(a) - eta, moved(a)),
                    "and downwards.",
                    ("target close",),
                ),
                *_some_competitor(w, "competitor"),
                *_some_competitor(moved, "moved competitor"),
                Step(
                    "inverse",
                    Both(
                        le(1 / rest_moved, sp.exp(eta) / rest),
                        le(sp.exp(-eta) / rest, 1 / rest_moved),
                        lt(0, 1 / rest),
                    ),
                    smt(),
                    "So does the inverse of the competitors' sum.",
                    ("competitors", "competitor", "moved competitor"),
                ),
                Step(
                    "odds",
                    goal,
                    smt(),
                    "The odds are the product of the two: two factors of at most exp(eta).",
                    ("inverse", "target at most", "target at least"),
                ),
            )
        ),
        uses=("softmax.partition", "exp.monotone"),
        mutants=(
            Mutant("one factor", le(_odds(moved), sp.exp(eta) * _odds(w))),
            Mutant("reversed", le(sp.exp(2 * eta) * _odds(w), _odds(moved))),
        ),
    )


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


def _two_masses() -> Claim:
    X, Y, A, U = real("X Y A U")
    goal = le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 1))
    return Claim(
        id="softmax.two-masses",
        title="The worst share of mass to tilt",
        statement=(
            r"If $0\le X\le UA$, $UY\ge1-A$, $0\le A\le1\le U$ then "
            r"$X(U+1)\le(X+Y)(A(U+1)+U-1)$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("X is not negative", le(0, X)),
            Hypothesis("X at most UA", le(X, U * A)),
            Hypothesis("UY at least 1 - A", le(1 - A, U * Y)),
            Hypothesis("A is not negative", le(0, A), idle="follows from 0 <= X <= UA and U >= 1"),
            Hypothesis("A at most 1", le(A, 1)),
            Hypothesis("U at least 1", le(1, U)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("square", le(0, (1 - A * (U + 1)) ** 2), smt(), "A square."),
                Step(
                    "worst",
                    le(A * U**2 * (2 - A * (U + 1)), (1 - A) * (A * (U + 1) + U - 1)),
                    smt(),
                    "The difference of the sides is (U - 1)(1 - A(U+1))^2.",
                    ("square", "U at least 1"),
                ),
                Step(
                    "right",
                    le((1 - A) * (A * (U + 1) + U - 1), U * Y * (A * (U + 1) + U - 1)),
                    smt(),
                    "Replace 1 - A by UY on the right",
                    ("UY at least 1 - A", "A is not negative", "U at least 1"),
                ),
                Step(
                    "left",
                    le(X * U * (2 - A * (U + 1)), A * U**2 * (2 - A * (U + 1))),
                    smt(),
                    "and UA by X on the left, if the factor is positive.",
                    ("X at most UA", "U at least 1"),
                    (le(0, 2 - A * (U + 1)),),
                ),
                Step(
                    "positive factor",
                    goal,
                    smt(),
                    "That is the claim.",
                    ("left", "right", "worst", "U at least 1"),
                    (le(0, 2 - A * (U + 1)),),
                ),
                Step(
                    "Y",
                    le(0, Y),
                    smt(),
                    "Y is not negative.",
                    ("UY at least 1 - A", "A at most 1", "U at least 1"),
                ),
                Step(
                    "negative factor",
                    goal,
                    smt(),
                    "If the factor is negative the left side is below the right.",
                    ("Y", "X is not negative", "A is not negative", "U at least 1"),
                    (lt(2 - A * (U + 1), 0),),
                ),
                Step("either", goal, smt(), "Either way.", ("positive factor", "negative factor")),
            )
        ),
        mutants=(
            Mutant("U instead of U + 1", le(X * (U + 1), (X + Y) * (A * U + U - 1))),
            Mutant("U - 2", le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 2))),
        ),
    )


def _share_bound() -> Claim:
    X, Z, A, U, G = real("X Z A U G")
    goal = le(G, (U - 1) / (U + 1))
    return Claim(
        id="softmax.share-bound",
        title="Divide the worst share by the normaliser",
        statement=r"If $G=X/Z-A$, $Z>0$ and $X(U+1)\le Z(A(U+1)+U-1)$ then $G\le\frac{U-1}{U+1}$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("G is the gain", eq(G, X / Z - A)),
            Hypothesis("Z is positive", lt(0, Z)),
            Hypothesis("U at least 1", le(1, U)),
            Hypothesis("worst share", le(X * (U + 1), Z * (A * (U + 1) + U - 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "quotient",
                    le(X / Z * (U + 1), A * (U + 1) + U - 1),
                    smt(),
                    "Divide by Z.",
                    ("worst share", "Z is positive"),
                ),
                Step(
                    "gain",
                    le(G * (U + 1), U - 1),
                    smt(),
                    "Subtract A(U+1).",
                    ("quotient", "G is the gain"),
                ),
                Step("divide", goal, smt(), "Divide by U + 1.", ("gain", "U at least 1")),
            )
        ),
        mutants=(
            Mutant("strict", lt(G, (U - 1) / (U + 1))),
            Mutant("U over U + 1 reversed", le(G, (1 - U) / (U + 1))),
        ),
    )


CLAIMS = (_perturb(), _two_masses(), _share_bound(), _tv_mass(), _tv())
