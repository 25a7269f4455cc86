"""The rules of typesetting a formula: which brackets it needs, where its lines may end.

There is one set of rules for Unicode and LaTeX. A product binds more tightly than a sum of terms, a
power more tightly than a product; a sum sign takes only the product after it; a fraction ends its
product. A term on a lower level than its place needs is put in brackets, whether SymPy would have
kept such a term or not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import sympy as sp
from sympy.core.facts import InconsistentAssumptions
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from ropeproof.proofs_check.present import lines
from ropeproof.proofs_check.present.lines import Document, Indented, Sequence
from ropeproof.theory.language import logic
from ropeproof.theory.language.logic import Every

__all__ = ["Display", "Setting", "Shown", "chained"]

ADD, SIGN, MUL, POW, ATOM = 1, 2, 3, 4, 5
"""Precedence levels of terms: a sum, a sum sign with its term, a product, a power, and the rest."""
QUANTIFIED, IMPLIED, ANY, ALL, PLAIN = 1, 2, 3, 4, 5
"""Precedence levels of formulas."""
LONG_DENOMINATOR = 100
"""Fractions with a larger denominator are written as decimals if these are finite."""
SHORT = 14
"""The largest number of characters of a left side whose right side follows on the same line."""

_FUNCTIONS = {
    sp.cos: "cos", sp.sin: "sin", sp.tan: "tan", sp.log: "ln", sp.sinh: "sinh", sp.cosh: "cosh",
    sp.tanh: "tanh", sp.Max: "max", sp.Min: "min", sp.sign: "sgn",
}  # fmt: skip
_NAMED = tuple(_FUNCTIONS)


@dataclass(frozen=True)
class Display:
    """How a name is shown, in Unicode and in LaTeX; `loose` if it has several words."""

    text: str
    latex: str
    loose: bool = False


class Shown(sp.Expr):  # type: ignore[misc]  # SymPy is untyped
    """A term that is shown by a form with arguments.

    `form` is a hashable object with `set(setting, arguments) -> (Document, level)` and `key`.
    """

    is_commutative = True
    is_real = True
    form: Any

    def __new__(cls, form: Any, *arguments: Any) -> Any:
        """The shown term; two are equal if their forms and their arguments are equal.

        SymPy caches terms and returns a cached one for equal arguments, so the form must be part of the
        arguments: otherwise a term with another form could be returned.
        """
        made = sp.Expr.__new__(cls, _mark(form), *map(sp.sympify, arguments))
        made.form = form
        return made

    @property
    def binder(self) -> Any:
        """The `binders.Binder` of a form that binds variables; None for most forms."""
        found = getattr(self.form, "binder", None)
        return found and found(self.arguments)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the form."""
        return tuple(self.args[1:])


_FORMS: dict[str, list[Any]] = {}
"""The distinct forms with each key, nearly always a single one."""


def _mark(form: Any) -> Any:
    """A symbol that identifies the form among all forms."""
    known = _FORMS.setdefault(form.key, [])
    if form not in known:
        known.append(form)
    place = known.index(form)
    return sp.Symbol(f"form:{form.key}" + (f":{place}" if place else ""))


def _is_whole(term: Any) -> bool:
    """Whether a term is an integer, as far as SymPy knows without contradicting itself."""
    try:
        return bool(term.is_integer)
    except InconsistentAssumptions:  # of sums that are not evaluated, in some orders of asking
        return False


def chained(parts: Iterable[Any]) -> list[list[Any]]:
    """The parts grouped in runs: `a <= x`, `x <= b` are one, read `a <= x <= b`."""
    runs: list[list[Any]] = []
    for part in parts:
        before = runs[-1][-1] if runs else None
        if (
            isinstance(before, Relational)
            and isinstance(part, Relational)
            and before.rhs == part.lhs
            and {before.rel_op, part.rel_op} <= {"<=", "<"}
        ):
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


@dataclass
class Setting(ABC):
    """The typesetting rules common to Unicode and LaTeX; `names` says how some names are shown."""

    names: Mapping[str, Display] = field(default_factory=dict)
    breaks: bool = False
    """Whether a line may end before a long factor: where lines would be too long otherwise."""
    _set: dict[Any, tuple[Document, int]] = field(default_factory=dict, init=False, repr=False)

    # -- what the two kinds do in their own way -------------------------------------------------

    @abstractmethod
    def name(self, name: str) -> tuple[str, int]:
        """The typeset name and its level."""

    def applied(self, name: str, arguments: tuple[Any, ...], indexed: bool) -> tuple[Document, int]:
        """A typeset function application, or an indexed term of a sequence, and its level."""
        head = self.name(name)[0]
        if not indexed:
            return lines.joined([head, self.brackets(self.arguments(arguments))]), ATOM
        return self.indexed(head, arguments), ATOM

    @abstractmethod
    def indexed(self, head: str, arguments: tuple[Any, ...]) -> str:
        """A letter with the arguments as subscripts."""

    @abstractmethod
    def power(self, base: Any, exponent: Any) -> tuple[Document, int]:
        """A typeset power and its level; a numerical exponent is positive."""

    @abstractmethod
    def root(self, below: Any) -> tuple[Document, int]:
        """A typeset square root and its level."""

    @abstractmethod
    def fraction(self, above: list[Any], below: list[Any]) -> tuple[Document, int]:
        """A typeset fraction of two products and its level."""

    @abstractmethod
    def sum_sign(self, index: Any, low: Any, high: Any) -> str:
        """The sum sign with its range."""

    @abstractmethod
    def function(self, name: str, arguments: tuple[Any, ...]) -> tuple[Document, int]:
        """A typeset application of a named function, and its level."""

    @abstractmethod
    def exponential(self, exponent: Any) -> tuple[Document, int]:
        """The typeset exponential of a term, and its level."""

    @abstractmethod
    def between(self, left: str, inner: Document, right: str) -> Document:
        """A document between two delimiters, which may stand on lines of their own."""

    @abstractmethod
    def product_sign(self, before: str, after: str) -> str:
        """The sign between two factors."""

    @abstractmethod
    def cases(self, expr: Any) -> tuple[Document, int]:
        """A typeset case distinction and its level."""

    minus, pi, e = "-", "pi", "e"
    relations: ClassVar[Mapping[str, str]] = {}
    words: ClassVar[Mapping[str, str]] = {}

    # -- terms ----------------------------------------------------------------------------------

    def term(self, expr: Any, level: int = 0) -> Document:
        """A term for a place that needs a level: in brackets if its own level is lower."""
        found, own = self.leveled(expr)
        return found if own >= level else self.brackets(found)

    def brackets(self, inner: Document) -> Document:
        """The document in round brackets."""
        return self.between("(", inner, ")")

    def inline(self, expr: Any, level: int = 0) -> str:
        """The text of a term on one line."""
        return lines.flat(self.term(expr, level))

    def leveled(self, expr: Any) -> tuple[Document, int]:
        """The typeset term and its level, cached."""
        expr = sp.sympify(expr)
        if expr not in self._set:
            self._set[expr] = self._leveled(expr)
        return self._set[expr]

    def _leveled(self, expr: Any) -> tuple[Document, int]:
        if isinstance(expr, Shown):
            found, own = expr.form.set(self, expr.arguments)
            return found, own
        if isinstance(expr, sp.Rational):
            return self._number(expr)
        if expr is sp.pi:
            return self.pi, ATOM
        if expr is sp.E:
            return self.e, ATOM
        if isinstance(expr, sp.Symbol):
            return self.name(str(expr.name))
        if isinstance(expr, sp.Add):
            return self._addition(expr)
        if isinstance(expr, sp.Mul):
            return self._product(list(expr.args))
        if isinstance(expr, sp.Pow):
            return self._power(expr)
        if isinstance(expr, sp.exp):
            return self.exponential(expr.args[0])
        if isinstance(expr, sp.Abs):
            return self.size(expr.args[0])
        if isinstance(expr, sp.floor):
            return self.floor(expr.args[0])
        if isinstance(expr, _NAMED):
            return self.function(_FUNCTIONS[type(expr)], tuple(expr.args))
        if isinstance(expr, sp.Sum):
            return self._sum(expr)
        if isinstance(expr, sp.Piecewise):
            return self.cases(expr)
        if isinstance(expr, AppliedUndef):
            indexed = all(map(_is_whole, expr.args))
            return self.applied(f"{expr.func.__name__}()", tuple(expr.args), indexed)
        if isinstance(expr, sp.Lambda):
            names = ", ".join(self.inline(v) for v in expr.signature)
            return lines.joined([f"{names} {self.words['maps']} ", self.formula(expr.expr)]), 0
        return str(expr), 0

    @abstractmethod
    def size(self, inner: Any) -> tuple[Document, int]:
        """A typeset absolute value and its level."""

    @abstractmethod
    def floor(self, inner: Any) -> tuple[Document, int]:
        """The typeset integer part of a term and its level."""

    def _number(self, number: Any) -> tuple[Document, int]:
        if number.q != 1 and not _decimal(number):
            return self._product([number])
        if number.q != 1:
            return (
                (_decimal(number), ATOM)
                if number > 0
                else (f"{self.minus}{_decimal(-number)}", ADD)
            )
        if number < 0:
            return f"{self.minus}{-number}", ADD
        return str(number), ATOM

    def _addition(self, expr: Any) -> tuple[Document, int]:
        terms = [self._signed(part) for part in _ordered(expr)]
        terms.sort(key=lambda signed: signed[0])  # one that is added first; the order is kept
        (first_sign, first), *others = terms
        parts: list[Document] = [lines.joined([self.minus, first]) if first_sign else first]
        for minus, part in others:
            parts.append(Sequence((f"{self.minus if minus else '+'} ", part)))
        return Indented(2, lines.Filled(tuple(parts), "")), ADD

    def _signed(self, part: Any) -> tuple[bool, Document]:
        """Whether a term is subtracted, and its typeset form without that sign."""
        if isinstance(part, sp.Rational) and part < 0:
            return True, self.term(-part, MUL)
        if isinstance(part, sp.Mul) and part.args[0].is_Rational and part.args[0] < 0:
            first, *rest = part.args
            factors = rest if first == -1 and rest else [-first, *rest]
            found, own = self._product(factors)
            return True, found if own > ADD else self.brackets(found)
        return False, self.term(part, SIGN)

    def _product(self, factors: list[Any]) -> tuple[Document, int]:
        first = factors[0]
        if len(factors) == 1 and first.is_Rational and _decimal(first):
            return self._number(first)
        if first.is_Rational and first < 0 and (len(factors) > 1 or first.q != 1):
            rest = factors[1:] if first == -1 else [-first, *factors[1:]]
            found, own = self._product(rest)
            return lines.joined([self.minus, found if own >= SIGN else self.brackets(found)]), ADD
        above: list[Any] = []
        below: list[Any] = []
        for factor in factors:
            if factor.is_Rational and factor.q != 1 and not _decimal(factor):
                above += [] if factor.p == 1 else [sp.Integer(factor.p)]
                below.append(sp.Integer(factor.q))
            elif _inverse(factor) is not None:
                below.append(_inverse(factor))
            else:
                above.append(factor)
        if not below:
            return self.factors(above)
        return self.fraction(above or [sp.S.One], below)

    def factors(self, factors: list[Any]) -> tuple[Document, int]:
        """A typeset product without a fraction, and its level."""
        if len(factors) == 1:
            return self.leveled(factors[0])
        ordered = sorted(factors, key=self._rank)
        parts: list[Document] = []
        level = MUL
        before = ""
        for number, factor in enumerate(ordered):
            found, own = self.leveled(factor)
            if own == SIGN and number == len(ordered) - 1:
                level = SIGN
            elif own == MUL and isinstance(factor, sp.Symbol) and number == len(ordered) - 1:
                pass  # a name of two words, as tan α
            elif own <= MUL:
                found = self.brackets(found)
            text = lines.flat(found)
            if parts:
                parts.append(self.product_sign(before, text))
            if parts and self.breaks and len(text) > 30:
                found = lines.Group(Sequence((Indented(4, lines.Break("")), Indented(4, found))))
            parts.append(found)
            before = text
        return Sequence(tuple(parts)), level

    def _rank(self, factor: Any) -> int:
        """The rank of a factor in a product; names of several words come last."""
        loose = isinstance(factor, sp.Symbol) and self.name(str(factor.name))[1] < ATOM
        return 6 if loose else _rank(factor)

    def _power(self, expr: Any) -> tuple[Document, int]:
        base, exponent = expr.args
        if exponent == sp.Rational(1, 2):
            return self.root(base)
        if _inverse(expr) is not None:
            return self.fraction([sp.S.One], [_inverse(expr)])
        return self.power(base, exponent)

    def _sum(self, expr: Any) -> tuple[Document, int]:
        signs = [self.sum_sign(*limit) for limit in reversed(expr.limits)]
        found, own = self.leveled(expr.function)
        body = found if own >= SIGN else self.brackets(found)
        return lines.joined([*(f"{sign} " for sign in signs), Indented(2, body)]), SIGN

    # -- formulas -------------------------------------------------------------------------------

    def formula(self, formula: Any, level: int = 0) -> Document:
        """A formula for a place that needs a level: in brackets if its own level is lower."""
        found, own = self.leveled_formula(formula)
        return found if own >= level else self.brackets(found)

    def leveled_formula(self, formula: Any) -> tuple[Document, int]:
        """The typeset formula and its level."""
        if isinstance(formula, Shown):
            found, own = formula.form.set(self, formula.arguments)
            return found, own
        if isinstance(formula, bool | BooleanAtom):
            return self.words["true" if formula else "false"], PLAIN
        if isinstance(formula, logic.Both | sp.And):
            return self._conjunction(logic.conjuncts(formula))
        if isinstance(formula, logic.Either | sp.Or):
            parts = [self.formula(part, ALL) for part in formula.args]
            between = Sequence((lines.Break(), f"{self.words['or']} "))
            return lines.Group(lines.joined(parts, between)), ANY
        if isinstance(formula, logic.If | sp.Implies):
            premise, conclusion = formula.args
            return lines.Group(
                lines.joined(
                    [
                        self.formula(premise, ANY),
                        Indented(2, Sequence((lines.Break(), f"{self.words['implies']} "))),
                        Indented(2, self.formula(conclusion, ANY)),
                    ]
                )
            ), IMPLIED
        if isinstance(formula, logic.Negation | sp.Not):
            inner = self.formula(formula.args[0])
            return lines.joined([self.words["not"], self.brackets(inner)]), PLAIN
        if isinstance(formula, Every | logic.Some):
            return self._quantified(formula)
        if isinstance(formula, Relational):
            return self.relations_of([formula]), PLAIN
        if isinstance(formula, Boolean) and not isinstance(formula, sp.Symbol):
            return str(formula), 0
        return self.leveled(formula)

    def _conjunction(self, parts: list[Any]) -> tuple[Document, int]:
        runs = chained(parts)
        set_parts = [
            self.relations_of(run)
            if isinstance(run[0], Relational)
            else self.formula(run[0], PLAIN)
            for run in runs
        ]
        if len(set_parts) == 1:
            return set_parts[0], PLAIN
        return lines.Filled(tuple(set_parts), f"{self.words['and']} "), ALL

    def relations_of(self, run: list[Any]) -> Document:
        """A chain of relations, typeset as one."""
        parts: list[Document] = [self.term(run[0].lhs)]
        short = len(lines.flat(parts[0])) <= SHORT and len(run) == 1
        for relation in run:
            sign = self.relations[relation.rel_op]
            gap: Document = " " if short else Indented(2, lines.Break())
            parts += [gap, f"{sign} ", Indented(4, self.term(relation.rhs))]
        return lines.Group(Sequence(tuple(parts)))

    def _quantified(self, formula: Any) -> tuple[Document, int]:
        word = self.words["every" if isinstance(formula, Every) else "some"]
        variables, body = formula.args
        if isinstance(formula, Every) and isinstance(body, logic.If):
            guard, rest = logic.conjuncts(body.args[0]), body.args[1]
        elif isinstance(formula, logic.Some) and isinstance(body, logic.Both):
            guard, rest = _leading_ranges(logic.conjuncts(body))
        else:
            guard, rest = [], body
        runs = chained(guard)
        names = list(variables)
        if not self._ranges(names, runs):
            runs, rest = [], body
        shown = ", ".join(map(self._variable, names))
        head: Document = f"{word}{shown}:"
        if runs:
            told = [self.relations_of(run) for run in runs]
            *most, last = (lines.flat(part) for part in told)
            if [run[0].rhs for run in runs] == names and all(len(run) == 2 for run in runs):
                told_as = ", ".join((*most, last))
                head = f"{word}{told_as}:"  # each range has its name in the middle
            else:
                ranges: list[Document] = [f"{part}," for part in most]
                filled = lines.Filled((*ranges, f"{last}:"), "")
                head = Sequence((f"{word}{shown}{self.words['with']}", Indented(4, filled)))
        body = Indented(2, self.formula(rest))
        return lines.Group(Sequence((head, Indented(2, lines.Break()), body))), QUANTIFIED

    def _variable(self, variable: Any) -> str:
        """The text of a bound variable; for a function, its letter."""
        if isinstance(variable, AppliedUndef):
            return self.name(f"{variable.func.__name__}()")[0]
        return self.inline(variable)

    def _ranges(self, names: list[Any], runs: list[list[Any]]) -> bool:
        """Whether the runs are one range `low <= name <= high` for each name and nothing else."""
        if not runs or not all(isinstance(r, Relational) for run in runs for r in run):
            return False
        middle = [run[0].rhs for run in runs if len(run) == 2]
        first = middle[: len(names)]
        return set(names) <= set(middle) and set(first) == set(names) and len(runs[0]) == 2

    # -- helpers for the two kinds --------------------------------------------------------------

    def arguments(self, arguments: Iterable[Any]) -> Document:
        """The terms separated by commas, which may stand on lines of their own."""
        return lines.joined([self.term(a) for a in arguments], Sequence((",", lines.Break())))


def _decimal(number: Any) -> str:
    """A positive fraction as a finite decimal if its denominator is long, else ""."""
    below = int(number.q)
    if below <= LONG_DENOMINATOR:
        return ""
    for factor in (2, 5):
        while below % factor == 0:
            below //= factor
    if below != 1:
        return ""
    scale = 1
    while (number * scale).q != 1:
        scale *= 10
    digits = str(abs(int(number * scale)))
    count = len(str(scale)) - 1
    digits = digits.rjust(count + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-count]}.{digits[-count:]}"


def _leading_ranges(parts: list[Any]) -> tuple[list[Any], Any]:
    """The leading ranges `low <= x, x <= high`, and the rest as one formula."""
    count = 0
    for run in chained(parts):
        if len(run) != 2:
            break
        count += 2
    if count == len(parts):
        count -= 2
    rest = parts[count:]
    return parts[:count], rest[0] if len(rest) == 1 else logic.Both(*rest)


def _inverse(factor: Any) -> Any:
    """The denominator if the factor is an inverse, or None."""
    if not isinstance(factor, sp.Pow) or not factor.exp.is_Rational or factor.exp >= 0:
        return None
    if factor.exp == -1:
        return factor.base
    return sp.Pow(factor.base, -factor.exp, evaluate=False)


def _rank(factor: Any) -> int:
    """The rank by which factors are ordered.

    The order is numbers, letters, sequence terms, forms, powers and functions, sums, sum signs.
    """
    if factor.is_Rational:
        return 0
    inner = factor.base if isinstance(factor, sp.Pow) else factor
    if isinstance(factor, sp.Sum):
        return 7
    if isinstance(inner, sp.Symbol) or inner is sp.pi:
        return 1
    if isinstance(inner, AppliedUndef):
        return 2
    if isinstance(inner, Shown):
        return 3
    return 5 if isinstance(inner, sp.Add) else 4


@lru_cache(maxsize=20_000)
def _ordered(expr: Any) -> list[Any]:
    try:
        ordered = list(expr.as_ordered_terms())
    except (TypeError, ValueError, AttributeError):
        return list(expr.args)
    known = list(expr.args)
    same = len(ordered) == len(known) and all(part in known for part in ordered)
    return ordered if same else known
