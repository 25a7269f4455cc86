"""False statements by comparing sums term by term and by induction."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, s

from ropeproof.theory.language.derivation import (
    generalise,
    identity,
    induction,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language.logic import (
    Every,
    If,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

l, n, a = integer("l n a")
f = real_function("f")
Sum = sp.Sum


def total(term: object, low: object = 0, high: object = n - 1) -> sp.Sum:
    return Sum(term, (l, low, high))


def _termwise() -> tuple[FalseStatement, ...]:
    positive = every(l, 0, n - 1, lt(0, f(l)))
    at_l = s("term", lt(0, f(l)), instance({l: l}), "f", (le(0, l), le(l, n - 1)))
    wide = {"f": every(l, 0, n - 2, le(0, f(l)))}
    free_l = le(0, f(l))
    least = le(0, total(f(l)))
    bad_last = {"n": 1, "f": lambda v: Fraction(-1)}
    strict = lt(0, total(f(l)))
    nonnegative = every(l, 0, n - 1, le(0, f(l)))

    def derived(goal: object, given: dict[str, object], more: str = "") -> object:
        term = s("term", free_l, instance({l: l}), "f", (le(0, l), le(l, n - 1)))
        return claim(goal, term, s("sum", goal, termwise(), "term" + more), given=given)

    return (
        false(
            "termwise.range-too-wide",
            "nothing is known of the last term",
            "termwise",
            derived(least, wide),
            at=bad_last,
            control=derived(least, {"f": nonnegative}),
        ),
        false(
            "termwise.free-index",
            "the hypothesis is about one l, not about each",
            "termwise",
            claim(least, s("sum", least, termwise(), "f"), given={"f": free_l}),
            at={"n": 2, "l": 5, "f": lambda v: v - 4},
        ),
        false(
            "termwise.generalised-hypothesis",
            "a hypothesis about one l is generalised over l",
            "generalise",
            claim(
                least,
                s("every", every(l, 0, n - 1, free_l), generalise(), "f"),
                s("term", free_l, instance({l: l}), "every", (le(0, l), le(l, n - 1))),
                s("sum", least, termwise(), "term"),
                given={"f": free_l},
            ),
            at={"n": 2, "l": 5, "f": lambda v: v - 4},
        ),
        false(
            "termwise.strict-on-empty",
            "an empty sum of positive terms is 0",
            "termwise",
            claim(strict, at_l, s("sum", strict, termwise(), "term"), given={"f": positive}),
            at={"n": 0, "f": lambda v: Fraction(1)},
            control=claim(
                strict,
                at_l,
                s("sum", strict, termwise(), "term; n"),
                given={"f": positive, "n": le(1, n)},
            ),
        ),
        false(
            "termwise.strict-from-weak",
            "non-negative terms may all vanish",
            "termwise",
            derived(strict, {"f": nonnegative, "n": le(1, n)}, "; n"),
            at={"n": 1, "f": lambda v: Fraction(0)},
        ),
        false(
            "termwise.different-ranges",
            "a longer sum of unknown terms is not larger",
            "termwise",
            claim(
                le(total(f(l)), total(f(l), 0, n)),
                s("term", le(f(l), f(l)), smt()),
                s("sum", le(total(f(l)), total(f(l), 0, n)), termwise(), "term"),
            ),
            at=bad_last,
        ),
        false(
            "termwise.assumption-outside-the-range",
            "the terms are non-negative from 0 on only",
            "termwise",
            claim(
                le(0, total(l, -3, n)),
                s("term", le(0, l), smt(), "", (le(0, l),)),
                s("sum", le(0, total(l, -3, n)), termwise(), "term"),
            ),
            at={"n": -1},
            control=claim(
                le(0, total(l, 0, n)),
                s("term", le(0, l), smt(), "", (le(0, l),)),
                s("sum", le(0, total(l, 0, n)), termwise(), "term"),
            ),
        ),
        false(
            "termwise.reversed",
            "the terms compare the other way round",
            "termwise",
            claim(
                le(total(l**2), total(l)),
                s("term", le(l, l**2), smt()),
                s("sum", le(total(l**2), total(l)), termwise(), "term"),
            ),
            at={"n": 3},
            control=claim(
                le(total(l), total(l**2)),
                s("term", le(l, l**2), smt()),
                s("sum", le(total(l), total(l**2)), termwise(), "term"),
            ),
        ),
    )


def _induction() -> tuple[FalseStatement, ...]:
    step = s("next", le(n + 1, n), smt(), "", (le(n, n - 1), le(0, n)))
    rounds = eq(kept(sp.cos, 2 * sp.pi * n), -1)
    vertex = eq(n * (n - 1), 0)
    real_n = real("n")
    grows = le(0, real_n * (real_n - 1))
    h = integer_function("h")
    jump = eq(h(n), h(0))
    return (
        false(
            "induction.no-base",
            "the step alone: n <= n-1",
            "induction",
            claim(
                le(n, n - 1),
                step,
                s("all", le(n, n - 1), induction(n, 0), "next"),
                given={"n": le(0, n)},
            ),
            at={"n": 0},
        ),
        false(
            "induction.base-elsewhere",
            "the base is shown at 1, the induction starts at 0",
            "induction",
            claim(
                le(n + 1, 2 * n),
                s("base", le(2, 2), smt()),
                s("next", le(n + 2, 2 * n + 2), smt(), "", (le(n + 1, 2 * n), le(0, n))),
                s("all", le(n + 1, 2 * n), induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 0},
            control=claim(
                le(n + 1, 2 * n),
                s("base", le(2, 2), smt()),
                s("next", le(n + 2, 2 * n + 2), smt(), "", (le(n + 1, 2 * n), le(1, n))),
                s("all", le(n + 1, 2 * n), induction(n, 1), "base; next; n"),
                given={"n": le(1, n)},
            ),
        ),
        false(
            "induction.below-the-start",
            "shown for n >= 1, concluded for all n",
            "induction",
            claim(
                le(n + 1, 2 * n),
                s("base", le(2, 2), smt()),
                s("next", le(n + 2, 2 * n + 2), smt(), "", (le(n + 1, 2 * n), le(1, n))),
                s("all", le(n + 1, 2 * n), induction(n, 1), "base; next"),
            ),
            at={"n": 0},
        ),
        false(
            "induction.step-from-two",
            "the step needs n >= 2 (all horses have one colour)",
            "induction",
            claim(
                vertex,
                s("base", eq(0, 0), smt()),
                s("next", eq((n + 1) * n, 0), smt(), "", (vertex, le(0, n), lt(n, 1))),
                s("all", vertex, induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 2},
        ),
        false(
            "induction.step-skips",
            "the step shows phi(n+2), not phi(n+1)",
            "induction",
            claim(
                eq((-1) ** n, 1),
                s("base", eq(sp.Integer(1), 1), smt()),
                s("next", eq((-1) ** (n + 2), 1), smt(), "", (eq((-1) ** n, 1), le(0, n))),
                s("all", eq((-1) ** n, 1), induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 1},
        ),
        false(
            "induction.assumes-the-next",
            "the step assumes what it shows",
            "induction",
            claim(
                le(n, 0),
                s("base", le(0, 0), smt()),
                s("next", le(n + 1, 0), smt(), "", (le(n + 1, 0),)),
                s("all", le(n, 0), induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 1},
        ),
        false(
            "induction.over-a-real",
            "a real variable is not reached by steps of 1",
            "induction",
            claim(
                grows,
                s("base", le(0, sp.Integer(0)), smt()),
                s("next", le(0, (real_n + 1) * real_n), smt(), "", (le(0, real_n),)),
                s("all", grows, induction(real_n, 0), "base; next; n"),
                given={"n": le(0, real_n)},
            ),
            at={"n": Fraction(1, 2)},
            control=claim(
                le(0, n * (n - 1)),
                s("base", le(0, sp.Integer(0)), smt()),
                s("next", le(0, (n + 1) * n), smt(), "", (le(0, n),)),
                s("all", le(0, n * (n - 1)), induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
        ),
        false(
            "induction.from-a-half",
            "1/2 + natural numbers never meet an integer",
            "induction",
            claim(
                eq(1, -1),
                s("base", eq(sp.cos(sp.pi), -1), identity()),
                s("next", eq(kept(sp.cos, 2 * sp.pi * (n + 1)), -1), smt(), "", (rounds,)),
                s("all", rounds, induction(n, half), "base; next", (le(half, n),)),
                s("at 1", eq(1, -1), instance({n: 1}), "all"),
            ),
            at={},
        ),
        false(
            "induction.hypothesis-about-n",
            "the step rests on a hypothesis about the induction variable",
            "induction",
            claim(
                jump,
                s("base", eq(h(0), h(0)), smt()),
                s("next", eq(h(n + 1), h(0)), smt(), "same; n", (jump,)),
                s("all", jump, induction(n, 0), "base; next; n"),
                given={"n": le(0, n), "same": eq(h(n + 1), h(n))},
            ),
            at={"n": 1, "h": lambda v: Fraction(0 if v == 0 else 1)},
            control=claim(
                jump,
                s("base", eq(h(0), h(0)), smt()),
                s("at n", eq(h(n + 1), h(n)), instance({l: n}), "same", (le(0, n),)),
                s("next", eq(h(n + 1), h(0)), smt(), "at n", (jump, le(0, n))),
                s("all", jump, induction(n, 0), "base; next; n"),
                given={"n": le(0, n), "same": Every((l,), If(le(0, l), eq(h(l + 1), h(l))))},
            ),
        ),
    )


ENTRIES = (*_termwise(), *_induction())
