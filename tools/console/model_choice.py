"""The rotation that a command works on: which file or preset, which part, which layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from ropeproof.theory.errors import InvalidArgument

if TYPE_CHECKING:
    from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ModelChoice", "chosen_kinds", "chosen_model"]


@dataclass(frozen=True)
class ModelChoice:
    """The model that a command works on: its name, its fields, and its rotations by layer.

    `kinds` are as of `ropeproof.theory.rotary.layers.layer_kinds`: `()` stands for all layers. `inside`
    says that the model is a part of a multimodal configuration.
    """

    name: str
    fields: Mapping[str, Any]
    kinds: tuple[tuple[RopeSpec, tuple[int, ...]], ...]
    inside: bool = False

    def one(self) -> RopeSpec:
        """The one rotation of the chosen model; layers that do not rotate are left out.

        Raises `InvalidArgument` with the rotations that there are, if layers rotate in several ways. A line
        on standard error says which layers have it, where that is not all of them.
        """
        from ropeproof.theory.rotary.wording import layers_said, rotation_said

        turning = self._turning()
        if len(turning) > 1:
            each = [f"{layers_said(layers)}: {rotation_said(spec)}" for spec, layers in self.kinds]
            raise InvalidArgument("layer", None, f"--layer N, as layers differ ({'; '.join(each)})")
        if len(self.kinds) > 1:
            told = f"{self.name}: of {layers_said(turning[0][1])}; the others do not rotate"
            typer.echo(told, err=True)
        return turning[0][0]

    def layer(self) -> int | None:
        """A layer that has the rotation of `one`, None where all have it."""
        layers = self._turning()[0][1]
        return layers[0] if layers and len(self.kinds) > 1 else None

    def _turning(self) -> list[tuple[RopeSpec, tuple[int, ...]]]:
        """The rotations that turn some coordinates; all rotations if none turns any."""
        return [kind for kind in self.kinds if kind[0].rotary_dim] or list(self.kinds)


def chosen_kinds(
    config: str | None, preset: str | None, *, layer: int | None = None, part: str | None = None
) -> tuple[tuple[RopeSpec, tuple[int, ...]], ...]:
    """The `kinds` of the `ModelChoice` that the options name; empty if they name no model.

    Raises `InvalidArgument` for a layer or a part of no model, and as `chosen_model`.
    """
    if config is None and preset is None:
        for name, given in (("layer", layer), ("part", part)):
            if given is not None:
                raise InvalidArgument(name, given, "none without --config FILE or --preset NAME")
        return ()
    return chosen_model(config, preset, layer=layer, part=part, option="--config FILE").kinds


def chosen_model(
    config: str | None,
    preset: str | None,
    *,
    length: int | None = None,
    layer: int | None = None,
    part: str | None = None,
    option: str = "CONFIG",
) -> ModelChoice:
    """The model of a configuration or of a preset, one of which is given.

    `layer` picks one layer, `part` a model of a configuration of several. `option` is how the command
    calls its configuration. Raises `InvalidArgument` and `Unsupported` as `RopeSpec.from_config`.
    """
    from ropeproof.theory.rotary.config import model_fields, part_of, read_fields
    from ropeproof.theory.rotary.layers import layer_kinds
    from ropeproof.theory.rotary.presets import preset_named
    from ropeproof.theory.rotary.spec import RopeSpec

    if (config is None) == (preset is None):
        got = "neither" if config is None else "both"
        raise InvalidArgument("config", got, f"either {option} or --preset NAME")
    source: Any = config if preset is None else preset_named(preset).to_config()
    whole = read_fields(source)
    own = part_of(whole, part)
    fields = model_fields(own)
    if layer is None:
        kinds = layer_kinds(own, length=length)
    else:
        spec = RopeSpec.from_config(own, length=length, layer=layer)
        kinds = ((spec, (layer,)),)
    return ModelChoice(str(preset or config), fields, kinds, own is not whole)
