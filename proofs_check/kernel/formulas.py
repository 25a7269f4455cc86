"""The normal form of formulas, shared by all that are equal up to arithmetic and bound names."""

from __future__ import annotations

from functools import lru_cache

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import Key, as_constant, key, lead, scale
from ropeproof.proofs_check.kernel.terms import (
    RELATIONS,
    REMEMBER_AT_MOST,
    Malformed,
    Term,
    bind_in,
    fresh,
    opened,
    order,
    sub,
)

__all__ = ["canonical", "formula"]


def formula(normal: Normal, f: Term) -> Key:
    """A hashable normal form, the same for formulas that are equal up to arithmetic and bound names."""
    kind = f[0]
    if kind in RELATIONS:
        poly = normal.poly(sub(f[2], f[1]))
        value = as_constant(poly)
        if value is not None:
            holds = {"eq": value == 0, "ne": value != 0, "le": value >= 0, "lt": value > 0}
            return ("true",) if holds[kind] else ("false",)
        c = lead(poly)
        return (kind, key(scale(poly, 1 / (c if kind in ("eq", "ne") else abs(c)))))
    if kind in ("and", "or"):
        empty = ("true",) if kind == "and" else ("false",)
        found = [formula(normal, g) for g in f[1]]
        parts = {p for g in found for p in (g[1] if g[0] == kind else [g])} - {empty}
        if len(parts) > 1:
            return (kind, tuple(sorted(parts, key=order)))
        return parts.pop() if parts else empty
    if kind == "if":
        premise, conclusion = formula(normal, f[1]), formula(normal, f[2])
        return conclusion if premise == ("true",) else ("if", premise, conclusion)
    if kind in ("all", "some"):
        variables = fresh(f, normal.names)
        sorts = tuple((v.is_integer, v.arity) for v in variables)
        return (kind, sorts, bind_in(formula(normal, opened(f, variables)), *variables))
    if kind == "not":
        return ("not", formula(normal, f[1]))
    if kind not in ("true", "false"):
        raise Malformed(f"not a formula: {kind}")
    return (kind,)


@lru_cache(REMEMBER_AT_MOST)
def canonical(statement: Term) -> Key:
    """The normal form of a formula without any facts."""
    return formula(Normal(), statement)
