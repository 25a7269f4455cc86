"""A random head, and its additive fits by their definition."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.core.spec import logits
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

SPEC = RopeSpec(16, 10000)


SPECS = {
    "half": SPEC,
    "interleaved": RopeSpec(16, 500, layout="interleaved"),
    "partial": RopeSpec(16, 100, rotary_dim=8),
    "attention factor": RopeSpec(
        16, 10000, rotary_dim=8, scaling=Yarn(factor=4, original_length=16), length=64
    ),
}


KINDS = ["reference", "optimal", "query-free", "three-axis"]


def head(length=20, dim=16, seed=0, mean=1.0, keys=None):
    """Random queries and keys around a mean, `(length, dim)` each."""
    random = np.random.default_rng(seed)
    count = length if keys is None else keys
    return (
        random.normal(size=(length, dim)) + mean * random.normal(size=dim),
        random.normal(size=(count, dim)) + mean * random.normal(size=dim),
    )


def find(fits, kind, centred=False):
    (fit,) = [f for f in fits if (f.kind, f.centred) == (kind, centred)]
    return fit


# --- the grid ---------------------------------------------------------------------------------


def grid(queries, keys, spec, length):
    """The logits of every query with every key at every lag, `(queries, lags, keys)`."""
    rows = [logits(queries, keys, np.full(len(queries), t), [0], spec) for t in range(length)]
    return np.array(rows).swapaxes(0, 1)
