"""A head's module, used as PyTorch users expect: compiled, exported, mapped, moved, narrowed."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from ropeproof import RopeSpec, compose, slash_head, toeplitz
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Yarn

SPECS = [
    RopeSpec(8, 100),
    RopeSpec(8, 100, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=4, scaling=Yarn(factor=4, original_length=64)),
]


def head_of(spec, seed=0):
    random = np.random.default_rng(seed)
    return toeplitz(*random.normal(size=(2, spec.head_dim)), spec, tokens=["a", "b", "c"])


def states(*shape, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(1).normal(size=(*shape, 4))).to(dtype)


@pytest.fixture(scope="module")
def network():
    return compose("letter", hops=1, letters=3, digits=2, length=6)


@pytest.mark.parametrize("spec", SPECS, ids=["half", "interleaved", "partial"])
def test_the_module_gives_the_numbers_of_the_theory_to_the_bit(spec):
    module, x = head_of(spec).to_module(), states(2, 7)
    places = torch.tensor([3.5, 0, 1, 2, 900, 4, 5])
    for positions in (None, places, places.expand(2, 7)):
        shown = torch.arange(7) if positions is None else positions
        with torch.no_grad():
            q, k = x @ module.w_q.T, x @ module.w_k.T
            assert torch.equal(module.logits(x, positions), logits(q, k, shown, shown, spec))


@pytest.mark.parametrize("spec", SPECS, ids=["half", "interleaved", "partial"])
def test_it_compiles_without_a_break(spec):
    torch._dynamo.reset()
    module, x = head_of(spec).to_module(), states(6)
    fast = torch.compile(module, fullgraph=True, backend="eager")
    assert torch.allclose(fast(x), module(x), atol=1e-13)
    places = torch.tensor([4.0, 2, 0, 1, 3, 9])
    assert torch.allclose(fast(x, places), module(x, places), atol=1e-13)


def test_one_graph_serves_every_length():
    torch._dynamo.reset()
    module, graphs = head_of(SPECS[0]).to_module(), []

    def count(graph, inputs):
        graphs.append(graph)
        return graph

    fast = torch.compile(module, fullgraph=True, backend=count, dynamic=True)
    for length in (6, 9, 17):
        assert torch.allclose(fast(states(length)), module(states(length)), atol=1e-13)
    assert len(graphs) == 1


def test_it_exports_with_a_free_length():
    module, x = head_of(SPECS[0]).to_module(), states(6)
    for strict in (False, True):
        sizes = ({0: torch.export.Dim("length", min=2, max=4096)},)
        taken = torch.export.export(module, (x,), dynamic_shapes=sizes, strict=strict).module()
        for given in (x, states(11)):
            assert torch.allclose(taken(given), module(given), atol=1e-13)


def test_it_is_mapped_over_states_and_over_heads():
    spec = SPECS[0]
    module, x = head_of(spec).to_module(), states(3, 6)
    assert torch.allclose(torch.func.vmap(module)(x), module(x), atol=1e-14)
    several = [head_of(spec, seed).to_module() for seed in range(3)]
    weights, others = torch.func.stack_module_state(several)

    def run(weights, others, x):
        return torch.func.functional_call(module, (weights, others), (x,))

    found = torch.func.vmap(run, in_dims=(0, 0, None))(weights, others, x[0])
    assert torch.allclose(found, torch.stack([m(x[0]) for m in several]), atol=1e-14)
    slope = torch.func.jacrev(module)(x[0])
    assert slope.shape == (6, 4, 6, 4)
    assert torch.isfinite(slope).all()


def test_it_is_planned_without_memory():
    module = head_of(SPECS[0]).to_module(device="meta")
    assert module(torch.empty(2, 5, 4, dtype=torch.float64, device="meta")).shape == (2, 5, 4)
    with FakeTensorMode() as mode:
        real = head_of(SPECS[0]).to_module()
        assert real(mode.from_tensor(states(5))).shape == (5, 4)
    again = module.to_empty(device="cpu")
    again.load_state_dict(head_of(SPECS[0]).to_module().state_dict())
    assert torch.equal(again(states(5)), head_of(SPECS[0]).to_module()(states(5)))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_narrow_types_are_a_cast_away_and_keep_exact_angles(dtype):
    made, moved = head_of(SPECS[0]).to_module(dtype=dtype), head_of(SPECS[0]).to_module().to(dtype)
    x = states(300, dtype=dtype)
    assert torch.equal(made(x), moved(x))
    assert made(x).dtype is dtype
    near = head_of(SPECS[0]).to_module().logits(x.double())
    unit = torch.finfo(dtype).eps
    assert (made.logits(x).double() - near).abs().max() < 40 * unit * near.abs().max()


def test_gradients_come_after_a_pass_in_inference_mode():
    module = head_of(SPECS[0]).to_module()
    with torch.inference_mode():
        module(states(5))
    module(states(5)).sum().backward()
    assert torch.isfinite(module.w_q.grad).all()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused_or_comes_out_as_no_number(value):
    module, x = (
        slash_head(RopeSpec(8, 100), 1, 16, 0.9, tokens=["a", "b", "c"]).to_module(),
        states(6),
    )
    x[4, 2] = value
    module(states(6))  # tables are kept now
    for call in (module, module.logits, torch.inference_mode()(module)):
        with pytest.raises(InvalidArgument, match="x: got 'a value that is not finite'"):
            call(x)
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    for found in (torch.func.vmap(module)(x[None])[0], compiled(x)):
        assert not torch.isfinite(found).any()
    places = torch.arange(6.0)
    places[2] = value
    with pytest.raises(InvalidArgument, match="positions"):
        module(states(6), places)


def test_values_too_large_for_the_type_are_refused():
    module = head_of(SPECS[0]).to_module(dtype=torch.float16)
    with pytest.raises(InvalidArgument, match=r"not finite in torch\.float16.*wider type"):
        module(torch.full((4, 4), 60_000, dtype=torch.float16))


def test_a_spec_with_axes_is_run_as_others_are():
    spec = RopeSpec(8, 100, axes=Axes.grid(4))
    module, x = head_of(spec).to_module(), states(3, 6)
    places = torch.tensor([[i // 3, i % 3] for i in range(6)])
    mapped = torch.func.vmap(lambda y: module(y, places))(x)
    assert torch.allclose(mapped, module(x, places), atol=1e-14)


def test_a_network_is_compiled_mapped_and_planned(network):
    torch._dynamo.reset()
    module = network.to_module()
    tokens = torch.tensor([[0, 3, 5, 1], [2, 2, 0, 4]])
    fast = torch.compile(module, fullgraph=True, backend="eager")
    assert torch.allclose(fast(tokens), module(tokens), atol=1e-12)
    assert torch.allclose(torch.func.vmap(module)(tokens), module(tokens), atol=1e-12)
    assert torch.allclose(module.last(tokens), module(tokens)[..., -1, :], atol=1e-12)
    shape = module.to("meta")(tokens.to("meta")).shape
    assert shape == (2, 4, len(network.embeddings))


@pytest.mark.parametrize("token", [-1, 10_000])
def test_a_network_makes_no_number_of_unknown_tokens(network, token):
    module, tokens = network.to_module(), torch.tensor([[0, token, 1]])
    with pytest.raises(InvalidArgument, match="token numbers from 0"):
        module(tokens)
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    for found in (torch.func.vmap(module)(tokens), compiled(tokens)):
        assert torch.isnan(found).all()


def test_a_cast_network_keeps_what_is_guaranteed_in_its_own_type(network):
    module = network.to_module().to(torch.float32)
    assert (module.arithmetic, module.length) == (
        "float32",
        network.to_module(dtype=torch.float32).length,
    )
    assert network.to_module().half().length == 0
    with pytest.raises(InvalidArgument, match="guaranteed in float16"):
        network.to_module().half()(torch.tensor([0, 1]))


def test_modules_are_shown_in_a_line_each_and_copied(network):
    module = slash_head(RopeSpec(8, 100), 1, 16, 0.9, tokens=["a"]).to_module(dtype=torch.float32)
    assert repr(module) == "HeadModule(width 2, head_dim 8, 4 rotated planes, float32)"
    assert len(repr(network.to_module())) < 400
    module(states(5, dtype=torch.float32)[..., :2])
    for again in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        x = states(5, dtype=torch.float32)[..., :2]
        assert torch.equal(again(x), module(x))
    assert set(module.state_dict()) == {"w_q", "w_k", "w_v", "w_o"}
