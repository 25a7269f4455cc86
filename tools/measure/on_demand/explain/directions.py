r"""The parts of a logit along directions that the user gives, such as the features of an autoencoder.

Directions as wide as a head are directions of its keys, before rotation. Directions as wide as the
model are read in the residual stream that enters the layer: a key is then a linear function of the stream,
once the sizes that the norms divide by are taken as they are for this token,

$$k_j=c_jL(x_j)+b_j,\qquad x_j=\sum_fa_{jf}d_f+r_j,$$

so that the key is the sum of the directions' keys, of the key of what they leave, and of the biases. The
coefficients are those of least squares, of least norm where directions depend on each other, or given.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.arrays import as_numpy
from ropeproof.numerics.models.families import read_model
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.measure.on_demand.explain.parts import LogitPart, TurnedHead

if TYPE_CHECKING:
    import torch

__all__ = ["GivenDirections", "LayerInput", "given_directions", "read_directions", "space_of"]

Floats = NDArray[np.float64]

_CLOSE = 1e-3
"""How far a key may be from what the linear map and the biases give, relative to its size, in float32."""

LEFT, BIASES = "left by the directions", "biases and rounding"


@dataclass(frozen=True, eq=False, kw_only=True)
class GivenDirections:
    """Directions that were given, as vectors of a head's keys, and what they make of each token's key.

    - `space`: `"key"` or `"residual"`, where the directions were given; `rank`: of their rows;
    - `vectors`: `(directions, head_dim)`, the key of each direction before rotation;
    - `coefficients`: `(length, directions)`: a token's key is the sum of these multiples, of `left` and of
      `other`, both `(length, head_dim)`; `other` is what biases and rounding give, None for `"key"`.
    """

    space: str
    rank: int
    vectors: Floats
    coefficients: Floats
    left: Floats
    other: Floats | None

    def parts(self, head: TurnedHead, query: int, key: int) -> tuple[LogitPart, ...]:
        """The parts of a logit: one for each direction, in order, then what is left, and the biases."""
        turned = head.planes_of(head.queries[query]) * head.turns[query]
        each = head.scale * turned * (head.planes_of(self.vectors) * head.turns[key]).conj()
        factors = self.coefficients[key]
        values, bounds = each.real.sum(1) * factors, np.abs(each).sum(1) * np.abs(factors)
        found = [
            LogitPart(
                name=f"direction {number}",
                value=float(values[number]),
                bound=float(bounds[number]),
                claim="rope.bounded",
            )
            for number in range(len(values))
        ]
        found.append(head.part(LEFT, head.queries[query], self.left[key], query, key))
        if self.other is not None:
            found.append(head.part(BIASES, head.queries[query], self.other[key], query, key))
        return tuple(found)


def read_directions(directions: Any) -> Floats:
    """Directions as rows of an array, `(directions, width)` float64: an array, or the path of a .npy file.

    Raises `InvalidArgument` for a file that is none, and unless all numbers are finite and no row is 0.
    """
    if isinstance(directions, str) or hasattr(directions, "__fspath__"):
        try:
            with open(directions, "rb") as file:
                directions = np.lib.format.read_array(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            allowed = f"a .npy file with an array ({why})"
            raise InvalidArgument("directions", str(directions), allowed) from None
    array = np.asarray(as_numpy(directions))
    if array.ndim == 1:
        array = array[np.newaxis]
    if array.ndim != 2 or array.dtype.kind not in "fiu" or not array.size:
        got = f"shape {array.shape} of {array.dtype}"
        raise InvalidArgument("directions", got, "numbers of shape (directions, width)")
    result = array.astype(np.float64)
    if not np.isfinite(result).all():
        raise InvalidArgument("directions", "numbers that are not finite", "finite numbers")
    if not result.any(1).all():
        raise InvalidArgument("directions", "a row of zeros", "rows that are directions")
    return result


def space_of(directions: Floats, head_dim: int, width: int, space: str | None) -> str:
    """Where directions are: `"key"` or `"residual"`, by their width unless `space` says so.

    Raises `InvalidArgument` for another width, and where both are of this width and `space` is None.
    """
    if space not in (None, "key", "residual"):
        raise InvalidArgument("space", space, "'key', 'residual', or None: by the width")
    size = directions.shape[1]
    if space is None:
        if head_dim == width == size:
            allowed = f"space='key' or 'residual': heads and model are both {width} wide"
            raise InvalidArgument("directions", f"rows of {size} numbers", allowed)
        space = "key" if size == head_dim else "residual"
    wanted = head_dim if space == "key" else width
    if size != wanted:
        allowed = f"rows of {head_dim} (the head's keys) or {width} numbers (the residual stream)"
        raise InvalidArgument("directions", f"rows of {size} numbers", allowed)
    return space


class LayerInput:
    """What enters a layer of a model and its norms, read during one forward pass by hooks.

    `linear` then gives the key of a direction of the residual stream, and the factor of each token, for
    the head `key_head`.
    """

    def __init__(self, model: Any, layer: int) -> None:
        self.base, _, self.family = read_model(model)
        self.layer, self.key_head = layer, 0
        self.module = list(getattr(self.base, self.family.layers))[layer]
        self.attention = getattr(self.module, self.family.attention)
        self.seen: dict[str, tuple[Any, Any]] = {}

    @contextlib.contextmanager
    def hooked(self) -> Iterator[LayerInput]:
        """A context in which a pass is read; the hooks are removed whatever happens."""
        taps = self.family.taps(self.attention, self.base.config)
        (_, self.tap, self.read) = next(tap for tap in taps if tap[0] == "keys")
        with contextlib.ExitStack() as stack:

            def keep(name: str) -> Callable[[Any, Any, Any], None]:
                def hook(_module: Any, arguments: Any, output: Any) -> None:
                    self.seen[name] = (arguments[0] if arguments else None, output)

                return hook

            def entering(name: str) -> Callable[[Any, Any, Any], None]:
                def hook(_module: Any, arguments: Any, named: Any) -> None:
                    given = arguments[0] if arguments else named.get("hidden_states")
                    self.seen[name] = (given, given)

                return hook

            for module, name in ((self.module, "layer"), (self.attention, "attention")):
                before = module.register_forward_pre_hook(entering(name), with_kwargs=True)
                stack.callback(before.remove)
            for name, child in self.module.named_children():
                if child is not self.attention:
                    stack.callback(child.register_forward_hook(keep(f"child {name}")).remove)
            stack.callback(self.tap.register_forward_hook(keep("tap")).remove)
            yield self

    @property
    def stream(self) -> Floats:
        """The residual stream that enters the layer, `(length, width)`."""
        return _double(self.seen["layer"][0][0])

    def linear(self, directions: Floats) -> tuple[Floats, Floats, Floats]:
        """The key of each direction, the factor of each token, and what the biases add to its key.

        `(directions, head_dim)`, `(length,)` and `(length, head_dim)`. Raises `Unsupported`, by name, for
        norms that are no gain times the input over its size.
        """
        import torch

        entered, given = self.seen["layer"][0], self.seen["attention"][0]
        first, factors = _Frozen.identity(), np.ones(entered.shape[1])
        if not _same(entered, given):
            first = self._norm_of(entered, given)
            factors = first.factors.reshape(-1)
        projection: Any = self.tap
        second = _Frozen.identity()
        normed = self.family.normed or not hasattr(self.tap, "in_features")
        if normed:
            projection = self.attention.k_proj
            second = _Frozen.of(self.tap, *self.seen["tap"], where=f"layer {self.layer}: keys")
        moved: Any = torch.from_numpy(first.apply(directions))
        bias = torch.from_numpy(first.bias)
        weight = projection.weight.detach().double().cpu()
        rows = [moved @ weight.T]
        offset = bias.expand(1, -1) @ weight.T if len(bias) else torch.zeros(1, weight.shape[0])
        if getattr(projection, "bias", None) is not None:
            offset = offset + projection.bias.detach().double().cpu()
        rows.append(offset.double())
        keys, constant = (
            self._head(_through(second, x, self.seen, normed, self.read)) for x in rows
        )
        return keys, *self._factors(second, factors, constant[0], normed)

    def _factors(
        self, second: _Frozen, factors: Floats, constant: Floats, normed: bool
    ) -> tuple[Floats, Floats]:
        """The factor of each token, and the part of its key that is due to the biases."""
        later = np.ones_like(factors)
        if normed:
            each = second.factors
            later = each.reshape(-1) if each.size == len(factors) else self._of_head(each)
        offset = later[:, np.newaxis] * constant
        if normed and len(second.bias):
            own = second.bias.reshape(-1, constant.shape[-1])
            offset = offset + own[min(self.key_head, len(own) - 1)]
        return factors * later, offset

    def _of_head(self, each: Floats) -> Floats:
        """The factors of this key head, from those of all heads with the heads on either axis."""
        length = self.seen["layer"][0].shape[1]
        table = each[0]
        result: Floats = table[:, self.key_head] if len(table) == length else table[self.key_head]
        return result

    def _head(self, keys: Any) -> Floats:
        """The vectors of this key head, `(rows, head_dim)`, from `(1, rows, key_heads, head_dim)`."""
        result: Floats = _double(keys[0, :, self.key_head])
        return result

    def _norm_of(self, entered: Any, given: Any) -> _Frozen:
        """The norm between the layer's input and that of its attention."""
        for name, (before, after) in self.seen.items():
            if name.startswith("child ") and _same(before, entered) and _same(after, given):
                module = getattr(self.module, name.removeprefix("child "))
                return _Frozen.of(module, before, after, where=f"layer {self.layer}: {name[6:]}")
        raise Unsupported(
            f"layer {self.layer}: no norm between its input and its attention's is known"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Frozen:
    """A norm with the sizes that it divides by kept: `factor gain (x - mean x) + bias`, or without mean.

    `factors` has the factor of each vector, in the shape of the input without its last axis.
    """

    gain: Floats
    centred: bool
    bias: Floats
    factors: Floats

    @classmethod
    def identity(cls) -> _Frozen:
        """The norm that changes nothing."""
        none = np.empty(0)
        return cls(gain=np.ones(1), centred=False, bias=none, factors=none)

    @classmethod
    def of(cls, module: Any, before: Any, after: Any, *, where: str) -> _Frozen:
        """The norm that gave `after` from `before`. Raises `Unsupported` if it is none of these."""
        x, y = _double(before), _double(after)
        weight, bias = (
            None if value is None else _double(value)
            for value in (getattr(module, name, None) for name in ("weight", "bias"))
        )
        gains = [np.ones(1)] if weight is None else [weight, 1 + weight]
        added = np.zeros(x.shape[-1]) if bias is None else bias
        for centred in (False, True):
            moved = x - x.mean(-1, keepdims=True) if centred else x
            for gain in gains:
                scaled = gain * moved
                size = (scaled**2).sum(-1)
                factors = (scaled * (y - added)).sum(-1) / np.where(size > 0, size, 1.0)
                rest = y - added - factors[..., np.newaxis] * scaled
                if np.linalg.norm(rest) <= _close(after) / 10 * np.linalg.norm(y):
                    return cls(
                        gain=gain,
                        centred=centred,
                        bias=np.empty(0) if bias is None else added,
                        factors=factors,
                    )
        raise Unsupported(
            f"{where}: {type(module).__name__} is no gain times its input over a size"
        )

    def apply(self, x: Floats) -> Floats:
        """The linear part, without the factors and the bias."""
        result: Floats = self.gain * (x - x.mean(-1, keepdims=True) if self.centred else x)
        return result


def _through(
    second: _Frozen, rows: torch.Tensor, seen: dict[str, Any], normed: bool, read: Any
) -> Any:
    """Projected rows `(rows, out)` through the norm of keys, as `(1, rows, key_heads, head_dim)`."""
    import torch

    if not normed:
        # Clipping, which a reader may do, is no linear function: it shows in the comparison below.
        size = float(rows.abs().max()) or 1.0
        return read((rows / size * 2.0**-20)[None]) * size * 2.0**20
    shape = seen["tap"][0].shape
    width = shape[-1]
    apart = rows.reshape(len(rows), -1, width)  # one row for each head, or for all of them
    moved = torch.from_numpy(second.apply(_double(apart)))
    if len(shape) == 3:
        return read(moved.reshape(1, len(rows), -1))
    return moved[None]


def given_directions(
    directions: Floats,
    space: str,
    keys: Floats,
    source: LayerInput | None,
    coefficients: Any = None,
) -> GivenDirections:
    """The directions as vectors of a head's keys, and what they make of the key of each token.

    `keys` are those of the head, `(length, head_dim)`; `source` has read the layer's input, for
    directions of the residual stream; `coefficients` are `(length, directions)`, by default those of
    least squares. Raises `Unsupported` where keys are no such function of the residual stream, and
    `InvalidArgument` for coefficients of another shape.
    """
    entering = keys if source is None else source.stream
    rank = int(np.linalg.matrix_rank(directions))
    if coefficients is None:
        found = np.linalg.lstsq(directions.T, entering.T, rcond=None)[0].T
        factors = found.astype(np.float64)
    else:
        factors = np.asarray(as_numpy(coefficients), dtype=np.float64)
        if factors.shape != (len(keys), len(directions)) or not np.isfinite(factors).all():
            allowed = f"finite numbers of shape ({len(keys)}, {len(directions)})"
            raise InvalidArgument("coefficients", f"shape {factors.shape}", allowed)
    left = entering - factors @ directions
    if source is None:
        return GivenDirections(
            space=space, rank=rank, vectors=directions, coefficients=factors, left=left, other=None
        )
    both = np.concatenate((directions, left))
    vectors, scales, offset = source.linear(both)
    rest = scales[:, np.newaxis] * vectors[len(directions) :]
    sums = scales[:, np.newaxis] * (factors @ vectors[: len(directions)]) + rest
    other = keys - sums
    gap = float(np.linalg.norm(other - offset)) / max(float(np.linalg.norm(keys)), 1e-300)
    if not gap <= _close(source.seen["tap"][1]):
        kind = type(source.attention).__name__
        raise Unsupported(
            f"layer {source.layer}: keys of {kind} are no linear function of the residual stream and "
            f"biases (off by {gap:.1g} of their size), as with clipped keys"
        )
    return GivenDirections(
        space=space,
        rank=rank,
        vectors=vectors[: len(directions)],
        coefficients=scales[:, np.newaxis] * factors,
        left=rest,
        other=other,
    )


def _same(one: Any, other: Any) -> bool:
    """Whether two things are tensors with the same numbers."""
    import torch

    tensors = isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and one.shape == other.shape and bool(torch.equal(one, other))


def _close(tensor: Any) -> float:
    """What rounding may make of a linear map in the tensor's type, relative to its size."""
    import torch

    return max(_CLOSE, 8 * torch.finfo(tensor.dtype).eps)


def _double(tensor: Any) -> Floats:
    result: Floats = np.asarray(as_numpy(tensor), dtype=np.float64)
    return result
