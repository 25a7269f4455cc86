"""Random terms and formulas over both kinds of numbers, and by a plain reading of what they mean.

Both kinds go through one walker: what it gets wrong, both do. So there is a third evaluator here, as
short as can be, over mpmath's numbers, which shares no code with it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import flint
import mpmath
import sympy as sp
from gmpy2 import mpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ropeproof.proofs_check.semantics.enclosed import enclosed_truth
from ropeproof.proofs_check.semantics.evaluate import enclosing, evaluate, truth
from ropeproof.proofs_check.semantics.values import Instance, TooLarge
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    Some,
    eq,
    integer,
    kept,
    le,
    lt,
    ne,
    real,
    real_function,
)

MP = mpmath.mp.clone()
MP.dps = 150
SURE = (
    MP.mpf(10) ** -100
)  # far below what 60 digits or balls of 256 bits can tell, far above rounding
DIGITS = MP.mpf(10) ** -30  # what 60 digits are good to, in terms of this size
x, y = real("x y")
n, l, j = integer("n l j")
f = real_function("f")
AT = Instance({"x": Fraction(2, 3), "y": Fraction(-3, 2), "n": 3, "f": lambda k: (k * k - 2) / 3})


class Open(Exception):
    """A comparison, or a jump, too close to call."""


def value(t: Any, env: dict[str, Any]) -> Any:
    """The value of a term with 150 digits."""
    if t.is_Rational:
        return MP.mpf(int(t.p)) / int(t.q)
    if isinstance(t, sp.Symbol):
        return env[t.name]
    if t in (sp.pi, sp.E):
        return +MP.pi if t is sp.pi else +MP.e
    if isinstance(t, sp.Sum):
        return total(t.function, t.limits, env)
    if isinstance(t, sp.Piecewise):
        return next(value(v, env) for v, c in t.args if c == True or holds(c, env))  # noqa: E712
    args = [value(a, env) for a in t.args]
    if isinstance(t, sp.Pow):
        return power(*args)
    if isinstance(t, sp.log):
        return MP.log(args[0]) if apart(args[0]) > 0 else MP.mpf(0)
    if isinstance(t, sp.floor):
        return MP.mpf(whole(args[0]))
    if isinstance(t, sp.sign):
        return MP.mpf(apart(args[0]))
    if isinstance(t, sp.tan):
        return MP.sin(args[0]) * power(MP.cos(args[0]), MP.mpf(-1))
    name = type(t).__name__
    if name not in PLAIN:
        raise Open  # what SymPy made of 1/0 while the term was built
    return PLAIN[name](args)


PLAIN = {
    "Add": MP.fsum,
    "Mul": MP.fprod,
    "Max": max,
    "Min": min,
    "Abs": lambda a: abs(a[0]),
    "f": lambda a: (a[0] ** 2 - 2) / 3,
} | {k: lambda a, k=k: getattr(MP, k)(*a) for k in ("cos", "sin", "exp", "sinh", "cosh", "tanh")}


def total(summand: Any, limits: Any, env: dict[str, Any]) -> Any:
    """A sum over several indices, the last of which is the outermost."""
    if not limits:
        return value(summand, env)
    *inner, (index, low, high) = limits
    places = range(whole(value(low, env)), whole(value(high, env)) + 1)
    found = [total(summand, inner, env | {index.name: MP.mpf(k)}) for k in places]
    return MP.fsum(found)


def apart(v: Any) -> int:
    """The sign of what is 0 or not near it."""
    if 0 < abs(v) < SURE:
        raise Open
    return (v > 0) - (v < 0)


def whole(v: Any) -> int:
    """The floor of what is an integer or not near one."""
    apart(v - MP.nint(v))
    return int(MP.floor(v))


def power(base: Any, exponent: Any) -> Any:
    """A power: 0 for the inverse of 0, and for what is not positive to what is not whole."""
    if apart(exponent - MP.nint(exponent)) == 0:
        return MP.mpf(0) if exponent < 0 and apart(base) == 0 else base ** int(MP.nint(exponent))
    return base**exponent if apart(base) > 0 else MP.mpf(0)


def holds(p: Any, env: dict[str, Any]) -> bool:
    """Whether a formula holds. Raises `Open` where a comparison is too close to call."""
    if isinstance(p, sp.core.relational.Relational):
        a, b = (value(side, env) for side in p.args)
        return bool(p.func(apart(a - b), 0))
    if isinstance(p, Both | Either):
        return (all if isinstance(p, Both) else any)([holds(part, env) for part in p.args])
    if isinstance(p, Negation):
        return not holds(p.args[0], env)
    if isinstance(p, If):
        return holds(p.args[1], env) or not holds(p.args[0], env)
    variables, body = p.args
    cases = product(range(-1, 4), repeat=len(variables))
    found = [
        holds(body, env | {v.name: MP.mpf(k) for v, k in zip(variables, case, strict=True)})
        for case in cases
    ]
    return all(found) if isinstance(p, Every) else any(found)


LEAVES = st.sampled_from(
    [x, y, n, l, sp.pi, sp.E, f(n), f(l), f(l + 1), *map(sp.Rational, (0, 1, -1, 2, "1/2", "-7/3"))]
)
EXPONENTS = [sp.Rational(q) for q in (-3, -1, 0, 1, 2, 5, "1/2", "-1/2", "1/3", "-5/3")]
ONE = [sp.cos, sp.sin, sp.tanh, sp.Abs, sp.floor, sp.sign, sp.log, sp.sqrt, sp.tan]
GROWING = [sp.exp, sp.sinh, sp.cosh]
"""Their arguments are bounded here, that all sizes stay within what 60 digits can tell."""


def _larger(inner: Any) -> Any:
    several = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        st.builds(lambda k, a: k(*a), st.sampled_from([sp.Add, sp.Mul]), several),
        st.builds(
            lambda k, a: kept(k, *a), st.sampled_from([sp.Add, sp.Mul, sp.Max, sp.Min]), several
        ),
        st.builds(lambda a, e: kept(sp.Pow, a, e), inner, st.sampled_from(EXPONENTS)),
        st.builds(lambda a, b: kept(sp.Pow, sp.Abs(a), sp.cos(b)), inner, inner),
        st.builds(kept, st.sampled_from(ONE[:-2]), inner),
        st.builds(lambda k, a: k(a), st.sampled_from(ONE), inner),
        st.builds(lambda k, a: kept(k, 3 * sp.sin(a)), st.sampled_from(GROWING), inner),
        st.builds(
            lambda a, low, high: sp.Sum(a, (l, low, high)),
            inner,
            st.integers(-2, 1),
            st.sampled_from([n, n - 2, -n, sp.sqrt(7)]),
        ),
        st.builds(
            lambda c, a, b: sp.Piecewise((a, c), (b, True), evaluate=False),
            _relations(inner),
            inner,
            inner,
        ),
    )


def _relations(terms: Any) -> Any:
    return st.builds(lambda k, a, b: k(a, b), st.sampled_from([eq, ne, le, lt]), terms, terms)


TERMS = st.recursive(LEAVES, _larger, max_leaves=5)


def _compound(inner: Any) -> Any:
    bounds = st.sampled_from([n, sp.Integer(-1), sp.Integer(2), sp.sqrt(3), f(n)])
    ranged = st.builds(lambda top: (le(0, l), le(l, top)), bounds)
    two = st.builds(lambda top: (le(0, l), le(l, top), lt(j, l), le(-1, j)), bounds)
    return st.one_of(
        st.builds(lambda k, a, b: k(a, b), st.sampled_from([Both, Either, If]), inner, inner),
        st.builds(Negation, inner),
        st.builds(lambda g, a: Every((l,), If(Both(*g), a)), ranged, inner),
        st.builds(lambda g, a: Some((l,), Both(*g, a)), ranged, inner),
        st.builds(
            lambda g, a, b: Every((l, j), If(Both(*g), Either(a, le(f(j), b)))), two, inner, TERMS
        ),
    )


FORMULAS = st.recursive(_relations(TERMS), _compound, max_leaves=3)
CASES = 250
STEADY = settings(
    max_examples=CASES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
ENV = {"x": MP.mpf(2) / 3, "y": MP.mpf(-3) / 2, "n": MP.mpf(3)}
HERE = AT.having(l=Fraction(1)).doubting()


def _as_mp(number: Any) -> Any:
    """A number of the evaluator with 150 digits."""
    if type(number) is not mpq:
        return MP.mpf(str(number))
    return MP.mpf(int(number.numerator)) / int(number.denominator)


def _check_term(term: Any, seen: list[Any]) -> None:
    try:
        true = value(term, ENV | {"l": MP.mpf(1)})
    except (Open, OverflowError):
        return
    size = 1 + abs(true)
    if size > 10**12:
        return
    for bits in (64, 256):
        with flint.ctx.workprec(bits):
            try:
                found = enclosing.ball(enclosing.value_of(term)(HERE))
            except TooLarge:
                continue
            low, high = (enclosing.fraction(end) for end in (found.lower(), found.upper()))
        slack = SURE * size
        assert _as_mp(low) - slack <= true <= _as_mp(high) + slack
        seen.append(bits)
    try:
        rounded = _as_mp(evaluate(term, HERE))
    except TooLarge:
        return
    assert abs(rounded - true) <= DIGITS * size
    seen.append(60)


def _check_formula(formula: Any, seen: list[Any]) -> None:
    try:
        expected = holds(formula, ENV | {"l": MP.mpf(1)})
    except (Open, OverflowError):
        return
    for judge in (truth, enclosed_truth):
        try:
            verdict = judge(formula, HERE)
        except TooLarge:
            continue
        if verdict is not None:
            assert verdict is expected
            seen.append(verdict)


def test_the_value_lies_in_the_ball_and_agrees_with_the_digits():
    seen: list[Any] = []
    STEADY(given(TERMS)(lambda term: _check_term(term, seen)))()
    assert min(map(seen.count, (64, 256, 60))) > CASES / 2


def test_no_verdict_contradicts_what_a_formula_means():
    seen: list[Any] = []
    STEADY(given(FORMULAS)(lambda formula: _check_formula(formula, seen)))()
    assert min(map(seen.count, (True, False))) > CASES / 2  # of two evaluators
