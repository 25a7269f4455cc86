"""Why a head attends where it does: parts that add up, bounds that hold, the query that is meant."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import torch
from command_line import measure
from saved_models import save_model
from tiny_models import CONFIGS, LENGTH, make_model, make_prompts, state

from ropeproof.constructions import build_model, slash_head
from ropeproof.numerics.models.patterns import own_patterns
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.topics.catalogue import CLAIMS
from ropeproof.tools.measure.on_demand.explain import explain_query
from ropeproof.tools.measure.on_demand.explain.parts import DIRECTIONS
from ropeproof.tools.measure.on_demand.explain.query import chosen_query

PROMPT = make_prompts(batch=1, length=2 * LENGTH)[0].tolist()
NO_LINEAR_KEYS = {"olmo, clipped", "stablelm, normed"}


def width_of(model):
    return int(model.config.hidden_size)


@pytest.mark.parametrize("name", CONFIGS)
def test_parts_add_up_to_the_logit_and_keep_their_bounds(name):
    model = make_model(name)
    before = state(model)
    head = (1, 0) if CONFIGS[name]().num_attention_heads == 1 else (1, 1)
    found = explain_query(model, PROMPT, head, -2, top=4)
    assert state(model) == before
    assert found.broken == ()
    weights = own_patterns(model, PROMPT, [head])[head][found.query]
    assert found.query == len(PROMPT) - 2
    order = np.argsort(-weights[: found.query + 1], kind="stable")
    assert [key.position for key in found.keys][:4] == order[:4].tolist()
    for key in found.keys:
        assert key.weight == pytest.approx(weights[key.position], abs=1e-6)
        assert key.lag == found.query - key.position
        for parts in (key.planes, key.directions):
            assert math.fsum(part.value for part in parts) == pytest.approx(key.logit, abs=1e-12)
        assert all(abs(value) < 1e-12 for value in key.residue.values())
        assert [part.name for part in key.directions] == list(DIRECTIONS)
        for part in (*key.planes, *key.directions, *key.theorems):
            assert part.claim is None or part.claim in CLAIMS


@pytest.mark.parametrize("name", CONFIGS)
def test_directions_of_the_residual_stream_add_up_or_are_refused_by_name(name):
    model = make_model(name)
    directions = np.random.default_rng(1).normal(size=(3, width_of(model)))
    if name in NO_LINEAR_KEYS:
        with pytest.raises(Unsupported, match="layer 1: "):
            explain_query(model, PROMPT, (1, 0), directions=directions, space="residual")
        return
    found = explain_query(model, PROMPT, (1, 0), directions=directions, space="residual")
    assert (found.count, found.rank, found.space, found.broken) == (3, 3, "residual", ())
    for key in found.keys:
        assert [part.name for part in key.given] == [
            *(f"direction {n}" for n in range(3)),
            "left by the directions",
            "biases and rounding",
        ]
        assert math.fsum(part.value for part in key.given) == pytest.approx(key.logit, abs=1e-11)


def test_what_all_directions_leave_is_nothing_and_biases_are_the_models():
    """With a basis nothing is left, and what no direction explains is the key of a stream of zeros."""
    model = make_model("phi")  # biases in its norm and in its projection
    basis = np.linalg.qr(np.random.default_rng(2).normal(size=(32, 32)))[0]
    found = explain_query(model, PROMPT, (1, 2), directions=basis)
    attention, norm = model.model.layers[1].self_attn, model.model.layers[1].input_layernorm
    with torch.no_grad():
        zero = attention.k_proj(norm.bias)[1 * 8 : 2 * 8].numpy()  # query head 2 reads key head 1
    seen = []
    visit_layers(model, [PROMPT], seen.append, layers=[1])
    turned = seen[0].rotation.turned_back(
        seen[0].queries[0, 2, -1] * seen[0].scale, len(PROMPT) - 1
    )
    for key in found.keys:
        left, biases = key.given[-2:]
        assert abs(left.value) < 1e-12
        assert biases.value == pytest.approx(float(turned[key.position].numpy() @ zero), abs=1e-9)


def test_directions_of_the_heads_keys():
    model = make_model("llama, own head_dim")
    directions = np.eye(12)[:5]
    found = explain_query(model, PROMPT, (0, 3), directions=directions)
    seen = []
    visit_layers(model, [PROMPT], seen.append, layers=[0])
    turned = seen[0].rotation.turned_back(
        seen[0].queries[0, 3, -1] * seen[0].scale, len(PROMPT) - 1
    )
    assert found.space == "key"
    for key in found.keys:
        products = (turned[key.position] * seen[0].keys[0, 1, key.position]).numpy()
        values = [part.value for part in key.given]
        assert values == pytest.approx([*products[:5], products[5:].sum()], abs=1e-12)
    twice = explain_query(
        model, PROMPT, (0, 3), directions=np.concatenate((directions, directions))
    )
    assert (twice.count, twice.rank) == (10, 5)
    assert "least norm" in " ".join(twice.show().split())
    for one, two in zip(found.keys, twice.keys, strict=True):
        assert two.given[0].value == pytest.approx(one.given[0].value / 2, abs=1e-12)
    own = np.ones((len(PROMPT), 5))
    given = explain_query(model, PROMPT, (0, 3), directions=directions, coefficients=own)
    assert math.fsum(part.value for part in given.keys[0].given) == pytest.approx(
        given.keys[0].logit, abs=1e-12
    )


def test_a_wrong_bound_is_seen(monkeypatch):
    """A part above its bound is told, and ends the command with exit code 1."""
    from ropeproof.tools.measure.on_demand.explain import explained

    real = explained.splitting.direction_parts

    def halved(head, query, key):
        from dataclasses import replace

        return tuple(replace(part, bound=abs(part.value) / 2) for part in real(head, query, key))

    monkeypatch.setattr(explained.splitting, "direction_parts", halved)
    found = explain_query(make_model("llama"), PROMPT, (1, 1))
    assert found.broken
    assert "Above their bounds" in found.show()


def test_a_planted_slash_head_attends_for_its_position():
    head = slash_head(RopeSpec(32, 10000), 3, 48, 0.9, tokens=[f"w{n}" for n in range(16)])
    model = build_model("llama", head)
    tokens = torch.randint(16, (48,), generator=torch.Generator().manual_seed(0)).tolist()
    found = explain_query(model, tokens, (0, 0), 40)
    best = found.keys[0]
    assert best.lag == 3
    parts = {part.name: part.value for part in best.directions}
    assert parts["position"] > 10 * max(abs(parts[n]) for n in DIRECTIONS[2:])
    assert best.weight >= found.weight_bounds[0] > 0.5


def test_rows_json_and_text_say_the_same():
    texts = [f" w{token}" for token in PROMPT]
    found = explain_query(make_model("gemma2, window"), PROMPT, (0, 1), texts=texts)
    assert found.window is not None
    assert found.keys[-1].position == found.query - found.window + 1
    rows = found.rows()
    by_plane = [row["value"] for row in rows if row["group"] == "plane"]
    assert len(by_plane) == len(found.keys) * len(found.keys[0].planes)
    data = json.loads(json.dumps(found.as_json()))
    assert data["keys"][0]["directions"][0]["claim"] == "rope.bounded"
    lines = found.show().splitlines()
    assert max(map(len, lines)) <= 80
    assert any("soft cap" in line for line in lines)
    assert any(line.startswith("mean of") for line in lines)


# --- the query that is meant ------------------------------------------------------------------------


def test_the_query_is_a_position_or_the_last_token_with_a_text():
    texts = ["a", " of", "7", " of", "b"]
    assert chosen_query(-1, 5, texts).position == 4
    assert chosen_query("1", 5, texts).position == 1
    assert chosen_query("'7'", 5, texts).position == 2
    found = chosen_query("of", 5, texts)
    assert (found.position, found.places) == (3, (1, 3))
    assert found.said == "the last of 2 occurrences; others at 1"
    assert chosen_query(" of", 5, texts).position == 3
    assert chosen_query("b", 5, texts).said == "its only occurrence"
    for wrong in (5, -6, "5", "of course", "''", "", True, 1.5):
        with pytest.raises(InvalidArgument, match="query"):
            chosen_query(wrong, 5, texts)
    with pytest.raises(InvalidArgument, match="parts of it: ' of'"):
        chosen_query("of course", 5, texts)
    with pytest.raises(InvalidArgument, match="not known"):
        chosen_query("of", 5, None)


@pytest.mark.parametrize(
    ("named", "arguments"),
    [
        ("head", {"head": (2, 0)}),
        ("head", {"head": (0, 4)}),
        ("head", {"head": 3}),
        ("query", {"query": 99}),
        ("tokens", {"tokens": [1]}),
        ("top", {"top": 0}),
        ("texts", {"texts": ["a"]}),
        ("directions", {"directions": np.ones((2, 7))}),
        ("directions", {"directions": np.zeros((2, 32))}),
        ("directions", {"directions": np.full((2, 32), np.nan)}),
        ("directions", {"directions": "no/such/file.npy"}),
        ("coefficients", {"coefficients": np.ones((3, 3))}),
        ("coefficients", {"directions": np.ones((2, 32)), "coefficients": np.ones((3, 3))}),
        ("space", {"directions": np.ones((2, 32)), "space": "value"}),
        ("directions", {"directions": np.ones((2, 32)), "space": "key"}),
    ],
)
def test_bad_arguments_are_named(named, arguments):
    given = {"tokens": PROMPT, "head": (1, 1)} | arguments
    with pytest.raises(InvalidArgument) as error:
        explain_query(make_model("llama"), **given)
    assert error.value.argument == named


# --- the command ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    file = tmp_path_factory.mktemp("texts") / "text.txt"
    file.write_text("to do or not to do, 7 of them")
    return file


def test_the_command_prints_80_columns_and_writes_json(model, text, tmp_path):
    np.save(tmp_path / "d.npy", np.random.default_rng(0).normal(size=(4, 32)))
    target = tmp_path / "out.json"
    shown = measure(
        model,
        *("--text", text, "--explain", "1.3", "--query", "o", "--keys", 2),
        *("--directions", tmp_path / "d.npy", "--json", target),
    )
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert "the last of 4 occurrences" in " ".join(shown.split())
    assert shown.count("residue") == 3 * shown.count("logit ", shown.index("softmax.margin-lower"))
    found = json.loads(target.read_text())["explained"]
    assert (found["layer"], found["head"], found["text"]) == (1, 3, "o")
    for key in found["keys"]:
        assert sum(part["value"] for part in key["planes"]) == pytest.approx(key["logit"], abs=1e-9)
    again = json.loads(measure(model, "--explain", "1.3", "--query", "5", "--json", "-"))
    assert again["explained"]["query"] == 5
    assert "random tokens" in again["prompt"]
    (tmp_path / "tokens.txt").write_text("3 1 4 1 5 2 6 5 3 5 8 9")
    given = ("--tokens", tmp_path / "tokens.txt")
    again = json.loads(measure(model, "--explain", "1.3", "--query", "5", *given, "--json", "-"))
    assert "12 tokens of" in again["prompt"]


def test_the_command_needs_no_text_for_a_position(model):
    assert "query 11" in measure(model, "--explain", "0.0")


@pytest.mark.parametrize(
    ("named", "options"),
    [
        ("explain", ["--explain", "9.0"]),
        ("explain", ["--explain", "0.4"]),
        ("explain", ["--explain", "0"]),
        ("explain", ["--explain", "-1.0"]),
        ("query", ["--explain", "0.0", "--query", "cat"]),
        ("query", ["--explain", "0.0", "--query", "12"]),
        ("query", ["--query", "3"]),
        ("keys", ["--keys", "3"]),
        ("keys", ["--explain", "0.0", "--keys", "0"]),
        ("directions", ["--directions", "x.npy"]),
        ("directions", ["--explain", "0.0", "--directions", "no.npy"]),
        ("random-tokens", ["--explain", "0.0", "--random-tokens", "--text", "x"]),
        ("html", ["--explain", "0.0", "--html", "x.html"]),
        ("ablate", ["--explain", "0.0", "--ablate", "top"]),
        ("type", ["--explain", "0.0", "--type", "float8"]),
        ("text", ["--explain", "0.0", "--text", "no/such/text"]),
    ],
)
def test_what_the_command_refuses_is_named(model, named, options):
    with pytest.raises(InvalidArgument) as error:
        measure(model, *options)
    assert error.value.argument == named


def test_a_query_by_its_text_says_which_tokens_there_are(model, text):
    with pytest.raises(InvalidArgument, match="tokens that are parts of it: 'o', 'd'"):
        measure(model, "--text", text, "--explain", "0.0", "--query", "do")
