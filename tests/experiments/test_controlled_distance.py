"""A dummy distance in the place of the real one: the two terms by definition, and the command."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import controlled_distance as command  # noqa: E402

from ropeproof.constructions import retrieval_head  # noqa: E402
from ropeproof.numerics.bounds.posgen.controlled import controlled_distance  # noqa: E402
from ropeproof.numerics.core.spec import logits  # noqa: E402
from ropeproof.theory.errors import InvalidArgument  # noqa: E402
from ropeproof.theory.rotary.spec import RopeSpec  # noqa: E402

SPEC = RopeSpec(8, 100)


def at(queries, keys, lag):
    """Logits with every key at that distance of every query, by rotating the queries."""
    from ropeproof.numerics.core.spec import rotate

    return rotate(queries, np.full(len(queries), lag), SPEC) @ keys.T / np.sqrt(8)


@given(st.integers(0, 1000), st.integers(2, 9))
def test_terms_are_those_of_the_definition(seed, length):
    random = np.random.default_rng(seed)
    queries, keys = random.normal(size=(2, length, 8)) + random.normal(size=(2, 1, 8))
    lags = np.arange(length)
    found = controlled_distance(queries, keys, SPEC, lags, reference=1)
    mean = keys.mean(0)
    kept = at(queries, keys - mean, 1)
    rows, columns = np.tril_indices(length)
    whole = logits(queries, keys, np.arange(length), np.arange(length), SPEC)[rows, columns]
    for place, lag in enumerate(lags):
        term, own = at(queries, mean[None], lag)[:, 0], at(queries, keys - mean, lag)
        assert found.term[place] == pytest.approx(term.mean(), abs=1e-9)
        moved = np.sqrt(((term - at(queries, mean[None], 1)[:, 0]) ** 2).mean())
        assert found.moved[place] == pytest.approx(moved, abs=1e-9)
        changed = np.sqrt(((own - kept) ** 2).mean())
        assert found.changed[place] == pytest.approx(changed, abs=1e-9)
        assert changed <= found.bound[place] + 1e-9
        if length > 3:
            cosine = (own * kept).sum() / np.linalg.norm(own) / np.linalg.norm(kept)
            assert found.correlation[place] == pytest.approx(cosine, abs=1e-7)
            real = np.array(
                [
                    at(queries[i : i + 1], mean[None], i - j)[0, 0]
                    for i, j in zip(rows, columns, strict=True)
                ]
            )
            again = np.corrcoef(real + own[rows, columns], whole)[0, 1]
            assert found.rebuilt[place] == pytest.approx(again, abs=1e-7)


def test_a_head_that_reads_no_position_keeps_its_key_term_and_moves_nothing():
    head = retrieval_head(8, 64)
    x = head.embeddings[np.random.default_rng(0).integers(len(head.embeddings), size=64)]
    found = controlled_distance(x @ head.w_q.T, x @ head.w_k.T, head.spec, range(64))
    assert found.moved.max() < 1e-9
    assert found.correlation.min() > 1 - 1e-9
    assert found.rebuilt.min() > 1 - 1e-9


def test_random_features_are_as_foreseen():
    random = np.random.default_rng(0)
    spec = RopeSpec(64, 10_000)
    queries, keys = random.normal(size=(2, 300, 64))
    found = controlled_distance(queries, keys, spec, np.linspace(0, 299, 12))
    assert np.abs(found.correlation - found.foreseen).max() < 0.05
    assert np.abs(found.foreseen - found.null).max() < 0.05


@pytest.mark.parametrize(
    "wrong", [(np.ones((3, 8)), np.ones((4, 8))), (np.ones((1, 8)), np.ones((1, 8)))]
)
def test_wrong_shapes_are_named(wrong):
    with pytest.raises(InvalidArgument, match="queries and keys"):
        controlled_distance(*wrong, SPEC, [0])


@pytest.mark.parametrize("family", ["constructed", "gptj", "llama"])
def test_the_command(family, tmp_path, monkeypatch, capsys):
    options = ["controlled", "--output", str(tmp_path), "--distances", "5", "--length", "16"]
    if family != "constructed":
        from transformers import GPTJConfig, GPTJForCausalLM, LlamaConfig, LlamaForCausalLM

        if family == "gptj":
            sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "rotary_dim": 4, "n_positions": 32}
            model = GPTJForCausalLM(
                GPTJConfig(vocab_size=20, bos_token_id=0, eos_token_id=0, **sizes)
            )
        else:
            sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2}
            heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
            model = LlamaForCausalLM(LlamaConfig(vocab_size=20, **sizes, **heads))
        model.save_pretrained(tmp_path / "model")
        options += ["--model", str(tmp_path / "model")]
    monkeypatch.setattr("sys.argv", options)
    command.main()
    rows = json.loads((tmp_path / "controlled_distance.json").read_text())["rows"]
    assert len(rows) == {"constructed": 6, "gptj": 4, "llama": 8}[family]
    assert all(row["largest share of the bound"] <= 1 + 1e-9 for row in rows.values())
    assert (tmp_path / "controlled_distance.png").stat().st_size > 10_000
    assert "of real logits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--length", "1"], "--length"),
        (["--text", "x"], "--model"),
        (["--model", "nowhere"], "config.json"),
    ],
)
def test_bad_options_are_named(options, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["controlled", "--output", str(tmp_path), *options])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
