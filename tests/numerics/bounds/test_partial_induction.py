"""Partial induction, absolute index and information retrieval against all inputs; the u-shape."""

from __future__ import annotations

import doctest
import importlib
import itertools
import math

import numpy as np
import pytest
import sympy

from ropeproof.numerics.bounds.partial_induction import (
    absolute_index_masses,
    absolute_index_temperature,
    index_weight_by_place,
    info_retrieval_length,
    info_retrieval_margin,
    margins,
    partial_induction_margin,
    sharp_partial_induction,
    sharp_recency,
    sharp_symbol_amplitude,
    symbol_weight_by_place,
)
from ropeproof.theory.errors import InvalidArgument, Unsupported


def margins_by_inputs(symbols, length, theta, phase, size, nearest):
    """The smallest margins over all inputs of candidates that hold the symbol 0, by definition."""
    recency, other = math.inf, math.inf
    for tokens in itertools.product(range(symbols), repeat=length):
        if 0 not in tokens:
            continue
        logits = [
            size * math.cos(2 * math.pi * token / symbols)
            + math.cos(theta * (nearest + lag) + phase)
            for lag, token in enumerate(tokens)
        ]
        last = tokens.index(0)
        for lag, token in enumerate(tokens):
            if token != 0:
                other = min(other, logits[last] - logits[lag])
            elif lag != last:
                recency = min(recency, logits[last] - logits[lag])
    return recency, other


@pytest.mark.parametrize("name", ["margins", "u_shape"])
def test_doctests(name):
    module = importlib.import_module(f"ropeproof.numerics.bounds.partial_induction.{name}")
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(("symbols", "length"), [(2, 5), (3, 4), (4, 4)])
@pytest.mark.parametrize(("theta", "phase"), [(0.3, 0.0), (0.1, 0.7), (2.2, 1.0)])
@pytest.mark.parametrize("nearest", [0, 1])
def test_margins_are_the_worst_of_all_inputs(symbols, length, theta, phase, nearest):
    found = partial_induction_margin(
        symbols=symbols,
        length=length,
        angle=theta,
        phase=phase,
        symbol_amplitude=1.5,
        nearest=nearest,
    )
    recency, other = margins_by_inputs(symbols, length, theta, phase, 1.5, nearest)
    assert found.recency.lower - 1e-13 <= recency <= found.recency.upper + 1e-13
    # The other symbol may stand nearer or farther; letters next to each other are the worst.
    assert found.symbol.lower <= other + 1e-13
    assert other <= found.symbol.upper + abs(recency) + 1 or symbols == 2
    if recency > 0:
        assert found.symbol.upper == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("symbols", [2, 3, 8, 100])
@pytest.mark.parametrize("length", [2, 3, 16, 100])
def test_the_sharp_form_has_its_margins(symbols, length):
    found = sharp_partial_induction(symbols=symbols, length=length)
    assert found.recency.lower >= sharp_recency(length).lower
    assert found.symbol.lower >= 1
    assert found.margin.lower == min(found.recency.lower, found.symbol.lower)
    # Sharp: at the slow end of the window the bound is nearly reached.
    assert found.recency.lower <= sharp_recency(length).upper * (1 + 3 / length)
    less = sharp_partial_induction(
        symbols=symbols, length=length, symbol_amplitude=sharp_symbol_amplitude(symbols).lower / 3
    )
    assert less.symbol.lower < 1


def test_the_printed_scale_fails_on_abbb():
    own, others = absolute_index_masses(4, angle=sympy.pi / 4)
    assert (f"{own.lower:.2f}", f"{others.upper:.2f}") == ("2.72", "3.52")
    assert own.upper < others.lower
    beta = absolute_index_temperature(4).upper
    own, others = absolute_index_masses(4, angle=sympy.pi / 4, inverse_temperature=beta)
    assert own.upper >= others.lower
    assert absolute_index_temperature(4).lower > 1


def test_information_retrieval_lengths():
    assert info_retrieval_length(keys=8, angle=0) is None
    for theta in (0.0027, 0.1, sympy.pi / 100, 2 * sympy.pi / (8 * 16)):
        n = info_retrieval_length(keys=8, angle=theta)
        assert info_retrieval_margin(keys=8, length=n, angle=theta).lower > 0
        with pytest.raises(InvalidArgument):
            info_retrieval_margin(keys=8, length=n + 1, angle=theta)


# --- u-shape ----------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 5, 8, 33])
@pytest.mark.parametrize("beta", [0.5, 1, 4])
def test_curves_are_the_softmax(length, beta):
    theta = 0.9 * 2 * math.pi / length
    index = index_weight_by_place(length, angle=theta, inverse_temperature=beta)
    symbol = symbol_weight_by_place(length, inverse_temperature=beta)
    places = np.arange(length)
    for place in places:
        sizes = np.exp(beta * np.cos(theta * (places - place)))
        weight = sizes[place] / sizes.sum()
        assert index.at(int(place)).lower == pytest.approx(weight, rel=1e-12)
        signs = np.where(places == place, 1.0, -1.0)
        sizes = np.exp(beta * signs * np.sin(math.pi / length * places))
        # Moved to the lag pi/2 - the two types are opposite on their circle.
        assert symbol.at(int(place)).lower == pytest.approx(sizes[place] / sizes.sum(), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: partial_induction_margin(symbols=1, length=3, angle=1), "symbols: got 1"),
        (lambda: partial_induction_margin(symbols=2, length=3, angle="x"), "angle: got 'x'"),
        (
            lambda: partial_induction_margin(symbols=2, length=3, angle=1, symbol_amplitude=-1),
            "symbol_amplitude: got -1",
        ),
        (lambda: absolute_index_masses(3, angle=1, index=3), "index: got 3.*from 0 to 2"),
        (lambda: info_retrieval_margin(keys=2, length=3, centred=0), "centred: got 0"),
        (lambda: info_retrieval_margin(keys=2, length=3, angle=2), "angle: got 2, .*angle < pi/2"),
        (lambda: info_retrieval_length(keys=2, angle=-1), "angle: got -1"),
        (lambda: index_weight_by_place(4, angle=2 * sympy.pi / 4), "angle: got pi/2, .* < pi/2"),
        (lambda: index_weight_by_place(4, angle=0), "angle: got 0"),
        (lambda: symbol_weight_by_place(4).at(4), "place: got 4, .*from 0 to 3"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_too_much_work_is_refused_by_name():
    with pytest.raises(Unsupported, match="2\\^16"):
        symbol_weight_by_place(10**6)


def test_sabotage_goes_red(monkeypatch):
    """A recency logit without its phase is caught by the inputs."""
    whole = margins._recency
    monkeypatch.setattr(
        margins,
        "_recency",
        lambda n, angle, phase, size, nearest: whole(n, angle, 0, size, nearest),
    )
    with pytest.raises(AssertionError):
        test_margins_are_the_worst_of_all_inputs(3, 4, 0.1, 0.7, 0)
