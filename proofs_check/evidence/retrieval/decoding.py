"""Evidence for logits, answers and temperatures of retrieval constructions, in float64."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.index import angles_spec
from ropeproof.numerics.bounds.retrieval import (
    retrieval_margin_by_search,
    retrieval_odds,
    retrieval_temperature,
    separation,
)
from ropeproof.numerics.core.spec import logits
from ropeproof.numerics.task import LetterVocabulary, retrieve_once
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.index.angles import (
    plane_sizes,
    turned_back,
    turning_vector,
)
from ropeproof.proofs_check.evidence.retrieval import inputs
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class TurnedVector:
    """A row's left letters, the queried letter, and a vector that letters and positions rotate."""

    angles: tuple[float, ...]
    vector: Floats
    letters: int
    lefts: Integers
    asked: int

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"angles": self.angles, "lefts": self.lefts, "asked": self.asked}


@st.composite
def _turned(draw: st.DrawFn) -> TurnedVector:
    letters = draw(st.integers(2, 9))
    chosen, vector, random = turning_vector(draw, fastest=1.0)
    lefts = random.integers(0, letters, draw(st.integers(1, 40)))
    return TurnedVector(chosen, vector, letters, lefts, draw(st.integers(0, letters - 1)))


@evidence("retrieval.logit", "property", "rotated queries and keys of drawn vectors")
def logit(how: Profile) -> Finding:
    """The logit of rotated vectors is the sum of cosines of steps between letters and of the lag.

    One plane with a unit vector has the paper's cosine.
    """

    def check(case: TurnedVector) -> None:
        spec, planes = angles_spec(case.angles), len(case.angles)
        omega = 2 * math.pi / case.letters

        places = np.arange(len(case.lefts))
        keys = np.array([turned_back(case.vector, spec, letter * omega) for letter in case.lefts])
        scale = 1.0 if planes == 1 else None
        query = turned_back(case.vector, spec, case.asked * omega)[np.newaxis]
        found = logits(query, keys, places[-1:], places, spec, scale=scale)[0]
        sizes = plane_sizes(case.vector, spec)
        lags = len(case.lefts) - 1 - places
        steps = (case.lefts - case.asked)[:, np.newaxis] * omega
        direct = np.cos(steps + np.outer(lags, case.angles)) @ sizes
        direct *= 1.0 if planes == 1 else 1 / math.sqrt(2 * planes)
        budget = drawing.UNIT * float(sizes.sum()) * (8 * len(case.lefts) + 128)
        drawing.within(found, direct, budget, "the logit", **case.shown)

    domain = "up to 4 planes of any angle up to 1, 2 to 9 letters, rows up to 40 tokens"
    return drawing.draw_cases(how, _turned(), check, domain=domain)


@dataclass(frozen=True)
class FunctionalInput:
    """A circle of letters and a functional input of its length."""

    circle: inputs.Circle
    tokens: Integers

    @property
    def vocabulary(self) -> LetterVocabulary:
        """The vocabulary of letters in which the tokens are numbered."""
        return LetterVocabulary(letters=self.circle.letters, digits=2)

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {**self.circle.shown, "input": self.vocabulary.decode(self.tokens)}


@st.composite
def _asked(draw: st.DrawFn) -> FunctionalInput:
    circle = draw(inputs.circles(feasible=True))
    vocabulary = LetterVocabulary(letters=circle.letters, digits=2)
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return FunctionalInput(circle, inputs.functional(random, vocabulary, circle.length))


@evidence("retrieval.feasible", "property", "average-hard attention on drawn functional inputs")
def feasible(how: Profile) -> Finding:
    """Average-hard attention returns exactly the token that Retrieval answers, on functional inputs.

    All positions with the largest logit of a row hold that token.
    """

    def check(case: FunctionalInput) -> None:
        circle, vocabulary = case.circle, case.vocabulary
        left, right = vocabulary.left(case.tokens), int(vocabulary.right(case.tokens[-1]))
        asked = right if right >= 0 else int(left[-1])
        steps = (left - asked) * (2 * math.pi / circle.letters)
        values = np.cos(steps + np.arange(circle.length)[::-1] * circle.theta)
        # Copies of a token at one lag each: their logits differ by more, or not at all.
        top = values >= values.max() - 16 * drawing.UNIT * circle.length
        output = np.eye(len(vocabulary))[case.tokens[top]].mean(0)
        answer = int(retrieve_once(case.tokens, vocabulary)[-1])
        drawing.require(output[answer] == 1, "not the token itself", **case.shown)
        names = vocabulary.left(answer) == asked and answer in case.tokens
        drawing.require(names, "not a token that begins with the letter", **case.shown)
        others = values[left != asked]
        if others.size:
            gap = float(values.max() - others.max())
            options: dict[str, Any] = {"letters": circle.letters, "length": circle.length}
            worst = retrieval_margin_by_search(angle=circle.exact, **options)
            drawing.require(worst.lower > 0, "no margin", **case.shown)
            # A pair that ends in a digit asks for itself, at lag 0, which margins leave out.
            if right >= 0:
                least = worst.lower - 16 * drawing.UNIT * circle.length
                drawing.require(gap >= least, "less than the margin", **case.shown)

    domain = "3 to 9 letters, lengths 3 to 24, two thirds of the angles 0 or the largest"
    return drawing.draw_cases(how, _asked(), check, domain=domain)


@evidence("retrieval.temperature", "property", "softmax over the rows of drawn constructions")
def temperature(how: Profile) -> Finding:
    """At the enclosed inverse temperature the others' softmax weight falls below the target's.

    The enclosed ratio of these weights is that of the softmax row. The temperature is at most
    ln(n - 1)/margin, with equality without rotation.
    """

    def check(case: inputs.Circle) -> None:
        options: dict[str, Any] = {
            "letters": case.letters,
            "length": case.length,
            "angle": case.exact,
        }
        found, shown = retrieval_temperature(**options), case.shown
        drawing.require(found.width <= 1e-9 * found.upper, "a wide enclosure", **shown)
        beta = found.upper
        drawing.require(beta > 0, "no temperature", **shown)
        # Exponents up to 2 beta lose as much; and a margin loses what its cosines do.
        drawing.threshold(
            beta,
            lambda beta: retrieval_odds(beta, **options),
            case.others,
            lambda beta, weight: 64 * drawing.UNIT * (case.length + beta) * (1 + weight),
            **shown,
        )
        margin = retrieval_margin_by_search(**options)
        enough = math.log(case.length - 1) / margin.lower
        drawing.require(beta <= enough * (1 + 1e-9), "the margin is not enough", **shown)
        drawing.require(
            retrieval_odds(enough * (1 + 1e-6), **options).upper < 1, "not enough", **shown
        )
        if case.turn == 0:
            exact = math.log(case.length - 1) / (1 - math.cos(2 * math.pi / case.letters))
            drawing.within(beta, exact, 1e-12 * exact, "without rotation", **shown)

    domain = "3 to 9 letters, lengths 3 to 24, two thirds of the angles 0 or the largest"
    return drawing.draw_cases(how, inputs.circles(feasible=True), check, domain=domain)


@evidence("separation.one-plane", "property", "both temperatures, length by length")
def separation_of_one_plane(how: Profile) -> Finding:
    """Index at one turn over the length needs a temperature within the claim's bounds.

    The least inverse temperature is above 0.0040 (n - 1)^2 and at most (ln 3/8) n^2, as the softmax row
    confirms; retrieval without rotation needs ln(n - 1)/(1 - cos(omega)).
    """

    def check(case: tuple[int, int]) -> None:
        letters, length = case
        shown = {"letters": letters, "length": length}
        (row,) = separation([length], letters=letters)
        retrieval = math.log(length - 1) / (1 - math.cos(2 * math.pi / letters))
        drawing.within(row.retrieval.upper, retrieval, 1e-12 * retrieval, "retrieval", **shown)
        drawing.within(
            row.index_floor.upper, 0.0040 * (length - 1) ** 2, 1e-9 * length, "floor", **shown
        )
        drawing.within(
            row.index_enough.upper, math.log(3) / 8 * length**2, 1e-9 * length, "most", **shown
        )
        falls = 1 - np.cos(2 * np.pi / length * np.arange(1, length))
        for factor, decoded in ((1 - 1e-3, False), (1 + 1e-3, True)):
            odds = float(np.exp(-factor * row.index.upper * falls).sum())
            drawing.require((odds < 1) == decoded, "index", odds=odds, **shown)
        between = row.index_floor.upper < row.index.lower <= row.index_enough.upper
        drawing.require(between, "outside of its bounds", **shown)

    sizes = st.tuples(st.integers(3, 9), st.integers(3, 200))
    return drawing.draw_cases(how, sizes, check, domain="3 to 9 letters, lengths 3 to 200")
