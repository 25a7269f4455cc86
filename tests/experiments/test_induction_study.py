"""The studies of induction: their models against literal ones, and each command on tiny sizes."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))

from induction_study import offset, pairs, schemes


def literal_loss(weights: torch.Tensor, beta: float) -> torch.Tensor:
    """The two layers with tokens as unit vectors, one prompt a place."""
    n, losses = len(weights), []
    for place in range(n - 2):
        tokens = torch.eye(n, dtype=torch.float64)
        tokens[n - 1] = tokens[place]
        handed = torch.stack(
            [sum(weights[t] * tokens[j - t] for t in range(j + 1)) for j in range(n)]
        )
        losses.append(-torch.log_softmax(beta * handed @ tokens[n - 1], 0)[place + 1])
    return torch.stack(losses).mean()


@pytest.mark.parametrize(("n", "beta"), [(3, 1.0), (6, 4.0), (9, 0.3)])
def test_loss_and_derivatives_are_those_of_the_two_layers_written_out(n, beta):
    weights = np.random.default_rng(n).dirichlet(np.ones(n))
    tensor = torch.tensor(weights, requires_grad=True)
    expected = literal_loss(tensor, beta)
    expected.backward()
    loss, slopes = offset.averaged(weights, beta)
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    np.testing.assert_allclose(slopes, tensor.grad.numpy(), rtol=1e-10, atol=1e-13)


def test_a_descent_on_lags_keeps_what_the_theorems_say():
    run = offset.descend_lags(np.zeros(8), beta=3.0, step=1.0, steps=300)
    assert run.wrong_signs == 0
    assert run.leader[-1] == 1
    assert run.falls == 1.0
    assert run.sharp.max() <= 1e-12
    assert run.excess.max() <= 1e-12
    assert (run.odds >= run.guaranteed * (1 - 1e-12)).all()


def test_an_ascent_does_not():
    run = offset.descend_lags(np.zeros(8), beta=3.0, step=-1.0, steps=20)
    assert run.leader[-1] != 1
    assert run.falls < 1


def test_a_pair_is_measured_at_the_places_that_induction_names():
    tokens = pairs.repeated(12, 5, 3, seed=0)
    assert tokens.shape == (3, 10)
    assert (tokens[:, :5] == tokens[:, 5:]).all()
    assert all(len(set(row[:5].tolist())) == 5 for row in tokens)
    matrix = np.tril(np.full((4, 4), 0.1))
    matrix[[1, 2, 3], [0, 1, 2]] = 0.5
    own, lead = pairs._at(matrix, np.array([1, 2, 3]), np.array([0, 1, 2]))
    assert own.tolist() == [0.5, 0.5, 0.5]
    np.testing.assert_allclose(lead, np.log(5))


@pytest.mark.parametrize("scheme", schemes.SCHEMES)
def test_logits_at_every_lag_are_the_model_s_own(scheme):
    shape = schemes.Shape(vocabulary=11, layers=1, heads=2, width=16, length=7)
    model = schemes.Small(shape, scheme, seed=0)
    layer = model.layers[0]
    if layer.buckets is not None:
        torch.nn.init.normal_(layer.buckets)
    tokens = torch.arange(7)[None]
    with torch.no_grad():
        model(tokens)
    q, k, bias = layer.seen
    if scheme == "rope":
        q, k = schemes.turned(q), schemes.turned(k)
    lag = torch.arange(7)[:, None] - torch.arange(7)
    plain = q[0, 1] @ k[0, 1].T / 8**0.5 + bias[1][lag.clamp(min=0)]
    sides = (x[0, 1].double().numpy() for x in layer.seen[:2])
    table = schemes.logits_at_every_lag(*sides, bias[1].double().numpy(), rope=scheme == "rope")
    rows, columns = np.tril_indices(7)
    np.testing.assert_allclose(
        table[rows, rows - columns, columns], plain.numpy()[rows, columns], atol=1e-5
    )
    explained = schemes.grid_r_squared(table)
    assert (explained > 1 - 1e-12) == (scheme != "rope")


def test_the_triangle_fit_explains_additive_logits_only():
    random = np.random.default_rng(0)
    n = 12
    key, bias = random.normal(size=(2, n))
    lag = np.maximum(np.arange(n)[:, None] - np.arange(n), 0)
    additive = key[None] + bias[lag] + random.normal(size=(n, 1))
    assert schemes.triangle_correlation(additive) == pytest.approx(1, abs=1e-9)
    assert schemes.triangle_correlation(random.normal(size=(n, n))) < 0.9


TINY = {
    "offset_found": [
        "--steps=4",
        "--length=6",
        "--seeds=1",
        "--trained-seeds=1",
        "--trained-steps=2",
    ],
    "position_schemes": ["--steps=2", "--length=8", "--seeds=1", "--batch=2"],
    "induction_pairs": ["--steps=2", "--sequences=1", "--prompts=2"],
}


@pytest.mark.parametrize("name", TINY)
def test_a_command_writes_its_record(name, tmp_path, capsys):
    command = importlib.import_module(name)
    threads = torch.get_num_threads()
    try:
        assert command.main([f"--output={tmp_path}", *TINY[name]]) == 0
    finally:
        torch.set_num_threads(threads)
    assert json.loads((tmp_path / f"{name}.json").read_text())
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", [*TINY, "lag_preference"])
def test_a_bad_size_is_named(name, tmp_path, capsys):
    command = importlib.import_module(name)
    flag = {"induction_pairs": "--steps", "lag_preference": "--tokens"}.get(name, "--length")
    with pytest.raises(SystemExit) as stop:
        command.main([f"--output={tmp_path}", f"{flag}=0"])
    assert stop.value.code == 2
    assert f"{flag}: got 0, allowed: at least" in capsys.readouterr().err


def test_quartiles_count_curves_that_are_never_negative_as_beyond_all():
    lag_preference = importlib.import_module("lag_preference")
    told = lag_preference.line("x", [3, None, 5], 100)
    assert told.split() == ["x", "3", "3", "5", "5", "100", "1", "of", "3"]
