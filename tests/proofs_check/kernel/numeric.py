"""A plain evaluator of the kernel's terms and formulas, and random terms for property tests.

It is written from the meaning stated in `ropeproof.proofs_check.kernel.terms` and shares no code with
the normal form, z3 or the balls. Names are bound by the kernel's `bind`, tested on its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ropeproof.proofs_check.kernel.terms import Variable, bind

__all__ = [
    "CONTEXT",
    "as_float",
    "close",
    "environments",
    "formulas",
    "steady",
    "summed",
    "terms",
    "truth",
    "value",
]

CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 40
Term = Any
Env = Mapping[Any, Any]  # free names, and the numbers of bound ones


def steady(cases: int) -> Any:
    """Settings of a property test that draws the same cases each time."""
    return settings(
        max_examples=cases,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


def value(t: Term, env: Env) -> Any:
    """The value of a term, exact where it is rational, else with 40 digits."""
    kind = t[0]
    if kind == "q":
        return Fraction(t[1])
    if kind == "x":
        return env[t[1]]
    if kind == "pi":
        return +CONTEXT.pi
    if kind == "+":
        return (
            sum((value(a, env) for a in t[1]), Fraction(0))
            if _exact(t[1], env)
            else sum((as_float(value(a, env)) for a in t[1]), CONTEXT.mpf(0))
        )
    if kind == "*":
        factors = [value(a, env) for a in t[1]]
        result: Any = Fraction(1)
        for f in factors:
            both = isinstance(result, Fraction) and isinstance(f, Fraction)
            result = result * f if both else as_float(result) * as_float(f)
        return result
    if kind == "^":
        return _power(value(t[1], env), value(t[2], env))
    if kind in ("max", "min"):
        pick = max if kind == "max" else min
        return pick((value(a, env) for a in t[1]), key=as_float)
    if kind == "f":
        return env[t[1]](*(value(a, env) for a in t[3]))
    if kind == "sum":
        low, high = value(t[2], env), value(t[3], env)
        total: Any = Fraction(0)
        outer = {name + 1 if isinstance(name, int) else name: v for name, v in env.items()}
        while low <= high:
            term = value(t[4], {**outer, 0: low})
            both = isinstance(total, Fraction) and isinstance(term, Fraction)
            total = total + term if both else as_float(total) + as_float(term)
            low += 1
        return total
    if kind == "ite":
        return value(t[2] if truth(t[1], env) else t[3], env)
    return _function(kind, value(t[1], env))


def _exact(parts: Any, env: Env) -> bool:
    return all(isinstance(value(a, env), Fraction) for a in parts)


def as_float(v: Any) -> Any:
    """The value with 40 digits."""
    return CONTEXT.mpf(v.numerator) / v.denominator if isinstance(v, Fraction) else v


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        if exponent < 0 and base == 0:
            return Fraction(0)
        return base ** int(exponent)
    if base <= 0:
        raise ArithmeticError("a power without a stated meaning")
    return CONTEXT.power(as_float(base), as_float(exponent))


def _function(kind: str, x: Any) -> Any:
    if kind == "abs":
        return abs(x)
    if kind == "sign":
        return Fraction((x > 0) - (x < 0))
    if kind == "floor":
        return Fraction(int(CONTEXT.floor(as_float(x))))
    if kind in ("sqrt", "log"):
        return getattr(CONTEXT, kind)(as_float(x)) if x > 0 else Fraction(0)
    if kind == "exp" and abs(x) > 10**4:
        raise ArithmeticError("too large")
    return getattr(CONTEXT, kind)(as_float(x))


def truth(f: Term, env: Env) -> bool:
    """Whether a formula without quantifiers holds (equality up to 25 digits)."""
    kind = f[0]
    if kind in ("eq", "ne", "le", "lt"):
        a, b = value(f[1], env), value(f[2], env)
        same = close(a, b)
        less = not same and as_float(a) < as_float(b)
        return {"eq": same, "ne": not same, "le": same or less, "lt": less}[kind]
    if kind == "and":
        return all(truth(g, env) for g in f[1])
    if kind == "or":
        return any(truth(g, env) for g in f[1])
    if kind == "if":
        return not truth(f[1], env) or truth(f[2], env)
    if kind == "not":
        return not truth(f[1], env)
    return bool(kind == "true")


def close(a: Any, b: Any) -> bool:
    """Whether two values agree (25 digits relative to the larger, or to 1)."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    a, b = as_float(a), as_float(b)
    return bool(abs(a - b) <= CONTEXT.mpf(10) ** -25 * max(1, abs(a), abs(b)))


# -- random terms ---------------------------------------------------------------------

X, Y = ("x", "x", False), ("x", "y", False)
N, L = ("x", "n", True), ("x", "l", True)
_one = ("q", Fraction(1))
_bounds = [("q", Fraction(-1)), ("q", Fraction(2)), N, L, ("+", (L, _one)), ("+", (N, _one))]
_rational = st.fractions(-3, 3, max_denominator=4)
_leaves = st.one_of(
    st.sampled_from([X, Y, N, L, ("pi",)]), _rational.map(lambda v: ("q", Fraction(v)))
)


def _grow(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: ("+", p)),
        pair.map(lambda p: ("*", p)),
        st.tuples(inner, st.integers(-2, 3)).map(lambda p: ("^", p[0], ("q", Fraction(p[1])))),
        st.tuples(st.sampled_from(["cos", "sin", "exp", "log", "abs", "sign", "sqrt"]), inner).map(
            lambda p: (p[0], p[1])
        ),
        st.tuples(st.sampled_from(["max", "min"]), pair).map(lambda p: (p[0], p[1])),
        inner.map(lambda t: ("f", "f", False, (t,))),
        inner.map(lambda t: ("^", t, N)),
        st.tuples(st.sampled_from(_bounds), st.sampled_from(_bounds), inner).map(_sum_over),
        st.tuples(formulas_over(inner), inner, inner).map(lambda p: ("ite", *p)),
    )


def _sum_over(parts: tuple[Term, Term, Term]) -> Term:
    return summed("l", *parts)


def summed(name: str, low: Term, high: Term, body: Term) -> Term:
    """The sum of the body for the name from low to high."""
    index = Variable(name, True)
    return ("sum", index, low, high, bind(body, [index]))


def formulas_over(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    """Relations between terms."""
    return st.tuples(st.sampled_from(["eq", "ne", "le", "lt"]), inner, inner)


terms = st.recursive(_leaves, _grow, max_leaves=6)
formulas = formulas_over(terms)


def _table(seed: int) -> Any:
    return lambda v: CONTEXT.sin(as_float(v) * 3 + seed) + seed % 3


environments = st.builds(
    lambda x, y, n, l, seed: {
        "x": Fraction(x),
        "y": Fraction(y),
        "n": Fraction(n),
        "l": Fraction(l),
        "f": _table(seed),
    },
    st.fractions(-3, 3, max_denominator=5),
    st.fractions(-3, 3, max_denominator=5),
    st.integers(-3, 4),
    st.integers(-2, 3),
    st.integers(0, 5),
)
