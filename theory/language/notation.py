"""Symbols that all topics share, and the logit in its two forms (theory notes, section 0).

Plane `l` of a query is the pair (query_x(l), query_y(l)), the real and imaginary part of the
complex number q_l; likewise for a key. `theta(l)` is the plane's frequency, `t` a lag, `m` the
number of planes and `s` the scale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.theory.language.logic import integer, real, real_function
from ropeproof.theory.language.types.meaning import Meanings
from ropeproof.theory.language.types.terms import Term

if TYPE_CHECKING:
    from ropeproof.theory.language.types import sympy_names as sp
else:
    import sympy as sp

__all__ = [
    "amplitude",
    "cosine_logit",
    "i",
    "j",
    "key_x",
    "key_y",
    "l",
    "logit",
    "m",
    "n",
    "over_planes",
    "phase",
    "query_x",
    "query_y",
    "s",
    "t",
    "theta",
]

i, j, l, m, n = integer("i j l m n")
s, t = real("s t")
theta = real_function("theta")
query_x, query_y = real_function("q_x"), real_function("q_y")
key_x, key_y = real_function("k_x"), real_function("k_y")
amplitude, phase = real_function("A"), real_function("varphi")

MEANINGS: Meanings = {
    m: "number of planes",
    l: "a plane",
    i: "a row: the query's position, or a position",
    j: "a lag, or a key",
    t: "a lag",
    n: "number of keys",
    s: "scale of the logits",
    theta: "frequencies of the planes, in radians per position",
    (query_x, query_y): "the query; the mean query where queries have one",
    (key_x, key_y): "the key; the mean key where keys have one",
    query_x: "first coordinate of the query in a plane",
    query_y: "second coordinate of the query in a plane",
    key_x: "first coordinate of the key in a plane",
    key_y: "second coordinate of the key in a plane",
    amplitude: "amplitudes of the planes, in logits",
    phase: "phases of the planes, in radians",
}
"""For files of topics, as `NOTATION` of the language; a file that means another thing by a letter says so."""


def over_planes(term: Term | int) -> Term:
    """The sum of a term in `l` over all planes, l = 0..m-1."""
    return sp.Sum(term, (l, 0, m - 1))


def logit(lag: Term | int) -> Term:
    """The logit s Re sum_l q_l conj(k_l) exp(i theta_l lag), in real coordinates."""
    aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
    crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
    angle = theta(l) * lag
    return over_planes(s * (aligned * sp.cos(angle) - crossed * sp.sin(angle)))


def cosine_logit(lag: Term | int) -> Term:
    """The logit sum_l A_l cos(theta_l lag + phi_l) in its cosine form."""
    return over_planes(amplitude(l) * sp.cos(theta(l) * lag + phase(l)))
