"""Random nested sums whose terms depend on the indices, with integer-valued tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from kernel.numeric import summed, truth

from ropeproof.proofs_check.kernel.terms import Variable, bind

__all__ = ["FACTS", "holds", "sum_environments", "sum_terms"]

Term = Any
X, Y = ("x", "x", False), ("x", "y", False)
N, L, K = ("x", "n", True), ("x", "l", True), ("x", "k", True)
PI = ("pi",)
INDEX = Variable("l", True)


def q(v: int | Fraction) -> Term:
    return ("q", Fraction(v))


def at(*arguments: Term, name: str = "f") -> Term:
    return ("f", name, False, arguments)


_angles = st.lists(
    st.tuples(
        st.sampled_from([Fraction(1), Fraction(-1), Fraction(2), Fraction(1, 2), Fraction(1, 3)]),
        st.sampled_from(
            [
                *((L,), (K,), (L, X), (K, X), (L, Y), (K, L, X), (X,), (Y,), (N, X)),
                *((PI, L), (PI, K), (PI, N), (PI,), (PI, L, K), (PI, X)),
            ]
        ),
    ),
    min_size=1,
    max_size=3,
).map(lambda parts: ("+", tuple(("*", (q(c), *factors)) for c, factors in parts)))
_factors = st.one_of(
    st.tuples(st.sampled_from(["cos", "sin"]), _angles),
    _angles.map(lambda a: ("exp", ("*", (q(Fraction(1, 10)), a)))),
    st.sampled_from(
        [
            L,
            K,
            at(L),
            at(L, K, name="g"),
            ("^", at(L), q(-1)),
            ("^", X, L),
            ("^", q(-1), L),
            ("^", X, ("*", (q(2), L))),
            ("^", ("*", (q(-2), X, Y)), K),
            ("^", ("+", (L, K)), q(-1)),
            ("abs", ("+", (L, X))),
            ("sqrt", ("*", (L, X))),
        ]
    ),
)
_products = st.lists(_factors, min_size=1, max_size=3).map(lambda p: ("*", tuple(p)))
_bounds = st.sampled_from(
    [q(0), q(-1), q(2), N, L, ("+", (N, q(-1))), ("+", (K, q(1))), ("*", (q(-1), L))]
)


def _sums(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(summed, st.sampled_from("lk"), _bounds, _bounds, inner)


def _grow(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        _sums(inner),
        st.tuples(st.sampled_from("+*"), pair),
        st.tuples(st.just("^"), inner, st.integers(-1, 2).map(q)),
    )


sum_terms = st.recursive(_products, _grow, max_leaves=4).flatmap(
    lambda t: st.one_of(st.just(t), _sums(st.just(t)))
)


def for_all_l(body: Term) -> Term:
    """The body for every integer l."""
    return ("all", (INDEX,), bind(body, [INDEX]))


FACTS = [
    ("lt", q(0), X),
    ("ne", Y, q(0)),
    ("le", q(0), N),
    for_all_l(("ne", at(L), q(0))),
    for_all_l(("if", ("and", (("le", q(0), L), ("le", L, N))), ("lt", q(0), at(L)))),
]


def holds(fact: Term, env: dict[str, Any]) -> bool:
    """Whether a fact holds; a `for all` is tried on the integers that can occur."""
    if fact[0] == "all":
        return all(truth(fact[2], {**env, 0: Fraction(v)}) for v in range(-12, 13))
    return truth(fact, env)


def _environment(x: Fraction, y: Fraction, n: int, indices: tuple[int, int], seed: int) -> Any:
    def f(v: Any) -> Fraction:
        whole = isinstance(v, Fraction) and v.denominator == 1
        return Fraction((int(v) * (seed + 1) + seed) % 4 - 1) if whole else Fraction(1)

    def g(u: Any, v: Any) -> Fraction:
        return Fraction((3 * int(u) + int(v) * seed) % 5 - 2)

    values = {"x": x, "y": y, "n": n, "l": indices[0], "k": indices[1]}
    return {**{name: Fraction(v) for name, v in values.items()}, "f": f, "g": g}


_small = st.fractions(-2, 2, max_denominator=3)
sum_environments = st.builds(
    _environment,
    _small,
    _small,
    st.integers(-3, 4),
    st.tuples(st.integers(-2, 3), st.integers(-2, 3)),
    st.integers(0, 5),
)
