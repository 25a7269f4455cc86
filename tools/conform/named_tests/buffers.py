"""A module of transformers whose buffers were cast, or that was made without memory and initialised."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ropeproof.tools.conform.expected.grid import grid
from ropeproof.tools.conform.named_tests.trials import Trial
from ropeproof.tools.conform.record import Found
from ropeproof.tools.conform.subjects.module import adapted

__all__ = ["cast_copies"]

_MOST_WEIGHTS = 1 << 25
"""Models with no more weights than these are given memory as a whole."""


def cast_copies(
    trial: Trial, module: Any, build: Callable[[], Any] | None, layer: int | None
) -> Iterator[Found]:
    """A copy whose buffers were cast to a short type, and one that was made without memory."""
    import torch

    for dtype in ("bfloat16", "float16"):
        cast = copy.deepcopy(module).to(getattr(torch, dtype))
        explain, trial.explain = trial.explain, False
        found = _of_copy(trial, f"buffers.{dtype}", cast, dtype, layer)
        trial.explain = explain
        if found.result == "fails":  # as loaded it is right
            found = replace(found, result="warns", detail=f"breaks if cast: .to({dtype})")
        yield found
    name = "buffers.meta"
    if build is None:
        told = "needs build=, which makes the module anew"
        yield Found(name=name, result="unsupported", detail=told)
        return
    with torch.device("meta"):
        made = build()
    whole = sum(tensor.numel() for tensor in made.parameters()) <= _MOST_WEIGHTS
    one = getattr(made, "_init_weights", None)
    reset = getattr(made, "init_weights", None) or getattr(made, "reset_parameters", None)
    if whole or one is None:
        _as_new(made)
        if reset is None:
            told = "the module has neither init_weights nor reset_parameters"
            yield Found(name=name, result="unsupported", detail=told)
            return
        reset()
    else:
        # No other part of so large a model is needed: each rotary module as the model makes it.
        for part in _rotary_parts(made):
            _as_new(part)
            one(part)
    yield _of_copy(trial, name, made, "float32", layer)


def _as_new(module: Any) -> None:
    """Memory for a module that has none, in which what is not made again shows."""
    import torch

    module.to_empty(device="cpu")
    with torch.no_grad():
        for tensor in (*module.parameters(), *module.buffers()):
            if tensor.is_floating_point():
                tensor.fill_(float("nan"))


def _rotary_parts(module: Any) -> list[Any]:
    return [
        part
        for part in module.modules()
        if type(part).__name__.endswith("RotaryEmbedding") or hasattr(part, "embed_positions")
    ]


def _of_copy(trial: Trial, name: str, module: Any, dtype: str, layer: int | None) -> Found:
    own = trial.subject
    trial.subject = replace(own, call=adapted(module.eval(), trial.spec, layer))
    try:
        return trial.probe(name, grid(trial.context), dtype)
    finally:
        trial.subject = own
