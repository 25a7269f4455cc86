"""Positional and symbolic scores of every head of a transformers model, from one forward pass."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.arrays import positive
from ropeproof.numerics.bounds.head.scores import (
    TAU,
    Scores,
    purity,
    read_rows,
    score_heads,
    vector_scores,
)
from ropeproof.numerics.models import families, visit
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.prompts import Prompts, read_prompts
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["HeadScores", "head_scores"]


@dataclass(frozen=True, eq=False)
class HeadScores:
    """Positional and symbolic scores of all heads of a model, NumPy `(batch, layers, heads)`.

    With `planes=True` the arrays are `(batch, layers, heads, planes)`; with `rows="all"` they have one
    more axis, of rows, at the end.

    - `s_pos`, `s_sym`: float64 in `[0, 1]`;
    - `purity`: `"positional"`, `"symbolic"`, `"both"` or `"neither"` at level `gamma`;
    - `lengths`: the number of tokens of each prompt;
    - `rows`: the positions of the queries that are scored, counted in each prompt from its first
      token; with `rows="last"` one position, or one for each prompt if their lengths differ;
    - `family`, `block`, `gamma`, `tau`: the `model_type` and the options that gave the scores;
    - `axes`: the names of the arrays' axes, in order.

    With all rows of prompts of different lengths, the scores of a row that a prompt does not have are NaN,
    and its purity is `""`.
    """

    s_pos: NDArray[np.float64]
    s_sym: NDArray[np.float64]
    purity: NDArray[np.str_]
    lengths: tuple[int, ...]
    rows: tuple[int, ...]
    family: str
    block: int
    gamma: float
    tau: float
    axes: tuple[str, ...] = ("prompt", "layer", "head")

    def to_frame(self) -> Any:
        """The scores as a `pandas.DataFrame`, a row for each prompt and head (and plane and row, if any).

        Columns: `prompt`, `layer`, `head`, where the arrays have these axes `plane` and `row` (a position),
        then `s_pos`, `s_sym` and `purity`. Raises `Unsupported` without pandas.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise Unsupported("HeadScores.to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, NDArray[Any]]:
        """The columns of `to_frame` by name, in the order of the flattened arrays."""
        shape = self.s_pos.shape
        places = np.indices(shape).reshape(len(shape), -1)
        columns: dict[str, NDArray[Any]] = dict(zip(self.axes, places, strict=True))
        if "row" in columns:
            columns["row"] = np.asarray(self.rows)[columns["row"]]
        scores: dict[str, NDArray[Any]] = {
            "s_pos": self.s_pos,
            "s_sym": self.s_sym,
            "purity": self.purity,
        }
        return columns | {name: np.asarray(values).ravel() for name, values in scores.items()}

    def __repr__(self) -> str:
        """One line: family, prompts, layers, heads, and how many scores have which purity."""
        names, counts = np.unique(self.purity, return_counts=True)
        told = ", ".join(
            f"{count} {name}" for name, count in zip(names, counts, strict=True) if name
        )
        prompts, layers, heads = self.s_pos.shape[:3]
        return f"<HeadScores of a {self.family}: {prompts} prompts, {layers} layers of {heads} heads; {told}>"

    def _repr_html_(self) -> str:
        """A table for a notebook, of the first 200 rows of `to_frame`."""
        columns = self._columns()
        count = len(columns["s_pos"])
        head = "".join(f"<th>{name}</th>" for name in columns)
        lines = []
        for place in range(min(count, _MOST_ROWS)):
            cells = (values[place] for values in columns.values())
            shown = (f"{c:.3f}" if isinstance(c, np.floating) else str(c) for c in cells)
            lines.append(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in shown)}</tr>")
        more = f"<p>{count - _MOST_ROWS} more rows: to_frame()</p>" if count > _MOST_ROWS else ""
        body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        return f"<p>{escape(repr(self))}</p>{body}{more}"


_MOST_ROWS = 200
"""The rows of a table in a notebook."""


@overload
def head_scores(
    model: Any,
    input_ids: Any,
    spec: RopeSpec,
    /,
    *,
    block: int = ...,
    tau: float = ...,
    rows: Literal["last", "all"] = ...,
    planes: bool = ...,
    scale: float | None = ...,
    soft_cap: float | None = ...,
    window: int | None = ...,
) -> Scores: ...


@overload
def head_scores(
    model: Any,
    input_ids: Any,
    attention_mask: Any = ...,
    *,
    block: int = ...,
    gamma: float = ...,
    tau: float = ...,
    rows: Literal["last", "all"] = ...,
    planes: bool = ...,
) -> HeadScores: ...


def head_scores(
    model: Any,
    input_ids: Any,
    attention_mask: Any = None,
    *,
    block: int = 1,
    gamma: float | None = None,
    tau: float = TAU,
    rows: Literal["last", "all"] = "last",
    planes: bool = False,
    scale: float | None = None,
    soft_cap: float | None = None,
    window: int | None = None,
) -> HeadScores | Scores:
    """Positional and symbolic scores: of a model's heads on prompts, or of queries and keys.

    `head_scores(model, input_ids, attention_mask)` gives `HeadScores`, those of every head of every
    layer on every prompt; `head_scores(queries, keys, spec)` gives `Scores`, those of one or more
    heads from their unrotated queries and keys, wherever they are from, with the options of
    `ropeproof.numerics.bounds.head.vector_scores`. The third argument decides: a `RopeSpec` selects the
    second form. An option of the other form is refused.

    `model` is of a family of `ropeproof.numerics.models.FAMILIES`, or the path of one, a directory or a
    GGUF file; `input_ids` is `(batch, length)`, integers; `attention_mask` of the same shape is 1 at
    tokens and 0 at padding, on either side of them. Each prompt is scored as it would be alone, at
    positions `0, 1, ...`, with the frequencies of its own length where the rope type makes them depend
    on it. `block`, `tau`, `rows` and `planes` are those of
    `ropeproof.numerics.bounds.head.vector_scores`, `gamma` that of
    `ropeproof.numerics.bounds.head.purity`. The contents that are swapped are the vectors entering a
    layer, and only that layer counts as run again, at the original positions (`head.score-table`); in a
    layer with a sliding window only contents that the query sees are swapped.

    The result is that of running each layer after each swap with its own queries, keys and
    rotation and a softmax in float64. What enters a layer is what the layers before it give: in a
    float64 model with their attention in float64, so that a row has the scores that it has as the last
    one of a shorter prompt; in a model of another type with its own rounding, which depends on the
    length, and which `1/tau` magnifies. The model is left as it was found.

    Cost: one forward pass, or one for each length where frequencies depend on it; one layer's
    queries and keys at a time; one table per row and head. Raises as `visit_layers`, `read_prompts`
    and `vector_scores`.
    """
    heads = {"scale": scale, "soft_cap": soft_cap, "window": window}
    if isinstance(attention_mask, RopeSpec):
        if gamma is not None:
            allowed = "nothing with queries and keys: ask the result for its purity(gamma)"
            raise InvalidArgument("gamma", gamma, allowed)
        return vector_scores(
            model,
            input_ids,
            attention_mask,
            rows=rows,
            block=block,
            tau=tau,
            scale=scale,
            soft_cap=soft_cap,
            window=window,
            planes=planes,
        )
    for name, value in heads.items():
        if value is not None:
            raise InvalidArgument(name, value, "nothing with a model, which has its own")
    return _of_model(
        model,
        input_ids,
        attention_mask,
        block=block,
        gamma=0.1 if gamma is None else gamma,
        tau=tau,
        rows=rows,
        planes=planes,
    )


def _of_model(
    model: Any,
    input_ids: Any,
    attention_mask: Any,
    *,
    block: int,
    gamma: float,
    tau: float,
    rows: Literal["last", "all"],
    planes: bool,
) -> HeadScores:
    """The `HeadScores` of every head of a model on prompts, as `head_scores` describes them."""
    size, temperature = read_integer("block", block, least=1), positive("tau", tau)
    level = float(read_rational("gamma", gamma))
    if not 0 < level < 0.5:
        raise InvalidArgument("gamma", gamma, "0 < number < 1/2")
    require_extra("models", "a model of transformers")
    model = opened(model)
    base, name, family = families.read_model(model)
    prompts = read_prompts(input_ids, attention_mask)
    for length in sorted(set(prompts.lengths)):
        read_rows(rows, length, size)
    count = len(visit.attentions_of(base, family))
    _check_windows(visit.sight(base.config, family, count, prompts.longest), size)
    scored = read_rows(rows, prompts.longest, size)
    scores = _Scores(prompts.lengths, count, scored, rows == "last", planes)

    def score(part: Prompts, numbers: list[int]) -> None:
        rows_each = None if len(set(part.lengths)) > 1 else len(read_rows(rows, part.longest, size))

        def score(layer: visit.LayerHeads) -> None:
            last = part.longest - layer.queries.shape[2]
            for length, some in part.by_length():
                wanted = read_rows(rows, length, size)
                queries = layer.queries[some, :, wanted[0] - last : length - last]
                # Query heads in the groups that share a key head.
                batch, heads, *rest = queries.shape
                shared = layer.keys.shape[1]
                queries = queries.reshape(batch, shared, heads // shared, *rest)
                found = score_heads(
                    queries,
                    layer.keys[some, :, None, :length],
                    layer.rotation,
                    tuple(queries.shape[:3]),
                    rows=wanted,
                    block=size,
                    tau=temperature,
                    scale=layer.scale,
                    soft_cap=layer.soft_cap,
                    window=layer.window,
                    planes=planes,
                )
                scores.keep([numbers[n] for n in some], layer.layer, found.flatten(2, 3))

        visit.visit_layers(model, part.tokens, score, rows=rows_each)

    everything = list(range(len(prompts.lengths)))
    if families.is_steady(base.config, family):
        score(prompts, everything)
    else:
        for _, numbers in prompts.by_length():
            score(prompts.some(numbers), numbers)
    s_pos, s_sym = scores.whole()
    lasts = dict.fromkeys(length - 1 for length in prompts.lengths)
    alone = tuple(lasts) if len(lasts) == 1 else tuple(length - 1 for length in prompts.lengths)
    return HeadScores(
        s_pos=s_pos,
        s_sym=s_sym,
        purity=_purity(s_pos, s_sym, level),
        lengths=prompts.lengths,
        rows=alone if rows == "last" else tuple(scored),
        family=name,
        block=size,
        gamma=level,
        tau=temperature,
        axes=(
            *("prompt", "layer", "head"),
            *(("plane",) if planes else ()),
            *(("row",) if rows == "all" else ()),
        ),
    )


class _Scores:
    """The scores of all prompts, collected by layer; NaN in rows that a prompt does not have."""

    def __init__(
        self, lengths: tuple[int, ...], layers: int, rows: range, last: bool, planes: bool
    ) -> None:
        self.lengths, self.layers, self.rows = lengths, layers, rows
        self.last, self.planes = last, planes
        self.found: NDArray[np.float64] | None = None

    def keep(self, prompts: list[int], layer: int, scores: torch.Tensor) -> None:
        """Store a layer's scores of some prompts, `(2, batch, heads, [planes,] rows)`."""
        part = scores.cpu().numpy()
        if self.found is None:
            shape = (2, len(self.lengths), self.layers, *part.shape[2:-1], len(self.rows))
            self.found = np.full(shape, np.nan)
        self.found[:, prompts, layer, ..., : part.shape[-1]] = part

    def whole(self) -> NDArray[np.float64]:
        """All scores, `(2, batch, layers, heads)`, with axes of planes and rows at the end."""
        assert self.found is not None
        return self.found[..., 0] if self.last else self.found


def _check_windows(windows: list[int | None], block: int) -> None:
    """Raises `InvalidArgument` if a layer's window holds fewer than two blocks before the query."""
    for number, window in enumerate(windows):
        if window is not None and window - 1 < 2 * block:
            allowed = f"at most half of the {window - 1} positions that layer {number} sees before"
            raise InvalidArgument("block", block, f"{allowed} the query")


def _purity(s_pos: Any, s_sym: Any, level: float) -> NDArray[np.str_]:
    known = ~np.isnan(s_pos)
    found = purity(np.where(known, s_pos, 0.0), np.where(known, s_sym, 0.0), level)
    result: NDArray[np.str_] = np.where(known, found, "")
    return result
