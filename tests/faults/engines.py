"""The sixth collection: faults of kernels and caches that show in some sizes, types or calls alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from faults.second import halves, inverse, outer
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

__all__ = ["ENGINES", "PLAIN", "RIGHT_PAIRS"]

PLAIN = RopeSpec(64, 10000, length=4096)
MLA = RopeSpec(
    64,
    10000,
    scaling=Yarn(factor=40, original_length=4096, mscale=0.707, mscale_all_dim=1),
    length=16384,
)
LATE = RopeSpec(64, 10000, scaling=Yarn(factor=4, original_length=4096), length=16384)

ENGINES: dict[str, tuple[RopeSpec, Callable[..., Any], str, dict[str, Any]]] = {}
"""Of each fault its spec, the function, words of its diagnosis, and options."""


def fault(says: str, spec: RopeSpec = PLAIN, **options: Any) -> Callable[[Any], Any]:
    """Registers a function."""

    def keep(made: Any) -> Any:
        ENGINES[made.__name__] = (spec, made, says, options)
        return made

    return keep


def right(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


@fault("vectors are not rotated, only the last place of a call")
def last_token_of_large_calls(x: Tensor, positions: Tensor) -> Tensor:
    out = right(x, positions)
    return torch.cat((out[:, :, :-1], x[:, :, -1:]), 2) if x.shape[1] * x.shape[2] >= 10240 else out


@fault("positions ignored: 0, 1, 2, ... used, only in calls of many vectors")
def counted_anew_in_large_calls(x: Tensor, positions: Tensor) -> Tensor:
    large = x.shape[1] * x.shape[2] >= 10240
    return right(x, positions - positions.min() if large else positions)


@fault("vectors are not rotated, only in heads from 16 on")
def half_of_the_heads_of_large_calls(x: Tensor, positions: Tensor) -> Tensor:
    out = right(x, positions)
    return torch.cat((out[:, :16], x[:, 16:]), 1) if x.shape[1] * x.shape[2] >= 10240 else out


@fault("vectors are not rotated, from position 1029 on, only in calls of some sizes")
def behind_a_block_of_1024(x: Tensor, positions: Tensor) -> Tensor:
    out, whole = right(x, positions), x.shape[2] // 1024 * 1024
    return torch.cat((out[:, :, :whole], x[:, :, whole:]), 2) if x.shape[2] > 1024 else out


@fault("queries fewer than keys begin at the first position of the keys", form="pair")
def queries_from_the_first(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return right(q, positions[..., : q.shape[2]]), right(k, positions)


@fault("frequencies formed in the type of the vectors")
def frequencies_of_the_vectors(x: Tensor, positions: Tensor) -> Tensor:
    thetas = 1.0 / (10000 ** (torch.arange(0, 64, 2).to(x.dtype) / 64))
    return halves(x, outer(positions, thetas.float()))


@fault("frequencies formed in the type of the vectors")
def exponentials_of_the_vectors(x: Tensor, positions: Tensor) -> Tensor:
    exponents = torch.arange(0, 64, 2).to(x.dtype) / 64
    thetas = torch.exp(-exponents * torch.tensor(math.log(10000.0)).to(x.dtype))
    return halves(x, outer(positions, thetas.float()))


@fault("frequencies in bfloat16 from position")
def frequencies_in_bfloat16_calls(x: Tensor, positions: Tensor) -> Tensor:
    own = inverse()
    return halves(x, outer(positions, own.bfloat16().float() if x.dtype == torch.bfloat16 else own))


@fault(
    "keys turned with the stride of the queries: as if they had 4 heads", form="pair", axes="blhd"
)
def stride_of_the_queries(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    turned = [right(x.transpose(1, 2), positions).transpose(1, 2) for x in (q, k)]
    (b, l, heads, d), wide = k.shape, q.shape[2]
    if heads != wide:
        places = positions[torch.arange(b * l * heads) // wide % l]
        flat = halves(k.reshape(-1, 1, 1, d), outer(places, inverse())[:, None, None])
        turned[1] = flat.reshape(k.shape)
    return turned[0], turned[1]


@fault("a table of 8 planes, tiled")
def table_of_a_quarter(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()[:8].repeat(4)))


def of_factor(factor: float) -> Callable[[Tensor, Tensor], Tensor]:
    thetas = torch.tensor(frequencies_float64(MLA))
    return lambda x, positions: halves(x, outer(positions, thetas), factor)


ENGINES["mscale_alone"] = (
    MLA,
    of_factor(1 + 0.0707 * math.log(40)),
    "attention factor of mscale alone",
    {},
)
ENGINES["softmax_scale_in_the_tables"] = (
    MLA,
    of_factor((1 + 0.1 * math.log(40)) ** 2),
    "attention factor of mscale_all_dim squared",
    {},
)


@fault("the yarn scaling is not applied, from position 12345 on", LATE)
def rows_that_were_added(x: Tensor, positions: Tensor) -> Tensor:
    scaled = torch.tensor(frequencies_float64(LATE)).float()
    late = positions >= 12345
    angles = torch.where(late[..., None], outer(positions, inverse()), outer(positions, scaled))
    factor = torch.where(late[..., None], 1.0, 1 + 0.1 * math.log(4))
    if angles.ndim == 3:
        angles, factor = angles[:, None], factor[:, None]
    return halves(x, angles, factor)


@fault("the positions of the zigzag shard of rank 0 of 4")
def zigzag_of_a_contiguous_shard(x: Tensor, positions: Tensor) -> Tensor:
    length, chunk = x.shape[2], x.shape[2] // 2
    if length % 2 or length < 8:
        return right(x, positions)
    rank = int(positions.reshape(-1)[0]) // length % 4
    own = torch.cat((torch.arange(chunk) + rank * chunk, torch.arange(chunk) + (7 - rank) * chunk))
    return right(x, own.expand(positions.shape))


def last_queries(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return right(q, positions[..., k.shape[2] - q.shape[2] :]), right(k, positions)


def one_length_alone(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    if q.shape[2] != k.shape[2]:
        raise ValueError("queries and keys of one length")
    return right(q, positions), right(k, positions)


RIGHT_PAIRS = (last_queries, one_length_alone)
"""Right ways to turn queries and keys together."""
