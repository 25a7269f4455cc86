"""Functions that are the rotation, however wrong they look: none of them may be refuted."""

from __future__ import annotations

import contextlib
import math

import torch
from torch import Tensor

from attack.entry import PAIRS, PARTIAL, Call, at, right
from attack.parts import angles, by_halves, inverse, plain, with_tables

ROTATED_TWO = PARTIAL.changed(head_dim=2, rotary_dim=2)


def _turn(positions: Tensor) -> Tensor:
    return torch.polar(torch.ones(len(positions), 4, dtype=torch.float64), angles(positions))


@right()
def written_plainly(x: Tensor, positions: Tensor) -> Tensor:
    """Nothing is special: the control of the collection."""
    return plain(x, positions)


@right()
def copied_before_writing(x: Tensor, positions: Tensor) -> Tensor:
    """Halves are written in place, from copies that were made before."""
    angle, y = angles(positions), x.clone()
    a, b = y[..., :4].clone(), y[..., 4:].clone()
    y[..., :4] = a * angle.cos() - b * angle.sin()
    y[..., 4:] = a * angle.sin() + b * angle.cos()
    return y


@right()
def written_from_the_input(x: Tensor, positions: Tensor) -> Tensor:
    """The result is written in place while the input is read, which is another memory."""
    angle, y = angles(positions), torch.empty_like(x)
    torch.sub(x[..., :4] * angle.cos(), x[..., 4:] * angle.sin(), out=y[..., :4])
    y[..., 4:].copy_(x[..., :4] * angle.sin()).add_(x[..., 4:] * angle.cos())
    return y


@right()
def three_shears(x: Tensor, positions: Tensor) -> Tensor:
    """Each plane is turned by three shears in place, with the tangent of half the angle."""
    angle, y = angles(positions), x.clone()
    a, b = y[..., :4], y[..., 4:]
    shear = (angle / 2).tan()
    a.sub_(b * shear)
    b.add_(a * angle.sin())
    a.sub_(b * shear)
    return y


@right()
def tangent_of_half_the_angle(x: Tensor, positions: Tensor) -> Tensor:
    """Cosine and sine are rational in the tangent of half the angle, which is finite at integers."""
    t = (angles(positions) / 2).tan()
    return with_tables(x, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))


@right(at(), at(3, 9, 1, 1))
def complex_power(x: Tensor, positions: Tensor) -> Tensor:
    """The turning number of one step is raised to the power of the position."""
    unit = torch.polar(torch.ones(4, dtype=torch.float64), inverse())
    turn = unit[None] ** positions[:, None].double()
    return with_tables(x, turn.real, turn.imag)


@right()
def conjugates_twice(x: Tensor, positions: Tensor) -> Tensor:
    """Vector, turn and result are conjugated, and memory stays lazy about it."""
    z = torch.complex(x[..., :4].double(), x[..., 4:].double()).conj()
    z = (z * _turn(positions).conj()).conj()
    return torch.cat((z.real, z.imag), -1)


@right()
def turned_backwards_twice(x: Tensor, positions: Tensor) -> Tensor:
    """The halves are exchanged, turned backwards and exchanged again."""
    return by_halves(x.roll(4, -1), -angles(positions)).roll(4, -1)


@right()
def polar_form(x: Tensor, positions: Tensor) -> Tensor:
    """Radius and angle of each plane, the angle by the arctangent of two arguments."""
    a, b = x[..., :4].double(), x[..., 4:].double()
    radius, angle = torch.hypot(a, b), torch.atan2(b, a) + angles(positions)
    return torch.cat((radius * angle.cos(), radius * angle.sin()), -1)


@right()
def positive_and_negative_part(x: Tensor, positions: Tensor) -> Tensor:
    """Positive and negative parts are rotated apart and put together."""
    return plain(x.relu(), positions) - plain((-x).relu(), positions)


@right()
def size_and_sign(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are taken apart into absolute value and sign."""
    return plain(x.abs() * x.sign(), positions)


@right()
def sorted_and_back(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are sorted and put back in their places before they are rotated."""
    values, order = x.sort(-1)
    return plain(torch.empty_like(x).scatter_(-1, order, values), positions)


@right()
def quotient_and_remainder(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are taken apart into multiples of 7 and what remains."""
    return by_halves(x, angles(positions // 7 * 7 + positions % 7))


@right()
def parity_of_a_product(x: Tensor, positions: Tensor) -> Tensor:
    """The parity of p (p + 1), which is 0, is added to the angle."""
    return by_halves(x, angles(positions) + (positions * (positions + 1) % 2)[:, None])


@right()
def signs_of_powers(x: Tensor, positions: Tensor) -> Tensor:
    """The square of (-1)**p is a factor, which is 1 at integers."""
    sign = torch.where(positions % 2 == 0, 1.0, -1.0)[:, None]
    return plain(x * sign, positions) * sign


@right(at(), at(7, 3, 3, 900))
def sine_of_whole_half_turns(x: Tensor, positions: Tensor) -> Tensor:
    """A multiple of sin(pi p) is added, which is 0 at integers but for the rounding of pi."""
    return plain(x, positions) + 1e-9 * (math.pi * positions.double()).sin()[:, None]


@right()
def shifted_and_back(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are formed at positions less the first, and the first is turned in afterwards."""
    return by_halves(plain(x, positions - positions[0]), angles(positions[:1]))


@right()
def sorted_by_position(x: Tensor, positions: Tensor) -> Tensor:
    """Tokens are sorted by position, rotated and put back."""
    order = positions.argsort()
    turned = plain(x[..., order, :], positions[order])
    return turned[..., order.argsort(), :]


@right()
def token_by_token(x: Tensor, positions: Tensor) -> Tensor:
    """A loop of Python rotates one token after the other."""
    parts = [plain(x[..., i : i + 1, :], positions[i : i + 1]) for i in range(x.shape[-2])]
    return torch.cat(parts, -2)


@right()
def length_decides_between_equals(x: Tensor, positions: Tensor) -> Tensor:
    """Short calls and long ones take different paths, both of them right."""
    return (
        plain(x, positions)
        if x.shape[-2] > 4
        else by_halves(x.roll(4, -1), -angles(positions)).roll(4, -1)
    )


@right()
def values_decide_between_equals(x: Tensor, positions: Tensor) -> Tensor:
    """A choice by values between two expressions that are equal."""
    return torch.where(x > 0, plain(x, positions), -plain(-x, positions))


@right()
def zeros_by_subtraction(x: Tensor, positions: Tensor) -> Tensor:
    """What depends on the entries is subtracted from itself and added."""
    return plain(x, positions) + (x.sum() - x.sum())


@right(at(), at(dtype="float32"), at(dtype="bfloat16"))
def many_casts(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors are cast to float64 and back to their own type, whatever it is."""
    return plain(x.double(), positions).to(x.dtype)


@right(at(), at(0, 1, 2, 3, 4, 5, 6, 7))
def eight_tokens_of_eight(x: Tensor, positions: Tensor) -> Tensor:
    """The matrix of each token is built whole, also where tokens and coordinates are as many."""
    cos, sin = (torch.diag_embed(t) for t in (angles(positions).cos(), angles(positions).sin()))
    matrix = torch.cat((torch.cat((cos, -sin), -1), torch.cat((sin, cos), -1)), -2)
    return torch.einsum("sij,bhsj->bhsi", matrix, x.double())


@right(spec=PAIRS)
def pairs_through_complex_view(x: Tensor, positions: Tensor) -> Tensor:
    """Neighbours are viewed as complex numbers, turned and viewed back."""
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], 4, 2)) * _turn(positions)
    return torch.view_as_real(pairs).flatten(-2)


@right(spec=ROTATED_TWO)
def two_coordinates(x: Tensor, positions: Tensor) -> Tensor:
    """With two coordinates halves and neighbours are the same."""
    cos, sin = positions.double().cos(), positions.double().sin()
    return torch.stack((x[..., 0] * cos - x[..., 1] * sin, x[..., 0] * sin + x[..., 1] * cos), -1)


@right(Call((0, 1, 2)), spec=PARTIAL)
def rest_written_back(x: Tensor, positions: Tensor) -> Tensor:
    """The rotated part is written over a copy, the rest stays in it."""
    y = x.clone()
    y[..., :8] = by_halves(x[..., :8], angles(positions))
    return y


@right()
def exceptions_that_never_come(x: Tensor, positions: Tensor) -> Tensor:
    """A `try` stands around what raises nothing."""
    with contextlib.suppress(ValueError):
        return plain(x, positions)
    return x


@right(at(), at(prepare=lambda x: x.transpose(1, 2).contiguous().transpose(1, 2)))
def reshaped_and_back(x: Tensor, positions: Tensor) -> Tensor:
    """Axes are flattened, permuted and put back, whatever the strides are."""
    flat = x.permute(0, 2, 1, 3).reshape(-1, x.shape[1], 8).permute(1, 0, 2)
    turned = by_halves(flat, angles(positions.repeat(x.shape[0])))
    return (
        turned.permute(1, 0, 2).reshape(x.shape[0], x.shape[2], x.shape[1], 8).permute(0, 2, 1, 3)
    )


@right()
def angles_summed_up(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are running sums of the differences of positions, the first included."""
    first = torch.zeros(1, dtype=positions.dtype)
    steps = torch.diff(torch.cat((first, positions)))
    return by_halves(x, angles(steps.cumsum(0)))
