"""Functions that write in place: into what is still to be read, into inputs, into memory that is shared."""

from __future__ import annotations

import ctypes

import numpy as np
import torch
from torch import Tensor

from attack.entry import PARTIAL, Call, at, wrong
from attack.parts import angles, by_halves, inverse, plain, with_tables


def _tables(positions: Tensor) -> tuple[Tensor, Tensor]:
    angle = angles(positions)
    return angle.cos(), angle.sin()


@wrong("aliasing", at())
def first_half_overwritten(x: Tensor, positions: Tensor) -> Tensor:
    """The first half is written before the second half is computed from it."""
    (cos, sin), y = _tables(positions), x.clone()
    a, b = y[..., :4], y[..., 4:]
    y[..., :4] = a * cos - b * sin
    y[..., 4:] = a * sin + b * cos
    return y


@wrong("aliasing", at())
def methods_in_place(x: Tensor, positions: Tensor) -> Tensor:
    """Methods in place change a half that the other half's formula still reads."""
    (cos, sin), y = _tables(positions), x.clone()
    a, b = y.chunk(2, -1)
    a.mul_(cos).sub_(b * sin)
    b.mul_(cos).add_(a * sin)
    return y


@wrong("aliasing", at())
def result_in_the_argument(x: Tensor, positions: Tensor) -> Tensor:
    """The result of the first half is written by `out=` into what the second half reads."""
    (cos, sin), y = _tables(positions), x.clone()
    a, b = y[..., :4], y[..., 4:]
    torch.sub(a * cos, b * sin, out=a)
    return torch.cat((a, a * sin + b * cos), -1)


@wrong("aliasing", at())
def writes_through_a_view(x: Tensor, positions: Tensor) -> Tensor:
    """A flattened view of the copy is written, which changes the halves that were taken before."""
    (cos, sin), y = _tables(positions), x.clone()
    a, b = y[..., :4], y[..., 4:]
    y.view(-1).mul_(1.001)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


@wrong("aliasing", at())
def writes_through_a_transpose(x: Tensor, positions: Tensor) -> Tensor:
    """A transposed view of the table is changed before the table is used."""
    angle = angles(positions)
    angle.T[0] += 1e-6
    return by_halves(x, angle)


@wrong("aliasing", at())
def input_changed(x: Tensor, positions: Tensor) -> Tensor:
    """The result is right, and the vectors that were handed over are overwritten with it."""
    return x.copy_(plain(x, positions))


@wrong("aliasing", at())
def input_changed_afterwards(x: Tensor, positions: Tensor) -> Tensor:
    """The result is right, and the vectors are set to 0 after it was computed."""
    turned = plain(x, positions)
    x.zero_()
    return turned


@wrong("aliasing", at())
def input_changed_behind_the_back(x: Tensor, positions: Tensor) -> Tensor:
    """The vectors are changed through `data`, which PyTorch does not count as a change."""
    turned = plain(x, positions)
    x.data.mul_(2)
    return turned


@wrong("aliasing", at())
def input_changed_by_numpy(x: Tensor, positions: Tensor) -> Tensor:
    """The vectors are changed through the NumPy array that shares their memory."""
    turned = plain(x, positions)
    x.numpy()[...] = 0
    return turned


@wrong("aliasing", at())
def positions_changed(x: Tensor, positions: Tensor) -> Tensor:
    """The result is right, and the positions that were handed over are counted on by one."""
    turned = plain(x, positions)
    positions += 1
    return turned


@wrong("aliasing", at())
def positions_changed_first(x: Tensor, positions: Tensor) -> Tensor:
    """The positions that were handed over are counted on by one before they are used."""
    places = positions
    places.add_(1)
    return plain(x, positions)


@wrong("aliasing", at())
def result_written_by_numpy(x: Tensor, positions: Tensor) -> Tensor:
    """The result is changed through the NumPy array that shares its memory."""
    turned = plain(x, positions)
    turned.numpy()[..., -1] *= 1.001
    return turned


@wrong("aliasing", at())
def result_written_through_data(x: Tensor, positions: Tensor) -> Tensor:
    """The result is changed through `data`, which PyTorch does not count as a change."""
    turned = plain(x, positions)
    turned.data[..., -1] += 1e-6
    return turned


@wrong("aliasing", at())
def result_written_through_detach(x: Tensor, positions: Tensor) -> Tensor:
    """The result is changed through a detached tensor, which shares its memory."""
    turned = plain(x, positions)
    turned.detach()[..., -1] += 1e-6
    return turned


@wrong("aliasing", at())
def result_written_by_address(x: Tensor, positions: Tensor) -> Tensor:
    """One number of the result is written at its address in memory."""
    turned = plain(x, positions).contiguous()
    ctypes.c_double.from_address(turned.data_ptr()).value = 7.0
    return turned


@wrong("aliasing", at())
def result_written_by_capsule(x: Tensor, positions: Tensor) -> Tensor:
    """The result is changed through an exchange with another library that shares memory."""
    turned = plain(x, positions)
    torch.from_dlpack(turned)[..., 0] += 1e-6
    return turned


@wrong("aliasing", at())
def result_written_through_storage(x: Tensor, positions: Tensor) -> Tensor:
    """A second tensor is set onto the result's memory and written."""
    turned = plain(x, positions).contiguous()
    other = torch.empty(0, dtype=turned.dtype).set_(turned.untyped_storage(), 0, (3,))
    other.fill_(5)
    return turned


@wrong("aliasing", at())
def overlapping_windows(x: Tensor, positions: Tensor) -> Tensor:
    """Windows of the table that overlap in memory are scaled, where each write is seen by the next window."""
    angle = angles(positions).contiguous()
    windows = angle.view(-1).as_strided((angle.numel() - 1, 2), (1, 1))
    windows[:, 0] *= 1.001
    return by_halves(x, angle)


@wrong("aliasing", at())
def expanded_then_written(x: Tensor, positions: Tensor) -> Tensor:
    """One row of frequencies is expanded to all tokens, and a write for one token changes all."""
    rows = inverse()[None, :].expand(len(positions), -1)
    rows[0].mul_(1.001)
    return by_halves(x, positions.double()[:, None] * rows)


@wrong("aliasing", at())
def same_row_many_times(x: Tensor, positions: Tensor) -> Tensor:
    """A list holds the same tensor again and again, so that each addition is added to all of them."""
    rows = [torch.zeros(4, dtype=torch.float64)] * len(positions)
    for row, place in zip(rows, positions, strict=True):
        row += place * inverse()  # noqa: PLW2901
    return by_halves(x, torch.stack(rows))


@wrong("aliasing", at(2, 2, 5))
def writes_to_the_same_place(x: Tensor, positions: Tensor) -> Tensor:
    """Angles are scattered by position and added where two positions are equal."""
    table = torch.zeros(64, 4, dtype=torch.float64)
    table.index_put_((positions,), angles(positions), accumulate=True)
    return by_halves(x, table[positions])


@wrong("aliasing", at(0, 5, 2))
def scattered_by_rank(x: Tensor, positions: Tensor) -> Tensor:
    """Rows are written where the order of the positions says and read by token."""
    table = torch.empty(len(positions), 4, dtype=torch.float64)
    table[positions.argsort()] = angles(positions)
    return by_halves(x, table)


@wrong("aliasing", Call((0, 1, 2)), spec=PARTIAL)
def rest_shares_memory(x: Tensor, positions: Tensor) -> Tensor:
    """The result is the input's memory, of which the rotated part is overwritten."""
    x[..., :8] = by_halves(x[..., :8], angles(positions))
    return x


@wrong("aliasing", Call((0, 1, 2)), spec=PARTIAL)
def wrong_part_written(x: Tensor, positions: Tensor) -> Tensor:
    """The rotated part is written one coordinate too far on, and an end is lost."""
    y = x.clone()
    turned = by_halves(x[..., :8], angles(positions))
    y[..., :7] = turned[..., :7]
    y[..., 8] = turned[..., 7]
    return y


@wrong("aliasing", at())
def complex_view_is_written(x: Tensor, positions: Tensor) -> Tensor:
    """Real parts of a complex view are written after the product was formed from them."""
    z = torch.complex(x[..., :4].double(), x[..., 4:].double())
    turned = z * torch.polar(torch.ones(len(positions), 4, dtype=torch.float64), angles(positions))
    torch.view_as_real(turned)[..., 0].add_(1e-6)
    return torch.cat((turned.real, turned.imag), -1)


@wrong("aliasing", at())
def swap_without_a_copy(x: Tensor, positions: Tensor) -> Tensor:
    """Rotating halves swaps them in place: the first write destroys what the second reads."""
    (cos, sin), y = _tables(positions), x.clone()
    y[..., :4], y[..., 4:] = -y[..., 4:], y[..., :4]
    cos, sin = torch.cat((cos, cos), -1), torch.cat((sin, sin), -1)
    return x * cos + y * sin + 0


@wrong("aliasing", at())
def augmented_assignment(x: Tensor, positions: Tensor) -> Tensor:
    """`+=` on a name that is a view changes the table that the sines are taken from."""
    angle = angles(positions)
    shifted = angle[:, :]
    shifted += 1e-6
    return with_tables(x, angle.cos(), angle.sin())


@wrong("aliasing", at())
def array_of_numpy_shared(x: Tensor, positions: Tensor) -> Tensor:
    """The table is made from a NumPy array, which is changed afterwards."""
    array = 10000.0 ** (-np.arange(4) / 4)
    inv = torch.from_numpy(array)
    array[-1] *= 2
    return by_halves(x, positions.double()[:, None] * inv)


@wrong("aliasing", at())
def moved_memory(x: Tensor, positions: Tensor) -> Tensor:
    """The memory of two tables is exchanged after both were named."""
    cos, sin = _tables(positions)
    cos.data, sin.data = sin.data, cos.data
    return with_tables(x, cos, sin)


@wrong("aliasing", at())
def filled_triangle(x: Tensor, positions: Tensor) -> Tensor:
    """The diagonal of the table is filled: entry l of token l."""
    angle = angles(positions)
    angle.fill_diagonal_(0.25)
    return by_halves(x, angle)


@wrong("aliasing", at())
def masked_in_place(x: Tensor, positions: Tensor) -> Tensor:
    """Entries of the result in a mask that does not depend on data are filled."""
    turned = plain(x, positions)
    turned.masked_fill_(torch.arange(8) == 7, 0.0)
    return turned


@wrong("aliasing", at())
def foreach_in_place(x: Tensor, positions: Tensor) -> Tensor:
    """A function over lists of tensors multiplies both tables in place."""
    cos, sin = _tables(positions)
    torch._foreach_mul_([cos, sin], 1.001)
    return with_tables(x, cos, sin)
