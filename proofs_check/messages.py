"""Formulas of the kernel in the text of a message; nothing is decided here."""

from __future__ import annotations

from typing import Any

__all__ = ["show"]

_INFIX = {"+": " + ", "*": "*", "and": " and ", "or": " or "}
_RELATION = {"eq": "=", "ne": "!=", "le": "<=", "lt": "<", "if": "=>", "^": "^"}


def show(term: Any, bound: tuple[str, ...] = ()) -> str:
    """A short readable form of a term or formula; `bound` are the names around it."""
    if not isinstance(term, tuple) or not term:
        return str(term)
    kind = term[0]
    if kind == "q":
        return str(term[1])
    if kind in ("x", "f"):
        name = bound[term[1]] if isinstance(term[1], int) and term[1] < len(bound) else term[1]
        return f"{name}({', '.join(show(t, bound) for t in term[3])})" if kind == "f" else str(name)
    if kind in _INFIX:
        return "(" + _INFIX[kind].join(show(t, bound) for t in term[1]) + ")"
    if kind in _RELATION:
        return f"{show(term[1], bound)} {_RELATION[kind]} {show(term[2], bound)}"
    if kind == "sum":
        low, high = show(term[2], bound), show(term[3], bound)
        return f"sum[{term[1].label}={low}..{high}]({show(term[4], (term[1].label, *bound))})"
    if kind in ("all", "some"):
        names = tuple(v.label for v in term[1])
        return f"{kind} {', '.join(names)}: {show(term[2], (*names, *bound))}"
    if kind in ("max", "min"):
        return f"{kind}({', '.join(show(t, bound) for t in term[1])})"
    return f"{kind}({', '.join(show(t, bound) for t in term[1:])})"
