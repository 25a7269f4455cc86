"""The rules: each looks at one `Situation` and accepts it, or raises `Refused` with the reason.

Every rule is sound for the meaning of terms given in `terms`: if the premises hold for all
values of their universal symbols, so does the conclusion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel import balls
from ropeproof.proofs_check.kernel.derivative import mean_value
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.read import names_of, read_mapping
from ropeproof.proofs_check.kernel.sequent import Refused, Situation, conjuncts, follows, same
from ropeproof.proofs_check.kernel.smt import PremiseFacts, entails
from ropeproof.proofs_check.kernel.sums import induction, reindex, split, swap, termwise
from ropeproof.proofs_check.kernel.terms import (
    FORMULAS,
    Term,
    as_value,
    bind,
    free,
    fresh,
    opened,
    sub,
    substitute,
    variables_of,
)

__all__ = ["RULES", "instantiate"]


def identity(at: Situation) -> None:
    """Equations whose two sides have the same normal form.

    Sound: each step of `normal` replaces a term by one with the same value, and what needs a
    condition (x * 1/x = 1) is done only where the premises show the condition.
    """
    facts = at.facts()
    for goal in conjuncts(at.goal):
        if goal[0] != "eq":
            raise Refused("identity concludes equations only")
        if not facts.normal.is_zero(sub(goal[1], goal[2])):
            raise Refused("the two sides have different normal forms")


def smt(at: Situation) -> None:
    """A goal that follows from the premises by real arithmetic: z3 refutes its negation.

    Sound: `smt` asks z3 about unknowns of which it says only what holds of the terms they stand
    for; if no values of the unknowns meet the premises and miss the goal, no symbols' values do.
    """
    facts = at.facts()
    stated = all(goal in facts.premises for goal in conjuncts(at.goal))
    if not stated and not entails(facts.premises, at.goal, facts.normal):
        raise Refused("z3 does not refute the negation")


def ball(at: Situation) -> None:
    """An inequality on the box that the premises bound, by Arb with subdivision.

    Sound: the free symbols lie in the box by the premises, the cells cover it, and on each cell
    the ball of the difference of the sides, which contains every value of it, has the sign.
    """
    box = _box(at)
    for goal in conjuncts(at.goal):
        if goal[0] not in ("le", "lt"):
            raise Refused("ball concludes inequalities only")
        difference = sub(goal[2], goal[1])
        names = free(difference)
        missing = [n for n in names if n not in box]
        if missing:
            raise Refused(f"no finite bounds for {', '.join(missing)} among the premises")
        cell = {n: box[n] for n in names}
        if not balls.certainly_positive(difference, cell, strict=goal[0] == "lt"):
            raise Refused("the enclosures do not certify the inequality")


def _box(at: Situation) -> dict[str, tuple[Fraction, Fraction]]:
    low: dict[str, Fraction] = {}
    high: dict[str, Fraction] = {}
    for f in at.formulas():
        if f[0] not in ("le", "lt", "eq"):
            continue
        for x, value, upper in ((f[1], f[2], True), (f[2], f[1], False)):
            if x[0] != "x" or free(value):
                continue
            with balls.precision(balls.BITS):
                enclosure = balls.enclose(value, {})
                if not enclosure.is_finite():
                    continue
                ends = _rational(enclosure.lower()), _rational(enclosure.upper())
            if upper or f[0] == "eq":
                high[x[1]] = min(high.get(x[1], ends[1]), ends[1])
            if not upper or f[0] == "eq":
                low[x[1]] = max(low.get(x[1], ends[0]), ends[0])
    return {n: (low[n], high[n]) for n in low if n in high and low[n] <= high[n]}


def _rational(exact: Any) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def chain(at: Situation) -> None:
    """Transitivity: the premises link the left side to the right side in their order.

    Sound: =, <= and < are transitive, = is symmetric, and one < among <= gives <. Where two links
    meet, the terms have the same value by their unconditional normal form.
    """
    goal, normal = at.goal, Normal()
    if goal[0] not in ("eq", "le", "lt"):
        raise Refused("chain concludes =, <= or <")
    current, kinds = goal[1], set()
    for premise in at.premises:
        link = premise.formula(at.assuming)
        if link[0] not in ("eq", "le", "lt"):
            raise Refused("every link must be =, <= or <")
        kinds.add(link[0])
        if not normal.poly(sub(current, link[1])):
            current = link[2]
        elif link[0] == "eq" and not normal.poly(sub(current, link[2])):
            current = link[1]
        else:
            raise Refused("the links do not meet")
    if normal.poly(sub(current, goal[2])):
        raise Refused("the chain does not end at the right side")
    if (goal[0] == "eq" and kinds != {"eq"}) or (goal[0] == "lt" and "lt" not in kinds):
        raise Refused("the links are weaker than the conclusion")


# -- logic ----------------------------------------------------------------------------


def instantiate(at: Situation, formula: Term, mapping: Mapping[Any, Any]) -> None:
    """The goal is an instance of a formula that holds for all values of its symbols.

    Sound: terms that are integers, by their form or by the premises, are put for integer symbols,
    any terms for real ones and functions for function symbols, all at once and without capture.
    """
    values, needed = read_mapping(mapping, free(formula))
    _conclude(at, substitute(formula, values), needed, at.facts())


def _conclude(at: Situation, result: Term, needed: list[Term], facts: PremiseFacts) -> None:
    """The goal is the result, or follows from it once its premises are discharged."""
    free(result, at.goal)  # refuses one name for two things
    for condition in needed:
        at.discharge(condition, facts)
    while result[0] == "if" and not same(result, at.goal) and follows(result[1], facts):
        result = result[2]
    if any(same(part, at.goal) for part in (result, *conjuncts(result))):
        return
    if not follows(at.goal, PremiseFacts([*facts.premises, *conjuncts(result)])):
        for premise in conjuncts(result[1]) if result[0] == "if" else ():
            at.discharge(premise, facts)
        raise Refused("the instance does not give the conclusion")


def instance(at: Situation) -> None:
    """The first premise for given values of its bound or universal symbols.

    Sound: what holds for all values holds for these. A symbol is universal if no hypothesis that
    the premise rests on speaks about it; its assumptions are instantiated with it.
    """
    premise, mapping = at.premise(0), dict(at.arguments["mapping"])
    guard: Term = ("and", premise.assumptions)
    conclusion = premise.conclusion
    bound = _sorts(conclusion) if conclusion[0] == "all" else {}
    if bound and names_of(mapping) <= set(bound):
        values, needed = read_mapping(mapping, bound)
        places = [values.get(v.label, as_value(v)) for v in conclusion[1]]
        result: Term = ("if", guard, substitute(conclusion[2], dict(enumerate(places))))
    else:
        values, needed = read_mapping(mapping, free(guard, conclusion))
        for name in values:
            at.require_fresh(name, premise)
        result = substitute(("if", guard, conclusion), values)
    _conclude(at, result, needed, at.facts(1))


def _sorts(binder: Term) -> dict[str, tuple[bool, int]]:
    return {v.label: (v.is_integer, v.arity) for v in variables_of(binder)}


def generalise(at: Situation) -> None:
    """`for all x: body` from a premise that shows the body for a fresh x.

    Sound: neither a hypothesis that the premise rests on nor what this step assumes speaks about
    x, so the premise holds for every x. The fresh names are those by which the goal labels them.
    """
    if at.goal[0] != "all":
        raise Refused("generalise concludes a `for all`")
    premise, variables = at.premise(0), at.goal[1]
    for variable in variables:
        at.require_fresh(variable.label, premise, at.assuming)
    formula = premise.formula(at.assuming)
    body = opened(at.goal, variables)
    free(formula, body)  # refuses a bound name of another sort
    if not same(formula, body) and not follows(body, PremiseFacts([formula])):
        raise Refused("the premise does not show the body")


def witness(at: Situation) -> None:
    """`for some x: body` from the body at the given values.

    Sound: the values are of x's sort, by their form or by the premises, and the body at them
    follows from the premises.
    """
    if at.goal[0] != "some":
        raise Refused("witness concludes a `for some`")
    names = _sorts(at.goal)
    values, needed = read_mapping(at.arguments["mapping"], names)
    if set(values) != set(names):
        raise Refused(f"values are needed for {', '.join(sorted(names))}")
    body = substitute(at.goal[2], {i: values[v.label] for i, v in enumerate(at.goal[1])})
    facts = at.facts()
    for condition in (*needed, body):
        at.discharge(condition, facts)


def choose(at: Situation) -> None:
    """From `for some x: body` and a step that assumed the body and does not speak of x.

    Sound: there is an x with the body; the second premise holds for every x, so for that one, and
    its conclusion, which does not speak about x, holds. What it assumed besides the body does not
    speak about x either and follows.
    """
    existence = at.premise(0).formula(at.assuming)
    if existence[0] != "some":
        raise Refused("the first premise is not a `for some`")
    conclusion, variables = at.premise(1), existence[1]
    for variable in variables:
        at.require_fresh(variable.label, conclusion, (*at.assuming, at.goal))
    body = opened(existence, variables)
    free(body, *conclusion.assumptions)
    parts = [body, *conjuncts(body)]
    others = [a for a in conclusion.assumptions if not any(same(a, p) for p in parts)]
    facts = at.facts(2)
    for assumption in others:
        if any(v.label in free(assumption) for v in variables):
            raise Refused("more was assumed about the chosen values than their existence gives")
        at.discharge(assumption, facts)
    if not same(conclusion.conclusion, at.goal):
        raise Refused("the second premise is not the conclusion")


def rewrite(at: Situation) -> None:
    """Replace equals by equals.

    The premises are equations, used from left to right wherever their left side stands; if
    the goal is no equation the last premise is the formula that is rewritten.

    Sound: equals have the same value wherever they stand; under a binder as well, since an
    equation speaks about free names only and a binder's own is opened at a fresh one.
    """
    premises = [p.formula(at.assuming) for p in at.premises]
    equations = premises if at.goal[0] == "eq" else premises[:-1]
    if not equations or any(e[0] != "eq" for e in equations):
        raise Refused("rewrite needs equations")
    if at.goal[0] == "eq":
        sides = [_replace(side, equations) for side in at.goal[1:]]
        if not at.facts().normal.is_zero(sub(*sides)):
            raise Refused("the sides still differ after rewriting")
    elif not same(_replace(premises[-1], equations), _replace(at.goal, equations)):
        raise Refused("the formula rewritten is not the conclusion")


def _replace(part: Any, equations: list[Term]) -> Any:
    if not isinstance(part, tuple) or not part:
        return part
    if isinstance(part[0], str) and part[0] not in (*FORMULAS, "q"):
        for _, left, right in equations:
            if not Normal().poly(sub(part, left)):
                return right
    if part[0] in ("sum", "all", "some"):
        variables = fresh(part)
        outside = (_replace(p, equations) for p in part[:-1])
        return (*outside, bind(_replace(opened(part, variables), equations), variables))
    return tuple(_replace(p, equations) for p in part)


_OF_SUMS = (termwise, split, reindex, swap, induction)
_RULES = (identity, smt, ball, chain, *_OF_SUMS, mean_value, instance, generalise, witness, choose)
RULES: Mapping[str, Callable[[Situation], None]] = MappingProxyType(
    {("sums." if r in _OF_SUMS else "") + r.__name__: r for r in (*_RULES, rewrite)}
)
