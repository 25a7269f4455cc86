"""Reads the first layer of a model on disk: a GGUF file tensor by tensor, all else through transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ropeproof.numerics.models.gguf_weights import is_gguf_file
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.config.gguf import gguf_fields
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.certificate.families import first_layer_of
from ropeproof.tools.certificate.first_layer import FirstLayer, steady

__all__ = ["read_first_layer"]


def read_first_layer(path: str) -> FirstLayer:
    """The first layer of a model on disk.

    Of a GGUF file of architecture `llama` four tensors alone are read. Other files and directories are
    opened by transformers, and `first_layer_of` in `ropeproof.tools.certificate.families` says which
    families it reads. Raises `Unsupported`, by name, for what is not certified or a package that is missing,
    `InvalidArgument` for a file that cannot be read.
    """
    file = Path(path)
    if not is_gguf_file(file):
        if not (file / "config.json").is_file():
            raise InvalidArgument("model", path, "a .gguf file or a directory with a config.json")
        return _through_transformers(path)
    try:
        from gguf import GGUFReader, dequantize
    except ModuleNotFoundError:
        raise Unsupported(
            "a certificate of a GGUF file needs gguf: pip install 'ropeproof[gguf]'"
        ) from None
    config = gguf_fields(file)
    if config["model_type"] != "llama":
        return _through_transformers(path)
    try:
        reader = GGUFReader(str(file))
    except (ValueError, OSError, IndexError) as error:
        raise InvalidArgument("model", path, f"a GGUF file that can be read ({error})") from None
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    prefix = "blk.0.attn_"
    more = [
        n
        for n in tensors
        if n.startswith(prefix) and n.endswith(("q.bias", "k.bias", "q_norm.weight"))
    ]
    if more:
        raise Unsupported(f"{file.name}: {more[0]} in the first layer, which is not certified")
    found: list[Any] = []
    for name in (
        "token_embd.weight",
        f"{prefix}norm.weight",
        f"{prefix}q.weight",
        f"{prefix}k.weight",
    ):
        if name not in tensors:
            raise InvalidArgument("model", f"{path} without {name}", "a file with weights")
        values = dequantize(tensors[name].data, tensors[name].tensor_type).astype(np.float32)
        if not np.isfinite(values).all():
            raise InvalidArgument("model", f"{path}: {name}", "finite weights")
        found.append(values)
    embedding, norm, query, key = found

    def number(name: str) -> Any:
        field = reader.get_field(f"llama.{name}")
        if field is None:
            raise InvalidArgument("model", f"{path} without llama.{name}", "a file with that key")
        return field.contents()

    heads = int(number("attention.head_count"))
    shared = reader.get_field("llama.attention.head_count_kv")
    keys = heads if shared is None else int(shared.contents())
    spec = steady(RopeSpec.from_config(config))
    width = embedding.shape[1]
    # llama.cpp stores the two rows of a plane side by side.
    shape = (spec.planes, 2, width)
    if (
        query.shape[0] != heads * spec.head_dim
        or key.shape[0] != keys * spec.head_dim
        or heads % keys
    ):
        raise InvalidArgument("model", f"{path}: {query.shape}, {key.shape}", "whole heads")
    if spec.rotary_dim != spec.head_dim:
        raise Unsupported(f"{file.name}: {spec}: only heads whose planes are all rotated")
    return FirstLayer(
        embedding=embedding,
        norm=norm,
        eps=float(number("attention.layer_norm_rms_epsilon")),
        query=query.reshape(heads, *shape),
        key=key.reshape(keys, *shape),
        spec=spec,
        scale=spec.head_dim**-0.5,
        name=file.name,
    )


def _through_transformers(path: str) -> FirstLayer:
    from ropeproof.numerics.models.load import load_model

    return first_layer_of(load_model(path).model, name=Path(path).name)
