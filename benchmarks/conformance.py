"""Does the conformance kit catch, name, and let pass? Prints one line a case and a summary.

    python benchmarks/conformance.py [--json FILE]

Every mutant of `ropeproof.numerics.conform.mutants` must be caught and most be named rightly; every
right implementation must pass on every spec that it is written for. Last, the seconds that one
implementation takes at 64 planes and 131,072 positions.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from ropeproof import RopeSpec
from ropeproof.numerics.conform import Report, check
from ropeproof.numerics.conform.mutants import MUTANTS, parts
from ropeproof.numerics.conform.right import RIGHT
from ropeproof.numerics.conform.right_kinds import RIGHT_KINDS

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
    to = parser.parse_args().json
    wrong, good, spent = mutants(), right(), seconds()
    caught, named = sum(r["caught"] for r in wrong), sum(r["named"] for r in wrong)
    passed = sum(not r["refused"] for r in good)
    print(f"{len(wrong)} mutants: {caught} caught, {named} named rightly")
    print(f"{len(good)} right implementations: {passed} passed on all their specs")
    for name, time_ in spent.items():
        print(f"{time_:.1f} s of the processor for a {name} one at 64 planes, 131,072 positions")
    if to is not None:
        with open(to, "w", encoding="utf-8") as file:
            json.dump({"mutants": wrong, "right": good, "seconds": spent}, file, indent=1)
    return 0 if caught == len(wrong) and passed == len(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())
