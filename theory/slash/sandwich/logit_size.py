"""A logit is at most the product of the norms."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    smt,
    termwise,
)
from ropeproof.theory.logic import Both, eq, le, lt
from ropeproof.theory.notation import (
    key_x,
    key_y,
    l,
    logit,
    m,
    over_planes,
    query_x,
    query_y,
    s,
    t,
    theta,
)
from ropeproof.theory.slash.row import (
    OWN,
    x,
    y,
)
from ropeproof.theory.slash.sandwich.common import SCALE, c, f_x, f_y, h_x, h_y, z_

__all__ = [
    "CLAIMS",
    "SLASH_LOGIT_SIZE",
    "SLASH_ROOT_ORDER",
    "SLASH_SIZE_ORDER",
    "SUMS_CAUCHY_SCHWARZ",
]


def _cauchy_schwarz() -> Claim:
    mixed = over_planes(f_x(l) * h_x(l) + f_y(l) * h_y(l))
    left, right = over_planes(f_x(l) ** 2 + f_y(l) ** 2), over_planes(h_x(l) ** 2 + h_y(l) ** 2)
    squares = tuple(
        (first(l) * other(c) - second(c) * image(l)) ** 2
        for first, image in ((f_x, h_x), (f_y, h_y))
        for second, other in ((f_x, h_x), (f_y, h_y))
    )
    rows = tuple(sp.Sum(square, (c, 0, m - 1)) for square in squares)
    doubles = tuple(over_planes(row) for row in rows)
    goal = le(mixed**2, left * right)
    return Claim(
        id="sums.cauchy-schwarz",
        title="The Cauchy-Schwarz inequality",
        statement=r"$\big(\sum_l\langle f_l,h_l\rangle\big)^2\le\sum_l|f_l|^2\sum_l|h_l|^2$ for vectors "
        r"of the plane.",
        source=OWN,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                *(
                    step
                    for number, (square, row, double) in enumerate(
                        zip(squares, rows, doubles, strict=True), 1
                    )
                    for step in (
                        Step(f"square {number}", le(0, square), smt(), "A square is not negative,"),
                        Step(
                            f"row {number}",
                            le(0, row),
                            termwise(),
                            "nor is a sum of squares,",
                            (f"square {number}",),
                        ),
                        Step(
                            f"double {number}",
                            le(0, double),
                            termwise(),
                            "nor is one over pairs.",
                            (f"row {number}",),
                        ),
                    )
                ),
                Step(
                    "Lagrange",
                    eq(sum(doubles), 2 * left * right - 2 * mixed**2),
                    identity(),
                    "Lagrange's identity.",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "So the difference is not negative.",
                    (*(f"double {number}" for number in (1, 2, 3, 4)), "Lagrange"),
                ),
            )
        ),
        mutants=(
            Mutant("half", le(2 * mixed**2, left * right)),
            Mutant("equality", eq(mixed**2, left * right)),
        ),
    )


def _size_order() -> Claim:
    goal = le(sp.Abs(z_), y)
    return Claim(
        id="slash.size-order",
        title="Sizes compare as their squares do",
        statement=r"$|z|\le y$ if $z^2\le y^2$ and $y\ge0$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the squares compare", le(z_**2, y**2)),
            Hypothesis("y is not negative", le(0, y)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "order",
                    goal,
                    smt(),
                    "Otherwise the squares compare the other way.",
                    ("the squares compare", "y is not negative"),
                ),
            )
        ),
        mutants=(Mutant("strict", lt(sp.Abs(z_), y)), Mutant("reversed", le(y, sp.Abs(z_)))),
    )


def _root_order() -> Claim:
    goal = le(sp.Abs(z_), sp.sqrt(x) * sp.sqrt(y))
    return Claim(
        id="slash.root-order",
        title="A size below the product of two roots",
        statement=r"$|z|\le\sqrt x\sqrt y$ if $z^2\le xy$ and $x,y\ge0$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the squares compare", le(z_**2, x * y)),
            Hypothesis(
                "x is not negative",
                le(0, x),
                idle="if y > 0 it follows, and if y = 0 then z = 0",
            ),
            Hypothesis(
                "y is not negative", le(0, y), idle="if x > 0 it follows, and if x = 0 then z = 0"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "roots",
                    Both(
                        eq(sp.sqrt(x) ** 2, x),
                        eq(sp.sqrt(y) ** 2, y),
                        le(0, sp.sqrt(x)),
                        le(0, sp.sqrt(y)),
                    ),
                    smt(),
                    "The roots exist.",
                    ("x is not negative", "y is not negative"),
                ),
                Step(
                    "product",
                    eq(sp.Pow(sp.sqrt(x) * sp.sqrt(y), 2, evaluate=False), x * y),
                    identity(),
                    "The square of their product is the product,",
                    ("x is not negative", "y is not negative"),
                ),
                Step(
                    "square",
                    le(z_**2, sp.Pow(sp.sqrt(x) * sp.sqrt(y), 2, evaluate=False)),
                    smt(),
                    "which is at least the square of z.",
                    ("the squares compare", "product"),
                ),
                Step("sign", le(0, sp.sqrt(x) * sp.sqrt(y)), smt(), "It has a sign,", ("roots",)),
                Step(
                    "order",
                    goal,
                    by_claim("slash.size-order", {z_: z_, y: sp.sqrt(x) * sp.sqrt(y)}),
                    "so sizes compare as their squares do.",
                    ("square", "sign"),
                ),
            )
        ),
        uses=("slash.size-order",),
        mutants=(
            Mutant("strict", lt(sp.Abs(z_), sp.sqrt(x) * sp.sqrt(y))),
            Mutant("without the second", le(sp.Abs(z_), sp.sqrt(x))),
        ),
    )


def _logit_size() -> Claim:
    angle = theta(l) * t
    turned_x = query_x(l) * sp.cos(angle) - query_y(l) * sp.sin(angle)
    turned_y = query_y(l) * sp.cos(angle) + query_x(l) * sp.sin(angle)
    inner = over_planes(turned_x * key_x(l) + turned_y * key_y(l))
    squares_q, squares_k = (
        over_planes(query_x(l) ** 2 + query_y(l) ** 2),
        over_planes(key_x(l) ** 2 + key_y(l) ** 2),
    )
    root_q, root_k = sp.sqrt(squares_q), sp.sqrt(squares_k)
    goal = le(sp.Abs(logit(t)), s * root_q * root_k)
    return Claim(
        id="slash.logit-size",
        title="A logit is at most the product of the norms",
        statement=r"$|w(t,q,k)|\le s\|q\|\|k\|$ for $s\ge0$, in Cartesian coordinates.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(SCALE,),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "turn",
                    eq(logit(t), s * inner),
                    identity(),
                    "The logit is the inner product of the turned query with the key,",
                ),
                Step(
                    "product",
                    le(inner**2, over_planes(turned_x**2 + turned_y**2) * squares_k),
                    by_claim(
                        "sums.cauchy-schwarz",
                        {
                            f_x: sp.Lambda(l, turned_x),
                            f_y: sp.Lambda(l, turned_y),
                            h_x: sp.Lambda(l, key_x(l)),
                            h_y: sp.Lambda(l, key_y(l)),
                        },
                    ),
                    "at most the product of their norms;",
                ),
                Step(
                    "length",
                    eq(over_planes(turned_x**2 + turned_y**2), squares_q),
                    identity(),
                    "turning keeps the norm.",
                ),
                Step("square q", le(0, query_x(l) ** 2 + query_y(l) ** 2), smt(), "Squares"),
                Step("sum q", le(0, squares_q), termwise(), "are", ("square q",)),
                Step("square k", le(0, key_x(l) ** 2 + key_y(l) ** 2), smt(), "not"),
                Step("sum k", le(0, squares_k), termwise(), "negative:", ("square k",)),
                Step(
                    "turned product",
                    le(inner**2, squares_q * squares_k),
                    smt(),
                    "So the square is at most the product of the squares,",
                    ("product", "length"),
                ),
                Step(
                    "inner size",
                    le(sp.Abs(inner), root_q * root_k),
                    by_claim("slash.root-order", {z_: inner, x: squares_q, y: squares_k}),
                    "which bounds the size.",
                    ("turned product", "sum q", "sum k"),
                ),
                Step(
                    "size",
                    goal,
                    smt(),
                    "Times the scale.",
                    ("turn", "inner size", SCALE.name),
                ),
            )
        ),
        uses=("sums.cauchy-schwarz", "slash.root-order"),
        mutants=(
            Mutant("half", le(2 * sp.Abs(logit(t)), s * root_q * root_k)),
            Mutant("of the query alone", le(sp.Abs(logit(t)), s * root_q)),
        ),
    )


SUMS_CAUCHY_SCHWARZ = _cauchy_schwarz()
SLASH_SIZE_ORDER = _size_order()
SLASH_ROOT_ORDER = _root_order()
SLASH_LOGIT_SIZE = _logit_size()

CLAIMS = (SUMS_CAUCHY_SCHWARZ, SLASH_SIZE_ORDER, SLASH_ROOT_ORDER, SLASH_LOGIT_SIZE)
