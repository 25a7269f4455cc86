"""Findings and their coverage printed as text, as SARIF, or as annotations of a GitHub workflow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ropeproof.theory.rotary.readers import RULES, Linted

__all__ = ["github", "sarif", "text"]


def text(files: Sequence[Linted], *, readers: bool) -> str:
    """The findings as text, one line each in the format of compilers' messages.

    With `readers`, also the rotation that each engine reads from a file.
    """
    lines = []
    for file in files:
        for found in file.findings:
            at = f"{file.path}:{found.line}:{found.column}" if found.line else file.path
            where = f" {found.where}:" if found.where else ""
            end = "" if found.message.endswith("?") else "."
            lines.append(f"{at}: {found.level} {found.id}:{where} {found.message}{end} {found.fix}")
        lines += _verdict(file)
        if readers:
            lines += [f"  {name:<20} {reading}" for name, reading in file.readers.items()]
            unread = () if file.coverage is None else file.coverage.unread
            lines += [f"  {name:<20} not modelled for this family" for name in unread]
            if not file.readers and file.path.endswith(".json"):
                lines.append(
                    "  not known: no reader of this family is modelled, or the file has errors"
                )
    return "\n".join(lines)


def _verdict(file: Linted) -> list[str]:
    if file.coverage is None:
        return [] if file.findings else [f"{file.path}: nothing found"]
    clean = not file.findings and file.coverage.state == "checked"
    return [f"{file.path}: {'nothing found; ' if clean else ''}{file.coverage}"]


def _uri(path: str) -> str:
    """A path as a URI reference, relative or absolute, with spaces and percent signs escaped."""
    return quote(Path(path).as_posix(), safe="/:")


def github(files: Sequence[Linted]) -> str:
    """The findings as commands of a GitHub workflow, which shows them beside the lines."""
    lines = []
    for file in files:
        at = f"file={_property(file.path)}"
        for found in file.findings:
            kind = {"error": "error", "warning": "warning"}.get(found.level, "notice")
            place = f"{at},line={max(found.line, 1)},col={max(found.column, 1)}"
            where = f"{found.where}: " if found.where else ""
            told = _message(f"{where}{found.message}. {found.fix}")
            lines.append(f"::{kind} {place},title={_property('ropeproof ' + found.id)}::{told}")
        covered = file.coverage
        if covered is not None and covered.state == "not checked":
            title = _property("ropeproof not-checked")
            lines.append(f"::warning {at},title={title}::{_message(str(covered))}")
    return "\n".join(lines)


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


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
                        "artifactLocation": {"uri": _uri(file.path)},
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
    notified = [
        {
            "descriptor": {"id": "not-checked"},
            "level": "warning" if file.coverage.state == "not checked" else "note",
            "message": {"text": str(file.coverage)},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(file.path)}}}],
        }
        for file in files
        if file.coverage is not None and (file.coverage.state != "checked" or file.coverage.missing)
    ]
    driver = {"name": "ropeproof", "version": version, "rules": rules}
    ran = {"executionSuccessful": True, "toolExecutionNotifications": notified}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "invocations": [ran], "results": results}],
    }
