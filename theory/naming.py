"""Names for what has a name: how a term that a paper abbreviates is shown.

A claim is written out in full, and so the kernel sees it. A reader sees `g(j) + Gamma <= g(Delta)`
where a `Notation` says that g(t) is the logit at lag t. Nothing is trusted here: a name is shown
only in place of a term that is equal to what the name stands for, symbol for symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ropeproof.theory.errors import InvalidClaim

__all__ = ["Notation"]


@dataclass(frozen=True)
class Notation:
    r"""A name with at most one argument, what it stands for, and how it is shown.

    `stands_for` builds the term, from the argument if there is one; `latex` and `text` hold `{}`
    where the argument is shown. `letters` are the names of symbols that would be mistaken for
    it: a claim that has one of them for itself is shown without this notation. The argument of a
    notation `of_vector` is a pair, the vector's two components in the plane `l`.

    >>> import sympy as sp
    >>> square = Notation("q(t)", lambda t: t**2, r"q({})", "q({})", "the square", letters=("q",))
    >>> square.stands_for(sp.Symbol("x"))
    x**2
    """

    name: str
    stands_for: Callable[..., Any]
    latex: str
    text: str
    meaning: str
    argument: Any = None
    of_vector: bool = False
    letters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.argument is not None) != ("{}" in self.latex) or (
            ("{}" in self.latex) != ("{}" in self.text)
        ):
            raise InvalidClaim(
                f"notation {self.name!r}: latex {self.latex!r} and text {self.text!r} must both "
                "hold {} if it has an argument, and neither otherwise"
            )

    def term(self) -> Any:
        """What the name stands for, with its argument as it is called in the definition."""
        return self.stands_for() if self.argument is None else self.stands_for(self.argument)
