"""The whole rotation of a configuration, layer type by layer type, as `RopeSpec.from_config` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.config import is_nested, rotating_layers
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Whole", "finding_of", "whole_of"]


class Whole(NamedTuple):
    """The rotations of a model's layers, or the reason why the configuration is refused.

    - `kinds`: the layer type, None where all layers are alike, and its spec; empty if the configuration is
      refused.
    - `still`: the numbers of the layers that do not rotate.
    - `refusal`: why `RopeSpec.from_config` refuses the configuration, None if it reads it.
    """

    kinds: tuple[tuple[str | None, RopeSpec], ...] = ()
    still: tuple[int, ...] = ()
    refusal: RopeproofError | None = None


def whole_of(fields: Mapping[str, Any]) -> Whole:
    """The rotations of a configuration in which `lint_fields` finds no error; never raises.

    If `RopeSpec.from_config` refuses the configuration, the record has its error as `refusal`.
    """
    try:
        return Whole(((None, RopeSpec.from_config(fields)),))
    except RopeproofError as error:
        refusal: RopeproofError = error
    family = FAMILIES.get(str(fields.get("model_type")))
    if family is None:
        return Whole(refusal=refusal)
    try:
        if family.no_rope is not None:
            turning = rotating_layers(fields)
            still = tuple(n for n, turns in enumerate(turning) if not turns)
            first = turning.index(True) if any(turning) else 0
            return Whole(((None, RopeSpec.from_config(fields, layer=first)),), still)
        if is_nested(fields) or family.per_layer:
            kinds = [(k, RopeSpec.from_config(fields, layer_type=k)) for k in _types(fields)]
            return Whole(tuple(kinds))
    except RopeproofError as error:
        refusal = error
    return Whole(refusal=refusal)


def _types(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the layer types that have rotary parameters, or, if none have, those in `layer_types`."""
    for key in ("rope_parameters", "rope_scaling"):
        given = fields.get(key)
        if isinstance(given, Mapping) and (
            kinds := [str(k) for k, v in given.items() if isinstance(v, Mapping)]
        ):
            yield from kinds
            return
    named = fields.get("layer_types")
    if isinstance(named, list | tuple) and named:
        yield from dict.fromkeys(map(str, named))
    else:
        yield from ("full_attention", "sliding_attention")


_IDS = (
    ("layer-flags", ("no_rope_layers", "no_rope_layer_interval", "layer_types", "window_pattern")),
    ("sections-order", ("mrope_interleaved",)),
    ("sections-sum", ("mrope_section",)),
    ("rotated-part", ("partial_rotary_factor", "rotary_dim", "rotary_pct", "rope_percent")),
    ("head-dim", ("head_dim", "kv_channels", "hidden_size", "num_attention_heads")),
    ("base-conflict", ("rope_theta", "rotary_emb_base", "base_freq")),
    ("dialect-conflict", ("rope_scaling.",)),
)


def finding_of(refusal: RopeproofError, at: str) -> ConfigFinding | None:
    """The finding for a value that `RopeSpec.from_config` refuses, in the section at key path `at`.

    None where nothing is wrong with the file: its family or a parameter is not handled, or a field is left to
    the default of the family's class.
    """
    if isinstance(refusal, Unsupported) or not isinstance(refusal, InvalidArgument):
        return None
    if refusal.got is None:
        return None
    where = refusal.argument.removeprefix("config.")
    id = next((id for id, names in _IDS if any(name in where for name in names)), "spec-refused")
    path = f"{at}.{where}" if at and where else at or where
    shown = str(refusal.got)[:80]
    told = f"{where.rsplit('.', maxsplit=1)[-1]} is {shown}; allowed is {refusal.allowed}"
    # What has no id of its own may be a rule of ours that the family's code does not share.
    sure = id != "spec-refused" and "hidden_size" not in where
    return ConfigFinding(id, "error" if sure else "warning", path, told, RULES[id].remedy)
