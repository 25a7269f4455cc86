r"""Queries and keys of a model's first layer, which depend on the token alone, with error bounds.

What is certified is a function of real numbers, with the stored weights taken as they are: a weight that a
file keeps in few bits is the float32 number to which the package gguf dequantises it. With x the row of the
embedding of a token (times a factor in some families), g and b the weights and the shift of the norm and
its eps,

    y = g x / sqrt(mean(x^2) + eps) + b,    q = W_Q y + c,    k = W_K y + c',
    w(t, q, k) = scale * sum_l a_l^2 Re(q_l conj(k_l) e^{i theta_l t})    (planes l, lag t),

in real arithmetic, with the exact frequencies theta_l, 0 in planes that are not rotated, and the attention
factor a_l, 1 there. A layer norm takes x less its mean; some families have no norm there, clip the entries
of q and k, or normalise q and k themselves, head by head or all heads at once, with weights of their own.
What the model computes in float32 or bfloat16 is near it, and is not what is certified.

**The error.** Let u = 2^-53, n the number of entries under a norm, D the width of the model.

- `_unit`, v / sqrt(mean(v^2) + eps): n squares, their sum, the division, eps, the root, its inverse and a
  product put each entry off by a factor within `1 +- (n/2 + 8)u(1 + ..)`. Where v itself is off by at most
  delta in norm, so is the result by at most delta / r more, r the least root within that distance: the
  Jacobian is `(I - v v^T/(n r^2))/r`, with eigenvalues from 0 to 1/r. Taking off the mean does not
  increase delta (a projection), and its rounding adds at most `(2 n + 8)u |v|`.
- Weights and shift: at most `max|g|` times what is off by distance, and 4u of what is there.
- A sum of D products is off by at most `D u sum_i |W_ji y_i| <= D u |W_j| |y|`, so the vector q of a
  head by at most `|W|_F (dy + 1.01 D u |y|)` in norm, W the rows of that head; a shift adds u|q|. Clipping
  does not increase distances.

Everything is multiplied by 1.02 for products of errors, and for sizes that are computed ones.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.exact import switches

__all__ = ["FirstLayer", "TokenVectors", "VectorNorm", "steady"]

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

UNIT = 2.0**-53


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenVectors:
    """Queries or keys of some tokens in some heads, before rotation, with error bounds.

    `planes` are `(heads, tokens, planes)`, complex; `errors` and `norms`, `(heads, tokens)`: no vector is
    further than `errors` from the exact one, or longer than `norms`.
    """

    planes: Complex
    errors: Floats
    norms: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class VectorNorm:
    """How queries or keys are normalised before they are rotated.

    - `weight`, `bias`: `(heads, planes, 2)`, `bias` may be None; `offset` is added to `weight`;
    - `eps`; `centred`: whether the mean is taken off; `whole`: one norm over all heads.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32] | None = None
    offset: float = 0.0
    eps: float
    centred: bool = False
    whole: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class FirstLayer:
    """The attention heads of a model's first layer, as they are stored.

    - `embedding` `(vocabulary, width)`, `norm` `(width,)`, `eps`: what stands before the heads;
    - `query` `(heads, planes, 2, width)`, `key` `(key heads, planes, 2, width)`: rows by plane of the
      rotation;
    - `spec`, `scale`: the rotation, and the factor of the logits.

    What only some families have:

    - `factor` of the embedding; `normed`: whether there is a norm before the heads, `centred`: whether it
      takes off the mean, `offset`: what is added to its weights, `norm_bias` `(width,)`;
    - `query_bias`, `key_bias`: `(heads, planes, 2)`; `clip`: the most that an entry of q or k may be;
      `query_norm`, `key_norm`;
    - `window`: how many keys a row can have.
    """

    embedding: NDArray[np.float32]
    norm: NDArray[np.float32]
    eps: float
    query: NDArray[np.float32]
    key: NDArray[np.float32]
    spec: RopeSpec
    scale: float
    name: str
    factor: float = 1.0
    normed: bool = True
    centred: bool = False
    offset: float = 0.0
    norm_bias: NDArray[np.float32] | None = None
    query_bias: NDArray[np.float32] | None = None
    key_bias: NDArray[np.float32] | None = None
    clip: float | None = None
    query_norm: VectorNorm | None = None
    key_norm: VectorNorm | None = None
    window: int | None = None

    @property
    def heads(self) -> int:
        """How many query heads there are."""
        return len(self.query)

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        return len(self.embedding)

    @property
    def gain(self) -> float:
        """The most by which rotation enlarges a product: the squared attention factor, or 1."""
        return max(1.0, float(self.spec.attention_factor()) ** 2 * (1 + 2.0**-50))

    def key_head(self, head: int) -> int:
        """Which key head a query head reads."""
        return head // (len(self.query) // len(self.key))

    def identity(self) -> str:
        """The SHA-256 of all stored numbers: embedding, norm, query and key weights, eps.

        The arrays are taken as `<f4`, in this order, eps as `<f8`; what only some families have follows
        by name, where it is there.
        """
        digest = hashlib.sha256()
        for array in (self.embedding, self.norm, self.query, self.key):
            digest.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
        digest.update(np.array([self.eps], dtype="<f8").tobytes())
        for name, value in self._more():
            digest.update(f"{name}\n".encode())
            if isinstance(value, np.ndarray):
                digest.update(np.ascontiguousarray(value, dtype="<f4").tobytes())
            else:
                digest.update(np.array([value], dtype="<f8").tobytes())
        return digest.hexdigest()

    def _more(self) -> Iterator[tuple[str, Any]]:
        """Yield, with its name, each field that only some families have and that is not default."""
        for holder, prefix in ((self, ""), (self.query_norm, "query_"), (self.key_norm, "key_")):
            if holder is None:
                continue
            for field in fields(holder):
                value = getattr(holder, field.name)
                if field.name in {"name", "spec", "query_norm", "key_norm"}:
                    continue
                always = holder is not self and field.name in {"weight", "eps"}
                if always or (field.default is not MISSING and value is not field.default):
                    yield f"{prefix}{field.name}", value
        if not self._usual_scale:
            yield "scale", self.scale

    @property
    def _usual_scale(self) -> bool:
        """Whether logits are divided by the root of the head's dimension."""
        return bool(abs(self.scale * math.sqrt(self.spec.head_dim) - 1) < 2.0**-50)

    def rotation(self) -> str:
        """The rotation in words."""
        return repr(self.spec)

    def queries(self, tokens: NDArray[np.int64]) -> TokenVectors:
        """The queries of some tokens in every head."""
        return self._vectors(self.query, self.query_bias, self.query_norm, tokens)

    def keys(self, tokens: NDArray[np.int64]) -> TokenVectors:
        """The keys of some tokens in every key head."""
        return self._vectors(self.key, self.key_bias, self.key_norm, tokens)

    def _inputs(self, tokens: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """The inputs of the heads, `(tokens, width)`, and a bound of their error in norm."""
        rows = self.embedding[tokens].astype(np.float64) * self.factor
        if not self.normed:
            return rows, UNIT * _size(rows)
        # The factor's rounding is one of each entry, as the norm's own are.
        units, far, near = _unit(rows, np.zeros(len(rows)), self.eps, self.centred)
        return _weighted(units, far, near + UNIT, self.norm, self.norm_bias, self.offset, 1)

    def _vectors(
        self,
        weights: NDArray[np.float32],
        bias: NDArray[np.float32] | None,
        norm: VectorNorm | None,
        tokens: NDArray[np.int64],
    ) -> TokenVectors:
        inputs, off = self._inputs(tokens)
        count, width = inputs.shape
        matrix = weights.astype(np.float64)
        flat = inputs @ matrix.reshape(-1, width).T
        # (heads, tokens, head_dim)
        vectors = flat.reshape(count, len(matrix), -1).transpose(1, 0, 2)
        sizes = np.sqrt((matrix * matrix).sum((1, 2, 3)))
        errors = sizes[:, None] * (off + 1.01 * (width + 2) * UNIT * _size(inputs))[None, :]
        if bias is not None:
            vectors = vectors + bias.astype(np.float64).reshape(len(matrix), 1, -1)
            errors = errors + 2 * UNIT * _size(vectors)
        if self.clip is not None:
            vectors = np.clip(vectors, -self.clip, self.clip)
        errors = 1.02 * errors
        if norm is not None:
            vectors, errors = _normalised(vectors, errors, norm)
        pairs = vectors.reshape(*vectors.shape[:2], -1, 2)
        planes = np.ascontiguousarray(pairs[..., 0] + 1j * pairs[..., 1])
        norms = np.sqrt((np.abs(planes) ** 2).sum(-1)) * (1 + 1e-12) + errors
        return TokenVectors(planes=planes, errors=errors, norms=norms)


def _size(values: Floats) -> Floats:
    """The Euclidean norm over the last axis."""
    result: Floats = np.sqrt((values * values).sum(-1))
    return result


def _unit(
    values: Floats, errors: Floats, eps: float, centred: bool
) -> tuple[Floats, Floats, float]:
    """`v / sqrt(mean(v^2) + eps)` over the last axis; with `centred` of v less its mean.

    `errors` bounds the error of v in norm. Returns the result, a bound of its error in norm that comes
    from `errors`, and a bound of the relative rounding error of each entry.
    """
    entries = values.shape[-1]
    if centred:
        errors = errors + (2 * entries + 8) * UNIT * _size(values)
        values = values - values.mean(-1, keepdims=True)
    root = np.sqrt((values * values).mean(-1, keepdims=True) + eps)
    least = np.maximum(_size(values) * (1 - 1e-10) - errors, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(errors > 0, 1.01 * errors / np.sqrt(least**2 / entries + eps), 0.0)
    return values * (1 / root), far, (entries / 2 + 8) * UNIT


def _weighted(
    units: Floats,
    far: Floats,
    near: float,
    weight: NDArray[np.float32],
    bias: NDArray[np.float32] | None,
    offset: float,
    axes: int,
) -> tuple[Floats, Floats]:
    """Apply the weights and the shift of a norm to normalised vectors; the result and its error.

    The weights of one vector are the last `axes` axes of `weight`.
    """
    factors = weight.astype(np.float64) + offset
    result = units * factors
    largest = np.abs(factors).max(tuple(range(-axes, 0)))
    errors = 1.02 * (largest * far + (near + 4 * UNIT) * _size(result))
    if bias is not None:
        result = result + bias.astype(np.float64)
        errors = errors + 2 * UNIT * _size(result)
    return result, errors


def _normalised(vectors: Floats, errors: Floats, norm: VectorNorm) -> tuple[Floats, Floats]:
    """Queries or keys `(heads, tokens, head_dim)` after their norm, and errors `(heads, tokens)`."""
    heads, count, size = vectors.shape
    weight = norm.weight.reshape(heads, 1, size)
    bias = None if norm.bias is None else norm.bias.reshape(heads, 1, size)
    if norm.whole:
        joined = vectors.transpose(1, 0, 2).reshape(count, -1)
        units, far, near = _unit(joined, np.sqrt((errors**2).sum(0)), norm.eps, norm.centred)
        units = units.reshape(count, heads, size).transpose(1, 0, 2)
        far = np.broadcast_to(far, (heads, count))
    else:
        units, far, near = _unit(vectors, errors, norm.eps, norm.centred)
    return _weighted(units, far, near, weight, bias, norm.offset, 1)


def steady(spec: RopeSpec) -> RopeSpec:
    """Check that a spec's frequencies do not change with the prompt's length, and return it.

    Raises `Unsupported`, by name, if they do.
    """
    if switches(spec) is not None:
        raise Unsupported(
            f"a certificate of {type(spec.scaling).__name__} scaling, whose frequencies change with the "
            "prompt's length"
        )
    return spec
