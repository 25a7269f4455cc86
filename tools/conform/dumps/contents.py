"""Reads the named arrays and texts of a dump: `.npz` of NumPy, or safetensors."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import line_of

__all__ = ["Contents", "read_contents"]

_MOST_BYTES = 1 << 32
_STORED: Mapping[str, Any] = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "<u1",
    "BOOL": "|b1",
}
"""The types of safetensors that NumPy has, by their names there."""


@dataclass(frozen=True)
class Contents:
    """The arrays of a dump by their names, the type in which each was stored, and its texts.

    `arrays` of bfloat16 are float32 with the same values; `stored` then says `bfloat16`.
    """

    path: str
    arrays: Mapping[str, NDArray[Any]]
    stored: Mapping[str, str]
    texts: Mapping[str, str]


def read_contents(path: Path | str) -> Contents:
    """Everything in a dump; nothing in the file is executed.

    Raises `InvalidArgument` if there is no such file, if it is neither `.npz` nor safetensors, is
    damaged, or says that it holds more than 4 GiB; `Unsupported` for a type that is none of NumPy's
    and not bfloat16.
    """
    path = Path(path)
    try:
        size = path.stat().st_size if path.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        size = None
    if size is None:
        raise InvalidArgument("dump", str(path), "a file that exists")
    if size > _MOST_BYTES:
        raise InvalidArgument("dump", str(path), f"a file of at most {_MOST_BYTES} bytes")
    try:
        with path.open("rb") as file:
            begins = file.read(4)
        found = _npz(path) if begins[:2] == b"PK" else _safetensors(path)
    except OSError as error:
        raise InvalidArgument("dump", str(path), f"a file that can be read ({error})") from None
    if not found.arrays:
        raise InvalidArgument("dump", str(path), "a file with arrays in it")
    return found


def _npz(path: Path) -> Contents:
    arrays: dict[str, NDArray[Any]] = {}
    stored: dict[str, str] = {}
    texts: dict[str, str] = {}
    try:
        with zipfile.ZipFile(path) as packed:
            whole = sum(info.file_size for info in packed.infolist())
        if whole > _MOST_BYTES:
            raise InvalidArgument("dump", str(path), f"arrays of at most {_MOST_BYTES} bytes")
        with np.load(path, allow_pickle=False) as file:
            for name in file.files:
                array = np.asarray(file[name])
                if array.dtype.kind in "US" and array.ndim == 0:
                    value = array.item()
                    texts[name] = value.decode("utf-8") if isinstance(value, bytes) else value
                else:
                    arrays[name], stored[name] = _of_bits(array)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
        if isinstance(error, InvalidArgument):
            raise
        told = " ".join(str(error).split())[:160]
        allowed = f"a .npz of numbers and texts ({told})"
        raise InvalidArgument("dump", str(path), allowed) from None
    said = texts.get("dtype", "")
    for name, array in arrays.items():
        if array.dtype == np.uint16 and said in ("bfloat16", "float16"):
            bits = array if said == "bfloat16" else array.view(np.float16)
            arrays[name] = _widened(bits) if said == "bfloat16" else bits
            stored[name] = said
    return Contents(str(path), arrays, stored, texts)


def _of_bits(array: NDArray[Any]) -> tuple[NDArray[Any], str]:
    """An array as NumPy has it; two bytes without a meaning are what NumPy writes of bfloat16."""
    if array.dtype.kind == "V" and array.dtype.itemsize == 2 and array.dtype.names is None:
        return _widened(array.view(np.uint16)), "bfloat16"
    return array, array.dtype.name


def _widened(bits: NDArray[Any]) -> NDArray[Any]:
    """The values of bfloat16 numbers, given by their bits, in float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _safetensors(path: Path) -> Contents:
    try:
        from safetensors import SafetensorError, deserialize, safe_open
    except ImportError:
        told = f"a dump in safetensors needs safetensors: {line_of('models')}"
        raise Unsupported(told) from None
    arrays: dict[str, NDArray[Any]] = {}
    stored: dict[str, str] = {}
    try:
        with safe_open(str(path), framework="np") as file:
            texts = dict(file.metadata() or {})
        found = deserialize(path.read_bytes())  # type: ignore[no-untyped-call, unused-ignore]
    except (SafetensorError, ValueError) as error:
        told = " ".join(str(error).split())[:160]
        allowed = f"an .npz or a safetensors file ({told})"
        raise InvalidArgument("dump", str(path), allowed) from None
    for name, tensor in found:
        kind, shape, data = tensor["dtype"], tensor["shape"], tensor["data"]
        if kind == "BF16":
            values = _widened(np.frombuffer(data, "<u2"))
        elif kind in _STORED:
            values = np.frombuffer(data, _STORED[kind])
        else:
            raise Unsupported(f"{path}: {name} is of type {kind}; no numbers are read from that")
        if values.size != math.prod(shape):
            raise InvalidArgument("dump", str(path), f"a whole array {name}")
        arrays[name] = values.reshape(shape)
        stored[name] = "bfloat16" if kind == "BF16" else values.dtype.name
    return Contents(str(path), arrays, stored, texts)
