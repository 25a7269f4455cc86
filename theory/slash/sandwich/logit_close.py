"""A logit of nearly constant queries and keys is close to the mean head's."""

from __future__ import annotations

from typing import Any

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
    j,
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
)
from ropeproof.theory.slash.row import (
    OWN,
)
from ropeproof.theory.slash.sandwich.common import (
    MEAN_KEY,
    MEAN_QUERY,
    QUERY_CLOSE,
    SCALE,
    a_,
    b_,
    bilinear,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    norm,
    q_,
    r_,
    row_logit,
    row_x,
    row_y,
    spread,
    u_,
)

__all__ = ["CLAIMS", "SLASH_LOGIT_CLOSE", "SLASH_SHARE_ORDER"]


def _logit_close() -> Claim:
    """One query, one key: the logit is within eta of the mean head's."""
    d_x, d_y = row_x(l) - query_x(l), row_y(l) - query_y(l)
    e_x, e_y = column_x(j, l) - key_x(l), column_y(j, l) - key_y(l)
    parts = (
        bilinear(d_x, d_y, *MEAN_KEY, j),
        bilinear(*MEAN_QUERY, e_x, e_y, j),
        bilinear(d_x, d_y, e_x, e_y, j),
    )
    n_q, n_k = norm(*MEAN_QUERY), norm(*MEAN_KEY)
    n_d, n_e = norm(d_x, d_y), norm(e_x, e_y)
    goal = le(sp.Abs(row_logit(j) - logit(j)), spread())
    key_close = close(column_x(j, l), column_y(j, l), MEAN_KEY, eps_k)

    def size(label: str, part: Any, a: tuple[Any, Any], b: tuple[Any, Any]) -> Step:
        return Step(
            f"{label} size",
            le(sp.Abs(part), s * norm(*a) * norm(*b)),
            by_claim(
                "slash.logit-size",
                {
                    query_x: sp.Lambda(l, a[0]),
                    query_y: sp.Lambda(l, a[1]),
                    key_x: sp.Lambda(l, b[0]),
                    key_y: sp.Lambda(l, b[1]),
                    t: j,
                },
            ),
            f"The {label} part is at most the product of its norms.",
            (SCALE.name,),
        )

    def sign(label: str, a: tuple[Any, Any]) -> tuple[Step, Step, Step]:
        squares = a[0] ** 2 + a[1] ** 2
        return (
            Step(f"{label} squares", le(0, squares), smt(), "Squares are not negative,"),
            Step(
                f"{label} square sum",
                le(0, over_planes(squares)),
                termwise(),
                "nor are their sums,",
                (f"{label} squares",),
            ),
            Step(
                f"{label} sign",
                le(0, norm(*a)),
                smt(),
                "nor is a norm.",
                (f"{label} square sum",),
            ),
        )

    return Claim(
        id="slash.logit-close",
        title="A logit of nearly constant queries and keys is close to the mean head's",
        statement=(
            r"If $\|q_i-\bar q\|\le\varepsilon_q\|\bar q\|$ and $\|k_j-\bar k\|\le\varepsilon_k\|\bar k\|$ "
            r"then $|w_{ij}-g(i-j)|\le\eta=s\|\bar q\|\|\bar k\|"
            r"(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            SCALE,
            Hypothesis("the query is close", QUERY_CLOSE),
            Hypothesis("the key is close", key_close),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parts",
                    eq(row_logit(j) - logit(j), parts[0] + parts[1] + parts[2]),
                    identity(),
                    "The difference has three parts: the query's deviation, the key's, both.",
                ),
                size("query", parts[0], (d_x, d_y), MEAN_KEY),
                size("key", parts[1], MEAN_QUERY, (e_x, e_y)),
                size("joint", parts[2], (d_x, d_y), (e_x, e_y)),
                *sign("mean query", MEAN_QUERY),
                *sign("mean key", MEAN_KEY),
                *sign("query deviation", (d_x, d_y)),
                *sign("key deviation", (e_x, e_y)),
                Step(
                    "query bound",
                    le(n_d * n_k, eps_q * n_q * n_k),
                    smt(),
                    "Insert the deviations:",
                    ("the query is close", "mean key sign"),
                ),
                Step(
                    "key bound",
                    le(n_q * n_e, n_q * (eps_k * n_k)),
                    smt(),
                    "the key's,",
                    ("the key is close", "mean query sign"),
                ),
                Step(
                    "joint first",
                    le(n_d * n_e, eps_q * n_q * n_e),
                    smt(),
                    "and",
                    ("the query is close", "key deviation sign"),
                ),
                Step(
                    "query room",
                    le(0, eps_q * n_q),
                    smt(),
                    "(what bounds a norm is not negative)",
                    ("the query is close", "query deviation sign"),
                ),
                Step(
                    "joint bound",
                    le(n_d * n_e, eps_q * n_q * (eps_k * n_k)),
                    smt(),
                    "both.",
                    ("joint first", "query room", "the key is close"),
                ),
                Step(
                    "total",
                    le(
                        n_d * n_k + n_q * n_e + n_d * n_e,
                        n_q * n_k * (eps_q + eps_k + eps_q * eps_k),
                    ),
                    smt(),
                    "Add up",
                    ("query bound", "key bound", "joint bound"),
                ),
                Step(
                    "scaled",
                    le(s * (n_d * n_k + n_q * n_e + n_d * n_e), spread()),
                    smt(),
                    "and scale.",
                    ("total", SCALE.name),
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "So the difference is at most eta.",
                    ("parts", "query size", "key size", "joint size", "scaled"),
                ),
            )
        ),
        uses=("slash.logit-size",),
        mutants=(
            Mutant(
                "without the query's part",
                le(sp.Abs(row_logit(j) - logit(j)), s * n_q * n_k * eps_k),
                at=(
                    eq(m, 1),
                    eq(s, 1),
                    eq(j, 0),
                    eq(query_x(0), 1),
                    eq(key_x(0), 1),
                    eq(row_x(0), 2),
                    eq(eps_k, 0),
                    eq(eps_q, 2),
                ),
            ),
            Mutant(
                "half of it",
                le(2 * sp.Abs(row_logit(j) - logit(j)), spread()),
                at=(
                    eq(m, 1),
                    eq(s, 1),
                    eq(j, 0),
                    eq(query_x(0), 1),
                    eq(query_y(0), 0),
                    eq(key_x(0), 1),
                    eq(key_y(0), 0),
                    eq(row_y(0), 0),
                    eq(column_x(0, 0), 1),
                    eq(column_y(0, 0), 0),
                    eq(row_x(0), 2),
                    eq(eps_k, 0),
                    eq(eps_q, 1),
                ),
            ),
        ),
    )


def _share_order() -> Claim:
    share = a_ / (a_ + r_)
    z = q_ / b_
    lower, upper = 1 / (1 + u_**2 * z), 1 / (1 + z / u_**2)
    goal = Both(le(lower, share), le(share, upper))
    return Claim(
        id="slash.share-order",
        title="A share whose parts move by at most a factor",
        statement=(
            r"If $b/u\le a\le ub$ and $q/u\le r\le uq$ with $b,u>0$, $q\ge0$, then "
            r"$(1+u^2q/b)^{-1}\le a/(a+r)\le(1+u^{-2}q/b)^{-1}$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("b is positive", lt(0, b_)),
            Hypothesis("u is positive", lt(0, u_)),
            Hypothesis(
                "q is not negative",
                le(0, q_),
                idle="the target's bounds give u >= 1, and then the rest's give q >= 0 or u = 1",
            ),
            Hypothesis("the target", Both(le(b_ / u_, a_), le(a_, u_ * b_))),
            Hypothesis("the rest", Both(le(q_ / u_, r_), le(r_, u_ * q_))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "a is positive",
                    lt(0, a_),
                    smt(),
                    "The target is positive",
                    ("b is positive", "u is positive", "the target"),
                ),
                Step(
                    "r is not negative",
                    le(0, r_),
                    smt(),
                    "and the rest is not negative.",
                    ("q is not negative", "u is positive", "the rest"),
                ),
                Step(
                    "b at most",
                    Both(le(b_, u_ * a_), le(a_, u_ * b_)),
                    smt(),
                    "Clear the denominators:",
                    ("the target", "u is positive"),
                ),
                Step(
                    "q at most",
                    Both(le(q_, u_ * r_), le(r_, u_ * q_)),
                    smt(),
                    "for both.",
                    ("the rest", "u is positive"),
                ),
                Step(
                    "odds low",
                    le(r_ * b_, u_**2 * q_ * a_),
                    smt(),
                    "The odds move by a factor u^2",
                    (
                        "b at most",
                        "q at most",
                        "a is positive",
                        "q is not negative",
                        "u is positive",
                        "b is positive",
                    ),
                ),
                Step(
                    "odds high",
                    le(q_ * a_, u_**2 * r_ * b_),
                    smt(),
                    "either way.",
                    (
                        "b at most",
                        "q at most",
                        "b is positive",
                        "r is not negative",
                        "u is positive",
                        "a is positive",
                    ),
                ),
                Step(
                    "lower",
                    le(lower, share),
                    smt(),
                    "Divide",
                    (
                        "odds low",
                        "a is positive",
                        "r is not negative",
                        "b is positive",
                        "q is not negative",
                        "u is positive",
                    ),
                ),
                Step(
                    "upper",
                    le(share, upper),
                    smt(),
                    "both.",
                    (
                        "odds high",
                        "a is positive",
                        "r is not negative",
                        "b is positive",
                        "q is not negative",
                        "u is positive",
                    ),
                ),
                Step("both", goal, smt(), "Together.", ("lower", "upper")),
            )
        ),
        mutants=(
            Mutant("u once", le(1 / (1 + u_ * z), share)),
            Mutant("equality", eq(share, 1 / (1 + z))),
        ),
    )


SLASH_LOGIT_CLOSE = _logit_close()
SLASH_SHARE_ORDER = _share_order()

CLAIMS = (SLASH_LOGIT_CLOSE, SLASH_SHARE_ORDER)
