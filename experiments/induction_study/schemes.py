"""One small causal language model with four kinds of positions, and how additive its logits are.

NoPE has none, RoPE rotates queries and keys, ALiBi subtracts a slope times the lag, T5 adds a learned
number for each bucket of lags. All else is the same, the initial weights too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SCHEMES", "Shape", "Small", "grid_r_squared", "train", "triangle_correlation"]

SCHEMES = ("nope", "rope", "alibi", "t5")
BUCKETS = 16
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """The sizes that all compared models share."""

    vocabulary: int = 256
    layers: int = 2
    heads: int = 4
    width: int = 64
    length: int = 64

    @property
    def head_dim(self) -> int:
        return self.width // self.heads


class Layer(nn.Module):
    """A layer of attention and an MLP, each after a norm, that records its last queries, keys and bias."""

    def __init__(self, shape: Shape, scheme: str) -> None:
        super().__init__()
        self.shape, self.scheme = shape, scheme
        width = shape.width
        self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )
        self.buckets = nn.Parameter(torch.zeros(shape.heads, BUCKETS)) if scheme == "t5" else None
        self.seen: tuple[torch.Tensor, torch.Tensor, torch.Tensor] | None = None

    def bias(self, length: int) -> torch.Tensor:
        """The bias that is added to the logits at each lag, `(heads, length)`."""
        lag = torch.arange(length)
        if self.scheme == "alibi":
            slopes = 2.0 ** (-8 * torch.arange(1, self.shape.heads + 1) / self.shape.heads)
            return -slopes[:, None] * lag
        if self.buckets is None:
            return torch.zeros(self.shape.heads, length)
        half = BUCKETS // 2
        far = half + (half * torch.log((lag.clamp(min=1)) / half) / math.log(128 / half)).long()
        return self.buckets[:, torch.where(lag < half, lag, far.clamp(max=BUCKETS - 1))]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        split = self.qkv(self.norm(x)).view(batch, length, 3, self.shape.heads, -1)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        bias = self.bias(length)
        self.seen = q.detach(), k.detach(), bias.detach()
        if self.scheme == "rope":
            q, k = turned(q), turned(k)
        logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        lag = torch.arange(length)[:, None] - torch.arange(length)
        logits = (logits + bias[:, lag.clamp(min=0)]).masked_fill(lag < 0, -math.inf)
        mixed = (logits.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(mixed)
        result: torch.Tensor = x + self.mlp(self.norm2(x))
        return result


class Small(nn.Module):
    """A small causal language model: tokens `(batch, length)` to logits `(batch, length, vocabulary)`."""

    def __init__(self, shape: Shape, scheme: str, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        nn.init.normal_(self.embedding.weight, std=0.5)
        self.layers = nn.ModuleList(Layer(shape, scheme) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.out = nn.Linear(shape.width, shape.vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        result: torch.Tensor = self.out(self.norm(x))
        return result


def turned(x: torch.Tensor) -> torch.Tensor:
    """The vectors `(..., length, head_dim)` rotated by position in interleaved planes, base 10000."""
    theta = torch.from_numpy(frequencies_float64(RopeSpec(x.shape[-1], 10_000)))
    angles = torch.arange(x.shape[-2])[:, None] * theta
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * turns.to(pairs.dtype)).flatten(-2)


def train(
    model: Small, text: NDArray[np.int64], *, length: int, steps: int, batch: int, seed: int
) -> float:
    """Train in place by Adam on windows of the text; returns the mean loss of the last tenth, in nats."""
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    random = np.random.default_rng([seed, 3])
    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1, (step + 1) / 30) * (1 - 0.95 * step / steps)
        starts = random.integers(len(text) - length, size=batch)
        block = torch.from_numpy(np.stack([text[s : s + length + 1] for s in starts]))
        loss = nn.functional.cross_entropy(model(block[:, :-1]).transpose(1, 2), block[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses[-max(1, steps // 10) :]))


def logits_at_every_lag(queries: Floats, keys: Floats, bias: Floats, *, rope: bool) -> Floats:
    """The logit of each query with each key at each lag, `(queries, lags, keys)`, as if placed there."""
    dim = queries.shape[1]
    if not rope:
        plain = queries @ keys.T / math.sqrt(dim)
        return plain[:, np.newaxis] + bias[np.newaxis, :, np.newaxis]
    theta = frequencies_float64(RopeSpec(dim, 10_000))
    q, k = (side[:, ::2] + 1j * side[:, 1::2] for side in (queries, keys))
    turns = np.exp(1j * np.outer(np.arange(len(bias)), theta))
    product = np.einsum("il,tl,jl->itj", q, turns, k.conj(), optimize=True).real
    result: Floats = product / math.sqrt(dim) + bias[np.newaxis, :, np.newaxis]
    return result


def grid_r_squared(logits: Floats) -> float:
    """The R² of the best lag part plus key part of each query, for logits `(queries, lags, keys)`."""
    whole = logits - logits.mean((1, 2), keepdims=True)
    rest = whole - whole.mean(1, keepdims=True) - whole.mean(2, keepdims=True)
    return 1 - float((rest**2).sum() / (whole**2).sum())


def triangle_correlation(matrix: Floats) -> float:
    """The correlation of row-centred causal logits `(n, n)` with the best key part plus lag part.

    Rows from 1 on; the fit is by least squares on the triangle, and rows' means are free.
    """
    n = len(matrix)
    rows, columns = np.tril_indices(n)
    parts = np.zeros((len(rows), 2 * n))
    parts[np.arange(len(rows)), columns] = 1
    parts[np.arange(len(rows)), n + rows - columns] = 1
    values = matrix[rows, columns]
    counts = np.arange(1, n + 1)[:, np.newaxis]
    sums = np.zeros((n, 2 * n))
    np.add.at(sums, rows, parts)
    parts -= (sums / counts)[rows]
    values = values - (np.bincount(rows, values) / counts[:, 0])[rows]
    # Normal equations with the smallest eigenvalues left out: shifts between the axes change nothing.
    fitted = parts @ (np.linalg.pinv(parts.T @ parts, rcond=1e-10) @ (parts.T @ values))
    return float(np.sqrt((fitted**2).sum() / (values**2).sum()))
