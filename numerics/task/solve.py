"""The answers of every task by definition, and the functions Index and Retrieval [HEADS, App. F].

The functions do not depend on how a sequence was drawn. Token arrays are `(..., length)`, the query in
the last column; columns count from 0. An input without an answer by the definition is refused: a step to
a column before the start, a letter pair without an earlier token to go to, an input of Retrieval that
is not functional, a query of the wrong kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.task.vocabulary import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    Vocabulary,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = [
    "Chain",
    "chain_letter",
    "chain_number",
    "index_once",
    "index_times",
    "retrieve_once",
    "retrieve_times",
    "solve_index",
    "solve_information_retrieval",
    "solve_letter",
    "solve_number",
    "solve_partial_induction",
]

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Chain:
    """The end of the query's chain, `(...)` int64 each: answer (a token), hops, its column."""

    answers: Integers
    hops: Integers
    places: Integers


def chain_number(tokens: ArrayLike, vocabulary: NumberVocabulary) -> Chain:
    """The chain of each number sequence, from the last column to the first letter it reaches.

    A query that is a letter is its own answer in 0 hops.

    >>> vocabulary = NumberVocabulary(letters=3, integers=4)
    >>> chain = chain_number(vocabulary.encode("C B A 1 4 1 3 2 1"), vocabulary)
    >>> vocabulary.decode(chain.answers), int(chain.hops), int(chain.places)
    ('C', 4, 0)

    Cost: one step per hop. Raises `InvalidArgument` if a chain leaves the sequence.
    """
    rows, leading = _rows(tokens, vocabulary, NumberVocabulary)
    back = vocabulary.integer(rows)
    column = np.full(len(rows), rows.shape[1] - 1)
    hops = np.zeros(len(rows), dtype=np.int64)
    every = np.arange(len(rows))
    step = back[every, column]
    while step.any():
        if (step > column).any():
            row = int(np.argmax(step > column))
            _points_outside(rows, vocabulary, row, int(column[row]))
        column = column - step
        hops += step > 0
        step = back[every, column]
    return _chain(rows[every, column], hops, column, leading)


def solve_number(tokens: ArrayLike, vocabulary: NumberVocabulary) -> Integers:
    """The answers of the number task, `(...)`, by `chain_number`; cost and errors as there."""
    return chain_number(tokens, vocabulary).answers


def chain_letter(tokens: ArrayLike, vocabulary: LetterVocabulary) -> Chain:
    """The chain of each letter sequence, from the last column to the first pair with a digit.

    From each pair the chain goes to the last earlier token whose left letter is its right letter.
    Any other token of the sequence with that left letter must be the same one
    (`task.compose-retrieval-chain`); tokens that the chain does not look for may be anything.

    >>> vocabulary = LetterVocabulary(letters=9)
    >>> chain = chain_letter(vocabulary.encode("C2 B1 A3 FA EC DE HF GD IG"), vocabulary)
    >>> vocabulary.decode(chain.answers), int(chain.hops), int(chain.places)
    ('C2', 4, 0)

    Cost: a pass over the sequences per hop. Raises `InvalidArgument` if a chain comes to a letter
    that no earlier token has on its left, or that begins two different tokens.
    """
    rows, leading = _rows(tokens, vocabulary, LetterVocabulary)
    left, right = vocabulary.left(rows), vocabulary.right(rows)
    every, columns = np.arange(len(rows)), np.arange(rows.shape[1])
    column = np.full(len(rows), rows.shape[1] - 1)
    hops = np.zeros(len(rows), dtype=np.int64)
    open_rows = np.flatnonzero(right[every, column] >= 0)
    while len(open_rows):
        here = column[open_rows, np.newaxis]
        wanted = np.take_along_axis(right[open_rows], here, axis=1)
        begins = left[open_rows] == wanted
        named = begins & (columns < here)
        found = named.any(axis=1)
        if not found.all():
            _no_parent(rows, vocabulary, int(open_rows[~found][0]), int(here[~found][0, 0]))
        parent = rows.shape[1] - 1 - np.argmax(named[:, ::-1], axis=1)
        other = begins & (rows[open_rows] != rows[open_rows, parent][:, np.newaxis])
        if other.any():
            row = int(np.argmax(other.any(axis=1)))
            columns_of_two = (int(parent[row]), int(np.argmax(other[row])))
            _two_parents(rows[open_rows[row]], vocabulary, columns_of_two)
        column[open_rows] = parent
        hops[open_rows] += 1
        open_rows = open_rows[right[open_rows, column[open_rows]] >= 0]
    return _chain(rows[every, column], hops, column, leading)


def solve_letter(tokens: ArrayLike, vocabulary: LetterVocabulary) -> Integers:
    """The answers of the letter task, `(...)`, by `chain_letter`; cost and errors as there."""
    return chain_letter(tokens, vocabulary).answers


def solve_index(tokens: ArrayLike, vocabulary: IndexVocabulary) -> Integers:
    """The symbol in the column that the last token names, `(...)`.

    >>> vocabulary = IndexVocabulary(symbols=2, indices=4)
    >>> vocabulary.decode(solve_index(vocabulary.encode("A B B B 0"), vocabulary))
    'A'

    Raises `InvalidArgument` unless the last token is an index of an earlier column that holds a
    symbol.
    """
    rows, leading = _rows(tokens, vocabulary, IndexVocabulary)
    index = vocabulary.index(rows[:, -1])
    bad = (index < 0) | (index >= rows.shape[1] - 1)
    _refuse_query(rows, vocabulary, bad, f"an index 0, ..., {rows.shape[1] - 2}")
    found = rows[np.arange(len(rows)), index]
    bad = found >= vocabulary.symbols
    _refuse_query(rows, vocabulary, bad, "an index of a column that holds a symbol")
    return _shaped(found, leading)


def solve_information_retrieval(tokens: ArrayLike, vocabulary: KeyValueVocabulary) -> Integers:
    """The token of the value that the sequence pairs with the key in its last column, `(...)`.

    >>> vocabulary = KeyValueVocabulary(keys=3, values=3)
    >>> vocabulary.decode(solve_information_retrieval(vocabulary.encode("A2 B1 C3 B"), vocabulary))
    '1'

    Raises `InvalidArgument` unless pairs are followed by a key, the key occurs, and all its pairs
    have one value.
    """
    rows, leading = _rows(tokens, vocabulary, KeyValueVocabulary)
    named, values = _pairs_of_the_query(rows, vocabulary)
    largest = np.where(named, values, 0).max(axis=1, initial=0)
    smallest = np.where(named, values, vocabulary.values + 1).min(
        axis=1, initial=vocabulary.values + 1
    )
    _refuse_query(rows, vocabulary, largest != smallest, "a key all of whose pairs have one value")
    return _shaped(vocabulary.token_of_value(largest), leading)


def solve_partial_induction(tokens: ArrayLike, vocabulary: KeyValueVocabulary) -> Integers:
    """The token of the value in the last pair that has the key of the last column, `(...)`.

    >>> vocabulary = KeyValueVocabulary(keys=2, values=3)
    >>> vocabulary.decode(solve_partial_induction(vocabulary.encode("A2 B1 A3 A"), vocabulary))
    '3'

    Raises `InvalidArgument` unless pairs are followed by a key that occurs in one of them.
    """
    rows, leading = _rows(tokens, vocabulary, KeyValueVocabulary)
    named, values = _pairs_of_the_query(rows, vocabulary)
    last = named.shape[1] - 1 - np.argmax(named[:, ::-1], axis=1)
    found = values[np.arange(len(rows)), last]
    return _shaped(vocabulary.token_of_value(found), leading)


def index_once(tokens: ArrayLike, vocabulary: NumberVocabulary) -> Integers:
    """The Index function at every position, `(..., length)`: `index.*`, [HEADS, Def. F.1].

    An integer `i` whose token `i` columns back is a letter becomes that letter; any other token
    stays as it is.

    >>> vocabulary = NumberVocabulary(letters=3, integers=4)
    >>> vocabulary.decode(index_once(vocabulary.encode("C B A 1 4 1 3 2 1"), vocabulary))
    'C B A A C 1 3 2 1'

    Cost: one gather. Raises `InvalidArgument` if an integer points before the start.
    """
    rows, leading = _rows(tokens, vocabulary, NumberVocabulary)
    back = vocabulary.integer(rows)
    columns = np.arange(rows.shape[1])
    if (back > columns).any():
        row, column = np.argwhere(back > columns)[0].tolist()
        _points_outside(rows, vocabulary, row, column)
    there = np.take_along_axis(rows, columns - back, axis=1)
    return np.where(there < vocabulary.letters, there, rows).reshape(*leading, rows.shape[1])


def index_times(tokens: ArrayLike, vocabulary: NumberVocabulary, times: int) -> Integers:
    """The Index function applied `times` times, `(..., length)`: `task.compose-index`.

    The last column is the answer if its chain has at most that many hops, else the query itself.
    Errors as `index_once`, and unless `times` is an integer >= 0.
    """
    result = _read(tokens, vocabulary, NumberVocabulary)
    for _ in range(read_integer("times", times, least=0)):
        result = index_once(result, vocabulary)
    return result


def retrieve_once(tokens: ArrayLike, vocabulary: LetterVocabulary) -> Integers:
    """The Retrieval function at every position, `(..., length)`: [HEADS, Def. F.2].

    A pair of letters becomes the earlier token whose left letter is its right letter; a pair with
    a digit stays.

    >>> vocabulary = LetterVocabulary(letters=9)
    >>> tokens = vocabulary.encode("C2 B1 A3 FA EC DE HF GD IG")
    >>> vocabulary.decode(retrieve_once(tokens, vocabulary))
    'C2 B1 A3 A3 C2 EC FA DE GD'

    Cost: one pass over the columns. Raises `InvalidArgument` on an input that is not functional,
    or if a pair of letters has no such earlier token.
    """
    rows, leading = _rows(tokens, vocabulary, LetterVocabulary)
    _require_functional(rows, vocabulary)
    left, right = vocabulary.left(rows), vocabulary.right(rows)
    every, result = np.arange(len(rows)), rows.copy()
    # What each letter names so far; -1 is no token.
    named = np.full((len(rows), vocabulary.letters), -1, dtype=np.int64)
    for column in range(rows.shape[1]):
        wanted = right[:, column]
        found = np.where(wanted < 0, rows[:, column], named[every, wanted])
        if (found < 0).any():
            _no_parent(rows, vocabulary, int(np.argmax(found < 0)), column)
        result[:, column] = found
        named[every, left[:, column]] = rows[:, column]
    return result.reshape(*leading, rows.shape[1])


def retrieve_times(tokens: ArrayLike, vocabulary: LetterVocabulary, times: int) -> Integers:
    """The Retrieval function applied `times` times, `(..., length)`: `task.compose-retrieval`.

    The last column is the token that the query's chain has come to after that many hops, and the
    answer from its last hop on. Errors as `retrieve_once`, and unless `times` is an integer >= 0.
    """
    result = _read(tokens, vocabulary, LetterVocabulary)
    for _ in range(read_integer("times", times, least=0)):
        result = retrieve_once(result, vocabulary)
    return result


def _clashes(rows: Integers, vocabulary: LetterVocabulary) -> Integers:
    """The first column of each row whose left letter named another token before, -1 if none."""
    left, every = vocabulary.left(rows), np.arange(len(rows))
    named = np.full((len(rows), vocabulary.letters), -1, dtype=np.int64)
    clash = np.full(len(rows), -1, dtype=np.int64)
    for column in range(rows.shape[1]):
        token, letter = rows[:, column], left[:, column]
        before = named[every, letter]
        clash = np.where((clash < 0) & (before >= 0) & (before != token), column, clash)
        named[every, letter] = token
    return clash


def _require_functional(rows: Integers, vocabulary: LetterVocabulary) -> None:
    clash = _clashes(rows, vocabulary)
    if (clash >= 0).any():
        row = int(np.argmax(clash >= 0))
        name, text = vocabulary.decode(rows[row, clash[row]]), vocabulary.decode(rows[row])
        got = f"{name} in column {clash[row]} of {text!r}, which is not functional"
        raise InvalidArgument("tokens", got, "equal left letters only in equal tokens")


def _two_parents(row: Integers, vocabulary: LetterVocabulary, columns: tuple[int, int]) -> NoReturn:
    one, other = (vocabulary.decode(row[column]) for column in columns)
    got = f"{one} in column {columns[0]} and {other} in column {columns[1]}"
    got += f" of {vocabulary.decode(row)!r}, to both of which the chain leads"
    raise InvalidArgument("tokens", got, "one token for each letter that the chain looks for")


def _points_outside(
    rows: Integers, vocabulary: NumberVocabulary, row: int, column: int
) -> NoReturn:
    name, text = vocabulary.decode(rows[row, column]), vocabulary.decode(rows[row])
    got = f"{name} in column {column} of {text!r}, which points before the start"
    raise InvalidArgument("tokens", got, "integers at most their column, counted from 0")


def _no_parent(rows: Integers, vocabulary: LetterVocabulary, row: int, column: int) -> NoReturn:
    name, text = vocabulary.decode(rows[row, column]), vocabulary.decode(rows[row])
    got = f"{name} in column {column} of {text!r}, which names no earlier token"
    raise InvalidArgument("tokens", got, "pairs of letters that each name an earlier token")


def _pairs_of_the_query(
    rows: Integers, vocabulary: KeyValueVocabulary
) -> tuple[Booleans, Integers]:
    """Which columns before the last have the query's key, and the values of all columns."""
    pairs, query = rows[:, :-1], rows[:, -1]
    bad = vocabulary.is_pair(query) | (vocabulary.key(query) < 0)
    _refuse_query(rows, vocabulary, bad, "a key alone")
    others = ~vocabulary.is_pair(pairs)
    if others.any():
        row = int(np.argmax(others.any(axis=1)))
        got = vocabulary.decode(rows[row])
        raise InvalidArgument("tokens", got, "pairs of a key and a value before the query")
    named = vocabulary.key(pairs) == vocabulary.key(query)[:, np.newaxis]
    _refuse_query(rows, vocabulary, ~named.any(axis=1), "a key of an earlier pair")
    return named, vocabulary.value(pairs)


def _refuse_query(rows: Integers, vocabulary: Vocabulary, bad: Booleans, allowed: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        got = f"{vocabulary.decode(rows[row, -1])} at the end of {vocabulary.decode(rows[row])!r}"
        raise InvalidArgument("tokens", got, allowed)


def _read(tokens: ArrayLike, vocabulary: Vocabulary, kind: type[Vocabulary]) -> Integers:
    if not isinstance(vocabulary, kind):
        raise InvalidArgument("vocabulary", vocabulary, f"a {kind.__name__}")
    read = vocabulary.read(tokens)
    if read.ndim < 1 or read.shape[-1] < 1:
        raise InvalidArgument("tokens", f"shape {read.shape}", "shape (..., length), length >= 1")
    return read


def _rows(
    tokens: ArrayLike, vocabulary: Vocabulary, kind: type[Vocabulary]
) -> tuple[Integers, tuple[int, ...]]:
    """The sequences as rows of a matrix, and the leading shape."""
    read = _read(tokens, vocabulary, kind)
    return read.reshape(-1, read.shape[-1]), read.shape[:-1]


def _shaped(values: Integers, leading: tuple[int, ...]) -> Integers:
    result: Integers = values.reshape(leading)
    return result


def _chain(answers: Integers, hops: Integers, places: Integers, leading: tuple[int, ...]) -> Chain:
    return Chain(_shaped(answers, leading), _shaped(hops, leading), _shaped(places, leading))
