"""Tables built before the call that are wrong at one row, at their end, or by how they are read."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from attack.entry import at, right, wrong
from attack.parts import angles, inverse, with_tables

Function = Callable[[Tensor, Tensor], Tensor]
ROWS = 4096


def _tables(rows: int = ROWS, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    angle = angles(torch.arange(rows), base)
    return angle.cos(), angle.sin()


def _reader(cos: Tensor, sin: Tensor, places: Callable[[Tensor], Tensor] = lambda p: p) -> Function:
    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        rows = places(positions)
        return with_tables(x, cos[rows], sin[rows])

    return rotate


@wrong("tables", at(2999, 3000, 3001), factory=True)
def one_row_wrong() -> Function:
    """Row 3000 of the cosines holds those of row 2999."""
    cos, sin = _tables()
    cos[3000] = cos[2999]
    return _reader(cos, sin)


@wrong("tables", at(3001), factory=True)
def one_number_wrong() -> Function:
    """One number of 32,768 is off by 1e-9."""
    cos, sin = _tables()
    sin[3001, 3] += 1e-9
    return _reader(cos, sin)


@wrong("tables", at(1, ROWS - 1), factory=True)
def last_row_wrong() -> Function:
    """The last row was never filled."""
    cos, sin = _tables()
    cos[-1] = 0
    return _reader(cos, sin)


@wrong("tables", at(1, ROWS, ROWS + 5), factory=True)
def clamped_at_the_end() -> Function:
    """Positions beyond the table read its last row."""
    return _reader(*_tables(), lambda p: p.clamp(max=ROWS - 1))


@wrong("tables", at(1, ROWS), factory=True)
def wrapped_at_the_end() -> Function:
    """Positions beyond the table begin again at its first row."""
    return _reader(*_tables(), lambda p: p % ROWS)


@wrong("tables", at(-1, 2), factory=True, excused="positions from 0 to the last row")
def negative_rows() -> Function:
    """Position -1 reads the last row, as an index of Python does."""
    return _reader(*_tables())


@wrong("tables", at(ROWS), factory=True, excused="positions from 0 to the last row")
def beyond_the_last_row() -> Function:
    """A position beyond the table raises an error."""
    return _reader(*_tables())


@wrong("tables", at(1, 2), factory=True)
def first_row_for_position_one() -> Function:
    """The table begins at position 1."""
    angle = angles(torch.arange(1, ROWS))
    return _reader(angle.cos(), angle.sin())


@wrong("tables", at(600, 700), factory=True)
def another_base_behind() -> Function:
    """From row 512 on the table was filled with another base."""
    cos, sin = _tables()
    later = _tables(base=20000.0)
    cos[512:], sin[512:] = later[0][512:], later[1][512:]
    return _reader(cos, sin)


@wrong("tables", at(0, 5), factory=True)
def padding_row() -> Function:
    """The table is an embedding whose row 0 is one of padding, all zeros."""
    cos, sin = _tables()
    layer = nn.Embedding(ROWS, 4, padding_idx=0, dtype=torch.float64)
    with torch.no_grad():
        layer.weight[1:] = cos[1:]
    return lambda x, positions: with_tables(x, layer(positions).detach(), sin[positions])


@wrong("tables", at(0, 5), factory=True)
def rows_renormalised() -> Function:
    """The embedding of cosines limits the norm of the rows that it reads, in place, to 1.5."""
    cos, sin = _tables()
    layer = nn.Embedding(ROWS, 4, _weight=cos, max_norm=1.5)
    return lambda x, positions: with_tables(x, layer(positions).detach(), sin[positions])


@wrong("tables", at(101, 3001), factory=True, excused="the rounding bound of float32 sums")
def table_by_adding_up() -> Function:
    """The table's angles are running sums of the frequencies in float32."""
    angle = inverse().float()[None].expand(ROWS, -1).cumsum(0) - inverse().float()
    drift = angle + 1e-4 * torch.arange(ROWS)[:, None] / ROWS
    return _reader(drift.double().cos(), drift.double().sin())


@wrong("tables", at(10, 3001), factory=True)
def every_second_row_interpolated() -> Function:
    """Odd rows are the mean of their neighbours."""
    cos, sin = _tables()
    cos[1:-1:2] = (cos[0:-2:2] + cos[2::2]) / 2
    return _reader(cos, sin)


@wrong("tables", at(10, 300), factory=True, excused="the rounding bound of float16 tables")
def table_of_half_precision() -> Function:
    """The table is kept in float16."""
    cos, sin = (t.half() for t in _tables())
    return lambda x, positions: with_tables(x, cos[positions].double(), sin[positions].double())


@wrong("tables", at(9, 3), factory=True)
def read_by_flat_index() -> Function:
    """The table is read by flat index, in steps of 4 from the position in place of 4 times it."""
    cos, sin = _tables()
    plane = torch.arange(4)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        index = positions[:, None] + plane * ROWS
        return with_tables(x, cos.reshape(-1).take(index), sin.reshape(-1).take(index))

    return rotate


@wrong("tables", at(9, 3), factory=True)
def rows_of_the_beginning() -> Function:
    """As many rows are taken as there are positions, from the beginning."""
    cos, sin = _tables()
    return lambda x, positions: with_tables(x, cos[: len(positions)], sin[: len(positions)])


@wrong("tables", at(2, 9, 3), factory=True)
def rows_from_the_first_position() -> Function:
    """As many rows are taken as there are positions, from the first position on."""
    cos, sin = _tables()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return with_tables(
            x,
            cos.narrow(0, int(positions[0]), len(positions)),
            sin.narrow(0, int(positions[0]), len(positions)),
        )

    return rotate


@wrong("tables", at(2, 9, 3), factory=True)
def mask_in_place_of_index() -> Function:
    """Rows are chosen by a mask of the positions, which orders them."""
    cos, sin = _tables()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        mask = (torch.arange(ROWS)[:, None] == positions).any(-1)
        return with_tables(x, cos[mask], sin[mask])

    return rotate


@wrong("tables", at(10, 70, 300), factory=True)
def coarse_and_fine_part() -> Function:
    """The angle is a sum of a coarse and a fine part, of which the coarse one is dropped from 300 on."""
    fine, coarse = angles(torch.arange(64)), angles(torch.arange(64) * 64)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        a, b = fine[positions % 64], coarse[(positions // 64) % 32 * (positions < 300)]
        cos = a.cos() * b.cos() - a.sin() * b.sin()
        sin = a.sin() * b.cos() + a.cos() * b.sin()
        return with_tables(x, cos, sin)

    return rotate


@wrong("tables", at(3, 130000), factory=True)
def long_table_wrong_far_out() -> Function:
    """A table of 131,072 rows is wrong at the 2,000 last ones."""
    cos, sin = _tables(131072)
    cos[-2000:] *= 1.0001
    return _reader(cos, sin)


@wrong("tables", at(5, 6), factory=True)
def changed_after_it_was_read() -> Function:
    """A table is changed through the tensor that it was made from, after the first call."""
    cos, sin = _tables()
    view = cos[:]

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        view[6, 0] = 0.5
        return with_tables(x, cos[positions], sin[positions])

    return rotate


@right(at(0, 1, 4095, 7), factory=True)
def table_of_all_rows() -> Function:
    """A table of 4,096 rows is read by position: right at each of its rows."""
    return _reader(*_tables())


@right(at(0, 1, 2000), factory=True)
def table_read_by_embedding() -> Function:
    """The table is read by the function that reads embeddings."""
    cos, sin = _tables()
    read = torch.nn.functional.embedding
    return lambda x, positions: with_tables(x, read(positions, cos), read(positions, sin))


@right(at(0, 63, 64, 4000), factory=True)
def coarse_and_fine_tables() -> Function:
    """The angle is a sum of a coarse and a fine part, put together by the addition theorem."""
    fine, coarse = angles(torch.arange(64)), angles(torch.arange(64) * 64)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        a, b = fine[positions % 64], coarse[positions // 64]
        cos = a.cos() * b.cos() - a.sin() * b.sin()
        sin = a.sin() * b.cos() + a.cos() * b.sin()
        return with_tables(x, cos, sin)

    return rotate
