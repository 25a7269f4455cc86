"""The Coq proof script of each kernel rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ropeproof.proofs_check.kernel import read, terms
from ropeproof.proofs_check.kernel.sequent import conjuncts, same
from ropeproof.proofs_check.recheck.coq import lemma_instances, sum_rules
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import conjoined
from ropeproof.proofs_check.recheck.coq.arithmetic.rewriting import rewrite
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.premises import StepGoal
from ropeproof.proofs_check.recheck.coq.printing import Names, proposition
from ropeproof.proofs_check.recheck.coq.slope import mean_value
from ropeproof.proofs_check.recheck.coq.steps import Goal, converted, discharge, last, taking_apart

__all__ = ["RULES"]


def _by_arithmetic(step: StepGoal) -> str:
    script, at = step.with_facts()
    for p in at.premises:
        if p.formula[0] == "if" and p.formula[1] == ("not", at.goal):
            return f"{script}; {_by_contradiction(p, at)}"
    goals = conjuncts(at.goal)
    if (
        sum(
            p.formula[0] == "if" and set(goals) <= set(conjuncts(last(p.formula)))
            for p in at.premises
        )
        > 1
    ):
        # The conditions may be the cases of a premise, or all that there are of an integer.
        by_cases = "solve [timeout 10 Powers.by_alternatives] | solve [Powers.by_conditions]"
        with suppress(NotExported):
            return f"{script}; first [{by_cases} | {_shown(at, goals)}]"
        return f"{script}; first [{by_cases}]"
    return f"{script}; {_shown(at, goals)}"


def _shown(at: Goal, goals: Sequence[terms.Term]) -> str:
    """A script for a goal with the given parts from the facts in its context."""
    if len(goals) == 1 and last(at.goal)[0] != "all":
        return arithmetic(at.goal, at.premises, at.names)
    return discharge(at)


def _ball(step: StepGoal) -> str:
    """A script by the Coq library Interval, from the facts that bound a symbol."""
    script, at = step.with_facts()
    return f"{script}; {conjoined(['Ball.enclosed' for _ in conjuncts(at.goal)])}"


def _by_contradiction(p: Premise, at: Goal) -> str:
    """A script by contradiction, from a premise about the negated goal."""
    wrong, then = at.fresh("D"), at.fresh("D")
    more = Premise(then, p.formula[2])
    never: terms.Term = ("lt", terms.number(0), terms.number(0))
    close = arithmetic(never, [*at.premises, more], at.names)
    return (
        f"apply Coq.Logic.Classical_Prop.NNPP; intro {wrong}; pose proof ({p.proof} {wrong}) as {then}; "
        f"assert ({at.fresh('D')} : {proposition(never, at.names)}) by ({close}); lra"
    )


# -- logic ----------------------------------------------------------------------------


def _of_other(step: StepGoal, kind: str, name: str) -> str:
    lemma = step.lookup(kind, name)
    script, at = step.with_facts()
    targets = {v.label: (v.is_integer, v.arity) for v in lemma.arguments}
    values, _ = read.read_mapping(step.arguments["mapping"], targets)
    fact = at.fresh("I")
    take, formula = lemma_instances.taken(at, lemma, values, fact)
    return f"{script}; {take}; {lemma_instances.concluded(at, fact, formula)}"


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
    if bound and read.names_of(mapping) <= set(bound):
        values, _ = read.read_mapping(mapping, bound)
        take, fact, assumptions = step.premise(0, at=at)
        proof, formula = fact.proof, fact.formula
        for a in assumptions:
            part = at.fresh("D")
            take += f"; assert ({part} : {proposition(a, at.names)}) by ({discharge(at.about(a))})"
            proof, formula = f"({proof} {part})", formula[2]
        places = [values.get(v.label, terms.as_value(v)) for v in conclusion[1]]
        given = [
            lemma_instances.value_text(v, p, at.names)
            for v, p in zip(conclusion[1], places, strict=True)
        ]
        result = terms.substitute(conclusion[2], dict(enumerate(places)))
        take += f"; pose proof ({proof} {' '.join(given)}) as {name}; tidy {name}"
        if any(map(lemma_instances.with_extremes, conclusion[1], places)):
            take += f"; {lemma_instances.restated(name, result, at)}"
        return f"{script}; {take}; {lemma_instances.concluded(at, name, result)}"
    targets = terms.free(("and", used.sequent.assumptions), conclusion)
    values, _ = read.read_mapping(mapping, targets)
    take, fact, assumptions = step.premise(0, values, at)
    return f"{script}; {take}; {lemma_instances.concluded(at, fact.proof, fact.formula)}"


def _generalise(step: StepGoal) -> str:
    goal = step.at.goal
    variables = goal[1]
    called, known = [], dict(step.at.names.free)
    for v in variables:
        name = Names(known).fresh(v.label)
        known[v.label] = name
        called.append(name)
    names = Names(known, step.at.names.bound)
    body = terms.opened(goal, variables)
    at = step.at.about(body, names=names)
    inner = StepGoal(at, step.used, step.assuming, step.arguments, step.given, step.lookup)
    script, found = inner.facts(at=at)
    (fact,) = found
    return f"intros {' '.join(called)}; {script}; {_from(fact, body, at)}"


def _from(fact: Premise, goal: terms.Term, at: Goal) -> str:
    if same(fact.formula, goal):
        return converted(fact, goal, at.names)
    return discharge(Goal(goal, at.names, [fact], at.hypotheses, at.counter))


_BRANCHES = (  # what is known of a term with branches, about the integer that it is
    "repeat match goal with K : _ /\\ _ |- _ => destruct K end; "
    "repeat match goal with |- _ /\\ _ => split end; intros; repeat rewrite zfloor_IZR; "
    "repeat match goal with |- context [IZR (zfloor (if ?d then ?x else ?y))] => "
    "replace (IZR (zfloor (if d then x else y))) with (if d then x else y) by "
    "(repeat match goal with |- context [if ?c then _ else _] => destruct c end; "
    "rewrite zfloor_IZR; reflexivity) end; "
    "match goal with K : _ |- _ => solve [eapply K; eassumption] end"
)


def _witness(step: StepGoal) -> str:
    script, at = step.with_facts()
    variables = at.goal[1]
    targets = {v.label: (v.is_integer, v.arity) for v in variables}
    values, _ = read.read_mapping(step.arguments["mapping"], targets)
    body = terms.substitute(at.goal[2], {i: values[v.label] for i, v in enumerate(variables)})
    given = "; ".join(
        f"exists {lemma_instances.value_text(v, values[v.label], at.names)}" for v in variables
    )
    name = at.fresh("W")
    close = f"exact {name}"
    if "('^'," in repr(at.goal):  # an exponent that is a number now
        powers = "repeat setoid_rewrite gpow_Z"
        close = f"first [{close} | ({powers}; {powers} in {name}; {close})]"
    if any(lemma_instances.with_extremes(v, values[v.label]) for v in variables):
        close = f"first [{close} | ({lemma_instances.said_of_reals(name)})]"
    if "'ite'" in repr(values):  # what a branch compares is in a type: nothing is rewritten there
        close = f"first [{close} | ({_BRANCHES})]"
    return (
        f"{script}; assert ({name} : {proposition(body, at.names)}) by "
        f"({discharge(at.about(body))}); {given}; cbv beta; "
        f"floors; {close}"
    )


def _choose(step: StepGoal) -> str:
    script, found = step.facts(stop=1)
    existence = found[0]
    variables = existence.formula[1]
    _, at = step.with_facts(2)
    called, known = [], dict(at.names.free)
    for v in variables:
        name = Names(known).fresh(v.label)
        known[v.label] = name
        called.append(name)
    names = Names(known, at.names.bound)
    body = terms.opened(existence.formula, variables)
    parts = conjuncts(body)
    labels = [at.fresh("B") for _ in parts]
    whole = at.fresh("B")
    pattern = whole
    for c in reversed(called):
        pattern = f"[{c} {pattern}]"
    more = [Premise(whole, body)]
    apart = ""
    if body[0] == "and":
        apart = f"; pose proof {whole} as {taking_apart(body, iter(labels))}"
        more += [Premise(n, f) for n, f in zip(labels, parts, strict=True)]
    inner = at.about(at.goal, more, names)
    take, fact, assumptions = step.premise(1, at=inner)
    return (
        f"{script}; destruct {existence.proof} as {pattern}{apart}; {take}; "
        f"{sum_rules.applied(inner, fact, assumptions, at.goal)}"
    )


RULES: Mapping[str, Callable[[StepGoal], str]] = {
    "identity": _by_arithmetic,
    "smt": _by_arithmetic,
    "ball": _ball,
    "chain": _by_arithmetic,
    "sums.termwise": sum_rules.termwise,
    "sums.split": sum_rules.split,
    "sums.reindex": sum_rules.reindex,
    "sums.swap": sum_rules.swap,
    "sums.induction": sum_rules.induction,
    "by_claim": _by_claim,
    "axiom": _axiom,
    "instance": _instance,
    "generalise": _generalise,
    "mean_value": mean_value,
    "witness": _witness,
    "choose": _choose,
    "rewrite": rewrite,
}
