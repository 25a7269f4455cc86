"""What the kit says of each entry, printed: `python -m tests.faults.sixth.judge [NAME ...]`."""

import collections
import sys
import tempfile
import time
import traceback
from pathlib import Path

from ropeproof.tools.conform import NONE_KNOWN

from tests.faults.sixth import FAULTS, RIGHT, Entry


def said(report: object) -> str:
    """All that the report says of a cause, in small letters: its text, other texts, warnings."""
    cause = report.cause  # type: ignore[attr-defined]
    texts = [] if cause is None else [cause.text, *(text for _, text in cause.others)]
    texts += [w.detail for w in report.warnings]  # type: ignore[attr-defined]
    texts += [w.cause.text for w in report.warnings if w.cause]  # type: ignore[attr-defined]
    return " | ".join(texts).lower()


def verdict(entry: Entry, report: object) -> str:
    """`missed`, `named rightly`, `named wrongly` or `no name`; of a right form `right` or `accused`."""
    passed = report.passed and not report.warnings  # type: ignore[attr-defined]
    if not entry.words:
        return "right" if report.passed else "accused"  # type: ignore[attr-defined]
    if passed:
        return "missed"
    cause = report.cause  # type: ignore[attr-defined]
    text = said(report)
    if all(any(word in text for word in group) for group in entry.words):
        return "named rightly"
    if cause is not None and cause.id in entry.ids:
        return "named rightly"
    if (cause is None and not report.passed) or (cause is not None and cause.id == NONE_KNOWN):  # type: ignore[attr-defined]
        return "no name"
    return "named wrongly"


def main(names: list[str]) -> None:
    """Print a line for each entry and the numbers of each verdict."""
    counts: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    for entry in (*FAULTS, *RIGHT):
        if names and entry.name not in names:
            continue
        start = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            try:
                report = entry.check(Path(folder))
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                result, text = "error", f"{type(error).__name__}: {error} ({last.name})"
            else:
                cause = report.cause
                result = verdict(entry, report)
                text = f"[{'' if cause is None else cause.id}] {said(report)}"
                if names or result == "accused":
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
