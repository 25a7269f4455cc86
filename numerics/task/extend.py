"""Longer sequences with the same answers: extra targets in front of every sequence.

This is the papers' test of length generalisation: the chain and the distances along
it stay as they are, and there are more tokens to confuse it with.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.data import TaskData, blocks
from ropeproof.numerics.task.vocabulary import LetterVocabulary, NumberVocabulary
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["prepend_targets"]

Integers = NDArray[np.int64]


def prepend_targets(data: TaskData, *, length: int, seed: int, fresh: bool = True) -> TaskData:
    """The sequences of `data` with extra targets in front, `length` tokens each, same answers.

    - Number task: uniform letters. Integers point backwards, so nothing they reach has moved.
    - Letter task: pairs of a letter and a digit. A left letter that names a pair of letters in the
      sequence cannot be used, as the input would no longer be functional. Every other left letter
      gives one token: the one it names in the sequence, or, for a letter that the sequence does
      not have, one with a digit that is drawn once per sequence. The extra tokens are independent
      and uniform among these. `fresh=False` leaves only the tokens that the sequence has, so that
      all extra ones are repeats. That is always possible, for any length, since the answer itself
      may be repeated. Where a sequence uses all `letters`, repeats are the only extension.

    Answers and hops stay; places move by the number of extra tokens, since place is the answer's
    last column.

    >>> from ropeproof.numerics.task.number import number_task
    >>> data = number_task(100, seed=0)
    >>> longer = prepend_targets(data, length=300, seed=0)
    >>> longer.tokens.shape, (longer.tokens[:, -17:] == data.tokens).all()
    ((100, 300), np.True_)

    Cost: one draw per extra token, and for the letter task `letters` numbers per sequence. Raises
    `InvalidArgument` unless `length` is at least that of the data and `seed` an integer >= 0,
    `Unsupported` for other tasks, whose indices or keys this would not leave as they are.
    """
    if not isinstance(data, TaskData):
        raise InvalidArgument("data", type(data).__name__, "a TaskData")
    length = read_integer("length", length, least=data.length)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    if not isinstance(fresh, bool):
        raise InvalidArgument("fresh", fresh, "True or False")
    vocabulary, extra = data.vocabulary, length - data.length
    tokens = np.empty((len(data), length), dtype=np.int64)
    tokens[:, extra:] = data.tokens
    if isinstance(vocabulary, NumberVocabulary):
        tokens[:, :extra] = generator.integers(vocabulary.letters, size=(len(data), extra))
    elif isinstance(vocabulary, LetterVocabulary):
        for rows in blocks(len(data), max(length, vocabulary.letters)):
            drawn = _pairs_with_digits(data.tokens[rows], vocabulary, extra, fresh, generator)
            tokens[rows, :extra] = drawn
    else:
        raise Unsupported(f"no extra targets in front for {vocabulary}: number and letter tasks")
    return TaskData(tokens, data.answers, data.hops, data.places + extra, vocabulary)


def _pairs_with_digits(
    tokens: Integers,
    vocabulary: LetterVocabulary,
    extra: int,
    fresh: bool,
    generator: np.random.Generator,
) -> Integers:
    rows = np.arange(len(tokens))
    shape = len(tokens), vocabulary.letters
    digits = generator.integers(1, vocabulary.digits + 1, size=shape)
    named = vocabulary.end(np.arange(vocabulary.letters), digits)
    allowed = np.full(shape, fresh)
    left, ends = vocabulary.left(tokens), vocabulary.digit(tokens) > 0
    for column in range(tokens.shape[1]):
        letter = left[:, column]
        allowed[rows, letter] = ends[:, column]
        named[rows, letter] = tokens[:, column]
    # The allowed letters first, in any order; a draw below 1 picks one of them.
    order = np.argsort(~allowed, axis=1, kind="stable")
    count = allowed.sum(axis=1, keepdims=True)
    picked = (generator.random((len(tokens), extra)) * count).astype(np.int64)
    letters = np.take_along_axis(order, picked, axis=1)
    return np.take_along_axis(named, letters, axis=1)
