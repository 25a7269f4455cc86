"""From margins to attention weights: what a margin guarantees and what a weight needs."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    ge,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)
from ropeproof.theory.notation import j, n

__all__ = [
    "CLAIMS",
    "SOFTMAX_MARGIN",
    "SOFTMAX_MARGIN_LOWER",
    "SOFTMAX_MARGIN_NEEDED",
    "SOFTMAX_MARGIN_UPPER",
    "SOFTMAX_PARTITION",
    "above",
    "below",
    "normaliser",
    "partition",
    "w",
    "weight",
]

OWN = Source("ropeproof", "", "own")
a = integer("a")
gamma, kappa = real("gamma kappa")
w = real_function("w")


def normaliser(logits: Any = w) -> Any:
    """The sum of exp(w_j) over all n keys."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, n - 1))


def below(logits: Any = w) -> Any:
    """The part of the normaliser from keys before the target a."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, a - 1))


def above(logits: Any = w) -> Any:
    """The part of the normaliser from keys after the target a."""
    return sp.Sum(sp.exp(logits(j)), (j, a + 1, n - 1))


def weight(logits: Any = w) -> Any:
    """The softmax weight of the target a."""
    return sp.exp(logits(a)) / normaliser(logits)


TARGET = Hypothesis(
    "the target is a key",
    Both(le(0, a), le(a, n - 1)),
    without=(eq(n, 2), eq(a, 5)),
)


def partition(logits: Any = w) -> Any:
    """Normaliser = keys before + target + keys after; every part is not negative."""
    total = below(logits) + sp.exp(logits(a)) + above(logits)
    return Both(
        eq(normaliser(logits), total),
        le(0, below(logits)),
        le(0, above(logits)),
        lt(0, normaliser(logits)),
    )


def competitors(compare: Any) -> Any:
    """For every key j other than the target."""
    return Every((j,), If(Both(le(0, j), le(j, n - 1), ne(j, a)), compare))


def _partition() -> Claim:
    upto = sp.Sum(sp.exp(w(j)), (j, 0, a))
    return Claim(
        id="softmax.partition",
        title="The normaliser splits at the target",
        statement=(
            r"$\sum_{j<n}e^{w_j}=\sum_{j<a}e^{w_j}+e^{w_a}+\sum_{j>a}e^{w_j}$ for $0\le a<n$; no part "
            r"is negative, and the whole is positive."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(TARGET,),
        conclusion=partition(),
        derivation=Derivation(
            (
                Step("term", le(0, sp.exp(w(j))), smt(), "Exponentials are positive."),
                Step(
                    "after",
                    eq(normaliser(), upto + above()),
                    split(a),
                    "Split after the target",
                    ("the target is a key",),
                ),
                Step(
                    "before",
                    eq(upto, below() + sp.exp(w(a))),
                    split(a - 1),
                    "and before it.",
                    ("the target is a key",),
                ),
                Step("low", le(0, below()), termwise(), "Sums of positive terms", ("term",)),
                Step("high", le(0, above()), termwise(), "are not negative.", ("term",)),
                Step(
                    "all",
                    partition(),
                    smt(),
                    "The target's own term is positive.",
                    ("after", "before", "low", "high"),
                ),
            )
        ),
        mutants=(
            Mutant("target counted twice", eq(normaliser(), below() + 2 * sp.exp(w(a)) + above())),
            Mutant("target forgotten", eq(normaliser(), below() + above())),
        ),
    )


def _bounded_odds(lower: bool) -> Claim:
    """The weight's bound from gaps that are all at least (at most) gamma."""
    bound = 1 / (1 + (n - 1) * sp.exp(-gamma))
    gap = le(w(j) + gamma, w(a)) if lower else le(w(a), w(j) + gamma)
    term = (
        le(sp.exp(w(j)), sp.exp(w(a) - gamma)) if lower else le(sp.exp(w(a) - gamma), sp.exp(w(j)))
    )
    goal = ge(weight(), bound) if lower else le(weight(), bound)
    flat = sp.exp(w(a) - gamma)
    name = "the gaps are at least gamma" if lower else "the gaps are at most gamma"

    def compare(side: Any, low: Any, high: Any) -> Any:
        other = sp.Sum(flat, (j, low, high))
        return le(side, other) if lower else le(other, side)

    def one(label: str, condition: Any, why: str) -> tuple[Step, Step]:
        where = (le(0, j), le(j, a - 1)) if condition == "before" else (le(a + 1, j), le(j, n - 1))
        return (
            Step(
                f"gap {label}",
                gap,
                instance({j: j}),
                why,
                (name, "the target is a key"),
                where,
            ),
            Step(
                f"term {label}",
                term,
                monotone(term.args[0].args[0], term.args[1].args[0]),
                "Exponentials keep the order.",
                (f"gap {label}",),
                where,
            ),
        )

    result, sign = ("at least", r"\ge") if lower else ("at most", r"\le")
    return Claim(
        id="softmax.margin-lower" if lower else "softmax.margin-upper",
        title=f"Gaps {result} gamma: the weight is {result} 1/(1+(n-1)exp(-gamma))",
        statement=(
            rf"If $w_a-w_j{sign}\gamma$ for every key $j\ne a$, then the softmax weight of $a$ is "
            rf"${sign}1/(1+(n-1)e^{{-\gamma}})$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "the target is a key",
                TARGET.formula,
                without=(eq(n, 1), eq(a, 3)) if lower else (eq(n, 2), eq(a, 3)),
            ),
            Hypothesis(name, competitors(gap)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parts",
                    partition(),
                    by_claim("softmax.partition"),
                    "Split the normaliser at the target.",
                    ("the target is a key",),
                ),
                *one("before", "before", "For a key before the target the gap is bounded."),
                *one("after", "after", "Likewise after it."),
                Step(
                    "sum before",
                    compare(below(), 0, a - 1),
                    termwise(),
                    "Sum over the keys before",
                    ("term before",),
                ),
                Step(
                    "sum after",
                    compare(above(), a + 1, n - 1),
                    termwise(),
                    "and after.",
                    ("term after",),
                ),
                Step(
                    "count",
                    eq(
                        sp.Sum(flat, (j, 0, a - 1)) + sp.Sum(flat, (j, a + 1, n - 1)),
                        (n - 1) * sp.exp(w(a)) * sp.exp(-gamma),
                    ),
                    identity(),
                    "There are n - 1 competitors.",
                    ("the target is a key",),
                ),
                Step(
                    "normaliser",
                    le(normaliser(), sp.exp(w(a)) * (1 + (n - 1) * sp.exp(-gamma)))
                    if lower
                    else le(sp.exp(w(a)) * (1 + (n - 1) * sp.exp(-gamma)), normaliser()),
                    smt(),
                    f"So the normaliser is {'at most' if lower else 'at least'} the target's term "
                    "times 1 + (n-1) exp(-gamma).",
                    ("parts", "sum before", "sum after", "count"),
                ),
                Step(
                    "positive",
                    Both(lt(0, normaliser()), lt(0, 1 + (n - 1) * sp.exp(-gamma))),
                    smt(),
                    "Both are positive.",
                    ("parts", "the target is a key"),
                ),
                Step("weight", goal, smt(), "Divide.", ("normaliser", "positive")),
            )
        ),
        uses=("softmax.partition", "exp.monotone"),
        mutants=(
            Mutant(
                "n competitors" if not lower else "n - 2 competitors",
                le(weight(), 1 / (1 + n * sp.exp(-gamma)))
                if not lower
                else ge(weight(), 1 / (1 + (n - 2) * sp.exp(-gamma))),
            ),
            Mutant(
                "twice the margin",
                (le if not lower else ge)(
                    weight(), 1 / (1 + (n - 1) * sp.exp(-gamma / 2 if not lower else -2 * gamma))
                ),
                at=(le(1, gamma), le(gamma, 2), le(2, n)),
            )
            if lower
            else Mutant("strict", lt(weight(), bound)),
        ),
    )


def _margin() -> Claim:
    bound = 1 / (1 + (n - 1) * sp.exp(-gamma))
    at_least = competitors(le(w(j) + gamma, w(a)))
    at_most = competitors(le(w(a), w(j) + gamma))
    equal = competitors(eq(w(j) + gamma, w(a)))
    sharp = If(equal, eq(weight(), bound))
    outside = Both(le(0, j), le(j, n - 1), ne(j, a))
    return Claim(
        id="softmax.margin",
        title="A margin gives a weight",
        statement=(
            r"If the target's logit exceeds each of $n-1$ competitors by at least $\gamma$, its "
            r"softmax weight is at least $\frac1{1+(n-1)e^{-\gamma}}$, with equality if all gaps equal "
            r"$\gamma$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("the target is a key", TARGET.formula, without=(eq(n, 1), eq(a, 3))),
            Hypothesis("the margin is at least gamma", at_least),
        ),
        conclusion=Both(ge(weight(), bound), sharp),
        derivation=Derivation(
            (
                Step(
                    "bound",
                    ge(weight(), bound),
                    by_claim("softmax.margin-lower"),
                    "Every competitor's exponential is at most exp(-gamma) times the target's.",
                    ("the target is a key", "the margin is at least gamma"),
                ),
                Step("equal gaps", equal, smt(), "Let all gaps be gamma.", (), (equal,)),
                Step(
                    "equal gap",
                    eq(w(j) + gamma, w(a)),
                    instance({j: j}),
                    "For one competitor.",
                    ("equal gaps",),
                    (equal, outside),
                ),
                Step(
                    "at most",
                    le(w(a), w(j) + gamma),
                    smt(),
                    "Its gap is then also at most gamma,",
                    ("equal gap",),
                    (equal, outside),
                ),
                Step(
                    "all at most", at_most, generalise(), "as is every one.", ("at most",), (equal,)
                ),
                Step(
                    "other bound",
                    le(weight(), bound),
                    by_claim("softmax.margin-upper"),
                    "So the weight is at most the same number.",
                    ("the target is a key", "all at most"),
                    (equal,),
                ),
                Step(
                    "sharp",
                    Both(ge(weight(), bound), sharp),
                    smt(),
                    "Hence equality.",
                    ("bound", "other bound"),
                ),
            )
        ),
        uses=("softmax.margin-lower", "softmax.margin-upper"),
        mutants=(
            Mutant("n - 2 competitors", ge(weight(), 1 / (1 + (n - 2) * sp.exp(-gamma)))),
            Mutant("sign flipped", le(weight(), bound)),
            Mutant("never equal", lt(bound, weight())),
        ),
    )


def _margin_needed() -> Claim:
    threshold = sp.log((n - 1) * kappa / (1 - kappa))
    ratio = (n - 1) * kappa / (1 - kappa)
    bound = 1 / (1 + (n - 1) * sp.exp(-gamma))
    at_least = competitors(le(w(j) + gamma, w(a)))
    at_most = competitors(le(w(a), w(j) + gamma))
    enough, reached = le(threshold, gamma), ge(weight(), kappa)
    sufficient = If(Both(at_least, enough), reached)
    necessary = If(Both(at_most, reached), enough)
    both = Both(sufficient, necessary)
    share = ("kappa is a share", "there is a competitor")
    return Claim(
        id="softmax.margin-needed",
        title="The margin that a weight needs",
        statement=(
            r"For $0<\kappa<1$ and $n\ge2$: weight $\ge\kappa$ is guaranteed by a margin "
            r"$\gamma\ge\ln\frac{(n-1)\kappa}{1-\kappa}$; and if all competitors are at gap at most "
            r"$\gamma$, weight $\ge\kappa$ needs it."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                "the target is a key",
                TARGET.formula,
                without=(
                    eq(n, 2),
                    eq(a, 5),
                    eq(kappa, sp.Rational(1, 5)),
                    eq(gamma, -sp.Rational(13, 10)),
                    every(j, 0, 1, eq(w(j), w(5) - gamma)),
                ),
            ),
            Hypothesis(
                "kappa is a share",
                Both(lt(0, kappa), lt(kappa, 1)),
                without=(lt(1, kappa),),
            ),
            Hypothesis(
                "there is a competitor",
                le(2, n),
                without=(eq(n, 1), eq(a, 0), lt(gamma, 0)),
            ),
        ),
        conclusion=both,
        derivation=Derivation(
            (
                Step(
                    "ratio",
                    lt(0, ratio),
                    smt(),
                    "The ratio whose logarithm is taken is positive.",
                    share,
                ),
                Step(
                    "undo",
                    eq(sp.exp(threshold, evaluate=False), ratio),
                    identity(),
                    "exp undoes log.",
                    ("ratio",),
                ),
                Step(
                    "lower",
                    ge(weight(), bound),
                    by_claim("softmax.margin-lower"),
                    "Gaps of at least gamma bound the weight from below.",
                    ("the target is a key",),
                    (at_least,),
                ),
                Step(
                    "large",
                    le(sp.exp(threshold, evaluate=False), sp.exp(gamma)),
                    monotone(threshold, gamma),
                    "A margin above the threshold makes exp(gamma) at least the ratio,",
                    (),
                    (enough,),
                ),
                Step(
                    "reaches",
                    le(kappa, bound),
                    smt(),
                    "so the bound is at least kappa.",
                    ("large", "undo", *share),
                    (enough,),
                ),
                Step(
                    "sufficient",
                    sufficient,
                    smt(),
                    "Together: the margin suffices.",
                    ("lower", "reaches"),
                ),
                Step(
                    "upper",
                    le(weight(), bound),
                    by_claim("softmax.margin-upper"),
                    "Gaps of at most gamma bound the weight from above.",
                    ("the target is a key",),
                    (at_most,),
                ),
                Step(
                    "must be large",
                    le(ratio, sp.exp(gamma)),
                    smt(),
                    "A weight of kappa then forces exp(gamma) up to the ratio.",
                    ("upper", *share),
                    (at_most, reached),
                ),
                Step(
                    "logarithm",
                    le(threshold, sp.log(sp.exp(gamma), evaluate=False)),
                    log_at_least(ratio, sp.exp(gamma)),
                    "Take logarithms.",
                    ("ratio", "must be large"),
                    (at_most, reached),
                ),
                Step(
                    "necessary",
                    necessary,
                    smt(),
                    "So the margin is at least the threshold.",
                    ("logarithm",),
                ),
                Step("both", both, smt(), "Both directions.", ("sufficient", "necessary")),
            )
        ),
        uses=(
            "softmax.margin-lower",
            "softmax.margin-upper",
            "exp.monotone",
            "exp.log-monotone",
        ),
        mutants=(
            Mutant(
                "n - 2 competitors",
                If(
                    Both(at_least, le(sp.log((n - 2) * kappa / (1 - kappa)), gamma)),
                    reached,
                ),
                at=(
                    eq(n, 3),
                    eq(a, 0),
                    eq(kappa, sp.Rational(1, 2)),
                    eq(gamma, 0),
                    every(j, 0, 2, eq(w(j), 0)),
                ),
            ),
            Mutant(
                "a larger margin is needed", If(Both(at_most, reached), le(threshold + 1, gamma))
            ),
        ),
    )


SOFTMAX_PARTITION = _partition()
SOFTMAX_MARGIN_LOWER = _bounded_odds(True)
SOFTMAX_MARGIN_UPPER = _bounded_odds(False)
SOFTMAX_MARGIN = _margin()
SOFTMAX_MARGIN_NEEDED = _margin_needed()

CLAIMS = (
    SOFTMAX_PARTITION,
    SOFTMAX_MARGIN_LOWER,
    SOFTMAX_MARGIN_UPPER,
    SOFTMAX_MARGIN,
    SOFTMAX_MARGIN_NEEDED,
)
