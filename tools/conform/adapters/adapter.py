"""A call of a library's rotary embedding, with the options of `check` that its signature needs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.record import Report
from ropeproof.tools.conform.run import check

__all__ = ["Adapter", "hf_scaling", "installed", "need", "release", "turn_first"]


@dataclass(frozen=True)
class Adapter:
    """A rotation of a library, made for a spec.

    - `library`: the name of its distribution, and `release` the version that is installed;
    - `call`: what is tested, made by the library's own code for `spec`;
    - `options`: those of `check` that its signature needs, such as the order of axes.
    """

    library: str
    release: str
    call: Any
    spec: RopeSpec
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, **options: Any) -> Report:
        """Run `ropeproof.conform.check` on the rotation; `options` take precedence over its own."""
        name = f"{self.library} {self.release}"
        return check(self.call, self.spec, **({"name": name} | dict(self.options) | options))


def need(module: str, distribution: str) -> Any:
    """Import a module of a library; raises `Unsupported`, with the install command, without it."""
    try:
        return importlib.import_module(module)
    except (
        Exception
    ) as error:  # an import of a library that does not fit another one may do anything
        told = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        line = f"pip install {distribution}"
        raise Unsupported(f"{module} cannot be imported ({told}): {line}") from None


def release(distribution: str) -> str:
    """The installed version of a distribution; empty if the distribution is not installed."""
    try:
        return version(distribution.split(maxsplit=1)[0].split("[", maxsplit=1)[0])
    except PackageNotFoundError:
        return ""


def installed(library: str, call: Any, spec: RopeSpec, **options: Any) -> Adapter:
    """An `Adapter` of a call of an installed library, which notes the library's release."""
    return Adapter(library, release(library), call, spec, options)


def turn_first(turn: Callable[[Any], Any], x: Any, spec: RopeSpec, join: Any) -> Any:
    """Apply `turn` to the first `rotary_dim` coordinates, and `join` the result with the rest."""
    if spec.rotary_dim == spec.head_dim:
        return turn(x)
    return join((turn(x[..., : spec.rotary_dim]), x[..., spec.rotary_dim :]), -1)


def hf_scaling(spec: RopeSpec) -> dict[str, Any] | None:
    """The scaling of a spec under the names of transformers' configurations; None without one."""
    scaling = spec.scaling
    if scaling is None:
        return None
    if isinstance(scaling, Linear):
        return {"rope_type": "linear", "factor": float(scaling.factor)}
    if isinstance(scaling, Dynamic):
        return {"rope_type": "dynamic", "factor": float(scaling.factor)}
    if isinstance(scaling, Llama3):
        return {
            "rope_type": "llama3",
            "factor": float(scaling.factor),
            "low_freq_factor": float(scaling.low_freq_factor),
            "high_freq_factor": float(scaling.high_freq_factor),
            "original_max_position_embeddings": scaling.original_length,
        }
    if isinstance(scaling, Yarn):
        found = {
            "rope_type": "yarn",
            "factor": float(scaling.factor),
            "beta_fast": float(scaling.beta_fast),
            "beta_slow": float(scaling.beta_slow),
            "truncate": scaling.truncate,
            "original_max_position_embeddings": scaling.original_length,
        }
        if scaling.attention is not None:
            found["attention_factor"] = float(scaling.attention)
        return found
    if isinstance(scaling, LongRope):
        return {
            "rope_type": "longrope",
            "short_factor": [float(f) for f in scaling.short_factor],
            "long_factor": [float(f) for f in scaling.long_factor],
            "original_max_position_embeddings": scaling.original_length,
        }
    raise Unsupported(f"scaling {type(scaling).__name__}: these libraries have no such one")
