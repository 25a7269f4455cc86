"""Reports of the conformance kit as the files that other tools read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ropeproof.tools.conform import Report

__all__ = ["write_junit", "write_sarif"]


def write_junit(reports: Sequence[Report], path: Path) -> None:
    """Write JUnit XML: a suite for each report and a case for each test; warnings pass and say so."""
    root = ElementTree.Element("testsuites")
    for report in reports:
        skipped = sum(t.result == "unsupported" for t in report.tests)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=report.subject,
            tests=str(len(report.tests)),
            failures=str(len(report.failures)),
            skipped=str(skipped),
            time=f"{report.seconds:.3f}",
        )
        for test in report.tests:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=report.subject,
                name=test.name,
                time=f"{test.seconds:.3f}",
            )
            if test.result == "fails":
                cause = test.cause or report.cause
                told = test.line() if cause is None else cause.text
                ElementTree.SubElement(case, "failure", message=told).text = test.line()
            elif test.result == "unsupported":
                ElementTree.SubElement(case, "skipped", message=test.detail)
            elif test.result == "warns":
                ElementTree.SubElement(case, "system-out").text = test.line()
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def write_sarif(reports: Sequence[Report], path: Path) -> None:
    """Write SARIF 2.1.0: a result for each test that fails or warns, its rule the test's name."""
    results: list[dict[str, Any]] = []
    rules: dict[str, dict[str, Any]] = {}
    for report in reports:
        for test in (*report.failures, *report.warnings):
            rules.setdefault(test.name, {"id": test.name})
            cause = test.cause or (report.cause if test.result == "fails" else None)
            told = test.line() if cause is None else f"{cause.text}: {test.line()}"
            results.append(
                {
                    "ruleId": test.name,
                    "level": "error" if test.result == "fails" else "warning",
                    "message": {"text": told},
                    "locations": [{"logicalLocations": [{"fullyQualifiedName": report.subject}]}],
                }
            )
    driver = {"name": "ropeproof conform", "rules": list(rules.values())}
    run = {"tool": {"driver": driver}, "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    whole = {"$schema": schema, "version": "2.1.0", "runs": [run]}
    path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
