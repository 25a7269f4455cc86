"""A name must explain the run: faults of the second collection that one small call misnames."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from faults.accepted import ACCEPTED
from faults.second import FAULTS
from faults.third import THIRD
from faults.third_accepted import THIRD_ACCEPTED

from ropeproof.numerics.conform import check
from ropeproof.proofs_check.apps.conform.files import write_junit, write_sarif
from ropeproof.theory.rotary.spec import Dynamic, RopeSpec

CHOSEN = (
    "consecutive_from_first",
    "offset_dropped",
    "even_positions",
    "linear_in_integers",
    "last_block_left",
    "short_pi",
    "stale_by_length",
    "exchanged",
    "eight_heads",
    "gradient_of_first_row",
    "gradient_strides_ignored",
    "result_in_float32",
)


@pytest.mark.parametrize("name", CHOSEN)
def test_no_fault_is_missed_or_named_wrongly(name):
    (fault,) = (f for f in FAULTS if f.name == name)
    report = check(fault.make(), fault.spec, **fault.options)
    assert report.failures or report.warnings
    if report.cause is not None and report.cause.known:
        assert report.cause.id in ACCEPTED[name], report


LIGHT = (
    "positions_in_a_byte",
    "longest_row",
    "infinite_base",
    "added_rows_unscaled",
    "factor_in_prefill_only",
    "over_the_head",
    "keys_ahead",
    "length_of_the_call",
)


@pytest.mark.parametrize("name", LIGHT)
def test_a_fault_of_the_third_collection_is_named_rightly(name):
    (fault,) = (f for f in THIRD if f.name == name)
    report = check(fault.make(), fault.spec, **fault.options)
    assert not report.passed
    assert report.cause.id in THIRD_ACCEPTED[name], report


def test_every_fault_of_the_third_collection_says_what_it_may_be_called():
    assert {f.name for f in THIRD} == set(THIRD_ACCEPTED)


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("halves_exchanged", "right numbers in another order of coordinates: 32, 33, 34, 35"),
        ("keys_of_a_cache", "as of tables or angles that hold about"),
    ],
)
def test_without_a_cause_there_is_a_fact(name, fact):
    (fault,) = (f for f in THIRD if f.name == name)
    cause = check(fault.make(), fault.spec, dtypes=("float32",)).cause
    assert not cause.known
    assert fact in cause.text


def test_a_multiple_is_a_fact_and_the_files_say_so(tmp_path):
    (fault,) = (f for f in FAULTS if f.name == "one_percent_long")
    report = check(fault.make(), fault.spec, dtypes=("float32",))
    assert not report.cause.known
    assert "result = 1.01 times the right one" in report.cause.text
    assert str(report).startswith("none known; result = 1.01")
    write_junit([report], tmp_path / "r.xml")
    write_sarif([report], tmp_path / "r.sarif")
    assert 'message="none known; result = 1.01' in (tmp_path / "r.xml").read_text()
    (run,) = json.loads((tmp_path / "r.sarif").read_text())["runs"]
    assert {r["level"] for r in run["results"]} == {"error"}


DYNAMIC = RopeSpec(64, 10000, scaling=Dynamic(factor=2, original_length=512))


def turned(x, positions, base, divided=1.0):
    """Halves turned by the frequencies of a base, all divided by one number."""
    inverse = base ** -(np.arange(32) / 32) / divided
    angles = torch.as_tensor(np.multiply.outer(np.asarray(positions, np.float64), inverse))
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x[..., :32], x[..., 32:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


class GivenUpWhenShort:
    """Frequencies grow with the longest sequence and are given up for one below the original length."""

    def __init__(self):
        self.kept = 0

    def __call__(self, x, positions):
        length = int(positions.max()) + 1
        self.kept = length if length < 512 < self.kept else max(self.kept, length)
        base = 10000 * (2 * self.kept / 512 - 1) ** (64 / 62) if self.kept > 512 else 10000
        return turned(x, positions, base)


def test_frequencies_that_stay_until_a_short_sequence_are_named():
    found = check(GivenUpWhenShort(), DYNAMIC, dtypes=["float32"], context=2048)
    assert not found.passed
    assert found.cause.text.startswith("frequencies of a sequence of 2048 (the longest since one")


def test_a_base_factor_that_divides_frequencies_is_named():
    def divided(x, positions):
        return turned(x, positions, 10000, divided=2 ** (64 / 62))

    found = check(divided, DYNAMIC, dtypes=["float32"], context=2048)
    assert not found.passed
    assert found.cause.text.startswith("every frequency divided by what dynamic scaling")
