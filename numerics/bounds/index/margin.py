r"""The margin of the index construction: the target's logit less that of the best other position.

The query of the integer `i` at the last of `n` positions points `i` back; a letter's query points at
itself, `i = 0`. Keys are constant, so the logit at lag `i + t` is `E_t` below the target's, for the
lags `-i <= t <= n - 1 - i` of the window. With `M = max(i, n - 1 - i)` the margin is `min E_t` over
`1 <= t <= M` (claim `index.margin`), and an input changes it through `i` only.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.planes.aligned import Angles, read_aligned
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["Inputs", "best_one_plane_limit", "index_margin", "index_reach", "one_plane_limit"]

_WORST = Stated("index.margin", "1.then.1.above", {"length": "n"})
_BEST = Stated("index.margin", "3.body.then.above", {"length": "n"})

Inputs: TypeAlias = Literal["worst", "best"] | int


def index_margin(
    frequencies: Angles,
    amplitudes: ArrayLike | None = None,
    *,
    length: int,
    integers: int | None = None,
    inputs: Inputs = "worst",
) -> Enclosure:
    """The margin of an index head on inputs of `length` tokens, in logits, certified.

    `frequencies` (radians per position) are a `RopeSpec`, one exact number or one per plane, for
    example `2 * sympy.pi / 17`; floats count as their binary values. `amplitudes` are in logits,
    one per plane, 1 for a single plane without them. The integers of the alphabet are
    `1 .. integers`, `length - 1` if None. `inputs` is `"worst"` or `"best"` over all inputs, or the
    query's integer, 0 for a letter.

    >>> import sympy
    >>> margin = index_margin(sympy.pi / 2 + sympy.Rational(1, 100), length=7, inputs=3)
    >>> f"{margin.lower:.6f} {margin.upper:.6f}"
    '0.970004 0.970004'
    >>> index_margin(2 * sympy.pi / 3, length=4)
    Enclosure(lower=0.0, upper=0.0)

    Claim `index.margin`. Cost: for one plane, and for rational multiples of pi, some hundred steps
    for any length; else a scan of `length` lags. Raises `InvalidArgument`.
    """
    head = read_aligned(frequencies, amplitudes)
    return head.margin(index_reach(length=length, integers=integers, inputs=inputs))


def index_reach(*, length: int, integers: int | None = None, inputs: Inputs = "worst") -> int:
    """`M = max(i, n - 1 - i)`, the number of lags on the longer side of the target in the window.

    At worst `n - 1`, for a letter's query, and at best `n - 1 - min(integers, (n - 1)//2)`.
    Arguments and errors as `index_margin`.

    >>> index_reach(length=17), index_reach(length=17, inputs="best"), index_reach(length=7, inputs=5)
    (16, 8, 5)
    """
    last = read_integer("length", length, least=2) - 1
    most = last if integers is None else min(read_integer("integers", integers, least=1), last)
    if inputs == "worst":
        return last
    if inputs == "best":
        return last - min(most, last // 2)
    if isinstance(inputs, str | bool) or not isinstance(inputs, int):
        raise InvalidArgument("inputs", inputs, "'worst', 'best' or the integer asked for")
    if not 0 <= inputs <= most:
        raise InvalidArgument("inputs", inputs, f"an integer from 0 to {most}")
    return max(inputs, last - inputs)


def one_plane_limit(length: int) -> Enclosure:
    r"""`1 - cos(2 pi/n)`, the largest worst-case margin of any one angle, per unit amplitude.

    Attained by the angle `2 pi/n`. At most `2 pi^2/n^2`.

    >>> f"{one_plane_limit(17).upper:.6f}"
    '0.067528'

    Claim `index.margin`. Raises `InvalidArgument` unless `length >= 2`.
    """
    return _WORST.enclose(length=read_integer("length", length, least=2))


def best_one_plane_limit(length: int) -> Enclosure:
    """`1 - cos(2 pi/ceil((n + 1)/2))`, the largest margin of any one angle on any input.

    Claim `index.margin`. Raises `InvalidArgument` unless `length >= 2`.

    >>> f"{best_one_plane_limit(7).upper:.6f}"
    '1.000000'
    """
    return _BEST.enclose(length=read_integer("length", length, least=2))
