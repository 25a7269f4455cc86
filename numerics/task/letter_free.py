"""Letter sequences in which only the query's chain is fixed and all other tokens are free.

This is the distribution of the authors' published generator [HEADS, appendix B.2]: letters of the
chain begin one token each, so the query has one answer; all other halves are drawn freely from the
other letters. Such tokens may lack an earlier token to go to, or have several, unequal ones, and
one left letter may begin different tokens: few sequences are functional.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.data import permutations
from ropeproof.numerics.task.vocabulary import LetterVocabulary

__all__ = ["draw_free"]

Integers = NDArray[np.int64]


def draw_free(
    vocabulary: LetterVocabulary,
    targets: int,
    links: int,
    hops: int,
    places: Integers,
    answers: Integers,
    generator: np.random.Generator,
) -> Integers:
    """Draw tokens `(sequences, targets + links + 1)` with given places and answers `(sequences,)`.

    An answer is its index among the pairs with a digit. The links that the chain visits, the letters that
    it has, the other left letters (the query's too), the other right letters and the other
    digits are independent and uniform. Needs `links >= hops - 1` and more letters than `hops`.
    Cost: a few passes over the tokens.
    """
    count, length = len(places), targets + links + 1
    rows = np.arange(count)
    letter, digit = answers // vocabulary.digits, answers % vocabulary.digits
    # Column k < hops is the letter that is k hops before the answer, the rest are free.
    order = permutations(generator, vocabulary.letters, np.zeros_like(places), letter)

    def free(columns: int) -> Integers:
        drawn = generator.integers(hops, vocabulary.letters, size=(count, columns))
        return np.take_along_axis(order, drawn, axis=1)

    left, right = free(length), free(links + 1)
    digits = generator.integers(vocabulary.digits, size=(count, targets))
    left[rows, places], digits[rows, places] = letter, digit
    visited = np.sort(generator.random((count, links)).argsort(axis=1)[:, : hops - 1], axis=1)
    np.put_along_axis(left[:, targets:], visited, order[:, 1:hops], axis=1)
    np.put_along_axis(right, visited, order[:, : hops - 1], axis=1)
    right[:, -1] = order[:, hops - 1]
    pairs = left[:, targets:] * vocabulary.letters + right
    with_digit = vocabulary.letters**2 + left[:, :targets] * vocabulary.digits + digits
    return np.concatenate((with_digit, pairs), axis=1)
