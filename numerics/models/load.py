"""Loading a model from disk, a package or the hub, after refusing those that cannot be measured.

The configuration, the names and the number types of the weights are read and judged before a weight
is, and before PyTorch and transformers are imported.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ropeproof.numerics.models.families import FAMILIES
from ropeproof.numerics.models.gguf_weights import (
    check_gguf,
    gguf_config,
    gguf_weights,
    is_gguf_file,
    tokenizer_of_gguf,
)
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.families import FAMILIES as ROPES
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "TYPES",
    "LoadedModel",
    "identity_of",
    "load_model",
    "load_tokenizer",
    "name_of",
    "opened",
    "read_config",
    "vocabulary_of",
]

TYPES = ("float32", "float64", "bfloat16", "float16")
"""The number types that a model can be run in."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LoadedModel:
    """A loaded model with its name, source, configuration and identity.

    - `model`: the transformers model with its weights;
    - `name`: what it is called in the report; `source`: the directory, the GGUF file or the hub id;
    - `config`: the fields of its configuration; `family`: the `model_type`;
    - `identity`: changes if the configuration, a file of weights or the number type does.
    """

    model: Any
    name: str
    source: str
    config: dict[str, Any]
    family: str
    identity: str

    def specs(self, length: int) -> tuple[RopeSpec, ...]:
        """The rotation of each layer, for prompts of the given length."""
        config = self.model.config
        if ROPES[self.family].per_layer:
            # As the library reads it: files leave the layer types and their bases to its defaults.
            return layer_specs(config, length=length)
        spec = RopeSpec.from_config(self.config, length=length)
        return (spec,) * int(config.num_hidden_layers)


def opened(model: Any) -> Any:
    """A transformers model as it is, or the one at a path (a directory or a GGUF file), loaded.

    Raises the errors of `load_model`.
    """
    return load_model(str(model)).model if isinstance(model, str | PathLike) else model


def read_config(source: str) -> dict[str, Any]:
    """The configuration of a model, checked before any weight is read.

    `source` is a directory with a `config.json`, a GGUF file, or a hub id where the machine has a
    network. Raises `InvalidArgument` if there is none, `Unsupported` for a family that is not
    measured, and for a GGUF file whose weights cannot be read: its architecture, its quantisation,
    or the package that is missing, by name.
    """
    path = Path(source)
    if is_gguf_file(path):
        config: Any = check_gguf(path)
    elif path.exists():
        file = path / "config.json"
        if not file.is_file():
            allowed = "a directory of a model, with a config.json, or a .gguf file"
            raise InvalidArgument("model", source, allowed)
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
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
    allowed = (
        "a directory of a model, a .gguf file, or the id of a model on the hub where there is a "
        "network"
    )
    if source.count("/") != 1 or source.startswith((".", "/", "~")) or source.endswith(".gguf"):
        raise InvalidArgument("model", source, allowed)
    from transformers import PretrainedConfig

    try:
        config, _ = PretrainedConfig.get_config_dict(source)
    except (OSError, ValueError) as error:
        raise InvalidArgument("model", source, f"{allowed} ({_line(error)})") from None
    if not config:
        raise InvalidArgument("model", source, allowed)
    return dict(config)


def load_model(
    source: str,
    *,
    name: str | None = None,
    type: str = "float32",
    progress: Callable[[str, int, int], None] | None = None,
) -> LoadedModel:
    """A model loaded with its weights, on the CPU, in eval mode.

    `name` is by default `name_of(source)`; `type` is one of `TYPES`. The weights of a GGUF file are
    dequantised, and llama.cpp's permutation of the rows of queries and keys is undone. `progress` is
    called with what is being done and, where they are counted, how many tensors are done, of how many.

    Raises `InvalidArgument` if the weights cannot be read, are incomplete or hold numbers that are
    not finite, for another `type`, and the errors of `read_config`.
    """
    if type not in TYPES:
        raise InvalidArgument("type", type, ", ".join(TYPES))
    config = read_config(source)
    import torch
    import transformers

    # A soft cap of the logits is applied by the plain implementation only.
    attention = "eager" if config.get("attn_logit_softcapping") else None
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    path = Path(source)
    options: dict[str, Any] = {"dtype": getattr(torch, type), "attn_implementation": attention}
    try:
        if is_gguf_file(path):
            read = gguf_config(path, config)
            # What the metadata of such a file leaves to the library's defaults stands in it.
            if getattr(read, "attn_logit_softcapping", None):
                options["attn_implementation"] = "eager"
            with _quiet():
                model, found = gguf_weights(path, read, progress=progress, **options)
        else:
            model, found = transformers.AutoModelForCausalLM.from_pretrained(
                source, output_loading_info=True, local_files_only=path.exists(), **options
            )
    except Unsupported:
        raise
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
        name=name or name_of(source),
        source=source,
        config=config,
        family=str(config["model_type"]),
        identity=identity_of(source, config, type),
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """A context without the progress bar that transformers always draws for a GGUF file."""
    from transformers import modeling_gguf_pytorch_utils as reader

    before = getattr(reader, "tqdm", None)
    reader.tqdm = lambda each, **_: each
    try:
        yield
    finally:
        reader.tqdm = before


def name_of(source: str) -> str:
    """The name of a model in reports: the last part of its path, without a GGUF file's suffix."""
    path = Path(source)
    return (path.stem if path.suffix == ".gguf" else path.name) or source


def load_tokenizer(source: str) -> Any:
    """The tokenizer of the model at `source`. Raises `InvalidArgument` if none can be read."""
    import transformers

    path, options = Path(source), {}
    transformers.logging.set_verbosity_error()
    try:
        if is_gguf_file(path):
            found = tokenizer_of_gguf(path)
            if found is not None:
                return found
            source, options = str(path.parent), {"gguf_file": path.name}
        return transformers.AutoTokenizer.from_pretrained(
            source, local_files_only=path.exists(), **options
        )
    except Exception as error:  # as above
        allowed = (
            f"a model with a tokenizer; --tokens and --random-tokens need none ({_line(error)})"
        )
        raise InvalidArgument("model", str(path), allowed) from None


def vocabulary_of(config: Mapping[str, Any]) -> int | None:
    """The number of token ids of a model by its configuration; None if that does not state it."""
    found = config.get("vocab_size")
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def identity_of(source: str, config: Mapping[str, Any], type: str) -> str:
    """A hash that changes if the configuration, a file of weights or the number type does."""
    digest = hashlib.sha256(json.dumps([config, type], sort_keys=True).encode())
    path = Path(source)
    if path.exists():
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            if file.suffix in (".safetensors", ".bin", ".json", ".gguf"):
                status = file.stat()
                digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _line(error: BaseException) -> str:
    """The first line of an error's message, at most 200 characters."""
    text = str(error).strip()
    return (text.splitlines()[0] if text else error.__class__.__name__)[:200]
