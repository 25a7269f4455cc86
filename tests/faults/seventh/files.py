"""Faults in files that an engine left behind, written by NumPy, by PyTorch and by a program in C."""

import functools
import math
import shlex
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from faults.seventh.basics import half, inverse, pairs, turn
from faults.seventh.entry import Entry
from faults.seventh.rotations import yarn
from ropeproof import Linear, RopeSpec, Yarn
from ropeproof.theory.rotary.axes import Axes

SPEC = RopeSpec(64, 10000, length=4096)
LARGE = RopeSpec(64, 500000, length=65536)
LINEAR = RopeSpec(64, 10000, scaling=Linear(4), length=4096)
YARN = RopeSpec(64, 10000, scaling=Yarn(factor=4, original_length=512), length=2048)
IMAGES = RopeSpec(64, 1000000, axes=Axes.sections((8, 12, 12)), length=1024)
ATTENTION = 0.1 * math.log(4) + 1


@functools.cache
def compiled() -> Path:
    """The program in C, compiled once a process."""
    program = Path(tempfile.mkdtemp()) / "engine"
    source = Path(__file__).with_name("engine.c")
    compiler = shlex.split(
        sysconfig.get_config_var("CC") or "cc"
    )  # the one that Python is made with
    subprocess.run([*compiler, "-O1", str(source), "-o", str(program), "-lm"], check=True)
    return program


def by_c(
    fault: str,
    *,
    tokens: int = 48,
    heads: int = 3,
    dim: int = 64,
    first: int = 0,
    base: float = 10000.0,
    factor: float = 1.0,
) -> Any:
    """A file that the program in C writes with this fault."""

    def write(folder: Path) -> Path:
        path = folder / "engine.safetensors"
        sizes = [str(n) for n in (tokens, heads, dim, first, base, factor)]
        subprocess.run([str(compiled()), str(path), fault, *sizes], check=True)
        return path

    return write


def vectors(*shape: int, seed: int = 0) -> torch.Tensor:
    """Random vectors of size about one."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def saved(path: Path, axes: str = "bhld", **tensors: Any) -> Path:
    """A safetensors file of these tensors, written by PyTorch."""
    kept = {name: torch.as_tensor(t).contiguous().clone() for name, t in tensors.items()}
    save_file(kept, path, {"axes": axes})
    return path


def zipped(path: Path, axes: str = "bhld", **arrays: Any) -> Path:
    """An `.npz` file of these arrays, written by NumPy."""
    np.savez(path, axes=np.array(axes), **{name: np.asarray(a) for name, a in arrays.items()})
    return path


def at(stated: Any, turned: Any, *, key_stated: Any = None, base: float = 10000.0) -> Any:
    """A file of NumPy whose vectors are turned at other positions than it states."""
    stated, turned = torch.as_tensor(stated), torch.as_tensor(turned)

    def write(folder: Path) -> Path:
        frequencies = inverse(64, base)
        rows = turned.shape[0] if turned.ndim == 2 else 1
        q, k = (vectors(rows, n, turned.shape[-1], 64, seed=n) for n in (4, 2))
        return zipped(
            folder / "rank.npz",
            q_before=q.numpy(),
            q_after=turn(q, turned, frequencies).numpy(),
            k_before=k.numpy(),
            k_after=turn(k, turned, frequencies).numpy(),
            positions=stated.numpy(),
        )

    return write


def zigzag(length: int, rank: int, ranks: int) -> torch.Tensor:
    """Positions of a rank that has the chunks `rank` and `2 ranks - 1 - rank`."""
    chunks = torch.arange(length).chunk(2 * ranks)
    return torch.cat((chunks[rank], chunks[2 * ranks - 1 - rank]))


def contiguous(length: int, rank: int, ranks: int) -> torch.Tensor:
    """Positions of a rank that has one run of the sequence."""
    return torch.arange(length).chunk(ranks)[rank]


def striped(length: int, rank: int, ranks: int) -> torch.Tensor:
    """Positions of a rank that has every `ranks`-th token."""
    return torch.arange(rank, length, ranks)


def documents(*lengths: int) -> torch.Tensor:
    """Positions of packed documents of these lengths."""
    return torch.cat([torch.arange(n) for n in lengths])


def shifted_from(start: int, by: int, length: int = 96) -> torch.Tensor:
    """Positions that are off by a number from one token on."""
    index = torch.arange(length)
    return index + by * (index >= start)


def padded(width: int, *paddings: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Right positions, negative where a token is padding, and those that count the padding."""
    index = torch.arange(width)
    return torch.stack([index - n for n in paddings]), index.expand(len(paddings), width).clone()


def engine_like_vllm(fault: str) -> Any:
    """Vectors `(tokens, heads * dim)` turned in place, as a layer of vLLM has them."""

    def write(folder: Path) -> Path:
        positions = torch.cat((torch.arange(700, 740), torch.tensor([95, 4000])))
        q, k = vectors(1, 4, 42, 64), vectors(1, 2, 42, 64, seed=1)
        frequencies = inverse(64, 10000.0)
        q_after, k_after = turn(q, positions, frequencies), turn(k, positions, frequencies)
        if fault == "keys with the queries' stride":
            k_after = turn(k, positions[torch.arange(42) * 2 % 42], frequencies)
        if fault == "keys in pairs":
            k_after = turn(k, positions, frequencies, pairs)
        if fault == "first head alone":
            q_after = torch.cat((q_after[:, :1], q[:, 1:]), 1)
        if fault == "keys not turned":
            k_after = k
        if fault == "keys twice":
            k_after = turn(k_after, positions, frequencies)
        if fault == "heads exchanged":
            q_after = q_after.flip(1)

        def flat(x: torch.Tensor) -> torch.Tensor:
            return x[0].transpose(0, 1).reshape(42, -1)

        return saved(
            folder / "step.safetensors",
            "l(hd)",
            q_before=flat(q),
            k_before=flat(k),
            q_after=flat(q_after),
            k_after=flat(k_after),
            positions=positions,
        )

    return write


def bfloat16_engine(fault: str) -> Any:
    """Vectors in bfloat16, as an engine on a GPU has them."""

    def write(folder: Path) -> Path:
        positions = torch.arange(480, 560)
        q = vectors(1, 2, 80, 64).bfloat16()
        frequencies = inverse(64, 10000.0)
        angles = positions[:, None].float() * frequencies
        if fault == "angles":
            angles = (positions[:, None].bfloat16() * frequencies.bfloat16()).float()
        if fault == "positions":
            angles = positions[:, None].bfloat16().float() * frequencies
        if fault == "frequencies":
            angles = positions[:, None].float() * frequencies.bfloat16().float()
        after = half(q.float(), angles.cos(), angles.sin()).bfloat16()
        return saved(folder / "gpu.safetensors", q_before=q, q_after=after, positions=positions)

    return write


def scaled(fault: str) -> Any:
    """YaRN in a file of PyTorch."""

    def write(folder: Path) -> Path:
        positions = torch.arange(960, 1040)
        q, k = vectors(1, 4, 80, 64), vectors(1, 2, 80, 64, seed=1)
        right, plain = yarn(), inverse(64, 10000.0)
        ours = {"not applied": plain, "all divided": plain / 4, "ramp": yarn(backwards=True)}.get(
            fault, right
        )
        factor = 1.0 if fault in ("not applied", "no factor") else ATTENTION
        return saved(
            folder / "yarn.safetensors",
            q_before=q,
            k_before=k,
            q_after=turn(q, positions, ours, half, factor),
            k_after=turn(k, positions, ours, half, 1.0 if fault == "queries alone" else factor),
            positions=positions,
        )

    return write


def moved(fault: str) -> Any:
    """Keys of a cache that were turned at one position and must be turned on to another."""

    def write(folder: Path) -> Path:
        old = torch.arange(512, 592)
        new = old - 500
        delta = new - old
        frequencies = yarn()
        k = vectors(1, 2, 80, 64)
        before = turn(k, old, frequencies, half, ATTENTION)
        turned = {
            "unscaled": lambda: turn(before, delta, inverse(64, 10000.0)),
            "twice": lambda: turn(before, 2 * delta, frequencies),
            "other way": lambda: turn(before, -delta, frequencies),
            "with the factor": lambda: turn(before, delta, frequencies, half, ATTENTION),
            "to the new position": lambda: turn(before, new, frequencies),
            "not at all": lambda: before,
            "one short": lambda: turn(before, delta + 1, frequencies),
        }[fault]()
        return zipped(
            folder / "shift.npz",
            k_before=before.numpy(),
            k_after=turned.numpy(),
            k_positions=new.numpy(),
            k_positions_before=old.numpy(),
        )

    return write


def image(fault: str) -> Any:
    """Text, an image of 6 rows and 10 columns, and text, turned by M-RoPE."""

    def write(folder: Path) -> Path:
        text = torch.arange(20)[:, None].expand(20, 3)
        rows, columns = (
            g.reshape(-1) for g in torch.meshgrid(torch.arange(6), torch.arange(10), indexing="ij")
        )
        grid = torch.stack((torch.zeros(60, dtype=torch.long), rows, columns), -1) + 20
        after = torch.arange(16)[:, None].expand(16, 3) + 30
        stated = torch.cat((text, grid, after))
        turned = stated.clone()
        if fault == "height and width":
            turned = stated[:, [0, 2, 1]]
        if fault == "text positions":
            turned = torch.arange(96)[:, None].expand(96, 3)
        if fault == "text one behind":
            turned[80:] -= 1
        if fault == "image from 0":
            turned[20:80] -= 20
        if fault == "time alone":
            turned = stated[:, [0, 0, 0]]
        owner = torch.tensor([0] * 8 + [1] * 12 + [2] * 12)
        if fault == "dealt out":
            owner = torch.tensor([0, 1, 2] * 8 + [1, 2] * 4)
        q = vectors(1, 2, 96, 64)
        angles = turned[:, owner].float() * inverse(64, 1000000.0)
        return saved(
            folder / "image.safetensors",
            q_before=q,
            q_after=half(q, angles.cos(), angles.sin()),
            positions=stated.T,
        )

    return write


def _file(name: str, make: Any, cause: str, *words: tuple[str, ...], spec: Any = SPEC) -> Entry:
    """An entry of a dump."""
    return Entry(name, "dump", make, cause, spec, words)


TURNED_BACK = ("sign", "other way", "opposite", "backward", "negative")
FAULTS = (
    _file("c-pairs", by_c("pairs"), "neighbours are turned", ("interleaved", "pairs", "neighbour")),
    _file(
        "c-base",
        by_c("default base", base=500000.0),
        "base 10000 in place of 500000",
        ("10000 instead of 500000",),
        spec=LARGE,
    ),
    _file(
        "c-scaled-twice",
        by_c("scaled twice", factor=4.0, first=100),
        "linear scaling is applied twice",
        ("twice", "16"),
        spec=LINEAR,
    ),
    _file(
        "c-unscaled",
        by_c("unscaled", factor=4.0, first=100),
        "linear scaling is not applied",
        ("not applied", "without", "missing", "unscaled"),
        spec=LINEAR,
    ),
    _file(
        "c-sixteen-bits",
        by_c("sixteen bits", base=500000.0, first=32750),
        "positions are kept in 16 bits: 32768 becomes -32768",
        ("32768", "65536", "16 bits", "int16"),
        spec=LARGE,
    ),
    _file(
        "c-half-of-head",
        by_c("half of the head"),
        "half of a head turns",
        ("32", "half of", "planes", "rotary_dim"),
    ),
    _file(
        "c-position-of-head",
        by_c("position of the head", tokens=50, heads=5),
        "the position is read by the number of the head",
        ("head",),
    ),
    _file(
        "c-position-of-row",
        by_c("position of the row", tokens=50, heads=3),
        "the position is read by the number of the vector, heads counted",
        ("head", "vector", "stride"),
    ),
    _file(
        "c-from-zero",
        by_c("counted from zero", first=1300),
        "tokens behind a cache are counted from 0",
        ("start", "1300", "begin"),
    ),
    _file(
        "c-page",
        by_c("page of 16", first=160),
        "positions begin again at each page of 16 tokens",
        ("16", "page", "modulo", "again"),
    ),
    _file(
        "c-half-precision",
        by_c("half precision", first=200),
        "angles are formed in float16",
        ("float16",),
    ),
    _file("c-other-way", by_c("other way"), "vectors turn the other way", TURNED_BACK),
    _file(
        "c-degrees",
        by_c("degrees"),
        "angles are taken for degrees",
        ("degree", "pi/180", "57.", "0.0174"),
    ),
    _file(
        "c-powers-late",
        by_c("powers one late"),
        "exponents of frequencies begin at 2/d in place of 0",
        ("expon", "frequenc", "plane", "one"),
    ),
    _file(
        "c-overwritten",
        by_c("overwritten"),
        "the first coordinate of a plane is overwritten before the second is formed",
        ("overwritten", "in place", "first coordinate"),
    ),
    _file(
        "c-last-not-turned",
        by_c("last not turned", first=5),
        "the last token is not turned",
        ("last", "52", "token"),
    ),
    _file(
        "vllm-key-stride",
        engine_like_vllm("keys with the queries' stride"),
        "keys take positions with the queries' stride",
        ("key",),
        ("stride", "heads", "queries'"),
    ),
    _file(
        "vllm-keys-pairs",
        engine_like_vllm("keys in pairs"),
        "keys are turned in pairs",
        ("key",),
        ("interleaved", "pairs", "neighbour"),
    ),
    _file(
        "vllm-first-head",
        engine_like_vllm("first head alone"),
        "of the queries the first head alone turns",
        ("quer",),
        ("head",),
    ),
    _file(
        "vllm-keys-not",
        engine_like_vllm("keys not turned"),
        "keys are not turned",
        ("key",),
        ("not", "unrotated", "no rotation"),
    ),
    _file(
        "vllm-keys-twice",
        engine_like_vllm("keys twice"),
        "keys are turned twice",
        ("key",),
        ("twice",),
    ),
    _file(
        "vllm-heads-exchanged",
        engine_like_vllm("heads exchanged"),
        "the heads of the queries come out in reverse order",
        ("head",),
    ),
    _file(
        "gpu-angles", bfloat16_engine("angles"), "angles are in bfloat16", ("bfloat16",), ("angle",)
    ),
    _file(
        "gpu-positions",
        bfloat16_engine("positions"),
        "positions are in bfloat16",
        ("bfloat16",),
        ("position",),
    ),
    _file(
        "gpu-frequencies",
        bfloat16_engine("frequencies"),
        "frequencies are in bfloat16",
        ("bfloat16",),
        ("frequenc",),
    ),
    _file(
        "yarn-file-not",
        scaled("not applied"),
        "YaRN is not applied",
        ("not applied", "without", "missing", "unscaled"),
        spec=YARN,
    ),
    _file(
        "yarn-file-all",
        scaled("all divided"),
        "all frequencies are divided by the factor, without the ramp",
        ("linear", "every", "all", "ramp", "blend"),
        spec=YARN,
    ),
    _file(
        "yarn-file-ramp",
        scaled("ramp"),
        "the ramp runs the wrong way",
        ("wrong way", "backward", "swapped", "exchanged"),
        spec=YARN,
    ),
    _file(
        "yarn-file-factor",
        scaled("no factor"),
        "the attention factor is missing",
        ("factor",),
        spec=YARN,
    ),
    _file(
        "yarn-file-keys",
        scaled("queries alone"),
        "the attention factor is missing on the keys",
        ("factor",),
        ("key",),
        spec=YARN,
    ),
    _file(
        "shift-unscaled",
        moved("unscaled"),
        "a cache is moved with frequencies without YaRN",
        ("scaling", "frequenc", "unscaled", "yarn"),
        spec=YARN,
    ),
    _file(
        "shift-twice", moved("twice"), "a cache is moved twice as far", ("twice", "500"), spec=YARN
    ),
    _file(
        "shift-other-way",
        moved("other way"),
        "a cache is moved the other way",
        (*TURNED_BACK, "1000"),
        spec=YARN,
    ),
    _file(
        "shift-factor",
        moved("with the factor"),
        "a cache that is moved is multiplied by the attention factor again",
        ("factor",),
        spec=YARN,
    ),
    _file(
        "shift-to-new",
        moved("to the new position"),
        "cached keys are turned by their new position on top of the old one",
        ("again", "twice", "old", "512", "on top", "whole", "shift"),
        spec=YARN,
    ),
    _file(
        "shift-not",
        moved("not at all"),
        "cached keys are not moved",
        ("not", "500", "old"),
        spec=YARN,
    ),
    _file(
        "shift-one-short",
        moved("one short"),
        "a cache is moved one position short",
        ("one", "1 "),
        spec=YARN,
    ),
    _file(
        "rank-contiguous-for-zigzag",
        at(zigzag(512, 5, 8), contiguous(512, 5, 8)),
        "rank 5 of 8 turns as of a contiguous shard and should as of a zigzag",
        ("contiguous", "zigzag"),
    ),
    _file(
        "rank-zigzag-for-contiguous",
        at(contiguous(512, 2, 4), zigzag(512, 2, 4)),
        "rank 2 of 4 turns as of a zigzag and should as of a contiguous shard",
        ("zigzag",),
    ),
    _file(
        "rank-striped-for-zigzag",
        at(zigzag(512, 3, 4), striped(512, 3, 4)),
        "rank 3 of 4 turns as of stripes and should as of a zigzag",
        ("strip",),
    ),
    _file(
        "rank-another",
        at(contiguous(512, 2, 4), contiguous(512, 3, 4)),
        "rank 2 of 4 turns at the positions of rank 3",
        ("128", "rank", "shard"),
    ),
    _file(
        "rank-second-chunk-reversed",
        at(zigzag(512, 1, 4), torch.cat((torch.arange(64, 128), torch.arange(384, 448).flip(0)))),
        "the second chunk of a zigzag runs backwards",
        ("revers", "backward", "order", "descend", "exchanged"),
    ),
    _file(
        "rank-chunks-exchanged",
        at(zigzag(512, 1, 4), torch.cat((torch.arange(384, 448), torch.arange(64, 128)))),
        "the two chunks of a zigzag are exchanged",
        ("exchang", "order", "chunk", "half"),
    ),
    _file(
        "ring-step",
        at(contiguous(512, 2, 4), contiguous(512, 1, 4)),
        "a ring that has gone on one step turns a block at the positions of the rank before",
        ("128", "rank", "shard"),
    ),
    _file(
        "documents-run-on",
        at(documents(20, 31, 7, 38), torch.arange(96)),
        "positions of documents run on",
        ("document", "run on", "packed"),
    ),
    _file(
        "documents-begin",
        at(torch.arange(96), documents(20, 31, 7, 38)),
        "positions begin again where no document begins",
        ("begin", "document", "again"),
    ),
    _file(
        "document-border",
        at(documents(20, 31, 45), documents(21, 30, 45)),
        "the second document begins one token late",
        ("document", "shift", "one", "1", "begin"),
    ),
    _file(
        "padding-counted-file",
        at(*padded(60, 0, 7, 23)),
        "padding on the left is counted",
        ("padding",),
    ),
    _file(
        "padding-of-next-row",
        at(padded(60, 0, 7, 23)[0], torch.stack([torch.arange(60) - n for n in (7, 23, 0)])),
        "each row takes the padding of the next",
        ("row", "padding", "shift"),
    ),
    _file(
        "rows-exchanged",
        at(
            torch.stack((torch.arange(40), torch.arange(100, 140), torch.arange(7, 47))),
            torch.stack((torch.arange(100, 140), torch.arange(40), torch.arange(7, 47))),
        ),
        "two rows have each other's positions",
        ("row",),
        ("exchang", "swap", "another", "each other"),
    ),
    _file(
        "drafts-not-taken-back",
        at(torch.arange(96), shifted_from(61, 3)),
        "three refused drafts stay counted from token 61 on",
        ("3", "shift"),
        ("61", "some", "from"),
    ),
    _file(
        "drafts-at-once",
        at(torch.arange(96), torch.cat((torch.arange(91), torch.full((5,), 90)))),
        "five drafts have the position of the last token",
        ("90", "cut off", "same"),
    ),
    _file(
        "tree-depth",
        at(torch.tensor([*range(60), 60, 60, 61, 61, 62]), torch.arange(65)),
        "a tree of drafts is turned in order of its tokens in place of their depth",
        ("run on", "token", "order", "count", "shift", "consecutive", "index"),
    ),
    _file(
        "window-slots",
        at(torch.arange(300, 396), torch.arange(300, 396) % 64),
        "positions are those of slots in a window of 64",
        ("64",),
    ),
    _file(
        "one-token-late",
        at(torch.tensor([777]), torch.tensor([776])),
        "a token in decoding has the position before",
        ("one", "1", "776"),
    ),
    _file(
        "image-exchanged",
        image("height and width"),
        "height and width are exchanged",
        ("height", "coordinate", "axes", "exchang"),
        spec=IMAGES,
    ),
    _file(
        "image-as-text",
        image("text positions"),
        "an image has positions of text",
        ("text",),
        spec=IMAGES,
    ),
    _file(
        "image-text-behind",
        image("text one behind"),
        "text after an image is one behind",
        ("one", "1"),
        spec=IMAGES,
    ),
    _file(
        "image-file-from-0",
        image("image from 0"),
        "coordinates of an image lack the text before it",
        ("20", "image", "start"),
        spec=IMAGES,
    ),
    _file(
        "image-file-time",
        image("time alone"),
        "all planes turn by time",
        ("time", "first", "text"),
        spec=IMAGES,
    ),
    _file(
        "image-file-dealt",
        image("dealt out"),
        "planes are dealt out in turn in place of in blocks",
        ("turn", "interleaved", "dealt", "section", "block"),
        spec=IMAGES,
    ),
)
