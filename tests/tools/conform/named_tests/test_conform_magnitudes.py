"""Vectors of every size: faults of one size are named with it, and no right implementation is accused."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from faults.fifth import FIFTH
from faults.second import LLAMA2, PYTHIA, YARN, halves, inverse, outer
from typer.testing import CliRunner

from ropeproof import InvalidArgument
from ropeproof.cli import app
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.expected.budget import largest, smallest_normal, underflow
from ropeproof.tools.conform.named_tests.magnitudes import MAGNITUDES, entries
from ropeproof.tools.conform.references.mutants import parts
from ropeproof.tools.conform.references.right import RIGHT


@pytest.mark.parametrize("name", list(FIFTH))
def test_a_fault_of_one_size_is_caught_and_named_with_it(name):
    spec, make, says, options = FIFTH[name]
    report = check(make(), spec, **options)
    assert not report.passed
    assert says in report.cause.text, report


def right(x, positions):
    return halves(x, outer(positions, inverse()))


@pytest.mark.parametrize("limit", [0.3, 7, 60, 1234, 9.5e4, 1e9])
@pytest.mark.parametrize("kind", ["entries", "norms"])
def test_a_threshold_is_found_where_it_is(limit, kind):
    def rotate(x, positions):
        size = x.abs() if kind == "entries" else x.double().norm(dim=-1, keepdim=True)
        return torch.where(size > limit, 0, right(x, positions))

    report = check(rotate, LLAMA2, dtypes=("float32",))
    assert not report.passed
    of = "norm " if kind == "norms" else ""
    if limit > 3:  # below that a vector of entries 1 or 3 is one of them
        assert f"{of}above {limit:g}" in report.cause.text, report


FLOATS = {
    "float32": RIGHT["planes, float32"],
    "casts": RIGHT["vectors cast to float32"],
    "types": RIGHT["rotate_half"],
    "matrices": RIGHT["matrices and einsum"],
    "NumPy": RIGHT["NumPy"],
}


@pytest.mark.parametrize("name", list(FLOATS))
@pytest.mark.parametrize("spec", [parts.FULL, parts.YARN_PARTIAL], ids=["full", "partial"])
def test_a_right_rotation_whose_subnormal_numbers_are_flushed_passes(name, spec):
    one = FLOATS[name]
    torch.set_flush_denormal(True)  # without effect on a processor that has no such mode
    try:
        report = check(one.make(spec), spec, **one.options)
    finally:
        torch.set_flush_denormal(False)
    assert report.passed, report
    assert set(MAGNITUDES) <= {t.name for t in report.tests}


def by_three_products(x, positions):
    """A product of complex numbers by three products of real ones, in the type of the vectors."""
    angles = outer(positions, inverse())
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    both = c * (a + b)
    return torch.cat((both - b * (c + s), both + a * (s - c)), -1)


def by_complex_numbers(x, positions):
    wide = x if x.dtype == torch.float64 else x.float()
    a, b = wide.chunk(2, -1)
    angles = outer(positions, inverse()).to(wide.dtype)
    turned = torch.complex(a, b) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat((turned.real, turned.imag), -1).to(x.dtype)


def without_finite_tests(x, positions):
    return torch.nan_to_num(right(x, positions), nan=0.0, posinf=torch.inf, neginf=-torch.inf)


def refusing_what_is_not_finite(x, positions):
    if not bool(x.isfinite().all()):
        raise ValueError("not finite")
    return right(x, positions)


@pytest.mark.parametrize(
    "rotate",
    [by_three_products, by_complex_numbers, without_finite_tests, refusing_what_is_not_finite],
)
def test_an_odd_but_right_rotation_passes(rotate):
    dtypes = ("float32", "bfloat16", "float16")
    if rotate is by_three_products:  # its sums cost a coarse type more than the six roundings
        dtypes = ("float32",)
    report = check(rotate, LLAMA2, dtypes=dtypes)
    assert not [t for t in report.failures if t.name in MAGNITUDES], report
    assert report.passed or rotate is by_three_products, report


def test_a_rotation_of_another_base_that_clips_has_both_told():
    def rotate(x, positions):
        return halves(x.clamp(-100, 100), outer(positions, inverse(500000.0)))

    report = check(rotate, LLAMA2, dtypes=("float32",))
    assert report.cause.text.startswith("base 500000 instead of 10000"), report


def test_tables_are_applied_by_the_kit_and_tell_nothing_of_sizes():
    def tables(positions):
        angles = positions[..., None].float() * inverse()
        return angles.cos(), angles.sin()

    report = check(tables, LLAMA2, form="tables", dtypes=("float32",))
    assert report.passed, report
    assert not set(MAGNITUDES) & {t.name for t in report.tests}


def test_the_numbers_that_a_type_has():
    assert smallest_normal("float16") == 2.0**-14
    assert smallest_normal("float64") == smallest_normal("float32") == 2.0**-126
    for dtype in ("float16", "bfloat16", "float32"):
        most = torch.finfo(getattr(torch, dtype)).max
        top = largest(LLAMA2, dtype)
        assert 0.98 * most < 2 * 2**0.5 * top <= most
        x = entries((100,), dtype, seed=1)
        held = torch.from_numpy(x).to(getattr(torch, dtype)).double().numpy()
        assert np.array_equal(x, held)
    assert largest(LLAMA2, "float64") == largest(LLAMA2, "float32")
    assert largest(LLAMA2, "float64", own=True) > 1e307
    assert largest(YARN, "float32") < largest(LLAMA2, "float32")
    assert underflow(LLAMA2, "float32") == 6 * 2.0**-126
    assert underflow(LLAMA2, "float32", gradual=True) == 6 * 2.0**-149
    assert underflow(PYTHIA, "float16") == 6 * 2.0**-24
    assert underflow(RopeSpec(64, 10000), "bfloat16", gradual=True) == 6 * 2.0**-133
    for ask in (smallest_normal, lambda d: largest(LLAMA2, d), lambda d: underflow(LLAMA2, d)):
        with pytest.raises(InvalidArgument, match="float8"):
            ask("float8")


def test_a_fault_of_large_entries_reads_well_in_a_narrow_terminal(tmp_path, monkeypatch):
    """Errors are per unit of the entries, details are lines of their own, and the cause stands once."""
    (tmp_path / "own_clip.py").write_text(
        "import torch\n\n\n"
        "def rope(x, positions):\n"
        "    angles = positions[..., None] * 10000 ** -(torch.arange(0, 8, 2) / 8)\n"
        "    angles = angles[:, None] if angles.ndim == 3 else angles\n"
        "    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n"
        "    a, b = x.clamp(-100, 100).chunk(2, -1)\n"
        "    return torch.cat((a * c - b * s, b * c + a * s), -1)\n"
    )
    config = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 1}
    config |= {"max_position_embeddings": 64, "rope_theta": 10000.0}
    (tmp_path / "config.json").write_text(json.dumps(config))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    command = ["conform", "own_clip:rope", "--config", "config.json", "--type", "float32"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 1, run.output
    lines = [line.strip() for line in run.output.splitlines()]
    assert max(map(len, lines)) <= 80
    assert run.output.count("entries are clipped at 100") == 1
    assert lines[-1] == "Cause: entries are clipped at 100"
    row = next(line.split() for line in lines if line.startswith("magnitudes.large "))
    assert row[1] == "fails"
    assert 0.1 < float(row[2]) < 10
    assert any(line.startswith("magnitudes.large: float32, entries of sizes 1") for line in lines)
