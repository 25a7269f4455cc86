"""Faults that some shapes, sizes and strides alone show, as of kernels that choose another path."""

from typing import Any

import torch

from faults.seventh.basics import apply, inverse, pairs, plain, spread, turn
from faults.seventh.entry import Entry
from ropeproof import RopeSpec

SPEC = RopeSpec(64, 10000, length=2048)
PAIRS = RopeSpec(64, 10000, layout="interleaved", length=2048)
LONG = RopeSpec(64, 500000, length=131072)
FREQUENCIES = inverse(64, 10000.0)


def large_calls() -> Any:
    """From 10,240 vectors on another kernel runs, which turns pairs of neighbours."""
    rotate, other = plain(), plain(how=pairs)
    return lambda x, p: (rotate if x[..., 0].numel() < 10240 else other)(x, p)


def tail_of_tile() -> Any:
    """Tiles of 16 tokens; the tokens of the last tile that is not full are copied."""
    rotate = plain()

    def tiled(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        whole = x.shape[2] // 16 * 16
        if not whole:
            return rotate(x, positions)
        return torch.cat((rotate(x, positions)[:, :, :whole], x[:, :, whole:]), 2)

    return tiled


def one_past_a_block() -> Any:
    """Where the tokens are one more than a multiple of 64, the last has the table's row before."""
    rotate = plain()

    def blocks(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if x.shape[2] > 1 and x.shape[2] % 64 == 1:
            positions = positions.clone()
            positions[..., -1] = positions[..., -2]
        return rotate(x, positions)

    return blocks


def eight_heads() -> Any:
    """A warp for each of eight heads; further heads stay as they are."""
    rotate = plain()
    return lambda x, p: torch.cat((rotate(x[:, :8], p), x[:, 8:]), 1)


def grouped_queries() -> Any:
    """The loop over query heads runs to the number of key heads."""
    rotate = plain()

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        turned = rotate(q, positions[..., -q.shape[2] :])
        turned = torch.cat((turned[:, : k.shape[1]], q[:, k.shape[1] :]), 1)
        return turned, rotate(k, positions[..., -k.shape[2] :])

    return both


def keys_by_query_stride() -> Any:
    """Rows of keys are found with the queries' number of heads: token t is at row t * query heads."""
    rotate = plain()

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        key_positions = positions[..., -k.shape[2] :]
        if q.shape[1] == k.shape[1]:
            return rotate(q, positions[..., -q.shape[2] :]), rotate(k, key_positions)
        step = max(q.shape[1] // k.shape[1], 1)
        index = (torch.arange(k.shape[2]) * step) % k.shape[2]
        return rotate(q, positions[..., -q.shape[2] :]), rotate(k, key_positions[..., index])

    return both


def first_row_of_batch() -> Any:
    """Positions of row 0 are used for all rows of a batch."""
    rotate = plain()
    return lambda x, p: rotate(x, p[0] if p.ndim == 2 else p)


def rows_by_two() -> Any:
    """Two rows a block; a further row takes the positions of the row two before it."""
    rotate = plain()

    def rows(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if positions.ndim == 2 and len(positions) > 1:
            positions = positions[torch.arange(len(positions)) % 2]
        return rotate(x, positions)

    return rows


def storage_as_it_lies() -> Any:
    """The kernel takes a pointer and assumes that vectors lie without gaps in memory."""
    rotate = plain()

    def by_pointer(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        strides = torch.empty(x.shape, device="meta").stride()
        span = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
        if span < x.numel():
            return rotate(x, positions)
        return rotate(x.as_strided(x.shape, strides), positions)

    return by_pointer


def grid_limit() -> Any:
    """A launch has at most 65,535 blocks, one a vector; what is beyond is not turned."""
    rotate = plain(64, 500000.0)

    def launched(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        flat = rotate(x, positions).reshape(-1, 64)
        if len(flat) > 65535:
            flat = torch.cat((flat[:65535], x.reshape(-1, 64)[65535:]))
        return flat.reshape(x.shape)

    return launched


def split_calls() -> Any:
    """Calls of more than 4096 tokens are split, and every part takes the first part's positions."""
    rotate = plain(64, 500000.0)

    def split(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        index = torch.arange(x.shape[2]) % 4096
        return rotate(x, positions[..., index])

    return split


def decode_path() -> Any:
    """A call of one token takes the position of the token before."""
    rotate = plain()
    return lambda x, p: rotate(x, (p - 1).clamp(min=0) if x.shape[2] == 1 else p)


def vectors_of_64() -> Any:
    """Loads of 64 coordinates; the rest of a head of 80 is copied."""
    rotate = plain(80)
    return lambda x, p: torch.cat((rotate(x, p)[..., :64], x[..., 64:]), -1)


def flat_positions() -> Any:
    """With positions of one row, rows of a batch are one sequence: row b begins at b * length."""
    rotate = plain()

    def flat(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if positions.ndim == 2:
            return rotate(x, positions)
        shifts = torch.arange(x.shape[0])[:, None] * x.shape[2]
        return rotate(x, positions[None] + shifts)

    return flat


def odd_number_of_vectors() -> Any:
    """Two vectors a thread; of an odd number of vectors, more than one, the last is copied."""
    rotate = plain()

    def twos(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        turned = rotate(x, positions).reshape(-1, 64).clone()
        if len(turned) % 2 and len(turned) > 1:
            turned[-1] = x.reshape(-1, 64)[-1]
        return turned.reshape(x.shape)

    return twos


def fewer_queries() -> Any:
    """Fewer queries than keys begin at position 0 and not where the cache ends."""
    rotate = plain()

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        return rotate(q, positions[..., : q.shape[2]]), rotate(k, positions[..., -k.shape[2] :])

    return both


def head_by_head() -> Any:
    """With more than four heads the position moves on with each head: row t + h of the table."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, FREQUENCIES)
        if x.shape[1] > 4:
            shifts = torch.arange(x.shape[1], dtype=torch.float32)[:, None, None] * FREQUENCIES
            angles = angles + shifts
        return apply(x, angles)

    return rotate


def pairs_across_heads() -> Any:
    """With an odd number of heads, from three on, the last head is turned in half layout."""
    right, other = plain(how=pairs), plain()

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if x.shape[1] < 3 or x.shape[1] % 2 == 0:
            return right(x, positions)
        return torch.cat((right(x[:, :-1], positions), other(x[:, -1:], positions)), 1)

    return rotate


def one_key_head() -> Any:
    """With one key head, as in multi-query attention, the keys are not turned."""
    rotate = plain()

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        keys = rotate(k, positions[..., -k.shape[2] :])
        if k.shape[1] == 1 < q.shape[1]:
            keys = k.clone()
        return rotate(q, positions[..., -q.shape[2] :]), keys

    return both


def half_precision_of_large_calls() -> Any:
    """Calls of more than 512 tokens form angles in bfloat16."""
    frequencies = FREQUENCIES

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, frequencies)
        return apply(x, angles if x.shape[2] <= 512 else angles.bfloat16().float())

    return rotate


def gradient_forwards() -> Any:
    """The backward pass turns the gradient the same way as the forward pass."""

    class Turn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(positions)
            return turn(x, positions, FREQUENCIES)

        @staticmethod
        def backward(ctx: Any, *upstream: torch.Tensor) -> Any:
            (positions,) = ctx.saved_tensors
            return turn(upstream[0], positions, FREQUENCIES), None

    return Turn.apply


FAULTS = (
    Entry(
        "large-calls",
        "code",
        large_calls,
        "calls of at least 10,240 vectors turn pairs of neighbours",
        SPEC,
        (("interleaved", "pairs", "layout", "neighbour"),),
    ),
    Entry(
        "tail-of-tile",
        "code",
        tail_of_tile,
        "tokens beyond the last whole tile of 16 are not turned",
        SPEC,
        (("not turned", "not rotated", "unrotated", "left", "16"), ("token", "16", "last", "call")),
    ),
    Entry(
        "one-past-block",
        "code",
        one_past_a_block,
        "the last token of a call of 64 n + 1 tokens has the position before",
        SPEC,
        (("last", "token", "before"),),
    ),
    Entry(
        "eight-heads",
        "code",
        eight_heads,
        "heads from the ninth on are not turned",
        SPEC,
        (("head",), ("not", "8", "nin", "unrotated")),
    ),
    Entry(
        "grouped-queries",
        "code",
        grouped_queries,
        "query heads beyond the number of key heads are not turned",
        SPEC,
        (("quer",), ("head",)),
        {"form": "pair"},
    ),
    Entry(
        "keys-by-query-stride",
        "code",
        keys_by_query_stride,
        "keys take the rows of the table with the queries' stride",
        SPEC,
        (("key",), ("stride", "queries'", "heads")),
        {"form": "pair"},
    ),
    Entry(
        "first-row",
        "code",
        first_row_of_batch,
        "the positions of the first row are used for all rows",
        SPEC,
        (("row", "batch"), ("first", "0")),
    ),
    Entry(
        "rows-in-turn",
        "code",
        rows_by_two,
        "rows take the positions of rows 0 and 1 in turn",
        SPEC,
        (("row", "batch"),),
    ),
    Entry(
        "pointer",
        "code",
        storage_as_it_lies,
        "vectors with gaps in memory are read as if they had none",
        SPEC,
        (("stride", "contiguous", "memory", "gaps"),),
    ),
    Entry(
        "grid-limit",
        "code",
        grid_limit,
        "vectors from number 65535 on are not turned",
        LONG,
        (("65535", "65536"),),
    ),
    Entry(
        "split-calls",
        "code",
        split_calls,
        "of calls of more than 4096 tokens each part takes the first part's positions",
        LONG,
        (("4096",),),
    ),
    Entry(
        "decode-path",
        "code",
        decode_path,
        "a call of one token takes the position before",
        SPEC,
        (("one vector", "one token", "single"), ("offset", "one", "before", "behind", "shift")),
    ),
    Entry(
        "loads-of-64",
        "code",
        vectors_of_64,
        "coordinates from 64 on of heads of 80 are not turned",
        RopeSpec(80, 10000, length=2048),
        (("64", "16", "plane", "coordinate"),),
    ),
    Entry(
        "flat-positions",
        "code",
        flat_positions,
        "positions run on from row to row where all rows have the same",
        SPEC,
        (("row", "batch"),),
    ),
    Entry(
        "odd-number",
        "code",
        odd_number_of_vectors,
        "of an odd number of vectors the last is not turned",
        SPEC,
        (("last", "odd", "vector", "place"),),
    ),
    Entry(
        "fewer-queries",
        "code",
        fewer_queries,
        "queries begin at position 0 where there are fewer than keys",
        SPEC,
        (("quer",), ("first", "0", "begin", "fewer", "start")),
        {"form": "pair"},
    ),
    Entry(
        "row-and-head",
        "code",
        head_by_head,
        "of more than four heads each is one position further than the one before",
        SPEC,
        (("head",),),
    ),
    Entry(
        "odd-last-head",
        "code",
        pairs_across_heads,
        "the last of an odd number of heads is turned in half layout",
        PAIRS,
        (("head",),),
    ),
    Entry(
        "one-key-head",
        "code",
        one_key_head,
        "a single key head is not turned",
        SPEC,
        (("key",), ("not", "unrotated", "head")),
        {"form": "pair"},
    ),
    Entry(
        "coarse-large-calls",
        "code",
        half_precision_of_large_calls,
        "angles of calls of more than 512 tokens are in bfloat16",
        SPEC,
        (("bfloat16",),),
    ),
    Entry(
        "gradient-forwards",
        "code",
        gradient_forwards,
        "the gradient is turned forwards",
        SPEC,
        (("gradient",),),
    ),
)
