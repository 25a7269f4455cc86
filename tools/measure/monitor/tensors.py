"""The quantities of a `HeadMonitor` from tensors that somebody else captured.

Three sources: queries and keys of one layer, as tools such as nnsight save them; attention weights; and a
mapping with the names of TransformerLens' hooks. What the order of the axes is, and whether the vectors are
rotated, the caller says, or the name of the hook.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.numerics.models.visit import LayerHeads
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.kinds import KindOptions
from ropeproof.tools.measure.kinds.rows import PromptHeads, attention_of
from ropeproof.tools.measure.monitor.rows import head_rows, read_heads, read_lags
from ropeproof.tools.measure.monitor.scored import (
    SequenceScores,
    scores_of_layer,
    scores_of_patterns,
)
from ropeproof.tools.measure.result import HeadTable

if TYPE_CHECKING:
    import torch

__all__ = ["head_scores_from", "scores_from_cache", "scores_from_patterns"]

_VECTORS = ("batch", "heads", "length", "dim")
_PATTERNS = ("batch", "heads", "query", "key")
_LENS = "batch length heads dim"
"""The order of the axes in the hooks of TransformerLens for queries and keys."""

_FIRST_TOKENS = 4
"""Fewest tokens on which a head is scored."""

_ALIKE = 0.02
"""How far a recomputed attention weight may be from that of the cache."""


def head_scores_from(
    queries: Any,
    keys: Any,
    spec: RopeSpec | None,
    *,
    axes: str,
    rotated: bool,
    positions: Any = None,
    scale: float | None = None,
    soft_cap: float | None = None,
    window: int | None = None,
    heads: Collection[int] | None = None,
    lags: Iterable[int] | int = (),
    additive: bool = True,
    layer: int = 0,
    step: int = 0,
    options: KindOptions | None = None,
) -> HeadTable:
    """The quantities of a `HeadMonitor` from captured queries and keys of one layer, a row for each.

    - `queries`, `keys`: NumPy arrays or torch tensors. `axes` says their order, a text of the four names
      batch, heads, length, dim, such as `"batch length heads dim"`, or of three where one sequence was
      captured; keys may have fewer heads, each read by as many query heads in a row;
    - `rotated`: whether the rotation has been applied to them. Norms and biases must have been;
    - `spec`: the rotation. Rotated vectors are turned back by it; without one (None) the swap scores
      and the fit with two axes are "not measured";
    - `positions`: `(length,)` or `(batch, length)`, which go up by 1; by default from 0;
    - `scale`, `soft_cap`, `window`: of the logits, by default `1/sqrt(head_dim)`, none and none;
    - `heads`: the query heads that are wanted; `layer`, `step`: for the table alone.

    Sequences without padding, one length for all. Attention is causal. The table's columns are those of
    `HeadMonitor`; its `source` is `"queries and keys"`.

    >>> import numpy as np
    >>> ones = np.ones((2, 16, 1, 8))
    >>> axes = "batch length heads dim"
    >>> found = head_scores_from(ones, ones, RopeSpec(8, 100), axes=axes, rotated=False)
    >>> [(row["quantity"], row["lag"]) for row in found][2:4]
    [('previous-token', 1), ('slash', 1)]

    Raises `InvalidArgument`, by name, for axes, shapes and numbers that do not fit.
    """
    q, k = (_vectors(name, x, axes) for name, x in (("queries", queries), ("keys", keys)))
    if q.shape[0] != k.shape[0] or q.shape[2:] != k.shape[2:] or q.shape[1] % k.shape[1]:
        allowed = (
            f"batch, length and dim of queries, {tuple(q.shape)}, and heads that divide its heads"
        )
        raise InvalidArgument("keys", f"(batch, heads, length, dim) = {tuple(k.shape)}", allowed)
    batch, count, length, dim = (int(size) for size in q.shape)
    if not isinstance(rotated, bool):
        raise InvalidArgument("rotated", rotated, "True or False: whether the rotation was applied")
    if spec is not None and not isinstance(spec, RopeSpec):
        raise InvalidArgument(
            "spec", type(spec).__name__, "a RopeSpec, or None for rotated vectors"
        )
    if spec is None and not rotated:
        raise InvalidArgument("spec", None, "a RopeSpec: these vectors are not rotated yet")
    if spec is not None and spec.head_dim != dim:
        raise InvalidArgument("spec", f"head_dim {spec.head_dim}", f"that of the queries, {dim}")
    if spec is not None and spec.axes is not None:
        raise Unsupported(
            "a spec with several axes of positions: lags are differences of one position"
        )
    chosen = _heads(heads, count)
    limit = _window(window, length)
    factor = 1 / math.sqrt(dim) if scale is None else float(read_rational("scale", scale))
    cap = None if soft_cap is None else float(read_rational("soft_cap", soft_cap))
    if cap is not None and not cap > 0:
        raise InvalidArgument("soft_cap", soft_cap, "a number > 0")
    firsts = _positions(positions, batch, length)
    settings = options or KindOptions()
    each: list[list[SequenceScores]] = []
    for row in range(batch):
        one, other = q[row, chosen], k[row, [head // (count // k.shape[1]) for head in chosen]]
        known, turned = spec, rotated
        if spec is not None and rotated:
            one, other = (_turned_back(x, spec, firsts[row]) for x in (one, other))
            turned = False
        each.append(
            scores_of_layer(
                LayerHeads(
                    layer,
                    one[None],
                    other[None],
                    _still(length, dim, one)
                    if known is None
                    else Rotation.of(known, length, one.device),
                    factor,
                    cap,
                    limit,
                ),
                known,
                rows=settings.rows,
                tau=settings.tau,
                additive=additive,
                rotated=turned,
            )
        )
    place = {"step": read_integer("step", step, least=0), "source": "queries and keys"}
    return _table(each, chosen, place, layer, limit, lags, settings, additive)


def scores_from_patterns(
    patterns: Any,
    *,
    axes: str,
    window: int | None = None,
    heads: Collection[int] | None = None,
    lags: Iterable[int] | int = (),
    layer: int = 0,
    step: int = 0,
    options: KindOptions | None = None,
) -> HeadTable:
    """The quantities of a `HeadMonitor` that captured attention weights alone decide, a row for each.

    `patterns` are weights after the softmax, causal, a NumPy array or a torch tensor; `axes` says the order
    of their axes, a text of the names batch, heads, query, key, or of the last three. Positional and symbolic
    scores and additive fits need queries and keys, and are "not measured". Other arguments as in
    `head_scores_from`. Raises `InvalidArgument`, by name, for arrays that are no causal weights.

    >>> import numpy as np
    >>> uniform = np.tri(8) / np.arange(1, 9)[:, None]
    >>> found = scores_from_patterns(uniform[None], axes="heads query key")
    >>> {row["quantity"]: row["verdict"] for row in found}["symbolic"]
    'not measured'
    """
    weights = _ordered("patterns", patterns, axes, _PATTERNS)
    batch, count, length, other = (int(size) for size in weights.shape)
    if length != other or length < _FIRST_TOKENS:
        allowed = f"as many queries as keys, at least {_FIRST_TOKENS}"
        raise InvalidArgument("patterns", f"{length} queries and {other} keys", allowed)
    try:  # that these are causal weights whose rows add up to 1, in float32 as most softmaxes are
        slash_scores(weights.float() if weights.dtype.itemsize > 4 else weights)
    except InvalidArgument as error:
        raise InvalidArgument("patterns", error.got, error.allowed) from None
    chosen, limit = _heads(heads, count), _window(window, length)
    each = [scores_of_patterns(weights[row, chosen], limit) for row in range(batch)]
    place = {"step": read_integer("step", step, least=0), "source": "patterns"}
    return _table(each, chosen, place, layer, limit, lags, options or KindOptions(), additive=False)


def scores_from_cache(
    cache: Mapping[str, Any],
    spec: RopeSpec | Sequence[RopeSpec] | None = None,
    *,
    heads: Iterable[tuple[int, int]] | str | None = None,
    axes: str | None = None,
    scale: float | None = None,
    soft_cap: float | None = None,
    window: int | Sequence[int | None] | None = None,
    lags: Iterable[int] | int = (),
    additive: bool = True,
    step: int = 0,
    options: KindOptions | None = None,
) -> HeadTable:
    """The quantities of a `HeadMonitor` from a cache with the names of TransformerLens' hooks.

    Of each layer `l` it takes the first of these pairs that the cache has, and whether the vectors are
    rotated from its name: `blocks.l.attn.hook_rot_q` and `hook_rot_k`, rotated; `hook_q_normed` and
    `hook_k_normed`, behind norms of queries and keys and before the rotation; `hook_q` and `hook_k`,
    before the rotation; else `hook_pattern`, the weights alone. A cache with norms but without the
    vectors behind them has other queries than the head's own, which a pattern shows.

    - `spec`: the rotation of all layers, or one for each; without one, rotated vectors and patterns give
      what they can, and vectors before the rotation are refused;
    - `heads`: pairs of layer and head, or a text such as `"0.1,3.2"`; by default all in the cache;
    - `axes`: the order of the axes of queries and keys, where it is not `"batch length heads dim"` (or
      `"length heads dim"`); it must be given for `hook_q_normed`, whose order depends on the family;
    - `scale`, `soft_cap`, `window`: as in `head_scores_from`; `window` one for each layer, or one.

    Where the cache has `hook_pattern` beside queries and keys, the weights of its first sequence are
    compared with those of the vectors. Raises `InvalidArgument`, by name, if they differ, so that a wrong
    rotation, scale or norm does not give a number, and for a cache without such names.
    """
    if not callable(getattr(cache, "keys", None)) or not callable(
        getattr(cache, "__getitem__", None)
    ):
        raise InvalidArgument("cache", type(cache).__name__, "a mapping with names of hooks")
    names = set(map(str, cache.keys()))
    layers = _layers(names)
    asked = read_heads(heads)
    for layer, head in asked or ():
        if layer not in layers:
            raise InvalidArgument("heads", (layer, head), f"layers of the cache: {layers}")
    rows: list[Any] = []
    for layer in layers:
        wanted = None if asked is None else [head for each, head in asked if each == layer]
        if wanted == []:
            continue
        common: dict[str, Any] = {
            "window": window if window is None or isinstance(window, int) else window[layer],
            "heads": wanted,
            "lags": lags,
            "layer": layer,
            "step": step,
            "options": options,
        }
        own = _of_layer(spec, layer)
        found = _pair(names, layer, axes)
        pattern = f"blocks.{layer}.attn.hook_pattern"
        if found is None:
            weights = cache[pattern]
            order = " ".join(_PATTERNS[4 - weights.ndim :])
            rows += scores_from_patterns(weights, axes=order, **common)
            continue
        pair, rotated, order = found
        queries, keys = (cache[name] for name in pair)
        if queries.ndim == 3 and order.startswith("batch "):
            order = order.removeprefix("batch ")
        if own is None and not rotated:
            raise InvalidArgument("spec", None, f"a RopeSpec: {pair[0]} is before the rotation")
        if pattern in names:
            _check_pattern(
                cache[pattern],
                (queries, keys),
                own,
                order,
                rotated,
                scale=scale,
                soft_cap=soft_cap,
                window=common["window"],
                name=pair[0],
            )
        rows += head_scores_from(
            queries,
            keys,
            own,
            axes=order,
            rotated=rotated,
            scale=scale,
            soft_cap=soft_cap,
            additive=additive,
            **common,
        )
    return HeadTable(rows)


def _layers(names: Collection[str]) -> list[int]:
    """The layers of which a cache has queries and keys or a pattern."""
    ends = ("hook_rot_q", "hook_q_normed", "hook_q", "hook_pattern")
    found = set()
    for name in names:
        parts = name.split(".")
        good = len(parts) == 4 and parts[0] == "blocks" and parts[2] == "attn" and parts[3] in ends
        if good and parts[1].isdigit():
            found.add(int(parts[1]))
    if not found:
        allowed = "names such as blocks.0.attn.hook_q, hook_k, hook_rot_q, hook_rot_k, hook_pattern"
        raise InvalidArgument("cache", f"names {sorted(names)[:3]}", allowed)
    return sorted(found)


def _pair(
    names: Collection[str], layer: int, axes: str | None
) -> tuple[tuple[str, str], bool, str] | None:
    """The names of queries and keys of a layer, whether they are rotated, and the order of their axes."""
    at = f"blocks.{layer}.attn."
    normed = (f"{at}hook_q_normed", f"{at}hook_k_normed")
    for pair, rotated in (
        ((f"{at}hook_rot_q", f"{at}hook_rot_k"), True),
        (normed, False),
        ((f"{at}hook_q", f"{at}hook_k"), False),
    ):
        present = [name for name in pair if name in names]
        if len(present) == 1:
            missing = next(name for name in pair if name not in names)
            raise InvalidArgument("cache", f"{present[0]} alone", f"{missing} beside it")
        if present:
            if pair == normed and axes is None:
                allowed = f"the order of the axes of {pair[0]}, which depends on the family"
                raise InvalidArgument("axes", None, allowed)
            return pair, rotated, _LENS if axes is None else axes
    return None


def _of_layer(spec: Any, layer: int) -> RopeSpec | None:
    if spec is None or isinstance(spec, RopeSpec):
        return spec
    if not isinstance(spec, Sequence) or layer >= len(spec):
        raise InvalidArgument("spec", type(spec).__name__, "a RopeSpec, or one for each layer")
    own: RopeSpec = spec[layer]
    return own


def _check_pattern(
    pattern: Any,
    vectors: tuple[Any, Any],
    spec: RopeSpec | None,
    order: str,
    rotated: bool,
    *,
    scale: float | None,
    soft_cap: float | None,
    window: int | None,
    name: str,
) -> None:
    """Raises `InvalidArgument` if the weights of the vectors are not those of the cache's pattern."""
    given = _ordered("patterns", pattern, " ".join(_PATTERNS[4 - pattern.ndim :]), _PATTERNS)[0]
    q, k = (
        _vectors(part, x, order)[0] for part, x in zip(("queries", "keys"), vectors, strict=True)
    )
    length, dim = int(q.shape[1]), int(q.shape[2])
    if tuple(given.shape) != (q.shape[0], length, length):
        allowed = f"heads and length of {name}, {tuple(q.shape[:2])}"
        raise InvalidArgument("cache", f"a pattern of shape {tuple(given.shape)}", allowed)
    own = None if rotated else spec
    rotation = _still(length, dim, q) if own is None else Rotation.of(own, length, q.device)
    factor = 1 / math.sqrt(dim) if scale is None else float(scale)
    layer = LayerHeads(0, q[None], k[None], rotation, factor, soft_cap, _window(window, length))
    for start, weights in attention_of(PromptHeads.of(layer)):
        rows, seen = weights.shape[1:]
        theirs = given[:, start : start + rows, :seen].double().to(weights.device)
        gap = float((weights.double() - theirs).abs().max())
        if not gap <= _ALIKE:
            allowed = (
                "queries and keys that give the cache's own hook_pattern: another spec, scale, "
            )
            allowed += "soft_cap, window or norm may be missing"
            raise InvalidArgument("cache", f"weights of {name} off by up to {gap:.2g}", allowed)


def _table(
    each: list[list[SequenceScores]],
    heads: Sequence[int],
    place: dict[str, Any],
    layer: int,
    window: int | None,
    lags: Any,
    options: KindOptions,
    additive: bool,
) -> HeadTable:
    """The rows of all heads, from the scores of each head on each sequence."""
    asked, number = read_lags(lags), read_integer("layer", layer, least=0)
    return HeadTable(
        [
            row
            for place_in_list, head in enumerate(heads)
            for row in head_rows(
                [scores[place_in_list] for scores in each],
                {**place, "layer": number, "head": head},
                window=window,
                lags=asked,
                options=options,
                additive=additive,
            )
        ]
    )


def _vectors(name: str, values: Any, axes: str) -> torch.Tensor:
    """Captured queries or keys as a tensor `(batch, heads, length, dim)`."""
    tensor = _ordered(name, values, axes, _VECTORS)
    if tensor.shape[2] < _FIRST_TOKENS:
        allowed = f"at least {_FIRST_TOKENS}, on the axis called length"
        raise InvalidArgument(name, f"{tensor.shape[2]} tokens", allowed)
    if not bool(tensor.isfinite().all()):
        raise InvalidArgument(name, "numbers that are not finite", "finite numbers")
    return tensor


def _ordered(name: str, values: Any, axes: Any, wanted: tuple[str, ...]) -> torch.Tensor:
    """A tensor with its axes in the order of `wanted`; a missing batch axis is added."""
    import torch

    value = getattr(values, "value", None)
    if not isinstance(values, np.ndarray | torch.Tensor) and isinstance(
        value, np.ndarray | torch.Tensor
    ):
        values = value  # what nnsight's `save()` gave in its earlier versions
    if isinstance(values, np.ndarray):
        if values.dtype.kind != "f":
            raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
        values = torch.from_numpy(np.ascontiguousarray(values).copy())
    if not isinstance(values, torch.Tensor):
        raise InvalidArgument(name, type(values).__name__, "a NumPy array or a torch tensor")
    if not values.is_floating_point():
        raise InvalidArgument(name, f"dtype {values.dtype}", "a floating type")
    order = axes.split() if isinstance(axes, str) else []
    complete = sorted(order) in (sorted(wanted), sorted(wanted[1:]))
    if not complete:
        allowed = f"the names {' '.join(wanted)} in the order of the axes (batch may be missing)"
        raise InvalidArgument("axes", axes, allowed)
    if values.ndim != len(order):
        allowed = f"the {len(order)} axes {axes!r}"
        raise InvalidArgument(name, f"shape {tuple(values.shape)}", allowed)
    if not all(values.shape):
        raise InvalidArgument(name, f"shape {tuple(values.shape)}", "no axis of length 0")
    values = values.detach()
    if "batch" not in order:
        values, order = values[None], ["batch", *order]
    ordered: torch.Tensor = values.permute([order.index(axis) for axis in wanted])
    return ordered


def _heads(heads: Any, count: int) -> list[int]:
    if heads is None:
        return list(range(count))
    chosen = [read_integer("heads", head, least=0) for head in heads]
    if not chosen or max(chosen) >= count:
        raise InvalidArgument("heads", list(heads), f"some heads from 0 to {count - 1}")
    return list(dict.fromkeys(chosen))


def _window(window: int | None, length: int) -> int | None:
    if window is None:
        return None
    number = read_integer("window", window, least=4)
    return None if number >= length else number


def _positions(positions: Any, batch: int, length: int) -> list[int]:
    """The first position of each sequence, after checking that positions go up by 1."""
    if positions is None:
        return [0] * batch
    places = np.asarray(positions.cpu() if hasattr(positions, "cpu") else positions)
    good = places.shape in ((length,), (1, length), (batch, length)) and places.dtype.kind in "iu"
    if not good:
        allowed = f"integers of shape ({length},) or ({batch}, {length})"
        raise InvalidArgument("positions", f"shape {places.shape} of {places.dtype}", allowed)
    if not (np.diff(places, axis=-1) == 1).all() or places.min() < 0:
        raise InvalidArgument(
            "positions", "other steps than 1", "positions from 0 on that go up by 1"
        )
    firsts = np.broadcast_to(places, (batch, length))[:, 0]
    return [int(first) for first in firsts]


def _turned_back(x: torch.Tensor, spec: RopeSpec, first: int) -> torch.Tensor:
    """Rotated vectors `(heads, length, dim)` before their rotation, in float64."""
    factor = attention_factor_float64(spec)
    if not factor > 0:
        raise Unsupported("rotated vectors with an attention factor of 0")
    length = x.shape[1]
    rotation = Rotation.of(spec, first + length, x.device).since(first)
    real, imaginary = (x.double()[..., list(part)] for part in (rotation.real, rotation.imaginary))
    # The tables have the attention factor, so that their squares add up to its square.
    size = rotation.cosines**2 + rotation.sines**2
    cosines, sines = rotation.cosines / size, rotation.sines / size
    result = x.double().clone()
    result[..., list(rotation.real)] = real * cosines + imaginary * sines
    result[..., list(rotation.imaginary)] = imaginary * cosines - real * sines
    return result


def _still(length: int, dim: int, like: torch.Tensor) -> Rotation:
    """A rotation that changes nothing, for vectors that are rotated already."""
    import torch

    planes = dim // 2
    if dim % 2:
        raise InvalidArgument("queries", f"dim {dim}", "an even number")
    tables = torch.ones(length, planes, dtype=torch.float64, device=like.device)
    real = tuple(range(planes))
    return Rotation(tables, torch.zeros_like(tables), real, tuple(range(planes, dim)))
