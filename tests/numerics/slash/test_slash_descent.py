"""Training runs stay within what is proved about them."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.descent import (
    SlashObjective,
    balanced_start,
    best_direction,
    cone_embeddings,
    descend,
    descend_fully,
    floor_bound,
    flow,
    game_of,
    planes_of,
    rate_bound,
    sharp_rate_bound,
    shifted_prompts,
)
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(16, 100)
RNG = np.random.default_rng(0)
QUERY = RNG.normal(size=16)
ROUNDING = 1e-9
SPECS = [
    SPEC,
    RopeSpec(16, 100, layout="half"),
    RopeSpec(16, 100, rotary_dim=8),
]


@pytest.fixture(scope="module")
def run():
    return descend(SPEC, QUERY, 3, 12, 20_000)


@pytest.mark.parametrize("spec", SPECS, ids=["interleaved", "half", "partial"])
def test_the_closed_form_is_the_naive_loss(spec):
    objective = SlashObjective(spec, 2, 7)
    q, k = RNG.normal(size=(2, 16))
    w = planes_of("query", q, spec) * planes_of("key", k, spec).conj()
    theta = np.array([float(f) for f in spec.frequencies()])
    logits = [float((w * np.exp(1j * theta * t)).real.sum()) / 4 for t in range(7)]
    losses = [np.log(np.exp(logits[:i]).sum()) - logits[2] for i in range(3, 8)]
    found = objective.evaluate(w)
    assert np.exp(found.log_loss) == pytest.approx(np.mean(losses), rel=1e-12)
    assert found.score == pytest.approx(np.mean(np.exp(-np.array(losses))), rel=1e-12)


def test_the_loss_stays_within_its_bounds(run):
    assert run.gamma.lower > 0
    assert (run.losses <= run.rate_bound() * (1 + ROUNDING)).all()
    assert (run.losses <= run.sharp_rate_bound() * (1 + ROUNDING)).all()
    assert (run.losses >= run.floor() * (1 - ROUNDING)).all()
    assert np.isfinite(run.sharp_rate_bound()[-1])
    assert run.floor()[-1] > 0
    assert (np.diff(run.losses) <= 0).all()
    assert (run.scores >= np.exp(-run.losses) * (1 - ROUNDING)).all()


def test_the_sharp_rate_beats_the_plain_one_in_the_end(run):
    assert run.sharp_rate_bound()[-1] < run.rate_bound()[-1] / 5


def test_slow_planes_stay_small(run):
    assert (run.shares <= run.slow_bounds * (1 + ROUNDING)).all()
    slow = RopeSpec(16, 10**8)
    again = descend(slow, QUERY, 3, 12, 2000)
    assert again.slow_bounds[-1] < 1e-3
    assert (again.shares[:, -1] <= again.slow_bounds[-1] * (1 + ROUNDING)).all()


def test_the_full_model_is_the_reduced_one_and_keeps_rank_one():
    prompts = shifted_prompts(9, 6)
    steps = 30
    full = descend_fully(SPEC, QUERY, 2, cone_embeddings(9, 5), prompts, steps)
    reduced = descend(SPEC, QUERY, 2, 6, steps, list(range(steps + 1)))
    assert full.losses == pytest.approx(reduced.losses, rel=1e-10)
    assert np.asarray(full.keys) == pytest.approx(reduced.keys, abs=1e-10)
    values = np.linalg.svd(full.matrix, compute_uv=False)
    assert values[1] <= 1e-10 * values[0]


def test_the_best_direction_separates_by_gamma():
    found = best_direction(SPEC, QUERY, 3, 12)
    assert 0 < found.gamma.lower <= found.gamma.upper
    assert np.linalg.norm(found.key) == pytest.approx(1)


def test_gradient_flow_conserves_and_reaches_the_games_margin():
    q, k = balanced_start(SPEC, 0.1)
    run = flow(SPEC, q, k, 6, 13, amplitude=300.0, records=50)
    assert run.drift.max() < 1e-6
    value = float(game_of(SPEC, 6, 13).upper)
    assert run.margins[-1] <= value * (1 + ROUNDING)
    assert run.margins[-1] > 0.9 * value


def test_bounds_as_numbers():
    assert rate_bound(1, length=2, beta=1.0, gamma=1.0) == 1.0  # ln 1 = 0
    start, rows = 5, 4
    sharp = sharp_rate_bound([4, 5, 6], start=start, loss=0.25, rows=rows, beta=1.0, gamma=1.0)
    assert np.isinf(sharp[0])
    assert sharp[1] == 0.25
    assert sharp[2] == pytest.approx(1 / (4 + (1 - np.exp(-1)) ** 2 / 2))
    assert floor_bound(7, start=5, loss=0.125) == pytest.approx(1 / 24)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: descend(SPEC, QUERY[:3], 1, 4, 5), "query"),
        (lambda: descend(SPEC, QUERY, 9, 4, 5), "offset"),
        (lambda: descend(SPEC, QUERY, 1, 4, 0), "steps"),
        (lambda: balanced_start(SPEC, 0.0), "size"),
        (lambda: floor_bound(3, start=0, loss=0.5), "loss"),
        (lambda: flow(SPEC, QUERY, QUERY, 1, 4, amplitude=1e-9), "amplitude"),
    ],
)
def test_bad_input_is_refused_by_name(call, argument):
    with pytest.raises(InvalidArgument, match=argument):
        call()


def test_a_flow_that_does_not_move_is_refused():
    with pytest.raises(Unsupported):
        flow(SPEC, np.zeros(16), np.zeros(16), 1, 4)


def test_a_run_through_several_amplitudes_passes_where_runs_to_each_end():
    q, k = balanced_start(SPEC, 0.1)
    through = flow(SPEC, q, k, 6, 13, amplitude=[30.0, 300.0])
    assert through.times[0] == 0
    assert through.amplitudes[1:] == pytest.approx([30.0, 300.0], rel=1e-6)
    for place, amplitude in ((1, 30.0), (2, 300.0)):
        alone = flow(SPEC, q, k, 6, 13, amplitude=amplitude, records=2)
        assert through.margins[place] == pytest.approx(alone.margins[-1], rel=1e-6)
    with pytest.raises(InvalidArgument, match="rising"):
        flow(SPEC, q, k, 6, 13, amplitude=[300.0, 30.0])


def test_an_amplitude_may_be_a_decimal_text_and_several_an_array():
    q, k = balanced_start(SPEC, 1e-2, seed=3)
    number, text = (
        flow(SPEC, q, k, 6, 13, amplitude=amplitude, records=2).margins for amplitude in (30, "30")
    )
    assert np.array_equal(number, text)
    listed, arrayed = (
        flow(SPEC, q, k, 6, 13, amplitude=amplitude).margins
        for amplitude in ([20, 30], np.array([20.0, 30.0]))
    )
    assert np.array_equal(listed, arrayed)
    assert listed.shape == (3,)


@pytest.mark.parametrize("largest", [-700.0, -31.0, -29.0, -1.0, 5.0, 599.0, 601.0, 2000.0])
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("offset", [0, 3])
def test_loss_and_slope_keep_their_digits_at_every_size(offset, largest):
    objective = SlashObjective(SPEC, offset, 7)
    theta = np.array([float(f) for f in SPEC.frequencies()])
    w = np.exp(-1j * theta * offset) * np.linspace(1, 2, 8)  # every other lag is below the target
    gaps = np.delete(objective.gaps(w), offset)
    # Negated, each is above it.
    w = w * (largest / (gaps.max() if largest < 0 else gaps.min()))
    found = objective.evaluate(w)
    x = [mpmath.mpf(float(g)) for g in objective.gaps(w)]
    logs = [
        mpmath.log1p(mpmath.fsum(mpmath.exp(x[t]) for t in range(row + 1) if t != offset))
        for row in range(offset, 7)
    ]
    loss = mpmath.fsum(logs) / len(logs)
    assert found.log_loss == pytest.approx(float(mpmath.log(loss)), rel=1e-12, abs=1e-12)
    own = mpmath.fsum(mpmath.exp(-each) for each in logs) / len(logs)
    assert found.score == pytest.approx(float(own), rel=1e-11)
    for plane in range(8):
        slope = mpmath.fsum(
            mpmath.exp(x[t] - logs[row - offset])
            * mpmath.mpc(complex(objective.differences[t, plane]))
            for row in range(offset, 7)
            for t in range(row + 1)
            if t != offset
        ) / (len(logs) * loss)
        assert found.slope[plane] == pytest.approx(complex(slope), rel=1e-9, abs=1e-11)
    assert np.array_equal(objective.slope(w), found.slope)
