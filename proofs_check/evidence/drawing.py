"""Property evidence: a check of the numerical code on drawn cases, turned into a finding."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, TypeVar
from unittest.mock import patch

import numpy as np
from hypothesis import configuration, given, settings
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
    """A case in which a conclusion does not hold; `witness` names what was found."""

    def __init__(self, message: str, **witness: object) -> None:
        super().__init__(message)
        self.witness = witness


class DrawnCase:
    """A case that is drawn, a dataclass: where a conclusion fails, all its fields are the witness."""

    @property
    def shown(self) -> dict[str, Any]:
        """The witness."""
        case: Any = self
        return {each.name: getattr(case, each.name) for each in fields(case)}


def require(condition: object, message: str, **witness: object) -> None:
    """Raise `Violation` unless the condition is true; NaN comparisons are not."""
    if not bool(condition):
        raise Violation(message, **witness)


def within(found: Any, expected: Any, budget: Any, message: str, **witness: object) -> None:
    """Raise `Violation` unless `|found - expected| <= budget` entry by entry; NaN never is."""
    off = np.abs(np.asarray(found) - np.asarray(expected))
    if not (off <= np.asarray(budget)).all():
        worst = float(np.max(off - budget))
        raise Violation(f"{message}: {worst:.3e} over the rounding budget", **witness)


def meets(enclosure: Enclosure, value: float, budget: float) -> bool:
    """Whether an enclosure is narrow and within a budget of a float64 number."""
    narrow = enclosure.width <= 8 * UNIT * max(abs(enclosure.upper), UNIT)
    return narrow and enclosure.lower - budget <= value <= enclosure.upper + budget


def threshold(
    beta: float,
    odds: Callable[[float], Enclosure],
    others: Callable[[float], float],
    budget: Callable[[float, float], float],
    **shown: object,
) -> None:
    """Raise `Violation` unless `odds` are those of the softmax rows and pass 1 at `beta`.

    `others` has the largest weight of all other positions over the target's, from the rows at an inverse
    temperature, and `budget` its rounding from that temperature and weight.
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
    """Run `check` on `how.cases` drawn cases; the finding fails with the simplest one that breaks.

    The cases are the same at every run unless `how.fresh`. A `Violation` is evidence against the
    claim; any other exception is a broken check and is raised.
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
        with _scratch(), _without_sources():
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

    It reads them in a checkout, not where the project is installed: cases would depend on that and
    on what else is loaded. And reading them takes seconds in every process.
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
def _scratch() -> Iterator[None]:
    """Keep Hypothesis from leaving a folder where the user happens to be."""
    place: Any = configuration.storage_directory(intent_to_write=False)
    with tempfile.TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(getattr(place, "home_directory", place))
