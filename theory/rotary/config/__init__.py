"""Reading the RoPE of a released model from its configuration.

Accepts the `config.json` of any family in `ropeproof.theory.rotary.families.FAMILIES`, in the
older form (base and `rope_scaling` at the top) and in that of transformers 5 (`rope_parameters`). Nothing is
guessed: a missing base, two fields that disagree, or a family that is not known are refused by
name, because a silently wrong base makes every later number wrong.
"""

from ropeproof.theory.rotary.config.family import model_fields, part_fields
from ropeproof.theory.rotary.config.fields import read_fields
from ropeproof.theory.rotary.config.layers import is_nested, layer_count, rotating_layers
from ropeproof.theory.rotary.config.spec import spec_fields
from ropeproof.theory.rotary.config.wrapped import part_of, parts_of

__all__ = [
    "is_nested",
    "layer_count",
    "model_fields",
    "part_fields",
    "part_of",
    "parts_of",
    "read_fields",
    "rotating_layers",
    "spec_fields",
]
