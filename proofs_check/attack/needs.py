"""Whether a claim needs each of its hypotheses, as the attack records it and as reports read it back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ropeproof.proofs_check.kernel.outcome import visible
from ropeproof.theory.language.claim import Claim

__all__ = ["Need", "read", "recorded"]

Word = Literal["needed", "needed, it seems", "needed, not shown", "idle", "not known"]


@dataclass(frozen=True)
class Need:
    """What is known of the need of one hypothesis.

    - `needed`: an instance certainly satisfies the other hypotheses and certainly not the conclusion.
    - `needed, it seems`: `cases` instances seem to; a `for all` was tried there at some values only.
    - `needed, not shown`: its author says so and why, and no instance is asked for.
    - `idle`: its author says why the conclusion holds without it, and so it did in `cases` instances.
    - `not known`: no attack on the hypotheses was run, or it did not end well.
    """

    word: Word = "not known"
    cases: int = 0

    def __str__(self) -> str:
        counted = f" ({self.cases} case{'s' if self.cases != 1 else ''})" if self.cases else ""
        return f"{self.word}{counted}"


def recorded(needs: Mapping[str, Need]) -> str:
    """The detail of the attack's record, from the need of each hypothesis in the claim's order.

    >>> recorded({"a": Need("needed"), "b": Need("needed, it seems", 3), "c": Need("idle", 20)})
    'needed: a; b (it seems, 3 cases) | explained as idle: c (20 decided)'
    """

    def named(word: Word) -> list[tuple[str, int]]:
        return [(name, need.cases) for name, need in needs.items() if need.word == word]

    needed = [
        f"{name} (it seems, {need.cases} case{'s' if need.cases != 1 else ''})"
        if need.word == "needed, it seems"
        else name
        for name, need in needs.items()
        if need.word in ("needed", "needed, it seems")
    ]
    text = f"needed: {'; '.join(needed)}" if needed else "none needed"
    if unshown := named("needed, not shown"):
        text += f" | needed, not shown: {'; '.join(name for name, _ in unshown)}"
    if idle := named("idle"):
        text += f" | explained as idle: {'; '.join(f'{name} ({n} decided)' for name, n in idle)}"
    return text


_NEEDED, _UNSHOWN, _IDLE = "needed: ", "needed, not shown: ", "explained as idle: "
_COUNTED = {
    _NEEDED: r"(?: \(it seems, (\d+) cases?\))?",
    _UNSHOWN: "()",
    _IDLE: r" \((\d+) decided\)",
}
"""What follows a name, with the number of cases as its group, if there is one."""


def read(claim: Claim, detail: str) -> Mapping[str, Need]:
    """The need of each of the claim's hypotheses, from the detail of a record that holds.

    The claim says which names to expect and in which order, so that a name may hold any signs. All are
    `not known` if the detail is not one that `recorded` writes of this claim.
    """
    named: dict[str, list[str]] = {_NEEDED: [], _UNSHOWN: [], _IDLE: []}
    for h in claim.hypotheses:
        named[_IDLE if h.idle else _UNSHOWN if h.unshown else _NEEDED].append(h.name)
    parts = [
        head + "; ".join(re.escape(visible(name)) + _COUNTED[head] for name in names)
        for head, names in named.items()
        if names
    ]
    if not named[_NEEDED]:
        parts.insert(0, "none needed")
    found = re.fullmatch(r" \| ".join(parts), detail, flags=re.S)
    if found is None:
        return {h.name: Need() for h in claim.hypotheses}
    order = [(name, head) for head, names in named.items() for name in names]
    needs = {
        name: _need(head, count) for (name, head), count in zip(order, found.groups(), strict=True)
    }
    return {h.name: needs[h.name] for h in claim.hypotheses}


def _need(head: str, count: str | None) -> Need:
    if head == _UNSHOWN:
        return Need("needed, not shown")
    if head == _IDLE:
        return Need("idle", int(count or 0))
    return Need("needed") if count is None else Need("needed, it seems", int(count))
