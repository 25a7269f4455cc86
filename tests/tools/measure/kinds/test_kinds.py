"""Kinds of heads: scores against definitions, labels of planted heads, what is decided and what is not."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers
from tiny_models import make_model, make_prompts

import ropeproof
from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models import head_scores, visit_layers
from ropeproof.numerics.models.visit import LayerHeads
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.measure.kinds import KINDS, LABELS, KindOptions, head_kinds, kind_prompts
from ropeproof.tools.measure.kinds import model as kinds_model
from ropeproof.tools.measure.kinds import rows as rows_of_heads
from ropeproof.tools.measure.kinds import swaps as swaps_of_heads
from ropeproof.tools.measure.kinds.decide import FEWEST, decided, score_of
from ropeproof.tools.measure.kinds.rows import (
    PromptHeads,
    attention_of,
    lag_scores,
    scored_rows,
    weights_at_lags,
)
from ropeproof.tools.measure.kinds.stability import change_rate, labels_of
from ropeproof.tools.measure.kinds.swaps import swap_scores_of

# --- scores -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["llama", "mistral, window", "gemma2", "gptj", "phi3", "llama, yarn", "qwen3", "cohere"]
)
def test_the_weights_are_the_models_own(name):
    model = make_model(name, torch.float32)
    tokens = make_prompts(batch=2)
    with torch.no_grad():
        wanted = model(tokens, output_attentions=True).attentions
    layers = []
    visit_layers(model, tokens, layers.append)
    for prompt in range(len(tokens)):
        for only in (None, {1}):
            for layer in layers:
                heads = PromptHeads.of(layer, prompt, only)
                own = wanted[layer.layer][prompt, list(heads.heads)].float()
                for first in (0, 5):
                    rows = 0
                    for start, weights in attention_of(heads, first=first):
                        end = start + weights.shape[1]
                        torch.testing.assert_close(
                            weights, own[:, start:end, :end], atol=2e-5, rtol=1e-4
                        )
                        rows += weights.shape[1]
                    assert rows == heads.length - first


@pytest.mark.parametrize("name", ["llama", "mistral, window", "gemma2", "gptj"])
def test_scores_are_means_over_rows(name, monkeypatch):
    """Against the definitions, from the attention that the model itself returns, in blocks of rows."""
    monkeypatch.setattr(rows_of_heads, "_BLOCK", 4)
    model, tokens = make_model(name), make_prompts(batch=1)
    with torch.no_grad():
        wanted = model(tokens, output_attentions=True).attentions
    layers = []
    visit_layers(model, tokens, layers.append)
    length = tokens.shape[1]
    for layer in layers:
        weights, heads = wanted[layer.layer][0].double(), PromptHeads.of(layer)
        by_lag, on_first, share = lag_scores(heads)
        for lag in range(length):
            mean = weights.diagonal(-lag, 1, 2).mean(-1)
            torch.testing.assert_close(by_lag[:, lag], mean, atol=1e-6, rtol=1e-6)
        last = length if layer.window is None else min(layer.window, length)
        mean = weights[:, last // 2 : last, 0].mean(-1)
        torch.testing.assert_close(on_first, mean, atol=1e-6, rtol=1e-6)
        rows = weights[:, last // 2 : last]
        entropies = -torch.where(rows > 0, rows * rows.log(), 0.0).sum(-1)
        keys = torch.arange(last // 2, last) + 1
        torch.testing.assert_close(share, (entropies.exp() / keys).mean(-1), atol=1e-6, rtol=1e-6)
        period = length // 2
        pairs = weights_at_lags(heads, period)
        for place, lag in enumerate((period - 1, period)):
            each = [weights[:, row, row - lag] for row in range(period, length)]
            torch.testing.assert_close(
                pairs[:, place], torch.stack(each).mean(0), atol=1e-6, rtol=1e-6
            )


@pytest.mark.parametrize("name", ["llama", "gemma2", "gptj", "phi3", "qwen3", "stablelm"])
@pytest.mark.parametrize("tau", [1e-4, 1e-3, 1.0])
def test_swap_scores_are_those_of_head_scores(name, tau, monkeypatch):
    """The swaps of all heads and rows at once, in small portions, against one row at a time."""
    monkeypatch.setattr(swaps_of_heads, "_PAIRS", 64)
    model, tokens = make_model(name), make_prompts(batch=2)
    every = head_scores(model, tokens, rows="all", tau=tau)
    window = getattr(model.config, "sliding_window", None)

    def visit(layer):
        if window is not None and layer.window is not None:
            return
        for prompt in range(2):
            for only in (None, {0}):
                heads = PromptHeads.of(layer, prompt, only)
                found = swap_scores_of(heads, [4, 8], tau).numpy()
                for place, row in enumerate((4, 8)):
                    at = every.rows.index(row)
                    for side, wanted in enumerate((every.s_pos, every.s_sym)):
                        np.testing.assert_allclose(
                            found[side, :, place],
                            wanted[prompt, layer.layer, list(heads.heads), at],
                            atol=1e-9,
                        )

    visit_layers(model, tokens, visit)


def test_swap_scores_of_equal_weights_and_of_one_large_weight():
    """Ties, where every swap counts alike, and a row of which one entry has all the weight."""
    rotation = Rotation(
        torch.ones(9, 1, dtype=torch.float64), torch.zeros(9, 1, dtype=torch.float64), (0,), (1,)
    )
    keys = torch.ones(1, 2, 9, 2)
    keys[0, 1, 3] = 40.0
    queries = torch.ones(1, 2, 9, 2)
    layer = LayerHeads(0, queries, keys, rotation, 1.0, None, None)
    found = swap_scores_of(PromptHeads.of(layer), [8], 1e-4)
    np.testing.assert_allclose(found[:, 0, 0], [1.0, 1.0], atol=1e-12)
    assert float(found[1, 1, 0]) > 0.999 > float(found[0, 1, 0])


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
        each = [planted(torch.as_tensor(row)[None]) for row in tokens]
        vectors = (torch.cat([getattr(one, n) for one in each]) for n in ("queries", "keys"))
        show(replace(each[0], **dict(zip(("queries", "keys"), vectors, strict=True))))

    monkeypatch.setattr(kinds_model, "visit_layers", visit)
    prompts = kind_prompts(None, vocabulary=WORDS, length=LENGTH, count=8)
    model = SimpleNamespace(config=SimpleNamespace(num_hidden_layers=1, hidden_size=8))
    return kinds_model.measure_kinds(model, prompts)


def test_planted_heads_get_their_kinds(found):
    wanted = [
        "induction", "duplicate-token", "previous-token", "slash", "sink", "symbolic", "uniform",
    ]  # fmt: skip
    assert [head.label for head in found.heads] == wanted
    assert found[0, 3].lag == 3
    assert found[0, 2].lag == 1
    assert repr(found[0, 3]).startswith("<head 0.3: slash @3 1.00>")
    assert repr(found) == (
        "<kinds of 7 heads on 8 prompts: 1 induction, 1 duplicate-token, 1 previous-token, 1 slash, "
        "1 sink, 1 uniform, 1 symbolic>"
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
    visit_layers(model, texts[:1], lambda layer: own.append(lag_scores(PromptHeads.of(layer))[0]))
    np.testing.assert_allclose(found.records[1, 0].lags[0], own[1][0, :7].numpy(), rtol=1e-5)


# --- in which order prompts are run -----------------------------------------------------------------


def same_kinds(one, other):
    assert [head.label for head in one.heads] == [head.label for head in other.heads]
    for mine, theirs in zip(one.heads, other.heads, strict=True):
        for name, score in theirs.scores.items():
            assert mine.scores[name].mean == pytest.approx(score.mean, abs=1e-5)
            assert mine.scores[name].prompts == score.prompts


@pytest.mark.parametrize("name", ["llama", "mistral, window", "gptj", "gemma3_text"])
@pytest.mark.parametrize("length", [12, 13])
def test_batches_and_the_first_prompts_change_no_kind(name, length, monkeypatch):
    model = make_model(name, torch.float32)
    words = len(model.get_input_embeddings().weight)
    prompts = kind_prompts(None, vocabulary=words, length=length, count=6)
    told = []
    whole = kinds_model.measure_kinds(model, prompts)
    staged = kinds_model.measure_kinds(
        model, prompts, first=lambda heads, to_come: told.append((list(heads), to_come))
    )
    monkeypatch.setattr(kinds_model, "_ENTRIES", 1)
    same_kinds(kinds_model.measure_kinds(model, prompts), whole)
    same_kinds(staged, whole)
    assert [to_come for _, to_come in told] == list(range(len(told)))[::-1]
    few = whole.some(range(FEWEST))
    named = [head for heads, _ in told for head in heads]
    assert [head.label for head in named] == [head.label for head in few.heads]
    for mine, theirs in zip(named, few.heads, strict=True):
        assert mine.scores["sink"].mean == pytest.approx(theirs.scores["sink"].mean, abs=1e-5)


def test_further_prompts_are_run_for_heads_near_a_threshold_alone(monkeypatch):
    model = make_model("llama", torch.float32)
    words = len(model.get_input_embeddings().weight)
    prompts, more = (
        kind_prompts(None, vocabulary=words, length=12, count=count, seed=seed)
        for count, seed in ((6, 0), (7, 1))
    )
    plain = kinds_model.measure_kinds(model, prompts)
    rates = iter([0.0, 0.5] * 1000)
    monkeypatch.setattr(
        kinds_model, "change_rate_of", lambda *_, fixed: next(rates) if fixed == 0 else 0.0
    )
    found = kinds_model.measure_kinds(model, prompts, more=more)
    for number, (head, before) in enumerate(zip(found.heads, plain.heads, strict=True)):
        many = 13 if number % 2 else 6
        assert head.scores["sink"].prompts == many
        assert head.scores["induction"].prompts == 6
        assert before.scores["sink"].prompts == 6
    assert found.most == 13
    every = kinds_model.measure_kinds(model, more)
    record = found.records[found.heads[1].layer, found.heads[1].head]
    other = every.records[found.heads[1].layer, found.heads[1].head]
    np.testing.assert_allclose(record.sink[6:], other.sink, atol=1e-6)


def test_clear_heads_get_no_further_prompts(found):
    assert {score.prompts for head in found.heads for score in head.scores.values()} == {8}
    assert all(head.changes == 0 for head in found.heads if head.label == "sink")


# --- how likely a label changes ---------------------------------------------------------------------


def rate_of(sink, spread, count=8, seed=0):
    """The label of a head that scores on the first token alone, and how likely it changes."""
    draw = np.random.default_rng(seed)
    texts = np.zeros((count, 6))
    texts[:, 2] = sink + spread * draw.standard_normal(count)
    pairs = np.zeros((count, 2))
    nulls = np.array([0, 0, 0.1, 0.1, 0.01, 0, 0, 0])
    options = KindOptions()
    groups = (pairs, texts)
    mean = np.concatenate([g.mean(0) for g in groups])
    spreads = np.concatenate([g.std(0, ddof=1) for g in groups])
    label = LABELS[int(labels_of(mean, spreads, nulls, [count] * len(KINDS), options))]
    return label, change_rate(label, groups, nulls, options)


def test_the_rate_of_change_is_that_of_fresh_prompts():
    """Labels of planted heads against those of as many fresh prompts of the same heads: within 5 points."""
    draw = np.random.default_rng(5)
    said, seen = [], []
    for head in range(300):
        level, spread = draw.uniform(0.1, 0.5), draw.uniform(0.01, 0.15)
        (one, rate), (other, _) = (
            rate_of(level, spread, seed=1000 * half + head) for half in (0, 1)
        )
        said.append(rate)
        seen.append(one != other)
    said, seen = np.array(said), np.array(seen)
    assert abs(said.mean() - seen.mean()) < 0.05
    for low, high in ((0, 0.1), (0.1, 0.4), (0.4, 1.01)):
        some = (said >= low) & (said < high)
        assert some.sum() > 30
        assert abs(said[some].mean() - seen[some].mean()) < 0.12


def test_a_clear_head_keeps_its_label():
    assert rate_of(0.9, 0.01) == ("sink", 0.0)
    assert rate_of(0.02, 0.01) == ("mixed", 0.0)
    assert rate_of(0.3, 0.1)[1] > 0.2


@pytest.mark.parametrize("sink", [0.02, 0.28, 0.3, 0.4])
def test_labels_as_arrays_are_those_of_the_rule(sink):
    draw = np.random.default_rng(3)
    each = sink + 0.1 * draw.standard_normal((40, len(KINDS), 6))
    options = KindOptions(confidence=0.9, thresholds=(("sink", 0.28), ("positional", 0.1)))
    nulls = np.full(len(KINDS), 0.05)
    found = labels_of(each.mean(-1), each.std(-1, ddof=1), nulls, [6] * len(KINDS), options)
    for number, head in enumerate(each):
        scores = {
            kind.name: score_of(kind, values, null=0.05, options=options, rows=9)
            for kind, values in zip(KINDS, head, strict=True)
        }
        assert LABELS[found[number]] == decided(scores)


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
        ({"near": 0}, "near"),
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


def untrained(family, width, heads):
    """A model of two layers as its family's code initialises it, of the given width and heads."""
    torch.manual_seed(0)
    shape = {"vocab_size": 128, "max_position_embeddings": 128, "num_hidden_layers": 2}
    shape |= {"hidden_size": width, "num_attention_heads": heads, "intermediate_size": width}
    names = {"llama": "Llama", "gpt_neox": "GPTNeoX", "qwen3": "Qwen3", "olmo2": "Olmo2"}
    if family != "gpt_neox":
        shape |= {"num_key_value_heads": heads // 2, "head_dim": width // heads}
    config = getattr(transformers, f"{names[family]}Config")(**shape)
    return getattr(transformers, f"{names[family]}ForCausalLM")(config).eval()


@pytest.mark.parametrize(
    ("family", "width", "heads"),
    [
        ("llama", 64, 4),
        ("llama", 512, 4),
        ("gpt_neox", 64, 4),
        ("gpt_neox", 512, 8),
        ("qwen3", 64, 2),
        ("qwen3", 128, 8),
        ("olmo2", 64, 4),
    ],
)
def test_no_head_of_an_untrained_model_has_a_kind(family, width, heads):
    """Logits of random weights depend on tokens alone, however little they vary: that is no kind."""
    found = head_kinds(untrained(family, width, heads), length=64, prompts=5)
    assert {head.label for head in found.heads} == {"uniform"}, found.counts()
    assert all(head.scores["uniform"].mean > 0.55 for head in found.heads)


def test_a_symbolic_head_that_looks_at_few_keys_stays_symbolic(found):
    assert found[0, 5].label == "symbolic"
    assert found[0, 5].scores["uniform"].verdict == "fails"
