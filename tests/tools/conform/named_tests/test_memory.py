"""Kernels that take other strides, widths or types than those of the vectors they are given."""

from __future__ import annotations

import pytest
import torch

from ropeproof import RopeSpec, conform

SPEC = RopeSpec(80, 10000, length=512)
FREQUENCIES = 10000.0 ** -(torch.arange(0, 80, 2, dtype=torch.float64) / 80)


def turned(x, positions):
    angles = positions[..., None] * FREQUENCIES
    angles = angles[:, None] if positions.ndim == 2 else angles
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


def last_axis_dense(x, positions):
    """Strides of rows, heads and tokens are given to the kernel; that of coordinates is taken for 1."""
    strides = (*x.stride()[:-1], 1)
    last = sum((n - 1) * s for n, s in zip(x.shape, strides, strict=True))
    if x.untyped_storage().nbytes() // x.element_size() <= x.storage_offset() + last:
        return turned(x, positions)
    return turned(x.as_strided(x.shape, strides), positions)


def narrow(width, times):
    def loaded(x, positions):
        return torch.cat((turned(x, positions)[..., :width], times * x[..., width:]), -1)

    return loaded


def groups_of(size):
    """Vectors in groups as they lie in memory; those behind the last full group stay as they are."""

    def grouped(x, positions):
        out, given = turned(x, positions).reshape(-1, 80).clone(), x.reshape(-1, 80)
        full = len(out) // size * size
        if full:
            out[full:] = given[full:]
        return out.reshape(x.shape)

    return grouped


def written_across(x, positions):
    """The heads of a token are written as the last axis."""
    batch, length, width = x.shape
    heads = x.reshape(batch, length, width // 80, 80).transpose(1, 2)
    out = turned(heads, positions).permute(0, 2, 3, 1)
    return out.reshape(batch, length, width)


CASES = {
    "vectors with gaps in memory are read with their strides, but as if": (last_axis_dense, {}),
    "coordinates 48 to 79 are copied, not rotated, the others are turned": (narrow(48, 1), {}),
    "coordinates 72 to 79 are 0, the others are turned": (narrow(72, 0), {}),
    "vectors are not rotated, only of vectors behind the last full group of 4": (groups_of(4), {}),
    "the numbers of a token are written as (dimension, head)": (written_across, {"axes": "bl(hd)"}),
}


@pytest.mark.parametrize("text", CASES)
def test_what_a_kernel_takes_for_granted_of_memory_is_named(text):
    call, options = CASES[text]
    report = conform.check(call, SPEC, dtypes=("float32",), **options)
    assert not report.passed
    assert report.cause.text.startswith(text), report.cause


@pytest.mark.parametrize("axes", ["bhld", "blhd"])
def test_a_right_rotation_is_accused_of_none_of_it(axes):
    def own(x, positions):
        return turned(x.transpose(1, 2), positions).transpose(1, 2)

    call = turned if axes == "bhld" else own
    report = conform.check(call, SPEC, dtypes=("float32",), axes=axes)
    assert report.passed, report
