"""Findings as text, as JSON and as SARIF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropeproof.theory.rotary.readers import RULES, Linted

__all__ = ["sarif", "text"]


def text(files: Sequence[Linted], *, readers: bool) -> str:
    """One line a finding, as compilers write them; with `readers` what each makes of the file."""
    lines = []
    for file in files:
        for found in file.findings:
            at = f"{file.path}:{found.line}:{found.column}" if found.line else file.path
            where = f" {found.where}:" if found.where else ""
            end = "" if found.message.endswith("?") else "."
            lines.append(f"{at}: {found.level} {found.id}:{where} {found.message}{end} {found.fix}")
        if not file.findings:
            lines.append(f"{file.path}: nothing found")
        if readers:
            lines += [f"  {name:<20} {reading}" for name, reading in file.readers.items()]
            if not file.readers and file.path.endswith(".json"):
                lines.append(
                    "  not known: no reader of this family is modelled, or the file has errors"
                )
    return "\n".join(lines)


def sarif(files: Sequence[Linted], version: str) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log."""
    rules = [
        {"id": id, "shortDescription": {"text": rule.cause}, "help": {"text": rule.remedy}}
        for id, rule in RULES.items()
    ]
    results = [
        {
            "ruleId": found.id,
            "level": found.level,
            "message": {"text": f"{found.where}: {found.message}. {found.fix}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": file.path},
                        "region": {
                            "startLine": max(found.line, 1),
                            "startColumn": max(found.column, 1),
                        },
                    }
                }
            ],
        }
        for file in files
        for found in file.findings
    ]
    driver = {"name": "ropeproof", "version": version, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
