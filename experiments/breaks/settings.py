"""Lengths and scalings that a model was not trained for, and running the model under them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.learned.precision import round_to_type
from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_float64,
    rotation_tables,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["KINDS", "Setting", "settings_of", "spec_of", "turns", "under"]

KINDS = ("none", "linear", "dynamic", "yarn", "llama3", "bfloat16 angles")
"""The kinds of setting; LongRoPE is not among them, as its factors are searched for by model."""


@dataclass(frozen=True)
class Setting:
    """One way to run a model: the kind of scaling, its factor, and the length of the prompts in tokens."""

    kind: str
    factor: int
    length: int

    @property
    def name(self) -> str:
        """The name of the setting in tables, for example `yarn x4`."""
        return f"{self.kind} x{self.factor}"

    @property
    def rounded(self) -> bool:
        """Whether angles are formed in bfloat16, the frequencies being the model's own."""
        return self.kind == "bfloat16 angles"


def settings_of(length: int, factors: tuple[int, ...]) -> list[Setting]:
    """The settings of a model: its own length first, then every kind of scaling at every factor."""
    own = [Setting(kind, 1, length) for kind in ("none", "bfloat16 angles")]
    return own + [Setting(kind, factor, factor * length) for factor in factors for kind in KINDS]


def configuration(config: Any, setting: Setting) -> Any:
    """A copy of a model's configuration under this setting."""
    changed = copy.deepcopy(config)
    given = {"rope_theta": config.rope_parameters["rope_theta"]}
    original = int(config.max_position_embeddings)
    if setting.kind not in {"none", "bfloat16 angles"}:
        given |= {"rope_type": setting.kind, "factor": float(setting.factor)}
    else:
        given |= {"rope_type": "default"}
    if setting.kind in {"yarn", "llama3"}:
        given |= {"original_max_position_embeddings": original}
    if setting.kind == "llama3":
        # Those of Llama 3.1.
        given |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    changed.rope_parameters = given
    if setting.kind != "dynamic":
        # With "dynamic" the library compares the prompt's length with this one.
        changed.max_position_embeddings = setting.length
    return changed


def spec_of(config: Any, setting: Setting) -> RopeSpec:
    """The exact rotation of the model under this setting."""
    return RopeSpec.from_config(configuration(config, setting), length=setting.length)


def turns(spec: RopeSpec, setting: Setting) -> NDArray[np.complex128]:
    """The rotation `a e^(i p theta_l)` at all positions, `(length, planes)`, rounded as the setting does."""
    places = np.arange(setting.length)
    if not setting.rounded:
        cosines, sines = rotation_tables(spec, places)
        return np.asarray(cosines + 1j * sines)
    angles = round_to_type(
        round_to_type(places, "bfloat16")[:, None]
        * round_to_type(frequencies_float64(spec), "bfloat16"),
        "bfloat16",
    )
    return np.asarray(attention_factor_float64(spec) * np.exp(1j * angles))


@contextmanager
def under(model: Any, setting: Setting) -> Iterator[Any]:
    """A context in which the model has the rotation of a setting, computed by the library.

    The model's own rotation is restored afterwards. Raises `InvalidArgument` if the library's tables are not
    those that the prediction rests on.
    """
    base = model.model
    usual = base.rotary_emb
    config = configuration(model.config, setting)
    rotary = type(usual)(config)
    if setting.rounded:
        rotary = _Rounded(rotary)
    base.rotary_emb = rotary
    try:
        _compare(rotary, spec_of(model.config, setting), setting)
        yield model
    finally:
        base.rotary_emb = usual


class _Rounded(torch.nn.Module):
    """The library's rotation with its angles formed in bfloat16."""

    def __init__(self, rotary: Any) -> None:
        super().__init__()
        self.frequencies = rotary.inv_freq

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> tuple[Any, Any]:
        places = position_ids[..., None].bfloat16()
        angles = (places * self.frequencies.bfloat16()).float()
        both = torch.cat((angles, angles), -1)
        return both.cos().to(x.dtype), both.sin().to(x.dtype)


def _compare(rotary: Any, spec: RopeSpec, setting: Setting) -> None:
    places = torch.arange(setting.length)[None]
    cosines, sines = rotary(torch.zeros(1, setting.length, 1), places)
    planes = spec.rotary_planes
    found = (cosines[0, :, :planes] + 1j * sines[0, :, :planes]).numpy()
    off = float(np.abs(found - turns(spec, setting)[:, :planes]).max())
    # The library rounds frequencies and angles to float32: a relative 2^-22 of the largest angle.
    if not off <= 1e-5 + 2.0**-22 * setting.length:
        allowed = "the library's rotation within its rounding"
        raise InvalidArgument("setting", f"{setting.name}: off by {off:.1e}", allowed)
