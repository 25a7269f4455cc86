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

from ropeproof.theory.rotary.spec import Dynamic, RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.report.files import write_junit, write_sarif

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


HALVES = RopeSpec(64, 10000)


def angled(x, positions, base=10000.0):
    return turned(x, positions[:, None] if positions.ndim == 2 else positions, base)


def late_at_the_end(x, p):
    late = p.clone()
    late[..., -1] -= int(p.shape[-1] > 1)
    return angled(x, late)


def table_of_tf32(x, p):
    def short(t):
        fraction, power = torch.frexp(t.float())
        return torch.ldexp((fraction * 2048).round() / 2048, power)

    inverse = 10000 ** -(torch.arange(32) / 32)
    angles = short(p)[..., None] * short(inverse)
    angles = angles[:, None] if angles.ndim == 3 else angles
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


@pytest.mark.parametrize(
    ("rotate", "said"),
    [
        (lambda x, p: angled(x, p + (p.shape[-1] > 1)), "offset of one, only for several vectors"),
        (
            lambda x, p: angled(x, 0 * p + p[..., :1]),
            "the position of the first of the call through",
        ),
        (
            lambda x, p: angled(x, p + (p.shape[-1] == 1), 500000.0),
            "base 500000 instead of 10000; for one vector at a time offset of one as well",
        ),
        (lambda x, p: angled(x, p, 10000 ** (64 / 80)), "as of exponents over 80 coordinates"),
        (lambda x, p: angled(x, p.clamp(max=1023), 500000.0), "taken for 1023; base 500000"),
        (table_of_tf32, "positions and frequencies in TF32"),
    ],
)
def test_what_a_cause_leaves_unexplained_is_told_or_it_is_not_named(rotate, said):
    found = check(rotate, HALVES, dtypes=["float32"])
    assert found.cause.known
    assert said in found.cause.text, found


@pytest.mark.parametrize(
    ("rotate", "fact"),
    [
        # So many calls begin at 0 that a narrower cause would explain most of them.
        (
            lambda x, p: angled(x, torch.cat((p[..., :1], (p[..., 1:] - 1).clamp(min=0)), -1)),
            "as at positions 1 behind",
        ),
        (lambda x, p: angled(x, p + 0.5), "as at positions 0.5 ahead"),
        (late_at_the_end, "only the last place of a call"),
    ],
)
def test_other_angles_are_read_as_other_positions(rotate, fact):
    assert fact in check(rotate, HALVES, dtypes=["float32"]).cause.text


def test_a_cause_of_the_queries_alone_says_so():
    def pair(q, k, p):
        return angled(q, -p), angled(k, p + 1)

    text = check(pair, HALVES, form="pair", dtypes=["float32"]).cause.text
    assert text == "sine with the opposite sign; of the keys offset of one instead"
    alone = check(lambda q, k, p: (q, angled(k, p)), HALVES, form="pair", dtypes=["float32"])
    assert alone.cause.text == "vectors are not rotated, only of the queries"


def test_what_happens_under_autocast_alone_says_so():
    def rotate(x, p):
        rows = p if p.ndim == 2 else p[None]
        inverse = 10000 ** -(torch.arange(32) / 32)
        angles = (inverse[None, :, None] @ rows[:, None].float()).transpose(1, 2)[:, None].float()
        first, second = x.chunk(2, -1)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)

    cause = check(rotate, HALVES, dtypes=["float32"]).cause
    assert cause.id == "angle-type"
    assert cause.text.endswith("only under autocast")


def test_frequencies_of_the_first_row_are_named():
    def first_row(x, p):
        length = int((p[0] if p.ndim == 2 else p).max()) + 1
        base = 10000 * max(2 * length / 512 - 1, 1) ** (64 / 62)
        return turned(x, p[:, None] if p.ndim == 2 else p, base)

    found = check(first_row, DYNAMIC, dtypes=["float32"], context=2048)
    assert "(that of the first row)" in found.cause.text
