r"""Decide the kind of a head, with a confidence, from its scores on several prompts.

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
"""Fewest prompts on which a kind is decided."""

HOLDS, FAILS, OPEN = "holds", "fails", "not decided"


@dataclass(frozen=True, kw_only=True)
class KindScore:
    """The score of one head for one kind of head, with confidence bounds and a verdict.

    - `mean`, `spread`: the mean and the standard deviation over prompts of the score;
    - `low`, `high`: a lower and an upper bound of its expectation, each at the confidence of the
      options; None for too few prompts;
    - `null`, `threshold`: what it has to exceed; `verdict`: `"holds"`, `"fails"` or `"not decided"`;
    - `prompts`, `rows`: the number of prompts, and of rows in each;
    - `lag`: the lag at which the kind is scored, None for kinds that are about no lag.
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
        """The fields as a mapping, without `kind`, to five digits; `lag` is called `offset`."""
        numbers = {
            name: None if value is None else float(f"{value:.5g}")
            for name in ("mean", "spread", "low", "high", "null", "threshold")
            for value in (getattr(self, name),)
        }
        rest = {"verdict": self.verdict, "prompts": self.prompts, "rows": self.rows}
        return numbers | rest | ({} if self.lag is None else {"offset": self.lag})


@dataclass(frozen=True, kw_only=True, repr=False)
class HeadKinds:
    """The kind of one head: `label`, at `confidence`, and the score for every kind by its name.

    `changes` is how likely as many other prompts give another label, "not decided" being one, as
    `ropeproof.tools.measure.kinds.stability` finds it; None for too few prompts.
    """

    layer: int
    head: int
    label: str
    confidence: float
    scores: Mapping[str, KindScore]
    changes: float | None = None

    def __repr__(self) -> str:
        return f"<head {self.layer}.{self.head}: {self.shown}>"

    @property
    def lag(self) -> int | None:
        """The lag at which the kind named by the label is scored, None for kinds without one."""
        found = self.scores.get(self.label)
        return None if found is None else found.lag

    @property
    def shown(self) -> str:
        """The label as text, with its score and, for a slash head, its lag."""
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
        """Label, confidence, how likely the label changes, and scores as a mapping."""
        return {
            "label": self.label,
            "confidence": self.confidence,
            "changes": self.changes,
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
    """The `KindScore` of one kind, from the head's score in each prompt, `(prompts,)`."""
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
    """The label of a head that follows from its verdicts on the kinds, in the order of `KINDS`."""
    for kind in KINDS:
        found = scores.get(kind.name)
        if found is None or found.verdict == FAILS:
            continue
        return kind.name if found.verdict == HOLDS else NOT_DECIDED
    return MIXED if scores else NOT_DECIDED
