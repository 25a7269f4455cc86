"""A model as it lies on disk or on the hub, with a clear message for what cannot be measured."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ropeproof.numerics.hugging_face import FAMILIES
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.families import FAMILIES as ROPES
from ropeproof.theory.layers import layer_specs
from ropeproof.theory.spec import RopeSpec

__all__ = ["TYPES", "LoadedModel", "load_model", "load_tokenizer", "read_config"]

TYPES = ("float32", "float64", "bfloat16", "float16")
"""The number types that a model can be run in."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LoadedModel:
    """A model with its weights.

    - `name`: what it is called in the report; `source`: the directory or the hub id;
    - `config`: the fields of its configuration; `family`: the `model_type`;
    - `identity`: changes if the configuration or a file of weights does.
    """

    model: Any
    name: str
    source: str
    config: dict[str, Any]
    family: str
    identity: str

    def specs(self, length: int) -> tuple[RopeSpec, ...]:
        """The rotation of each layer, for a prompt of this length."""
        config = self.model.config
        if ROPES[self.family].per_layer:
            # As the library reads it: files leave the layer types and their bases to its defaults.
            return layer_specs(config, length=length)
        spec = RopeSpec.from_config(self.config, length=length)
        return (spec,) * int(config.num_hidden_layers)


def read_config(source: str) -> dict[str, Any]:
    """The configuration of a model, checked before any weight is read.

    `source` is a directory with a `config.json`, or a hub id where the machine has a network.
    Raises `InvalidArgument` if there is none, `Unsupported` for a family that is not measured.
    """
    path = Path(source)
    if path.exists():
        file = path / "config.json"
        if not file.is_file():
            raise InvalidArgument("model", source, "a directory of a model, with a config.json")
        try:
            config: Any = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidArgument("model", str(file), f"a file of valid JSON ({error})") from None
        if not isinstance(config, dict):
            raise InvalidArgument("model", str(file), "a file whose JSON is an object")
    else:
        config = _from_hub(source)
    family = config.get("model_type")
    if family not in FAMILIES:
        raise Unsupported(f"model_type {family!r}: not one of {', '.join(FAMILIES)}")
    return dict(config)


def _from_hub(source: str) -> dict[str, Any]:
    allowed = "a directory of a model, or the id of one on the hub where there is a network"
    if source.count("/") != 1 or source.startswith((".", "/", "~")):
        raise InvalidArgument("model", source, allowed)
    from transformers import PretrainedConfig

    try:
        config, _ = PretrainedConfig.get_config_dict(source)
    except (OSError, ValueError) as error:
        raise InvalidArgument("model", source, f"{allowed} ({_line(error)})") from None
    if not config:
        raise InvalidArgument("model", source, allowed)
    return dict(config)


def load_model(source: str, *, name: str | None = None, type: str = "float32") -> LoadedModel:
    """A model with its weights, on the CPU, in eval.

    Raises `InvalidArgument` if the weights cannot be read, are incomplete or hold numbers that are
    not finite, and what `read_config` raises.
    """
    import torch
    import transformers

    if type not in TYPES:
        raise InvalidArgument("type", type, ", ".join(TYPES))
    config = read_config(source)
    # A soft cap of the logits is applied by the plain implementation only.
    attention = "eager" if config.get("attn_logit_softcapping") else None
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        model, found = transformers.AutoModelForCausalLM.from_pretrained(
            source,
            dtype=getattr(torch, type),
            attn_implementation=attention,
            output_loading_info=True,
            local_files_only=Path(source).exists(),
        )
    except Exception as error:  # each reader of weights has its own kinds of errors
        raise InvalidArgument(
            "model", source, f"weights that can be read ({_line(error)})"
        ) from None
    missing = sorted(found["missing_keys"]) + sorted(str(m) for m in found["mismatched_keys"])
    if missing:
        what = f"{len(missing)} weights are missing or have another shape, {missing[0]} first"
        raise InvalidArgument("model", f"{source}: {what}", "all weights of the configuration")
    for parameter, values in model.named_parameters():
        if not bool(values.isfinite().all()):
            what = f"{source}: {parameter} has numbers that are not finite"
            raise InvalidArgument("model", what, "finite weights")
    return LoadedModel(
        model=model.eval(),
        name=name or Path(source).name or source,
        source=source,
        config=config,
        family=str(config["model_type"]),
        identity=_identity(source, config, type),
    )


def load_tokenizer(source: str) -> Any:
    """The model's tokenizer. Raises `InvalidArgument` if it has none that can be read."""
    import transformers

    try:
        return transformers.AutoTokenizer.from_pretrained(
            source, local_files_only=Path(source).exists()
        )
    except Exception as error:  # as above
        allowed = (
            f"a model with a tokenizer; --tokens and --random-tokens need none ({_line(error)})"
        )
        raise InvalidArgument("model", source, allowed) from None


def _identity(source: str, config: dict[str, Any], type: str) -> str:
    digest = hashlib.sha256(json.dumps([config, type], sort_keys=True).encode())
    path = Path(source)
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix in (".safetensors", ".bin", ".json"):
                status = file.stat()
                digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _line(error: BaseException) -> str:
    """The first line of an error's message."""
    text = str(error).strip()
    return (text.splitlines()[0] if text else error.__class__.__name__)[:200]
