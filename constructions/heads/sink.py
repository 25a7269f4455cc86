"""A head that gives one token a stated weight wherever the query stands: a sink, an instruction.

All queries are one vector, and the sink alone has a key, so that at lag `t` its logit is the head's
`sum_l A_l cos(theta_l t + phi_l)` and every other logit is 0 (claim `head.sink-horizon`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.heads.slash.head import mean_vectors
from ropeproof.constructions.rope import SHARED
from ropeproof.numerics.bounds.head.sink import best_sink, certified_guarantee
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SinkHead", "sink_head"]

Floats = NDArray[np.float64]
_TOKENS = ("sink", *(f"token{number}" for number in range(1, 8)))
_MOST_LENGTH = 2**26
_ROUNDED = 2.0**-40
"""Of the amplitude: more than the rounding of the weights to doubles moves a logit by."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SinkHead(Head):
    """A head with the vocabulary it is for; its sink is token 0, at position 0 of a prompt alone.

    - `length`: the longest prompt covered, the sink included;
    - `embeddings`: `(tokens, width)`, one row per token of the vocabulary, read-only;
    - `certificate`: in exact arithmetic, `margin`: the sink's logit at every later position, at least,
      where all others are 0; `weight`: the sink's weight there, at least.

    Raises `InvalidArgument` on embeddings of another shape.
    """

    length: int
    embeddings: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        array = np.array(self.embeddings, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != self.width or len(array) < 2:
            allowed = f"(tokens, {self.width}), two tokens at least"
            raise InvalidArgument("embeddings", f"shape {array.shape}", allowed)
        array.flags.writeable = False
        object.__setattr__(self, "embeddings", array)

    def vocabulary(self) -> tuple[tuple[str, ...], Floats]:
        """The tokens' names, the sink first, and their embeddings, `(tokens, width)`."""
        names = () if self.directions is None else self.directions.names[1:]
        return names, self.embeddings


def sink_head(
    spec: RopeSpec,
    length: int,
    score: float = 0.9,
    *,
    tokens: Sequence[str] = _TOKENS,
    tolerance: float = 1e-6,
) -> SinkHead:
    """A head that gives token 0, first in the prompt, at least the weight `score` at every position.

    For prompts of at most `length` of the tokens in which token 0 stands first and nowhere else. Its
    amplitude is the least that the best guarantee per unit amplitude at the lags `1 .. length - 1`
    allows against `length - 1` other keys of logit 0. The head copies each token's own part.
    `tolerance` is for the search of that guarantee.

    >>> from ropeproof.theory.rotary.spec import RopeSpec
    >>> head = sink_head(RopeSpec(8, 10000), 64)
    >>> head.certificate.claim, head.certificate.quantities["weight"] >= 0.9
    ('head.sink-horizon', True)

    Cost: a linear programme and scans of `length` lags. Raises `InvalidArgument` on a bad argument,
    and where no head of these frequencies guarantees a positive logit at that length.
    """
    count = read_integer("length", length, least=2, most=_MOST_LENGTH)
    share = float(read_rational("score", score))
    if not 0 < share < 1:
        raise InvalidArgument("score", score, "a number between 0 and 1")
    if isinstance(tokens, str) or len(tokens) < 2 or len(set(tokens)) < len(tokens):
        raise InvalidArgument("tokens", tokens, "two distinct names at least, the sink's first")
    best = best_sink(spec, count - 1, tolerance=tolerance)
    kept = certified_guarantee(best.amplitudes, best.phases, spec, count - 1) - 2 * _ROUNDED
    if not kept > 0:
        raise InvalidArgument(
            "length", length, "one at which some head guarantees a positive logit (sink_horizon)"
        )
    wanted = math.log(count - 1) + math.log(share) - math.log1p(-share)
    amplitude = max(wanted / kept, 1.0) * (1 + 2.0**-30)
    factor = best.amplitudes.sum()
    query, key = mean_vectors(spec, amplitude / factor * best.amplitudes, best.phases)
    space = Directions([SHARED, *tokens])
    width = len(space)
    copy = np.eye(width)
    copy[0, 0] = 0.0
    w_q, w_k = np.zeros((spec.head_dim, width)), np.zeros((spec.head_dim, width))
    w_q[:, 0], w_k[:, 1] = query, key
    margin = amplitude * kept
    quantities = {
        "amplitude": amplitude * (1 + _ROUNDED),
        "length": float(count),
        "margin": margin,
        "weight": (1 - 2.0**-40) / (1 + (count - 1) * math.exp(-margin)),
    }
    embeddings = np.concatenate((np.ones((width - 1, 1)), np.eye(width - 1)), axis=1)
    return SinkHead(
        w_q,
        w_k,
        copy,
        np.eye(width),
        spec,
        Certificate("head.sink-horizon", quantities, "certified"),
        space,
        length=count,
        embeddings=embeddings,
    )
