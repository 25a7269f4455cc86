"""Caches of `functools`, partial functions and `type(self)` in code that is proved."""

from __future__ import annotations

import functools

import pytest
import torch

from ropeproof import RopeSpec, prove_rotation
from ropeproof.proofs_check.programs.guards.state import outside_sources, state_of

SPEC = RopeSpec(8, 10000, length=64)


def _turned(x, c, s):
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def _angles(positions, inverse):
    angle = positions[..., None].double() * inverse
    return angle[:, None] if positions.ndim == 2 else angle


def _inverse(width):
    return 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


@pytest.mark.parametrize("size", [None, 4])
def test_what_a_cache_keeps_is_part_of_the_statement(size):
    inverse = functools.lru_cache(maxsize=size)(_inverse)

    def rotate(x, positions):
        angle = _angles(positions, inverse(x.shape[-1]))
        return _turned(x, angle.cos().to(x.dtype), angle.sin().to(x.dtype))

    first = prove_rotation(rotate, SPEC)
    assert first.verdict == "proved in part", first.reasons
    assert any("not for a fresh one" in line for line in first.statement)
    assert prove_rotation(rotate, SPEC).verdict == "proved"


def test_a_wrong_result_in_a_cache_is_refuted():
    inverse = functools.lru_cache(_inverse)
    inverse(8)[1] *= 1.01

    def rotate(x, positions):
        angle = _angles(positions, inverse(x.shape[-1]))
        return _turned(x, angle.cos().to(x.dtype), angle.sin().to(x.dtype))

    assert prove_rotation(rotate, SPEC).verdict == "refuted"


def test_a_cache_by_length_that_grows_with_each_call_stops_the_proof():
    @functools.lru_cache
    def table(length):
        return torch.ones(length, 1)

    def rotate(x, positions):
        angle = _angles(positions, _inverse(8))
        return _turned(x, angle.cos().to(x.dtype), angle.sin().to(x.dtype)) * table(x.shape[-2])

    assert prove_rotation(rotate, SPEC).verdict == "not proved"


def test_results_of_a_cache_are_part_of_the_state():
    @functools.lru_cache(maxsize=3)
    def kept(n):
        return [n]

    def rotate(x, _):
        return x * kept(1)[0]

    before = state_of(rotate)
    kept(1)
    after = state_of(rotate)
    kept(1).append(2)
    assert len({before, after, state_of(rotate)}) == 3


class _Lazy:
    width = 8

    @functools.cached_property
    def inverse(self):
        return _inverse(type(self).width)

    def __call__(self, x, positions):
        angle = _angles(positions, self.inverse)
        return _turned(x, angle.cos().to(x.dtype), angle.sin().to(x.dtype))


def test_a_cached_property_is_followed():
    lazy = _Lazy()
    assert outside_sources(lazy) == ()
    assert prove_rotation(lazy, SPEC, form="rotate").verdict == "proved in part"
    assert prove_rotation(lazy, SPEC, form="rotate").verdict == "proved"


def test_a_partial_function_is_a_call_with_bound_arguments():
    def rotate(inverse, x, positions, *, factor):
        angle = _angles(positions, inverse)
        return _turned(x, angle.cos().to(x.dtype), angle.sin().to(x.dtype)) * factor

    def bound(factor):
        return functools.partial(rotate, _inverse(8), factor=factor)

    assert prove_rotation(bound(1), SPEC, form="rotate").verdict == "proved"
    assert prove_rotation(bound(2), SPEC, form="rotate").verdict == "refuted"


def test_the_type_of_an_argument_is_not_followed():
    def rotate(x, positions):
        return x if type(x) is torch.Tensor else positions

    assert any("type" in told for told in outside_sources(rotate))
