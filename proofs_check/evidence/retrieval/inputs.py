"""Drawn inputs of the topic's evidence: circles of letters, and functional inputs."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.task import LetterVocabulary

__all__ = ["Circle", "circles", "functional"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_ENUMERATED = 700


@dataclass(frozen=True)
class Circle:
    """A circle of `letters` with `length` positions and an angle per position.

    The angle is the share `turn` of `omega/(2 length - 3)`.
    """

    letters: int
    length: int
    turn: Fraction

    @property
    def exact(self) -> Any:
        """The angle per position, as a SymPy number."""
        share = sympy.Rational(self.turn.numerator, self.turn.denominator)
        return 2 * sympy.pi * share / (self.letters * (2 * self.length - 3))

    @property
    def theta(self) -> float:
        """The angle per position in float64."""
        return 2 * math.pi * float(self.turn) / (self.letters * (2 * self.length - 3))

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"letters": self.letters, "length": self.length, "angle": self.exact}

    def logits(self) -> Floats:
        """The logits `cos(z omega + b theta)`, `z` letters from the queried one at lag `b`."""
        steps, lags = np.arange(self.letters), np.arange(self.length)
        result: Floats = np.cos(
            (steps * (2 * np.pi / self.letters))[:, np.newaxis] + lags * self.theta
        )
        return result

    def margin(self) -> float:
        """The worst margin over all functional inputs.

        Inputs are enumerated if there are few, else all pairs of lags of a target and a competitor. The
        query's left letter, at lag 0, is not the queried one.
        """
        table = self.logits()
        if self.letters ** (self.length - 1) <= _ENUMERATED:
            return min(self._of_input(table, rest) for rest in self._inputs())
        gaps = table[0][:, np.newaxis] - table[1:].max(0)
        np.fill_diagonal(gaps, np.inf)
        return float(gaps[1:].min())

    def others(self, beta: float) -> float:
        """The largest ratio of the other positions' weight, all of one letter, to the target's.

        The maximum is over that letter and the target's position.
        """
        table, targets = beta * self.logits(), np.arange(1, self.length)
        # A row for each other letter and each place of the target.
        scores = np.repeat(table[1:, np.newaxis], len(targets), axis=1)
        scores[:, targets - 1, targets] = table[0, targets]
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        own = weights[:, targets - 1, targets]
        weights[:, targets - 1, targets] = 0.0
        return float((weights.sum(-1) / own).max())

    def _inputs(self) -> list[tuple[int, ...]]:
        """Words of left letters by lag that contain the queried letter, which is number 0.

        Each can be completed to a functional input, since the right letters are free.
        """
        words = itertools.product(range(self.letters), repeat=self.length - 1)
        firsts = range(1, self.letters)
        return [(first, *word) for word in words if 0 in word for first in firsts]

    def _of_input(self, table: Floats, word: tuple[int, ...]) -> float:
        values = table[list(word), np.arange(self.length)]
        asked = np.array(word) == 0
        return float(values[asked].max() - values[~asked].max())


@st.composite
def circles(draw: st.DrawFn, *, over: bool = False, feasible: bool = False) -> Circle:
    """A drawn circle: a third without rotation, a third near the largest angle (63/64 of it).

    `over` draws larger angles as well; `feasible` none above `omega/(2 (length - 1))`, from where on
    a competitor at the target's own place would win.
    """
    letters, length = draw(st.integers(3, 9)), draw(st.integers(3, 24))
    turn = st.sampled_from(
        (
            Fraction(0),
            Fraction(draw(st.integers(0, 63)), 64),
            Fraction(63, 64),
            *([Fraction(draw(st.integers(64, 256)), 64)] if over else []),
        )
    )
    chosen = draw(turn)
    if feasible:
        chosen = min(chosen, Fraction(2 * length - 3, 2 * length - 2))
    return Circle(letters, length, chosen)


def functional(random: np.random.Generator, vocabulary: LetterVocabulary, length: int) -> Integers:
    """A functional input `(length,)` in which every pair of letters names an earlier token."""
    tokens: list[int] = []
    known: dict[int, int] = {}
    for column in range(length):
        left = int(random.integers(vocabulary.letters))
        if left not in known:
            # The query asks for a letter if it can, other new tokens mostly do.
            if known and (column == length - 1 or random.random() < 0.7):
                right = int(random.choice(list(known)))
                known[left] = int(vocabulary.pair(left, right))
            else:
                digit = int(random.integers(1, vocabulary.digits + 1))
                known[left] = int(vocabulary.end(left, digit))
        tokens.append(known[left])
    return np.array(tokens)
