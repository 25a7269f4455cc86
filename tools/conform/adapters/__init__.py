"""Adapters for the rotary embeddings of other libraries, each made for a spec and ready for `check`.

Each returns an `Adapter`, whose `check()` gives the report. A library is imported when its adapter is
called; `Unsupported` says how to install one that is missing, and names a scaling that it does not have.
"""

from ropeproof.tools.conform.adapters.adapter import Adapter
from ropeproof.tools.conform.adapters.ggml import ggml
from ropeproof.tools.conform.adapters.graphs import onnx, onnx_file
from ropeproof.tools.conform.adapters.libraries import (
    equinox,
    keras_hub,
    litgpt,
    mlx_lm,
    rotary_embedding_torch,
    timm,
    torchtune,
    transformers,
    x_transformers,
)

__all__ = [
    "Adapter",
    "equinox",
    "ggml",
    "keras_hub",
    "litgpt",
    "mlx_lm",
    "onnx",
    "onnx_file",
    "rotary_embedding_torch",
    "timm",
    "torchtune",
    "transformers",
    "x_transformers",
]
