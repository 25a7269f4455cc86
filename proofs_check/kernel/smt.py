"""Reasoning with polynomials by z3: a formula holds if its negation is unsatisfiable.

Premises and negated goal become a `query`, in which +, *, integer powers and the propositional
structure keep their meaning; everything else is an unknown
real number, the same one wherever the normal form is the same, with these facts:
cos^2 + sin^2 = 1 for each angle; exp > 0, and exp of a sum is the product of exps;
y * (1/y) = 1 for y != 0; sqrt(y) >= 0 and sqrt(y)^2 = y for y >= 0; the defining cases of
abs, sign, max, min, floor and if-then-else; 3.14159 < pi < 3.1416. Integer symbols are first
taken as reals (fewer facts, so still sound), then as integers. `unknown` is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from math import lcm
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.formulas import canonical, formula
from ropeproof.proofs_check.kernel.guesses import candidates
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import Key, Poly, as_constant, key, scale, term_of
from ropeproof.proofs_check.kernel.solvers.query import Expression, verdict
from ropeproof.proofs_check.kernel.terms import (
    LARGEST_POWER,
    MOST_NODES,
    Malformed,
    Term,
    Variable,
    as_value,
    free,
    fresh,
    is_closed,
    is_integer,
    opened,
    substitute,
)

__all__ = ["PremiseFacts", "entails", "question"]

# Units of z3's work, the same at every run. The catalogue's steps take at most 1.4 million (99 %
# of them 125,000), its conditions 15,000; a limit that is hit costs seconds, rarely a minute.
EFFORT = 4_000_000
SMALL_EFFORT = 200_000
MAX_INSTANCES = 64
ZERO: Expression = ("number", 0, 1)
ONE: Expression = ("number", 1, 1)
MINUS_ONE: Expression = ("number", -1, 1)
RELATIONS = {"eq": "=", "ne": "!=", "le": "<=", "lt": "<"}


class _Translation:
    """Translates terms into a query over shared unknowns; `facts` collects what is known of these."""

    def __init__(self, normal: Normal, integers: bool) -> None:
        self.normal = normal
        self.integers = integers
        self.unknowns: dict[Any, Expression] = {}
        self.facts: list[Expression] = []
        self.grain: dict[Key, int] = {}

    def unknown(self, name: Any, *, integer: bool = False) -> tuple[Expression, bool]:
        """The unknown of a term's key, as a real number, and whether it is new."""
        new = name not in self.unknowns
        if new:
            sort = ("int",) if integer and self.integers else ("real",)
            meant = ("integer",) if integer and not self.integers else ()
            self.unknowns[name] = (*sort, len(self.unknowns), *meant)
        value = self.unknowns[name]
        return (("to real", value) if value[0] == "int" else value), new

    def whole(self, t: Term) -> Expression | None:
        """An integer term over the solver's integers, or None; solvers are weak where sorts are mixed."""
        if t[0] == "q":
            return ("whole", int(t[1])) if t[1].denominator == 1 else None
        if t[0] == "x" and t[2]:
            self.leaf(t)
            return self.unknowns[t]
        if t[0] == "floor":
            self.unary("floor", t)
            return self.unknowns["floor", key(self.normal.poly(t[1]))]
        if t[0] in ("+", "*"):
            parts = [self.whole(a) for a in t[1]]
            return None if None in parts else _folded(t[0], parts, ("whole", int(t[0] == "*")))
        return None

    def term(self, t: Term) -> Expression:
        kind = t[0]
        if kind == "q":
            return _number(t[1])
        if kind in ("+", "*"):
            return _folded(kind, [self.term(a) for a in t[1]])
        if kind == "^" and t[2][0] == "q" and _small_integer(t[2][1]):
            n = int(t[2][1])
            if abs(n) > 1 and _size(t) > MOST_NODES:
                raise Malformed("powers of powers are too large to be multiplied out")
            base = self.term(t[1]) if n >= 0 else self.inverse(t[1])
            return _folded("*", [base] * abs(n))
        if kind in ("x", "pi"):
            return self.leaf(t)
        if kind in ("max", "min"):
            return self.extremum(kind, [self.term(a) for a in t[1]])
        if kind == "ite":
            return ("ite", self.formula(t[1]), self.term(t[2]), self.term(t[3]))
        if kind in ("abs", "sign", "floor", "sqrt"):
            return self.unary(kind, t)
        return self.polynomial(self.normal.poly(t))

    def leaf(self, t: Term) -> Expression:
        value, new = self.unknown(t, integer=t[0] == "x" and t[2])
        if new and t[0] == "pi":
            low, high = Fraction(314159, 100000), Fraction(31416, 10000)
            self.facts += [(">", value, _number(low)), ("<", value, _number(high))]
        return value

    def inverse(self, t: Term) -> Expression:
        poly = self.normal.poly(t)
        constant = as_constant(poly)
        if constant:
            return _number(1 / constant)
        value, new = self.unknown(("inv", key(poly)))
        if new:
            base = self.term(t)
            self.facts.append(("=>", ("!=", base, ZERO), ("=", ("*", (value, base)), ONE)))
        return value

    def extremum(self, kind: str, values: list[Expression]) -> Expression:
        result = values[0]
        for v in values[1:]:
            result = ("ite", (">=" if kind == "max" else "<=", result, v), result, v)
        return result

    def unary(self, kind: str, t: Term) -> Expression:
        x = self.term(t[1])
        if kind == "abs":
            return ("ite", (">=", x, ZERO), x, ("-", x))
        if kind == "sign":
            below = ("ite", ("<", x, ZERO), MINUS_ONE, ZERO)
            return ("ite", (">", x, ZERO), ONE, below)
        value, new = self.unknown((kind, key(self.normal.poly(t[1]))), integer=kind == "floor")
        if new and kind == "sqrt":
            square = ("=>", (">=", x, ZERO), ("=", ("*", (value, value)), x))
            self.facts.append(("and", ((">=", value, ZERO), square)))
        if new and kind == "floor":
            self.facts += self.whole_floor(t) or [("<=", value, x), ("<", x, ("+", (value, ONE)))]
        return value

    def whole_floor(self, t: Term) -> list[Expression]:
        """The assertions d m <= p < d m + d for m = floor(p/d), if p is whole: solvers then need no reals."""
        poly = self.normal.poly(t[1])
        d = lcm(*(c.denominator for c in poly.values()))
        p = self.whole(term_of(scale(poly, d))) if self.integers else None
        times = ("*", (("whole", d), self.unknowns["floor", key(poly)]))
        return [("<=", times, p), ("<", p, ("+", (times, ("whole", d))))] if p else []

    def polynomial(self, poly: Poly) -> Expression:
        parts = []
        for (atoms, exponent, trig), c in poly.items():
            factors = [] if c == 1 else [_number(c)]
            for x, n in atoms:
                factors += [self.atom(x)] * n
            factors += self.exponential(dict(exponent))
            if trig:
                factors.append(self.trig(*trig))
            parts.append(_folded("*", factors))
        return _folded("+", parts)

    def atom(self, x: Key) -> Expression:
        if x[0] in ("x", "pi"):
            return self.leaf(x)
        if x[0] == "inv":
            return self.inverse(term_of(dict(x[1])))
        if x[0] in ("abs", "sign", "floor", "sqrt"):
            return self.unary(x[0], (x[0], term_of(dict(x[1]))))
        if x[0] in ("max", "min"):
            return self.extremum(x[0], [self.term(term_of(dict(a))) for a in x[1]])
        if x[0] == "ite":
            condition = self.formula(x[1])
            return ("ite", condition, *(self.term(term_of(dict(a))) for a in x[2:]))
        return self.unknown(x, integer=x[0] == "f" and x[2])[0]

    def trig(self, kind: str, angle: Key) -> Expression:
        c, new = self.unknown(("cos", angle))
        s, _ = self.unknown(("sin", angle))
        if new:
            self.facts.append(("=", ("+", (("*", (c, c)), ("*", (s, s)))), ONE))
            for x in (c, s):
                self.facts += [("<=", x, ONE), (">=", x, MINUS_ONE)]
        return c if kind == "cos" else s

    def exponential(self, exponent: Poly) -> list[Expression]:
        factors = []
        for mono, c in exponent.items():
            grain = self.grain.get(mono, c.denominator)
            n = c * grain
            if not _small_integer(n):  # or met only after the grains were fixed: related to nothing
                alone, new = self.unknown(("exp alone", mono, c))
                self.facts += [(">", alone, ZERO)] if new else []
                factors.append(alone)
                continue
            value, new = self.unknown(("exp", mono, grain))
            if new:
                self.facts.append((">", value, ZERO))
            if n > 0:
                factors += [value] * int(n)
            elif n < 0:
                other, new = self.unknown(("exp-", mono, grain))
                if new:
                    self.facts += [(">", other, ZERO), ("=", ("*", (other, value)), ONE)]
                factors += [other] * int(-n)
        return factors

    def formula(self, f: Term) -> Expression:
        kind = f[0]
        if kind in RELATIONS:
            a = self.whole(f[1]) if self.integers else None
            b = self.whole(f[2]) if a is not None else None
            if a is None or b is None:
                a, b = self.term(f[1]), self.term(f[2])
            return (RELATIONS[kind], a, b)
        if kind in ("and", "or"):
            return (kind, tuple(self.formula(g) for g in f[1]))
        if kind == "if":
            return ("=>", self.formula(f[1]), self.formula(f[2]))
        if kind == "not":
            return ("not", self.formula(f[1]))
        if kind in ("true", "false"):
            return f
        name = ("opaque", formula(self.normal, f))
        return self.unknowns.setdefault(name, ("bool", len(self.unknowns)))


def _size(t: Any) -> int:
    """The number of parts of a term once its powers are written as products."""
    if type(t) is not tuple:
        return 0
    if t and t[0] == "^" and t[2][0] == "q" and _small_integer(t[2][1]):
        return 1 + abs(int(t[2][1])) * _size(t[1])
    return 1 + sum(map(_size, t))


def _small_integer(value: Fraction) -> bool:
    return bool(value.denominator == 1 and abs(value) <= LARGEST_POWER)


def _number(value: Fraction) -> Expression:
    return ("number", int(value.numerator), int(value.denominator))


def _folded(kind: str, parts: Sequence[Any], empty: Expression | None = None) -> Expression:
    """A sum or product of the parts; a single part as it is, and 0, 1 or `empty` for none."""
    if len(parts) > 1:
        return (kind, tuple(parts))
    if parts:
        return parts[0]  # type: ignore[no-any-return]
    return empty or (ZERO if kind == "+" else ONE)


def entails(
    premises: Sequence[Term], goal: Term, normal: Normal | None = None, *, effort: int = EFFORT
) -> bool:
    """Whether z3 shows that the goal follows from the premises."""
    normal = normal or Normal()
    whole = any(is_int for is_int, _ in free(*premises, goal).values())
    for integers in (False, True) if whole else (False,):
        found = verdict(question(premises, goal, normal, integers)[0], effort)
        if found in ("unsat", "whole"):
            return found == "unsat"
    return False


def question(
    premises: Sequence[Term], goal: Term, normal: Normal, integers: bool
) -> tuple[list[Expression], dict[Any, Expression]]:
    """The assertions (premises, negated goal, known facts about unknowns), and the unknowns by key."""
    translation = _Translation(normal, integers)
    translation.grain = _grains(normal, (*premises, goal))
    asserted = [*map(translation.formula, premises), ("not", translation.formula(goal))]
    return [*asserted, *translation.facts], translation.unknowns


def _grains(normal: Normal, formulas: Iterable[Term]) -> dict[Key, int]:
    """The common denominator of the coefficients of each monomial that occurs in an exponent."""
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
    """Facts that follow from a step's premises, for the normal form (`Facts`).

    A universal premise is instantiated at the arguments at which its functions occur.
    """

    def __init__(self, premises: Iterable[Term]) -> None:
        self.premises = tuple(premises)
        self._cache: dict[Term, bool] = {}

    @cached_property
    def normal(self) -> Normal:
        """The normal form under these facts, which remembers what it was asked."""
        return Normal(self)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that the premises speak about."""
        return frozenset(free(*self.premises))

    def given(self, formula: Term) -> PremiseFacts:
        """These facts and one more."""
        return PremiseFacts((*self.premises, formula))

    def known(self, formula: Term) -> bool:
        """Whether the formula follows."""
        if formula not in self._cache:
            self._cache[formula] = self._decide(formula)
        return self._cache[formula]

    def _decide(self, formula: Term) -> bool:
        goal = canonical(formula)
        if goal == ("true",):
            return True
        plain = [p for p in self.premises if p[0] != "all"]
        if any(canonical(p) == goal for p in plain):
            return True
        extra = [i for p in self.premises if p[0] == "all" for i in instances(p, formula)]
        return entails([*plain, *extra], formula, effort=SMALL_EFFORT)


def instances(universal: Term, goal: Term) -> Iterator[Term]:
    """Instances of a universal formula; all of them hold, so which ones to take is a mere guess."""
    variables = fresh(universal, free(goal))
    if any(v.arity for v in variables):
        return
    body = opened(universal, variables)
    found = candidates(body, [as_value(v) for v in variables], goal)
    choices = ([a for a in f if _fits(a, v)] for f, v in zip(found, variables, strict=True))
    for values in islice(product(*choices), MAX_INSTANCES):
        yield substitute(body, {v.label: a for v, a in zip(variables, values, strict=True)})


def _fits(value: Term, variable: Variable) -> bool:
    return is_closed(value) and (is_integer(value) or not variable.is_integer)
