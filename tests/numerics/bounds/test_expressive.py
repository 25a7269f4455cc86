"""What targets cost: the certified numbers against mpmath and against every target."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from flint import ctx

from ropeproof.numerics.bounds.rope import expressive
from ropeproof.numerics.bounds.rope.expressive import (
    amplitude_needed,
    expressive_cost,
    fit,
    fit_cyclic,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Linear, LongRope, RopeSpec


def cost_mp(dim, target, first=0, base=10000):
    """The amplitude that a target needs, by mpmath's own solver at 200 digits."""
    with mpmath.workdps(200):
        planes = dim // 2
        theta = [mpmath.mpf(base) ** (-mpmath.mpf(plane) / planes) for plane in range(planes)]
        rows = [
            [part for x in theta for part in (mpmath.cos(x * t), mpmath.sin(x * t))]
            for t in range(first, first + dim)
        ]
        found = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([int(v) for v in target]))
        return mpmath.fsum(mpmath.hypot(found[2 * l], found[2 * l + 1]) for l in range(planes))


def inside(enclosure, value):
    with mpmath.workdps(60):
        return mpmath.mpf(enclosure.lower) <= value <= mpmath.mpf(enclosure.upper)


def test_the_worst_target_of_eight_lags():
    cost = expressive_cost(RopeSpec(8, 10000))
    assert cost.exhaustive
    assert cost.target == (1, -1) * 4
    assert f"{cost.lower:.12e}" == f"{cost.upper:.12e}" == "1.190677231930e+11"
    assert inside(cost, cost_mp(8, cost.target))


def test_no_target_of_six_lags_costs_more():
    cost = expressive_cost(RopeSpec(6, 10000))
    costs = {target: cost_mp(6, target) for target in itertools.product((1, -1), repeat=6)}
    assert inside(cost, max(costs.values()))
    assert inside(cost, costs[cost.target])


@pytest.mark.parametrize(("dim", "low", "high"), [(16, 1e29, 1.4e29), (32, 1e65, 1.1e66)])
def test_longer_windows(dim, low, high):
    cost = expressive_cost(RopeSpec(dim, 10000))
    assert low < cost.lower < cost.upper < high
    assert cost.upper / cost.lower - 1 < 1e-8
    assert not cost.exhaustive
    # The lower end is what that target needs; the window does not matter.
    assert inside(amplitude_needed(RopeSpec(dim, 10000), cost.target), cost_mp(dim, cost.target, 5))


def test_the_bracket_holds_all_targets():
    """The upper bound without trying any target is not below what trying all gives."""
    for dim in (4, 8, 10):
        tried = expressive_cost(RopeSpec(dim, 10000), exhaustive=True)
        quick = expressive_cost(RopeSpec(dim, 10000), exhaustive=False)
        assert quick.lower <= tried.upper
        assert tried.lower <= quick.upper
        assert quick.target == tried.target


def test_the_upper_bound_covers_targets_that_were_not_tried():
    """It is the sum over planes of the largest value that any target gives each row."""
    theta = np.array([1.0, 0.01])
    lags = np.arange(4) - 1.5
    angles = np.outer(lags, theta)
    system = np.stack((np.cos(angles), np.sin(angles)), axis=2).reshape(4, 4)
    norms = np.abs(np.linalg.inv(system)).sum(1)
    cost = expressive_cost(RopeSpec(4, 10000), exhaustive=False)
    assert cost.upper == pytest.approx(np.hypot(norms[::2], norms[1::2]).sum(), rel=1e-9)
    assert cost.upper > cost.lower * (1 + 1e-6)


def test_the_layout_does_not_matter_and_the_base_does():
    plain = expressive_cost(RopeSpec(8, 10000))
    assert expressive_cost(RopeSpec(8, 10000, layout="interleaved")).lower == plain.lower
    assert expressive_cost(RopeSpec(8, 100)).upper < plain.lower


def test_precision_is_left_as_it_was():
    before = ctx.prec
    expressive_cost(RopeSpec(16, 10000))
    fit(RopeSpec(8, 10000), np.ones(8))
    assert ctx.prec == before


def test_a_sum_of_squares_that_may_be_zero_has_a_root():
    """A bug once: the ball of 0 reached below 0 and its root was nan, the bound infinite."""
    cost = expressive_cost(RopeSpec(12, 10000))
    assert np.isfinite([cost.lower, cost.upper]).all()
    assert expressive_cost(RopeSpec(10, 10000), exhaustive=True).upper < 1e17


def test_huge_coefficients_still_give_the_values_back():
    """A bug once: coefficients of 1e20 were known to 60 bits, so values to none."""
    found = fit(RopeSpec(10, 1000000), [1, 1, 0, 1, 0, 1, 1, 1, 1, 1])
    assert max(found(t).width for t in range(10)) < 1e-12


COINCIDING = RopeSpec(
    4,
    10000,
    scaling=LongRope(short_factor=(100, 1), long_factor=(1, 1), original_length=9, factor=1),
)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("spec", lambda: fit("llama", [1.0])),
        ("spec", lambda: fit(RopeSpec(8, 100, rotary_dim=4), np.ones(8))),
        ("values", lambda: fit(RopeSpec(8, 100), np.ones(7))),
        ("values", lambda: fit(RopeSpec(2, 100), [1.0, np.nan])),
        ("values", lambda: fit(RopeSpec(2, 100), ["a", "b"])),
        ("first", lambda: fit(RopeSpec(2, 100), [1.0, 2.0], first=0.5)),
        ("exhaustive", lambda: expressive_cost(RopeSpec(32, 100), exhaustive=True)),
        ("values", lambda: fit_cyclic([])),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


def test_frequencies_that_coincide_are_refused():
    with pytest.raises((InvalidArgument, expressive.Unsupported)):
        fit(COINCIDING, np.ones(4))


def test_frequencies_beyond_pi_are_refused():
    fast = LongRope(short_factor=("0.1", 1), long_factor=(1, 1), original_length=9, factor=1)
    with pytest.raises(InvalidArgument, match="distinct frequencies in"):
        fit(RopeSpec(4, 100, scaling=fast), np.ones(4))


def test_scaled_frequencies_are_used():
    scaled = expressive_cost(RopeSpec(8, 10000, scaling=Linear(2)))
    assert scaled.lower > expressive_cost(RopeSpec(8, 10000)).upper
