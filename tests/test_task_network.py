"""Composed networks: what they compute on every input, and that the certificate keeps its word."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.rope import to_layout
from ropeproof.constructions.slash.rounding import ROUNDINGS
from ropeproof.constructions.task import AttentionNetwork, compose
from ropeproof.constructions.task.certify import Norm, Transport, network_bound
from ropeproof.constructions.task.network import SEARCHED, longest_length
from ropeproof.numerics.lag_scan import margin
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.task import (
    every_letter_input,
    every_number_input,
    index_times,
    letter_task,
    number_task,
    prepend_targets,
    retrieve_times,
    solve_number,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.spec import Linear, RopeSpec, Yarn

TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}
TASKS = ["number", "letter"]
PLANES = ["one", "several"]


@pytest.fixture(scope="module", params=list(itertools.product(TASKS, PLANES)), ids="-".join)
def paper(request):
    """The network of the paper's sizes: 4 hops, 17 tokens."""
    task, planes = request.param
    return compose(task, planes=planes)


def drawn(network, count=3000, seed=0):
    draw = number_task if network.task == "number" else letter_task
    return draw(count, seed=seed)


def indexed(network, tokens):
    """Index^hops at the last position of any tokens, and where its chain stays inside."""
    vocabulary, rows = network.plan.vocabulary, np.arange(len(tokens))
    back = vocabulary.integer(tokens)
    place = np.full(len(tokens), tokens.shape[1] - 1)
    for _ in range(network.hops):
        place = np.where(place < 0, place, place - back[rows, np.maximum(place, 0)])
    inside = place >= 0
    found = tokens[rows, np.maximum(place, 0)]
    return np.where(found < vocabulary.letters, found, tokens[:, -1]), inside


def retrieved(network, tokens):
    """Retrieval^hops at the last position of functional tokens, and where its chain goes on."""
    vocabulary, rows = network.plan.vocabulary, np.arange(len(tokens))
    left, right = vocabulary.left(tokens), vocabulary.right(tokens)
    place, inside = np.full(len(tokens), tokens.shape[1] - 1), np.ones(len(tokens), dtype=bool)
    for _ in range(network.hops):
        wanted = right[rows, place]
        same = left == wanted[:, None]
        inside &= (wanted < 0) | same.any(1)
        place = np.where(wanted < 0, place, same.argmax(1))
    return tokens[rows, place], inside


def every_sequence(tokens, length):
    return np.array(list(itertools.product(range(tokens), repeat=length)))


def every_functional(vocabulary, length):
    """Every sequence in which equal left letters are equal tokens, in the format or not."""
    tokens = np.arange(len(vocabulary))
    named = [tokens[vocabulary.left(tokens) == letter] for letter in range(vocabulary.letters)]
    places = every_sequence(vocabulary.letters, length)
    return np.concatenate([np.array(choice)[places] for choice in itertools.product(*named)])


@pytest.mark.parametrize("code", ["one-hot", "pairs"])
@pytest.mark.parametrize("planes", PLANES)
@pytest.mark.parametrize("hops", [1, 3])
def test_every_sequence_of_a_small_number_vocabulary(hops, planes, code):
    # Not only inputs of the format: letters and integers in any order, pointing anywhere.
    network = compose(
        "number", hops=hops, length=6, letters=2, integers=3, planes=planes, code=code
    )
    tokens = every_sequence(5, 6)
    expected, inside = indexed(network, tokens)
    assert len(tokens) == 15625
    assert inside.sum() > 10000
    for name, dtype in TYPES.items():
        assert network.certificates[name].quantities["length"] >= 6
        assert (network.decode(tokens[inside], dtype=dtype) == expected[inside]).all()


@pytest.mark.parametrize("planes", PLANES)
@pytest.mark.parametrize("hops", [1, 3])
def test_every_functional_sequence_of_a_small_letter_vocabulary(hops, planes):
    network = compose("letter", hops=hops, length=5, letters=3, digits=1, planes=planes)
    tokens = every_functional(network.plan.vocabulary, 5)
    expected, inside = retrieved(network, tokens)
    assert len(tokens) == 15552
    assert inside.sum() > 5000
    for name, dtype in TYPES.items():
        assert network.certificates[name].quantities["length"] >= 5
        assert (network.decode(tokens[inside], dtype=dtype) == expected[inside]).all()


def test_every_input_of_a_small_task_in_the_papers_format():
    network = compose("number", hops=5, length=6, letters=3, integers=5)
    for tokens in every_number_input(letters=3, integers=5, length=6):
        expected = solve_number(tokens, network.plan.vocabulary)
        assert (network.decode(tokens) == expected).all()
    network = compose("letter", hops=2, length=5, letters=4, digits=2)
    for tokens in every_letter_input(letters=4, digits=2, length=5):
        expected = retrieve_times(tokens, network.plan.vocabulary, 2)[:, -1]
        assert (network.decode(tokens) == expected).all()


def test_the_papers_data(paper):
    data = drawn(paper)
    for name, dtype in TYPES.items():
        if paper.certificates[name].quantities["length"] >= 17:
            assert (paper.decode(data.tokens, dtype=dtype) == data.answers).all()


def test_a_stack_of_r_heads_is_r_applications(paper):
    data = drawn(paper, 2000, seed=3)
    network = compose(paper.task, hops=2)
    times = index_times if paper.task == "number" else retrieve_times
    expected = times(data.tokens, data.vocabulary, 2)[:, -1]
    assert (expected != data.answers).mean() > 0.3
    assert (network.decode(data.tokens) == expected).all()


def test_the_papers_examples():
    number = compose("number", length=10, letters=3, integers=4)
    text = number.plan.vocabulary.encode(["C B A 1 4 1 3 2 1"])
    assert number.plan.vocabulary.decode(number.decode(text)) == "C"
    letter = compose("letter", letters=9, digits=3)
    text = letter.plan.vocabulary.encode(["C2 B1 A3 FA EC DE HF GD IG"])
    assert letter.plan.vocabulary.decode(letter.decode(text)) == "C2"


@pytest.mark.parametrize("planes", PLANES)
def test_the_letter_network_goes_on_at_length(planes):
    network = compose("letter", planes=planes)
    data = prepend_targets(drawn(network, 200), length=300, seed=0)
    assert network.certificates["float32"].quantities["length"] >= 300
    assert (network.decode(data.tokens, dtype=torch.float32) == data.answers).all()


def wild(network, length, count, seed=0):
    """Inputs of the task, uniform tokens, and repeats of few tokens."""
    rng, tokens = np.random.default_rng(seed), network.plan.tokens
    rows = [rng.integers(0, tokens, (count, length))]
    rows.append(rng.choice(tokens, 3)[rng.integers(0, 3, (count, length))])
    if network.task == "letter":
        vocabulary = network.plan.vocabulary
        named = rng.integers(0, tokens, (count, tokens))
        left = vocabulary.left(np.arange(tokens))
        for row in range(count):
            first = np.array([rng.choice(np.flatnonzero(left == x)) for x in range(max(left) + 1)])
            named[row] = first[left]
        rows = [np.take_along_axis(named, block, 1) for block in rows]
    return np.concatenate(rows)


def measured(network, tokens, dtype):
    """Weights, margins and logits on the chain of the last row, and the read-out's margins.

    Attention of `HeadModule` itself; the chain is followed in the tokens.
    """
    module, vocabulary = network.to_module(dtype=dtype), network.plan.vocabulary
    rows, last = np.arange(len(tokens)), tokens.shape[1] - 1
    if network.task == "number":
        expected, inside = indexed(network, tokens)
    else:
        expected, inside = retrieved(network, tokens)
    weights, margins, sizes = [], [], []
    with torch.no_grad():
        x = module.embeddings[torch.from_numpy(tokens)]
        place = np.full(len(tokens), last)
        for head in module.heads:
            update, attention = head(x, return_attention=True)
            logits = head.logits(x).double().numpy()[:, last]
            row = attention.double().numpy()[:, last]
            if network.task == "number":
                match = np.arange(last + 1) == (last - vocabulary.integer(tokens[:, -1]))[:, None]
            else:
                right = vocabulary.right(tokens)[rows, place]
                letter = np.where(right < 0, vocabulary.left(tokens)[rows, place], right)
                match = vocabulary.left(tokens) == letter[:, None]
                place = match.argmax(1)
            weights.append(np.where(match, row, 0.0).sum(1)[inside])
            least = np.where(match, logits, np.inf).min(1)
            margins.append((least - np.where(match, -np.inf, logits).max(1))[inside])
            sizes.append(np.abs(logits).max())
            x = x + update
        out = (x[:, last] @ module.readout.T).double().numpy()
    right = out[rows, expected].copy()
    out[rows, expected] = -np.inf
    return (
        min(w.min() for w in weights),
        min(m.min() for m in margins),
        max(sizes),
        (right - out.max(1))[inside].min(),
    )


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


def test_the_layout_does_not_matter():
    network = compose("number", hops=2, length=8, letters=4, planes="several")
    other = replace(network, heads=tuple(to_layout(h, "interleaved") for h in network.heads))
    tokens = torch.from_numpy(wild(network, 8, 50))
    left, right = (n.to_module()(tokens) for n in (network, other))
    assert (left - right).abs().max() < 1e-12
    assert network.bound().gap == pytest.approx(other.bound().gap, abs=1e-12)


def test_decode_is_the_modules_last_row(paper):
    tokens = wild(paper, 17, 40)
    module = paper.to_module()
    full = module(torch.from_numpy(tokens))
    last = module.last(torch.from_numpy(tokens))
    assert full.shape == (80, 17, paper.plan.tokens)
    assert (full[:, -1] - last).abs().max() < 1e-12
    seen = []
    answers = paper.decode(
        torch.from_numpy(tokens), rows=33, progress=seen.append, beyond_guarantee=True
    )
    assert (answers == last.argmax(-1).numpy()).all()
    assert seen == [33, 66, 80]


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
    from ropeproof.constructions.task.wires import read_layer

    head = network.heads[0]
    weights = (head.w_q, head.w_k, head.w_v, head.w_o)
    return (read_layer(network.plan, 0, weights, head.spec, limit=limit)[0],)


def test_a_small_constant_costs_margin_under_a_norm():
    network = compose("number", hops=2, length=8, letters=4, integers=4)
    transport = (Transport(least=1.0, most=1.0, imbalance=0.0, terms=20),) * 2
    gaps = []
    for constant in (1.0, 8.0, 256.0):
        norm = Norm(
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "numbers"}, "task: got 'numbers', allowed: 'number' or 'letter'"),
        ({"hops": 0}, "hops: got 0, allowed: an integer >= 1"),
        ({"hops": True}, "hops: got True, allowed: an integer >= 1"),
        ({"length": 1}, "length: got 1, allowed: an integer >= 2"),
        ({"letters": 1}, "letters: got 1, allowed: an integer >= 2"),
        ({"integers": 0}, "integers: got 0, allowed: an integer >= 1"),
        ({"digits": 3}, "digits: got 3, allowed: None for the number task"),
        ({"code": "binary"}, "code: got 'binary', allowed: 'one-hot' or 'pairs'"),
        ({"planes": 1}, "planes: got 1, allowed: 'one' or 'several'"),
        ({"spec": 128}, "spec: got 128, allowed: a RopeSpec or None"),
        ({"inverse_temperature": 0}, "inverse_temperature: got 0, allowed: a number > 0"),
        ({"inverse_temperature": math.nan}, "inverse_temperature: got nan, allowed: a finite"),
        ({"task": "letter", "integers": 3}, "integers: got 3, allowed: its default for the letter"),
        ({"task": "letter", "code": "pairs"}, "code: got 'pairs', allowed: its default for the"),
        ({"task": "letter", "digits": 0}, "digits: got 0, allowed: an integer >= 1"),
        (
            {"task": "letter", "planes": "several", "letters": 9, "spec": RopeSpec(8, 100)},
            "letters: got 9, allowed: at most head_dim, 8",
        ),
        (
            # 355 times the angle 2 is almost a multiple of 2 pi; no other plane is fast enough.
            {"task": "letter", "spec": RopeSpec(2, 100)},
            "spec: got 'a margin of",
        ),
    ],
)
def test_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(InvalidArgument) as caught:
        compose(**{"task": "number", **arguments})
    assert str(caught.value).startswith(message)


def test_tokens_are_refused_by_name():
    network = compose("number", hops=1, length=4, letters=2, integers=2)
    for tokens, message in (
        ([[0, 4]], "tokens: got 4, allowed: token numbers 0, ..., 3"),
        ([[0.5, 1]], "tokens: got 'dtype float64', allowed: an array of integers"),
        ([0, 1], "tokens: got 'shape (2,)', allowed: shape (sequences, length >= 1)"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            network.decode(tokens)
        assert str(caught.value).startswith(message)
    module = network.to_module()
    with pytest.raises(InvalidArgument, match=r"tokens: got \[0, 9\], allowed: token numbers"):
        module(torch.tensor([[0, 9]]))
    with pytest.raises(InvalidArgument, match="allowed: a tensor of integers"):
        module(torch.tensor([[0.0, 1.0]]))
    with pytest.raises(InvalidArgument, match="arithmetic: got 'float16'"):
        network.bound("float16")
    with pytest.raises(InvalidArgument, match="heads: got '0 heads', allowed: 1, one per layer"):
        replace(network, heads=())
    assert isinstance(network, AttentionNetwork)


def test_arrays_are_read_only():
    network = compose("letter", hops=1, length=4, letters=2, digits=1)
    for array in (network.embeddings, network.readout, network.heads[0].w_q):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
