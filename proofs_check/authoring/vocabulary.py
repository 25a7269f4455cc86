"""The vocabulary of proofs and statements: the kernel's rules and the terms that it reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["TERMS", "rule_texts"]

TERMS: Mapping[str, str] = {
    "x, y = real('x y')": "real numbers; integer('n') integers; real_function('f') functions",
    "+  -  *  /  **": "arithmetic; x/0 = 0, and x**n for an integer n or a positive x",
    "sp.sqrt(x)": "0 where x < 0",
    "sp.exp(x), sp.log(x)": "log is 0 where x <= 0",
    "sp.cos(x), sp.sin(x), sp.tan(x)": "of radians",
    "sp.cosh(x), sp.sinh(x), sp.tanh(x)": "read as exponentials",
    "sp.Abs(x), sp.sign(x)": "",
    "sp.floor(x)": "an integer",
    "sp.Max(x, y), sp.Min(x, y)": "",
    "sp.Sum(f(k), (k, low, high))": "a finite sum; 0 where high < low",
    "sp.Piecewise((x, le(0, x)), (-x, True))": "the last case is for everything else",
    "sp.pi, sp.E, sp.Rational(1, 3)": "numbers; no floating ones",
    "eq  ne  le  lt  ge  gt": "relations, kept as written",
    "Both  Either  If  Negation  iff": "and, or, implies, not, if and only if",
    "Every((x,), ...), Some((x,), ...)": "for all, for some; x a symbol or f(x)",
    "every(k, low, high, ...), some(...)": "the same for low <= k <= high",
    "frac(x, y), kept(sp.Mul, x, y)": "what SymPy would cancel stays as written",
}

_OTHERS = {
    "by_claim": "An instance of another claim; its hypotheses must follow from the premises.",
    "axiom": "An instance of one of the named axioms; its hypotheses must follow from the premises.",
}
_CALLS = {
    "identity": "p.show(goal, why, ...)",
    "smt": "p.show(goal, why, ...)",
    "ball": "p.show(goal, why, ..., by=rules.ball())",
    "chain": "p.chain(fact, fact), p.calc(term).le(term, why)",
    "sums.termwise": "fact.summed(k, low, high)",
    "sums.split": "p.split(total, at), p.last(total)",
    "sums.reindex": "p.reindex(total)",
    "sums.swap": "p.swap(total)",
    "sums.induction": "p.induction(goal, n, start, base, following)",
    "mean_value": "p.mean_value(goal, x, end, at_end, slope, why=...)",
    "instance": "scope.use(hypothesis, {k: 3}), fact.at({k: 3})",
    "generalise": "fact.for_all(k)",
    "witness": "p.witness(goal, {x: 3}, why=...)",
    "choose": "p.choose(existence, fact)",
    "rewrite": "p.rewrite(goal, why, equation), equation.image(sp.cos, why)",
    "by_claim": "p.lemma(CLAIM.at(x=3), ..., why=...)",
    "axiom": "p.axiom(axiom_named(NAME).at(x=3), ..., why=...)",
}


def rule_texts() -> dict[str, tuple[str, str]]:
    """For each rule, how a proof calls it, and what it accepts and why that is sound."""
    from ropeproof.proofs_check.kernel.rules import RULES

    texts = {name: rule.__doc__ or "" for name, rule in RULES.items()} | _OTHERS
    return {name: (_CALLS.get(name, ""), _flowing(text)) for name, text in texts.items()}


def _flowing(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n".join(" ".join(p.split()) for p in paragraphs)
