"""Does the conformance kit catch, name, and let pass? Prints one line a case and a summary.

    python benchmarks/conformance.py [--json FILE]

Every mutant of `ropeproof.tools.conform.references.mutants` must be caught and most be named
rightly; every reference implementation must pass on every spec that it is written for. Then the second
collection, `tests/faults`, written without sight of the causes, the third, of kinds that the
others have not, the fifth, of the size of entries, and the seventh, of engines, with files and
producers of positions: how many are missed, named wrongly, named rightly, and have no name. Last, the
seconds of the processor that an implementation takes, the longest in each of these collections and
one at 64 planes and 131,072 positions.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ropeproof import RopeSpec
from ropeproof.tools.conform import Report, check
from ropeproof.tools.conform.references.mutants import MUTANTS, parts
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from faults.accepted import ACCEPTED
from faults.fifth import FIFTH
from faults.second import CORRECT, FAULTS, Fault
from faults.seventh import FAULTS as SEVENTH
from faults.seventh import RIGHT as SEVENTH_RIGHT
from faults.seventh.judge import said as said_of
from faults.seventh.judge import verdict
from faults.third import THIRD
from faults.third_accepted import THIRD_ACCEPTED

RESULTS = (
    "MISSED",
    "NAMED WRONGLY",
    "SAME NUMBERS",
    "named rightly",
    "described",
    "no name",
    "FALSE ALARM",
    "FALSE WARNING",
    "ERROR",
)
BAD = frozenset(result for result in RESULTS if result.isupper())
SPECS = {
    name: getattr(parts, name)
    for name in parts.__all__
    if isinstance(getattr(parts, name), RopeSpec)
}
LONG = RopeSpec(128, 500000, length=131072)


def mutants() -> list[dict[str, Any]]:
    rows = []
    for mutant in MUTANTS:
        report = check(mutant.make(mutant.spec), mutant.spec, **mutant.options)
        cause = report.cause
        named = cause is not None and cause.id in mutant.causes
        named = named or bool({t.name for t in report.failures} & mutant.causes)
        said = cause.text if cause is not None else ", ".join(t.name for t in report.failures)
        rows.append(
            {"name": mutant.name, "caught": not report.passed, "named": named, "said": said}
        )
        mark = "named " if named else "caught" if not report.passed else "MISSED"
        print(f"{mark}  {mutant.name:<62} {said}")
    return rows


def right() -> list[dict[str, Any]]:
    rows = []
    for name, one in RIGHT.items():
        tried = {k: s for k, s in SPECS.items() if s.layout in one.layouts}
        bad = [k for k, s in tried.items() if not check(one.make(s), s, **one.options).passed]
        rows.append({"name": name, "specs": len(tried), "refused": bad})
        print(f"{'passed' if not bad else 'REFUSED'}  {name:<40} {len(tried)} specs {bad or ''}")
    for name, (spec, make) in RIGHT_KINDS.items():
        bad = [] if check(make(spec), spec).passed else [name]
        rows.append({"name": name, "specs": 1, "refused": bad})
        print(f"{'passed' if not bad else 'REFUSED'}  {name:<40} its own spec")
    return rows


def judged(faults: Sequence[Fault], names: Mapping[str, frozenset[str]]) -> list[dict[str, Any]]:
    """Judge each fault of a collection: missed, named wrongly or rightly, or without a name."""
    rows = []
    for fault in faults:
        begun = time.process_time()
        report = check(fault.make(), fault.spec, **fault.options)
        spent, cause = time.process_time() - begun, report.cause
        said = "" if cause is None else cause.text
        # A test that says itself what is wrong is a name; the gradient that is missing, for one.
        flagged = {t.name for t in (*report.failures, *report.warnings)}
        allowed = names.get(fault.name, frozenset())
        if fault.name not in names:
            result = "passed" if report.passed else "FALSE ALARM"
        elif report.passed and not report.warnings:
            result = "MISSED"
        elif cause is not None and cause.known:
            result = "named rightly" if cause.id in allowed else "NAMED WRONGLY"
        else:
            result = "named rightly" if flagged & allowed else "no name"
        row = {"name": fault.name, "truth": fault.truth, "result": result, "said": said}
        rows.append(row | {"seconds": spent})
        print(f"{result:<14} {fault.name:<26} {spent:5.1f} s  {said or ', '.join(sorted(flagged))}")
    return rows


def sized() -> list[dict[str, Any]]:
    """Judge each fault of the fifth collection: named rightly if its diagnosis has the required words."""
    rows = []
    for name, (spec, make, says, options) in FIFTH.items():
        begun = time.process_time()
        report = check(make(), spec, **options)
        spent, cause = time.process_time() - begun, report.cause
        said = "" if cause is None else cause.text
        result = "named rightly" if says in said else "NAMED WRONGLY"
        result = "MISSED" if report.passed else result
        rows.append({"name": name, "truth": says, "result": result, "said": said, "seconds": spent})
        print(f"{result:<14} {name:<26} {spent:5.1f} s  {said}")
    return rows


def engines() -> list[dict[str, Any]]:
    """Judge each fault and each right form of the seventh collection by the words that it requires."""
    rows = []
    for entry in (*SEVENTH, *SEVENTH_RIGHT):
        begun = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            try:
                report = entry.check(Path(folder))
                result, said = verdict(entry, report), said_of(report)
            except Exception as error:  # a crash is a result of its own
                result, said = "ERROR", f"{type(error).__name__}: {error}"
        spent = time.process_time() - begun
        row = {"name": entry.name, "truth": entry.cause, "result": result, "said": said}
        rows.append(row | {"seconds": spent})
        print(f"{result:<14} {entry.name:<26} {spent:5.1f} s  {said}")
    return rows


def told(collection: str, rows: Sequence[dict[str, Any]]) -> int:
    """Print the summary of a collection; returns the number of results in capitals, which should be none."""
    counts = Counter(row["result"] for row in rows)
    shown = [r for r in RESULTS if r in counts or r in ("MISSED", "NAMED WRONGLY", "FALSE ALARM")]
    print(f"{collection}:", ", ".join(f"{counts[r]} {r.lower()}" for r in shown), end="; ")
    print(f"{max(row['seconds'] for row in rows):.1f} s of the processor the longest")
    return sum(counts[result] for result in BAD)


def seconds() -> dict[str, float]:
    def timed(one: Any) -> float:
        begun = time.process_time()
        report: Report = check(one, LONG)
        del report
        return time.process_time() - begun

    wrong = RopeSpec(128, 10000, length=131072)
    rotation = RIGHT["rotate_half"].make
    return {"right": timed(rotation(LONG)), "wrong": timed(rotation(wrong))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument(
        "--second",
        action="store_true",
        help="the second, third, fifth and seventh collection alone",
    )
    given = parser.parse_args()
    to = given.json
    other, third = judged((*FAULTS, *CORRECT), ACCEPTED), judged(THIRD, THIRD_ACCEPTED)
    bad = told(f"second collection, {len(FAULTS)} faults and {len(CORRECT)} right ones", other)
    bad += told(f"third collection, {len(THIRD)} faults", third)
    fifth = sized()
    bad += told(f"fifth collection, {len(FIFTH)} faults of the size of entries", fifth)
    seventh = engines()
    size = f"{len(SEVENTH)} faults of engines and {len(SEVENTH_RIGHT)} right forms"
    bad += told(f"seventh collection, {size}", seventh)
    if given.second:
        return 1 if bad else 0
    wrong, good, spent = mutants(), right(), seconds()
    caught, named = sum(r["caught"] for r in wrong), sum(r["named"] for r in wrong)
    passed = sum(not r["refused"] for r in good)
    print(f"{len(wrong)} mutants: {caught} caught, {named} named rightly")
    print(f"{len(good)} reference implementations: {passed} passed on all their specs")
    for name, time_ in spent.items():
        print(f"{time_:.1f} s of the processor for a {name} one at 64 planes, 131,072 positions")
    if to is not None:
        with open(to, "w", encoding="utf-8") as file:
            json.dump(
                {
                    "mutants": wrong,
                    "second": other,
                    "third": third,
                    "fifth": fifth,
                    "seventh": seventh,
                    "right": good,
                    "seconds": spent,
                },
                file,
                indent=1,
            )
    return 0 if caught == len(wrong) and passed == len(good) and not bad else 1


if __name__ == "__main__":
    raise SystemExit(main())
