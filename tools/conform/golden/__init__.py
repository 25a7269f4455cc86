"""Golden vectors: exact rotations rounded correctly to a number type, for code in any language.

`golden` makes them, `as_json` and `safetensors_bytes` say how they are kept; `SCHEMA` is the path
of the JSON schema.
"""

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
