"""The assessed setting in an engine's format, which is read back as a check before it is returned.

`hf` is what to put into a `config.json`, `vllm` and `llama.cpp` are flags. Nothing is written that a
reader of the same format would not take for the setting that was judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.readers.engines import READERS
from ropeproof.theory.rotary.readers.flags import Flagged, lint_flags
from ropeproof.theory.rotary.scaling import (
    Dynamic,
    Linear,
    Llama3,
    LongRope,
    Proportional,
    Scaling,
    Yarn,
)
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.serving import ServingSetting

__all__ = ["FORMATS", "emit"]

FORMATS = ("hf", "vllm", "llama.cpp")
_CONTEXT = ("max_position_embeddings", "n_positions")
_ORIGINAL = "original_max_position_embeddings"
_BASES = ("rope_theta", "rotary_emb_base")


def emit(setting: ServingSetting, kind: str) -> str:
    """The served setting as an engine takes it: flags in one line, or a JSON object for `config.json`.

    Raises `InvalidArgument` for another format, `Unsupported` where a format cannot state the setting or
    what an engine makes of the model's family is not known here.
    """
    if kind not in FORMATS:
        raise InvalidArgument("emit", kind, ", ".join(FORMATS))
    if not setting.fields:
        raise Unsupported(f"{kind}: {setting.name} has no configuration to change")
    if kind == "hf":
        return json.dumps(_changes(setting), indent=2)
    return _vllm(setting) if kind == "vllm" else _llama_cpp(setting)


def _given(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Exact parameters as the floats that transformers asks for; lengths stay integers."""
    plain = (str, bool, list)
    return {
        key: value if isinstance(value, plain) or key == _ORIGINAL else float(value)
        for key, value in parameters.items()
    }


def _flag(value: Any) -> str:
    """A number as it is typed on a command line."""
    return (
        f"{float(value):.17g}"
        if float(f"{float(value):g}") != float(value)
        else f"{float(value):g}"
    )


def _parameters(scaling: Scaling | None, context: int | None) -> dict[str, Any]:
    """A scaling's parameters under the names that transformers' configurations give them."""
    if scaling is None:
        return {"rope_type": "default"}
    found: dict[str, Any]
    if isinstance(scaling, Linear):
        found = {"rope_type": "linear", "factor": scaling.factor}
    elif isinstance(scaling, Dynamic):
        if context != scaling.original_length:
            told = (
                f"dynamic scaling from {scaling.original_length} positions: the configuration's own"
            )
            raise Unsupported(f"{told} context, {context}, is taken for it")
        found = {"rope_type": "dynamic", "factor": scaling.factor}
    elif isinstance(scaling, Llama3):
        found = {
            "rope_type": "llama3",
            "factor": scaling.factor,
            "low_freq_factor": scaling.low_freq_factor,
            "high_freq_factor": scaling.high_freq_factor,
            _ORIGINAL: scaling.original_length,
        }
    elif isinstance(scaling, Yarn):
        found = {"rope_type": "yarn", "factor": scaling.factor}
        found |= {_ORIGINAL: scaling.original_length}
        found |= {"beta_fast": scaling.beta_fast, "beta_slow": scaling.beta_slow}
        if not scaling.truncate:
            found["truncate"] = False
        more = {
            "attention_factor": scaling.attention,
            "mscale": scaling.mscale,
            "mscale_all_dim": scaling.mscale_all_dim,
        }
        found |= {key: value for key, value in more.items() if value is not None}
    elif isinstance(scaling, LongRope):
        factors = {
            "short_factor": [float(f) for f in scaling.short_factor],
            "long_factor": [float(f) for f in scaling.long_factor],
        }
        found = {"rope_type": "longrope", "factor": scaling.factor}
        found |= {_ORIGINAL: scaling.original_length}
        if scaling.attention is not None:
            found["attention_factor"] = scaling.attention
        found |= factors
    else:
        assert isinstance(scaling, Proportional)
        raise Unsupported("proportional frequencies are a model's own, no scaling of a length")
    return _given(found)


def _changed(setting: ServingSetting, changes: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration in which `changes` have replaced the fields of its own rotation."""
    dropped = (*_BASES, "rope_scaling", "rope_parameters")
    return {k: v for k, v in setting.fields.items() if k not in dropped} | dict(changes)


def _changes(setting: ServingSetting) -> dict[str, Any]:
    """The fields of a `config.json` that state the served setting, read back by `RopeSpec.from_config`."""
    spec, fields = setting.after, setting.fields
    if setting.inside:
        told = "a part of a multimodal configuration, whose fields stand inside the file"
        raise Unsupported(f"{told}: edit its text_config by hand")
    own = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
    if any(isinstance(value, Mapping) for value in own.values()):
        raise Unsupported("a configuration with rotary parameters of its own for each layer type")
    context = next((key for key in _CONTEXT if fields.get(key) is not None), _CONTEXT[0])
    rope: dict[str, Any] = {"rope_theta": float(spec.base)}
    rope |= _parameters(spec.scaling, fields.get(context))
    if spec.rotary_dim != spec.head_dim and "partial_rotary_factor" in own:
        rope["partial_rotary_factor"] = own["partial_rotary_factor"]
    told = ""
    # Of some scalings the context is a parameter: then it stays.
    for changes in ({context: setting.length, "rope_parameters": rope}, {"rope_parameters": rope}):
        whole = _changed(setting, changes)
        try:
            found = RopeSpec.from_config(whole, length=setting.length, layer=setting.layer)
        except RopeproofError as error:
            told = str(error)
            continue
        if found.on_text() == spec:
            return changes
        told = "the numbers are no decimals, or the family has them elsewhere"
    name = fields.get("model_type")
    raise Unsupported(f"a config.json of {name!r} that states this setting ({told})")


_OF_LENGTH = ("max_position_embeddings", "--max-model-len", "--ctx-size")
"""What sets the length served, as a field or a flag of an engine."""


def _flagged(setting: ServingSetting, engine: str, text: str) -> Flagged:
    found = lint_flags(text, setting.fields)
    if found.reading is None:
        name = setting.fields.get("model_type")
        raise Unsupported(f"{engine}: what it makes of {name!r} with these flags is not known here")
    # The length served is no part of the rotation, which `lint_flags` is asked about.
    wrong = [
        finding.message
        for finding in found.findings
        if not (finding.level == "note" and any(name in finding.message for name in _OF_LENGTH))
    ]
    if wrong or found.reading.refused:
        raise Unsupported(f"{engine}: {found.reading.refused or wrong[0]}")
    return found


def _vllm(setting: ServingSetting) -> str:
    changes = _changes(setting)
    flags = f"--hf-overrides '{json.dumps(changes)}' --max-model-len {setting.length}"
    (reader,) = [one for one in READERS if one.name == "vLLM"]
    whole = _changed(setting, changes)
    if not reader.reads(whole):
        name = setting.fields.get("model_type")
        raise Unsupported(f"vLLM: what it makes of {name!r} with this scaling is not known here")
    if setting.after.scaling == _own(setting) and setting.length <= (_context(setting) or 0):
        return f"--max-model-len {setting.length}"
    if _flagged(setting, "vLLM", flags).reading != reader.read(whole):
        raise Unsupported("vLLM: it would read the override in another way")
    return flags


def _own(setting: ServingSetting) -> Scaling | None:
    """The scaling that the model's own configuration has."""
    return RopeSpec.from_config(setting.fields, layer=setting.layer).scaling


def _context(setting: ServingSetting) -> int | None:
    found = next((v for key in _CONTEXT if (v := setting.fields.get(key)) is not None), None)
    return None if found is None else int(found)


def _llama_cpp(setting: ServingSetting) -> str:
    """Flags for llama.cpp that change what its converter writes for the model's own configuration."""
    scaling, own = setting.after.scaling, _own(setting)
    size = f"--ctx-size {setting.length}"
    (reader,) = [one for one in READERS if one.name == "llama.cpp converter"]
    if not reader.reads(setting.fields) or reader.read(setting.fields).refused:
        name = setting.fields.get("model_type")
        raise Unsupported(f"llama.cpp: what its converter makes of {name!r} is not known here")
    if scaling == own:
        return size
    if isinstance(own, Llama3 | LongRope):
        told = f"the factors of {type(own).__name__} scaling are a tensor of the file"
        raise Unsupported(f"llama.cpp: {told}, which no flag takes away")
    if scaling is None:
        wanted: dict[str, Any] = {"type": "default"}
        flags = "--rope-scaling none"
    elif isinstance(scaling, Linear):
        wanted = {"type": "linear", "factor": float(scaling.factor)}
        flags = f"--rope-scaling linear --rope-scale {_flag(scaling.factor)}"
    elif isinstance(scaling, Yarn):
        if scaling.attention is not None or not scaling.truncate or scaling.mscale is not None:
            raise Unsupported("llama.cpp: YaRN with another attention factor or without truncation")
        wanted = {"type": "yarn", "factor": float(scaling.factor)}
        wanted |= {_ORIGINAL: float(scaling.original_length)}
        wanted |= {
            "beta_fast": float(scaling.beta_fast),
            "beta_slow": float(scaling.beta_slow),
        }
        flags = f"--rope-scaling yarn --rope-scale {_flag(scaling.factor)}"
        flags += f" --yarn-orig-ctx {scaling.original_length}"
        flags += f" --yarn-beta-fast {_flag(scaling.beta_fast)}"
        flags += f" --yarn-beta-slow {_flag(scaling.beta_slow)}"
    else:
        raise Unsupported(f"llama.cpp: it has no flag for {type(scaling).__name__} scaling")
    reading = _flagged(setting, "llama.cpp", flags).reading
    assert reading is not None
    found = dict(reading.rotation)
    if found.pop("base") != float(setting.after.base) or any(
        found[k] != v for k, v in wanted.items()
    ):
        raise Unsupported(f"llama.cpp: it reads {reading} from these flags")
    return f"{size} {flags}"
