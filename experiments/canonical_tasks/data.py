"""The three tasks of [DECOUPLE], section 4 and appendix C.1: pairs of a symbol and an integer, a query.

A context is 32 tokens, each one symbol with one integer. Tokens are numbered so that
`symbol INTEGERS + integer` is a pair, then follow the symbols alone and the integers alone, which
stand last, as queries. An answer is a class: an integer, or `INTEGERS + symbol`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLASSES", "CONTEXT", "TASKS", "VOCABULARY", "Drawn", "draw"]

Integers = NDArray[np.int64]
CONTEXT, SYMBOLS, INTEGERS = 32, 16, 32
"""The paper's sizes: a context of 32 and one query, 16 symbols, 32 integers."""
PAIRS = SYMBOLS * INTEGERS
VOCABULARY = PAIRS + SYMBOLS + INTEGERS
CLASSES = INTEGERS + SYMBOLS
TASKS = ("index", "retrieval", "partial induction")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A number of sequences: tokens `(count, 33)`, the class of each answer, its place in the context."""

    tokens: Integers
    answers: Integers
    places: Integers


def draw(task: str, count: int, random: np.random.Generator) -> Drawn:
    """Draw sequences of one task; the answer's place is uniform as far as the task allows.

    - index: symbols and integers are free; the query is a place, the answer its symbol.
    - retrieval: the query's symbol stands once, the others are free; the answer is its integer.
    - partial induction: the query's symbol stands twice, with two integers; the answer is the
      integer of the later place, which is uniform among the places but the first.
    """
    symbols = random.integers(SYMBOLS, size=(count, CONTEXT))
    integers = random.integers(INTEGERS, size=(count, CONTEXT))
    rows = np.arange(count)
    if task == "index":
        places = random.integers(CONTEXT, size=count)
        queries, answers = PAIRS + SYMBOLS + places, INTEGERS + symbols[rows, places]
    else:
        asked = random.integers(SYMBOLS, size=count)
        # Every other place: one of the 15 other symbols.
        symbols = (
            asked[:, np.newaxis] + 1 + random.integers(SYMBOLS - 1, size=symbols.shape)
        ) % SYMBOLS
        if task == "retrieval":
            places = random.integers(CONTEXT, size=count)
        else:
            places = random.integers(1, CONTEXT, size=count)
            earlier = (random.random(count) * places).astype(np.int64)
            symbols[rows, earlier] = asked
            other = random.integers(1, INTEGERS, size=count)
            integers[rows, earlier] = (integers[rows, places] + other) % INTEGERS
        symbols[rows, places] = asked
        queries, answers = PAIRS + asked, integers[rows, places]
    tokens = np.concatenate([symbols * INTEGERS + integers, queries[:, np.newaxis]], axis=1)
    return Drawn(tokens, answers, places)
