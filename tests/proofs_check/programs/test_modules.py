"""A module of one's own is called as its `forward` says, and one that says nothing names the option."""

import pytest
import torch
from torch import nn

from ropeproof.proofs_check.programs.proving import prove_rotation
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check

SPEC = RopeSpec(8, 10000, length=600)


class _Tables(nn.Module):
    """Tables of both halves, as the rotary modules of transformers make them."""

    def __init__(self, sign=1):
        super().__init__()
        self.sign = sign
        self.register_buffer("frequencies", 10000.0 ** -(torch.arange(0, 8, 2).float() / 8))

    def forward(self, x, position_ids):
        angles = position_ids[..., None].float() * self.frequencies
        angles = torch.cat((angles, angles), -1)
        return angles.cos().to(x.dtype), self.sign * angles.sin().to(x.dtype)


class _Vectors(_Tables):
    """Vectors that are turned."""

    def forward(self, x, positions):
        c, s = super().forward(x, positions)
        c, s = (c[:, None], s[:, None]) if positions.ndim == 2 else (c, s)
        a, b = x.chunk(2, -1)
        return x * c + torch.cat((-b, a), -1) * s


class _Pair(_Vectors):
    """Queries and keys together."""

    def forward(self, q, k, positions):
        return super().forward(q, positions), super().forward(k, positions)


class _Positions(_Tables):
    """Tables of positions alone."""

    def forward(self, positions):
        angles = positions[..., None].float() * self.frequencies
        return angles.cos(), self.sign * angles.sin()


@pytest.mark.parametrize("kind", [_Vectors, _Tables, _Pair, _Positions])
def test_a_module_of_ones_own_is_called_as_its_forward_says(kind):
    proof = prove_rotation(kind(), SPEC)
    assert proof.verdict == "proved", proof.text()
    assert prove_rotation(kind(-1), SPEC).verdict == "refuted"


@pytest.mark.parametrize("kind", [_Vectors, _Tables])
def test_conform_calls_it_so_too(kind):
    right = check(kind(), SPEC, dtypes=("float32",), explain=False)
    assert right.passed, right
    wrong = check(kind(-1), SPEC, dtypes=("float32",), explain=False)
    assert wrong["rotation.float32"].result == "fails", wrong


class _Ids(nn.Module):
    def forward(self, input_ids, position_ids):
        return input_ids + position_ids


class _Keyword(nn.Module):
    def forward(self, x, *, input_pos):
        return x + input_pos


@pytest.mark.parametrize("kind", [_Ids, _Keyword])
@pytest.mark.parametrize("called", [prove_rotation, check])
def test_a_module_of_which_nothing_is_known_names_the_option(kind, called):
    with pytest.raises(Unsupported, match="form='rotate' for"):
        called(kind(), SPEC)


def test_a_function_of_queries_and_keys_is_recognised():
    pair = _Pair()

    def both(q, k, positions):
        return pair(q, k, positions)

    assert prove_rotation(both, SPEC).verdict == "proved"
