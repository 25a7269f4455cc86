"""ggml's rule of rotation, as llama.cpp applies it to the metadata of a GGUF file.

A reference written from the definition of `GGML_OP_ROPE`, in float32 as there: the angle of plane `l` is
the position multiplied `l` times by `base**(-2/n)`, divided by a factor of that plane, and blended
for YaRN. Rows of queries and keys of some families are permuted in a file, so that neighbours there are
the halves of a spec: coordinates here are those of the spec.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.scaling import Linear, Llama3, LongRope, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.adapters.adapter import Adapter

__all__ = ["ggml"]


def ggml(spec_or_file: Any) -> Adapter:
    """Adapter of ggml's rule of rotation for a spec or a GGUF file, in NumPy.

    Raises `Unsupported` for a scaling that such a file cannot state, and what reading a file raises.
    """
    spec = spec_or_file
    if not isinstance(spec, RopeSpec):
        spec = RopeSpec.from_config(spec)
    if spec.axes is not None or spec.rotary_start:
        raise Unsupported("ggml's rule here: positions of one coordinate, from the first on")
    single, scaling, width = np.float32, spec.scaling, spec.rotary_dim
    scale, stretch, mscale = single(1), single(0), single(1)
    low = high = single(0)
    base = single(float(spec.base))
    if isinstance(scaling, Linear | Yarn):
        scale = single(1) / single(float(scaling.factor))
    if isinstance(scaling, Yarn):
        if not scaling.truncate:
            raise Unsupported("a GGUF file: it cannot state truncate false")
        if scaling.attention is not None:
            mscale = single(attention_factor_float64(spec))
            mscale /= single(1) + single(0.1) * np.log(single(1) / scale)
        stretch = single(1)

        def edge(turns: Any) -> Any:
            whole = scaling.original_length / (single(float(turns)) * 2 * single(np.pi))
            return width * np.log(single(whole)) / (2 * np.log(base))

        low = max(single(0), np.floor(edge(scaling.beta_fast)))
        high = min(single(width - 1), np.ceil(edge(scaling.beta_slow)))
    elif not (scaling is None or isinstance(scaling, Linear | Llama3 | LongRope)):
        raise Unsupported(f"a GGUF file: it cannot state {type(scaling).__name__} scaling")
    step = base ** single(-2.0 / max(width, 1))
    half = width // 2
    pairs = np.array(spec.plane_coordinates()[:half], dtype=np.int64).reshape(-1, 2)

    def rotate(x: Any, positions: Any) -> Any:
        theta = (positions if positions.ndim == 2 else positions[None]).astype(np.float32)
        factors, size = _factors(spec, int(positions.max(initial=0)) + 1)
        out = x.copy()
        for plane, (re, im) in enumerate(pairs):
            extra = theta / factors[plane]
            angle, m = scale * extra, mscale * size
            if stretch:
                ramp = (single(plane) - low) / max(single(0.001), high - low)
                mix = (1 - min(single(1), max(single(0), ramp))) * stretch
                angle = angle * (1 - mix) + extra * mix
                m *= single(1) + single(0.1) * np.log(single(1) / scale)
            c, s = (np.cos(angle) * m)[:, None], (np.sin(angle) * m)[:, None]
            first, second = x[..., re].astype(np.float32), x[..., im].astype(np.float32)
            out[..., re] = (first * c - second * s).astype(x.dtype)
            out[..., im] = (first * s + second * c).astype(x.dtype)
            theta = theta * step
        return out

    options = {"array": "numpy", "dtypes": ("float32", "float16")}
    return Adapter("ggml", "(reference)", rotate, spec, options)


def _factors(spec: RopeSpec, length: int) -> tuple[Any, Any]:
    """Divisors of the frequencies as the converter writes them, and the factor of the magnitude."""
    half = spec.rotary_planes
    if isinstance(spec.scaling, Llama3):
        plain = frequencies_float64(spec.changed(scaling=None))[:half]
        return (plain / frequencies_float64(spec)[:half]).astype(np.float32), np.float32(1)
    if isinstance(spec.scaling, LongRope):
        long = length > spec.scaling.original_length
        chosen = spec.scaling.long_factor if long else spec.scaling.short_factor
        size = np.float32(attention_factor_float64(spec))
        return np.array([float(f) for f in chosen], dtype=np.float32), size
    return np.ones(half, dtype=np.float32), np.float32(1)
