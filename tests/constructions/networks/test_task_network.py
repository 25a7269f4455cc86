"""Composed networks: what they compute on every input, and on the data of the paper."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from task_networks import PLANES, TASKS, TYPES, drawn, indexed, retrieved, wild

from ropeproof.constructions.networks import compose
from ropeproof.constructions.rope import to_layout
from ropeproof.numerics.task import (
    every_letter_input,
    every_number_input,
    index_times,
    prepend_targets,
    retrieve_times,
    solve_number,
)


@pytest.fixture(scope="module", params=list(itertools.product(TASKS, PLANES)), ids="-".join)
def paper(request):
    """The network of the paper's sizes: 4 hops, 17 tokens."""
    task, planes = request.param
    return compose(task, planes=planes)


def every_sequence(tokens, length):
    return np.array(list(itertools.product(range(tokens), repeat=length)))


def every_functional(vocabulary, length):
    """Every sequence in which equal left letters are equal tokens, in the format or not."""
    tokens = np.arange(len(vocabulary))
    named = [tokens[vocabulary.left(tokens) == letter] for letter in range(vocabulary.letters)]
    places = every_sequence(vocabulary.letters, length)
    return np.concatenate([np.array(choice)[places] for choice in itertools.product(*named)])


@pytest.mark.parametrize("code", ["one-hot", "pairs"])
@pytest.mark.parametrize("planes", PLANES)
@pytest.mark.parametrize("hops", [1, 3])
def test_every_sequence_of_a_small_number_vocabulary(hops, planes, code):
    # Not only inputs of the format: letters and integers in any order, pointing anywhere.
    network = compose(
        "number", hops=hops, length=6, letters=2, integers=3, planes=planes, code=code
    )
    tokens = every_sequence(5, 6)
    expected, inside = indexed(network, tokens)
    assert len(tokens) == 15625
    assert inside.sum() > 10000
    for name, dtype in TYPES.items():
        assert network.certificates[name].quantities["length"] >= 6
        assert (network.decode(tokens[inside], dtype=dtype) == expected[inside]).all()


@pytest.mark.parametrize("planes", PLANES)
@pytest.mark.parametrize("hops", [1, 3])
def test_every_functional_sequence_of_a_small_letter_vocabulary(hops, planes):
    network = compose("letter", hops=hops, length=5, letters=3, digits=1, planes=planes)
    tokens = every_functional(network.plan.vocabulary, 5)
    expected, inside = retrieved(network, tokens)
    assert len(tokens) == 15552
    assert inside.sum() > 5000
    for name, dtype in TYPES.items():
        assert network.certificates[name].quantities["length"] >= 5
        assert (network.decode(tokens[inside], dtype=dtype) == expected[inside]).all()


def test_every_input_of_a_small_task_in_the_papers_format():
    network = compose("number", hops=5, length=6, letters=3, integers=5)
    for tokens in every_number_input(letters=3, integers=5, length=6):
        expected = solve_number(tokens, network.plan.vocabulary)
        assert (network.decode(tokens) == expected).all()
    network = compose("letter", hops=2, length=5, letters=4, digits=2)
    for tokens in every_letter_input(letters=4, digits=2, length=5):
        expected = retrieve_times(tokens, network.plan.vocabulary, 2)[:, -1]
        assert (network.decode(tokens) == expected).all()


def test_the_papers_data(paper):
    data = drawn(paper)
    for name, dtype in TYPES.items():
        if paper.certificates[name].quantities["length"] >= 17:
            assert (paper.decode(data.tokens, dtype=dtype) == data.answers).all()


def test_a_stack_of_r_heads_is_r_applications(paper):
    data = drawn(paper, 2000, seed=3)
    network = compose(paper.task, hops=2)
    times = index_times if paper.task == "number" else retrieve_times
    expected = times(data.tokens, data.vocabulary, 2)[:, -1]
    assert (expected != data.answers).mean() > 0.3
    assert (network.decode(data.tokens) == expected).all()


def test_the_papers_examples():
    number = compose("number", length=10, letters=3, integers=4)
    text = number.plan.vocabulary.encode(["C B A 1 4 1 3 2 1"])
    assert number.plan.vocabulary.decode(number.decode(text)) == "C"
    letter = compose("letter", letters=9, digits=3)
    text = letter.plan.vocabulary.encode(["C2 B1 A3 FA EC DE HF GD IG"])
    assert letter.plan.vocabulary.decode(letter.decode(text)) == "C2"


@pytest.mark.parametrize("planes", PLANES)
def test_the_letter_network_goes_on_at_length(planes):
    network = compose("letter", planes=planes)
    data = prepend_targets(drawn(network, 200), length=300, seed=0)
    assert network.certificates["float32"].quantities["length"] >= 300
    assert (network.decode(data.tokens, dtype=torch.float32) == data.answers).all()


def test_the_layout_does_not_matter():
    network = compose("number", hops=2, length=8, letters=4, planes="several")
    other = replace(network, heads=tuple(to_layout(h, "interleaved") for h in network.heads))
    tokens = torch.from_numpy(wild(network, 8, 50))
    left, right = (n.to_module()(tokens) for n in (network, other))
    assert (left - right).abs().max() < 1e-12
    assert network.bound().gap == pytest.approx(other.bound().gap, abs=1e-12)


def test_decode_is_the_modules_last_row(paper):
    tokens = wild(paper, 17, 40)
    module = paper.to_module()
    full = module(torch.from_numpy(tokens))
    last = module.last(torch.from_numpy(tokens))
    assert full.shape == (80, 17, paper.plan.tokens)
    assert (full[:, -1] - last).abs().max() < 1e-12
    seen = []
    answers = paper.decode(
        torch.from_numpy(tokens), rows=33, progress=seen.append, beyond_guarantee=True
    )
    assert (answers == last.argmax(-1).numpy()).all()
    assert seen == [33, 66, 80]
