"""A written loop of a sum does what the tree of functions does: values, draws in turn, terms counted."""

from __future__ import annotations

from random import Random

import gmpy2
import pytest
import sympy as sp

from ropeproof.proofs_check.semantics.evaluate import evaluate, loops, walker
from ropeproof.proofs_check.semantics.tables import FunctionTable
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge, effort
from ropeproof.theory.language.logic import integer, le, real, real_function

x, y, z = real("x y z")
j, k, m = integer("j k m")
f, g = real_function("f"), real_function("g")
SUMMANDS = [
    f(j) * sp.exp(-x * sp.exp(g(j, k))),
    (f(j) - 1) ** 2 / (1 + f(j) ** 2) - x * y,
    sp.sqrt(2) * sp.cos(x + y) * f(j) + sp.pi * j,
    sp.log(f(j)) + sp.log(x - y) + sp.log(1 + sp.exp(x)),
    f(j) ** x + f(j) ** -3 + (x - y) ** -2 + sp.Rational(3, 2) ** f(j),
    sp.Abs(f(j) - f(j + 1)) * sp.floor(j / 2) * sp.sign(f(j)),
    f(j) * sp.Sum(g(j, k) * x, (k, 0, j)) + f(0) / 3,
    sp.Piecewise((f(j), le(j, 3)), (x * g(j, j), True)) * sp.Max(x, f(j)),
    sp.exp(1000 * j**2 * x) * f(j),  # too large from some j on
    1 / (sp.exp(x) - sp.exp(y)) + f(j),
    sp.Integer(7),
]


def drawn(seed, trusting):
    at = Instance({"x": Fraction(3, 7), "y": Fraction(3, 7), "z": Fraction(0), "k": Fraction(1)})
    for name in "fg":
        at.values[name] = FunctionTable(name, False, Random(seed + name), [], lambda: at, 0)
    at.values["x"] = gmpy2.mpfr("0.4", 203) if seed == "rounded" else at.values["x"]
    at.trusting = trusting
    return at


def found(term, seed, trusting, often, monkeypatch):
    monkeypatch.setattr(loops, "OFTEN", often)
    walker.value_with.cache_clear()
    at, before = drawn(seed, trusting), effort()
    try:
        value = evaluate(term, at)
    except TooLarge as error:
        value = str(error)
    tables = [list(at.values[name].known.items()) for name in "fg"]
    return type(value), value, effort() - before, tables, sorted(at.values)


@pytest.mark.parametrize("trusting", [True, False])
@pytest.mark.parametrize("seed", ["1", "2", "rounded"])
@pytest.mark.parametrize("summand", SUMMANDS, ids=str)
def test_a_written_loop_is_the_called_one(summand, seed, trusting, monkeypatch):
    term = sp.Sum(summand, (j, 0, 9))
    called = found(term, seed, trusting, 10**9, monkeypatch)
    assert found(term, seed, trusting, -1, monkeypatch) == called
    assert called[2] > 0
    walker.value_with.cache_clear()


def test_the_loop_is_written_after_many_terms(monkeypatch):
    seen = []
    right = loops.written_loop
    monkeypatch.setattr(loops, "written_loop", lambda *a: seen.append(a) or right(*a))
    term = sp.Sum(z * f(j) ** 2, (j, 0, m))
    for size in (100, 250, 400):
        at = Instance({"m": Fraction(size), "z": Fraction(2), "f": lambda n: n})
        assert evaluate(term, at) == 2 * sum(n**2 for n in range(size + 1))
        assert len(seen) == (size > 200)
