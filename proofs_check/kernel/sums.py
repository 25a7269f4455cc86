"""Rules about finite sums with symbolic bounds: see `rules`."""

from __future__ import annotations

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.sequent import Refused, Situation, same
from ropeproof.proofs_check.kernel.terms import (
    Term,
    add,
    as_value,
    bind,
    free,
    fresh,
    is_integer,
    number,
    opened,
    sub,
    substitute,
)

__all__ = ["induction", "reindex", "split", "swap", "termwise"]


def termwise(at: Situation) -> None:
    """Two sums over one range compare as their terms do (premise: for a fresh index).

    Sound: every term of the left sum compares with the term of the right one at the same index,
    and finite sums of such terms compare. A side that is literally 0 is the sum of zeros. `<`
    needs a range that is not empty. The index in the premise has the name of the left sum's.
    """
    kind, *sides = at.goal
    if kind not in ("eq", "le", "lt"):
        raise Refused("termwise concludes =, <= or < between sums")
    model = next((side for side in sides if side[0] == "sum"), None)
    if model is None:
        raise Refused("neither side is a sum")
    _, variable, low, high, _ = model
    for side in sides:
        if side[0] != "sum" and side != number(0):
            raise Refused("a side is neither a sum nor 0")
        if side[0] == "sum" and any(Normal().poly(sub(side[i], model[i])) for i in (2, 3)):
            raise Refused("the two sums have different ranges")
    premise, index = at.premise(0), as_value(variable)
    at.require_fresh(variable.label, premise, at.assuming)
    bodies = [opened(side, [variable]) if side[0] == "sum" else side for side in sides]
    if not same(premise.conclusion, (kind, *bodies)):
        raise Refused("the premise does not compare the terms of the two sums")
    inside = (("le", low, index), ("le", index, high))
    facts = at.facts(1, inside, fresh=variable.label)
    for assumption in premise.assumptions:
        at.discharge(assumption, facts)
    if kind == "lt":
        at.discharge(("le", low, high), at.facts(1))


def split(at: Situation) -> None:
    """sum over low..high = sum over low..at + sum over at+1..high, low <= at+1, at <= high.

    Sound: the two ranges, the first or the second perhaps empty, make up the whole.
    """
    _, variable, low, high, body = _sum_side(at)
    middle = at.term("at")
    if not is_integer(middle):
        raise Refused("a sum is split at an integer")
    facts = at.facts()
    at.discharge(("le", low, add(middle, number(1))), facts)
    at.discharge(("le", middle, high), facts)
    parts = (
        ("sum", variable, low, middle, body),
        ("sum", variable, add(middle, number(1)), high, body),
    )
    _match(at, add(*parts))


def reindex(at: Situation) -> None:
    """sum of f(l) over low..high = sum of f(low + high - l) over the same range.

    Sound: l -> low + high - l maps the range onto itself, one to one.
    """
    total = _sum_side(at)
    (index,) = fresh(total)
    _, _, low, high, body = total
    turned = substitute(body, {0: sub(add(low, high), as_value(index))})
    _match(at, ("sum", index, low, high, bind(turned, [index])))


def swap(at: Situation) -> None:
    """Two nested sums exchange if the inner range does not depend on the outer index.

    Sound: both sum the same terms over the same finite rectangle, or one of the ranges is empty
    and both are 0.
    """
    outer = _sum_side(at)
    (first,) = fresh(outer)
    inner = opened(outer, [first])
    if inner[0] != "sum":
        raise Refused("the left side is not a sum of sums")
    (second,) = fresh(inner, [first.label])
    if first.label in free(inner[2], inner[3]):
        raise Refused("the inner range depends on the outer index")
    body = ("sum", first, *outer[2:4], bind(opened(inner, [second]), [first]))
    _match(at, ("sum", second, *inner[2:4], bind(body, [second])))


def _sum_side(at: Situation) -> Term:
    if at.goal[0] != "eq" or at.goal[1][0] != "sum":
        raise Refused("the conclusion must be an equation with a sum on its left side")
    return at.goal[1]  # type: ignore[no-any-return]


def _match(at: Situation, expected: Term) -> None:
    if at.facts().normal.poly(sub(at.goal[2], expected)):
        raise Refused("the right side is not what this rule gives")


def induction(at: Situation) -> None:
    """phi(start), and phi(n) => phi(n+1) for n >= start, give phi(n) for every n >= start.

    Sound: induction over the integers from `start`. Both premises hold for every n, as neither
    their hypotheses nor what they assume besides phi(n) and n >= start speaks about n.
    """
    variable, start = at.term("variable"), at.term("start")
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
