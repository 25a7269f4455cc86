"""The slash pattern [SLASH]: scores in and out of distribution, rank, bands, theorems that apply."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import torch

from released.subject import Head, Json, Steps, Subject, heads_on, spread
from ropeproof.numerics.bounds.slash.learned.factor import rank_one
from ropeproof.numerics.bounds.slash.learned.rank import RankStatistics, band_shares
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.tools.measure.head.attention import attention_sums
from ropeproof.tools.measure.head.statistics import null_scores
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.model import measure_and_judge
from ropeproof.tools.measure.options import MeasureOptions

__all__ = ["DEFAULT", "QUICK", "THRESHOLDS", "record"]

DEFAULT = {"length": 512, "threshold": 0.1, "judged": None}
QUICK = {"length": 64, "threshold": 0.1, "judged": 3}
"""`judged` is how many slash heads the theorems are asked about, the strongest first; None: all."""

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5)
BANDS = ("high", "medium", "low")


def record(subject: Subject, steps: Steps, settings: Json, report: Json | None = None) -> Json:
    """The whole record as JSON; each step is kept.

    `report` is what `experiments/released_model.py` left of this model, text and length: what it has is
    taken from it, and not found again.
    """
    length = settings["length"]
    text = subject.prompts(1, length)[0]
    order = torch.from_numpy(np.random.default_rng(0).permutation(length))
    prompts = {"text": text, "shuffled": text[order], "random": subject.random(1, length)[0]}
    known = {} if report is None else {name: reported(report, name) for name in ("text", "random")}
    seen = {
        name: known.get(name)
        or steps.of(
            f"heads {name}", {"length": length}, lambda tokens=tokens: of_heads(subject, tokens)
        )
        for name, tokens in prompts.items()
    }
    slashes = [
        head
        for head in seen["text"]
        if head["score"] >= settings["threshold"] and head["score"] > head["null"]
    ]
    slashes.sort(key=lambda head: -head["score"])
    names = [head["name"] for head in slashes[: settings["judged"]]]
    lags = {head["name"]: head["lag"] for head in slashes[: settings["judged"]]}
    if report is not None:
        theorems = tally({head: of_report(report, head) for head in names}, lags)
    else:
        theorems = steps.of(
            "theorems", settings | {"heads": lags}, lambda: of_theorems(subject, text, lags)
        )
    return {
        "heads": seen,
        "counts": counts(seen),
        "groups": {name: groups(seen[name], settings["threshold"]) for name in ("text", "random")},
        "equal amplitudes": equal(subject, length),
        "theorems": theorems,
    }


def of_heads(subject: Subject, tokens: torch.Tensor) -> list[Json]:
    """The measurements of every head on a prompt: largest slash score and lag, ranks, bands."""
    found: list[Json] = []
    length = len(tokens)
    null = null_scores(length)

    def visit(head: Head) -> None:
        scores = attention_sums(_vectors(subject, head, tokens)).scores
        lag = int(scores[1 : length // 2 + 1].argmax()) + 1
        queries, keys = (
            RankStatistics(rank_one(side).singular_values) for side in (head.queries, head.keys)
        )
        sizes, _ = amplitudes_and_phases(
            head.queries.mean(0), head.keys.mean(0), subject.spec, scale=head.scale
        )
        shares = band_shares(sizes, subject.spec, length)
        found.append(
            {
                "name": head.name,
                "layer": head.layer,
                "lag": lag,
                "score": float(scores[lag]),
                "null": float(null[lag]),
                "r1": [queries.r1, keys.r1],
                "r095": [queries.r095, keys.r095],
                "bands": [getattr(shares, band) for band in BANDS],
            }
        )

    heads_on(subject, tokens, visit)
    return found


def counts(seen: dict[str, list[Json]]) -> Json:
    """The number of heads that reach each threshold on each prompt, and how they agree with the text's.

    `kept` counts the heads that reach the threshold both on text and on the other prompt; `same lag`
    those whose lag is also the same. `rank correlation` is over all heads, of the largest scores.
    """
    from scipy.stats import spearmanr

    found: Json = {}
    text = seen["text"]
    for name, heads in seen.items():
        rows = []
        for threshold in THRESHOLDS:
            there = {head["name"]: head["lag"] for head in heads if _reaches(head, threshold)}
            here = {head["name"]: head["lag"] for head in text if _reaches(head, threshold)}
            both = [key for key in here if key in there]
            rows.append(
                {
                    "threshold": threshold,
                    "heads": len(there),
                    "kept": len(both),
                    "of": len(here),
                    "same lag": sum(here[key] == there[key] for key in both),
                }
            )
        scores = [[head["score"] for head in some] for some in (text, heads)]
        found[name] = {"rows": rows, "rank correlation": float(spearmanr(*scores).statistic)}
    return found


def _reaches(head: Json, threshold: float) -> bool:
    return bool(head["score"] >= threshold and head["score"] > head["null"])


def groups(heads: list[Json], threshold: float) -> Json:
    """The ranks and bands of slash heads beside those of all others."""
    found: Json = {}
    for name, wanted in (("slash", True), ("other", False)):
        some = [head for head in heads if _reaches(head, threshold) == wanted]
        if not some:
            continue
        bands = np.array([head["bands"] for head in some])
        leading = Counter(BANDS[int(row.argmax())] for row in bands)
        found[name] = {
            "heads": len(some),
            "r1 of queries": spread([head["r1"][0] for head in some]),
            "r1 of keys": spread([head["r1"][1] for head in some]),
            "r095 of queries": spread([head["r095"][0] for head in some]),
            "r095 of keys": spread([head["r095"][1] for head in some]),
            "bands": {band: spread(bands[:, n]) for n, band in enumerate(BANDS)},
            "largest band": dict(leading),
            "high and medium above one half": int((bands[:, :2].sum(1) > 0.5).sum()),
        }
    return found


def reported(report: Json, prompt: str) -> list[Json]:
    """The rows of `of_heads`, taken from the report of a measurement."""
    found = []
    for head in report["heads"]:
        seen = head["prompts"][prompt]
        largest = seen["slash"]["largest"]
        ranks = seen["rank"]["queries"], seen["rank"]["keys"]
        found.append(
            {
                "name": f"{head['layer']}.{head['head']}",
                "layer": head["layer"],
                "lag": largest["offset"],
                "score": largest["score"],
                "null": largest["null"],
                "r1": [rank["r1"] for rank in ranks],
                "r095": [rank["r095"] for rank in ranks],
                "bands": [seen["bands"][band] for band in BANDS],
            }
        )
    return found


def equal(subject: Subject, length: int) -> list[float]:
    """The bands' shares of a head with one amplitude on all planes, for comparison."""
    shares = band_shares(np.ones(subject.spec.planes), subject.spec, length)
    return [getattr(shares, band) for band in BANDS]


def of_report(report: Json, name: str) -> list[Json]:
    """The verdicts of one head on the text, from the report of a measurement."""
    (head,) = (head for head in report["heads"] if f"{head['layer']}.{head['head']}" == name)
    return [verdict for verdict in head["verdicts"] if verdict["prompt"] == "text"]


def of_theorems(subject: Subject, tokens: torch.Tensor, lags: dict[str, int]) -> Json:
    """The verdicts of every theorem on each of the heads, tallied as by `tally`."""
    options = MeasureOptions(race=0)
    each: dict[str, list[Json]] = {}

    def visit(head: Head) -> None:
        if head.name in lags:
            vectors = _vectors(subject, head, tokens)
            each[head.name] = measure_and_judge(vectors, options)["verdicts"]

    heads_on(subject, tokens, visit)
    return tally(each, lags)


def tally(verdicts: dict[str, list[Json]], lags: dict[str, int]) -> Json:
    """The best verdict of each theorem, counted over heads; and head by head which theorems guarantee.

    `of the slash score` counts only guarantees from below of the score at the head's own lag: those that
    say that it is a slash head.
    """
    order = ("out of scope", "vacuous", "guaranteed")
    claims: dict[str, Counter[str]] = {}
    scores: Counter[str] = Counter()
    each: Json = {}
    inconsistent = 0
    for name, some in verdicts.items():
        best: dict[str, str] = {}
        below = set()
        for verdict in some:
            inconsistent += not verdict["consistent"]
            claim, said = verdict["claim"], verdict["verdict"]
            best[claim] = max(best.get(claim, order[0]), said, key=order.index)
            bound = verdict["guaranteed"]
            about = verdict["about"].replace(",", " ").split()
            mine = about[:4] == ["score", "at", "lag", str(lags[name])]
            if said == order[2] and mine and bound["relation"] == ">=":
                below.add(claim)
        scores.update(below)
        for claim, said in best.items():
            claims.setdefault(claim, Counter())[said] += 1
        each[name] = sorted(below)
    return {
        "heads": len(each),
        "claims": {claim: dict(said) for claim, said in sorted(claims.items())},
        "of the slash score": dict(scores.most_common()),
        "guaranteed": each,
        "verdicts": sum(map(len, verdicts.values())),
        "inconsistent": inconsistent,
    }


def _vectors(subject: Subject, head: Head, tokens: Any) -> HeadVectors:
    return HeadVectors(
        queries=head.queries,
        keys=head.keys,
        tokens=np.asarray(tokens, dtype=np.int64),
        spec=subject.spec,
        scale=head.scale,
        soft_cap=None,
        layer=head.layer,
        head=head.head,
        key_head=head.key_head,
        first=head.layer == 0,
        prompt="text",
    )
