r"""Near-returns of a head to its target's logit: ghosts of few planes, and a head without any.

`E_t = sum_l A_l (1 - cos(theta_l t))` in logits is the gap of an aligned head at distance `t`;
where it is nearly 0 again there is a ghost of the slash. Claims `slash.alias`, `slash.uniform`.
"""

from __future__ import annotations

import numpy as np
import sympy
from flint import arb
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.slash.balls import BITS, rational
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure, Extremum
from ropeproof.numerics.core.lag_scan import Frequencies, margin
from ropeproof.numerics.core.lag_scan.head import read_vector
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, floor, read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["alias_bound", "nearest_return", "uniform_floor", "uniform_length", "uniform_margin"]

_MOST_LAGS = 2**26
_ALIAS = Stated("slash.alias", "body.3.above", {"parts": "Q"}, {"amplitude": "total"})
_FLOOR = Stated("slash.uniform", "body.then.below")


def alias_bound(amplitude: object, parts: int) -> Enclosure:
    """`A (1 - cos(2 pi/Q))`, an upper bound of the smallest gap `E_t` at lags `1 <= t < Q^K`.

    In logits, for any aligned head of amplitude `A` on `K` planes; `Q = parts`.

    >>> alias_bound(1, 4)
    Enclosure(lower=1.0, upper=1.0)

    Claim `slash.alias`. Raises `InvalidArgument` unless `amplitude >= 0` and `parts >= 2`.
    """
    size = rational("amplitude", amplitude, least=0)
    return _ALIAS.enclose(amplitude=size, parts=read_integer("parts", parts, least=2))


def nearest_return(amplitudes: ArrayLike, frequencies: Frequencies, *, parts: int) -> Extremum:
    """The smallest gap `E_t` over `1 <= t < Q^K`, certified, for `K` planes and `Q = parts`.

    `amplitudes` have shape `(planes,)`. By `slash.alias` it is at most
    `alias_bound(sum(amplitudes), parts)`, and in practice much less.

    >>> found = nearest_return([1.0], [1], parts=711)
    >>> found.lag, f"{found.upper:.1e}"
    (710, '1.8e-09')

    Cost: a scan of `Q^K - 1` lags. Raises `InvalidArgument` as `ropeproof.numerics.core.lag_scan.margin` and
    unless `parts >= 2`; `Unsupported` beyond `2^26` lags.
    """
    sizes = read_vector("amplitudes", amplitudes)
    lags = read_integer("parts", parts, least=2) ** len(sizes) - 1
    if lags > _MOST_LAGS:
        raise Unsupported(f"a scan of {parts}^{len(sizes)} lags: at most 2^26")
    return margin(sizes, frequencies, reach=lags)


def uniform_length(spec: RopeSpec) -> int:
    """The largest length `N = 1 + floor(b^{1 - 1/m})` to which claim `slash.uniform` applies.

    >>> uniform_length(RopeSpec(128, 10000))
    8660

    Raises `InvalidArgument` unless all planes rotate at the standard frequencies of a base `b` with
    `m ln(pi) >= ln(b)`, decided exactly.
    """
    _standard(spec)
    return 1 + floor(spec.base ** (1 - sympy.Rational(1, spec.planes)))


def uniform_margin(spec: RopeSpec, length: int) -> Extremum:
    """The margin of the aligned head with all amplitudes 1 within `length`, certified.

    `min over 1 <= t < N of sum_l (1 - cos(theta_l t))`, in logits. At least `1 - cos 1` for every `length` up
    to `uniform_length`.

    >>> found = uniform_margin(RopeSpec(128, 10000), 8660)
    >>> f"{found.lower:.3f} at {found.lag}"
    '1.906 at 1'

    Claim `slash.uniform`. Cost: a lag scan. Raises `InvalidArgument` as `uniform_length`, and
    unless `length >= 2`.
    """
    _standard(spec)
    length = read_integer("length", length, least=2)
    return margin(np.ones(spec.planes), spec, reach=length - 1)


def uniform_floor() -> Enclosure:
    """`1 - cos 1`, a lower bound of the uniform head's margin per unit amplitude of each plane.

    In logits; claim `slash.uniform`.

    >>> f"{uniform_floor().lower:.4f}"
    '0.4597'
    """
    return _FLOOR.enclose()


def _standard(spec: object) -> None:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    if spec.rotary_dim != spec.head_dim or spec.scaling is not None:
        raise InvalidArgument("spec", spec, "all planes rotated, without scaling")
    base = ball(spec.base, bits=BITS)
    with precision(BITS):
        # b is rational and pi^m is not, so enough digits always decide.
        if not arb.pi() ** spec.planes > base:
            allowed = f"a base of at most pi^{spec.planes}"
            raise InvalidArgument("spec", f"base {spec.base}", allowed)
