"""Construction evidence: lookup heads in PyTorch float64 against their certificates.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.index import absolute_index_head, angles_spec
from ropeproof.constructions.heads.partial_induction import partial_induction_head
from ropeproof.constructions.heads.retrieval import information_retrieval_head
from ropeproof.constructions.heads.retrieval.lookup import LookupHead, lookup
from ropeproof.constructions.heads.retrieval.temperature import least_temperature
from ropeproof.numerics import task
from ropeproof.numerics.bounds import partial_induction
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import Runs, attention_of, blind, logits_of, wrong
from ropeproof.proofs_check.evidence.task.lookup import random_items
from ropeproof.proofs_check.kernel.outcome import Outcome
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_VALUES = ("1", "2", "3")


def _rounding(head: Any) -> float:
    return float(UNIT * head.certificate.quantities["amplitude"] * 64 * (head.length + 8))


def _answered(head: Any, prompts: Integers, expected: Integers) -> Outcome | None:
    """None if a head gives the expected answers, else the outcome."""
    found = head.decode_numbers(prompts)
    if (found == expected).all():
        return None
    row = int(np.argmax(found != expected))
    at = [head.tokens[token] for token in prompts[row]]
    pair = head.answers[found[row]], head.answers[expected[row]]
    return wrong("the answer", *pair, input=at)


def _edge(made: Any, least: float) -> Outcome | None:
    """None if the worst input is answered 0.1% above an inverse temperature and not 0.1% below."""
    cold, warm = made(1.001 * least), made(0.999 * least)
    if cold.certificate.quantities["length"] != cold.length:
        return wrong("certified length", cold.certificate.quantities["length"], cold.length)
    prompt, answer = cold.worst_input()
    if cold.decode(prompt, beyond_guarantee=True) != answer:  # the answer is judged here
        return wrong("the worst input", prompt, answer)
    prompt, answer = warm.worst_input()
    if warm.decode(prompt, beyond_guarantee=True) == answer:
        return blind("a thousandth less", length=warm.length)
    return None


@evidence("task.absolute-index", "construction", "every index of random and of the worst inputs")
def absolute_index(how: Profile) -> Finding:
    """The head answers every index of random inputs and its worst one.

    Its margin is 1 - cos(pi/n) per unit amplitude, and 0.1% below the least inverse temperature it fails.
    """
    runs = Runs(how, "task.absolute-index", (4, 7, 12, 20))
    domain = "3 symbols, 4 to 20 positions, every index of 40 inputs"
    for length in runs:
        head = absolute_index_head(3, length)
        vocabulary = task.IndexVocabulary(symbols=3, indices=length)
        symbols = runs.random.integers(0, 3, (40, length))
        prompts = np.concatenate(
            [np.column_stack((symbols, np.full(40, 3 + index))) for index in range(length)]
        )
        bad = _answered(head, prompts, task.solve_index(prompts, vocabulary))
        if bad is not None:
            return Finding(bad, domain)
        rows = logits_of(head, head.embeddings[prompts[::40]])[:, -1, :-1]
        own = rows.diagonal().copy()
        np.fill_diagonal(rows, -np.inf)
        found = float((own - rows.max(1)).min())
        claimed = partial_induction.absolute_index_margin(length).upper * head.inverse_temperature
        if not abs(found - claimed) <= _rounding(head):
            return Finding(wrong("margin", found, claimed, length=length), domain)

        def made(beta: float, length: int = length) -> Any:
            return absolute_index_head(3, length, inverse_temperature=beta)

        bad = _edge(made, head.least_inverse_temperature)
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)


def _values(vocabulary: task.KeyValueVocabulary, answers: Integers) -> Integers:
    """Answers as indices among the values, from 0."""
    return vocabulary.value(answers) - 1


@evidence("task.info-retrieval", "construction", "random functional items, and the worst ones")
def info_retrieval(how: Profile) -> Finding:
    """The head answers random functional inputs and its worst one.

    Its margin is that over all lags, without rotation 1 - cos(2 pi/r); 0.1% below the least inverse
    temperature it fails.
    """
    choices = ((2, 6, 0), (4, 10, 0), (8, 12, 0), (4, 10, 0.05))
    runs = Runs(how, "task.info-retrieval", choices)
    domain = "2 to 8 keys, 3 values, 6 to 12 tokens, 60 inputs each"
    for keys, length, angle in runs:
        head = information_retrieval_head(keys, _VALUES, length, angle=angle)
        vocabulary = task.KeyValueVocabulary(keys=keys, values=len(_VALUES))
        prompts = random_items(runs, vocabulary, (60, length - 1), functional=True)
        answers = _values(vocabulary, task.solve_information_retrieval(prompts, vocabulary))
        bad = _answered(head, prompts, answers)
        if bad is not None:
            return Finding(bad, domain)
        earlier, others = _leads(head, vocabulary, prompts)
        # Candidates are the items alone, `length - 1` of them around their middle.
        claimed = partial_induction.info_retrieval_margin(keys=keys, length=length - 1, angle=angle)
        least = claimed.lower * head.inverse_temperature - _rounding(head)
        if not others >= least:
            return Finding(wrong("margin", others, least, keys=keys), domain)
        if angle == 0 and not abs(earlier) <= _rounding(head):
            return Finding(wrong("lead over copies", earlier, 0.0, keys=keys), domain)
        certified = head.certificate.quantities["margin"]
        if not abs(certified - claimed.lower * head.inverse_temperature) <= 1e-9 * certified:
            return Finding(wrong("certified margin", certified, claimed, keys=keys), domain)

        def made(beta: float, which: tuple[int, int, float] = (keys, length, angle)) -> Any:
            return information_retrieval_head(
                which[0], _VALUES, which[1], angle=which[2], inverse_temperature=beta
            )

        bad = _edge(made, head.least_inverse_temperature)
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)


def _leads(
    head: LookupHead, vocabulary: task.KeyValueVocabulary, prompts: Integers
) -> tuple[float, float]:
    """The least leads of the last occurrence over earlier ones and other symbols, in logits."""
    rows = logits_of(head, head.embeddings[prompts])[:, -1, :-1]
    named = vocabulary.key(prompts[:, :-1]) == vocabulary.key(prompts[:, -1:])
    last = named.shape[1] - 1 - np.argmax(named[:, ::-1], axis=1)
    every = np.arange(len(rows))
    own = rows[every, last]
    earlier = np.where(named, rows, -np.inf)
    earlier[every, last] = -np.inf
    others = np.where(named, -np.inf, rows)
    return float((own - earlier.max(1)).min()), float((own - others.max(1)).min())


@evidence(
    "task.partial-induction-sharp", "construction", "random items, all small inputs, the worst"
)
def sharp(how: Profile) -> Finding:
    """The head answers with the last occurrence on every input tried.

    These are all inputs of 2 symbols, random ones and its worst one. The last occurrence leads earlier ones
    by beta sqrt(2) sin(pi/4n) and other symbols by beta. Without the recency plane, or 0.1% below the least
    inverse temperature, the head fails.
    """
    runs = Runs(how, "task.partial-induction-sharp", ((2, 5), (3, 8), (5, 12), (2, 24)))
    domain = "2 to 5 symbols, 3 values, 5 to 24 tokens, 60 inputs each; all of 2 symbols, 5 tokens"
    for symbols, length in runs:
        head = partial_induction_head(symbols, length, values=_VALUES)
        vocabulary = task.KeyValueVocabulary(keys=symbols, values=len(_VALUES))
        sets = [random_items(runs, vocabulary, (60, length - 1), functional=False)]
        if length == 5:
            sets += task.every_partial_induction_input(keys=2, values=3, items=4)
        for prompts in sets:
            answers = _values(vocabulary, task.solve_partial_induction(prompts, vocabulary))
            bad = _answered(head, prompts, answers)
            if bad is not None:
                return Finding(bad, domain)
            earlier, others = _leads(head, vocabulary, prompts)
            beta, rounding = head.inverse_temperature, _rounding(head)
            least = partial_induction.sharp_recency(length).lower * beta - rounding
            if not (earlier >= least and others >= beta - rounding):
                where = {"symbols": symbols, "length": length}
                return Finding(wrong("leads", (earlier, others), (least, beta), **where), domain)
        if not _silenced_errs(head, 0, vocabulary, sets[0]):
            return Finding(blind("no recency plane", symbols=symbols), domain)

        def made(beta: float, which: tuple[int, int] = (symbols, length)) -> Any:
            return partial_induction_head(*which, values=_VALUES, inverse_temperature=beta)

        bad = _edge(made, head.least_inverse_temperature)
        if bad is not None:
            return Finding(bad, domain)
    return runs.finding(domain)


def _silenced(head: LookupHead, plane: int) -> LookupHead:
    """The head with its query set to 0 on one plane."""
    w_q = head.w_q.copy()
    w_q[list(head.spec.plane_coordinates()[plane])] = 0
    return replace(head, w_q=w_q)


def _silenced_errs(
    head: LookupHead, plane: int, vocabulary: task.KeyValueVocabulary, prompts: Integers
) -> bool:
    answers = _values(vocabulary, task.solve_partial_induction(prompts, vocabulary))
    return bool(
        (_silenced(head, plane).decode_numbers(prompts, beyond_guarantee=True) != answers).any()
    )


def _printed(symbols: int, length: int) -> LookupHead:
    """The paper's construction: one unrotated plane and one below 2 pi/(n |Sigma|), of amplitude 1.

    It is scaled as repeated symbols require (`task.printed-scale`).
    """
    angle = 0.9 * 2 * math.pi / (length * symbols)
    spec = angles_spec([angle], unrotated=1)
    names = tuple(chr(65 + number) for number in range(symbols))

    def made(beta: float) -> LookupHead:
        amplitudes, still = np.array([beta, beta]), np.zeros(2)
        return lookup(spec, amplitudes, still, 1, names, _VALUES, length, beta, last=True)

    return least_temperature(made, None, got=angle)


@evidence("task.partial-induction", "construction", "one plane at rest and one slow plane")
def printed(how: Profile) -> Finding:
    """The paper's head of two planes answers random inputs and its worst with the last occurrence.

    That occurrence leads in every row; with either plane alone the head errs.
    """
    runs = Runs(how, "task.partial-induction", ((2, 5), (3, 6), (4, 8)))
    domain = "2 to 4 symbols, 3 values, 5 to 8 tokens, 60 inputs each"
    for symbols, length in runs:
        head = _printed(symbols, length)
        vocabulary = task.KeyValueVocabulary(keys=symbols, values=len(_VALUES))
        prompts = random_items(runs, vocabulary, (60, length - 1), functional=False)
        answers = _values(vocabulary, task.solve_partial_induction(prompts, vocabulary))
        bad = _answered(head, prompts, answers)
        if bad is not None:
            return Finding(bad, domain)
        leads = _leads(head, vocabulary, prompts)
        if not min(leads) >= head.certificate.quantities["margin"] - _rounding(head) > 0:
            margin = head.certificate.quantities["margin"]
            return Finding(wrong("leads", leads, margin, symbols=symbols), domain)
        prompt, answer = head.worst_input()
        if head.decode(prompt) != answer:
            return Finding(wrong("the worst input", prompt, answer), domain)
        for plane in (0, 1):
            if not _silenced_errs(head, plane, vocabulary, prompts):
                return Finding(blind("one plane alone", plane=plane), domain)
    return runs.finding(domain)


@evidence("task.partial-induction-needs-both", "construction", "the head without either plane")
def needs_both(how: Profile) -> Finding:
    """The head with both planes answers two pairs of inputs; with either plane alone it cannot.

    Without recency it gives the same answer to two orders of the same items, without symbols to the same
    values of another symbol.
    """
    runs = Runs(how, "task.partial-induction-needs-both", ((2, 3), (3, 5), (4, 9)), drawn=False)
    domain = "2 to 4 symbols, 3 to 9 tokens"
    for symbols, length in runs:
        head = partial_induction_head(symbols, length, values=_VALUES)
        rest = ["B:3"] * (length - 3)
        orders = [*rest, "A:1", "A:2", "A?"], [*rest, "A:2", "A:1", "A?"]
        places = [*rest, "A:1", "B:2", "A?"], [*rest, "B:1", "A:2", "A?"]
        for pair, plane, right in ((orders, 0, ("2", "1")), (places, 1, ("1", "2"))):
            found = tuple(head.decode(prompt, beyond_guarantee=True) for prompt in pair)
            if found != right:
                return Finding(wrong("the whole head", found, right, length=length), domain)
            pure = _silenced(head, plane)
            x = np.array([[head.embeddings[head.number(t)] for t in prompt] for prompt in pair])
            outputs = attention_of(pure, x)[1][:, -1]
            apart = np.abs(outputs[0] - outputs[1])
            if plane == 1:
                # Values alone: the places of the values are the same in both inputs.
                assert head.directions is not None
                apart = apart[[head.directions.place(value) for value in head.answers]]
            if not apart.max() <= _rounding(head):
                return Finding(wrong("outputs differ by", float(apart.max()), 0.0), domain)
            alone = tuple(pure.decode(prompt, beyond_guarantee=True) for prompt in pair)
            if alone == right:
                return Finding(blind("one plane alone", plane=plane), domain)
    return runs.finding(domain)
