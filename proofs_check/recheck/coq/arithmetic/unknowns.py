"""Unknowns for the non-arithmetical parts of terms, with the known facts about them.

They are the unknowns of `kernel.smt`. Each fact comes with its proof, and each term as it is written
with the equation that expresses it in the unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import Key, as_constant, key
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import RELATIONS, Term, mul, number
from ropeproof.proofs_check.recheck.coq import printing
from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import Polynomial
from ropeproof.proofs_check.recheck.coq.arithmetic.inverses import inverse
from ropeproof.proofs_check.recheck.coq.arithmetic.points import at_a_point, log_apart
from ropeproof.proofs_check.recheck.coq.polynomial_terms import (
    Written,
    constant,
    joined,
    power,
    unknown,
)

__all__ = ["NotExported", "Premise", "Unknowns"]

MOST_BELOW = 3  # conditions of conditions
MOST_PLACES = 5  # of a function of which Coq's library says that it has one value at equal places


class NotExported(Exception):
    """Raised for a step without a Coq proof that this exporter can write; the message says why."""


@dataclass(frozen=True)
class Premise:
    """A fact in Coq's context: its proof, and the formula it states as it is printed here."""

    proof: str
    formula: Term


_REFUSED = {  # what holds of the sides, the other one first, where a comparison does not, and why
    "lt": ("le", "apply Rnot_lt_le"),
    "le": ("lt", "apply Rnot_le_lt"),
    "eq": ("ne", "apply not_eq_sym"),
}


@dataclass
class Unknowns:
    """The unknowns of one arithmetical lemma, with definitions, facts and proofs about them."""

    names: printing.Names
    facts: PremiseFacts
    premises: Sequence[Premise]
    prove: Callable[[Term, Sequence[Premise], printing.Names, int], str]
    condition: Callable[[Term, Sequence[Premise]], Sequence[Premise]]
    explain: Callable[[Unknowns, str, Term], None]
    depth: int = 0
    plain: bool = False  # inverses are left as they are, for `field`
    binders: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    defined: list[tuple[str, str]] = field(default_factory=list)
    assumed: list[Any] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)
    terms: dict[Term, Written] = field(default_factory=dict)
    units: dict[Any, Any] = field(default_factory=dict)
    unit_terms: dict[str, Term] = field(default_factory=dict)
    grain: dict[Key, int] = field(default_factory=dict)
    apart: frozenset[Term] = frozenset()  # sums that are taken apart
    more: bool = False  # all sums are, and more is said of cosines and sines

    def __post_init__(self) -> None:
        self.normal = Normal()

    # -- unknowns -----------------------------------------------------------------

    def new(self, kind: str, sort: str, value: str) -> str:
        """A new unknown of the lemma, standing for the given value."""
        name = f"{kind}{len(self.binders)}"
        self.binders.append(f"({name} : {sort})")
        self.values.append(value)
        return name

    def fact(self, statement: Any, proof: str) -> None:
        """Record a fact about the unknowns, with its proof for the values they stand for."""
        self.assumed.append(statement)
        self.proofs.append(proof)

    def unit(self, name: Any, term: Term) -> tuple[str, bool]:
        """The unknown with the given name, made for the term if new; and whether it is new."""
        if name in self.units:
            return self.units[name], False
        self.units[name] = self.new("u", "R", printing.as_real(term, self.names))
        self.unit_terms[self.units[name]] = term[1]
        return self.units[name], True

    # -- terms --------------------------------------------------------------------

    def whole(self, t: Term) -> Written:
        """The integer term as it is printed in `Z`, with its atoms as unknowns."""
        kind = t[0]
        if kind == "q":
            text = f"{t[1].numerator}%Z" if t[1] >= 0 else f"({t[1].numerator})%Z"
            return Written(
                text, text.removesuffix("%Z"), {(): Fraction(t[1])} if t[1] else {}, text
            )
        if kind in ("+", "*"):
            return joined(kind, [self.whole(a) for a in t[1]], f"{int(kind == '*')}%Z", "%Z")
        return self._leaf(t, "Z")

    def term(self, t: Term) -> Written:
        """The term as it is printed in `R`, with its atoms as unknowns."""
        kind = t[0]
        if kind == "q":
            text = printing.as_real(t, self.names)
            whole = f"({t[1].numerator})%Z" if t[1].denominator == 1 else ""
            return Written(text, text, {(): Fraction(t[1])} if t[1] else {}, whole)
        if kind == "pi":
            self._pi()
            return Written("PI", "PI", {(("PI", 1),): Fraction(1)})
        if printing.is_whole(t):
            integer = self.whole(t)
            return Written(f"(IZR {integer.text})", integer.inner, integer.poly, integer.whole)
        if kind in ("+", "*"):
            return joined(kind, [self.term(a) for a in t[1]], str(int(kind == "*")))
        if kind == "^" and t[2][0] == "q" and t[2][1].denominator == 1:
            n = int(t[2][1])
            if n >= 0:
                return power(self.term(t[1]), n)
            if self._plain_inverse(t[1]):
                base = power(self.term(t[1]), -n)
                value = as_constant(self.normal.poly(t[1]))
                known: Polynomial | None = {(): 1 / value**-n} if value else None
                return Written(f"(/ {base.text})", f"(/ {base.inner})", known)
        return self._leaf(t, "R")

    def _pi(self) -> None:
        if "pi" not in self.units:
            self.units["pi"] = "PI"
            low, high = (constant(Fraction(*q)) for q in ((314159, 100000), (3927, 1250)))
            pi = Written("PI", "PI", {(("PI", 1),): Fraction(1)})
            self.fact(("and", (("lt", low, pi), ("lt", pi, high))), "exact PI_within")

    def _plain_inverse(self, base: Term) -> bool:
        """Whether 1/base is written as it stands: base is a number, or known to be nonzero."""
        if as_constant(self.normal.poly(base)) and (self.plain or base[0] == "q"):
            return True
        if not self.plain or not self.facts.known(("ne", base, number(0))):
            return False
        name = ("nonzero", base)
        if name not in self.units:
            self.units[name] = ""
            statement = ("ne", self.term(base), constant(0))
            self.fact(statement, self.below(("ne", base, number(0))))
        return True

    def below(self, goal: Term) -> str:
        """A script for a condition, from as few premises as imply it."""
        if self.depth > MOST_BELOW:
            raise NotExported("conditions of conditions")
        return self.prove(goal, self.condition(goal, self.premises), self.names, self.depth + 1)

    def equal(self, a: Term, b: Term, names: printing.Names | None = None) -> str:
        """A script for `a = b`, where the two terms have the same normal form."""
        if a == b:
            return "reflexivity"
        return self.prove(("eq", a, b), (), names or self.names, self.depth + 1)

    def _leaf(self, t: Term, sort: str) -> Written:
        """The unknown for an atom as it is written, made with its explanation on first use."""
        if t not in self.terms:
            if t[0] == "x":
                name = self.new("x", sort, self.names.of(t[1]))
                self.terms[t] = unknown(name, sort)
            else:
                value = (
                    printing.as_integer(t, self.names)
                    if sort == "Z"
                    else printing.as_real(t, self.names)
                )
                name = self.new("t", sort, value)
                self.terms[t] = unknown(name, sort)
                self._explain(name, t)
        return self.terms[t]

    def means(self, name: str, t: Term, meant: Written, proof: str) -> None:
        """Define the unknown of a term by an equation with its proof."""
        self.defined.append((f"({name} = {meant.text})", proof))
        self.terms[t] = Written(name, f"({meant.inner})", meant.poly, meant.whole)

    def _explain(self, name: str, t: Term) -> None:
        kind = t[0]
        if at_a_point(self, name, t):
            return
        if kind in ("cos", "sin", "exp", "sum"):
            self.explain(self, name, t)
        elif kind == "f":
            self._call(name, t)
        elif kind in ("abs", "max", "min", "sqrt", "floor", "sign"):
            self._cases(name, t)
        elif kind == "ite":
            self._chosen(t)
        elif kind == "^":
            inverse(self, name, t)
        elif kind == "log" and not log_apart(self, name, t):
            self._same_as_first(name, t, "f_equal")

    def _same_as_first(self, name: str, t: Term, congruence: str) -> None:
        """Identify the term with the first term of the same normal form."""
        group = (t[0], "first", key(self.normal.poly(t)))
        first = self.units.setdefault(group, t)
        if first != t:
            script = self.equal(t[1], first[1])
            self.means(name, t, self.terms[first], f"({congruence}; {script})")

    def _call(self, name: str, t: Term) -> None:
        group = ("call", t[1], tuple(key(self.normal.poly(a)) for a in t[3]))
        first = self.units.setdefault(group, t)
        if first != t:
            parts, equations = [], []
            for i, (a, b) in enumerate(zip(t[3], first[3], strict=True)):
                equations.append("eq_refl" if a == b else f"E{self.depth}_{i}")
                if a != b:
                    stated = (
                        f"{printing.as_real(a, self.names)} = {printing.as_real(b, self.names)}"
                    )
                    parts.append(f"assert ({equations[-1]} : {stated}) by ({self.equal(a, b)})")
            taken = [e for e in equations if e != "eq_refl"]
            if 1 < len(equations) <= MOST_PLACES:  # one place may stand within the text of another
                same = f"f_equal{len(equations)} {self.names.of(t[1])} {' '.join(equations)}"
                parts.append(f"exact ({same})")
            else:
                parts += [f"try rewrite {e}; clear {e}" for e in taken] + ["reflexivity"]
            self.means(name, t, self.terms[first], "(" + "; ".join(parts) + ")")

    def _like_first(self, name: str, t: Term) -> bool:
        """Whether an absolute value, max or min equals an earlier one up to order or sign.

        If so, it is identified with that one.
        """
        group = (t[0], "first", key(self.normal.poly(t)))
        first = self.units.setdefault(group, t)
        if first == t:
            return t[0] == "abs" and self._multiple_of_first(name, t)
        mine, other = ((x[1],) if t[0] == "abs" else x[1] for x in (t, first))
        turned = (mul(number(-1), t[1]),) if t[0] == "abs" else mine[::-1]
        whole = "_Z" if t[0] == "abs" and printing.is_whole(t[1]) else ""
        same = "f_equal2" if len(mine) == 2 else "f_equal"
        for parts, lemma in ((mine, same), (turned, f"r{t[0]}_turned{whole}")):
            pairs = list(zip(parts, other, strict=True))
            if all(self.normal.poly(a) == self.normal.poly(b) for a, b in pairs):
                scripts = " | ".join(self.equal(a, b) for a, b in pairs)
                self.means(name, t, self.terms[first], f"(apply {lemma}; [{scripts}])")
                return True
        return False

    def _multiple_of_first(self, name: str, t: Term) -> bool:
        """Whether the absolute value is a positive multiple of an earlier one.

        If so, it is written that way.
        """
        poly = self.normal.poly(t)
        ((mono, factor),) = poly.items() if len(poly) == 1 else ((None, Fraction(0)),)
        first, factor_of_first = self.units.setdefault(("abs", "multiple", mono), (t, factor))
        if factor <= 0 or factor_of_first <= 0 or first == t:
            return False
        times = factor / factor_of_first
        mine = self.normal.poly(t[1])
        for k, side in ((times, "right"), (-times, "left")):
            multiple = mul(number(k), first[1])
            if mine == self.normal.poly(multiple):
                text, within = (
                    printing.as_real(number(k), self.names),
                    printing.as_real(first[1], self.names),
                )
                script = f"transitivity (Rabs ({text} * {within})); "
                script += f"[apply f_equal; {self._equal_to_multiple(t[1], k, first[1])} | "
                script += f"rewrite Rabs_mult, (Rabs_{side} {text}) by lra; lra]"
                meant = joined("*", [constant(times), self.terms[first]], "")
                self.means(name, t, meant, f"({script})")
                return True
        return False

    def _equal_to_multiple(self, a: Term, k: Fraction, b: Term) -> str:
        """A script for `a = k * b` as it is printed, where both sides have the same normal form."""
        multiple = mul(number(k), b)
        written = printing.as_real(multiple, self.names)
        return f"transitivity {written}; [{self.equal(a, multiple)} | (push_IZR; ring)]"

    def _cases(self, name: str, t: Term) -> None:
        kind, u, zero = t[0], self.terms[t], constant(0)
        pair = kind in ("max", "min") and len(t[1]) == 2
        if (pair or kind == "abs") and self._like_first(name, t):
            return
        if kind in ("max", "min"):
            if len(t[1]) != 2:
                raise NotExported(f"{kind} of {len(t[1])} terms")
            x, y = (self.term(a) for a in t[1])
            first, second = ((y, x), (x, y)) if kind == "max" else ((x, y), (y, x))
            cases = (("le", *first), ("eq", u, x)), (("lt", *second), ("eq", u, y))
            self.fact(("or", tuple(("and", c) for c in cases)), f"apply r{kind}_cases")
            return
        if kind in ("sqrt", "floor", "sign"):
            self._same_as_first(name, t, "apply f_equal")
            if self.terms[t] is not u:
                return
        x = self.term(t[1])
        if kind == "abs":
            opposite = joined("*", [constant(-1), u], "")
            cases = (("le", zero, x), ("eq", u, x)), (("lt", x, zero), ("eq", opposite, x))
            self.fact(("le", zero, u), "apply Rabs_pos")
            self.fact(("or", tuple(("and", c) for c in cases)), "apply rabs_cases'")
        elif kind == "sqrt":
            square = ("if", ("le", zero, x), ("eq", joined("*", [u, u], ""), x))
            self.fact(("and", (("le", zero, u), square)), "apply sqrt_facts")
        elif kind == "floor":
            real = Written(f"(IZR {name})", f"(IZR {name})", u.poly, name)
            above = ("lt", x, joined("+", [real, constant(1)], ""))
            self.fact(("and", (("le", real, x), above)), "apply zfloor_bounds")
        elif kind == "sign":
            real = Written(f"(IZR {name})", f"(IZR {name})", u.poly, name)
            signs = (("lt", zero, x), 1), (("lt", x, zero), -1), (("eq", x, zero), 0)
            parts = tuple(("if", c, ("eq", real, constant(v))) for c, v in signs)
            self.fact(("and", parts), "apply zsign_cases")

    def _chosen(self, t: Term) -> None:
        """Record the two cases of a conditional term.

        Its value is the first one if the comparison holds, else the other.
        """
        (kind, a, b), u = t[1], self.terms[t]
        low, high, first, other = (self.term(x) for x in (a, b, *t[2:]))
        refused, lemma = _REFUSED[kind]
        holds = ("and", ((kind, low, high), ("eq", u, first)))
        fails = ("and", ((refused, high, low), ("eq", u, other)))
        proof = (
            f"destruct ({printing.decision(t[1], self.names)}) as [? | ?]; [left; split; [assumption | "
            f"reflexivity] | right; split; [{lemma}; assumption | reflexivity]]"
        )
        self.fact(("or", (holds, fails)), f"({proof})")

    # -- formulas -----------------------------------------------------------------

    def formula(self, f: Term) -> Any:
        """The formula about the unknowns, as `closing` takes it; quantified parts are unknowns."""
        kind = f[0]
        if kind in RELATIONS:
            return (kind, self.term(f[1]), self.term(f[2]))
        if kind in ("and", "or"):
            return (kind, tuple(map(self.formula, f[1])))
        if kind == "if":
            return (kind, self.formula(f[1]), self.formula(f[2]))
        if kind == "not":
            return (kind, self.formula(f[1]))
        if kind in ("true", "false"):
            return f
        if f not in self.terms:
            name = self.new("q", "Prop", printing.proposition(f, self.names))
            self.terms[f] = Written(name, name, None)
        return ("prop", self.terms[f].text)
