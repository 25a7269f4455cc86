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
from ropeproof.numerics.measure.attention import attention_sums
from ropeproof.numerics.measure.model import measure_and_judge
from ropeproof.numerics.measure.options import MeasureOptions
from ropeproof.numerics.measure.statistics import null_scores
from ropeproof.numerics.measure.vectors import HeadVectors

__all__ = ["DEFAULT", "QUICK", "THRESHOLDS", "record"]

DEFAULT = {"length": 512, "threshold": 0.1, "judged": None}
QUICK = {"length": 64, "threshold": 0.1, "judged": 3}
"""`judged` is how many slash heads the theorems are asked about, the strongest first; None: all."""

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5)
BANDS = ("high", "medium", "low")


def record(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The whole record, JSON; each step is kept."""
    length = settings["length"]
    text = subject.prompts(1, length)[0]
    order = torch.from_numpy(np.random.default_rng(0).permutation(length))
    prompts = {"text": text, "shuffled": text[order], "random": subject.random(1, length)[0]}
    seen = {
        name: steps.of(
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
    theorems = steps.of(
        "theorems", settings | {"heads": names}, lambda: of_theorems(subject, text, names)
    )
    return {
        "heads": seen,
        "counts": counts(seen),
        "groups": groups(seen["text"], settings["threshold"]),
        "theorems": theorems,
    }


def of_heads(subject: Subject, tokens: torch.Tensor) -> list[Json]:
    """Every head on a prompt: largest slash score and its lag, rank of queries and keys, bands, sink."""
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
                "scores": [round(float(score), 4) for score in scores[1:9]],
                "r1": [queries.r1, keys.r1],
                "r095": [queries.r095, keys.r095],
                "bands": [getattr(shares, band) for band in BANDS],
            }
        )

    heads_on(subject, tokens, visit)
    return found


def counts(seen: dict[str, list[Json]]) -> Json:
    """How many heads reach each threshold on each prompt, and with how many the text's agree.

    `kept` asks the heads that reach the threshold on text for the same on the other prompt, at the lag
    that they have there. `rank correlation` is over all heads, of the largest scores.
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
    """Rank and bands of slash heads beside all others."""
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


def of_theorems(subject: Subject, tokens: torch.Tensor, names: list[str]) -> Json:
    """Every theorem about each of the heads: how many it guarantees something, and what it says."""
    claims: dict[str, Counter[str]] = {}
    each: Json = {}
    inconsistent = 0
    options = MeasureOptions(race=0)

    def visit(head: Head) -> None:
        nonlocal inconsistent
        if head.name not in names:
            return
        verdicts = measure_and_judge(_vectors(subject, head, tokens), options)["verdicts"]
        best: dict[str, str] = {}
        order = ("out of scope", "vacuous", "guaranteed")
        for verdict in verdicts:
            inconsistent += not verdict["consistent"]
            claim, said = verdict["claim"], verdict["verdict"]
            best[claim] = max(best.get(claim, order[0]), said, key=order.index)
        for claim, said in best.items():
            claims.setdefault(claim, Counter())[said] += 1
        each[head.name] = sorted(claim for claim, said in best.items() if said == order[2])

    heads_on(subject, tokens, visit)
    return {
        "heads": len(each),
        "claims": {claim: dict(said) for claim, said in sorted(claims.items())},
        "guaranteed": each,
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
