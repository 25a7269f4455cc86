r"""`slash.law` and its coarser relatives: the expected score on independently drawn positions.

Observed is the mean over what was drawn (`ropeproof.tools.measure.head.law`), of which the bounds are
exact; the guarantee has the sampling radius taken off, at the stated confidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    score_at,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["law_verdicts"]

_FLOAT32 = 1e-4
"""Rounding of a weight whose logits were formed in float32."""


def law_verdicts(study: Study) -> Iterator[Verdict]:
    """Verdicts of `slash.law` and its relatives at the lag of a slash head; none for others."""
    found = study.measure.law
    if found is None:
        return
    bounds: tuple[tuple[str, str, tuple[float, float | None]], ...] = (
        ("slash.law", "its own quantiles, 64", found.law),
        ("slash.quantiles", "15 quantiles each", found.quantiles),
        ("slash.moments", "mean and variance each", found.moments),
        ("slash.emergence-typical", "E exp(-X) and E Z", (found.typical, None)),
    )
    for claim, name, (lower, upper) in bounds:
        conditions = [
            condition("rows looked at, spread evenly", found.rows, ">=", 1),
            condition("independent draws of the others", found.draws, ">=", 1),
            taken(f"exact bound from below, by {name}", lower),
            taken(f"sampling radius at confidence {found.confidence:g}", found.radius),
        ]
        about = f"{score_at(found.lag)} on independent positions"
        least = max(0.0, lower - found.radius)
        yield conclude(
            claim,
            study.prompt,
            f"{about}, from below",
            conditions,
            at_least(least, "weight", says=least > NOTHING),
            found.score,
            rounding=_FLOAT32,
            everywhere=found.score >= lower - _FLOAT32,
        )
        if upper is not None:
            most = min(1.0, upper + found.radius)
            yield conclude(
                claim,
                study.prompt,
                f"{about}, from above",
                conditions,
                at_most(most, "weight", says=most < 1 - NOTHING),
                found.score,
                rounding=_FLOAT32,
                everywhere=found.score <= upper + _FLOAT32,
            )
