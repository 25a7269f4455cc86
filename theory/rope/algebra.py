"""The algebra of RoPE: rotations, the relative form, the cosine form, layouts."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.claim import Claim, Hypothesis, Mutant, Source
from theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    choose,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
    witness,
)
from theory.logic import (
    Both,
    Either,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    le,
    ne,
    real,
    real_function,
)
from theory.notation import (
    i,
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
    theta,
)

__all__ = ["CLAIMS", "rotated"]

OWN = Source("ropeproof", "", "own")
SLASH = "[SLASH] Cheng et al., arXiv 2601.08297"
alpha, beta = real("alpha beta")
p = real("p")
x, y = real_function("x"), real_function("y")
c = integer("c")


def rotated(first: Any, second: Any, angle: Any) -> tuple[Any, Any]:
    """A plane's pair of coordinates, turned by the angle."""
    cosine, sine = sp.cos(angle), sp.sin(angle)
    return cosine * first - sine * second, sine * first + cosine * second


def _matrix(angle: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    cosine, sine = sp.cos(angle, evaluate=False), sp.sin(angle, evaluate=False)
    return ((cosine, -sine), (sine, cosine))


def _entries(left: Any, right: Any) -> list[Any]:
    return [eq(left[r][k], right[r][k]) for r in range(2) for k in range(2)]


def _product(left: Any, right: Any) -> Any:
    return tuple(
        tuple(left[r][0] * right[0][k] + left[r][1] * right[1][k] for k in range(2))
        for r in range(2)
    )


def _transpose(matrix: Any) -> Any:
    return tuple(zip(*matrix, strict=True))


def _group() -> Claim:
    products = Both(*_entries(_product(_matrix(alpha), _matrix(beta)), _matrix(alpha + beta)))
    unit = Both(*_entries(_matrix(sp.Integer(0)), ((1, 0), (0, 1))))
    inverse = Both(*_entries(_transpose(_matrix(alpha)), _matrix(-alpha)))
    first, second = rotated(x(l), y(l), theta(l) * p)
    turned, still = over_planes(first**2 + second**2), over_planes(x(l) ** 2 + y(l) ** 2)
    norms = Both(eq(turned, still), eq(sp.sqrt(turned), sp.sqrt(still)))
    goal = Both(products, unit, inverse, norms)
    return Claim(
        id="rope.group",
        title="Rotations add their angles and keep norms",
        statement=(
            r"$R(\alpha)R(\beta)=R(\alpha+\beta)$, $R(0)=I$, $R(\alpha)^\top=R(-\alpha)$, entry by "
            r"entry; so $\|R_px\|=\|x\|$ over all $m$ planes, with angle $p\theta_l$ in plane $l$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("products", products, identity(), "The addition theorems."),
                Step("unit", unit, identity(), "cos 0 = 1, sin 0 = 0."),
                Step("inverse", inverse, identity(), "Cosine is even, sine is odd."),
                Step(
                    "plane",
                    eq(first**2 + second**2, x(l) ** 2 + y(l) ** 2),
                    identity(),
                    "A rotation keeps the norm of its plane, as cos^2 + sin^2 = 1;",
                ),
                Step(
                    "planes", eq(turned, still), termwise(), "summed over the planes,", ("plane",)
                ),
                Step(
                    "root",
                    eq(sp.sqrt(turned), sp.sqrt(still)),
                    rewrite(),
                    "and under the root.",
                    ("planes",),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "All four.",
                    ("products", "unit", "inverse", "planes", "root"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "angles subtract",
                Both(*_entries(_product(_matrix(alpha), _matrix(beta)), _matrix(alpha - beta))),
            ),
            Mutant("self-transpose", Both(*_entries(_transpose(_matrix(alpha)), _matrix(alpha)))),
            Mutant("norm doubles", eq(turned, 2 * still)),
        ),
    )


def _inner(first: tuple[Any, Any], second: tuple[Any, Any]) -> Any:
    return first[0] * second[0] + first[1] * second[1]


def _relative() -> Claim:
    query, key = (query_x(l), query_y(l)), (key_x(l), key_y(l))
    both = over_planes(_inner(rotated(*query, theta(l) * i), rotated(*key, theta(l) * j)))
    lag = over_planes(_inner(rotated(*query, theta(l) * (i - j)), key))
    goal = Both(eq(both, lag), eq(s * both, logit(i - j)))
    return Claim(
        id="rope.relative",
        title="The logit depends on positions through the lag only",
        statement=(
            r"$\langle R_iq,R_jk\rangle=\langle R_{i-j}q,k\rangle$ over all $m$ planes, and $s$ times it "
            r"is $w(i-j)=s\,\mathrm{Re}\sum_lq_l\overline{k_l}e^{\mathrm i\theta_l(i-j)}$."
        ),
        source=OWN,
        needs=frozenset("PTXW"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "plane",
                    eq(
                        _inner(rotated(*query, theta(l) * i), rotated(*key, theta(l) * j)),
                        _inner(rotated(*query, theta(l) * (i - j)), key),
                    ),
                    identity(),
                    "In one plane the two rotations combine to the difference of their angles.",
                ),
                Step("planes", eq(both, lag), termwise(), "Summed over the planes.", ("plane",)),
                Step(
                    "cosine form",
                    eq(s * lag, logit(i - j)),
                    identity(),
                    "In coordinates this is s Re sum q conj(k) exp(i theta t).",
                ),
                Step(
                    "scaled",
                    eq(s * both, logit(i - j)),
                    smt(),
                    "So is the scaled inner product.",
                    ("planes", "cosine form"),
                ),
                Step("together", goal, smt(), "Both forms.", ("planes", "scaled")),
            )
        ),
        mutants=(
            Mutant(
                "lag of the wrong sign",
                eq(both, over_planes(_inner(rotated(*query, theta(l) * (j - i)), key))),
            ),
            Mutant(
                "sum of positions",
                eq(both, over_planes(_inner(rotated(*query, theta(l) * (i + j)), key))),
            ),
            Mutant("lag off by one", eq(s * both, logit(i - j - 1))),
        ),
    )


def _fourier() -> Claim:
    a, b = real_function("alpha"), real_function("beta")
    norm_q = sp.sqrt(query_x(l) ** 2 + query_y(l) ** 2)
    norm_k = sp.sqrt(key_x(l) ** 2 + key_y(l) ** 2)
    aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
    crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
    plane = s * (aligned * sp.cos(theta(l) * t) - crossed * sp.sin(theta(l) * t))
    wave = s * norm_q * norm_k * sp.cos(theta(l) * t + a(l) - b(l))
    r_q, r_k = real_function("r_q"), real_function("r_k")
    polar_q = Both(
        le(0, r_q(l)),
        eq(query_x(l), r_q(l) * sp.cos(a(l))),
        eq(query_y(l), r_q(l) * sp.sin(a(l))),
    )
    polar_k = Both(
        le(0, r_k(l)),
        eq(key_x(l), r_k(l) * sp.cos(b(l))),
        eq(key_y(l), r_k(l) * sp.sin(b(l))),
    )
    per_plane = every(l, 0, m - 1, eq(plane, wave))
    goal = Both(per_plane, eq(logit(t), over_planes(wave)))
    inside = (le(0, l), le(l, m - 1))
    product = norm_q * norm_k
    cosine_product = sp.cos(a(l)) * sp.cos(b(l)) + sp.sin(a(l)) * sp.sin(b(l))
    sine_product = sp.sin(a(l)) * sp.cos(b(l)) - sp.cos(a(l)) * sp.sin(b(l))
    return Claim(
        id="rope.fourier",
        title="The logit is a sum of cosines of the lag",
        statement=(
            r"With $q_l=|q_l|e^{\mathrm i\alpha_l}$, $k_l=|k_l|e^{\mathrm i\beta_l}$: "
            r"$s\,\mathrm{Re}\,q_l\overline{k_l}e^{\mathrm i\theta_lt}"
            r"=A_l\cos(\theta_lt+\varphi_l)$, $A_l=s|q_l||k_l|$, "
            r"$\varphi_l=\alpha_l-\beta_l$, in each plane and summed."
        ),
        source=Source(SLASH, "Fourier form of the logit", "as printed"),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("alpha is the argument of q", every(l, 0, m - 1, polar_q)),
            Hypothesis("beta is the argument of k", every(l, 0, m - 1, polar_k)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "q",
                    polar_q,
                    instance({l: l}),
                    "Write q_l in polar form",
                    ("alpha is the argument of q",),
                    inside,
                ),
                Step(
                    "k",
                    polar_k,
                    instance({l: l}),
                    "and k_l.",
                    ("beta is the argument of k",),
                    inside,
                ),
                Step(
                    "modulus of q",
                    eq(norm_q, r_q(l)),
                    smt(),
                    "The radius is the modulus, for q",
                    ("q",),
                    inside,
                ),
                Step("modulus of k", eq(norm_k, r_k(l)), smt(), "and k.", ("k",), inside),
                Step(
                    "aligned",
                    eq(aligned, product * cosine_product),
                    smt(),
                    "Multiply q_l by the conjugate of k_l: the real part",
                    ("q", "k", "modulus of q", "modulus of k"),
                    inside,
                ),
                Step(
                    "crossed",
                    eq(crossed, product * sine_product),
                    smt(),
                    "and the imaginary part.",
                    ("q", "k", "modulus of q", "modulus of k"),
                    inside,
                ),
                Step(
                    "plane",
                    eq(plane, wave),
                    rewrite(),
                    "The arguments subtract and the rotation adds theta_l t: one cosine,",
                    ("aligned", "crossed"),
                    inside,
                ),
                Step("each plane", per_plane, generalise(), "in every plane,", ("plane",)),
                Step(
                    "summed",
                    eq(logit(t), over_planes(wave)),
                    termwise(),
                    "and the logit is their sum.",
                    ("plane",),
                ),
                Step("together", goal, smt(), "Both statements.", ("each plane", "summed")),
            )
        ),
        mutants=(
            Mutant(
                "phases add",
                eq(
                    logit(t),
                    over_planes(s * norm_q * norm_k * sp.cos(theta(l) * t + a(l) + b(l))),
                ),
            ),
            Mutant(
                "sine instead of cosine",
                eq(
                    logit(t),
                    over_planes(s * norm_q * norm_k * sp.sin(theta(l) * t + a(l) - b(l))),
                ),
            ),
        ),
    )


def _toeplitz() -> Claim:
    h = integer("h")
    qx, qy, kx, ky = (real_function(name) for name in ("Q_x", "Q_y", "K_x", "K_y"))

    def at(row: Any, column: Any) -> Any:
        query = rotated(qx(row, l), qy(row, l), theta(l) * row)
        key = rotated(kx(column, l), ky(column, l), theta(l) * column)
        return s * over_planes(_inner(query, key))

    def flat(row: Any, column: Any) -> Any:
        query = rotated(query_x(l), query_y(l), theta(l) * row)
        key = rotated(key_x(l), key_y(l), theta(l) * column)
        return s * over_planes(_inner(query, key))

    queries = Every((i, l), Both(eq(qx(i, l), query_x(l)), eq(qy(i, l), query_y(l))))
    keys = Every((j, l), Both(eq(kx(j, l), key_x(l)), eq(ky(j, l), key_y(l))))
    lag = Every((i, j), eq(at(i, j), logit(i - j)))
    diagonal = Every((i, j, h), eq(at(i + h, j + h), at(i, j)))
    goal = Both(lag, diagonal)
    query_term = rotated(qx(i, l), qy(i, l), theta(l) * i)
    key_term = rotated(kx(j, l), ky(j, l), theta(l) * j)
    flat_query = rotated(query_x(l), query_y(l), theta(l) * i)
    flat_key = rotated(key_x(l), key_y(l), theta(l) * j)
    return Claim(
        id="rope.toeplitz",
        title="Constant queries and keys give logits that depend on the lag alone",
        statement=(
            r"If $q_i=\bar q$ and $k_j=\bar k$ for all tokens, $w_{ij}=g(i-j)$ with $g$ the logit "
            r"function of $\bar q,\bar k$, whatever the tokens are; the logit matrix is constant along "
            r"its diagonals."
        ),
        source=Source(SLASH, "constant queries and keys", "as printed"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis("queries are constant", queries),
            Hypothesis("keys are constant", keys),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query",
                    Both(eq(qx(i, l), query_x(l)), eq(qy(i, l), query_y(l))),
                    instance({i: i, l: l}),
                    "Every token has the same query",
                    ("queries are constant",),
                ),
                Step(
                    "key",
                    Both(eq(kx(j, l), key_x(l)), eq(ky(j, l), key_y(l))),
                    instance({j: j, l: l}),
                    "and the same key,",
                    ("keys are constant",),
                ),
                Step(
                    "term",
                    eq(_inner(query_term, key_term), _inner(flat_query, flat_key)),
                    smt(),
                    "so each plane contributes as for those two,",
                    ("query", "key"),
                ),
                Step(
                    "terms",
                    eq(
                        over_planes(_inner(query_term, key_term)),
                        over_planes(_inner(flat_query, flat_key)),
                    ),
                    termwise(),
                    "and so does their sum.",
                    ("term",),
                ),
                Step(
                    "relative",
                    eq(flat(i, j), logit(i - j)),
                    by_claim("rope.relative"),
                    "By the relative form that depends on the lag only.",
                ),
                Step(
                    "lag",
                    eq(at(i, j), logit(i - j)),
                    smt(),
                    "So does the logit.",
                    ("terms", "relative"),
                ),
                Step("every lag", lag, generalise(), "For all positions.", ("lag",)),
                Step(
                    "moved",
                    eq(at(i + h, j + h), logit(i - j)),
                    instance({i: i + h, j: j + h}),
                    "Moving both positions keeps the lag,",
                    ("lag",),
                ),
                Step(
                    "same",
                    eq(at(i + h, j + h), at(i, j)),
                    chain(),
                    "hence the logit.",
                    ("moved", "lag"),
                ),
                Step("diagonals", diagonal, generalise(), "Along every diagonal.", ("same",)),
                Step("together", goal, smt(), "Both statements.", ("every lag", "diagonals")),
            )
        ),
        uses=("rope.relative",),
        mutants=(
            Mutant("lag off by one", eq(at(i, j), logit(i - j + 1))),
            Mutant("constant along antidiagonals", eq(at(i + h, j - h), at(i, j))),
        ),
    )


def _layout() -> Claim:
    X, Y, U, W = (real_function(name) for name in ("x", "y", "u", "v"))

    def interleaved(f: Any, row: Any) -> tuple[Any, Any]:
        return rotated(f(2 * l), f(2 * l + 1), theta(l) * row)

    def half(f: Any, row: Any) -> tuple[Any, Any]:
        return rotated(f(l), f(l + m), theta(l) * row)

    left = over_planes(_inner(interleaved(X, i), interleaved(Y, j)))
    right = over_planes(_inner(half(U, i), half(W, j)))
    inside = (le(0, l), le(l, m - 1))

    def same(f: Any, g: Any) -> Any:
        return Both(eq(f(2 * l), g(l)), eq(f(2 * l + 1), g(l + m)))

    def moved(f: Any, g: Any) -> Any:
        return every(l, 0, m - 1, same(f, g))

    def inner_all(f: Any, g: Any, count: Any) -> Any:
        return sp.Sum(f(c) * g(c), (c, 0, 2 * count - 1))

    def pairs(f: Any, g: Any, count: Any) -> Any:
        return sp.Sum(f(2 * l) * g(2 * l) + f(2 * l + 1) * g(2 * l + 1), (l, 0, count - 1))

    unrotated = eq(inner_all(X, Y, m), inner_all(U, W, m))
    conjugate = every(
        l,
        0,
        m - 1,
        Both(eq(interleaved(X, i)[0], half(U, i)[0]), eq(interleaved(X, i)[1], half(U, i)[1])),
    )
    coordinate = (le(0, c), le(c, 2 * m - 1))
    pair_inside = (*inside, le(0, j), le(j, m - 1))

    def covers(first: Any, second: Any) -> Any:
        found = Some((l,), Both(*inside, Either(eq(c, first), eq(c, second))))
        return Every((c,), If(Both(*coordinate), found))

    def apart(first: Any, second: Any) -> Any:
        mixed = Both(ne(first, second.subs(l, j)), ne(second, first.subs(l, j)))
        once = Both(
            If(eq(first, first.subs(l, j)), eq(l, j)), If(eq(second, second.subs(l, j)), eq(l, j))
        )
        return Every((l, j), If(Both(*pair_inside), Both(mixed, once)))

    permutation = Both(
        covers(l, l + m), apart(l, l + m), covers(2 * l, 2 * l + 1), apart(2 * l, 2 * l + 1)
    )

    even_or_odd = Both(le(0, l), Either(eq(c, 2 * l), eq(c, 2 * l + 1)))
    found_pair = covers(2 * l, 2 * l + 1).args[1].args[1]

    def parity(number: Any) -> Any:
        halves = Either(eq(number, 2 * l), eq(number, 2 * l + 1))
        return Some((l,), Both(le(0, l), halves))

    def parity_steps() -> tuple[Step, ...]:
        zero = sp.Integer(0)
        counted = (le(0, c), parity(c))
        return (
            Step("zero is even", parity(zero), witness({l: 0}), "Zero is even;"),
            Step(
                "after even",
                parity(c + 1),
                witness({l: l}),
                "after an even number comes an odd one,",
                (),
                (le(0, l), eq(c, 2 * l)),
            ),
            Step(
                "after odd",
                parity(c + 1),
                witness({l: l + 1}),
                "after an odd one an even one;",
                (),
                (le(0, l), eq(c, 2 * l + 1)),
            ),
            Step(
                "after either",
                parity(c + 1),
                smt(),
                "so after either",
                ("after even", "after odd"),
                (even_or_odd,),
            ),
            Step("parity", parity(c), smt(), "(by assumption)", (), counted),
            Step(
                "next parity",
                parity(c + 1),
                choose(),
                "the next number is even or odd,",
                ("parity", "after either"),
                counted,
            ),
            Step(
                "even or odd",
                parity(c),
                induction(c, 0),
                "and every number is.",
                ("zero is even", "next parity"),
                (le(0, c),),
            ),
            Step(
                "interleaved place",
                found_pair,
                witness({l: l}),
                "Below 2m its half is a plane:",
                (),
                (*coordinate, even_or_odd),
            ),
            Step(
                "interleaved coordinate",
                found_pair,
                choose(),
                "every coordinate belongs to a plane,",
                ("even or odd", "interleaved place"),
                coordinate,
            ),
        )

    def bijection(label: str, first: Any, second: Any, cases: Any) -> tuple[Step, ...]:
        cover, distinct = covers(first, second), apart(first, second)
        found = cover.args[1].args[1]
        return (
            *(
                Step(
                    f"{label} coordinate {number}",
                    found,
                    witness({l: plane}),
                    "Every coordinate belongs to a plane,",
                    (),
                    (*coordinate, where),
                )
                for number, (plane, where) in enumerate(cases, 1)
            ),
            *(
                Step(
                    f"{label} coordinate",
                    found,
                    smt(),
                    "in either case,",
                    tuple(f"{label} coordinate {k}" for k in range(1, len(cases) + 1)),
                    coordinate,
                )
                for _ in cases[:1]
            ),
            Step(f"{label} covers", cover, generalise(), "all of them,", (f"{label} coordinate",)),
            Step(
                f"{label} pair",
                distinct.args[1].args[1],
                smt(),
                "and to one plane only, in one place,",
                (),
                pair_inside,
            ),
            Step(f"{label} apart", distinct, generalise(), "for all pairs.", (f"{label} pair",)),
        )

    goal = Both(permutation, conjugate, eq(left, right), unrotated)
    by_pairs = eq(inner_all(X, Y, m), pairs(X, Y, m))
    halves = eq(
        inner_all(U, W, m),
        sp.Sum(U(l) * W(l), (l, 0, m - 1)) + sp.Sum(U(l + m) * W(l + m), (l, 0, m - 1)),
    )
    return Claim(
        id="rope.layout",
        title="Interleaved and half layout differ by one fixed permutation of coordinates",
        statement=(
            r"Let coordinate $2l$ of the interleaved layout be coordinate $l$ of the half layout and "
            r"$2l+1$ be $l+m$: a permutation of the $2m$ coordinates, the same for every vector. Then "
            r"rotating at any position commutes with it, so logits agree after permuting the columns of "
            r"$W_Q,W_K$; plain inner products over all $2m$ coordinates agree as well."
        ),
        source=OWN,
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis("there are planes", le(0, m), idle="without planes all sums are empty"),
            Hypothesis("the query is permuted", moved(X, U)),
            Hypothesis("the key is permuted", moved(Y, W)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query",
                    same(X, U),
                    instance({l: l}),
                    "The two coordinates of a plane, for the query",
                    ("the query is permuted",),
                    inside,
                ),
                Step(
                    "key",
                    same(Y, W),
                    instance({l: l}),
                    "and the key.",
                    ("the key is permuted",),
                    inside,
                ),
                Step(
                    "rotated",
                    Both(
                        eq(interleaved(X, i)[0], half(U, i)[0]),
                        eq(interleaved(X, i)[1], half(U, i)[1]),
                    ),
                    smt(),
                    "Rotating acts on the same pair of numbers in both layouts.",
                    ("query",),
                    inside,
                ),
                Step("conjugate", conjugate, generalise(), "In every plane.", ("rotated",)),
                Step(
                    "term",
                    eq(
                        _inner(interleaved(X, i), interleaved(Y, j)),
                        _inner(half(U, i), half(W, j)),
                    ),
                    smt(),
                    "So a plane's contribution is the same,",
                    ("query", "key"),
                    inside,
                ),
                Step("logits", eq(left, right), termwise(), "and so is the logit.", ("term",)),
                Step(
                    "no pairs",
                    eq(inner_all(X, Y, sp.Integer(0)), pairs(X, Y, sp.Integer(0))),
                    identity(),
                    "Coordinates counted in pairs: none,",
                ),
                Step(
                    "one pair more",
                    eq(
                        inner_all(X, Y, m + 1),
                        inner_all(X, Y, m) + X(2 * m) * Y(2 * m) + X(2 * m + 1) * Y(2 * m + 1),
                    ),
                    split(2 * m - 1),
                    "then one pair after the other,",
                    (),
                    (le(0, m),),
                ),
                Step(
                    "one plane more",
                    eq(
                        pairs(X, Y, m + 1),
                        pairs(X, Y, m) + X(2 * m) * Y(2 * m) + X(2 * m + 1) * Y(2 * m + 1),
                    ),
                    split(m - 1),
                    "plane by plane,",
                    (),
                    (le(0, m),),
                ),
                Step(
                    "next",
                    eq(inner_all(X, Y, m + 1), pairs(X, Y, m + 1)),
                    smt(),
                    "so both counts stay equal",
                    ("one pair more", "one plane more"),
                    (le(0, m), by_pairs),
                ),
                Step(
                    "by pairs",
                    by_pairs,
                    induction(m, 0),
                    "by induction.",
                    ("no pairs", "next", "there are planes"),
                ),
                Step(
                    "halves",
                    halves,
                    split(m - 1),
                    "In the half layout: first halves, second halves.",
                    ("there are planes",),
                ),
                Step(
                    "pair",
                    eq(
                        X(2 * l) * Y(2 * l) + X(2 * l + 1) * Y(2 * l + 1),
                        U(l) * W(l) + U(l + m) * W(l + m),
                    ),
                    smt(),
                    "A pair contributes the same to both.",
                    ("query", "key"),
                    inside,
                ),
                Step(
                    "all pairs",
                    eq(
                        pairs(X, Y, m),
                        sp.Sum(U(l) * W(l) + U(l + m) * W(l + m), (l, 0, m - 1)),
                    ),
                    termwise(),
                    "Summed.",
                    ("pair",),
                ),
                Step(
                    "unrotated",
                    unrotated,
                    smt(),
                    "So inner products over all coordinates agree.",
                    ("by pairs", "halves", "all pairs"),
                ),
                *bijection("half", l, l + m, ((c, le(c, m - 1)), (c - m, le(m, c)))),
                *parity_steps(),
                *bijection("interleaved", 2 * l, 2 * l + 1, ()),
                Step(
                    "together",
                    goal,
                    smt(),
                    "So the map between the layouts is a permutation with these properties.",
                    (
                        "half covers",
                        "half apart",
                        "interleaved covers",
                        "interleaved apart",
                        "conjugate",
                        "logits",
                        "unrotated",
                    ),
                ),
            )
        ),
        mutants=(
            Mutant("halves overlap", apart(l, l + m - 1)),
            Mutant("one coordinate more", covers(l, l + m - 1)),
            Mutant(
                "halves swapped",
                eq(left, over_planes(_inner(half(U, i), rotated(W(l + m), W(l), theta(l) * j)))),
            ),
            Mutant(
                "half layout read as interleaved",
                eq(left, over_planes(_inner(interleaved(U, i), interleaved(W, j)))),
            ),
        ),
    )


CLAIMS = (_group(), _relative(), _fourier(), _toeplitz(), _layout())
