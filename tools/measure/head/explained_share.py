r"""The explained share of a slash head: its best guaranteed score over the score that is observed.

Guarantees are the lower bounds of the score at the head's strongest lag. Those of a theorem about the
prompt itself (`slash.row-sandwich`, `slash.factor-emergence`) are deterministic; those of `slash.law`,
`slash.quantiles`, `slash.moments` and `slash.emergence-typical` are about the expected score on independently
drawn positions, less the sampling radius, at a confidence that is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.tools.measure.head.statistics import HeadMeasure
from ropeproof.tools.measure.verdicts.record import NOTHING, Verdict, score_at

__all__ = ["Explained", "explained"]


@dataclass(frozen=True, kw_only=True)
class Explained:
    """The explained share of one slash head on one prompt.

    - `lag`, `observed`: the strongest lag, and its score on the prompt;
    - `guaranteed`: the largest lower bound of that score, 0 if all bounds are vacuous;
    - `claim`: the id of the claim that gives the bound, None if all are vacuous;
    - `confidence`: the confidence of a bound from samples, None if it is certain;
    - `share`: guaranteed over observed, at most 1 (a bound of the score on independent positions can
      exceed the score on a text whose order of tokens lowers it);
    - `by`: every lower bound by the id of its claim.
    """

    lag: int
    observed: float
    guaranteed: float
    claim: str | None
    confidence: float | None
    share: float
    by: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping from name to value; `lag` is called `offset`."""
        return {
            "offset": self.lag,
            "observed": self.observed,
            "guaranteed": self.guaranteed,
            "claim": self.claim,
            "confidence": self.confidence,
            "share": self.share,
            "by": self.by,
        }


def explained(measure: HeadMeasure, verdicts: Sequence[Verdict]) -> Explained | None:
    """The explained share from the statistics and verdicts of one head; None unless it is a slash head."""
    law = measure.law
    if law is None:
        return None
    start = score_at(law.lag) + ","
    certain: dict[str, float] = {}
    for verdict in verdicts:
        bound = verdict.guaranteed
        if bound is not None and bound.relation == ">=" and verdict.about.startswith(start):
            certain[verdict.claim] = max(bound.value, certain.get(verdict.claim, 0.0))
    sampled = {
        "slash.law": law.law[0],
        "slash.quantiles": law.quantiles[0],
        "slash.moments": law.moments[0],
        "slash.emergence-typical": law.typical,
    }
    sampled = {claim: max(0.0, bound - law.radius) for claim, bound in sampled.items()}
    both = certain | sampled
    claim = max(both, key=lambda name: both[name])
    observed = float(measure.attention.scores[law.lag])
    said = both[claim] > NOTHING
    return Explained(
        lag=law.lag,
        observed=observed,
        guaranteed=both[claim] if said else 0.0,
        claim=claim if said else None,
        confidence=law.confidence if said and claim in sampled else None,
        share=min(1.0, both[claim] / observed) if said else 0.0,
        by=both,
    )
