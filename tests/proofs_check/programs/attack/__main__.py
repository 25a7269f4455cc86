"""Puts each entry to the prover and prints what it says: `python -m attack [WORDS OF NAMES OR KINDS]`."""

from __future__ import annotations

import collections
import contextlib
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator

from attack import ENTRIES, called
from attack.entry import Entry
from attack.prover import Answer, ask, excludes

SECONDS = 60


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises `TimeoutError` when that many seconds are over."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"{seconds} s are over")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def answered(entry: Entry) -> Answer:
    """The prover's answer, or its crash as an answer."""
    try:
        with entry.around(), limited(SECONDS):
            return ask(entry.make(), entry)
    except NotImplementedError:
        raise
    except BaseException as error:  # also what a function of the collection throws at a prover
        if isinstance(error, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
        return Answer("not proved", reason=f"CRASH {type(error).__name__}: {error} at {where}")


def judged(entry: Entry, answer: Answer) -> str:
    """What the answer is worth: FALSE for a wrong one, else a word or two."""
    if answer.verdict == "proved":
        if entry.differs is None:
            return "proved"
        out = excludes(answer, entry.differs)
        return f"proved, but for {out}" if out else "FALSE PROOF"
    if answer.verdict == "refuted":
        if entry.differs is None:
            return "FALSE REFUTATION"
        if answer.witness is None:
            return "refuted without a call"
        with entry.around():
            seen = called(entry.make(), answer.witness, entry)
        return "refuted" if seen.wrong else "refuted, WITNESS NOT REAL"
    return "CRASH" if answer.reason.startswith("CRASH") else "not proved"


def main(words: list[str]) -> int:
    """Prints a line for each entry and the counts; 1 if a proof or a refutation is false."""
    warnings.simplefilter("ignore")
    chosen = [e for e in ENTRIES if not words or any(w in (e.name, e.kind) for w in words)]
    counts: collections.Counter[str] = collections.Counter()
    for entry in chosen:
        start = time.perf_counter()
        answer = answered(entry)
        spent = time.perf_counter() - start
        worth = judged(entry, answer)
        counts["right: " * (entry.differs is None) + worth.split(", but")[0]] += 1
        said = " ".join((answer.reason or answer.statement).split())
        print(f"{worth:24} {spent:6.2f} s  {entry.kind}/{entry.name}: {said[:300]}", flush=True)
    for worth, count in sorted(counts.items()):
        print(f"{count:5} {worth}")
    return int(any("FALSE" in worth for worth in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
