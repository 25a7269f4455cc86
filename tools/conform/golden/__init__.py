"""Golden vectors: exact rotations rounded correctly to a number type, for code in any language.

`golden` makes them, `as_json` and `safetensors_bytes` say how they are kept; `SCHEMA` is the path
of the JSON schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.conform.golden.make import Golden, RoundedValues, TypeVectors, golden
    from ropeproof.tools.conform.golden.rounding import TYPES
    from ropeproof.tools.conform.golden.write import SCHEMA, as_json, json_text, safetensors_bytes

__all__ = [
    "SCHEMA",
    "TYPES",
    "Golden",
    "RoundedValues",
    "TypeVectors",
    "as_json",
    "golden",
    "json_text",
    "safetensors_bytes",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Golden": "make",
        "RoundedValues": "make",
        "TypeVectors": "make",
        "golden": "make",
        "TYPES": "rounding",
        "SCHEMA": "write",
        "as_json": "write",
        "json_text": "write",
        "safetensors_bytes": "write",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
