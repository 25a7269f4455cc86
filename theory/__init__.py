"""What is claimed and why: exact statements, hypotheses and derivations in SymPy.

`CLAIMS` maps each claim id to its claim. Importing this package loads SymPy and nothing
heavier: no torch, no transformers, no matplotlib, no pytest.
"""

from __future__ import annotations

from collections.abc import Mapping

from ropeproof.theory.axioms import AXIOMS, Axiom
from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source, catalogue
from ropeproof.theory.derivation import Derivation, Rule, Step
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError, Unsupported
from ropeproof.theory.topics import TOPICS

__all__ = [
    "AXIOMS",
    "CLAIMS",
    "TOPICS",
    "Axiom",
    "Claim",
    "Derivation",
    "Hypothesis",
    "InvalidArgument",
    "InvalidClaim",
    "Mutant",
    "RopeproofError",
    "Rule",
    "Source",
    "Step",
    "Unsupported",
    "catalogue",
]

CLAIMS: Mapping[str, Claim] = catalogue(c for topic in TOPICS.values() for c in topic.CLAIMS)
