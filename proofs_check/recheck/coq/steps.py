"""The Coq proof of one step, rule by rule.

The step is a lemma for all values of its symbols, under the hypotheses it rests on and its
assumptions. Its proof instantiates the lemmas of its premises at the symbols of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice, product
from typing import Any

from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.guesses import candidates
from ropeproof.proofs_check.kernel.sequent import conjuncts, same
from ropeproof.proofs_check.kernel.smt import MAX_INSTANCES, _fits
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic, unsure
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import conjoined, nested
from ropeproof.proofs_check.recheck.coq.arithmetic.reordered import with_reordered_sides
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.printing import Names, as_integer, as_real, proposition

__all__ = ["Goal", "Lemma", "converted", "discharge", "last", "taking_apart"]


@dataclass(frozen=True)
class Lemma:
    """A lemma in Coq, for a step or another claim: `name` takes arguments, then formulas."""

    name: str
    arguments: tuple[terms.Variable, ...]
    formulas: tuple[terms.Term, ...]
    conclusion: terms.Term


@dataclass
class Goal:
    """A goal with its context; scripts refer to the names in it."""

    goal: terms.Term
    names: Names
    premises: list[Premise]
    hypotheses: Mapping[str, str]
    counter: Any = field(default_factory=lambda: count(1))

    def fresh(self, stem: str) -> str:
        """A fresh name for a fact in this proof."""
        return f"{stem}{next(self.counter)}"

    def about(
        self, goal: terms.Term, more: Iterable[Premise] = (), names: Names | None = None
    ) -> Goal:
        """Another goal in the same context with additional facts."""
        names = names or self.names
        return Goal(goal, names, [*self.premises, *more], self.hypotheses, self.counter)


def discharge(at: Goal) -> str:
    """A script for a goal that follows by its parts, under its own premises, or by arithmetic."""
    goal = at.goal
    if goal == terms.TRUE:
        return "exact I"
    for p in at.premises:
        if p.formula == goal:
            return f"exact {p.proof}"
    kind = goal[0]
    if kind in ("and", "all"):
        for p in at.premises:
            if p.formula[0] == "if" and same(last(p.formula), goal):
                return _given_its_conditions(at, p)
    if kind == "and":
        if not goal[1]:
            return "exact I"
        parts = [discharge(at.about(g)) for g in goal[1]]
        return f"({conjoined(parts)})"
    if kind in ("all", "if"):
        for p in at.premises:
            if p.formula[0] == kind and same(p.formula, goal):
                with suppress(NotExported):
                    script = converted(p, goal, at.names)
                    if not unsure(script):
                        return script
    if kind == "all":
        variables = terms.fresh(goal, terms.free(*(p.formula for p in at.premises)))
        names, called = _introduced(at.names, goal, variables)
        body = terms.opened(goal, variables)
        return f"(intros {' '.join(called)}; {discharge(at.about(body, names=names))})"
    if kind == "if":
        script, more = _assumed(at, goal[1])
        return f"({script}; {discharge(at.about(goal[2], more))})"
    for p in at.premises:
        if same(p.formula, goal):
            return converted(p, goal, at.names)
    return decide(at)


def last(formula: terms.Term) -> terms.Term:
    """The conclusion of an implication after all its conditions."""
    while formula[0] == "if":
        formula = formula[2]
    return formula


def _given_its_conditions(at: Goal, p: Premise) -> str:
    """A script for a premise's conclusion, whose conditions follow from the other premises."""
    others = [other for other in at.premises if other is not p]
    rest = Goal(at.goal, at.names, others, at.hypotheses, at.counter)
    script, proof, formula = "", p.proof, p.formula
    while formula[0] == "if":
        part = at.fresh("D")
        stated = proposition(formula[1], at.names)
        script += f"assert ({part} : {stated}) by ({discharge(rest.about(formula[1]))}); "
        proof, formula = f"({proof} {part})", formula[2]
    whole = at.fresh("D")
    close = converted(Premise(whole, formula), at.goal, at.names)
    return f"({script}pose proof {proof} as {whole}; {close})"


def _introduced(
    names: Names, binder: terms.Term, variables: Sequence[terms.Variable]
) -> tuple[Names, list[str]]:
    called: list[str] = []
    known = dict(names.free)
    for v, old in zip(variables, terms.variables_of(binder), strict=True):
        name = Names(known, names.bound).fresh(old.label or "x")
        known[v.label] = name
        called.append(name)
    return Names(known, names.bound), called


def _assumed(at: Goal, formula: terms.Term) -> tuple[str, list[Premise]]:
    """A script that introduces a premise and splits its conjunction, and the new premises."""
    name = at.fresh("A")
    parts = conjuncts(formula)
    if formula[0] != "and":
        return f"intro {name}", [Premise(name, formula)]
    if not parts:
        return f"intro {name}", []
    names = [at.fresh("A") for _ in parts]
    apart = taking_apart(formula, iter(names))
    return f"intros {apart}", [Premise(n, f) for n, f in zip(names, parts, strict=True)]


def taking_apart(formula: terms.Term, names: Iterator[str]) -> str:
    """The introduction pattern that splits a conjunction into the given names."""
    if formula[0] != "and":
        return next(names)
    return nested([taking_apart(g, names) for g in formula[1]]) if formula[1] else "_"


def converted(p: Premise, goal: terms.Term, names: Names) -> str:
    """A script for a goal that equals a premise up to arithmetic."""
    if p.formula == goal:
        return f"exact {p.proof}"
    if goal[0] in ("eq", "ne", "le", "lt"):
        return _compared(p, goal, names)
    return rebuilt(p, goal, names, 0)


LONG = 1400  # characters of a formula that are not multiplied out where its parts are in place


def _compared(p: Premise, goal: terms.Term, names: Names) -> str:
    """A script for a comparison from another; long ones are first compared part by part."""
    long = len(repr(goal)) > LONG
    found = with_reordered_sides(p.proof, p.formula, goal, names) if long else None
    if found:
        return found
    script = arithmetic(goal, [p], names)
    if unsure(script) and not long:
        with suppress(NotExported):
            found = with_reordered_sides(p.proof, p.formula, goal, names)
    return f"first [solve [{found}] | {script}]" if found else script


def rebuilt(p: Premise, goal: terms.Term, names: Names, depth: int) -> str:
    """A script for a goal from a premise of the same shape, by descending into both together."""
    kind, old = goal[0], p.formula
    if old == goal:
        return f"exact {p.proof}"
    if kind in ("eq", "ne", "le", "lt"):
        return _compared(p, goal, names)
    if kind != old[0]:
        if old[0] == "if" and not old[1][1:][0]:
            return rebuilt(Premise(f"({p.proof} I)", old[2]), goal, names, depth)
        raise NotExported("two formulas of different shape")
    tag = f"X{depth}_"
    if kind == "if":
        premise = rebuilt(Premise(f"{tag}a", goal[1]), old[1], names, depth + 1)
        conclusion = rebuilt(Premise(f"{tag}c", old[2]), goal[2], names, depth + 1)
        inner = proposition(old[1], names)
        return (
            f"(intro {tag}a; assert ({tag}b : {inner}) by ({premise}); "
            f"pose proof ({p.proof} {tag}b) as {tag}c; {conclusion})"
        )
    if kind == "all":
        if [(v.is_integer, v.arity) for v in old[1]] != [(v.is_integer, v.arity) for v in goal[1]]:
            raise NotExported("two quantifiers of different sorts")
        variables = terms.fresh(goal, terms.free(old))
        inner_names, called = _introduced(names, goal, variables)
        body_old, body = terms.opened(old, variables), terms.opened(goal, variables)
        inner_script = rebuilt(Premise(f"{tag}p", body_old), body, inner_names, depth + 1)
        return (
            f"(intros {' '.join(called)}; pose proof ({p.proof} {' '.join(called)}) as {tag}p; "
            f"cbv beta in {tag}p; {inner_script})"
        )
    if kind == "some":
        variables = terms.fresh(goal, terms.free(old))
        inner_names, called = _introduced(names, goal, variables)
        body_old, body = terms.opened(old, variables), terms.opened(goal, variables)
        inner_script = rebuilt(Premise(f"{tag}p", body_old), body, inner_names, depth + 1)
        pattern = f"{tag}p"
        for c in reversed(called):
            pattern = f"[{c} {pattern}]"
        exists = "; ".join(f"exists {c}" for c in called)
        return f"(destruct {p.proof} as {pattern}; {exists}; {inner_script})"
    if kind == "and" and len(list(_leaves(old))) == len(list(_leaves(goal))):
        leaves = list(_leaves(old))
        called = [f"{tag}{i}" for i in range(len(leaves))]
        parts = []
        for i, part in enumerate(_leaves(goal)):
            at = next((j for j in (i, *range(len(leaves))) if same(leaves[j], part)), i)
            parts.append(rebuilt(Premise(called[at], leaves[at]), part, names, depth + 1))
        return f"(destruct {p.proof} as {taking_apart(old, iter(called))}; {_together(goal, iter(parts))})"
    if kind == "or" and len(old[1]) == len(goal[1]):
        parts = []
        for i, (a, b) in enumerate(zip(old[1], goal[1], strict=True)):
            choose = "; ".join(["right"] * i + (["left"] if i < len(old[1]) - 1 else []))
            inner_script = rebuilt(Premise(f"{tag}p", a), b, names, depth + 1)
            parts.append(f"{choose}; {inner_script}")
        pattern = f"{tag}p"
        for _ in range(len(old[1]) - 1):
            pattern = f"{tag}p | {pattern}" if "|" not in pattern else f"{tag}p | [{pattern}]"
        return f"(destruct {p.proof} as [{pattern}]; [{' | '.join(parts)}])"
    raise NotExported(f"two formulas under {kind}")


def _leaves(formula: terms.Term) -> Iterator[terms.Term]:
    """The innermost parts of nested conjunctions."""
    if formula[0] != "and" or not formula[1]:
        yield formula
        return
    for part in formula[1]:
        yield from _leaves(part)


def _together(formula: terms.Term, scripts: Iterator[str]) -> str:
    """A script for nested conjunctions, from scripts for their parts."""
    if formula[0] != "and" or not formula[1]:
        return next(scripts)
    return conjoined([_together(part, scripts) for part in formula[1]])


def decide(at: Goal) -> str:
    """A script by arithmetic, with universal premises instantiated where their functions occur."""
    script, more, direct = "", [], ""
    for p in at.premises:
        if p.formula[0] == "all":
            for values, formula in _instances(p.formula, at.goal):
                name = at.fresh("J")
                given = [as_integer(v, at.names) if z else as_real(v, at.names) for v, z in values]
                taken = f"pose proof ({p.proof} {' '.join(given)}) as {name}; cbv beta in {name}; "
                if not direct and formula[0] == "if" and same(last(formula), at.goal):
                    direct = taken + _at_once(at, p, Premise(name, formula))
                script += taken
                more.append(Premise(name, formula))
    whole = f"({script}{arithmetic(at.goal, [*at.premises, *more], at.names)})"
    return f"first [solve [{direct}] | {whole}]" if direct else whole


def _at_once(at: Goal, universal: Premise, instance: Premise) -> str:
    """A script for a goal that an instance states under conditions that follow from other facts."""
    others = [p for p in at.premises if p is not universal]
    try:
        return _given_its_conditions(
            Goal(at.goal, at.names, others, at.hypotheses, at.counter), instance
        )
    except NotExported:
        return "fail"


def _instances(
    universal: terms.Term, goal: terms.Term
) -> Iterable[tuple[list[tuple[terms.Term, bool]], terms.Term]]:
    variables = terms.fresh(universal, terms.free(goal))
    if any(v.arity for v in variables):
        return
    body = terms.opened(universal, variables)
    found = candidates(body, [terms.as_value(v) for v in variables], goal)
    choices = [[a for a in f if _fits(a, v)] for f, v in zip(found, variables, strict=True)]
    for values in islice(product(*choices), MAX_INSTANCES):
        formula = terms.substitute(
            body, {v.label: a for v, a in zip(variables, values, strict=True)}
        )
        yield [(a, v.is_integer) for a, v in zip(values, variables, strict=True)], formula
