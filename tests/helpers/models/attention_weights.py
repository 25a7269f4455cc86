"""The attention weights of a head that is measured."""

from __future__ import annotations

import torch

from ropeproof.tools.measure.head.attention import logit_blocks


def weights_of(vectors, block=4):
    """The attention weights that result from blocks of logits."""
    found = torch.zeros(vectors.length, vectors.length, dtype=torch.float64)
    for start, logits in logit_blocks(vectors, block=block):
        rows, last = logits.shape
        hidden = torch.ones(rows, last, dtype=torch.bool).triu(start + 1)
        hidden |= torch.ones_like(hidden).tril(start - vectors.reach)
        found[start : start + rows, :last] = logits.masked_fill(hidden, -torch.inf).softmax(-1)
    return found
