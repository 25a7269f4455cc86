"""The older form in which a configuration gives each layer type its own rotation: fields at its top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LayerTypes"]


@dataclass(frozen=True, kw_only=True)
class LayerTypes:
    """The top-level fields that give layer types their rotations where there is no `rope_parameters`.

    - `bases`: for each layer type, the field with its base; `defaults`: the base where the file has no
      such field, for the layer types on whose default all code agrees;
    - `scaled`: the layer types to which a `rope_scaling` belongs;
    - `every`: a field with the distance `n` between layers of full attention, and `distance` its value
      where the file has none. Full attention is the last of each `n` layers, or, with `first`, the first.
      Empty and 0 where `layer_types` has to be there.
    """

    bases: Mapping[str, str]
    defaults: Mapping[str, int]
    scaled: frozenset[str]
    every: str = ""
    distance: int = 0
    first: bool = False

    def type_of(self, layer: int, distance: int) -> str:
        """The type of layer number `layer`, from 0, where one layer in `distance` has full attention."""
        full = layer % distance == 0 if self.first else (layer + 1) % distance == 0
        return "full_attention" if full else "sliding_attention"
