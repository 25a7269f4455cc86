"""Faults of the rotation itself: its frequencies, its scaling, its layout, its tables."""

import math
from typing import Any

import torch

from faults.seventh.basics import (
    apply,
    half,
    inverse,
    pair,
    pairs,
    plain,
    spread,
    turn,
)
from faults.seventh.entry import Entry
from ropeproof import Dynamic, Linear, Llama3, LongRope, RopeSpec, Yarn
from ropeproof.theory.rotary.axes import Axes

PLAIN = RopeSpec(64, 10000, length=2048)
LARGE = RopeSpec(64, 500000, length=4096)
YARN = RopeSpec(64, 10000, scaling=Yarn(factor=4, original_length=512), length=2048)
SHORT_YARN = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=128), length=1024)
LLAMA3 = RopeSpec(
    64,
    500000,
    scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=512),
    length=4096,
)
SHORT = tuple(f"{1 + k / 100:.2f}" for k in range(32))
LONG = tuple(f"{1 + k / 8:.3f}" for k in range(32))
LONGROPE = RopeSpec(
    64,
    10000,
    scaling=LongRope(short_factor=SHORT, long_factor=LONG, original_length=256, factor=4),
    length=1024,
)
DYNAMIC = RopeSpec(64, 10000, scaling=Dynamic(factor=2, original_length=256), length=1024)
PARTIAL = RopeSpec(80, 10000, rotary_dim=24, length=2048)
LATENT = RopeSpec(96, 10000, rotary_start=64, rotary_dim=32, layout="interleaved", length=1024)
IMAGES = RopeSpec(64, 1000000, axes=Axes.sections((8, 12, 12)), length=1024)
DEALT = RopeSpec(64, 1000000, axes=Axes.sections((12, 10, 10), interleaved=True), length=1024)
GEMMA = {
    "model_type": "gemma3_text",
    "architectures": ["Gemma3ForCausalLM"],
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 1,
    "head_dim": 64,
    "num_hidden_layers": 12,
    "max_position_embeddings": 4096,
    "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    "sliding_window": 512,
    "sliding_window_pattern": 6,
    "vocab_size": 100,
    "intermediate_size": 64,
}


def exponents_in_half() -> Any:
    """Exponents of frequencies in float16, as an export of constants leaves them."""
    exponents = (torch.arange(0, 96, 2, dtype=torch.float16) / 96).double()
    frequencies = (500000.0**-exponents).float()
    return lambda x, positions: turn(x, positions, frequencies)


def buffer_in_bfloat16() -> Any:
    """Frequencies that a checkpoint has in bfloat16, read back into float32."""
    frequencies = inverse(64, 500000.0).bfloat16().float()
    return lambda x, positions: turn(x, positions, frequencies)


def frequencies_as_vectors() -> Any:
    """Frequencies formed anew at each call in the type of the vectors."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        frequencies = inverse(64, 10000.0).to(x.dtype)
        return turn(x, positions, frequencies.float())

    return rotate


def rotated_part_of_32() -> Any:
    """0.3 of 80 coordinates, rounded up to a whole warp of 32."""
    frequencies = inverse(32, 10000.0)
    return lambda x, positions: torch.cat(
        (turn(x[..., :32], positions, frequencies), x[..., 32:]), -1
    )


def part_with_head_frequencies() -> Any:
    """The rotated part is right, and the exponents are divided by the head's dimension."""
    frequencies = inverse(80, 10000.0)[:12]
    return lambda x, positions: torch.cat(
        (turn(x[..., :24], positions, frequencies), x[..., 24:]), -1
    )


def part_at_the_end() -> Any:
    """The last 24 coordinates turn in place of the first."""
    frequencies = inverse(24, 10000.0)
    return lambda x, positions: torch.cat(
        (x[..., :-24], turn(x[..., -24:], positions, frequencies)), -1
    )


def latent_at_the_start() -> Any:
    """Latent attention whose first 32 coordinates turn, as if a head were (rope, nope)."""
    frequencies = inverse(32, 10000.0)
    return lambda x, positions: torch.cat(
        (turn(x[..., :32], positions, frequencies, pairs), x[..., 32:]), -1
    )


def latent_in_half_order() -> Any:
    """Latent attention in half layout where the weights are for pairs."""
    frequencies = inverse(32, 10000.0)
    return lambda x, positions: torch.cat(
        (x[..., :64], turn(x[..., 64:], positions, frequencies)), -1
    )


def yarn(
    base: float = 10000.0,
    factor: float = 4.0,
    original: int = 512,
    *,
    clamp: bool = True,
    bounds: str = "right",
    backwards: bool = False,
    clip: bool = True,
) -> torch.Tensor:
    """Frequencies of YaRN for 64 coordinates, with one step left out or turned round."""

    def turns(n: float) -> float:
        return 64 * math.log(original / (2 * math.pi * n)) / (2 * math.log(base))

    low, high = turns(32), turns(1)
    if bounds == "right":
        low, high = math.floor(low), math.ceil(high)
    elif bounds == "inwards":
        low, high = math.ceil(low), math.floor(high)
    if clip:
        low, high = max(low, 0), min(high, 63)
    ramp = (torch.arange(32, dtype=torch.float64) - low) / (high - low)
    if clamp:
        ramp = ramp.clamp(0, 1)
    if backwards:
        ramp = 1 - ramp
    frequencies = inverse(64, base, torch.float64)
    return (frequencies * (1 - ramp) + frequencies / factor * ramp).float()


def scaled_by(frequencies: torch.Tensor, factor: float) -> Any:
    """A rotation with these frequencies and this attention factor."""
    return lambda x, positions: turn(x, positions, frequencies, half, factor)


def attention_of_queries_alone() -> Any:
    """YaRN's attention factor multiplies the queries and not the keys."""
    factor = 0.1 * math.log(4) + 1
    return pair(scaled_by(yarn(), factor), scaled_by(yarn(), 1.0))


def squared_attention() -> Any:
    """The attention factor is applied to cosines and once more to the result."""
    return scaled_by(yarn(), (0.1 * math.log(4) + 1) ** 2)


def llama3(
    low: float = 1.0,
    high: float = 4.0,
    *,
    original: float = 512,
    turn_: float = 2 * math.pi,
    blend: bool = True,
) -> Any:
    """Llama 3's scaling by 8, with a number exchanged or a step left out."""
    frequencies = inverse(64, 500000.0, torch.float64)
    wavelengths = turn_ / frequencies
    slow = torch.where(wavelengths > original / low, frequencies / 8, frequencies)
    if blend:
        smooth = (original / wavelengths - low) / (high - low)
        mixed = (1 - smooth) * frequencies / 8 + smooth * frequencies
        middle = (wavelengths >= original / high) & (wavelengths <= original / low)
        slow = torch.where(middle, mixed, slow)
    return scaled_by(slow.float(), 1.0)


def longrope(choice: str) -> Any:
    """LongRoPE whose list is chosen wrongly."""
    short = inverse(64, 10000.0) / torch.tensor([float(e) for e in SHORT])
    long = inverse(64, 10000.0) / torch.tensor([float(e) for e in LONG])
    factor = math.sqrt(1 + math.log(4) / math.log(256))

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        length = int(positions.max()) + 1
        if choice == "from the original length on":
            return turn(x, positions, long if length >= 256 else short, half, factor)
        if choice == "token by token":
            frequencies = torch.where(positions[..., None] >= 256, long, short)
            angles = positions[..., None].float() * frequencies
            return apply(x, angles[:, None] if positions.ndim == 2 else angles, half, factor)
        if choice == "by the number of tokens":
            return turn(x, positions, long if x.shape[2] > 256 else short, half, factor)
        if choice == "factor of long ones alone":
            factor_ = factor if length > 256 else 1.0
            return turn(x, positions, long if length > 256 else short, half, factor_)
        return turn(x, positions, long if length > 256 else short, half, factor)

    return rotate


def dynamic(choice: str) -> Any:
    """Dynamic NTK scaling at a wrong length."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        length = int(positions.max()) + 1
        if choice == "token by token":
            scale = (2 * (positions.double() + 1).clamp(min=256) / 256 - 1)[..., None]
            exponents = torch.arange(32, dtype=torch.float64) / 31
            frequencies = inverse(64, 10000.0, torch.float64) * scale**-exponents
            angles = (positions[..., None].double() * frequencies).float()
            return apply(x, angles[:, None] if positions.ndim == 2 else angles)
        if choice == "one short":
            length -= 1
        scale = 2 * max(length, 256) / 256 - 1
        power = 1.0 if choice == "without the power" else 64 / 62
        return turn(x, positions, inverse(64, 10000.0 * scale**power))

    return rotate


def whole_positions(factor: int = 4) -> Any:
    """Linear interpolation by an integer division of positions."""
    frequencies = inverse(64, 10000.0)
    return lambda x, positions: turn(x, positions.long() // factor, frequencies)


def linear_twice() -> Any:
    """Linear interpolation of positions and of frequencies."""
    frequencies = inverse(64, 10000.0) / 4
    return lambda x, positions: turn(x, positions / 4, frequencies)


def table_of(rows: int, past_the_end: str, base: float = 10000.0) -> Any:
    """A table of so many rows, of which a position past the end takes another."""
    angles = torch.arange(rows)[:, None].float() * inverse(64, base)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        rows_ = positions.long()
        rows_ = rows_ % rows if past_the_end == "wraps" else rows_.clamp(max=rows - 1)
        chosen = angles[rows_]
        return apply(x, chosen[:, None] if positions.ndim == 2 else chosen)

    return rotate


def table_that_grows() -> Any:
    """A table of 1024 rows, right; when it must grow, it is made anew with the default base."""

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        base = 500000.0 if int(positions.max()) < 1024 else 10000.0
        return turn(x, positions, inverse(64, base))

    return rotate


def tables_in(dtype: torch.dtype) -> Any:
    """Cosines and sines kept in a type coarser than float32."""
    frequencies = inverse(64, 10000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, frequencies)
        cos, sin = angles.cos().to(dtype).float(), angles.sin().to(dtype).float()
        return half(x.float(), cos, sin).to(x.dtype)

    return rotate


def mixed_tables() -> Any:
    """Cosines repeated for half layout and sines for pairs, turned by `rotate_half`."""
    frequencies = inverse(64, 10000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = spread(positions, frequencies)
        wide = torch.float64 if x.dtype is torch.float64 else torch.float32
        cos = torch.cat((angles, angles), -1).cos().to(wide)
        sin = angles.repeat_interleave(2, -1).sin().to(wide)
        first, second = x.to(wide).chunk(2, -1)
        return (x.to(wide) * cos + torch.cat((-second, first), -1) * sin).to(x.dtype)

    return rotate


def backwards_queries() -> Any:
    """Queries turn the other way, keys the right way."""
    frequencies = inverse(64, 10000.0)
    return pair(lambda x, p: turn(x, -p, frequencies), lambda x, p: turn(x, p, frequencies))


def queries_twice() -> Any:
    """Queries are turned twice, as where a hook and the layer both do it."""
    rotate = plain()
    return pair(lambda x, p: rotate(rotate(x, p), p), rotate)


def second_half_of_planes_backwards() -> Any:
    """The upper half of the planes turns the other way, as after a conjugated file of constants."""
    frequencies = inverse(64, 10000.0)
    frequencies[16:] *= -1
    return lambda x, positions: turn(x, positions, frequencies)


def short_pi() -> Any:
    """Angles reduced by 6.2832 in place of two pi before sine and cosine."""
    frequencies = inverse(64, 10000.0)
    return lambda x, positions: apply(x, torch.remainder(spread(positions, frequencies), 6.2832))


def heads_and_dimensions() -> Any:
    """A row of heads times dimensions read as (dimensions, heads)."""
    rotate = plain()

    def flat(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        heads = x.reshape(batch, length, 64, width // 64).permute(0, 3, 1, 2)
        return rotate(heads, positions).permute(0, 2, 3, 1).reshape(x.shape)

    return flat


def heads_as_tokens() -> Any:
    """Axes (batch, heads, length) are read as (batch, length, heads): a head's number is its position."""
    frequencies = inverse(64, 10000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        heads = torch.arange(x.shape[1])[:, None].expand(x.shape[1], x.shape[2])
        return apply(x, heads[..., None].float() * frequencies)

    return rotate


def sections(fault: str) -> Any:
    """M-RoPE with sections 8, 12, 12 of 32 planes that are dealt out wrongly."""
    frequencies = inverse(64, 1000000.0)
    blocks = torch.tensor([0] * 8 + [1] * 12 + [2] * 12)
    owner = {
        "height and width exchanged": torch.tensor([0] * 8 + [2] * 12 + [1] * 12),
        "sizes of height first": torch.tensor([0] * 12 + [1] * 12 + [2] * 8),
        "time alone": torch.zeros(32, dtype=torch.long),
        "dealt out in turn": torch.tensor([0, 1, 2] * 8 + [1, 2] * 4),
        "blocks for dealt": torch.tensor([0] * 12 + [1] * 10 + [2] * 10),
    }.get(fault, blocks)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        chosen = positions[..., owner].float() * frequencies
        return apply(x, chosen[:, None] if positions.ndim == 3 else chosen)

    return rotate


def local_layers() -> Any:
    """A global layer of Gemma 3 turned by the table of its local layers."""
    return plain(64, 10000.0)


def global_layers() -> Any:
    """A local layer of Gemma 3 turned by the scaled table of its global layers."""
    return scaled_by(inverse(64, 1000000.0) / 8, 1.0)


def keys_rounded() -> Any:
    """Keys go through a cache in bfloat16 whatever the type of the vectors."""
    rotate = plain()
    return pair(rotate, lambda x, p: rotate(x, p).bfloat16().to(x.dtype))


def in_vectors_type() -> Any:
    """Products of positions and frequencies are formed in the type of the vectors."""
    frequencies = inverse(64, 10000.0)

    def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        angles = positions[..., None].to(x.dtype) * frequencies.to(x.dtype)
        return apply(x, (angles[:, None] if positions.ndim == 2 else angles).float())

    return rotate


def yarn_options(**changes: Any) -> Any:
    """YaRN of factor 4 with these changes, and the right attention factor."""
    return scaled_by(yarn(**changes), 0.1 * math.log(4) + 1)


FAULTS = (
    Entry(
        "exponents-float16",
        "code",
        exponents_in_half,
        "the exponents of the frequencies were formed in float16",
        RopeSpec(96, 500000, length=4096),
        (("float16",), ("expon", "frequenc")),
    ),
    Entry(
        "buffer-bfloat16",
        "code",
        buffer_in_bfloat16,
        "the frequencies were rounded to bfloat16",
        LARGE,
        (("frequenc",), ("bfloat16",)),
    ),
    Entry(
        "frequencies-in-vectors-type",
        "code",
        frequencies_as_vectors,
        "frequencies are rounded to the type of the vectors",
        PLAIN,
        (("frequenc",), ("type", "bfloat16", "float16")),
        {"dtypes": ("float32", "bfloat16")},  # of float32 alone the rotation is right
    ),
    Entry(
        "rotary-dim-32",
        "code",
        rotated_part_of_32,
        "32 coordinates turn, with the frequencies of 32, where 24 should",
        PARTIAL,
        (("32",), ("24", "rotary_dim", "rotated", "planes", "coordinates")),
    ),
    Entry(
        "head-exponents",
        "code",
        part_with_head_frequencies,
        "the frequencies of the rotated part are those of the whole head",
        PARTIAL,
        (("head", "80"),),
    ),
    Entry(
        "part-at-end",
        "code",
        part_at_the_end,
        "the last coordinates of a head turn instead of the first",
        PARTIAL,
        (("last", "end", "56", "start"),),
    ),
    Entry(
        "latent-at-start",
        "code",
        latent_at_the_start,
        "the first coordinates of a latent head turn instead of the last",
        LATENT,
        (("first", "start", "from 0", "coordinate 0"),),
    ),
    Entry(
        "latent-half",
        "code",
        latent_in_half_order,
        "half layout in place of interleaved",
        LATENT,
        (("half", "pair", "layout", "interleaved"),),
    ),
    Entry(
        "yarn-original",
        "code",
        lambda: yarn_options(original=2048),
        "YaRN's ramp is computed with the extended length 2048 in place of 512",
        YARN,
        (("2048", "original"),),
    ),
    Entry(
        "yarn-attention-queries",
        "code",
        attention_of_queries_alone,
        "the attention factor is missing on the keys",
        YARN,
        (("factor",), ("keys", "queries")),
        {"form": "pair"},
    ),
    Entry(
        "yarn-attention-squared",
        "code",
        squared_attention,
        "the attention factor is applied twice",
        YARN,
        (("factor",), ("twice", "square", "1.29", "1.30")),
    ),
    Entry(
        "yarn-unclamped",
        "code",
        lambda: yarn_options(clamp=False),
        "YaRN's ramp is not clamped to 0 and 1",
        YARN,
        (("clamp", "cut", "limit", "bound"),),
    ),
    Entry(
        "yarn-rounded-inwards",
        "code",
        lambda: yarn_options(bounds="inwards"),
        "the ends of YaRN's ramp are rounded inwards",
        YARN,
        (("round", "truncat", "range"),),
    ),
    Entry(
        "yarn-untruncated",
        "code",
        lambda: yarn_options(bounds="none"),
        "the ends of YaRN's ramp are not rounded",
        YARN,
        (("truncat", "round"),),
    ),
    Entry(
        "yarn-backwards",
        "code",
        lambda: yarn_options(backwards=True),
        "YaRN's ramp runs the wrong way round",
        YARN,
        (("wrong way", "backward", "swapped", "exchanged"),),
    ),
    Entry(
        "yarn-low-negative",
        "code",
        lambda: scaled_by(
            yarn(factor=8.0, original=128, clip=False, bounds="right"), 0.1 * math.log(8) + 1
        ),
        "the lower end of YaRN's ramp is not kept at 0 where it is negative",
        SHORT_YARN,
        (("clamp", "range", "low", "end", "negative"),),
    ),
    Entry(
        "llama3-swapped",
        "code",
        lambda: llama3(4.0, 1.0),
        "low_freq_factor and high_freq_factor are exchanged",
        LLAMA3,
        (("exchang", "swap"),),
    ),
    Entry(
        "llama3-no-two-pi",
        "code",
        lambda: llama3(turn_=1.0),
        "wavelengths of Llama 3's scaling lack two pi",
        LLAMA3,
        (("pi", "wavelength"),),
    ),
    Entry(
        "llama3-no-blend",
        "code",
        lambda: llama3(blend=False),
        "Llama 3's scaling has a step in place of the blend",
        LLAMA3,
        (("blend", "step", "smooth", "middle", "between"),),
    ),
    Entry(
        "llama3-original",
        "code",
        lambda: llama3(original=4096),
        "Llama 3's scaling takes the extended length for the original one",
        LLAMA3,
        (("4096", "original"),),
    ),
    Entry(
        "longrope-boundary",
        "code",
        lambda: longrope("from the original length on"),
        "the long factors are taken at the original length itself",
        LONGROPE,
        (("256", "original", "boundary", "255"),),
    ),
    Entry(
        "longrope-by-token",
        "code",
        lambda: longrope("token by token"),
        "each token chooses the list by its own position in place of the sequence's length",
        LONGROPE,
        (("position", "token"), ("list", "factor", "long", "length", "frequenc")),
    ),
    Entry(
        "longrope-by-count",
        "code",
        lambda: longrope("by the number of tokens"),
        "the list is chosen by the number of tokens of the call, not by the length of the sequence",
        LONGROPE,
        (("number", "call", "counted", "tokens", "vectors"),),
    ),
    Entry(
        "longrope-factor",
        "code",
        lambda: longrope("factor of long ones alone"),
        "the attention factor is left out of sequences within the original length",
        LONGROPE,
        (("factor",), ("short", "original", "256", "length")),
    ),
    Entry(
        "ntk-by-token",
        "code",
        lambda: dynamic("token by token"),
        "dynamic scaling takes each token's own position for the length",
        DYNAMIC,
        (("position", "token"), ("length", "own", "each")),
    ),
    Entry(
        "ntk-one-short",
        "code",
        lambda: dynamic("one short"),
        "dynamic scaling takes the last position for the length, which is one short",
        DYNAMIC,
        (("one", "1 ", "last position"), ("length", "sequence")),
    ),
    Entry(
        "ntk-power",
        "code",
        lambda: dynamic("without the power"),
        "the base is multiplied without the power d / (d - 2)",
        DYNAMIC,
        (("power", "exponent", "d / (d - 2)", "d/(d-2)"),),
    ),
    Entry(
        "linear-whole",
        "code",
        whole_positions,
        "positions are divided by an integer division",
        RopeSpec(64, 10000, scaling=Linear(4), length=2048),
        (("whole", "integer", "floor", "rounded"),),
    ),
    Entry(
        "linear-twice",
        "code",
        linear_twice,
        "linear scaling is applied twice",
        RopeSpec(64, 10000, scaling=Linear(4), length=2048),
        (("twice", "16"),),
    ),
    Entry(
        "table-clamped",
        "code",
        lambda: table_of(1024, "clamps"),
        "positions past the table's 1024 rows take its last row",
        PLAIN,
        (("1023", "1024"), ("clamp", "cut", "last")),
    ),
    Entry(
        "table-wraps",
        "code",
        lambda: table_of(1536, "wraps"),
        "positions are taken modulo the table's 1536 rows",
        PLAIN,
        (("1536",), ("modulo", "wrap")),
    ),
    Entry(
        "table-regrown",
        "code",
        table_that_grows,
        "the table that grows is made anew with base 10000",
        LARGE,
        (("10000",), ("1024", "longer", "length", "grow")),
    ),
    Entry(
        "tables-float16",
        "code",
        lambda: tables_in(torch.float16),
        "cosines and sines are kept in float16",
        PLAIN,
        (("float16",), ("cos", "sin", "table", "round")),
        {"dtypes": ("float32", "bfloat16")},
    ),
    Entry(
        "tables-mixed",
        "code",
        mixed_tables,
        "cosines lie as for half layout and sines as for interleaved layout",
        PLAIN,
        (("cos", "sin", "table"), ("half", "interleaved", "pairs", "layout", "order")),
    ),
    Entry(
        "keys-in-pairs",
        "code",
        lambda: pair(plain(), plain(how=pairs)),
        "keys are turned in interleaved layout, queries in half layout",
        PLAIN,
        (("keys",), ("interleaved", "pairs", "layout", "neighbour")),
        {"form": "pair"},
    ),
    Entry(
        "queries-backwards",
        "code",
        backwards_queries,
        "queries turn the other way",
        PLAIN,
        (("queries",), ("sign", "other way", "opposite", "backward")),
        {"form": "pair"},
    ),
    Entry(
        "queries-twice",
        "code",
        queries_twice,
        "queries are turned twice",
        PLAIN,
        (("queries",), ("twice",)),
        {"form": "pair"},
    ),
    Entry(
        "half-of-planes-backwards",
        "code",
        second_half_of_planes_backwards,
        "the slower half of the planes turns the other way",
        PLAIN,
        (("sign", "other way", "opposite", "backward"), ("plane", "16", "half")),
    ),
    Entry(
        "short-pi",
        "code",
        short_pi,
        "angles are reduced by 6.2832 in place of two pi",
        RopeSpec(64, 10000, length=65536),
        (("pi", "6.28", "reduc"),),
    ),
    Entry(
        "dimensions-before-heads",
        "code",
        heads_and_dimensions,
        "a row of heads times dimensions is read with the dimensions first",
        PLAIN,
        (("head",), ("dimension", "order", "coordinate", "interleaved", "transpos", "axes")),
        {"axes": "bl(hd)"},
    ),
    Entry(
        "heads-as-tokens",
        "code",
        heads_as_tokens,
        "the number of a head is taken for the position",
        PLAIN,
        (("head",), ("position", "length", "axes")),
    ),
    Entry(
        "height-width",
        "code",
        lambda: sections("height and width exchanged"),
        "height and width are exchanged",
        IMAGES,
        (("height", "1", "axes", "coordinate"), ("width", "2", "exchanged", "order")),
    ),
    Entry(
        "section-sizes-reversed",
        "code",
        lambda: sections("sizes of height first"),
        "the sizes of the sections are in the wrong order",
        IMAGES,
        (("section", "12", "sizes"),),
    ),
    Entry(
        "time-alone",
        "code",
        lambda: sections("time alone"),
        "all planes turn by the first coordinate, as of text",
        IMAGES,
        (("first", "time", "text", "one coordinate"),),
    ),
    Entry(
        "sections-dealt",
        "code",
        lambda: sections("dealt out in turn"),
        "planes are dealt out to the coordinates in turn and not in blocks",
        IMAGES,
        (("turn", "interleaved", "dealt", "block", "section"),),
    ),
    Entry(
        "dealt-as-blocks",
        "code",
        lambda: sections("blocks for dealt"),
        "planes are blocks of the coordinates where they should be dealt out in turn",
        DEALT,
        (("block", "section", "interleaved", "dealt"),),
    ),
    Entry(
        "gemma-global-as-local",
        "code",
        local_layers,
        "a global layer is turned by the rotation of local layers",
        GEMMA,
        (("10000", "local", "sliding", "layer"),),
        {"layer": 5},
    ),
    Entry(
        "gemma-local-as-global",
        "code",
        global_layers,
        "a local layer is turned by the scaled rotation of global layers",
        GEMMA,
        (("1000000", "global", "full", "layer"),),
        {"layer": 0},
    ),
    Entry(
        "keys-through-bfloat16",
        "code",
        keys_rounded,
        "turned keys are rounded to bfloat16",
        PLAIN,
        (("key",), ("bfloat16", "round", "bits")),
        {"form": "pair", "dtypes": ("float32",)},
    ),
    Entry(
        "angles-in-vectors-type",
        "code",
        in_vectors_type,
        "angles are formed in the type of the vectors",
        PLAIN,
        (("angle", "position", "frequenc"), ("bfloat16", "float16", "type")),
        {"dtypes": ("float32", "bfloat16")},
    ),
)
