"""False statements by comparing sums term by term and by induction."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, s

from ropeproof.theory.language.derivation import (
    Step,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    ne,
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


m = integer("m")
x = real("x")
g = real_function("g")
h = integer_function("h")
FROM = {"n": le(0, n)}
GROWS = Every((l,), If(le(0, l), le(f(l), f(l + 1))))
"""f grows from 0 on."""
SLOW = Every((l,), If(le(0, l), le(f(l + 1), f(l) + 1)))
"""f grows by at most 1 from 0 on."""


def above(at: object) -> Any:
    """f is not negative there."""
    return le(0, f(at))


def _at(number: object, formula: Any, *, given: str = "grows") -> Step:
    """The hypothesis about f at one number."""
    return s("at", formula, instance({l: number}), given, (le(0, number),))


def _by_induction(
    goal: Any,
    base: tuple[Any, str],
    following: tuple[Any, str, tuple[Any, ...]],
    given: dict[str, Any],
    *before: Step,
    rule: Any = None,
    using: str = "base; next; n",
) -> Any:
    """The goal by induction on n: the base and the step with their premises, by z3."""
    first, from_first = base
    second, from_second, assumed = following
    return claim(
        goal,
        *before,
        s("base", first, smt(), from_first),
        s("next", second, smt(), from_second, assumed),
        s("all", goal, rule or induction(n, 0), using),
        given=given,
    )


STEP = (above(n + 1), "at", (above(n), le(0, n)))
NEXT = _at(n, le(f(n), f(n + 1)))
BASE = (above(0), "base0")
GIVEN = {**FROM, "grows": GROWS, "base0": above(0)}
TRUE = _by_induction(above(n), BASE, STEP, GIVEN, NEXT)


def falls_at(place: int) -> Any:
    """The function that is 0 before a place and -1 from there on."""
    return lambda v: Fraction(0 if v < place else -1)


def _bases() -> tuple[FalseStatement, ...]:
    """The base is missing, is another one, or rests on something else."""
    more = le(f(0), 1)
    slow = _at(n, le(f(n + 1), f(n) + 1), given="slow")
    at_a = s("at", le(f(n), f(n + 1)), instance({l: n}), "grows", (le(a, n),))
    grows_from_a = Every((l,), If(le(a, l), le(f(l), f(l + 1))))
    weak = {**FROM, "slow": SLOW, "base0": more}
    below = {"n": le(a, n), "grows": grows_from_a}

    def bounded(by: Any, base: Any) -> Any:
        following = (le(f(n + 1), by(n + 1)), "at", (le(f(n), by(n)), le(0, n)))
        return _by_induction(le(f(n), by(n)), (base, "base0"), following, weak, slow)

    def from_a(base: Any, known: Any) -> Any:
        return _by_induction(
            above(n),
            (base, "base0"),
            (above(n + 1), "at", (above(n), le(a, n))),
            {**below, "base0": known},
            at_a,
            rule=induction(n, a),
        )

    def counted(base: Any, start: int) -> Any:
        def goal(upto: Any) -> Any:
            return eq(total(sp.Integer(1), 0, upto - 1), upto)

        longer = total(sp.Integer(1), 0, n)
        peeled = eq(longer, total(sp.Integer(1), 0, n - 1) + total(sp.Integer(1), n, n))
        return claim(
            goal(n),
            s("base", base, identity()),
            s("peel", peeled, split(n - 1), "", (le(0, n),)),
            s("next", eq(longer, n + 1), smt(), "peel", (goal(n), le(0, n))),
            s("all", goal(n), induction(n, start), "base; next; n"),
            given={"n": le(start, n)},
        )

    one = sp.Integer(1)
    return (
        false(
            "induction.base-is-weaker",
            "f(0) <= 1 is no base for f(n) <= n",
            "induction",
            bounded(lambda v: v, more),
            at={"n": 0, "f": lambda v: v + 1},
            control=bounded(lambda v: v + 1, more),
        ),
        false(
            "induction.base-below-the-start",
            "the base is at 0, the induction starts at a",
            "induction",
            from_a(above(0), above(0)),
            at={"n": 1, "a": 1, "f": falls_at(1)},
            control=from_a(above(a), above(a)),
        ),
        false(
            "induction.only-the-base",
            "what holds at 0 need not hold later",
            "induction",
            claim(
                eq(n, 0),
                s("base", eq(0, sp.Integer(0)), smt()),
                s("all", eq(n, 0), induction(n, 0), "base; n"),
                given=FROM,
            ),
            at={"n": 1},
        ),
        false(
            "induction.base-as-the-step",
            "the base twice is no step",
            "induction",
            claim(
                above(n),
                s("base", above(0), smt(), "base0"),
                s("all", above(n), induction(n, 0), "base; base; n"),
                given={**FROM, "base0": above(0)},
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
        false(
            "induction.base-under-an-assumption",
            "the base assumes what is to be shown",
            "induction",
            claim(
                le(n + 1, n),
                s("base", le(1, sp.Integer(0)), smt(), "", (le(1, sp.Integer(0)),)),
                s("next", le(n + 2, n + 1), smt(), "", (le(n + 1, n), le(0, n))),
                s("all", le(n + 1, n), induction(n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 0},
        ),
        false(
            "induction.base-assumes-of-n",
            "the base was shown where n is 0 alone",
            "induction",
            claim(
                above(n),
                s("zero", eq(n, 0), smt(), "", (eq(n, 0),)),
                s("here", above(n), smt(), "", (above(n),)),
                s("base", above(0), rewrite(), "zero; here", (above(n), eq(n, 0))),
                _at(n, le(f(n), f(n + 1))),
                s("next", above(n + 1), smt(), "at", (above(n), le(0, n))),
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**FROM, "grows": GROWS},
            ),
            at={"n": 0, "f": lambda v: Fraction(-1)},
        ),
        false(
            "induction.base-of-an-empty-sum",
            "an empty sum is 0, not -1 (Karr's convention is another)",
            "induction",
            counted(eq(total(one, 0, -2), -1), -1),
            at={"n": -1},
            control=counted(eq(total(one, 0, -1), 0), 0),
        ),
        false(
            "induction.base-off-by-one",
            "from 0 to n are n + 1 terms",
            "induction",
            claim(
                eq(total(one, 0, n), n),
                s("base", eq(total(one, 0, -1), 0), identity()),
                s(
                    "peel",
                    eq(total(one, 0, n + 1), total(one, 0, n) + 1),
                    split(n),
                    "",
                    (le(0, n),),
                ),
                s(
                    "next",
                    eq(total(one, 0, n + 1), n + 1),
                    smt(),
                    "peel",
                    (eq(total(one, 0, n), n), le(0, n)),
                ),
                s("all", eq(total(one, 0, n), n), induction(n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 0},
        ),
    )


def _steps() -> tuple[FalseStatement, ...]:
    """The step shows another thing, or shows it from more."""
    late = Every((l,), If(le(1, l), le(f(l), f(l + 1))))
    early = every(l, 0, a - 1, le(f(l), f(l + 1)))
    back = Every((l,), If(le(0, l), le(f(l + 1), f(l))))
    two = Every((l,), If(le(0, l), eq(f(l + 2), f(l + 1) + f(l))))
    pair = Both(above(n), above(n + 1))
    scaled = le(n * x, 0)
    before = Every((l,), If(Both(le(0, l), le(l, n - 1)), above(l)))
    strong = Every((l,), If(Both(le(0, l), le(l, n)), above(l)))
    of_all = Every((l,), above(l))
    own = {k: v for k, v in GIVEN.items() if k != "grows"}

    def within(last: Any) -> Any:
        goal = If(le(n, last), above(n))
        return _by_induction(
            goal,
            (If(le(0, last), above(0)), "base0"),
            (If(le(n + 1, last), above(n + 1)), "early", (goal, le(0, n))),
            {**own, "early": Every((l,), If(Both(le(0, l), le(l, a - 1)), le(f(l), f(l + 1))))},
        )

    def fibonacci(goal: Any, following: Any, assumed: Any, more: dict[str, Any]) -> Any:
        at = s("at", eq(f(n + 2), f(n + 1) + f(n)), instance({l: n}), "two", (le(0, n),))
        base = goal.subs(n, 0) if isinstance(goal, Both) else above(0)
        return claim(
            goal,
            at,
            s("base", base, smt(), "base0" + "; base1" * (isinstance(goal, Both))),
            s("next", following, smt(), "at", assumed),
            s("all", goal, induction(n, 0), "base; next; n"),
            given={**FROM, "two": two, "base0": above(0), **more},
        )

    def times(given: dict[str, Any], premises: str) -> Any:
        extra = () if given else (le(x, 0),)
        return claim(
            scaled,
            s("base", le(0 * x, 0), smt()),
            s("next", le((n + 1) * x, 0), smt(), premises, (scaled, le(0, n), *extra)),
            s("all", scaled, induction(n, 0), "base; next; n" + "; x" * bool(given)),
            given={**FROM, **given},
        )

    return (
        false(
            "induction.step-from-one-on",
            "nothing is known of the way from 0 to 1",
            "induction",
            _by_induction(
                above(n),
                BASE,
                (above(n + 1), "at", (above(n), le(1, n))),
                {**own, "late": late},
                s("at", le(f(n), f(n + 1)), instance({l: n}), "late", (le(1, n),)),
            ),
            at={"n": 1, "f": falls_at(1)},
            control=TRUE,
        ),
        false(
            "induction.step-but-at-five",
            "the step leaves one number out",
            "induction",
            _by_induction(
                above(n),
                BASE,
                (above(n + 1), "at", (above(n), le(0, n), ne(n, 5))),
                own | {"but": Every((l,), If(Both(le(0, l), ne(l, 5)), le(f(l), f(l + 1))))},
                s("at", le(f(n), f(n + 1)), instance({l: n}), "but", (le(0, n), ne(n, 5))),
            ),
            at={"n": 6, "f": falls_at(6)},
        ),
        false(
            "induction.step-up-to-a",
            "the step holds below a alone",
            "induction",
            _by_induction(
                above(n),
                BASE,
                (above(n + 1), "at", (above(n), le(0, n), le(n, a - 1))),
                {**own, "early": early},
                s("at", le(f(n), f(n + 1)), instance({l: n}), "early", (le(0, n), le(n, a - 1))),
            ),
            at={"n": 2, "a": 1, "f": falls_at(2)},
        ),
        false(
            "induction.range-of-the-hypothesis",
            "the last number to which the step leads is a, not a + 1",
            "induction",
            within(a + 1),
            at={"n": 1, "a": 0, "f": falls_at(1)},
        ),
        false(
            "induction.step-downwards",
            "from n + 1 to n is the wrong direction",
            "induction",
            _by_induction(
                above(n),
                BASE,
                (above(n), "at", (above(n + 1), le(0, n))),
                {**own, "back": back},
                _at(n, le(f(n + 1), f(n)), given="back"),
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
        false(
            "induction.step-to-the-one-before",
            "the step shows phi(n - 1)",
            "induction",
            _by_induction(
                above(n),
                BASE,
                (above(n - 1), "at", (above(n), le(1, n))),
                {**own, "back": back},
                s("at", le(f(n), f(n - 1)), instance({l: n - 1}), "back", (le(1, n),)),
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
        false(
            "induction.one-base-for-two",
            "a step from two numbers needs two bases",
            "induction",
            fibonacci(above(n), above(n + 2), (above(n), above(n + 1), le(0, n)), {}),
            at={"n": 1, "f": lambda v: Fraction(0 if v == 0 else -1)},
            control=fibonacci(
                pair, Both(above(n + 1), above(n + 2)), (pair, le(0, n)), {"base1": above(1)}
            ),
        ),
        false(
            "induction.step-assumes-the-one-before-too",
            "at 0 there is no number before",
            "induction",
            claim(
                above(n),
                s("at", eq(f(n + 1), f(n) + f(n - 1)), instance({l: n - 1}), "two", (le(1, n),)),
                s("base", above(0), smt(), "base0"),
                s("next", above(n + 1), smt(), "at", (above(n), above(n - 1), le(1, n))),
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**FROM, "two": two, "base0": above(0)},
            ),
            at={"n": 1, "f": lambda v: Fraction(0 if v == 0 else -1)},
        ),
        false(
            "induction.strong-without-a-base",
            "what holds of all before 0 shows nothing of 0",
            "induction",
            claim(
                above(n),
                s("held", before, smt(), "", (before,)),
                s("last", above(n - 1), instance({l: n - 1}), "held", (before, le(1, n))),
                s("at", le(f(n - 1), f(n)), instance({l: n - 1}), "grows", (le(1, n),)),
                s("next", above(n), smt(), "last; at", (before, le(1, n))),
                s("all", above(n), induction(n, 0), "next; next; n"),
                given={**FROM, "grows": GROWS},
            ),
            at={"n": 0, "f": lambda v: Fraction(-1)},
        ),
        false(
            "induction.assumes-it-of-all",
            "the step assumes phi of every number, itself among them",
            "induction",
            claim(
                above(n),
                s("base", above(0), smt(), "base0"),
                s("held", of_all, smt(), "", (of_all,)),
                s("next", above(n + 1), instance({l: n + 1}), "held", (of_all,)),
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**FROM, "base0": above(0)},
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
        false(
            "induction.strong-at-the-next",
            "phi(n + 1) is not among those that strong induction assumes",
            "induction",
            claim(
                above(n),
                s("base", above(0), smt(), "base0"),
                s("held", strong, smt(), "", (strong,)),
                s("next", above(n + 1), instance({l: n + 1}), "held", (strong, le(0, n))),
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**FROM, "base0": above(0)},
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
        false(
            "induction.more-is-assumed",
            "the step holds where x is not positive",
            "induction",
            times({}, ""),
            at={"n": 1, "x": 1},
            control=times({"x": le(x, 0)}, "x"),
        ),
        false(
            "induction.step-below-four",
            "the step assumes that n is small",
            "induction",
            claim(
                le(n, 4),
                s("base", le(0, sp.Integer(4)), smt()),
                s("next", le(n + 1, 4), smt(), "", (le(n, 4), le(n, 3))),
                s("all", le(n, 4), induction(n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 5},
        ),
        false(
            "induction.step-before-the-start",
            "the step is about the numbers up to the start",
            "induction",
            claim(
                le(n, 1),
                s("base", le(0, sp.Integer(1)), smt()),
                s("next", le(n + 1, 1), smt(), "", (le(n, 1), le(n, 0))),
                s("all", le(n, 1), induction(n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 2},
        ),
        false(
            "induction.step-at-one-number",
            "from 0 to 1 is one step, not each",
            "induction",
            claim(
                eq(n * (n - 1), 0),
                s("base", eq(0, sp.Integer(0)), smt()),
                s("next", eq(sp.Integer(1) * 0, 0), smt(), "", (eq(n * (n - 1), 0), eq(n, 0))),
                s("all", eq(n * (n - 1), 0), induction(n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 2},
        ),
        false(
            "induction.hypothesis-through-a-step",
            "the step rests on a hypothesis about this n by way of another step",
            "induction",
            claim(
                above(n),
                s("base", above(0), smt(), "base0"),
                s("more", le(f(n), f(n + 1) + 1 - 1), smt(), "here"),
                s("next", above(n + 1), smt(), "more", (above(n),)),
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**FROM, "base0": above(0), "here": le(f(n), f(n + 1))},
            ),
            at={"n": 1, "f": falls_at(1)},
        ),
    )


def _conclusions() -> tuple[FalseStatement, ...]:
    """The induction is right, and what is concluded is more, or of another number."""
    proved = list(TRUE.derivation.steps)
    reached = {k: v for k, v in GIVEN.items() if k != "n"}

    def concluded(goal: Any, *more: Step, rule: Any = None, using: str = "base; next; n") -> Any:
        last = () if more else (s("all", goal, rule or induction(n, 0), using),)
        return claim(goal, *proved[:-1], *(proved[-1:] if more else ()), *last, *more, given=GIVEN)

    forever = Every((n,), above(n))
    bound = Sum(f(n), (n, 0, a))
    half_way = Every((x,), le(g(x), g(x + 1)))
    return (
        false(
            "induction.strict-from-weak",
            "what was shown is <=",
            "induction",
            concluded(lt(0, f(n))),
            at={"n": 0, "f": lambda v: Fraction(0)},
        ),
        false(
            "induction.of-another-number",
            "nothing says that m is at least 0",
            "induction",
            concluded(above(m)),
            at={"n": 0, "m": -1, "f": lambda v: Fraction(0 if v >= 0 else -1)},
        ),
        false(
            "induction.at-the-number-before",
            "n - 1 may be -1",
            "induction",
            concluded(above(n - 1), s("end", above(n - 1), instance({n: n - 1}), "all")),
            at={"n": 0, "f": lambda v: Fraction(0 if v >= 0 else -1)},
        ),
        false(
            "induction.downwards",
            "an induction from 0 says nothing below 0",
            "induction",
            claim(
                above(n),
                *proved[:-1],
                s("all", above(n), induction(n, 0), "base; next; n"),
                given={**reached, "n": le(n, 0)},
            ),
            at={"n": -1, "f": lambda v: Fraction(0 if v >= 0 else -1)},
        ),
        false(
            "induction.for-every-integer",
            "n is fixed by the hypothesis that it is at least 0",
            "induction",
            claim(
                forever,
                *proved,
                s("end", forever, generalise(), "all"),
                given=GIVEN,
            ),
            at={"n": 0, "f": lambda v: Fraction(0 if v >= 0 else -1)},
            samples=(-1,),
        ),
        false(
            "induction.over-a-bound-index",
            "the n of the sum is not the n of the induction",
            "induction",
            claim(
                eq(bound, 0),
                s("same", eq(bound, 0), smt(), "", (eq(bound, 0),)),
                s("all", eq(bound, 0), induction(n, 0), "same; same; n"),
                given=FROM,
            ),
            at={"n": 0, "a": 0, "f": lambda v: Fraction(1)},
        ),
        false(
            "induction.index-in-its-own-bound",
            "the n that ends the range grows, the index does not",
            "induction",
            claim(
                eq(Sum(f(n), (n, 0, n)), 0),
                s("base", eq(Sum(f(n), (n, 0, 0)), 0), smt(), "first"),
                s("next", eq(Sum(f(n), (n, 0, n)), 0), smt(), "", (eq(Sum(f(n), (n, 0, n)), 0),)),
                s("all", eq(Sum(f(n), (n, 0, n)), 0), induction(n, 0), "base; next; n"),
                given={**FROM, "first": eq(Sum(f(l), (l, 0, 0)), 0)},
            ),
            at={"n": 1, "f": lambda v: v},
        ),
        false(
            "induction.from-itself",
            "the start is no number that n could be counted from",
            "induction",
            claim(
                le(n, 0),
                s("base", le(n, 0), smt(), "", (le(n, 0),)),
                s("next", le(n + 1, 0), smt(), "", (le(n, 0), le(n, -1))),
                s("all", le(n, 0), induction(n, n), "base; next"),
            ),
            at={"n": 1},
        ),
        false(
            "induction.from-a-real",
            "steps of 1 from a real x meet no integer",
            "induction",
            claim(
                le(0, g(n)),
                s("base", le(0, g(x)), smt(), "first"),
                s("at", le(g(n), g(n + 1)), instance({x: n}), "grows"),
                s("next", le(0, g(n + 1)), smt(), "at", (le(0, g(n)),)),
                s("all", le(0, g(n)), induction(n, x), "base; next; n"),
                given={"n": le(x, n), "first": le(0, g(x)), "grows": half_way},
            ),
            at={"n": 1, "x": half, "g": lambda v: Fraction(-1 if v.denominator == 1 else 0)},
            samples=(0, 1, -2),
        ),
        false(
            "induction.over-a-term",
            "2 n is no symbol, and passes over the odd numbers",
            "induction",
            claim(
                eq(kept(sp.Pow, -1, n), 1),
                s("base", eq(kept(sp.Pow, -1, 0), 1), identity()),
                s("next", eq(kept(sp.Pow, -1, n + 2), 1), smt(), "", (eq(kept(sp.Pow, -1, n), 1),)),
                s("all", eq(kept(sp.Pow, -1, n), 1), induction(2 * n, 0), "base; next; n"),
                given=FROM,
            ),
            at={"n": 1},
        ),
        false(
            "induction.over-a-function-value",
            "h(0) is one number; h need not take those between",
            "induction",
            claim(
                above(h(0)),
                s("base", above(0), smt(), "base0"),
                _at(n, le(f(n), f(n + 1))),
                s("next", above(n + 1), smt(), "at", (above(n), le(0, n))),
                s("all", above(h(0)), induction(h(0), 0), "base; next"),
                given=reached,
            ),
            at={"f": lambda v: Fraction(0 if v >= 0 else -1), "h": lambda v: -1},
        ),
        false(
            "induction.generalised-over-a-fixed-number",
            "f(0) <= x is a hypothesis about one x",
            "instance",
            claim(
                le(f(n), x),
                s("base", le(f(0), x + 0), smt(), "first"),
                _at(n, le(f(n + 1), f(n) + 1), given="slow"),
                s("next", le(f(n + 1), x + n + 1), smt(), "at", (le(f(n), x + n), le(0, n))),
                s("all", le(f(n), x + n), induction(n, 0), "base; next; n"),
                s("end", le(f(n), x), instance({x: x - n}), "all"),
                given={**FROM, "slow": SLOW, "first": le(f(0), x)},
            ),
            at={"n": 1, "x": 0, "f": lambda v: v},
        ),
        false(
            "induction.assumed-of-another-value",
            "the step takes the assumption at x - 1, which was not made",
            "induction",
            claim(
                le(f(n), x),
                s("base", le(f(0), x), smt(), "first"),
                _at(n, le(f(n + 1), f(n) + 1), given="slow"),
                s("next", le(f(n + 1), x), smt(), "at", (le(f(n), x - 1), le(0, n))),
                s("all", le(f(n), x), induction(n, 0), "base; next; n"),
                given={**FROM, "slow": SLOW, "first": le(f(0), x)},
            ),
            at={"n": 1, "x": 0, "f": lambda v: v},
        ),
    )


ENTRIES = (*_termwise(), *_induction(), *_bases(), *_steps(), *_conclusions())
