"""Relations that a user states of her own function are proved, or the reason is named."""

import pytest
import torch

from ropeproof.proofs_check.programs.relations import (
    NormKept,
    RelativeLaw,
    SameAs,
    ShiftedKey,
    prove,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

THETAS = torch.tensor([1.0, 0.1])


def halves(x, p):
    angles = p[..., None].float() * THETAS
    angles = angles[:, None] if p.ndim == 2 else angles
    c, s = angles.cos(), angles.sin()
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def by_rotate_half(x, p):
    angles = p[..., None].float() * torch.cat((THETAS, THETAS))
    a, b = x.chunk(2, -1)
    return x * angles.cos() + torch.cat((-b, a), -1) * angles.sin()


def added(x, p):
    return x + p[:, None].float()


def stretched(x, p):
    return 2 * halves(x, p)


@pytest.mark.parametrize(
    "relation", [NormKept(), RelativeLaw(), ShiftedKey(), SameAs(by_rotate_half)]
)
def test_a_rotation_has_the_relations(relation):
    proof = prove(halves, relation, head_dim=4)
    assert proof.verdict == "proved", proof.text()
    assert proof.claims


@pytest.mark.parametrize(
    ("function", "relation"),
    [
        (stretched, NormKept()),
        (added, RelativeLaw()),
        (stretched, ShiftedKey()),
        (halves, SameAs(stretched)),
        (added, NormKept()),
    ],
)
def test_what_does_not_hold_is_not_proved(function, relation):
    proof = prove(function, relation, head_dim=4)
    assert proof.verdict == "not proved"
    assert proof.reasons


def test_what_is_no_relation_is_a_spec():
    assert prove(halves, RopeSpec(4, 100, length=64)).verdict == "proved"


def test_a_wrong_argument_is_named():
    with pytest.raises(InvalidArgument, match="head_dim"):
        prove(halves, NormKept())
    with pytest.raises(InvalidArgument, match="options"):
        prove(halves, NormKept(), head_dim=4, angles="float64")
