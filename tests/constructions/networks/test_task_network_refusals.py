"""What composed networks refuse by name, and what cannot be written into them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from ropeproof.constructions.networks import AttentionNetwork, compose
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "numbers"}, "task: got 'numbers', allowed: 'number' or 'letter'"),
        ({"hops": 0}, "hops: got 0, allowed: an integer >= 1"),
        ({"hops": True}, "hops: got True, allowed: an integer >= 1"),
        ({"length": 1}, "length: got 1, allowed: an integer >= 2"),
        ({"letters": 1}, "letters: got 1, allowed: an integer >= 2"),
        ({"integers": 0}, "integers: got 0, allowed: an integer >= 1"),
        ({"digits": 3}, "digits: got 3, allowed: None for the number task"),
        ({"code": "binary"}, "code: got 'binary', allowed: 'one-hot' or 'pairs'"),
        ({"planes": 1}, "planes: got 1, allowed: 'one' or 'several'"),
        ({"spec": 128}, "spec: got 128, allowed: a RopeSpec or None"),
        ({"inverse_temperature": 0}, "inverse_temperature: got 0, allowed: a number > 0"),
        ({"inverse_temperature": math.nan}, "inverse_temperature: got nan, allowed: a finite"),
        ({"task": "letter", "integers": 3}, "integers: got 3, allowed: its default for the letter"),
        ({"task": "letter", "code": "pairs"}, "code: got 'pairs', allowed: its default for the"),
        ({"task": "letter", "digits": 0}, "digits: got 0, allowed: an integer >= 1"),
        (
            {"task": "letter", "planes": "several", "letters": 9, "spec": RopeSpec(8, 100)},
            "letters: got 9, allowed: at most head_dim, 8",
        ),
        (
            # 355 times the angle 2 is almost a multiple of 2 pi; no other plane is fast enough.
            {"task": "letter", "spec": RopeSpec(2, 100)},
            "spec: got 'a margin of",
        ),
    ],
)
def test_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(InvalidArgument) as caught:
        compose(**{"task": "number", **arguments})
    assert str(caught.value).startswith(message)


def test_tokens_are_refused_by_name():
    network = compose("number", hops=1, length=4, letters=2, integers=2)
    for tokens, message in (
        ([[0, 4]], "tokens: got 4, allowed: token numbers 0, ..., 3"),
        ([[0.5, 1]], "tokens: got 'dtype float64', allowed: an array of integers"),
        ([0, 1], "tokens: got 'shape (2,)', allowed: shape (sequences, length >= 1)"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            network.decode(tokens)
        assert str(caught.value).startswith(message)
    module = network.to_module()
    with pytest.raises(InvalidArgument, match=r"tokens: got \[0, 9\], allowed: token numbers"):
        module(torch.tensor([[0, 9]]))
    with pytest.raises(InvalidArgument, match="allowed: a tensor of integers"):
        module(torch.tensor([[0.0, 1.0]]))
    with pytest.raises(InvalidArgument, match="arithmetic: got 'float16'"):
        network.bound("float16")
    with pytest.raises(InvalidArgument, match="heads: got '0 heads', allowed: 1, one per layer"):
        replace(network, heads=())
    assert isinstance(network, AttentionNetwork)


def test_arrays_are_read_only():
    network = compose("letter", hops=1, length=4, letters=2, digits=1)
    for array in (network.embeddings, network.readout, network.heads[0].w_q):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
