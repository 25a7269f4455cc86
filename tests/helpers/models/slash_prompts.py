"""Prompts for slash heads, and the attention that the target gets."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import torch

TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}


def attention(head, prompts, dtype=torch.float64):
    """The attention weights of a head on prompts, `(prompts, length, length)` in float64."""
    x = torch.tensor(np.array([head.embed(p) for p in prompts])).to(dtype)
    with torch.no_grad():
        return head.to_module(dtype=dtype)(x, return_attention=True)[1].double().numpy()


def on_target(head, prompts, dtype=torch.float64):
    """The attention weights at the offset, `(prompts, rows)`."""
    return np.diagonal(attention(head, prompts, dtype), -head.offset, axis1=1, axis2=2)


def prompts_of(head, length=None, seed=0):
    """Prompts of uniform tokens, half of the vocabulary, one token, repeats, and halves that differ."""
    rng, tokens = np.random.default_rng(seed), len(head.embeddings)
    size = head.length if length is None else length
    cycle = np.resize(rng.permutation(tokens)[:3], size)
    halves = np.repeat([0, tokens - 1], [size // 2, size - size // 2])
    return [
        *rng.integers(0, tokens, (3, size)).tolist(),
        rng.integers(tokens // 2, tokens, size).tolist(),
        [tokens - 1] * size,
        cycle.tolist(),
        halves.tolist(),
    ]


def by_hand(head):
    """The logits of every pair of tokens at every lag, `(tokens, tokens, lags)`, by complex numbers."""
    spec = head.spec
    real, imaginary = (list(c) for c in zip(*spec.plane_coordinates(), strict=True))
    factor = np.ones(spec.planes)
    factor[: spec.rotary_planes] = float(spec.attention_factor())
    sides = []
    for weights in (head.w_q, head.w_k):
        vectors = head.embeddings @ weights.T
        sides.append((vectors[:, real] + 1j * vectors[:, imaginary]) * factor)
    with mpmath.workdps(40):
        turns = np.array(
            [
                [
                    complex(mpmath.expj(t * mpmath.mpf(str(theta.evalf(40)))))
                    for t in range(head.length)
                ]
                for theta in spec.frequencies()
            ]
        )
    table = np.einsum("ap,bp,pt->abt", sides[0], sides[1].conj(), turns).real
    return table / math.sqrt(spec.head_dim)
