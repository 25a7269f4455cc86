"""Tables of meanings: what a symbol means in a claim, and how it is typeset if not by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Meaning", "Table", "shown_as", "vector"]


@dataclass(frozen=True)
class Meaning:
    r"""The meaning of a symbol, in words.

    `text` and `latex` are how it is typeset, if not by its name. `space` says that a function is a
    vector, by its last argument: the number of its coordinates, as `D` or `2*m`; with `matrix` its
    last argument but one is the row.
    """

    words: str
    text: str = ""
    latex: str = ""
    space: str = ""
    matrix: bool = False


Table = Mapping[str, str | Meaning]
"""Meanings by names of symbols; a name that ends in `()` is that of a function or a sequence."""


def shown_as(text: str, latex: str, words: str) -> Meaning:
    """The meaning of a symbol that is not typeset by its name."""
    return Meaning(words, text, latex)


def vector(
    space: str, words: str, text: str = "", latex: str = "", *, matrix: bool = False
) -> Meaning:
    """The meaning of a function that is a vector, given by coordinates, or a matrix, given by entries."""
    return Meaning(words, text, latex, space, matrix)
