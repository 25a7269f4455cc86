"""Limits on the depth and size of a claim's terms; a claim beyond them is refused by name.

All that reads a term goes down into its parts by calling itself, as SymPy does; Python allows a
thousand calls within each other. So a term has a stated depth, up to which everything works, and a
claim that goes beyond it is refused before anything reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import sympy as sp

from ropeproof.proofs_check.kernel.terms import MOST_BITS, MOST_NODES
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Rule

__all__ = ["DEEPEST", "too_large"]

DEEPEST = 100
"""The most levels of terms, formulas and tuples nested within each other."""
DEEP = f"its parts lie more than {DEEPEST} levels deep within each other; allowed: {DEEPEST} levels"
WRITTEN = "numbers that can be written out"


def too_large(claim: Claim) -> str:
    """The reason why a claim is refused for its size, with the place in it; empty if it is not refused.

    Looked at are all parts that are data: hypotheses, conclusion, mutants, readings, example,
    conditions, and the steps of the derivation with the arguments of their rules.
    """
    for place, value in _places(claim):
        if reason := _of(value):
            return f"{place}: {reason}"
    return ""


def _places(claim: Claim) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a claim, each with its name for messages."""
    for h in claim.hypotheses:
        yield f"the hypothesis {h.name!r}", (h.formula, h.without)
    yield "the conclusion", claim.conclusion
    for m in claim.mutants:
        yield f"the mutant {m.name!r}", (m.conclusion, m.at)
    for number, r in enumerate(claim.readings, 1):
        yield f"reading {number}", (r.hypotheses, r.conclusion, r.at)
    yield "the example", (claim.example, claim.example_by)
    yield "the conditions", claim.conditions
    for step in claim.derivation.steps if claim.derivation else ():
        yield f"step {step.label!r}", (step.conclusion, step.assuming, step.rule)


class _Refused(Exception):
    """Raised for a part that is too deep, too large, or a number with too many bits."""


def _of(value: Any) -> str:
    """The reason why a value is refused for its size; empty if it is not."""
    try:
        _measured(value, {}, 1)
    except _Refused as reason:
        return str(reason)
    return ""


def _measured(value: Any, known: dict[int, tuple[Any, int, int]], level: int) -> tuple[int, int]:
    """The number of levels of a value, and of its parts, each counted as often as it occurs.

    Each object is looked at once, and held, so that no other has its identity. Raises `_Refused` at
    the first part that is beyond what is allowed, before anything goes deeper.
    """
    if id(value) not in known:
        if level > DEEPEST:
            raise _Refused(DEEP)
        if isinstance(value, sp.Rational) and _bits(value) > MOST_BITS:
            raise _Refused(f"a number of more than {MOST_BITS} bits; allowed: {WRITTEN}")
        inside = [_measured(part, known, level + 1) for part in _parts(value)]
        levels = _own_levels(value) + max((levels for levels, _ in inside), default=0)
        nodes = 1 + sum(nodes for _, nodes in inside)
        if nodes > MOST_NODES:
            raise _Refused(f"it has more than {MOST_NODES} parts; allowed: at most so many")
        known[id(value)] = value, levels, nodes
    _, levels, nodes = known[id(value)]
    if level - 1 + levels > DEEPEST:
        raise _Refused(DEEP)
    return levels, nodes


def _own_levels(value: Any) -> int:
    """The number of levels that a value adds to those of its parts where it is read.

    SymPy writes a sum of sums as one with several limits, and cases in one row: each is nested in
    another where it is read.
    """
    if isinstance(value, sp.Sum):
        return len(value.limits)
    return len(value.args) if isinstance(value, sp.Piecewise) else 1


def _bits(value: Any) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def _parts(value: Any) -> Iterable[Any]:
    """The parts of a value; empty for a value that is no term and contains none."""
    if isinstance(value, sp.Basic):
        return tuple(value.args)
    if isinstance(value, tuple | list | set | frozenset):
        return tuple(value)
    if isinstance(value, Mapping):
        return (*value.keys(), *value.values())
    if isinstance(value, Rule):
        return (value.arguments,)
    return ()
