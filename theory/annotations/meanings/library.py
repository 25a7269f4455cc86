"""Meanings of the symbols in general lemmas: sums, order, exponentials, trigonometry, duality."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.table import Table

__all__ = ["LIBRARY", "NUMBERS"]

_NAMES = "abehklmnpqrstuvwxyzABEGKLMPQTUVXYZ"
_GREEK = ("gamma", "beta", "lambda", "lambda_", "lamda", "mu")
NUMBERS: Table = dict.fromkeys((*_NAMES, *_GREEK, "L_0"), "a number")
"""Of a statement about numbers alone."""
_DIGITS: Table = {
    "m": "number of digits",
    "l": "a place of a digit",
    "G": "base of the numerals",
    "x()": "digits, by place",
    "y()": "digits of another numeral, by place",
    "x": "a number",
    "code()": "the numbers with these digits, by index",
    "P": "the power G^m",
    "i": "an index",
}
_PERMUTED: Table = {
    "pi()": "a permutation of the indices",
    "rho()": "its inverse",
    "s_1": "an index",
    "s_2": "another index",
}
_COUNTED: Table = {"n": "number of codes", "code()": "the codes", "K": "number of values"}

LIBRARY: dict[str, Table] = {
    "sums": {
        "f()": "the terms, by index",
        "m": "number of terms",
        "n": "number of terms",
        "h": "number of terms",
        **dict.fromkeys("ijklcprd", "an index"),
        **_PERMUTED,
    },
    "sums.cauchy-schwarz": {"f_xy": "a vector, by plane", "h_xy": "another vector, by plane"},
    "sums.falling-mean": {"kappa": "the least that the mean is", "r": "a place"},
    "sums.triangle-inequality": {
        "n": "number of vectors", "p()": "factors of the vectors", "u()": "the vectors",
        "D": "dimension of the vectors", "j": "a vector", "d": "a coordinate",
    },
    "sums.blocks": {"K": "number of blocks", "N": "length of a block", "r": "a block"},
    "sums.expand": {
        "V": "number of choices", "n": "number of factors", "g()": "logarithms of the terms",
        "u": "a factor", "x": "a choice", "omega": "number of all choices together",
    },
    "sums.pick": {"here()": "1 at the index p, else 0"},
    "sums.jensen-inverse": {
        "m": "number of values", "l": "a value", "p()": "probabilities of the values",
        "f()": "the values",
    },
    "sums.power-at-least-one": {"x": "the base", "k": "the exponent"},
    "sums.once": {**_COUNTED, "c": "a value"},
    "sums.pigeonhole": _COUNTED,
    "sums.dirichlet": {
        "K": "number of numbers", "Q": "number of parts of 1", "alpha()": "the numbers",
        "t": "the common factor", "nu()": "integers near the multiples",
    },
    "sums.even": {
        "P": "number of places in the list", "pi()": "the places", "N": "number of different places",
        "c": "how often each of them comes", "f()": "the terms, by place", "h": "an index of the list",
        "k": "a place",
    },
    "sums.sorted": {"sigma()": "indices of the terms, in order", "b": "an index", "c": "an index"},
    "sums.empty": {"a": "first index", "b": "last index"},
    "sums.triangle": {"a": "first index", "b": "last index"},
    "sums.cycle": {"t": "number of turns", "n": "number of points on the circle", "k": "a point"},
    "sums.cycle-exponentials": {
        "t": "number of turns", "n": "number of points on the circle", "k": "a point",
        "lambda_": "a factor",
    },
    "sums.geometric": {"lamda": "rate of the decay"},
    "sums.two-sided-decay": {"Delta": "index of the largest term", "lamda": "rate of the decay"},
    "exp": NUMBERS,
    "order": NUMBERS,
    "floor": {"n": "an integer", "x": "a number"},
    "trig": {
        **dict.fromkeys("xya", "an angle"),
        "psi_0": "an angle", "p_x": "first coordinate of a point", "p_y": "second coordinate of a point",
    },
    "trig.roots": {"Q": "number of parts of a turn", "r": "a number of parts"},
    "numerals": _DIGITS,
    "numerals.digit": {
        "V": "base of the numerals", "r": "number of places", "a": "a number with so many digits",
        "x": "a digit", "u": "a place",
    },
    "numerals.fraction": {"G": "number of parts"},
    "duality": {
        "R": "number of rows", "C": "number of columns", "P()": "entries of the matrix",
        "x()": "weights of the rows", "y()": "weights of the columns", "r": "a row", "c": "a column",
        "v": "value of the game",
    },
    "duality.farkas": {
        "m": "number of forms", "n": "number of coordinates", "a()": "the forms, by form and coordinate",
        "g()": "one more form, by coordinate", "lambda()": "factors of the forms", "x()": "a point",
        "i": "a form", "k": "a coordinate",
    },
    "duality.homogeneous": {
        "n": "number of equations", "M()": "coefficients, by equation and unknown",
        "z()": "the unknowns", "y()": "the unknowns with one more", "i": "an equation",
        "k": "an unknown", "e": "the pivot's equation", "h": "an unknown",
    },
    "duality.injective": {
        "n": "number of rows and columns", "A()": "entries of the one matrix",
        "B()": "entries of its right inverse", "w()": "the vector", "a": "a coordinate",
        "b": "a coordinate", "e": "a coordinate", "M()": "the columns of B, and w behind them",
        "z()": "factors of the columns", "i": "a row", "k": "a column", "h": "a column",
    },
    "duality.alternative": {
        "m": "number of unknowns", "n": "number of inequalities", "M()": "coefficients",
        "b()": "right sides", "z()": "the unknowns", "w()": "weights of the inequalities",
        "i": "an unknown", "k": "an inequality",
    },
}  # fmt: skip
