"""Every family of transformers that `RopeSpec` reads, against exact angles: a table of what holds.

    python experiments/conform_families.py [FAMILY ...] [--json FILE]

A tiny model of each family is made from a configuration, and one layer of each kind of rotation is
tried in it: its values, copies of the module in bfloat16 and float16, a model made on the device
`meta` and initialised afterwards, and one that is saved and loaded in bfloat16. Nothing is
downloaded. It takes about ten minutes for all of them.
"""

from __future__ import annotations

import argparse
import json
import logging
import tempfile
import warnings
from typing import Any

from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.layers import layer_kinds
from ropeproof.tools.conform import Report, check

CASTS = ("buffers.bfloat16", "buffers.float16")
SIZES: dict[str, Any] = {
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 4,
    "intermediate_size": 16,
    "vocab_size": 32,
    "max_position_embeddings": 1024,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
GPTJ: dict[str, Any] = {"n_embd": 256, "n_head": 4, "n_layer": 2, "rotary_dim": 32}
GPTJ |= {"n_positions": 1024, "vocab_size": 32}
TOWER = {"hidden_size": 256, "num_attention_heads": 4, "num_heads": 4, "embed_dim": 256}
LATENT: dict[str, Any] = {"qk_nope_head_dim": 64, "qk_rope_head_dim": 32, "v_head_dim": 16}
LATENT |= {"kv_lora_rank": 16, "q_lora_rank": 16, "first_k_dense_replace": 4, "n_group": 1}
LATENT |= {"topk_group": 1}
KINDS = ["sliding_attention", "full_attention"] * 2
LINEAR = ["linear_attention", "full_attention"] * 2
LINEAR_SIZES = {f"linear_{part}_head_dim": 16 for part in ("key", "value")}
LINEAR_SIZES |= {f"linear_num_{part}_heads": 4 for part in ("key", "value")}
EXPERTS: dict[str, Any] = {"num_local_experts": 2, "num_experts": 2, "num_experts_per_tok": 1}
EXPERTS |= {"moe_intermediate_size": 8, "n_routed_experts": 2, "shared_expert_intermediate_size": 8}
OWN: dict[str, dict[str, Any]] = {
    "gemma4_text": {"global_head_dim": 128, "hidden_size_per_layer_input": 8},
    "qwen2_moe": EXPERTS,
    "qwen3_moe": EXPERTS,
    "mixtral": EXPERTS,
    "gpt_oss": EXPERTS,
    "qwen3_vl_moe_text": EXPERTS,
    "llama4_text": EXPERTS | {"intermediate_size_mlp": 16},
    "cwm": {"layer_types": KINDS[::-1], "sliding_window": 64},
    "deepseek_v2": LATENT | EXPERTS,
    "deepseek_v3": LATENT | EXPERTS,
    "dots1": EXPERTS
    | {"n_shared_experts": 1, "first_k_dense_replace": 4}
    | {"n_group": 1, "topk_group": 1},
    "ernie4_5_moe": EXPERTS | {"moe_num_experts": 2},
    "ernie4_5_vl_moe_text": {"moe_num_experts": 2, "moe_k": 1, "moe_intermediate_size": [8, 8]},
    "exaone4": {"layer_types": KINDS, "sliding_window": 64},
    "exaone_moe": EXPERTS | {"layer_types": KINDS, "sliding_window": 64},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_n_heads": 4, "mamba_d_head": 16, "mamba_d_state": 8},
    "flex_olmo": EXPERTS,
    "glm4_moe": EXPERTS,
    "glm4_moe_lite": LATENT | EXPERTS,
    "glm4v_moe_text": EXPERTS,
    "granitemoe": EXPERTS,
    "granitemoe_swa": EXPERTS,
    "granitemoeshared": EXPERTS,
    "hunyuan_v1_moe": EXPERTS | {"moe_topk": 1},
    "hy_v3": EXPERTS,
    "jetmoe": EXPERTS | {"kv_channels": 64, "num_key_value_heads": 2},
    "kolibri1": EXPERTS | {"layer_types": KINDS, "sliding_window": 64},
    "lfm2": {"layer_types": ["conv", "full_attention"] * 2},
    "minicpm3": LATENT,
    "minimax": EXPERTS | {"layer_types": LINEAR},
    "minimax_m2": EXPERTS,
    "olmo_hybrid": LINEAR_SIZES | {"layer_types": LINEAR},
    "phimoe": EXPERTS,
    "qwen3_5_moe_text": EXPERTS | LINEAR_SIZES | {"layer_types": LINEAR},
    "qwen3_5_text": LINEAR_SIZES | {"layer_types": LINEAR},
    "qwen3_next": EXPERTS | LINEAR_SIZES | {"layer_types": LINEAR},
    "solar_open": EXPERTS,
    "olmoe": EXPERTS,
    "youtu": LATENT,
}


def configuration(name: str) -> Any:
    """A small configuration of a family, with a base that is not the default."""
    from transformers import AutoConfig

    family = FAMILIES[name]
    if family.fixed_base:
        return AutoConfig.for_model(name, **GPTJ)
    if family.grid:
        return AutoConfig.for_model(name, **{**TOWER, **OWN.get(name, {})})
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": 50000.0}
    fields = SIZES | OWN.get(name, {})
    if family.head_dim == "required":
        fields = {family.head_field: 64} | fields
    if family.fraction_field:
        rope["partial_rotary_factor"] = 0.5
    if family.sections:
        sizes = {"blocks": [8, 12, 12], "interleaved": [12, 10, 10], "time last": [11, 11, 10]}
        sizes = sizes[family.sections]
        rope["mrope_section"] = [n // 2 for n in sizes] if family.fraction_field else sizes
    fields["rope_parameters"] = rope
    if family.global_head_dim:
        fields["layer_types"] = KINDS
        del fields["rope_parameters"]
    elif family.per_layer:
        other = rope | {"rope_theta": 10000.0}
        fields |= {"layer_types": KINDS}
        fields["rope_parameters"] = {KINDS[0]: other, KINDS[1]: rope}
    return AutoConfig.for_model(name, **fields)


def tried(name: str, config: Any) -> list[dict[str, Any]]:
    """Test a family's rotation; one row for each kind of layer."""
    import torch

    from ropeproof.tools.conform.subjects.load import built_model

    def build() -> Any:
        return built_model(config)

    rows = []
    tower = bool(FAMILIES[name].grid)
    for spec, layers in layer_kinds(config):
        layer = layers[0] if layers else 0 if spec.rotary_start else None
        module = build()
        report = check(module, config, layer=layer, build=build, context=256 if tower else None)
        row = _row(name, layer, report)
        if not tower:
            with tempfile.TemporaryDirectory() as folder:
                module.save_pretrained(folder)
                loaded = type(module).from_pretrained(folder, dtype=torch.bfloat16).eval()
            found = check(loaded, config, layer=layer, dtypes=("bfloat16",), skip=CASTS)
            row["loaded in bfloat16"] = _said(found) if found.failures else "holds"
        rows.append(row)
    return rows


def _row(name: str, layer: int | None, report: Report) -> dict[str, Any]:
    wrong = [t.name for t in report.failures if not t.name.startswith("buffers.")]
    results = {t.name: t.result for t in report.tests}
    row = {"family": name, "layer": layer, "values": "holds" if not wrong else ", ".join(wrong)}
    for test in (*CASTS, "buffers.meta"):
        row[test] = results.get(test, "")
    row["refused"] = [t.name for t in report.tests if t.result == "unsupported"]
    row["cause"] = report.cause.text if report.cause else ""
    return row


def _said(report: Report) -> str:
    return report.cause.text if report.cause else report.failures[0].name


def main() -> int:
    """Print a line for each family and kind of layer; exit status 1 if a value is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", default=sorted(FAMILIES))
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    logging.disable(logging.ERROR)
    warnings.filterwarnings("ignore")
    rows = []
    for name in given.families:
        try:
            found = tried(name, configuration(name))
        except Exception as error:  # whatever a configuration's own checks raise
            told = " ".join(str(error).split())[:120]
            found = [{"family": name, "layer": None, "values": f"not tried: {told}"}]
        for row in found:
            print(json.dumps(row))
        rows += found
    if given.json is not None:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    bad = [r for r in rows if r["values"] != "holds" and "not tried" not in r["values"]]
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
