"""The record of a drawn data set, and the balanced assignment of its strata.

A *stratum* is a value that a generator fixes before it draws: number of hops, place of the answer, answer.
`strata` deals them out so that counts are as equal as they can be for any number of sequences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.vocabulary import Vocabulary
from ropeproof.theory.errors import InvalidArgument

__all__ = ["TaskData", "blocks", "permutations", "strata"]

Integers = NDArray[np.int64]
_BLOCK = 1 << 14
"""The number of sequences that are drawn at once, few enough to stay in the cache."""


@dataclass(frozen=True, eq=False)
class TaskData:
    """Sequences of one task with their answers; all arrays are int64 and read-only.

    - `tokens`: `(sequences, length)`, the query in the last column;
    - `answers`: `(sequences,)`, the token that is the right answer;
    - `hops`: `(sequences,)`, how many steps lead from the query to the answer;
    - `places`: `(sequences,)`, the column, counted from 0, of the answer that the query leads to.
      In the tasks that look tokens up by name it is the last column that holds the answer's pair;
    - `vocabulary`: the meaning of the tokens.

    Raises `InvalidArgument` on arrays of other shapes, on numbers that are no tokens, and on a
    place outside the sequence.
    """

    tokens: Integers
    answers: Integers
    hops: Integers
    places: Integers
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        if not isinstance(self.vocabulary, Vocabulary):
            raise InvalidArgument("vocabulary", self.vocabulary, "a Vocabulary")
        tokens = self.vocabulary.read(self.tokens)
        if tokens.ndim != 2 or tokens.shape[1] < 1:
            allowed = "shape (sequences, length), length >= 1"
            raise InvalidArgument("tokens", f"shape {tokens.shape}", allowed)
        self._keep("tokens", tokens)
        self._keep("answers", self._column("answers", self.vocabulary.read(self.answers)))
        for name, most in (("hops", None), ("places", tokens.shape[1] - 1)):
            column = self._column(name, np.asarray(getattr(self, name)))
            if not np.issubdtype(column.dtype, np.integer):
                raise InvalidArgument(name, f"dtype {column.dtype}", "an array of integers")
            if len(column) and (column.min() < 0 or (most is not None and column.max() > most)):
                allowed = "integers >= 0" if most is None else f"columns 0, ..., {most}"
                raise InvalidArgument(name, [int(column.min()), int(column.max())], allowed)
            self._keep(name, column.astype(np.int64, copy=False))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def length(self) -> int:
        """The number of tokens of each sequence, the query included."""
        return int(self.tokens.shape[1])

    def text(self, sequence: int) -> str:
        """One sequence and its answer as text, such as `C B A 1 4 1 -> C`."""
        read, answer = self.vocabulary.decode(self.tokens[sequence]), self.answers[sequence]
        return f"{read} -> {self.vocabulary.decode(answer)}"

    def _column(self, name: str, values: NDArray[np.int64]) -> NDArray[np.int64]:
        if values.shape != (len(self.tokens),):
            allowed = f"shape ({len(self.tokens)},), one per sequence"
            raise InvalidArgument(name, f"shape {values.shape}", allowed)
        return values

    def _keep(self, name: str, values: Integers) -> None:
        kept = values.view()
        kept.flags.writeable = False
        object.__setattr__(self, name, kept)


def strata(
    count: int, sizes: Sequence[int], generator: np.random.Generator
) -> tuple[Integers, ...]:
    """Balanced values `0 <= value < size` for every axis, `(count,)` each, in random order.

    For any `count`, the numbers of sequences in two values of one axis differ by at most 1; so
    they do in two combinations of values of the first axes (the first two, the first three, ...,
    all). They are equal when `count` is a multiple of the number of combinations. Which values
    get one more is drawn.

    Why: combination `t` takes `t mod size` on every axis, shifted by one each time the whole has
    come round (`lcm`), so that `t` and all combinations correspond one to one while every run of
    `size` consecutive `t` from a multiple of `size` still takes each value of the axis once.

    Cost: a few passes over `count` numbers per axis.
    """
    turn = np.arange(count, dtype=np.int64)
    order = generator.permutation(count)
    period, axes = 1, []
    for size in sizes:
        common = math.gcd(period, size)
        shift = turn // (period // common * size) % common
        period *= size
        axes.append(generator.permutation(size)[(turn + shift) % size][order])
    return tuple(axes)


def blocks(count: int, width: int = 1) -> Iterator[slice]:
    """Consecutive slices of `count` rows, with fewer rows a slice the wider the rows are."""
    rows = max(_BLOCK * 17 // max(width, 17), 1)
    for first in range(0, count, rows):
        yield slice(first, min(first + rows, count))


def permutations(
    generator: np.random.Generator, size: int, places: Integers, values: Integers
) -> Integers:
    """Uniform permutations of `0, ..., size - 1` with `values[i]` in column `places[i]`.

    Shape `(sequences, size)`. A uniform permutation in which the value has been swapped into its
    place is a uniform one of those that have it there.
    """
    drawn = generator.permuted(np.tile(np.arange(size), (len(places), 1)), axis=1)
    rows = np.arange(len(places))
    found = np.argmax(drawn == values[:, np.newaxis], axis=1)
    drawn[rows, found] = drawn[rows, places]
    drawn[rows, places] = values
    return drawn
