"""Evidence for the slash score of a head without positions on exchangeable tokens."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.null import null_bound
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core import softmax
from ropeproof.numerics.strategies import generic
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

Floats = NDArray[np.float64]
_BITS = 128


@dataclass(frozen=True)
class Urn:
    """Queries and keys of some tokens, and the number of each in the urn that prompts come from."""

    queries: Floats
    keys: Floats
    counts: tuple[int, ...]


@st.composite
def _urns(draw: st.DrawFn) -> Urn:
    tokens, head_dim = draw(st.integers(1, 4)), 2 * draw(st.integers(1, 2))
    queries = draw(generic(head_dim=head_dim, tokens=tokens, bound=4.0))
    keys = draw(generic(head_dim=head_dim, tokens=tokens, bound=4.0))
    if draw(st.booleans()):
        # Tokens that look away from themselves come close to the bound.
        queries, keys = 8 * np.eye(4)[:tokens], -8 * np.eye(4)[:tokens]
    counts = draw(st.lists(st.integers(0, 2), min_size=tokens, max_size=tokens))
    while sum(counts) < 2:
        counts[-1] += 1
    return Urn(queries, keys, tuple(counts[:tokens]))


@evidence("slash.null", "property", "all orders of drawn urns")
def null(how: Profile) -> Finding:
    """Over all orders of tokens from an urn, no row's target has a mean weight above 1/(i - 1).

    No offset has a larger slash score than its bound.
    """

    def check(case: Urn) -> None:
        tokens = [token for token, count in enumerate(case.counts) for _ in range(count)][:6]
        length = len(tokens)
        orders = np.array(sorted(set(itertools.permutations(tokens))))
        table = case.queries @ case.keys.T / np.sqrt(case.queries.shape[1])
        values = table[orders[:, :, np.newaxis], orders[:, np.newaxis, :]]
        values = np.where(np.tri(length, dtype=bool), values, -np.inf)
        weights = softmax.weights(values)
        shown = {"queries": case.queries, "keys": case.keys, "counts": case.counts}
        budget = drawing.UNIT * (length + 2 * float(np.abs(table).max()) + 8)
        expected = weights.mean(0)
        for row, offset in itertools.combinations(range(length, 0, -1), 2):
            # Row i has its target at Delta for 1 <= Delta < i.
            found = expected[row - 1, row - 1 - offset]
            limit = (1 + budget) / (row - 1)
            drawing.require(found <= limit, "a row gives more", row=row, offset=offset, **shown)
        scores = slash_scores(expected)
        for offset in range(1, length):
            limit = null_bound(length, offset).upper * (1 + budget)
            drawing.require(scores[offset] <= limit, "the slash score", offset=offset, **shown)

    domain = "2 to 6 tokens of up to 4 kinds in every order, NoPE heads, logits up to 64"
    return drawing.draw_cases(how, _urns(), check, domain=domain)


_TABLES: dict[str, tuple[tuple[Fraction, ...], ...]] = {
    "copies": ((Fraction(3), Fraction(-1)), (Fraction(-2), Fraction(5, 2))),
    "looks away": ((Fraction(-4), Fraction(4)), (Fraction(4), Fraction(-4))),
    "three kinds": (
        (Fraction(0), Fraction(7, 3), Fraction(-1)),
        (Fraction(1, 2), Fraction(-5), Fraction(5)),
        (Fraction(6), Fraction(-2, 7), Fraction(1)),
    ),
}
"""Logits of every pair of tokens, `(query, key)`: heads without positions."""


def _independent(prompt: tuple[int, ...], kinds: int) -> Fraction:
    """The probability of a prompt of independent tokens, that of `v` proportional to `v + 1`."""
    total = kinds * (kinds + 1) // 2
    result = Fraction(1)
    for token in prompt:
        result *= Fraction(token + 1, total)
    return result


def _polya(prompt: tuple[int, ...], kinds: int) -> Fraction:
    """The probability of a prompt from Polya's urn, which starts with one token of each kind."""
    counts, result = [1] * kinds, Fraction(1)
    for token in prompt:
        result *= Fraction(counts[token], sum(counts))
        counts[token] += 1
    return result


_PROMPTS = {"independent": _independent, "Polya's urn": _polya}


def _expected(
    table: tuple[tuple[Fraction, ...], ...], length: int, probability: Any
) -> Iterator[tuple[int, int, Any]]:
    """The expected weights `E S_{i, i - Delta}` over all prompts, in balls.

    Gives `(i, Delta, ball)` for each `1 <= Delta < i <= length`.
    """
    kinds = len(table)
    sizes = [[arb(fmpq(x.numerator, x.denominator)).exp() for x in line] for line in table]
    totals: dict[tuple[int, int], Any] = {}
    for prompt in itertools.product(range(kinds), repeat=length):
        chance = probability(prompt, kinds)
        weight = arb(fmpq(chance.numerator, chance.denominator))
        for row in range(2, length + 1):
            line = [sizes[prompt[row - 1]][key] for key in prompt[:row]]
            share = weight / sum(line, arb(0))
            for offset in range(1, row):
                place = row, offset
                totals[place] = totals.get(place, arb(0)) + share * line[row - 1 - offset]
    return ((row, offset, value) for (row, offset), value in totals.items())


@evidence("slash.null", "certified", "all prompts over small vocabularies")
def null_certified(how: Profile) -> Finding:
    """Over all prompts every row's target has a mean weight of at most 1/(i - 1), in balls.

    Probabilities are exact; the slash score of every offset is within its bound.
    """
    length = 4 if how.name == "quick" else 6
    domain = f"2 or 3 kinds of tokens, all prompts of {length}; independent, and Polya's urn"
    cases, largest = 0, Fraction(0)
    for (name, table), (kind, probability) in itertools.product(_TABLES.items(), _PROMPTS.items()):
        with precision(_BITS):
            sums: dict[int, Any] = {}
            for row, offset, value in _expected(table, length, probability):
                cases += 1
                where = {"head": name, "prompts": kind, "row": row, "offset": offset}
                bound = arb(fmpq(1, row - 1))
                if value > bound:
                    return Finding(fails("a row gives more", where), domain, cases)
                if not value <= bound:
                    return Finding(unknown(f"{where} is open"), domain, cases)
                sums[offset] = sums.get(offset, arb(0)) + value
                largest = max(largest, Fraction(float((value / bound).mid())))
            for offset, total in sums.items():
                score = float((total / (length - offset)).upper())
                if not score <= null_bound(length, offset).lower:
                    where = {"head": name, "prompts": kind, "offset": offset, "score": score}
                    return Finding(fails("the slash score", where), domain, cases)
    return Finding(holds(f"at most {float(largest):.4f} of the bound"), domain, cases)
