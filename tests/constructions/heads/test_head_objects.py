"""Heads as objects: copied, pickled, written out; their prompts in any form."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
import torch

from ropeproof import (
    RopeSpec,
    content_and_position,
    index_head,
    partial_induction_head,
    retrieval_head,
    slash_head,
    to_layout,
    toeplitz,
)
from ropeproof.constructions.heads.behaviour.exhibits import uniform_but_self
from ropeproof.constructions.rope import relative
from ropeproof.theory.errors import InvalidArgument


def heads():
    spec = RopeSpec(8, 100)
    yield slash_head(spec, 1, 16, 0.9, tokens=["a", "b", "c"])
    yield index_head(["A", "B"], 2, 6)
    yield retrieval_head(["A", "B", "C"], 6)
    yield toeplitz(np.ones(8), np.ones(8), spec, tokens=["a"])


HEADS = list(heads())


@pytest.mark.parametrize("head", HEADS, ids=lambda h: type(h).__name__)
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, copy.copy, lambda h: pickle.loads(pickle.dumps(h))]
)
def test_a_copy_is_the_same_head(head, copied):
    again = copied(head)
    assert type(again) is type(head)
    assert again.certificate == head.certificate
    for name in ("w_q", "w_k", "w_v", "w_o"):
        assert np.array_equal(getattr(again, name), getattr(head, name))
        assert not getattr(again, name).flags.writeable
    with pytest.raises(TypeError):
        again.certificate.quantities["score"] = 1.0
    assert json.loads(json.dumps(head.to_dict()))["certificate"]["claim"] == head.certificate.claim


def test_embed_takes_names_tensors_and_batches():
    head = HEADS[0]
    one = head.embed([0, 2, 1])
    assert np.array_equal(head.embed(["a", "c", "b"]), one)
    assert np.array_equal(head.embed(torch.tensor([0, 2, 1])), one)
    assert np.array_equal(head.embed(np.array([[0, 2, 1], [1, 1, 1]]))[0], one)
    for wrong in (["d"], "abc", [[0], [0, 1]], [3], []):
        with pytest.raises(InvalidArgument, match="prompt"):
            head.embed(wrong)


EVERY = [
    *HEADS,
    partial_induction_head(["a", "b"], 5),
    content_and_position(
        np.ones(4), np.ones(4), RopeSpec(8, 100, rotary_dim=4), ["a", "b"], strength=2.0
    ),
    to_layout(HEADS[0], "interleaved"),
    uniform_but_self(["a", "b"], 4, 0.9),
]
KINDS = [f"{number} {type(head).__name__}" for number, head in enumerate(EVERY)]


@pytest.mark.parametrize("head", EVERY, ids=KINDS)
def test_every_head_embeds_names_numbers_tensors_and_batches(head):
    names, rows = head.vocabulary()
    assert rows.shape == (len(names), head.width)
    numbers = [len(names) - 1, 0, 0]
    one = head.embed([names[number] for number in numbers])
    assert np.array_equal(one, rows[numbers])
    for same in (numbers, np.array(numbers), torch.tensor(numbers), tuple(numbers)):
        assert np.array_equal(head.embed(same), one)
    assert np.array_equal(head.embed(torch.tensor([[numbers] * 2] * 3))[2, 1], one)
    assert torch.isfinite(head.to_module()(torch.tensor(one))).all()
    for wrong in (["no such"], names[0], [[0], [0, 0]], [len(names)], [-1], [], [0.5], [True]):
        with pytest.raises(InvalidArgument, match="prompt"):
            head.embed(wrong)


def test_a_head_without_tokens_says_so():
    bare = relative(np.ones((8, 3)), np.ones((8, 3)), RopeSpec(8, 100))
    with pytest.raises(InvalidArgument, match="directions are 'shared' and one per token"):
        bare.embed([0])
