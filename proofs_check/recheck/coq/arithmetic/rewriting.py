"""Proofs by rewriting with equations, as Coq scripts."""

from __future__ import annotations

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.rules import _replace
from ropeproof.proofs_check.kernel.terms import Term, free, fresh, opened, sub
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic, equality, unsure
from ropeproof.proofs_check.recheck.coq.arithmetic.reordered import reordered
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.premises import StepGoal
from ropeproof.proofs_check.recheck.coq.printing import Names, as_real, proposition
from ropeproof.proofs_check.recheck.coq.steps import Goal
from ropeproof.proofs_check.recheck.coq.sums import agreeing

__all__ = ["rewrite"]


def rewrite(step: StepGoal) -> str:
    """A script for a goal that becomes a premise or an identity after rewriting with equations."""
    script, at = step.with_facts()
    premises = at.premises[len(step.at.premises) :]
    equations = premises if at.goal[0] == "eq" else premises[:-1]
    if at.goal[0] == "eq":
        left, right = at.goal[1:]
        new = [_replace(side, [e.formula for e in equations]) for side in (left, right)]
        one = _congruent(left, new[0], equations, at.names, 0)
        two = _congruent(right, new[1], equations, at.names, 0)
        middle = arithmetic(("eq", *new), at.premises, at.names)
        texts = [as_real(n, at.names) for n in new]
        return (
            f"{script}; transitivity {texts[0]}; [{one} | transitivity {texts[1]}; "
            f"[{middle} | symmetry; {two}]]"
        )
    whole = arithmetic(at.goal, at.premises, at.names)
    source = premises[-1]
    if not unsure(whole) or at.goal[0] not in ("le", "lt", "ne") or source.formula[0] != at.goal[0]:
        return f"{script}; {whole}"
    try:
        sides = [
            _rewritten(a, b, equations, at)
            for a, b in zip(source.formula[1:], at.goal[1:], strict=True)
        ]
    except NotExported:
        return f"{script}; {whole}"
    relation = {"le": "Rle", "lt": "Rlt", "ne": "(fun x y : R => x <> y)"}[at.goal[0]]
    by_sides = f"(refine (same_sides {relation} _ _ _ _ _ _ {source.proof}); [{' | '.join(sides)}])"
    return f"{script}; first [{by_sides} | {whole}]"


def _rewritten(a: Term, b: Term, equations: list[Premise], at: Goal) -> str:
    """A script for `a = b`, which become the same term after rewriting with the equations."""
    new = [_replace(side, [e.formula for e in equations]) for side in (a, b)]
    one = _congruent(a, new[0], equations, at.names, 0)
    two = _congruent(b, new[1], equations, at.names, 0)
    texts = [as_real(n, at.names) for n in new]
    middle = reordered(new[0], new[1], at.names) or arithmetic(("eq", *new), at.premises, at.names)
    return (
        f"transitivity {texts[0]}; [{one} | transitivity {texts[1]}; [{middle} | symmetry; {two}]]"
    )


def _congruent(a: Term, b: Term, equations: list[Premise], names: Names, depth: int) -> str:
    """A script for `a = b`, where b is a with parts replaced by the equations."""
    if a == b:
        return "reflexivity"
    for e in equations:
        if b == e.formula[2] and not Normal().poly(sub(a, e.formula[1])):
            if a == e.formula[1]:
                return f"exact {e.proof}"
            text = as_real(e.formula[1], names)
            same = reordered(a, e.formula[1], names) or equality(a, e.formula[1], names)
            return f"transitivity {text}; [{same} | exact {e.proof}]"
    kind = a[0]
    if kind != b[0]:
        raise NotExported("a replaced part of another shape")
    if kind == "sum":
        (index,) = fresh(a, {**names.free, **free(b)})
        label = names.fresh(a[1].label or "i")
        inner = Names({**names.free, index.label: label}, names.bound)
        script = _congruent(opened(a, [index]), opened(b, [index]), equations, inner, depth + 1)
        low, high = (agreeing(*ends) for ends in zip(a[2:4], b[2:4], strict=True))
        return f"apply zsum_range; [{low} | {high} | intros {label} Zlow{depth} Zhigh{depth}; {script}]"
    parts_a = a[1] if kind in ("+", "*", "max", "min") else a[3] if kind == "f" else a[1:]
    parts_b = b[1] if kind in ("+", "*", "max", "min") else b[3] if kind == "f" else b[1:]
    known: list[Premise] = []
    script = ""
    for i, (x, y) in enumerate(zip(parts_a, parts_b, strict=True)):
        if x != y:
            fact = Premise(f"K{depth}_{i}", ("eq", x, y))
            inner_script = _congruent(x, y, equations, names, depth + 1)
            stated = proposition(fact.formula, names)
            script += f"assert ({fact.proof} : {stated}) by ({inner_script}); "
            known.append(fact)
    replaced = "; ".join(f"rewrite ?{fact.proof}" for fact in known)
    if kind in ("+", "*", "^"):
        close = arithmetic(("eq", a, b), known, names)
        return f"({script}first [({replaced}; reflexivity) | {close}])"
    return f"({script}{replaced}; reflexivity)"
