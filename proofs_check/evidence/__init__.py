"""Evidence beyond the proof: what is registered for each claim, topic by topic.

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
"""Of a topic of claims, the topics of evidence that also speak of it, or that alone do."""


def topics_about(claim: str) -> tuple[str, ...]:
    """The topics whose evidence may be about a claim id: that of the id, if it is one, and few more."""
    topic = claim.partition(".")[0]
    return tuple(t for t in TOPICS if t == topic or t in _ELSEWHERE.get(topic, ()))


@dataclass(frozen=True)
class Finding:
    """What one piece of evidence found, over which domain, in how many cases, and killed."""

    outcome: Outcome
    domain: str = ""
    cases: int = 0
    kills: Kills = field(default=Kills(0, 0))


@dataclass(frozen=True)
class Evidence:
    """A registered piece of evidence.

    `decide` is the computation of a decision (`certify.decision`), `domain` what it is said to be
    about. `by` names the file of a user's whose code alone finds what is found; it is empty for what
    this project finds.
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
    """Register a function as evidence for a claim id.

    Raises `InvalidClaim` on a double name, a name under which `certify.decision` alone registers, or
    a kind that there is not.
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
    """Take a piece of evidence into the register. Raises `InvalidClaim` on a double name."""
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
