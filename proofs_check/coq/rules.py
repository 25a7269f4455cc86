"""One proof script per kernel rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.coq.arithmetic import arithmetic, equality
from ropeproof.proofs_check.coq.printing import (
    Names,
    as_integer,
    as_real,
    proposition,
)
from ropeproof.proofs_check.coq.steps import (
    Goal,
    Lemma,
    _pattern,
    _value,
    concluded,
    converted,
    discharge,
    taken,
)
from ropeproof.proofs_check.coq.unknowns import NotExported, Premise
from ropeproof.proofs_check.kernel.normal import Normal, canonical
from ropeproof.proofs_check.kernel.read import names_of, read, read_mapping
from ropeproof.proofs_check.kernel.sequent import Sequent, conjuncts, same
from ropeproof.proofs_check.kernel.terms import (
    Term,
    Variable,
    add,
    as_value,
    bind,
    free,
    fresh,
    number,
    opened,
    sub,
    substitute,
)

__all__ = ["RULES", "StepGoal", "Used"]


@dataclass(frozen=True)
class Used:
    """A premise of a step: the sequent, and its lemma or the name of the hypothesis."""

    sequent: Sequent
    lemma: Lemma | None
    hypothesis: str = ""


@dataclass
class StepGoal:
    """All that the proof of a step may use."""

    at: Goal  # the goal, with the assumptions as premises
    used: tuple[Used, ...]
    assuming: tuple[Term, ...]
    arguments: Mapping[str, Any]
    given: Mapping[str, str]  # proofs of the hypotheses by name
    lookup: Callable[[str, str], Lemma]  # kind and name of another claim or an axiom

    def premise(
        self, i: int, values: Mapping[str, Any] | None = None, at: Goal | None = None
    ) -> tuple[str, Premise, list[Term]]:
        """A script that takes premise i at the symbols of the same name, or at the values given.

        Also returns the fact, an implication from what it assumes, and those assumptions.
        """
        at, used = at or self.at, self.used[i]
        if used.lemma is None:
            formula = used.sequent.conclusion
            if values and set(values) & set(free(formula)):
                raise NotExported("an instance of a hypothesis")
            return "idtac", Premise(used.hypothesis, formula), []
        name = at.fresh("P")
        hyps = [self.given[h] for h in sorted(used.sequent.hypotheses)]
        script, formula = taken(at, used.lemma, values or {}, name, given=hyps)
        assumptions = []
        for _ in used.sequent.assumptions:
            assumptions.append(formula[1])
            formula = formula[2]
        whole = formula
        for a in reversed(assumptions):
            whole = ("if", a, whole)
        return script, Premise(name, whole), assumptions

    def facts(self, start: int = 0, at: Goal | None = None) -> tuple[str, list[Premise]]:
        """A script that brings the premises from `start` on, and them; assumed ones are removed."""
        at = at or self.at
        scripts, found = [], []
        have = {canonical(p.formula): p for p in at.premises}
        for i in range(start, len(self.used)):
            script, fact, assumptions = self.premise(i, at=at)
            scripts.append(script)
            proof, formula = fact.proof, fact.formula
            missing = [a for a in assumptions if canonical(a) not in have]
            if assumptions and len(missing) < len(assumptions):
                name = at.fresh("P")
                target: Term = formula
                for _ in assumptions:
                    target = target[2]
                conclusion = target
                for a in reversed(missing):
                    target = ("if", a, target)
                inner, arguments = "idtac", []
                for a in assumptions:
                    h = at.fresh("A")
                    if a in missing:
                        inner += f"; intro {h}"
                    else:
                        source = have[canonical(a)]
                        inner += (
                            f"; assert ({h} : {proposition(a, at.names)}) by "
                            f"({converted(source, a, at.names)})"
                        )
                    arguments.append(h)
                scripts.append(
                    f"assert ({name} : {proposition(target, at.names)}) by "
                    f"({inner}; exact ({proof} {' '.join(arguments)}))"
                )
                proof, formula = name, target
                del conclusion
            if len(missing) > 1:  # the kernel has one implication from their conjunction
                name = at.fresh("P")
                conclusion = formula
                for _ in missing:
                    conclusion = conclusion[2]
                joined: Term = ("if", ("and", tuple(missing)), conclusion)
                parts = [at.fresh("A") for _ in missing]
                pattern = _pattern(("and", tuple(missing)), iter(_flat_names(missing, parts)))
                pattern = _joined(parts)
                scripts.append(
                    f"assert ({name} : {proposition(joined, at.names)}) by "
                    f"(intros {pattern}; exact ({proof} {' '.join(parts)}))"
                )
                proof, formula = name, joined
            found.append(Premise(proof, formula))
        return "; ".join(s for s in scripts if s != "idtac") or "idtac", found

    def with_facts(self, start: int = 0, goal: Term | None = None) -> tuple[str, Goal]:
        """The goal with all premises from `start` on in the context, conjunctions taken apart."""
        script, found = self.facts(start)
        apart: list[Premise] = []
        for p in found:
            parts = conjuncts(p.formula)
            if p.formula[0] == "and" and parts:
                names = [self.at.fresh("C") for _ in parts]
                script += f"; pose proof {p.proof} as {_pattern(p.formula, iter(names))}"
                apart += [Premise(n, f) for n, f in zip(names, parts, strict=True)]
            else:
                apart.append(p)
        return script, self.at.about(goal if goal is not None else self.at.goal, apart)


def _flat_names(_: Any, parts: list[str]) -> list[str]:
    return parts


def _joined(parts: list[str]) -> str:
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = f"[{part} {result}]"
    return result


def _by_arithmetic(step: StepGoal) -> str:
    script, at = step.with_facts()
    goals = conjuncts(at.goal)
    if len(goals) == 1:
        return f"{script}; {arithmetic(at.goal, at.premises, at.names)}"
    return f"{script}; {discharge(at)}"


# -- sums -----------------------------------------------------------------------------


def _termwise(step: StepGoal) -> str:
    kind, *sides = step.at.goal
    names = step.at.names
    model = next(side for side in sides if side[0] == "sum")
    variable = model[1]
    label = names.fresh(variable.label)
    inner = Names({**names.free, variable.label: label}, names.bound)
    bodies = [opened(s, [variable]) if s[0] == "sum" else s for s in sides]
    script, rest = step.with_facts(1)
    index = as_value(variable)
    bounds = [
        Premise("Hlow", ("le", model[2], index)),
        Premise("Hhigh", ("le", index, model[3])),
    ]
    at = Goal(
        (kind, *bodies), inner, [*rest.premises, *bounds], step.at.hypotheses, step.at.counter
    )
    take, fact, assumptions = step.premise(0, at=at)
    formula, proof, more = fact.formula, fact.proof, ""
    for a in assumptions:
        part = at.fresh("D")
        more += f"assert ({part} : {proposition(a, inner)}) by ({discharge(at.about(a))}); "
        proof, formula = f"({proof} {part})", formula[2]
    close = converted(Premise(proof, formula), at.goal, inner)
    body = f"(intros {label} Zlow Zhigh; pose proof (IZR_le _ _ Zlow) as Hlow; "
    body += (
        f"pose proof (IZR_le _ _ Zhigh) as Hhigh; {_restated(bounds, inner)}{take}; {more}{close})"
    )
    low, high = (as_integer(b, names) for b in model[2:4])
    ready = script
    if sides[0][0] == "sum" and sides[1][0] == "sum":
        if kind == "eq":
            return f"{ready}; apply zsum_range; [zeq | zeq | {body}]"
        other = [as_integer(b, names) for b in sides[1][2:4]]
        same_range = (
            f"rewrite (zsum_range {other[0]} {other[1]} {low} {high} _ _ "
            f"ltac:(zeq) ltac:(zeq) (fun _ _ _ => eq_refl))"
        )
        ready += "" if (sides[1][2:4] == model[2:4]) else f"; {same_range}"
        lemma = {"le": "zsum_le", "lt": "zsum_lt"}[kind]
    else:
        zero_left = sides[0][0] != "sum"
        lemma = {
            ("eq", True): "eq_sym, zsum_0",
            ("eq", False): "zsum_0",
            ("le", True): "zsum_nonneg",
            ("le", False): "zsum_nonpos",
            ("lt", True): "zsum_pos",
            ("lt", False): "zsum_neg",
        }[kind, zero_left]
    if kind == "lt":
        order = discharge(rest.about(("le", model[2], model[3])))
        return f"{ready}; apply {lemma}; [apply le_IZR; {order} | {body}]"
    return f"{ready}; apply {lemma}; {body}"


def _restated(bounds: list[Premise], names: Names) -> str:
    """The bounds as `printing` writes them, which may be more than one `IZR`."""
    return "".join(
        f"assert ({p.proof}' : {proposition(p.formula, names)}) by first [exact {p.proof} | "
        f"(push_IZR; lra)]; clear {p.proof}; rename {p.proof}' into {p.proof}; "
        for p in bounds
    )


def _split(step: StepGoal) -> str:
    script, at = step.with_facts()
    total = at.goal[1]
    middle = read(step.arguments["at"])
    names = at.names
    one = add(middle, number(1))
    parts = add(
        ("sum", total[1], total[2], middle, total[4]), ("sum", total[1], one, total[3], total[4])
    )
    first = discharge(at.about(("le", total[2], one)))
    second = discharge(at.about(("le", middle, total[3])))
    close = arithmetic(("eq", parts, at.goal[2]), at.premises, names)
    return (
        f"{script}; transitivity {as_real(parts, names)}; "
        f"[apply zsum_split; [apply le_IZR; {first} | apply le_IZR; {second}] | {close}]"
    )


def _reindex(step: StepGoal) -> str:
    script, at = step.with_facts()
    total = at.goal[1]
    (index,) = fresh(total)
    turned = substitute(total[4], {0: sub(add(total[2], total[3]), as_value(index))})
    expected: Term = ("sum", Variable("i", True), total[2], total[3], bind(turned, [index]))
    close = arithmetic(("eq", expected, at.goal[2]), at.premises, at.names)
    return (
        f"{script}; transitivity {as_real(expected, at.names)}; [rewrite zsum_reindex; "
        f"apply zsum_ext; intros; repeat f_equal; zeq | {close}]"
    )


def _swap(step: StepGoal) -> str:
    script, at = step.with_facts()
    outer = at.goal[1]
    (first,) = fresh(outer)
    inner = opened(outer, [first])
    (second,) = fresh(inner, [first.label])
    body: Term = ("sum", Variable("i", True), *outer[2:4], bind(opened(inner, [second]), [first]))
    expected: Term = ("sum", Variable("j", True), *inner[2:4], bind(body, [second]))
    close = arithmetic(("eq", expected, at.goal[2]), at.premises, at.names)
    return (
        f"{script}; transitivity {as_real(expected, at.names)}; "
        f"[apply (zsum_swap _ _ _ _ _) | {close}]"
    )


def _induction(step: StepGoal) -> str:
    variable, start = read(step.arguments["variable"]), read(step.arguments["start"])
    script, at = step.with_facts(2)
    names, goal = at.names, at.goal
    name = variable[1]
    called = names.of(name)
    guard: Term = ("le", start, variable)
    keep = [p for p in at.premises if name not in free(p.formula)]
    base_goal = substitute(goal, {name: start})
    base_at = Goal(base_goal, names, keep, at.hypotheses, at.counter)
    take, fact, assumptions = step.premise(0, {name: start}, base_at)
    base = f"{take}; {_applied(base_at, fact, assumptions, base_goal)}"
    k = names.fresh("k")
    inner = Names({**names.free, name: k}, names.bound)
    following = substitute(goal, {name: add(variable, number(1))})
    hypothesis = [Premise("IH", goal), Premise("Hk", guard)]
    step_at = Goal(following, inner, [*keep, *hypothesis], at.hypotheses, at.counter)
    take, fact, assumptions = step.premise(1, at=step_at)
    next_ = f"{take}; {_applied(step_at, fact, assumptions, following)}"
    order = discharge(at.about(guard))
    motive = proposition(goal, inner)
    return (
        f"{script}; assert (G : {proposition(guard, names)}) by ({order}); "
        f"refine (Z_from {as_integer(start, names)} (fun {k} : Z => {motive}) _ _ {called} _); "
        f"[{base} | intros {k} Zk IH; assert (Hk : {proposition(guard, inner)}) by "
        f"(apply IZR_le in Zk; first [exact Zk | (push_IZR; lra)]); "
        f"assert (IH' : {proposition(goal, inner)}) by exact IH; clear IH; rename IH' into IH; "
        f"match goal with |- ?g => assert (N : {proposition(following, inner)}); "
        f"[ {next_} | first [exact N | (push_IZR; exact N)] ] end | apply le_IZR; exact G]"
    )


def _applied(at: Goal, fact: Premise, assumptions: list[Term], goal: Term) -> str:
    script, proof, formula = "", fact.proof, fact.formula
    for a in assumptions:
        part = at.fresh("D")
        script += f"assert ({part} : {proposition(a, at.names)}) by ({discharge(at.about(a))}); "
        proof, formula = f"({proof} {part})", formula[2]
    name = at.fresh("D")
    stated = f"pose proof {proof} as {name}; "
    return f"{script}{stated}{converted(Premise(name, formula), goal, at.names)}"


# -- logic ----------------------------------------------------------------------------


def _of_other(step: StepGoal, kind: str, name: str) -> str:
    lemma = step.lookup(kind, name)
    script, at = step.with_facts()
    targets = {v.label: (v.is_integer, v.arity) for v in lemma.arguments}
    values, _ = read_mapping(step.arguments["mapping"], targets)
    fact = at.fresh("I")
    take, formula = taken(at, lemma, values, fact)
    return f"{script}; {take}; {concluded(at, fact, formula)}"


def _by_claim(step: StepGoal) -> str:
    return _of_other(step, "claim", step.arguments["id"])


def _axiom(step: StepGoal) -> str:
    return _of_other(step, "axiom", step.arguments["name"])


def _instance(step: StepGoal) -> str:
    used, mapping = step.used[0], dict(step.arguments["mapping"])
    script, at = step.with_facts(1)
    conclusion = used.sequent.conclusion
    bound = (
        {v.label: (v.is_integer, v.arity) for v in conclusion[1]} if conclusion[0] == "all" else {}
    )
    name = at.fresh("I")
    if bound and names_of(mapping) <= set(bound):
        values, _ = read_mapping(mapping, bound)
        take, fact, assumptions = step.premise(0, at=at)
        proof, formula = fact.proof, fact.formula
        for a in assumptions:
            part = at.fresh("D")
            take += f"; assert ({part} : {proposition(a, at.names)}) by ({discharge(at.about(a))})"
            proof, formula = f"({proof} {part})", formula[2]
        places = [values.get(v.label, as_value(v)) for v in conclusion[1]]
        given = [_value(v, p, at.names) for v, p in zip(conclusion[1], places, strict=True)]
        result = substitute(conclusion[2], dict(enumerate(places)))
        take += f"; pose proof ({proof} {' '.join(given)}) as {name}; tidy {name}"
        return f"{script}; {take}; {concluded(at, name, result)}"
    targets = free(("and", used.sequent.assumptions), conclusion)
    values, _ = read_mapping(mapping, targets)
    take, fact, assumptions = step.premise(0, values, at)
    return f"{script}; {take}; {concluded(at, fact.proof, fact.formula)}"


def _generalise(step: StepGoal) -> str:
    goal = step.at.goal
    variables = goal[1]
    called, known = [], dict(step.at.names.free)
    for v in variables:
        name = Names(known).fresh(v.label)
        known[v.label] = name
        called.append(name)
    names = Names(known, step.at.names.bound)
    body = opened(goal, variables)
    at = step.at.about(body, names=names)
    inner = StepGoal(at, step.used, step.assuming, step.arguments, step.given, step.lookup)
    script, found = inner.facts(at=at)
    (fact,) = found
    return f"intros {' '.join(called)}; {script}; {_from(fact, body, at)}"


def _from(fact: Premise, goal: Term, at: Goal) -> str:
    if same(fact.formula, goal):
        return converted(fact, goal, at.names)
    return discharge(Goal(goal, at.names, [fact], at.hypotheses, at.counter))


def _witness(step: StepGoal) -> str:
    script, at = step.with_facts()
    variables = at.goal[1]
    targets = {v.label: (v.is_integer, v.arity) for v in variables}
    values, _ = read_mapping(step.arguments["mapping"], targets)
    body = substitute(at.goal[2], {i: values[v.label] for i, v in enumerate(variables)})
    given = "; ".join(f"exists {_value(v, values[v.label], at.names)}" for v in variables)
    name = at.fresh("W")
    return (
        f"{script}; assert ({name} : {proposition(body, at.names)}) by "
        f"({discharge(at.about(body))}); {given}; cbv beta; "
        f"repeat setoid_rewrite zfloor_IZR; exact {name}"
    )


def _choose(step: StepGoal) -> str:
    script, found = step.facts()
    existence = found[0]
    variables = existence.formula[1]
    rest_script, at = step.with_facts(2)
    called, known = [], dict(at.names.free)
    for v in variables:
        name = Names(known).fresh(v.label)
        known[v.label] = name
        called.append(name)
    names = Names(known, at.names.bound)
    body = opened(existence.formula, variables)
    parts = conjuncts(body)
    labels = [at.fresh("B") for _ in parts]
    whole = at.fresh("B")
    pattern = whole
    for c in reversed(called):
        pattern = f"[{c} {pattern}]"
    more = [Premise(whole, body)]
    apart = ""
    if body[0] == "and":
        apart = f"; pose proof {whole} as {_pattern(body, iter(labels))}"
        more += [Premise(n, f) for n, f in zip(labels, parts, strict=True)]
    inner = at.about(at.goal, more, names)
    take, fact, assumptions = step.premise(1, at=inner)
    first_script = step.facts()[0]
    del first_script, rest_script
    return (
        f"{script}; destruct {existence.proof} as {pattern}{apart}; {take}; "
        f"{_applied(inner, fact, assumptions, at.goal)}"
    )


def _rewrite(step: StepGoal) -> str:
    script, at = step.with_facts()
    raise_later = [p.formula for p in at.premises]
    del raise_later
    _, found = script, at.premises
    premises = found[len(step.at.premises) :]
    equations = premises if at.goal[0] == "eq" else premises[:-1]
    if at.goal[0] == "eq":
        left, right = at.goal[1:]
        new = [_replaced(side, [e.formula for e in equations]) for side in (left, right)]
        one = _congruent(left, new[0], equations, at.names, 0)
        two = _congruent(right, new[1], equations, at.names, 0)
        middle = arithmetic(("eq", *new), at.premises, at.names)
        texts = [as_real(n, at.names) for n in new]
        return (
            f"{script}; transitivity {texts[0]}; [{one} | transitivity {texts[1]}; "
            f"[{middle} | symmetry; {two}]]"
        )
    return f"{script}; {arithmetic(at.goal, at.premises, at.names)}"


def _replaced(part: Any, equations: list[Term]) -> Any:
    from ropeproof.proofs_check.kernel.rules import _replace

    return _replace(part, equations)


def _congruent(a: Term, b: Term, equations: list[Premise], names: Names, depth: int) -> str:
    """A script for `a = b`, where b is a with parts replaced."""
    if a == b:
        return "reflexivity"
    for e in equations:
        if b == e.formula[2] and not Normal().poly(sub(a, e.formula[1])):
            if a == e.formula[1]:
                return f"exact {e.proof}"
            text = as_real(e.formula[1], names)
            return f"transitivity {text}; [{equality(a, e.formula[1], names)} | exact {e.proof}]"
    kind = a[0]
    if kind != b[0]:
        raise NotExported("a replaced part of another shape")
    if kind == "sum":
        (index,) = fresh(add(a, b), names.free) if False else fresh(a, {**names.free, **free(b)})
        label = names.fresh(a[1].label or "i")
        inner = Names({**names.free, index.label: label}, names.bound)
        script = _congruent(opened(a, [index]), opened(b, [index]), equations, inner, depth + 1)
        return f"apply zsum_range; [zeq | zeq | intros {label} Zlow{depth} Zhigh{depth}; {script}]"
    parts_a = a[1] if kind in ("+", "*", "max", "min") else a[3] if kind == "f" else a[1:]
    parts_b = b[1] if kind in ("+", "*", "max", "min") else b[3] if kind == "f" else b[1:]
    known, script = [], ""
    for i, (x, y) in enumerate(zip(parts_a, parts_b, strict=True)):
        if x == y:
            continue
        name = f"K{depth}_{i}"
        text = f"{as_real(x, names)} = {as_real(y, names)}"
        inner_script = _congruent(x, y, equations, names, depth + 1)
        script += f"assert ({name} : {text}) by ({inner_script}); "
        known.append(name)
    replaced = "; ".join(f"rewrite ?{n}" for n in known)
    goal: Term = ("eq", a, b)
    premises = [
        Premise(f"K{depth}_{i}", ("eq", x, y))
        for i, (x, y) in enumerate(zip(parts_a, parts_b, strict=True))
        if x != y
    ]
    if kind in ("+", "*", "^"):
        return f"({script}first [({replaced}; reflexivity) | {arithmetic(goal, premises, names)}])"
    return f"({script}{replaced}; reflexivity)"


RULES: Mapping[str, Callable[[StepGoal], str]] = {
    "identity": _by_arithmetic,
    "smt": _by_arithmetic,
    "chain": _by_arithmetic,
    "sums.termwise": _termwise,
    "sums.split": _split,
    "sums.reindex": _reindex,
    "sums.swap": _swap,
    "sums.induction": _induction,
    "by_claim": _by_claim,
    "axiom": _axiom,
    "instance": _instance,
    "generalise": _generalise,
    "witness": _witness,
    "choose": _choose,
    "rewrite": _rewrite,
}
