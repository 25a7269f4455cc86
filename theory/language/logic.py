"""Formulas: the connectives and quantifiers in which statements are written.

SymPy's own connectives evaluate on construction (`Eq(cos(-x), cos(x))` becomes `True`
without a proof). These do not: a formula stays as its author wrote it.
SymPy still evaluates terms on construction: x/x becomes 1. `kept` and `frac` prevent that.
Atoms are SymPy relations built by `eq`, `ne`, `le`, `lt`, `ge`, `gt`; terms are SymPy
expressions over symbols declared by `real`, `integer`, `real_function`, `integer_function`.
No other assumption is allowed on a symbol: an assumption would be a hidden hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.types.terms import Formula, Function, Symbols, Term, Values
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

if TYPE_CHECKING:
    from ropeproof.theory.language.types import sympy_names as sp
else:
    import sympy as sp

__all__ = [
    "Both",
    "Either",
    "Every",
    "Formula",
    "If",
    "Negation",
    "Some",
    "conjuncts",
    "eq",
    "every",
    "frac",
    "ge",
    "gt",
    "iff",
    "implication",
    "integer",
    "integer_function",
    "is_loose",
    "kept",
    "le",
    "listed",
    "lt",
    "ne",
    "real",
    "real_function",
    "some",
    "where",
    "within",
]


def real(names: str) -> Symbols:
    """Real symbols, declared as with `sympy.symbols`."""
    return sp.symbols(names, real=True)


def integer(names: str) -> Symbols:
    """Integer symbols, declared as with `sympy.symbols`."""
    return sp.symbols(names, integer=True)


def real_function(name: str) -> Function:
    """A function symbol with real values."""
    return sp.Function(name, real=True)


def integer_function(name: str) -> Function:
    """A function symbol with integer values."""
    return sp.Function(name, integer=True)


def kept(kind: Callable[..., Term], *parts: Term | int) -> Term:
    """A term that SymPy does not evaluate.

    For example, SymPy itself would make `kept(sp.Mul, x, 1 / x)` the number 1.
    """
    return kind(*(sp.sympify(part) for part in parts), evaluate=False)


def frac(above: Term | int, below: Term | int) -> Term:
    """A fraction that SymPy does not cancel."""
    return kept(sp.Mul, above, kept(sp.Pow, below, -1))


def eq(left: Term | int, right: Term | int) -> Formula:
    """The formula `left = right`, not evaluated."""
    return sp.Eq(sp.sympify(left), sp.sympify(right), evaluate=False)


def ne(left: Term | int, right: Term | int) -> Formula:
    """The formula `left != right`, not evaluated."""
    return sp.Ne(sp.sympify(left), sp.sympify(right), evaluate=False)


def le(left: Term | int, right: Term | int) -> Formula:
    """The formula `left <= right`, not evaluated."""
    return sp.Le(sp.sympify(left), sp.sympify(right), evaluate=False)


def lt(left: Term | int, right: Term | int) -> Formula:
    """The formula `left < right`, not evaluated."""
    return sp.Lt(sp.sympify(left), sp.sympify(right), evaluate=False)


def ge(left: Term | int, right: Term | int) -> Formula:
    """The formula `left >= right`, stored as `right <= left`."""
    return le(right, left)


def gt(left: Term | int, right: Term | int) -> Formula:
    """The formula `left > right`, stored as `right < left`."""
    return lt(right, left)


def is_loose(formula: Any) -> bool:
    """Whether a formula needs brackets as a part of a connective."""
    tight = Relational | Negation | sp.Not | BooleanAtom
    return isinstance(formula, Formula) and not isinstance(formula, tight | sp.Symbol)


def _bracketed(formula: Any, printer: Any) -> str:
    text = str(printer._print(formula))
    return rf"\left({text}\right)" if is_loose(formula) else text


class _Connective(Formula):
    """A connective whose arguments keep their order and are never evaluated."""

    is_Boolean = True  # noqa: N815  # with the precedence: for the brackets of SymPy's connectives
    precedence = 0
    symbol = "?"
    latex_symbol = "?"

    def __new__(cls, *parts: Formula) -> Self:
        return Formula.__new__(cls, *(sp.sympify(part) for part in parts))

    def _sympystr(self, printer: Any) -> str:
        return f" {self.symbol} ".join(f"({printer._print(part)})" for part in self.args)

    def _latex(self, printer: Any) -> str:
        return rf" {self.latex_symbol} ".join(_bracketed(part, printer) for part in self.args)


class Both(_Connective):
    """Conjunction: all parts hold."""

    symbol = "and"
    latex_symbol = r"\ \wedge\ "


class Either(_Connective):
    """Disjunction: some part holds."""

    symbol = "or"
    latex_symbol = r"\ \vee\ "


class If(_Connective):
    """Implication, `If(premise, conclusion)`."""

    symbol = "=>"
    latex_symbol = r"\ \Rightarrow\ "

    if TYPE_CHECKING:

        def __new__(cls, premise: Formula, conclusion: Formula) -> Self:
            """The implication."""


class Negation(_Connective):
    """Negation: the part does not hold."""

    if TYPE_CHECKING:

        def __new__(cls, part: Formula) -> Self:
            """The negation."""

    def _sympystr(self, printer: Any) -> str:
        return f"not ({printer._print(self.args[0])})"

    def _latex(self, printer: Any) -> str:
        return rf"\neg\left({printer._print(self.args[0])}\right)"


class _Quantifier(Formula):
    """A quantifier: variables (symbols, or applied function symbols for functions) and a body."""

    is_Boolean = True  # noqa: N815
    precedence = 0
    word = "?"
    latex_word = "?"

    def __new__(cls, variables: tuple[Term, ...] | list[Term], body: Formula) -> Self:
        return Formula.__new__(cls, sp.Tuple(*variables), sp.sympify(body))

    def _sympystr(self, printer: Any) -> str:
        names = ", ".join(printer._print(v) for v in self.args[0])
        return f"{self.word} {names}: ({printer._print(self.args[1])})"

    def _latex(self, printer: Any) -> str:
        names = ", ".join(printer._print(v) for v in self.args[0])
        return rf"{self.latex_word} {names}:\ {printer._print(self.args[1])}"


class Every(_Quantifier):
    """Universal quantifier: the body holds for all values of the variables."""

    word = "for all"
    latex_word = r"\forall"


class Some(_Quantifier):
    """Existential quantifier: the body holds for some values of the variables."""

    word = "for some"
    latex_word = r"\exists"


def where(values: Mapping[Term, Term | int]) -> tuple[Formula, ...]:
    """The formulas `term = value` for each pair, which describe one instance.

    Raises `InvalidClaim` as `refuse_texts` does.
    """
    refuse_texts(values)
    return tuple(eq(term, value) for term, value in values.items())


def refuse_texts(values: Mapping[Any, Any]) -> None:
    """Raise `InvalidClaim`, with the entry to write, for a text in a mapping from terms to their values.

    SymPy would read the text `"x"` as another symbol of that name, about which nothing is known.
    """
    for key, value in values.items():
        if isinstance(key, str) or isinstance(value, str):
            raise InvalidClaim(
                f"values: got {{{key!r}: {value!r}}}; allowed: terms without quotation marks, "
                f"{{{key}: {value}}}, of symbols that the file declares, as in x = real('x')"
            )


def float_said(formula: Any) -> str:
    """What to write in place of a floating-point number in a formula; "" if it has none."""
    found = min(_floats(formula), key=str, default=None)
    if found is None:
        return ""
    exact: Any = sp.Rational(str(float(found)))
    return (
        f"{float(found)!r} is a float, and no exact number; write sp.Rational({exact.p}, {exact.q})"
    )


def _floats(formula: Any) -> set[Any]:
    """The floating-point numbers in a formula, each part looked at once, however deep or shared it is."""
    found, seen, left = set(), set(), [formula]
    while left:
        part = left.pop()
        if id(part) in seen or not isinstance(part, sp.Basic):
            continue
        seen.add(id(part))
        if isinstance(part, sp.Float):
            found.add(part)
        left.extend(part.args)
    return found


def listed(function: Function, *values: Term | int) -> Values:
    """The values of a function at 0, 1, ..., as part of a mapping for `where` or an attack."""
    return {function(place): value for place, value in enumerate(values)}


def conjuncts(formula: Formula) -> list[Formula]:
    """The parts of nested conjunctions in order; a formula that is no conjunction is its own part.

    `Both()` has no part. SymPy's own `And`, which formulas of the catalogue do not use, counts too.
    """
    if isinstance(formula, Both | sp.And):
        return [part for f in formula.args for part in conjuncts(f)]
    return [formula]


def implication(formula: Formula) -> tuple[list[Formula], Formula]:
    """The conjuncts of all premises of nested implications, and the final conclusion."""
    premises: list[Formula] = []
    while isinstance(formula, If):
        premises += conjuncts(formula.args[0])
        formula = formula.args[1]
    return premises, formula


def within(variable: Term | int, low: Term | int, high: Term | int) -> Formula:
    """The formula `low <= variable <= high`."""
    return Both(le(low, variable), le(variable, high))


def every(variable: Term, low: Term | int, high: Term | int, body: Formula) -> Formula:
    """The formula that the body holds for all `low <= variable <= high`."""
    return Every((variable,), If(within(variable, low, high), body))


def some(variable: Term, low: Term | int, high: Term | int, body: Formula) -> Formula:
    """The formula that the body holds for some `low <= variable <= high`."""
    return Some((variable,), Both(le(low, variable), le(variable, high), body))


def iff(left: Formula, right: Formula) -> Formula:
    """Equivalence: the conjunction of both implications."""
    return Both(If(left, right), If(right, left))
