"""The option `--fix`: writing a configuration in both dialects, so that old and new readers agree."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

from ropeproof.theory.rotary.readers import Linted
from ropeproof.theory.rotary.readers.engines import BY_TYPE, READERS, EngineReading
from ropeproof.theory.rotary.readers.rules import sections

__all__ = ["repair"]

_PLAIN = ("type", "rope_type", "rope_theta")


def repair(found: Linted) -> str | None:
    """Write the file with base and scaling in both dialects, and keep the original beside it as `.orig`.

    Returns a message of what was done, None where there is nothing to do. A file with errors is not touched,
    since what it means is not known.
    """
    path = Path(found.path)
    ids = {finding.id for finding in found.findings}
    if path.name != "config.json" or not ids & {"dialect-new", "readers-differ"}:
        return None
    if any(finding.level == "error" for finding in found.findings):
        return f"{path}: not changed, because it has errors"
    reading = found.readers.get("transformers 5")
    if reading is None or reading.refused:
        return f"{path}: not changed, because its family is not modelled"
    fields = copy.deepcopy(dict(found.fields))
    at = next(at for at, section in sections(found.fields) if section is found.model)
    section = fields
    for key in at.split(".") if at else ():
        section = section[key]
    _both(section, reading)
    kept = path.with_name(path.name + ".orig")
    if kept.exists():
        return f"{path}: not changed, because {kept.name} exists"
    os.replace(path, kept)
    path.write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
    done = f"{path}: written in both dialects; the original is {kept.name}"
    left = [
        f"{reader.name} reads {told}"
        for reader in READERS
        if reader.name in found.readers and not (told := reader.read(section)).same(reading)
    ]
    return done if not left else f"{done}; these still read it otherwise: {'; '.join(left)}"


def _both(fields: dict[str, Any], reading: EngineReading) -> None:
    """Write a reading into a section of a configuration, in the dialects of transformers 4 and 5."""
    old, new = (dict(fields.get(key) or {}) for key in ("rope_scaling", "rope_parameters"))
    if not reading.others:
        fields["rope_theta"] = dict(reading.rotation)["base"]
        rope = old | new
        kind = str(rope.get("rope_type") or rope.get("type") or "default")
        fields["rope_scaling"], named = _dialects(rope, kind)
        fields["rope_parameters"] = {**named, "rope_theta": fields["rope_theta"]}
        return
    written = {}
    for key, (layers, rotation) in zip(
        BY_TYPE[str(fields["model_type"])], reading.by_type(), strict=True
    ):
        found, inner = dict(rotation), dict(new.get(layers) or {})
        scaling, named = _dialects(
            (old if layers == "full_attention" else {}) | inner, str(found["type"])
        )
        fields[key] = found["base"]
        written[str(layers)] = {**named, "rope_theta": found["base"]}
        if layers == "full_attention":
            fields["rope_scaling"] = scaling
    fields["rope_parameters"] = written


def _dialects(rope: dict[str, Any], kind: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The scaling in the older and in the newer dialect; None in the older one if there is no scaling."""
    rest = {k: v for k, v in rope.items() if k not in _PLAIN}
    # Some readers look at one name of the type only, others refuse two that differ.
    named = {"rope_type": kind, "type": kind, **rest}
    return (None if kind == "default" and not rest else dict(named)), named
