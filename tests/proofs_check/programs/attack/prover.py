"""How an entry is put to the prover, and what comes back, in words that the runner compares."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from attack.entry import Call, Entry, Seen
from ropeproof.proofs_check.programs.judging.calls import FINE, drawn_vectors
from ropeproof.proofs_check.programs.proving import prove_rotation

__all__ = ["Answer", "ask", "excludes"]

CONTEXT = 131072


@dataclass(frozen=True)
class Answer:
    """What the prover says: its verdict, the statement that it prints, why not, and a witness."""

    verdict: Literal["proved", "refuted", "not proved"]
    statement: str = ""
    reason: str = ""
    witness: tuple[Call, ...] = ()
    raw: Any = None


def ask(function: Callable[..., Any], entry: Entry) -> Answer:
    """The prover's answer about a function that was made for an entry."""
    calls = (entry.differs, *entry.differs.before) if entry.differs is not None else entry.also
    types = tuple(dict.fromkeys(("float64", *(call.dtype for call in calls))))
    proof = prove_rotation(
        function, entry.spec, form="rotate", array=entry.array, context=CONTEXT, types=types
    )
    own = proof.counterexample
    witness: list[Call] = []
    if own is not None:
        batch, head, token = own.index

        def one(x: np.ndarray) -> np.ndarray:
            basis = np.zeros_like(x)
            basis[batch, min(head, x.shape[1] - 1), token, own.vector] = 1.0
            return basis

        before = tuple(Call(p, batch=b, heads=h, dtype=d) for p, b, h, d in own.history)
        length = int(re.search(r"(\d+) tokens", own.setting)[1])
        witness.append(
            Call(
                own.positions[:length],
                batch=own.batch,
                heads=own.heads,
                dtype=own.dtype,
                edit=one if own.vector is not None else partial(_drawn, own.dtype),
                before=before,
            )
        )
    return Answer(
        "proved" if proof.verdict == "proved in part" else proof.verdict,
        " | ".join((f"[{proof.verdict}]", *proof.statement)),
        "; ".join(proof.reasons) if own is None else str(own),
        tuple(witness),
        proof,
    )


def _drawn(dtype: str, x: np.ndarray) -> np.ndarray:
    """The vectors of a counterexample that names no single coordinate."""
    return drawn_vectors(x.shape, FINE, dtype)


def excludes(answer: Answer, entry: Entry, seen: Seen) -> str:
    """The words of a statement that leave an entry's call out; empty if the statement covers it."""
    call, text = entry.differs, answer.statement
    assert call is not None
    for one in (call, *call.before):
        covers = [c for c in answer.raw.covers if f"in {one.dtype}," in c]
        if not covers:
            return f"vectors in {one.dtype}"
        if not any(c.endswith(f"in {one.ptype}") for c in covers):
            return f"positions in {one.ptype}"
        low, high = min(one.positions), max(one.positions)
        ranges = [(0, int(n)) for n in re.findall(r"all from 0 to (\d+)", text)]
        if low < 0 or (ranges and high > ranges[0][1]):
            return f"positions up to {ranges[0][1] if ranges else 'somewhere'}"
    if "Only where" in text:
        return "what is read, by a condition"
    if call.changes is not None and "as it was then" in text:
        return "the function as it was"
    began = re.search(r"not for a fresh one: \d+ calls, first in (\w+)", text)
    if began and (not call.before or call.before[0].dtype != began[1]):
        return "a function after its first calls"
    if call.prepare is not None and "fresh contiguous arrays" in text:
        return "fresh contiguous arrays without gradients"
    if call.around is not None and "default type" in text:
        return "modes as they were"
    if entry.excused.startswith("finite") and "finite numbers" in text:
        return "finite numbers"
    for one in (call, *call.before):
        sizes = f"batch {one.batch}, {one.heads} heads, {len(one.positions)} tokens"
        if not any(c.startswith(sizes) for c in answer.raw.covers) and entry.kind == "sizes":
            return "other sizes, by assumption"
    if "rounding" in entry.excused:
        return "rounding"
    match = re.search(r"frequencies are at most (\S+) of", text)
    if match and seen.largest < np.inf:
        reach = 1 + max(abs(p) for p in call.positions)
        if seen.largest <= 4 * 4 * float(match[1]) * reach:
            return f"frequencies within {match[1]}"
    match = re.search(r"rows is at most (\S+) from", text)
    if match and seen.largest <= 16 * float(match[1]):
        return f"tables within {match[1]}"
    return ""
