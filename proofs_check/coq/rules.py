"""One proof script per kernel rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ropeproof.proofs_check.coq.arithmetic import arithmetic
from ropeproof.proofs_check.coq.closing import conjoined
from ropeproof.proofs_check.coq.premises import StepGoal
from ropeproof.proofs_check.coq.printing import (
    Names,
    as_integer,
    as_real,
    proposition,
)
from ropeproof.proofs_check.coq.rewriting import rewrite
from ropeproof.proofs_check.coq.slope import mean_value
from ropeproof.proofs_check.coq.steps import (
    Goal,
    concluded,
    converted,
    discharge,
    last,
    restated,
    taken,
    taking_apart,
    value_text,
    with_extremes,
)
from ropeproof.proofs_check.coq.unknowns import Premise
from ropeproof.proofs_check.kernel.read import names_of, read, read_mapping
from ropeproof.proofs_check.kernel.sequent import conjuncts, same
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

__all__ = ["RULES"]


def _by_arithmetic(step: StepGoal) -> str:
    script, at = step.with_facts()
    for p in at.premises:
        if p.formula[0] == "if" and p.formula[1] == ("not", at.goal):
            return f"{script}; {_by_contradiction(p, at)}"
    goals = conjuncts(at.goal)
    if len(goals) == 1 and last(at.goal)[0] != "all":
        return f"{script}; {arithmetic(at.goal, at.premises, at.names)}"
    return f"{script}; {discharge(at)}"


def _ball(step: StepGoal) -> str:
    """By the library Interval, from the facts that bound a symbol."""
    script, at = step.with_facts()
    return f"{script}; {conjoined(['Ball.enclosed' for _ in conjuncts(at.goal)])}"


def _by_contradiction(p: Premise, at: Goal) -> str:
    """A script from a premise that says what would be so if the goal did not hold."""
    wrong, then = at.fresh("D"), at.fresh("D")
    more = Premise(then, p.formula[2])
    never: Term = ("lt", number(0), number(0))
    close = arithmetic(never, [*at.premises, more], at.names)
    return (
        f"apply Coq.Logic.Classical_Prop.NNPP; intro {wrong}; pose proof ({p.proof} {wrong}) as {then}; "
        f"assert ({at.fresh('D')} : {proposition(never, at.names)}) by ({close}); lra"
    )


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
    base = f"assert (Hb : {proposition(base_goal, names)}); [ {base} | {_at_start(start)} ]"
    k = names.fresh("k")
    inner = Names({**names.free, name: k}, names.bound)
    following = substitute(goal, {name: add(variable, number(1))})
    hypothesis = [Premise("IH", goal), Premise("Hk", guard)]
    step_at = Goal(following, inner, [*keep, *hypothesis], at.hypotheses, at.counter)
    take, fact, assumptions = step.premise(1, at=step_at)
    next_ = f"{take}; {_applied(step_at, fact, assumptions, following)}"
    order = discharge(at.about(guard))
    motive, from_start = proposition(goal, inner), inner.fresh("G")
    return (
        f"{script}; assert ({from_start} : {proposition(guard, names)}) by ({order}); "
        f"refine (Z_from {as_integer(start, names)} (fun {k} : Z => {motive}) _ _ {called} _); "
        f"[{base} | intros {k} Zk IH; assert (Hk : {proposition(guard, inner)}) by "
        f"(apply IZR_le in Zk; first [exact Zk | (push_IZR; lra)]); "
        f"assert (IH' : {proposition(goal, inner)}) by exact IH; clear IH; rename IH' into IH; "
        f"match goal with |- _ => assert (Hs : {proposition(following, inner)}); "
        f"[ {next_} | first [exact Hs | (push_IZR; exact Hs)] ] end | apply le_IZR; exact {from_start}]"
    )


def _at_start(start: Term) -> str:
    """A script from `Hb`, the goal at the start as it is printed, to what `Z_from` asks for."""
    if start[0] != "q" or start[1] < 0:
        return "exact Hb"
    n = int(start[1])
    power, why = ("b", "apply gpow_1") if n == 1 else (f"(b ^ {n})", f"apply (gpow_Z b {n}%Z)")
    return (
        f"first [exact Hb | (repeat match goal with |- context [gpow ?b {n}] => "
        f"replace (gpow b {n}) with {power} by (symmetry; {why}) end; exact Hb)]"
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
        given = [value_text(v, p, at.names) for v, p in zip(conclusion[1], places, strict=True)]
        result = substitute(conclusion[2], dict(enumerate(places)))
        take += f"; pose proof ({proof} {' '.join(given)}) as {name}; tidy {name}"
        if any(map(with_extremes, conclusion[1], places)):
            take += f"; {restated(name, result, at)}"
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
    values, _ = read_mapping(step.arguments["mapping"], targets)
    body = substitute(at.goal[2], {i: values[v.label] for i, v in enumerate(variables)})
    given = "; ".join(f"exists {value_text(v, values[v.label], at.names)}" for v in variables)
    name = at.fresh("W")
    close = f"exact {name}"
    if "('^'," in repr(at.goal):  # an exponent that is a number now
        powers = "repeat setoid_rewrite gpow_Z"
        close = f"first [{close} | ({powers}; {powers} in {name}; {close})]"
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
        apart = f"; pose proof {whole} as {taking_apart(body, iter(labels))}"
        more += [Premise(n, f) for n, f in zip(labels, parts, strict=True)]
    inner = at.about(at.goal, more, names)
    take, fact, assumptions = step.premise(1, at=inner)
    return (
        f"{script}; destruct {existence.proof} as {pattern}{apart}; {take}; "
        f"{_applied(inner, fact, assumptions, at.goal)}"
    )


RULES: Mapping[str, Callable[[StepGoal], str]] = {
    "identity": _by_arithmetic,
    "smt": _by_arithmetic,
    "ball": _ball,
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
    "mean_value": mean_value,
    "witness": _witness,
    "choose": _choose,
    "rewrite": rewrite,
}
