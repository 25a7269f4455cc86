"""Construction evidence: retrieval heads in PyTorch float64 against their certificates.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.retrieval import RetrievalHead, retrieval_head
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.task import LetterVocabulary, every_letter_input, retrieve_once
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.retrieval.inputs import functional
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
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_CHOICES: tuple[tuple[int, int, dict[str, Any]], ...] = (
    (3, 6, {}),
    (5, 12, {}),
    (4, 10, {"angle": 0.05}),
    (3, 8, {"angle": 0.15}),
    (4, 9, {"spec": RopeSpec(8, 10000, rotary_dim=4)}),
    (4, 9, {"spec": RopeSpec(64, 10000, layout="interleaved")}),
)
"""For each head the number of letters, the length, and the plane on which they rotate."""


def _made(choice: tuple[int, int, dict[str, Any]], **options: Any) -> RetrievalHead:
    letters, length, plane = choice
    return retrieval_head(letters, length, **{**plane, **options})


def _one_letter_more(choice: tuple[int, int, dict[str, Any]], **options: Any) -> RetrievalHead:
    letters, length, _ = choice
    return retrieval_head(letters + 1, length, **options)


def _drawn(runs: Runs[Any], head: RetrievalHead, count: int) -> tuple[Integers, Integers]:
    """Random functional inputs and their answers, as the head's token numbers."""
    vocabulary = LetterVocabulary(letters=len(head.letters), digits=1)
    rows = [functional(runs.random, vocabulary, head.length) for _ in range(count)]
    tokens = np.array(rows)
    return _numbers(head, vocabulary, tokens)


def _numbers(
    head: RetrievalHead, vocabulary: LetterVocabulary, tokens: Integers
) -> tuple[Integers, Integers]:
    """Inputs and their answers by Retrieval, converted to the head's token numbers."""
    of = np.array([head.number(name) for name in vocabulary.names])
    return of[tokens], of[retrieve_once(tokens, vocabulary)[:, -1]]


def _expected(head: RetrievalHead, prompts: Integers) -> Floats:
    """The expected last row of logits: `beta cos((phi_j - phi_query) omega + (n - j) theta)`."""
    place = {letter: number for number, letter in enumerate(head.letters)}
    left = np.array([place[head.pairs[token][0]] for token in head.tokens])
    asked = np.array([place[head.wanted(token)] for token in head.tokens])
    steps = left[prompts] - asked[prompts[:, -1:]]
    theta = float(frequencies_float64(head.spec).min())
    lags = np.arange(head.length)[::-1]
    result: Floats = head.inverse_temperature * np.cos(
        steps * (2 * np.pi / len(place)) + lags * theta
    )
    return result


@evidence("retrieval.logit", "construction", "the last rows of random inputs")
def logit(how: Profile) -> Finding:
    """The last row of logits is beta times the cosine of the steps between letters and of the lag.

    A head whose keys of two letters are exchanged is detected.
    """
    runs = Runs(how, "retrieval.logit", _CHOICES)
    made = once(_made)
    domain = "planes at rest and turning, partial too, 40 functional inputs each"
    for choice in runs:
        head = made(choice)
        prompts, _ = _drawn(runs, head, 40)
        expected, budget = _expected(head, prompts), logit_budget(head)
        off = float(np.abs(run(head, head.embeddings[prompts])[0][:, -1] - expected).max())
        if not off <= budget:
            return Finding(wrong("logits are off by", off, budget, spec=head.spec), domain)
        keys = head.w_k.copy()
        first, second = (head.number(f"{letter}1") for letter in "AB")
        keys[:, [first, second]] = keys[:, [second, first]]
        prompts[:, 0] = first
        seen = run(replace(head, w_k=keys), head.embeddings[prompts])[0][:, -1]
        if float(np.abs(seen - _expected(head, prompts)).max()) <= APART * budget:
            return Finding(blind("exchanged keys", spec=head.spec), domain)
    return runs.finding(domain)


@evidence("retrieval.feasible", "construction", "Retrieval of every small input")
def feasible(how: Profile) -> Finding:
    """Heads answer every functional input of 3 letters and up to 5 tokens.

    They also answer random inputs of their length and their worst one; with the residual stream added
    they do not.
    """
    runs = Runs(how, "retrieval.feasible", _CHOICES)
    made = once(_made)
    domain = "all inputs of 3 letters and 3 to 5 tokens, 60 random ones per head, the worst ones"
    cases = 0
    for choice in runs:
        head = made(choice)
        vocabulary = LetterVocabulary(letters=len(head.letters), digits=1)
        sets = [_drawn(runs, head, 60)]
        if len(head.letters) == 3:
            for length in (3, 4, 5):
                parts = every_letter_input(letters=3, digits=1, length=length)
                sets += [_numbers(head, vocabulary, part) for part in parts]
        for prompts, answers in sets:
            cases += len(prompts)
            found = head.decode_numbers(prompts)
            if (found != answers).any():
                at = [head.tokens[t] for t in prompts[int(np.argmax(found != answers))]]
                return Finding(wrong("the answer on", at, "Retrieval"), domain, cases)
        prompt, answer = head.worst_input()
        if head.decode(prompt) != answer:
            return Finding(wrong("the worst input", prompt, answer), domain, cases)
        prompts, answers = sets[0]
        kept = replace(head, residual=True).decode_numbers(prompts, beyond_guarantee=True)
        if (kept == answers).all():
            return Finding(blind("the residual added", spec=head.spec), domain, cases)
    return Finding(runs.finding(domain).outcome, f"{domain}; seed {runs.seed!r}", cases)


@evidence("retrieval.margin", "construction", "the margin of random inputs and of the worst")
def margin(how: Profile) -> Finding:
    """No input has a smaller margin than the certified one, the closed form per unit amplitude.

    The worst input of one plane attains it, and a head of more letters has a smaller margin.
    """
    runs = Runs(how, "retrieval.margin", _CHOICES)
    made, larger = once(_made), once(_one_letter_more)
    domain = "planes at rest and turning, 60 functional inputs each and the nearest competitor"
    for choice in runs:
        head = made(choice)
        certified, budget = head.certificate.quantities["margin"], logit_budget(head)
        omega, theta = 2 * np.pi / choice[0], float(frequencies_float64(head.spec).min())
        # The query's own pair may ask for itself, at the lag 0: claims are about letters asked for.
        closed = 2 * np.sin((omega - theta) / 2)
        closed *= head.inverse_temperature * np.sin((omega - (2 * head.length - 3) * theta) / 2)
        prompts, _ = _drawn(runs, head, 60)
        nearest = _nearest(head)
        found = _least_margin(head, np.vstack((prompts, nearest)))
        if not certified - budget <= found:
            return Finding(wrong("margin", found, certified, spec=head.spec), domain)
        tight = _least_margin(head, nearest[np.newaxis])
        if not abs(tight - closed) <= budget:
            return Finding(wrong("worst margin", tight, closed, spec=head.spec), domain)
        beta = head.inverse_temperature
        more = larger(choice, inverse_temperature=beta)
        if _least_margin(more, _nearest(more)[np.newaxis]) >= closed - budget and theta == 0:
            return Finding(blind("one letter more", spec=head.spec), domain)
    return runs.finding(domain)


def _nearest(head: RetrievalHead) -> Integers:
    """The worst input: letter B, queried, at lag n - 2 and its neighbour A at lag n - 1.

    The token C asks for B and stands at all other positions.
    """
    prompt = [head.number("CB")] * head.length
    prompt[:2] = head.number("A1"), head.number("B1")
    return np.array(prompt)


def _least_margin(head: RetrievalHead, prompts: Integers) -> float:
    """The least gap between the best logit of a queried token and that of all others."""
    rows = run(head, head.embeddings[prompts])[0][:, -1]
    left = np.array([head.pairs[token][0] for token in head.tokens])
    asked = np.array([head.wanted(token) for token in head.tokens])
    right = left[prompts] == asked[prompts[:, -1]][:, np.newaxis]
    own = np.where(right, rows, -np.inf).max(1)
    others = np.where(right, -np.inf, rows).max(1)
    return float((own - others).min())


@evidence("retrieval.temperature", "construction", "just colder and just warmer than needed")
def temperature(how: Profile) -> Finding:
    """At 0.1% above the least inverse temperature a head decodes its worst input, and not below.

    Above it, every smaller length is certified as well.
    """
    runs = Runs(how, "retrieval.temperature", _CHOICES, drawn=False)
    made = once(_made)
    domain = "the worst input of each head, 0.1% around its least inverse temperature"
    for choice in runs:
        bad = at_threshold(partial(made, choice))
        if bad is not None:
            return Finding(bad, domain)
        if not choice[2]:
            least = made(choice).least_inverse_temperature
            omega = 2 * np.pi / choice[0]
            needed = np.log(choice[1] - 1) / (1 - np.cos(omega))
            if not abs(least / needed - 1) <= 1e-3:
                return Finding(wrong("least temperature", least, needed), domain)
    return runs.finding(domain)
