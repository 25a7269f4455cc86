"""Every input of the small one-hop tasks in blocks of bounded memory, and their number."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.ranks import check_count, choices_of, ranks
from ropeproof.numerics.task.vocabulary import KeyValueVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = [
    "count_information_retrieval_inputs",
    "count_partial_induction_inputs",
    "every_information_retrieval_input",
    "every_partial_induction_input",
]

Integers = NDArray[np.int64]


def count_information_retrieval_inputs(*, keys: int, values: int, items: int) -> int:
    """The number of inputs that `every_information_retrieval_input` yields.

    `(keys)_items values^items items`, with the falling factorial of `keys`.

    >>> count_information_retrieval_inputs(keys=3, values=2, items=2)
    48
    """
    vocabulary = KeyValueVocabulary(keys=keys, values=values)
    count = read_integer("items", items, least=1)
    total: int = math.perm(vocabulary.keys, count) * vocabulary.values**count * count
    return total


def every_information_retrieval_input(
    *, keys: int, values: int, items: int, block: int = 65_536
) -> Iterator[Integers]:
    """Every input of information retrieval, in blocks `(sequences, items + 1)` int64.

    An input is pairs of distinct keys, then one of these keys. The tokens are those of
    `KeyValueVocabulary(keys, values)`. Memory for one block. Raises `InvalidArgument`, at the call,
    on sizes that are not integers >= 1, on more items than keys, and beyond 2^62 inputs.
    """
    count = count_information_retrieval_inputs(keys=keys, values=values, items=items)
    rows = read_integer("block", block, least=1)
    vocabulary = KeyValueVocabulary(keys=keys, values=values)
    if items > keys:
        raise InvalidArgument("items", items, f"at most keys, {keys}: keys are distinct")
    check_count("items", count)
    choices = [(keys - column) * values for column in range(items)] + [items]

    def generate() -> Iterator[Integers]:
        for rank in ranks(count, rows):
            chosen, every = choices_of(rank, choices), np.arange(len(rank))
            tokens, order = np.empty_like(chosen), np.tile(np.arange(keys), (len(rank), 1))
            for column in range(items):
                free, value = np.divmod(chosen[:, column], values)
                key = order[every, column + free]
                order[every, column + free] = order[every, column]
                order[every, column] = key
                tokens[:, column] = key * values + value
            tokens[:, -1] = vocabulary.token_of_key(order[every, chosen[:, -1]])
            yield tokens

    return generate()


def count_partial_induction_inputs(*, keys: int, values: int, items: int) -> int:
    """The number of inputs that `every_partial_induction_input` yields.

    `keys ((keys values)^items - ((keys - 1) values)^items)`: any pairs, and a key of one of them.

    >>> count_partial_induction_inputs(keys=2, values=2, items=3)
    112
    """
    vocabulary = KeyValueVocabulary(keys=keys, values=values)
    count = read_integer("items", items, least=1)
    absent = (vocabulary.keys - 1) ** count
    return int(vocabulary.keys * (vocabulary.keys**count - absent) * vocabulary.values**count)


def every_partial_induction_input(
    *, keys: int, values: int, items: int, block: int = 65_536
) -> Iterator[Integers]:
    """Every input of partial induction, in blocks of at most `block` rows of `items + 1` int64.

    An input is any pairs, then a key that one of them has. The tokens are those of
    `KeyValueVocabulary(keys, values)`. Memory for one block. Raises `InvalidArgument`, at the call,
    on sizes that are not integers >= 1, and beyond 2^62 inputs.
    """
    count_partial_induction_inputs(keys=keys, values=values, items=items)
    rows = read_integer("block", block, least=1)
    vocabulary = KeyValueVocabulary(keys=keys, values=values)
    choices = [keys * values] * items + [keys]
    count = math.prod(choices)
    check_count("items", count)

    def generate() -> Iterator[Integers]:
        for rank in ranks(count, rows):
            tokens = choices_of(rank, choices)
            present = (tokens[:, :-1] // values == tokens[:, -1:]).any(axis=1)
            tokens[:, -1] = vocabulary.token_of_key(tokens[:, -1])
            if present.any():
                yield tokens[present]

    return generate()
