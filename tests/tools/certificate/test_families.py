"""Certificates of first layers of every family: against the model's own attention in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_models import CONFIGS, TOKENS, make_model

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.certificate.expected import LawRows, logit_error, turned
from ropeproof.tools.certificate.families import first_layer_of
from ropeproof.tools.certificate.law import TokenLaw

LAGS, DRAWS = 5, 1500
LAW = TokenLaw.of_ids("letters", b"letters", [1, 2, 1, 3, 1, 2, 30, 7])
REFUSED = {
    "gemma2": "soft cap",
    "gemma2, window": "soft cap",
    "llama, dynamic": "Dynamic",
    "llama, longrope": "LongRope",
}


def stored(name: str):
    """A model in float64 whose weights float32 holds."""
    return make_model(name).float().double()


@pytest.mark.parametrize("name", [name for name in CONFIGS if name not in REFUSED])
def test_logits_are_those_of_the_model_within_the_stated_error(name):
    model = stored(name)
    layer = first_layer_of(model)
    tokens = torch.tensor([[1, 30, 7, 2, 2, 39, 0][:LAGS]])
    with torch.no_grad():
        rows = model(tokens, output_attentions=True).attentions[0][0].double().numpy()
    place = tokens[0].numpy()
    queries, keys = layer.queries(place), layer.keys(place)
    turns, error = turned(layer, LAGS)
    assert logit_error(layer, queries, keys, error).max() < 1e-9
    for head in range(layer.heads):
        key = keys.planes[layer.key_head(head)]
        logits = np.full((LAGS, LAGS), -np.inf)
        for row in range(LAGS):
            for at in range(row + 1):
                turn = turns[row - at]
                logits[row, at] = (queries.planes[head, row] * turn * key[at].conj()).sum().real
        weights = np.exp(logits - logits.max(1, keepdims=True))
        weights /= weights.sum(1, keepdims=True)
        # Some norms and tables are computed in float32 whatever the model's type.
        assert np.abs(weights - rows[head]).max() < 2e-5


SAMPLED = ("gpt_neox", "gptj", "qwen2", "qwen3", "olmo2", "gemma", "llama, yarn", "cohere, normed")


@pytest.mark.parametrize("name", SAMPLED)
def test_the_models_own_attention_on_drawn_tokens_lies_in_the_enclosures(name):
    model = stored(name)
    layer = first_layer_of(model)
    query = 7
    random = np.random.default_rng(0)
    drawn = random.choice(LAW.tokens, p=LAW.counts / LAW.total, size=(DRAWS, LAGS))
    drawn[:, -1] = query
    with torch.no_grad():
        found = model(torch.tensor(drawn), output_attentions=True).attentions[0]
    last = found[:, :, -1].flip(-1).double().numpy()
    for head, bounds in enumerate(LawRows(layer, LAW, LAGS).every_head(query)):
        mean, error = last[:, head].mean(0), last[:, head].std(0) / DRAWS**0.5
        assert bounds.slack < 2e-2
        assert (bounds.lower <= mean + 5 * error + 1e-5).all()
        assert (mean - 5 * error - 1e-5 <= bounds.upper).all()


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_enclosed_is_refused_by_name(name):
    with pytest.raises(Unsupported, match=REFUSED[name]):
        first_layer_of(stored(name))


def test_weights_that_float32_does_not_hold_are_refused():
    with pytest.raises(Unsupported, match="float32"):
        first_layer_of(make_model("llama"))


def test_a_layer_that_does_something_else_is_refused():
    model = stored("llama")
    model.base_model.layers[0].self_attn.q_proj.register_forward_hook(lambda *a: a[-1] * 1.01)
    with pytest.raises(Unsupported, match="other queries"):
        first_layer_of(model)


def test_rows_longer_than_the_window_are_refused():
    layer = first_layer_of(stored("mistral, window"))
    assert LawRows(layer, LAW, layer.window).lags == layer.window
    with pytest.raises(InvalidArgument, match="window"):
        LawRows(layer, LAW, layer.window + 1)


@pytest.mark.parametrize("name", ["gpt_neox", "qwen3", "phi, normed", "gemma"])
def test_every_number_of_the_layer_is_in_its_identity(name):
    model = stored(name)
    before = first_layer_of(model).identity()
    layer = model.base_model.layers[0]
    seen = {before}
    modules = [(n, p) for n, p in layer.named_parameters() if "norm" in n or "query_key" in n]
    attention = [(n, p) for n, p in modules if not n.startswith(("post", "mlp"))]
    assert attention
    for _, parameter in attention:
        with torch.no_grad():
            parameter.view(-1)[0] = 1.5
        seen.add(first_layer_of(model).identity())
    assert len(seen) == 1 + len(attention)
    assert len(model.get_input_embeddings().weight) == TOKENS
