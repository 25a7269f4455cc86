"""Heads followed through training: nothing changes, numbers are those of `measure`, and what is refused."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
import torch
import transformers
from needs import needs
from tiny_models import CONFIGS, GROUPED, PLAIN, TOKENS, make_model, make_prompts, state
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

import ropeproof
from ropeproof import HeadMonitor, RopeSpec, build_model, slash_head
from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.tools.measure.kinds import KindOptions, head_kinds, kind_prompts
from ropeproof.tools.measure.kinds.rows import PromptHeads, lag_scores
from ropeproof.tools.measure.monitor.rows import COLUMNS, REPEATED

LENGTH = 40
HEADS = [(0, 1), (1, 3)]
ON_TEXT = ("previous-token", "slash", "sink", "uniform", "positional", "symbolic")


def small(**more):
    torch.manual_seed(0)
    fields = {**GROUPED, "attn_implementation": None, "rope_parameters": PLAIN, **more}
    return LlamaForCausalLM(LlamaConfig(**fields))


def examples(count=24, length=LENGTH):
    draw = np.random.default_rng(0)
    every = [torch.from_numpy(draw.integers(0, TOKENS, length)) for _ in range(count)]
    return [{"input_ids": tokens, "labels": tokens} for tokens in every]


def trained(tmp_path, *callbacks, model=None, steps=4, data=None, **more):
    """Losses of a short training, the weights that it ends with, and the trainer."""
    model = small(attention_dropout=0.1) if model is None else model
    arguments = {"per_device_train_batch_size": 2, "logging_steps": 1, "max_steps": steps}
    settings = TrainingArguments(
        str(tmp_path),
        **{**arguments, **more},
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
    )
    data = examples() if data is None else data
    run = Trainer(
        model, settings, train_dataset=data, eval_dataset=data[:4], callbacks=[*callbacks]
    )
    run.train()
    losses = [entry["loss"] for entry in run.state.log_history if "loss" in entry]
    return losses, [p.detach().clone() for p in model.parameters()], run


SETTINGS = {
    "plain": {},
    "gradients of several batches": {"gradient_accumulation_steps": 2},
    "bfloat16": {"bf16": True},
    "activation checkpoints": {"activation_checkpointing": True},
    "reentrant checkpoints": {
        "activation_checkpointing": True,
        "activation_checkpointing_kwargs": {"use_reentrant": True},
    },
}


@needs("accelerate")
@pytest.mark.parametrize("name", SETTINGS)
def test_the_training_is_the_same_to_the_last_bit(tmp_path, name):
    settings = SETTINGS[name]
    probes = kind_prompts(None, vocabulary=TOKENS, length=16, count=4)
    monitor = HeadMonitor(HEADS, every=2, lags=(2,), probes=probes)
    one, weights, alone = trained(tmp_path, **settings)
    other, watched, run = trained(tmp_path, monitor, **settings)
    assert one == other
    assert len(one) == 4
    assert all(torch.equal(a, b) for a, b in zip(weights, watched, strict=True))
    assert {row["step"] for row in monitor.table} == {0, 2}
    assert monitor.extra_passes == 2 * 2 * 4
    assert state(run.model)[0] == state(alone.model)[0]  # transformers has hooks of its own
    sequences = 4 if settings.get("gradient_accumulation_steps") else 2
    assert {row["n"] for row in monitor.table if row["source"] == "training"} == {sequences}


@needs("accelerate")
def test_evaluations_are_followed_on_the_same_sequences(tmp_path):
    monitor = HeadMonitor("0.1", during="evaluation", additive=False)
    model = small()
    with torch.no_grad():
        wanted = scores_at(model, torch.stack([each["input_ids"] for each in examples()[:4]]), 0, 1)
    trained(tmp_path, monitor, model=model, eval_strategy="steps", eval_steps=2, learning_rate=0.0)
    found = [row for row in monitor.table if row["quantity"] == "previous-token"]
    assert [(row["step"], row["source"], row["n"]) for row in found] == [
        (2, "evaluation", 4),
        (4, "evaluation", 4),
    ]
    assert [row["value"] for row in found] == pytest.approx([wanted[:, 1].mean()] * 2, abs=1e-7)


def scores_at(model, tokens, layer, head):
    """The slash scores of one head on each prompt, by a pass of its own, `(prompts, length)`."""
    found = []

    def visit(heads):
        found.append(lag_scores(PromptHeads.of(heads))[0][head].numpy())

    for prompt in tokens:
        visit_layers(model, prompt[None], visit, layers=[layer])
    return np.array(found)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_numbers_are_those_of_measure_for_every_family(name):
    """From the passes of a user's own loop, in evaluation mode, on the prompts that `head_kinds` is given."""
    model = make_model(name, torch.float32)
    tokens = make_prompts(batch=4, length=18)
    before = state(model)
    monitor = HeadMonitor(None, during="evaluation", shortest=8, lags=(2,))
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=tokens)
        found = monitor.record(step=7)
    assert state(model) == before
    kinds = head_kinds(model, tokens.tolist(), options=KindOptions())
    specs = layer_specs(model.config, length=18)
    vectors = {}
    visit_layers(model, tokens, lambda layer: vectors.setdefault(layer.layer, layer))
    assert monitor.extra_passes == 0
    assert {(row["layer"], row["head"]) for row in found} == {
        (k.layer, k.head) for k in kinds.heads
    }
    for row in found:
        assert tuple(row) == COLUMNS
        score = kinds[row["layer"], row["head"]].scores.get(row["quantity"])
        if row["quantity"] in REPEATED:
            assert (row["value"], row["n"], row["verdict"]) == (None, 0, "not measured")
        elif score is not None:
            assert row["value"] == pytest.approx(score.mean, abs=2e-6)
            assert row["spread"] == pytest.approx(score.spread, abs=2e-6)
            assert (row["null"], row["lag"]) == (score.null, score.lag)
            assert row["n"] == 4
    layer, head = 1, 0
    heads = vectors[layer]
    count = 18 if heads.window is None else heads.window
    fits = [
        {
            fit.kind: fit
            for fit in posgen.additive_fits(q, k, specs[layer], scale=heads.scale)
            if fit.centred
        }
        for q, k in zip(
            heads.queries[:, head, :count].double().numpy(),
            heads.keys[:, 0, :count].double().numpy(),
            strict=True,
        )
    ]
    rows = {row["quantity"]: row for row in found if (row["layer"], row["head"]) == (layer, head)}
    for quantity, kind in (("two", "optimal"), ("three", "three-axis")):
        row = rows[f"additive_r2_{quantity}_axes"]
        assert row["value"] == pytest.approx(np.mean([f[kind].r_squared for f in fits]), abs=1e-5)
        assert row["null"] == fits[0][kind].null_r_squared


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_is_left_out(side):
    model = small().eval()
    tokens = make_prompts(batch=2, length=LENGTH)
    pad = torch.zeros(2, 7, dtype=torch.long)
    ones = torch.ones_like(tokens)
    order = (lambda a, b: [b, a]) if side == "left" else (lambda a, b: [a, b])
    monitor = HeadMonitor(HEADS, during="evaluation")
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=tokens)
        alone = monitor.record(step=0)
        model(
            input_ids=torch.cat(order(tokens, pad), 1),
            attention_mask=torch.cat(order(ones, pad), 1),
        )
        padded = monitor.record(step=1)
    for one, other in zip(alone, padded, strict=True):
        assert other["tokens"] == LENGTH
        assert other["value"] == pytest.approx(one["value"], abs=1e-5)


def test_of_packed_sequences_the_first_document_is_read():
    model = small().eval()
    first, second = make_prompts(batch=2, length=LENGTH)
    places = torch.cat((torch.arange(LENGTH), torch.arange(LENGTH)))[None]
    monitor = HeadMonitor(HEADS, during="evaluation")
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=first[None])
        alone = monitor.record(step=0)
        model(input_ids=torch.cat((first, second))[None], position_ids=places)
        packed = monitor.record(step=1)
    for one, other in zip(alone, packed, strict=True):
        assert other["value"] == pytest.approx(one["value"], abs=1e-5)


def test_sequences_are_gathered_until_the_weights_change():
    model = small()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    monitor = HeadMonitor("0.0", additive=False, sequences=3)
    batches = make_prompts(batch=5, length=LENGTH)
    with monitor.watch(model):
        for tokens in batches:
            model(input_ids=tokens[None], labels=tokens[None]).loss.backward()
        assert {row["n"] for row in monitor.record(step=0)} == {0, 3}
        model(input_ids=batches[:1], labels=batches[:1]).loss.backward()
        optimizer.step()
        model(input_ids=batches[1:2])
        assert {row["n"] for row in monitor.record(step=1)} == {0, 1}
    assert {row["verdict"] for row in monitor.table if row["step"] == 1} == {
        "not decided",
        "not measured",
        *({None} & {row["verdict"] for row in monitor.table}),
    }


def test_planted_heads_are_recognised():
    head = slash_head(RopeSpec(32, 10000), 3, 48, 0.9, tokens=[f"w{n}" for n in range(16)])
    model = build_model("llama", head)
    tokens = torch.randint(16, (4, 48), generator=torch.Generator().manual_seed(0))
    probes = kind_prompts(None, vocabulary=16, length=48, count=4)
    monitor = HeadMonitor([(0, 0)], during="evaluation", probes=probes)
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=tokens)
        found = {row["quantity"]: row for row in monitor.record(step=0)}
    assert (found["slash"]["lag"], found["slash"]["verdict"]) == (3, "holds")
    assert found["slash"]["value"] > 0.9
    assert found["positional"]["verdict"] == "holds"
    assert [found[name]["verdict"] for name in ("previous-token", "sink", "symbolic")] == [
        "fails"
    ] * 3
    assert {found[name]["verdict"] for name in REPEATED} == {"fails"}
    assert found["induction"]["source"] == "probe prompts"
    assert found["additive_r2_three_axes"]["value"] > 0.99
    assert monitor.extra_passes == 8


def test_the_table_goes_where_tables_go(tmp_path):
    model = small().eval()
    monitor = HeadMonitor(HEADS, during="evaluation", additive=False)
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=make_prompts(batch=1, length=LENGTH))
        monitor.record(step=3)
    text = monitor.to_csv(tmp_path / "heads.csv")
    assert (tmp_path / "heads.csv").read_text() == text
    assert text.splitlines()[0].split(",") == list(COLUMNS)
    assert len(text.splitlines()) == 1 + len(monitor.table)
    assert "of 2 heads" in repr(monitor)
    with pytest.raises(InvalidArgument, match="path"):
        monitor.to_csv(tmp_path / "no" / "folder.csv")


def test_the_frame_has_the_columns():
    monitor = HeadMonitor(HEADS)
    if not importable("pandas"):
        with pytest.raises(Unsupported, match="pandas"):
            monitor.to_frame()
    else:
        assert list(monitor.to_frame().columns) == []


def importable(name):
    with contextlib.suppress(ImportError):
        __import__(name)
        return True
    return False


# --- refused by name --------------------------------------------------------------------------------


def test_a_compiled_model_is_refused(tmp_path):
    model = small()
    compiled = torch.compile(model, backend="eager")
    with pytest.raises(Unsupported, match="compiled"), HeadMonitor("0.0").watch(compiled):
        pass
    inside = small()
    inside.model.layers[0].compile(backend="eager")
    with pytest.raises(Unsupported, match="compiled"), HeadMonitor("0.0").watch(inside):
        pass
    monitor = HeadMonitor("0.0", during="evaluation")
    model.eval()
    tokens = make_prompts(batch=1, length=LENGTH)
    with torch.no_grad():
        wanted = compiled(input_ids=tokens).logits
        with monitor.watch(model):
            assert torch.equal(compiled(input_ids=tokens).logits, wanted)
            with pytest.raises(Unsupported, match="no forward pass in evaluation mode was seen"):
                monitor.record(step=0)


@needs("accelerate")
def test_a_trainer_that_compiles_is_refused(tmp_path):
    with pytest.raises(Unsupported, match="torch_compile"):
        HeadMonitor("0.0").on_train_begin(
            TrainingArguments(str(tmp_path), torch_compile=True, use_cpu=True), model=small()
        )


def test_what_cannot_be_read_is_refused_by_name():
    model = small()
    tokens = make_prompts(batch=1, length=LENGTH)
    with pytest.raises(InvalidArgument, match="heads"), HeadMonitor("2.0").watch(model):
        pass
    with (
        pytest.raises(InvalidArgument, match="model"),
        HeadMonitor("0.0").watch(torch.nn.Linear(2, 2)),
    ):
        pass
    bert = transformers.BertModel(transformers.BertConfig(hidden_size=12, num_hidden_layers=1))
    with pytest.raises(Unsupported, match="bert"), HeadMonitor("0.0").watch(bert):
        pass
    copies = torch.nn.DataParallel(model)
    with pytest.raises(Unsupported, match="DataParallel"), HeadMonitor("0.0").watch(copies):
        pass
    mask = torch.zeros(1, 1, LENGTH, LENGTH)
    with HeadMonitor("0.0").watch(model), pytest.raises(Unsupported, match="mask of 4 axes"):
        model(input_ids=tokens, attention_mask=mask)
    assert model(input_ids=tokens).loss is None  # hooks are gone, and the model runs


def test_short_sequences_are_said_and_do_not_end_a_training():
    model = small().eval()
    monitor = HeadMonitor("0.0", during="evaluation")
    with torch.no_grad(), monitor.watch(model):
        model(input_ids=make_prompts(batch=2, length=31))
        assert len(monitor.record(step=4)) == 0
    (skipped,) = monitor.skipped
    assert (skipped["step"], skipped["why"]) == (4, "2 sequences of fewer than 32 tokens")


@pytest.mark.parametrize(
    ("named", "arguments"),
    [
        ("heads", {"heads": "3"}),
        ("heads", {"heads": []}),
        ("heads", {"heads": [(0, -1)]}),
        ("heads", {"heads": [0, 1]}),
        ("every", {"every": 0}),
        ("during", {"during": "test"}),
        ("sequences", {"sequences": 0}),
        ("length", {"length": 2}),
        ("shortest", {"shortest": 1}),
        ("lags", {"lags": (-1,)}),
        ("lags", {"lags": 1.5}),
        ("probes", {"probes": 8}),
    ],
)
def test_bad_arguments_are_named(named, arguments):
    with pytest.raises(InvalidArgument) as error:
        HeadMonitor(**({"heads": "0.0"} | arguments))
    assert error.value.argument == named


def test_record_outside_watch_and_a_bad_step_are_named():
    monitor = HeadMonitor("0.0")
    with pytest.raises(InvalidArgument, match="step"):
        monitor.record(step=0)
    with monitor.watch(small()), pytest.raises(InvalidArgument, match="step"):
        monitor.record(step="last")


def test_the_public_name():
    assert "HeadMonitor" in ropeproof.__all__
    assert transformers.TrainerCallback in HeadMonitor.__mro__
    assert opened(small()) is not None
