"""The words of a statement: modes, specs, positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ropeproof.proofs_check.programs.formulas.conditions import Region
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.subjects.module import is_module

__all__ = ["ids", "modes", "positions_words", "spec_words"]


def modes(owner: Any, array: str) -> str:
    """The modes in which calls were made, in words."""
    if array != "torch":
        return f"NumPy {np.__version__}"
    import torch

    told = [
        f"PyTorch {torch.__version__}",
        f"gradients {'on' if torch.is_grad_enabled() else 'off'}",
        f"autocast {'on' if torch.is_autocast_enabled('cpu') else 'off'}",
        f"default type {str(torch.get_default_dtype()).removeprefix('torch.')}",
    ]
    if is_module(owner):
        told.append(f"the module in {'training' if owner.training else 'evaluation'}")
    return ", ".join(told)


def ids(claims: Sequence[Claim]) -> str:
    """The ids of claims, in words."""
    return ", ".join(c.id for c in claims) or "none"


def spec_words(spec: RopeSpec) -> str:
    """A rotation in words."""
    scaling = "" if spec.scaling is None else f" with {type(spec.scaling).__name__} scaling"
    base = float(spec.base)
    told = f"base {base:g}, layout {spec.layout}, heads of {spec.head_dim}"
    return f"the rotation with {told}{scaling}"


def positions_words(regions: Sequence[Region], context: int) -> str:
    """The positions that regions cover, in words."""
    told = []
    merged: list[list[int]] = []
    for one in sorted(regions, key=lambda r: r.low):
        if merged and one.low <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], one.high)
        else:
            merged.append([one.low, one.high])
    for low, high in merged:
        if low == 0:
            told.append(f"all from 0 to {high}")
        else:
            told.append(f"sequences whose largest is from {low} to {high}")
    return ", ".join(told) + f", of the context of {context}"
