r"""The full model of `slash.gd.*` in PyTorch: a key matrix, embeddings, prompts of distinct tokens.

Nothing of the reduced dynamics is used here: attention is computed token by token, the read-out
copies tokens, the loss is a cross-entropy over the vocabulary, and its gradient is by automatic
differentiation. So a run can be held against `ropeproof.numerics.bounds.slash.descent.key.descend`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.descent.objective import SlashObjective, planes_of
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FullDescent", "cone_embeddings", "descend_fully", "shifted_prompts"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FullDescent:
    """The record of every step of a run of the full model, from `tau = 0` on.

    - `losses`: the population cross-entropy, `(steps + 1,)`.
    - `keys`: `W_K u`, `(steps + 1, head_dim)`, `u` the shared direction.
    - `off_direction`: `|W_K (I - u u^T)|` (Frobenius), `(steps + 1,)`: 0 if keys are rank one.
    - `matrix`: `W_K` at the end, `(head_dim, width)`.
    """

    losses: Floats
    keys: Floats
    off_direction: Floats
    matrix: Floats


def cone_embeddings(vocabulary: int, width: int, *, spread: float = 1.0, seed: int = 0) -> Floats:
    """Embeddings `u + s_v`, `(vocabulary, width)`, `u` the first unit vector, `s_v` orthogonal.

    The `s_v` are normal with standard deviation `spread`, and centred: their sum is 0.
    Raises `InvalidArgument` unless `vocabulary >= 2` and `width >= 2`.
    """
    tokens = read_integer("vocabulary", vocabulary, least=2)
    columns = read_integer("width", width, least=2)
    parts = spread * np.random.default_rng(seed).normal(size=(tokens, columns))
    parts -= parts.mean(0)
    parts[:, 0] = 1.0
    return parts


def shifted_prompts(vocabulary: int, length: int) -> Integers:
    """All prompts `v, v + 1, ...` modulo the vocabulary, `(vocabulary, length)`.

    The smallest population in which a prompt's tokens are distinct and every token is equally
    likely at every position, so that `E[s_z] = 0` there. Raises `InvalidArgument` unless
    `1 <= length <= vocabulary`.
    """
    tokens = read_integer("vocabulary", vocabulary, least=1)
    size = read_integer("length", length, least=1)
    if size > tokens:
        raise InvalidArgument("length", length, f"at most the vocabulary, {tokens}")
    result: Integers = np.add.outer(np.arange(tokens), np.arange(size)) % tokens
    return result


def descend_fully(
    spec: RopeSpec, query: Any, offset: int, embeddings: Any, prompts: Any, steps: int
) -> FullDescent:
    """Gradient descent on the key matrix `W_K`, `(head_dim, width)`, from 0, with step `1/beta`.

    `W_Q x = query` for every token; `embeddings` is `(vocabulary, width)`, each with 1 in its
    first coordinate (the shared direction `u`); `prompts` is `(prompts, length)` tokens, each
    prompt of distinct ones, equally likely. The head's prediction at row `i` is
    `sum_j S_ij e_{z_j}`, and the loss the cross-entropy against the token `offset` back.

    Cost per step: attention of every prompt, forward and backward. Raises `InvalidArgument`.
    """
    import torch

    q, x, tokens = _read(spec, query, embeddings, prompts)
    length = tokens.shape[1]
    objective = SlashObjective(spec, offset, length)
    lag, last = objective.offset, read_integer("steps", steps, least=1)
    beta = float(((objective.units * np.abs(planes_of("query", query, spec))) ** 2).sum())
    if not beta > 0:
        raise InvalidArgument("query", "0", "a query that is not 0")
    embedded, places = torch.from_numpy(x), torch.from_numpy(tokens)
    queries = torch.from_numpy(np.tile(q, (length, 1)))
    positions = np.arange(length)
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    copies = torch.nn.functional.one_hot(places, len(x)).double()
    wanted = places[:, : length - lag].unsqueeze(-1)
    matrix = torch.zeros(spec.head_dim, x.shape[1], dtype=torch.float64, requires_grad=True)
    losses, keys, off = [], [], []
    for step in range(last + 1):
        found = (embedded @ matrix.T)[places]
        attention = logits(queries, found, positions, positions, spec)
        attention = attention.masked_fill(future, -torch.inf).softmax(-1)
        predicted = (attention @ copies)[:, lag:].gather(-1, wanted)
        loss = -predicted.log().mean()
        values = matrix.detach()
        losses.append(float(loss.detach()))
        keys.append(values[:, 0].clone().numpy())
        off.append(float(values[:, 1:].norm()))
        if step < last:
            (gradient,) = torch.autograd.grad(loss, matrix)
            matrix = (values - gradient / beta).requires_grad_()
    final: Floats = matrix.detach().numpy()
    return FullDescent(np.array(losses), np.array(keys), np.array(off), final)


def _read(
    spec: RopeSpec, query: Any, embeddings: Any, prompts: Any
) -> tuple[Floats, Floats, Integers]:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    planes_of("query", query, spec)
    x = np.asarray(embeddings, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2 or not np.isfinite(x).all() or (x[:, 0] != 1).any():
        allowed = "finite numbers, (vocabulary, width >= 2), with 1 in the first coordinate"
        raise InvalidArgument("embeddings", f"shape {x.shape}", allowed)
    tokens = np.asarray(prompts)
    if tokens.ndim != 2 or tokens.dtype.kind not in "iu" or tokens.size == 0:
        raise InvalidArgument("prompts", f"shape {tokens.shape}", "integers, (prompts, length)")
    if tokens.min() < 0 or tokens.max() >= len(x):
        raise InvalidArgument("prompts", prompts, f"tokens from 0 to {len(x) - 1}")
    if (np.diff(np.sort(tokens, axis=1), axis=1) == 0).any():
        raise InvalidArgument("prompts", prompts, "prompts of distinct tokens")
    return np.asarray(query, dtype=np.float64), x, tokens.astype(np.int64)
