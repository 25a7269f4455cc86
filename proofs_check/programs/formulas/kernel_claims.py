"""A coordinate's computation as a claim: its lines are the hypotheses, its formula is the conclusion.

The claim is about all real numbers, constants of the code among them, so that one claim serves all
planes whose coordinates are computed alike. The kernel accepts it by `rewrite`, `chain` and `identity`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from quicktions import Fraction

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.programs.formulas import forms
from ropeproof.proofs_check.programs.formulas.forms import Atom, ExactForm, atom, constant
from ropeproof.proofs_check.programs.formulas.meaning import ProgramMeaning
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.claim import OWN, Claim, Hypothesis, Mutant
from ropeproof.theory.language.derivation import Derivation, Step
from ropeproof.theory.language.logic import Both, eq, integer, le, real

__all__ = ["Computation", "computation_of", "distance_claim", "equation_claim", "proved_claim"]

Expression = Any
_PLAIN = 4096
"""Rational constants with a numerator and a denominator up to this stay numbers."""


class Computation:
    """The lines that compute one element, with leaves named in the order in which they are met."""

    def __init__(self, meaning: ProgramMeaning, number: int, where: Any) -> None:
        self.meaning = meaning
        self.leaves: dict[tuple[str, Any], tuple[str, Atom]] = {}
        self.lines: list[tuple[str, tuple[Any, ...]]] = []
        self._line: dict[Any, Any] = {}
        self.result = self._token(number, where)

    @property
    def signature(self) -> tuple[Any, ...]:
        """What computations that differ in constants and names alone have in common."""
        return tuple(self.lines), self.result

    def _token(self, number: int, where: Any) -> Any:
        form = self.meaning.value(number, where)
        if not isinstance(form, ExactForm):
            raise Unsupported("a condition stands in a formula")
        leaf = self._leaf(form)
        if leaf is not None:
            return leaf
        key = (number, where)
        if key in self._line:
            return self._line[key]
        if key not in self.meaning.how:  # an argument that stands for more than itself
            return self._named("n" if form.is_integer() else "t", form)
        op, parts = self.meaning.how[key]
        if op == "same":
            token = self._token(*parts[0])
        elif op in ("sum", "dot"):
            width = 1 if op == "sum" else 2
            terms = []
            for k in range(0, len(parts), width):
                product = [self.meaning.value(*p) for p in parts[k : k + width]]
                if not any(isinstance(f, ExactForm) and not f.terms for f in product):
                    own = tuple(self._token(*p) for p in parts[k : k + width])
                    terms.append(own[0] if width == 1 else self._new("mul", own))
            token = terms[0]
            for other in terms[1:]:
                token = self._new("add", (token, other))
        elif op in ("cos", "sin") and (point := self._point(parts[0])):
            token = self._new(f"{op} of a point", tuple(self._token(*p) for p in point))
        else:
            token = self._new(op, tuple(self._token(*p) for p in parts))
        self._line[key] = token
        return token

    def _point(self, key: Any) -> tuple[Any, ...]:
        """The two coordinates of a point whose angle is an element, if it is one."""
        while key in self.meaning.how and self.meaning.how[key][0] == "same":
            key = self.meaning.how[key][1][0]
        op, parts = self.meaning.how.get(key, ("", ()))
        return parts if op == "atan2" else ()

    def _new(self, op: str, arguments: tuple[Any, ...]) -> Any:
        line = (op, arguments)
        if line not in self.lines:
            self.lines.append(line)
        return ("line", self.lines.index(line))

    def _leaf(self, form: ExactForm) -> Any:
        number = form.rational()
        if number is not None and max(abs(number.numerator), number.denominator) <= _PLAIN:
            return ("number", number)
        if not form.is_constant():
            if len(form.terms) != 1:
                return None
            ((mono, c),) = form.terms.items()
            if c != 1 or len(mono) != 1 or mono[0][1] != 1:
                return None
            kind = mono[0][0][0]
            if kind not in ("v", "n", "row"):
                return None
            name = {"v": "x", "n": "n", "row": "t"}[kind]
        elif any(a[0] == "row" for a in form.atoms()):
            name = "t"
        else:
            name = "c"
        return self._named(name, form)

    def _named(self, name: str, form: ExactForm) -> Any:
        if (name, form) not in self.leaves:
            count = sum(1 for kind, _ in self.leaves if kind == name)
            own: Atom = ("n" if name == "n" else "v", name, count)
            self.leaves[name, form] = (f"{name}{count}", own)
        return ("leaf", self.leaves[name, form][0])


def computation_of(meaning: ProgramMeaning, number: int, element: int) -> Computation:
    """The lines that compute an element of a node, which has been evaluated before."""
    return Computation(meaning, number, element)


_SYMPY: Mapping[str, Callable[..., Expression]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "cos": sp.cos,
    "sin": sp.sin,
    "floordiv": lambda a, b: sp.floor(a / b),
    "mod": lambda a, b: a - b * sp.floor(a / b),
    "floor": sp.floor,
    "pow": lambda a, b: a**b,
    "cos of a point": lambda s, c: c / sp.sqrt(s**2 + c**2),
    "sin of a point": lambda s, c: s / sp.sqrt(s**2 + c**2),
}

_FORMS: Mapping[str, Callable[..., ExactForm]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": forms.divided,
    "neg": lambda a: -a,
    "cos": forms.cosine,
    "sin": forms.sine,
    "floordiv": lambda a, b: (a - forms.modulo(a, _rational(b))).times(1 / _rational(b)),
    "mod": lambda a, b: forms.modulo(a, _rational(b)),
    "floor": lambda a: a,
    "pow": forms.power,
    "cos of a point": lambda s, c: _on_circle(s, c, c),
    "sin of a point": lambda s, c: _on_circle(s, c, s),
}


def _on_circle(s: ExactForm, c: ExactForm, found: ExactForm) -> ExactForm:
    if s * s + c * c != forms.ONE:
        raise Unsupported("the angle of a point that is not on the unit circle")
    return found


def _rational(form: ExactForm) -> Fraction:
    number = form.rational()
    if not number:
        raise Unsupported("a division by what is no number")
    return number


def proved_claim(own: Computation, name: str) -> tuple[Claim, str]:
    """The claim that an element computed by these lines has its formula, and what the kernel says.

    The second is empty if the kernel accepts the proof. Raises `Unsupported` for an operation that
    is not stated in the language of claims.
    """
    symbols: dict[str, Expression] = {}
    values: dict[str, ExactForm] = {}
    for (kind, _), (leaf, mark) in own.leaves.items():
        symbols[leaf] = integer(leaf) if kind == "n" else real(leaf)
        values[leaf] = atom(mark)

    def expression(token: Any, lines: list[Expression]) -> Expression:
        kind, what = token
        if kind == "number":
            return sp.Rational(what.numerator, what.denominator)
        return symbols[what] if kind == "leaf" else lines[what]

    def value(token: Any, lines: list[ExactForm]) -> ExactForm:
        kind, what = token
        if kind == "number":
            return constant(what)
        return values[what] if kind == "leaf" else lines[what]

    names = [real(f"s{k}") for k in range(len(own.lines))]
    written: list[Expression] = []
    meant: list[ExactForm] = []
    for op, arguments in own.lines:
        if op not in _SYMPY or op == "floor":
            raise Unsupported(f"the operation {op} is not stated in the language of claims")
        written.append(_SYMPY[op](*(expression(t, written) for t in arguments)))
        meant.append(_FORMS[op](*(value(t, meant) for t in arguments)))
    formula = _stated(value(own.result, meant), {m: s for s, m in _marks(own)}, symbols)
    result = real("y")
    hypotheses, steps = [], []
    for k, (op, arguments) in enumerate(own.lines):
        line = _SYMPY[op](*(expression(t, names) for t in arguments))
        hypotheses.append(Hypothesis(f"line {k}", eq(names[k], line)))
        before = tuple(dict.fromkeys(f"value {t[1]}" for t in arguments if t[0] == "line"))
        if before:
            steps.append(
                Step(f"put {k}", eq(line, written[k]), rules.rewrite(),
                     "Put the values of the earlier lines in.", before)
            )  # fmt: skip
        links = (f"line {k}", f"put {k}") if before else (f"line {k}",)
        steps.append(
            Step(f"value {k}", eq(names[k], written[k]), rules.chain(),
                 f"So this is the value of line {k}.", links)
        )  # fmt: skip
    last = expression(own.result, names)
    hypotheses.append(Hypothesis("the result", eq(result, last)))
    whole = expression(own.result, written)
    links = ("the result",)
    if own.result[0] == "line":
        links = ("the result", f"value {own.result[1]}")
    if not _alike(whole, formula):
        steps.append(
            Step("formula", eq(whole, formula), rules.identity(),
                 "Both sides have the same normal form.")
        )  # fmt: skip
        links = (*links, "formula")
    steps.append(
        Step("conclusion", eq(result, formula), rules.chain(),
             "So the result is what the formula says.", links)
    )  # fmt: skip
    claim = Claim(
        name,
        "A coordinate that a program computes",
        "The lines of the program give this formula, for all values of the symbols.",
        OWN,
        hypotheses=tuple(hypotheses),
        conclusion=eq(result, formula),
        derivation=Derivation(tuple(steps)),
        mutants=(Mutant("the formula with the other sign", eq(result, -formula)),)
        if formula != 0
        else (),
    )
    return claim, _said(claim)


def _said(claim: Claim) -> str:
    report = check_derivation(claim, _nothing)
    return "" if report.outcome.verdict == "holds" else report.outcome.detail


def _nothing(name: str) -> Claim:
    raise KeyError(name)


def _alike(left: Expression, right: Expression) -> bool:
    return bool(left == right)


def _marks(own: Computation) -> list[tuple[str, Atom]]:
    return [(leaf, mark) for leaf, mark in own.leaves.values()]


def _stated(form: ExactForm, names: Mapping[Atom, str], symbols: Mapping[str, Any]) -> Expression:
    total = sp.Integer(0)
    for mono, c in form.terms.items():
        part = sp.Rational(c.numerator, c.denominator)
        for one, exponent in mono:
            part = part * _atom(one, names, symbols) ** sp.Rational(
                exponent.numerator, exponent.denominator
            )
        total = total + part
    return total


def _atom(one: Atom, names: Mapping[Atom, str], symbols: Mapping[str, Any]) -> Expression:
    if one in names:
        return symbols[names[one]]
    if one[0] in ("cos", "sin"):
        return getattr(sp, one[0])(_stated(one[1], names, symbols))
    if one[0] == "mod":
        inside = _stated(one[1], names, symbols)
        divisor = sp.Integer(int(one[2]))
        return inside - divisor * sp.floor(inside / divisor)
    if one[0] == "b":
        return sp.Rational(one[1].numerator, one[1].denominator)
    raise Unsupported(f"{one[0]} is not stated in the language of claims")


def distance_claim(
    name: str, pairs: Mapping[int, tuple[Fraction, Any, Fraction]]
) -> tuple[Claim, str]:
    """The claim that the code's frequencies are near the spec's, and what the kernel says.

    `pairs` are by plane the number of the code, the exact frequency, and a bound of their distance.
    """
    parts = [
        le(sp.Abs(sp.Rational(c.numerator, c.denominator) - theta),
           sp.Rational(bound.numerator, bound.denominator))
        for c, theta, bound in pairs.values()
        if not theta.is_Rational  # plain numbers on both sides say nothing
    ]  # fmt: skip
    if not parts:
        raise Unsupported("frequencies that are the spec's own")
    conclusion = parts[0] if len(parts) == 1 else Both(*parts)
    step = Step("conclusion", conclusion, rules.ball(), "Balls enclose each distance.")
    claim = Claim(
        name,
        "The frequencies of a program are near those of the spec",
        "Each frequency of the code is at most this far from the exact one.",
        OWN,
        conclusion=conclusion,
        derivation=Derivation((step,)),
    )
    return claim, _said(claim)


def equation_claim(
    name: str, left: Callable[[Callable[[ExactForm], Any]], Any], right: Callable[..., Any]
) -> tuple[Claim, str]:
    """The claim that two expressions in formulas are equal, and what the kernel says.

    `left` and `right` get a function that writes a form as an expression, and combine what it gives.
    """
    symbols: dict[str, Any] = {}
    names: dict[Atom, str] = {}

    def write(form: ExactForm) -> Any:
        for one in form.atoms():
            if one[0] in ("v", "n") and one not in names:
                kind = "x" if one[0] == "v" else "n"
                names[one] = f"{kind}_{one[1]}{one[2]}"
                symbols[names[one]] = (real if kind == "x" else integer)(names[one])
        return _stated(form, names, symbols)

    conclusion = eq(left(write), right(write))
    step = Step("conclusion", conclusion, rules.identity(), "Both sides have the same normal form.")
    claim = Claim(
        name,
        "A relation between results of a program",
        "The formulas of the results meet this equation, for all values of the symbols.",
        OWN,
        conclusion=conclusion,
        derivation=Derivation((step,)),
    )
    return claim, _said(claim)
