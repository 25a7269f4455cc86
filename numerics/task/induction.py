"""Induction task: the token after the last earlier occurrence of a prompt's last token."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.task.data import TaskData, blocks, strata
from ropeproof.numerics.task.vocabulary import TokenVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["induction_task", "solve_induction"]

Integers = NDArray[np.int64]


def induction_task(count: int, *, seed: int, tokens: int = 32, length: int = 64) -> TaskData:
    """Draw `count` prompts of `length` tokens whose last token occurred before.

    **Balanced**: the numbers of prompts with two places (the column of the last earlier occurrence) differ
    by at most 1; so do those with two last tokens and with two pairs of both; equal if `count` is a
    multiple of `(length - 1) tokens`. Given its pair a prompt is uniform among all that have it:
    tokens before the place are any, those after it differ from the last one. `answers` are the
    tokens after the places, `places` their columns, `hops` is 1.

    >>> data = induction_task(36, seed=0, tokens=4, length=4)
    >>> np.bincount(data.places).tolist(), np.bincount(data.tokens[:, -1]).tolist()
    ([0, 12, 12, 12], [9, 9, 9, 9])

    Raises `InvalidArgument` unless `count`, `seed` >= 0 and `tokens`, `length` >= 2 are integers.
    """
    count = read_integer("count", count, least=0)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    vocabulary = TokenVocabulary(read_integer("tokens", tokens, least=2))
    before = read_integer("length", length, least=2) - 1
    places, queries = strata(count, (before, len(vocabulary)), generator)
    drawn = np.empty((count, before + 1), dtype=np.int64)
    columns = np.arange(before)
    for rows in blocks(count, before):
        place, query = places[rows, np.newaxis], queries[rows, np.newaxis]
        earlier = generator.integers(len(vocabulary), size=(len(place), before))
        behind = generator.integers(len(vocabulary) - 1, size=(len(place), before))
        found = np.where(columns < place, earlier, behind + (behind >= query))
        drawn[rows, :-1] = np.where(columns == place, query, found)
    drawn[:, -1] = queries
    answers = drawn[np.arange(count), places + 1]
    return TaskData(drawn, answers, np.ones_like(places), places + 1, vocabulary)


def solve_induction(tokens: ArrayLike, vocabulary: TokenVocabulary) -> Integers:
    """The token after the last earlier occurrence of each prompt's last token, `(...)`.

    >>> vocabulary = TokenVocabulary(tokens=4)
    >>> vocabulary.decode(solve_induction(vocabulary.encode("A B A C D A"), vocabulary))
    'C'

    Raises `InvalidArgument` unless the last token of each prompt occurred before.
    """
    if not isinstance(vocabulary, TokenVocabulary):
        raise InvalidArgument("vocabulary", vocabulary, "a TokenVocabulary")
    read = vocabulary.read(tokens)
    if read.ndim < 1 or read.shape[-1] < 2:
        raise InvalidArgument("tokens", f"shape {read.shape}", "shape (..., length), length >= 2")
    rows = read.reshape(-1, read.shape[-1])
    same = rows[:, :-1] == rows[:, -1:]
    if not same.any(1).all():
        got = vocabulary.decode(rows[int(np.argmin(same.any(1)))])
        raise InvalidArgument("tokens", got, "prompts whose last token occurred before")
    place = same.shape[1] - 1 - np.argmax(same[:, ::-1], axis=1)
    result: Integers = rows[np.arange(len(rows)), place + 1].reshape(read.shape[:-1])
    return result
