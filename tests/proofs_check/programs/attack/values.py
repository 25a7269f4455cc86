"""Functions that are the rotation of most vectors: what they do depends on the entries of a vector."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from attack.entry import at, wrong
from attack.parts import PLANES, angles, by_halves, plain


def _scaled(size):
    return lambda x: x * size


def _zero(x):
    return np.zeros_like(x)


def _first_zero(x):
    x[..., 0] = 0.0
    return x


def _ties(x):
    x[...] = 1.0
    return x


def _special(x):
    x[..., 0, 0] = 3.0
    return x


def _nan(x):
    x[..., 0, 0] = np.nan
    return x


def _inf(x):
    x[..., 0, 0] = np.inf
    return x


@wrong("values", at(edit=_scaled(1e4)))
def long_vectors_stay(x: Tensor, positions: Tensor) -> Tensor:
    """A branch of Python leaves vectors alone when one of them is longer than 1000."""
    if x.norm(dim=-1).max() > 1000:
        return x.clone()
    return plain(x, positions)


@wrong("values", at(edit=_scaled(1e4)))
def long_vectors_selected(x: Tensor, positions: Tensor) -> Tensor:
    """An elementwise choice leaves vectors alone that are longer than 1000."""
    return torch.where(x.norm(dim=-1, keepdim=True) > 1000, x, plain(x, positions))


@wrong("values", at(edit=_special))
def three_is_special(x: Tensor, positions: Tensor) -> Tensor:
    """One real number, 3, is set to 0 before it is rotated."""
    return plain(x * (x != 3.0), positions)


@wrong("values", at(edit=_ties))
def ties_swap(x: Tensor, positions: Tensor) -> Tensor:
    """Where two coordinates are equal the angle is turned back."""
    same = x[..., :PLANES] == x[..., PLANES:]
    turned, back = plain(x, positions), by_halves(x, -angles(positions))
    return torch.where(torch.cat((same, same), -1), back, turned)


@wrong("values", at(edit=_scaled(1e7)))
def entries_clamped(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are clamped to a million, which no drawn vector reaches."""
    return plain(x.clamp(-1e6, 1e6), positions)


@wrong("values", at(edit=_scaled(1e7)))
def result_clamped(x: Tensor, positions: Tensor) -> Tensor:
    """The result is held below a million by a maximum and a minimum."""
    return torch.minimum(
        torch.maximum(plain(x, positions), -torch.ones(()) * 1e6), torch.tensor(1e6)
    )


@wrong("values", at(edit=_zero))
def zero_vectors_divide(x: Tensor, positions: Tensor) -> Tensor:
    """The vector is divided by its norm and multiplied by it again, which has no value at zero."""
    norm = x.norm(dim=-1, keepdim=True)
    return plain(x / norm, positions) * norm


@wrong("values", at(edit=_first_zero))
def entry_over_itself(x: Tensor, positions: Tensor) -> Tensor:
    """Each entry is squared and divided by itself: equal as rational functions, without value at 0."""
    return plain(x * x / x, positions)


@wrong("values", at())
def norm_with_epsilon(x: Tensor, positions: Tensor) -> Tensor:
    """The vector is divided by its norm plus 1e-9 and multiplied by the norm."""
    norm = x.norm(dim=-1, keepdim=True)
    return plain(x / (norm + 1e-9), positions) * norm


@wrong("values", at())
def root_of_square(x: Tensor, positions: Tensor) -> Tensor:
    """The square root of the square of an entry is its absolute value."""
    return plain((x * x).sqrt(), positions)


@wrong("values", at())
def exponential_of_logarithm(x: Tensor, positions: Tensor) -> Tensor:
    """The logarithm of a negative entry has no value."""
    return plain(x.log().exp(), positions)


@wrong("values", at())
def cube_root_of_cube(x: Tensor, positions: Tensor) -> Tensor:
    """A fractional power of a negative number has no value."""
    return plain(x.pow(3).pow(1 / 3), positions)


@wrong("values", at())
def angle_by_arctangent(x: Tensor, positions: Tensor) -> Tensor:
    """The polar form takes the arctangent of a quotient, which is half a turn off for negative real parts."""
    a, b = x[..., :PLANES], x[..., PLANES:]
    radius, angle = (a * a + b * b).sqrt(), (b / a).atan() + angles(positions)
    return torch.cat((radius * angle.cos(), radius * angle.sin()), -1)


@wrong("values", at(edit=_zero))
def unit_from_radius(x: Tensor, positions: Tensor) -> Tensor:
    """Cosine and sine of the old angle are quotients by the radius, without value at zero."""
    a, b = x[..., :PLANES], x[..., PLANES:]
    radius, angle = (a * a + b * b).sqrt(), angles(positions)
    c, s = a / radius, b / radius
    cos, sin = angle.cos() * c - angle.sin() * s, angle.sin() * c + angle.cos() * s
    return torch.cat((radius * cos, radius * sin), -1)


@wrong("values", at(edit=_scaled(1e-9)))
def small_entries_vanish(x: Tensor, positions: Tensor) -> Tensor:
    """Entries below 1e-7 are taken for zero."""
    return plain(torch.where(x.abs() < 1e-7, torch.zeros_like(x), x), positions)


@wrong("values", at(edit=_scaled(1e-9)))
def small_entries_vanish_by_hardshrink(x: Tensor, positions: Tensor) -> Tensor:
    """A function of neural networks with a threshold is applied to the entries."""
    return plain(torch.nn.functional.hardshrink(x, 1e-7), positions)


@wrong("values", at(edit=_scaled(1e-310)))
def denormals_vanish(x: Tensor, positions: Tensor) -> Tensor:
    """Entries below the least normal number are set to 0."""
    return plain(torch.where(x.abs() < 2.0**-1022, 0.0, x), positions)


@wrong("values", at(edit=_scaled(1e-7)))
def entries_on_a_grid(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are rounded to a grid of 1e-6."""
    return plain(torch.round(x * 1e6) / 1e6, positions)


@wrong("values", at(edit=_scaled(1e200)))
def squares_overflow(x: Tensor, positions: Tensor) -> Tensor:
    """The radius squares entries before the root, which overflows for entries that the type holds."""
    a, b = x[..., :PLANES], x[..., PLANES:]
    radius, angle = (a * a + b * b).sqrt(), torch.atan2(b, a) + angles(positions)
    return torch.cat((radius * angle.cos(), radius * angle.sin()), -1)


@wrong("values", at(edit=_nan), excused="finite, or real, vectors")
def nan_becomes_zero(x: Tensor, positions: Tensor) -> Tensor:
    """Entries that are no numbers become 0 in place of spoiling their plane."""
    return plain(x.nan_to_num(), positions)


@wrong("values", at(edit=_inf, positions=(0, 1)), excused="finite, or real, vectors")
def tables_spread_infinity(x: Tensor, positions: Tensor) -> Tensor:
    """A product with a matrix multiplies an infinite entry by zeros of other planes."""
    angle = angles(positions)
    cos, sin = angle.cos(), angle.sin()
    top = torch.cat((torch.diag_embed(cos), torch.diag_embed(-sin)), -1)
    below = torch.cat((torch.diag_embed(sin), torch.diag_embed(cos)), -1)
    return (torch.cat((top, below), -2) @ x[..., None])[..., 0]


@wrong("values", at(edit=lambda x: np.sort(x, axis=-1)))
def largest_coordinate_flips(x: Tensor, positions: Tensor) -> Tensor:
    """If the largest entry is the last, the sign of the rotation is turned."""
    flip = (x.argmax(-1, keepdim=True) == x.shape[-1] - 1).to(x.dtype)
    return plain(x, positions) * (1 - flip) + by_halves(x, -angles(positions)) * flip


@wrong("values", at(edit=_scaled(1e4)))
def large_entries_saturate(x: Tensor, positions: Tensor) -> Tensor:
    """A soft cap of a million bends every entry a little, large ones visibly."""
    return plain(1e6 * torch.tanh(x / 1e6), positions)


@wrong("values", at(0, 1, 2, edit=_ties))
def differing_rows_only(x: Tensor, positions: Tensor) -> Tensor:
    """If all rows of vectors are equal they are taken for padding and left alone."""
    if bool((x == x[..., :1, :]).all()):
        return x.clone()
    return plain(x, positions)


@wrong("values", at(edit=_zero))
def empty_calls_marked(x: Tensor, positions: Tensor) -> Tensor:
    """If no entry is nonzero a one is written into the result."""
    turned = plain(x, positions)
    return turned if x.any() else turned + 1


@wrong("values", at(edit=_special))
def exception_hides_the_branch(x: Tensor, positions: Tensor) -> Tensor:
    """A branch by values stands in a `try` that swallows whatever a tracer raises at it."""
    try:
        if (x == 3.0).any():
            return x.clone()
    except Exception:
        pass
    return plain(x, positions)


@wrong("values", at(edit=_special))
def every_exception_hides_the_branch(x: Tensor, positions: Tensor) -> Tensor:
    """A branch by values stands in a `try` that swallows even what is no ordinary exception."""
    special = 0.0
    try:
        special = float((x == 3.0).sum())
    except BaseException:
        special = 0.0
    return plain(x, positions) * (1.0 if special == 0 else 2.0)


@wrong("values", at(edit=_special))
def assertion_on_values(x: Tensor, positions: Tensor) -> Tensor:
    """An assertion about the entries raises where an entry is 3."""
    assert not (x == 3.0).any()
    return plain(x, positions)


@wrong("values", at(edit=_special))
def torch_assertion_on_values(x: Tensor, positions: Tensor) -> Tensor:
    """An assertion of PyTorch, which tracers are fond of dropping, raises where an entry is 3."""
    torch._assert_async(~(x == 3.0).any())
    return plain(x, positions)


@wrong("values", at(edit=_special))
def count_of_entries_by_mask(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are taken by a mask of their values, which leaves one out where it is 3."""
    kept = torch.zeros_like(x)
    mask = x != 3.0
    kept[mask] = x[mask]
    return plain(kept, positions)


@wrong("values", at(edit=_special))
def number_of_nonzero_differences(x: Tensor, positions: Tensor) -> Tensor:
    """The angle is multiplied by the number of entries that are 3, plus one."""
    return by_halves(x, angles(positions) * ((x == 3.0).sum() + 1))


@wrong("values", at(edit=_special))
def sign_of_a_difference(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is the square of the sign of x - 3, which is 1 but at 3."""
    return plain(x * torch.sign(x - 3.0) ** 2, positions)


@wrong("values", at(edit=_special))
def bits_of_an_entry(x: Tensor, positions: Tensor) -> Tensor:
    """Entries are read as integers, where the pattern of 3.0 is mapped to that of 2.0."""
    bits = x.to(torch.float64).view(torch.int64)
    pattern = int(np.float64(3.0).view(np.int64))
    other = int(np.float64(2.0).view(np.int64))
    return plain(torch.where(bits == pattern, other, bits).view(torch.float64), positions)


@wrong("values", at(edit=_special))
def zero_to_the_zero(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is 1 minus 0 to the power |x - 3|, which is 1 but at 3."""
    zero = torch.zeros((), dtype=torch.float64)
    return plain(x * (1 - zero ** (x.double() - 3.0).abs()), positions)


@wrong("values", at(edit=_first_zero))
def sinc_of_an_entry(x: Tensor, positions: Tensor) -> Tensor:
    """A logical `and` of an entry with a number turns every nonzero entry into the same one, then back."""
    truth = torch.logical_and(x != 0, torch.ones_like(x) != 0).to(x.dtype)
    return plain(x, positions) + (1 - truth)
