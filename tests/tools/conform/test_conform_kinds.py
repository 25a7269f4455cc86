"""The kit on rotations of other kinds: coordinates of positions, split heads, still layers."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof import InvalidArgument
from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.tools.conform import TESTS, check
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import certified_tables, fast_tables
from ropeproof.tools.conform.references.mutants import kinds
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS
from ropeproof.tools.conform.subjects.subject import Subject


@pytest.mark.parametrize("name", RIGHT_KINDS)
def test_a_right_implementation_passes(name):
    spec, make = RIGHT_KINDS[name]
    report = check(make(spec), spec)
    assert report.passed, report
    ran = [t.name for t in report.tests]
    assert ran == [n for n in TESTS if n in ran]
    assert ("axes.each" in ran) == (spec.axes is not None)


def test_one_head_without_axes_of_batch_and_heads():
    spec, make = RIGHT_KINDS["sections that interleave"]
    right = make(spec)

    def one(x, p):
        return right(x[None, None], p)[0, 0]

    report = check(one, spec, axes="ld", dtypes=("float32",))
    assert report.passed, report


@pytest.mark.parametrize("spec", [kinds.VIDEO, kinds.DEALT])
def test_tables_of_coordinates_are_within_their_error(spec):
    n = len(spec.axes.names)
    places = np.random.default_rng(0).integers(0, 60, (3, 5, n))
    exact, fast = certified_tables(spec, places), fast_tables(spec, places)
    cosines, sines = rotation_tables(spec, places)
    assert exact.cosines.shape == (3, 5, spec.planes)
    for found, near in ((exact.cosines, cosines), (exact.sines, sines)):
        assert np.abs(found - near).max() < 1e-13
    assert np.abs(exact.cosines - fast.cosines).max() <= exact.error + fast.error
    assert np.abs(exact.sines - fast.sines).max() <= exact.error + fast.error
    assert allowed(spec, places, dtype="float32").shape == (3, 5, spec.planes)


def test_the_budget_of_a_plane_is_that_of_its_own_coordinate():
    time = allowed(kinds.VIDEO, np.array([[[500, 0, 0]]]), dtype="float32")[0, 0]
    assert (time[:4] > time[4:].max() * 0.999).all()
    assert np.ptp(time[4:]) == 0  # no angle there


def test_coordinates_are_apart_from_each_other():
    subject = Subject(lambda x, p: x, kinds.VIDEO)
    places = subject.lifted(np.arange(600))
    assert places.shape == (600, 3)
    assert (places[:, 0] == np.arange(600)).all()
    assert places.min() >= 0
    assert places.max() < 600
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert np.mean(places[:, a] == places[:, b]) < 0.02
    given = places[None]
    assert subject.lifted(given) is given


def test_text_alone_does_not_see_the_axes():
    """Why coordinates that differ are tried: with equal ones every order of axes is right."""
    wrong = kinds.by_planes(kinds.VIDEO.changed(axes=kinds.WOVEN.axes))
    report = check(wrong, kinds.VIDEO, dtypes=("float32",), explain=False)
    assert report["axes.equal"].result == "holds"
    assert report["axes.each"].result == "fails"


def test_a_still_layer_may_be_off_by_nothing():
    report = check(lambda x, p: x * (1 + 2.0**-20), kinds.STILL, dtypes=("float32",))
    assert report["rotation.float32"].result == "fails"
    assert report.cause is not None
    assert not report.cause.known


def test_runs_of_positions_have_one_coordinate():
    with pytest.raises(InvalidArgument, match="contiguous: got True, allowed: False, where pos"):
        check(lambda x, p: x, kinds.VIDEO, contiguous=True)
