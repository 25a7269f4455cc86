"""Numerals: digits to a base determine the number and are determined by it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
)
from ropeproof.theory.logic import (
    Both,
    Either,
    If,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
)
from ropeproof.theory.notation import l, m
from ropeproof.theory.slash.row import OWN

__all__ = ["CLAIMS", "NUMERALS_BOUND", "NUMERALS_UNIQUE", "base", "digit", "number", "other"]

base, h, c = integer("G h c")
power_ = real("P")
digit, other = integer_function("x"), integer_function("y")


def number(digits: Any, count: Any) -> Any:
    """The number with these digits, the lowest first."""
    return sp.Sum(digits(l) * base**l, (l, 0, count - 1))


def is_digit(digits: Any) -> Any:
    """Every digit lies between 0 and base - 1."""
    return every(l, 0, m - 1, Both(le(0, digits(l)), le(digits(l), base - 1)))


LARGE = Hypothesis("there are digits", le(1, base))
COUNT = Hypothesis("the number of places is not negative", le(0, m))


def _bound() -> Claim:
    def law(count: Any) -> Any:
        value = number(digit, count)
        return If(le(count, m), Both(le(0, value), le(value, base**count - 1)))

    goal = Both(le(0, number(digit, m)), le(number(digit, m), base**m - 1))
    inner = (le(0, h), le(h, m - 1))
    name = "digits are digits"
    return Claim(
        id="numerals.bound",
        title="m digits make a number below G^m",
        statement=r"$0\le\sum_{l<m}x_lG^l\le G^m-1$ for digits $0\le x_l<G$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                LARGE.name, LARGE.formula, idle="without digits there is no numeral but of no place"
            ),
            Hypothesis(COUNT.name, COUNT.formula, unshown="a negative power is no integer"),
            Hypothesis(name, is_digit(digit), without=(eq(base, 2), eq(m, 1), eq(digit(0), 5))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("none", eq(number(digit, sp.Integer(0)), 0), identity(), "No digits make 0,"),
                Step("start", law(sp.Integer(0)), smt(), "which is below 1.", ("none",)),
                Step(
                    "one more",
                    eq(number(digit, h + 1), number(digit, h) + digit(h) * base**h),
                    split(h - 1),
                    "One digit more",
                    (),
                    (le(0, h),),
                ),
                Step(
                    "a digit",
                    Both(le(0, digit(h)), le(digit(h), base - 1)),
                    instance({l: h}),
                    "adds",
                    (name,),
                    inner,
                ),
                Step("power", Both(lt(0, base**h)), smt(), "(powers are positive)", (LARGE.name,)),
                Step(
                    "next power",
                    eq(base ** (h + 1), base * base**h),
                    identity(),
                    "(and multiply)",
                    (LARGE.name,),
                ),
                Step(
                    "product",
                    Both(le(0, digit(h) * base**h), le(digit(h) * base**h, (base - 1) * base**h)),
                    smt(),
                    "at most (G-1) G^h,",
                    ("a digit", "power"),
                    inner,
                ),
                Step(
                    "next",
                    law(h + 1),
                    smt(),
                    "which leaves it below G^(h+1).",
                    ("one more", "product", "next power"),
                    (le(0, h), law(h)),
                ),
                Step(
                    "all",
                    law(h),
                    induction(h, 0),
                    "So for any number.",
                    ("start", "next"),
                    (le(0, h),),
                ),
                Step("at m", law(m), instance({h: m}), "Take m.", ("all", COUNT.name)),
                Step("bound", goal, smt(), "That is it.", ("at m",)),
            )
        ),
        mutants=(
            Mutant(
                "one less",
                le(number(digit, m), base**m - 2),
                at=(eq(base, 2), eq(m, 1), eq(digit(0), 1)),
            ),
            Mutant("zero", eq(number(digit, m), 0), at=(eq(base, 2), eq(m, 1), eq(digit(0), 1))),
        ),
    )


def _unique() -> Claim:
    same = every(l, 0, h - 1, eq(digit(l), other(l)))

    def law(count: Any) -> Any:
        equal = every(l, 0, count - 1, eq(digit(l), other(l)))
        return If(Both(le(count, m), eq(number(digit, count), number(other, count))), equal)

    goal = every(l, 0, m - 1, eq(digit(l), other(l)))
    inner = (le(0, h), le(h, m - 1))
    names = ("digits are digits", "the others too", "the numbers are equal")
    equal_next = (eq(number(digit, h + 1), number(other, h + 1)),)
    one = (eq(base, 2), eq(m, 1))

    def bound(label: str, digits: Any, name: str) -> tuple[Step, ...]:
        return (
            Step(
                f"{label} digit",
                Both(le(0, digits(l)), le(digits(l), base - 1)),
                instance({l: l}),
                "(a digit)",
                (name,),
                (*inner, le(0, l), le(l, h - 1)),
            ),
            Step(
                f"{label} digits",
                every(l, 0, h - 1, Both(le(0, digits(l)), le(digits(l), base - 1))),
                generalise(),
                "(the lower digits)",
                (f"{label} digit",),
                inner,
            ),
            Step(
                f"{label} bound",
                Both(le(0, number(digits, h)), le(number(digits, h), base**h - 1)),
                by_claim("numerals.bound", {digit: sp.Lambda(l, digits(l)), m: h}),
                "The lower digits make less than G^h,",
                (LARGE.name, f"{label} digits"),
                inner,
            ),
            Step(
                f"{label} next",
                eq(number(digits, h + 1), number(digits, h) + digits(h) * base**h),
                split(h - 1),
                "the next adds a multiple of it.",
                (),
                (le(0, h),),
            ),
        )

    return Claim(
        id="numerals.unique",
        title="A number has one numeral",
        statement=r"$\sum_lx_lG^l=\sum_ly_lG^l$ for digits $0\le x_l,y_l<G$ only if $x_l=y_l$ for all $l<m$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                LARGE.name, LARGE.formula, idle="without digits there is no numeral but of no place"
            ),
            Hypothesis(
                COUNT.name, COUNT.formula, idle="without places there is nothing to compare"
            ),
            Hypothesis(
                names[0],
                is_digit(digit),
                without=(
                    eq(base, 2),
                    eq(m, 2),
                    eq(digit(0), 2),
                    eq(digit(1), 0),
                    eq(other(0), 0),
                    eq(other(1), 1),
                ),
            ),
            Hypothesis(
                names[1],
                is_digit(other),
                without=(
                    eq(base, 2),
                    eq(m, 2),
                    eq(other(0), 2),
                    eq(other(1), 0),
                    eq(digit(0), 0),
                    eq(digit(1), 1),
                ),
            ),
            Hypothesis(
                names[2],
                eq(number(digit, m), number(other, m)),
                without=(*one, eq(digit(0), 0), eq(other(0), 1)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *bound("its", digit, names[0]),
                *bound("the other's", other, names[1]),
                Step("power", lt(0, base**h), smt(), "(positive)", (LARGE.name,)),
                Step(
                    "multiple",
                    Both(
                        le((digit(h) - other(h)) * base**h, base**h - 1),
                        le(1 - base**h, (digit(h) - other(h)) * base**h),
                    ),
                    smt(),
                    "If the numbers are equal these multiples differ by less than G^h,",
                    ("its bound", "the other's bound", "its next", "the other's next"),
                    (*inner, *equal_next),
                ),
                Step(
                    "apart",
                    Either(le(power_, c * power_), le(c * power_, -power_)),
                    smt(),
                    "(a multiple that is not 0 is at least G^h)",
                    (),
                    (lt(0, power_), ne(c, 0)),
                ),
                Step(
                    "difference apart",
                    Either(
                        le(base**h, (digit(h) - other(h)) * base**h),
                        le((digit(h) - other(h)) * base**h, -(base**h)),
                    ),
                    instance({power_: base**h, c: digit(h) - other(h)}),
                    "(here)",
                    ("apart", "power"),
                    (ne(digit(h) - other(h), 0),),
                ),
                Step(
                    "top",
                    eq(digit(h), other(h)),
                    smt(),
                    "so they are the same,",
                    ("multiple", "difference apart"),
                    (*inner, *equal_next),
                ),
                Step(
                    "rest",
                    eq(number(digit, h), number(other, h)),
                    smt(),
                    "and so are the lower parts.",
                    ("top", "its next", "the other's next"),
                    (*inner, *equal_next),
                ),
                Step(
                    "lower",
                    same,
                    smt(),
                    "Their digits agree,",
                    ("rest",),
                    (*inner, *equal_next, law(h)),
                ),
                Step(
                    "a lower digit",
                    eq(digit(l), other(l)),
                    instance({l: l}),
                    "each,",
                    ("lower",),
                    (*inner, *equal_next, law(h), le(0, l), le(l, h - 1)),
                ),
                Step("is top", eq(l, h), smt(), "and the top digit", (), (eq(l, h),)),
                Step(
                    "top of it", eq(digit(l), digit(h)), rewrite(), "too,", ("is top",), (eq(l, h),)
                ),
                Step(
                    "top of other",
                    eq(other(l), other(h)),
                    rewrite(),
                    "(of both)",
                    ("is top",),
                    (eq(l, h),),
                ),
                Step(
                    "a digit",
                    eq(digit(l), other(l)),
                    smt(),
                    "hence all",
                    ("a lower digit", "top", "top of it", "top of other"),
                    (*inner, *equal_next, law(h), le(0, l), le(l, h)),
                ),
                Step(
                    "digits",
                    every(l, 0, h, eq(digit(l), other(l))),
                    generalise(),
                    "digits.",
                    ("a digit",),
                    (*inner, *equal_next, law(h)),
                ),
                Step(
                    "next",
                    law(h + 1),
                    smt(),
                    "With one place more.",
                    ("digits",),
                    (le(0, h), law(h)),
                ),
                Step(
                    "no digit",
                    eq(digit(l), other(l)),
                    smt(),
                    "Without places",
                    (),
                    (le(0, l), le(l, -1)),
                ),
                Step(
                    "no digits",
                    every(l, 0, -1, eq(digit(l), other(l))),
                    generalise(),
                    "nothing differs.",
                    ("no digit",),
                ),
                Step("start", law(sp.Integer(0)), smt(), "So", ("no digits",)),
                Step(
                    "all", law(h), induction(h, 0), "by induction", ("start", "next"), (le(0, h),)
                ),
                Step("at m", law(m), instance({h: m}), "for m places.", ("all", COUNT.name)),
                Step("unique", goal, smt(), "That is it.", ("at m", names[2])),
            )
        ),
        uses=("numerals.bound",),
        mutants=(
            Mutant(
                "all 0",
                every(l, 0, m - 1, eq(digit(l), 0)),
                at=(*one, eq(digit(0), 1), eq(other(0), 1)),
            ),
            Mutant(
                "reversed",
                every(l, 0, m - 1, eq(digit(l), other(m - 1 - l))),
                at=(
                    eq(base, 2),
                    eq(m, 2),
                    eq(digit(0), 1),
                    eq(digit(1), 0),
                    eq(other(0), 1),
                    eq(other(1), 0),
                ),
            ),
        ),
    )


NUMERALS_BOUND = _bound()
NUMERALS_UNIQUE = _unique()

CLAIMS = (NUMERALS_BOUND, NUMERALS_UNIQUE)
