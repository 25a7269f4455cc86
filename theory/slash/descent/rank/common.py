"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length, prompt, prompts

__all__ = [
    "INPUT",
    "IN_PROMPT",
    "IN_ROW",
    "LAG",
    "OUTPUT",
    "PLACES",
    "b",
    "c",
    "cone",
    "dimension",
    "feature",
    "h",
    "key",
    "matrix",
    "over_input",
    "p",
    "token",
]

c, b, p, h, dimension = integer("c b p h D")


cone, token, matrix = real_function("u"), real_function("X"), real_function("W")


feature, key = real_function("psi"), real_function("k")


IN_PROMPT = (le(0, prompt), le(prompt, prompts - 1))


IN_ROW = (le(offset + 1, i), le(i, length))


LAG = (le(0, j), le(j, i - 1))


PLACES = (le(1, p), le(p, length))


INPUT = (le(0, c), le(c, dimension - 1))


OUTPUT = (le(0, l), le(l, m - 1))


def over_input(term: Any) -> Any:
    """The sum of a term in c over the input coordinates."""
    return sp.Sum(term, (c, 0, dimension - 1))
