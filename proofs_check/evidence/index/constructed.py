"""Construction evidence: index heads in PyTorch float64 against their certificates.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.index import IndexHead, index_head
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.task import NumberVocabulary, index_once
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import (
    APART,
    Runs,
    at_threshold,
    blind,
    logit_budget,
    once,
    run,
    wrong,
)
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_LETTERS = 3
_CHOICES: tuple[tuple[int, int, dict[str, Any]], ...] = (
    (5, 9, {}),
    (11, 12, {}),
    (16, 24, {}),
    (6, 12, {"spec": RopeSpec(16, 10000), "planes": "optimal"}),
    (7, 20, {"spec": RopeSpec(24, 500, rotary_dim=12, layout="half"), "planes": "optimal"}),
    (4, 10, {"spec": RopeSpec(8, 10000, scaling=Linear(2)), "planes": "one"}),
)
"""For each head the largest integer, the length, and the planes."""


def _made(choice: tuple[int, int, dict[str, Any]], **options: Any) -> IndexHead:
    integers, length, planes = choice
    return index_head(_LETTERS, integers, length, **{**planes, **options})


def _amplitudes(head: IndexHead) -> Floats:
    """The amplitude of every plane in logits, from the stored key and a letter's query."""
    spec = head.spec
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    query, key = head.w_q @ head.embeddings[0], head.w_k @ head.embeddings[0]
    sizes: Floats = (query[real] * key[real] + query[imaginary] * key[imaginary]) / np.sqrt(
        spec.head_dim
    )
    return sizes


def _all_queries(head: IndexHead) -> tuple[Floats, Integers]:
    """Inputs of one letter with each integer in range as the query, and the target of each."""
    back = np.array([lag for lag in head.lags.values() if lag < head.length])
    prompts = np.zeros((len(back), head.length), dtype=np.int64)
    prompts[:, -1] = _LETTERS - 1 + back
    return head.embeddings[prompts], head.length - 1 - back


@evidence("index.logit", "construction", "the logits of every integer")
def logit(how: Profile) -> Finding:
    """For every query the last row of logits is the sum of cosines around the query's target.

    A head whose queries of two integers are exchanged is detected.
    """
    runs = Runs(how, "index.logit", _CHOICES, drawn=False)
    made = once(_made)
    domain = "one plane and several, partial and scaled, lengths 9 to 24"
    for choice in runs:
        head = made(choice)
        x, targets = _all_queries(head)
        away = targets[:, np.newaxis] - np.arange(head.length)
        turns = away[..., np.newaxis] * frequencies_float64(head.spec)
        expected = np.cos(turns) @ _amplitudes(head)
        budget = logit_budget(head)
        off = float(np.abs(run(head, x)[0][:, -1] - expected).max())
        if not off <= budget:
            return Finding(wrong("logits are off by", off, budget, spec=head.spec), domain)
        queries = head.w_q.copy()
        places = [head.directions.place(name) for name in ("1", "2")] if head.directions else []
        queries[:, places] = queries[:, places[::-1]]
        seen = run(replace(head, w_q=queries), x)[0][:, -1]
        if float(np.abs(seen - expected).max()) <= APART * budget:
            return Finding(blind("exchanged queries", spec=head.spec), domain)
    return runs.finding(domain)


def _inputs(runs: Runs[Any], head: IndexHead, count: int) -> Integers:
    """Random inputs whose integers point to an earlier position; the query is always an integer."""
    most = np.minimum(np.arange(head.length), len(head.lags))
    integers = _LETTERS + runs.random.integers(0, np.maximum(most, 1), (count, head.length))
    letters = runs.random.integers(0, _LETTERS, (count, head.length))
    use = (runs.random.random((count, head.length)) < 0.4) & (most > 0)
    use[:, -1] = True
    return np.where(use, integers, letters)


@evidence("index.feasible", "construction", "Index of random and of the worst inputs")
def feasible(how: Profile) -> Finding:
    """At 40 times its inverse temperature a head answers Index with a decoding gap of 1.

    The gap is in the residual stream and may be smaller by four times the weight on other positions. With
    values half as large it is lost.
    """
    runs = Runs(how, "index.feasible", _CHOICES)
    made = once(_made)
    domain = "60 random inputs of letters and integers per head, and the worst one"
    cases = 0
    for choice in runs:
        cold = 40 * made(choice).inverse_temperature
        head = made(choice, inverse_temperature=cold)
        vocabulary = NumberVocabulary(letters=_LETTERS, integers=len(head.lags))
        worst, answer = head.worst_input()
        numbers = np.array([head.number(token) for token in worst])
        prompts = np.vstack((_inputs(runs, head, 60), numbers))
        expected = index_once(prompts, vocabulary)[:, -1]
        if expected[-1] != head.number(answer):
            return Finding(wrong("the worst input's answer", answer, expected[-1]), domain)
        assert head.directions is not None
        places = [head.directions.place(name) for name in head.answers]
        x = head.embeddings[prompts]
        stream = (run(head, x)[2] + x)[:, -1][:, places]
        every = np.arange(len(prompts))
        own = stream[every, expected].copy()
        stream[every, expected] = -np.inf
        gap, cases = float((own - stream.max(1)).min()), cases + len(prompts)
        left = 4 * (1 - head.certificate.quantities["weight"])
        if not gap >= 1 - left - 64 * UNIT * head.length:
            return Finding(wrong("gap", gap, "1", spec=head.spec), domain, cases)
        found = head.decode_numbers(prompts)
        if (found != expected).any():
            at = vocabulary.decode(prompts[int(np.argmax(found != expected))])
            return Finding(wrong("the answer on", at, "Index", spec=head.spec), domain, cases)
        weak = (run(replace(head, w_v=head.w_v / 2), x)[2] + x)[:, -1][:, places]
        tie = weak[every, expected] - weak[every, prompts[:, -1]]
        if float(tie[expected != prompts[:, -1]].max()) > 1e-6:
            return Finding(blind("values of 1", spec=head.spec), domain, cases)
    return Finding(runs.finding(domain).outcome, f"{domain}; seed {runs.seed!r}", cases)


@evidence("index.margin", "construction", "the margin of every integer")
def margin(how: Profile) -> Finding:
    """The least margin over all queries is the certified one.

    For one plane it is 1 - cos(2 pi/n) per unit amplitude; an angle that is a quarter larger per position
    has a smaller margin.
    """
    runs = Runs(how, "index.margin", _CHOICES, drawn=False)
    made = once(_made)
    domain = "one plane and several, partial and scaled, all queries"
    for choice in runs:
        head = made(choice)
        found, certified = _least_margin(head), head.certificate.quantities["margin"]
        budget = logit_budget(head)
        if not certified - budget <= found:
            return Finding(wrong("margin", found, certified, spec=head.spec), domain)
        one_turn = not choice[2]
        limit = 2 * np.sin(np.pi / head.length) ** 2 * head.inverse_temperature
        if one_turn and not abs(found - limit) <= budget:
            return Finding(wrong("margin", found, limit, spec=head.spec), domain)
        if one_turn:
            other = made(
                choice,
                angle=2.5 * np.pi / head.length,
                inverse_temperature=head.inverse_temperature,
            )
            if _least_margin(other) >= certified:
                return Finding(blind("another angle", spec=head.spec), domain)
    return runs.finding(domain)


def _least_margin(head: IndexHead) -> float:
    """The target's logit minus the largest other one, minimised over all integers and letters."""
    x, targets = _all_queries(head)
    rows = run(head, x)[0][:, -1]
    own = rows[np.arange(len(rows)), targets].copy()
    rows[np.arange(len(rows)), targets] = -np.inf
    letters = run(head, head.embeddings[np.zeros((1, head.length), dtype=np.int64)])[0][0, -1]
    return float(min((own - rows.max(1)).min(), letters[-1] - letters[:-1].max()))


@evidence("index.temperature", "construction", "just colder and just warmer than needed")
def temperature(how: Profile) -> Finding:
    """At 0.1% above the least inverse temperature a head decodes its worst input.

    In that input the target holds one letter and every other position another. At 0.1% below the least
    inverse temperature the head does not decode it.
    """
    runs = Runs(how, "index.temperature", _CHOICES, drawn=False)
    made = once(_made)
    domain = "the worst input of each head, 0.1% around its least inverse temperature"
    for choice in runs:
        bad = at_threshold(partial(made, choice))
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)
