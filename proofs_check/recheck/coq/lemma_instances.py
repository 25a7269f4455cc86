"""Instances of lemmas as facts in a Coq proof, and proofs of a goal from one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ropeproof.proofs_check.kernel.sequent import conjuncts, same
from ropeproof.proofs_check.kernel.terms import Term, Variable, number, substitute
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Premise
from ropeproof.proofs_check.recheck.coq.printing import (
    Names,
    as_integer,
    as_real,
    function_of_integers,
    function_value,
    is_whole,
    proposition,
)
from ropeproof.proofs_check.recheck.coq.steps import Goal, Lemma, converted, discharge, taking_apart

__all__ = [
    "concluded",
    "no_integers",
    "restated",
    "said_of_reals",
    "taken",
    "value_text",
    "with_extremes",
]


def taken(
    at: Goal, lemma: Lemma, values: Mapping[str, Any], name: str, *, given: Sequence[str] = ()
) -> tuple[str, Term]:
    """A script that adds an instance of a lemma to the context, and the formula it states."""
    arguments: list[str] = []
    defined: list[str] = []
    script = ""
    unsaid = [v for v in lemma.arguments if v.label not in {*values, *at.names.free}]
    nothing = {v.label: (_places(v), number(0)) if v.arity else number(0) for v in unsaid}
    values = {**values, **nothing}
    for v in lemma.arguments:
        if v.label in values and _takes_integers(v, values[v.label]):
            defined.append(at.fresh("F"))
            argument, function = function_of_integers(
                values[v.label], at.names, defined[-1], whole=v.is_integer
            )
            script += f"pose ({defined[-1]} := {function}); "
            arguments.append(argument)
        elif v.label in values:
            arguments.append(value_text(v, values[v.label], at.names))
        elif v.label in at.names.free:
            arguments.append(at.names.free[v.label])
        else:
            arguments.append("0%Z" if v.is_integer else "0") if not v.arity else arguments.append(
                f"(fun {'_ ' * v.arity}=> {'0%Z' if v.is_integer else '0'})"
            )
    formulas = [substitute(f, values) for f in (*lemma.formulas, lemma.conclusion)]
    call = f"(@{lemma.name} {' '.join([*arguments, *given])})" if arguments or given else lemma.name
    formula = formulas[-1]
    for f in reversed(formulas[len(given) : -1]):
        formula = ("if", f, formula)
    script += f"pose proof {call} as {name}; tidy {name}"
    if defined:
        unfolded = f"unfold {', '.join(defined)} in {name}; clear {' '.join(defined)}"
        script += f"; {unfolded}; cbv beta in {name}"
    given_values = [(v, values[v.label]) for v in lemma.arguments if v.label in values]
    wholes = [w for v, value in given_values for w in _wholes(v, value, at)]
    if wholes or any(_printed_otherwise(v, value) for v, value in given_values):
        script += f"; {restated(name, formula, at, wholes)}"
    return script, formula


def _wholes(v: Variable, value: Any, at: Goal) -> list[str]:
    """Coq statements that an integer symbol's value is an integer, where its form does not show it."""
    if not v.is_integer:
        return []
    parameters, body = value if v.arity else ((), value)
    if not all(p.is_integer for p in parameters):
        return []
    if not any(True for _ in no_integers(body)):
        return []
    called: list[str] = []
    for p in parameters:
        called.append(at.names.under(called).fresh(p.label))
    names = at.names.under(called)
    binder = f"forall {' '.join(called)} : Z, " if called else ""
    return [f"{binder}IZR {as_integer(body, names)} = {as_real(body, names)}"]


def no_integers(t: Term) -> Iterable[Term]:
    """The subterms whose integer part is taken when the term is printed in `Z`."""
    if t[0] in ("+", "*"):
        for part in t[1]:
            yield from no_integers(part)
    elif not is_whole(t) and t[0] not in ("q", "abs", "max", "min"):
        yield t


def _put_back(name: str, wholes: Sequence[str], at: Goal) -> str:
    """A script for a fact in which integer parts of integers are taken.

    It removes them by the statements `wholes` that these terms are integers.
    """
    script, again = "", ""
    for said in wholes:
        known = at.fresh("D")
        script += f"assert ({known} : {said}) by Powers.whole; "
        if said.startswith("forall"):  # once: what is not found is looked for long
            script += f"try (setoid_rewrite {known} in {name}; clear {known}); "
        else:
            script += f"rewrite ?{known} in {name}; "
            again += f"push_under {known}; rewrite ?{known} in {name}; "
    return f"({script}first [exact {name} | (push_under {name}; {again}exact {name})])"


def _takes_integers(v: Variable, value: Any) -> bool:
    return bool(v.arity) and any(parameter.is_integer for parameter in value[0])


def _places(v: Variable) -> tuple[Variable, ...]:
    return tuple(Variable(f"x{i}", False) for i in range(v.arity))


def restated(name: str, formula: Term, at: Goal, wholes: Sequence[str] = ()) -> str:
    """A script that restates a fact as its formula is printed, up to casts of integers.

    `wholes` are statements that the values for integer symbols are integers.
    """
    other = at.fresh("D")
    stated = proposition(formula, at.names)
    close = f"restated {name}"
    if "'max'" in repr(formula) or "'min'" in repr(formula) or "'abs'" in repr(formula):
        close = f"first [{close} | ({said_of_reals(name)})]"
    if wholes:
        close = f"first [exact {name} | {_put_back(name, wholes, at)} | {close}]"
    return f"assert ({other} : {stated}) by {close}; clear {name}; rename {other} into {name}"


_OF_TWO = (
    "assert ({0} : forall a b : Z, IZR (Z.{1} a b) = R{1} (IZR a) (IZR b)) by (clear; intros a b; "
    "destruct (Z.{1}_spec a b) as [[? ->] | [? ->]]; symmetry; "
    "first [apply R{1}_left | apply R{1}_right]; apply IZR_le; lia); "
)
_RULES = "rewrite_strat (topdown (terms ZX ZN abs_IZR plus_IZR mult_IZR))"
_PUSHED = (
    f"({_OF_TWO.format('ZX', 'max')}{_OF_TWO.format('ZN', 'min')}"
    f"repeat ({_RULES}); repeat ({_RULES} in {{0}}))"
)
"""A script that rewrites max and min of integers to those of reals, in the goal and in a fact."""


def said_of_reals(name: str) -> str:
    """A script for a goal with max, min or abs of integers from the fact about real numbers."""
    return f"{_PUSHED.format(name)}; exact {name}"


def _printed_otherwise(v: Variable, value: Any) -> bool:
    """Whether an integer replaces a real number, or is the value of a real function."""
    body = value[1] if v.arity else value
    return is_whole(body) if not v.is_integer else with_extremes(v, value)


def with_extremes(v: Variable, value: Any) -> bool:
    """Whether an integer value contains max, min or abs, which are printed as those of reals."""
    kinds = ("max", "min", "abs")
    return v.is_integer and any(f"'{kind}'" in repr(value) for kind in kinds)


def value_text(v: Variable, value: Any, names: Names) -> str:
    """The Coq text of the value for a symbol."""
    if v.arity:
        return function_value(value, names, whole=v.is_integer)
    return as_integer(value, names) if v.is_integer else as_real(value, names)


def concluded(at: Goal, name: str, result: Term) -> str:
    """A script that proves the goal from a fact in the context, discharging the fact's premises."""
    script = ""
    goal = at.goal
    proof = name
    while result[0] == "if" and not (goal[0] == "if" and same(result, goal)):
        part = at.fresh("D")
        stated = proposition(result[1], at.names)
        script += f"assert ({part} : {stated}) by ({discharge(at.about(result[1]))}); "
        following = at.fresh("D")
        script += f"pose proof ({proof} {part}) as {following}; "
        proof, result = following, result[2]
    for taken_part, path in _paths(result, proof):
        if same(taken_part, goal):
            return f"({script}{converted(Premise(path, taken_part), goal, at.names)})"
    names = [at.fresh("D") for _ in conjuncts(result)]
    apart = taking_apart(result, iter(names))
    more = [Premise(n, f) for n, f in zip(names, conjuncts(result), strict=True)]
    script += f"pose proof {proof} as {apart}; "
    return f"({script}{discharge(at.about(goal, more))})"


def _paths(formula: Term, proof: str) -> Iterable[tuple[Term, str]]:
    """The formula and its conjuncts, each with its proof."""
    yield formula, proof
    if formula[0] == "and" and formula[1]:
        first, *rest = formula[1]
        if not rest:
            yield from _paths(first, proof)
            return
        yield from _paths(first, f"(proj1 {proof})")
        remaining: Term = ("and", tuple(rest)) if len(rest) > 1 else rest[0]
        yield from _paths(remaining, f"(proj2 {proof})")
