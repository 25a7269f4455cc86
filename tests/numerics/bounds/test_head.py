"""A head's weights, certificate and module, against attention written out by hand."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
import torch

from ropeproof import constructions
from ropeproof.constructions import Certificate, Directions, Head
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn

SPECS = [
    RopeSpec(8, 10000),
    RopeSpec(8, 10000, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=4),
    RopeSpec(8, 100, rotary_dim=4, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=6, scaling=Yarn(factor=4, original_length=64)),
    RopeSpec(8, 100, scaling=Linear(4)),
]


def random_head(spec, width=5, seed=0):
    rng = np.random.default_rng(seed)
    return Head(
        rng.normal(size=(spec.head_dim, width)),
        rng.normal(size=(spec.head_dim, width)),
        rng.normal(size=(3, width)),
        rng.normal(size=(7, 3)),
        spec,
        Certificate("rope.relative"),
    )


def by_hand(head, x, positions):
    """Attention with complex numbers and loops; shares no code with the module."""
    spec, theta = head.spec, frequencies_float64(head.spec)
    factor = attention_factor_float64(spec)

    def planes(vector):
        half = spec.rotary_dim // 2
        if spec.layout == "half":
            turned = [complex(vector[l], vector[l + half]) for l in range(half)]
        else:
            turned = [complex(vector[2 * l], vector[2 * l + 1]) for l in range(half)]
        rest = vector[spec.rotary_dim :]
        return turned + [complex(a, b) for a, b in zip(rest[::2], rest[1::2], strict=True)]

    rows, table = [], []
    for i, x_i in enumerate(x):
        q, scores = planes(head.w_q @ x_i), []
        for j, x_j in enumerate(x):
            k, total = planes(head.w_k @ x_j), 0.0
            for l in range(spec.planes):
                turn = cmath.exp(1j * theta[l] * (positions[i] - positions[j]))
                squared = factor**2 if l < spec.rotary_planes else 1.0
                total += squared * (q[l] * k[l].conjugate() * turn).real
            scores.append(total / math.sqrt(spec.head_dim))
        table.append(scores)
        sizes = [math.exp(w) if j <= i else 0.0 for j, w in enumerate(scores)]
        rows.append([size / sum(sizes) for size in sizes])
    attention = np.array(rows)
    output = attention @ (x @ head.w_v.T) @ head.w_o.T
    return np.array(table), attention, output


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("places", [None, [0, 3, 4, 100, 101, 900]])
def test_module_is_attention(spec, places):
    head = random_head(spec)
    x = np.random.default_rng(1).normal(size=(6, 5))
    logits, attention, output = by_hand(head, x, range(6) if places is None else places)
    module = head.to_module()
    tensor = torch.from_numpy(x)
    positions = None if places is None else torch.tensor(places)
    with torch.no_grad():
        found, weights = module(tensor, positions, return_attention=True)
        table = module.logits(tensor, positions)
        alone = module(tensor, positions)
    np.testing.assert_allclose(table, logits, rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights, attention, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found, output, rtol=0, atol=1e-12)
    assert torch.equal(alone, found)


def test_module_is_causal():
    head = random_head(SPECS[0])
    x = torch.randn(6, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    module = head.to_module()
    changed = x.clone()
    changed[4:] += 1
    with torch.no_grad():
        before, weights = module(x, return_attention=True)
        after = module(changed)
    assert torch.equal(before[:4], after[:4])
    assert not torch.equal(before[4:], after[4:])
    assert torch.equal(weights, weights.tril())
    torch.testing.assert_close(weights.sum(-1), torch.ones(6, dtype=torch.float64))


def test_batches():
    head = random_head(SPECS[1])
    x = torch.randn(2, 3, 6, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    module = head.to_module()
    with torch.no_grad():
        stacked = module(x)
        assert stacked.shape == (2, 3, 6, 7)
        torch.testing.assert_close(stacked[1, 2], module(x[1, 2]))


@pytest.mark.parametrize(("dtype", "close"), [(torch.float32, 1e-4), (torch.bfloat16, 0.3)])
def test_narrow_types(dtype, close):
    head = random_head(SPECS[2])
    x = np.random.default_rng(1).normal(size=(6, 5))
    module = head.to_module(dtype=dtype, device="cpu")
    assert {p.dtype for p in module.parameters()} == {dtype}
    with torch.no_grad():
        found = module.logits(torch.from_numpy(x).to(dtype))
    assert found.dtype == dtype
    np.testing.assert_allclose(found.double(), by_hand(head, x, range(6))[0], atol=close)


def test_module_is_a_module():
    """Four parameters with gradients, and a state that another head's module can load."""
    module = random_head(SPECS[0]).to_module()
    names = {name: tuple(p.shape) for name, p in module.named_parameters()}
    assert names == {"w_q": (8, 5), "w_k": (8, 5), "w_v": (3, 5), "w_o": (7, 3)}
    x = torch.randn(4, 5, dtype=torch.float64, requires_grad=True)
    module(x).sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in module.parameters())
    assert x.grad is not None
    other = random_head(SPECS[0], seed=1).to_module()
    other.load_state_dict(module.state_dict())
    assert torch.equal(module(x), other(x))


def test_module_does_not_share_memory_with_the_head():
    head = random_head(SPECS[0])
    module = head.to_module()
    with torch.no_grad():
        module.w_q.zero_()
    assert head.w_q.any()


def test_a_preset_runs():
    spec = PRESETS["llama-3.1-8b"].spec
    head = random_head(spec)
    x = np.random.default_rng(1).normal(size=(3, 5))
    with torch.no_grad():
        found = head.to_module().logits(torch.from_numpy(x))
    np.testing.assert_allclose(found, by_hand(head, x, range(3))[0], atol=1e-11)


def test_weights_are_copied_and_read_only():
    weights = np.ones((2, 3), dtype=np.float32)
    head = Head(weights, weights, weights, np.eye(2), RopeSpec(2, 10), Certificate("x"))
    weights[:] = 7
    assert head.w_q.dtype == np.float64
    assert (head.w_q == 1).all()
    assert head.width == 3
    with pytest.raises(ValueError, match="read-only"):
        head.w_q[0, 0] = 2


def build(**changes):
    fields = {
        "w_q": np.ones((4, 3)),
        "w_k": np.ones((4, 3)),
        "w_v": np.ones((2, 3)),
        "w_o": np.ones((5, 2)),
        "spec": RopeSpec(4, 100),
        "certificate": Certificate("rope.relative"),
    }
    return Head(**{**fields, **changes})


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("w_q", np.ones((5, 3))),
        ("w_q", np.ones(3)),
        ("w_q", np.full((4, 3), np.nan)),
        ("w_q", np.ones((4, 3), dtype=complex)),
        ("w_k", np.ones((4, 2))),
        ("w_v", np.ones((2, 4))),
        ("w_o", np.ones((5, 3))),
        ("w_o", np.ones((0, 2))),
        ("spec", 10000),
        ("certificate", "rope.relative"),
        ("directions", ["a", "b", "c"]),
        ("directions", Directions(["a", "b"])),
    ],
)
def test_bad_heads_are_refused_by_name(argument, value):
    with pytest.raises(InvalidArgument) as caught:
        build(**{argument: value})
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("claim", {"claim": ""}),
        ("claim", {"claim": "two words"}),
        ("precision", {"claim": "x", "precision": "good"}),
        ("quantities", {"claim": "x", "quantities": {"margn": 1.0}}),
        ("quantities", {"claim": "x", "quantities": {"margin": math.nan}}),
        ("quantities", {"claim": "x", "quantities": {"margin": "1"}}),
    ],
)
def test_bad_certificates_are_refused_by_name(argument, options):
    with pytest.raises(InvalidArgument) as caught:
        Certificate(**options)
    assert caught.value.argument == argument


def test_a_certificate_does_not_change():
    quantities = {"margin": 1.0}
    certificate = Certificate("slash.emergence", quantities, "certified")
    quantities["margin"] = 2.0
    assert certificate.quantities == {"margin": 1.0}
    with pytest.raises(TypeError):
        certificate.quantities["margin"] = 3.0


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("x", lambda module: module(torch.ones(3, 4, dtype=torch.float64))),
        ("x", lambda module: module(torch.ones(3, 5))),
        ("x", lambda module: module(torch.ones(5, dtype=torch.float64))),
        ("x", lambda module: module(torch.ones(0, 5, dtype=torch.float64))),
        ("x", lambda module: module([[1.0] * 5])),
        (
            "positions",
            lambda module: module(torch.ones(3, 5, dtype=torch.float64), torch.arange(4)),
        ),
    ],
)
def test_bad_inputs_are_refused_by_name(argument, call):
    module = random_head(SPECS[0]).to_module()
    with pytest.raises(InvalidArgument) as caught:
        call(module)
    assert caught.value.argument == argument


@pytest.mark.parametrize("dtype", [torch.int64, "float64"])
def test_bad_types_are_refused(dtype):
    with pytest.raises(InvalidArgument, match="dtype"):
        random_head(SPECS[0]).to_module(dtype=dtype)


def test_the_public_list_is_complete():
    assert all(hasattr(constructions, name) for name in constructions.__all__)
    assert constructions.__all__ == sorted(
        constructions.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name)
    )
