"""Rows of independent logits: outcomes, their probabilities, and what the race needs of them.

Key u has V values x of probability p(u, x) > 0 with logit w(u, x). An outcome chooses a value for each of
n keys; outcomes are the numbers below V^n, whose digits to the base V are the values chosen, and the
probability of one is the product of its values' probabilities. A value of probability 0 is left
out, and a key with fewer values than others has one of them several times, each with a share of
its probability.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.sums.expand import all_choices, choices, omega, u, x
from ropeproof.theory.library.sums.numerals.digits import base as values
from ropeproof.theory.library.sums.numerals.digits import digit

__all__ = [
    "CHANCES",
    "KEY",
    "KEYS",
    "ONE",
    "OUTCOME",
    "VALUES",
    "all_choices",
    "cells",
    "chance",
    "choices",
    "digit",
    "expected",
    "k",
    "low",
    "omega",
    "others",
    "over_keys",
    "p",
    "rate",
    "t",
    "target",
    "total",
    "transform",
    "u",
    "v",
    "values",
    "w",
    "weight",
    "x",
]

t, k, cells, target = integer("t k K Delta")
p, w, v = real_function("p"), real_function("w"), real_function("v")
MEANINGS: Meanings = {
    **NOTATION,
    omega: "an outcome: its digits to the base V are the values of the keys, the first key's lowest",
    u: "a key",
    x: "a value",
    values: "number of values of a key",
    t: "a key",
    k: "a cell",
    cells: "number of cells",
    target: "the key whose weight is enclosed",
    p: "probabilities of the values, by key and value",
    w: "logits, by key and value",
    v: "points of the grid",
}


def over_keys(term: Term, low: Term | int = 0, high: Term = n - 1) -> Term:
    """The sum of a term in `u` over the keys."""
    return sp.Sum(term, (u, low, high))


def rate(key: Term) -> Term:
    """E_u = e^w of a key in the outcome `omega`."""
    return sp.exp(w(key, digit(key, omega)))


total = over_keys(rate(u))
chance = sp.exp(over_keys(sp.log(p(u, digit(u, omega)))))


def weight(key: Term) -> Term:
    """The attention weight of a key in the outcome `omega`."""
    return rate(key) / total


def expected(term: Term) -> Term:
    """The expectation of a term in `omega`."""
    return all_choices(chance * term)


def transform(key: Term, at: Term) -> Term:
    """L(v): the expectation of exp(-v e^w) of a key."""
    return sp.Sum(p(key, x) * sp.exp(-at * sp.exp(w(key, x))), (x, 0, values - 1))


def others(key: Term, at: Term) -> Term:
    """The product of the other keys' L at a point."""
    before = over_keys(sp.log(transform(u, at)), 0, key - 1)
    return sp.exp(before + over_keys(sp.log(transform(u, at)), key + 1))


def low(key: Term) -> Term:
    """The sum over the cells that is at most a key's expected weight."""
    middle = (v(k - 1) + v(k)) / 2
    falls = transform(key, v(k - 1)) - transform(key, v(k))
    return sp.Sum(falls * others(key, middle), (k, 1, cells))


OUTCOME = within(omega, 0, choices() - 1)
VALUES = Hypothesis("there is a value", le(1, values))
KEYS = Hypothesis("the number of keys is not negative", le(0, n))
CHANCES = Hypothesis(
    "probabilities are positive",
    Every((u, x), If(Both(le(0, u), le(u, n - 1), le(0, x), le(x, values - 1)), lt(0, p(u, x)))),
)
ONE = Hypothesis(
    "a key's probabilities add up to 1",
    every(u, 0, n - 1, eq(sp.Sum(p(u, x), (x, 0, values - 1)), 1)),
)
KEY = Hypothesis("t is a key", within(t, 0, n - 1))
