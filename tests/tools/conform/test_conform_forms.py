"""Implementations of other shapes: heads in one axis, complex results, positions in rows, in place."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.references.mutants import parts

SPEC = RopeSpec(32, 500000, length=600)
PAIRS = RopeSpec(32, 500000, layout="interleaved", length=600)
PARTIAL = parts.PARTIAL


def waves(positions, base=500000.0, width=32):
    inverse = base ** -(torch.arange(0, width, 2) / width)
    return positions[..., None].float() * inverse


def halves(x, c, s):
    first, second = x.chunk(2, -1)
    return torch.cat((first * c - second * s, second * c + first * s), -1)


def flat(x, positions, base=500000.0):
    """(batch, length, heads * head_dim)"""
    angles = waves(positions, base)
    angles = angles[None] if angles.ndim == 2 else angles
    c, s = (w[:, :, None].to(x.dtype) for w in (angles.cos(), angles.sin()))
    heads = x.reshape(*x.shape[:2], -1, 32)
    return halves(heads, c, s).flatten(2)


def in_rows(x, positions):
    """Positions of (batch, length), with no other number of rows than the vectors have."""
    assert positions.shape == (x.shape[0], x.shape[2])
    angles = waves(positions)[:, None]
    return halves(x, angles.cos().to(x.dtype), angles.sin().to(x.dtype))


def numbers(x, positions, base=500000.0):
    """Complex numbers, one for each plane of neighbours."""
    angles = waves(positions, base)
    angles = angles[:, None] if angles.ndim == 3 else angles
    own = x.float() if x.dtype != torch.float64 else x
    z = torch.view_as_complex(own.reshape(*x.shape[:-1], -1, 2).contiguous())
    return z * torch.polar(torch.ones_like(angles), angles).to(z.dtype)


def placed(x, positions):
    """Turns its argument and returns nothing."""
    angles = waves(positions)
    angles = angles[:, None] if angles.ndim == 3 else angles
    x.copy_(halves(x.clone(), angles.cos().to(x.dtype), angles.sin().to(x.dtype)))


@pytest.mark.parametrize("axes", ["bl(hd)"])
def test_heads_in_one_axis(axes):
    report = check(flat, SPEC, axes=axes)
    assert report.passed, report
    assert report["layout.heads"].result == "holds"
    assert report["gradient"].result == "holds"
    wrong = check(lambda x, p: flat(x, p, 10000.0), SPEC, axes=axes, dtypes=("float32",))
    assert wrong.cause.text == "base 10000 instead of 500000"


def test_heads_in_one_axis_of_numpy_without_batch():
    def rotate(x, positions):
        return flat(torch.from_numpy(x)[None], torch.from_numpy(positions)).numpy()[0]

    report = check(rotate, SPEC, axes="l(hd)", array="numpy", dtypes=("float32", "float64"))
    assert report.passed, report


def test_heads_that_lie_the_other_way_round_are_caught():
    def rotate(x, positions):
        heads = x.reshape(*x.shape[:2], 32, -1).transpose(2, 3).flatten(2)
        return flat(heads, positions).reshape(*x.shape[:2], -1, 32).transpose(2, 3).flatten(2)

    assert not check(rotate, SPEC, axes="bl(hd)", dtypes=("float32",)).passed


def test_positions_in_rows():
    refused = check(in_rows, SPEC, dtypes=("float32",))
    assert refused["contract.returns"].result == "fails"
    report = check(in_rows, SPEC, rows=True)
    assert report.passed, report
    assert report["positions.batch"].result == "holds"


def test_complex_results():
    report = check(numbers, PAIRS, dtypes=("float32", "float64"))
    assert report.passed, report
    assert report["gradient.rows"].result == "holds"
    half = check(numbers, SPEC, dtypes=("float32",))  # pairs of neighbours where halves are meant
    assert not half.passed
    wrong = check(lambda x, p: numbers(x, p).conj(), PAIRS, dtypes=("float32",))
    assert not wrong.passed
    base = check(lambda x, p: numbers(x, p, 10000.0), PAIRS, dtypes=("float32",))
    assert base.cause.text == "base 10000 instead of 500000"


def test_a_complex_number_too_few_is_named():
    report = check(lambda x, p: numbers(x, p)[..., :-1], PAIRS, dtypes=("float32",))
    assert "16 planes of a head were expected" in report["contract.shape"].detail


def test_code_that_turns_its_argument():
    def quiet(x, positions):
        with torch.no_grad():
            placed(x, positions)

    skip = ("gradient", "gradient.rows", "gradient.strided")
    report = check(quiet, SPEC, in_place=True, skip=skip)
    assert report.passed, report
    assert report["rerotation.steps"].result == "holds"
    assert check(quiet, SPEC, dtypes=("float32",)).passed is False


@pytest.mark.parametrize("axes", ["(hd)bl", "bl(dh)", "b(lh)d", "bl(hd", "(bl)hd", "blhd()"])
def test_other_parentheses_are_refused(axes):
    with pytest.raises(InvalidArgument, match="axes"):
        check(flat, SPEC, axes=axes)
    with pytest.raises(InvalidArgument, match="tables"):
        check(flat, SPEC, axes="bl(hd)", form="tables")


def test_arrays_are_what_they_were():
    from ropeproof.tools.conform.arrays import read

    values, kind = read(np.array([1 + 2j], dtype=np.complex64))
    assert values.tolist() == [1 + 2j]
    assert kind == "float32"
    assert read(torch.ones(2, dtype=torch.complex128).conj())[1] == "float64"


def test_a_table_that_is_read_by_position_is_not_accused_where_rows_of_positions_differ():
    # cos[p] of two rows is broadcast along two heads without an error: as many heads as rows hide that.
    spec = RopeSpec(8, 10000)
    angles = torch.arange(64.0)[:, None] * 10000.0 ** (-torch.arange(0, 8, 2) / 8)
    cosines, sines = angles.cos(), angles.sin()

    def rotate(x, p):
        c, s = cosines[p].to(x.dtype), sines[p].to(x.dtype)
        a, b = x.chunk(2, -1)
        return torch.cat((a * c - b * s, b * c + a * s), -1)

    report = check(rotate, spec, form="rotate", context=64, dtypes=("float32",))
    assert [t.name for t in report.tests if t.result == "fails"] == []
