"""A model and its tokenizer from a GGUF file that is read once: header, weights, tables of the tokenizer.

transformers reads the file anew for the configuration, for the weights and for the tokenizer, and makes
its table of names once for each module of the model. Here the header is that of
`ropeproof.theory.rotary.config.gguf`, each tensor is dequantised once by the package `gguf`, names are
mapped once, and the library builds the model from its configuration and the finished weights. What the
library does to a tensor besides, such as undoing llama.cpp's permutation, is done by the library's own
code, and so every weight is the same number, bit by bit, as the library reads.

A file that asks for more than that gives None, and the caller reads it with the library alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ropeproof.theory.rotary.config.gguf import GgufHeader

if TYPE_CHECKING:
    import torch

__all__ = ["gguf_tokenizer", "load_gguf", "read_gguf_config", "read_gguf_weights"]

Progress = Callable[[str, int, int], None]

_WORKERS = 2
"""Tensors that are dequantised at once; NumPy holds no lock meanwhile."""

_TOKENIZER_FILES = ("tokenizer_config.json", "tokenizer.json", "config.json")
"""Files beside a GGUF file that the library lets decide about the tokenizer."""


def read_gguf_config(header: GgufHeader) -> Any:
    """The transformers configuration that the library reads from a GGUF file, from its header alone.

    Returns None where that needs more than renaming the keys by the library's own table. The rotation is
    that of the library; `ropeproof.numerics.models.gguf_weights.gguf_config` puts in that of the file.
    """
    try:
        from transformers import CONFIG_MAPPING
        from transformers.integrations import GGUF_CONFIG_MAPPING
    except ImportError:  # another version of the library
        return None
    values = header.values
    architecture = values["general.architecture"]
    name = values.get("general.name")
    if architecture not in CONFIG_MAPPING or architecture not in GGUF_CONFIG_MAPPING:
        return None
    if name == "mistral":  # which makes the library take a llama file for a mistral
        return None
    found: dict[str, Any] = _of_tensors(architecture, header.tensors)
    for key, value in values.items():
        prefix, _, rest = key.partition(".")
        renamed = GGUF_CONFIG_MAPPING.get(prefix, {}).get(rest)
        if renamed in (None, -1):
            continue
        if value is None:
            return None
        found[renamed] = value[0] if isinstance(value, list) and len(value) == 1 else value
    if "vocab_size" not in found:
        words = header.counts.get("tokenizer.ggml.tokens")
        if words is None:
            return None
        found["vocab_size"] = words
    return CONFIG_MAPPING[found.pop("model_type")](**found)


def _of_tensors(architecture: str, tensors: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a configuration that follow from which tensors a file has."""
    found: dict[str, Any] = {}
    if architecture == "stablelm":
        biases = tuple(f"attn_{part}.bias" for part in "qkv")
        found["use_qkv_bias"] = any(bias in name for name in tensors for bias in biases)
        found["use_parallel_residual"] = not any("ffn_norm" in name for name in tensors)
    return found | {"tie_word_embeddings": "output.weight" not in tensors}


def load_gguf(
    path: Path,
    header: GgufHeader,
    config: Any,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Any:
    """The model of a GGUF file and the library's facts about its loading, without random initial weights.

    `config` is the transformers configuration of the file; `options` are those of `from_pretrained`, with
    `dtype`, a number type of PyTorch, among them. Returns None as `read_gguf_weights` does.
    """
    weights = read_gguf_weights(path, header, config, options["dtype"], progress=progress)
    if weights is None:
        return None
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING

    kind = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    return kind.from_pretrained(
        None, config=config, state_dict=weights, output_loading_info=True, **options
    )


def read_gguf_weights(
    path: Path,
    header: GgufHeader,
    config: Any,
    dtype: torch.dtype,
    *,
    progress: Progress | None = None,
) -> dict[str, torch.Tensor] | None:
    """The weights of a GGUF file by their names in transformers, in the number type `dtype`.

    `config` is the transformers configuration of the file; `progress` is called with what is being done, how
    many tensors are done, and of how many. Returns None if the names of tensors are
    mapped in a way that is not known here: if a weight of the model is in no tensor of the file, or if the
    library changes more than one tensor at a time.
    """
    import torch

    try:
        from gguf import MODEL_ARCH_NAMES, get_tensor_name_map
        from transformers import MODEL_FOR_CAUSAL_LM_MAPPING
        from transformers.modeling_gguf_pytorch_utils import TENSOR_PROCESSORS, TensorProcessor
    except ImportError:  # another version of the library
        return None
    architecture = header.values["general.architecture"]
    kinds = {name: kind for kind, name in MODEL_ARCH_NAMES.items()}
    if architecture not in kinds:
        return None
    names = get_tensor_name_map(kinds[architecture], int(config.num_hidden_layers))
    maker = TENSOR_PROCESSORS.get(architecture, TensorProcessor)
    if maker.perform_fallback_tensor_mapping is not TensorProcessor.perform_fallback_tensor_mapping:
        return None
    with torch.device("meta"):
        model = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)](config)
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    wanted: dict[str, str] = {}
    for name in model.state_dict():
        stem, dot, suffix = name.rpartition(".")
        found = names.get_name(stem) if suffix in ("weight", "bias") else names.get_name(name)
        tensor = None if found is None else found + dot + suffix
        if tensor in header.tensors:
            wanted[str(tensor)] = name
        elif name not in tied:
            return None
    processor = maker(config=config.to_dict())
    data = _mapped(path)

    def read(tensor: str) -> torch.Tensor | None:
        result = processor.process(
            weights=_dequantised(data, *header.tensors[tensor]),
            name=tensor,
            tensor_key_mapping=wanted,
            parsed_parameters={"tensors": {}},
        )
        if result.name != tensor:
            return None
        return torch.from_numpy(_own(result.weights)).to(dtype)

    weights: dict[str, torch.Tensor] = {}
    with ThreadPoolExecutor(_WORKERS) as pool:
        for name, weight in zip(wanted.values(), pool.map(read, wanted), strict=True):
            if progress is not None:
                progress("reading weights", len(weights), len(wanted))
            if weight is None:
                return None
            weights[name] = weight
    return weights


def _mapped(path: Path) -> Any:
    import numpy as np

    return np.memmap(path, dtype=np.uint8, mode="r")


def _dequantised(data: Any, kind: int, shape: tuple[int, ...], start: int) -> Any:
    """The numbers of one tensor of a mapped file, in float32, the last axis adjacent in memory."""
    import numpy as np
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize

    one = GGMLQuantizationType(kind)
    block, size = GGML_QUANT_SIZES[one]
    outer = tuple(reversed(shape))
    row = outer[-1] // block * size
    count = row * int(np.prod(outer[:-1], dtype=np.int64))
    stored = data[start : start + count].reshape(*outer[:-1], row)
    plain = {"F32": np.float32, "F16": np.float16}.get(one.name)
    return dequantize(stored if plain is None else stored.view(plain), one)


def _own(weights: Any) -> Any:
    """An array with memory of its own, not of the mapped file, that PyTorch may write to."""
    import numpy as np

    mine = weights.flags.c_contiguous and weights.flags.writeable and weights.base is None
    return weights if mine else np.array(weights, order="C")


def gguf_tokenizer(path: Path, config: Any) -> Any:
    """The tokenizer of a GGUF file, from its tables alone; None where files beside it may decide.

    `config` is the transformers configuration of the file. The class of the tokenizer is the one that the
    library has for it.
    """
    if any((path.parent / name).exists() for name in _TOKENIZER_FILES):
        return None
    try:
        from transformers import TOKENIZER_MAPPING, PreTrainedTokenizerFast
    except ImportError:  # another version of the library
        return None
    kind = TOKENIZER_MAPPING.get(type(config), PreTrainedTokenizerFast)
    if isinstance(kind, tuple):  # of a slow and a fast class, in other versions
        kind = kind[-1] or PreTrainedTokenizerFast
    if getattr(kind, "__module__", "").endswith("mistral_common"):
        return None
    return kind.from_pretrained(str(path.parent), gguf_file=path.name, local_files_only=True)
