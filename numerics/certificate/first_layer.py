r"""Queries and keys of a model's first layer, which depend on the token alone, and how far they are off.

What is certified is a function of real numbers, with the stored weights taken as they are: a weight that a
file keeps in few bits is the float32 number to which the package gguf dequantises it. With x the row of the
embedding of a token, g the weights of the norm and its eps,

    y = g x / sqrt(mean(x^2) + eps),    q = W_Q y,    k = W_K y,
    w(t, q, k) = scale * sum_l Re(q_l conj(k_l) e^{i theta_l t})    (planes l, lag t),

in real arithmetic, with the exact frequencies theta_l. What the model computes in float32 or bfloat16 is
near it, and is not what is certified.

**The error.** Let u = 2^-53, D the width of the model, d that of a head. The sum of D squares, the
division, eps, the root, its inverse and two products put y off by a factor within `1 +- (D/2 + 7)u(1 +
..)`, and the sum of D products an entry of q by at most `D u` of `sum_i |W_ji y_i| <= |W_j| |y|` more. So
the vector q of a head is off by at most `1.01 (1.5 D + 8)u |W|_F |y|` in norm, W the rows of that head; k
likewise.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.gguf_weights import is_gguf_file
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FirstLayer", "TokenVectors", "read_first_layer"]

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

UNIT = 2.0**-53


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenVectors:
    """Vectors of some tokens in some heads, before rotation.

    `planes` are `(heads, tokens, planes)`, complex; `errors` and `norms`, `(heads, tokens)`: no vector is
    further than `errors` from the exact one, or longer than `norms`.
    """

    planes: Complex
    errors: Floats
    norms: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class FirstLayer:
    """The first layer's heads as they are stored.

    - `embedding` `(vocabulary, width)`, `norm` `(width,)`, `eps`: what stands before the heads;
    - `query` `(heads, planes, 2, width)`, `key` `(key heads, planes, 2, width)`: rows by plane of the
      rotation;
    - `spec`, `scale`: the rotation, and the factor of the logits.
    """

    embedding: NDArray[np.float32]
    norm: NDArray[np.float32]
    eps: float
    query: NDArray[np.float32]
    key: NDArray[np.float32]
    spec: RopeSpec
    scale: float
    name: str

    @property
    def heads(self) -> int:
        """How many query heads there are."""
        return len(self.query)

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        return len(self.embedding)

    def key_head(self, head: int) -> int:
        """Which key head a query head reads."""
        return head // (len(self.query) // len(self.key))

    def identity(self) -> str:
        """The SHA-256 of all stored numbers: embedding, norm, query and key weights, eps.

        The arrays are taken as `<f4`, in this order, eps as `<f8`.
        """
        digest = hashlib.sha256()
        for array in (self.embedding, self.norm, self.query, self.key):
            digest.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
        digest.update(np.array([self.eps], dtype="<f8").tobytes())
        return digest.hexdigest()

    def rotation(self) -> str:
        """The rotation in words."""
        return repr(self.spec)

    def queries(self, tokens: NDArray[np.int64]) -> TokenVectors:
        """The queries of some tokens in every head."""
        return self._vectors(self.query, tokens)

    def keys(self, tokens: NDArray[np.int64]) -> TokenVectors:
        """The keys of some tokens in every key head."""
        return self._vectors(self.key, tokens)

    def _vectors(self, weights: NDArray[np.float32], tokens: NDArray[np.int64]) -> TokenVectors:
        rows = self.embedding[tokens].astype(np.float64)
        width = rows.shape[1]
        root = np.sqrt((rows * rows).mean(-1, keepdims=True) + self.eps)
        inputs = rows * (1 / root) * self.norm.astype(np.float64)
        matrix = weights.astype(np.float64)
        flat = inputs @ matrix.reshape(-1, width).T
        pairs = flat.reshape(len(rows), *matrix.shape[:3]).transpose(1, 0, 2, 3)
        planes = np.ascontiguousarray(pairs[..., 0] + 1j * pairs[..., 1])
        sizes = np.sqrt((matrix * matrix).sum((1, 2, 3)))
        lengths = np.sqrt((inputs * inputs).sum(-1))
        factor = 1.02 * (1.5 * width + 8) * UNIT
        errors = factor * sizes[:, None] * lengths[None, :]
        norms = np.sqrt((np.abs(planes) ** 2).sum(-1)) * (1 + 1e-12) + errors
        return TokenVectors(planes=planes, errors=errors, norms=norms)


def read_first_layer(path: str) -> FirstLayer:
    """The first layer of a GGUF file of architecture `llama`; of its tensors only these four are read.

    Raises `Unsupported` for another architecture, biases or norms of queries and keys, or a package that is
    missing, `InvalidArgument` for a file that cannot be read.
    """
    file = Path(path)
    if not is_gguf_file(file):
        raise InvalidArgument("model", path, "a .gguf file of architecture llama")
    try:
        from gguf import GGUFReader, dequantize
    except ModuleNotFoundError:
        raise Unsupported(
            "a certificate of a GGUF file needs gguf: pip install 'ropeproof[gguf]'"
        ) from None
    from ropeproof.theory.rotary.config.gguf import gguf_fields

    fields = gguf_fields(file)
    if fields["model_type"] != "llama":
        raise Unsupported(f"a certificate of {fields['model_type']!r}: only llama is read")
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
    spec = RopeSpec.from_config(fields)
    width = embedding.shape[1]
    # llama.cpp stores the two rows of a plane side by side.
    shape = (spec.planes, 2, width)
    if (
        query.shape[0] != heads * spec.head_dim
        or key.shape[0] != keys * spec.head_dim
        or heads % keys
    ):
        raise InvalidArgument("model", f"{path}: {query.shape}, {key.shape}", "whole heads")
    if spec.rotary_dim != spec.head_dim or float(spec.attention_factor()) != 1:
        raise Unsupported(
            f"{file.name}: {spec}: only heads whose planes are all rotated, by angles alone"
        )
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
