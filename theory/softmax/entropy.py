"""Bounded logits keep attention spread out: a lower bound on its entropy."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, identity, instance, smt, termwise
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.logic import Both, eq, every, le, lt, real
from ropeproof.theory.notation import j, n
from ropeproof.theory.softmax.margin import normaliser, w

__all__ = ["CLAIMS", "SOFTMAX_ENTROPY"]

B = real("B")
_Z = normaliser()
_share = sp.exp(w(j)) / _Z
_INSIDE = (le(0, j), le(j, n - 1))


def _over_keys(term: Any) -> Any:
    return sp.Sum(term, (j, 0, n - 1))


_ENTROPY = _over_keys(-_share * sp.log(_share))


def _entropy() -> Claim:
    bounded = every(j, 0, n - 1, Both(le(-B, w(j)), le(w(j), B)))
    goal = le(sp.log(n) - 2 * B, _ENTROPY)
    spread = _share * (sp.log(_Z) - w(j))
    flat = n * sp.exp(-B)
    return Claim(
        id="softmax.entropy",
        title="Logits in [-B, B] give entropy at least ln n - 2B",
        statement=(
            r"The softmax of $n\ge1$ logits in $[-B,B]$ has entropy "
            r"$-\sum_jS_j\ln S_j\ge\ln n-2B$."
        ),
        source=Source("[LMINF] Han et al., arXiv 2308.16137", "entropy of attention", "repaired"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("there is a key", le(1, n)),
            Hypothesis("the logits lie in [-B, B]", bounded),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "bounds",
                    Both(le(-B, w(j)), le(w(j), B)),
                    instance({j: j}),
                    "Each logit lies in [-B, B],",
                    ("the logits lie in [-B, B]",),
                    _INSIDE,
                ),
                Step(
                    "term",
                    le(sp.exp(-B), sp.exp(w(j))),
                    monotone(-B, w(j)),
                    "so its exponential is at least exp(-B),",
                    ("bounds",),
                    _INSIDE,
                ),
                Step(
                    "sum",
                    le(_over_keys(sp.exp(-B)), _Z),
                    termwise(),
                    "and the normaliser",
                    ("term",),
                ),
                Step(
                    "normaliser",
                    Both(le(flat, _Z), lt(0, flat), lt(0, _Z)),
                    smt(),
                    "is at least n exp(-B).",
                    ("sum", "there is a key"),
                ),
                Step(
                    "log of normaliser",
                    le(sp.log(flat), sp.log(_Z)),
                    log_at_least(flat, _Z),
                    "Take logarithms:",
                    ("normaliser",),
                ),
                Step(
                    "log of product",
                    eq(sp.log(flat), sp.log(n) - B),
                    identity(),
                    "ln Z >= ln n - B.",
                    ("there is a key",),
                ),
                Step(
                    "log of share",
                    eq(-_share * sp.log(_share), spread),
                    identity(),
                    "-ln S_j = ln Z - w_j",
                    ("normaliser",),
                ),
                Step(
                    "share",
                    le(_share * (sp.log(_Z) - B), spread),
                    smt(),
                    "and w_j is at most B.",
                    ("bounds", "normaliser"),
                    _INSIDE,
                ),
                Step(
                    "entropy",
                    eq(_ENTROPY, _over_keys(spread)),
                    termwise(),
                    "Average with the weights S_j:",
                    ("log of share",),
                ),
                Step(
                    "average",
                    le(_over_keys(_share * (sp.log(_Z) - B)), _over_keys(spread)),
                    termwise(),
                    "the entropy is at least the average of ln Z - B,",
                    ("share",),
                ),
                Step(
                    "weights",
                    eq(_over_keys(_share * (sp.log(_Z) - B)), sp.log(_Z) - B),
                    identity(),
                    "which is ln Z - B, the weights adding up to 1.",
                    ("normaliser",),
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "Together: at least ln n - 2B.",
                    ("log of normaliser", "log of product", "entropy", "average", "weights"),
                ),
            )
        ),
        uses=("exp.monotone", "exp.log-monotone"),
        mutants=(
            Mutant(
                "ln n - B/2",
                le(sp.log(n) - B / 2, _ENTROPY),
                at=(eq(n, 20), eq(B, 4), eq(w(0), 4), every(j, 1, n - 1, eq(w(j), -4))),
            ),
            Mutant("ln n", le(sp.log(n), _ENTROPY)),
            Mutant("ln(n + 1) - 2B", le(sp.log(n + 1) - 2 * B, _ENTROPY)),
        ),
    )


SOFTMAX_ENTROPY = _entropy()

CLAIMS = (SOFTMAX_ENTROPY,)
