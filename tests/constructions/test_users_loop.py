"""Every construction in a user's own loop: trained, frozen, saved, compiled, cast, moved and copied."""

from __future__ import annotations

import copy
import io
import math
import pickle

import numpy as np
import pytest
import torch
from constructed import CASES, unlisted
from safetensors.torch import load_file, save_file
from torch import nn

from ropeproof import InvalidArgument, RopeSpec, compose, slash_head
from ropeproof.constructions import build_model, certify_head, freeze_head, write_head
from ropeproof.constructions.heads.slash.certify import rotated_norms
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, table_error
from ropeproof.constructions.rotary import known_finite
from ropeproof.theory.errors import Unsupported

TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
HEADS = [name for name, case in CASES.items() if case.level == "head"]
MODULES = [name for name, case in CASES.items() if case.level != "model"]
MODELS = [name for name, case in CASES.items() if case.level == "model"]


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture(scope="module")
def module(case):
    """A module that no test changes; what is changed is a copy."""
    return case.module()


def loss_of(output):
    """A loss that depends on every number of the output."""
    return (output * torch.arange(1, output.shape[-1] + 1, dtype=output.dtype)).square().mean()


def equal(case, module, other, length=5):
    x = case.inputs(length)
    with torch.no_grad():
        return torch.equal(case.run(module, x), case.run(other, x))


def test_no_construction_is_left_out():
    assert unlisted() == set()


def test_a_step_of_training_takes_the_guarantee_away(case, module):
    trained = copy.deepcopy(module)
    assert case.guarantee(trained) is not None
    step = torch.optim.SGD(trained.parameters(), lr=0.05)
    loss = loss_of(case.run(trained, case.inputs()))
    loss.backward()
    assert torch.isfinite(loss)
    grads = {name: parameter.grad for name, parameter in trained.named_parameters()}
    assert all(grad is not None and torch.isfinite(grad).all() for grad in grads.values())
    step.step()
    if case.level == "model":  # the certificate is that of the numbers that it finds
        assert case.guarantee(trained) != case.guarantee(module)
        return
    assert case.guarantee(trained) is None
    moved = [
        n for n, p in module.named_parameters() if not torch.equal(p, trained.get_parameter(n))
    ]
    assert moved
    assert set(trained.changed) == set(moved)
    assert "nothing is guaranteed" in repr(trained)
    assert module.changed == ()
    assert "nothing is guaranteed" not in repr(module)


def test_three_steps_are_taken_as_with_any_module(case, module):
    trained = copy.deepcopy(module).train()
    step = torch.optim.AdamW(trained.parameters(), lr=0.01)
    for _ in range(3):
        step.zero_grad()
        loss = loss_of(case.run(trained, case.inputs()))
        loss.backward()
        step.step()
        assert torch.isfinite(loss)


def test_frozen_beside_trained_layers_it_stays_as_it_was(case, module):
    frozen = copy.deepcopy(module)
    case.freeze(frozen)
    before = case.guarantee(frozen)
    kept = {n: p.clone() for n, p in frozen.named_parameters() if not p.requires_grad}
    assert kept
    x = case.inputs()
    width = case.run(frozen, x).shape[-1]
    readout = nn.Linear(width, 2, dtype=next(frozen.parameters()).dtype)
    first = readout.weight.clone()
    layers = nn.ModuleList([frozen, readout])
    step = torch.optim.AdamW(
        [p for p in layers.parameters() if p.requires_grad], lr=0.1, weight_decay=0.5
    )
    for _ in range(2):
        step.zero_grad()
        readout(case.run(frozen, x)).square().mean().backward()
        step.step()
    assert not torch.equal(readout.weight, first)
    assert all(torch.equal(frozen.get_parameter(name), value) for name, value in kept.items())
    assert case.guarantee(frozen) == before != None  # noqa: E711
    if case.level == "model":
        assert len(kept) < len(list(frozen.parameters())) or case.constructor == "export_network"


@pytest.mark.parametrize("name", HEADS)
def test_gradients_pass_through_a_frozen_head_to_what_is_before_it(name):
    case = CASES[name]
    head, x = case.module().requires_grad_(False), case.inputs()
    before = nn.Linear(x.shape[-1], x.shape[-1], dtype=x.dtype)
    head(before(x)).square().sum().backward()
    assert torch.isfinite(before.weight.grad).all()
    assert before.weight.grad.any()
    assert all(p.grad is None for p in head.parameters())


def test_its_state_is_saved_and_loaded_strictly(case, module, tmp_path):
    state = module.state_dict()
    stored = io.BytesIO()
    torch.save(state, stored)
    stored.seek(0)
    save_file(state, tmp_path / "weights.safetensors")
    for read in (
        torch.load(stored, weights_only=True),
        load_file(tmp_path / "weights.safetensors"),
    ):
        fresh = case.module()
        with torch.no_grad():
            for parameter in fresh.parameters():
                parameter.add_(1.0)
        assert not equal(case, fresh, module)
        assert case.guarantee(fresh) is None
        fresh.load_state_dict(read, strict=True)
        assert equal(case, fresh, module)
        assert case.guarantee(fresh) == case.guarantee(module)
    with pytest.raises(RuntimeError, match="Missing key"):
        case.module().load_state_dict(dict(list(state.items())[1:]), strict=True)


def test_moved_to_meta_and_back_it_is_the_same(case, module):
    x, state = case.inputs(), module.state_dict()
    moved = copy.deepcopy(module).to("meta")
    assert case.run(moved, x.to("meta")).shape == case.run(module, x).shape
    assert case.guarantee(moved) is None
    back = moved.to_empty(device="cpu")
    with torch.no_grad():  # what stood in the memory
        for tensor in (*back.parameters(), *back.buffers()):
            tensor.fill_(math.nan if tensor.is_floating_point() else 0)
    assert case.guarantee(back) is None
    for assign in (False, True):
        back.load_state_dict(state, strict=True, assign=assign)
        if case.constructor == "write_head" and not assign:  # transformers makes a user's tables
            assert case.guarantee(back) is None
            back._init_weights(back.model.rotary_emb)
        assert equal(case, back, module)
        assert case.guarantee(back) == case.guarantee(module)


def test_copied_pickled_and_set_to_other_modes_it_is_the_same(case, module):
    x = case.inputs()
    again = pickle.loads(pickle.dumps(module))
    for other in (copy.deepcopy(module), again, again.to("cpu"), again.eval()):
        assert equal(case, other, module)
        assert case.guarantee(other) == case.guarantee(module)
    called = torch.func.functional_call(again, dict(module.named_parameters()), (x,))
    called = called if isinstance(called, torch.Tensor) else called.logits
    assert torch.equal(called, case.run(module, x))
    # A loaded state is kept on copies of copies, too.
    last = pickle.loads(pickle.dumps(copy.deepcopy(again))).to("meta").to_empty(device="cpu")
    if case.constructor != "write_head":
        last.load_state_dict(module.state_dict())
        assert equal(case, last, module)


@pytest.mark.parametrize("name", MODULES)
def test_it_is_mapped_over_inputs(name):
    case = CASES[name]
    module, x = case.module(), case.inputs()
    assert torch.allclose(torch.func.vmap(module)(x), module(x), atol=1e-12)


@pytest.mark.parametrize("name", MODULES)
def test_a_cast_to_a_wider_type_and_back_is_no_change_and_the_other_way_is_one(name):
    case = CASES[name]
    wide = case.module(torch.float32).double().to(torch.float32)
    assert wide.changed == ()
    assert wide.certificate == case.module(torch.float32).certificate
    narrow = case.module().half().double()
    rounded = any(
        not torch.equal(p.half().double(), p) for p in case.module().parameters() if p.numel()
    )
    assert bool(narrow.changed) == rounded
    assert (narrow.certificate is None) == rounded


@pytest.mark.parametrize("arithmetic", TYPES)
@pytest.mark.parametrize("name", HEADS)
def test_a_narrow_heads_logits_are_within_the_bound_of_its_type(name, arithmetic):
    head, dtype, rounding = CASES[name].source(), TYPES[arithmetic], ROUNDINGS[arithmetic]
    module, length = head.to_module(dtype=dtype), 16
    x = CASES[name].inputs(length, dtype)
    wide = copy.deepcopy(module).double()
    found, exact = module.logits(x).double(), wide.logits(x.double())
    sides = []
    for weight in (wide.w_q, wide.w_k):
        w, rows = weight.detach().numpy(), x.double().numpy().reshape(-1, head.width)
        norm = float(rotated_norms(rows @ w.T, head.spec).max())
        size = float(rotated_norms(np.abs(rows) @ np.abs(w).T, head.spec).max())
        table = table_error(head.spec, length, rounding)
        sides.append((norm, rounding.side(norm, size, width=head.width, table=table)))
    (query, computed_q), (key, computed_k) = sides
    product = rounding.product(computed_q, computed_k, head_dim=head.spec.head_dim)
    bound = (product - query * key) / math.sqrt(head.spec.head_dim)
    assert (found - exact).abs().max() <= bound
    assert bound < 200 * torch.finfo(dtype).eps * (query * key) * head.spec.head_dim


@pytest.mark.parametrize("name", MODULES)
def test_in_a_type_without_a_certificate_it_runs_or_is_refused_by_name(name):
    case = CASES[name]
    half = case.module(torch.float16)
    assert half.certificate is None
    x = case.inputs(5, torch.float16)
    if case.level == "network":
        with pytest.raises(InvalidArgument, match="0 tokens, the length guaranteed in float16"):
            half(x)
        half = case.source().to_module(dtype=torch.float16, beyond_guarantee=True)
    found, wide = half(x).double(), copy.deepcopy(half).double()
    exact = wide(x.double() if case.level == "head" else x)
    assert (found - exact).abs().max() <= 40 * 2.0**-10 * exact.abs().max()


@pytest.mark.parametrize("name", MODELS)
def test_a_model_guarantees_something_in_bfloat16_and_refuses_float16_by_name(name):
    case = CASES[name]
    narrow = case.module(torch.bfloat16)
    assert case.guarantee(narrow).arithmetic == "bfloat16"
    assert torch.isfinite(case.run(narrow, case.inputs())).all()
    if case.constructor != "export_network":
        with torch.no_grad():
            rows = narrow(case.inputs(16), output_attentions=True).attentions[1][:, 0]
        least = rows.diagonal(-1, dim1=-2, dim2=-1)[:, 1:].min()
        assert least >= case.guarantee(narrow).quantities["score"]
    with pytest.raises(
        Unsupported, match="float16"
    ):  # write_head and export_network refuse at once
        certify_head(case.module(torch.float16), layer=1, offset=1, length=16)


@pytest.mark.parametrize("name", MODULES)
def test_under_autocast_it_runs_and_guarantees_nothing(name):
    case = CASES[name]
    module, x = case.module(torch.float32), case.inputs(5, torch.float32)
    before = module.certificate
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert module.certificate is None
        assert module.arithmetic == "float32 under autocast to bfloat16"
        if case.level == "network":
            with pytest.raises(InvalidArgument, match="guaranteed in float32 under autocast to"):
                module(x)
            free = case.source().to_module(dtype=torch.float32, beyond_guarantee=True)
            assert torch.isfinite(free(x)).all()
        else:
            assert torch.isfinite(module(x)).all()
        assert (
            case.module().certificate == CASES[name].module().certificate
        )  # float64 is left alone
    assert module.certificate == before


@pytest.mark.parametrize("name", [*MODULES, "build_model, llama"])
def test_it_is_compiled_in_one_piece_for_every_length(name):
    compiles(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in MODELS if n != "build_model, llama"])
def test_every_model_is_compiled_in_one_piece_for_every_length(name):
    compiles(name)


def compiles(name):
    torch._dynamo.reset()
    case, graphs = CASES[name], []
    module = case.module()

    def count(graph, inputs):
        graphs.append(graph)
        return graph

    fast = torch.compile(module, fullgraph=True, backend=count, dynamic=True)
    for length in (4, 5, 6):
        x = case.inputs(length)
        assert torch.allclose(case.run(fast, x), case.run(module, x), atol=1e-5)
    # A length that is also the width has a graph of its own.
    assert len(graphs) == (2 if module_width(case) == 4 else 1)


def module_width(case):
    return case.source().width if case.level == "head" else None


@pytest.mark.parametrize("name", ["slash_head", "retrieval_head", "compose"])
def test_a_compiled_module_is_trained(name):
    torch._dynamo.reset()
    case = CASES[name]
    module, other = case.module(), case.module()
    fast = torch.compile(module, fullgraph=True, backend="aot_eager")
    for run in (fast, other):
        loss_of(run(case.inputs())).backward()
    for one, two in zip(module.parameters(), other.parameters(), strict=True):
        assert torch.allclose(one.grad, two.grad, atol=1e-9, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slash_head", "compose", "build_model, llama"])
def test_it_is_compiled_to_machine_code(name):
    torch._dynamo.reset()
    case = CASES[name]
    module = case.module()
    fast = torch.compile(module, fullgraph=True, dynamic=True)
    for length in (4, 6):
        x = case.inputs(length)
        assert torch.allclose(case.run(fast, x), case.run(module, x), atol=1e-4)


@pytest.mark.parametrize("name", HEADS)
def test_the_present_weights_are_a_head_again(name):
    head, x = CASES[name].source(), CASES[name].inputs()
    module = head.to_module()
    assert head.with_weights(module) is head
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(1 + 2**-10)
    again = head.with_weights(module)
    assert torch.equal(again.to_module()(x), module(x))
    assert again.to_module().changed == ()
    slash = hasattr(head, "offset")
    assert again.certificate.claim == ("slash.emergence" if slash else "rope.relative")
    assert slash or not again.certificate.quantities
    with pytest.raises(InvalidArgument, match="module"):
        head.with_weights(slash_head(RopeSpec(4, 10), 0, 4, 0.5).to_module())


def test_a_trained_slash_head_guarantees_what_its_weights_do():
    head = slash_head(RopeSpec(32, 10_000), 2, 32, 0.95, tokens=["a", "b", "c"])
    module, seen = head.to_module(), []
    step = torch.optim.SGD(module.parameters(), lr=3.0)
    x = torch.from_numpy(head.embed(np.random.default_rng(0).integers(0, 3, (64, 32))))
    for _ in range(4):
        found = head.with_weights(module).certificates["float64"].quantities["score"]
        _, attention = module(x, return_attention=True)
        weights = attention.diagonal(-2, dim1=-2, dim2=-1)
        seen.append(found)
        assert weights[:, 1:].min() >= found
        step.zero_grad()
        weights.mean().backward()  # the loss takes attention off the target
        step.step()
    assert seen[0] >= 0.95
    assert seen[-1] < seen[0]


def test_a_trained_network_takes_what_it_took_and_says_that_nothing_is_guaranteed():
    network = compose("number", hops=2, letters=4, integers=3, length=6)
    module = network.to_module(dtype=torch.bfloat16)
    assert module.certificate == network.certificates["bfloat16"]
    longer = torch.zeros(1, module.length + 1, dtype=torch.long)
    with pytest.raises(InvalidArgument, match="the length guaranteed in bfloat16"):
        module(longer)
    with torch.no_grad():
        module.heads[1].w_o.mul_(1.5)
    assert module.changed == ("heads.1.w_o",)
    assert module.certificate is None
    assert torch.isfinite(module(longer[:, 1:])).all()
    with pytest.raises(InvalidArgument, match=r"heads\.1\.w_o\), nothing is guaranteed"):
        module(longer)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_logits_that_overflow_are_refused_and_never_no_number(dtype):
    head = slash_head(RopeSpec(8, 100), 1, 16, 0.9, tokens=["a", "b", "c"])
    module = head.to_module(dtype=dtype)
    x = torch.from_numpy(head.embed([[0, 1, 2, 0]])).to(dtype)
    large = x * float(torch.finfo(dtype).max) ** 0.5
    with torch.no_grad():
        assert known_finite(large @ module.w_q.T, large @ module.w_k.T)
    for call in (module, module.logits):
        with pytest.raises(InvalidArgument, match=r"logits.* are not finite in torch\.float"):
            call(large)
    with torch.no_grad():
        module.w_o.fill_(math.nan)
    with pytest.raises(InvalidArgument, match="w_o: got 'a value that is not finite'"):
        module(x)


def test_what_a_written_head_depends_on_is_frozen_and_the_rest_is_trained():
    case = CASES["write_head"]
    model, x = case.module(), case.inputs(16)
    names = freeze_head(model, layer=1)
    assert "model.embed_tokens.weight" in names
    assert "model.layers.0.mlp.down_proj.weight" in names
    assert "model.layers.1.input_layernorm.weight" in names
    assert "model.layers.1.mlp.down_proj.weight" not in names
    assert "model.layers.2.self_attn.q_proj.weight" not in names
    before, loss = case.guarantee(model), []
    step = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    for _ in range(4):
        step.zero_grad()
        loss.append(model(x, labels=x).loss)
        loss[-1].backward()
        step.step()
    assert loss[-1] < loss[0]
    assert case.guarantee(model) == before
    with torch.no_grad():
        model.model.layers[0].mlp.down_proj.weight.fill_(0.1)
    assert case.guarantee(model) is None


def test_what_cannot_be_frozen_is_refused_as_it_is_when_certified():
    with pytest.raises(InvalidArgument, match="model"):
        freeze_head(nn.Linear(2, 2))
    model = build_model("llama", CASES["slash_head"].source())
    with pytest.raises(InvalidArgument, match="layer"):
        freeze_head(model, layer=3)
    with pytest.raises(InvalidArgument, match="meta"):
        freeze_head(model.to("meta"))


def test_a_tied_readout_is_frozen_with_the_embeddings():
    from slash_models import random_llama

    shape = {"head_dim": 16, "num_attention_heads": 2, "num_key_value_heads": 1, "hidden_size": 32}
    rope = {"rope_theta": 100.0, "rope_type": "default"}
    model = random_llama(**shape, rope_parameters=rope, tie_word_embeddings=True)
    write_head(model, slash_head(RopeSpec(16, 100), 1, 16, 0.9, tokens=["a", "b", "c"]))
    freeze_head(model)
    assert not model.lm_head.weight.requires_grad
