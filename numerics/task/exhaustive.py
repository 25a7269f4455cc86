"""Every input of the number and letter task in blocks of bounded memory, and their number.

An input has a rank, and a block is the inputs of consecutive ranks: nothing is kept between blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.ranks import MOST, check_count, choices_of, ranks
from ropeproof.numerics.task.vocabulary import LetterVocabulary, NumberVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = [
    "count_letter_inputs",
    "count_number_inputs",
    "every_letter_input",
    "every_number_input",
]

Integers = NDArray[np.int64]


def count_number_inputs(
    *, letters: int, integers: int, length: int, targets: int | None = None
) -> int:
    r"""The exact number of inputs that `every_number_input` yields.

    With `n_1` targets it is `letters^{n_1} \prod_{c=n_1}^{length-1} \min(c, integers)`, and without
    `targets` the sum of that over `1 <= n_1 < length`.

    >>> count_number_inputs(letters=3, integers=4, length=6, targets=2)
    864

    Raises `InvalidArgument` as `every_number_input`, except that the count may be large.
    """
    vocabulary = NumberVocabulary(letters=letters, integers=integers)
    splits = _splits(length, targets)
    return sum(math.prod(_number_choices(vocabulary, split, length)) for split in splits)


def every_number_input(
    *,
    letters: int,
    integers: int,
    length: int,
    targets: int | None = None,
    block: int = 65_536,
) -> Iterator[Integers]:
    """Every input of the number task of a length, in blocks `(sequences, length)` int64.

    An input is `targets` letters, then integers that each point inside the sequence, the last one the query;
    without `targets` those of every split, one split after another. Letters may repeat. The tokens
    are those of `NumberVocabulary(letters, integers)`. Blocks have at most `block` sequences.

    >>> sum(len(part) for part in every_number_input(letters=3, integers=4, length=6, targets=2))
    864

    Cost: `length` divisions per input, memory for one block. Raises `InvalidArgument`, at the call,
    on sizes that are not integers >= 1 (`length` >= 2), unless `targets < length`, and if there
    are more inputs than 2^62.
    """
    vocabulary = NumberVocabulary(letters=letters, integers=integers)
    rows = read_integer("block", block, least=1)
    splits = _splits(length, targets)
    count = count_number_inputs(letters=letters, integers=integers, length=length, targets=targets)
    check_count("length", count)
    return (
        part for split in splits for part in _number_blocks(vocabulary, split, int(length), rows)
    )


def count_letter_inputs(
    *, letters: int, digits: int, length: int, targets: int | None = None
) -> int:
    r"""The exact number of inputs that `every_letter_input` yields.

    With `n_1` targets and `n_2` other tokens, query included, it is the sum over `t` distinct
    targets and `u` distinct others of
    `S(n_1, t) S(n_2, u) (letters)_{t+u} digits^t t (t+1) \cdots (t+u-1)`: set partitions into equal
    tokens (Stirling numbers of the second kind), different left letters for all, a digit for each
    target, and for each other token, by its first occurrence, a right letter that is known.

    >>> count_letter_inputs(letters=3, digits=2, length=4, targets=2)
    84

    Raises `InvalidArgument` as `every_letter_input`, except that the count may be large.
    """
    vocabulary = LetterVocabulary(letters=letters, digits=digits)
    total = 0
    for first in _splits(length, targets):
        second = int(length) - first
        for t in range(1, min(first, vocabulary.letters) + 1):
            for u in range(1, min(second, vocabulary.letters - t) + 1):
                rising = math.factorial(t + u - 1) // math.factorial(t - 1)
                words = _partitions(first, t) * _partitions(second, u)
                named = math.perm(vocabulary.letters, t + u) * vocabulary.digits**t
                total += words * named * rising
    return total


def every_letter_input(
    *,
    letters: int,
    digits: int,
    length: int,
    targets: int | None = None,
    block: int = 65_536,
) -> Iterator[Integers]:
    """Every functional input of the letter task of a length, in blocks `(sequences, length)` int64.

    `targets` pairs of a letter and a digit, then pairs of two letters that each name an earlier
    token, the last one the query; equal left letters are equal tokens. Without `targets` those of
    every split, one split after another. The tokens are those of `LetterVocabulary(letters,
    digits)`. Blocks have at most `block` sequences.

    >>> sum(len(part) for part in every_letter_input(letters=3, digits=2, length=4, targets=2))
    84

    Cost: `length` divisions per input, memory for one block. Raises `InvalidArgument`, at the call,
    on sizes that are not integers >= 1 (`length` >= 2), unless `targets < length`, and if there
    are more inputs than 2^62.
    """
    vocabulary = LetterVocabulary(letters=letters, digits=digits)
    rows = read_integer("block", block, least=1)
    splits = _splits(length, targets)
    count = count_letter_inputs(letters=letters, digits=digits, length=length, targets=targets)
    check_count("length", count)
    return (
        part for split in splits for part in _letter_blocks(vocabulary, split, int(length), rows)
    )


def _number_choices(vocabulary: NumberVocabulary, targets: int, length: int) -> list[int]:
    """The number of tokens that each column of the number task may hold."""
    links = (min(column, vocabulary.integers) for column in range(targets, length))
    return [vocabulary.letters] * targets + list(links)


def _number_blocks(
    vocabulary: NumberVocabulary, targets: int, length: int, block: int
) -> Iterator[Integers]:
    choices = _number_choices(vocabulary, targets, length)
    for rank in ranks(math.prod(choices), block):
        tokens = choices_of(rank, choices)
        tokens[:, targets:] += vocabulary.letters
        yield tokens


def _letter_blocks(
    vocabulary: LetterVocabulary, targets: int, length: int, block: int
) -> Iterator[Integers]:
    """Blocks of the letter task's inputs, each rank read as one choice per column.

    The choices follow from how many inputs continue from each state.
    The state is the numbers `t`, `u` of distinct targets and of distinct other tokens; a new token
    takes one of the left letters that are free, from the front of a list that is kept in order by
    exchanges.
    """
    letters, digits = vocabulary.letters, vocabulary.digits
    going_on = _continuations(vocabulary, targets, length)
    for rank in ranks(int(going_on[0][0, 0]), block):
        left, every = rank, np.arange(len(rank))
        t, u = np.zeros((2, len(rank)), dtype=np.int64)
        order = np.tile(np.arange(letters), (len(rank), 1))
        known = np.zeros((len(rank), letters + 1), dtype=np.int64)
        tokens = np.empty((len(rank), length), dtype=np.int64)
        for column in range(length):
            first, following = column < targets, going_on[column + 1]
            old, ways_old = (t if first else u), following[t, u]
            repeated = left < old * ways_old
            ways_new = following[t + 1, u] if first else following[t, u + 1]
            # One choice is split into the three that it is made of: repeat or new, which, how.
            left = np.where(repeated, left, left - old * ways_old)
            choice, left = np.divmod(left, np.maximum(np.where(repeated, ways_old, ways_new), 1))
            free, partner = np.divmod(choice, digits if first else np.maximum(t + u, 1))
            place = np.minimum(t + u, letters - 1)
            taken = np.where(repeated, place, place + free)
            letter = order[every, taken]
            order[every, taken], order[every, place] = order[every, place], letter
            if first:
                new = letters * letters + letter * digits + partner
            else:
                new = letter * letters + order[every, np.minimum(partner, letters - 1)]
            seen = np.where(repeated, choice + (0 if first else t), t + u)
            known[every, seen] = np.where(repeated, known[every, seen], new)
            tokens[:, column] = known[every, seen]
            t, u = (t + ~repeated, u) if first else (t, u + ~repeated)
        yield tokens


def _continuations(vocabulary: LetterVocabulary, targets: int, length: int) -> list[Integers]:
    """For each column, how many inputs continue from `t` and `u`, `(letters + 2, letters + 2)`.

    Rows and columns beyond `t + u = letters` are 0, so that no input goes there.
    """
    letters = vocabulary.letters
    t, u = np.ogrid[: letters + 2, : letters + 2]
    inside, free = t + u <= letters, np.maximum(letters - t - u, 0)
    ways = np.where(inside & (u >= 1), 1, 0).astype(object)
    tables = [ways]
    for column in reversed(range(length)):
        following = np.zeros_like(ways)
        if column < targets:
            following[:-1] = ways[1:]
            ways = np.where(inside & (u == 0), t * ways + free * vocabulary.digits * following, 0)
        else:
            following[:, :-1] = ways[:, 1:]
            ways = np.where(inside & (t >= 1), u * ways + free * (t + u) * following, 0)
        tables.append(ways)
    # Only states that are reached matter; the others' counts may be too large for int64.
    return [np.minimum(table, MOST).astype(np.int64) for table in reversed(tables)]


def _partitions(size: int, parts: int) -> int:
    """The Stirling number of the second kind: partitions of `size` elements into `parts` sets."""
    signed = (
        (-1) ** (parts - each) * math.comb(parts, each) * each**size for each in range(parts + 1)
    )
    total: int = sum(signed)
    return total // math.factorial(parts)


def _splits(length: int, targets: int | None) -> range:
    length = read_integer("length", length, least=2)
    if targets is None:
        return range(1, length)
    first = read_integer("targets", targets, least=1)
    if first >= length:
        raise InvalidArgument("targets", targets, f"an integer below length, {length}")
    return range(first, first + 1)
