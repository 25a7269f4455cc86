"""The second collection of faulty rotations, and of correct ones in other people's styles.

It was written before its author read which causes the kit knows, from faults that rotary
embeddings of public code have had; the first collection is the kit's own tests. Each fault says
in words what is wrong with it. What the kit may call it is in `accepted.py`, which was filled in
afterwards; this file is not adapted to the kit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.spec import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn

__all__ = ["CORRECT", "FAULTS", "Fault"]

Rotate = Callable[..., Any]

LLAMA2 = RopeSpec(64, 10000)
LLAMA3 = RopeSpec(64, 500000)
WIDE = RopeSpec(128, 1000000)
GPTJ = RopeSpec(64, 10000, rotary_dim=32, layout="interleaved")
PYTHIA = RopeSpec(64, 10000, rotary_dim=16)
CHATGLM = RopeSpec(64, 10000, layout="interleaved")
LATENT = RopeSpec(96, 10000, rotary_dim=32, rotary_start=64, layout="interleaved")
LINEAR = RopeSpec(64, 10000, scaling=Linear(4))
YARN = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=4096))
LLAMA31 = RopeSpec(
    64,
    500000,
    scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192),
)
DYNAMIC = RopeSpec(64, 10000, scaling=Dynamic(factor=2, original_length=2048))
_SHORT, _LONG = tuple([1] * 32), tuple(1 + l // 4 for l in range(32))
LONG = RopeSpec(
    64,
    10000,
    scaling=LongRope(short_factor=_SHORT, long_factor=_LONG, original_length=4096, factor=32),
    length=131072,
)
VIDEO = RopeSpec(64, 1000000, axes=Axes.sections((8, 12, 12)))
GRID = RopeSpec(64, 10000, axes=Axes.grid(32))


@dataclass(frozen=True)
class Fault:
    """A rotation that is wrong, or of `CORRECT` right, for `spec`; `make()` returns it anew."""

    name: str
    truth: str
    spec: RopeSpec
    make: Callable[[], Rotate]
    options: dict[str, Any] = field(default_factory=dict)


FAULTS: list[Fault] = []
CORRECT: list[Fault] = []


def fault(spec: RopeSpec, truth: str, **options: Any) -> Callable[[Rotate], Rotate]:
    """Registers a function `(x, positions)` as a fault."""

    def keep(rotate: Rotate) -> Rotate:
        name = rotate.__name__.strip("_")
        FAULTS.append(Fault(name, truth, spec, lambda: rotate, options))
        return rotate

    return keep


def stateful(spec: RopeSpec, truth: str, **options: Any) -> Callable[[Any], Any]:
    """Registers a class whose instances are faulty rotations with a memory."""

    def keep(kind: Any) -> Any:
        name = "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).strip("_")
        FAULTS.append(Fault(name, truth, spec, kind, options))
        return kind

    return keep


def correct(spec: RopeSpec, **options: Any) -> Callable[[Rotate], Rotate]:
    """Registers a function `(x, positions)` as a correct rotation."""

    def keep(rotate: Rotate) -> Rotate:
        CORRECT.append(Fault(rotate.__name__.strip("_"), "", spec, lambda: rotate, options))
        return rotate

    return keep


# The pieces that most public code shares.


def inverse(base: float = 10000.0, m: int = 32, dtype: torch.dtype = torch.float32) -> Tensor:
    return 1.0 / (base ** (torch.arange(0, 2 * m, 2, dtype=dtype) / (2 * m)))


def outer(positions: Tensor, frequencies: Tensor) -> Tensor:
    """Angles that broadcast with (batch, heads, length, planes)."""
    angles = positions[..., None].to(frequencies.dtype) * frequencies
    return angles[:, None] if angles.ndim == 3 else angles


def halves(x: Tensor, angles: Tensor, factor: float = 1.0) -> Tensor:
    c, s = angles.cos() * factor, angles.sin() * factor
    a, b = x.float().chunk(2, -1) if x.dtype != torch.float64 else x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


def neighbours(x: Tensor, angles: Tensor) -> Tensor:
    c, s = angles.cos(), angles.sin()
    y = x.float() if x.dtype != torch.float64 else x
    a, b = y[..., ::2], y[..., 1::2]
    return torch.stack((a * c - b * s, b * c + a * s), -1).flatten(-2).to(x.dtype)


def rotate_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat((-b, a), -1)


def rotate_every_two(x: Tensor) -> Tensor:
    return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)


def yarn_frequencies(
    fast: float = 32.0,
    slow: float = 1.0,
    factor: float = 8.0,
    original: int = 4096,
    dim: int = 64,
    m: int = 32,
    rounded: bool = True,
) -> Tensor:
    def where(turns: float) -> float:
        return dim * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(10000.0))

    low, high = where(fast), where(slow)
    if rounded:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    ramp = ((torch.arange(m).float() - low) / max(high - low, 0.001)).clamp(0, 1)
    plain = inverse(m=m)
    return plain / factor * ramp + plain * (1 - ramp)


def yarn_factor(factor: float = 8.0) -> float:
    return 0.1 * math.log(factor) + 1.0


def llama3_frequencies(
    low: float = 1.0, high: float = 4.0, original: float = 8192.0, smooth: bool = True
) -> Tensor:
    plain = inverse(500000.0)
    wave = 2 * math.pi / plain
    s = ((original / wave - low) / (high - low)).clamp(0, 1)
    if not smooth:
        s = (s > 0.5).float()
    return (1 - s) * plain / 8 + s * plain


# Positions.


@fault(LLAMA2, "positions are counted from 1")
def counted_from_one(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions + 1, inverse()))


@fault(LLAMA2, "the positions passed are ignored: row i always has position i")
def positions_ignored(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(torch.arange(x.shape[-2]), inverse()))


@fault(LLAMA3, "all sequences of a batch get the positions of the first one")
def first_row_only(x: Tensor, positions: Tensor) -> Tensor:
    first = positions[0] if positions.ndim == 2 else positions
    return halves(x, outer(first, inverse(500000.0)))


@fault(LLAMA2, "only the first position is read; the others are taken to follow it without gaps")
def consecutive_from_first(x: Tensor, positions: Tensor) -> Tensor:
    steps = torch.arange(x.shape[-2])
    return halves(x, outer(positions[..., :1] + steps, inverse()))


@fault(LLAMA3, "positions beyond the table of 2048 rows are clamped to its last row", context=8192)
def clamped_to_table(x: Tensor, positions: Tensor) -> Tensor:
    table = torch.arange(2048)
    return halves(x, outer(table[positions.clamp(max=2047)], inverse(500000.0)))


@fault(LLAMA3, "positions wrap around at 4096, as in a ring buffer", context=16384)
def ring_buffer(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions % 4096, inverse(500000.0)))


@fault(LLAMA3, "positions are rounded to bfloat16 before the product")
def positions_in_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.to(torch.bfloat16).float(), inverse(500000.0)))


@fault(WIDE, "positions are converted to float16, which rounds from 2048 on")
def positions_in_float16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.to(torch.float16).float(), inverse(1000000.0, 64)))


@fault(WIDE, "positions are stored in int16 and turn negative from 32768 on", context=65536)
def positions_in_int16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.to(torch.int16).to(torch.int64), inverse(1000000.0, 64)))


@fault(LLAMA2, "the offset is dropped: positions are taken relative to the first one")
def offset_dropped(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions - positions[..., :1], inverse()))


@fault(LLAMA2, "a call with one query, as in decoding, is one position behind")
def behind_in_decoding(x: Tensor, positions: Tensor) -> Tensor:
    late = positions - 1 if x.shape[-2] == 1 else positions
    return halves(x, outer(late, inverse()))


@fault(LLAMA2, "the angle is taken by the number of the head, not by the position")
def heads_for_positions(x: Tensor, positions: Tensor) -> Tensor:
    angles = torch.arange(x.shape[1])[:, None].float() * inverse()
    return halves(x, angles[:, None, :])


@fault(LLAMA2, "positions are counted backwards from the last one")
def backwards(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.flip(-1), inverse()))


@fault(
    LLAMA2, "every second position repeats the one before it (integer division by two, times two)"
)
def even_positions(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions // 2 * 2, inverse()))


# Frequencies.


@fault(PYTHIA, "the exponent is divided by the head dimension, not by the rotated one")
def exponent_over_head(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = 10000.0 ** -(torch.arange(0, 16, 2).float() / 64)
    return torch.cat((halves(x[..., :16], outer(positions, frequencies)), x[..., 16:]), -1)


@fault(LLAMA2, "the exponent is l/dim where it is 2l/dim")
def half_exponent(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, 10000.0 ** -(torch.arange(32).float() / 64)))


@fault(LLAMA2, "the exponents run to 1 inclusive (linspace), l/(m-1) where it is l/m")
def linspace_inclusive(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, 10000.0 ** -torch.linspace(0, 1, 32)))


@fault(CHATGLM, "frequencies are counted from 1: the first plane has the second frequency")
def planes_from_one(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = 10000.0 ** -(torch.arange(2, 66, 2).float() / 64)
    return neighbours(x, outer(positions, frequencies))


@fault(LLAMA3, "rope_theta of the configuration is not read: base 10000")
def default_base(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(10000.0)))


@fault(LLAMA3, "a digit was dropped: base 50000")
def mistyped_base(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(50000.0)))


@fault(LLAMA2, "the frequencies are in reverse order")
def reversed_frequencies(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse().flip(0)))


@fault(LLAMA3, "the inverse frequencies were rounded to bfloat16 with the model")
def frequencies_in_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0).to(torch.bfloat16).float()))


@fault(LLAMA3, "the inverse frequencies were rounded to float16 with the model")
def frequencies_in_float16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0).half().float()))


@fault(LLAMA3, "the angles are formed in bfloat16 under autocast")
def angles_in_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions.to(torch.bfloat16), inverse(500000.0).to(torch.bfloat16))
    return halves(x, angles.float())


@fault(LLAMA2, "cosines and sines are stored in bfloat16, whatever the type of the vectors")
def tables_in_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    c, s = angles.cos().bfloat16().float(), angles.sin().bfloat16().float()
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


@fault(LLAMA2, "frequencies are multiplied by 2 pi, as if in turns")
def turns_for_radians(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse() * 2 * math.pi))


@fault(LLAMA2, "angles are converted from degrees that they are not in")
def degrees_for_radians(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, torch.deg2rad(outer(positions, inverse())))


@fault(LLAMA2, "exp2 of a natural logarithm: the base is 10000 to the power ln 2, about 592")
def exp2_of_natural_log(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = torch.exp2(-math.log(10000.0) * torch.arange(32).float() / 32)
    return halves(x, outer(positions, frequencies))


@fault(LLAMA2, "the exponent is an integer division and always 0: all frequencies are 1")
def integer_division(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = 1.0 / 10000.0 ** (torch.arange(0, 64, 2) // 64).float()
    return halves(x, outer(positions, frequencies))


@fault(LLAMA2, "frequencies are base**(+2l/dim): the minus of the exponent is missing")
def growing_frequencies(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, 1.0 / inverse()))


@fault(LLAMA2, "the frequency of the last plane is 0: the buffer was filled one short")
def last_plane_missing(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = inverse()
    frequencies[-1] = 0
    return halves(x, outer(positions, frequencies))


@fault(LLAMA2, "the frequency of plane 13 is 3 % too large")
def one_plane_off(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = inverse()
    frequencies[13] *= 1.03
    return halves(x, outer(positions, frequencies))


@fault(LLAMA2, "frequencies fall linearly from 1 to 1/10000 and not geometrically")
def linear_frequencies(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, torch.linspace(1, 1e-4, 32)))


# Scaling.


@fault(LINEAR, "the factor of position interpolation is not applied")
def linear_ignored(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@fault(LINEAR, "positions are multiplied by the factor where they are divided")
def linear_inverted(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse() * 4))


@fault(LINEAR, "the factor is applied to the positions and again to the frequencies")
def linear_twice(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse() / 16))


@fault(LINEAR, "an NTK-aware base is used where the configuration says linear")
def ntk_for_linear(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(10000.0 * 4 ** (64 / 62))))


@fault(LINEAR, "positions are divided by the factor in integers")
def linear_in_integers(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions // 4, inverse()))


@fault(YARN, "the attention factor of YaRN is missing")
def yarn_without_factor(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies()))


@fault(YARN, "the attention factor of YaRN is applied twice")
def yarn_factor_twice(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies()), yarn_factor() ** 2)


@fault(YARN, "the vectors are divided by the attention factor")
def yarn_factor_inverted(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies()), 1 / yarn_factor())


@fault(YARN, "the YaRN ramp is read the other way: fast planes are interpolated, slow ones are not")
def yarn_ramp_reversed(x: Tensor, positions: Tensor) -> Tensor:
    plain, right = inverse(), yarn_frequencies()
    return halves(x, outer(positions, plain + plain / 8 - right), yarn_factor())


@fault(YARN, "linear scaling where the configuration says YaRN, its attention factor kept")
def linear_for_yarn(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse() / 8), yarn_factor())


@fault(YARN, "the scaling of the configuration is not read at all")
def yarn_ignored(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@fault(YARN, "the ramp's bounds are not rounded to integers, though the configuration truncates")
def yarn_not_truncated(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies(rounded=False)), yarn_factor())


@fault(YARN, "the original length is taken as the extended one, 32768")
def yarn_extended_length(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies(original=32768)), yarn_factor())


@fault(YARN, "beta_fast is 64, twice the default")
def yarn_other_beta(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies(fast=64.0)), yarn_factor())


@fault(LLAMA31, "Llama 3.1's scaling is not read")
def llama3_ignored(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0)))


@fault(LLAMA31, "no smooth passage between the bands of Llama 3.1, a step instead")
def llama3_step(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, llama3_frequencies(smooth=False)))


@fault(LLAMA31, "the original length of Llama 3.1's scaling is read as 131072")
def llama3_extended_length(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, llama3_frequencies(original=131072.0)))


@fault(LLAMA31, "plain linear scaling by 8 for Llama 3.1's scaling")
def linear_for_llama3(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0) / 8))


def dynamic_base(length: int, factor: float = 2.0, original: int = 2048) -> float:
    grown = factor * max(length, original) / original - (factor - 1)
    return 10000.0 * grown ** (64 / 62)


@fault(DYNAMIC, "dynamic scaling never sets in: base 10000 at every length")
def dynamic_ignored(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@stateful(DYNAMIC, "after one long sequence its frequencies stay for the short ones that follow")
class DynamicStays:
    def __init__(self) -> None:
        self.longest = 2048

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        self.longest = max(self.longest, int(positions.max()) + 1)
        return halves(x, outer(positions, inverse(dynamic_base(self.longest))))


@fault(LONG, "LongRoPE's short factors are used at every length")
def longrope_always_short(x: Tensor, positions: Tensor) -> Tensor:
    factor = math.sqrt(1 + math.log(32) / math.log(4096))
    return halves(x, outer(positions, inverse()), factor)


# Pairing.


@fault(LLAMA3, "neighbours are paired where the halves are")
def neighbours_for_halves(x: Tensor, positions: Tensor) -> Tensor:
    return neighbours(x, outer(positions, inverse(500000.0)))


@fault(CHATGLM, "halves are paired where neighbours are")
def halves_for_neighbours(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@fault(LLAMA2, "angles are repeated for neighbours, coordinates are paired by halves")
def tables_of_neighbours(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse()).repeat_interleave(2, -1)
    return (x.float() * angles.cos() + rotate_half(x).float() * angles.sin()).to(x.dtype)


@fault(CHATGLM, "angles are laid out for halves, coordinates are paired as neighbours")
def tables_of_halves(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    angles = torch.cat((angles, angles), -1)
    return (x.float() * angles.cos() + rotate_every_two(x).float() * angles.sin()).to(x.dtype)


@fault(PYTHIA, "a partial rotation pairs across the whole head: l with l + head/2")
def pairs_across_head(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(m=8))
    c, s, y = angles.cos(), angles.sin(), x.float().clone()
    a, b = x.float()[..., :8], x.float()[..., 32:40]
    y[..., :8], y[..., 32:40] = a * c - b * s, b * c + a * s
    return y.to(x.dtype)


@fault(PYTHIA, "the last coordinates rotate where the first ones do")
def rotates_the_end(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(m=8))
    return torch.cat((x[..., :48], halves(x[..., 48:], angles)), -1)


@fault(LATENT, "the first coordinates rotate where, in latent attention, the last do")
def latent_rotates_the_start(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(m=16))
    return torch.cat((neighbours(x[..., :32], angles), x[..., 32:]), -1)


@fault(CHATGLM, "the result is left in half order: the real parts first, then the imaginary ones")
def left_in_half_order(x: Tensor, positions: Tensor) -> Tensor:
    y = neighbours(x, outer(positions, inverse()))
    return torch.cat((y[..., ::2], y[..., 1::2]), -1)


@fault(PYTHIA, "the unrotated coordinates are returned as zeros")
def rest_is_zero(x: Tensor, positions: Tensor) -> Tensor:
    turned = halves(x[..., :16], outer(positions, inverse(m=8)))
    return torch.cat((turned, torch.zeros_like(x[..., 16:])), -1)


@fault(PYTHIA, "the unrotated coordinates come before the rotated ones in the result")
def rest_comes_first(x: Tensor, positions: Tensor) -> Tensor:
    turned = halves(x[..., :16], outer(positions, inverse(m=8)))
    return torch.cat((x[..., 16:], turned), -1)


@fault(PYTHIA, "the partial rotation is not read: all coordinates rotate")
def rotates_everything(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@fault(LLAMA2, "only the first half of the planes rotate")
def half_of_the_planes(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = inverse()
    frequencies[16:] = 0
    return halves(x, outer(positions, frequencies))


@fault(LLAMA2, "coordinate l is paired with d-1-l")
def mirrored_pairs(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    y = torch.cat((x[..., :32], x[..., 32:].flip(-1)), -1)
    z = halves(y, angles)
    return torch.cat((z[..., :32], z[..., 32:].flip(-1)), -1)


# Sign.


@fault(LLAMA2, "the planes turn the other way (sign of the sine)")
def clockwise(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, -outer(positions, inverse()))


@fault(CHATGLM, "no minus in the half that is exchanged: the map is not a rotation")
def minus_forgotten(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    c, s = angles.cos(), angles.sin()
    a, b = x.float()[..., ::2], x.float()[..., 1::2]
    return torch.stack((a * c + b * s, b * c + a * s), -1).flatten(-2).to(x.dtype)


@fault(LLAMA2, "the imaginary part has the wrong sign: a reflection")
def reflected(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    c, s = angles.cos(), angles.sin()
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * c - b * s, -(b * c + a * s)), -1).to(x.dtype)


@fault(LLAMA2, "cosine and sine are exchanged")
def sine_for_cosine(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, math.pi / 2 - outer(positions, inverse()))


@fault(LLAMA2, "the second half is computed from the first half's new values")
def overwritten_first_half(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    c, s = angles.cos(), angles.sin()
    a, b = x.float().chunk(2, -1)
    a = a * c - b * s
    b = b * c + a * s
    return torch.cat((a, b), -1).to(x.dtype)


# Factor and repetition.


@fault(LLAMA2, "the result is divided by the root of the head dimension")
def softmax_scale_inside(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()), 1 / 8)


@fault(LLAMA2, "the rotated vector is added to the unrotated one")
def added_to_input(x: Tensor, positions: Tensor) -> Tensor:
    return x + halves(x, outer(positions, inverse()))


@fault(LLAMA2, "everything is 1 % too long")
def one_percent_long(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()), 1.01)


@fault(LLAMA2, "the rotation is applied twice")
def twice(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    return halves(halves(x, angles), angles)


@fault(LLAMA2, "nothing rotates")
def identity(x: Tensor, positions: Tensor) -> Tensor:
    return x.clone()


@fault(LLAMA3, "vectors are divided by their length before the rotation")
def normalised(x: Tensor, positions: Tensor) -> Tensor:
    y = x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)
    return halves(y, outer(positions, inverse(500000.0)))


@fault(LLAMA2, "xPos's decay multiplies the vectors, though the configuration has none")
def decayed(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    zeta = (torch.arange(32).float() * 2 + 0.4 * 64) / (1.4 * 64)
    power = outer(positions.float() / 512, torch.ones(32))
    y = halves(x, angles)
    scale = zeta**power
    return (y.float() * torch.cat((scale, scale), -1)).to(x.dtype)


# Heads, batch, length: what a kernel leaves out.


@fault(LLAMA2, "the last head is left unrotated")
def last_head_left(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x, outer(positions, inverse()))
    y[:, -1] = x[:, -1]
    return y


@fault(LLAMA2, "from the second sequence of a batch on nothing rotates")
def first_sequence_only(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x, outer(positions, inverse()))
    y[1:] = x[1:]
    return y


@fault(LLAMA2, "rows behind the last full block of 64 are left unrotated")
def last_block_left(x: Tensor, positions: Tensor) -> Tensor:
    y, full = halves(x, outer(positions, inverse())), x.shape[-2] // 64 * 64
    y[:, :, full:] = x[:, :, full:]
    return y


@fault(LLAMA2, "heads from number 8 on are left unrotated")
def eight_heads(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x, outer(positions, inverse()))
    y[:, 8:] = x[:, 8:]
    return y


@fault(LLAMA2, "memory is read as if the argument were contiguous")
def strides_ignored(x: Tensor, positions: Tensor) -> Tensor:
    y = x.as_strided(x.shape, torch.empty(x.shape).stride())
    return halves(y, outer(positions, inverse()))


@fault(LLAMA3, "pi is 3.14159 where large angles are reduced")
def short_pi(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(500000.0))
    turn = 2 * 3.14159
    return halves(x, angles - turn * (angles / turn).floor())


@fault(LLAMA2, "sine and cosine come from a table of 1024 angles without interpolation")
def coarse_sine_table(x: Tensor, positions: Tensor) -> Tensor:
    step = 2 * math.pi / 1024
    return halves(x, (outer(positions, inverse()) / step).round() * step)


@fault(LLAMA3, "noise of 1 % on every value, from uninitialised memory say")
def noisy(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x, outer(positions, inverse(500000.0)))
    generator = torch.Generator().manual_seed(x.numel())
    return y + (0.01 * torch.randn(y.shape, generator=generator)).to(y.dtype)


# Memory of earlier calls.


@stateful(LLAMA2, "cosines are kept from the first call of a length and reused at other positions")
class StaleByLength:
    def __init__(self) -> None:
        self.kept: dict[tuple[int, ...], Tensor] = {}

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        angles = self.kept.setdefault(tuple(positions.shape), outer(positions, inverse()))
        return halves(x, angles)


@stateful(LLAMA2, "the tables keep the type of the first call's vectors")
class TypeOfFirstCall:
    def __init__(self) -> None:
        self.dtype: torch.dtype | None = None

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        self.dtype = self.dtype or x.dtype
        angles = outer(positions, inverse())
        c, s = angles.cos().to(self.dtype), angles.sin().to(self.dtype)
        a, b = x.chunk(2, -1)
        return torch.cat((a * c - b * s, b * c + a * s), -1)


@fault(LLAMA2, "the argument is overwritten")
def overwrites_argument(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x, outer(positions, inverse()))
    with torch.no_grad():
        x.copy_(y)
    return y


# Types.


@fault(LLAMA2, "the result is float32 for vectors of half precision")
def result_in_float32(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


@fault(LLAMA2, "the vectors pass through bfloat16")
def vectors_through_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x.bfloat16().float(), outer(positions, inverse())).to(x.dtype)


# Gradients.


class _SameWay(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, angles: Tensor) -> Tensor:
        ctx.save_for_backward(angles)
        return halves(x, angles)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None]:
        return halves(upstream[0], ctx.saved_tensors[0]), None


@fault(LLAMA2, "the gradient is rotated forwards, not back")
def gradient_forwards(x: Tensor, positions: Tensor) -> Tensor:
    turned: Tensor = _SameWay.apply(x, outer(positions, inverse()))
    return turned


@fault(LLAMA2, "the result has no gradient")
def no_gradient(x: Tensor, positions: Tensor) -> Tensor:
    with torch.no_grad():
        return halves(x, outer(positions, inverse()))


class _PositionsOfFirst(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, angles: Tensor) -> Tensor:
        ctx.save_for_backward(angles)
        return halves(x, angles)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None]:
        return halves(upstream[0], -ctx.saved_tensors[0][:1]), None


@fault(LLAMA2, "the gradient uses the positions of the first sequence for all")
def gradient_of_first_row(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    turned: Tensor = _PositionsOfFirst.apply(x, angles if angles.ndim == 4 else angles[None])
    return turned


class _UpstreamStrides(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, angles: Tensor) -> Tensor:
        ctx.save_for_backward(angles)
        return halves(x, angles)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None]:
        g = upstream[0]
        if 0 not in g.stride():
            g = g.as_strided(g.shape, torch.empty(g.shape).stride())
        return halves(g, -ctx.saved_tensors[0]), None


@fault(LLAMA2, "the backward pass reads the incoming gradient as if it were contiguous")
def gradient_strides_ignored(x: Tensor, positions: Tensor) -> Tensor:
    turned: Tensor = _UpstreamStrides.apply(x, outer(positions, inverse()))
    return turned


# Queries and keys together.


def pair(spec: RopeSpec, truth: str, **options: Any) -> Callable[[Rotate], Rotate]:
    """Registers a function `(q, k, positions)` as a fault."""
    return fault(spec, truth, form="pair", **options)


@pair(LLAMA2, "keys are not rotated")
def keys_not_rotated(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return halves(q, outer(positions, inverse())), k.clone()


@pair(LLAMA2, "keys turn the other way")
def keys_backwards(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    angles = outer(positions, inverse())
    return halves(q, angles), halves(k, -angles)


@pair(LLAMA2, "the keys returned are the queries")
def queries_for_keys(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    y = halves(q, outer(positions, inverse()))
    return y, y[:, : k.shape[1]].clone()


@pair(LLAMA2, "queries and keys are returned in exchanged order")
def exchanged(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    angles = outer(positions, inverse())
    return halves(k, angles), halves(q, angles)


@pair(YARN, "the attention factor is applied to the queries only")
def factor_on_queries(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    angles = outer(positions, yarn_frequencies())
    return halves(q, angles, yarn_factor()), halves(k, angles)


@pair(LLAMA3, "of the keys only the first head is rotated")
def first_key_head(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    angles = outer(positions, inverse(500000.0))
    turned = halves(k, angles)
    turned[:, 1:] = k[:, 1:]
    return halves(q, angles), turned


# Positions of several coordinates.


def sectioned(positions: Tensor, order: tuple[int, ...], sizes: tuple[int, ...]) -> Tensor:
    p = positions if positions.ndim > 2 else positions[None]
    axis = torch.tensor([a for a, n in zip(order, sizes, strict=True) for _ in range(n)])
    angles = p[..., axis].float() * inverse(1000000.0)
    return angles[:, None]


@fault(VIDEO, "height and width are exchanged")
def height_and_width_exchanged(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, sectioned(positions, (0, 2, 1), (8, 12, 12)))


@fault(VIDEO, "all planes turn by the time")
def time_only(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, sectioned(positions, (0, 0, 0), (8, 12, 12)))


@fault(GRID, "one sequence of frequencies is dealt over both axes, where each has its own")
def one_sequence_for_both(x: Tensor, positions: Tensor) -> Tensor:
    p = positions if positions.ndim > 2 else positions[None]
    axis = torch.tensor([0] * 16 + [1] * 16)
    return halves(x, (p[..., axis].float() * inverse())[:, None])


# Two faults at once.


@fault(LLAMA3, "the default base 10000 and neighbours for halves")
def base_and_layout(x: Tensor, positions: Tensor) -> Tensor:
    return neighbours(x, outer(positions, inverse(10000.0)))


@fault(LLAMA3, "positions counted from 1 and the default base 10000")
def base_and_first_position(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions + 1, inverse(10000.0)))


@fault(YARN, "the scaling is ignored and the planes turn the other way")
def scaling_and_sign(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, -outer(positions, inverse()))


@fault(GPTJ, "halves for neighbours, in a rotated part that is the last of the head")
def layout_and_place(x: Tensor, positions: Tensor) -> Tensor:
    return torch.cat((x[..., :32], halves(x[..., 32:], outer(positions, inverse(m=16)))), -1)


@fault(LLAMA31, "the scaling is ignored and frequencies are in bfloat16")
def scaling_and_rounding(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0).bfloat16().float()))


# Correct rotations.


@correct(LLAMA3)
def by_halves(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(500000.0)))


@correct(LLAMA2)
def with_rotate_half(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    angles = torch.cat((angles, angles), -1)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return x * c + rotate_half(x) * s


@correct(CHATGLM)
def complex_numbers(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


@correct(GPTJ)
def every_two(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(m=16)).repeat_interleave(2, -1)
    y, rest = x[..., :32], x[..., 32:]
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat((y * c + rotate_every_two(y) * s, rest), -1)


@correct(PYTHIA)
def partial_halves(x: Tensor, positions: Tensor) -> Tensor:
    return torch.cat((halves(x[..., :16], outer(positions, inverse(m=8))), x[..., 16:]), -1)


@correct(LATENT)
def latent(x: Tensor, positions: Tensor) -> Tensor:
    turned = neighbours(x[..., 64:], outer(positions, inverse(m=16)))
    return torch.cat((x[..., :64], turned), -1)


@correct(LINEAR)
def linear(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.float() / 4, inverse()))


@correct(YARN)
def yarn(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies()), yarn_factor())


@correct(LLAMA31)
def llama3(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, llama3_frequencies()))


@correct(WIDE)
def in_float64(x: Tensor, positions: Tensor) -> Tensor:
    y = halves(x.double(), outer(positions, inverse(1000000.0, 64, torch.float64)))
    return y.to(x.dtype)


@correct(DYNAMIC)
def dynamic(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(dynamic_base(int(positions.max()) + 1))))


@correct(VIDEO)
def video(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, sectioned(positions, (0, 1, 2), (8, 12, 12)))


@correct(GRID)
def grid(x: Tensor, positions: Tensor) -> Tensor:
    p = positions if positions.ndim > 2 else positions[None]
    own = inverse(m=16)
    angles = torch.cat((p[..., :1].float() * own, p[..., 1:].float() * own), -1)
    return halves(x, angles[:, None])


@correct(LLAMA2, form="pair")
def queries_and_keys(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    angles = outer(positions, inverse())
    return halves(q, angles), halves(k, angles)
