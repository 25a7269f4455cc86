"""What is recorded of a call is what the call does."""

import numpy as np
import pytest
import torch

from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch
from ropeproof.proofs_check.programs.record.replay import replay
from ropeproof.tools.conform.references.mutants import parts
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS


def _agree(call, arguments):
    traced = trace_torch(call, arguments)
    found = replay(traced.program, traced.inputs)
    for own, seen in zip(found, traced.results, strict=True):
        np.testing.assert_allclose(own, seen, atol=1e-6)
    return traced


def _arguments(spec, options):
    drawn = torch.Generator().manual_seed(1)
    sizes = {"b": 1, "h": 2, "l": 3, "d": spec.head_dim}
    x = torch.randn([sizes[a] for a in options.get("axes", "bhld")], generator=drawn)
    p = torch.tensor([5, 9, 2])
    if spec.axes is not None:
        p = torch.stack([p + a for a in range(len(spec.axes.names))], -1)
    forms = {"rotate": {"x": x, "p": p}, "pair": {"q": x, "k": x + 1, "p": p}, "tables": {"p": p}}
    return forms[options.get("form", "rotate")]


@pytest.mark.parametrize(
    "name", [n for n, right in RIGHT.items() if right.options.get("array", "torch") == "torch"]
)
def test_a_reference_is_recorded(name):
    right = RIGHT[name]
    spec = parts.YARN_PARTIAL if "half" in right.layouts else parts.PARTIAL_INTERLEAVED
    traced = _agree(right.make(spec), _arguments(spec, right.options))
    assert traced.program.escapes  # each of them reads the largest position
    assert not traced.program.written


@pytest.mark.parametrize("name", RIGHT_KINDS)
def test_a_reference_of_another_kind_is_recorded(name):
    spec, make = RIGHT_KINDS[name]
    assert not _agree(make(spec), _arguments(spec, {})).program.escapes


def test_writes_in_place_are_seen_through_views():
    def call(x, p):
        first, second = x.chunk(2, -1)
        kept = first.clone()
        first.mul_(p[:, None].float()).sub_(second)
        second.add_(kept)
        return x

    traced = _agree(call, {"x": torch.arange(12.0).reshape(3, 4), "p": torch.tensor([5, 9, 2])})
    assert traced.program.written == ("x",)


def test_complex_numbers_are_pairs_and_may_be_conjugate():
    def call(x, p):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
        turned = pairs * torch.exp(1j * p[:, None].float()) * pairs.conj()
        return torch.view_as_real(turned).flatten(-2)

    _agree(call, {"x": torch.arange(12.0).reshape(3, 4), "p": torch.tensor([5, 9, 2])})


def test_what_has_no_meaning_is_named_with_its_place():
    def call(x, p):
        return torch.erf(x) * p[:, None]

    traced = trace_torch(call, {"x": torch.ones(3, 4), "p": torch.tensor([5, 9, 2])})
    program = traced.program
    (node,) = (program.nodes[n] for n in program.needed() if program.nodes[n].op == "unknown")
    assert node.name == "aten.erf"
    assert node.place.text == "return torch.erf(x) * p[:, None]"
    assert node.place.file == __file__


def test_values_that_are_taken_out_are_noted():
    def call(x, p):
        return x * torch.tensor(p.tolist())[:, None]

    traced = trace_torch(call, {"x": torch.ones(3, 4), "p": torch.tensor([5, 9, 2])})
    assert "Tensor.tolist" in traced.program.dependence[0]


def test_random_numbers_have_no_meaning():
    def call(x, p):
        return x + torch.rand_like(x)

    program = trace_torch(call, {"x": torch.ones(3, 4), "p": torch.tensor([5, 9, 2])}).program
    assert any(program.nodes[n].op == "unknown" for n in program.needed())
