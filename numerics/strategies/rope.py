"""Strategies for specs, their scalings and presets, and for amplitudes and phases of planes."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from ropeproof.numerics.strategies import arguments
from ropeproof.numerics.strategies.sizes import (
    YES_OR_NO,
    Floats,
    Strategy,
    array,
    between,
    one_of,
    size_bound,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import spec
from ropeproof.theory.rotary.presets import PRESETS, Preset
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Scaling, Yarn

__all__ = ["amplitudes", "phases", "presets", "scalings", "specs"]
_LAYOUTS: tuple[spec.Layout, ...] = typing.get_args(spec.Layout)
_SCALINGS = ("linear", "dynamic", "yarn", "longrope", "llama3")
_BASES = (2, 100, 10000, 500000, 1000000)


def scalings(kinds: Sequence[str] = _SCALINGS, *, rotary_planes: int) -> Strategy[Scaling]:
    """A strategy for frequency scalings of some kinds, for specs with that many rotated planes.

    Kinds: linear, dynamic (needs two planes), yarn, longrope, llama3.
    """
    count = arguments.integer("rotary_planes", rotary_planes, least=1)
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
    layouts: Sequence[spec.Layout] = _LAYOUTS,
    partial: bool = True,
    scaling: bool | Sequence[str] = True,
    bases: Sequence[int] = _BASES,
) -> Strategy[spec.RopeSpec]:
    """A strategy for specs of both layouts, fully or partially rotated, plain or scaled.

    `scaling` is True for any kind or none, False for none, or the kinds to draw from (always one
    of them). The simplest spec has one plane or `least_planes`, base 2, half layout, all planes rotated and
    no scaling.
    """
    least, most = arguments.span("least_planes", least_planes, "most_planes", most_planes, floor=1)
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
def _specs(*how: Any) -> Strategy[spec.RopeSpec]:
    return _spec(*how)


@st.composite
def _spec(
    draw: st.DrawFn,
    least: int,
    most: int,
    layouts: tuple[spec.Layout, ...],
    partial: bool,
    kinds: tuple[str, ...],
    plain: bool,
    bases: tuple[int, ...],
) -> spec.RopeSpec:
    """Draw one spec, with a scaling of one of `kinds`, or, if `plain`, possibly with none."""
    count = draw(between(least, most))
    rotated = count
    if partial:
        # From the full rotation downwards, so that examples shrink to it.
        rotated = count - draw(between(0, count - 1))
    base, layout = draw(one_of(bases)), draw(one_of(layouts))
    chosen: Scaling | None = None
    if kinds and (not plain or draw(YES_OR_NO)):
        here = tuple(k for k in kinds if k != "dynamic" or rotated >= 2) or ("linear",)
        chosen = draw(_scaling_of(here, rotated))
    length = draw(one_of((None, 16, 5000))) if chosen is not None else None
    return spec.RopeSpec(
        2 * count, base, rotary_dim=2 * rotated, layout=layout, scaling=chosen, length=length
    )


def presets() -> Strategy[Preset]:
    """A strategy for the released models in `ropeproof.theory.rotary.presets.PRESETS`."""
    return st.sampled_from(list(PRESETS.values()))


def amplitudes(*, planes: int, bound: float = 8.0) -> Strategy[Floats]:
    """A strategy for amplitudes `A_l >= 0` in logits, `(planes,)`; some may be 0."""
    count = arguments.integer("planes", planes, least=1)
    return array((count,), size_bound(bound), positive=True)


def phases(*, planes: int) -> Strategy[Floats]:
    """A strategy for phases in radians, `(planes,)`, in `[-3.2, 3.2]`."""
    return array((arguments.integer("planes", planes, least=1),), 3.2)


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
