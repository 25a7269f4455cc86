"""Tests with calls other than one prompt from position 0: single vectors, rows, keys, types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.arrays import is_torch
from ropeproof.tools.conform.expected.grid import grid
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, refused, signs
from ropeproof.tools.conform.record import Found, worst
from ropeproof.tools.conform.subjects.subject import SubjectRaised

__all__ = [
    "along_axes",
    "autocast",
    "batched",
    "beyond",
    "gradient",
    "gradients",
    "in_types",
    "of_keys",
    "single",
    "strided",
]


def single(trial: Trial, dtype: str) -> Found:
    """`positions.single`: one vector at a time, as in decoding with a cache, forwards and back."""
    name, last = "positions.single", trial.context - 1
    # Not odd ones alone: a position that is cut to an even number is one less there.
    places = dict.fromkeys(p for p in (0, 1, 5, 6, 257, last, 3) if p <= last)
    return worst([trial.probe(name, np.array([place]), dtype) for place in places])


def batched(trial: Trial, dtype: str) -> Iterator[Found]:
    """Tests with rows of positions that start again, are padded on the left, or differ."""
    most = trial.context - 1
    packed = np.minimum([0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2], most)
    yield trial.probe("positions.packing", packed, dtype)
    index = np.arange(12)
    padded = np.maximum(index[np.newaxis] - np.array([[2], [0], [7]]), 0)
    yield trial.probe("positions.left-padding", np.minimum(padded, most), dtype)
    far = max(most - 40, 0)
    rows = np.array([[0], [min(17, far)], [far]]) + np.array([0, 1, 2, 3, 5, 8, 13, 21, 34])
    yield trial.probe("positions.batch", np.minimum(rows, most), dtype)
    decode = np.minimum([[5], [257], [most]], most)
    yield trial.probe("positions.decode", decode, dtype)


def of_keys(trial: Trial, dtype: str) -> Found:
    """`keys.positions`: keys one at a time, in a chunk, packed, padded, and in rows that differ."""
    name, last = "keys.positions", trial.context - 1
    start = max(min(trial.context // 2, trial.context - 8), 0)
    parts = [np.array([min(6, last)]), np.arange(start, min(start + 8, trial.context))]
    if not trial.contiguous:
        packed = np.minimum([0, 1, 2, 3, 4, 0, 1, 2, 0, 1], last)
        padded = np.maximum(np.arange(10)[np.newaxis] - np.array([[2], [0], [7]]), 0)
        rows = np.array([[0], [min(17, last)], [last]]) + np.array([0, 2, 3, 5])
        parts += [packed, np.minimum(padded, last), np.minimum(rows, last)]
    return worst([trial.probe(name, positions, dtype) for positions in parts])


def along_axes(trial: Trial, dtype: str) -> Iterator[Found]:
    """`axes.*`: coordinates that are all equal, as in text, and one that runs while others stay."""
    axes = trial.spec.axes
    assert axes is not None
    n, places = len(axes.names), grid(trial.context)[:48]
    yield trial.probe("axes.equal", np.stack([places] * n, -1)[np.newaxis], dtype)
    rows = np.minimum(np.arange(3, 2 * n + 3, 2), trial.context - 1)
    still = np.broadcast_to(rows, (n, len(places), n)).copy()
    for a in range(n):
        still[a, :, a] = places
    yield trial.probe("axes.each", still, dtype)


def centred(trial: Trial, dtype: str) -> Found:
    """`positions.centred`: positions counted from the middle, of each coordinate from another one."""
    name = "positions.centred"
    half = min(trial.context // 2, 1 << 15)
    if trial.contiguous:
        return trial.probe(name, np.arange(-9, 8), dtype)
    ends = np.array([-half, 1 - half, half - 2, half - 1])
    far = np.concatenate((ends[:2], np.arange(-12, 12), ends[2:]))
    if trial.spec.axes is None:
        return trial.probe(name, far, dtype)
    count = len(trial.spec.axes.names)
    rows = [np.roll((-1) ** a * far, 5 * a) for a in range(count)]
    return trial.probe(name, np.stack(rows, -1)[np.newaxis], dtype)


def beyond(trial: Trial, dtype: str) -> Found:
    """`positions.beyond`: from the context's end to twice that, right or refused, but not wrong."""
    name, context = "positions.beyond", trial.context
    positions = np.unique(np.concatenate((grid(16), context - 1 + grid(context + 1)[::4])))
    found = trial.probe(name, positions.astype(np.int64), dtype)
    if found.result != "unsupported":
        return found
    return Found(name=name, result="unsupported", detail=f"refused: {found.detail}")


def strided(trial: Trial, dtype: str) -> Found:
    """`layout.strided`: vectors with gaps in memory, as after a transpose or a slice."""
    name, subject = "layout.strided", trial.subject
    positions = grid(trial.context)[:24]
    x = signs((*subject.sizes(2, 3), len(positions), trial.spec.head_dim), seed=4)
    native = subject.native(x, dtype)
    if not (is_torch(native) or isinstance(native, np.ndarray)):
        return Found(name=name, result="unsupported", detail="such arrays have no strides")
    try:
        given, readings = _scattered(native)
        out, _ = subject.canonical(subject.invoke(given, positions))
    except REFUSED as error:
        return refused(name, error)
    if out.shape != x.shape:
        return refused(name, Unsupported(f"shape {out.shape}, expected {x.shape}"))
    seen = tuple((told, subject.canonical(read)[0]) for told, read in readings)
    return trial.judge(name, x, positions, out, dtype, readings=seen)


_AS_DENSE = "as if they had none"
_AS_LAST = "with their strides, but as if the numbers of one vector had none"


def _scattered(native: object) -> tuple[object, list[tuple[str, object]]]:
    """The same values in an array with gaps between them and reversed axes in memory.

    And what code sees in this memory that takes other strides, each with how it takes them.
    """
    if is_torch(native):
        import torch

        assert isinstance(native, torch.Tensor)
        order = tuple(reversed(range(native.ndim)))
        store = torch.zeros([2 * native.shape[n] for n in order], dtype=native.dtype)
        view = store[tuple(slice(0, None, 2) for _ in order)].permute(order)
        view.copy_(native)
        lies = store.flatten()[: native.numel()].reshape(native.shape).clone()
        last = view.as_strided(view.shape, (*view.stride()[:-1], 1)).clone()
        return view, [(_AS_DENSE, lies), (_AS_LAST, last)]
    assert isinstance(native, np.ndarray)
    order = tuple(reversed(range(native.ndim)))
    room = np.zeros([2 * native.shape[n] for n in order], dtype=native.dtype)
    seen = room[tuple(slice(0, None, 2) for _ in order)].transpose(order)
    seen[...] = native
    dense = room.reshape(-1)[: native.size].reshape(native.shape).copy()
    strides = (*seen.strides[:-1], seen.itemsize)
    packed = np.lib.stride_tricks.as_strided(seen, seen.shape, strides).copy()
    return seen, [(_AS_DENSE, dense), (_AS_LAST, packed)]


def in_types(trial: Trial, dtypes: Sequence[str]) -> Iterator[Found]:
    """`positions.TYPE`: single vectors, a chunk and rows that differ, in each other type."""
    last = trial.context - 1
    start = max(min(trial.context // 2, trial.context - 8), 0)
    rows = np.minimum([[5], [257], [last]], last)
    parts = [np.array([min(3, last)]), np.arange(start, min(start + 8, trial.context))]
    parts += [] if trial.contiguous else [rows]
    for dtype in dtypes:
        name = f"positions.{dtype}"
        yield worst([trial.probe(name, positions, dtype) for positions in parts])


def autocast(trial: Trial, dtype: str) -> Found:
    """`autocast`: autocast to bfloat16 around the call, which must not reach the angles.

    It `warns` where results are right up to roundings in bfloat16, as a product of matrices gives them: what
    becomes of vectors there does not grow with the position, as an error of angles does. It fails where the
    same call is wrong without autocast, too.
    """
    import torch

    name, subject = "autocast", trial.subject
    positions = grid(trial.context)
    x = signs((*subject.sizes(2, 3), len(positions), trial.spec.head_dim), seed=10)
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out, made = subject.canonical(subject.invoke(subject.native(x, dtype), positions))
    except REFUSED as error:
        return refused(name, error)
    if out.shape != x.shape:
        return refused(name, Unsupported(f"shape {out.shape}, expected {x.shape}"))
    found = trial.judge(name, x, positions, out, made)
    if found.result != "fails" or made == "bfloat16":
        return found
    coarse = trial.judge(name, x, positions, out, "bfloat16", explain=False)
    if coarse.result != "holds":
        return found
    plain, kind = subject.canonical(subject.invoke(subject.native(x, dtype), positions))
    if trial.judge(name, x, positions, plain, kind, explain=False).result == "fails":
        return found
    if trial.explain:
        trial.seen.pop()  # no failure to be explained
    told = "vectors are rounded to bfloat16 on the way, as in a product of matrices; angles are not"
    return replace(coarse, result="warns", detail=told)


def gradients(trial: Trial, dtype: str) -> Iterator[Found]:
    """Tests of the gradient at rows of positions that differ, and for an upstream with memory gaps."""
    if trial.subject.several("b"):
        far = max(trial.context - 40, 1)
        # Steps that differ, too: rows that only start elsewhere hide whose positions are used.
        steps = np.array([[0, 1, 2, 3, 5, 8, 13, 21], [0, 2, 3, 7, 11, 12, 20, 30]])
        rows = np.array([[2], [min(17, far)]]) + steps
        rows = np.minimum(rows, trial.context - 1)
        yield gradient(trial, dtype, "gradient.rows", rows)
    elif "b" in trial.subject.axes:
        told = "one row of vectors in a call alone"
        yield Found(name="gradient.rows", result="unsupported", detail=told)
    yield gradient(trial, dtype, "gradient.strided", scattered=True)


def gradient(
    trial: Trial,
    dtype: str,
    name: str = "gradient",
    positions: np.ndarray | None = None,
    *,
    scattered: bool = False,
) -> Found:
    """Test that the gradient of `<F(x), g>` is `g` rotated back, `R(alpha)^T = R(-alpha)`.

    The identity is claim `rope.group`. An error forwards or backwards is a refused call; a result that
    is cut off from its vectors fails, for its gradient is silently missing.
    """
    subject = trial.subject
    positions = grid(trial.context) if positions is None else positions
    # Rows and heads differ: tables of rows must not broadcast along the heads by accident.
    x = signs((*subject.sizes(2, 3), positions.shape[-1], trial.spec.head_dim), seed=5)
    toward = signs(x.shape, seed=6)
    native = subject.native(x, dtype).requires_grad_(True)
    # The vectors handed over are no leaf, as in a model.
    handed = native * 1
    try:
        turned = subject.invoke(handed, positions)
        out, _ = subject.canonical(turned)
        if out.shape != x.shape:
            return refused(name, Unsupported(f"shape {out.shape}, expected {x.shape}"))
        if not getattr(turned, "requires_grad", False):
            told = "the result has no gradient: something on the way cuts it off"
            return Found(name=name, result="fails", detail=told)
        upstream = subject.upstream(toward, turned, dtype)
    except REFUSED as error:
        return refused(name, error)
    try:
        turned.backward(_scattered(upstream)[0] if scattered else upstream)
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split())[:160]
        return refused(name, SubjectRaised(f"{type(error).__name__}: {told}"))
    if native.grad is None:
        return Found(name=name, result="fails", detail="no gradient arrives at the input")
    out, _ = subject.canonical(native.grad)
    return trial.judge(name, toward, positions, out, dtype, backwards=True)
