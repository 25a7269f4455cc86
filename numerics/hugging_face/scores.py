"""Positional and symbolic scores of every head of a transformers model, from one forward pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.head.arrays import positive
from ropeproof.numerics.head.scores import TAU, purity, read_rows, score_heads
from ropeproof.numerics.hugging_face.capture import capture_heads
from ropeproof.numerics.hugging_face.visit import read_tokens
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer, read_rational

__all__ = ["HeadScores", "head_scores"]


@dataclass(frozen=True, eq=False)
class HeadScores:
    """The scores of all heads of a model, NumPy arrays `(batch, layers, heads)`.

    With planes `(batch, layers, heads, planes)`, and with all rows one more axis at the end.

    - `s_pos`, `s_sym`: float64 in `[0, 1]`;
    - `purity`: `"positional"`, `"symbolic"`, `"both"` or `"neither"` at level `gamma`;
    - `rows`: the positions of the queries that are scored, one for the last row alone;
    - `family`, `block`, `gamma`, `tau`: what they are the scores of.
    """

    s_pos: NDArray[np.float64]
    s_sym: NDArray[np.float64]
    purity: NDArray[np.str_]
    rows: tuple[int, ...]
    family: str
    block: int
    gamma: float
    tau: float


def head_scores(
    model: Any,
    input_ids: Any,
    *,
    block: int = 1,
    gamma: float = 0.1,
    tau: float = TAU,
    rows: Literal["last", "all"] = "last",
    planes: bool = False,
) -> HeadScores:
    """`s_pos`, `s_sym` and purity of every head of every layer, on every prompt.

    `model` is of a family of `ropeproof.numerics.hugging_face.FAMILIES`, `input_ids` is `(batch, length)`,
    integers without padding. `block`, `tau`, `rows` and `planes` are those of
    `ropeproof.numerics.head.head_scores_of`, `gamma` that of `ropeproof.numerics.head.purity`.
    The contents that are swapped are the vectors entering a layer, and only that layer counts as run
    again, at the original positions (`head.score-table`).

    The result is that of running each layer after each swap with its own queries, keys and
    rotation and a softmax in float64. A model whose code rounds its softmax to float32 has scores
    that differ by that rounding, which `1/tau` magnifies. The model is left as it was found.

    Cost: one forward pass, and one table per row and head. Raises as `capture_heads` and
    `head_scores_of`.
    """
    size, temperature = read_integer("block", block, least=1), positive("tau", tau)
    level = float(read_rational("gamma", gamma))
    if not 0 < level < 0.5:
        raise InvalidArgument("gamma", gamma, "0 < number < 1/2")
    tokens = read_tokens(input_ids)
    scored = read_rows(rows, tokens.shape[1], size)
    heads = capture_heads(model, tokens, rows=len(scored))
    # Query heads in the groups that share a key head.
    shape = heads.queries.shape
    queries = heads.queries.reshape(*shape[:2], -1, heads.groups, *shape[3:])
    found = score_heads(
        queries,
        heads.keys.unsqueeze(3),
        heads.rotation,
        tuple(queries.shape[:4]),
        rows=scored,
        block=size,
        tau=temperature,
        scale=heads.scale,
        soft_cap=heads.soft_cap,
        planes=planes,
    )
    found = found.flatten(3, 4).cpu()
    if rows == "last":
        found = found[..., 0]
    s_pos, s_sym = found.numpy()
    return HeadScores(
        s_pos=s_pos,
        s_sym=s_sym,
        purity=purity(s_pos, s_sym, level),
        rows=tuple(scored),
        family=heads.family,
        block=size,
        gamma=level,
        tau=temperature,
    )
