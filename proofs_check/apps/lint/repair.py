"""`--fix`: a configuration in both dialects, so that older and newer readers take the same rotation."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ropeproof.theory.rotary.readers import Linted
from ropeproof.theory.rotary.readers.engines import READERS

__all__ = ["repair"]


def repair(found: Linted) -> str | None:
    """Write the file with base and scaling in both dialects; the original is kept beside it as `.orig`.

    Returns what was done, None where there is nothing to do: a file with errors is not touched, since
    what it means is not known.
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
    fields = dict(found.fields)
    base = dict(reading.rotation)["base"]
    rope = dict(fields.get("rope_scaling") or {}) | dict(fields.get("rope_parameters") or {})
    kind = rope.get("rope_type", rope.get("type", "default"))
    rope = {k: v for k, v in rope.items() if k not in ("type", "rope_type", "rope_theta")}
    # Some readers look at one name of the type only, others refuse two that differ.
    named = {"rope_type": kind, "type": kind}
    fields["rope_theta"] = base
    fields["rope_scaling"] = None if kind == "default" and not rope else {**named, **rope}
    fields["rope_parameters"] = {**named, "rope_theta": base, **rope}
    kept = path.with_name(path.name + ".orig")
    if kept.exists():
        return f"{path}: not changed, because {kept.name} exists"
    os.replace(path, kept)
    path.write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
    done = f"{path}: written in both dialects; the original is {kept.name}"
    left = [
        f"{reader.name} reads {told}"
        for reader in READERS
        if reader.name in found.readers
        and (told := reader.read(fields)).rotation != reading.rotation
    ]
    return done if not left else f"{done}; these still read it otherwise: {'; '.join(left)}"
