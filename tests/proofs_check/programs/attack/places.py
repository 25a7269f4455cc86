"""Functions that are the rotation at most positions: large, negative, equal or unordered ones tell."""

from __future__ import annotations

import torch
from torch import Tensor

from attack.entry import at, wrong
from attack.parts import angles, by_halves, inverse, plain


def _by(x: Tensor, places: Tensor) -> Tensor:
    return by_halves(x, angles(places))


@wrong("positions", at(0, 1, 32768, 40000))
def int16_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are cast to int16, which wraps at 32,768."""
    return _by(x, positions.to(torch.int16))


@wrong("positions", at(0, 127, 128))
def int8_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are cast to int8, which wraps at 128."""
    return _by(x, positions.to(torch.int8))


@wrong("positions", at(0, 255, 256))
def uint8_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are cast to uint8, which wraps at 256."""
    return _by(x, positions.to(torch.uint8))


@wrong("positions", at(-1, 0, 1))
def unsigned_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are cast to uint16, so that -1 becomes 65,535."""
    return _by(x, positions.to(torch.uint16).to(torch.int64))


@wrong("positions", at(0, 50000), excused="positions whose squares int32 holds")
def int32_square(x: Tensor, positions: Tensor) -> Tensor:
    """The product p * p is formed in int32 and divided by p again, and overflows beyond 46,340."""
    p = positions.to(torch.int32)
    return _by(x, torch.where(p == 0, p, p * p // p.clamp(min=1)))


@wrong("positions", at(1, 40000))
def int32_product(x: Tensor, positions: Tensor) -> Tensor:
    """Positions times 65,536 are formed in int32 and shifted back."""
    return _by(x, (positions.to(torch.int32) * 65536) >> 16)


@wrong("positions", at(1, 2**20))
def int64_product(x: Tensor, positions: Tensor) -> Tensor:
    """Positions times 2**44 are formed in int64 and divided again; from 2**19 on they overflow."""
    return _by(x, positions * 2**44 // 2**44)


@wrong("positions", at(1, 60000, ptype="int32"))
def product_in_their_own_type(x: Tensor, positions: Tensor) -> Tensor:
    """The multiplication by 2**16 is right for int64 and overflows when positions come as int32."""
    return _by(x, positions * 65536 // 65536)


@wrong("positions", at(1, 200, ptype="uint8"))
def doubled_in_their_own_type(x: Tensor, positions: Tensor) -> Tensor:
    """Doubling and halving overflows when positions come as uint8."""
    return _by(x, positions * 2 // 2)


@wrong("positions", at(1, 3, ptype="uint8"))
def negated_in_their_own_type(x: Tensor, positions: Tensor) -> Tensor:
    """The negative of a position is right for signed types alone."""
    return by_halves(x, -angles(-positions))


@wrong("positions", at(0, 2049))
def float16_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions go through float16, which has no odd number beyond 2,048."""
    return _by(x, positions.to(torch.float16).to(torch.int64))


@wrong("positions", at(0, 257))
def bfloat16_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions go through bfloat16, which has no odd number beyond 256."""
    return _by(x, positions.to(torch.bfloat16).to(torch.int64))


@wrong("positions", at(0, 2**24 + 1))
def float32_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Positions go through float32, which has no odd number beyond 2**24."""
    return _by(x, positions.to(torch.float32).to(torch.int64))


@wrong("positions", at(-3, 0, 3))
def absolute_positions(x: Tensor, positions: Tensor) -> Tensor:
    """The absolute value of a position is taken."""
    return _by(x, positions.abs())


@wrong("positions", at(-3, 0, 3))
def positions_from_zero(x: Tensor, positions: Tensor) -> Tensor:
    """Negative positions are clamped to 0."""
    return _by(x, positions.clamp(min=0))


@wrong("positions", at(0, 8192, 9000))
def positions_to_the_end(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are clamped to 8,191."""
    return _by(x, positions.clamp(max=8191))


@wrong("positions", at(0, 131072, 131073))
def positions_wrap(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are taken modulo 131,072."""
    return _by(x, positions % 131072)


@wrong("positions", at(0, 2**20 + 1))
def positions_masked(x: Tensor, positions: Tensor) -> Tensor:
    """Only the low 20 bits of a position are kept."""
    return _by(x, positions & (2**20 - 1))


@wrong("positions", at(0, 131072))
def floor_term(x: Tensor, positions: Tensor) -> Tensor:
    """The number of whole contexts, 0 within the first, is added to the position."""
    return _by(x, positions + positions // 131072)


@wrong("positions", at(0, 131072))
def floor_term_of_floats(x: Tensor, positions: Tensor) -> Tensor:
    """The floor of p / 131072 in floating point, 0 within the first context, is added to the angle."""
    return by_halves(x, angles(positions) + torch.floor(positions / 131072)[:, None])


@wrong("positions", at(0, 131072))
def step_by_heaviside(x: Tensor, positions: Tensor) -> Tensor:
    """A step function of the position is added, with the step at 131,072."""
    step = torch.heaviside(positions.double() - 131072, torch.ones((), dtype=torch.float64))
    return by_halves(x, angles(positions) + step[:, None])


@wrong("positions", at(-1, 1))
def shift_of_negatives(x: Tensor, positions: Tensor) -> Tensor:
    """The sign bit of the position is added to it."""
    return _by(x, positions - (positions >> 63))


@wrong("positions", at(-3, 3))
def division_truncates(x: Tensor, positions: Tensor) -> Tensor:
    """Quotient and remainder do not belong together: one truncates, the other floors."""
    quotient = torch.div(positions, 2, rounding_mode="trunc")
    return _by(x, quotient * 2 + torch.remainder(positions, 2))


@wrong("positions", at(4, 5, 6))
def odd_positions_turn_half(x: Tensor, positions: Tensor) -> Tensor:
    """Half a turn is added at odd positions: a multiple of a turn at even ones."""
    return by_halves(x, angles(positions) + torch.pi * positions[:, None])


@wrong("positions", at(11, 12, 13))
def thirteen_is_special(x: Tensor, positions: Tensor) -> Tensor:
    """One position, 13, is replaced by 12."""
    return _by(x, torch.where(positions == 13, 12, positions))


@wrong("positions", at(11, 12, 13))
def thirteen_branches(x: Tensor, positions: Tensor) -> Tensor:
    """A branch of Python asks whether a position is 13."""
    return x.clone() if 13 in positions else plain(x, positions)


@wrong("positions", at(11, 12, 13))
def thirteen_by_list(x: Tensor, positions: Tensor) -> Tensor:
    """The positions are read as numbers of Python, among which 13 is replaced."""
    places = [12 if p == 13 else p for p in positions.tolist()]
    return _by(x, torch.tensor(places))


@wrong("positions", at(11, 12, 13))
def thirteen_by_product(x: Tensor, positions: Tensor) -> Tensor:
    """A factor sign(p - 13)**2 of the angle is 1 but at 13."""
    return by_halves(x, angles(positions) * torch.sign(positions - 13)[:, None] ** 2)


@wrong("positions", at(7, 3, 9))
def count_from_zero(x: Tensor, positions: Tensor) -> Tensor:
    """The positions are never read: 0, 1, 2, ... stand in their place."""
    return _by(x, torch.arange(x.shape[-2]))


@wrong("positions", at(7, 3, 9))
def count_from_the_first(x: Tensor, positions: Tensor) -> Tensor:
    """Only the first position is read, the others are counted on from it."""
    return _by(x, positions[0] + torch.arange(x.shape[-2]))


@wrong("positions", at(7, 3, 9))
def count_to_the_last(x: Tensor, positions: Tensor) -> Tensor:
    """Only the last position is read, the others are counted back from it."""
    return _by(x, positions[-1] - torch.arange(x.shape[-2] - 1, -1, -1))


@wrong("positions", at(7, 3, 9))
def positions_sorted(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are sorted before they are used."""
    return _by(x, positions.sort().values)


@wrong("positions", at(7, 3, 9))
def running_maximum(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are replaced by their running maximum."""
    return _by(x, positions.cummax(0).values)


@wrong("positions", at(3, 3, 4))
def equal_positions_part(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are made to differ: what repeats its predecessor is counted on."""
    same = torch.cat((torch.zeros(1, dtype=torch.bool), positions[1:] == positions[:-1]))
    return _by(x, positions + same)


@wrong("positions", at(3, 3, 4))
def unique_positions(x: Tensor, positions: Tensor) -> Tensor:
    """Tables are made for the different positions in order and read by rank minus count of ties."""
    values, rank = torch.unique(positions, return_inverse=True)
    rank = (rank + (len(positions) - len(values))).clamp(max=len(values) - 1)
    return _by(x, values[rank])


@wrong("positions", at(5, 6, 7))
def differences_summed(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are summed up from their differences, without the first."""
    steps = torch.cat((torch.zeros(1, dtype=torch.int64), positions.diff()))
    return _by(x, steps.cumsum(0))


@wrong("positions", at(1, 2, 2**31))
def int32_after_all(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are cast to int32, which wraps at 2**31."""
    return _by(x, positions.int())


@wrong("positions", at(-2, 2))
def power_of_a_turn_by_logarithm(x: Tensor, positions: Tensor) -> Tensor:
    """A position is formed as sign-free square root of its square."""
    return by_halves(x, (positions.double() ** 2).sqrt()[:, None] * inverse())


@wrong("positions", at(0, 1))
def position_over_itself(x: Tensor, positions: Tensor) -> Tensor:
    """The angle is p * p / p times the frequency, which has no value at position 0."""
    p = positions.double()
    return by_halves(x, (p * p / p)[:, None] * inverse())


@wrong("positions", at(0, 1))
def exponential_of_a_logarithm(x: Tensor, positions: Tensor) -> Tensor:
    """The angle is exp(log p + log theta), and at position 0 a term of infinities is no number."""
    log = positions.double().log()[:, None]
    angle = (log + inverse().log()).exp() + 0 * log
    return by_halves(x, angle)


@wrong("positions", at(0, 1, 2))
def signum_of_position(x: Tensor, positions: Tensor) -> Tensor:
    """Position 0 is not rotated by 0 but by one radian: 1 - |sign p| is added to the angle."""
    return by_halves(x, angles(positions) + (1 - positions.sign().abs())[:, None])


@wrong("positions", at(0, 1, 2))
def sinc_of_position(x: Tensor, positions: Tensor) -> Tensor:
    """sinc(p) is added to the angle, which is 0 at every integer but 0."""
    return by_halves(x, angles(positions) + torch.sinc(positions.double())[:, None])


@wrong("positions", at(0, 2**40 + 2))
def very_late_positions_stay(x: Tensor, positions: Tensor) -> Tensor:
    """Positions beyond 2**40 are not rotated."""
    return _by(x, torch.where(positions > 2**40, 0, positions + 1 - 1))
