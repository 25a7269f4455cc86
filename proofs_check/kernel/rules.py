"""The rules. Each looks at one `Situation` and returns, or raises `Refused` with the reason.

Every rule is sound for the meaning of terms given in `terms`: if the premises hold for all
values of their universal symbols, so does the conclusion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel import balls
from ropeproof.proofs_check.kernel.derivative import conditions, derivative
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.sequent import (
    Refused,
    Sequent,
    Situation,
    conjuncts,
    follows,
    same,
)
from ropeproof.proofs_check.kernel.smt import PremiseFacts, entails
from ropeproof.proofs_check.kernel.terms import (
    Term,
    add,
    free,
    is_integer,
    names_of,
    neg,
    number,
    read,
    read_mapping,
    sorts,
    sub,
    substitute,
)

__all__ = ["RULES", "instantiate"]

RELATIONS = ("eq", "ne", "le", "lt")


def identity(at: Situation) -> None:
    """Equations whose two sides have the same normal form.

    Denominators are cleared only where the premises show that they are not 0.
    """
    facts = at.facts()
    for goal in conjuncts(at.goal):
        if goal[0] != "eq":
            raise Refused("identity concludes equations only")
        if not Normal(facts).is_zero(sub(goal[1], goal[2])):
            raise Refused("the two sides have different normal forms")


def smt(at: Situation) -> None:
    """What follows from the premises by real arithmetic: z3 refutes the negation."""
    facts = at.facts()
    if not entails(facts.premises, at.goal, Normal(facts)):
        raise Refused("z3 does not refute the negation")


def ball(at: Situation) -> None:
    """An inequality on the box that the premises bound, by Arb with subdivision."""
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
    """Transitivity: the premises link the left side to the right side in their order."""
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


# -- finite sums ----------------------------------------------------------------------


def termwise(at: Situation) -> None:
    """Two sums over one range compare as their terms do (premise: for a fresh index).

    A side that is literally 0 is the sum of zeros. `<` needs a range that is not empty.
    """
    kind, left, right = at.goal[0], at.goal[1], at.goal[2] if len(at.goal) > 2 else None
    if kind not in ("eq", "le", "lt") or right is None:
        raise Refused("termwise concludes =, <= or < between sums")
    model = left if left[0] == "sum" else right
    if model[0] != "sum":
        raise Refused("neither side is a sum")
    _, name, low, high, _ = model
    bodies = [_body(side, model) for side in (left, right)]
    index: Term = ("x", name, True)
    inside = (("le", low, index), ("le", index, high))
    premise = at.premise(0)
    at.require_fresh(name, premise, at.assuming)
    if name in free(low) or name in free(high):
        raise Refused(f"the bounds speak about {name}")
    if not same(premise.conclusion, (kind, *bodies)):
        raise Refused("the premise does not compare the terms of the two sums")
    facts = at.facts(1, inside, fresh=name)
    for assumption in premise.assumptions:
        at.discharge(assumption, facts)
    if kind == "lt":
        at.discharge(("le", low, high), at.facts(1))


def _body(side: Term, model: Term) -> Term:
    if side == number(0):
        return side
    if side[0] != "sum":
        raise Refused("a side is neither a sum nor 0")
    for mine, its in ((side[2], model[2]), (side[3], model[3])):
        if Normal().poly(sub(mine, its)):
            raise Refused("the two sums have different ranges")
    if side[1] != model[1] and model[1] in free(side[4]):
        raise Refused(f"{model[1]} means two things")
    return substitute(side[4], {side[1]: ("x", model[1], True)})  # type: ignore[no-any-return]


def split(at: Situation) -> None:
    """sum over low..high = sum over low..at + sum over at+1..high, low <= at+1, at <= high."""
    _, name, low, high, body = _sum_side(at)
    middle = read(at.arguments["at"])
    if name in free(middle) or not is_integer(middle):
        raise Refused(f"a sum is split at an integer that does not speak about {name}")
    facts = at.facts()
    at.discharge(("le", low, add(middle, number(1))), facts)
    at.discharge(("le", middle, high), facts)
    parts = (
        ("sum", name, low, middle, body),
        ("sum", name, add(middle, number(1)), high, body),
    )
    _match(at, add(*parts))


def reindex(at: Situation) -> None:
    """sum of f(l) over low..high = sum of f(low + high - l) over the same range."""
    _, name, low, high, body = _sum_side(at)
    index: Term = ("x", name, True)
    turned = substitute(body, {name: sub(add(low, high), index)})
    _match(at, ("sum", name, low, high, turned))


def swap(at: Situation) -> None:
    """Two nested sums exchange if the inner range does not depend on the outer index."""
    _, outer, low, high, inner = _sum_side(at)
    if inner[0] != "sum":
        raise Refused("the left side is not a sum of sums")
    _, name, inner_low, inner_high, body = inner
    if outer in free(inner_low) or outer in free(inner_high) or name == outer:
        raise Refused("the inner range depends on the outer index")
    if name in free(low) or name in free(high):
        raise Refused(f"{name} means two things")
    _match(at, ("sum", name, inner_low, inner_high, ("sum", outer, low, high, body)))


def _sum_side(at: Situation) -> Term:
    if at.goal[0] != "eq" or at.goal[1][0] != "sum":
        raise Refused("the conclusion must be an equation with a sum on its left side")
    return at.goal[1]  # type: ignore[no-any-return]


def _match(at: Situation, expected: Term) -> None:
    if Normal(at.facts()).poly(sub(at.goal[2], expected)):
        raise Refused("the right side is not what this rule gives")


def induction(at: Situation) -> None:
    """phi(start), and phi(n) => phi(n+1) for n >= start, give phi(n) for every n >= start."""
    variable, start = read(at.arguments["variable"]), read(at.arguments["start"])
    if variable[0] != "x" or not variable[2] or variable[1] in free(start):
        raise Refused("induction runs over an integer symbol from a start without it")
    if not is_integer(start):
        raise Refused("induction starts at an integer")
    name = variable[1]
    base, step = at.premise(0), at.premise(1)
    guard: Term = ("le", start, variable)
    if not same(base.conclusion, substitute(at.goal, {name: start})):
        raise Refused("the first premise is not the conclusion at the start")
    following = substitute(at.goal, {name: add(variable, number(1))})
    if not same(step.conclusion, following):
        raise Refused("the second premise is not the conclusion at the next integer")
    rest = [a for a in step.assumptions if not same(a, at.goal) and not same(a, guard)]
    for premise, assumptions in ((base, base.assumptions), (step, tuple(rest))):
        at.require_fresh(name, premise, assumptions)
        facts = at.facts(2)
        for assumption in assumptions:
            at.discharge(assumption, facts)
    at.discharge(guard, at.facts(2))


# -- calculus -------------------------------------------------------------------------


def mean_value(at: Situation) -> None:
    """0 <= f(x) on one side of `end` from 0 <= f(end) and the sign of f' in between.

    The goal is 0 <= f(x) or 0 < f(x) (or an inequality a <= b read as 0 <= b - a); the first
    premise is 0 <= f(end) (or <), the second 0 <= f'(x) (to the right) or f'(x) <= 0 (to the
    left), under assumptions that hold strictly between `end` and x.
    """
    variable, end = read(at.arguments["variable"]), read(at.arguments["end"])
    if variable[0] != "x" or variable[2] or variable[1] in free(end):
        raise Refused("the mean value theorem runs over a real symbol from a fixed end")
    name, goal = variable[1], at.goal
    if goal[0] not in ("le", "lt"):
        raise Refused("mean_value concludes an inequality")
    f = sub(goal[2], goal[1])
    at_end, slope = at.premise(0), at.premise(1)
    start = substitute(f, {name: end})
    strict_end = same(at_end.conclusion, ("lt", number(0), start))
    weak_end: Term = ("le", number(0), start)
    shown = strict_end or same(at_end.conclusion, weak_end) or follows(weak_end, at.facts())
    if not shown:
        raise Refused("the first premise is not the inequality at the end")
    at.require_fresh(name, at_end, at_end.assumptions)
    for assumption in at_end.assumptions:
        at.discharge(assumption, at.facts(2))
    right = follows(("le", end, variable), at.facts(2))
    if not right and not follows(("le", variable, end), at.facts(2)):
        raise Refused("the variable is not known to lie on one side of the end")
    strict_slope = _check_slope(at, slope, f, variable, end, right)
    if goal[0] == "lt" and not strict_end:
        if not strict_slope:
            raise Refused("a strict conclusion needs a strict premise")
        at.discharge(("ne", variable, end), at.facts(2))


def _check_slope(
    at: Situation, slope: Sequent, f: Term, variable: Term, end: Term, right: bool
) -> bool:
    name = variable[1]
    if slope.conclusion[0] not in ("le", "lt"):
        raise Refused("the second premise is not about the sign of the derivative")
    signed = sub(slope.conclusion[2], slope.conclusion[1])
    # strictly between end and x; x itself obeys what the step assumes
    here, there = (end, variable) if right else (variable, end)
    point: Term = ("x", f"{name}'between", False)  # no name that an author can write
    between = (("lt", here, point), ("lt", point, there))
    moved = {name: point}
    facts = at.facts(2, between)
    at.require_fresh(name, slope)
    for assumption in slope.assumptions:
        at.discharge(substitute(assumption, moved), facts)
    closed = at.facts(2, (("le", here, point), ("le", point, there)))
    for condition in conditions(f, name):
        at.discharge(substitute(condition, moved), closed)
    elsewhere = [g for g in at.formulas(2) if name not in free(g)]
    slope_facts = PremiseFacts([*slope.assumptions, *elsewhere])
    expected = derivative(f, name) if right else neg(derivative(f, name))
    if not Normal(_inside(slope_facts, f, name)).is_zero(sub(signed, expected)):
        raise Refused("the second premise is not the derivative")
    return bool(slope.conclusion[0] == "lt")


def _inside(facts: PremiseFacts, f: Term, name: str) -> PremiseFacts:
    for condition in conditions(f, name):
        facts.push(condition)
    return facts


# -- logic ----------------------------------------------------------------------------


def instantiate(
    at: Situation, hypotheses: tuple[Term, ...], conclusion: Term, mapping: Mapping[Any, Any]
) -> None:
    """The goal is an instance of `conclusion`; the instances of the hypotheses follow."""
    values, needed = read_mapping(mapping, free(("and", (*hypotheses, conclusion))))
    facts = at.facts()
    for condition in (*needed, *(substitute(h, values) for h in hypotheses)):
        at.discharge(condition, facts)
    result = substitute(conclusion, values)
    free(("and", (result, at.goal)))  # refuses one name for two things
    if same(result, at.goal) or any(same(part, at.goal) for part in conjuncts(result)):
        return
    if not follows(at.goal, PremiseFacts([*conjuncts(result), *facts.premises])):
        raise Refused("the instance does not give the conclusion")


def instance(at: Situation) -> None:
    """The first premise for given values of its bound or universal symbols."""
    premise = at.premise(0)
    mapping = at.arguments["mapping"]
    whole: Term = ("if", ("and", premise.assumptions), premise.conclusion)
    bound = sorts(premise.conclusion) if premise.conclusion[0] == "all" else {}
    if bound and names_of(mapping) <= set(bound):
        values, needed = read_mapping(mapping, bound)
        result: Term = ("if", whole[1], substitute(premise.conclusion[2], values))
    else:
        values, needed = read_mapping(mapping, free(whole))
        for name in values:
            at.require_fresh(name, premise)
        result = substitute(whole, values)
    free(("and", (result, at.goal)))
    facts = at.facts(1)
    for condition in needed:
        at.discharge(condition, facts)
    while not same(result, at.goal):
        if result[0] != "if":
            break
        at.discharge(result[1], facts)
        result = result[2]
    if not same(result, at.goal):
        facts = PremiseFacts([*facts.premises, *conjuncts(result)])
        if not follows(at.goal, facts):
            raise Refused("the instance does not give the conclusion")


def generalise(at: Situation) -> None:
    """`for all x: body` from a premise that shows the body for a fresh x."""
    if at.goal[0] != "all":
        raise Refused("generalise concludes a `for all`")
    premise = at.premise(0)
    for name, _, _ in at.goal[1]:
        at.require_fresh(name, premise, at.assuming)
    formula = premise.formula(at.assuming)
    free(("all", at.goal[1], formula))  # refuses a bound name of another sort
    if same(("all", at.goal[1], formula), at.goal):
        return
    if not follows(at.goal[2], PremiseFacts([formula])):
        raise Refused("the premise does not show the body")


def witness(at: Situation) -> None:
    """`for some x: body` from the body at the given values."""
    if at.goal[0] != "some":
        raise Refused("witness concludes a `for some`")
    values, needed = read_mapping(at.arguments["mapping"], sorts(at.goal))
    names = {v[0] for v in at.goal[1]}
    if set(values) != names:
        raise Refused(f"values are needed for {', '.join(sorted(names))}")
    facts = at.facts()
    for condition in (*needed, substitute(at.goal[2], values)):
        at.discharge(condition, facts)


def choose(at: Situation) -> None:
    """From `for some x: body` and a step that assumed the body and does not speak of x."""
    existence = at.premise(0).formula(at.assuming)
    if existence[0] != "some":
        raise Refused("the first premise is not a `for some`")
    conclusion = at.premise(1)
    for name, _, _ in existence[1]:
        if name in free(at.goal):
            raise Refused(f"the conclusion speaks about {name}")
        at.require_fresh(name, conclusion, at.assuming)
    free((existence[0], existence[1], ("and", conclusion.assumptions)))
    parts = conjuncts(existence[2])
    others = [
        a
        for a in conclusion.assumptions
        if not same(a, existence[2]) and not any(same(a, p) for p in parts)
    ]
    facts = at.facts(2)
    for assumption in others:
        if any(name in free(assumption) for name, _, _ in existence[1]):
            raise Refused("more was assumed about the chosen values than their existence gives")
        at.discharge(assumption, facts)
    if not same(conclusion.conclusion, at.goal):
        raise Refused("the second premise is not the conclusion")


def rewrite(at: Situation) -> None:
    """Replace equals by equals.

    The premises are equations, used from left to right wherever their left side stands; if
    the goal is no equation the last premise is the formula that is rewritten.
    """
    premises = [p.formula(at.assuming) for p in at.premises]
    equations = premises if at.goal[0] == "eq" else premises[:-1]
    if not equations or any(e[0] != "eq" for e in equations):
        raise Refused("rewrite needs equations")
    if at.goal[0] == "eq":
        sides = [_replace(side, equations) for side in at.goal[1:]]
        if not Normal(at.facts()).is_zero(sub(*sides)):
            raise Refused("the sides still differ after rewriting")
    elif not same(_replace(premises[-1], equations), _replace(at.goal, equations)):
        raise Refused("the formula rewritten is not the conclusion")


def _replace(term: Any, equations: list[Term]) -> Any:
    if not isinstance(term, tuple) or not term:
        return term
    if isinstance(term[0], tuple):
        return tuple(_replace(part, equations) for part in term)
    if term[0] not in (*RELATIONS, "and", "or", "if", "not", "all", "some", "q", "true", "false"):
        for equation in equations:
            if not Normal().poly(sub(term, equation[1])):
                return equation[2]
    if term[0] in ("sum", "all", "some"):
        bound = {term[1]} if term[0] == "sum" else {v[0] for v in term[1]}
        equations = [e for e in equations if not bound & set(free(e))]
    if term[0] in ("x", "q", "pi"):
        return term
    if term[0] in ("all", "some"):
        return (term[0], term[1], _replace(term[2], equations))
    return (term[0], *(_replace(part, equations) for part in term[1:]))


RULES: Mapping[str, Callable[[Situation], None]] = MappingProxyType(
    {
        "identity": identity,
        "smt": smt,
        "ball": ball,
        "chain": chain,
        "sums.termwise": termwise,
        "sums.split": split,
        "sums.reindex": reindex,
        "sums.swap": swap,
        "sums.induction": induction,
        "mean_value": mean_value,
        "instance": instance,
        "generalise": generalise,
        "witness": witness,
        "choose": choose,
        "rewrite": rewrite,
    }
)
