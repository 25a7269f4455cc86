"""The rotation of a model in memory beside its configuration and what its user asked for."""

from __future__ import annotations

import logging

import pytest
import torch
import transformers
from tiny_models import CONFIGS
from torch.utils.data import Dataset
from transformers import AutoConfig, AutoModelForCausalLM, LlamaConfig, Trainer, TrainingArguments

import ropeproof
from ropeproof import RopeCheckCallback, RopeSpec, check_built
from ropeproof.numerics.models.built import RotationDiffers
from ropeproof.theory.errors import InvalidArgument, RopeproofError

SHAPE = {"hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": 16}
SHAPE |= {"num_hidden_layers": 1, "intermediate_size": 32, "max_position_embeddings": 4096}
PLAIN = {"rope_type": "default", "rope_theta": 5e5}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
YARN |= {"rope_theta": 5e5}


def built(rope=PLAIN, **more):
    return AutoModelForCausalLM.from_config(
        LlamaConfig(**SHAPE, **more, rope_parameters=dict(rope))
    )


def errors(model, expected=None):
    return [(f.id, f.where) for f in check_built(model, expected) if f.level == "error"]


@pytest.mark.parametrize("name", CONFIGS)
def test_a_model_that_is_as_its_configuration_has_no_error(name):
    model = AutoModelForCausalLM.from_config(CONFIGS[name]())
    found = check_built(model)
    assert [f for f in found if f.level == "error"] == []
    assert [f.id for f in found] == (["not-checked"] if "gptj" in name else [])


def test_every_table_is_seen_to_differ():
    for name, make in CONFIGS.items():
        if "gptj" in name:
            continue
        model = AutoModelForCausalLM.from_config(make())
        tables = [
            (module, key)
            for module in model.modules()
            for key in module._buffers
            if key.endswith("inv_freq") and "original" not in key
        ]
        for module, key in tables:
            kept = module._buffers[key]
            module._buffers[key] = kept * torch.linspace(1, 1.001, len(kept))
            wanted = [] if len(kept) == 1 else ["built-differs"]
            assert [id for id, _ in errors(model)] == wanted, (name, key)
            module._buffers[key] = kept


def test_a_configuration_changed_after_building():
    model = built()
    model.config.rope_parameters["rope_theta"] = 1e6
    (found,) = check_built(model)
    assert found.id == "built-differs"
    assert found.where == "model.rotary_emb.inv_freq"
    assert "radians at position 4,095" in found.message


def test_half_precision_tables_are_named():
    (found,) = check_built(built().to(torch.bfloat16))
    assert found.id == "built-differs"
    assert "the table is bfloat16" in found.message


@pytest.mark.parametrize(
    ("expected", "named"),
    [
        ({"rope_theta": 1e6}, ["rope_theta=1000000.0"]),
        ({"rope_theta": 5e5}, []),
        ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, ["rope_scaling"]),
        ({"rope_parameters": YARN}, ["rope_parameters"]),
        ({"rope_parameters": PLAIN}, []),
        ({"rope_thetta": 5e5}, ["rope_thetta"]),
        ({"max_position_embeddings": 8192}, ["max_position_embeddings"]),
        ({"max_position_embeddings": 4096, "rope_theta": 5e5}, []),
        ({"rope_theta": 1e6, "hidden_size": 65}, ["rope_theta", "hidden_size"]),
    ],
)
def test_an_override_that_did_nothing_is_named(expected, named):
    found = errors(built(), expected)
    assert [id for id, _ in found] == ["flag-without-effect"] * len(named)
    assert all(where.startswith(name) for (_, where), name in zip(found, named, strict=True))


def test_overrides_of_from_pretrained_that_transformers_drops(tmp_path):
    built().save_pretrained(tmp_path)
    given = {"rope_theta": 1e6}
    config = AutoConfig.from_pretrained(tmp_path, **given)
    model = AutoModelForCausalLM.from_pretrained(tmp_path, config=config)
    (found,) = check_built(model, given)
    assert found.message.startswith("it did nothing to model.rotary_emb.inv_freq")
    given = {"rope_parameters": {**YARN}}
    config = AutoConfig.from_pretrained(tmp_path, **given)
    model = AutoModelForCausalLM.from_pretrained(tmp_path, config=config)
    assert check_built(model, given) == ()


def test_an_attribute_beside_the_parameters_is_an_override_that_did_nothing():
    model = built()
    model.config.rope_theta = 1e6
    assert errors(model) == [("flag-without-effect", "rope_theta=1000000.0")]


def test_layer_types_have_their_own_tables():
    model = AutoModelForCausalLM.from_config(CONFIGS["gemma3_text"]())
    assert errors(model, {"rope_theta": 12345.0}) == [("flag-without-effect", "rope_theta=12345.0")]
    assert errors(model, {"rope_local_base_freq": 777.0}) == [
        ("flag-without-effect", "rope_local_base_freq=777.0")
    ]


def test_a_whole_expectation(tmp_path):
    model = built(YARN)
    assert check_built(model, model.config) == ()
    assert check_built(model, RopeSpec.from_config(model.config)) == ()
    assert errors(model, RopeSpec(32, 5e5, length=4096))[0][0] == "built-differs"
    model.save_pretrained(tmp_path)
    assert check_built(model, tmp_path) == ()
    assert errors(built(), tmp_path)[0][0] == "built-differs"
    for wrong in ({}, 5, "no such file"):
        with pytest.raises(InvalidArgument):
            check_built(model, wrong)
    with pytest.raises(InvalidArgument):
        check_built("a model")


def test_a_wrapped_model_and_one_without_values():
    class Wrapper(torch.nn.Module):
        def __init__(self, module):
            super().__init__()
            self.module = module

    model = built()
    model.config.rope_parameters["rope_theta"] = 1e6
    assert errors(Wrapper(model))[0][1] == "module.model.rotary_emb.inv_freq"
    with torch.device("meta"):
        (found,) = check_built(built())
    assert (found.id, found.level) == ("not-checked", "note")


@pytest.mark.parametrize("broken", [1, 8])
def test_a_table_of_no_numbers_is_an_error(broken):
    model = built()
    model.model.rotary_emb.inv_freq[:broken] = float("nan")
    ((_, where),) = errors(model)[:1]
    assert where == "model.rotary_emb.inv_freq"
    assert "are no finite numbers" in check_built(model)[0].message


class Rows(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        row = torch.arange(4)
        return {"input_ids": row, "labels": row}


def trainer(model, tmp_path, callback):
    args = TrainingArguments(
        output_dir=str(tmp_path),
        max_steps=1,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        disable_tqdm=True,
    )
    return Trainer(model, args, train_dataset=Rows(), callbacks=[callback])


def test_the_trainer_stops_before_its_first_step(tmp_path):
    model = built()
    before = model.lm_head.weight.detach().clone()
    run = trainer(model, tmp_path, RopeCheckCallback({"rope_theta": 1e6}))
    with pytest.raises(RotationDiffers, match=r"rope_theta=1000000\.0: it did nothing"):
        run.train()
    assert torch.equal(before, model.lm_head.weight)
    assert run.state.global_step == 0


def test_the_trainer_goes_on_where_all_is_right_or_only_a_warning_is_asked_for(tmp_path, caplog):
    run = trainer(built(), tmp_path, RopeCheckCallback({"rope_theta": 5e5}))
    run.train()
    assert run.state.global_step == 1
    callback = RopeCheckCallback({"rope_theta": 1e6}, on_difference="warn")
    with caplog.at_level(logging.WARNING):
        run = trainer(built(), tmp_path, callback)
        run.train()
    assert run.state.global_step == 1
    assert [f.id for f in callback.findings] == ["flag-without-effect"]
    assert "flag-without-effect" in caplog.text
    with pytest.raises(InvalidArgument):
        RopeCheckCallback(on_difference="no")


def test_the_public_names():
    assert {"RopeCheckCallback", "check_built"} <= set(ropeproof.__all__)
    assert issubclass(RotationDiffers, RopeproofError)
    assert transformers.TrainerCallback in RopeCheckCallback.__mro__
