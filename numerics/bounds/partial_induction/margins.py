r"""Margins of the partial induction, absolute index and information retrieval constructions.

**Partial induction**: the answer is the last occurrence of a symbol. A symbol plane that does not
turn gives `B cos(z omega)` to a symbol `z` steps from the target's, `omega = 2 pi/|Sigma|`, and a
slow plane gives `cos(theta t + phi)` at lag `t`. The `n` candidates stand at the lags
`t_0, ..., t_0 + n - 1`, `t_0 = nearest`. Over all inputs that hold the target symbol

- the last occurrence is ahead of the earlier ones by at least
  `min over t < t' of cos(theta t + phi) - cos(theta t' + phi)`;
- and of other symbols by at least `B (1 - cos omega) - max over t != t' of cos(theta t' + phi) -
  cos(theta t + phi)`.

With `theta = pi/2n`, `phi = pi/4`, `t_0 = 0` and `B (1 - cos omega) >= 1 + sqrt(2)` these are at least
`sqrt(2) sin(pi/4n)` and 1 (claim `task.partial-induction-sharp`); the printed form has `phi = 0`,
`t_0 = 1` and `0 < theta < 2 pi/(n |Sigma|)` (claim `task.partial-induction`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb

from ropeproof.numerics.bounds.index.margin import index_margin
from ropeproof.numerics.bounds.index.temperature import index_temperature
from ropeproof.numerics.bounds.planes.aligned import exact_angle
from ropeproof.numerics.bounds.retrieval.margin import retrieval_margin_by_search
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, sign
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "PartialInductionMargin",
    "absolute_index_margin",
    "absolute_index_masses",
    "absolute_index_temperature",
    "info_retrieval_length",
    "info_retrieval_margin",
    "partial_induction_margin",
    "sharp_partial_induction",
    "sharp_recency",
    "sharp_symbol_amplitude",
]

_MOST_LENGTH = 1 << 20
_STRONG = "the symbol plane is strong enough"
_RECENCY = Stated("task.partial-induction-sharp", "1.body.then.below", {"length": "n"})
_ASKED = Stated("task.partial-induction-sharp", "below", hypothesis=_STRONG)
_SYMBOL = Stated("task.partial-induction-sharp", "above.own", {"symbols": "Q"}, hypothesis=_STRONG)
_LOOKUP = Stated("task.info-retrieval", "3.right", {"keys": "Q", "angle": "theta", "length": "n"})


@dataclass(frozen=True)
class PartialInductionMargin:
    """The smallest lead in logit of a symbol's last occurrence over all inputs, certified.

    `recency` is the lead over earlier occurrences of the symbol, which only matters if their values differ;
    `symbol` the lead over all other symbols; `margin` the smaller of the two.
    """

    recency: Enclosure
    symbol: Enclosure

    @property
    def margin(self) -> Enclosure:
        """The smaller of `recency` and `symbol`."""
        lower = min(self.recency.lower, self.symbol.lower)
        return Enclosure(lower=lower, upper=min(self.recency.upper, self.symbol.upper))


def partial_induction_margin(
    *,
    symbols: int,
    length: int,
    angle: object,
    phase: object = 0,
    symbol_amplitude: object = 1,
    recency_amplitude: object = 1,
    nearest: int = 0,
) -> PartialInductionMargin:
    """The worst margins of partial induction over all inputs with `length` candidates, certified.

    `angle` (radians per position) and `phase` (radians) are exact numbers; the amplitudes are those of the
    symbol plane and of the recency plane, in logits.

    >>> import sympy
    >>> found = partial_induction_margin(symbols=4, length=10, angle=sympy.pi / 40, nearest=1)
    >>> f"{found.recency.lower:.5f} {found.symbol.lower:.5f}"
    '0.00923 0.71019'

    Claims `task.partial-induction`, `task.partial-induction-sharp`. Cost: a cosine in balls per
    candidate. Raises `InvalidArgument` unless `symbols >= 2`, `length >= 2`, `nearest >= 0` and the
    amplitudes are >= 0; `Unsupported` above `2^20` candidates.
    """
    count = read_integer("symbols", symbols, least=2)
    size = number("symbol_amplitude", symbol_amplitude, least=0)
    with precision(BITS):
        logits = _recency(length, angle, phase, recency_amplitude, nearest)
        # Prefix and suffix: the nearer of two is the later occurrence.
        latest, recency = logits[-1], None
        for value in reversed(logits[:-1]):
            gap = value - latest
            recency = gap if recency is None else recency.min(gap)
            latest = latest.max(value)
        spread = _largest_step(logits)
        sine = (arb(1) / count).sin_pi()
        return PartialInductionMargin(enclosed(recency), enclosed(2 * size * sine * sine - spread))


def sharp_partial_induction(
    *, symbols: int, length: int, symbol_amplitude: object | None = None
) -> PartialInductionMargin:
    """The worst margins of partial induction at `theta = pi/2n`, `phi = pi/4` and the least `B`.

    `B` is the amplitude of the symbol plane: the least that claim `task.partial-induction-sharp` allows,
    rounded up to a double, or `symbol_amplitude`.

    >>> found = sharp_partial_induction(symbols=8, length=16)
    >>> found.recency.lower >= sharp_recency(16).upper, found.symbol.lower >= 1
    (True, True)

    Arguments and errors as `partial_induction_margin`.
    """
    n = read_integer("length", length, least=2)
    size = sharp_symbol_amplitude(symbols).upper if symbol_amplitude is None else symbol_amplitude
    return partial_induction_margin(
        symbols=symbols,
        length=n,
        angle=sympy.pi / (2 * n),
        phase=sympy.pi / 4,
        symbol_amplitude=size,
    )


def sharp_recency(length: int) -> Enclosure:
    """`sqrt(2) sin(pi/4n)`, the lead of the last occurrence over earlier ones, in logits.

    >>> f"{sharp_recency(16).lower:.6f}"
    '0.069392'

    Claim `task.partial-induction-sharp`. Raises `InvalidArgument` unless `length >= 1`.
    """
    return _RECENCY.enclose(length=read_integer("length", length, least=1))


def sharp_symbol_amplitude(symbols: int) -> Enclosure:
    """`(1 + sqrt(2))/(1 - cos(2 pi/|Sigma|))`, the least amplitude `B` that the claim asks for.

    `B` is that of the symbol plane, in logits; any larger amplitude serves as well.

    >>> f"{sharp_symbol_amplitude(4).upper:.6f}"
    '2.414214'

    Claim `task.partial-induction-sharp`. Raises `InvalidArgument` unless `symbols >= 2`.
    """
    count = read_integer("symbols", symbols, least=2)
    return sharp(lambda: _ASKED.ball() / _SYMBOL.ball(symbols=count))


def absolute_index_margin(length: int, *, angle: object | None = None) -> Enclosure:
    """The worst margin of absolute index, with logits `cos(theta (j - i))`, positions `0 .. n - 1`.

    At the printed angle `pi/n`, the default, it is `1 - cos(pi/n)`; the angle `2 pi/n` has the largest.

    >>> f"{absolute_index_margin(4).lower:.6f}"
    '0.292893'

    Claim `task.absolute-index`. Raises `InvalidArgument` unless `length >= 2`.
    """
    n = read_integer("length", length, least=2)
    return index_margin(sympy.pi / n if angle is None else angle, length=n)


def absolute_index_temperature(length: int, *, angle: object | None = None) -> Enclosure:
    """The least inverse temperature above which absolute index decodes every index on every input.

    The sum of `e^{-beta(1 - cos(theta t))}` over the other positions has to be below 1 for each
    index, since all others may hold one and the same symbol. For the index `j` that is the window
    of the integer query `n - 1 - j`, and `j = n - 1`, the last, mirrors `j = 0`.

    >>> f"{absolute_index_temperature(4).lower:.4f}"
    '2.6237'

    Claims `task.absolute-index`, `task.printed-scale`. Raises as `absolute_index_margin`.
    """
    n = read_integer("length", length, least=2)
    return index_temperature(sympy.pi / n if angle is None else angle, length=n)


def absolute_index_masses(
    length: int, *, angle: object, index: int = 0, inverse_temperature: object = 1
) -> tuple[Enclosure, Enclosure]:
    """Unnormalised weights `e^{beta cos(theta (j - i))}`: at `i = j`, and the sum of all others.

    `j = index`. The printed construction has `beta = 1`; on `abbb`, at the angle `pi/4`, it puts more mass
    on `b`:

    >>> import sympy
    >>> own, others = absolute_index_masses(4, angle=sympy.pi / 4)
    >>> f"{own.lower:.2f} {others.lower:.2f}"
    '2.72 3.52'

    Claim `task.printed-scale`, refuted as printed. Raises `InvalidArgument` unless `length >= 2`,
    `0 <= index < length` and `inverse_temperature >= 0`.
    """
    n, place = read_integer("length", length, least=2), read_integer("index", index, least=0)
    if place >= n:
        raise InvalidArgument("index", index, f"an integer from 0 to {n - 1}")
    beta = number("inverse_temperature", inverse_temperature, least=0)
    theta = ball(exact_angle("angle", angle), bits=BITS + n.bit_length())
    with precision(BITS):
        masses = [(beta * (theta * (place - i)).cos()).exp() for i in range(n)]
        others = sum((m for i, m in enumerate(masses) if i != place), arb(0))
        return enclosed(masses[place]), enclosed(others)


def info_retrieval_margin(
    *, keys: int, length: int, angle: object = 0, centred: bool = True
) -> Enclosure:
    """The worst margin of information retrieval (finding a key's value) among `length` candidates.

    `1 - cos(2 pi/r)` without rotation, `r = keys`. With an angle the query is turned back by half the
    window, which leaves `2 sin(omega/2) sin((omega - (n - 1) theta)/2)`, `omega = 2 pi/r`. With
    `centred=False` the query is not turned back, as in `retrieval.margin`, but its own position is among the
    candidates.

    >>> f"{info_retrieval_margin(keys=8, length=17, angle=0.0027).lower:.5f}"
    '0.27755'

    Claim `task.info-retrieval`. Raises `InvalidArgument` unless `keys >= 2`, `length >= 2` and, when
    centred, `0 <= (length - 1) angle < 2 pi/keys`.
    """
    if not isinstance(centred, bool):
        raise InvalidArgument("centred", centred, "True or False")
    n = read_integer("length", length, least=2)
    if not centred:
        count = read_integer("keys", keys, least=2)
        return retrieval_margin_by_search(letters=count, length=n, angle=angle)
    count, theta = read_lookup(keys, n, angle)
    return _LOOKUP.enclose(keys=count, angle=theta, length=n)


def read_lookup(keys: int, length: int, angle: object) -> tuple[int, Any]:
    """The checked number of keys and exact angle (radians per position) of a centred head.

    Raises `InvalidArgument` unless `keys >= 2` and `0 <= (length - 1) angle < 2 pi/keys`.
    """
    count, n, theta = read_integer("keys", keys, least=2), length, exact_angle("angle", angle)
    omega = 2 * sympy.pi / count
    if sign(theta) < 0 or sign(omega - (n - 1) * theta) <= 0:
        allowed = f"0 <= angle < {omega / (n - 1)}, in radians per position"
        raise InvalidArgument("angle", angle, allowed)
    return count, theta


def info_retrieval_length(*, keys: int, angle: object) -> int | None:
    """The largest number `n` of candidates with `(n - 1) angle < 2 pi/keys`; None at angle 0.

    >>> info_retrieval_length(keys=8, angle=0.0027)
    291

    Claim `task.info-retrieval`. Raises `InvalidArgument` unless `keys >= 2` and `angle >= 0`.
    """
    count, theta = read_integer("keys", keys, least=2), exact_angle("angle", angle)
    if sign(theta) < 0:
        raise InvalidArgument("angle", angle, "a number >= 0, in radians per position")
    if theta == 0:
        return None
    ratio = 2 * sympy.pi / (count * theta)
    bits = BITS
    while bits < 1 << 14:
        value = ball(ratio, bits=bits)
        with precision(bits):
            whole = (value.ceil() if not ratio.is_Rational else value).unique_fmpz()
        if ratio.is_Rational:
            return int(-(-ratio.p // ratio.q))
        if whole is not None:
            return int(whole)
        bits *= 2
    raise Unsupported(f"the length for the angle {theta} is not decided")


def _recency(
    length: int, angle: object, phase: object, amplitude: object, nearest: int
) -> list[Any]:
    n = read_integer("length", length, least=2)
    first = read_integer("nearest", nearest, least=0)
    size = number("recency_amplitude", amplitude, least=0)
    if n > _MOST_LENGTH:
        raise Unsupported(f"a search of {n} candidates: at most 2^20")
    bits = BITS + (first + n).bit_length()
    theta = ball(exact_angle("angle", angle), bits=bits)
    shift = ball(exact_angle("phase", phase), bits=bits)
    with precision(bits):
        return [size * (theta * (first + t) + shift).cos() for t in range(n)]


def _largest_step(logits: list[Any]) -> Any:
    """The largest of at least two numbers minus the smallest."""
    low = high = logits[0]
    for value in logits[1:]:
        low, high = low.min(value), high.max(value)
    return high - low
