"""The sequences of the number and letter task [HEADS] for training and testing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multi_hop_tasks.settings import Settings
from ropeproof.numerics.task import (
    LetterVocabulary,
    NumberVocabulary,
    TaskData,
    Vocabulary,
    letter_task,
    number_task,
    prepend_targets,
)
from ropeproof.theory.errors import InvalidArgument

__all__ = ["chain_of", "drawn", "longer", "vocabulary_of"]


def vocabulary_of(task: str, settings: Settings) -> Vocabulary:
    """The vocabulary of a task: 120 letters and the integers that point inside, or 8 letters, 8 digits."""
    if task == "number":
        return NumberVocabulary(letters=120, integers=settings.length - 1)
    return LetterVocabulary(letters=8, digits=8)


def drawn(task: str, count: int, settings: Settings, *, seed: int) -> TaskData:
    """Sequences of a task in random order; in the letter task, one chain each and the rest free.

    That is how the authors' published generator draws letters; for numbers it draws the places of a
    chain uniformly, where `number_task` is uniform over sequences.
    """
    sizes = {"targets": settings.targets, "links": settings.links}
    hops = range(1, settings.hops + 1)
    if task == "number":
        most = settings.length - 1
        return number_task(count, seed=seed, letters=120, integers=most, hops=hops, **sizes)
    return letter_task(count, seed=seed, hops=hops, beside="free", **sizes)


def chain_of(data: TaskData) -> NDArray[np.bool_]:
    """The columns that hold the query and the links of its chain, as booleans `(sequences, length)`."""
    found, rows = np.zeros(data.tokens.shape, dtype=bool), np.arange(len(data))
    vocabulary, place = data.vocabulary, np.full(len(data), data.length - 1)
    if isinstance(vocabulary, LetterVocabulary):
        left, right = vocabulary.left(data.tokens), vocabulary.right(data.tokens)
    elif isinstance(vocabulary, NumberVocabulary):
        back = vocabulary.integer(data.tokens)
    else:
        raise InvalidArgument("data", vocabulary, "the number or the letter task")
    for done in range(int(data.hops.max(initial=0))):
        going = rows[data.hops > done]
        found[going, place[going]] = True
        if isinstance(vocabulary, LetterVocabulary):
            named = right[going, place[going]][:, np.newaxis]
            place[going] = np.argmax(left[going] == named, axis=1)
        else:
            place[going] -= back[going, place[going]]
    return found


def longer(data: TaskData, length: int, *, seed: int) -> TaskData:
    """The sequences extended to `length` tokens by targets in front to which no chain leads.

    Letter task: extra pairs have any letter that does not stand first in the query's chain, as
    the rest of such a sequence has, and any digit.
    """
    vocabulary = data.vocabulary
    if not isinstance(vocabulary, LetterVocabulary):
        return prepend_targets(data, length=length, seed=seed)
    random, extra = np.random.default_rng(seed), length - data.length
    used = np.zeros((len(data), vocabulary.letters), dtype=bool)
    sequence, column = np.nonzero(chain_of(data))
    used[sequence, vocabulary.right(data.tokens)[sequence, column]] = True
    # A uniform draw among the letters that are left: the first ones of a random order of those.
    keys = random.random((len(data), extra, vocabulary.letters)) + used[:, np.newaxis]
    digits = random.integers(1, vocabulary.digits + 1, size=(len(data), extra))
    front = vocabulary.end(keys.argmin(axis=2), digits)
    tokens = np.concatenate([front, data.tokens], axis=1)
    return TaskData(tokens, data.answers, data.hops, data.places + extra, vocabulary)
