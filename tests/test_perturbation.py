"""Disturbed positions and longer inputs: brute force, the proved bounds, and bounds sabotaged."""

from __future__ import annotations

import dataclasses
import doctest
import importlib.util
import itertools
import json
import math
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.constructions import index_head, slash_head, uniform_profile
from ropeproof.numerics import perturbation, softmax
from ropeproof.numerics.perturbation import (
    apart,
    displaced,
    lags_apart,
    longer,
    longer_inputs,
    loss_by_position,
    losses,
    moves,
    neighbour_swaps,
    token_losses,
    uniform_moves,
    unmoved,
    window_shuffles,
)
from ropeproof.numerics.perturbation import displaced as _function
from ropeproof.numerics.posgen import displacement_tilt, effective_length, transposition_bound
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.spec import frequencies_float64, logits
from ropeproof.numerics.strategies import generic, specs
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.spec import RopeSpec, Yarn

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

module = sys.modules[_function.__module__]
few = settings_for("quick", cases=40)
SPEC = RopeSpec(16, 10000)
SPECS = {
    "half": SPEC,
    "interleaved": RopeSpec(16, 500, layout="interleaved"),
    "partial": RopeSpec(16, 100, rotary_dim=8),
    "attention factor": RopeSpec(
        16, 10000, rotary_dim=8, scaling=Yarn(factor=4, original_length=16), length=64
    ),
}


def head(length=20, dim=16, seed=0, mean=1.0):
    """Queries and keys around a mean, `(length, dim)` each."""
    random = np.random.default_rng(seed)
    return [random.normal(size=(length, dim)) + mean * random.normal(size=dim) for _ in range(2)]


def by_rows(queries, keys, spec, shifts, soft_cap=None, **options):
    """Attention before and after, each row on its own, as lists of rows."""
    found = []
    for i in range(len(queries)):
        here, rows = np.arange(i + 1), []
        for places in (here, here + shifts[: i + 1]):
            row = logits(queries[i : i + 1], keys[: i + 1], [i], places, spec, **options)[0]
            rows.append(row if soft_cap is None else soft_cap * np.tanh(row / soft_cap))
        found.append(rows)
    return found


# --- displacements ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["moves", "displaced", "longer", "apart", "losses"])
def test_documented_numbers(name):
    found = doctest.testmod(sys.modules[f"ropeproof.numerics.perturbation.{name}"])
    assert found.failed == 0
    assert found.attempted == {"moves": 3, "displaced": 2, "losses": 2}.get(name, 0)


@pytest.mark.parametrize("length", [1, 2, 7, 64])
@pytest.mark.parametrize("seed", range(3))
def test_moves_stay_within_their_limits(length, seed):
    swaps = neighbour_swaps(length, 0.5, seed=seed)
    assert set(swaps.tolist()) <= {-1, 0, 1}
    assert sorted(np.arange(length) + swaps) == list(range(length))
    for most in (0, 1, 3, 100):
        shuffled = window_shuffles(length, most, seed=seed)
        assert abs(shuffled).max() <= most
        assert sorted(np.arange(length) + shuffled) == list(range(length))
        free = uniform_moves(length, most, seed=seed)
        assert abs(free).max() <= most
        assert free.shape == shuffled.shape == swaps.shape == (length,)


def test_moves_are_those_asked_for():
    assert neighbour_swaps(6).tolist() == [1, -1, 1, -1, 1, -1]
    assert not neighbour_swaps(6, 0).any()
    share = (neighbour_swaps(20_000, 0.1, seed=1) != 0).mean()
    # A start is free of the swap before it with probability 1/(1 + p): 2p/(1 + p) are moved.
    assert abs(share - 0.2 / 1.1) < 0.02
    assert set(uniform_moves(200, 2).tolist()) == {-2, -1, 0, 1, 2}
    assert len({tuple(window_shuffles(9, 8, seed=s).tolist()) for s in range(5)}) == 5
    assert abs(window_shuffles(1000, 4)).max() == 4
    # In windows of two every position moves now and then.
    assert np.any([window_shuffles(8, 1, seed=s) for s in range(20)], axis=0).all()
    assert (uniform_moves(50, 3, seed=1) == uniform_moves(50, 3, seed=1)).all()


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: neighbour_swaps(0), "length"),
        (lambda: neighbour_swaps(3, 1.5), "probability"),
        (lambda: neighbour_swaps(3, -0.5), "probability"),
        (lambda: neighbour_swaps(3, seed=-1), "seed"),
        (lambda: uniform_moves(3, -1), "most"),
        (lambda: uniform_moves(2.5, 1), "length"),
        (lambda: window_shuffles(3, -1), "most"),
        (lambda: window_shuffles(3, 1, seed=0.5), "seed"),
    ],
)
def test_bad_moves_are_refused(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


# --- displaced keys -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("soft_cap", [None, 1.5])
def test_every_quantity_is_that_of_its_row(name, soft_cap):
    spec, (queries, keys) = SPECS[name], head()
    shifts = uniform_moves(20, 3, seed=2)
    found = displaced(queries, keys, spec, shifts, scale=0.4, soft_cap=soft_cap)
    rows = by_rows(queries, keys, spec, shifts, soft_cap, scale=0.4)
    far = int(abs(shifts).max())
    assert (found.displacement, found.moved) == (far, int((shifts != 0).sum()))
    for i, (before, after) in enumerate(rows):
        gone = np.flatnonzero(shifts[: i + 1])
        weights = softmax.weights(before)
        distance = softmax.total_variation(weights, softmax.weights(after))
        assert found.observed[i] == pytest.approx(distance, abs=1e-12)
        assert found.mass[i] == pytest.approx(weights[gone].sum(), abs=1e-12)
        assert found.true_tilt[i] == pytest.approx(abs(after - before).max(), abs=1e-12)
        tilt = 0.0
        if gone.size:
            tilt = displacement_tilt(queries[i], keys[gone], spec, displacement=far, scale=0.4)
        assert found.tilt[i] == pytest.approx(tilt, rel=1e-12)
    assert found.holds
    assert found.rounding.max() < 1e-10


@given(mass=st.floats(0, 1), tilt=st.floats(0, 60))
@few
def test_the_bound_is_that_of_the_theory_rounded_up(mass, tilt):
    (found,) = module._bound(np.array([mass]), np.array([tilt]))
    exact = transposition_bound(mass, tilt)
    assert exact.lower <= found
    assert found <= exact.upper * (1 + 1e-12)


@st.composite
def cases(draw):
    spec = draw(specs(most_planes=4))
    length = draw(st.integers(1, 7))
    size = draw(st.sampled_from((0.25, 2.0, 6.0)))
    vectors = [draw(generic(head_dim=spec.head_dim, tokens=length, bound=size)) for _ in range(2)]
    shifts = draw(st.lists(st.integers(-5, 5), min_size=length, max_size=length))
    return (*vectors, spec, shifts)


@given(case=cases(), soft_cap=st.sampled_from((None, 0.5, 4.0)))
@settings_for("default")
def test_no_row_moves_by_more_than_its_bounds(case, soft_cap):
    found = displaced(*case, soft_cap=soft_cap)
    assert found.holds
    assert (found.bound <= 1 + 1e-9).all()
    assert (found.true_bound <= found.bound + found.rounding).all()


SABOTAGE = {
    "a tanh that is too small": lambda mass, tilt: np.minimum(
        mass * np.expm1(tilt), np.tanh(tilt / 4)
    ),
    "half of the mass": lambda mass, tilt: np.minimum(mass / 2 * np.expm1(tilt), np.tanh(tilt / 2)),
    "no exponential": lambda mass, tilt: np.minimum(mass * tilt / 2, np.tanh(tilt / 2)),
}


def turned_over(size, others, back):
    """A key moves by almost a whole number of half turns, 22 is nearly 7 pi, maybe another back.

    Those between have the logit `others` for the last query.
    """
    spec, lags = RopeSpec(2, 10000), np.arange(22, -1, -1)
    keys = np.stack([np.cos(lags), np.sin(lags)], 1) * others / size * math.sqrt(2)
    keys[[0, 22]] = 1.0, 0.0
    shifts = np.zeros(23, dtype=int)
    shifts[[0, 22]] = 22, -22 if back else 0
    return np.full((23, 2), [size, 0.0]), keys, spec, shifts


@pytest.mark.parametrize("name", SABOTAGE)
def test_a_sabotaged_bound_is_caught(monkeypatch, name):
    case = turned_over(1.5, -30.0, True) if "tanh" in name else turned_over(1.5, 4.0, False)
    found = displaced(*case)
    assert found.holds
    assert found.observed[-1] > 0.98 * found.bound[-1]
    monkeypatch.setattr(module, "_bound", SABOTAGE[name])
    assert not displaced(*case).holds


def test_a_tilt_that_is_too_small_is_caught():
    found = displaced(*head(), SPEC, uniform_moves(20, 3))
    assert not dataclasses.replace(found, tilt=found.true_tilt / 2).holds
    assert not dataclasses.replace(found, bound=found.observed / 2).holds
    assert not dataclasses.replace(found, true_bound=found.observed / 2).holds


def test_nothing_moves_where_nothing_is_displaced():
    queries, keys = head()
    still = displaced(queries, keys, SPEC, np.zeros(20))
    assert still.holds
    assert not np.concatenate((still.observed, still.bound, still.true_tilt, still.mass)).any()
    # All keys moved by the same number: the query moves as much the other way.
    shift = np.full(20, 3)
    assert displaced(queries, keys, SPEC, shift).observed[1:].min() > 1e-4
    # A plane that does not rotate does not see it.
    flat = RopeSpec(16, 100, rotary_dim=2)
    queries[:, [0, 1]] = 0
    assert displaced(queries, keys, flat, shift).bound.max() == 0


def test_rows_in_blocks_of_any_size_and_tensors_too():
    queries, keys = head()
    shifts = window_shuffles(20, 4)
    whole = displaced(queries, keys, SPEC, shifts, block=20)
    for block in (1, 7, 64):
        part = displaced(queries, keys, SPEC, shifts, block=block)
        np.testing.assert_allclose(part.observed, whole.observed, rtol=0, atol=1e-13)
        np.testing.assert_allclose(part.bound, whole.bound, rtol=0, atol=1e-13)
    tensors = displaced(torch.tensor(queries), torch.tensor(keys), SPEC, shifts.tolist())
    np.testing.assert_allclose(tensors.observed, whole.observed, rtol=0, atol=1e-13)
    names = whole.summary()
    assert names["observed_max"] == whole.observed.max()
    assert names["bound_mean"] == whole.bound.mean()


def test_no_array_of_all_pairs_is_held():
    length = 2048
    queries, keys = head(length, 8)
    tracemalloc.start()
    displaced(queries, keys, RopeSpec(8, 100), neighbour_swaps(length), block=32)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < length * length * 8 / 2


@pytest.mark.parametrize(
    ("change", "argument", "text"),
    [
        ({"queries": np.ones((3, 16))}, "keys", "3 tokens, as queries"),
        ({"queries": np.ones((20, 3))}, "queries", "head_dim 16"),
        ({"keys": np.full((20, 16), np.nan)}, "keys", "finite"),
        ({"displacements": [1, 2]}, "displacements", "shape (20,)"),
        ({"displacements": np.full(20, 0.5)}, "displacements", "integers"),
        ({"displacements": np.full(20, 2.0**60)}, "displacements", "2^40"),
        ({"displacements": np.full(20, np.nan)}, "displacements", "finite"),
        ({"soft_cap": 0}, "soft_cap", "> 0"),
        ({"block": 0}, "block", ">= 1"),
        ({"spec": "rope"}, "spec", "a RopeSpec"),
    ],
)
def test_bad_heads_are_refused(change, argument, text):
    queries, keys = head()
    given = {"queries": queries, "keys": keys, "spec": SPEC, "displacements": np.zeros(20)}
    with pytest.raises(InvalidArgument) as error:
        displaced(**(given | change))
    assert error.value.argument == argument
    assert text in str(error.value)


# --- longer inputs ------------------------------------------------------------------------------------


def kinds(count=5, dim=16, seed=3):
    random = np.random.default_rng(seed)
    return random.normal(size=dim), random.normal(size=(count, dim)), random.normal(size=(count, 2))


def enumerated(fit, length):
    """Mean squared distance over all prompts of the kinds, each as likely."""
    total = []
    for prompt in itertools.product(range(len(fit.kinds)), repeat=length):
        chosen = list(prompt)
        weights = softmax.weights(fit.lags[:length] + fit.kinds[chosen])
        total.append(((weights @ fit.values[chosen] - fit.limit) ** 2).sum())
    return float(np.mean(total))


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("length", [1, 2, 4])
def test_the_bound_is_that_of_all_prompts(name, length):
    query, keys, values = kinds()
    (found,) = longer_inputs(query, keys, values, SPECS[name], lengths=[length], draws=2)
    packed = longer.read_head(query[None], keys, SPECS[name], None)
    fit = longer._fit(packed, values, length, length)
    expected = enumerated(fit, length)
    assert expected <= found.bound
    assert expected > found.bound / 500
    assert found.key_bound == pytest.approx(np.ptp(fit.kinds) / 2)


def test_draws_come_near_the_mean_over_all_prompts():
    query, keys, values = kinds()
    (found,) = longer_inputs(query, keys, values, SPEC, lengths=[4], draws=4000)
    fit = longer._fit(longer.read_head(query[None], keys, SPEC, None), values, 4, 4)
    assert abs(found.spread - enumerated(fit, 4)) < 4 * found.spread_error
    assert found.spread_error < found.spread / 20


def test_the_fit_is_that_of_the_logits():
    query, keys, values = kinds()
    length = 50
    lags = np.arange(length)
    table = logits(np.tile(query, (length, 1)), keys, lags, [0], SPEC)
    fit = longer._fit(longer.read_head(query[None], keys, SPEC, None), values, length, length)
    rows, columns = table.mean(1, keepdims=True), table.mean(0, keepdims=True)
    left = table - rows - columns + table.mean()
    np.testing.assert_allclose(fit.lags, rows[:, 0], atol=1e-12)
    np.testing.assert_allclose(
        fit.kinds - fit.kinds.mean(), columns[0] - columns.mean(), atol=1e-12
    )
    (found,) = longer_inputs(query, keys, values, SPEC, lengths=[length], draws=2)
    assert found.residual == pytest.approx(np.sqrt((left**2).mean()))
    assert found.effective == pytest.approx(effective_length(rows[:, 0]))
    assert found.effective_bound <= found.effective <= length


def test_additive_logits_are_the_heads_own_where_nothing_turns():
    """Without rotation the logits are `g` alone, and the claim is about the head itself."""
    query, keys, values = kinds()
    still = RopeSpec(16, 100, rotary_dim=2)
    query[[0, 1]] = 0
    lengths = [1, 16, 256]
    found = longer_inputs(query, keys, values, still, lengths=lengths, draws=200)
    for row, length in zip(found, lengths, strict=True):
        assert row.residual == pytest.approx(0, abs=1e-9)
        assert row.own_spread == pytest.approx(row.spread)
        assert row.effective == pytest.approx(length)
        assert row.effective_bound == pytest.approx(length)
    # The spread falls as one over the length, as its bound does.
    assert found[2].bound == pytest.approx(found[0].bound / 256)
    assert found[1].spread / found[2].spread == pytest.approx(16, rel=0.5)


def test_inputs_are_drawn_anew_with_the_seed():
    query, keys, values = kinds()
    args = query, keys, values, SPEC
    first, again, other = (
        longer_inputs(*args, lengths=[8, 64], draws=8, seed=s) for s in (0, 0, 1)
    )
    assert [r.spread for r in first] == [r.spread for r in again]
    assert first[0].spread != other[0].spread
    assert [r.bound for r in first] == [r.bound for r in other]
    (window,) = longer_inputs(*args, lengths=[8], window=64)
    assert (window.bound, window.residual) == (first[0].bound, first[0].residual)
    (narrow,) = longer_inputs(*args, lengths=[8])
    assert narrow.residual < window.residual


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"query": np.ones((2, 16))}, "query"),
        ({"query": np.ones(3)}, "query"),
        ({"query": np.full(16, np.inf)}, "query"),
        ({"keys": np.ones(16)}, "keys"),
        ({"values": np.ones((3, 2))}, "values"),
        ({"values": np.ones(5)}, "values"),
        ({"lengths": []}, "lengths"),
        ({"lengths": [4, 0]}, "lengths"),
        ({"window": 0}, "window"),
        ({"draws": 1}, "draws"),
        ({"seed": -1}, "seed"),
        ({"spec": None}, "query"),
    ],
)
def test_bad_longer_inputs_are_refused(change, argument):
    query, keys, values = kinds()
    given = {"query": query, "keys": keys, "values": values, "spec": SPEC, "lengths": [4]}
    with pytest.raises(InvalidArgument) as error:
        longer_inputs(**(given | change))
    assert error.value.argument == argument


# --- lags that are told apart ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
def test_distances_are_those_of_all_pairs(name):
    spec, (queries, keys) = SPECS[name], head(6)
    lags = np.arange(12)
    tables = [logits(np.tile(q, (len(lags), 1)), keys, lags, [0], spec, scale=0.4) for q in queries]
    rows = np.hstack(tables)
    expected = ((rows[:, None] - rows[None]) ** 2).mean(2)
    features = apart._features(apart.read_head(queries, keys, spec, 0.4), 12)
    found = ((features[:, None] - features[None]) ** 2).sum(2)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@given(case=cases(), gap=st.floats(0.02, 4.0))
@few
def test_no_more_lags_are_apart_than_there_can_be(case, gap):
    queries, keys, spec, _ = case
    found = lags_apart(queries, keys, spec, length=200, gap=gap)
    assert found.holds
    assert len(found.lags) >= 1
    assert not dataclasses.replace(found, bound=len(found.lags) - 1).holds


def test_lags_on_one_circle():
    """One plane and equal keys: the lags are on a circle of radius `s |q||k|`, less a factor."""
    size, spec = 3.0, RopeSpec(2, 10000)
    queries, keys = size * np.eye(2), np.array([[1.0, 0.0]])
    found = lags_apart(queries, keys, spec, length=4000, gap=0.25, scale=1.0)
    # Both quadratures: the mean square of the difference is half of the squared chord.
    fitting = math.pi / math.asin(math.sqrt(2 * 0.25) / (2 * size))
    assert len(found.lags) <= fitting
    assert len(found.lags) > 0.9 * fitting
    assert len(found.lags) > 0.6 * found.bound
    assert (found.length, found.gap) == (4000, 0.25)


@pytest.mark.parametrize(
    ("change", "argument"),
    [({"gap": 0}, "gap"), ({"gap": -1.0}, "gap"), ({"length": 0}, "length")],
)
def test_bad_gaps_are_refused(change, argument):
    queries, keys = head()
    with pytest.raises(InvalidArgument) as error:
        lags_apart(queries, keys, SPEC, **({"length": 4, "gap": 1.0} | change))
    assert error.value.argument == argument


# --- constructed heads ----------------------------------------------------------------------------------


def test_a_slash_head_loses_its_offset_and_the_bound_says_it_may():
    tokens = [f"token {n}" for n in range(8)]
    spec = RopeSpec(32, 10_000)
    built = slash_head(spec, 3, 32, 0.9, tokens=tokens, profile=uniform_profile(spec))
    x = built.embeddings[np.random.default_rng(0).integers(8, size=32)]
    found = displaced(x @ built.w_q.T, x @ built.w_k.T, spec, np.ones(32))
    assert found.holds
    assert found.observed[4:].min() > 0.5  # every key one further away: another one is hit
    assert found.bound[4:].min() > 0.9


def test_an_index_head_of_one_plane_moves_as_little_as_its_angle():
    built = index_head(3, 4, 64)
    x = built.embeddings[np.random.default_rng(0).integers(3, size=64)]
    queries, keys = x @ built.w_q.T, x @ built.w_k.T
    found = displaced(queries, keys, built.spec, neighbour_swaps(64))
    angle = float(frequencies_float64(built.spec)[0])
    sizes = np.linalg.norm(queries, axis=1) * np.linalg.norm(keys, axis=1).max()
    np.testing.assert_allclose(found.tilt, sizes * angle / math.sqrt(2), rtol=1e-6)
    assert found.holds


# --- whole models ---------------------------------------------------------------------------------------

TOKENS = 40


def make_model(kind="llama"):
    torch.manual_seed(1)
    shape = {"vocab_size": TOKENS, "bos_token_id": None, "eos_token_id": None}
    if kind == "gptj":
        config = transformers.GPTJConfig(
            **shape, n_embd=32, n_layer=2, n_head=2, n_positions=32, rotary_dim=8
        )
    else:
        config = transformers.LlamaConfig(
            **shape,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=8,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
        )
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    return model


def prompts(batch=2, length=12):
    return torch.from_numpy(np.random.default_rng(0).integers(0, TOKENS, size=(batch, length)))


@pytest.mark.parametrize("kind", ["llama", "gptj"])
def test_losses_are_the_models_own(kind):
    model, tokens = make_model(kind), prompts()
    found = token_losses(model, tokens)
    assert found.shape == (2, 11)
    assert found.dtype == np.float64
    with torch.no_grad():
        chances = model(tokens).logits.double().log_softmax(-1)
        own = model(tokens[:1], labels=tokens[:1]).loss
    for b, i in np.ndindex(2, 11):
        assert found[b, i] == pytest.approx(-float(chances[b, i, tokens[b, i + 1]]), abs=1e-5)
    assert found[0].mean() == pytest.approx(float(own), abs=1e-5)


@pytest.mark.parametrize("kind", ["llama", "gptj"])
def test_displaced_tokens_are_at_their_positions(kind):
    model, tokens = make_model(kind), prompts()
    own = token_losses(model, tokens)
    # A whole shift changes no lag, either way.
    for shift in (5, -5):
        found = token_losses(model, tokens, moves=[shift] * 12)
        np.testing.assert_allclose(found, own, atol=1e-4)
    shifts = np.arange(12)  # every lag doubled
    found = token_losses(model, tokens, moves=shifts)
    assert abs(found - own)[:, 1:].max() > 1e-3
    with torch.no_grad():
        # The mask says that this is one sequence, in spite of the gaps between positions.
        named = {"position_ids": torch.arange(12)[None] * 2, "attention_mask": torch.ones(1, 12)}
        scores = model(tokens[:1], use_cache=False, **named).logits[0, :-1].double()
    expected = torch.nn.functional.cross_entropy(scores, tokens[0, 1:], reduction="none")
    np.testing.assert_allclose(found[0], expected.numpy(), atol=1e-5)


@pytest.mark.parametrize("shifts", [[1, -1] * 6, [0] * 12, [3, 0, -2] * 4])
def test_displaced_tokens_see_all_earlier_ones(shifts):
    """The order of the mask is that of the tokens, whatever their positions are."""
    model = make_model().double()
    tokens = prompts(1)
    other = tokens.clone()
    other[0, 0] = (other[0, 0] + 1) % TOKENS
    one, two = (token_losses(model, t, moves=shifts)[0] for t in (tokens, other))
    assert (abs(one - two)[:] > 1e-9).all()


def test_the_model_is_left_as_it_was_found(monkeypatch):
    model = make_model("gptj").train()
    model.transformer.h[0].eval()
    model.transformer.drop.p = 0.5
    training = [m.training for m in model.modules()]
    first, second = (token_losses(model, prompts()) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert [m.training for m in model.modules()] == training

    def broken(*_arguments, **_named):
        raise RuntimeError("out of order")

    monkeypatch.setattr(model.transformer.h[1].mlp, "forward", broken)
    with pytest.raises(RuntimeError, match="out of order"):
        token_losses(model, prompts())
    assert [m.training for m in model.modules()] == training


def test_buckets_of_positions():
    values = np.arange(12.0).reshape(2, 6)
    mean, error = loss_by_position(values, [0, 1, 4])
    np.testing.assert_allclose(mean, [3, 5])
    np.testing.assert_allclose(error, [3, 3])
    assert np.isnan(loss_by_position(values[:1], [0, 6])[1]).all()


@pytest.mark.parametrize("edges", [[0], [0, 7], [-1, 3], [2, 2], [3, 1], []])
def test_bad_edges_are_refused(edges):
    with pytest.raises(InvalidArgument) as error:
        loss_by_position(np.ones((2, 6)), edges)
    assert error.value.argument == "edges"


def test_swapped_tokens_and_their_neighbours_are_not_compared():
    swaps = neighbour_swaps(100, 0.2, seed=0)
    order = np.arange(100) + swaps
    tokens = np.arange(100)
    after = np.empty(100, dtype=int)
    after[order] = tokens
    same = (after == tokens)[:-1] & (after == tokens)[1:]
    np.testing.assert_array_equal(unmoved(swaps), same)
    assert 0 < same.sum() < 99


@pytest.mark.parametrize(
    ("tokens", "options", "argument"),
    [
        (prompts()[0], {}, "input_ids"),
        (prompts(length=1), {}, "input_ids"),
        (prompts() + TOKENS, {}, "input_ids"),
        (prompts(), {"moves": [1, 2]}, "moves"),
        (prompts(), {"moves": [0.5] * 12}, "moves"),
    ],
)
def test_bad_tokens_are_refused(tokens, options, argument):
    with pytest.raises(InvalidArgument) as error:
        token_losses(make_model(), tokens, **options)
    assert error.value.argument == argument


def test_bad_models_are_refused():
    with pytest.raises(InvalidArgument) as error:
        token_losses(make_model().model, prompts())
    assert (error.value.argument, error.value.allowed) == ("model", "a model that predicts tokens")
    with pytest.raises(InvalidArgument, match="max_position_embeddings, 32"):
        token_losses(make_model("gptj"), prompts(length=33))
    with pytest.raises(InvalidArgument, match=r"position 33.*positions below max_position"):
        token_losses(make_model("gptj"), prompts(), moves=[0] * 11 + [22])
    config = transformers.GPT2Config(vocab_size=TOKENS, n_embd=16, n_layer=1, n_head=2)
    with pytest.raises(Unsupported, match="gpt2"):
        token_losses(transformers.AutoModelForCausalLM.from_config(config), prompts())


def test_the_public_surface():
    for name in perturbation.__all__:
        assert getattr(perturbation, name).__doc__
    assert moves.__all__
    assert losses.__all__


# --- the example and the page ---------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location(
        "perturb_model", ROOT / "examples/perturb_model.py"
    )
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules["perturb_model"] = found
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model's folder with a tokenizer of numbers, and a text of them beside it."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    place = tmp_path_factory.mktemp("small")
    make_model().save_pretrained(place / "model")
    tokenizer = Tokenizer(WordLevel({str(n): n for n in range(TOKENS)}, unk_token="0"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(
        place / "model"
    )
    words = np.random.default_rng(0).integers(TOKENS, size=400)
    (place / "held_out.txt").write_text(" ".join(map(str, words)), encoding="utf-8")
    return place


def test_the_example_measures_a_model(example, folder, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(example, "LENGTH", 16)
    monkeypatch.setattr(example, "LENGTHS", (4, 32))
    monkeypatch.setattr(example, "DRAWS", 8)
    monkeypatch.setattr(example, "LAGS", 64)
    options = ["--model", str(folder / "model"), "--prompts", "3", "--factor", "2"]
    example.main([*options, "--output", str(tmp_path / "out")])
    written = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {"displaced.png", "longer.png", "model_heads.png", "model_loss.png"}
    assert written == {"numbers.json", *pictures}
    numbers = json.loads((tmp_path / "out/numbers.json").read_text(encoding="utf-8"))
    for name in ("displaced", "apart", "model_displaced", "model_disturbed"):
        assert all(row["holds"] for row in numbers[name])
    names = {row["head"] for row in numbers["displaced"]}
    assert "slash head, 3 back" in names
    assert len(names) == 6
    assert {row["head"] for row in numbers["model_displaced"]} == {
        f"{layer}.{head}" for layer in range(2) for head in range(4)
    }
    # A head that reads no position does not move; one of slow planes has a bound that says so.
    still = [row for row in numbers["displaced"] if row["head"].endswith("no rotation")]
    assert max(row["bound_max"] for row in still) == 0
    # Within the context a cap below which no lag is changes nothing.
    position = {(row["attention"], row["first"]): row["loss"] for row in numbers["model_position"]}
    assert position["plain", 0] == pytest.approx(position["lags capped at 7", 0], abs=1e-5)
    changes = {(r["attention"], r["first"]): r["change"] for r in numbers["model_position"]}
    assert changes["plain", 11] == 0
    assert abs(changes["lags capped at 7", 11]) > 1e-4
    assert all(math.isfinite(row["loss"]) for row in numbers["model_disturbed"])
    assert numbers["model_disturbed"][-1]["disturbed"] == "positions moved, up to 16"
    text = capsys.readouterr().out
    assert "Loss by position, nats" in text
    assert "layer.head" in text


def test_heads_of_the_model_have_its_own_logits(example, folder):
    model, tokens = example.load(folder / "model", None, 2, 1)
    assert tokens.shape == (2, 8)
    with torch.no_grad():
        attentions = model(tokens[:1], output_attentions=True).attentions
    for name, head in example.model_heads(model, tokens).items():
        layer, number = map(int, name.split("."))
        table = logits(head.queries, head.keys, np.arange(8), np.arange(8), head.spec)
        table = np.where(np.tri(8, dtype=bool), table, -np.inf)
        own = attentions[layer][0, number].numpy()
        np.testing.assert_allclose(softmax.weights(table), own, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "nowhere"], "nowhere is not a model's folder"),
        (["--model", "MODEL", "--text", "nothing.txt"], "there is no file nothing.txt"),
        (["--model", "MODEL", "--prompts", "90"], "400 tokens, but 90 prompts of 32"),
        (["--prompts", "1"], "--prompts: 1, allowed: an integer >= 2"),
    ],
)
def test_bad_options_leave_nothing_behind(example, folder, options, message, capsys, tmp_path):
    options = [str(folder / "model") if option == "MODEL" else option for option in options]
    with pytest.raises(SystemExit) as error:
        example.main([*options, "--output", str(tmp_path / "out")])
    assert message in str(error.value) + capsys.readouterr().err
    assert error.value.code != 0
    assert not (tmp_path / "out").exists()


def test_the_code_of_the_page_runs():
    text = (ROOT / "docs/position_generalisation.md").read_text(encoding="utf-8")
    blocks = text.split("```python\n")[1:]
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block.split("```", 1)[0], names)
