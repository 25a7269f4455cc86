"""Why the rate cannot be better than 1/tau: no gradient is longer than what is missing allows."""

from __future__ import annotations

from ropeproof.theory.slash.descent.floor import ceiling, rate_floor, slow_step

__all__ = ["CLAIMS"]

CLAIMS = (*ceiling.CLAIMS, *slow_step.CLAIMS, *rate_floor.CLAIMS)
