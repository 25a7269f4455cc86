"""Heads that realise the algebra of RoPE: logits by lag alone, one for all prompts, any layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import SHARED, Certificate, Head
from ropeproof.numerics.bounds.rope.rope import amplitude
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Layout, RopeSpec

__all__ = ["SHARED", "content_and_position", "permute_columns", "relative", "to_layout", "toeplitz"]

Floats = NDArray[np.float64]


def relative(w_q: ArrayLike, w_k: ArrayLike, spec: RopeSpec) -> Head:
    """A head with any query and key weights, `(head_dim, width)` each; it copies its input.

    Its logits depend on positions through the lag only: moving all positions by the same number
    changes no attention weight. Claim `rope.relative`. Raises `InvalidArgument`.
    """
    queries = np.asarray(w_q)
    width = queries.shape[-1] if queries.ndim else 1
    copy = np.eye(width)
    return Head(queries, np.asarray(w_k), copy, copy, spec, Certificate("rope.relative"))


def toeplitz(query: ArrayLike, key: ArrayLike, spec: RopeSpec, tokens: Sequence[str]) -> Head:
    """A head with one query and one key for all tokens: its logits are `g(i - j)` on every prompt.

    The residual stream has a direction `shared` and one per token; a token's embedding is any
    vector with coefficient 1 on `shared`. `query` and `key` are `(head_dim,)`. The head copies
    the token directions. Certified: the amplitude that bounds `g`. Claim `rope.toeplitz`.
    Raises `InvalidArgument`.
    """
    bar_q, bar_k = _vector("query", query, spec), _vector("key", key, spec)
    space = Directions([SHARED, *tokens])
    rows = spec.head_dim
    copy = np.eye(len(space))
    copy[space.place(SHARED), space.place(SHARED)] = 0.0
    # Rounding of a sum of planes: a relative error below planes + 8 units in the last place.
    bound = float(amplitude(bar_q, bar_k, spec)) * (1 + (spec.planes + 8) * 2.0**-52)
    return Head(
        space.matrix({SHARED: bar_q}, rows),
        space.matrix({SHARED: bar_k}, rows),
        copy,
        np.eye(len(space)),
        spec,
        Certificate("rope.toeplitz", {"amplitude": bound}, "float64"),
        space,
    )


def permute_columns(weights: ArrayLike, spec: RopeSpec, layout: Layout) -> Floats:
    """Query or key weights, `(head_dim, ...)`, permuted so that the head has another layout.

    `weights` are `w_q` or `w_k` of a head with `spec`, `layout` is the new layout.

    In the papers' row convention `x W` these are the columns of `W_Q` and `W_K`. If the layout is
    the spec's own, a copy. Logits agree when the spec's layout is replaced too.
    Claim `rope.layout`. Raises `InvalidArgument`.
    """
    array = np.array(weights, dtype=np.float64)
    if array.ndim < 1 or array.shape[0] != spec.head_dim:
        raise InvalidArgument("weights", f"shape {array.shape}", f"({spec.head_dim}, ...)")
    target = _in_layout(spec, layout)
    if layout == spec.layout:
        return array
    order = list(spec.layout_permutation())
    if target.layout == "half":
        return array[order]
    result = np.empty_like(array)
    result[order] = array
    return result


def to_layout(head: Head, layout: Layout) -> Head:
    """The same head in another layout: equal logits, attention and output. Claim `rope.layout`."""
    return replace(
        head,
        w_q=permute_columns(head.w_q, head.spec, layout),
        w_k=permute_columns(head.w_k, head.spec, layout),
        spec=_in_layout(head.spec, layout),
        certificate=replace(head.certificate, claim="rope.layout"),
    )


def content_and_position(
    query: ArrayLike, key: ArrayLike, spec: RopeSpec, tokens: Sequence[str], *, strength: float
) -> Head:
    """A head whose rotated planes see positions and whose unrotated ones see contents.

    `query` and `key` are `(rotary_dim,)`: the constant queries and keys of the rotated planes.
    Each token has its own unrotated coordinate, so there are at most `head_dim - rotary_dim` of
    them. On embeddings `shared + token` the logit is `g(i - j) + strength [same token]`: the
    unrotated planes are planes of frequency 0. Claim `rope.partial`.
    Raises `InvalidArgument`; `strength` is in logits.
    """
    if spec.rotary_start:
        raise InvalidArgument("spec", spec, "one whose first coordinates rotate")
    free = spec.head_dim - spec.rotary_dim
    if not 1 <= len(tokens) <= free:
        allowed = f"1 to {free}, one per unrotated coordinate"
        raise InvalidArgument("tokens", f"{len(tokens)} tokens", allowed)
    if not np.isfinite(strength):
        raise InvalidArgument("strength", strength, "a finite number")
    space = Directions([SHARED, *tokens])
    sides = []
    # The scale 1/sqrt(head_dim) is taken back, so that a match is worth `strength` logits.
    for name, values, match in (
        ("query", query, strength * float(np.sqrt(spec.head_dim))),
        ("key", key, 1.0),
    ):
        vector = np.asarray(values, dtype=np.float64)
        if vector.shape != (spec.rotary_dim,) or not np.isfinite(vector).all():
            got, allowed = f"shape {vector.shape}", f"finite numbers, shape ({spec.rotary_dim},)"
            raise InvalidArgument(name, got, allowed)
        images = {SHARED: np.concatenate((vector, np.zeros(free)))}
        for number, token in enumerate(tokens):
            images[token] = match * np.eye(1, spec.head_dim, spec.rotary_dim + number)[0]
        sides.append(space.matrix(images, spec.head_dim))
    copy = np.eye(len(space))
    return Head(sides[0], sides[1], copy, copy, spec, Certificate("rope.partial"), space)


def _in_layout(spec: RopeSpec, layout: Layout) -> RopeSpec:
    return spec.changed(layout=layout)


def _vector(name: str, values: ArrayLike, spec: RopeSpec) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (spec.head_dim,) or not np.isfinite(array).all():
        allowed = f"finite numbers, shape ({spec.head_dim},)"
        raise InvalidArgument(name, f"shape {array.shape}", allowed)
    return array
