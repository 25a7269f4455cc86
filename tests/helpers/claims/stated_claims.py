"""Helpers for stating claims in tests, and for the kernel's verdicts on them."""

from __future__ import annotations

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.theory.language.claim import Claim, Source


def stated(conclusion, *hypotheses):
    return Claim("own.claim", "", "", Source("test"), hypotheses=hypotheses, conclusion=conclusion)


def accepted(claim, *others):
    library = {c.id: c for c in (claim, *others)}
    return check_derivation(claim, library.__getitem__).outcome
