"""The language of claim files, in one import: `from ropeproof.theory.language import *`.

Terms are SymPy's over symbols declared by `real`, `integer`, `real_function`; formulas are those
of `logic`, claims those of `claim`, proofs and attacks those of `proof`, rules those of
`derivation` (as `rules.induction(n, 1)`). Symbols that topics share are in `notation`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ropeproof.theory.language import derivation as rules
    from ropeproof.theory.language.attack import Attack
    from ropeproof.theory.language.axioms import axiom_named
    from ropeproof.theory.language.claim import (
        OWN,
        Claim,
        Hypothesis,
        Mutant,
        Paper,
        Reading,
        Source,
    )
    from ropeproof.theory.language.instance import by_name
    from ropeproof.theory.language.logic import (
        Both,
        Either,
        Every,
        If,
        Negation,
        Some,
        eq,
        every,
        frac,
        ge,
        gt,
        iff,
        integer,
        integer_function,
        kept,
        le,
        listed,
        lt,
        ne,
        real,
        real_function,
        some,
        where,
        within,
    )
    from ropeproof.theory.language.naming import named
    from ropeproof.theory.language.notation import MEANINGS as NOTATION
    from ropeproof.theory.language.proof import Fact, Premise, Proof, Scope, prove, theorem
    from ropeproof.theory.language.substitution import kept_at
    from ropeproof.theory.language.types import sympy_names as sp
    from ropeproof.theory.language.types.meaning import Meanings, shown_as, vector_in
    from ropeproof.theory.language.types.terms import Formula, Function, Substitution, Term, Values

__all__ = [
    "NOTATION",
    "OWN",
    "Any",
    "Attack",
    "Both",
    "Callable",
    "Claim",
    "Either",
    "Every",
    "Fact",
    "Formula",
    "Function",
    "Hypothesis",
    "If",
    "Mapping",
    "Meanings",
    "Mutant",
    "Negation",
    "Paper",
    "Premise",
    "Proof",
    "Reading",
    "Scope",
    "Sequence",
    "Some",
    "Source",
    "Substitution",
    "Term",
    "Values",
    "axiom_named",
    "by_name",
    "eq",
    "every",
    "frac",
    "ge",
    "gt",
    "iff",
    "integer",
    "integer_function",
    "kept",
    "kept_at",
    "le",
    "listed",
    "lt",
    "named",
    "ne",
    "prove",
    "real",
    "real_function",
    "rules",
    "shown_as",
    "some",
    "sp",
    "theorem",
    "vector_in",
    "where",
    "within",
]

_HERE = "ropeproof.theory.language"
_HOMES = {
    **dict.fromkeys(("Callable", "Mapping", "Sequence"), "collections.abc"),
    **dict.fromkeys(("Attack",), f"{_HERE}.attack"),
    **dict.fromkeys(
        ("OWN", "Claim", "Hypothesis", "Mutant", "Paper", "Reading", "Source"), f"{_HERE}.claim"
    ),
    **dict.fromkeys(("Fact", "Premise", "Proof", "Scope", "prove", "theorem"), f"{_HERE}.proof"),
    "axiom_named": f"{_HERE}.axioms",
    "by_name": f"{_HERE}.instance",
    "named": f"{_HERE}.naming",
    **dict.fromkeys(("Meanings", "shown_as", "vector_in"), f"{_HERE}.types.meaning"),
    "kept_at": f"{_HERE}.substitution",
    **dict.fromkeys(
        ("Formula", "Function", "Substitution", "Term", "Values"), f"{_HERE}.types.terms"
    ),
}
"""The modules of the names that are not from `logic`."""


def __getattr__(name: str) -> Any:
    """A name of the language, loaded from its module on first access."""
    if name == "sp":
        value: Any = import_module("sympy")
    elif name == "NOTATION":
        value = import_module(f"{_HERE}.notation").MEANINGS
    elif name == "rules":
        value = import_module(f"{_HERE}.derivation")
    elif name in __all__:
        value = getattr(import_module(_HOMES.get(name, f"{_HERE}.logic")), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value
