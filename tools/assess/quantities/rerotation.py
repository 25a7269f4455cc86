r"""The error of a cached key that is rotated again and again: a bound, and that of drawn keys.

A cache that is shifted, or a prefix that is used again at another place, turns stored keys by the shift. The
arithmetic is a stated one: the angle of plane $l$ is the shift times the frequency, each and their product
rounded to float32; cosine and sine are rounded to a type, products and their sum are; the result is kept in
the type of the cache. With $u$ the unit roundoff of the type the operations are done in,
$\gamma=\sqrt2((1+u)^3-1)$ for the table, the product and the sum, since $|xc|+|ys|\le\|(x,y)\|$ for each
coordinate of a plane; a cache of a coarser type with unit $v$ makes that $(1+\gamma)(1+v)-1$. Let $\eta$ be
the largest error of an angle, and $b$ what numbers below the smallest normal one add for a key of norm 1 or
more. Then
$$\|\hat k_{n+1}-R^{n+1}k\|\le\|\hat k_n-R^nk\|+(\gamma+\eta+b)\,(\|k\|+\|\hat k_n-R^nk\|),$$
so that after $n$ turns a key is off by at most $((1+\gamma+\eta+b)^n-1)\|k\|$, and a logit by as much times
the norm of the query. One turn by the sum of the shifts has $n=1$.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import MOST_LENGTH, rounded_frequencies
from ropeproof.tools.conform.golden.rounding import TYPES, NumberType

__all__ = ["CACHES", "LEVELS", "Rerotation", "rerotation"]

Floats = NDArray[np.float64]

CACHES = ("bfloat16", "float16", "float32")
"""The types that keys are kept in."""
LEVELS = (0.01, 0.1, 1.0)
"""Parts of a key's norm that the number of turns is told for."""
_BITS = 192
_KEYS = 32
_MOST_TURNS = 1024


@dataclass(frozen=True)
class Rerotation:
    """Errors of a key of norm 1 or more that is rotated several times by the same shift.

    - `dtype`: the type of the cache, `inside` that of tables, products and sums;
    - `by`: the shift in positions; `turns`: the number of rotations that was asked about;
    - `per_turn`: what one rotation adds at most, as a share of the key's norm, rounded up;
    - `bound`: the most that all `turns` rotations add, `once` the most that one by their sum adds, likewise;
    - `allowed`: for each of `LEVELS` the largest number of rotations whose bound is no more than it;
    - `seen`: pairs of a number of rotations and the largest error among drawn keys after so many.
    """

    dtype: str
    inside: str
    by: int
    turns: int
    per_turn: float
    bound: float
    once: float
    allowed: tuple[int, ...]
    seen: tuple[tuple[int, float], ...]

    def within(self, level: float) -> bool | None:
        """Whether no key is off by more than `level` times its norm; None where that is open.

        True if the bound is at most `level`, False if a drawn key was off by more.
        """
        if self.bound <= level:
            return True
        return False if any(error > level for _, error in self.seen) else None


def rerotation(
    spec: RopeSpec, *, dtype: str, by: int, turns: int, inside: str | None = None
) -> Rerotation:
    """A bound of the error of `turns` rotations by the shift `by`, and the errors of 32 drawn keys.

    The drawn keys are rotated at most 1,024 times.

    Tables are without an attention factor, which a key has already. `inside` is the type of the
    operations; that of the cache without it.

    >>> spec = RopeSpec(128, 10000)
    >>> found = rerotation(spec, dtype="bfloat16", by=1, turns=100)
    >>> found.allowed[2], found.within(1.0)
    (42, None)

    Claim `rope.group`: the exact turns add up. Raises `InvalidArgument`.
    Cost: half a second for the drawn keys.
    """
    kind, own = _read("dtype", dtype), _read("inside", inside or dtype)
    step = read_integer("by", by, least=1, most=MOST_LENGTH)
    count = read_integer("turns", turns, least=1)
    with precision(_BITS):
        rate = _rate(spec, kind, own, step)
        allowed = tuple(_turns(arb(level), rate) for level in LEVELS)
        per_turn = Enclosure.of(rate, rate).upper
        grown = (1 + rate) ** count - 1
        once = _rate(spec, kind, own, step * count)
        ends = (Enclosure.of(x, x).upper for x in (grown, once))
        bound, at_once = ends
    seen = _seen(spec, kind, own, step, min(count, _MOST_TURNS))
    return Rerotation(dtype, own.name, step, count, per_turn, bound, at_once, allowed, seen)


def _read(name: str, dtype: str) -> NumberType:
    if dtype not in CACHES:
        raise InvalidArgument(name, dtype, ", ".join(CACHES))
    return TYPES[dtype]


def _rate(spec: RopeSpec, kind: NumberType, own: NumberType, shift: int) -> arb:
    """`gamma + eta + b` of one turn by a shift, a ball."""
    unit, tiny = arb(2) ** -own.bits, arb(2) ** (own.least - own.bits)
    gamma = arb(2).sqrt() * ((1 + unit) ** 3 - 1)
    # Of what underflows a table entry is off by `tiny`, and so is each of two products a coordinate.
    width = arb(spec.head_dim).sqrt()
    tail = 2 * tiny * (1 + unit) ** 2 + 2 * tiny * (1 + unit) * width
    if kind != own:
        coarse, least = arb(2) ** -kind.bits, arb(2) ** (kind.least - kind.bits)
        gamma, tail = (1 + gamma) * (1 + coarse) - 1, tail * (1 + coarse) + least * width
    return gamma + _angle_error(spec, shift) * (1 + gamma) + tail


def _angle_error(spec: RopeSpec, shift: int) -> arb:
    """The largest error of the angles of one shift, formed in float32."""
    near, thetas = rounded_frequencies(spec, TYPES["float32"]), frequencies_ball(spec, bits=_BITS)
    place, largest = float(np.float32(shift)), arb(0)
    for plane in range(spec.rotary_planes):
        formed = float(np.float32(place * float(near[plane])))
        error = abs(arb(formed) - thetas[plane] * shift)
        largest = largest.max(error)
    return largest.min(arb(2))


def _turns(level: arb, rate: arb) -> int:
    """The largest `n` with `(1 + rate)^n - 1 <= level`, or one less."""
    return int(((1 + level).log() / (1 + rate).log()).lower().floor().unique_fmpz())


def _rounded(values: Floats, kind: NumberType) -> Floats:
    """Doubles rounded to a type, those below its smallest normal number as well."""
    if kind.name != "bfloat16":
        return values.astype(kind.name).astype(np.float64)
    mantissas, exponents = np.frexp(values)
    found: Floats = np.ldexp(np.rint(np.ldexp(mantissas, kind.bits)), exponents - kind.bits)
    return found


def _seen(
    spec: RopeSpec, kind: NumberType, own: NumberType, shift: int, turns: int
) -> tuple[tuple[int, float], ...]:
    """The largest error of drawn keys after 1, 2, 4, ... and all turns, in parts of the key's norm."""
    rotated = spec.rotary_planes
    draw = np.random.default_rng(0)
    real, imaginary = (_rounded(draw.standard_normal((_KEYS, rotated)), kind) for _ in range(2))
    first = real + 1j * imaginary
    norms = np.sqrt((np.abs(first) ** 2).sum(-1))
    near = rounded_frequencies(spec, TYPES["float32"])[:rotated]
    angles = _rounded(shift * near, TYPES["float32"])
    cosines, sines = _rounded(np.cos(angles), own), _rounded(np.sin(angles), own)
    with precision(_BITS):
        turn = 2 * arb.pi()
        parts = [theta / turn for theta in frequencies_ball(spec, bits=_BITS)[:rotated]]
    found = []
    for n in range(1, turns + 1):
        products = (real * cosines, imaginary * sines, imaginary * cosines, real * sines)
        xc, ys, yc, xs = (_rounded(product, own) for product in products)
        real, imaginary = _rounded(xc - ys, own), _rounded(yc + xs, own)
        if kind != own:
            real, imaginary = _rounded(real, kind), _rounded(imaginary, kind)
        if n & (n - 1) == 0 or n == turns:
            with precision(_BITS):
                total = [part * (shift * n) for part in parts]
                rest = [float(((t - t.floor()) * 2 * arb.pi()).mid()) for t in total]
            off = real + 1j * imaginary - first * np.exp(1j * np.array(rest))
            errors = np.sqrt((np.abs(off) ** 2).sum(-1)) / norms
            found.append((n, float(errors.max(initial=0.0))))
    return tuple(found)
