"""Two layers that do induction: every short prompt, the certificate, exports, and what is refused."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

import ropeproof
from ropeproof.constructions.export.network import (
    certify_network,
    export_network,
    exported_bound,
    predict,
)
from ropeproof.constructions.networks import induction_network
from ropeproof.numerics.task import TokenVocabulary, induction_task, solve_induction
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

TYPES = {"float64": torch.float64, "float32": torch.float32}
SPECS = {
    "gptj": RopeSpec(64, 10000, rotary_dim=32, layout="interleaved"),
    "llama": RopeSpec(64, 10000, layout="half"),
}


def answer(prompt):
    """What stands after the last earlier occurrence of the last token, by the definition."""
    for place in range(len(prompt) - 2, -1, -1):
        if prompt[place] == prompt[-1]:
            return prompt[place + 1]
    return None


def short(tokens, length):
    """All prompts of at most so many tokens that have an answer, by their length."""
    for size in range(2, length + 1):
        rows = [p for p in itertools.product(range(tokens), repeat=size) if answer(p) is not None]
        yield np.array(rows), np.array([answer(p) for p in rows])


def hard(tokens, length, count, seed=0):
    """Prompts of few tokens, of repeats, and with the occurrence near either end."""
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, tokens, (count, length)), rng.integers(0, 2, (count, length))]
    only = np.zeros((2, length), dtype=np.int64)
    only[0, 1:-1], only[1, :-1] = 1, 1
    only[1, -3] = 0
    found = np.concatenate((*rows, only, np.zeros((1, length), dtype=np.int64)))
    return found[(found[:, :-1] == found[:, -1:]).any(1)]


def test_data_and_answers_are_those_of_the_definition():
    data = induction_task(400, seed=3, tokens=5, length=9)
    assert data.tokens.shape == (400, 9)
    assert [answer(row) for row in data.tokens.tolist()] == data.answers.tolist()
    assert (solve_induction(data.tokens, data.vocabulary) == data.answers).all()
    last = [max(i for i in range(8) if row[i] == row[-1]) for row in data.tokens.tolist()]
    assert (np.array(last) + 1 == data.places).all()
    assert (np.bincount(data.places, minlength=9)[1:] == 50).all()
    with pytest.raises(InvalidArgument, match="tokens: got 'A B C', allowed: prompts whose last"):
        solve_induction([0, 1, 2], TokenVocabulary(3))


@pytest.mark.parametrize("arithmetic", TYPES)
def test_every_short_prompt_is_answered(arithmetic):
    network = induction_network(tokens=3, length=7, spec=RopeSpec(16, 10000))
    certified = network.certificates[arithmetic].quantities["length"]
    assert certified >= 7
    for prompts, answers in short(3, 7):
        found = network.decode(prompts, dtype=TYPES[arithmetic])
        assert (found == answers).all()


@pytest.fixture(scope="module")
def network():
    return induction_network(tokens=12, length=20, spec=RopeSpec(64, 10000))


def test_the_certificate_is_kept(network):
    """Attention, margins and read-out of the module itself are as good as is guaranteed."""
    prompts = hard(12, 20, 300)
    right = solve_induction(prompts, network.plan.vocabulary)
    rows, last = np.arange(len(prompts)), prompts.shape[1] - 1
    for name, dtype in TYPES.items():
        bound = network.bound(name, length=20)
        assert bound.holds
        module = network.to_module(dtype=dtype)
        with torch.no_grad():
            x = module.embeddings[torch.from_numpy(prompts)]
            update, first = module.heads[0](x, return_attention=True)
            x = x + update
            logits = module.heads[1].logits(x).double().numpy()[:, last]
            update, second = module.heads[1](x, return_attention=True)
            read = ((x + update) @ module.readout.T)[:, -1].double().numpy()
        back = np.diagonal(first.double().numpy(), -1, 1, 2)
        assert back.min() >= bound.weight
        place = last - 1 - np.argmax((prompts[:, :-1] == prompts[:, -1:])[:, ::-1], axis=1) + 1
        assert second.double().numpy()[rows, last, place].min() >= bound.weight
        own = logits[rows, place].copy()
        logits[rows, place] = -np.inf
        assert (own - logits.max(1)).min() >= bound.margins[1]
        assert abs(own).max() <= bound.amplitude
        best = read[rows, right].copy()
        read[rows, right] = -np.inf
        assert (best - read.max(1)).min() >= bound.gap


def test_what_is_not_guaranteed_is_refused(network):
    assert network.certificates["bfloat16"].quantities["length"] == 0
    vocabulary = network.plan.vocabulary
    with pytest.raises(InvalidArgument, match="prompts whose last token occurred before"):
        network.decode(vocabulary.encode(["A B C"]))
    most = int(network.certificate.quantities["length"])
    with pytest.raises(InvalidArgument, match=f"allowed: at most {most} tokens"):
        network.decode(np.zeros((1, most + 1), dtype=np.int64))
    with pytest.raises(InvalidArgument, match="the length guaranteed in bfloat16"):
        network.decode(vocabulary.encode(["A B A"]), dtype=torch.bfloat16)


def test_a_network_that_is_too_warm_has_no_guarantee_and_errs():
    warm = induction_network(tokens=3, length=7, inverse_temperature=3, spec=RopeSpec(16, 10000))
    assert warm.certificate.quantities["length"] < 7
    wrong = 0
    for prompts, answers in short(3, 7):
        wrong += int((warm.decode(prompts, beyond_guarantee=True) != answers).sum())
    assert wrong


def test_weights_elsewhere_are_seen(network):
    head = network.heads[1]
    w_k = head.w_k.copy()
    w_k[0, network.plan.directions.place("next:0")] = 1
    with pytest.raises(InvalidArgument, match="keys of layer 1 read coordinate"):
        replace(network, heads=(network.heads[0], replace(head, w_k=w_k))).bound()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokens": 1}, "tokens: got 1, allowed: an integer >= 2"),
        ({"length": 1}, "length: got 1, allowed: an integer >= 2"),
        ({"spec": 64}, "spec: got 64, allowed: a RopeSpec or None"),
        ({"tokens": 15, "spec": RopeSpec(16, 10000)}, "tokens: got 15, allowed: at most head_dim"),
        ({"inverse_temperature": 0}, "inverse_temperature: got 0, allowed: a number > 0"),
        ({"spec": RopeSpec(8, 10)}, "spec: got"),
        ({"length": 20000}, "spec: got"),
    ],
)
def test_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(InvalidArgument) as caught:
        induction_network(**arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("family", SPECS)
def test_models_of_transformers_do_it_as_certified(family, dtype):
    network = induction_network(tokens=12, length=20, spec=SPECS[family])
    model = export_network(network, family, dtype=dtype)
    certificate = certify_network(model, network)
    assert certificate.claim == "task.induction"
    assert certificate.runs == "model"
    assert certificate.quantities["length"] >= 20
    data = induction_task(200, seed=0, tokens=12, length=20)
    assert (predict(model, data.tokens) == data.answers).all()
    prompts = hard(12, 20, 60)
    assert (predict(model, prompts) == solve_induction(prompts, data.vocabulary)).all()
    bound = exported_bound(model, network, length=20)
    with torch.no_grad():
        out = model(torch.from_numpy(prompts), output_attentions=True, use_cache=False)
    first, second = (a[:, 0].double().numpy() for a in out.attentions)
    assert np.diagonal(first, -1, 1, 2).min() >= bound.weight
    place = 19 - np.argmax((prompts[:, :-1] == prompts[:, -1:])[:, ::-1], axis=1)
    assert second[np.arange(len(prompts)), 19, place].min() >= bound.weight


@pytest.mark.parametrize("family", SPECS)
def test_a_changed_model_is_refused(family):
    network = induction_network(tokens=12, length=20, spec=SPECS[family])
    model = export_network(network, family)
    model.get_input_embeddings().weight.data[3, 5] += 1
    with pytest.raises(InvalidArgument, match="embeddings: got 'token 3'"):
        certify_network(model, network)


def test_it_is_public():
    assert ropeproof.induction_network is induction_network
    assert ropeproof.induction_task is induction_task
