"""Evidence for logits, answers and temperatures of index constructions, by attention in float64."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.index import angles_spec
from ropeproof.numerics.bounds import index
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import logits
from ropeproof.numerics.task import NumberVocabulary, index_once
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.index.angles import (
    Angle,
    AngleAndSizes,
    angles,
    plane_sizes,
    turned_back,
    turning_vector,
)
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_VOCABULARY = NumberVocabulary(letters=3, integers=24)
_CLEAR = 1e-4


@dataclass(frozen=True)
class TurnedQuery:
    """A row with the same key for all tokens and a query rotated back by `back` positions."""

    angles: tuple[float, ...]
    vector: Floats
    length: int
    back: int

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"angles": self.angles, "vector": self.vector, "back": self.back}


@st.composite
def _turned(draw: st.DrawFn) -> TurnedQuery:
    chosen, vector, _ = turning_vector(draw, fastest=3.5)
    length = draw(st.integers(1, 60))
    return TurnedQuery(chosen, vector, length, draw(st.integers(0, length - 1)))


@evidence("index.logit", "property", "rotated queries and keys of drawn vectors")
def logit(how: Profile) -> Finding:
    """Logits of the rotated vectors are the sum of cosines around the target.

    One plane with a unit vector has cos((n - j - i) theta).
    """

    def check(case: TurnedQuery) -> None:
        spec = angles_spec(case.angles)
        planes = len(case.angles)
        query = turned_back(case.vector, spec, np.array(case.angles) * case.back)
        places = np.arange(case.length)
        keys = np.broadcast_to(case.vector, (case.length, 2 * planes))
        scale = 1.0 if planes == 1 else None
        found = logits(query[np.newaxis], keys, places[-1:], places, spec, scale=scale)[0]
        sizes = plane_sizes(case.vector, spec)
        away = case.length - 1 - places - case.back
        direct = np.cos(np.outer(away, case.angles)) @ sizes
        direct *= 1.0 if planes == 1 else 1 / math.sqrt(2 * planes)
        budget = drawing.UNIT * float(sizes.sum()) * (8 * case.length * max(case.angles) + 64)
        drawing.within(found, direct, budget, "the logit", **case.shown)

    domain = "up to 4 planes of any angle up to 3.5, rows up to 60 tokens"
    return drawing.draw_cases(how, _turned(), check, domain=domain)


@dataclass(frozen=True)
class LetterInput:
    """An angle and an input of letters and integers, with the query last."""

    angle: Angle
    tokens: Integers

    @property
    def back(self) -> int:
        """The number of positions that the query points back."""
        return int(_VOCABULARY.integer(self.tokens[-1]))

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"angle": self.angle.exact, "input": _VOCABULARY.decode(self.tokens)}


# Strategies are built, and validated by Hypothesis, once.
@lru_cache
def _tokens(column: int) -> st.SearchStrategy[int]:
    letter = st.integers(0, 2)
    integer = st.integers(3, 2 + column) if column else st.nothing()
    return letter | integer


@st.composite
def _asked(draw: st.DrawFn) -> LetterInput:
    length = draw(st.integers(2, 16))
    tokens = []
    for column in range(length):
        tokens.append(draw(_tokens(column)))
    return LetterInput(draw(angles()), np.array(tokens))


def _hard(case: LetterInput) -> tuple[Floats | None, NDArray[np.bool_]]:
    """The residual stream plus average-hard attention's output, None if its maximum is not unique.

    The second result marks the maxima. Ties are decided exactly: a lag ties with the target if the
    angle has made whole turns there.
    """
    length, letters = len(case.tokens), _VOCABULARY.letters
    away = length - 1 - np.arange(length) - case.back
    top = np.array([lag == 0 or case.angle.ties(abs(int(lag))) for lag in away])
    one_hot = np.eye(len(_VOCABULARY))
    values = one_hot[case.tokens] * 2.0
    values[:, letters:] = 0
    output = one_hot[case.tokens[-1]] + values[top].mean(0)
    return (output if top.sum() == 1 else None), top


@evidence("index.feasible", "property", "average-hard attention on drawn inputs")
def feasible(how: Profile) -> Finding:
    """The margin is 0 exactly where the maximum is not unique; elsewhere arg max decodes Index.

    The gap of x + a at the last position is then at least 1, which is attained.
    """

    def check(case: LetterInput) -> None:
        output, top = _hard(case)
        margin = index.index_margin(case.angle.exact, length=len(case.tokens), inputs=case.back)
        drawing.require((margin.upper == 0) == (top.sum() > 1), "ties", margin=margin, **case.shown)
        if output is None:
            return
        drawing.require(margin.lower > 0, "a unique maximum without margin", **case.shown)
        answer = int(index_once(case.tokens, _VOCABULARY)[-1])
        place = len(case.tokens) - 1 - case.back
        token = int(case.tokens[place])
        letter = token < _VOCABULARY.letters
        drawing.require(answer == (token if letter else case.tokens[-1]), "Index", **case.shown)
        gap = output[answer] - np.delete(output, answer).max()
        drawing.require(gap >= 1, "the decoding gap", gap=float(gap), **case.shown)
        drawing.require(int(output.argmax()) == answer, "the answer", **case.shown)

    domain = "inputs of up to 16 letters and integers, a third of the angles with ties"
    return drawing.draw_cases(how, _asked(), check, domain=domain)


@dataclass(frozen=True)
class Cold(AngleAndSizes):
    """An angle that makes no nearly whole turn below the length, and how many integers are queried."""

    def others(self, beta: float) -> float:
        """The ratio of all other positions' weight to the target's, at the worst integer.

        It is computed by softmax over the row, with the same letter at every other position.
        """
        places = np.arange(self.length)
        queries = np.arange(1, min(self.integers, self.length - 1) + 1)
        # A row for each query.
        scores = -beta * self._gaps[np.abs(places - queries[:, np.newaxis])]
        weights = np.exp(scores)
        own = weights[np.arange(len(queries)), queries] / weights.sum(1)
        return float(((1 - own) / own).max())

    @cached_property
    def _gaps(self) -> Floats:
        return np.append(0.0, self.angle.falls(self.length - 1))


_TURNS = st.just(3) | st.integers(3, 32)


@lru_cache
def _clear_angles(length: int) -> st.SearchStrategy[Angle]:
    return angles().filter(lambda a: a.falls(length - 1).min() > _CLEAR)


@st.composite
def _cold(draw: st.DrawFn) -> tuple[Cold, Cold]:
    """A case with a drawn angle, and one with one turn over its length.

    The second has length 3 in half of the cases.
    """
    length = draw(st.integers(3, 32))
    # Smaller falls need temperatures at which the rounding of a fall begins to count.
    drawn = draw(_clear_angles(length))
    turn = draw(_TURNS)
    return (
        Cold(drawn, length, draw(st.integers(1, length))),
        Cold(Angle(Fraction(1, turn)), turn, turn),
    )


def _odds(case: Cold, beta: float) -> Enclosure:
    return index.index_odds(beta, case.angle.exact, length=case.length, integers=case.integers)


def _budget(case: Cold, beta: float, weight: float) -> float:
    """The rounding budget of a ratio: errors grow with exponents up to 2 beta and as 1 - w cancels."""
    return 64 * drawing.UNIT * (case.length + beta) * (1 + weight) ** 2


@evidence("index.temperature", "property", "softmax over the rows of drawn constructions")
def temperature(how: Profile) -> Finding:
    """At the enclosed inverse temperature the others' softmax weight falls below the target's.

    The enclosed ratio of these weights is that of the softmax row. The temperature lies above the floor that
    holds for every angle and, for one turn over the length, between the two bounds of the claim.
    """

    def check(case: tuple[Cold, Cold]) -> None:
        for each in case:
            shown = each.shown
            options = {"length": each.length, "integers": each.integers}
            exact = each.angle.exact
            found = index.index_temperature(exact, **options)
            drawing.require(found.width <= 1e-8 * found.upper, "a wide enclosure", **shown)
            odds, budget = partial(_odds, each), partial(_budget, each)
            drawing.threshold(found.upper, odds, each.others, budget, **shown)
        drawn, turn = case
        if drawn.integers >= drawn.length - 1:
            _above_the_floor(drawn)
        found = _above_the_floor(turn)
        enough, needed = (
            index.temperature_enough(turn.length),
            index.temperature_needed(turn.length),
        )
        drawing.require(found.lower <= enough.upper, "the bound is not enough", **turn.shown)
        drawing.require(turn.others(enough.lower) < 1, "the bound does not decode", **turn.shown)
        # With three positions the two neighbours are all there are.
        least = needed.lower * (1 - 1e-9)
        drawing.require(found.upper >= least, "below what is needed", **turn.shown)
        if turn.length == 3:
            drawing.require(found.lower <= needed.upper * (1 + 1e-9), "not attained", **turn.shown)

    domain = "lengths 3 to 32, half of the angles one turn over the length, of these half at 3"
    return drawing.draw_cases(how, _cold(), check, domain=domain)


def _above_the_floor(case: Cold) -> Enclosure:
    """The temperature that every integer needs, which is above the floor; a `Violation` if it is not."""
    floor = index.temperature_floor(case.length)
    found = index.index_temperature(case.angle.exact, length=case.length)
    drawing.require(found.upper > floor.upper, "below the floor", **case.shown)
    drawing.require(case.others(floor.upper) > 1, "decoded at the floor", **case.shown)
    return found
