"""Property evidence: run a check of the numerical code on drawn cases and report a finding."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import fields
from typing import Any, TypeVar
from unittest.mock import patch

import numpy as np
from hypothesis import configuration, control, core, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.proofs_check.evidence import Finding
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile

__all__ = [
    "UNIT",
    "DrawnCase",
    "Violation",
    "draw_cases",
    "meets",
    "require",
    "threshold",
    "within",
]

UNIT = 2.0**-52
"""One unit in the last place at 1: rounding budgets are stated in it."""

Case = TypeVar("Case")


class Violation(Exception):
    """A case in which a conclusion does not hold; `witness` has the values to report."""

    def __init__(self, message: str, **witness: object) -> None:
        super().__init__(message)
        self.witness = witness


class DrawnCase:
    """Base class of drawn cases that are dataclasses: all fields are reported if a check fails."""

    @property
    def shown(self) -> dict[str, Any]:
        """The fields and their values, reported as the witness of a failed check."""
        case: Any = self
        return {each.name: getattr(case, each.name) for each in fields(case)}


def require(condition: object, message: str, **witness: object) -> None:
    """Raise `Violation` unless the condition is true; a comparison with NaN is false."""
    if not bool(condition):
        raise Violation(message, **witness)


def within(found: Any, expected: Any, budget: Any, message: str, **witness: object) -> None:
    """Raise `Violation` unless `|found - expected| <= budget` in every entry; NaN never passes."""
    off = np.abs(np.asarray(found) - np.asarray(expected))
    if not (off <= np.asarray(budget)).all():
        worst = float(np.max(off - budget))
        raise Violation(f"{message}: {worst:.3e} over the rounding budget", **witness)


def meets(enclosure: Enclosure, value: float, budget: float) -> bool:
    """Whether an enclosure is narrow and lies within a rounding budget of a float64 number."""
    narrow = enclosure.width <= 8 * UNIT * max(abs(enclosure.upper), UNIT)
    return narrow and enclosure.lower - budget <= value <= enclosure.upper + budget


def threshold(
    beta: float,
    odds: Callable[[float], Enclosure],
    others: Callable[[float], float],
    budget: Callable[[float, float], float],
    **shown: object,
) -> None:
    """Raise `Violation` unless `odds` agree with the softmax rows and fall below 1 at `beta`.

    `others` gives, at an inverse temperature, the largest ratio from the rows of all other positions'
    weight to the target's; `budget` gives the rounding error at that temperature and ratio.
    """
    for factor in (0.5, 1.0, 1.5):
        direct, found = others(factor * beta), odds(factor * beta)
        off = budget(factor * beta, direct)
        meet = found.lower - off <= direct <= found.upper + off
        require(meet, "the odds", beta=factor * beta, **shown)
    if beta > 0:
        require(others(beta * (1 - 1e-3)) > 1, "lower is enough", **shown)
        require(others(beta * (1 + 1e-3)) < 1, "it is not enough", **shown)


def draw_cases(
    how: Profile,
    cases: st.SearchStrategy[Case],
    check: Callable[[Case], None],
    *,
    domain: str,
) -> Finding:
    """Run `check` on `how.cases` drawn cases and report a finding.

    It fails with the simplest case that violates the conclusion. The cases are the same at every run
    unless `how.fresh`. A `Violation` is evidence against the claim; any other exception means that the
    check itself is broken, and is raised.
    """
    count = 0

    def body(case: Case) -> None:
        nonlocal count
        check(case)
        count += 1

    chosen = settings(
        settings_for("deep" if how.fresh else "quick", cases=how.cases), report_multiple_bugs=False
    )
    try:
        with _scratch(), _without_sources(), _seeded_once(how):
            chosen(given(cases)(body))()
    except Violation as violation:
        witness = {name: _show(value) for name, value in violation.witness.items()}
        outcome = fails(str(violation), witness or {"case": "the message names it"})
        return Finding(outcome, domain, count + 1)
    return Finding(holds(f"{count} cases"), domain, count)


def _show(value: object) -> str:
    return repr(value.tolist()) if isinstance(value, np.ndarray) else repr(value)


@contextmanager
def _without_sources() -> Iterator[None]:
    """Keep Hypothesis from drawing constants that it finds in the sources of loaded modules.

    It reads sources in a checkout, but not of an installed project, so cases would depend on that and
    on what else is loaded. Reading them also takes seconds in every process.
    """
    found = vars(providers)
    if not {"_get_local_constants", "Constants", "CONSTANTS_CACHE"} <= found.keys():
        yield  # another version of Hypothesis
        return
    cache = found["CONSTANTS_CACHE"]
    with (
        patch.object(providers, "_get_local_constants", found["Constants"]),
        patch.object(providers, "CONSTANTS_CACHE", type(cache)(cache.max_size)),
    ):
        yield


@contextmanager
def _seeded_once(how: Profile) -> Iterator[None]:
    """Seed the global random generators once for all cases of a check that repeats them.

    Hypothesis sets and restores their states, 625 numbers each, around every case, and compares them around
    what it draws; no evidence asks them. Fresh cases are drawn from one of them, so it stays with that.
    """
    around = getattr(core, "deterministic_PRNG", None)
    if around is None or how.fresh or not hasattr(control, "deprecate_random_in_strategy"):
        yield  # None: another version of Hypothesis
        return
    with (
        around(),
        patch.object(core, "deterministic_PRNG", nullcontext),
        patch.object(control, "deprecate_random_in_strategy", lambda *_: nullcontext()),
    ):
        yield


@contextmanager
def _scratch() -> Iterator[None]:
    """Keep Hypothesis from creating a folder in the user's working directory."""
    place: Any = configuration.storage_directory(intent_to_write=False)
    with tempfile.TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(getattr(place, "home_directory", place))
