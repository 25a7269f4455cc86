"""The adapters of libraries in PyTorch, JAX, MLX and Keras; nothing of theirs is changed."""

from __future__ import annotations

import os
from typing import Any

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.adapters.adapter import (
    Adapter,
    hf_scaling,
    installed,
    need,
    turn_first,
)

__all__ = [
    "equinox",
    "keras_hub",
    "litgpt",
    "mlx_lm",
    "rotary_embedding_torch",
    "timm",
    "torchtune",
    "transformers",
    "x_transformers",
]


def transformers(config: Any) -> Adapter:
    """The rotary module that transformers makes for a configuration: an object of it or a folder."""
    need("transformers", "transformers")
    from ropeproof.tools.conform.subjects.load import family_module, load

    if isinstance(config, str | os.PathLike):
        _, config = load(os.fspath(config))
    return installed("transformers", family_module(config), RopeSpec.from_config(config))


def _own_attention(scaling: Yarn, library: str) -> None:
    """Raise `Unsupported` for a stated attention factor, which the library has no argument for."""
    if scaling.attention is not None:
        raise Unsupported(f"{library}: no attention factor of one's own for YaRN")


def mlx_lm(spec: RopeSpec) -> Adapter:
    """`initialize_rope` of mlx-lm, which takes an offset; on Linux MLX needs `mlx[cpu]`."""
    mx = need("mlx.core", "mlx-lm 'mlx[cpu]'")
    make = need("mlx_lm.models.rope_utils", "mlx-lm 'mlx[cpu]'").initialize_rope
    _plain(spec, "mlx-lm")
    given, most = hf_scaling(spec), spec.length or 4096
    if isinstance(spec.scaling, Dynamic):
        most = spec.scaling.original_length
    traditional = spec.layout == "interleaved"
    rope = make(spec.rotary_dim, float(spec.base), traditional, given, most)

    def rotate(x: Any, positions: Any) -> Any:
        return rope(x, offset=int(positions.reshape(-1)[0].item()))

    types = ("float32", "float16")
    return installed("mlx-lm", rotate, spec, array=mx.array, contiguous=True, dtypes=types)


def keras_hub(spec: RopeSpec) -> Adapter:
    """`RotaryEmbedding` of keras-hub, for Llama 3 `LlamaRotaryEmbedding`, on the backend PyTorch."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    if need("keras", "keras keras-hub").backend.backend() != "torch":
        raise Unsupported("keras on another backend: set KERAS_BACKEND=torch")
    need("keras_hub", "keras-hub")
    import torch

    _plain(spec, "keras-hub", "half")
    scaling, more = spec.scaling, {}
    home = "keras_hub.src.layers.modeling.rotary_embedding"
    name = "RotaryEmbedding"
    if isinstance(scaling, Linear | Dynamic | Yarn):
        more = {"rope_type": type(scaling).__name__.lower(), "scaling_factor": scaling.factor}
    if isinstance(scaling, Yarn):
        _own_attention(scaling, "keras-hub")
        more |= {"beta_fast": float(scaling.beta_fast), "beta_slow": float(scaling.beta_slow)}
        more |= {"truncate": scaling.truncate}
        more |= {"original_max_position_embeddings": scaling.original_length}
    elif isinstance(scaling, Llama3):
        home, name = "keras_hub.src.models.llama.llama_rotary_embedding", "LlamaRotaryEmbedding"
        more = {
            "frequency_adjustment_factor": float(scaling.factor),
            "low_freq_factor": float(scaling.low_freq_factor),
            "high_freq_factor": float(scaling.high_freq_factor),
            "pretraining_sequence_length": scaling.original_length,
        }
    elif scaling is not None and not more:
        raise Unsupported(f"keras-hub: no {type(scaling).__name__} scaling in its layer")
    if "scaling_factor" in more:
        more["scaling_factor"] = float(more["scaling_factor"])
    layer, made = getattr(need(home, "keras-hub"), name), {}

    def rotate(x: Any, positions: Any) -> Any:
        kind = str(x.dtype).removeprefix("torch.")  # a layer casts to the type it was made for
        if kind not in made:
            made[kind] = layer(max_wavelength=float(spec.base), dtype=kind, **more)
        return turn_first(lambda y: made[kind](y, positions=positions), x, spec, torch.cat)

    return installed("keras-hub", rotate, spec, axes="blhd")


def torchtune(spec: RopeSpec) -> Adapter:
    """`RotaryPositionalEmbeddings` of torchtune, `Llama3ScaledRoPE` where the scaling is Llama 3's."""
    home = need("torchtune.modules.position_embeddings", "torchtune torchao")
    _plain(spec, "torchtune", "interleaved", whole=True)
    most, base, scaling = spec.length or 4096, float(spec.base), spec.scaling
    module: Any
    if isinstance(scaling, Llama3):
        own = need("torchtune.models.llama3_1._position_embeddings", "torchtune torchao")
        module = own.Llama3ScaledRoPE(
            spec.head_dim,
            most,
            base,
            scale_factor=float(scaling.factor),
            low_freq_factor=float(scaling.low_freq_factor),
            high_freq_factor=float(scaling.high_freq_factor),
            old_context_len=scaling.original_length,
        )
    elif scaling is None:
        module = home.RotaryPositionalEmbeddings(spec.head_dim, most, base)
    else:
        raise Unsupported(f"torchtune: no {type(scaling).__name__} scaling")

    def rotate(x: Any, positions: Any) -> Any:
        return module(x, input_pos=positions)

    return installed("torchtune", rotate, spec, axes="blhd")


def litgpt(spec: RopeSpec) -> Adapter:
    """`build_rope_cache` and `apply_rope` of litgpt, at the positions asked for, as in its attention."""
    home = need("litgpt.model", "litgpt")
    _plain(spec, "litgpt", "half")
    import torch

    scaling, ratio, more = spec.scaling, 1, None
    if isinstance(scaling, Linear):
        ratio = float(scaling.factor)  # type: ignore[assignment]
    elif isinstance(scaling, Llama3 | Yarn):
        if isinstance(scaling, Yarn):
            _own_attention(scaling, "litgpt")
        more = dict(hf_scaling(spec) or {})
        if isinstance(scaling, Yarn):
            more["mscale"] = (
                1.0  # without it litgpt scales no table, and its attention by another key
            )
        more["original_max_seq_len"] = more.pop("original_max_position_embeddings")
        more.pop("rope_type")
    elif scaling is not None:
        raise Unsupported(f"litgpt: no {type(scaling).__name__} scaling")
    # Long enough for positions to twice the context, which are asked for as well.
    cosines, sines = home.build_rope_cache(
        2 * (spec.length or 4096) + 1,
        spec.rotary_dim,
        base=float(spec.base),
        condense_ratio=ratio,
        extra_config=more,
    )

    def rotate(x: Any, positions: Any) -> Any:
        rows = positions if positions.ndim == 2 else positions[None]
        c, s = cosines[rows], sines[rows]
        return turn_first(lambda y: home.apply_rope(y, c, s), x, spec, torch.cat)

    return installed("litgpt", rotate, spec)


def x_transformers(spec: RopeSpec) -> Adapter:
    """`RotaryEmbedding` and `apply_rotary_pos_emb` of x-transformers."""
    home = need("x_transformers.x_transformers", "x-transformers")
    _plain(spec, "x-transformers", "interleaved", (Linear,))
    module = home.RotaryEmbedding(
        dim=spec.rotary_dim, base=float(spec.base), interpolation_factor=_linear(spec)
    )

    def rotate(x: Any, positions: Any) -> Any:
        frequencies, _ = module(positions)
        return home.apply_rotary_pos_emb(x, frequencies)

    return installed("x-transformers", rotate, spec)


def rotary_embedding_torch(spec: RopeSpec) -> Adapter:
    """`rotate_queries_or_keys` of rotary-embedding-torch, which takes an offset."""
    home = need("rotary_embedding_torch", "rotary-embedding-torch")
    _plain(spec, "rotary-embedding-torch", "interleaved", (Linear,))
    module = home.RotaryEmbedding(
        dim=spec.rotary_dim, theta=float(spec.base), interpolate_factor=_linear(spec)
    )

    def rotate(x: Any, positions: Any) -> Any:
        return module.rotate_queries_or_keys(x, offset=int(positions[0]))

    return installed("rotary-embedding-torch", rotate, spec, contiguous=True)


def equinox(spec: RopeSpec) -> Adapter:
    """`RotaryPositionalEmbedding` of equinox, which counts from 0; positions are read off its rows."""
    jnp, vmap = need("jax.numpy", "equinox jax"), need("jax", "equinox jax").vmap
    make = need("equinox.nn", "equinox jax").RotaryPositionalEmbedding
    _plain(spec, "equinox", "half", (), whole=True)
    module = make(embedding_size=spec.head_dim, theta=float(spec.base))
    short, whole = 64, 2 * (spec.length or 4096)

    def rotate(x: Any, positions: Any) -> Any:
        places = positions.astype(int)
        # Two sizes only, a short one and all: JAX compiles every operation anew for each shape.
        last = int(places.max())
        size = next(n for n in (short, whole, last + 1) if last < n)

        def one(head: Any) -> Any:
            sequence = jnp.zeros((size, spec.head_dim), dtype=head.dtype)
            return module(sequence.at[places].set(head))[places]

        return vmap(vmap(one))(x)

    options: dict[str, Any] = {"dtypes": ("float32", "float16"), "contiguous": True}
    return installed("equinox", rotate, spec, array=jnp.asarray, **options)


def timm(spec: RopeSpec) -> Adapter:
    """`RotaryEmbedding` of timm on a grid, as its vision transformers and EVA have it.

    The spec has the axes of `Axes.grid`; its length is the number of rows and columns. The tables of a
    whole grid are made at once, and those at other positions are read off.
    """
    home = need("timm.layers.pos_embed_sincos", "timm")
    if spec.axes != Axes.grid(spec.rotary_planes) or spec.rotary_start:
        raise Unsupported("timm: rows and columns of an image, Axes.grid(planes)")
    if spec.rotary_dim != spec.head_dim or spec.scaling is not None:
        raise Unsupported("timm: it rotates the whole head, without scaling")
    half = spec.layout == "half"
    module = home.RotaryEmbedding(
        spec.head_dim, temperature=float(spec.base), in_pixels=False, rotate_half=half
    )
    side = 2 * (spec.length or 64) + 1
    sines, cosines = module.get_embed([side, side])

    def rotate(x: Any, positions: Any) -> Any:
        if int(positions.max()) >= side:
            raise IndexError(f"a grid of {side} rows and columns was asked for")
        place = positions[..., 0] * side + positions[..., 1]
        c, s = cosines[place], sines[place]
        if positions.ndim == 3:
            c, s = c[:, None], s[:, None]
        return home.apply_rot_embed(x, s, c, half=half)

    return installed("timm", rotate, spec)


def _plain(
    spec: RopeSpec,
    library: str,
    layout: str | None = None,
    scalings: tuple[type, ...] | None = None,
    *,
    whole: bool = False,
) -> None:
    """Raise `Unsupported`, by name, for what a library's rotation does not have."""
    if spec.axes is not None or spec.rotary_start:
        raise Unsupported(f"{library}: positions of one coordinate, from the first on")
    if layout is not None and spec.layout != layout:
        raise Unsupported(f"{library}: layout {layout!r}, not {spec.layout!r}")
    if whole and spec.rotary_dim != spec.head_dim:
        raise Unsupported(f"{library}: it rotates the whole head")
    if scalings is not None and spec.scaling is not None and not isinstance(spec.scaling, scalings):
        raise Unsupported(f"{library}: no {type(spec.scaling).__name__} scaling")


def _linear(spec: RopeSpec) -> float:
    return float(spec.scaling.factor) if isinstance(spec.scaling, Linear) else 1.0
