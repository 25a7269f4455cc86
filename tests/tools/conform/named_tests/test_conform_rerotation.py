"""Cached keys that are turned again by the implementation under test."""

from __future__ import annotations

import pytest
import torch

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.references.mutants import parts
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS

NAMES = ("rerotation.once", "rerotation.steps")
SPECS = ("FULL", "PARTIAL_INTERLEAVED", "YARN", "DYNAMIC", "LONGROPE", "LLAMA3")


@pytest.mark.parametrize("name", SPECS)
def test_a_right_one_may_be_turned_again(name):
    spec = getattr(parts, name)
    report = check(RIGHT["planes, float32"].make(spec), spec)
    for test in NAMES:
        assert report[test].result == "holds", report
        assert 0 < report[test].residual <= report[test].budget


def test_keys_of_a_pair_and_runs_of_positions_are_turned_again():
    pair = RIGHT["queries and keys together"]
    report = check(pair.make(parts.DYNAMIC), parts.DYNAMIC, **pair.options)
    assert all(report[n].result == "holds" for n in NAMES)
    right = RIGHT["planes, float32"].make(parts.FULL)
    report = check(right, parts.FULL, contiguous=True, dtypes=("float32", "bfloat16"))
    assert all(report[n].result == "holds" for n in NAMES)


def test_coordinates_of_several_axes_are_not_added_up():
    (name, (spec, make)) = next((n, v) for n, v in RIGHT_KINDS.items() if v[0].axes is not None)
    report = check(make(spec), spec, dtypes=("float32",))
    assert not set(NAMES) & {t.name for t in report.tests}, name


def test_rounding_on_the_way_in_is_seen_by_values_of_many_bits_alone():
    spec = parts.FULL
    right = RIGHT["planes, float32"].make(spec)

    def rotate(x, p):
        return right(x + (x.half().to(x.dtype) - x).detach(), p)

    report = check(rotate, spec, dtypes=("float32",))
    sizes = {"magnitudes.large", "magnitudes.small", "magnitudes.mixed", "magnitudes.not-finite"}
    assert {t.name for t in report.failures} == set(NAMES) | sizes
    assert "float32, turned to 5, then by 300" in report["rerotation.once"].detail


def test_a_short_context_is_no_trouble():
    for length in (2, 3, 7):
        spec = RopeSpec(8, 10000, length=length)
        report = check(RIGHT["planes, float32"].make(spec), spec, dtypes=("float32",))
        assert report.passed, report


def test_a_factor_is_multiplied_once_a_call():
    """What an attention factor does to a key that is turned again is not hidden: it is expected."""
    spec = parts.YARN
    right = RIGHT["planes, float32"].make(spec)
    report = check(right, spec, dtypes=("float64",), angles="float32")
    assert report["rerotation.steps"].result == "holds"
    x = torch.ones(1, 1, 1, 32)
    once = right(x, torch.tensor([3]))
    assert right(once, torch.tensor([0])).norm() > 1.05 * once.norm()
