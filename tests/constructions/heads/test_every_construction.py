"""Every construction as an object and as a module: one table, the same demands on each."""

from __future__ import annotations

import copy
import io
import json
import pickle

import numpy as np
import pytest
import torch
from constructed import MADE, made, unlisted

from ropeproof.constructions import AttentionNetwork


def run(head) -> tuple[torch.nn.Module, torch.Tensor]:
    """A module and two prompts for it: token numbers for a network, states for a head."""
    if isinstance(head, AttentionNetwork):
        return head.to_module(), torch.tensor([[0, 3, 1, 2, 0], [1, 1, 0, 2, 3]])
    states = np.random.default_rng(0).normal(size=(2, 5, head.width))
    return head.to_module(), torch.from_numpy(states)


every = pytest.mark.parametrize("name", MADE)


def test_no_construction_is_left_out():
    assert unlisted() == set()


@every
def test_copies_and_pickles_are_the_same_object(name):
    head = made(name)
    for again in (copy.copy(head), copy.deepcopy(head), pickle.loads(pickle.dumps(head))):
        assert type(again) is type(head)
        assert again.certificate == head.certificate
        for _, array in arrays(again):
            assert not array.flags.writeable
        assert all(np.array_equal(a, b) for (_, a), (_, b) in pairs(head, again))
        module, x = run(head)
        assert torch.equal(run(again)[0](x), module(x))


def arrays(head):
    return [(k, v) for k, v in vars(head).items() if isinstance(v, np.ndarray)]


def pairs(one, other):
    return zip(arrays(one), arrays(other), strict=True)


@every
def test_it_is_written_out_as_json_and_shown_in_a_line(name):
    head = made(name)
    written = json.loads(json.dumps(head.to_dict(), allow_nan=False))
    assert json.loads(json.dumps(pickle.loads(pickle.dumps(head)).to_dict())) == written
    assert "array(" not in json.dumps(written)
    assert "array(" not in repr(head)
    assert "\n" not in repr(head)
    assert len(repr(head)) < 400


@every
def test_its_module_is_compiled_exported_and_mapped(name):
    torch._dynamo.reset()
    module, x = run(made(name))
    expected = module(x)
    fast = torch.compile(module, fullgraph=True, backend="eager")
    assert torch.allclose(fast(x), expected, atol=1e-12)
    assert torch.allclose(torch.export.export(module, (x,)).module()(x), expected, atol=1e-12)
    assert torch.allclose(torch.func.vmap(module)(x), expected, atol=1e-12)


@every
def test_its_module_is_moved_saved_and_narrowed(name):
    head = made(name)
    module, x = run(head)
    expected = module(x)
    planned = head.to_module(device="meta")
    assert planned(x.to("meta")).shape == expected.shape
    store = io.BytesIO()
    torch.save(module.state_dict(), store)
    store.seek(0)
    filled = planned.to_empty(device="cpu")
    filled.load_state_dict(torch.load(store, weights_only=True))
    assert torch.equal(filled(x), expected)
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        if isinstance(head, AttentionNetwork):
            narrow = head.to_module(dtype=dtype, beyond_guarantee=True)(x)
        else:
            narrow = copy.deepcopy(module).to(dtype)(x.to(dtype))
        assert narrow.dtype == dtype
