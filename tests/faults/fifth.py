"""The fifth collection: faults of the size of entries, which vectors of signs do not show.

Kernels that clip, that set small numbers to 0, that turn what they have rounded to eight bits, or
that leave alone what they take for an outlier. Each has the words that its diagnosis must have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from faults.second import (
    LLAMA2,
    PYTHIA,
    YARN,
    halves,
    inverse,
    outer,
    yarn_factor,
    yarn_frequencies,
)
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FIFTH"]

FIFTH: dict[str, tuple[RopeSpec, Callable[[], Any], str, dict[str, Any]]] = {}
"""Of each fault its spec, what makes it anew, the words that its diagnosis must have, and options."""


def fault(spec: RopeSpec, says: str, **options: Any) -> Callable[[Any], Any]:
    """Registers a function `(x, positions)` as a fault."""

    def keep(made: Any) -> Any:
        FIFTH[made.__name__] = (spec, lambda: made, says, options)
        return made

    return keep


def right(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()))


def norms(x: Tensor) -> Tensor:
    return x.double().norm(dim=-1, keepdim=True)


# Large entries.


@fault(LLAMA2, "vectors of norm above 50 are left alone")
def long_vectors_left_alone(x: Tensor, positions: Tensor) -> Tensor:
    return torch.where(norms(x) > 50, x, right(x, positions))


@fault(LLAMA2, "entries are clipped at 100")
def entries_clipped(x: Tensor, positions: Tensor) -> Tensor:
    return right(x.clamp(-100, 100), positions)


@fault(LLAMA2, "results are clipped at 100")
def results_clipped(x: Tensor, positions: Tensor) -> Tensor:
    return right(x, positions).clamp(-100, 100)


@fault(LLAMA2, "vectors of norm above 1000 are brought to that norm")
def long_vectors_shortened(x: Tensor, positions: Tensor) -> Tensor:
    return (right(x, positions).double() * (1000 / norms(x).clamp(min=1000))).to(x.dtype)


@fault(LLAMA2, "vectors with an entry above 3000 are left alone")
def vectors_with_an_outlier(x: Tensor, positions: Tensor) -> Tensor:
    outlier = x.abs().amax(-1, keepdim=True) > 3000
    return torch.where(outlier, x, right(x, positions))


@fault(LLAMA2, "with all vectors of the call")
def calls_with_an_outlier(x: Tensor, positions: Tensor) -> Tensor:
    return x if bool(x.abs().max() > 3000) else right(x, positions)


@fault(LLAMA2, "entries above 65500 become infinite or no numbers")
def through_float16(x: Tensor, positions: Tensor) -> Tensor:
    # Of bfloat16, whose bits float16 holds, and its range not.
    return right(x.half().to(x.dtype) if x.dtype == torch.bfloat16 else x, positions)


@fault(YARN, "entries are clipped at 20000")
def clipped_with_a_factor(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x.clamp(-20000, 20000), outer(positions, yarn_frequencies()), yarn_factor())


@fault(PYTHIA, "are clipped at 64")
def part_clipped(x: Tensor, positions: Tensor) -> Tensor:
    part = halves(x[..., :16].clamp(-64, 64), outer(positions, inverse(m=8)))
    return torch.cat((part, x[..., 16:]), -1)


# Small entries.


@fault(LLAMA2, "entries below 0.0001 become 0")
def small_entries_flushed(x: Tensor, positions: Tensor) -> Tensor:
    return right(torch.where(x.abs() < 1e-4, 0, x), positions)


@fault(LLAMA2, "vectors of norm below 0.001 become 0")
def short_vectors_flushed(x: Tensor, positions: Tensor) -> Tensor:
    return torch.where(norms(x) < 1e-3, 0, right(x, positions))


@fault(LLAMA2, "vectors of norm below 0.01 are left alone")
def short_vectors_left_alone(x: Tensor, positions: Tensor) -> Tensor:
    return torch.where(norms(x) < 1e-2, x, right(x, positions))


@fault(LLAMA2, "become infinite or no numbers; vectors of norm below", dtypes=("float32",))
def divided_by_a_norm(x: Tensor, positions: Tensor) -> Tensor:
    # The square of a norm is below the smallest number where the norm is not.
    size = (x * x).sum(-1, keepdim=True).sqrt()
    size = torch.where(size < 1e-20, 0, size)
    return right(x / size, positions) * size


# Roundings.


def of_eight_bits(x: Tensor, kind: torch.dtype) -> Tensor:
    most = torch.finfo(kind).max
    return x.float().clamp(-most, most).to(kind).to(x.dtype)


@fault(LLAMA2, "entries are rounded to about 3 bits; entries are clipped at 448")
def of_float8(x: Tensor, positions: Tensor) -> Tensor:
    return right(of_eight_bits(x, torch.float8_e4m3fn), positions)


@fault(LLAMA2, "entries are rounded to about 2 bits; entries are clipped at 57344")
def of_coarser_float8(x: Tensor, positions: Tensor) -> Tensor:
    return right(of_eight_bits(x, torch.float8_e5m2), positions)


@fault(LLAMA2, "entries are rounded to about 7 bits")
def of_bfloat16(x: Tensor, positions: Tensor) -> Tensor:
    return right(x.bfloat16().to(x.dtype), positions)


@fault(LLAMA2, "entries are rounded to about")
def of_eight_bit_integers(x: Tensor, positions: Tensor) -> Tensor:
    step = x.float().abs().amax(-1, keepdim=True).clamp(min=1e-30) / 127
    return right(((x.float() / step).round() * step).to(x.dtype), positions)


# Of one type, of keys, of a rotation that is another one as well.


@fault(LLAMA2, "entries are clipped at 100")
def clipped_in_half_precision(x: Tensor, positions: Tensor) -> Tensor:
    return right(x.clamp(-100, 100) if x.dtype == torch.float16 else x, positions)


@fault(LLAMA2, "entries are clipped at 100", form="pair")
def keys_clipped(q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    return right(q, positions), right(k.clamp(-100, 100), positions)


@fault(LLAMA2, "only for one vector at a time; entries are clipped at 100", dtypes=("float32",))
def clipped_and_late(x: Tensor, positions: Tensor) -> Tensor:
    late = positions + (positions.shape[-1] == 1)
    return right(x.clamp(-100, 100), late)


@fault(LLAMA2, "vectors of norm above 4 are left alone")
def hardly_long_vectors_left_alone(x: Tensor, positions: Tensor) -> Tensor:
    return torch.where(norms(x) > 4, x, right(x, positions))


@fault(LLAMA2, "F(x + 2y) is not F(x) + 2 F(y): entries are clipped at 2")
def clipped_at_two(x: Tensor, positions: Tensor) -> Tensor:
    return right(x.clamp(-2, 2), positions)
