r"""Partial induction heads: the value of the last occurrence of a symbol, at every length given.

One plane sees symbols and one sees how recent they are: on items the scores are
`B cos(angle between symbols) + cos(theta t + pi/4)` with `theta = pi/(2 n)` and
`B (1 - cos(2 pi/symbols)) >= 1 + sqrt(2)`. The last occurrence wins by at least `sqrt(2) sin(pi/4n)`, other
symbols lose by at least 1. Claims `task.partial-induction-sharp` and, for the softmax head,
`task.partial-induction-head`; neither pure type of head does it (`task.partial-induction-needs-both`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ropeproof.constructions.heads.index.planes import angles_spec, read_names
from ropeproof.constructions.heads.retrieval.lookup import LookupHead, lookup
from ropeproof.constructions.heads.retrieval.temperature import least_temperature
from ropeproof.numerics.bounds.partial_induction import (
    partial_induction_temperature_enough,
    sharp_symbol_amplitude,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["partial_induction_head", "symbol_amplitude"]

_ABOVE = 1 + 2.0**-40
"""More than float64 loses where an amplitude is compared with its least."""


def symbol_amplitude(symbols: int) -> float:
    """The amplitude `B = (1 + sqrt(2))/(1 - cos(2 pi/symbols))`, with a little added for rounding.

    The least for which claim `task.partial-induction-sharp` speaks.

    >>> f"{symbol_amplitude(4):.6f}"
    '2.414214'

    Raises `InvalidArgument` unless `symbols >= 2`.
    """
    return sharp_symbol_amplitude(symbols).upper * _ABOVE**2


def partial_induction_head(
    symbols: int | Sequence[str],
    length: int,
    *,
    values: int | Sequence[str] = ("0", "1"),
    amplitude: object = None,
    inverse_temperature: float | None = None,
) -> LookupHead:
    """A head that answers a query with the value of the symbol's last occurrence.

    Inputs are at most `length - 1` items `"symbol:value"`, the symbol asked for among them, and the
    query `"symbol?"`. The recency plane turns by `pi/(2 length)` per position, the symbol plane is
    unrotated and has the amplitude `B`, by default `symbol_amplitude`, where the recency plane has
    1. The query's own key points away from its symbol, so that it does not answer itself; the
    answer, the arg max over values of the output, is without residual.

    `inverse_temperature` multiplies the scores, by default twice the least with which it decodes.

    >>> head = partial_induction_head(["a", "b"], 6)
    >>> head.decode(["a:1", "b:1", "a:0", "b:0", "a?"]), head.decode(["a:1", "b:0", "b:1", "a?"])
    ('0', '1')

    Cost: a certified scan, and symbols x length^2 exponentials per trial of a temperature. Raises
    `InvalidArgument`, also if the amplitude lets another symbol win.
    """
    names, answers = read_names("symbols", symbols), read_names("values", values)
    size = read_integer("length", length, least=2)
    if len(names) < 2:
        raise InvalidArgument("symbols", symbols, "at least 2")
    if amplitude is None:
        strength = symbol_amplitude(len(names))
    else:
        strength = float(read_rational("amplitude", amplitude))
        if not strength > 0:
            raise InvalidArgument("amplitude", amplitude, "a number > 0")
    strong = strength * 2 * math.sin(math.pi / len(names)) ** 2 >= (1 + math.sqrt(2)) * _ABOVE
    enough = partial_induction_temperature_enough(size - 1).upper if strong else math.inf
    # A little slower than pi/(2 length), so that rounding does not pass the half turn's limit.
    spec = angles_spec([math.pi / (2 * size) * (1 - 2.0**-50)], unrotated=1)
    turns = np.array([math.pi / 4, 0.0])

    def made(beta: float) -> LookupHead:
        amplitudes = beta * np.array([1.0, strength])
        sizes = (names, answers, size, beta)
        return lookup(spec, amplitudes, turns, 1, *sizes, last=True, enough=enough)

    return least_temperature(made, inverse_temperature, name="amplitude", got=strength)
