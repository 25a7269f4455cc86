"""The certificates of composed networks keep their word, and networks without one go red."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from task_networks import PLANES, TASKS, TYPES, drawn, indexed, measured, retrieved, wild

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS
from ropeproof.constructions.networks import compose
from ropeproof.constructions.networks.certify import network_bound
from ropeproof.constructions.networks.network import SEARCHED, longest_length
from ropeproof.constructions.networks.walk import LayerNorms, Transport
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.task import letter_task
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn


@pytest.fixture(scope="module", params=list(itertools.product(TASKS, PLANES)), ids="-".join)
def paper(request):
    """The network of the paper's sizes: 4 hops, 17 tokens."""
    task, planes = request.param
    return compose(task, planes=planes)


@pytest.mark.parametrize("name", ARITHMETICS)
def test_the_certificate_is_kept_in_every_type(paper, name):
    length = min(paper.certificates[name].quantities["length"], 40)
    if length < 2:
        assert (paper.task, paper.certificates[name].quantities["weight"]) == ("number", 0)
        return
    bound = paper.bound(name, length=length)
    assert bound.holds
    tokens = wild(paper, length, 200)
    weight, least, size, gap = measured(paper, tokens, TYPES[name])
    assert weight >= bound.weight > 0.5
    assert least >= bound.margin
    assert size <= bound.amplitude
    assert gap >= bound.gap > 0


def test_margins_are_those_of_theory():
    number = compose("number", inverse_temperature=100)
    one = margin([100.0], number.spec, reach=16)
    assert number.bound().margin == pytest.approx(one.lower, rel=1e-9)
    assert one.upper == pytest.approx(100 * (1 - math.cos(2 * math.pi / 17)), rel=1e-6)
    letter = compose("letter", hops=1, inverse_temperature=10)
    expected = 10 * (1 - math.cos(math.pi / 4))
    assert letter.bound().margin == pytest.approx(expected, rel=1e-9)
    assert letter.bound().margin <= expected
    several = compose("number", planes="several", inverse_temperature=100)
    assert several.bound().margin > 5 * number.bound().margin


def test_bounds_are_close_to_what_happens(paper):
    """Sharp within a few percent in float64: the certificate is no empty promise."""
    bound = paper.bound()
    tokens = np.concatenate((wild(paper, 17, 400), drawn(paper, 400).tokens))
    weight, least, size, gap = measured(paper, tokens, torch.float64)
    assert least <= bound.margin * 1.1 + 0.1
    assert size >= 0.95 * bound.amplitude
    assert gap <= 1.05 * bound.gap + 1e-3
    assert weight < 1 - 1e-12


@pytest.mark.parametrize("task", TASKS)
def test_too_low_an_inverse_temperature_goes_red(task):
    good = compose(task)
    rng = np.random.default_rng(0)
    red = compose(task, inverse_temperature=good.inverse_temperature / 20)
    assert not red.bound().holds
    assert red.certificate.quantities["length"] < 17
    if task == "number":
        # One letter is asked for, another fills the sequence.
        tokens = np.ones((100, 17), dtype=np.int64)
        tokens[:, -1] = 120 + rng.integers(7, 9, 100)
        tokens[np.arange(100), 16 - (tokens[:, -1] - 119)] = 0
        expected = np.zeros(100)
    else:
        data = letter_task(100, seed=0)
        tokens, expected = data.tokens, data.answers
    assert (good.decode(tokens) == expected).all()
    assert (red.decode(tokens, beyond_guarantee=True) != expected).any()


def test_too_long_a_sequence_goes_red():
    network = compose("number", length=9, letters=4, integers=3)
    assert network.longest() == 9
    assert not network.bound(length=10).holds
    # The plane's angle is 2 pi/9: the letter asked for and the one 9 further back look the same.
    tokens = np.array([[3] + [1] * 8 + [0, 4], [0] + [1] * 8 + [3, 4], [1] * 9 + [0, 4]])
    assert (indexed(network, tokens)[0] == [0, 3, 0]).all()
    assert (network.decode(tokens, beyond_guarantee=True) == [3, 0, 1]).all()
    assert (network.decode(tokens[:, 2:]) == [0, 3, 0]).all()
    shorter = compose("letter", letters=4, digits=2, hops=1)
    limit = shorter.longest("float32")
    assert shorter.bound("float32", length=limit).holds
    assert limit == SEARCHED or not shorter.bound("float32", length=limit + 1).holds


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o"])
def test_a_weight_in_another_place_is_refused(task, name):
    network = compose(task, hops=2, length=6, letters=3)
    head = network.heads[-1]
    weights = getattr(head, name).copy()
    column = 0 if not weights[:, 0].any() else weights.shape[1] - 1
    weights[0, column] = 0.5
    broken = replace(network, heads=(*network.heads[:-1], replace(head, **{name: weights})))
    with pytest.raises(InvalidArgument, match=r"^weights: got '.* of layer 1"):
        broken.bound()


@pytest.mark.parametrize("task", TASKS)
def test_weights_that_lost_their_margin_go_red(task):
    network = compose(task, hops=2, length=6, letters=3)
    head = network.heads[-1]
    swapped = replace(head, w_k=-head.w_k)
    assert not replace(network, heads=(network.heads[0], swapped)).bound().holds
    drifted = replace(head, w_v=0.001 * head.w_v)
    drifted = replace(network, heads=(network.heads[0], drifted)).bound()
    assert drifted.gap < 0.1 * network.bound().gap
    assert drifted.holds == (task == "letter")
    table = network.embeddings.copy()
    table[2, -1] += 0.1
    with pytest.raises(InvalidArgument, match=r"^embeddings: got 'token 2'"):
        replace(network, embeddings=table).bound()
    table = network.readout.copy()
    table[1] = table[0]
    with pytest.raises(InvalidArgument, match=r"^readout: got 'token 1'"):
        replace(network, readout=table).bound()


@pytest.mark.parametrize("spec", ["half", "interleaved", "partial", "yarn", "linear"])
@pytest.mark.parametrize("task", TASKS)
def test_any_spec_with_a_margin_will_do(task, spec):
    specs = {
        "half": RopeSpec(64, 10000),
        "interleaved": RopeSpec(64, 10000, layout="interleaved"),
        "partial": RopeSpec(64, 500000, rotary_dim=32),
        "yarn": RopeSpec(64, 10000, scaling=Yarn(factor=4, original_length=64)),
        "linear": RopeSpec(64, 10000, scaling=Linear("1.5")),
    }
    sizes = {"letters": 4} if task == "number" else {}
    network = compose(task, hops=3, length=12, spec=specs[spec], planes="several", **sizes)
    assert network.bound("float32").holds
    tokens = wild(network, 12, 300)
    expected, inside = indexed(network, tokens) if task == "number" else retrieved(network, tokens)
    assert inside.sum() > 20
    assert (network.decode(tokens[inside], dtype=torch.float32) == expected[inside]).all()
    weight, least, size, gap = measured(network, tokens, torch.float32)
    bound = network.bound("float32")
    assert (weight >= bound.weight, least >= bound.margin) == (True, True)
    assert (size <= bound.amplitude, gap >= bound.gap) == (True, True)


@settings_for("quick", cases=12)
@given(
    task=st.sampled_from(TASKS),
    hops=st.integers(1, 5),
    length=st.integers(2, 24),
    letters=st.integers(2, 9),
    others=st.integers(1, 12),
    planes=st.sampled_from(PLANES),
    name=st.sampled_from(ARITHMETICS),
)
def test_certificates_of_drawn_sizes_are_kept(task, hops, length, letters, others, planes, name):
    extra = {"integers": others} if task == "number" else {"digits": others}
    network = compose(task, hops=hops, length=length, letters=letters, planes=planes, **extra)
    assert network.certificate.quantities["length"] >= length
    assert network.certificates["float32"].quantities["length"] >= length
    kept = min(network.certificates[name].quantities["length"], length)
    if kept >= 2:
        tokens = wild(network, kept, 50)
        weight, least, size, gap = measured(network, tokens, TYPES[name])
        bound = network.bound(name, length=kept)
        assert (weight >= bound.weight, least >= bound.margin) == (True, True)
        assert (size <= bound.amplitude, gap >= bound.gap) == (True, True)


def test_a_search_returns_only_what_holds():
    network = compose("number", hops=1, length=5, letters=2, integers=2)
    asked = []

    def bound(length):
        asked.append(length)
        return replace(network.bound(), length=length, gap=1.0 if length <= 37 else -1.0)

    assert longest_length(bound, 1000) == 37
    assert len(asked) <= 12
    assert longest_length(lambda length: replace(bound(length), gap=-1.0), 1000) == 0
    assert longest_length(lambda length: replace(bound(length), gap=1.0), 1000) == 1000


def test_a_bound_is_not_extrapolated():
    network = compose("number", hops=1, length=5, letters=2, integers=2)
    with pytest.raises(InvalidArgument, match="length: got 9, allowed: at most 5"):
        network_bound(
            network.plan,
            tables_of(network, 5),
            (Transport(least=1.0, most=1.0, imbalance=0.0, terms=9),),
            length=9,
            head_dim=2,
            rounding=ROUNDINGS["float64"],
            table=0.0,
        )


def tables_of(network, limit):
    from ropeproof.constructions.networks.wires import read_layer

    head = network.heads[0]
    weights = (head.w_q, head.w_k, head.w_v, head.w_o)
    return (read_layer(network.plan, 0, weights, head.spec, limit=limit)[0],)


def test_a_small_constant_costs_margin_under_a_norm():
    network = compose("number", hops=2, length=8, letters=4, integers=4)
    transport = (Transport(least=1.0, most=1.0, imbalance=0.0, terms=20),) * 2
    gaps = []
    for constant in (1.0, 8.0, 256.0):
        norm = LayerNorms(
            kind="root mean square", hidden=20, epsilon=1e-6, unit=2.0**-24, constant=constant
        )
        found = network_bound(
            network.plan,
            tables_of(network, 8) * 2,
            transport,
            length=8,
            head_dim=2,
            rounding=ROUNDINGS["float32"],
            table=1e-7,
            norm=norm,
        )
        gaps.append(found.margin)
    assert gaps[0] < 0 < gaps[1] < gaps[2] < network.bound("float32").margin
