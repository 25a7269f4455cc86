"""From average-hard to softmax attention: what inverse temperature a decoder needs."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    axiom,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    integer,
    le,
    lt,
    real,
    real_function,
    within,
)
from ropeproof.theory.notation import j, n
from ropeproof.theory.softmax.margin import w

__all__ = ["CLAIMS", "SOFTMAX_HARD_TO_SOFT", "SOFTMAX_HARD_TO_SOFT_WEIGHTS"]

i, k, e, dimension = integer("i k e D")
beta, lam, top, diameter, Lambda, delta = real("beta lambda_ w_top diam Lambda delta")
hard_right, hard_wrong, soft_right, soft_wrong = real(
    "F_right_hard F_wrong_hard F_right_soft F_wrong_soft"
)
V = real_function("V")

_Z = sp.Sum(sp.exp(beta * w(j)), (j, 0, n - 1))
_TIES = (le(0, j), le(j, k - 1))
_REST = (le(k, j), le(j, n - 1))


def _weight(index: Any) -> Any:
    return sp.exp(beta * w(index)) / _Z


_HYPOTHESES = (
    Hypothesis("some keys tie at the top", le(1, k), without=(eq(k, 0), eq(n, 2))),
    Hypothesis(
        "there are others",
        le(k + 1, n),
        without=(eq(k, 2), eq(n, 1), eq(w(1), top)),
    ),
    Hypothesis("the first k logits are equal", every(j, 0, k - 1, eq(w(j), top))),
    Hypothesis("the others are lower by lambda", every(j, k, n - 1, le(w(j) + lam, top))),
    Hypothesis(
        "beta is not negative",
        le(0, beta),
        without=(eq(beta, -1), eq(lam, 1), eq(n, 2), eq(k, 1), eq(w(1), top - 1)),
    ),
)
_NAMES = tuple(h.name for h in _HYPOTHESES)
_tail = (n - k) * sp.exp(-beta * lam)
_lower, _upper = 1 / (k + _tail), sp.Integer(1) / k


def _weights() -> Claim:
    goal = every(j, 0, k - 1, Both(le(_lower, _weight(j)), le(_weight(j), _upper)))
    top_sum = sp.Sum(sp.exp(beta * w(j)), (j, 0, k - 1))
    rest_sum = sp.Sum(sp.exp(beta * w(j)), (j, k, n - 1))
    flat_top = sp.Sum(sp.exp(beta * top), (j, 0, k - 1))
    flat_rest = sp.Sum(sp.exp(beta * (top - lam)), (j, k, n - 1))
    return Claim(
        id="softmax.hard-to-soft-weights",
        title="The weights of the top keys at inverse temperature beta",
        statement=(
            r"If $k\ge1$ of $n>k$ logits tie at the top and the others are lower by at least "
            r"$\lambda$, then at inverse temperature $\beta\ge0$ each top weight lies in "
            r"$[\frac1{k+(n-k)e^{-\beta\lambda}},\frac1k]$. (The top keys are listed first; softmax "
            r"does not see the order.)"
        ),
        source=Source(
            "[HEADS] Urrutia et al., arXiv 2605.31558", "Lemma F.1; rate own", "repaired"
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "some keys tie at the top", le(1, k), idle="without a tied key nothing is said"
            ),
            _HYPOTHESES[1],
            *_HYPOTHESES[2:],
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "tie",
                    eq(w(j), top),
                    instance({j: j}),
                    "A tied key has the top logit,",
                    ("the first k logits are equal",),
                    _TIES,
                ),
                Step(
                    "tied term",
                    eq(sp.exp(beta * w(j)), sp.exp(beta * top)),
                    rewrite(),
                    "hence the top term.",
                    ("tie",),
                    _TIES,
                ),
                Step("ties", eq(top_sum, flat_top), termwise(), "Sum them.", ("tied term",)),
                Step(
                    "gap",
                    le(w(j) + lam, top),
                    instance({j: j}),
                    "Any other key is lower by lambda,",
                    ("the others are lower by lambda",),
                    _REST,
                ),
                Step(
                    "scaled gap",
                    le(beta * w(j), beta * (top - lam)),
                    smt(),
                    "also after scaling,",
                    ("gap", "beta is not negative"),
                    _REST,
                ),
                Step(
                    "other term",
                    le(sp.exp(beta * w(j)), sp.exp(beta * (top - lam))),
                    monotone(beta * w(j), beta * (top - lam)),
                    "and its term smaller by exp(-beta lambda).",
                    ("scaled gap",),
                    _REST,
                ),
                Step("others", le(rest_sum, flat_rest), termwise(), "Sum them.", ("other term",)),
                Step("positive term", le(0, sp.exp(beta * w(j))), smt(), "Terms are positive."),
                Step("rest", le(0, rest_sum), termwise(), "So is their sum.", ("positive term",)),
                Step(
                    "parts",
                    eq(_Z, top_sum + rest_sum),
                    split(k - 1),
                    "The normaliser is both sums.",
                    ("some keys tie at the top", "there are others"),
                ),
                Step(
                    "counts",
                    Both(
                        eq(flat_top, k * sp.exp(beta * top)),
                        eq(flat_rest, _tail * sp.exp(beta * top)),
                    ),
                    identity(),
                    "Count the keys.",
                    ("some keys tie at the top", "there are others"),
                ),
                Step(
                    "normaliser",
                    Both(
                        le(k * sp.exp(beta * top), _Z),
                        le(_Z, (k + _tail) * sp.exp(beta * top)),
                        lt(0, _Z),
                        lt(0, k + _tail),
                    ),
                    smt(),
                    "So it lies between k and k + (n-k) exp(-beta lambda) top terms.",
                    (
                        "ties",
                        "others",
                        "rest",
                        "parts",
                        "counts",
                        "some keys tie at the top",
                        "there are others",
                    ),
                ),
                Step(
                    "top weight",
                    Both(le(_lower, sp.exp(beta * top) / _Z), le(sp.exp(beta * top) / _Z, _upper)),
                    smt(),
                    "Divide.",
                    ("normaliser", "some keys tie at the top"),
                ),
                Step(
                    "weight",
                    Both(le(_lower, _weight(j)), le(_weight(j), _upper)),
                    smt(),
                    "For each tied key.",
                    ("top weight", "tied term"),
                    _TIES,
                ),
                Step("weights", goal, generalise(), "For all of them.", ("weight",)),
            )
        ),
        uses=("exp.monotone",),
        mutants=(
            Mutant(
                "n - k - 1 others",
                every(j, 0, k - 1, le(1 / (k + (n - k - 1) * sp.exp(-beta * lam)), _weight(j))),
            ),
            Mutant("always 1/k", every(j, 0, k - 1, eq(_weight(j), _upper))),
        ),
    )


def _distance(left: Any, right: Any) -> Any:
    """Euclidean distance of two vectors given by their coordinates in e."""
    return sp.sqrt(sp.Sum((left - right) ** 2, (e, 0, dimension - 1)))


_hard = sp.Sum(V(i, e), (i, 0, k - 1)) / k
_soft = sp.Sum(_weight(j) * V(j, e), (j, 0, n - 1))
_moved = _distance(_soft, _hard)
_ratio = 2 * (n - k) * Lambda * diameter / (k * delta)


def _decoding() -> Claim:
    mass = sp.Sum(_weight(j), (j, k, n - 1))
    from_hard = V(j, e) - _hard
    norm_from_hard = sp.sqrt(sp.Sum(from_hard**2, (e, 0, dimension - 1)))
    pulled = sp.Sum(_weight(j) * from_hard, (j, k, n - 1))
    shifted = sp.Sum(_weight(j + k) * from_hard.subs(j, j + k), (j, 0, n - k - 1))
    shifted_norms = sp.Sum(_weight(j + k) * norm_from_hard.subs(j, j + k), (j, 0, n - k - 1))
    spread = sp.Sum((V(j, e) - V(i, e)) / k, (i, 0, k - 1))
    spread_norms = sp.Sum(_distance(V(j, e), V(i, e)) / k, (i, 0, k - 1))
    share = sp.exp(beta * top) / _Z
    key = (le(0, j), le(j, n - 1))
    tied = (le(0, i), le(i, k - 1))
    p, u, axiom_n, axiom_d = real_function("p"), real_function("u"), n, dimension
    weights = every(j, 0, k - 1, Both(le(_lower, _weight(j)), le(_weight(j), _upper)))
    correct = lt(soft_wrong, soft_right)
    near = Every(
        (i, j),
        If(
            Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1)),
            le(_distance(V(j, e), V(i, e)), diameter),
        ),
    )
    positive = (lt(0, Lambda * diameter),)
    return Claim(
        id="softmax.hard-to-soft",
        title="Softmax decodes like average-hard attention from a finite inverse temperature on",
        statement=(
            r"Let $k$ of $n$ logits tie at the top and the others be lower by at least $\lambda>0$. At "
            r"inverse temperature $\beta$ each top weight lies in "
            r"$[\frac1{k+(n-k)e^{-\beta\lambda}},\frac1k]$. If the decoder's right class wins by "
            r"$\delta>0$ on the average-hard output and its scores are $\Lambda$-Lipschitz in the "
            r"attention output, it decodes the softmax output correctly once "
            r"$\beta\ge\frac1\lambda\ln\frac{2(n-k)\Lambda\,\mathrm{diam}(V)}{k\,\delta}$. (The top "
            r"keys are listed first; softmax does not see the order.)"
        ),
        source=Source(
            "[HEADS] Urrutia et al., arXiv 2605.31558", "Lemma F.1; rate own", "repaired"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("some keys tie at the top", le(1, k)),
            Hypothesis("there are others", le(k + 1, n)),
            *_HYPOTHESES[2:4],
            Hypothesis(
                "beta is not negative",
                le(0, beta),
                without=(
                    eq(beta, -1),
                    eq(lam, 1),
                    eq(n, 2),
                    eq(k, 1),
                    eq(Lambda, 0),
                    eq(w(0), top),
                    eq(w(1), top - 1),
                ),
            ),
            Hypothesis(
                "lambda is positive",
                lt(0, lam),
                without=(
                    eq(lam, 0),
                    eq(k, 1),
                    eq(n, 2),
                    eq(dimension, 1),
                    eq(V(0, 0), 0),
                    eq(V(1, 0), 1),
                    eq(diameter, 1),
                    eq(beta, 0),
                    eq(Lambda, 4),
                    eq(delta, 1),
                    eq(hard_right, 1),
                    eq(hard_wrong, 0),
                    eq(soft_right, 0),
                    eq(soft_wrong, 1),
                    eq(top, 0),
                    eq(w(1), 0),
                ),
            ),
            Hypothesis(
                "diam bounds the distances of values", near, without=(*_slow(1), eq(Lambda, 4))
            ),
            Hypothesis(
                "the right class wins by delta",
                le(hard_wrong + delta, hard_right),
                without=(eq(hard_right, hard_wrong), eq(Lambda, 0), eq(n, 2), eq(k, 1)),
            ),
            Hypothesis(
                "delta is positive",
                lt(0, delta),
                without=(
                    eq(delta, 0),
                    eq(Lambda, 0),
                    eq(hard_right, hard_wrong),
                    eq(n, 2),
                    eq(k, 1),
                ),
            ),
            Hypothesis(
                "Lambda is not negative",
                le(0, Lambda),
                idle="a negative Lipschitz constant allows no movement, so the scores stay",
            ),
            Hypothesis(
                "the right score is Lipschitz",
                within(soft_right, hard_right - Lambda * _moved, hard_right + Lambda * _moved),
                without=(eq(Lambda, 0), eq(n, 2), eq(k, 1)),
            ),
            Hypothesis(
                "the wrong score is Lipschitz",
                within(soft_wrong, hard_wrong - Lambda * _moved, hard_wrong + Lambda * _moved),
                without=(eq(Lambda, 0), eq(n, 2), eq(k, 1)),
            ),
            Hypothesis(
                "beta reaches the rate",
                le(sp.log(_ratio) / lam, beta),
                without=(*_slow(1), eq(Lambda, 4)),
            ),
        ),
        conclusion=Both(weights, correct),
        derivation=Derivation(
            (
                Step(
                    "weights",
                    weights,
                    by_claim("softmax.hard-to-soft-weights"),
                    "The bounds of the top weights.",
                    _NAMES,
                ),
                Step(
                    "first weight",
                    Both(le(_lower, _weight(0)), le(_weight(0), _upper)),
                    instance({j: 0}),
                    "In particular for the first key,",
                    ("weights", "some keys tie at the top"),
                ),
                Step(
                    "tie",
                    eq(w(j), top),
                    instance({j: j}),
                    "All tied keys have the same logit",
                    ("the first k logits are equal",),
                    _TIES,
                ),
                Step(
                    "tied term",
                    eq(sp.exp(beta * w(j)), sp.exp(beta * top)),
                    rewrite(),
                    "and the same term,",
                    ("tie",),
                    _TIES,
                ),
                Step(
                    "first term",
                    eq(sp.exp(beta * w(0)), sp.exp(beta * top)),
                    instance({j: 0}),
                    "the first one too,",
                    ("tied term", "some keys tie at the top"),
                ),
                Step(
                    "term of Z",
                    lt(0, sp.exp(beta * w(j))),
                    smt(),
                    "Terms are positive,",
                ),
                Step(
                    "Z is positive",
                    lt(0, _Z),
                    termwise(),
                    "hence the normaliser.",
                    ("term of Z", "some keys tie at the top", "there are others"),
                ),
                Step(
                    "share",
                    le(_lower, share),
                    smt(),
                    "so each tied key has the share s >= 1/(k + (n-k) exp(-beta lambda)).",
                    ("first weight", "first term"),
                ),
                Step(
                    "cut",
                    eq(
                        sp.Sum(_weight(j), (j, 0, n - 1)),
                        sp.Sum(_weight(j), (j, 0, k - 1)) + mass,
                    ),
                    split(k - 1),
                    "Split the weights into tied keys and others.",
                    ("some keys tie at the top", "there are others"),
                ),
                Step(
                    "all weights",
                    eq(sp.Sum(_weight(j), (j, 0, n - 1)), 1),
                    identity(),
                    "They add up to 1.",
                    ("Z is positive",),
                ),
                Step(
                    "tied weight",
                    eq(_weight(j), share),
                    smt(),
                    "A tied key has weight s,",
                    ("tied term",),
                    _TIES,
                ),
                Step(
                    "tied weights",
                    eq(sp.Sum(_weight(j), (j, 0, k - 1)), sp.Sum(share, (j, 0, k - 1))),
                    termwise(),
                    "all of them",
                    ("tied weight",),
                ),
                Step(
                    "mass",
                    eq(mass, 1 - k * share),
                    smt(),
                    "k s; so the others have mass 1 - k s.",
                    ("cut", "all weights", "tied weights", "some keys tie at the top"),
                ),
                Step(
                    "cut values",
                    eq(
                        _soft,
                        sp.Sum(_weight(j) * V(j, e), (j, 0, k - 1))
                        + sp.Sum(_weight(j) * V(j, e), (j, k, n - 1)),
                    ),
                    split(k - 1),
                    "Split the softmax output the same way.",
                    ("some keys tie at the top", "there are others"),
                ),
                Step(
                    "tied value",
                    eq(_weight(j) * V(j, e), share * V(j, e)),
                    smt(),
                    "Tied keys have equal weights,",
                    ("tied weight",),
                    _TIES,
                ),
                Step(
                    "tied values",
                    eq(
                        sp.Sum(_weight(j) * V(j, e), (j, 0, k - 1)),
                        sp.Sum(share * V(j, e), (j, 0, k - 1)),
                    ),
                    termwise(),
                    "so they contribute",
                    ("tied value",),
                ),
                Step(
                    "average",
                    eq(sp.Sum(share * V(j, e), (j, 0, k - 1)), k * share * _hard),
                    identity(),
                    "k s times the average-hard output.",
                    ("some keys tie at the top",),
                ),
                Step(
                    "linear",
                    eq(pulled, sp.Sum(_weight(j) * V(j, e), (j, k, n - 1)) - mass * _hard),
                    identity(),
                    "The others pull by their weights,",
                ),
                Step(
                    "pull to the average",
                    eq(mass * _hard, (1 - k * share) * _hard),
                    smt(),
                    "with 1 - k s in all,",
                    ("mass",),
                ),
                Step(
                    "output",
                    eq(_soft, k * share * _hard + sp.Sum(_weight(j) * V(j, e), (j, k, n - 1))),
                    smt(),
                    "and the tied keys hold it back by k s:",
                    ("cut values", "tied values", "average"),
                ),
                Step(
                    "difference",
                    eq(_soft - _hard, pulled),
                    smt(),
                    "so the output moves by the weighted sum of V_j - hard over the others.",
                    ("output", "linear", "pull to the average", "some keys tie at the top"),
                ),
                Step(
                    "squared difference",
                    eq((_soft - _hard) ** 2, pulled**2),
                    smt(),
                    "Square,",
                    ("difference",),
                ),
                Step(
                    "squared distance",
                    eq(
                        sp.Sum((_soft - _hard) ** 2, (e, 0, dimension - 1)),
                        sp.Sum(pulled**2, (e, 0, dimension - 1)),
                    ),
                    termwise(),
                    "sum over the coordinates,",
                    ("squared difference",),
                ),
                Step(
                    "distance",
                    eq(_moved, sp.sqrt(sp.Sum(pulled**2, (e, 0, dimension - 1)))),
                    rewrite(),
                    "and take the root.",
                    ("squared distance",),
                ),
                Step(
                    "weight is not negative",
                    le(0, _weight(j)),
                    smt(),
                    "Weights are not negative.",
                    ("Z is positive",),
                ),
                Step(
                    "weight at j + k",
                    le(0, _weight(j + k)),
                    instance({j: j + k}),
                    "The others' are not,",
                    ("weight is not negative",),
                ),
                Step(
                    "weights not negative",
                    every(j, 0, n - k - 1, le(0, _weight(j + k))),
                    generalise(),
                    "none of them.",
                    ("weight at j + k",),
                ),
                Step(
                    "triangle",
                    le(
                        sp.sqrt(sp.Sum(shifted**2, (e, 0, dimension - 1))),
                        shifted_norms,
                    ),
                    axiom(
                        "triangle inequality",
                        {
                            p: sp.Lambda(j, _weight(j + k)),
                            u: sp.Lambda((j, e), from_hard.subs(j, j + k)),
                            axiom_n: n - k,
                            axiom_d: dimension,
                        },
                    ),
                    "Triangle inequality: the norm of the sum is at most the sum of the norms.",
                    ("weights not negative",),
                ),
                Step(
                    "renumbered",
                    Both(
                        eq(
                            sp.sqrt(sp.Sum(shifted**2, (e, 0, dimension - 1))),
                            sp.sqrt(sp.Sum(pulled**2, (e, 0, dimension - 1))),
                        ),
                        eq(
                            shifted_norms,
                            sp.Sum(_weight(j) * norm_from_hard, (j, k, n - 1)),
                        ),
                    ),
                    identity(),
                    "(Counting the others from k.)",
                ),
                Step(
                    "share 1/k",
                    le(0, sp.Integer(1) / k),
                    smt(),
                    "k is positive.",
                    ("some keys tie at the top",),
                ),
                Step(
                    "equal shares",
                    every(i, 0, k - 1, le(0, sp.Integer(1) / k)),
                    generalise(),
                    "Shares 1/k are not negative,",
                    ("share 1/k",),
                ),
                Step(
                    "triangle for one value",
                    le(sp.sqrt(sp.Sum(spread**2, (e, 0, dimension - 1))), spread_norms),
                    axiom(
                        "triangle inequality",
                        {
                            p: sp.Lambda(j, 1 / k),
                            u: sp.Lambda((i, e), V(j, e) - V(i, e)),
                            axiom_n: k,
                            axiom_d: dimension,
                        },
                    ),
                    "so a value's distance to the average is at most its average distance",
                    ("equal shares",),
                ),
                Step(
                    "to the average",
                    eq(norm_from_hard, sp.sqrt(sp.Sum(spread**2, (e, 0, dimension - 1)))),
                    identity(),
                    "(V_j - hard is the average of V_j - V_i)",
                    ("some keys tie at the top",),
                ),
                Step(
                    "near",
                    le(_distance(V(j, e), V(i, e)), diameter),
                    instance({i: i, j: j}),
                    "and no distance exceeds diam,",
                    ("diam bounds the distances of values", "there are others"),
                    (*key, *tied),
                ),
                Step(
                    "scaled near",
                    le(_distance(V(j, e), V(i, e)) / k, diameter / k),
                    smt(),
                    "nor does a share of it,",
                    ("near", "some keys tie at the top"),
                    (*key, *tied),
                ),
                Step(
                    "average distance",
                    le(spread_norms, sp.Sum(diameter / k, (i, 0, k - 1))),
                    termwise(),
                    "nor the average,",
                    ("scaled near",),
                    key,
                ),
                Step(
                    "constant average",
                    eq(sp.Sum(diameter / k, (i, 0, k - 1)), diameter),
                    identity(),
                    "which is at most diam.",
                    ("some keys tie at the top",),
                ),
                Step(
                    "value near",
                    le(norm_from_hard, diameter),
                    smt(),
                    "So each value is within diam of the average-hard output.",
                    (
                        "triangle for one value",
                        "to the average",
                        "average distance",
                        "constant average",
                    ),
                    key,
                ),
                Step(
                    "weighted near",
                    le(_weight(j) * norm_from_hard, _weight(j) * diameter),
                    smt(),
                    "Weigh,",
                    ("value near", "weight is not negative", "some keys tie at the top"),
                    _REST,
                ),
                Step(
                    "sum of norms",
                    le(
                        sp.Sum(_weight(j) * norm_from_hard, (j, k, n - 1)),
                        sp.Sum(_weight(j) * diameter, (j, k, n - 1)),
                    ),
                    termwise(),
                    "sum over the others,",
                    ("weighted near",),
                ),
                Step(
                    "moved",
                    Both(le(_moved, (1 - k * share) * diameter), le(0, _moved)),
                    smt(),
                    "and the output moves by at most (1 - k s) diam.",
                    ("distance", "triangle", "renumbered", "sum of norms", "mass"),
                ),
                Step(
                    "diam is not negative",
                    le(0, diameter),
                    instance({i: 0, j: 0}),
                    "A distance is not negative, so neither is diam.",
                    (
                        "diam bounds the distances of values",
                        "some keys tie at the top",
                        "there are others",
                    ),
                ),
                Step(
                    "ratio",
                    lt(0, _ratio),
                    smt(),
                    "The number whose logarithm is taken is positive.",
                    ("some keys tie at the top", "there are others", "delta is positive"),
                    positive,
                ),
                Step(
                    "undo",
                    eq(sp.exp(sp.log(_ratio), evaluate=False), _ratio),
                    identity(),
                    "exp undoes log.",
                    ("ratio",),
                    positive,
                ),
                Step(
                    "rate",
                    le(sp.log(_ratio), beta * lam),
                    smt(),
                    "Multiply the rate by lambda",
                    ("beta reaches the rate", "lambda is positive"),
                ),
                Step(
                    "exponential",
                    le(sp.exp(sp.log(_ratio), evaluate=False), sp.exp(beta * lam)),
                    monotone(sp.log(_ratio), beta * lam),
                    "and exponentiate:",
                    ("rate",),
                ),
                Step(
                    "tail",
                    le(2 * Lambda * diameter * _tail, k * delta),
                    smt(),
                    "2 Lambda diam (n-k) exp(-beta lambda) <= k delta.",
                    (
                        "undo",
                        "exponential",
                        "some keys tie at the top",
                        "there are others",
                        "delta is positive",
                    ),
                    positive,
                ),
                Step(
                    "mass bound",
                    le((1 - k * share) * (k + _tail), _tail),
                    smt(),
                    "The others' mass is at most tail/(k + tail).",
                    ("share", "some keys tie at the top", "there are others"),
                ),
                Step(
                    "small move",
                    lt(2 * Lambda * (1 - k * share) * diameter, delta),
                    smt(),
                    "So twice the Lipschitz bound stays strictly below delta,",
                    (
                        "tail",
                        "mass bound",
                        "some keys tie at the top",
                        "there are others",
                        "delta is positive",
                    ),
                    positive,
                ),
                Step(
                    "small",
                    lt(2 * Lambda * _moved, delta),
                    smt(),
                    "in particular if Lambda diam = 0, where nothing moves.",
                    (
                        "small move",
                        "moved",
                        "diam is not negative",
                        "Lambda is not negative",
                        "delta is positive",
                    ),
                ),
                Step(
                    "decoded",
                    Both(weights, correct),
                    smt(),
                    "The right class keeps winning.",
                    (
                        "weights",
                        "small",
                        "the right class wins by delta",
                        "the right score is Lipschitz",
                        "the wrong score is Lipschitz",
                    ),
                ),
            )
        ),
        uses=("softmax.hard-to-soft-weights", "exp.monotone"),
        mutants=(
            Mutant(
                "wins by delta",
                le(soft_wrong + delta, soft_right),
                at=(
                    *_slow(1),
                    eq(Lambda, 1),
                    eq(diameter, 1),
                    eq(beta, 1),
                    eq(delta, 1),
                    eq(hard_wrong, 0),
                    eq(soft_right, sp.Rational(9, 10)),
                    eq(soft_wrong, sp.Rational(1, 10)),
                    eq(w(0), 0),
                ),
            ),
            Mutant("wrong class wins", lt(soft_right, soft_wrong)),
        ),
    )


def _slow(delta: int) -> tuple[Any, ...]:
    """Two keys on a line, far too low a temperature, scores that use their freedom."""
    return (
        eq(k, 1),
        eq(n, 2),
        eq(dimension, 1),
        eq(V(0, 0), 0),
        eq(V(1, 0), 1),
        eq(lam, 1),
        eq(top, 0),
        eq(w(1), -1),
        eq(hard_right, delta),
    )


SOFTMAX_HARD_TO_SOFT_WEIGHTS = _weights()
SOFTMAX_HARD_TO_SOFT = _decoding()

CLAIMS = (SOFTMAX_HARD_TO_SOFT_WEIGHTS, SOFTMAX_HARD_TO_SOFT)
