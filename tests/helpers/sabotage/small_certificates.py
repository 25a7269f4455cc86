"""A first layer of six tokens, a law of them, and the record of its certificate."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from ropeproof.numerics.certificate.first_layer import FirstLayer
from ropeproof.numerics.certificate.law import TokenLaw
from ropeproof.numerics.certificate.record import Maker
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LAW", "made", "tiny"]

LAW = TokenLaw.of_ids("letters", b"abacabe", [0, 1, 0, 2, 0, 1, 4])


def tiny(strength: float = 3.0, seed: int = 0) -> FirstLayer:
    """Six tokens, width 8, four heads of two planes that share two key heads."""
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    return FirstLayer(
        embedding=draw(6, 8),
        norm=np.ones(8, dtype=np.float32) + draw(8) / 4,
        eps=1e-5,
        query=draw(4, 2, 2, 8) * np.float32(strength / 3),
        key=draw(2, 2, 2, 8) * np.float32(0.5),
        spec=RopeSpec(4, base=100),
        scale=0.5,
        name="tiny",
    )


@cache
def _text(lags: int, long: int, named: int) -> str:
    maker = Maker(tiny(), LAW, lags=lags, long=long, named=named)
    while maker.step():
        pass
    return json.dumps(maker.record())


def made(*, lags: int = 5, long: int = 7, named: int = 2) -> Any:
    """A record of `tiny()` and `LAW`, as it is read from a file."""
    return json.loads(_text(lags, long, named))
