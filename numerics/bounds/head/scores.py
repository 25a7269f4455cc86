r"""Positional and symbolic scores of heads, without running anything again after a swap.

A swap `(i j)` exchanges the contents of two non-query positions. With `D` the row of attention
weights, `v_ij = (D_i, D_j)` before the swap, `v'_ij` after it, and `alpha` the softmax over swaps of
`|D_i - D_j| / tau`:

    s_pos = sum_ij alpha_ij cos(v'_ij, v_ij),    s_sym = sum_ij alpha_ij cos(v'_ij, v_ji).

**Two logits suffice.** Cosine similarity forgets the normaliser of the row: `v` is proportional to
`(e^a_ii, e^a_jj)` and `v'` to `(e^a_ji, e^a_ij)`, with `a[k, p]` the table of
`ropeproof.numerics.bounds.head.table`.
Only differences `x = a_ii - a_jj` and `y = a_ji - a_ij` are needed: with
`c(x) = 1/sqrt(1 + e^(-2x))`, the first coordinate of the unit vector along `(e^x, 1)`,

    cos(v', v_ij) = c(x) c(y) + c(-x) c(-y),     cos(v', v_ji) = c(x) c(-y) + c(-x) c(y).

**Blocks.** If the contents of two blocks of positions are exchanged in order and `D` is averaged
over each block, then the average over block `P` that holds the contents of block `K` is
proportional to `sum_t e^a[K_t, P_t]`, with the same normaliser for both blocks. So the block
scores are the scores of the smaller table `A[K, P] = log sum_t e^a[K_t, P_t]`: the row's new
normaliser, which depends on the swap, is never needed. That of the original row enters only
through the weights `alpha`, and with it the query's own logit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ropeproof.numerics.bounds.head.arrays import finite_tensor, like, positive
from ropeproof.numerics.bounds.head.long_rows import LONG, long_row_scores
from ropeproof.numerics.bounds.head.rotation import Rotation, row_tables
from ropeproof.numerics.bounds.head.table import ContentTable, check_logits, read_pair, read_scale
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = [
    "Scores",
    "Swaps",
    "purity",
    "read_rows",
    "score_heads",
    "swap_scores",
    "swaps",
    "vector_scores",
]

TAU = 1e-4
"""The temperature `tau` of the authors' softmax over swaps, in attention weight."""

_CHUNK = 1 << 20
"""The number of table entries in memory at once, unless one table is larger."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Positional and symbolic scores in `[0, 1]`, `(...)` float64 each, NumPy or torch."""

    positional: Any
    symbolic: Any

    def purity(self, gamma: float) -> Any:
        """The class of each pair of scores at level `gamma`, as the function `purity` gives it."""
        return purity(self.positional, self.symbolic, gamma)


@dataclass(frozen=True, eq=False)
class Swaps:
    """Similarities and weights of all swaps of one row, symmetric, `(..., blocks, blocks)` float64.

    - `positional`, `symbolic`: the cosine similarities of swap `(i j)`; 1 where `i = j`, which is
      no swap;
    - `weights`: `alpha`, 0 where `i = j`; those with `i < j` sum to 1.
    """

    positional: Any
    symbolic: Any
    weights: Any


def vector_scores(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    rows: Literal["last", "all"] = "last",
    block: int = 1,
    tau: float = TAU,
    scale: float | None = None,
    soft_cap: float | None = None,
    window: int | None = None,
    planes: bool = False,
) -> Scores:
    """Positional and symbolic scores of causal heads from unrotated queries and keys, `(...)` each.

    Readers call it as `ropeproof.head_scores(queries, keys, spec)`.

    `queries` and `keys` are `(..., length, head_dim)`, NumPy arrays or torch tensors of one type,
    the leading axes broadcast (so keys may be shared by a group of queries). `scale` (by default
    `1/sqrt(head_dim)`) and `soft_cap` are those of `content_table`. `block` is the number of
    positions in a swapped block: blocks are counted from the first position, and the remaining
    positions before the query are in no block. With `rows="all"` every row that has two blocks before
    it is scored as the last of its own prompt, in a last axis of `length - 2 block` rows from row
    `2 block` on. With a sliding `window` a query sees that many positions, its own included; only
    these are swapped, and blocks are counted from the first of them. With `planes`, each
    plane is scored as a head of its own, in an axis `(..., planes)` before that of the rows.

    Equal to running the head again after each swap. Float64 whatever the type of the arguments; a
    rounding error `e` in a weight of the row counts as `e / tau` in the logarithm of a swap's
    weight `alpha`. Claim `head.score-table`.

    >>> import numpy as np
    >>> same = np.ones((9, 8))
    >>> found = vector_scores(same, same, RopeSpec(8, 10000))
    >>> bool(found.positional > 1 - 1e-12), bool(found.symbolic < found.positional)
    (True, True)

    Cost: per row and head one table, `row^2 head_dim` multiplications and about `4 row^2`
    exponentials; memory for a fixed number of tables. Raises `InvalidArgument` on arguments that
    do not fit, on fewer than two blocks, and if logits overflow.
    """
    q, k, leading = read_pair(queries, keys, spec)
    size, temperature = read_integer("block", block, least=1), positive("tau", tau)
    if window is not None and read_integer("window", window, least=2) <= q.shape[-2]:
        _read_block(size, window - 1)
    found = score_heads(
        q,
        k,
        Rotation.of(spec, q.shape[-2], q.device),
        leading,
        rows=read_rows(rows, q.shape[-2], size),
        block=size,
        tau=temperature,
        scale=read_scale(scale, spec),
        soft_cap=None if soft_cap is None else positive("soft_cap", soft_cap),
        window=window,
        planes=planes,
    )
    if rows == "last":
        found = found[..., 0]
    return Scores(like(queries, found[0]), like(queries, found[1]))


def swap_scores(table: ContentTable, *, block: int = 1, tau: float = TAU) -> Scores:
    """Positional and symbolic scores from tables of logits, `(...)` each; options: `vector_scores`.

    >>> import numpy as np
    >>> a = np.log([[1.0, 2.0], [1.0, 2.0]])  # depends on the position alone
    >>> found = swap_scores(ContentTable(a, np.array(0.0)))
    >>> round(float(found.positional), 12), round(float(found.symbolic), 12)
    (1.0, 0.8)
    """
    values, own = _read_table(table)
    size = _read_block(block, values.shape[-1])
    positional, symbolic = _scores(values, own, size, positive("tau", tau))
    return Scores(like(table.values, positional), like(table.values, symbolic))


def swaps(table: ContentTable, *, block: int = 1, tau: float = TAU) -> Swaps:
    """Cosine similarities and weight of every swap; arguments as in `swap_scores`.

    The similarities do not depend on the query's own logit, the weights do: it takes its share of
    the row, so that all `|D_i - D_j|` shrink, and when nothing is left the weights are equal.
    """
    values, own = _read_table(table)
    size = _read_block(block, values.shape[-1])
    before, after, weights = _parts(values, own, size, positive("tau", tau))
    positional, symbolic = before * after, before * after.transpose(-1, -2)
    positional = (positional + positional.transpose(-1, -2)).clamp(max=1)
    symbolic = (symbolic + symbolic.transpose(-1, -2)).clamp(max=1)
    parts = (positional, symbolic, 2 * weights)
    return Swaps(*(like(table.values, part) for part in parts))


def purity(positional: Any, symbolic: Any, gamma: float) -> Any:
    """The class of each pair of scores: `"positional"`, `"symbolic"`, `"both"` or `"neither"`.

    A string for two numbers, else a NumPy array of strings. At level `gamma` a pair is positional if
    `s_pos >= 1 - gamma` and `s_sym <= gamma`, symbolic the other way round, and both if `s_pos` and `s_sym`
    are at least `1 - gamma`, as equal weights give. Raises `InvalidArgument` unless `0 < gamma < 1/2` (above,
    two of them could hold at once) and the scores are numbers of one shape in `[0, 1]`.

    >>> purity(0.97, 0.05, 0.1), purity(1.0, 1.0, 0.1), purity(0.97, 0.5, 0.1)
    ('positional', 'both', 'neither')
    """
    level = float(read_rational("gamma", gamma))
    if not 0 < level < 0.5:
        raise InvalidArgument("gamma", gamma, "0 < number < 1/2")
    first, second = _score_array("positional", positional), _score_array("symbolic", symbolic)
    if first.shape != second.shape:
        allowed = f"shape {first.shape}, as positional"
        raise InvalidArgument("symbolic", f"shape {second.shape}", allowed)
    names = np.select(
        [
            (first >= 1 - level) & (second <= level),
            (second >= 1 - level) & (first <= level),
            (first >= 1 - level) & (second >= 1 - level),
        ],
        ["positional", "symbolic", "both"],
        "neither",
    )
    return names if names.ndim else str(names)


def read_rows(rows: object, length: int, block: int) -> range:
    """The positions of the scored queries: the last one, or all with two blocks before them.

    Raises `InvalidArgument` unless `rows` is `"last"` or `"all"` and the last row has two blocks.
    """
    if rows not in ("last", "all"):
        raise InvalidArgument("rows", rows, "'last' or 'all'")
    _read_block(block, length - 1)
    return range(length - 1 if rows == "last" else 2 * block, length)


def score_heads(
    queries: torch.Tensor,
    keys: torch.Tensor,
    rotation: Rotation,
    leading: tuple[int, ...],
    *,
    rows: range,
    block: int,
    tau: float,
    scale: float,
    soft_cap: float | None,
    window: int | None = None,
    planes: bool = False,
) -> torch.Tensor:
    """Positional and symbolic scores, `(2, *leading, rows)` or `(2, *leading, planes, rows)`.

    The arguments are not checked: `queries` is `(..., length, head_dim)` or holds the scored rows
    alone, `(..., len(rows), head_dim)`; its leading axes and those of `keys` broadcast to `leading`.
    A `window` must show at least two blocks before the query.
    """
    import torch

    if planes:
        pairs = zip(rotation.real, rotation.imaginary, strict=True)
        each = [
            score_heads(
                queries[..., list(pair)],
                keys[..., list(pair)],
                rotation.plane(number),
                leading,
                rows=rows,
                block=block,
                tau=tau,
                scale=scale,
                soft_cap=soft_cap,
                window=window,
            )
            for number, pair in enumerate(pairs)
        ]
        return torch.stack(each, -2)
    # Only the scored rows of the queries matter; row r is the (r - rows[0])-th of them.
    queries = queries[..., -len(rows) :, :]
    flat_q, at_q = _flat(queries, leading)
    flat_k, at_k = _flat(keys, leading)
    count = len(at_q)
    found = torch.empty(2, count, len(rows), dtype=torch.float64, device=queries.device)
    longest = rows[-1] + 1 if window is None else min(window, rows[-1] + 1)
    for part in _chunks(count, max(1, _CHUNK // longest**2)):
        q, k = _pick(flat_q, at_q, part), _pick(flat_k, at_k, part)
        for place, last in enumerate(rows):
            # What the query sees, counted from the first position that it sees.
            first = max(0, last + 1 - longest)
            row, seen, turns = last - first, k[:, first:], rotation.since(first)
            if block == 1 and row >= LONG:
                for at, head, contents in zip(range(count)[part], q[:, place], seen, strict=True):
                    found[0, at, place], found[1, at, place] = long_row_scores(
                        head, contents, turns, row, tau=tau, scale=scale, soft_cap=soft_cap
                    )
                continue
            table = row_tables(q[:, place], seen, turns, row, scale=scale, soft_cap=soft_cap)
            check_logits(table)
            values, own = table[:, :row, :row], table[:, row, row]
            found[0, part, place], found[1, part, place] = _scores(values, own, block, tau)
    return found.reshape(2, *leading, len(rows))


def _scores(
    values: torch.Tensor, own: torch.Tensor, block: int, tau: float
) -> tuple[torch.Tensor, torch.Tensor]:
    before, after, weights = _parts(values, own, block, tau)
    # Half of each similarity is at (i, j), the other half at (j, i), under equal weights.
    weighted = weights * before
    positional = (weighted * after).sum((-2, -1))
    symbolic = (weighted * after.transpose(-1, -2)).sum((-2, -1))
    return (2 * positional).clamp_(max=1), (2 * symbolic).clamp_(max=1)


def _parts(
    values: torch.Tensor, own: torch.Tensor, block: int, tau: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Unit coordinates `c(x)`, `c(y)` and half weights of all swaps, `(..., blocks, blocks)` each.

    Entry `(i, j)` of the first two is the first coordinate of `v_ij` and of `v'_ij`; their second
    coordinates are entries `(j, i)`. The weights of all ordered pairs sum to 1.
    """
    import torch

    logits = values.diagonal(dim1=-2, dim2=-1)
    row = torch.cat((logits, own.unsqueeze(-1)), -1).softmax(-1)[..., :-1]
    if block > 1:
        blocks = values.shape[-1] // block
        kept = blocks * block
        leading = values.shape[:-2]
        row = row[..., :kept].reshape(*leading, blocks, block).mean(-1)
        cut = values[..., :kept, :kept].reshape(*leading, blocks, block, blocks, block)
        values = cut.diagonal(dim1=-3, dim2=-1).logsumexp(-1)
        logits = values.diagonal(dim1=-2, dim2=-1)
    # sqrt(sigmoid(2x)) is c(x), from 0 to 1 without overflow for any finite x.
    before = (2 * _differences(logits)).sigmoid_().sqrt_()
    after = (2 * (values.transpose(-1, -2) - values)).sigmoid_().sqrt_()
    gaps = _differences(row).abs_().div_(tau)
    gaps.diagonal(dim1=-2, dim2=-1).fill_(-torch.inf)
    weights = gaps.flatten(-2).softmax(-1).reshape(gaps.shape)
    return before, after, weights


def _differences(numbers: torch.Tensor) -> torch.Tensor:
    return numbers.unsqueeze(-1) - numbers.unsqueeze(-2)


def _flat(vectors: torch.Tensor, leading: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """The vectors with one leading axis, and the index in it of every head of `leading`.

    Heads that share their vectors share a place, so that nothing is copied per head.
    """
    import torch

    own = tuple(vectors.shape[:-2])
    flat = vectors.reshape(-1, *vectors.shape[-2:])
    places = torch.arange(len(flat), device=vectors.device).reshape(own)
    return flat, places.expand(leading).reshape(-1)


def _pick(flat: torch.Tensor, places: torch.Tensor, part: slice) -> torch.Tensor:
    """The vectors of a slice of the heads, in float64."""
    if len(flat) == len(places):
        return flat[part].double()
    return flat[places[part]].double()


def _chunks(count: int, size: int) -> Iterator[slice]:
    return (slice(first, min(first + size, count)) for first in range(0, count, size))


def _read_table(table: object) -> tuple[torch.Tensor, torch.Tensor]:
    if not isinstance(table, ContentTable):
        raise InvalidArgument("table", type(table).__name__, "a ContentTable")
    values = finite_tensor("values", table.values).double()
    return values, finite_tensor("own", table.own).double()


def _read_block(block: object, positions: int) -> int:
    size = read_integer("block", block, least=1)
    if positions < 2 * size:
        allowed = f"at most half of the {positions} positions before the query"
        raise InvalidArgument("block", block, allowed)
    return size


def _score_array(name: str, scores: Any) -> Any:
    detached = scores.detach().cpu() if hasattr(scores, "detach") else scores
    array = np.asarray(detached)
    if array.dtype.kind != "f" or not ((array >= 0) & (array <= 1)).all():
        raise InvalidArgument(name, scores, "floating numbers in [0, 1]")
    return array
