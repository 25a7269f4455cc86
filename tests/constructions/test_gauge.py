"""The canonical head of constructed heads: the same attention, whatever gauge they were written in."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from constructed import MADE, made

from ropeproof import same_head
from ropeproof.constructions import Head, canonical_head, relative
from ropeproof.numerics.forms.forms import HeadForms, forms_of
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPECS = [
    RopeSpec(8, 100), RopeSpec(8, 100, rotary_dim=4), RopeSpec(8, 100, layout="interleaved"),
    RopeSpec(8, 100, rotary_dim=4, layout="interleaved"),
]  # fmt: skip


def drawn(spec, seed=0):
    random = np.random.default_rng(seed)
    return relative(*random.standard_normal((2, spec.head_dim, 5)), spec)


def rewritten(head, seed=1):
    random = np.random.default_rng(seed)
    planes = head.spec.planes
    c = np.exp(random.uniform(-2, 2, planes) + 2j * np.pi * random.random(planes))
    sides = []
    for weights, factor in ((head.w_q, c), (head.w_k, 1 / c.conj())):
        real, imaginary = (list(p) for p in zip(*head.spec.plane_coordinates(), strict=True))
        both = factor[:, None] * (weights[real] + 1j * weights[imaginary])
        new = np.empty_like(weights)
        new[real], new[imaginary] = both.real, both.imag
        sides.append(new)
    return relative(*sides, head.spec)


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_one_canonical_head_for_the_whole_gauge(spec):
    head = drawn(spec)
    one, other = canonical_head(head), canonical_head(rewritten(head))
    assert np.abs(one.w_q - other.w_q).max() < 1e-12
    assert np.abs(one.w_k - other.w_k).max() < 1e-12
    assert np.abs(one.w_q - head.w_q).max() > 0.1
    assert same_head(head, one).relative < 1e-14
    assert same_head(head, rewritten(head)).relative < 1e-14
    assert same_head(head, drawn(spec, 7)).relative > 0.3
    states = torch.randn(2, 6, 5, dtype=torch.float64)
    assert torch.allclose(head.to_module()(states), one.to_module()(states), atol=1e-13)


@pytest.mark.parametrize("name", MADE)
def test_constructions_keep_their_attention_and_their_values(name):
    head = made(name)
    if not isinstance(head, Head):
        with pytest.raises(InvalidArgument, match="a Head or HeadForms"):
            canonical_head(head)
        return
    found = canonical_head(head)
    assert same_head(head, found).relative < 1e-13
    assert np.array_equal(found.w_v, head.w_v)
    assert np.array_equal(found.w_o, head.w_o)


def test_forms_give_forms():
    found = canonical_head(forms_of(drawn(SPECS[0])))
    assert isinstance(found, HeadForms)


def test_heads_in_two_layouts_are_the_same_head():
    from ropeproof import to_layout

    head = drawn(SPECS[0])
    assert same_head(head, to_layout(head, "interleaved")).distance == 0.0
