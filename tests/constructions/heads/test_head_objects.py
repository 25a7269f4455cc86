"""Heads as objects: copied, pickled, written out; their prompts in any form."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
import torch

from ropeproof import RopeSpec, index_head, retrieval_head, slash_head, toeplitz
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
