"""The largest length at which a monotone condition holds, by doubling and bisection."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["longest"]


def longest(certain: Callable[[int], bool], *, least: int, most: int) -> int:
    """The largest `n` in `least <= n <= most` found with `certain(n)`; `least - 1` if none.

    `certain` must hold at all lengths below one at which it holds, up to what rounding leaves open.
    Cost: about `2 log2` of the answer calls, none above twice the answer.
    """
    if not certain(least):
        return least - 1
    low, step = least, 1
    while True:
        high = min(low + step, most)
        if high == low:
            return low
        if not certain(high):
            break
        low, step = high, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        if certain(middle):
            low = middle
        else:
            high = middle
    return low
