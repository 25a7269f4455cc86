"""Golden vectors as JSON and as safetensors."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

import ropeproof
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.extras import line_of
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.golden.make import Golden, RoundedValues

__all__ = ["SCHEMA", "as_json", "json_text", "safetensors_bytes"]

SCHEMA = Path(__file__).with_name("golden.schema.json")
"""The JSON schema of what `as_json` gives."""

_PARTS = {"cos": "cosines", "sin": "sines", "rotated": "rotated"}


def as_json(vectors: Golden, *, name: str) -> dict[str, Any]:
    """Golden vectors as plain data for JSON, schema 1, described in `docs/golden.md`.

    Arrays are flat, row by row, beside their shape. Every number is a double with its shortest
    decimal form, which reads back as that double; narrower types are doubles, too.
    """
    return {**_header(vectors, name), **_arrays(vectors)}


def _header(vectors: Golden, name: str) -> dict[str, Any]:
    spec = vectors.spec
    return {
        "format": "ropeproof-golden",
        "schema": 1,
        "ropeproof": ropeproof.__version__,
        "name": name,
        "rope": {
            "head_dim": spec.head_dim,
            "rotary_dim": spec.rotary_dim,
            "rotary_start": spec.rotary_start,
            "layout": spec.layout,
            "base": float(spec.base),
            "length": spec.length,
            "scaling": _scaling(spec),
            "attention_factor": attention_factor_float64(spec),
            "frequencies": frequencies_float64(spec).tolist(),
            "plane_coordinates": [list(pair) for pair in spec.plane_coordinates()],
            **_axes(spec),
        },
        "heads": int(vectors.inputs.shape[0]),
        "seed": vectors.seed,
        "angles": vectors.angles,
        "precision": vectors.precision,
    }


def _axes(spec: RopeSpec) -> dict[str, Any]:
    """Which coordinate of a position turns which plane; nothing where a position is one number."""
    if spec.axes is None:
        return {}
    names, planes = list(spec.axes.names), list(spec.axes.planes)
    exponents = [float(e) for e in spec.axes.exponents]
    return {"axes": {"names": names, "planes": planes, "exponents": exponents}}


def _scaling(spec: RopeSpec) -> dict[str, Any] | None:
    """The scaling's own fields; numbers as the nearest doubles."""
    if spec.scaling is None:
        return None
    fields = dataclasses.asdict(spec.scaling)
    kind = type(spec.scaling).__name__.lower()
    return {"kind": kind, **{key: _plain(value) for key, value in fields.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, sympy.Rational):
        return int(value) if value.is_Integer else float(value)
    return [_plain(v) for v in value] if isinstance(value, tuple | list) else value


def _arrays(vectors: Golden) -> dict[str, Any]:
    types: dict[str, Any] = {}
    for kind in vectors.types:
        types[kind.dtype] = {
            **{name: _rounded(getattr(kind, part)) for name, part in _PARTS.items()},
            "allowed": _flat(kind.allowed),
        }
    return {
        "positions": _flat(vectors.positions),
        "inputs": _flat(vectors.inputs),
        "types": types,
    }


def _flat(array: NDArray[Any]) -> dict[str, Any]:
    return {"shape": list(array.shape), "values": array.reshape(-1).tolist()}


def _rounded(array: RoundedValues) -> dict[str, Any]:
    return {**_flat(array.values), "error": array.error}


def json_text(data: dict[str, Any]) -> str:
    """JSON with one line for each list, in which two files compare well."""
    return _text(data, 0) + "\n"


def _text(data: Any, depth: int) -> str:
    if not isinstance(data, dict):
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    lines = (f"{' ' * (depth + 1)}{json.dumps(k)}: {_text(v, depth + 1)}" for k, v in data.items())
    return "{\n" + ",\n".join(lines) + f"\n{' ' * depth}}}"


def safetensors_bytes(vectors: Golden, *, name: str) -> bytes:
    """Golden vectors as safetensors: tensors of each type, the rest as JSON in the metadata `golden`.

    Tensors: `positions` (int64), `inputs` (float32), and for each type `TYPE.cos`, `TYPE.sin`,
    `TYPE.rotated` in that type and `TYPE.allowed` in float64; the bounds of the errors are in
    `golden` as `errors`. Raises `Unsupported` without the package safetensors.
    """
    try:
        from safetensors.torch import save
    except ImportError:
        raise Unsupported(f"safetensors is not installed: {line_of('models')}") from None
    import torch

    tensors = {
        "positions": torch.from_numpy(vectors.positions.copy()),
        "inputs": torch.from_numpy(vectors.inputs.copy()).float(),
    }
    errors: dict[str, dict[str, float]] = {}
    for kind in vectors.types:
        dtype = getattr(torch, kind.dtype)
        for key, part in _PARTS.items():
            rounded: RoundedValues = getattr(kind, part)
            # Every value is one of the type: nothing is rounded again.
            tensors[f"{kind.dtype}.{key}"] = torch.from_numpy(rounded.values.copy()).to(dtype)
            errors.setdefault(kind.dtype, {})[key] = rounded.error
        tensors[f"{kind.dtype}.allowed"] = torch.from_numpy(np.array(kind.allowed))
    header = {**_header(vectors, name), "errors": errors}
    return bytes(save(tensors, metadata={"golden": json.dumps(header)}))
