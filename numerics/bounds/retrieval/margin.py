r"""The margin of the retrieval construction: the target letter's logit less any other token's.

With `omega = 2 pi/|ALPH|` the logit of a token whose left letter is `z` steps from the target's,
at lag `b`, is `cos(z omega + b theta)`. A functional input has one token for the target letter,
at lags `a`, `1 <= a <= n - 1`; any other letter can stand at every other lag, the query's own
included. So the worst margin over functional inputs is

    min over 1 <= a < n, 0 <= b < n, b != a, 0 < z < |ALPH| of cos(a theta) - cos(z omega + b theta),

which for `0 <= (2n - 3) theta < omega` is at `a = n - 2`, `b = n - 1`, `z = -1` and equals
`2 sin((omega - theta)/2) sin((omega - (2n - 3) theta)/2)` (claim `retrieval.margin`).
"""

from __future__ import annotations

from typing import Any

import sympy
from flint import arb

from ropeproof.numerics.bounds.planes.aligned import exact_angle
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, sign
from ropeproof.theory.rotary.precision import precision

__all__ = ["printed_bound", "retrieval_length", "retrieval_margin", "retrieval_margin_by_search"]

_MOST_TERMS = 1 << 22
_MARGIN = Stated("retrieval.margin", "2.below", {"step": "omega", "angle": "theta", "length": "n"})


def retrieval_margin(*, letters: int, length: int, angle: object) -> Enclosure:
    """The worst margin over functional inputs of `length` tokens per unit amplitude, certified.

    `2 sin((omega - theta)/2) sin((omega - (2n - 3) theta)/2)`; `angle` (radians per position) is an
    exact number. At angle 0 this is `1 - cos(omega)` for every length.

    >>> f"{retrieval_margin(letters=8, length=17, angle=0.0027).lower:.5f}"
    '0.26220'

    Claim `retrieval.margin`. Raises `InvalidArgument` unless `letters >= 3`, `length >= 3` and
    `0 <= (2 length - 3) angle < 2 pi/letters`, decided exactly; for larger angles there is
    `retrieval_margin_by_search`.
    """
    count, n, theta = _read(letters, length, angle)
    omega = 2 * sympy.pi / count
    if sign(theta) < 0 or sign(omega - (2 * n - 3) * theta) <= 0:
        allowed = f"0 <= angle < {omega / (2 * n - 3)}, in radians per position"
        raise InvalidArgument("angle", angle, allowed)
    return _MARGIN.enclose(step=omega, angle=theta, length=n)


def retrieval_margin_by_search(*, letters: int, length: int, angle: object) -> Enclosure:
    """The worst margin over functional inputs for any angle, by trying all lags, certified.

    Per unit amplitude, for `letters >= 2` and `length >= 2`. Not positive if some functional input is not
    decoded.

    >>> found = retrieval_margin_by_search(letters=8, length=17, angle=0.0027)
    >>> f"{found.lower:.5f} {found.upper:.5f}"
    '0.26220 0.26220'

    Cost: `letters * length` ball-arithmetic cosines. Raises `InvalidArgument`; `Unsupported` above `2^22`
    of them.
    """
    count, n, theta = _read(letters, length, angle, least=2)
    if count * n > _MOST_TERMS:
        raise Unsupported(f"a search of {count} letters times {n} lags: at most 2^22")
    bits = BITS + n.bit_length()
    turn = ball(theta, bits=bits)
    with precision(bits):
        steps = [2 * arb.pi() * z / count for z in range(1, count)]
        rivals = [_largest([(step + turn * b).cos() for step in steps]) for b in range(n)]
        # The largest rival at another lag than a: from the prefix or the suffix of a.
        after: list[Any] = [arb(-2)] * (n + 1)
        for b in range(n - 1, -1, -1):
            after[b] = after[b + 1].max(rivals[b])
        best, before = arb(4), rivals[0]
        for a in range(1, n):
            best = best.min((turn * a).cos() - before.max(after[a + 1]))
            before = before.max(rivals[a])
        return enclosed(best)


def retrieval_length(*, letters: int, angle: object) -> int | None:
    """The largest length at which `retrieval_margin` is positive; None for all, at angle 0.

    The largest `n` with `(2n - 3) angle < 2 pi/letters`, decided exactly.

    >>> retrieval_length(letters=8, angle=0.0027), retrieval_length(letters=8, angle=0)
    (146, None)

    Claim `retrieval.margin`. Raises `InvalidArgument` unless `letters >= 3` and `angle >= 0`, and
    if the angle is too large for 3 positions.
    """
    count, _, theta = _read(letters, 3, angle)
    if theta == 0:
        return None
    omega = 2 * sympy.pi / count
    if sign(theta) < 0 or sign(omega - 3 * theta) <= 0:
        raise InvalidArgument("angle", angle, f"0 <= angle < {omega / 3}, in radians per position")
    low, high = 3, 6
    while sign(omega - (2 * high - 3) * theta) > 0:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if sign(omega - (2 * middle - 3) * theta) > 0:
            low = middle
        else:
            high = middle
    return low


def printed_bound(*, letters: int, length: int, angle: object) -> Enclosure:
    """`1 - cos(omega - n theta)`, which the paper prints as an upper bound, and which fails.

    The margin can exceed it.
    Claim `retrieval.printed-bound`, refuted. Arguments and errors as `retrieval_margin_by_search`.

    >>> f"{printed_bound(letters=8, length=17, angle=0.0027).upper:.5f}"
    '0.26119'
    """
    count, n, theta = _read(letters, length, angle, least=2)
    value = ball(2 * sympy.pi / count - n * theta, bits=BITS)
    with precision(BITS):
        sine = (value / 2).sin()
        return enclosed(2 * (sine * sine))


def _read(letters: int, length: int, angle: object, least: int = 3) -> tuple[int, int, Any]:
    count = read_integer("letters", letters, least=least)
    return count, read_integer("length", length, least=least), exact_angle("angle", angle)


def _largest(balls: list[Any]) -> Any:
    best = balls[0]
    for value in balls[1:]:
        best = best.max(value)
    return best
