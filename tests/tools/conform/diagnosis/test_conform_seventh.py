"""Faults of engines written without sight of the kit: what holds of them today, and by name what does not.

Those of code and of files take seconds each, and are for .ci/slow; those of what makes positions take none.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from faults.seventh import FAULTS, RIGHT
from faults.seventh.judge import verdict
from faults.seventh.open import LIGHT, OPEN
from needs import need, need_program

from ropeproof import RopeSpec, conform
from ropeproof.theory.rotary.axes import Axes

torch = need("torch")

ENTRIES = {entry.name: entry for entry in (*FAULTS, *RIGHT)}


def marked(names):
    """Each name with a strict xfail where the kit does not do what it should."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=OPEN[name])) if name in OPEN else name
        for name in names
    ]


def judged(name, folder):
    entry = ENTRIES[name]
    if name.startswith("c-"):
        need_program("gcc")
    types = {"dtypes": ("float32",)} if entry.kind == "code" else {}
    entry = replace(entry, options=types | entry.options)
    return verdict(entry, entry.check(folder))


@pytest.mark.parametrize("name", marked(e.name for e in FAULTS if e.kind == "producer"))
def test_a_fault_of_what_makes_positions_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(e.name for e in FAULTS if e.kind == "dump"))
def test_a_fault_in_a_file_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(LIGHT))
def test_a_fault_of_code_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(e.name for e in RIGHT if e.kind != "code"))
def test_what_is_right_is_not_accused(name, tmp_path):
    assert judged(name, tmp_path) == "passed"


def reading(positions_of):
    """A rotation that reads a table by positions, `cos[p]`, and takes one row of them."""
    frequencies = 10000.0 ** -(torch.arange(0, 64, 2) / 64)
    angles = torch.outer(torch.arange(4096.0), frequencies)
    cos, sin = angles.cos(), angles.sin()

    def rotate(x, positions):
        c, s = cos[positions].to(x.dtype), sin[positions].to(x.dtype)
        first, second = x.chunk(2, -1)
        return positions_of(torch.cat((first * c - second * s, second * c + first * s), -1))

    return rotate


def test_a_function_of_one_row_of_positions_is_not_accused_of_not_taking_several():
    spec = RopeSpec(64, 10000, length=2048)
    report = conform.check(reading(lambda x: x), spec, dtypes=("float32",))
    assert report.passed, report
    assert report["gradient.rows"].result == "unsupported"
    assert report["positions.batch"].result == "unsupported"


def two_coordinates(x, positions):
    frequencies = 10000.0 ** -(torch.arange(0, 32, 2) / 32)
    parts = [positions[..., n, None] * frequencies for n in (0, 1)]
    angles = torch.cat(parts, -1)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat((first * c - second * s, second * c + first * s), -1)


def test_nor_is_one_of_two_coordinates():
    spec = RopeSpec(64, 10000, axes=Axes.grid(32), length=64)
    report = conform.check(two_coordinates, spec, dtypes=("float32",))
    assert report.passed, report


def test_a_product_of_matrices_is_warned_of_under_autocast_and_not_accused():
    entry = replace(ENTRIES["matrices"], options={"dtypes": ("float32",)})
    report = entry.check(None)
    assert report.passed, report
    assert report["autocast"].result == "warns"
    assert "rounded to bfloat16" in report["autocast"].detail


def test_entries_have_names_of_their_own_and_what_is_open_is_one_of_them():
    assert len(ENTRIES) == len(FAULTS) + len(RIGHT)
    assert ENTRIES.keys() >= OPEN.keys() | set(LIGHT)
