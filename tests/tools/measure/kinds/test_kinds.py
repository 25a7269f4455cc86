"""Kinds of heads: scores against definitions, labels of planted heads, what is decided and what is not."""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tiny_models import make_model, make_prompts

import ropeproof
from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models import head_scores, visit_layers
from ropeproof.numerics.models.visit import LayerHeads
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.measure.kinds import KINDS, LABELS, KindOptions, head_kinds, kind_prompts
from ropeproof.tools.measure.kinds import model as kinds_model
from ropeproof.tools.measure.kinds.decide import FEWEST, decided, score_of
from ropeproof.tools.measure.kinds.rows import (
    attention_of,
    first_token_weight,
    lag_scores,
    scored_rows,
    swap_scores_of,
    weights_at_lags,
)

# --- scores -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["llama", "mistral, window", "gemma2", "gptj", "phi3", "llama, yarn", "qwen3", "cohere"]
)
def test_the_weights_are_the_models_own(name):
    model = make_model(name, torch.float32)
    tokens = make_prompts(batch=1)
    with torch.no_grad():
        wanted = model(tokens, output_attentions=True).attentions

    def visit(layer):
        for part, weights in attention_of(layer):
            torch.testing.assert_close(
                weights, wanted[layer.layer][0, part].float(), atol=2e-5, rtol=1e-4
            )

    visit_layers(model, tokens, visit)


def test_scores_are_means_over_rows():
    weights = torch.rand(3, 8, 8).tril()
    found = lag_scores(weights)
    for lag in range(8):
        torch.testing.assert_close(found[:, lag], weights.diagonal(-lag, 1, 2).mean(-1))
    torch.testing.assert_close(first_token_weight(weights, None), weights[:, 4:, 0].mean(-1))
    torch.testing.assert_close(first_token_weight(weights, 6), weights[:, 3:6, 0].mean(-1))
    pairs = weights_at_lags(weights, 4)
    for place, lag in enumerate((3, 4)):
        wanted = torch.stack([weights[:, row, row - lag] for row in range(4, 8)]).mean(0)
        torch.testing.assert_close(pairs[:, place], wanted)


def test_swap_scores_are_those_of_head_scores():
    model, tokens = make_model("llama"), make_prompts(batch=1)
    every = head_scores(model, tokens, rows="all")

    def visit(layer):
        found = swap_scores_of(layer, [4, 8], 1e-4).numpy()
        for place, row in enumerate((4, 8)):
            at = every.rows.index(row)
            for side, wanted in enumerate((every.s_pos, every.s_sym)):
                np.testing.assert_allclose(
                    found[side, :, place], wanted[0, layer.layer, :, at], atol=1e-9
                )

    visit_layers(model, tokens, visit)


def test_rows_are_of_the_second_half_and_see_enough():
    assert scored_rows(512, None, 8)[0] == 256
    assert scored_rows(512, None, 8)[-1] == 511
    assert scored_rows(512, 6, 8) == [3, 4, 5]
    assert scored_rows(4, None, 8) == [2, 3]


# --- labels -----------------------------------------------------------------------------------------

WORDS, LENGTH, STRONG = 30, 24, 9.0


def planted(tokens: torch.Tensor) -> LayerHeads:
    """A head of each kind, without rotation: what is compared stands in the vectors."""
    length = tokens.shape[1]
    word = torch.eye(WORDS)[tokens[0]]
    before = torch.cat((torch.zeros(1, WORDS), word[:-1]))
    place = torch.eye(length)
    one, none = torch.zeros(length, length), torch.zeros(length, length)
    one[:, 0] = 1.0
    first = torch.zeros(length, length)
    first[0, 0] = 1.0
    # A token whose number is large is looked at, wherever it stands.
    salient = torch.zeros(length, length)
    salient[:, 0] = tokens[0] / WORDS * 4
    no_word = torch.zeros(length, WORDS)
    shift = {lag: torch.cat((none[:lag], place[:-lag])) for lag in (1, 3)}
    heads = [
        ((word, none), (before, none)),
        ((word, none), (word, none)),
        ((no_word, shift[1]), (no_word, place)),
        ((no_word, shift[3]), (no_word, place)),
        ((no_word, one), (no_word, first)),
        ((no_word, one), (no_word, salient)),
        ((no_word, none), (no_word, none)),
    ]
    queries, keys = (torch.stack([torch.cat(head[side], -1) for head in heads]) for side in (0, 1))
    planes = queries.shape[-1] // 2
    rotation = Rotation(
        torch.ones(length, planes, dtype=torch.float64),
        torch.zeros(length, planes, dtype=torch.float64),
        tuple(range(planes)),
        tuple(range(planes, 2 * planes)),
    )
    return LayerHeads(0, queries[None], keys[None], rotation, STRONG, None, None)


@pytest.fixture
def found(monkeypatch):
    def visit(_model, tokens, show, **_options):
        show(planted(torch.as_tensor(tokens)))

    monkeypatch.setattr(kinds_model, "visit_layers", visit)
    prompts = kind_prompts(None, vocabulary=WORDS, length=LENGTH, count=8)
    return kinds_model.measure_kinds(SimpleNamespace(), prompts)


def test_planted_heads_get_their_kinds(found):
    wanted = [
        "induction", "duplicate-token", "previous-token", "slash", "sink", "symbolic", "mixed",
    ]  # fmt: skip
    assert [head.label for head in found.heads] == wanted
    assert found[0, 3].lag == 3
    assert found[0, 2].lag == 1
    assert repr(found[0, 3]).startswith("<head 0.3: slash @3 1.00>")
    assert repr(found) == (
        "<kinds of 7 heads on 8 prompts: 1 induction, 1 duplicate-token, 1 previous-token, 1 slash, "
        "1 sink, 1 symbolic, 1 mixed>"
    )
    assert found.counts() == {label: wanted.count(label) for label in LABELS}
    score = found[0, 0].scores["induction"]
    assert score.prompts == 8
    assert score.rows == LENGTH // 2
    assert score.low is not None
    assert score.threshold <= score.low <= score.mean <= score.high
    # An induction head is told by the repetition, not by its lag.
    assert found[0, 3].scores["induction"].mean == pytest.approx(0, abs=1e-6)


def test_halves_and_tables(found):
    half = found.some([0, 2, 4, 6])
    assert [head.label for head in half.heads] == [head.label for head in found.heads]
    assert {head.label for head in found.some([1, 2]).heads} == {"not decided"}
    rows = found.rows()
    assert len(rows) == 7
    assert rows[4]["label"] == "sink"
    assert rows[4]["sink mean"] > 0.9
    if importlib.util.find_spec("pandas") is None:
        with pytest.raises(Unsupported, match="pip install pandas"):
            found.to_frame()
    else:
        assert len(found.to_frame()) == 7


def test_every_family_has_kinds():
    for name in ("gptj", "mistral, window", "gemma3_text"):
        found = ropeproof.head_kinds(make_model(name, torch.float32), length=12, prompts=4)
        assert len(found.heads) >= 4
        assert sum(found.counts().values()) == len(found.heads)


def test_texts_are_what_is_asked():
    model = make_model("llama", torch.float32)
    texts = make_prompts(batch=5, length=12).tolist()
    found = head_kinds(model, texts, layers=[1])
    assert {head.layer for head in found.heads} == {1}
    assert len(found.records[1, 0].lags) == 5
    own = []
    visit_layers(
        model, texts[:1], lambda layer: own.append(lag_scores(next(attention_of(layer))[1]))
    )
    np.testing.assert_allclose(found.records[1, 0].lags[0], own[1][0, :7].numpy(), rtol=1e-6)


# --- what is decided --------------------------------------------------------------------------------


def decide(each, kind=KINDS[3], null=0.0, **options):
    return score_of(
        kind, np.array(each, dtype=float), null=null, options=KindOptions(**options), rows=9
    )


def test_a_kind_holds_fails_or_is_not_decided():
    assert decide([0.3, 0.31, 0.29, 0.3]).verdict == "holds"
    assert decide([0.02, 0.03, 0.01, 0.02]).verdict == "fails"
    assert decide([0.05, 0.3, 0.02, 0.4]).verdict == "not decided"
    assert decide([0.3] * (FEWEST - 1)).verdict == "not decided"
    assert decide([0.3, 0.31, 0.29, 0.3], null=0.5).verdict == "fails"
    # More confidence decides less.
    each = [0.12, 0.14, 0.1, 0.13]
    assert decide(each, confidence=0.9).verdict == "holds"
    assert decide(each, confidence=0.999).verdict == "not decided"


def test_the_interval_is_students():
    found = decide([0.1, 0.2, 0.3, 0.4], confidence=0.95)
    assert found.mean == pytest.approx(0.25)
    # t of 3 degrees of freedom at .95 is 2.3534.
    assert found.high - found.mean == pytest.approx(2.3534 * 0.1290994 / 2, rel=1e-4)


def test_the_first_kind_that_holds_is_the_label():
    def verdicts(**given):
        base = {kind.name: decide([0.0, 0.0, 0.0, 0.0], kind) for kind in KINDS}
        for name, each in given.items():
            kind = next(k for k in KINDS if k.name.replace("-", "_") == name)
            base[kind.name] = decide(each, kind)
        return decided(base)

    sure, open_ = [0.9] * 4, [0.0, 0.9, 0.0, 0.9]
    assert verdicts() == "mixed"
    assert verdicts(slash=sure, symbolic=sure) == "slash"
    assert verdicts(slash=open_, symbolic=sure) == "not decided"
    assert verdicts(slash=sure, symbolic=open_) == "slash"
    assert decided({}) == "not decided"


def test_bad_options_are_refused():
    for options, name in (
        ({"confidence": 0.5}, "confidence"),
        ({"rows": 0}, "rows"),
        ({"tau": 0}, "tau"),
        ({"thresholds": (("slush", 0.1),)}, "thresholds"),
        ({"thresholds": (("slash", 1.5),)}, "thresholds"),
    ):
        with pytest.raises(InvalidArgument) as error:
            KindOptions(**options)
        assert error.value.argument == name
    model = make_model("llama", torch.float32)
    for texts, name in (([], "texts"), ([[1, 2, 3, 4], [1, 2, 3]], "texts"), ([[99] * 9], "texts")):
        with pytest.raises(InvalidArgument) as error:
            head_kinds(model, texts)
        assert error.value.argument == name
    with pytest.raises(InvalidArgument, match="length"):
        head_kinds(model, length=3)
