"""Partial induction heads: the last occurrence wins on every input, and neither plane does alone."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.heads.partial_induction import partial_induction_head, symbol_amplitude
from ropeproof.numerics.bounds.partial_induction import partial_induction_temperature_enough
from ropeproof.theory.errors import InvalidArgument


def every_input(head, length):
    """All items before every query whose symbol occurs, and the value of its last occurrence."""
    items = [token for token in head.tokens if ":" in token]
    prompts, answers = [], []
    for prompt in itertools.product(items, repeat=length - 1):
        for wanted in {item.split(":")[0] for item in prompt}:
            last = [item for item in prompt if item.split(":")[0] == wanted][-1]
            prompts.append([head.number(token) for token in (*prompt, f"{wanted}?")])
            answers.append(head.values.index(last.split(":")[1]))
    return np.array(prompts), np.array(answers)


def drawn_inputs(head, length, count, seed=0):
    rng = np.random.default_rng(seed)
    prompts, answers = [], []
    for _ in range(count):
        symbols = rng.integers(0, rng.integers(1, len(head.symbols)) + 1, length - 1)
        values = rng.integers(0, len(head.values), length - 1)
        wanted = rng.choice(symbols)
        prompts.append(
            [
                *(
                    head.number(f"{head.symbols[s]}:{head.values[v]}")
                    for s, v in zip(symbols, values, strict=True)
                ),
                head.number(f"{head.symbols[wanted]}?"),
            ]
        )
        answers.append(values[np.flatnonzero(symbols == wanted)[-1]])
    return np.array(prompts), np.array(answers)


def test_a_head_as_cold_as_the_claim_asks_cites_it():
    enough = partial_induction_temperature_enough(11).upper
    for factor, claim in ((1.0, "sharp"), (1 + 1e-12, "head")):
        head = partial_induction_head(3, 12, inverse_temperature=factor * enough)
        assert head.certificate.claim == f"task.partial-induction-{claim}"
    assert head.certificate.quantities["weight"] > 0.5
    weak = 2.42 / (1 - np.cos(2 * np.pi / 3)), 2.41 / (1 - np.cos(2 * np.pi / 3))
    for amplitude, claim in zip(weak, ("head", "sharp"), strict=True):
        head = partial_induction_head(
            3, 12, amplitude=float(amplitude), inverse_temperature=2 * enough
        )
        assert head.certificate.claim == f"task.partial-induction-{claim}"


@pytest.mark.parametrize(("symbols", "values", "length"), [(2, 2, 5), (3, 2, 4), (2, 3, 4)])
def test_every_input_of_a_small_task_decodes(symbols, values, length):
    head = partial_induction_head(symbols, length, values=values)
    claims = ("task.partial-induction-sharp", "task.partial-induction-head")
    assert head.certificate.claim == claims[head.inverse_temperature > head.enough]
    for name in ARITHMETICS:
        size = head.certificates[name].quantities["length"]
        assert size == length or name == "bfloat16"
        if size >= 2:
            prompts, answers = every_input(head, size)
            assert (head.decode_numbers(prompts, arithmetic=name) == answers).all()


@pytest.mark.parametrize("length", [10, 40])
@pytest.mark.parametrize("symbols", [2, 4, 9])
def test_drawn_inputs_decode(symbols, length):
    head = partial_induction_head(symbols, length)
    prompts, answers = drawn_inputs(head, length, 150)
    for name in ("float64", "float32"):
        assert head.certificates[name].quantities["length"] == length
        assert (head.decode_numbers(prompts, arithmetic=name) == answers).all()


@pytest.mark.parametrize("length", [2, 3, 5, 20, 100])
@pytest.mark.parametrize("symbols", [2, 3, 8])
def test_the_margin_is_at_least_the_claims(symbols, length):
    head = partial_induction_head(symbols, length)
    margin = head.certificate.quantities["margin"] / head.inverse_temperature
    assert margin >= math.sqrt(2) * math.sin(math.pi / (4 * length)) * (1 - 1e-9)
    # By the cosines themselves: neighbours in the recency plane, and the other symbols.
    theta, strength = math.pi / (2 * length), symbol_amplitude(symbols)
    recency = np.cos(theta * np.arange(length) + math.pi / 4)
    same = (recency[1:-1] - recency[2:]).min(initial=math.inf)
    fall = strength * (1 - math.cos(2 * math.pi / symbols))
    other = min(
        (
            fall + a - b
            for i, a in enumerate(recency[1:])
            for j, b in enumerate(recency[1:])
            if i != j
        ),
        default=math.inf,
    )
    itself = 2 * strength + recency[-1] - recency[0]
    assert margin == pytest.approx(min(same, other, itself), rel=1e-6)
    assert other >= 1
    assert itself >= 1


def test_the_margin_is_the_measured_one():
    head = partial_induction_head(3, 12)
    module, gaps = head.to_module(), []
    for wanted in head.symbols:
        rows = []
        for symbol in head.symbols:
            prompt = [head.number(f"{symbol}:0")] * 11 + [head.number(f"{wanted}?")]
            with torch.no_grad():
                rows.append(module.logits(torch.from_numpy(head.embeddings[prompt]))[-1].numpy())
        own = rows[head.symbols.index(wanted)]
        for place in range(11):
            gaps.append(own[place] - max(row[-1] for row in rows))
            gaps.extend(own[place] - own[:place])
            for row in rows:
                if row is not own:
                    gaps.extend(own[place] - np.delete(row[:-1], place))
    measured = min(gaps)
    margin = head.certificate.quantities["margin"]
    assert margin == pytest.approx(measured, rel=1e-8)
    assert margin <= measured + 1e-10


@pytest.mark.parametrize("length", [4, 6, 30])
@pytest.mark.parametrize("symbols", [2, 5])
def test_the_least_inverse_temperature_is_sharp(symbols, length):
    least = partial_induction_head(symbols, length).least_inverse_temperature
    for factor, works in ((0.999, False), (1.001, True)):
        head = partial_induction_head(symbols, length, inverse_temperature=factor * least)
        prompt, answer = head.worst_input()
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is works
        assert head.bound().decodes is works


def test_the_certified_length_is_the_last_one():
    head = partial_induction_head(3, 10)
    longest = head.decode_length(most=200)
    assert 10 < longest < 200
    for size in (10, longest, longest + 1):
        prompt, answer = head.worst_input(size)
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is (size <= longest)


def test_neither_plane_does_it_alone():
    """Claim task.partial-induction-needs-both: one plane's share of queries and keys removed."""
    head = partial_induction_head(2, 5)
    prompts, answers = every_input(head, 5)
    for plane in (0, 1):
        keys = head.w_k.copy()
        keys[list(head.spec.plane_coordinates()[plane])] = 0
        alone = replace(head, w_k=keys)
        assert (alone.decode_numbers(prompts, beyond_guarantee=True) != answers).any()
        assert alone.certified().certificate.quantities["length"] < 5


def test_a_weak_symbol_plane_is_refused_or_sees_another_symbol_win():
    with pytest.raises(InvalidArgument, match=r"amplitude: got 0\.2, .* every target wins"):
        partial_induction_head(4, 12, amplitude=0.2)
    strong = partial_induction_head(4, 12, amplitude=3)
    assert strong.certificate.quantities["length"] == 12


def test_a_weak_head_is_seen():
    head = partial_induction_head(2, 5)
    prompts, answers = every_input(head, 5)
    weak = replace(head, w_q=head.w_q / 4)
    assert (weak.decode_numbers(prompts, beyond_guarantee=True) != answers).any()
    assert weak.certified().certificate.quantities["length"] < 5


def test_the_query_does_not_answer_itself():
    """Its own key points away from its symbol; with a key that matches, it keeps the weight."""
    head = partial_induction_head(2, 6)
    assert head.directions is not None
    keys = head.w_k.copy()
    for symbol in head.symbols:
        place, own = (head.directions.place(f"{k} {symbol}") for k in ("query", "key"))
        keys[:, place] = keys[:, own]
    loud = replace(head, w_k=keys)
    prompt = [head.number(token) for token in ("A:0", "B:1", "A:1", "A?")]
    x = torch.from_numpy(head.embeddings[[prompt]])
    with torch.no_grad():
        quiet_row, loud_row = (
            h.to_module()(x, return_attention=True)[1][0, -1] for h in (head, loud)
        )
    assert quiet_row.argmax() == 2
    assert loud_row.argmax() == 3
    assert loud.bound().margin < 0


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("symbols", lambda: partial_induction_head(1, 5)),
        ("symbols", lambda: partial_induction_head("ab", 5)),
        ("symbols", lambda: symbol_amplitude(1)),
        ("length", lambda: partial_induction_head(2, 1)),
        ("values", lambda: partial_induction_head(2, 5, values=["x", "x"])),
        ("amplitude", lambda: partial_induction_head(2, 5, amplitude=0)),
        ("amplitude", lambda: partial_induction_head(2, 5, amplitude=math.inf)),
        ("inverse_temperature", lambda: partial_induction_head(2, 5, inverse_temperature=True)),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument
