"""The one-hop tasks of [DECOUPLE, section 4]: index, information retrieval, partial induction.

Each sequence is `items` symbols or pairs, and a query that selects one of them:

- index: symbols, then the index (from 0) of one of them, as in `A B B B 0` with the answer `A`;
- information retrieval: pairs of a key and a value, then a key, `A2 B1 C3 B` with the answer `1`;
- partial induction: pairs whose keys may repeat, then a key whose last occurrence counts: `A2 B1 A3 A`
  with the answer `3`.

The default sizes and the atomic pairs are ours: one layer of attention has to see key and
value in one token.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.data import TaskData, blocks, permutations, strata
from ropeproof.numerics.task.vocabulary import IndexVocabulary, KeyValueVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["index_task", "information_retrieval", "partial_induction"]

Integers = NDArray[np.int64]


def index_task(count: int, *, seed: int, symbols: int = 16, items: int = 16) -> TaskData:
    """Draw `count` sequences of the index task, `items` symbols and an index each.

    **Balanced**: numbers of sequences of two indices differ by at most 1, so do those of two
    answers and of two pairs; equal if `count` is a multiple of `items symbols`. The other symbols
    are independent and uniform, so that given its pair a sequence is uniform among all that have
    it. `hops` is 1, and `places` the index.

    >>> data = index_task(36, seed=0, symbols=3, items=4)
    >>> np.bincount(data.places).tolist(), np.bincount(data.answers).tolist()
    ([9, 9, 9, 9], [12, 12, 12])

    Raises `InvalidArgument` on sizes that are not integers >= 1 (`count`, `seed` >= 0).
    """
    count = read_integer("count", count, least=0)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    vocabulary = IndexVocabulary(symbols=symbols, indices=read_integer("items", items, least=1))
    items = vocabulary.indices
    places, answers = strata(count, (items, vocabulary.symbols), generator)
    tokens = generator.integers(vocabulary.symbols, size=(count, items + 1))
    tokens[np.arange(count), places] = answers
    tokens[:, -1] = vocabulary.symbols + places
    return TaskData(tokens, answers, np.ones_like(places), places, vocabulary)


def information_retrieval(
    count: int, *, seed: int, keys: int = 16, values: int = 16, items: int = 16
) -> TaskData:
    """Draw `count` sequences of information retrieval: `items` pairs of distinct keys and a key.

    **Balanced**: numbers of sequences of two places differ by at most 1, so do those of two
    values of the answer, of two keys of the query, of two pairs (place, value) and of two triples;
    equal if `count` is a multiple of `items values keys`. Given its triple a sequence is uniform
    among all that have it. `answers` are tokens of values alone, `hops` is 1.

    >>> data = information_retrieval(36, seed=0, keys=6, values=2, items=3)
    >>> np.bincount(data.places).tolist(), len(np.unique(data.answers))
    ([12, 12, 12], 2)

    Raises `InvalidArgument` on sizes that are not integers >= 1 (`count`, `seed` >= 0), and on
    more items than keys.
    """
    generator, vocabulary, items = _read(count, seed, keys, values, items)
    if items > vocabulary.keys:
        raise InvalidArgument("items", items, f"at most keys, {vocabulary.keys}: keys are distinct")
    places, answers, queries = strata(count, (items, vocabulary.values, vocabulary.keys), generator)
    tokens = np.empty((count, items + 1), dtype=np.int64)
    for rows in blocks(count, max(items, vocabulary.keys)):
        drawn = permutations(generator, vocabulary.keys, places[rows], queries[rows])
        tokens[rows, :-1] = drawn[:, :items] * vocabulary.values
    return _with_values(tokens, places, answers, queries, generator, vocabulary)


def partial_induction(
    count: int, *, seed: int, keys: int = 8, values: int = 8, items: int = 16
) -> TaskData:
    """Draw `count` sequences of partial induction: `items` pairs and a key; its last pair counts.

    **Balanced**: numbers of sequences of two places (the last column that has the key) differ by
    at most 1, so do those of two values of the answer, of two keys of the query, of two pairs
    (place, value) and of two triples; equal if `count` is a multiple of `items values keys`. Given
    its triple a sequence is uniform among all that have it: pairs before the place are any, those
    after it have another key. `answers` are tokens of values alone, `hops` is 1.

    >>> data = partial_induction(36, seed=0, keys=2, values=4, items=4)
    >>> np.bincount(data.places).tolist(), len(np.unique(data.answers))
    ([9, 9, 9, 9], 4)

    Raises `InvalidArgument` on sizes that are not integers >= 1 (`keys` >= 2 unless `items` is 1;
    `count`, `seed` >= 0).
    """
    generator, vocabulary, items = _read(count, seed, keys, values, items)
    if vocabulary.keys < 2 and items > 1:
        raise InvalidArgument("keys", keys, "an integer >= 2, so that other keys can stand behind")
    places, answers, queries = strata(count, (items, vocabulary.values, vocabulary.keys), generator)
    tokens = np.empty((count, items + 1), dtype=np.int64)
    columns = np.arange(items)
    for rows in blocks(count, items):
        place, query = places[rows, np.newaxis], queries[rows, np.newaxis]
        before = generator.integers(vocabulary.keys, size=(len(place), items))
        behind = generator.integers(max(vocabulary.keys - 1, 1), size=(len(place), items))
        drawn = np.where(columns < place, before, behind + (behind >= query))
        tokens[rows, :-1] = np.where(columns == place, query, drawn) * vocabulary.values
    return _with_values(tokens, places, answers, queries, generator, vocabulary)


def _read(
    count: int, seed: int, keys: int, values: int, items: int
) -> tuple[np.random.Generator, KeyValueVocabulary, int]:
    read_integer("count", count, least=0)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    vocabulary = KeyValueVocabulary(keys=keys, values=values)
    return generator, vocabulary, read_integer("items", items, least=1)


def _with_values(
    tokens: Integers,
    places: Integers,
    answers: Integers,
    queries: Integers,
    generator: np.random.Generator,
    vocabulary: KeyValueVocabulary,
) -> TaskData:
    """The data set whose pairs get their values, and whose sequences get their query."""
    count, items = len(tokens), tokens.shape[1] - 1
    values = generator.integers(vocabulary.values, size=(count, items))
    values[np.arange(count), places] = answers
    tokens[:, :-1] += values
    tokens[:, -1] = vocabulary.token_of_key(queries)
    planted = vocabulary.token_of_value(answers + 1)
    return TaskData(tokens, planted, np.ones_like(places), places, vocabulary)
