"""What slow planes cannot do: a logit that changes slowly gives a smear, not a slash."""

from __future__ import annotations

from ropeproof.theory.slash.slow import lipschitz_ceiling, low_only, two_sided_sum

__all__ = ["CLAIMS"]

CLAIMS = (*two_sided_sum.CLAIMS, *low_only.CLAIMS, *lipschitz_ceiling.CLAIMS)
