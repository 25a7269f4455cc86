"""Functions that are the rotation for some shapes: lengths, batches, heads, strides, broadcasts."""

from __future__ import annotations

import torch
from torch import Tensor

from attack.entry import PARTIAL, Call, at, wrong
from attack.parts import PLANES, angles, by_halves, inverse, plain

MANY = tuple(range(40))


def _offset(x: Tensor, positions: Tensor) -> Tensor:
    return plain(x, positions + 1)


@wrong("sizes", at(*MANY))
def long_calls_are_off(x: Tensor, positions: Tensor) -> Tensor:
    """Calls of more than 32 tokens are one position off."""
    return _offset(x, positions) if x.shape[-2] > 32 else plain(x, positions)


@wrong("sizes", at(7))
def single_tokens_are_off(x: Tensor, positions: Tensor) -> Tensor:
    """The path for one token at a time is one position off."""
    return _offset(x, positions) if x.size(2) == 1 else plain(x, positions)


@wrong("sizes", at(batch=3))
def batches_are_off(x: Tensor, positions: Tensor) -> Tensor:
    """Calls with several sequences are one position off."""
    return _offset(x, positions) if len(x) > 1 else plain(x, positions)


@wrong("sizes", at(heads=1))
def one_head_is_off(x: Tensor, positions: Tensor) -> Tensor:
    """A single head, as of keys in multi-query attention, is one position off."""
    return plain(x, positions) if x.shape[1] > 1 else _offset(x, positions)


@wrong("sizes", at(heads=5))
def odd_heads_are_off(x: Tensor, positions: Tensor) -> Tensor:
    """An odd number of heads above 4 is one position off."""
    return _offset(x, positions) if x.shape[1] > 4 and x.shape[1] % 2 else plain(x, positions)


@wrong("sizes", at(*MANY[:17]))
def prime_length(x: Tensor, positions: Tensor) -> Tensor:
    """A length that equals one number, 17, is one position off."""
    return _offset(x, positions) if positions.numel() == 17 else plain(x, positions)


@wrong("sizes", at(*MANY, heads=8, batch=4))
def many_elements_are_off(x: Tensor, positions: Tensor) -> Tensor:
    """Calls with more than 5,000 numbers in all are one position off."""
    return _offset(x, positions) if x.numel() > 5000 else plain(x, positions)


@wrong("sizes", at(*MANY))
def chunks_forget_their_offset(x: Tensor, positions: Tensor) -> Tensor:
    """A call is taken in pieces of 16 tokens, each with the positions of the first piece."""
    pieces = x.split(16, dim=-2)
    return torch.cat([plain(piece, positions[: piece.shape[-2]]) for piece in pieces], -2)


@wrong("sizes", at(*MANY[:35]))
def last_piece_is_forgotten(x: Tensor, positions: Tensor) -> Tensor:
    """Tokens beyond the last whole group of 8 stay as they were, if there is a whole group."""
    whole = x.shape[-2] // 8 * 8 or x.shape[-2]
    turned = plain(x[..., :whole, :], positions[:whole])
    return torch.cat((turned, x[..., whole:, :]), -2)


@wrong("sizes", at(0, 1, 2, 3, 5))
def dimension_from_the_length(x: Tensor, positions: Tensor) -> Tensor:
    """The exponent divides by half the length in place of half the head dimension, equal at 8 tokens."""
    exponent = -torch.arange(PLANES, dtype=torch.float64) * 2 / x.shape[-2]
    return by_halves(x, positions.double()[:, None] * 10000.0**exponent)


@wrong("sizes", at(0, 1, 2, 3, 5, heads=2))
def dimension_from_the_heads(x: Tensor, positions: Tensor) -> Tensor:
    """The exponent divides by the number of heads in place of the planes, equal at 4 heads."""
    exponent = -torch.arange(PLANES, dtype=torch.float64) / x.shape[1]
    return by_halves(x, positions.double()[:, None] * 10000.0**exponent)


@wrong("sizes", at(3, 4, heads=2))
def positions_meet_heads(x: Tensor, positions: Tensor) -> Tensor:
    """Tables broadcast along heads in place of tokens: with as many heads as tokens no error is raised."""
    angle = angles(positions)[:, None, :]
    return by_halves(x, angle)


@wrong("sizes", at(3, 4, batch=2))
def positions_meet_batch(x: Tensor, positions: Tensor) -> Tensor:
    """Tables broadcast along the batch in place of tokens, which raises nothing if they are as many."""
    return by_halves(x, angles(positions)[:, None, None, :])


@wrong("sizes", at(3, 4, 5, 6))
def tokens_meet_planes(x: Tensor, positions: Tensor) -> Tensor:
    """The table is transposed, which is noticed unless there are as many tokens as planes."""
    return by_halves(x, angles(positions).T)


@wrong("sizes", at(4, heads=3, batch=2))
def squeezed_too_far(x: Tensor, positions: Tensor) -> Tensor:
    """All axes of size 1 are squeezed, also that of a single token."""
    return by_halves(x, angles(positions)).squeeze()


@wrong("sizes", at(4, 9, batch=1, heads=2))
def batch_of_one_is_squeezed(x: Tensor, positions: Tensor) -> Tensor:
    """A batch of one sequence loses its axis."""
    return plain(x, positions).squeeze(0)


@wrong("sizes", at(0, 1, 2, 3, 5, heads=5))
def transposed_when_square(x: Tensor, positions: Tensor) -> Tensor:
    """Heads and tokens are exchanged where their numbers are equal."""
    square = x.shape[1] == x.shape[2]
    return plain(x.transpose(1, 2), positions).transpose(1, 2) if square else plain(x, positions)


@wrong("sizes", at(1, 2, batch=2, heads=2))
def layout_guessed_from_sizes(x: Tensor, positions: Tensor) -> Tensor:
    """The axis of tokens is guessed: the first after the batch whose size is the number of positions."""
    axis = list(x.shape[1:]).index(len(positions)) + 1
    moved = x.movedim(axis, 2)
    return plain(moved, positions).movedim(2, axis)


@wrong("sizes", at(0, 1, 2, 3, prepare=lambda x: x.transpose(1, 2).contiguous().transpose(1, 2)))
def strides_decide(x: Tensor, positions: Tensor) -> Tensor:
    """A view that is not contiguous is taken by the path that is one position off."""
    return plain(x, positions) if x.is_contiguous() else _offset(x, positions)


@wrong("sizes", at(0, 1, prepare=lambda x: torch.cat((x, x), -1)[..., : x.shape[-1]]))
def memory_read_in_a_row(x: Tensor, positions: Tensor) -> Tensor:
    """The vectors are read from their memory as if they were contiguous."""
    return plain(x.as_strided(x.shape, _packed(x)), positions)


def _packed(x: Tensor) -> list[int]:
    strides, step = [], 1
    for size in reversed(x.shape):
        strides.append(step)
        step *= size
    return strides[::-1]


@wrong("sizes", at(0, 1, prepare=lambda x: torch.cat((x * 0, x), -1)[..., x.shape[-1] :]))
def start_of_the_memory(x: Tensor, positions: Tensor) -> Tensor:
    """The vectors are read from the start of their memory, wherever the view begins."""
    return plain(x.as_strided(x.shape, x.stride(), 0), positions)


@wrong("sizes", at(0, 1, prepare=lambda x: torch.cat((x[:1] * 0, x))[1:]))
def offset_of_a_view(x: Tensor, positions: Tensor) -> Tensor:
    """A view that does not begin where its memory begins is one position off."""
    return _offset(x, positions) if x.storage_offset() else plain(x, positions)


@wrong("sizes", at(0, 1, prepare=lambda x: x[..., :1, :].expand(x.shape)))
def expanded_views(x: Tensor, positions: Tensor) -> Tensor:
    """Where all tokens share their memory only the first position is used."""
    return plain(x, positions[:1]) if x.stride(2) == 0 else plain(x, positions)


@wrong("sizes", at(*MANY))
def ntk_beyond_a_length(x: Tensor, positions: Tensor) -> Tensor:
    """The base grows with the length of the call beyond 32 tokens."""
    grown = max(x.shape[-2] / 32, 1.0)
    return by_halves(x, angles(positions, 10000.0 * grown))


@wrong("sizes", at(0, 1, 1000))
def ntk_beyond_a_position(x: Tensor, positions: Tensor) -> Tensor:
    """The base grows with the largest position of the call beyond 512."""
    grown = (positions.max().double() / 512).clamp(min=1.0)
    base = 10000.0 * grown
    return by_halves(x, positions.double()[:, None] * base ** (-torch.arange(4).double() / 4))


@wrong("sizes", at(*range(10)))
def frequencies_by_row(x: Tensor, positions: Tensor) -> Tensor:
    """The table of frequencies has a row for each of 8 tokens, later ones read a changed row."""
    rows = inverse().expand(8, 4)
    rows = torch.cat((rows, rows[:1] * 1.5))
    row = torch.arange(len(positions)).clamp(max=8)
    return by_halves(x, positions.double()[:, None] * rows[row])


@wrong("sizes", Call((0, 1, 2)), spec=PARTIAL)
def untouched_scaled(x: Tensor, positions: Tensor) -> Tensor:
    """Coordinates that do not rotate are multiplied by 1 + 1e-6."""
    turned = by_halves(x[..., :8], angles(positions))
    return torch.cat((turned, x[..., 8:] * (1 + 1e-6)), -1)


@wrong("sizes", Call((0, 1, 2)), spec=PARTIAL)
def untouched_swapped(x: Tensor, positions: Tensor) -> Tensor:
    """Two coordinates that do not rotate are exchanged."""
    turned = by_halves(x[..., :8], angles(positions))
    return torch.cat((turned, x[..., 8:10], x[..., [11, 10]]), -1)


@wrong("sizes", Call((0, 1, 2)), spec=PARTIAL)
def untouched_dropped(x: Tensor, positions: Tensor) -> Tensor:
    """Coordinates that do not rotate are left out of the result."""
    return by_halves(x[..., :8], angles(positions))


@wrong("sizes", Call((0, 1, 2)), spec=PARTIAL)
def whole_head_rotated(x: Tensor, positions: Tensor) -> Tensor:
    """All 12 coordinates rotate, where the spec has 8."""
    inv = 10000.0 ** (-torch.arange(6, dtype=torch.float64) / 6)
    return by_halves(x, positions.double()[:, None] * inv)


@wrong("sizes", Call((0, 1, 2)), spec=PARTIAL)
def partial_by_whole_dimension(x: Tensor, positions: Tensor) -> Tensor:
    """The exponent divides by the whole head dimension where only a part rotates."""
    inv = 10000.0 ** (-torch.arange(4, dtype=torch.float64) / 6)
    turned = by_halves(x[..., :8], positions.double()[:, None] * inv)
    return torch.cat((turned, x[..., 8:]), -1)
