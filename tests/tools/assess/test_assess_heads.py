"""What becomes of heads at a length, in a number type: against direct sums, and bounds in balls."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from served_specs import PARTIAL, SMALL, YARN

from ropeproof.numerics.bounds.planes.rounding import read_arithmetic
from ropeproof.numerics.bounds.planes.rounding_ball import (
    certain_in_type,
    logit_error_ball,
    odds_allowed_ball,
)
from ropeproof.numerics.bounds.planes.sums import exponential_above, logarithm_above
from ropeproof.numerics.bounds.slash.learned.precision import rounded_weights
from ropeproof.numerics.bounds.slash.learned.scaling_survival import survival
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.theory.rotary.scaling import Linear, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.answers import of_decoding
from ropeproof.tools.assess.quantities import index_kept, retrieval_kept, slash_kept
from ropeproof.tools.assess.quantities.heads import _less, _more


@pytest.fixture(scope="module")
def stretched():
    """A head of 256 positions, served at 512 with interpolated frequencies."""
    before = RopeSpec(64, 10000)
    after = RopeSpec(64, 10000, scaling=Yarn(factor=2, original_length=256))
    return (
        before,
        after,
        slash_kept(before, after, offset=5, trained=256, length=512, dtype="bfloat16"),
    )


def test_a_slash_head_is_followed_to_its_new_frequencies(stretched):
    """Against the float64 score of the same weights, and against rounded tables."""
    from ropeproof.numerics.bounds.slash.budget import slash_budget
    from ropeproof.numerics.bounds.slash.learned.scaling_survival import rescaled_amplitudes

    before, after, found = stretched
    made = slash_budget(before, offset=5, length=256, score=0.9, factors=())
    phases = made.phases - frequencies_float64(before) * 5
    sizes = rescaled_amplitudes(made.amplitudes, before, after)
    seen = survival(sizes, phases, 5, after, length=512)
    assert found.after.lower - 1e-9 <= seen.score <= found.after.upper + 1e-9
    assert found.after.width < 1e-6
    assert found.guaranteed == pytest.approx(seen.guaranteed, abs=1e-9)
    weights = [
        rounded_weights(sizes, phases, 5, after, row=row, angles="float32", tables="bfloat16")
        for row in range(6, 513)
    ]
    assert found.in_type <= np.mean(weights) <= 1
    assert found.in_type < found.after.lower
    assert found.before >= 0.9


def test_nothing_changes_where_nothing_is_changed():
    spec = RopeSpec(64, 10000)
    found = slash_kept(spec, spec, offset=1, trained=128, length=128, dtype="float32")
    assert found.after.lower <= found.before + 1e-12
    assert found.after.lower == pytest.approx(found.before, abs=1e-9)
    assert found.kept is True
    assert found.needed <= found.amplitude


def test_interpolation_kills_long_slashes():
    before, after = RopeSpec(64, 10000), RopeSpec(64, 10000, scaling=Linear(4))
    found = slash_kept(before, after, offset=64, trained=128, length=512, dtype="float32")
    assert found.kept is False
    assert found.guaranteed < 0


def test_moved_logits_move_weights_by_no_more():
    draw = np.random.default_rng(1)
    for _ in range(300):
        logits = draw.normal(size=(6, 5)) * 3
        moved = draw.random() * 2
        other = logits + draw.uniform(-moved, moved, size=logits.shape)

        def score(values):
            powers = np.exp(values)
            return float((powers[:, 0] / powers.sum(-1)).mean())

        assert _less(score(logits), moved) <= score(other) <= _more(score(logits), moved)
    assert _less(0.9, 1e6) == 0.0
    assert _less(0.0, 0.1) == 0.0


def test_decoding_heads_are_those_of_the_budgets():
    from ropeproof.numerics.bounds.index.budget import index_budget

    before, after = RopeSpec(64, 10000), RopeSpec(64, 10000, scaling=Linear(2))
    found = index_kept(before, after, trained=32, length=64, dtype="float32")
    assert found.before == index_budget(before, length=32).amplitude
    assert found.after == index_budget(after, length=64).amplitude
    assert found.needed < found.after < found.in_type
    assert found.kept is True
    symbols = retrieval_kept(before, before, trained=64, length=64, dtype="bfloat16")
    assert symbols.before == symbols.after
    assert symbols.in_type > symbols.after


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_bounds_of_rounding_in_float64_are_above_those_in_balls(dtype):
    from flint import arb, ctx

    kind = read_arithmetic(dtype, "float32")
    draw = np.random.default_rng(3)
    for spec, length in ((SMALL, 64), (YARN, 9), (PARTIAL, 4096), (RopeSpec(128, 10000), 131072)):
        sizes = draw.exponential(size=spec.planes) * 10.0 ** draw.integers(-3, 3)
        near = kind.logit_error(
            frequencies_float64(spec), sizes, length=length, head_dim=spec.head_dim
        )
        with ctx.workprec(256):
            balls = [arb(size) for size in sizes.tolist()]
            thetas = frequencies_ball(spec, bits=256)
            exact = logit_error_ball(kind, thetas, balls, length=length, head_dim=spec.head_dim)
            assert exact < near
            assert near < exact * (1 + 2.0**-20)
            most = odds_allowed_ball(kind, length, arb(30), weight=Fraction(1, 8))
            float_most = kind.odds_allowed(length, 30.0, weight=1 / 8)
            assert float_most < most
            assert abs(float_most - most) < 1e-6


def test_a_product_that_may_overflow_is_certain_of_nothing():
    kind, thetas = read_arithmetic("bfloat16", "float32"), frequencies_ball(SMALL, bits=256)
    own: dict = {"length": 8, "odds": 1e-300, "weight": Fraction(1, 2)}
    assert certain_in_type(kind, thetas, np.ones(4), **own)
    assert not certain_in_type(kind, thetas, np.full(4, 1e38), **own)
    assert not certain_in_type(kind, thetas, np.ones(4), **own | {"odds": 1.0})
    assert not certain_in_type(kind, thetas, np.ones(4), **own | {"odds": math.inf})
    assert not certain_in_type(kind, thetas, np.full(4, np.nan), **own)


@pytest.mark.parametrize("task", [index_kept, retrieval_kept])
def test_what_balls_do_not_confirm_is_not_decided(task, monkeypatch):
    from ropeproof.tools.assess.quantities import heads

    own = task(SMALL, SMALL, trained=16, length=16, dtype="float32")
    assert own.kept is True
    assert not own.undecided
    # The amplitude is the least found in float64, confirmed: a part in a million less is not.
    told = []

    def refuse(*given: object, **named: object) -> bool:
        told.append(named["odds"])
        return False

    monkeypatch.setattr(heads.rounding_ball, "certain_in_type", refuse)
    found = task(SMALL, SMALL, trained=16, length=16, dtype="float32")
    assert found.undecided
    assert found.kept is None
    assert math.isinf(found.in_type)
    assert len(told) == 12
    assert told[-1] < told[0]  # it was looked for at larger amplitudes
    answer = of_decoding(found, "float32")
    assert "not decided by balls" in answer.text
    assert answer.numbers["undecided"] is True


def test_exponentials_of_bounds_are_proved():
    with mpmath.workdps(40):
        for exponent in (0.0, 1e-12, 0.3, 1.0, 17.5, 599.9):
            found = exponential_above(exponent)
            assert (
                mpmath.exp(exponent) <= found <= mpmath.exp(exponent) * (1 + mpmath.mpf(2) ** -47)
            )
        for count in (2, 3, 131072):
            assert mpmath.log(count) <= logarithm_above(count)
