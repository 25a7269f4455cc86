"""Hypothesis strategies for heads and what goes through them: public, for your own tests too.

Every array is drawn entry by entry (no fill value), every float is 0 or of a size from
`2^-20` up, so that products stay normal numbers. Arguments are validated when the strategy is
built and raise `InvalidArgument`. The records measure what they promise on the drawn arrays:
`Cone.aperture`, for one, is the largest deviation that was drawn.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import neg
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.presets import PRESETS, Preset
from ropeproof.theory.scaling import Dynamic, Linear, Llama3, LongRope, Scaling, Yarn
from ropeproof.theory.spec import Layout, RopeSpec

__all__ = [
    "Cone",
    "RankOne",
    "amplitudes",
    "cone",
    "distributions",
    "floats",
    "generic",
    "lags",
    "logit_rows",
    "phases",
    "planes",
    "positions",
    "presets",
    "queries_and_keys",
    "rank_one",
    "scalings",
    "specs",
]

Floats = NDArray[np.float64]
Strategy = st.SearchStrategy
_LAYOUTS: tuple[Layout, ...] = typing.get_args(Layout)
_SCALINGS = ("linear", "dynamic", "yarn", "longrope", "llama3")
_SMALLEST = 2.0**-20
_BASES = (2, 100, 10000, 500000, 1000000)


@dataclass(frozen=True, eq=False)
class RankOne:
    """Vectors `a_i v`: `vectors` is `(tokens, head_dim)`, `sizes` `(tokens,)`, `direction` `v`.

    Sizes may be negative: rank one alone does not give a cone (`slash.rank-not-enough`).
    """

    vectors: Floats
    sizes: Floats
    direction: Floats


@dataclass(frozen=True, eq=False)
class Cone:
    """Embeddings in a cone and the queries or keys that a matrix makes of them (`slash.cone`).

    `embeddings[i] = sizes[i] (direction + deviations[i])`, shape `(tokens, width)`, with a unit
    `direction`, deviations orthogonal to it and sizes > 0. `matrix` is `(head_dim, width)` and
    `vectors = embeddings @ matrix.T`. Measured on these arrays:

    - `aperture`: `tan(alpha)`, the largest length of a deviation;
    - `spread`: `rho`, the norm of the matrix off the direction over its length on it;
    - `epsilon = rho tan(alpha)`, less than 1;
    - `unevenness`: `zeta`, the largest `|a_i/a - 1|` for the middle size `a`;
    - `mean`: `a W u`, `(head_dim,)`;
    - `relative_radius`: `zeta + (1 + zeta) epsilon`, which bounds `|q_i - mean| / |mean|`.
    """

    embeddings: Floats
    matrix: Floats
    direction: Floats
    sizes: Floats
    deviations: Floats
    aperture: float
    spread: float
    unevenness: float
    mean: Floats

    @property
    def vectors(self) -> Floats:
        """Queries or keys, `(tokens, head_dim)`."""
        result: Floats = self.embeddings @ self.matrix.T
        return result

    @property
    def epsilon(self) -> float:
        """`rho tan(alpha)`."""
        return self.spread * self.aperture

    @property
    def relative_radius(self) -> float:
        """`epsilon_q = zeta + (1 + zeta) epsilon`."""
        return self.unevenness + (1 + self.unevenness) * self.epsilon


def floats(*, bound: float = 8.0, positive: bool = False) -> Strategy[float]:
    """0 or a size from `2^-20` to `bound`, of either sign; only the positive ones if asked."""
    bound = _positive("bound", bound)
    if bound < 2 * _SMALLEST:
        raise InvalidArgument("bound", bound, f"a number >= {2 * _SMALLEST}")
    if not isinstance(positive, bool):
        raise InvalidArgument("positive", positive, "True or False")
    return _sizes(bound, positive)


# What is asked for in many draws is built, and validated by Hypothesis, once.
@lru_cache(maxsize=256)
def _sizes(bound: float, positive: bool) -> Strategy[float]:
    sizes = st.floats(_SMALLEST, bound)
    return sizes if positive else sizes | st.just(0.0) | sizes.map(neg)


def planes(*, least: int = 1, most: int = 8) -> Strategy[int]:
    """A number of planes, from 1 up."""
    least, most = _range("least", least, "most", most, floor=1)
    return st.integers(least, most)


def lags(*, least: int = 0, most: int = 4096) -> Strategy[int]:
    """Lags `t = i - j`, negative ones too if `least` allows them."""
    least, most = _range("least", least, "most", most, floor=-(2**40))
    return st.integers(least, most)


def positions(*, length: int, most: int = 4096) -> Strategy[NDArray[np.int64]]:
    """`length` positions in strictly increasing order, `(length,)` integers from 0 to `most`."""
    length = _integer("length", length, least=1)
    most = _integer("most", most, least=length - 1)
    places = st.lists(st.integers(0, most), min_size=length, max_size=length, unique=True)
    return places.map(lambda found: np.array(sorted(found), dtype=np.int64))


def scalings(kinds: Sequence[str] = _SCALINGS, *, rotary_planes: int) -> Strategy[Scaling]:
    """A frequency scaling of one of the kinds, for a spec with that many rotated planes.

    Kinds: linear, dynamic (needs two planes), yarn, longrope, llama3.
    """
    count = _integer("rotary_planes", rotary_planes, least=1)
    if isinstance(kinds, str) or not kinds or not set(kinds) <= set(_SCALINGS):
        raise InvalidArgument("kinds", kinds, f"some of {', '.join(_SCALINGS)}")
    allowed = [kind for kind in kinds if kind != "dynamic" or count >= 2]
    if not allowed:
        raise InvalidArgument("kinds", kinds, "a kind that one rotated plane can have")
    return _scaling_of(tuple(allowed), count)


@lru_cache(maxsize=256)
def _scaling_of(kinds: tuple[str, ...], planes: int) -> Strategy[Scaling]:
    return st.sampled_from(kinds).flatmap(lambda kind: _scaling(kind, planes))


def specs(
    *,
    least_planes: int = 1,
    most_planes: int = 8,
    layouts: Sequence[Layout] = _LAYOUTS,
    partial: bool = True,
    scaling: bool | Sequence[str] = True,
    bases: Sequence[int] = _BASES,
) -> Strategy[RopeSpec]:
    """Specs of both layouts, fully or partially rotated, plain or scaled.

    `scaling` is True for any kind or none, False for none, or the kinds to draw from (always one
    of them). Simplest: one plane or the least, base 2, half layout, all planes rotated, no scaling.
    """
    least, most = _range("least_planes", least_planes, "most_planes", most_planes, floor=1)
    if isinstance(layouts, str) or not layouts or not set(layouts) <= set(_LAYOUTS):
        raise InvalidArgument("layouts", layouts, f"some of {', '.join(_LAYOUTS)}")
    if not isinstance(partial, bool):
        raise InvalidArgument("partial", partial, "True or False")
    if not bases or not all(isinstance(b, int) and b >= 2 for b in bases):
        raise InvalidArgument("bases", bases, "some integers >= 2")
    kinds: tuple[str, ...] = _SCALINGS if scaling is True else ()
    if not isinstance(scaling, bool):
        kinds = tuple(scaling)
        scalings(kinds, rotary_planes=least)

    return _specs(
        least, most, tuple(layouts), partial, kinds, isinstance(scaling, bool), tuple(bases)
    )


@lru_cache(maxsize=256)
def _specs(*how: Any) -> Strategy[RopeSpec]:
    return _spec(*how)


@st.composite
def _spec(
    draw: st.DrawFn,
    least: int,
    most: int,
    layouts: tuple[Layout, ...],
    partial: bool,
    kinds: tuple[str, ...],
    plain: bool,
    bases: tuple[int, ...],
) -> RopeSpec:
    """Of these kinds of scaling, or, if `plain` is asked for, of none."""
    count = draw(st.integers(least, most))
    rotated = count
    if partial:
        # From the full rotation downwards, so that examples shrink to it.
        rotated = count - draw(st.integers(0, count - 1))
    base, layout = draw(st.sampled_from(bases)), draw(st.sampled_from(layouts))
    chosen: Scaling | None = None
    if kinds and (not plain or draw(st.booleans())):
        here = tuple(k for k in kinds if k != "dynamic" or rotated >= 2) or ("linear",)
        chosen = draw(_scaling_of(here, rotated))
    length = draw(st.sampled_from((None, 16, 5000))) if chosen is not None else None
    return RopeSpec(
        2 * count, base, rotary_dim=2 * rotated, layout=layout, scaling=chosen, length=length
    )


def presets() -> Strategy[Preset]:
    """One of the released models in `ropeproof.theory.presets.PRESETS`."""
    return st.sampled_from(list(PRESETS.values()))


def amplitudes(*, planes: int, bound: float = 8.0) -> Strategy[Floats]:
    """Amplitudes `A_l >= 0` in logits, `(planes,)`; some may be 0."""
    count = _integer("planes", planes, least=1)
    sizes = st.just(0.0) | floats(bound=bound, positive=True)
    return _array((count,), sizes)


def phases(*, planes: int) -> Strategy[Floats]:
    """Phases in radians, `(planes,)`, in `[-3.2, 3.2]`."""
    return _array((_integer("planes", planes, least=1),), floats(bound=3.2))


def generic(*, head_dim: int, tokens: int, bound: float = 8.0) -> Strategy[Floats]:
    """Queries or keys without structure, `(tokens, head_dim)`, entries up to `bound`."""
    shape = (_integer("tokens", tokens, least=1), _even("head_dim", head_dim))
    return _array(shape, floats(bound=bound))


def rank_one(*, head_dim: int, tokens: int, bound: float = 8.0) -> Strategy[RankOne]:
    """Queries or keys that are multiples, of either sign, of one direction."""
    size, count = _even("head_dim", head_dim), _integer("tokens", tokens, least=1)
    values = floats(bound=bound)

    def build(sizes: Floats, direction: Floats) -> RankOne:
        return RankOne(np.outer(sizes, direction), sizes, direction)

    return st.builds(build, _array((count,), values), _array((size,), values))


def cone(
    *,
    head_dim: int,
    tokens: int,
    width: int | None = None,
    largest_epsilon: float = 0.5,
    largest_unevenness: float = 0.5,
) -> Strategy[Cone]:
    """Embeddings of `width` coordinates in a cone, and queries or keys close to rank one.

    `epsilon < largest_epsilon <= 1` and `unevenness <= largest_unevenness < 1`, both up to
    rounding. `width` is `head_dim` unless given, at least 2.
    """
    rows, count = _even("head_dim", head_dim), _integer("tokens", tokens, least=1)
    columns = _integer("width", rows if width is None else width, least=2)
    epsilon = _positive("largest_epsilon", largest_epsilon)
    uneven = _positive("largest_unevenness", largest_unevenness)
    if epsilon > 1:
        raise InvalidArgument("largest_epsilon", largest_epsilon, "0 < number <= 1")
    if uneven >= 1:
        raise InvalidArgument("largest_unevenness", largest_unevenness, "0 < number < 1")

    return _cone(rows, count, columns, epsilon, uneven)


@st.composite
def _cone(
    draw: st.DrawFn, rows: int, count: int, columns: int, epsilon: float, uneven: float
) -> Cone:
    direction = _unit(draw(_array((columns,), floats(bound=1.0))))
    matrix = draw(_array((rows, columns), floats(bound=2.0)))
    if np.linalg.norm(matrix @ direction) < 2.0**-6:
        # Move the direction's image away from 0 without touching the rest of the matrix.
        matrix = matrix + np.outer(np.ones(rows), direction)
    raw = draw(_array((count, columns), floats(bound=1.0)))
    deviations = raw - np.outer(raw @ direction, direction)
    share = draw(st.floats(0.0, 1.0, exclude_max=True))
    tilt = np.linalg.norm(deviations, axis=1).max()
    spread = _spread(matrix, direction)
    if tilt > 0 and spread > 0:
        # Up to rounding, epsilon = spread * aperture becomes share * largest_epsilon.
        deviations = deviations * (share * epsilon / (spread * tilt) * (1 - 2.0**-40))
    middle = draw(floats(bound=4.0, positive=True).filter(lambda x: x >= 2.0**-6))
    shift = draw(_array((count,), st.floats(-uneven, uneven)))
    shift[np.abs(shift) < _SMALLEST] = 0.0
    sizes = middle * (1 + shift)
    return Cone(
        embeddings=sizes[:, np.newaxis] * (direction + deviations),
        matrix=matrix,
        direction=direction,
        sizes=sizes,
        deviations=deviations,
        aperture=float(np.linalg.norm(deviations, axis=1).max()),
        spread=spread,
        unevenness=float(np.abs(sizes / middle - 1).max()),
        mean=middle * (matrix @ direction),
    )


def queries_and_keys(
    *, head_dim: int, tokens: int, kinds: Sequence[str] = ("generic", "rank_one", "cone")
) -> Strategy[tuple[Floats, Floats]]:
    """Queries and keys, `(tokens, head_dim)` each, each of one of the kinds."""
    makers: dict[str, Callable[[], Strategy[Floats]]] = {
        "generic": lambda: generic(head_dim=head_dim, tokens=tokens),
        "rank_one": lambda: rank_one(head_dim=head_dim, tokens=tokens).map(lambda r: r.vectors),
        "cone": lambda: cone(head_dim=head_dim, tokens=tokens).map(lambda c: c.vectors),
    }
    if isinstance(kinds, str) or not kinds or not set(kinds) <= set(makers):
        raise InvalidArgument("kinds", kinds, f"some of {', '.join(makers)}")
    vectors = st.one_of([makers[kind]() for kind in kinds])
    return st.tuples(vectors, vectors)


def logit_rows(*, keys: int, bound: float = 30.0) -> Strategy[Floats]:
    """One row of logits in `[-bound, bound]`, `(keys,)`."""
    return _array((_integer("keys", keys, least=1),), floats(bound=bound))


def distributions(*, keys: int, least: float = 0.0) -> Strategy[Floats]:
    """A probability vector, `(keys,)`, each entry at least `least`, up to rounding; some may be 0.

    Raises `InvalidArgument` unless `0 <= least <= 1/keys`.
    """
    count = _integer("keys", keys, least=1)
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least * count <= 1:
        raise InvalidArgument("least", least, f"a number from 0 to 1/{count}")

    def normalised(sizes: Floats) -> Floats:
        total = sizes.sum()
        shares = sizes / total if total > 0 else np.full(count, 1 / count)
        return least + (1 - least * count) * shares

    return _array((count,), st.just(0.0) | st.floats(_SMALLEST, 1.0)).map(normalised)


@lru_cache(maxsize=256)
def _scaling(kind: str, planes: int) -> Strategy[Scaling]:
    factor, original = st.sampled_from((1, 2, 4, 8, 40)), st.sampled_from((16, 2048, 8192))
    if kind == "linear":
        return st.builds(Linear, factor)
    if kind == "dynamic":
        return st.builds(Dynamic, factor, original)
    if kind == "yarn":
        return st.builds(
            lambda factor, length, truncate: Yarn(
                factor=factor, original_length=length, truncate=truncate
            ),
            factor,
            original,
            st.booleans(),
        )
    if kind == "llama3":
        return st.builds(
            lambda factor, low, more, length: Llama3(
                factor=factor,
                low_freq_factor=low,
                high_freq_factor=low + more,
                original_length=length,
            ),
            factor,
            st.sampled_from((1, 2)),
            st.sampled_from((1, 3)),
            original,
        )
    divisors = st.lists(st.sampled_from((1, 2, 3, 10, 50)), min_size=planes, max_size=planes)
    return st.builds(
        lambda short, long, length, factor: LongRope(
            short_factor=tuple(short),
            long_factor=tuple(long),
            original_length=length,
            factor=factor,
        ),
        divisors,
        divisors,
        original,
        factor,
    )


@lru_cache(maxsize=512)
def _array(shape: tuple[int, ...], elements: Strategy[float]) -> Strategy[Floats]:
    return arrays(np.float64, shape, elements=elements, fill=st.nothing())


def _unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    if length < 2.0**-10:
        vector, length = np.zeros_like(vector), np.float64(1)
        vector[0] = 1.0
    result: Floats = vector / length
    return result


def _spread(matrix: Floats, direction: Floats) -> float:
    image = matrix @ direction
    rest = matrix - np.outer(image, direction)
    return float(np.linalg.norm(rest, 2) / np.linalg.norm(image))


def _integer(name: str, value: object, *, least: int) -> int:
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidArgument(name, value, f"an integer >= {least}")
    return value


def _even(name: str, value: object) -> int:
    size = _integer(name, value, least=2)
    if size % 2:
        raise InvalidArgument(name, value, "an even integer >= 2")
    return size


def _range(low: str, least: object, high: str, most: object, *, floor: int) -> tuple[int, int]:
    first = _integer(low, least, least=floor)
    return first, _integer(high, most, least=first)


def _positive(name: str, value: object) -> float:
    allowed = "a finite number > 0"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidArgument(name, value, allowed)
    if not 0 < value < float("inf"):
        raise InvalidArgument(name, value, allowed)
    return float(value)
