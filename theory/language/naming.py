"""Display abbreviations: how a term that a paper abbreviates is shown.

A claim is written out in full, and so the kernel sees it. A reader sees `Γ ≤ g(Δ) − g(j)` if the
function that builds the logit at lag t declares that its terms are shown as g(t). Nothing is trusted
here: a name is shown only in place of a term that equals the name's term, symbol for symbol.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from sympy.core.function import AppliedUndef

__all__ = ["ABBREVIATIONS", "Abbreviation", "named"]

Build = TypeVar("Build", bound=Callable[..., Any])


@dataclass(frozen=True)
class Abbreviation:
    r"""A name for the terms that a function of a topic builds, with any number of arguments.

    `parameters` are the definition's names of the arguments: a symbol for a number; for a vector its
    coordinate, as `u(c)`, or its two components in a plane, as the pair `(a_x(l), a_y(l))`. `text` and
    `latex` hold `{}` where each is shown. `once` says that the name is shown even if it would be
    used only once. `module` is the module that declares it.

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
        """The term of the definition, with its parameters as arguments."""
        return self.build(*self.parameters)

    @cached_property
    def needs(self) -> frozenset[str]:
        """Names of symbols and functions in every term of this name, aside from arguments."""
        given = [p for q in self.parameters for p in (q if isinstance(q, tuple) else (q,))]
        own = {p.func if isinstance(p, AppliedUndef) else p for p in given}
        functions = {a.func for a in self.term.atoms(AppliedUndef)} - own
        symbols = self.term.free_symbols - own
        return frozenset(f.__name__ for f in functions) | {str(s.name) for s in symbols}

    @property
    def head(self) -> str:
        """The letters before the arguments; no symbol of a claim may look the same."""
        return re.split(r"[({_\[]", self.text, maxsplit=1)[0].strip()


ABBREVIATIONS: list[Abbreviation] = []
"""All declared abbreviations, in the order in which their modules were loaded."""


def named(
    text: str, latex: str, meaning: str, *parameters: Any, once: bool = False
) -> Callable[[Build], Build]:
    r"""Declare how the terms that a function builds are shown; the function itself is unchanged.

    >>> import sympy as sp
    >>> @named("square({})", r"\square({})", "the square", sp.Symbol("x"))
    ... def square(x):
    ...     return x**2
    >>> ABBREVIATIONS.pop().term
    x**2
    """

    module = str(sys._getframe(1).f_globals["__name__"])

    def declare(build: Build) -> Build:
        ABBREVIATIONS.append(Abbreviation(text, latex, meaning, parameters, build, once, module))
        return build

    return declare
