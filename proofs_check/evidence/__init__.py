"""Registered evidence beyond the proofs: numerical checks of each claim, topic by topic.

A function registered here takes a `Profile` and returns a `Finding`. Kinds: `certified` (over a
stated finite domain), `property` (drawn instances of the numerical code), `construction`
(explicit weights, run in PyTorch), `attack` (a further attack; a printed claim's witness).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ropeproof.proofs_check.kernel.outcome import Kills, Outcome
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.errors import InvalidClaim

__all__ = [
    "FORMAL",
    "MUTANTS",
    "TOPICS",
    "Evidence",
    "Finding",
    "enter",
    "entries",
    "evidence",
    "topics_about",
]

Kind = Literal["certified", "property", "construction", "attack"]
FORMAL = "the formal statement"
"""Certified evidence that decides a claim's conclusion; see `ropeproof.proofs_check.evidence.certify`."""
MUTANTS = "mutants"
"""The attack on the mutants of a conclusion."""
TOPICS = (
    "rope",
    "softmax",
    "slash",
    "head",
    "index",
    "retrieval",
    "planes",
    "task",
    "posgen",
    "conform",
)
_ELSEWHERE = {"slash": ("softmax",), "retrieval": ("softmax",), "separation": ("retrieval",)}
"""For a topic of claims, the topics of evidence besides its own that concern it."""


def topics_about(claim: str) -> tuple[str, ...]:
    """The topics whose evidence may concern a claim id: usually the id's own, and a few more."""
    topic = claim.partition(".")[0]
    return tuple(t for t in TOPICS if t == topic or t in _ELSEWHERE.get(topic, ()))


@dataclass(frozen=True)
class Finding:
    """The result of one piece of evidence: outcome, domain, number of cases, and mutants killed."""

    outcome: Outcome
    domain: str = ""
    cases: int = 0
    kills: Kills = field(default=Kills(0, 0))


@dataclass(frozen=True)
class Evidence:
    """A registered piece of evidence.

    `decide` is the computation of a decision (`certify.decision`), and `domain` its stated domain. `by`
    names the user's file whose code alone computes the finding; it is empty for evidence of this project.
    """

    claim: str
    kind: Kind
    name: str
    run: Callable[[Profile], Finding]
    decide: Callable[[Any], bool | None] | None = None
    domain: str = ""
    by: str = ""


_REGISTRY: dict[str, dict[tuple[str, str], Evidence]] = {}


def evidence(
    claim: str, kind: Kind, name: str
) -> Callable[[Callable[[Profile], Finding]], Callable[[Profile], Finding]]:
    """Register the decorated function as evidence for a claim id.

    Raises `InvalidClaim` for a name that is registered twice, for a name under which only
    `certify.decision` registers, and for an unknown kind.
    """
    if kind not in get_args(Kind):
        raise InvalidClaim(
            f"{claim}: evidence of kind {kind!r}; allowed: {', '.join(get_args(Kind))}"
        )
    if (kind, name) in (("certified", FORMAL), ("attack", MUTANTS)):
        raise InvalidClaim(
            f"{claim}: {kind} evidence {name!r}; allowed: another name; `decision` registers that one"
        )

    def register(run: Callable[[Profile], Finding]) -> Callable[[Profile], Finding]:
        enter(Evidence(claim, kind, name, run))
        return run

    return register


def enter(entry: Evidence) -> None:
    """Add a piece of evidence to the registry. Raises `InvalidClaim` for a name registered twice."""
    found = _REGISTRY.setdefault(entry.claim, {})
    key = (entry.kind, entry.name)
    if key in found and found[key].run.__module__ != entry.run.__module__:
        raise InvalidClaim(
            f"{entry.claim}: {entry.kind} evidence {entry.name!r} is registered twice"
        )
    found[key] = entry


def entries() -> Mapping[str, tuple[Evidence, ...]]:
    """The evidence registered so far by claim id; `run.registry` loads the topics first."""
    return {claim: tuple(found.values()) for claim, found in _REGISTRY.items()}
