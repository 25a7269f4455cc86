"""The positional and symbolic scores of a head, computed by their definition."""

from __future__ import annotations

import itertools
import math

import numpy as np

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.rotary.spec import RopeSpec

few = settings_for("quick", cases=30)


SPEC = RopeSpec(8, 100)


def head_row(queries, keys, spec, row, *, scale=None, cap=None):
    """The attention weights of one row, as a head computes them, `(row + 1,)`."""
    places = np.arange(row + 1)
    found = logits(queries[row : row + 1], keys[: row + 1], [row], places, spec, scale=scale)[0]
    if cap is not None:
        found = cap * np.tanh(found / cap)
    sizes = np.exp(found - found.max())
    return sizes / sizes.sum()


def similarity(left, right):
    return float(left @ right / math.sqrt((left @ left) * (right @ right)))


def score_by_definition(run, positions, *, block=1, tau=1e-4):
    """The scores of a row, from `run(contents)`, its attention weights with those contents.

    `contents[p]` is the number of the content at position `p`.
    """
    blocks = [range(first, first + block) for first in range(0, positions - block + 1, block)]
    plain = list(range(positions))
    row = run(plain)
    means = [np.mean([row[p] for p in places]) for places in blocks]
    sums, gaps = [], []
    for i, j in itertools.combinations(range(len(blocks)), 2):
        contents = list(plain)
        for left, right in zip(blocks[i], blocks[j], strict=True):
            contents[left], contents[right] = right, left
        swapped = run(contents)
        after = np.array([np.mean([swapped[p] for p in blocks[k]]) for k in (i, j)])
        before = np.array([means[i], means[j]])
        sums.append((similarity(after, before), similarity(after, before[::-1])))
        gaps.append(abs(means[i] - means[j]) / tau)
    weights = np.exp(np.array(gaps) - max(gaps))
    return weights @ np.array(sums) / weights.sum()


def by_definition(queries, keys, spec, *, block=1, tau=1e-4, **options):
    last = len(queries) - 1

    def run(contents):
        moved = keys[[*contents, *range(len(contents), len(keys))]]
        return head_row(queries, moved, spec, last, **options)

    return score_by_definition(run, last, block=block, tau=tau)


def vectors(*shape, seed=0, dim=8):
    return np.random.default_rng(seed).normal(size=(2, *shape, dim)) * 1.5
