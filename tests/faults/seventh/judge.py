"""What the kit says of each entry, printed: `cd tests; python -m faults.seventh.judge [NAME or KIND ...]`."""

import collections
import sys
import tempfile
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from faults.seventh import FAULTS, RIGHT, Entry
from faults.seventh.read import READ
from ropeproof.tools.conform import NONE_KNOWN

DESCRIBED = frozenset({"shift", "shift-from", "row-shift", "positions", "mrope"})
"""Causes that say at which positions vectors were turned, and not what that comes of."""


def said(report: Any) -> str:
    """What the report says of a cause, in small letters: its text, equal causes, warnings; else details.

    Not its headline, in which the name of the file or the function could have one of the words.
    """
    cause = report.cause
    if cause is None:
        texts = [found.detail for found in (*report.failures, *report.warnings)]
    else:
        texts = [cause.text, *(text for _, text in cause.others)]
        texts += [w.detail for w in report.warnings]
    return " | ".join(texts).lower()


def verdict(entry: Entry, report: Any) -> str:
    """How the report does by this entry.

    Of a fault `MISSED`, `named rightly` (the diagnosis has the words), `described` (facts with these
    words, or true positions, without what they come of), `no name`, or `NAMED WRONGLY`. Of a right form
    `passed`, `FALSE ALARM`, or of a producer `FALSE WARNING`. Where somebody has read the diagnosis,
    `READ` decides, as long as the cause is the one that was read.
    """
    cause = report.cause
    known = "" if cause is None else cause.id
    if not entry.words:
        warned = entry.kind == "producer" and report.warnings
        return "FALSE ALARM" if not report.passed else "FALSE WARNING" if warned else "passed"
    if report.passed and not report.warnings:
        return "MISSED"
    if entry.name in READ and READ[entry.name][0] == known:
        return READ[entry.name][1]
    if all(any(word in said(report) for word in group) for group in entry.words):
        nameless = known == NONE_KNOWN or (known == "" and entry.kind != "producer")
        return "described" if nameless else "named rightly"
    if known in DESCRIBED:
        return "described"
    return "no name" if known in ("", NONE_KNOWN) else "NAMED WRONGLY"


def main(names: list[str]) -> None:
    """Print a line for each entry and the numbers of each verdict; `--light` tries float32 alone."""
    counts: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    light = "--light" in names
    names = [name for name in names if name != "--light"]
    for entry in (*FAULTS, *RIGHT):
        if names and not {entry.name, entry.kind} & set(names):
            continue
        types = {"dtypes": ("float32",)} if light and entry.kind == "code" else {}
        start = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            try:
                report = replace(entry, options=types | entry.options).check(Path(folder))
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                result, text = "ERROR", f"{type(error).__name__}: {error} ({last.name})"
            else:
                cause = report.cause
                result = verdict(entry, report)
                text = f"[{'' if cause is None else cause.id}] {said(report)}"
                if names == [entry.name] or result.startswith("FALSE"):
                    text += "\n" + str(report)
        seconds = time.process_time() - start
        slowest = max(slowest, seconds)
        kind = "right form" if not entry.words else "fault"
        counts[f"{kind} {entry.kind}: {result}"] += 1
        print(f"{result:14} {entry.name:28} {seconds:5.1f} s  {text}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:4} {what}")
    print(f"{slowest:.1f} s of the processor at most")


if __name__ == "__main__":
    main(sys.argv[1:])
