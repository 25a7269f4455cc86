"""The head of least amplitude for a weight on a target in the middle of a row: the soft optimum built.

Where `slash_head` takes the amplitude that the margin asks for, which counts every competitor as if it were
the nearest, this head takes the least with which all of them together leave the target its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.heads.slash.head import SlashHead, certified_slash, mean_vectors
from ropeproof.constructions.rope import SHARED
from ropeproof.numerics.bounds.slash.soft import soft_optimum
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["soft_head"]

Floats = NDArray[np.float64]
_TOKENS = tuple(f"token{number}" for number in range(16))
_SLACK = 2.0**-46
_MOST_SLACK = 2.0**-10


def soft_head(
    spec: RopeSpec, reach: int, score: float, *, tokens: Sequence[str] = _TOKENS
) -> SlashHead:
    """The head of least amplitude whose target, with at most `reach` lags on each side, has a weight.

    It attends `reach` tokens back, on prompts of at most `2 reach + 1` tokens; run in float64, every row that
    reaches back so far gives its target at least the weight `score` on every prompt of the tokens. Its
    queries and keys are the same for all tokens, and its amplitude exceeds that of the soft optimum by
    what rounding costs alone. It copies the tokens' own parts, as `slash_head`.

    - `certificates` says what is left in float32 and bfloat16; `certificate` is that of float64, by
      `slash.sandwich` (all lags together), not by the margin.

    >>> head = soft_head(RopeSpec(8, 100), 6, 0.9)
    >>> head.offset, head.length, head.certificate.quantities["score"] >= 0.9
    (6, 13, True)

    Claim `slash.soft-optimal`. Cost: that of `soft_optimum` and certified scans of the row. Raises
    `InvalidArgument`, naming the argument, as `soft_optimum`, and where float64 cannot certify the score.
    """
    best = soft_optimum(spec, reach=reach, score=score)
    space = Directions([SHARED, *Directions(tokens).names])
    embeddings = np.concatenate((np.ones((len(space) - 1, 1)), np.eye(len(space) - 1)), axis=1)
    copy = np.eye(len(space))
    copy[0, 0] = 0.0
    phases = np.remainder(-frequencies_float64(spec) * reach, 2 * np.pi)
    slack = _SLACK
    while slack <= _MOST_SLACK:
        sides = []
        for bar in mean_vectors(spec, best.amplitudes * (1 + slack), phases):
            side = np.zeros((spec.head_dim, len(space)))
            side[:, 0] = bar
            sides.append(side)
        head = certified_slash(
            sides[0],
            sides[1],
            copy,
            np.eye(len(space)),
            spec,
            space,
            embeddings,
            reach,
            2 * reach + 1,
        )
        certified = head.certificates["float64"]
        if certified.quantities["score"] >= best.score or not best.amplitudes.any():
            return replace(head, certificate=certified)
        slack *= 4
    raise InvalidArgument("score", score, "a smaller number: float64 rounds this one away")
