"""What is claimed and why: exact statements, hypotheses and derivations in SymPy.

`CLAIMS` maps each claim id to its claim, `TOPICS` the name of each topic to its module. Importing
this package loads no other. `CLAIMS` and `TOPICS` know their keys without loading what is behind
them: a claim's module is imported when the claim is asked for, and its derivation is built when it
is first read. That loads SymPy and nothing heavier: no torch, no transformers, no matplotlib.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError, Unsupported
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Source, catalogue
from ropeproof.theory.language.derivation import Derivation, Rule, Step

if TYPE_CHECKING:
    from ropeproof.theory.language.axioms import AXIOMS, Axiom
    from ropeproof.theory.topics.catalogue import CLAIMS, TOPICS

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

_WHEN_USED = {
    "AXIOMS": "language.axioms",
    "Axiom": "language.axioms",
    "CLAIMS": "topics.catalogue",
    "TOPICS": "topics.catalogue",
}
"""What is loaded when it is first asked for, and the module that has it."""


def __getattr__(name: str) -> Any:
    if name not in _WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_WHEN_USED[name]}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
