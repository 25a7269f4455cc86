"""One-line descriptions of a rotation and of the layers that have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Proportional, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["layers_said", "rotation_said"]

_SHOWN = 6


def layers_said(layers: Sequence[int]) -> str:
    """The numbers of layers as a short text: `layers 0-4, 6`; `all layers` for an empty sequence.

    >>> layers_said((0, 1, 2, 4)), layers_said((3,)), layers_said(())
    ('layers 0-2, 4', 'layer 3', 'all layers')
    """
    if not layers:
        return "all layers"
    runs: list[list[int]] = []
    for layer in layers:
        if runs and layer == runs[-1][-1] + 1:
            runs[-1].append(layer)
        else:
            runs.append([layer])
    told = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    shown = ", ".join(told[:_SHOWN])
    if len(told) > _SHOWN:
        shown += f", ... ({len(layers)} in all)"
    return f"layer{'s' if len(layers) > 1 else ''} {shown}"


def rotation_said(spec: RopeSpec) -> str:
    """A one-line description of the rotation of a head, without its length.

    >>> rotation_said(RopeSpec(128, 10000, rotary_dim=32, scaling=Linear(4)))
    'base 10000, 32 of 128 coordinates, half layout, linear scaling (factor 4)'
    """
    if not spec.rotary_dim:
        return f"no rotation, heads of {spec.head_dim} coordinates"
    whole = spec.rotary_dim == spec.head_dim
    part = (
        f"{spec.head_dim} coordinates"
        if whole
        else f"{spec.rotary_dim} of {spec.head_dim} coordinates"
    )
    if spec.rotary_start:
        part = f"the last {part}"
    told = [f"base {_number(spec.base)}", part, f"{spec.layout} layout", _scaling(spec.scaling)]
    if spec.axes is not None:
        told.append(f"positions of {', '.join(spec.axes.names)}")
    return ", ".join(told)


def _number(value: Any) -> str:
    return str(value) if value.is_Integer else f"{float(value):.6g}"


def _scaling(scaling: Any) -> str:
    names = {Dynamic: "dynamic", Linear: "linear", Llama3: "llama3", LongRope: "longrope"}
    names |= {Proportional: "proportional", Yarn: "yarn"}
    if scaling is None:
        return "no scaling"
    told = []
    for name in (field.name for field in fields(scaling)):
        value = getattr(scaling, name)  # an exact number, whatever was given
        if value is None or isinstance(value, tuple) or (name, value) in _PLAIN:
            continue
        shown = str(value) if isinstance(value, bool | int) else _number(value)
        told.append(f"{name.replace('_', ' ')} {shown}")
    return f"{names[type(scaling)]} scaling ({', '.join(told)})"


_PLAIN = (("beta_fast", 32), ("beta_slow", 1), ("truncate", True))
"""Parameters with their default values, which the description leaves out."""
