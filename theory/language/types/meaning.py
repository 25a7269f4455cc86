"""What the symbols of a claim mean, said where they are declared, and how they are typeset.

A claim file says beneath its declarations what its symbols mean in all its claims:

    m, theta = integer("m"), real_function("theta")
    MEANINGS: Meanings = {m: "number of planes", theta: "angles of the planes"}

Two functions that are the components of a vector by planes have a meaning together, as the pair
`(query_x, query_y)`. A symbol of another file has its meaning there: `{**lags.MEANINGS, m: "..."}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ropeproof.theory.language.types.terms import Function, Term

__all__ = ["Meaning", "Meanings", "by_name", "meaning_among", "name_of", "shown_as", "vector_in"]


@dataclass(frozen=True)
class Meaning:
    r"""The meaning of a symbol, in words.

    `text` and `latex` are how it is typeset, if not by its name. `space` says that a function is a
    vector, by its last argument: the number of its coordinates, as `D` or `2 * m`; with `matrix` its
    last argument but one is the row.
    """

    words: str
    text: str = ""
    latex: str = ""
    space: Term | None = None
    matrix: bool = False


Meanings: TypeAlias = "Mapping[Term | Function | tuple[Function, Function], str | Meaning]"
"""Meanings of symbols, of functions, and of pairs of functions that are the components of a vector."""


def shown_as(text: str, latex: str, words: str) -> Meaning:
    """The meaning of a symbol that is not typeset by its name."""
    return Meaning(words, text, latex)


def vector_in(
    space: Term, words: str, text: str = "", latex: str = "", *, matrix: bool = False
) -> Meaning:
    """The meaning of a function that is a vector, given by coordinates, or a matrix, given by entries."""
    return Meaning(words, text, latex, space, matrix)


def name_of(symbol: Term | Function | tuple[Function, Function]) -> str:
    """The name by which a statement knows a symbol: `x`, `f()` for a function, `q_xy` or `q~_xy` for a pair.

    Raises `TypeError` for anything that is no symbol, no function and no pair of components.
    """
    import sympy as sp  # here, so that ids and help texts need no SymPy
    from sympy.core.function import UndefinedFunction

    if isinstance(symbol, sp.Symbol):
        return str(symbol.name)
    if isinstance(symbol, UndefinedFunction):
        return f"{symbol.__name__}()"
    if isinstance(symbol, tuple) and all(isinstance(part, UndefinedFunction) for part in symbol):
        names = tuple(str(part.__name__) for part in symbol)
        base = names[0].removesuffix("_x")
        if names == (f"{base}_x", f"{base}_y"):
            return f"{base}_xy"
        base = names[0].removeprefix("X_")
        if names == (f"X_{base}", f"Y_{base}"):
            return f"{base}~_xy"
    raise TypeError(
        f"a meaning of {symbol!r}; allowed: of a symbol, of a function (without arguments), and of a pair "
        "of functions whose names are as q_x and q_y, or X_q and Y_q"
    )


def by_name(meanings: Meanings) -> dict[str, dict[Any, Meaning]]:
    """The meanings by the names of the symbols, as `name_of` gives them: by the symbols of each name.

    Two symbols have one name where one is an integer and the other is not. Raises `TypeError` as `name_of`
    does, and for a meaning that is neither words nor a `Meaning`.
    """
    found: dict[str, dict[Any, Meaning]] = {}
    for symbol, given in meanings.items():
        name = name_of(symbol)
        if not isinstance(given, str | Meaning):
            raise TypeError(
                f"the meaning of {name} is {given!r}; allowed: words, or what `shown_as` or "
                "`vector_in` returns"
            )
        found.setdefault(name, {})[symbol] = Meaning(given) if isinstance(given, str) else given
    return found


def meaning_among(told: Mapping[Any, Meaning], formulas: Iterable[Any]) -> Meaning | None:
    """The meaning of that symbol of a name which the formulas have; of the last, if they have none."""
    if len(told) > 1:
        from sympy import Symbol
        from sympy.core.function import AppliedUndef

        parts = {part for formula in formulas for part in formula.atoms(Symbol, AppliedUndef)}
        there = {getattr(part, "func", None) for part in parts} | parts
        told = {symbol: given for symbol, given in told.items() if symbol in there} or told
    return list(told.values())[-1] if told else None
