"""The types of what a claim file writes: terms, formulas, function symbols, and values of symbols.

SymPy has no types. Here a type checker reads classes with typed methods, which say what claims and
proofs use of SymPy's; at run time each is SymPy's own class, and nothing is wrapped.

Where a term is due an integer stands for one, `Term | int`. A float does not: it is no exact number.
Python's `<`, `<=`, `>`, `>=` make no formula, because SymPy decides them while they are written: a formula
is made by `lt`, `le` and their like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

__all__ = ["Condition", "Formula", "Function", "Substitution", "Symbols", "Term", "Values"]

if TYPE_CHECKING:

    class _Written:
        """What terms and formulas have in common."""

        @property
        def args(self) -> tuple[Any, ...]:
            """The parts, each a term or a formula."""

        @property
        def func(self) -> Callable[..., Any]:
            """What makes the whole of its parts."""

        @property
        def free_symbols(self) -> set[Term]:
            """The symbols that no sum and no quantifier binds."""

        def atoms(self, *kinds: Any) -> set[Any]:
            """The parts of these kinds, at any depth."""

        def has(self, *parts: Any) -> bool:
            """Whether one of these is a part, at any depth."""

    class Term(_Written):
        """A number, written with symbols."""

        def __add__(self, other: Term | int) -> Term: ...
        def __radd__(self, other: int) -> Term: ...
        def __sub__(self, other: Term | int) -> Term: ...
        def __rsub__(self, other: int) -> Term: ...
        def __mul__(self, other: Term | int) -> Term: ...
        def __rmul__(self, other: int) -> Term: ...
        def __truediv__(self, other: Term | int) -> Term: ...
        def __rtruediv__(self, other: int) -> Term: ...
        def __mod__(self, other: Term | int) -> Term: ...
        def __pow__(self, other: Term | int) -> Term: ...
        def __rpow__(self, other: int) -> Term: ...
        def __neg__(self) -> Term: ...
        def __pos__(self) -> Term: ...
        def __abs__(self) -> Term: ...
        def __int__(self) -> int: ...
        def __lt__(self, other: Term | int) -> Condition: ...
        def __le__(self, other: Term | int) -> Condition: ...
        def __gt__(self, other: Term | int) -> Condition: ...
        def __ge__(self, other: Term | int) -> Condition: ...
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

        @property
        def base(self) -> Term:
            """What a power raises."""

        @property
        def limits(self) -> tuple[Any, ...]:
            """The ranges of a sum, the innermost first."""

        @property
        def function(self) -> Term:
            """What a sum adds up."""

        @property
        def is_integer(self) -> bool | None:
            """Whether it is an integer; None if SymPy does not know."""

        def subs(self, *values: Any) -> Term:
            """The term with values put in place of parts, as SymPy does it."""

        def xreplace(self, values: Any) -> Term:
            """The term with values put in place of whole parts."""

        def diff(self, *symbols: Term | int) -> Term:
            """The derivative."""

        def expand(self) -> Term:
            """The term with its products multiplied out."""

    class Symbols(Term, Sequence[Term]):
        """What `real("x")` or `real("x y")` declares: a symbol, or several in a tuple."""

    class Condition:
        """What `<` makes of terms, for a case of `sp.Piecewise`; a formula is made by `lt`."""

    class Function:
        """A function symbol: applied to terms it is a term."""

        name: str
        __name__: str

        def __call__(self, *arguments: Term | int) -> Term:
            """The function at these arguments."""

    class Formula(_Written):
        """What is true or false: a comparison, or one with connectives and quantifiers."""

        def __new__(cls, *parts: Any) -> Self:
            """The formula of these parts."""

        @property
        def lhs(self) -> Term:
            """The left side, of a comparison."""

        @property
        def rhs(self) -> Term:
            """The right side, of a comparison."""

        def subs(self, *values: Any) -> Formula:
            """The formula with values put in place of parts, as SymPy does it."""

        def xreplace(self, values: Any) -> Formula:
            """The formula with values put in place of whole parts."""

else:
    from sympy import Expr as Term
    from sympy.core.function import UndefinedFunction as Function
    from sympy.logic.boolalg import Boolean as Formula

    Symbols = Term
    Condition = Formula

Values = dict[Term, Term | int]
"""The values of symbols, and of function symbols at a place, as an attack and `where` take them."""

Substitution = Mapping[Any, Term | int | Callable[..., Term | int]]
"""What is put for symbols, and for function symbols as a whole, in a lemma or a `for all`."""
