"""How a family whose layer types rotate apart says so at the top of an older configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LayerTypes"]


@dataclass(frozen=True, kw_only=True)
class LayerTypes:
    """The fields at the top of a configuration that has no `rope_parameters` by layer type.

    - `bases`: of each layer type, the field with its base; `defaults`: the base where the file has no
      such field, for the layer types of which all code has the same;
    - `scaled`: the layer types to which a `rope_scaling` belongs;
    - `every`: a field with the distance `n` between layers of full attention, and `distance` its value
      where the file has none. Full attention are the last of each `n` layers, or, `first`, the first.
      Empty and 0 where `layer_types` has to be there.
    """

    bases: Mapping[str, str]
    defaults: Mapping[str, int]
    scaled: frozenset[str]
    every: str = ""
    distance: int = 0
    first: bool = False

    def type_of(self, layer: int, distance: int) -> str:
        """The type of a layer, from 0, where full attention comes back at this distance."""
        full = layer % distance == 0 if self.first else (layer + 1) % distance == 0
        return "full_attention" if full else "sliding_attention"
