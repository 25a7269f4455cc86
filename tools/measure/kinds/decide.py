r"""From scores in many prompts to a label: what holds, with which confidence.

Prompts are the independent observations; the rows of one prompt are not. For each kind the score of a
prompt is the mean over its rows, and the expected score over prompts lies above

    mean - t spread / sqrt(prompts)

with the stated confidence, `t` the quantile of Student's distribution with one prompt less: exact for
scores that are normal, a convention of the field for others. A kind **holds** if that bound reaches the
threshold and exceeds the null, **fails** if the bound from above stays below the threshold, and is **not
decided** in between. The label is the first kind in the order of `KINDS` that holds, if all before it
fail; `mixed` if all fail; else `not decided`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.measure.kinds.table import KINDS, MIXED, NOT_DECIDED, Kind, KindOptions

__all__ = ["FEWEST", "HeadKinds", "KindScore", "decided"]

Floats = NDArray[np.float64]

FEWEST = 4
"""Prompts without which nothing is decided."""

HOLDS, FAILS, OPEN = "holds", "fails", "not decided"


@dataclass(frozen=True, kw_only=True)
class KindScore:
    """One kind of one head.

    - `mean`, `spread`: the mean and the standard deviation over prompts of the score;
    - `low`, `high`: between which numbers its expectation is, each at the confidence asked for; None
      for too few prompts;
    - `null`, `threshold`: what it has to exceed; `verdict`: `"holds"`, `"fails"` or `"not decided"`;
    - `prompts`, `rows`: of how many prompts, with how many rows each;
    - `lag`: of the slash score, else None.
    """

    kind: str
    mean: float
    spread: float
    low: float | None
    high: float | None
    null: float
    threshold: float
    verdict: str
    prompts: int
    rows: int
    lag: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields by name, without the kind; five digits."""
        numbers = {
            name: None if value is None else float(f"{value:.5g}")
            for name in ("mean", "spread", "low", "high", "null", "threshold")
            for value in (getattr(self, name),)
        }
        rest = {"verdict": self.verdict, "prompts": self.prompts, "rows": self.rows}
        return numbers | rest | ({} if self.lag is None else {"offset": self.lag})


@dataclass(frozen=True, kw_only=True, repr=False)
class HeadKinds:
    """What one head is: `label`, at `confidence`, and the score of every kind by its name."""

    layer: int
    head: int
    label: str
    confidence: float
    scores: Mapping[str, KindScore]

    def __repr__(self) -> str:
        return f"<head {self.layer}.{self.head}: {self.shown}>"

    @property
    def lag(self) -> int | None:
        """That of a slash or previous-token head, else None."""
        found = self.scores.get(self.label)
        return None if found is None else found.lag

    @property
    def shown(self) -> str:
        """The label for a reader, with its lag and score."""
        found = self.scores.get(self.label)
        if found is None:
            return self.label
        lag = f" @{found.lag}" if self.label == "slash" else ""
        return f"{self.label}{lag} {found.mean:.2f}"

    @property
    def strength(self) -> float:
        """The score of the kind that the label names, 0 without one."""
        found = self.scores.get(self.label)
        return 0.0 if found is None else found.mean

    def as_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {
            "label": self.label,
            "confidence": self.confidence,
            "scores": {name: score.as_json() for name, score in self.scores.items()},
        }


def score_of(
    kind: Kind,
    each: Floats,
    *,
    null: float,
    options: KindOptions,
    rows: int,
    lag: int | None = None,
) -> KindScore:
    """One kind from its scores in each prompt, `(prompts,)`."""
    from scipy.special import stdtrit

    count = len(each)
    threshold = options.threshold(kind)
    mean = float(each.mean())
    spread = float(each.std(ddof=1)) if count > 1 else 0.0
    low = high = None
    verdict = OPEN
    if count >= FEWEST:
        half = float(stdtrit(count - 1, options.confidence)) * spread / math.sqrt(count)
        low, high = mean - half, mean + half
        if low >= threshold and low > null:
            verdict = HOLDS
        elif high < threshold or high <= null:
            verdict = FAILS
    return KindScore(
        kind=kind.name,
        mean=mean,
        spread=spread,
        low=low,
        high=high,
        null=null,
        threshold=threshold,
        verdict=verdict,
        prompts=count,
        rows=rows,
        lag=lag,
    )


def decided(scores: Mapping[str, KindScore]) -> str:
    """The label, from the verdicts in the order of `KINDS`."""
    for kind in KINDS:
        found = scores.get(kind.name)
        if found is None or found.verdict == FAILS:
            continue
        return kind.name if found.verdict == HOLDS else NOT_DECIDED
    return MIXED if scores else NOT_DECIDED
