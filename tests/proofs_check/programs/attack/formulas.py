"""Formulas that are nearly those of the rotation: a constant, a sign, one plane, one coordinate."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from attack.entry import LINEAR, PAIRS, YARN, at, wrong
from attack.parts import PLANES, angles, by_halves, by_pairs, inverse, plain, with_tables

FAR = at(1, 1000, 100000)


def _outer(positions: Tensor, inv: Tensor) -> Tensor:
    return positions.double()[:, None] * inv


def _tables(positions: Tensor) -> tuple[Tensor, Tensor]:
    angle = angles(positions)
    return angle.cos(), angle.sin()


@wrong("formula", FAR)
def base_off_in_the_ninth_digit(x: Tensor, positions: Tensor) -> Tensor:
    """The base is 10000.0001."""
    return by_halves(x, angles(positions, 10000.0001))


@wrong("formula", FAR)
def base_off_by_one(x: Tensor, positions: Tensor) -> Tensor:
    """The base is 9999.999999 in place of 10000."""
    return by_halves(x, angles(positions, 9999.999999))


@wrong("formula", FAR)
def base_from_a_rounded_logarithm(x: Tensor, positions: Tensor) -> Tensor:
    """The base is exp(9.21034037), a logarithm of nine digits."""
    inv = torch.exp(-torch.arange(4, dtype=torch.float64) / 4 * 9.21034037)
    return by_halves(x, _outer(positions, inv))


@wrong("formula", at(1, 1000, 100000))
def one_frequency_one_ulp(x: Tensor, positions: Tensor) -> Tensor:
    """The last frequency but one is a float32 unit off in the last place, all others are exact."""
    step = 1 + 2.0**-24 * (torch.arange(4) == 2).double()
    return by_halves(x, _outer(positions, inverse() * step))


@wrong("formula", at(1, 10**6))
def last_frequency_off(x: Tensor, positions: Tensor) -> Tensor:
    """The last frequency is off by 1e-9 of itself."""
    inv = inverse()
    inv[-1] *= 1 + 1e-9
    return by_halves(x, _outer(positions, inv))


@wrong("formula", at(1, 1000))
def exponent_of_the_last_plane(x: Tensor, positions: Tensor) -> Tensor:
    """Exponents are 0, 1/4, 1/2 and 0.7500001."""
    exponent = torch.tensor([0, 0.25, 0.5, 0.7500001], dtype=torch.float64)
    return by_halves(x, _outer(positions, 10000.0**-exponent))


@wrong("formula", at(1, 1000))
def exponents_by_linspace(x: Tensor, positions: Tensor) -> Tensor:
    """Exponents run from 0 to 1 with the end included."""
    return by_halves(x, _outer(positions, 10000.0 ** -torch.linspace(0, 1, 4, dtype=torch.float64)))


@wrong("formula", at())
def two_frequencies_exchanged(x: Tensor, positions: Tensor) -> Tensor:
    """The frequencies of the middle planes are exchanged."""
    return by_halves(x, angles(positions)[:, [0, 2, 1, 3]])


@wrong("formula", at(0, 1))
def pair_swapped_in_one_plane(x: Tensor, positions: Tensor) -> Tensor:
    """In the last plane the two coordinates are exchanged before and after the rotation."""
    order = [0, 1, 2, 7, 4, 5, 6, 3]
    return plain(x[..., order], positions)[..., order]


@wrong("formula", at())
def sign_turned_in_one_plane(x: Tensor, positions: Tensor) -> Tensor:
    """The last plane rotates backwards."""
    sign = torch.tensor([1, 1, 1, -1])
    return by_halves(x, angles(positions) * sign)


@wrong("formula", at())
def sign_turned_in_one_term(x: Tensor, positions: Tensor) -> Tensor:
    """One sine of one coordinate has the wrong sign."""
    cos, sin = _tables(positions)
    a, b = x[..., :4], x[..., 4:]
    sign = torch.tensor([1, 1, -1, 1])
    return torch.cat((a * cos - b * sin, a * sin * sign + b * cos), -1)


@wrong("formula", at())
def cosine_of_the_next_plane(x: Tensor, positions: Tensor) -> Tensor:
    """The last coordinate takes the cosine of the plane before it."""
    cos, sin = _tables(positions)
    a, b = x[..., :4], x[..., 4:]
    return torch.cat((a * cos - b * sin, a * sin + b * cos[:, [0, 1, 2, 2]]), -1)


@wrong("formula", at(0, 1))
def factor_of_one_and_a_bit(x: Tensor, positions: Tensor) -> Tensor:
    """The result is multiplied by 1 + 1e-12."""
    return plain(x, positions) * (1 + 1e-12)


@wrong("formula", at(0, 1))
def factor_in_one_coordinate(x: Tensor, positions: Tensor) -> Tensor:
    """The last coordinate is multiplied by 1 + 2**-40."""
    factor = torch.ones(8, dtype=torch.float64)
    factor[7] += 2.0**-40
    return plain(x, positions) * factor


@wrong("formula", at(0, 1))
def a_little_added(x: Tensor, positions: Tensor) -> Tensor:
    """A constant of 1e-12 is added to every entry."""
    return plain(x, positions) + 1e-12


@wrong("formula", at(0, 1))
def angle_with_a_phase(x: Tensor, positions: Tensor) -> Tensor:
    """A phase of 1e-11 radians is added to the angle."""
    return by_halves(x, angles(positions) + 1e-11)


@wrong("formula", at(0, 1), spec=YARN)
def attention_factor_by_log10(x: Tensor, positions: Tensor) -> Tensor:
    """The attention factor of YaRN is formed with the wrong logarithm."""
    return _yarn(x, positions, 0.1 * math.log10(4) + 1)


@wrong("formula", at(0, 1), spec=YARN)
def attention_factor_rounded(x: Tensor, positions: Tensor) -> Tensor:
    """The attention factor of YaRN is given with seven digits."""
    return _yarn(x, positions, 1.138629)


@wrong("formula", at(0, 1), spec=YARN)
def attention_factor_missing(x: Tensor, positions: Tensor) -> Tensor:
    """The attention factor of YaRN is left out."""
    return _yarn(x, positions, 1.0)


@wrong("formula", at(0, 1), spec=YARN)
def attention_factor_on_cosines(x: Tensor, positions: Tensor) -> Tensor:
    """The attention factor multiplies cosines alone."""
    factor = 0.1 * math.log(4) + 1
    angle = _outer(positions, _yarn_inverse())
    return with_tables(x, angle.cos() * factor, angle.sin())


@wrong("formula", at(0, 1), spec=YARN)
def attention_factor_in_all_but_one(x: Tensor, positions: Tensor) -> Tensor:
    """The attention factor is left out in the last plane."""
    factor = torch.full((8,), 0.1 * math.log(4) + 1, dtype=torch.float64)
    factor[-1] = 1
    angle = _outer(positions, _yarn_inverse())
    return with_tables(x, angle.cos() * factor, angle.sin() * factor)


@wrong("formula", at(0, 100), spec=YARN)
def ramp_without_rounding(x: Tensor, positions: Tensor) -> Tensor:
    """The bounds of YaRN's ramp are not rounded outwards."""
    return _yarn(x, positions, 0.1 * math.log(4) + 1, outwards=False)


def _yarn_inverse(outwards: bool = True) -> Tensor:
    plain_ = 10000.0 ** (-torch.arange(8, dtype=torch.float64) / 8)
    low, high = (8 * math.log(64 / (beta * 2 * math.pi)) / math.log(10000) for beta in (32, 1))
    if outwards:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, 15)
    ramp = ((torch.arange(8, dtype=torch.float64) - low) / (high - low)).clamp(0, 1)
    return plain_ / 4 * ramp + plain_ * (1 - ramp)


def _yarn(x: Tensor, positions: Tensor, factor: float, outwards: bool = True) -> Tensor:
    angle = _outer(positions, _yarn_inverse(outwards))
    return with_tables(x, angle.cos() * factor, angle.sin() * factor)


@wrong("formula", at(0, 1, 2, 3), spec=LINEAR)
def position_divided_in_integers(x: Tensor, positions: Tensor) -> Tensor:
    """Linear scaling divides positions in integers: right at multiples of the factor."""
    return by_halves(x, angles(positions // 4))


@wrong("formula", at(0, 1, 2, 3), spec=LINEAR)
def all_but_one_plane_scaled(x: Tensor, positions: Tensor) -> Tensor:
    """Linear scaling leaves the first plane alone."""
    inv = inverse() / torch.tensor([1, 4, 4, 4])
    return by_halves(x, _outer(positions, inv))


@wrong("formula", at(0, 1, 2, 3), spec=LINEAR)
def base_scaled_in_its_place(x: Tensor, positions: Tensor) -> Tensor:
    """The base is multiplied where positions were to be divided."""
    return by_halves(x, angles(positions, 10000.0 * 4))


@wrong("formula", at(), spec=PAIRS)
def halves_in_place_of_pairs(x: Tensor, positions: Tensor) -> Tensor:
    """Coordinates are paired in halves where the spec has neighbours."""
    return plain(x, positions)


@wrong("formula", at())
def pairs_in_place_of_halves(x: Tensor, positions: Tensor) -> Tensor:
    """Neighbouring coordinates are paired where the spec has halves."""
    return by_pairs(x, angles(positions))


@wrong("formula", at(), spec=PAIRS)
def pairs_returned_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    """Neighbours are rotated and returned in the order of halves."""
    a, b = x[..., ::2], x[..., 1::2]
    cos, sin = _tables(positions)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


@wrong("formula", at())
def sine_by_a_root(x: Tensor, positions: Tensor) -> Tensor:
    """The sine is the root of 1 - cos**2, which has no sign."""
    cos = angles(positions).cos()
    return with_tables(x, cos, (1 - cos * cos).clamp(min=0).sqrt())


@wrong("formula", at())
def cosine_by_a_root(x: Tensor, positions: Tensor) -> Tensor:
    """The cosine is the root of 1 - sin**2, which has no sign."""
    sin = angles(positions).sin()
    return with_tables(x, (1 - sin * sin).sqrt(), sin)


@wrong("formula", at())
def inverse_of_the_cosine(x: Tensor, positions: Tensor) -> Tensor:
    """The angle goes through cosine and arccosine, which gives an angle in half a turn."""
    return by_halves(x, angles(positions).cos().acos())


@wrong("formula", at())
def inverse_of_the_sine(x: Tensor, positions: Tensor) -> Tensor:
    """The angle goes through sine and arcsine, which gives an angle in a quarter turn on either side."""
    return by_halves(x, angles(positions).sin().asin())


@wrong("formula", at())
def inverse_of_the_tangent(x: Tensor, positions: Tensor) -> Tensor:
    """The angle goes through tangent and arctangent, which loses half turns."""
    return by_halves(x, angles(positions).tan().atan())


@wrong("formula", at())
def sine_of_a_rounded_quarter(x: Tensor, positions: Tensor) -> Tensor:
    """The cosine is the sine of the angle plus 1.5707963, a rounded quarter turn."""
    angle = angles(positions)
    return with_tables(x, (angle + 1.5707963).sin(), angle.sin())


@wrong("formula", at(1, 1000, 100000))
def reduced_by_a_rounded_turn(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are taken modulo 6.2831855, a turn in float32."""
    return by_halves(x, torch.remainder(angles(positions), 6.2831855))


@wrong("formula", at(1, 2, 3, 40))
def reduced_by_half_a_turn(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are taken modulo half a turn."""
    return by_halves(x, torch.remainder(angles(positions), math.pi))


@wrong("formula", at(1, 3, 30))
def cosine_by_its_series(x: Tensor, positions: Tensor) -> Tensor:
    """Cosine and sine are the first terms of their series, right near 0."""
    angle = angles(positions)
    cos = sum((-1) ** k * angle ** (2 * k) / float(math.factorial(2 * k)) for k in range(12))
    sin = sum(
        (-1) ** k * angle ** (2 * k + 1) / float(math.factorial(2 * k + 1)) for k in range(12)
    )
    return with_tables(x, cos, sin)


@wrong("formula", at())
def hyperbolic(x: Tensor, positions: Tensor) -> Tensor:
    """Cosine and sine are the hyperbolic ones, for which the same algebra holds up to a sign."""
    angle = angles(positions)
    return with_tables(x, angle.cosh(), angle.sinh())


@wrong("formula", at())
def transposed_matrix(x: Tensor, positions: Tensor) -> Tensor:
    """The matrix of the rotation is multiplied from the wrong side."""
    cos, sin = (torch.diag_embed(t) for t in _tables(positions))
    matrix = torch.cat((torch.cat((cos, -sin), -1), torch.cat((sin, cos), -1)), -2)
    return torch.einsum("bhsi,sij->bhsj", x, matrix)


@wrong("formula", at(edit=np.abs))
def even_function_of_entries(x: Tensor, positions: Tensor) -> Tensor:
    """Half of x plus half of |x|, doubled where it is positive, minus a bit that sums to nothing."""
    return plain(x, positions) + 1e-9 * (x + x.abs())


@wrong("formula", at())
def sum_over_planes_instead(x: Tensor, positions: Tensor) -> Tensor:
    """An index that is summed in einsum mixes planes whose frequencies are equal in sum."""
    cos, sin = _tables(positions)
    a, b = x[..., :4], x[..., 4:]
    first = torch.einsum("bhsl,sl->bhsl", a, cos) - torch.einsum("bhsl,sm->bhsl", b, sin) / PLANES
    return torch.cat((first, a * sin + b * cos), -1)


@wrong("formula", at(1, 2, 100000))
def quadratic_in_the_position(x: Tensor, positions: Tensor) -> Tensor:
    """The angle has a quadratic term of 1e-15 in the position."""
    p = positions.double()[:, None]
    return by_halves(x, p * inverse() + 1e-15 * p * p)


@wrong("formula", at(0, 1, 5))
def modulus_of_a_complex_power(x: Tensor, positions: Tensor) -> Tensor:
    """The turning number is a complex power of a number whose modulus is 1 + 1e-9."""
    unit = torch.polar(torch.full((4,), 1 + 1e-9, dtype=torch.float64), inverse())
    turn = unit[None, :] ** positions[:, None].double()
    return with_tables(x, turn.real, turn.imag)


@wrong("formula", at())
def conjugate_lost(x: Tensor, positions: Tensor) -> Tensor:
    """The vector is conjugated, turned and not conjugated back in sign of its angle."""
    turn = torch.polar(torch.ones(len(positions), 4, dtype=torch.float64), angles(positions))
    z = torch.complex(x[..., :4].double(), x[..., 4:].double()) * turn.conj()
    return torch.cat((z.real, z.imag), -1)


@wrong("formula", at())
def real_part_of_a_view(x: Tensor, positions: Tensor) -> Tensor:
    """The pairs of a complex view are neighbours, where the spec has halves."""
    turn = torch.polar(torch.ones(len(positions), 4, dtype=torch.float64), angles(positions))
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], 4, 2)) * turn
    return torch.view_as_real(pairs).flatten(-2)


@wrong("formula", at(1, 2, 3))
def half_the_angle_once(x: Tensor, positions: Tensor) -> Tensor:
    """Cosine by the half angle with a lost square: 1 - 2 sin(a/2) sin(a/2) against 2 sin(a/2) cos(a)."""
    half = angles(positions) / 2
    return with_tables(x, 1 - 2 * half.sin() ** 2, 2 * half.sin() * (2 * half).cos())


@wrong("formula", at(2, 1, 7))
def row_and_column(x: Tensor, positions: Tensor) -> Tensor:
    """A product of positions and frequencies is formed and flattened in the wrong order."""
    flat = torch.outer(inverse(), positions.double()).reshape(len(positions), PLANES)
    return by_halves(x, flat)
