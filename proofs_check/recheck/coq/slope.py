"""The mean value theorem in Coq: a derivative with its proof, and its sign between two points."""

from __future__ import annotations

from collections.abc import Callable

from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.sequent import same
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import Term, add, free, mul, number, sub, substitute
from ropeproof.proofs_check.recheck.coq.arithmetic.arithmetic import arithmetic
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
from ropeproof.proofs_check.recheck.coq.premises import StepGoal
from ropeproof.proofs_check.recheck.coq.printing import Names, as_real, proposition
from ropeproof.proofs_check.recheck.coq.steps import discharge

__all__ = ["mean_value"]

_SIGNS = {"le": "<=", "lt": "<"}
POINT = "?between"  # no name that an author can write


def mean_value(step: StepGoal) -> str:
    """A script for 0 <= f(x) from 0 <= f(end) and the derivative's sign in between."""
    variable, end = read(step.arguments["variable"]), read(step.arguments["end"])
    label, goal = variable[1], step.at.goal
    f = sub(goal[2], goal[1])
    script, at = step.with_facts(2)
    names = at.names
    take, fact, assumptions = step.premise(0, at=at)
    proof, formula = fact.proof, fact.formula
    for a in assumptions:
        part = at.fresh("D")
        take += f"; assert ({part} : {proposition(a, names)}) by ({discharge(at.about(a))})"
        proof, formula = f"({proof} {part})", formula[2]
    start = substitute(f, {label: end})
    by_end = same(formula, ("lt", number(0), start))
    first: Term = ("lt" if by_end else "le", number(0), start)
    facts = PremiseFacts([p.formula for p in at.premises])
    right = facts.known(("le", end, variable))
    strictly = goal[0] == "lt" and not by_end
    order = "lt" if strictly else "le"
    side: Term = (order, end, variable) if right else (order, variable, end)
    point: Term = ("x", POINT, False)
    called = names.fresh("c")
    inner = Names({**names.free, POINT: called}, names.bound)
    here, there = (end, variable) if right else (variable, end)
    whole = [Premise("Hc", ("le", here, point)), Premise("Hd", ("le", point, there))]
    within = [Premise("Hc", ("lt", here, point)), Premise("Hd", ("lt", point, there))]
    moved = {label: point}
    closed = at.about(at.goal, whole, inner)
    slope, derived = _derived(
        f, label, inner, called, lambda c: discharge(closed.about(substitute(c, moved)))
    )
    near = at.about(at.goal, within, inner)
    taken, rate, needed = step.premise(1, moved, near)
    rate_proof, rate_formula = rate.proof, rate.formula
    for a in needed:
        part = at.fresh("D")
        taken += f"; assert ({part} : {proposition(a, inner)}) by ({discharge(near.about(a))})"
        rate_proof, rate_formula = f"({rate_proof} {part})", rate_formula[2]
    at_point = substitute(slope, moved)
    signed: Term = (order, number(0), at_point if right else mul(number(-1), at_point))
    known = at.fresh("D")
    taken += f"; pose proof {rate_proof} as {known}"
    given = [*near.premises, Premise(known, rate_formula)]
    sign = arithmetic(signed, _about(signed, given, known), inner)
    value = _function(f, label, names)
    lemma = f"rises_{'right' if right else 'left'}{'_strictly' if strictly else ''}"
    derivative = f"(fun {called} : R => {as_real(at_point, inner)})"
    ends = as_real(end, names), as_real(variable, names)
    first_name, rise_name = at.fresh("D"), at.fresh("D")
    rise: Term = (order, start, f)
    first_is = arithmetic(first, [*at.premises, Premise("Z0", formula)], names)
    last = arithmetic(goal, [Premise(first_name, first), Premise(rise_name, rise)], names)
    rising = f"intros {called} Hc Hd; eapply d_same_slope; [{derived} | same_slope]"
    return (
        f"{script}; {take}; pose proof {proof} as Z0; "
        f"assert ({first_name} : {proposition(first, names)}) by ({first_is}); "
        f"assert (Z1 : {value} {ends[0]} {_SIGNS[order]} {value} {ends[1]}) by "
        f"(apply ({lemma} {value} {derivative} {' '.join(ends)}); "
        f"[{discharge(at.about(side))} | {rising} | intros {called} Hc Hd; {taken}; {sign}]); "
        f"assert ({rise_name} : {proposition(rise, names)}) by "
        f"(cbv beta in Z1; first [exact Z1 | (push_IZR; exact Z1)]); {last}"
    )


def _about(goal: Term, premises: list[Premise], known: str) -> list[Premise]:
    """The premise with the given proof if it is the goal up to arithmetic, else all premises."""
    (last,) = [p for p in premises if p.proof == known]
    return [last] if same(last.formula, goal) else premises


def _function(t: Term, label: str, names: Names) -> str:
    """The term as a Coq function of the symbol."""
    argument = names.fresh("y")
    return (
        f"(fun {argument} : R => {as_real(t, Names({**names.free, label: argument}, names.bound))})"
    )


def _derived(
    t: Term, label: str, names: Names, point: str, holds: Callable[[Term], str]
) -> tuple[Term, str]:
    """The derivative in the form of Coq's lemmas, and a script that proves it at the point."""
    if label not in free(t):
        return number(0), "apply d_const"
    kind = t[0]
    if kind == "x":
        return number(1), "apply d_same"

    def inside(u: Term) -> tuple[Term, str]:
        return _derived(u, label, names, point, holds)

    def text(u: Term) -> str:
        return _function(u, label, names)

    if kind in ("+", "*"):
        if len(t[1]) == 1:
            return inside(t[1][0])
        *before, last = t[1]
        first: Term = before[0] if len(before) == 1 else (kind, tuple(before))
        (a, of_a), (b, of_b) = inside(first), inside(last)
        lemma = "d_plus" if kind == "+" else "d_mult"
        slope = add(a, b) if kind == "+" else add(mul(a, last), mul(first, b))
        return slope, f"eapply ({lemma} {text(first)} {text(last)}); [{of_a} | {of_b}]"
    if kind == "^" and t[2][0] == "q" and t[2][1].denominator == 1:
        n = int(t[2][1])
        if n < 0:
            base = ("^", t[1], number(-n))
            slope, script = inside(base)
            nonzero = holds(("ne", base, number(0)))
            square: Term = ("^", t, number(2))
            return mul(
                number(-1), slope, square
            ), f"eapply (d_inv {text(base)}); [{nonzero} | {script}]"
        slope, script = inside(t[1])
        if n == 1:
            return slope, script
        if n > 1:
            power: Term = ("^", t[1], number(n - 1))
            start = f"eapply (fun x a => d_pow {text(t[1])} x a {n} {n - 1})"
            return mul(number(n), power, slope), f"{start}; [simpl; ring | {script}]"
    if kind in ("cos", "sin", "exp", "log", "sqrt"):
        slope, script = inside(t[1])
        lemma = f"eapply (d_{'ln' if kind == 'log' else kind} {text(t[1])}); ["
        if kind in ("log", "sqrt"):
            lemma += f"{holds(('lt', number(0), t[1]))} | "
        outer: Term = {
            "cos": mul(number(-1), ("sin", t[1]), slope),
            "sin": mul(("cos", t[1]), slope),
            "exp": mul(t, slope),
            "log": mul(("^", t[1], number(-1)), slope),
            "sqrt": mul(("^", mul(number(2), t), number(-1)), slope),
        }[kind]
        return outer, f"{lemma}{script}]"
    raise NotExported(f"no derivative in Coq of {kind}")
