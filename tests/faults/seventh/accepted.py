"""Right rotations, files and producers of positions that are written in unusual ways; none may be accused."""

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from faults.seventh.basics import apply, half, inverse, pair, pairs, plain, spread, turn
from faults.seventh.entry import Entry
from faults.seventh.files import (
    IMAGES,
    YARN,
    at,
    bfloat16_engine,
    by_c,
    documents,
    engine_like_vllm,
    image,
    saved,
    scaled,
    vectors,
    zigzag,
    zipped,
)
from faults.seventh.files import (
    padded as padded_rows,
)
from faults.seventh.positions import (
    chunk,
    images,
    masked_cache,
    of_documents,
    packed,
    ranked,
    requests,
    sliced,
)
from faults.seventh.rotations import (
    DEALT,
    DYNAMIC,
    LLAMA3,
    LONGROPE,
    PARTIAL,
    dynamic,
    llama3,
    longrope,
)
from ropeproof import Linear, RopeSpec

SPEC = RopeSpec(64, 10000, length=2048)
PAIRS = RopeSpec(64, 10000, layout="interleaved", length=2048)
HALVES = inverse(64, 10000.0)


def complex_numbers() -> Any:
    """A product with unit complex numbers."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        wide = x.double() if x.dtype is torch.float64 else x.float()
        planes = torch.view_as_complex(wide.reshape(*x.shape[:-1], -1, 2).contiguous())
        angles = spread(positions, HALVES).to(wide.dtype)
        units = torch.polar(torch.ones_like(angles), angles)
        return torch.view_as_real(planes * units).flatten(-2).to(x.dtype)

    return rotate


def matrices() -> Any:
    """A rotation matrix for each position, multiplied."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        wide = torch.float64 if x.dtype is torch.float64 else torch.float32
        angles = spread(positions, HALVES)
        cos, sin = torch.diag_embed(angles.cos()), torch.diag_embed(angles.sin())
        matrix = torch.cat((torch.cat((cos, -sin), -1), torch.cat((sin, cos), -1)), -2).to(wide)
        return (matrix @ x.to(wide)[..., None])[..., 0].to(x.dtype)

    return rotate


def sums_of_angles() -> Any:
    """Tables by addition theorems: of 64 fine and of as many coarse positions, in float64."""
    frequencies = inverse(64, 10000.0, torch.float64)
    fine = torch.polar(torch.ones(64, 32).double(), torch.arange(64)[:, None] * frequencies)
    coarse = torch.polar(
        torch.ones(4096, 32).double(), 64 * torch.arange(4096)[:, None] * frequencies
    )

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        index = positions.long()
        units = coarse[index // 64] * fine[index % 64]
        units = units[:, None] if positions.ndim == 2 else units
        wide = torch.float64 if x.dtype is torch.float64 else torch.float32
        return half(x.to(wide), units.real.to(wide), units.imag.to(wide)).to(x.dtype)

    return rotate


def powers_by_squaring() -> Any:
    """Turned once for each binary digit of the position, in float64."""
    frequencies = inverse(64, 10000.0, torch.float64)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        index = positions.long()
        index = index[:, None] if index.ndim == 2 else index
        result = x.double()
        for bit in range(17):
            angles = ((index >> bit) & 1)[..., None] * frequencies * 2**bit
            result = half(result, angles.cos(), angles.sin())
        return result.to(x.dtype)

    return rotate


def all_in_double() -> Any:
    """Everything in float64, cast at the end."""
    frequencies = inverse(64, 10000.0, torch.float64)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = positions[..., None].double() * frequencies
        angles = angles[:, None] if positions.ndim == 2 else angles
        return half(x.double(), angles.cos(), angles.sin()).to(x.dtype)

    return rotate


def growing_table() -> Any:
    """A table from position 0, doubled when a position is past its end, read by `embedding`."""
    table = torch.empty(0, 32)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        nonlocal table
        need = int(positions.max()) + 1
        if len(table) < need:
            size = 1 << (need - 1).bit_length()
            table = torch.arange(size, dtype=torch.int64)[:, None].float() * HALVES
        angles = torch.nn.functional.embedding(positions.long(), table)
        return apply(x, angles[:, None] if positions.ndim == 2 else angles)

    return rotate


def planes_backwards() -> Any:
    """Planes are worked off from the slowest to the fastest, each put in its place."""
    frequencies = HALVES.flip(0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, frequencies)
        first, second = x.float().chunk(2, -1)
        if x.dtype is torch.float64:
            first, second = x.chunk(2, -1)
        first, second = first.flip(-1), second.flip(-1)
        cos, sin = angles.cos().to(first.dtype), angles.sin().to(first.dtype)
        a, b = first * cos - second * sin, first * sin + second * cos
        return torch.cat((a.flip(-1), b.flip(-1)), -1).to(x.dtype)

    return rotate


def padded_head() -> Any:
    """Halves of a head of 80 are padded to 64 planes with zeros, turned, and cut out again."""
    frequencies = torch.cat((inverse(80, 10000.0), torch.zeros(24)))

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        wide = torch.nn.functional.pad(x.unflatten(-1, (2, 40)), (0, 24)).flatten(-2)
        return turn(wide, positions, frequencies).unflatten(-1, (2, 64))[..., :40].flatten(-2)

    return rotate


def float_positions() -> Any:
    """Positions go through float32, which holds each of them exactly."""
    rotate = plain()
    return lambda x, p: rotate(x, p.float())


def result_with_gaps() -> Any:
    """The result is a view whose heads and tokens are exchanged in memory."""
    rotate = plain()

    def view(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return rotate(x, positions).transpose(1, 2).contiguous().transpose(1, 2)

    return view


def extra_axes() -> Any:
    """Batch and heads are one axis inside, and an axis of 1 is put in front."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        rows = positions if positions.ndim == 2 else positions[None]
        rows = rows.expand(len(x), -1).repeat_interleave(x.shape[1], 0)
        flat = x.reshape(1, -1, *x.shape[2:])
        return apply(flat, rows[None, ..., None].float() * HALVES).reshape(x.shape)

    return rotate


def turned_in_place() -> Any:
    """The vectors given are overwritten, and nothing is returned."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> None:
        x.copy_(turn(x.clone(), positions, HALVES))

    return rotate


def scripted() -> Any:
    """A function that TorchScript compiled."""

    def rotate(x: torch.Tensor, positions: torch.Tensor, frequencies: torch.Tensor) -> torch.Tensor:
        angles = positions.unsqueeze(-1).float() * frequencies
        if positions.dim() == 2:
            angles = angles.unsqueeze(1)
        wide = x.double() if x.dtype == torch.float64 else x.float()
        cos, sin = torch.cos(angles).to(wide.dtype), torch.sin(angles).to(wide.dtype)
        parts = wide.chunk(2, -1)
        return torch.cat([parts[0] * cos - parts[1] * sin, parts[1] * cos + parts[0] * sin], -1).to(
            x.dtype
        )

    compiled = torch.jit.script(rotate)
    return lambda x, p: compiled(x, p, HALVES)


def with_numpy() -> Any:
    """NumPy in float64, heads in one axis with their coordinates."""
    frequencies = HALVES.double().numpy()

    def rotate(x: Any, positions: Any) -> Any:
        angles = np.asarray(positions)[..., None].astype(np.float64) * frequencies
        angles = angles[:, None] if angles.ndim == 3 else angles
        first, second = np.split(x.astype(np.float64), 2, -1)
        cos, sin = np.cos(angles), np.sin(angles)
        joined = np.concatenate((first * cos - second * sin, second * cos + first * sin), -1)
        return joined.astype(x.dtype)

    return rotate


def token_blocks() -> Any:
    """Tokens in blocks of 257, heads in turn."""
    rotate = plain()

    def blocks(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        result = torch.empty_like(x)
        for head in range(x.shape[1]):
            for start in range(0, x.shape[2], 257):
                piece = slice(start, start + 257)
                result[:, head : head + 1, piece] = rotate(
                    x[:, head : head + 1, piece], positions[..., piece]
                )
        return result

    return blocks


def kept_tables() -> Any:
    """Tables kept under the bytes of the positions."""

    @functools.lru_cache(8)
    def table(data: bytes, shape: tuple[int, ...]) -> torch.Tensor:
        index = torch.from_numpy(np.frombuffer(data, np.int64).reshape(shape).copy())
        return spread(index, HALVES)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        index = positions.long().contiguous().numpy()
        return apply(x, table(index.tobytes(), index.shape))

    return rotate


def cosine_as_sine() -> Any:
    """Cosines as sines of angles a quarter further, in float64."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, HALVES).double()
        wide = torch.float64 if x.dtype is torch.float64 else torch.float32
        cos, sin = (angles + math.pi / 2).sin().to(wide), angles.sin().to(wide)
        return half(x.to(wide), cos, sin).to(x.dtype)

    return rotate


def turns_in_fractions() -> Any:
    """Angles as fractions of a turn, reduced in float64."""
    turns = inverse(64, 10000.0, torch.float64) / (2 * math.pi)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        part = (positions[..., None].double() * turns).frac()
        angles = (2 * math.pi * part).float()
        return apply(x, angles[:, None] if positions.ndim == 2 else angles)

    return rotate


def by_exponentials() -> Any:
    """Frequencies as powers of two of logarithms in float32, pairs by strides."""
    exponents = torch.arange(0, 64, 2).float() / 64
    frequencies = torch.exp2(-exponents.double() * math.log2(10000.0)).float()

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return turn(x, positions, frequencies, pairs)

    return rotate


def fused_sums() -> Any:
    """`rotate_half` with `addcmul` and one buffer of both tables."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, HALVES)
        wide = x.to(torch.float64 if x.dtype is torch.float64 else torch.float32)
        cos = torch.cat((angles, angles), -1).cos().to(wide.dtype)
        sin = torch.cat((-angles, angles), -1).sin().to(wide.dtype)
        return torch.addcmul(wide * cos, wide.roll(32, -1), sin).to(x.dtype)

    return rotate


def partial_beside() -> Any:
    """A rotated part that is turned in a buffer, the rest copied."""
    frequencies = inverse(24, 10000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        result = x.clone()
        result[..., :24] = turn(x[..., :24], positions, frequencies)
        return result

    return rotate


def linear_by_positions() -> Any:
    """Linear scaling that divides positions by a factor of 8."""
    return lambda x, p: turn(x, p.float() / 8, HALVES)


def sections_dealt() -> Any:
    """Planes of three coordinates, overwritten at steps of three as in Qwen3-VL."""
    frequencies = inverse(64, 1000000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        time, height, width = (positions[..., n, None].float() * frequencies for n in range(3))
        time = time.clone()
        time[..., 1:30:3] = height[..., 1:30:3]
        time[..., 2:30:3] = width[..., 2:30:3]
        return apply(x, time[:, None] if positions.ndim == 3 else time)

    return rotate


def longrope_right() -> Any:
    """LongRoPE, chosen by the largest position of the call."""
    return longrope("right")


def pair_of_views() -> Any:
    """Queries and keys as one tensor, turned at once where they have equal lengths."""
    rotate = plain()

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        if q.shape[2] != k.shape[2]:
            return pair(rotate, rotate)(q, k, positions)
        joined = rotate(torch.cat((q, k), 1), positions[..., -k.shape[2] :])
        return joined[:, : q.shape[1]], joined[:, q.shape[1] :]

    return both


def refuses_large_calls() -> Any:
    """Calls of more than 4096 vectors are refused by an error."""
    rotate = plain()

    def small(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if x[..., 0].numel() > 4096:
            raise ValueError("at most 4096 vectors")
        return rotate(x, positions)

    return small


def vllm_padded(folder: Path) -> Path:
    """A batch in fixed slots whose unused ones have position -1 and numbers of no meaning."""
    positions = torch.tensor([[3, 4, 5, -1, -1, -1], [90, 91, 92, 93, 94, -1]])
    q = vectors(2, 3, 6, 64)
    after = turn(q, positions, HALVES)
    after[0, :, 3:] = 1e4
    after[1, :, 5:] = 0
    return saved(folder / "slots.safetensors", q_before=q, q_after=after, positions=positions)


def masked_file(folder: Path) -> Path:
    """Padding on the left with a mask; masked tokens have position 1, as in transformers."""
    mask = (torch.arange(40) >= torch.tensor([[0], [9]])).long()
    positions = (mask.cumsum(-1) - 1).masked_fill(mask == 0, 1)
    k = vectors(2, 2, 40, 64)
    after = turn(k, positions, HALVES)
    after[1, :, :9] = float("nan")
    return zipped(
        folder / "left.npz",
        k_before=k.numpy(),
        k_after=after.numpy(),
        positions=positions.numpy(),
        mask=mask.numpy(),
    )


def blhd_file(folder: Path) -> Path:
    """Axes batch, length, heads, as FlashAttention has them, fewer key heads and other positions."""
    q_positions, k_positions = torch.arange(90, 96), torch.arange(96)
    q, k = vectors(1, 8, 6, 64), vectors(1, 2, 96, 64, seed=1)
    return saved(
        folder / "flash.safetensors",
        "blhd",
        q_before=q.transpose(1, 2),
        k_before=k.transpose(1, 2),
        q_after=turn(q, q_positions, HALVES).transpose(1, 2),
        k_after=turn(k, k_positions, HALVES).transpose(1, 2),
        q_positions=q_positions,
        k_positions=k_positions,
    )


def moved_rightly(folder: Path) -> Path:
    """Keys of a cache moved back by 500 positions."""
    old = torch.arange(512, 592)
    before = turn(vectors(1, 2, 80, 64), old, HALVES)
    return zipped(
        folder / "shift.npz",
        k_before=before.numpy(),
        k_after=turn(before, torch.full((80,), -500), HALVES).numpy(),
        k_positions=(old - 500).numpy(),
        k_positions_before=old.numpy(),
    )


def float16_file(folder: Path) -> Path:
    """Vectors in float16 written by NumPy."""
    k = vectors(1, 2, 80, 64).half()
    positions = torch.arange(2000, 2080)
    return zipped(
        folder / "half.npz",
        k_before=k.numpy(),
        k_after=turn(k, positions, HALVES).numpy(),
        positions=positions.numpy().astype(np.int32),
    )


def widened_file(folder: Path) -> Path:
    """Vectors of bfloat16 that NumPy cannot hold, widened to float32, with their type by name."""
    k = vectors(1, 2, 80, 64).bfloat16()
    positions = torch.arange(600, 680)
    return zipped(
        folder / "wide.npz",
        k_before=k.float().numpy(),
        k_after=turn(k, positions, HALVES).float().numpy(),
        positions=positions.numpy(),
        dtype=np.array("bfloat16"),
    )


def ring_of_blocks(length: int, rank: int, world_size: int) -> torch.Tensor:
    """Ranks in the order of a ring that has gone on one step: still each position once."""
    return torch.tensor_split(torch.arange(length), world_size)[(rank + 1) % world_size]


def images_without_mask(
    input_ids: Any, image_grid_thw: Any, image_token_id: int, spatial_merge_size: int
) -> Any:
    """The rule of M-RoPE for rows without padding, of which it is not told."""
    return images("none")(input_ids, image_grid_thw, image_token_id, spatial_merge_size)


def transformers_mask(attention_mask: Any) -> torch.Tensor:
    """The cumulated mask, padded tokens at 1."""
    mask = torch.as_tensor(attention_mask).long()
    return (mask.cumsum(-1) - 1).masked_fill(mask == 0, 1)


def striped_ranks(length: int, rank: int, world_size: int) -> torch.Tensor:
    """Every `world_size`-th token."""
    return torch.arange(rank, length, world_size)


def _code(name: str, make: Any, why: str, spec: Any = SPEC, **options: Any) -> Entry:
    """A right implementation."""
    return Entry(name, "code", make, why, spec, options=options)


def _file(name: str, make: Any, why: str, spec: Any = SPEC) -> Entry:
    """A right file."""
    return Entry(name, "dump", make, why, spec)


def _producer(name: str, make: Any, why: str) -> Entry:
    """A right function that makes positions."""
    return Entry(name, "producer", make, why)


RIGHT = (
    _code("complex", complex_numbers, "unit complex numbers", PAIRS),
    _code("matrices", matrices, "matrices, not so many positions", RopeSpec(64, 10000, length=512)),
    _code(
        "sums-of-angles",
        sums_of_angles,
        "addition theorems in float64",
        RopeSpec(64, 10000, length=2048),
    ),
    _code("binary-digits", powers_by_squaring, "one turn for each binary digit"),
    _code("all-double", all_in_double, "float64, cast"),
    _code("growing-table", growing_table, "int64 table from 0 that grows"),
    _code("planes-backwards", planes_backwards, "each plane is put in its own place"),
    _code(
        "padded-head",
        padded_head,
        "planes of padding turn by 0 and are cut out",
        RopeSpec(80, 10000, length=2048),
    ),
    _code("float-positions", float_positions, "float32 holds whole numbers to 2**24"),
    _code("gaps", result_with_gaps, "the result is a view"),
    _code("extra-axes", extra_axes, "axes are only reshaped"),
    _code("in-place", turned_in_place, "overwritten, as the option says", in_place=True),
    _code("scripted", scripted, "TorchScript"),
    _code("numpy", with_numpy, "NumPy in float64", array="numpy", dtypes=("float32", "float64")),
    _code("blocks", token_blocks, "the same rotation piece by piece"),
    _code("kept-tables", kept_tables, "tables kept under all that determines them"),
    _code("cosine-as-sine", cosine_as_sine, "the quarter is added in float64"),
    _code("fractions-of-a-turn", turns_in_fractions, "angles reduced in float64"),
    _code("exponentials", by_exponentials, "powers of two in float64", PAIRS),
    _code("fused-sums", fused_sums, "the sign is in the table of sines"),
    _code("partial-beside", partial_beside, "the rest is copied", PARTIAL),
    _code(
        "linear-by-positions",
        linear_by_positions,
        "a division by a power of two is exact",
        RopeSpec(64, 10000, scaling=Linear(8), length=2048),
    ),
    _code("one-tensor", pair_of_views, "queries and keys in one tensor", form="pair"),
    _code("refuses-large", refuses_large_calls, "a refusal is no wrong number"),
    _code("llama3", llama3, "the rule of the library", LLAMA3),
    _code("dynamic", lambda: dynamic("right"), "frequencies of each call's length", DYNAMIC),
    _code("longrope", longrope_right, "the list of each call's length", LONGROPE),
    _code("dealt", sections_dealt, "planes dealt out by a slice with steps", DEALT),
    _file("c-right", by_c("none", first=4000), "ggml's recurrence of frequencies"),
    _file("vllm-right", engine_like_vllm("none"), "tokens of several sequences in one axis"),
    _file("gpu-right", bfloat16_engine("none"), "bfloat16 vectors, float32 angles"),
    _file("yarn-right", scaled("none"), "YaRN", YARN),
    _file("image-right", image("none"), "M-RoPE, coordinates first", IMAGES),
    _file("rank-right", at(zigzag(512, 5, 8), zigzag(512, 5, 8)), "a shard of a zigzag"),
    _file("documents-right", at(documents(20, 31, 1, 44), documents(20, 31, 1, 44)), "packed"),
    _file(
        "padded-right",
        at(padded_rows(60, 0, 7, 23)[0], padded_rows(60, 0, 7, 23)[0].clamp(min=0)),
        "padded tokens have negative positions and are turned at 0",
    ),
    _file("slots", vllm_padded, "unused slots have no meaning"),
    _file("masked", masked_file, "masked tokens may be no numbers"),
    _file("flash", blhd_file, "six queries behind 90 cached keys"),
    _file("moved", moved_rightly, "moved by the difference"),
    _file("float16", float16_file, "float16 vectors, int32 positions"),
    _file("widened", widened_file, "bfloat16 in a file of float32"),
    _producer("packed", lambda: packed("none"), "each document from 0"),
    _producer("document-ids", lambda: of_documents("none"), "each document from 0"),
    _producer("mask", lambda: transformers_mask, "as in transformers"),
    _producer("mask-and-cache", lambda: masked_cache("none"), "new tokens of the mask"),
    _producer("chunk", lambda: chunk("none"), "behind the cache"),
    _producer("requests", lambda: requests("none"), "each behind its own cache"),
    _producer("zigzag", lambda: ranked("none"), "each position once"),
    _producer("stripes", lambda: striped_ranks, "each position once"),
    _producer("ring", lambda: ring_of_blocks, "each position once, ranks moved on by one"),
    _producer("sliced", lambda: sliced("none"), "cut out of what is given"),
    _producer("images", lambda: images("none"), "the rule of Qwen2-VL"),
    _producer(
        "images-without-mask",
        lambda: images_without_mask,
        "padding is not expressed by its parameters, so that no row may be padded",
    ),
)
