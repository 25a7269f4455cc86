"""The configuration that the metadata of a GGUF file states, under the names that transformers uses.

Only the header is read: keys, values and the list of tensors, and of the tensors the factors of the
frequencies alone, which are the only place where such a file keeps Llama 3's scaling. The spec is that
of the model in transformers' order of coordinates: llama.cpp permutes the rows of queries and keys
of some families, and transformers puts them back when it reads the weights.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.families import FAMILIES

__all__ = ["ARCHITECTURES", "GgufHeader", "gguf_factors", "gguf_fields", "gguf_header", "is_gguf"]

ARCHITECTURES: Mapping[str, str] = {
    "command-r": "cohere",
    "falcon": "falcon",
    "gemma": "gemma",
    "gemma2": "gemma2",
    "gptj": "gptj",
    "gptneox": "gpt_neox",
    "granite": "granite",
    "llama": "llama",
    "olmo": "olmo",
    "olmo2": "olmo2",
    "phi2": "phi",
    "phi3": "phi3",
    "qwen2": "qwen2",
    "qwen2moe": "qwen2_moe",
    "qwen3": "qwen3",
    "qwen3moe": "qwen3_moe",
    "stablelm": "stablelm",
    "starcoder2": "starcoder2",
}
"""`general.architecture` of a file, and the `model_type` of the same family in transformers."""

_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9
_MOST_KEYS, _MOST_SHOWN = 1 << 16, 1 << 12
_FACTORS = ("rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight")


@dataclass(frozen=True, eq=False, kw_only=True)
class GgufHeader:
    """What the header of a GGUF file states, read in one pass.

    - `fields`: the fields of the configuration, as `gguf_fields` gives them;
    - `values`: every key with its value, None for arrays of strings and for long arrays;
    - `counts`: the number of entries of every array, by key;
    - `tensors`: type of the numbers (`ggml_type`), shape and first byte in the file, by name. Axes are in
      the file's order, the one whose entries are adjacent in memory first.
    """

    fields: dict[str, Any]
    values: dict[str, Any]
    counts: dict[str, int]
    tensors: dict[str, tuple[int, tuple[int, ...], int]]


def is_gguf(source: object) -> bool:
    """Whether `source` is the path of a GGUF file, judged by the suffix of its name."""
    return isinstance(source, str | PathLike) and Path(source).suffix.lower() == ".gguf"


def gguf_fields(path: Path) -> dict[str, Any]:
    """The fields of the configuration in a GGUF file, in the form that `spec_fields` reads.

    Raises `InvalidArgument` if the file cannot be read, is not GGUF, ends early or misses a key,
    `Unsupported`, by name, for an architecture, a scaling or a key that is not handled.
    """
    fields: dict[str, Any] = _open(path, _read)
    return fields


def gguf_header(path: Path) -> GgufHeader:
    """The header of a GGUF file whose architecture is known.

    Raises `InvalidArgument` and `Unsupported` as `gguf_fields`.
    """

    def read(header: _Header) -> GgufHeader:
        places = {
            name: (kind, shape, header.start + offset)
            for name, (kind, shape, offset) in header.tensors.items()
        }
        return GgufHeader(
            fields=_read(header), values=header.values, counts=header.counts, tensors=places
        )

    found: GgufHeader = _open(path, read)
    return found


def gguf_factors(path: Path) -> dict[str, list[float]]:
    """The factors of the frequencies in a GGUF file, one for each rotated plane, by name of the tensor.

    The tensors are `rope_freqs.weight`, `rope_factors_short.weight` and `rope_factors_long.weight`. Raises
    `InvalidArgument` and `Unsupported` as `gguf_fields`.
    """
    found: dict[str, list[float]] = _open(
        path,
        lambda header: {
            name: values for name in _FACTORS if (values := header.factors(name)) is not None
        },
    )
    return found


def _open(path: Path, read: Callable[[_Header], Any]) -> Any:
    try:
        # Mapped, not read: behind the header are the weights.
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return read(_Header(data, str(path)))
    except ValueError as error:  # mmap of an empty file
        if isinstance(error, InvalidArgument | Unsupported):
            raise
        raise InvalidArgument("config", str(path), "a whole GGUF file") from None
    except OSError as error:
        allowed = f"a file that can be read ({error.strerror})"
        raise InvalidArgument("config", str(path), allowed) from None


def _read(header: _Header) -> dict[str, Any]:
    architecture = header.values.get("general.architecture")
    if not isinstance(architecture, str) or architecture not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise Unsupported(f"GGUF architecture {architecture!r}: not one of {known}")
    return _fields(header, str(architecture))


class _Header:
    """The header of a GGUF file: keys and values, and the type, shape and offset of each tensor.

    The value of an array with more than some thousand entries, or of strings, is None.
    """

    def __init__(self, data: mmap.mmap, name: str) -> None:
        self.data, self.name, self.at = data, name, 0
        if data[:4] != b"GGUF":
            raise InvalidArgument("config", name, "a GGUF file, which begins with GGUF")
        self.at = 4
        version = self._number(4)
        if version not in (2, 3):
            raise Unsupported(f"GGUF version {version}: not 2 or 3, little-endian")
        tensors, keys = self._count(10), self._count(10)
        self.values: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        for _ in range(keys):
            key = self._string()
            if key in self.values:
                raise InvalidArgument("config", f"{name} with {key} twice", "each key once")
            self.values[key] = self._value(key, self._number(4))
        self.tensors: dict[str, tuple[int, tuple[int, ...], int]] = {}
        for _ in range(tensors):
            tensor = self._string()
            if tensor in self.tensors:
                raise InvalidArgument("config", f"{name} with {tensor} twice", "each tensor once")
            axes = self._number(4)
            if axes > 4:
                raise self._broken(f"a tensor of {axes} axes")
            shape = tuple(self._number(10) for _ in range(axes))
            kind, offset = self._number(4), self._number(10)
            self.tensors[tensor] = (kind, shape, offset)
        step = self.values.get("general.alignment", 32)
        if type(step) is not int or step < 1:
            raise self._broken(f"general.alignment {step!r}")
        self.start = -(-self.at // step) * step

    def factors(self, tensor: str) -> list[float] | None:
        """The entries of a one-dimensional float32 tensor, None if there is no tensor of that name."""
        if tensor not in self.tensors:
            return None
        kind, shape, offset = self.tensors[tensor]
        if kind != 0 or len(shape) != 1:
            raise Unsupported(
                f"{tensor} of type {kind} and shape {shape}: not a row of float32 numbers"
            )
        start, size = self.start + offset, 4 * shape[0]
        part = self.data[start : start + size]
        if len(part) != size:
            raise self._broken(f"{tensor} behind its end")
        values = list(struct.unpack(f"<{shape[0]}f", part))
        if not all(math.isfinite(value) and value > 0 for value in values):
            raise InvalidArgument("config", f"{self.name}: {tensor}", "finite factors > 0")
        return values

    def _broken(self, what: str) -> InvalidArgument:
        return InvalidArgument("config", f"{self.name}: {what}", "a whole GGUF file")

    def _take(self, size: int) -> bytes:
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise self._broken("it ends inside its header")
        self.at += size
        return part

    def _number(self, kind: int) -> Any:
        form = f"<{_NUMBERS[kind]}"
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _count(self, kind: int) -> int:
        found = int(self._number(kind))
        if found > _MOST_KEYS:
            raise self._broken(f"{found} entries in its header")
        return found

    def _string(self) -> str:
        try:
            return self._take(int(self._number(10))).decode("utf-8")
        except UnicodeDecodeError:
            raise self._broken("a string that is not UTF-8") from None

    def _value(self, key: str, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind in _NUMBERS:
            return self._number(kind)
        if kind != _ARRAY:
            raise self._broken(f"a value of type {kind}")
        inner, count = self._number(4), self._number(10)
        self.counts[key] = count
        if inner in _NUMBERS:
            form = _NUMBERS[inner]
            part = self._take(count * struct.calcsize(f"<{form}"))
            return None if count > _MOST_SHOWN else list(struct.unpack(f"<{count}{form}", part))
        if inner != _STRING:
            raise self._broken(f"an array of type {inner}")
        # A vocabulary of a hundred thousand strings is walked over, in the plainest of loops. Each string
        # takes eight bytes or more, so a false count ends soon.
        size, at, end = struct.Struct("<Q").unpack_from, self.at, len(self.data) - 8
        for _ in range(count):
            if at > end:
                raise self._broken("it ends inside its header")
            at += 8 + size(self.data, at)[0]
        if at > len(self.data):
            raise self._broken("it ends inside its header")
        self.at = at
        return None


def _fields(header: _Header, architecture: str) -> dict[str, Any]:
    values, family = header.values, FAMILIES[ARCHITECTURES[architecture]]

    def get(key: str) -> Any:
        return values.get(f"{architecture}.{key}")

    def need(key: str, most: int = 1 << 24) -> int:
        found = get(key)
        if type(found) is not int or not 1 <= found <= most:
            raise InvalidArgument(f"{architecture}.{key}", found, f"an integer from 1 to {most}")
        return found

    width, heads, context = (
        need("embedding_length"),
        need("attention.head_count"),
        need("context_length", 1 << 40),
    )
    keys = get("attention.head_count_kv")
    if isinstance(keys, list):
        raise Unsupported(f"{architecture}.attention.head_count_kv that differs between layers")
    if get("attention.key_length") is None and width % heads:
        raise InvalidArgument(
            f"{architecture}.attention.head_count", heads, f"a divisor of {width}"
        )
    head_dim = (
        width // heads if get("attention.key_length") is None else need("attention.key_length")
    )
    rotary = head_dim if get("rope.dimension_count") is None else need("rope.dimension_count")
    for key in ("rope.dimension_sections", "rope.freq_base_swa"):
        if get(key) is not None:
            raise Unsupported(f"{architecture}.{key}")
    fields: dict[str, Any] = {
        "model_type": ARCHITECTURES[architecture],
        family.width: width,
        family.heads: heads,
        "num_hidden_layers": need("block_count", 1 << 16),
        "num_key_value_heads": heads if keys is None else need("attention.head_count_kv"),
        family.context: context,
    }
    if family.head_field not in fields and family.width != "n_embd":
        fields[family.head_field] = head_dim
    base = get("rope.freq_base")
    if base is not None:
        fields[family.base_field] = base
    if get("attention.sliding_window") is not None:
        fields["sliding_window"] = get("attention.sliding_window")
    if family.dim_field is not None:
        fields[family.dim_field] = rotary
    elif family.fraction_field is not None:
        fields[family.fraction_field] = rotary / head_dim
    elif rotary != head_dim:
        what = f"{architecture}.rope.dimension_count {rotary} in heads of {head_dim}"
        raise Unsupported(f"{what}: this family rotates the whole head")
    scaling = _scaling(header, architecture, get, context, rotary)
    return fields if scaling is None else fields | {"rope_scaling": scaling}


def _scaling(
    header: _Header, architecture: str, get: Any, context: int, rotary: int
) -> dict[str, Any] | None:
    kind, factor = get("rope.scaling.type"), get("rope.scaling.factor")
    original = get("rope.scaling.original_context_length")
    factor = get("rope.scale_linear") if factor is None else factor
    if kind is None and factor not in (None, 0.0, 1.0):
        kind = "linear"
    attention = get("rope.scaling.attn_factor")
    short, long = (header.factors(name) for name in _FACTORS[1:])
    always = header.factors(_FACTORS[0])
    if always is not None and all(value == 1 for value in always):
        always = None
    for name, values in zip(_FACTORS, (always, short, long), strict=True):
        if values is not None and len(values) != rotary // 2:
            raise InvalidArgument(
                name, f"{len(values)} factors", f"one for each of {rotary // 2} planes"
            )
    if (short is None) is not (long is None):
        raise InvalidArgument("config", f"one of {_FACTORS[1]} and {_FACTORS[2]}", "both or none")
    given = short or always
    if given is not None:
        if kind not in (None, "none", "longrope") or (short and always):
            raise Unsupported(
                f"factors of the frequencies with {architecture}.rope.scaling.type {kind!r}"
            )
        if short and original is None:
            raise InvalidArgument(
                f"{architecture}.rope.scaling.original_context_length", None, "an integer"
            )
        # The same divisors at every length, and no attention factor, where there is one list.
        alone = {"attention_factor": 1.0, "factor": 1.0} if always else {}
        said = {} if attention is None else {"attention_factor": attention}
        return (
            {
                "rope_type": "longrope",
                "short_factor": given,
                "long_factor": long or given,
                "original_max_position_embeddings": original or context,
            }
            | alone
            | said
        )
    for key in ("attn_factor", "yarn_attn_factor"):  # llama.cpp multiplies by them in any scaling
        if get(f"rope.scaling.{key}") not in (None, 1.0):
            raise Unsupported(f"{architecture}.rope.scaling.{key} other than 1")
    if kind in (None, "none"):
        return None
    if kind == "linear":
        return {"rope_type": "linear", "factor": factor}
    if kind != "yarn":
        raise Unsupported(
            f"{architecture}.rope.scaling.type {kind!r}: not none, linear, yarn, longrope"
        )
    for key, plain in (("yarn_ext_factor", 1.0), ("yarn_log_multiplier", 0.0)):
        if get(f"rope.scaling.{key}") not in (None, plain):
            raise Unsupported(f"{architecture}.rope.scaling.{key} other than {plain:g}")
    found = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": original}
    for key in ("beta_fast", "beta_slow"):
        if get(f"rope.scaling.yarn_{key}") is not None:
            found[key] = get(f"rope.scaling.yarn_{key}")
    return found
