"""The third collection of faulty rotations: kinds that neither of the others has.

Many are bugs of public code, retold: a table whose sines begin at the padded width, rows added to a
table without its scaling, a kernel that pairs over the whole head, bytes for positions, a base
that overflows in float16, a cache that counts its offset twice. `third_accepted.py` says what the
kit may call each; this file is not adapted to the kit.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from faults.second import (
    CHATGLM,
    DYNAMIC,
    GPTJ,
    LINEAR,
    LLAMA2,
    LLAMA3,
    LLAMA31,
    LONG,
    PYTHIA,
    VIDEO,
    YARN,
    Fault,
    halves,
    inverse,
    neighbours,
    outer,
    rotate_half,
    sectioned,
    yarn_factor,
    yarn_frequencies,
)
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["THIRD"]

ODD = RopeSpec(96, 10000)
"""A head whose size is no power of two."""

THIRD: list[Fault] = []


def fault(spec: RopeSpec, truth: str, **options: Any) -> Any:
    """Registers a function, or a class whose instances have a memory, as a fault."""

    def keep(made: Any) -> Any:
        make = made if isinstance(made, type) else lambda: made
        THIRD.append(Fault(made.__name__.strip("_"), truth, spec, make, options))
        return made

    return keep


def wide(x: Tensor) -> Tensor:
    """The vectors in a type that is wide enough to turn them."""
    return x if x.dtype == torch.float64 else x.float()


# Positions.


@fault(LLAMA2, "positions are kept in a byte and wrap around at 256")
def positions_in_a_byte(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions.to(torch.uint8), inverse()))


@fault(LLAMA2, "positions begin at 2, as in learned tables with room for padding")
def two_for_padding(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions + 2, inverse()))


@fault(LLAMA2, "the cache's length is added to positions that have it already")
def offset_twice(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions + positions[..., :1], inverse()))


@fault(
    LLAMA3, "from 1024 on four neighbours share a position, and nobody asked for that", context=8192
)
def grouped_when_far(x: Tensor, positions: Tensor) -> Tensor:
    far = 1024 + (positions - 1024) // 4
    return halves(x, outer(torch.where(positions < 1024, positions, far), inverse(500000.0)))


@fault(LLAMA2, "positions are spread by linspace over the context, whose last point is included")
def spread_by_linspace(x: Tensor, positions: Tensor) -> Tensor:
    stretch = 4096 / 4095
    return halves(
        x, outer(positions.double() * stretch, inverse(dtype=torch.float64)).to(torch.float32)
    )


@fault(LLAMA2, "every row of a batch has the position of the longest one's last token in decoding")
def longest_row(x: Tensor, positions: Tensor) -> Tensor:
    if x.shape[-2] == 1 and positions.ndim == 2:
        positions = positions.max().expand_as(positions)
    return halves(x, outer(positions, inverse()))


@fault(LLAMA2, "rows of the batch are taken in the order of the last step")
def rows_rolled(x: Tensor, positions: Tensor) -> Tensor:
    if positions.ndim == 2:
        positions = positions.roll(1, 0)
    return halves(x, outer(positions, inverse()))


@fault(LLAMA2, "a cast of the last position: 0 for all vectors but the last of a call")
def prefill_forgotten(x: Tensor, positions: Tensor) -> Tensor:
    kept = positions.clone()
    kept[..., :-1] = 0
    return halves(x, outer(kept, inverse()))


@fault(LLAMA2, "sines are read one row further than cosines")
def sines_one_row_on(x: Tensor, positions: Tensor) -> Tensor:
    c, s = outer(positions, inverse()).cos(), outer(positions + 1, inverse()).sin()
    a, b = wide(x).chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


# Frequencies.


@fault(LLAMA3, "the base is in float16, where 500000 is infinite")
def infinite_base(x: Tensor, positions: Tensor) -> Tensor:
    base = torch.tensor(500000.0).half().float()
    return halves(x, outer(positions, 1 / base ** (torch.arange(0, 64, 2) / 64)))


@fault(ODD, "exponents are over the padded width 128, not over 96")
def exponent_of_padded_head(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, 10000.0 ** -(torch.arange(0, 96, 2) / 128)))


@fault(ODD, "sines are read from the padded half of a row: the last planes have none")
def sines_behind_the_row(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse(m=48))
    row = torch.nn.functional.pad(torch.cat((angles.cos(), angles.sin()), -1), (0, 32))
    c, s = row[..., :48], row[..., 64 : 64 + 48]
    a, b = wide(x).chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


@fault(LLAMA2, "the base has the head's number of planes added: 10032")
def base_slightly_off(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(10032.0)))


@fault(LLAMA2, "the angle is divided by the frequency instead of multiplied with it")
def divided_by_frequency(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, 1 / inverse()))


@fault(LLAMA3, "frequencies of odd planes have the base 10000 of a table of another model")
def every_other_base(x: Tensor, positions: Tensor) -> Tensor:
    own, other = inverse(500000.0), inverse(10000.0)
    return halves(x, outer(positions, torch.where(torch.arange(32) % 2 == 0, own, other)))


# Scalings.


@fault(LINEAR, "rows that were added to the table are not scaled", context=8192)
def added_rows_unscaled(x: Tensor, positions: Tensor) -> Tensor:
    steps = torch.where(positions < 4096, positions / 4, positions.float())
    return halves(x, outer(steps, inverse()))


@fault(LINEAR, "only the first half of the planes is interpolated")
def half_interpolated(x: Tensor, positions: Tensor) -> Tensor:
    divided = torch.where(torch.arange(32) < 16, 4.0, 1.0)
    return halves(x, outer(positions, inverse() / divided))


def raised(base: float, length: int, factor: float = 2.0, original: int = 2048) -> float:
    long = max(length, original)
    return float(base * (factor * long / original - (factor - 1)) ** (64 / 62))


@fault(DYNAMIC, "the length of a dynamic scaling is the number of vectors, not the last position")
def length_of_the_call(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(raised(10000.0, x.shape[-2]))))


@fault(DYNAMIC, "dynamic scaling without the term that makes it begin at one")
def dynamic_jumps(x: Tensor, positions: Tensor) -> Tensor:
    length = int(positions.max()) + 1
    base = 10000.0 * (2 * length / 2048) ** (64 / 62) if length > 2048 else 10000.0
    return halves(x, outer(positions, inverse(base)))


@fault(YARN, "the attention factor is DeepSeek's, 1 + 0.0707 ln 8")
def factor_of_another_model(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies()), 1 + 0.0707 * math.log(8))


@fault(YARN, "the attention factor is missing where one vector at a time is decoded")
def factor_in_prefill_only(x: Tensor, positions: Tensor) -> Tensor:
    factor = 1.0 if x.shape[-2] == 1 else yarn_factor()
    return halves(x, outer(positions, yarn_frequencies()), factor)


def factors(values: Any) -> Tensor:
    return torch.tensor([float(v) for v in values])


def long_factor(length: int = 4096, factor: float = 32) -> float:
    return math.sqrt(1 + math.log(factor) / math.log(length))


@fault(LONG, "short and long factors are exchanged")
def exchanged_factors(x: Tensor, positions: Tensor) -> Tensor:
    long = int(positions.max()) + 1 > 4096
    chosen = factors(LONG.scaling.short_factor if long else LONG.scaling.long_factor)
    return halves(x, outer(positions, inverse() / chosen), long_factor())


@fault(LONG, "the long factors for every sequence")
def always_long(x: Tensor, positions: Tensor) -> Tensor:
    chosen = factors(LONG.scaling.long_factor)
    return halves(x, outer(positions, inverse() / chosen), long_factor())


@fault(LLAMA31, "low and high frequency factors are exchanged, so that nothing is blended")
def exchanged_bands(x: Tensor, positions: Tensor) -> Tensor:
    plain = inverse(500000.0)
    turns = 8192 * plain / (2 * math.pi)
    share = ((turns - 4) / (1 - 4)).clamp(0, 1)
    return halves(x, outer(positions, (1 - share) * plain / 8 + share * plain))


# Pairs of coordinates.


@fault(PYTHIA, "the kernel pairs over the whole head, with the whole head's exponents")
def over_the_head(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = torch.zeros(32)
    frequencies[:8] = 10000.0 ** -(torch.arange(0, 16, 2) / 64)
    return halves(x, outer(positions, frequencies))


@fault(CHATGLM, "coordinates are paired at distance two, as lanes of four are loaded")
def lanes_of_four(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    four = wide(x).unflatten(-1, (16, 2, 2))
    a, b = four[..., 0, :].flatten(-2), four[..., 1, :].flatten(-2)
    c, s = angles.cos(), angles.sin()
    turned = torch.stack(
        ((a * c - b * s).unflatten(-1, (16, 2)), (b * c + a * s).unflatten(-1, (16, 2))), -2
    )
    return turned.flatten(-3).to(x.dtype)


@fault(LLAMA2, "every second plane turns the other way")
def alternating_sign(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse() * (1 - 2 * (torch.arange(32) % 2))))


@fault(LLAMA2, "a row of sines and cosines in turn is cut in halves, not dealt out")
def row_cut_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    row = torch.stack((angles.cos(), angles.sin()), -1).flatten(-2)
    c, s = row.chunk(2, -1)
    a, b = wide(x).chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


@fault(GPTJ, "of 32 coordinates 16 turn: the factor of a half is applied twice")
def half_of_the_half(x: Tensor, positions: Tensor) -> Tensor:
    return torch.cat((neighbours(x[..., :16], outer(positions, inverse(m=8))), x[..., 16:]), -1)


@fault(LLAMA2, "the halves of the result are exchanged")
def halves_exchanged(x: Tensor, positions: Tensor) -> Tensor:
    a, b = halves(x, outer(positions, inverse())).chunk(2, -1)
    return torch.cat((b, a), -1)


@fault(LLAMA2, "the vector is multiplied by cosines and nothing is added")
def cosines_alone(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    return (wide(x) * torch.cat((angles, angles), -1).cos()).to(x.dtype)


# Numbers.


@fault(LLAMA2, "cosines and sines in eight bits")
def tables_in_eight_bits(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    c, s = (angles.cos() * 127).round() / 127, (angles.sin() * 127).round() / 127
    a, b = wide(x).chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


@fault(LLAMA2, "sine by three terms of its series on the reduced angle")
def three_terms(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    t = torch.remainder(angles + math.pi, 2 * math.pi) - math.pi
    s, c = t - t**3 / 6 + t**5 / 120, angles.cos()
    a, b = wide(x).chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


@fault(LLAMA2, "under autocast positions times frequencies are a product of matrices in bfloat16")
def product_under_autocast(x: Tensor, positions: Tensor) -> Tensor:
    rows = positions if positions.ndim == 2 else positions[None]
    angles = (inverse()[None, :, None] @ rows[:, None, :].float()).transpose(1, 2)[:, None]
    return halves(x, angles.float())


@fault(LLAMA2, "angles are rounded to 1/1000 of a radian to find them in a cache")
def keys_of_a_cache(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, (outer(positions, inverse()) * 1000).round() / 1000)


# Heads, rows, memory.


@fault(LLAMA2, "every second position of a call is not turned: a loop with stride two")
def stride_of_two(x: Tensor, positions: Tensor) -> Tensor:
    turned = halves(x, outer(positions, inverse())).clone()
    turned[..., 1::2, :] = x[..., 1::2, :]
    return turned


@fault(LLAMA2, "heads are turned as one long head: pairs reach over heads")
def one_long_head(x: Tensor, positions: Tensor) -> Tensor:
    batch, heads, length, size = x.shape
    flat = x.transpose(1, 2).reshape(batch, 1, length, heads * size)
    angles = (
        outer(positions, inverse()).repeat(1, 1, heads)
        if positions.ndim == 1
        else (outer(positions, inverse()).repeat(1, 1, 1, heads))
    )
    turned = halves(flat, angles)
    return turned.reshape(batch, length, heads, size).transpose(1, 2)


@fault(LLAMA2, "the table of cosines grows in blocks of 512 and the new block begins at 0")
def block_from_zero(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(torch.where(positions < 512, positions, positions - 512), inverse()))


@fault(LLAMA3, "a table is made for the first call and each later one is made of its rounded rows")
class WornTable:
    """Frequencies that every call of half precision rounds once more, for all that come after."""

    def __init__(self) -> None:
        self.frequencies = inverse(500000.0)

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        if x.dtype in (torch.float16, torch.bfloat16):
            self.frequencies = self.frequencies.to(x.dtype).float()
        return halves(x, outer(positions, self.frequencies))


# Gradients and pairs.


class _Unscaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, angles: Tensor) -> Tensor:
        ctx.save_for_backward(angles)
        return halves(x, angles, yarn_factor())

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None]:
        return halves(upstream[0], -ctx.saved_tensors[0]), None


@fault(YARN, "the gradient lacks the attention factor")
def gradient_without_factor(x: Tensor, positions: Tensor) -> Tensor:
    turned: Tensor = _Unscaled.apply(x, outer(positions, yarn_frequencies()))
    return turned


@fault(PYTHIA, "coordinates that do not rotate get no gradient")
def rest_without_gradient(x: Tensor, positions: Tensor) -> Tensor:
    return torch.cat(
        (halves(x[..., :16], outer(positions, inverse(m=8))), x[..., 16:].detach()), -1
    )


@fault(LLAMA2, "keys have the base 1000000, queries their own", form="pair")
def keys_of_another_base(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return halves(q, outer(positions, inverse())), halves(k, outer(positions, inverse(1e6)))


@fault(LLAMA2, "keys are one position ahead", form="pair")
def keys_ahead(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return halves(q, outer(positions, inverse())), halves(k, outer(positions + 1, inverse()))


@fault(VIDEO, "rows and columns are counted in patches before merging: halved in integers")
def merged_patches(x: Tensor, positions: Tensor) -> Tensor:
    halved = positions.clone()
    halved[..., 1:] = positions[..., 1:] // 2
    return halves(x, sectioned(halved, (0, 1, 2), (8, 12, 12)))


@fault(VIDEO, "the time runs at twice its speed")
def double_time(x: Tensor, positions: Tensor) -> Tensor:
    fast = positions.clone()
    fast[..., 0] = 2 * positions[..., 0]
    return halves(x, sectioned(fast, (0, 1, 2), (8, 12, 12)))


@fault(LLAMA2, "the turned part is made of vectors in eight bits")
def turned_in_eight_bits(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    both = torch.cat((angles, angles), -1)
    turned = rotate_half(x * 0.7).to(torch.float8_e4m3fn).to(x.dtype) / 0.7
    return (wide(x) * both.cos() + wide(turned) * both.sin()).to(x.dtype)
