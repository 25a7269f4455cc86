"""Arithmetic for Coq: prove a goal from premises, with every non-arithmetical part as an unknown.

A lemma about the unknowns is stated and closed by `closing`; then it is applied to the terms they
stand for, and each fact that it uses about them is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from math import lcm
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.sequent import conjuncts
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.proofs_check.kernel.terms import Term, free
from ropeproof.proofs_check.recheck.coq.arithmetic.angles import expand
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import UNSURE, closing, stated
from ropeproof.proofs_check.recheck.coq.arithmetic.linear import gathered, is_linear
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise, Unknowns
from ropeproof.proofs_check.recheck.coq.printing import Names
from ropeproof.proofs_check.recheck.coq.sums import apart, explain_sum, sums_in

__all__ = ["arithmetic", "equality", "unsure"]

DEEPEST = 12  # terms within terms
DEEPEST_OTHERS = 1  # where sums are also compared in another way
MANY_SUMS = 3  # that are not taken apart where nothing but them is combined
MOST_WRITTEN = 1500  # lemmas about unknowns for one goal, those of terms within terms included

_LEFT: ContextVar[list[int]] = ContextVar("lemmas left")


def equality(a: Term, b: Term, names: Names) -> str:
    """A script for `a = b`, where the two terms have the same normal form."""
    return "reflexivity" if a == b else arithmetic(("eq", a, b), (), names)


def arithmetic(goal: Term, premises: Iterable[Premise], names: Names, *, depth: int = 0) -> str:
    """A script that proves the goal from the premises, all of which are in Coq's context."""
    if depth > DEEPEST:
        raise NotExported("terms within terms")
    if depth == 0:
        _LEFT.set([MOST_WRITTEN])
    premises = [p for p in premises if p.formula != ("true",)]
    for p in premises:
        if p.formula == goal:
            return f"exact {p.proof}"
    plain = goal[0] == "eq"
    if plain and goal[1] == goal[2]:
        return "reflexivity"
    ways: list[str] = []
    refusal = None
    try:
        ways.append(_first_way(goal, premises, names, depth))
    except NotExported as error:
        refusal = error
    if depth == 0:
        _LEFT.set([MOST_WRITTEN])
    if depth <= DEEPEST_OTHERS:
        ways += _other_ways(goal, premises, names, depth)
    if refusal and not ways:
        raise refusal
    return ways[0] if len(ways) == 1 else f"first [{' | '.join(f'solve [{w}]' for w in ways)}]"


def _other_ways(goal: Term, premises: Sequence[Premise], names: Names, depth: int) -> Iterator[str]:
    """Scripts to try where the first way fails: sums as they stand, or compared term by term."""

    def at_place(equation: Term, inside: Names) -> str:
        again = _again(equation, (), inside, depth + 1)
        within = gathered(equation, inside, at_place)
        return f"first [solve [{within}] | solve [{again}]]" if within else again

    with suppress(NotExported):
        if goal[0] == "eq":
            whole = gathered(goal, names, at_place) if any(sums_in(goal)) else None
            if whole:
                yield whole
        elif apart((goal, *(p.formula for p in premises))):
            script = _written(goal, premises, names, depth, plain=False, whole=True)
            if not unsure(script):
                yield script


def _first_way(goal: Term, premises: Sequence[Premise], names: Names, depth: int) -> str:
    """A script by linear arithmetic, or by a lemma about the unknowns, with ever more explained."""
    plain = goal[0] == "eq"
    formulas = (goal, *(p.formula for p in premises))
    many = sum(1 for f in formulas for _ in sums_in(f)) >= MANY_SUMS
    powers = any(_is_power(leaf) for f in formulas for leaf in _all(f))

    if many or powers:
        whole = gathered(goal, names)
        if whole and any(_is_power(leaf) for s in sums_in(goal) for leaf in _all(s[4])):
            # one of them may be written otherwise on the other side, which `ring` does not see
            with suppress(NotExported):
                other = _written(goal, premises, names, depth, plain=plain)
                return f"first [solve [{whole}] | solve [{other}] | arith]"
        if whole or is_linear(goal, premises):
            return f"first [solve [{whole or 'lra'}] | arith]"
    first = script = _written(goal, premises, names, depth, plain=plain)
    parts = [leaf[0] for f in (goal, *(p.formula for p in premises)) for leaf in _all(f)]
    richer = any(kind in ("sum", "cos", "sin") for kind in parts)
    inverses = plain and "^" in parts
    for more, same in ((True, plain), (True, False)):
        if unsure(script) and (richer if same == plain else inverses):
            with suppress(NotExported):
                script = _written(goal, premises, names, depth, plain=same, more=more)
    if not unsure(script):
        return script
    if not all(f[0] == "eq" for f in conjuncts(goal)):
        return first
    # A function at two places that are equal is for Coq's own closure under congruence.
    others = "solve [repeat split; congruence]"
    if "^" in parts:  # the inverse of a product, whatever its factors are
        others = f"solve [rewrite ?Rinv_mult in *; lra] | {others}"
    return f"first [solve [{first}] | {others}]"


def _is_power(t: Term) -> bool:
    """Whether the term is a power whose exponent is not a number."""
    return bool(t[0] == "^" and t[2][0] != "q")


def unsure(script: str) -> bool:
    """Whether a script contains an arithmetical goal for which no certificate was found."""
    return UNSURE in script


def _written(
    goal: Term,
    premises: Sequence[Premise],
    names: Names,
    depth: int,
    *,
    plain: bool,
    more: bool = False,
    whole: bool = False,
) -> str:
    """A script by a lemma about the unknowns; `whole` leaves every sum as it stands, `more` none."""
    left = _LEFT.get()
    left[0] -= 1
    if left[0] < 0:
        raise NotExported(f"more than {MOST_WRITTEN} lemmas about the terms within terms")
    facts = PremiseFacts([p.formula for p in premises])
    unknowns = Unknowns(names, facts, premises, _again, _relevant, _explain, depth, plain)
    formulas = [goal, *(p.formula for p in premises)]
    unknowns.grain = _grains(formulas)
    unknowns.apart = frozenset() if whole else apart(formulas)
    unknowns.more = more
    wanted = [unknowns.formula(p.formula) for p in premises]
    concluded = unknowns.formula(goal)
    known = [*unknowns.assumed, *wanted]
    head = f"forall {' '.join(unknowns.binders)}, " if unknowns.binders else ""
    written = [*(d for d, _ in unknowns.defined), *map(stated, known), stated(concluded)]
    name = f"AR{depth}"
    values = [f"({v})" for v in unknowns.values]
    proofs = [*(p for _, p in unknowns.defined), *unknowns.proofs]
    holes = ["_"] * len(proofs)
    call = f"({name} {' '.join([*values, *holes, *(p.proof for p in premises)])})"
    called = [b[1:].split()[0] for b in unknowns.binders]
    script = closing(called, len(unknowns.defined), known, concluded, len(unknowns.assumed))
    close = f"assert ({name} : {head}{' -> '.join(written)}) by (clear; {script})"
    if proofs:
        return f"({close}; refine {call}; [{' | '.join(proofs)}])"
    return f"({close}; exact {call})"


def _again(goal: Term, premises: Sequence[Premise], names: Names, depth: int) -> str:
    return arithmetic(goal, premises, names, depth=depth)


def _explain(unknowns: Unknowns, name: str, t: Term) -> None:
    (explain_sum if t[0] == "sum" else expand)(unknowns, name, t)


def _relevant(goal: Term, premises: Sequence[Premise]) -> list[Premise]:
    """The premises relevant to the goal: one that implies it, or those that share names with it."""
    if PremiseFacts([]).known(goal):
        return []
    plain = [p for p in premises if not any(sums_in(p.formula))]
    for p in sorted(plain, key=lambda p: len(repr(p.formula))):
        if PremiseFacts([p.formula]).known(goal):
            return [p]
    if PremiseFacts([p.formula for p in plain]).known(goal):
        return plain
    names, before = set(free(goal)), 0
    while len(names) > before:
        before = len(names)
        near = [p for p in premises if names & set(free(p.formula))]
        if PremiseFacts([p.formula for p in near]).known(goal):
            return near
        names = names.union(*(free(p.formula) for p in near))
    return list(premises)


def _grains(formulas: Iterable[Term]) -> dict[Any, int]:
    """For each monomial of an angle or exponent, the common denominator of its coefficients."""
    normal = Normal()
    grains: dict[Any, int] = {}
    for f in formulas:
        for leaf in _leaves(f):
            for mono, c in normal.poly(leaf[1]).items():
                grains[mono,] = lcm(grains.get((mono,), 1), Fraction(c).denominator)
    return grains


def _all(t: Any) -> Iterator[Term]:
    """The subterms of a term or formula that are not under a quantifier."""
    if isinstance(t, tuple) and t:
        if isinstance(t[0], str):
            yield t
        if t[0] not in ("all", "some", "x", "q"):
            for part in t:
                yield from _all(part)


def _leaves(t: Any) -> Iterator[Term]:
    if isinstance(t, tuple) and t:
        if t[0] in ("exp", "cos", "sin"):
            yield t
        elif t[0] not in ("sum", "all", "some"):
            for part in t:
                yield from _leaves(part)
