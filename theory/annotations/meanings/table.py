"""What a symbol means in a claim, and how it is set where its name does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Meaning", "Table", "shown_as", "vector"]


@dataclass(frozen=True)
class Meaning:
    r"""What a symbol stands for, in words.

    `text` and `latex` are how it is set, if not by its name. `space` says that a function is a
    vector, by its last argument: the number of its coordinates, as `D` or `2*m`; with `matrix` its
    last argument but one is the row.
    """

    words: str
    text: str = ""
    latex: str = ""
    space: str = ""
    matrix: bool = False


Table = Mapping[str, str | Meaning]
"""By names; a name that ends in `()` is a function's, or a sequence's."""


def shown_as(text: str, latex: str, words: str) -> Meaning:
    """A symbol that is not set by its name."""
    return Meaning(words, text, latex)


def vector(
    space: str, words: str, text: str = "", latex: str = "", *, matrix: bool = False
) -> Meaning:
    """A vector by its coordinates, or a matrix by its entries."""
    return Meaning(words, text, latex, space, matrix)
