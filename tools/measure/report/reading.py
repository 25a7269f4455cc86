"""The figures that every form of the report shows: peaks, counts, fits and sentences.

The report is the JSON of `--json`, as plain Python objects. The table, the page and the pictures
take their figures from here, so that they cannot say different things.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

__all__ = [
    "BANDS",
    "PURITIES",
    "Counts",
    "Peak",
    "PromptSummary",
    "bands_between",
    "bands_of",
    "claim_counts",
    "count_verdicts",
    "deciding_condition",
    "excess",
    "fit_name",
    "grid_fit",
    "guarantee_text",
    "head_key",
    "head_name",
    "headline_fit",
    "heads_per_layer",
    "inconsistencies",
    "inconsistency_text",
    "is_slash",
    "kind_of",
    "number",
    "on_prompt",
    "peak",
    "peak_text",
    "prompt_names",
    "share_of_bands",
    "statistics_of",
    "summaries",
    "summary_sentences",
    "threshold_of",
    "wavelengths",
    "wavelengths_shown",
]

Json: TypeAlias = Mapping[str, Any]

BANDS = ("high", "medium", "low", "unrotated")
PURITIES = ("positional", "symbolic", "both", "neither")


@dataclass(frozen=True)
class Peak:
    """The largest slash score over lags >= 1, its lag and the exchangeable-token null there."""

    score: float
    offset: int
    null: float | None


@dataclass(frozen=True)
class Counts:
    """How many verdicts there are of each kind, and how many guarantee more than is observed."""

    guaranteed: int = 0
    vacuous: int = 0
    out_of_scope: int = 0
    inconsistent: int = 0

    @property
    def total(self) -> int:
        """The number of all verdicts; an inconsistent one is counted once, under its kind."""
        return self.guaranteed + self.vacuous + self.out_of_scope


@dataclass(frozen=True, kw_only=True)
class PromptSummary:
    """Counts and medians over the heads of one model on one prompt.

    - `slash`: heads with a lag >= 1 whose score is at least the threshold and above the null;
    - `purity`: heads by purity;
    - `excess`: the median over heads of correlation minus null of the row-centred `optimal` fit on
      the grid, and of its `correlation` and `null`; None if no head has one; `floor` is that of
      the same fits.
    """

    prompt: str
    heads: int
    slash: int
    purity: Mapping[str, int]
    excess: float | None
    correlation: float | None
    null: float | None
    floor: float | None


def number(value: float | None, digits: int = 3) -> str:
    """A measured number for a reader: `digits` decimals, an exponent where those say nothing.

    >>> number(0.8123), number(12345.6), number(0.00004), number(None), number(0), number(7)
    ('0.812', '12346', '4.0e-05', 'none', '0', '7')
    """
    if value is None:
        return "none"
    if isinstance(value, int) or value == 0:
        return f"{value:g}"
    if not math.isfinite(value):
        return f"{value}"
    size = abs(value)
    if size < 0.5 * 10.0**-digits or size >= 1e6:
        return f"{value:.1e}"
    return f"{value:.0f}" if size >= 1000 else f"{value:.{digits}f}"


def heads_per_layer(model: Json) -> int:
    """How many query heads a layer has, or at least had when measured."""
    if "query_heads" in model:
        return int(model["query_heads"])
    return 1 + max((int(head["head"]) for head in model["heads"]), default=-1)


def threshold_of(report: Json) -> float:
    """The score from which on a head counts as a slash head."""
    return float(report["options"]["threshold"])


def prompt_names(model: Json) -> tuple[str, ...]:
    """The names of the prompts that a model was run on, in their order."""
    return tuple(str(prompt["name"]) for prompt in model["prompts"])


def statistics_of(head: Json, prompt: str) -> Json | None:
    """The statistics of a head on a prompt, None if it was not measured there."""
    found: Json | None = head["prompts"].get(prompt)
    return found


def peak(statistics: Json | None) -> Peak | None:
    """The largest slash score, None if there is none."""
    largest = None if statistics is None else statistics["slash"].get("largest")
    if largest is None or largest["score"] is None:
        return None
    null = largest.get("null")
    return Peak(float(largest["score"]), int(largest["offset"]), null)


def peak_text(best: Peak) -> str:
    """The largest slash score in words."""
    return f"{number(best.score)} at lag {best.offset} (null {number(best.null)})"


def is_slash(statistics: Json | None, threshold: float) -> bool:
    """Whether some lag >= 1 has a score of at least the threshold that is above the null."""
    if statistics is None:
        return False
    lags = [*statistics["slash"]["dominant"], statistics["slash"].get("largest")]
    return any(
        lag is not None
        and lag["offset"] >= 1
        and lag["score"] is not None
        and lag["score"] >= threshold
        and (lag["null"] is None or lag["score"] > lag["null"])
        for lag in lags
    )


def head_name(head: Json) -> str:
    """A head by its layer and number, `3.7`."""
    return f"{head['layer']}.{head['head']}"


def head_key(head: Json, place: int) -> str:
    """The anchor of a head in the HTML page; `place` is the number of its model."""
    return f"m{place}-l{head['layer']}-h{head['head']}"


def kind_of(head: Json) -> str | None:
    """The label of a head (`ropeproof.tools.measure.kinds`), None where kinds were not decided."""
    kinds = head.get("kinds")
    return None if not kinds else str(kinds["label"])


def share_of_bands(statistics: Json) -> float | None:
    """The share of the amplitude in planes of high and medium frequency, None without amplitude."""
    bands = statistics["bands"]
    return None if bands is None else float(bands["high"]) + float(bands["medium"])


def bands_of(bands: Json) -> tuple[str, ...]:
    """The frequency bands that have any amplitude, from short wavelengths to unrotated planes."""
    return tuple(band for band in BANDS if bands[band] > 0)


def wavelengths(planes: Json) -> list[float]:
    """Positions per turn of each plane, infinite where it does not rotate."""
    return [
        2 * math.pi / frequency if frequency else math.inf for frequency in planes["frequencies"]
    ]


def wavelengths_shown(waves: Sequence[float], tokens: int) -> tuple[float, float]:
    """The ends of an axis that covers all finite wavelengths and four times the prompt's length."""
    finite = [wave for wave in waves if math.isfinite(wave)]
    return min(finite, default=6.0) / 1.6, max([*finite, 4.0 * tokens]) * 1.6


def bands_between(low: float, high: float, tokens: int) -> Iterator[tuple[str, float, float]]:
    """Yield the frequency bands on an axis of wavelengths, as name, start and end.

    High frequency goes up to 16 positions, medium frequency up to twice the prompt's length.
    """
    edges = [low, min(max(16.0, low), high), min(max(2.0 * tokens, low), high), high]
    for name, start, end in zip(BANDS, edges, edges[1:], strict=False):
        if end > start:
            yield name, start, end


def excess(fit: Json) -> float | None:
    """The correlation of a fit minus its null, None if it has no correlation."""
    if fit["correlation"] is None:
        return None
    return float(fit["correlation"]) - float(fit["null_correlation"])


def headline_fit(statistics: Json) -> Json | None:
    """Of the row-centred fits on the triangle, the one with the largest correlation.

    Those are the logits that softmax sees. Fits with more freedom have a larger correlation and a
    larger null, so that a correlation is never shown alone. None if no fit has one.
    """
    fits = [
        fit
        for fit in statistics["additive"]
        if fit["domain"] == "triangle" and fit["centred"] and fit["correlation"] is not None
    ]
    return max(fits, key=lambda fit: float(fit["correlation"]), default=None)


def grid_fit(statistics: Json | None, *, centred: bool = True) -> Json | None:
    """The `optimal` fit on the grid, which `posgen.anova` predicts; None without one."""
    for fit in () if statistics is None else statistics["additive"]:
        if (fit["kind"], fit["domain"], fit["centred"]) == ("optimal", "grid", centred):
            found: Json = fit
            return found
    return None


def fit_name(fit: Json) -> str:
    """The kind, the domain and the centring of a fit, in words."""
    return f"{fit['kind']}, {fit['domain']}, {'row-centred' if fit['centred'] else 'pooled'}"


def count_verdicts(verdicts: Sequence[Json]) -> Counts:
    """The number of verdicts of each kind, and of inconsistent ones."""
    kinds = Counter(verdict["verdict"] for verdict in verdicts)
    return Counts(
        kinds["guaranteed"],
        kinds["vacuous"],
        kinds["out of scope"],
        sum(not verdict["consistent"] for verdict in verdicts),
    )


def claim_counts(model: Json) -> dict[str, Counts]:
    """The counts of every claim that some verdict is about, by its id."""
    verdicts: dict[str, list[Json]] = {}
    for head in model["heads"]:
        for verdict in head["verdicts"]:
            verdicts.setdefault(verdict["claim"], []).append(verdict)
    return {claim: count_verdicts(found) for claim, found in sorted(verdicts.items())}


def deciding_condition(verdict: Json) -> Json | None:
    """The hypothesis that fails by most, or, if all are met, the one that is met by least.

    Slacks of different hypotheses are compared relative to what is required.
    """
    conditions: list[Json] = list(verdict["hypotheses"])
    failing = [condition for condition in conditions if not condition["met"]]
    return min(failing or conditions, key=_slack, default=None)


def _slack(condition: Json) -> float:
    by, required = condition["by"], condition["required"]
    if by is None:
        return 0.0 if condition["met"] else -math.inf
    if isinstance(required, bool) or not isinstance(required, int | float):
        # Yes or no: met without slack, but not more telling than a number that is met.
        return math.inf if condition["met"] else float(by)
    return float(by) / abs(float(required)) if required else float(by)


def guarantee_text(verdict: Json) -> str:
    """The guarantee of a verdict as text with its unit, `none` without one."""
    promised = verdict["guaranteed"]
    if promised is None:
        return "none"
    unit = f" {promised['unit']}" if promised.get("unit") else ""
    return f"{promised['relation']} {number(promised['value'])}{unit}"


def inconsistencies(model: Json) -> Iterator[tuple[Json, Json]]:
    """Yield the heads and verdicts where a theorem guarantees more than is observed."""
    for head in model["heads"]:
        for verdict in head["verdicts"]:
            if not verdict["consistent"]:
                yield head, verdict


def inconsistency_text(head: Json, verdict: Json) -> str:
    """A sentence on an inconsistent verdict, with enough digits to see the difference."""
    promised, observed = verdict["guaranteed"], verdict["observed"]
    bound = "something"
    if promised is not None:
        bound = f"{promised['relation']} {promised['value']:.6g} {promised['unit']}".rstrip()
    found = "none" if observed is None else f"{observed:.6g}"
    return (
        f"layer {head['layer']}, head {head['head']}: {verdict['claim']} guarantees {bound} "
        f"({verdict['about']}, {on_prompt(str(verdict['prompt']))}), but {found} is observed"
    )


def on_prompt(name: str) -> str:
    """The words for the prompt on which something was measured.

    >>> on_prompt("random"), on_prompt("text")
    ('on random tokens', 'on text')
    """
    return {"random": "on random tokens", "tokens": "on the given tokens"}.get(name, f"on {name}")


def summaries(model: Json, threshold: float) -> tuple[PromptSummary, ...]:
    """The `PromptSummary` of a model on each of its prompts."""
    return tuple(_summary(model, prompt, threshold) for prompt in prompt_names(model))


def _summary(model: Json, prompt: str, threshold: float) -> PromptSummary:
    every = [statistics_of(head, prompt) for head in model["heads"]]
    found = [statistics for statistics in every if statistics is not None]
    kinds = Counter(statistics["scores"]["purity"] for statistics in found)
    fits = [fit for fit in map(grid_fit, found) if fit is not None]
    fits = [fit for fit in fits if fit["correlation"] is not None]

    def middle(values: list[float]) -> float | None:
        return median(values) if values else None

    return PromptSummary(
        prompt=prompt,
        heads=len(found),
        slash=sum(is_slash(statistics, threshold) for statistics in found),
        purity={kind: kinds[kind] for kind in PURITIES},
        excess=middle([fit["correlation"] - fit["null_correlation"] for fit in fits]),
        correlation=middle([fit["correlation"] for fit in fits]),
        null=middle([fit["null_correlation"] for fit in fits]),
        floor=middle([fit["floor"] for fit in fits]),
    )


def summary_sentences(model: Json, threshold: float) -> tuple[str, ...]:
    """The findings of a model in words, one sentence or two per topic."""
    if not model["heads"]:
        return ("Nothing was measured: every layer was skipped.",)
    found: list[str] = []
    for summary in summaries(model, threshold):
        on = f"O{on_prompt(summary.prompt)[1:]}, "
        found.append(
            f"{on}{summary.slash} of {summary.heads} heads are slash heads: some lag has a score "
            f"of {threshold:g} or more, above its null."
        )
        kinds = ", ".join(f"{count} {kind}" for kind, count in summary.purity.items())
        found.append(f"{on}by the scores of swapped tokens: {kinds}.")
        if summary.excess is None:
            found.append(f"{on}no head has logits with a variance to fit.")
        else:
            found.append(
                f"{on}the median correlation of row-centred logits with the best additive fit (on the "
                f"grid) is {number(summary.correlation)}, where random features have {number(summary.null)} "
                f"(noise floor of R² {number(summary.floor)}): median {summary.excess:+.3f} over the "
                "null."
            )
    counts = count_verdicts([v for head in model["heads"] for v in head["verdicts"]])
    found.append(
        f"Of {counts.total} verdicts, {counts.guaranteed} guarantee something, {counts.vacuous} "
        f"are vacuous and {counts.out_of_scope} are out of scope."
    )
    if counts.inconsistent:
        found.append(
            f"INCONSISTENT: {counts.inconsistent} verdicts guarantee more than is observed. "
            "That is a bug, of a theorem's reading or of the measurement."
        )
    else:
        found.append("No theorem guarantees more than is observed.")
    return tuple(found)
