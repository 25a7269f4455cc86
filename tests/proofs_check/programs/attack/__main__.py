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

SECONDS = 30


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises `TimeoutError` when that many seconds of the processor are over."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"{seconds} s are over")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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
        with entry.around():
            seen = called(entry.make(), entry.differs, entry)
        out = excludes(answer, entry, seen)
        return f"proved, but for {out}" if out else "FALSE PROOF"
    if answer.verdict == "refuted":
        if entry.differs is None:
            return "FALSE REFUTATION"
        if not answer.witness:
            return "refuted without a call"
        for witness in answer.witness:
            with entry.around():
                seen = called(entry.make(), witness, entry)
            if seen.wrong:
                return "refuted"
        return "refuted, WITNESS NOT REAL"
    return "CRASH" if answer.reason.startswith("CRASH") else "not proved"


def main(words: list[str]) -> int:
    """Prints a line for each entry and the counts; 1 if a proof or a refutation is false."""
    warnings.simplefilter("ignore")
    chosen = [e for e in ENTRIES if not words]
    for word in words:
        chosen += [e for e in ENTRIES if word in (e.name, e.kind) and e not in chosen]
    counts: collections.Counter[str] = collections.Counter()
    for entry in chosen:
        start = time.process_time()
        answer = answered(entry)
        spent = time.process_time() - start
        worth = judged(entry, answer)
        counts["right: " * (entry.differs is None) + worth.split(", but")[0]] += 1
        said = " ".join((answer.reason or answer.statement).split())
        print(f"{worth:24} {spent:6.2f} s  {entry.kind}/{entry.name}: {said[:600]}", flush=True)
    for worth, count in sorted(counts.items()):
        print(f"{count:5} {worth}")
    return int(any("FALSE" in worth for worth in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
