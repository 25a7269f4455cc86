"""Polynomial reasoning by z3: a formula holds if its negation is unsatisfiable.

+, *, integer powers and the propositional structure are z3's; everything else is an unknown
real number, the same one wherever the normal form is the same, with these facts:
cos^2 + sin^2 = 1 for each angle; exp > 0, and exp of a sum is the product of exps;
y * (1/y) = 1 for y != 0; sqrt(y) >= 0 and sqrt(y)^2 = y for y >= 0; the defining cases of
abs, sign, max, min, floor and if-then-else; 3.14159 < pi < 3.1416. Integer symbols are first
taken as reals (fewer facts, so still sound), then as integers. `unknown` is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import lcm
from typing import Any

import z3
from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Key, Normal, Poly, as_constant, key, term_of
from ropeproof.proofs_check.kernel.terms import Term, free, is_integer, substitute

__all__ = ["PremiseFacts", "entails"]

EFFORT = 20_000_000  # z3 resource units, about ten seconds; reproducible, unlike a timeout
SMALL_EFFORT = 2_000_000
MAX_INSTANCES = 64


class _Translation:
    """Terms to z3 over shared unknowns; `facts` collects what is known of the unknowns."""

    def __init__(self, normal: Normal, integers: bool) -> None:
        self.normal = normal
        self.integers = integers
        self.unknowns: dict[Any, Any] = {}
        self.facts: list[Any] = []
        self.grain: dict[Key, int] = {}
        self.numbers: dict[Fraction, Any] = {}

    def number(self, value: Fraction) -> Any:
        """A rational number of z3; each is made once."""
        if value not in self.numbers:
            self.numbers[value] = z3.RealVal(str(value))
        return self.numbers[value]

    def unknown(self, name: Any, *, integer: bool = False) -> tuple[Any, bool]:
        """The z3 variable of a key as a real number, and whether it is new."""
        new = name not in self.unknowns
        if new:
            label = f"u{len(self.unknowns)}"
            whole = integer and self.integers
            self.unknowns[name] = z3.Int(label) if whole else z3.Real(label)
        value = self.unknowns[name]
        return (z3.ToReal(value) if value.is_int() else value), new

    def whole(self, t: Term) -> Any:
        """An integer term in z3's integers, or None: z3 is weak where the sorts mix."""
        if t[0] == "q":
            return z3.IntVal(int(t[1])) if t[1].denominator == 1 else None
        if t[0] == "x" and t[2]:
            self.leaf(t)
            return self.unknowns[t]
        if t[0] in ("+", "*"):
            parts = [self.whole(a) for a in t[1]]
            if any(p is None for p in parts):
                return None
            return z3.Sum(parts) if t[0] == "+" else z3.Product(parts)
        return None

    def term(self, t: Term) -> Any:
        kind = t[0]
        if kind == "q":
            return self.number(t[1])
        if kind == "+":
            return z3.Sum([self.term(a) for a in t[1]])
        if kind == "*":
            return z3.Product([self.term(a) for a in t[1]])
        if kind == "^" and t[2][0] == "q" and t[2][1].denominator == 1:
            n = int(t[2][1])
            base = self.term(t[1]) if n >= 0 else self.inverse(t[1])
            return z3.Product([base] * abs(n)) if n else z3.RealVal(1)
        if kind in ("x", "pi"):
            return self.leaf(t)
        if kind in ("max", "min"):
            return self.extremum(kind, [self.term(a) for a in t[1]])
        if kind == "ite":
            return z3.If(self.formula(t[1]), self.term(t[2]), self.term(t[3]))
        if kind in ("abs", "sign", "floor", "sqrt"):
            return self.unary(kind, t)
        return self.polynomial(self.normal.poly(t))

    def leaf(self, t: Term) -> Any:
        value, new = self.unknown(t, integer=t[0] == "x" and t[2])
        if new and t[0] == "pi":
            self.facts += [value > z3.Q(314159, 100000), value < z3.Q(31416, 10000)]
        return value

    def inverse(self, t: Term) -> Any:
        poly = self.normal.poly(t)
        constant = as_constant(poly)
        if constant:
            return self.number(1 / constant)
        value, new = self.unknown(("inv", key(poly)))
        if new:
            base = self.term(t)
            self.facts.append(z3.Implies(base != 0, value * base == 1))
        return value

    def extremum(self, kind: str, values: list[Any]) -> Any:
        result = values[0]
        for v in values[1:]:
            result = z3.If(result >= v if kind == "max" else result <= v, result, v)
        return result

    def unary(self, kind: str, t: Term) -> Any:
        x = self.term(t[1])
        if kind == "abs":
            return z3.If(x >= 0, x, -x)
        if kind == "sign":
            return z3.If(x > 0, z3.RealVal(1), z3.If(x < 0, z3.RealVal(-1), z3.RealVal(0)))
        value, new = self.unknown((kind, key(self.normal.poly(t[1]))), integer=kind == "floor")
        if new and kind == "sqrt":
            self.facts.append(z3.And(value >= 0, z3.Implies(x >= 0, value * value == x)))
        if new and kind == "floor":
            self.facts += [value <= x, x < value + 1]
        return value

    def polynomial(self, poly: Poly) -> Any:
        parts = []
        for (atoms, exponent, trig), c in poly.items():
            factors = [] if c == 1 else [self.number(c)]
            for x, n in atoms:
                factors += [self.atom(x)] * n
            factors += self.exponential(dict(exponent))
            if trig:
                factors.append(self.trig(*trig))
            parts.append(_folded(z3.Product, factors, self.number(Fraction(1))))
        return _folded(z3.Sum, parts, self.number(Fraction(0)))

    def atom(self, x: Key) -> Any:
        if x[0] in ("x", "pi"):
            return self.leaf(x)
        if x[0] == "inv":
            return self.inverse(term_of(dict(x[1])))
        if x[0] in ("abs", "sign", "floor", "sqrt"):
            return self.unary(x[0], (x[0], term_of(dict(x[1]))))
        if x[0] in ("max", "min"):
            return self.extremum(x[0], [self.term(term_of(dict(a))) for a in x[1]])
        if x[0] == "ite":
            return z3.If(
                self.formula(x[1]), self.term(term_of(dict(x[2]))), self.term(term_of(dict(x[3])))
            )
        return self.unknown(x, integer=x[0] == "f" and x[2])[0]

    def trig(self, kind: str, angle: Key) -> Any:
        c, new = self.unknown(("cos", angle))
        s, _ = self.unknown(("sin", angle))
        if new:
            self.facts += [c * c + s * s == 1, c <= 1, c >= -1, s <= 1, s >= -1]
        return c if kind == "cos" else s

    def exponential(self, exponent: Poly) -> list[Any]:
        factors = []
        for mono, c in exponent.items():
            grain = self.grain.get(mono, c.denominator)
            n = c * grain
            if n.denominator != 1:  # met only after the grains were fixed: related to nothing
                alone, new = self.unknown(("exp alone", mono, c))
                self.facts += [alone > 0] if new else []
                factors.append(alone)
                continue
            value, new = self.unknown(("exp", mono, grain))
            if new:
                self.facts.append(value > 0)
            if n > 0:
                factors += [value] * int(n)
            elif n < 0:
                other, new = self.unknown(("exp-", mono, grain))
                if new:
                    self.facts += [other > 0, other * value == 1]
                factors += [other] * int(-n)
        return factors

    def formula(self, f: Term) -> Any:
        kind = f[0]
        if kind in ("eq", "ne", "le", "lt"):
            a = self.whole(f[1]) if self.integers else None
            b = self.whole(f[2]) if a is not None else None
            if b is None:
                a, b = self.term(f[1]), self.term(f[2])
            return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[kind]
        if kind in ("and", "or"):
            parts = [self.formula(g) for g in f[1]]
            return z3.And(parts) if kind == "and" else z3.Or(parts)
        if kind == "if":
            return z3.Implies(self.formula(f[1]), self.formula(f[2]))
        if kind == "not":
            return z3.Not(self.formula(f[1]))
        if kind in ("true", "false"):
            return z3.BoolVal(kind == "true")
        name = ("opaque", self.normal.formula(f))
        if name not in self.unknowns:
            self.unknowns[name] = z3.Bool(f"b{len(self.unknowns)}")
        return self.unknowns[name]


def _folded(op: Any, parts: list[Any], empty: Any) -> Any:
    """A sum or product of z3, without one where there is nothing to add or to multiply."""
    return op(parts) if len(parts) > 1 else parts[0] if parts else empty


def entails(
    premises: Sequence[Term], goal: Term, normal: Normal | None = None, *, effort: int = EFFORT
) -> bool:
    """Whether z3 shows that the goal follows from the premises."""
    normal = normal or Normal()
    for integers in (False, True):
        if integers and not any(v[0] for t in (*premises, goal) for v in free(t).values()):
            return False
        translation = _Translation(normal, integers)
        translation.grain = _grains(normal, (*premises, goal))
        asserted = [translation.formula(p) for p in premises]
        asserted.append(z3.Not(translation.formula(goal)))
        # z3's search depends on what a context held before: in its own, every question has one answer.
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", effort)
        solver.add(*(fact.translate(context) for fact in (*asserted, *translation.facts)))
        if solver.check() == z3.unsat:
            return True
    return False


def _grains(normal: Normal, formulas: Iterable[Term]) -> dict[Key, int]:
    """For each monomial in an exponent the common denominator of its coefficients."""
    grains: dict[Key, int] = {}
    for f in formulas:
        for leaf in _exp_leaves(f):
            for mono in normal.poly(leaf):
                for m, c in mono[1]:
                    grains[m] = lcm(grains.get(m, 1), Fraction(c).denominator)
    return grains


def _exp_leaves(t: Any) -> Iterator[Term]:
    if isinstance(t, tuple) and t:
        if t[0] == "exp" or (t[0] == "^" and t[2][0] != "q"):
            yield t
        elif t[0] not in ("sum", "all", "some"):
            for part in t:
                yield from _exp_leaves(part)


class PremiseFacts:
    """What follows from a step's premises; the `Facts` of the normal form.

    A universal premise is instantiated at the arguments at which its functions occur.
    """

    def __init__(self, premises: Sequence[Term]) -> None:
        self.premises = list(premises)
        self._cache: dict[Any, bool] = {}

    def push(self, formula: Term) -> None:
        """Assume one more fact."""
        self.premises.append(formula)

    def pop(self) -> None:
        """Forget the last fact."""
        self.premises.pop()

    def known(self, formula: Term) -> bool:
        """Whether the formula follows."""
        cached = (tuple(self.premises), formula)
        if cached not in self._cache:
            self._cache[cached] = self._decide(formula)
        return self._cache[cached]

    def _decide(self, formula: Term) -> bool:
        strict = Normal()
        goal = strict.formula(formula)
        if goal == ("true",):
            return True
        plain = [p for p in self.premises if p[0] != "all"]
        if any(strict.formula(p) == goal for p in plain):
            return True
        extra = [i for p in self.premises if p[0] == "all" for i in instances(p, formula)]
        return entails([*plain, *extra], formula, effort=SMALL_EFFORT)


def instances(universal: Term, goal: Term) -> Iterator[Term]:
    """Instances of a universal at the arguments which its functions have in the goal."""
    variables, body = universal[1], universal[2]
    if any(arity for _, _, arity in variables):
        return
    choices = []
    for name, is_int, _ in variables:
        pattern = ("x", name, is_int)
        places = {
            (f[1], i) for f in _applications(body) for i, a in enumerate(f[3]) if a == pattern
        }
        found = [a for f in _applications(goal) for i, a in enumerate(f[3]) if (f[1], i) in places]
        choices.append([a for a in dict.fromkeys(found) if is_integer(a) or not is_int])
    for values in islice(product(*choices), MAX_INSTANCES):
        names = (name for name, _, _ in variables)
        yield substitute(body, dict(zip(names, values, strict=True)))


def _applications(t: Any) -> Iterator[Term]:
    if isinstance(t, tuple) and t:
        if t[0] == "f":
            yield t
        for part in t:
            yield from _applications(part)
