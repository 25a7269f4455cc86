"""Evidence that a softmax head answers every input: the attention on the right value.

An input has at most `length - 1` items and a query, whose own key points away from its symbol. The
property checks compute the attention from cosines, the construction checks run weights in PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.partial_induction import partial_induction_head
from ropeproof.constructions.heads.retrieval import information_retrieval_head
from ropeproof.constructions.heads.retrieval.lookup import LookupHead
from ropeproof.numerics import task
from ropeproof.numerics.bounds.partial_induction import (
    info_retrieval_temperature_enough,
    partial_induction_temperature_enough,
    sharp_symbol_amplitude,
)
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.runs import Runs, attention_of, blind, wrong
from ropeproof.proofs_check.evidence.task.lookup import random_items
from ropeproof.proofs_check.kernel.outcome import Outcome
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_VALUES = ("1", "2", "3")
_COLDER = 1 + 1e-9


@dataclass(frozen=True)
class SymbolInput:
    """A head for `longest` items of `symbols` symbols, and an input's symbols and values, last first.

    `share` is the part of a symbol's step by which the whole window rotates. The query asks for symbol 0;
    the target is `place` positions back.
    """

    symbols: int
    longest: int
    share: Fraction
    named: Integers
    values: Integers
    place: int

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        row = list(zip(self.named.tolist(), self.values.tolist(), strict=True))
        return {"symbols": self.symbols, "items": self.longest, "row": row, "share": self.share}

    @property
    def theta(self) -> float:
        """The angle per position: the share of `2 pi/(symbols (longest + 1))`."""
        return 2 * math.pi * float(self.share) / (self.symbols * (self.longest + 1))

    def masses(self, logits: Floats, own: float) -> Floats:
        """The attention on each value, from the logits of items `1, 2, ...` back and the query."""
        weights = np.exp(np.append(logits, own) - max(logits.max(), own))
        return np.bincount(self.values, weights[:-1], minlength=3) / float(weights.sum())

    def cosines(self) -> Floats:
        """The cosines of the angles between the items' symbols and the query's."""
        return np.asarray(np.cos(2 * np.pi / self.symbols * self.named))


@st.composite
def _asked(draw: st.DrawFn, *, last: bool) -> SymbolInput:
    """A drawn input; a third have one right item among wrong values and neighbouring symbols."""
    symbols, longest = draw(st.integers(2, 9)), draw(st.integers(1, 24))
    count = draw(st.sampled_from((longest, draw(st.integers(1, longest)))))
    place = draw(st.integers(0, count - 1))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    named, values = random.integers(0, symbols, count), random.integers(0, 3, count)
    if draw(st.integers(0, 2)) == 0:
        named, values = np.ones(count, dtype=np.int64), np.ones(count, dtype=np.int64)
        if last:
            named[place:] = 0
    named[place], values[place] = 0, 2
    if last:
        named[:place] = np.maximum(named[:place], 1)
    else:
        values[named == 0] = 2
    share = draw(st.sampled_from((Fraction(0), Fraction(63, 64), Fraction(1, 2))))
    return SymbolInput(symbols, longest, share, named, values, place)


def _most(case: SymbolInput, found: Floats) -> None:
    """Raise `Violation` unless the target's value, 2, has more than half of the attention."""
    drawing.require(
        found[2] > 0.5 + drawing.UNIT * 64,
        "half of the attention or less",
        found=found,
        **case.shown,
    )
    drawing.require(found[:2].max() < found[2], "another value has more", found=found, **case.shown)


@evidence("task.info-retrieval-head", "property", "attention on the values of drawn inputs")
def info_retrieval(how: Profile) -> Finding:
    """The value asked for has over half of the attention at the sufficient inverse temperature.

    That is ln(n_0 + 1) over the margin; no other value has as much.
    """

    def check(case: SymbolInput) -> None:
        kept = {"keys": case.symbols, "items": case.longest}
        enough = info_retrieval_temperature_enough(**kept, angle=case.theta).upper
        half, lags = (case.longest + 1) * case.theta / 2, np.arange(1, len(case.named) + 1)
        turned = 2 * np.pi / case.symbols * case.named + lags * case.theta - half
        beta = enough * _COLDER
        _most(case, case.masses(beta * np.cos(turned), -beta * math.cos(half)))

    domain = "2 to 9 symbols, up to 24 items, no rotation, half of or nearly the largest"
    return drawing.draw_cases(how, _asked(last=False), check, domain=domain)


@evidence("task.partial-induction-head", "property", "attention on the values of drawn inputs")
def partial_induction(how: Profile) -> Finding:
    """The symbol's last value has over half of the attention at the sufficient inverse temperature.

    That is ln(n_0 + 1) over the lead; no other value has as much.
    """

    def check(case: SymbolInput) -> None:
        size = sharp_symbol_amplitude(case.symbols).upper
        step = math.pi / (2 * (case.longest + 1))
        lags = np.arange(1, len(case.named) + 1)
        logits = size * case.cosines() + np.cos(step * lags + math.pi / 4)
        beta = partial_induction_temperature_enough(case.longest).upper * _COLDER
        _most(case, case.masses(beta * logits, beta * (math.cos(math.pi / 4) - size)))

    domain = "2 to 9 symbols, up to 24 items, a third of the inputs the worst ones"
    return drawing.draw_cases(how, _asked(last=True), check, domain=domain)


# -- built ---------------------------------------------------------------------------------


def _sets(
    runs: Runs[Any], vocabulary: task.KeyValueVocabulary, longest: int, *, last: bool
) -> Iterator[Integers]:
    """Random inputs of every number of items up to `longest`, and all inputs of two items."""
    for items in range(1, longest + 1):
        yield random_items(runs, vocabulary, (30, items), functional=not last)
    kept = {"keys": vocabulary.keys, "values": vocabulary.values, "items": 2}
    every = task.every_partial_induction_input if last else task.every_information_retrieval_input
    yield from every(**kept)


def _answers(head: LookupHead, prompts: Integers, right: Integers) -> Outcome | None:
    """None if the head decodes the right values with over half its attention, else the outcome."""
    assert head.directions is not None
    output = attention_of(head, head.embeddings[prompts])[1][:, -1]
    masses = output[:, [head.directions.place(value) for value in head.answers]]
    own = masses[np.arange(len(masses)), right]
    row = int(np.argmin(own))
    where = {"input": [head.tokens[token] for token in prompts[row]]}
    if not own[row] > 0.5:
        return wrong("attention on the right value", float(own[row]), 0.5, **where)
    found = head.decode_numbers(prompts)
    if not (found == right).all():
        return wrong("the answer", found.tolist(), right.tolist(), length=head.length)
    return None


def _checked(
    runs: Runs[Any], head: LookupHead, warm: LookupHead, claim: str
) -> tuple[Outcome | None, int]:
    """None if a head answers all inputs and cites its claim, and its warm version errs.

    Otherwise the outcome. The warm version has a hundredth of the inverse temperature. Also returns the
    number of inputs.
    """
    vocabulary = task.KeyValueVocabulary(keys=len(head.symbols), values=len(head.values))
    solve = task.solve_partial_induction if head.last else task.solve_information_retrieval
    if head.certificate.claim != claim:
        return wrong("the certificate's claim", head.certificate.claim, claim), 0
    if head.certificate.quantities["length"] != head.length:
        return wrong("length", head.certificate.quantities["length"], head.length), 0
    count = 0
    for prompts in _sets(runs, vocabulary, head.length - 1, last=head.last):
        right = vocabulary.value(solve(prompts, vocabulary)) - 1
        bad = _answers(head, prompts, right)
        count += len(prompts)
        if bad is not None:
            return bad, count
    prompt, answer = head.worst_input()
    if head.decode(prompt) != answer:
        return wrong("the worst input", prompt, answer), count
    prompt, answer = warm.worst_input()
    if warm.decode(prompt, beyond_guarantee=True) == answer:
        return blind("a hundredth of the inverse temperature", length=head.length), count
    return None, count


@evidence("task.info-retrieval-head", "construction", "inputs of every length up to its own")
def info_retrieval_built(how: Profile) -> Finding:
    """The head answers inputs of up to n_0 items at the sufficient inverse temperature.

    That is ln(n_0 + 1) over the margin. The inputs are random ones of each number of items, all of two
    items and its worst one; its certificate cites the claim. At a hundredth of that inverse temperature it
    errs.
    """
    choices = ((2, 6, 0), (4, 10, 0), (8, 12, 0), (4, 10, 0.05), (3, 8, 0.25))
    runs = Runs(how, "task.info-retrieval-head", choices)
    domain = "2 to 8 symbols, 3 values, up to 11 items, 30 inputs of each number of items"
    for keys, length, angle in runs:
        enough = info_retrieval_temperature_enough(keys=keys, items=length - 1, angle=angle)
        head, warm = (
            information_retrieval_head(
                keys, _VALUES, length, angle=angle, inverse_temperature=factor * enough.upper
            )
            for factor in (_COLDER, 0.01)
        )
        bad, _ = _checked(runs, head, warm, "task.info-retrieval-head")
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)


@evidence("task.partial-induction-head", "construction", "inputs of every length up to its own")
def partial_induction_built(how: Profile) -> Finding:
    """The head answers inputs of up to n_0 items at the sufficient inverse temperature.

    That is ln(n_0 + 1) over the lead. The inputs are random ones of each number of items, all of two
    items and its worst one; its certificate cites the claim. At a hundredth of that inverse temperature it
    errs.
    """
    runs = Runs(how, "task.partial-induction-head", ((2, 5), (3, 8), (5, 12)))
    domain = "2 to 5 symbols, 3 values, up to 11 items, 30 inputs of each number of items"
    for symbols, length in runs:
        enough = partial_induction_temperature_enough(length - 1).upper
        head, warm = (
            partial_induction_head(
                symbols, length, values=_VALUES, inverse_temperature=factor * enough
            )
            for factor in (_COLDER, 0.01)
        )
        bad, _ = _checked(runs, head, warm, "task.partial-induction-head")
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)
