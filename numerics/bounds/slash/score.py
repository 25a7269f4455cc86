r"""Slash scores at every lag, from attention matrices or directly from queries and keys.

The slash score of offset `Delta` is the mean of `S_{i, i - Delta}` over the rows that have such a
key (definition `slash.score`). All lags together are the sums of a matrix along its diagonals.

**Diagonals of a block.** Rows `r, ..., r + R - 1` are written into a buffer whose rows are `W`
numbers long, after `R - 1` zeros. Read again with rows of `W + 1` numbers, the same buffer has one
lag per column, so that one matrix-vector product sums all diagonals of the block. The vector holds
the inverse softmax denominators: the rows need not be normalised first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import rotate
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["dominant_lags", "slash_scores", "slash_scores_of"]

Array = TypeVar("Array", NDArray[Any], "torch.Tensor")

_TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2, "bfloat16": 2e-2}
"""The allowed distance of a row's sum from 1 in each type, for the rounding of 16,384 weights."""


def slash_scores(attention: Array, *, prompts: int | None = None, block: int = 128) -> Array:
    """The slash score of every lag `0 <= Delta < length`, `(..., length)` float64.

    `attention` holds causal attention weights, `(..., length, length)`, row `i` those of query
    `i`; a NumPy array or a torch tensor, and so is the result. `prompts` is the axis of
    `attention` over which scores are averaged (the expectation of `slash.score`, as a mean over a
    sample); without it every leading axis stays. Lag `length - 1` is the mean of a single row.

    >>> slash_scores(np.array([[1.0, 0.0], [0.25, 0.75]])).tolist()
    [0.875, 0.25]

    Cost: each weight is read once; memory for `block` rows. Raises `InvalidArgument` unless the
    rows are weights: finite, not negative, 0 above the diagonal, and of sum 1 up to rounding.
    """
    tensor = _tensor("attention", attention)
    if tensor.ndim < 2 or tensor.shape[-1] != tensor.shape[-2] or tensor.shape[-1] < 1:
        allowed = "shape (..., length, length), length >= 1"
        raise InvalidArgument("attention", f"shape {tuple(tensor.shape)}", allowed)
    axis = _prompt_axis(prompts, tensor)
    length = tensor.shape[-1]
    rows = min(read_integer("block", block, least=1), length)
    flat = tensor.detach().reshape(-1, length, length)
    sums = [_matrix_scores(matrix, rows) for matrix in flat]
    scores = _stack(sums, tensor).reshape(*tensor.shape[:-1])
    if axis is not None:
        scores = scores.mean(axis)
    result: Array = _like(attention, scores)
    return result


def slash_scores_of(
    queries: Array, keys: Array, spec: RopeSpec, *, scale: float | None = None, block: int = 128
) -> Array:
    """Slash scores of causal heads without their attention matrices, `(..., length)` float64.

    `queries` and `keys` are unrotated, `(..., length, head_dim)`, NumPy arrays or torch tensors of
    one type, the leading axes broadcast (so keys may be shared by a group of queries). `scale` is
    `s`, by default `1/sqrt(head_dim)`. The result is float64; logits and weights are computed in
    the type of the arguments, half precision in float32. Equal to `slash_scores` of the softmax of
    `ropeproof.numerics.core.spec.logits` up to rounding.

    >>> queries = np.zeros((3, 8))
    >>> slash_scores_of(queries, queries, RopeSpec(8, 10000))[0] == (1 + 1/2 + 1/3) / 3
    np.True_

    Cost: `length^2 head_dim` multiplications and `length^2/2` exponentials per head, memory for
    `block (length + block)` logits and for the rotated queries and keys.
    Raises `InvalidArgument` on shapes or types that do not match, on numbers not finite, and if
    logits overflow.
    """
    import torch

    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    factor = 1 / math.sqrt(spec.head_dim) if scale is None else float(read_rational("scale", scale))
    rows = read_integer("block", block, least=1)
    q, k = _vectors("queries", queries, spec), _vectors("keys", keys, spec)
    if isinstance(queries, np.ndarray) is not isinstance(keys, np.ndarray) or q.dtype != k.dtype:
        got = f"{type(keys).__name__} of {k.dtype}"
        raise InvalidArgument("keys", got, f"{type(queries).__name__} of {q.dtype}, as queries")
    try:
        leading = np.broadcast_shapes(tuple(q.shape[:-2]), tuple(k.shape[:-2]))
    except ValueError:
        leading = None
    if leading is None or q.shape[-2] != k.shape[-2]:
        allowed = f"shape {tuple(q.shape)} as queries, or leading axes that broadcast with them"
        raise InvalidArgument("keys", f"shape {tuple(k.shape)}", allowed)
    length = q.shape[-2]
    with torch.no_grad():
        if q.dtype in {torch.float16, torch.bfloat16}:
            q, k = q.float(), k.float()
        places = np.arange(length)
        q, k = rotate(q, places, spec) * factor, rotate(k, places, spec)
        heads_q = q.expand(*leading, *q.shape[-2:]).reshape(-1, *q.shape[-2:])
        heads_k = k.expand(*leading, *k.shape[-2:]).reshape(-1, *k.shape[-2:])
        each = [
            _head_scores(*pair, min(rows, length)) for pair in zip(heads_q, heads_k, strict=True)
        ]
        scores = _stack(each, q).reshape(*leading, length)
    # An infinite logit leaves no number in its row, and so in no sum over rows.
    if not bool(scores.isfinite().all()):
        allowed = f"queries and keys whose logits are finite in {q.dtype}"
        raise InvalidArgument("queries", "logits that are not finite", allowed)
    result: Array = _like(queries, scores)
    return result


def dominant_lags(scores: Array, threshold: float, *, least_rows: int = 1) -> list[int]:
    """The offsets at which one head is slash-dominant at a threshold, increasing.

    Definition `slash.dominance`: the score is at least the threshold. `scores` is `(length,)`. Only lags that
    are a mean of at least `least_rows` rows count: a head that attends to the first token has a high score at
    the very last lags, of few rows each.

    >>> dominant_lags(np.array([0.05, 0.9, 0.05]), 0.5)
    [1]

    Raises `InvalidArgument` unless `0 < threshold <= 1` and `1 <= least_rows <= length`.
    """
    values, level = _read_scores(scores), _threshold(threshold)
    if values.ndim != 1:
        raise InvalidArgument("scores", f"shape {tuple(values.shape)}", "shape (length,), one head")
    rows = read_integer("least_rows", least_rows, least=1)
    if rows > len(values):
        raise InvalidArgument("least_rows", least_rows, f"at most the length, {len(values)}")
    kept = values[: len(values) - rows + 1]
    return [int(lag) for lag in (kept >= level).nonzero().flatten().tolist()]


def _head_scores(queries: torch.Tensor, keys: torch.Tensor, rows: int) -> torch.Tensor:
    """Slash scores of one head from its rotated, scaled queries and rotated keys, `(length,)`."""
    import torch

    length, pad = len(queries), rows - 1
    buffer = queries.new_zeros(rows, pad + length)
    future = torch.ones(rows, rows, dtype=torch.bool, device=queries.device).triu(1)
    totals = torch.zeros(length + rows, dtype=torch.float64, device=queries.device)
    for first in range(0, length, rows):
        count = min(rows, length - first)
        last = first + count
        logits = buffer[:count, pad : pad + last]
        torch.matmul(queries[first:last], keys[:last].T, out=logits)
        logits[:, first:].masked_fill_(future[:count, :count], -torch.inf)
        logits.sub_(logits.amax(-1, keepdim=True)).exp_()
        _add_diagonals(totals, buffer, 1 / logits.sum(-1), first)
    return _means(totals, length)


def _matrix_scores(matrix: torch.Tensor, rows: int) -> torch.Tensor:
    """Slash scores of one attention matrix, `(length,)`, with its weights checked on the way."""
    import torch

    length, pad = len(matrix), rows - 1
    tolerance = _TOLERANCES.get(str(matrix.dtype).removeprefix("torch."), 2e-2)
    work = matrix.dtype if matrix.dtype == torch.float64 else torch.float32
    buffer = torch.zeros(rows, pad + length, dtype=work, device=matrix.device)
    ones = torch.ones(rows, dtype=work, device=matrix.device)
    totals = torch.zeros(length + rows, dtype=torch.float64, device=matrix.device)
    for first in range(0, length, rows):
        count = min(rows, length - first)
        weights = buffer[:count, pad:]
        weights.copy_(matrix[first : first + count])
        # Written so that NaN is refused too.
        if not bool((weights >= 0).all()):
            raise InvalidArgument("attention", "a weight that is not >= 0", "finite weights >= 0")
        if bool(weights[:, first:].triu(1).any()):
            got = "a positive weight above the diagonal"
            raise InvalidArgument("attention", got, "causal attention")
        off = float((weights.sum(-1, dtype=torch.float64) - 1).abs().max())
        if not off <= tolerance:
            raise InvalidArgument("attention", f"a row of sum off by {off:.1e}", "rows of sum 1")
        _add_diagonals(totals, buffer, ones[:count], first)
    return _means(totals, length)


def _add_diagonals(
    totals: torch.Tensor, buffer: torch.Tensor, weights: torch.Tensor, first: int
) -> None:
    """Add the weighted diagonals of the rows from `first` on to the totals of their lags."""
    pad = len(buffer) - 1
    seen = first + pad + 1
    # Column u of this view holds, row by row, the weights at lag first + pad - u.
    slanted = buffer.as_strided((len(weights), seen), (buffer.shape[1] + 1, 1))
    totals[:seen] += (weights @ slanted).flip(0)


def _means(totals: torch.Tensor, length: int) -> torch.Tensor:
    import torch

    rows = torch.arange(length, 0, -1, dtype=torch.float64, device=totals.device)
    return totals[:length] / rows


def _stack(scores: list[torch.Tensor], like: torch.Tensor) -> torch.Tensor:
    import torch

    if not scores:
        return torch.zeros(0, dtype=torch.float64, device=like.device)
    return torch.stack(scores)


def _tensor(name: str, values: Any) -> torch.Tensor:
    """The argument as a torch tensor that shares its memory."""
    import torch

    if isinstance(values, np.ndarray):
        if values.dtype not in {np.dtype(t) for t in (np.float16, np.float32, np.float64)}:
            raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
        # Torch has no negative strides and warns of memory that it may not write to.
        plain = values if min(values.strides, default=0) >= 0 else values.copy()
        return torch.from_numpy(plain if plain.flags.writeable else plain.copy())
    if not isinstance(values, torch.Tensor):
        raise InvalidArgument(name, type(values).__name__, "a NumPy array or a torch tensor")
    if not values.is_floating_point():
        raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
    return values.detach()


def _vectors(name: str, values: Any, spec: RopeSpec) -> torch.Tensor:
    tensor = _tensor(name, values)
    shape = tuple(tensor.shape)
    if len(shape) < 2 or shape[-1] != spec.head_dim or shape[-2] < 1:
        raise InvalidArgument(name, f"shape {shape}", f"shape (..., length, {spec.head_dim})")
    if not bool(tensor.isfinite().all()):
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    return tensor


def _prompt_axis(prompts: int | None, tensor: torch.Tensor) -> int | None:
    if prompts is None:
        return None
    axis = read_integer("prompts", prompts, least=0)
    if axis >= tensor.ndim - 2:
        allowed = f"a leading axis of attention, below {tensor.ndim - 2}"
        raise InvalidArgument("prompts", prompts, allowed)
    if not tensor.shape[axis]:
        raise InvalidArgument("attention", "no prompts", "at least one prompt to average over")
    return axis


def _read_scores(scores: Any) -> torch.Tensor:
    tensor = _tensor("scores", scores)
    if tensor.ndim < 1 or tensor.shape[-1] < 1 or not bool(tensor.isfinite().all()):
        allowed = "finite scores of shape (..., length)"
        raise InvalidArgument("scores", f"shape {tuple(tensor.shape)}", allowed)
    return tensor


def _threshold(threshold: object) -> float:
    level = float(read_rational("threshold", threshold))
    if not 0 < level <= 1:
        raise InvalidArgument("threshold", threshold, "0 < number <= 1")
    return level


def _like(model: Any, result: torch.Tensor) -> Any:
    """The result as a NumPy array if `model` is one, else as the tensor that it is."""
    return result.numpy() if isinstance(model, np.ndarray) else result
