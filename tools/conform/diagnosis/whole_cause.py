"""The cause of a whole run: the diagnosed one, one by the size of entries, or one of positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ropeproof.tools.conform import record
from ropeproof.tools.conform.diagnosis.diagnose import diagnose
from ropeproof.tools.conform.diagnosis.thresholds import sized_cause
from ropeproof.tools.conform.dumps.placed import placed_cause
from ropeproof.tools.conform.expected import grid
from ropeproof.tools.conform.named_tests.long_calls import LONG_CALL, with_long_call
from ropeproof.tools.conform.named_tests.queries import QUERIES

if TYPE_CHECKING:
    from ropeproof.tools.conform.diagnosis.diagnose import Diagnosis
    from ropeproof.tools.conform.diagnosis.guess import Observation
    from ropeproof.tools.conform.named_tests.trials import Trial

__all__ = ["cause_of_run", "with_length", "with_sizes"]


def cause_of_run(
    run: Sequence[Observation],
    tests: Sequence[record.Found],
    *,
    context: int,
    explain: bool = True,
) -> tuple[record.Cause | None, frozenset[str] | None]:
    """The cause of the failures of a run, and the names of the tests whose numbers it explains.

    `run` are the calls that were kept and `tests` their records; some of these have a cause of their own.
    Without `explain` only that is looked at. The names are None where nothing was diagnosed.
    """
    usual = [s for s in run if not s.test.startswith("calls.")]
    if any(s.failed for s in usual):  # large calls of one row would lead, and say less
        run = usual
    diagnosis = diagnose(run) if explain else None
    if diagnosis is not None and not diagnosis.cause.known:
        placed = placed_cause(run, context=context)
        if placed is not None:
            tested = frozenset(s.test for s in run if s.failed)
            diagnosis = replace(diagnosis, cause=placed, tests=tested)
    own = [t.cause for t in tests if t.cause is not None]
    # What queries of few calls are like says nothing where all calls are wrong.
    sized = next((c for c in own if c.id not in (*QUERIES, LONG_CALL) or diagnosis is None), None)
    cause = _from_first(_both(diagnosis, sized, tests), tests, context)
    return cause, None if diagnosis is None else diagnosis.tests


def _both(
    diagnosis: Diagnosis | None, sized: record.Cause | None, tests: Sequence[record.Found]
) -> record.Cause | None:
    """The cause of a run's failures: the diagnosed one, the one by the size of entries, or both.

    Vectors of signs have entries of size 1 throughout and so a norm of their own: where those are turned
    wrongly beyond a norm, and single entries rightly, that is the cause of all, not what their
    numbers are like.
    """
    if diagnosis is None or sized is None:
        return sized if diagnosis is None else diagnosis.cause
    if any(t.result == "fails" and t.name.startswith("rotation.") for t in tests) and sized.known:
        return sized
    if not sized.known:
        return diagnosis.cause
    if not diagnosis.cause.known:
        told = diagnosis.cause.text.removeprefix(f"{record.NONE_KNOWN}; ")
        return replace(sized, text=f"{sized.text}; of other calls no cause is known: {told}")
    return replace(diagnosis.cause, text=f"{diagnosis.cause.text}; {sized.text}")


def _from_first(
    cause: record.Cause | None, tests: Sequence[record.Found], context: int
) -> record.Cause | None:
    """The cause with the first wrong position of all, where it names the first of those of the grid.

    That is one if the test of every position fails before it, and no position of the grid is between them.
    """
    found = None if cause is None else re.search(r"from position (\d+) on", cause.text)
    every = next((t for t in tests if t.name == "rotation.every-position"), None)
    if cause is None or found is None or every is None or every.position is None:
        return cause
    first, named = every.position, int(found.group(1))
    if not first < named or any(first <= p < named for p in grid.grid(context)):
        return cause
    exact = f"from position {first} on"
    return replace(cause, text=cause.text.replace(found.group(0), exact))


def with_sizes(trial: Trial, found: record.Found, dtype: str) -> record.Found:
    """A failing record of `contract.linear`, with the cause if that is the size of entries."""
    if found.name != "contract.linear" or found.result != "fails" or not trial.explain:
        return found
    cause = sized_cause(trial, dtype, found.residual or 0.0)
    if cause is None or not cause.known:
        return found
    return replace(found, detail=f"{found.detail}: {cause.text}")


def with_length(trial: Trial, found: record.Found, dtype: str) -> record.Found:
    """A failing record of `rotation.every-position`, with the cause if that is the length of the call."""
    return with_long_call(trial, found, dtype, trial.context) if trial.explain else found
