"""Coq proof scripts for the kernel's rules about sums."""

from __future__ import annotations

from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Premise
from ropeproof.proofs_check.recheck.coq.lemma_instances import no_integers
from ropeproof.proofs_check.recheck.coq.premises import StepGoal
from ropeproof.proofs_check.recheck.coq.printing import Names, as_integer, as_real, proposition
from ropeproof.proofs_check.recheck.coq.steps import Goal, converted, discharge
from ropeproof.proofs_check.recheck.coq.sums import agreeing

__all__ = ["applied", "induction", "reindex", "split", "swap", "termwise"]


def termwise(step: StepGoal) -> str:
    """A script for the comparison of two sums from the comparison of their terms."""
    kind, *sides = step.at.goal
    names = step.at.names
    model = next(side for side in sides if side[0] == "sum")
    variable = model[1]
    label = names.fresh(variable.label)
    inner = Names({**names.free, variable.label: label}, names.bound)
    bodies = [terms.opened(s, [variable]) if s[0] == "sum" else s for s in sides]
    script, rest = step.with_facts(1)
    index = terms.as_value(variable)
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
            low_is, high_is = (
                agreeing(a, b) for a, b in zip(sides[0][2:4], sides[1][2:4], strict=True)
            )
            return f"{ready}; apply zsum_range; [{low_is} | {high_is} | {body}]"
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
    """A script that restates the bounds as `printing` writes them, possibly with several `IZR`."""
    script = ""
    for p in bounds:
        close = f"exact {p.proof} | (push_IZR; lra)"
        for side in p.formula[1:]:
            if any(True for _ in no_integers(side)):
                same = f"IZR {as_integer(side, names)} = {as_real(side, names)}"
                close += f" | (assert (W : {same}) by Powers.whole; rewrite W in {p.proof}; exact {p.proof})"
        script += (
            f"assert ({p.proof}' : {proposition(p.formula, names)}) by first [{close}]; "
            f"clear {p.proof}; rename {p.proof}' into {p.proof}; "
        )
    return script


def split(step: StepGoal) -> str:
    """A script for splitting a sum into one up to a place and one after it."""
    script, at = step.with_facts()
    total = at.goal[1]
    middle = read(step.arguments["at"])
    names = at.names
    one = terms.add(middle, terms.number(1))
    parts = terms.add(
        ("sum", total[1], total[2], middle, total[4]), ("sum", total[1], one, total[3], total[4])
    )
    first = discharge(at.about(("le", total[2], one)))
    second = discharge(at.about(("le", middle, total[3])))
    close = arithmetic(("eq", parts, at.goal[2]), at.premises, names)
    one_term = _one_term_written(total, middle, one, names)
    in_place = "first [ring | same_ranges | (rewrite Rplus_comm; same_ranges)]"
    close = f"first [solve [{one_term}{in_place}] | {close}]"
    return (
        f"{script}; transitivity {as_real(parts, names)}; "
        f"[apply zsum_split; [apply le_IZR; {first} | apply le_IZR; {second}] | {close}]"
    )


def _one_term_written(total: terms.Term, middle: terms.Term, one: terms.Term, names: Names) -> str:
    """A script that replaces a part of a split sum with a single term by that term."""
    kind, variable, low, high, body = total
    script = ""
    for first, final, place in ((low, middle, low), (one, high, high)):
        if _same_value(first, final):
            part = (kind, variable, first, final, body)
            start, end, at = (as_integer(t, names) for t in (first, final, place))
            value = as_real(terms.substitute(body, {0: place}), names)
            script += (
                f"replace {as_real(part, names)} with {value} by (rewrite (zsum_first {start} {end}) by "
                f"lia; rewrite (zsum_empty ({start} + 1) {end}) by lia; "
                f"replace ({start}) with ({at}) by lia; ring); "
            )
    return script


def _same_value(a: terms.Term, b: terms.Term) -> bool:
    """Whether two integer terms have the same normal form."""
    normal = Normal()
    return bool(normal.poly(a) == normal.poly(b))


def reindex(step: StepGoal) -> str:
    """A script for a sum in reverse order."""
    script, at = step.with_facts()
    total = at.goal[1]
    (index,) = terms.fresh(total)
    turned = terms.substitute(
        total[4], {0: terms.sub(terms.add(total[2], total[3]), terms.as_value(index))}
    )
    expected: terms.Term = (
        "sum",
        terms.Variable("i", True),
        total[2],
        total[3],
        terms.bind(turned, [index]),
    )
    close = arithmetic(("eq", expected, at.goal[2]), at.premises, at.names)
    return (
        f"{script}; transitivity {as_real(expected, at.names)}; [rewrite zsum_reindex; "
        f"apply zsum_ext; intros; repeat f_equal; zeq | {close}]"
    )


def swap(step: StepGoal) -> str:
    """A script for exchanging the order of two sums."""
    script, at = step.with_facts()
    outer = at.goal[1]
    (first,) = terms.fresh(outer)
    inner = terms.opened(outer, [first])
    (second,) = terms.fresh(inner, [first.label])
    body: terms.Term = (
        "sum",
        terms.Variable("i", True),
        *outer[2:4],
        terms.bind(terms.opened(inner, [second]), [first]),
    )
    expected: terms.Term = (
        "sum",
        terms.Variable("j", True),
        *inner[2:4],
        terms.bind(body, [second]),
    )
    close = arithmetic(("eq", expected, at.goal[2]), at.premises, at.names)
    return (
        f"{script}; transitivity {as_real(expected, at.names)}; "
        f"[apply (zsum_swap _ _ _ _ _) | {close}]"
    )


def induction(step: StepGoal) -> str:
    """A script for induction over all integers from the start on."""
    variable, start = read(step.arguments["variable"]), read(step.arguments["start"])
    script, at = step.with_facts(2)
    names, goal = at.names, at.goal
    name = variable[1]
    called = names.of(name)
    guard: terms.Term = ("le", start, variable)
    keep = [p for p in at.premises if name not in terms.free(p.formula)]
    base_goal = terms.substitute(goal, {name: start})
    base_at = Goal(base_goal, names, keep, at.hypotheses, at.counter)
    take, fact, assumptions = step.premise(0, {name: start}, base_at)
    base = f"{take}; {applied(base_at, fact, assumptions, base_goal)}"
    base = f"assert (Hb : {proposition(base_goal, names)}); [ {base} | {_at_start(start)} ]"
    k = names.fresh("k")
    inner = Names({**names.free, name: k}, names.bound)
    following = terms.substitute(goal, {name: terms.add(variable, terms.number(1))})
    hypothesis = [Premise("IH", goal), Premise("Hk", guard)]
    step_at = Goal(following, inner, [*keep, *hypothesis], at.hypotheses, at.counter)
    take, fact, assumptions = step.premise(1, at=step_at)
    next_ = f"{take}; {applied(step_at, fact, assumptions, following)}"
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


def _at_start(start: terms.Term) -> str:
    """A script from `Hb`, the printed goal at the start, to the base case that `Z_from` needs."""
    if start[0] != "q" or start[1] < 0:
        return "exact Hb"
    n = int(start[1])
    power, why = ("b", "apply gpow_1") if n == 1 else (f"(b ^ {n})", f"apply (gpow_Z b {n}%Z)")
    return (
        f"first [exact Hb | (repeat match goal with |- context [gpow ?b {n}] => "
        f"replace (gpow b {n}) with {power} by (symmetry; {why}) end; exact Hb)]"
    )


def applied(at: Goal, fact: Premise, assumptions: list[terms.Term], goal: terms.Term) -> str:
    """A script for a goal from a fact, after proving the fact's assumptions."""
    script, proof, formula = "", fact.proof, fact.formula
    for a in assumptions:
        part = at.fresh("D")
        script += f"assert ({part} : {proposition(a, at.names)}) by ({discharge(at.about(a))}); "
        proof, formula = f"({proof} {part})", formula[2]
    name = at.fresh("D")
    stated = f"pose proof {proof} as {name}; "
    return f"{script}{stated}{converted(Premise(name, formula), goal, at.names)}"
