"""Run construction evidence: a profile's cases, one head at a time, in PyTorch float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.head import Head
from ropeproof.proofs_check.evidence import Finding
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile

__all__ = [
    "APART",
    "Runs",
    "at_threshold",
    "attention_of",
    "blind",
    "logit_budget",
    "logits_of",
    "once",
    "run",
    "wrong",
]

Floats = NDArray[np.float64]
Choice = TypeVar("Choice")
APART = 1e3
"""A broken version must be off by this many rounding budgets."""


class Runs(Generic[Choice]):
    """The cases of a check in turn: each choice at least once, more often if inputs are drawn.

    `random` is the generator of the drawn inputs, seeded by a name in a `group`. With drawn inputs the
    number of cases is the profile's divided by `once_in`.
    """

    def __init__(
        self,
        how: Profile,
        name: str,
        choices: Sequence[Choice],
        *,
        drawn: bool = True,
        once_in: int = 8,
        group: str = "construction",
    ) -> None:
        self.count = max(len(choices), how.cases // once_in if drawn else 0)
        self.choices, self.drawn = choices, drawn
        generator, self.seed = how.random(group, name)
        self.random = np.random.default_rng(Random(generator.random()).getrandbits(63))

    def __iter__(self) -> Iterator[Choice]:
        for number in range(self.count):
            yield self.choices[number % len(self.choices)]

    def finding(self, domain: str) -> Finding:
        """The finding of a check in which nothing failed."""
        seed = f"; seed {self.seed!r}" if self.drawn else ""
        return Finding(holds(f"{self.count} heads"), f"{domain}{seed}", self.count)


def once(made: Callable[..., Any]) -> Callable[..., Any]:
    """`made`, called once for a choice and its options however often a check asks for that head."""
    heads: dict[Any, Any] = {}

    def kept(choice: object, **options: object) -> Any:
        key = (id(choice), *sorted(options.items()))
        if key not in heads:
            heads[key] = (
                choice,
                made(choice, **options),
            )  # while it is kept, no other has its identity
        return heads[key][1]

    return kept


def run(head: Head, x: Floats) -> tuple[Floats, Floats, Floats]:
    """The logits, attention and output of a head on embeddings `x`, as the two functions below."""
    return logits_of(head, x), *attention_of(head, x)


def logits_of(head: Head, x: Floats) -> Floats:
    """The logits of a head on embeddings `x`, `(..., length, length)`, `-inf` above the diagonal."""
    import torch

    with torch.no_grad():
        scores = head.to_module().logits(torch.from_numpy(x)).numpy()
    return np.where(np.tri(x.shape[-2], dtype=bool), scores, -math.inf)


def attention_of(head: Head, x: Floats) -> tuple[Floats, Floats]:
    """The attention, `(..., length, length)`, and the output of a head on embeddings `x`."""
    import torch

    with torch.no_grad():
        output, attention = head.to_module()(torch.from_numpy(x), return_attention=True)
    return attention.numpy(), output.numpy()


def wrong(what: str, found: object, expected: object, **where: object) -> Outcome:
    """The failed outcome of a head that does not do what it guarantees."""
    shown = {name: repr(value) for name, value in where.items()}
    return fails(f"{what}: {found!r}, expected {expected!r}", shown or {"found": repr(found)})


def blind(what: str, **where: object) -> Outcome:
    """The failed outcome of a check that does not detect a broken head."""
    shown = {name: repr(value) for name, value in where.items()}
    return fails(f"the check does not see a broken head: {what}", shown or {"broken": what})


def logit_budget(head: Any) -> float:
    """The rounding budget of a logit of a head that looks up a position or a letter."""
    return float(UNIT * head.inverse_temperature * 64 * (head.length + head.spec.head_dim))


def at_threshold(made: Callable[..., Any]) -> Outcome | None:
    """None if a head decodes from its least inverse temperature on, within 0.1%; else the outcome.

    `made` builds the head, optionally at a given `inverse_temperature`. At 0.1% above the least one it is
    certified for its length and decodes its worst input; at 0.1% below it does neither.
    """
    least = made().least_inverse_temperature
    cold = made(inverse_temperature=least * 1.001)
    length = cold.certificate.quantities["length"]
    if length != cold.length:
        return wrong("certified length", length, cold.length, spec=cold.spec)
    prompt, answer = cold.worst_input()
    if cold.decode(prompt) != answer:
        return wrong("worst input", prompt, answer, spec=cold.spec)
    warm = made(inverse_temperature=least * 0.999)
    prompt, answer = warm.worst_input()
    if warm.decode(prompt, beyond_guarantee=True) == answer or warm.bound().decodes:
        return blind("a thousandth less", spec=warm.spec)
    return None
