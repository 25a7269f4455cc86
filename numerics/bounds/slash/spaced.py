r"""Few spaced planes: which of a spec's planes guarantee a margin in a window, at what amplitude.

Claims `slash.spaced` and `slash.spaced-standard`: planes of frequencies 1, ..., each 3/2 to 3 times
as fast as the next, the last turning by at most pi in the window, guarantee a margin of
`3 (1 - cos 1) A_-` if the first has the amplitude `3 A_-` and each other one `A_-`; that is a total of
`(K + 2) A_-` for K planes. It is compared with the amplitude of the head with the best margin (`slash.game`) and that of
equal shares of the fast planes (`slash.band-uniform`).
A head can have the score without the margin, with less amplitude.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.softmax import margin_needed
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["HeadCost", "head_cost", "spaced_amplitudes", "spaced_floor", "spaced_planes"]

Floats = NDArray[np.float64]
_MOST_LENGTH = 2**40
_FLOOR = Stated("slash.spaced", "below.own")
_UNIFORM = Stated("slash.band-uniform", "body.then.below.own", {"amplitude": "A_low"})


def spaced_planes(spec: RopeSpec, length: int) -> tuple[int, ...]:
    """The fewest spaced planes that guarantee a margin at every lag below `length`, fastest first.

    >>> spaced_planes(RopeSpec(128, 10000), 1024)
    (0, 7, 14, 21, 28, 35, 42)

    Claim `slash.spaced`; every inequality is decided by enclosures of the frequencies, which need not be
    standard. Raises `InvalidArgument` unless `length >= 2`, and `Unsupported` if the frequencies have
    no such planes: none of frequency 1, a gap of more than a factor 3, or none slow enough. Cost: a
    comparison of every two planes.
    """
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    reach = read_integer("length", length, least=2, most=_MOST_LENGTH) - 1
    theta = frequencies_ball(spec)
    with precision(BITS):
        fastest = [plane for plane, own in enumerate(theta) if own == 1][:1]
        paths: list[tuple[int, ...]] = [(plane,) for plane in fastest]
        if not paths:
            raise Unsupported("spaced planes: no plane has frequency 1")
        seen = {paths[0][0]}
        while paths:
            for path in paths:
                if reach * theta[path[-1]] <= arb.pi():
                    return path
            longer: list[tuple[int, ...]] = []
            for path in paths:
                own = theta[path[-1]]
                for plane, other in enumerate(theta):
                    near = other > 0 and 2 * own >= 3 * other and own <= 3 * other
                    if near and plane not in seen:
                        seen.add(plane)
                        longer.append((*path, plane))
            paths = sorted(longer, key=lambda path: float(theta[path[-1]]))
    told = "no planes, each 3/2 to 3 times as fast as the next, reach so far"
    raise Unsupported(f"spaced planes for {length} positions: {told}")


def spaced_amplitudes(spec: RopeSpec, length: int) -> Floats:
    """The amplitudes of the spaced head per `A_-`, `(planes,)`.

    They are 3 on the first spaced plane, 1 on each other one, and 0 elsewhere. Raises as `spaced_planes`.
    """
    chosen = spaced_planes(spec, length)
    amplitudes = np.zeros(spec.planes)
    amplitudes[list(chosen)] = 1.0
    amplitudes[chosen[0]] = 3.0
    return amplitudes


def spaced_floor() -> Enclosure:
    """`3 (1 - cos 1)`, a lower bound of the spaced head's margin, in logits per unit of `A_-`.

    Claim `slash.spaced`.

    >>> f"{spaced_floor().lower:.4f}"
    '1.3791'
    """
    return _FLOOR.enclose()


@dataclass(frozen=True)
class HeadCost:
    """The total amplitude that makes a head slash-dominant, by three theorems; in logits.

    - `margin`: `ln((N - 1) kappa/(1 - kappa))`, the margin by `slash.emergence` without noise;
    - `game`: the amplitude of the head with the best margin on a symmetric window (`slash.game`), enclosed;
    - `spaced`: that of spaced planes (`slash.head`, (b)), on `planes` of them;
    - `uniform`: that of equal shares of the `fast` fastest planes (`slash.band-uniform`), None where the
      claim does not apply.
    """

    margin: Enclosure
    game: Enclosure
    spaced: Enclosure
    planes: int
    uniform: Enclosure | None
    fast: int


def head_cost(spec: RopeSpec, length: int, score: float) -> HeadCost:
    """The amplitudes with which a head reaches a score on windows of `length`, by three theorems.

    >>> cost = head_cost(RopeSpec(128, 10000), 1024, 0.9)
    >>> [f"{x.upper:.1f}" for x in (cost.game, cost.spaced, cost.uniform)]
    ['27.8', '59.6', '992.8']
    >>> cost.planes, cost.fast
    (7, 50)

    Cost: a slash game. Raises `InvalidArgument` unless `0 < score < 1`, and as `spaced_planes`.
    """
    number("score", score, above=0, below=1)
    chosen = spaced_planes(spec, length)
    needed = margin_needed(score, length)
    solved = optimal_slash(spec, length - 1)
    theta = frequencies_ball(spec)
    with precision(BITS):
        least, most = arb(needed.lower), arb(needed.upper)
        both = least.union(most)
        value = arb(solved.lower).union(arb(solved.upper))
        enough = [l + 1 for l, own in enumerate(theta) if (length - 1) * own <= 1]
        standard = all(own <= arb.pi() * other for own, other in pairwise(theta))
        fast = enough[0] if enough and standard and spec.scaling is None else 0
        return HeadCost(
            margin=needed,
            game=enclosed(both / value),
            spaced=enclosed((len(chosen) + 2) * both / _FLOOR.ball()),
            planes=len(chosen),
            uniform=enclosed(fast * both / _UNIFORM.ball(amplitude=1)) if fast else None,
            fast=fast,
        )
