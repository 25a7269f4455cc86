"""Display abbreviations: how a term that a paper abbreviates is shown.

A claim is written out in full, and so the kernel sees it. A reader sees `g(j) + Gamma <= g(Delta)`
where a `Notation` says that g(t) is the logit at lag t. Nothing is trusted here: a name is shown
only in place of a term that is equal to what the name stands for, symbol for symbol.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ropeproof.theory.errors import InvalidClaim

__all__ = ["ABBREVIATIONS", "Abbreviation", "Notation", "named"]


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


# -- names made where a term is built ------------------------------------------------------------


@dataclass(frozen=True)
class Abbreviation:
    r"""A name for what a function of a topic builds, with any number of arguments.

    `parameters` are what the definition calls the arguments: a symbol for a number; for a vector its
    coordinate, as `u(c)`, or its two components in a plane, as the pair `(a_x(l), a_y(l))`. `text` and
    `latex` hold `{}` where each is shown. `once` says that the name is worth having where it is
    used only once. `module` is the one that declares it.

    A name is never trusted: it is shown only where `build` gives back the very term.
    """

    text: str
    latex: str
    meaning: str
    parameters: tuple[Any, ...]
    build: Callable[..., Any]
    once: bool = False
    module: str = ""

    @cached_property
    def term(self) -> Any:
        """What the name stands for, with the arguments as they are called in the definition."""
        return self.build(*self.parameters)

    @property
    def head(self) -> str:
        """The letters before the arguments: no symbol of a claim may look like them."""
        return re.split(r"[({_\[]", self.text, maxsplit=1)[0].strip()


ABBREVIATIONS: list[Abbreviation] = []
"""All that are declared, in the order in which their modules were loaded."""


def named(
    text: str, latex: str, meaning: str, *parameters: Any, once: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    r"""Declare how the terms that a function builds are shown; the function stays as it is.

    >>> import sympy as sp
    >>> @named("square({})", r"\square({})", "the square", sp.Symbol("x"))
    ... def square(x):
    ...     return x**2
    >>> ABBREVIATIONS.pop().term
    x**2
    """

    module = str(sys._getframe(1).f_globals["__name__"])

    def declare(build: Callable[..., Any]) -> Callable[..., Any]:
        ABBREVIATIONS.append(Abbreviation(text, latex, meaning, parameters, build, once, module))
        return build

    return declare
