"""The tokens of each task: their numbers, meanings and printable names.

Letters print as `A, ..., Z, AA, AB, ...`; integers, indices, digits and values as decimal numbers.
Token numbers start at 0 and are the rows of an embedding.
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = [
    "IndexVocabulary",
    "KeyValueVocabulary",
    "LetterVocabulary",
    "NumberVocabulary",
    "TokenVocabulary",
    "Vocabulary",
]

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


class Vocabulary(ABC):
    """Token numbers `0 <= token < len(vocabulary)` and their printable names."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The printable name of every token, in the order of their numbers."""

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def encode(self, text: str | Iterable[str]) -> Integers:
        """The token numbers of a text of names separated by blanks, `(length,)` int64.

        Of several texts of one length: `(sequences, length)`. Raises `InvalidArgument` on a name
        that is not of this vocabulary, an empty text, and on texts of several lengths.
        """
        if not isinstance(text, str):
            rows = [self.encode(each) for each in text]
            lengths = sorted({len(row) for row in rows})
            if len(lengths) != 1:
                raise InvalidArgument("text", f"texts of {lengths} tokens", "texts of one length")
            return np.stack(rows)
        names = text.split()
        if not names:
            raise InvalidArgument("text", text, "at least one token")
        for name in names:
            if name not in self._numbers:
                allowed = f"a token of {self}: {self.names[0]}, ..., {self.names[-1]}"
                raise InvalidArgument("text", name, allowed)
        return np.array([self._numbers[name] for name in names], dtype=np.int64)

    def decode(self, tokens: ArrayLike) -> Any:
        """The text of tokens: a string for one token or `(length,)` tokens, else a list of texts.

        Raises `InvalidArgument` on a number that is not a token.
        """
        read = self.read(tokens)
        if read.ndim > 1:
            return [self.decode(row) for row in read]
        return " ".join(self.names[token] for token in np.atleast_1d(read).tolist())

    def read(self, tokens: ArrayLike) -> Integers:
        """Tokens as an int64 array of their own shape.

        Raises `InvalidArgument` unless they are integers `0 <= token < len(vocabulary)`.
        """
        array = np.asarray(tokens)
        if not np.issubdtype(array.dtype, np.integer):
            raise InvalidArgument("tokens", f"dtype {array.dtype}", "an array of integers")
        outside = (array < 0) | (array >= len(self))
        if outside.any():
            got = int(array[outside].flat[0])
            raise InvalidArgument("tokens", got, f"token numbers 0, ..., {len(self) - 1} of {self}")
        return array.astype(np.int64, copy=False)


@dataclass(frozen=True)
class NumberVocabulary(Vocabulary):
    """The tokens of the number task: letters `0 .. letters - 1`, then integers `1 .. integers`.

    >>> vocabulary = NumberVocabulary(letters=3, integers=4)
    >>> vocabulary.encode("C B A 1 4 1").tolist()
    [2, 1, 0, 3, 6, 3]
    >>> vocabulary.decode([2, 1, 0, 3, 6, 3])
    'C B A 1 4 1'

    Raises `InvalidArgument` unless both sizes are integers >= 1.
    """

    letters: int = 120
    integers: int = 16

    def __post_init__(self) -> None:
        _check_sizes(self, "letters", "integers")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the letters, then those of the integers."""
        numbers = (str(number) for number in range(1, self.integers + 1))
        return (*_letter_names(self.letters), *numbers)

    def __len__(self) -> int:
        return self.letters + self.integers

    def integer(self, tokens: ArrayLike) -> Integers:
        """The integer of each token, how far back it points, 0 for a letter; shape of `tokens`."""
        return np.maximum(self.read(tokens) - (self.letters - 1), 0)

    def token_of_integer(self, integers: ArrayLike) -> Integers:
        """The tokens of integers `1, ..., integers`; shape of the argument.

        Raises `InvalidArgument` on an integer outside.
        """
        array = _read_range("integers", integers, 1, self.integers)
        return array + (self.letters - 1)


@dataclass(frozen=True)
class TokenVocabulary(Vocabulary):
    """The tokens of the induction task, which have no meaning but themselves.

    >>> TokenVocabulary(tokens=30).decode([0, 1, 29])
    'A B AD'

    Raises `InvalidArgument` unless there is at least one token.
    """

    tokens: int

    def __post_init__(self) -> None:
        _check_sizes(self, "tokens")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tokens: `A, ..., Z, AA, AB, ...`."""
        return tuple(_letter_names(self.tokens))

    def __len__(self) -> int:
        return self.tokens


@dataclass(frozen=True)
class LetterVocabulary(Vocabulary):
    """The atomic tokens of the letter task: pairs of a left letter and a right letter or digit.

    First all `letters^2` pairs of letters, by left letter, then all `letters digits` pairs of a
    letter and a digit. Digits are `1, ..., digits`. With more than 26 letters a dot stands
    between the two halves of a name, as in `A.AB`.

    >>> vocabulary = LetterVocabulary()
    >>> len(vocabulary), vocabulary.names[10], vocabulary.names[-1]
    (128, 'BC', 'H8')

    Raises `InvalidArgument` unless both sizes are integers >= 1.
    """

    letters: int = 8
    digits: int = 8

    def __post_init__(self) -> None:
        _check_sizes(self, "letters", "digits")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the pairs of letters, then those of the pairs of a letter and a digit."""
        letters = _letter_names(self.letters)
        dot = "" if self.letters <= len(string.ascii_uppercase) else "."
        pairs = (left + dot + right for left in letters for right in letters)
        ends = (left + dot + str(d) for left in letters for d in range(1, self.digits + 1))
        return (*pairs, *ends)

    def __len__(self) -> int:
        return self.letters * (self.letters + self.digits)

    def left(self, tokens: ArrayLike) -> Integers:
        """The left letter of each token, `0 <= letter < letters`; shape of `tokens`."""
        read, pairs = self.read(tokens), self.letters * self.letters
        return np.where(read < pairs, read // self.letters, (read - pairs) // self.digits)

    def right(self, tokens: ArrayLike) -> Integers:
        """The right letter of each token, -1 where that is a digit; shape of `tokens`."""
        read = self.read(tokens)
        return np.where(read < self.letters * self.letters, read % self.letters, -1)

    def digit(self, tokens: ArrayLike) -> Integers:
        """The digit of each token, from 1 on, 0 where it has none; shape of `tokens`."""
        behind = self.read(tokens) - self.letters * self.letters
        return np.where(behind < 0, 0, behind % self.digits + 1)

    def pair(self, left: ArrayLike, right: ArrayLike) -> Integers:
        """The tokens of pairs of two letters; arguments broadcast. Raises `InvalidArgument`."""
        first = _read_range("left", left, 0, self.letters - 1)
        return first * self.letters + _read_range("right", right, 0, self.letters - 1)

    def end(self, left: ArrayLike, digit: ArrayLike) -> Integers:
        """The tokens of a letter and a digit; arguments broadcast. Raises `InvalidArgument`."""
        first = _read_range("left", left, 0, self.letters - 1)
        second = _read_range("digit", digit, 1, self.digits)
        return self.letters * self.letters + first * self.digits + second - 1


@dataclass(frozen=True)
class IndexVocabulary(Vocabulary):
    """The tokens of the index task: `symbols` symbols, then indices `0, ..., indices - 1`.

    >>> IndexVocabulary(symbols=2, indices=4).encode("A B B B 0").tolist()
    [0, 1, 1, 1, 2]

    Raises `InvalidArgument` unless both sizes are integers >= 1.
    """

    symbols: int
    indices: int

    def __post_init__(self) -> None:
        _check_sizes(self, "symbols", "indices")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the symbols, then those of the indices."""
        return (*_letter_names(self.symbols), *(str(index) for index in range(self.indices)))

    def __len__(self) -> int:
        return self.symbols + self.indices

    def index(self, tokens: ArrayLike) -> Integers:
        """The index that each token stands for, -1 for a symbol; shape of `tokens`."""
        return np.maximum(self.read(tokens) - self.symbols, -1)


@dataclass(frozen=True)
class KeyValueVocabulary(Vocabulary):
    """Tokens of information retrieval and partial induction: pairs of key and value, keys, values.

    Token `key values + value - 1` is a pair, `keys values + key` a key alone (the query), and
    `keys values + keys + value - 1` a value alone (the answer). Values are `1, ..., values`.

    >>> vocabulary = KeyValueVocabulary(keys=3, values=4)
    >>> vocabulary.encode("A2 B1 A3 A").tolist(), len(vocabulary)
    ([1, 4, 2, 12], 19)

    With more than 26 keys a dot stands between the two halves of a pair. Raises `InvalidArgument`
    unless both sizes are integers >= 1.
    """

    keys: int
    values: int

    def __post_init__(self) -> None:
        _check_sizes(self, "keys", "values")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the pairs, then those of the keys, then those of the values."""
        keys, values = _letter_names(self.keys), [str(v) for v in range(1, self.values + 1)]
        dot = "" if self.keys <= len(string.ascii_uppercase) else "."
        return (*(key + dot + value for key in keys for value in values), *keys, *values)

    def __len__(self) -> int:
        return self.keys * self.values + self.keys + self.values

    def is_pair(self, tokens: ArrayLike) -> Booleans:
        """Whether each token is a pair; shape of `tokens`."""
        return self.read(tokens) < self.keys * self.values

    def key(self, tokens: ArrayLike) -> Integers:
        """The key of each pair or lone key, `0 <= key < keys`, -1 for a value; as `tokens`."""
        read, pairs = self.read(tokens), self.keys * self.values
        alone = np.where(read < pairs + self.keys, read - pairs, -1)
        return np.where(read < pairs, read // self.values, alone)

    def value(self, tokens: ArrayLike) -> Integers:
        """The value of each pair or lone value, from 1 on, 0 for a lone key; shape of `tokens`."""
        read, pairs = self.read(tokens), self.keys * self.values
        alone = np.maximum(read - pairs - self.keys + 1, 0)
        return np.where(read < pairs, read % self.values + 1, alone)

    def token_of_key(self, keys: ArrayLike) -> Integers:
        """The tokens of lone keys. Raises `InvalidArgument` unless `0 <= key < keys`."""
        return self.keys * self.values + _read_range("keys", keys, 0, self.keys - 1)

    def token_of_value(self, values: ArrayLike) -> Integers:
        """The tokens of lone values. Raises `InvalidArgument` unless `1 <= value <= values`."""
        first = self.keys * self.values + self.keys - 1
        return first + _read_range("values", values, 1, self.values)


def _letter_names(count: int) -> list[str]:
    """The first `count` names in the order `A, ..., Z, AA, AB, ...`."""
    names = []
    for number in range(count):
        name, rest = "", number + 1
        while rest:
            rest, place = divmod(rest - 1, len(string.ascii_uppercase))
            name = string.ascii_uppercase[place] + name
        names.append(name)
    return names


def _check_sizes(vocabulary: Vocabulary, *sizes: str) -> None:
    for size in sizes:
        # NumPy's integers become Python's, so that equal vocabularies print alike.
        number = read_integer(size, getattr(vocabulary, size), least=1)
        object.__setattr__(vocabulary, size, number)


def _read_range(name: str, values: ArrayLike, least: int, most: int) -> Integers:
    array = np.asarray(values)
    if not np.issubdtype(array.dtype, np.integer):
        raise InvalidArgument(name, f"dtype {array.dtype}", "an array of integers")
    outside = (array < least) | (array > most)
    if outside.any():
        raise InvalidArgument(name, int(array[outside].flat[0]), f"integers {least}, ..., {most}")
    return array.astype(np.int64, copy=False)
