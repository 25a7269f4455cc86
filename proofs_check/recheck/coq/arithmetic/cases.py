"""Goals of propositional logic about comparisons and unknown propositions, by all cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["by_all_cases"]

MOST_COMPARISONS = 7
_EITHER = {"le": "Rle_or_lt", "lt": "Rlt_or_le", "eq": "Req_dec", "ne": "Req_dec"}


def by_all_cases(hyps: Sequence[Any], goal: Any) -> str | None:
    """A script that splits into cases by which comparisons hold; None if there are too many.

    `lra` closes the contradictory cases, and logic the others.
    """
    alike = any(f[0] == "if" and f[1][0] in ("eq", "ne") for f in hyps)
    alike = alike or (goal[0] == "or" and any(g[0] not in ("le", "lt") for g in goal[1]))
    if not alike and not any(_unknown(f) for f in (*hyps, goal)):
        return None
    found = dict.fromkeys(c for f in (*hyps, goal) for c in _comparisons(f, within=f is goal))
    if len(found) > MOST_COMPARISONS:
        return None
    never = "(exfalso; first [(push_IZR; lra) | (to_Z; lia)])"
    cases = "".join(f"destruct ({lemma} {a} {b}); try {never}; " for lemma, a, b in found)
    return f"intros; {cases}first [tauto | {never} | (intuition (push_IZR; lra))]"


def _unknown(f: Any) -> bool:
    """Whether the formula contains an unknown proposition."""
    if f[0] in ("and", "or"):
        return any(map(_unknown, f[1]))
    return f[0] == "prop" or (f[0] in ("if", "not") and any(map(_unknown, f[1:])))


def _comparisons(f: Any, *, within: bool) -> Iterator[tuple[str, str, str]]:
    """The comparisons that are parts of conditions and alternatives, not asserted themselves."""
    if f[0] in _EITHER:
        if within:
            yield _EITHER[f[0]], f[1].text, f[2].text
    elif f[0] in ("and", "or"):
        for g in f[1]:
            yield from _comparisons(g, within=within or f[0] == "or")
    elif f[0] in ("if", "not"):
        for g in f[1:]:
            yield from _comparisons(g, within=True)
