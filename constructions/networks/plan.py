"""What the coordinates of a composed network's residual stream are, and what each layer moves.

A `Plan` is a table of registers: groups of coordinates, each a one-hot code of one fact about the
token or about what was fetched. A layer is a `Wiring` of registers: where its query, its keys and
its values come from and where the values go. No weight is chosen here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.record import ConstructionRecord
from ropeproof.numerics.task.vocabulary import (
    LetterVocabulary,
    NumberVocabulary,
    TokenVocabulary,
    Vocabulary,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["Code", "Plan", "Task", "Wiring", "induction_plan", "letter_plan", "number_plan"]

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]
Task: TypeAlias = Literal["number", "letter", "induction"]
Code: TypeAlias = Literal["one-hot", "pairs"]


@dataclass(frozen=True, eq=False, repr=False)
class Wiring(ConstructionRecord):
    """One layer: coordinates of the residual stream, each `(count,)`.

    The head's query is a function of the one-hot register `query`, its keys of the register `key`
    (in both the constant may stand, too); coordinate `read[i]` of what is attended is added to
    coordinate `write[i]`.
    """

    query: Places
    key: Places
    read: Places
    write: Places

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(places)}" for name, places in vars(self).items())
        return f"<Wiring of coordinates: {counts}>"


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ConstructionRecord):
    """The registers of a composed network and the wiring of its layers.

    - `vocabulary`: what the token numbers, the rows of the embeddings, mean;
    - `directions`: one name per coordinate;
    - `embeddings`, `readout`: `(tokens, width)`; embeddings are 0 and 1, and 1 on `constant`;
    - `answer`: the coordinates that hold the answer's code; `parts`: how many are 1 in a code;
    - `fallback`: the read-out's weight on a token that has no answer yet, 0 if there is none.
    """

    task: Task
    hops: int
    vocabulary: Vocabulary
    directions: Directions
    embeddings: Floats
    readout: Floats
    layers: tuple[Wiring, ...]
    constant: int
    answer: Places
    parts: int
    fallback: float

    def __repr__(self) -> str:
        layers = f"{len(self.layers)} layers of width {self.width}"
        return f"<Plan of the {self.task} task: {layers}, {self.tokens} tokens>"

    @property
    def width(self) -> int:
        """The number of coordinates."""
        return len(self.directions)

    @property
    def tokens(self) -> int:
        """The size of the vocabulary."""
        return len(self.embeddings)

    def units(self, places: Places, constant: float) -> Floats:
        """The size of these coordinates in an embedding that has this constant, `(count,)`."""
        return np.where(places == self.constant, constant, 1.0)

    def matches(self, query: int, key: int, lag: int) -> bool:
        """Whether a query of class `query` should find a key of class `key`, `lag` tokens back."""
        return lag == query if self.task == "number" else key == query


def number_plan(*, hops: int, letters: object, integers: object, code: object) -> Plan:
    """The plan of the number task.

    Register `hop` says how far back to look (0 for a letter) and is never written. Register
    `letter` holds a letter's code, or nothing; every layer adds what it finds to it. The code is
    `"one-hot"` (one coordinate per letter, as in the paper) or `"pairs"` (a row and a column of a
    square, about `2 sqrt(letters)` coordinates). The read-out prefers a letter to the integer
    itself. Raises `InvalidArgument`.
    """
    count, most = read_integer("letters", letters, least=2), _count("integers", integers)
    if code not in ("one-hot", "pairs"):
        raise InvalidArgument("code", code, "'one-hot' or 'pairs'")
    vocabulary = NumberVocabulary(letters=count, integers=most)
    codes = _codes(count, code == "pairs")
    names = ["constant", *(f"hop:{i}" for i in range(most + 1))]
    names += [f"letter:{i}" for i in range(codes.shape[1])]
    directions = Directions(names)
    hop = _places(directions, "hop:", most + 1)
    register = _places(directions, "letter:", codes.shape[1])
    parts = int(codes[0].sum())
    embeddings = np.zeros((count + most, len(directions)))
    embeddings[:, directions.place("constant")] = 1
    embeddings[:count, hop[0]] = 1
    embeddings[:count, register] = codes
    embeddings[np.arange(count, count + most), hop[1:]] = 1
    readout = np.zeros_like(embeddings)
    readout[:count, register] = codes
    readout[np.arange(count, count + most), hop[1:]] = parts / 2
    constant = np.array([directions.place("constant")])
    wiring = Wiring(hop, constant, register, register)
    return Plan(
        task="number",
        hops=hops,
        vocabulary=vocabulary,
        directions=directions,
        embeddings=embeddings,
        readout=readout,
        layers=(wiring,) * hops,
        constant=int(constant[0]),
        answer=register,
        parts=parts,
        fallback=parts / 2,
    )


def letter_plan(*, hops: int, letters: object, digits: object) -> Plan:
    """The plan of the letter task, whose tokens are (letter, letter) and (letter, digit) pairs.

    Registers `left` and `right` hold the token's halves and `next` the letter to look for: the
    right one, or the left one of a (letter, digit) token, which so finds itself. None of them is
    written. Register `step:l` holds the letter to look for after `l` layers, the last layer writes
    both halves of what it finds to `answer`. Raises `InvalidArgument`.
    """
    count, most = read_integer("letters", letters, least=2), _count("digits", digits)
    halves = count + most
    steps = [f"step:{step}" for step in range(1, hops)]
    sizes = {"left": count, "right": halves, "next": count}
    names = ["constant"]
    for register, size in (*sizes.items(), *((s, count) for s in steps)):
        names += [f"{register}:{i}" for i in range(size)]
    names += [f"answer:{i}" for i in range(count + halves)]
    directions = Directions(names)
    left, right, following = (_places(directions, f"{n}:", size) for n, size in sizes.items())
    pointers = [following, *(_places(directions, f"{s}:", count) for s in steps)]
    answer = _places(directions, "answer:", count + halves)
    vocabulary = LetterVocabulary(letters=count, digits=most)
    tokens = np.arange(len(vocabulary))
    first, letter = vocabulary.left(tokens), vocabulary.right(tokens)
    second = np.where(letter >= 0, letter, count + vocabulary.digit(tokens) - 1)
    embeddings = np.zeros((len(tokens), len(directions)))
    embeddings[:, directions.place("constant")] = 1
    embeddings[tokens, left[first]] = embeddings[tokens, right[second]] = 1
    embeddings[tokens, following[np.where(letter >= 0, letter, first)]] = 1
    readout = np.zeros_like(embeddings)
    readout[tokens, answer[first]] = readout[tokens, answer[count + second]] = 1
    both = np.concatenate((left, right))
    layers = [Wiring(now, left, following, then) for now, then in pairwise(pointers)]
    layers.append(Wiring(pointers[-1], left, both, answer))
    return Plan(
        task="letter",
        hops=hops,
        vocabulary=vocabulary,
        directions=directions,
        embeddings=embeddings,
        readout=readout,
        layers=tuple(layers),
        constant=directions.place("constant"),
        answer=answer,
        parts=2,
        fallback=0.0,
    )


def induction_plan(*, tokens: object) -> Plan:
    """The plan of induction, with registers for the token, the one before it, and the next one.

    Layer 1 writes the token one place back to `before`; its query and keys are constant. Layer 2
    asks for the present token among those of `before`, and for the latest place by the constant, of
    which both sides have a part; it writes the token that it finds there to `next`. Raises `InvalidArgument`.
    """
    count = read_integer("tokens", tokens, least=2)
    registers = ("token", "before", "next")
    names = ["constant", *(f"{name}:{i}" for name in registers for i in range(count))]
    directions = Directions(names)
    token, before, following = (_places(directions, f"{name}:", count) for name in registers)
    constant = np.array([directions.place("constant")])
    embeddings = np.zeros((count, len(directions)))
    embeddings[:, constant[0]] = 1
    embeddings[np.arange(count), token] = 1
    readout = np.zeros_like(embeddings)
    readout[np.arange(count), following] = 1
    asking, matching = (np.concatenate((side, constant)) for side in (token, before))
    return Plan(
        task="induction",
        hops=2,
        vocabulary=TokenVocabulary(count),
        directions=directions,
        embeddings=embeddings,
        readout=readout,
        layers=(
            Wiring(constant, constant, token, before),
            Wiring(asking, matching, token, following),
        ),
        constant=int(constant[0]),
        answer=following,
        parts=1,
        fallback=0.0,
    )


def _codes(letters: int, pairs: bool) -> Floats:
    """Codes of the letters, `(letters, coordinates)`; two differ in at least one place."""
    if not pairs:
        return np.eye(letters)
    side = int(np.ceil(np.sqrt(letters)))
    numbers = np.arange(letters)
    codes = np.zeros((letters, 2 * side))
    codes[numbers, numbers // side] = codes[numbers, side + numbers % side] = 1
    return codes


def _places(directions: Directions, prefix: str, count: int) -> Places:
    return np.array([directions.place(f"{prefix}{i}") for i in range(count)])


def _count(name: str, value: object) -> int:
    return read_integer(name, value, least=1)
