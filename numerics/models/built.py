"""Whether the model in memory rotates as its configuration says, and as its user asked.

An argument of `from_pretrained` or a flag of a training script that no code reads changes nothing, and
no error shows it: the configuration states one rotation, the tables of frequencies have another. Here
the tables are read.
"""

from __future__ import annotations

import copy
import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.rotary.config import is_nested, rotating_layers
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding, Level
from ropeproof.theory.rotary.scaling import LongRope
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["RotationDiffers", "check_built"]

_TABLE, _ORIGINAL, _SCALE = "inv_freq", "original_inv_freq", "attention_scaling"
_TOLERANCE = 2.0**-16
"""Allowed relative error of a frequency: 256 units of float32, for tables computed in a few steps."""
_DICTS = ("rope_scaling", "rope_parameters")
_BASES: Mapping[str, str] = {
    "rope_theta": "full_attention",
    "global_rope_theta": "full_attention",
    "rope_local_base_freq": "sliding_attention",
    "local_rope_theta": "sliding_attention",
}
"""Configuration fields that hold a base, with the layer type that it is for where types differ."""
_REMEDY = "In transformers 5 pass rope_parameters={...} with rope_theta and all other parameters."


class RotationDiffers(RopeproofError):
    """Raised when the model in memory does not rotate as it should; `findings` has the reasons."""

    def __init__(self, findings: tuple[ConfigFinding, ...]) -> None:
        self.findings = findings
        super().__init__("; ".join(f"{f.id}: {f.where}: {f.message}. {f.fix}" for f in findings))


@dataclass(frozen=True)
class _Table:
    """The frequencies of one module, `(rotary_planes,)`, with the factor on cosines and sines.

    `values` is None on the device `meta`, where a table has no numbers.
    """

    where: str
    config: Any
    layer_type: str | None
    seen: int | None
    values: np.ndarray[Any, np.dtype[np.float64]] | None
    scale: float
    kind: str


def check_built(model: Any, expected: Any = None) -> tuple[ConfigFinding, ...]:
    """The faults in the rotation of a transformers model in memory; empty if there are none.

    Every table of frequencies (`inv_freq`) in the model, wrapped or not, is compared with the rotation that
    the configuration of its module states, and with what is `expected`: None, or

    - a mapping of overrides as `from_pretrained` would take them (`rope_theta`, `rope_scaling`,
      `rope_parameters` and other fields): each that the tables do not show is named;
    - a path, a whole configuration (a mapping with `model_type`), a configuration of transformers,
      or a `RopeSpec`: the rotation of every table.

    Findings are errors with the ids `built-differs` and `flag-without-effect`; `not-checked`, a note, says
    what could not be compared, and why. Tables of dynamic scaling are compared at the length that they have
    grown to, those of LongRoPE with both lists. Cost: some milliseconds a table; no forward pass is run.

    Raises `InvalidArgument` if `model` is no module, or `expected` is none of these.
    """
    if not callable(getattr(model, "named_modules", None)):
        raise InvalidArgument("model", model, "a torch.nn.Module")
    _check_expected(expected)
    found: list[ConfigFinding] = []
    tables = list(_tables(model))
    if not tables:
        return (_note("", "no module of the model has a table inv_freq"),)
    for table in tables:
        found += _judge(table, expected)
    return tuple(dict.fromkeys(found))


def _check_expected(expected: Any) -> None:
    if isinstance(expected, Mapping) and not expected:
        raise InvalidArgument("expected", expected, "None, or a mapping that says something")


def _note(where: str, told: str) -> ConfigFinding:
    return ConfigFinding("not-checked", "note", where, told, RULES["not-checked"].remedy)


def _tables(model: Any) -> Iterator[_Table]:
    outer = getattr(model, "config", None) or getattr(
        getattr(model, "module", None), "config", None
    )
    for path, module in model.named_modules():
        config = getattr(module, "config", None) or outer
        for name, buffer in module._buffers.items():
            if buffer is None or not name.endswith(_TABLE) or name.endswith(_ORIGINAL):
                continue
            prefix = name.removesuffix(_TABLE)
            kind = prefix.removesuffix("_") or None
            where = f"{path}.{name}" if path else name
            values = None if buffer.is_meta else buffer.detach().double().cpu().numpy()
            scale = float(getattr(module, prefix + _SCALE, 1.0))
            seen = getattr(module, f"{prefix}max_seq_len_cached", None)
            seen = seen if type(seen) is int else None
            yield _Table(where, config, kind, seen, values, scale, str(buffer.dtype))


def _judge(table: _Table, expected: Any) -> list[ConfigFinding]:
    if table.values is None:
        return [_note(table.where, "the table has no values yet (meta device)")]
    broken = int(np.count_nonzero(~np.isfinite(table.values)))
    if broken:  # memory that nothing was written to, or a cast that overflowed
        told = f"{broken} of {table.values.size} frequencies are no finite numbers"
        return [
            ConfigFinding(
                "built-differs", "error", table.where, told, RULES["built-differs"].remedy
            )
        ]
    if table.config is None:
        return [_note(table.where, "neither the module nor the model has a configuration")]
    fields = _fields(table.config)
    fields, idle = _leftovers(fields)
    try:
        own = _specs(fields, table)
    except RopeproofError as error:
        told = str(error) + "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        found = [_note(table.where, told)]
        own = []
    else:
        found = _against(own, table, "its configuration says")
    given = idle if expected is None else {**idle, **expected} if _is_overrides(expected) else idle
    if given:
        found += _overrides(given, fields, own, table)
    if expected is not None and not _is_overrides(expected):
        found += _whole(expected, table)
    return found


def _fields(config: Any) -> dict[str, Any]:
    fields = config.to_dict() if callable(getattr(config, "to_dict", None)) else dict(config)
    return copy.deepcopy(fields)


def _leftovers(fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The configuration without fields set beside `rope_parameters`, and those fields.

    No module reads such fields (`rope_theta`, `rope_scaling`) where `rope_parameters` says otherwise.
    """
    if not isinstance(fields.get("rope_parameters"), Mapping) or is_nested(fields):
        return fields, {}
    rope = fields["rope_parameters"]
    idle: dict[str, Any] = {}
    top = fields.get("rope_theta")
    if top is not None and rope.get("rope_theta") not in (None, top):
        idle["rope_theta"] = fields.pop("rope_theta")
    scaling = fields.get("rope_scaling")
    if isinstance(scaling, Mapping) and any(rope.get(k) != v for k, v in scaling.items()):
        idle["rope_scaling"] = fields.pop("rope_scaling")
    return fields, idle


def _is_overrides(expected: Any) -> bool:
    return isinstance(expected, Mapping) and "model_type" not in expected


def _specs(config: Any, table: _Table) -> list[RopeSpec]:
    """The rotations that a table may have: one; with LongRoPE two, one for each list of factors."""
    kind, layer = table.layer_type, None
    if isinstance(config, RopeSpec):
        spec = config
    else:
        if isinstance(config, Mapping):
            kind = kind if is_nested(config) else None
            if kind is None and config.get("num_hidden_layers") is not None:
                turning = [n for n, turns in enumerate(rotating_layers(config)) if turns]
                layer = (
                    turning[0] if turning and len(turning) < len(rotating_layers(config)) else None
                )
        spec = RopeSpec.from_config(config, layer_type=kind, layer=layer, length=table.seen)
    if isinstance(spec.scaling, LongRope):
        original = int(spec.scaling.original_length)
        return [spec.changed(length=original), spec.changed(length=original + 1)]
    return [spec]


def _differs(spec: RopeSpec, table: _Table) -> str | None:
    """How a table differs from a rotation, in words; None if it does not."""
    assert table.values is not None
    if len(table.values) != spec.rotary_planes:
        return f"{len(table.values)} frequencies, not {spec.rotary_planes}"
    wanted = frequencies_float64(spec)[: spec.rotary_planes]
    gaps = np.abs(table.values - wanted)
    far = np.flatnonzero(~(gaps <= _TOLERANCE * np.abs(wanted)))
    if len(far):
        plane = int(far[np.argmax(gaps[far])])
        told = f"plane {plane} turns by {table.values[plane]:.6g} a position, not by {wanted[plane]:.6g}"
        if table.kind not in ("torch.float32", "torch.float64"):
            told += f" (the table is {table.kind.removeprefix('torch.')})"
        if spec.length is not None:
            told += (
                f": {gaps[plane] * (spec.length - 1):.3g} radians at position {spec.length - 1:,}"
            )
        return told
    factor = attention_factor_float64(spec)
    if not math.isclose(table.scale, factor, rel_tol=_TOLERANCE):
        return f"cosines and sines are multiplied by {table.scale:.6g}, not by {factor:.6g}"
    return None


def _against(specs: list[RopeSpec], table: _Table, whose: str) -> list[ConfigFinding]:
    told = [_differs(spec, table) for spec in specs]
    if None in told:
        return []
    return [_error("built-differs", table.where, f"{told[0]}, as {whose}")]


def _error(id: str, where: str, told: str, fix: str | None = None) -> ConfigFinding:
    level: Level = "error"
    return ConfigFinding(id, level, where, told, fix or RULES[id].remedy)


def _overrides(
    given: Mapping[str, Any], fields: Mapping[str, Any], own: list[RopeSpec], table: _Table
) -> list[ConfigFinding]:
    """An error for each override that neither the table nor the configuration shows."""
    found = []
    for name, value in given.items():
        where = f"{name}={_short(value)}"
        if name not in _BASES and name not in _DICTS:
            if (told := _unstated(name, value, fields)) is not None:
                found.append(_error("flag-without-effect", where, told))
            continue
        try:
            asked = _specs(_with(fields, name, value), table)
        except RopeproofError as error:
            found.append(_error("flag-without-effect", where, str(error), _REMEDY))
            continue
        differs = [_differs(spec, table) for spec in asked]
        if None in differs:
            continue
        idle = any(_differs(spec, table) is None for spec in own)
        told = f"it did nothing to {table.where}" if idle else f"{table.where} does not show it"
        found.append(_error("flag-without-effect", where, f"{told}: {differs[0]}", _REMEDY))
    return found


def _unstated(name: str, value: Any, fields: Mapping[str, Any]) -> str | None:
    """How the configuration contradicts an override outside the rotation; None if it agrees."""
    rope = fields.get("rope_parameters") or {}
    inner = [rope, *(v for v in rope.values() if isinstance(v, Mapping))]
    stated = [part[name] for part in (fields, *inner) if name in part]
    if value in stated:
        return None
    if stated:
        return f"the configuration of the model says {_short(stated[0])}"
    near = difflib.get_close_matches(name, [*_BASES, *_DICTS, *fields], 1, 0.75)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the configuration of the model has no such field{hint}"


def _short(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 80 else f"{told[:77]}..."


def _with(fields: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The configuration with an override: a new base keeps the scaling, a new scaling the base."""
    after = copy.deepcopy(dict(fields))
    before = after.pop("rope_scaling", None)
    rope = {**(after.get("rope_parameters") or before or {})}
    base = after.pop("rope_theta", None)
    nested = is_nested({"rope_parameters": rope})
    if base is not None and not nested:
        rope.setdefault("rope_theta", base)
    if name in _BASES:
        kinds = [kind for kind in (_BASES[name],) if kind in rope] or list(rope)
        for kind in kinds if nested else ():
            if isinstance(rope[kind], Mapping):
                rope[kind] = {**rope[kind], "rope_theta": value}
        if not nested:
            rope["rope_theta"] = value
    elif not isinstance(value, Mapping):
        raise InvalidArgument(f"expected.{name}", value, "a mapping")
    elif nested or is_nested({"rope_parameters": value}):
        rope = {**(rope if nested else {}), **value}
    else:
        kept = {k: rope[k] for k in ("rope_theta", "partial_rotary_factor") if k in rope}
        rope = {**kept, **{k: v for k, v in value.items() if v is not None}}
    after["rope_parameters"] = rope
    return after


def _whole(expected: Any, table: _Table) -> list[ConfigFinding]:
    try:
        wanted = _specs(expected, table)
    except InvalidArgument:
        raise
    except RopeproofError as error:
        return [_note(table.where, f"what is expected is not handled: {error}")]
    return _against(wanted, table, "was expected")
