"""The letters that stand for symbols are formulas that can be set."""

import pytest
from matplotlib.mathtext import MathTextParser

from ropeproof.theory import CLAIMS
from ropeproof.theory.language.types.meaning import Meaning

LETTERS = sorted(
    {
        meaning.latex
        for claim in CLAIMS.values()
        for meaning in claim.meanings.values()
        if isinstance(meaning, Meaning) and meaning.latex
    }
)


def set_(letter: str) -> None:
    """A prime says nothing about braces, and this parser takes a second subscript after one."""
    MathTextParser("path").parse(f"${letter.replace(chr(39), '')}$")


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_can_be_set(letter):
    set_(letter)


@pytest.mark.parametrize("letter", ["k_0_x", r"\nothing", "k_{0", "k_0'_x"])
def test_what_cannot_be_set_is_told(letter):
    with pytest.raises(ValueError, match=r"Expected|subscript|symbol|token"):
        set_(letter)
