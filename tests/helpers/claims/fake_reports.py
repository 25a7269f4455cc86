"""Made-up reports of models that were never measured, for tests of the pages that show them."""

from __future__ import annotations

import copy
import itertools
import random as drawing
from typing import Any

from ropeproof.tools.measure.kinds import KINDS, LABELS

CLAIMS = (
    ("slash.sandwich", "score at lag 1", ">=", "weight"),
    ("slash.lipschitz-ceiling", "score at lag 1", "<=", "weight"),
    ("posgen.two-axis", "largest residual", "<=", "logits"),
    ("posgen.pearson", "correlation of the reference fit", ">=", "correlation"),
    ("head.score-geometry", "difference of two weights", "<=", "relative difference"),
)


def fake_fit(draw: drawing.Random, kind: str, domain: str, centred: bool) -> dict[str, Any]:
    found = draw.uniform(0.5, 0.99)
    return {
        "kind": kind,
        "domain": domain,
        "centred": centred,
        "observations": 131_328,
        "variance": draw.uniform(0.5, 9),
        "residual": draw.uniform(0.1, 2),
        "bound": draw.uniform(2, 5),
        "guaranteed": draw.choice([0.0, draw.uniform(0, found)]),
        "largest_residual": None if domain == "grid" else draw.uniform(2, 6),
        "largest_bound": None if kind in ("query-free", "three-axis") else 7.5,
        "r_squared": found**2,
        "correlation": found,
        "null_r_squared": 0.36,
        "null_correlation": 0.6,
        "floor": 0.0117,
        "predicted": min(1.0, found**2 + draw.uniform(-0.05, 0.05)),
    }


def fake_factor(draw: drawing.Random) -> dict[str, Any]:
    return {
        "outside": draw.random(),
        "negative": draw.random() / 2,
        "mean_over_size": draw.random(),
        "scalars": sorted(draw.uniform(-3, 9) for _ in range(7)),
        "largest_rest": 2.0,
        "direction": [0.5, -0.5],
    }


def fake_law(offset: int, top: float) -> dict[str, Any]:
    bounds = {"law": [0.75 * top, 0.8 * top], "quantiles": [0.5 * top, top]}
    sampled = {"rows": 32, "draws": 512, "confidence": 0.99, "score": 0.78 * top, "radius": 0.03}
    more = {"moments": [0.1 * top, 0.9], "typical": 0.05 * top, "noise": 4.0}
    return {"offset": offset} | sampled | bounds | more


def fake_share(offset: int, top: float) -> dict[str, Any]:
    return {
        "offset": offset,
        "observed": top,
        "guaranteed": 0.75 * top - 0.03,
        "claim": "slash.law",
        "confidence": 0.99,
        "share": 0.75 - 0.03 / top,
        "by": {"slash.law": 0.75 * top - 0.03},
    }


def fake_survivor(offset: int, top: float) -> dict[str, Any]:
    scores = {"before": top, "score": top / 2, "margin": 1.0, "guaranteed": -2.0, "bands": 0.5}
    return {"scaling": "yarn", "offset": offset, "length": 2048, "peak": offset} | scores


def fake_statistics(draw: drawing.Random, tokens: int, planes: int) -> dict[str, Any]:
    lags = min(256, tokens)
    offset = draw.choice([1, 1, 2, 5, 30])
    top = draw.choice([0.9, 0.4, 0.05, 0.02])
    scores = [draw.uniform(0, 0.02) for _ in range(lags)]
    scores[offset] = top
    null = [None] + [min(1.0, 7 / tokens + t / tokens / 50) for t in range(1, lags)]
    lag = {"offset": offset, "score": top, "null": null[offset]}
    rank = {"r1": draw.uniform(0.5, 1), "r095": draw.randint(1, 9), "epsilon": draw.uniform(0, 2)}
    positional = draw.random()
    return {
        "slash": {
            "scores": scores,
            "null": null,
            "dominant": [lag] if top >= 0.1 else [],
            "largest": lag,
            "independent": [
                {"offset": offset, "score": 0.8 * top, "error": 0.01, "contextual": 0.2 * top}
            ],
            "law": fake_law(offset, top) if top >= 0.1 else None,
        },
        "factor": {part: fake_factor(drawing.Random(offset)) for part in ("queries", "keys")},
        "explained": fake_share(offset, top) if top >= 0.1 else None,
        "extended": [fake_survivor(offset, top)],
        "bfloat16": [{"offset": offset, "exact": top, "angles": top / 3, "tables": top}],
        "rank": {"queries": rank, "keys": {**rank, "epsilon": None}, "eta": draw.uniform(0, 9)},
        "planes": {
            "frequencies": [10_000 ** (-plane / planes) for plane in range(planes - 1)] + [0.0],
            "amplitudes": [draw.expovariate(2) for _ in range(planes)],
            "phases": [draw.uniform(-3.14, 3.14) for _ in range(planes)],
            **{
                name: [draw.random() for _ in range(planes)]
                for name in ("query_concentration", "key_concentration", "speed", "energy")
            },
            "share": [1 / planes] * planes,
            "lag_mean": [draw.random() for _ in range(planes)],
        },
        "bands": {"high": 0.25, "medium": 0.5, "low": 0.125, "unrotated": 0.125},
        "scores": {
            "positional": positional,
            "symbolic": 1 - positional * draw.random(),
            "purity": draw.choice(["positional", "symbolic", "both", "neither"]),
            "block": 1,
        },
        "additive": [
            fake_fit(draw, kind, domain, centred)
            for domain in ("triangle", "grid")
            for centred in (False, True)
            for kind in ("reference", "optimal", "query-free", "three-axis")
        ],
        "logits": {"mean": 0.1, "deviation": 2.0, "largest": 9.0},
        "entropy": draw.random(),
    }


def fake_verdict(draw: drawing.Random, prompt: str, which: int) -> dict[str, Any]:
    claim, about, relation, unit = CLAIMS[which % len(CLAIMS)]
    kind = draw.choice(["guaranteed", "vacuous", "out of scope", "out of scope"])
    met = kind != "out of scope"
    value = draw.uniform(0.1, 0.6)
    return {
        "claim": claim,
        "prompt": prompt,
        "about": about,
        "verdict": kind,
        "hypotheses": [
            {
                "name": "one vector for all keys, up to eps",
                "measured": 0.05 if met else 0.8,
                "relation": "<=",
                "required": 0.1,
                "met": met,
                "by": 0.05 if met else -0.7,
            },
            {
                "name": "every plane rotates",
                "measured": True,
                "relation": "==",
                "required": True,
                "met": True,
                "by": 0.0,
            },
        ],
        "guaranteed": {"relation": relation, "value": value, "unit": unit} if met else None,
        "observed": value + (0.1 if relation == ">=" else -0.05),
        "consistent": True,
    }


def fake_model(seed: int, name: str, layers: int = 3, heads: int = 4, tokens: int = 512):
    draw = drawing.Random(seed)
    prompts = ("text", "random")
    return {
        "name": name,
        "path": f"/models/{name}",
        "family": "llama",
        "layers": layers,
        "query_heads": heads,
        "key_heads": heads // 2,
        "head_dim": 32,
        "parameters": 3_200_000,
        "context": 512,
        "rope": {"base": "10000", "rotary_dim": 32, "layout": "half", "scaling": None},
        "warnings": ["512 tokens are more than the 256 positions that it was trained on"],
        "skipped": [{"layer": layers, "why": "a sliding window of 16 positions"}],
        "prompts": [
            {"name": "text", "source": "notes.txt", "tokens": tokens, "loss": 3.21},
            {
                "name": "random",
                "source": "uniform over the vocabulary, seed 0",
                "tokens": tokens,
                "loss": None,
            },
        ],
        "heads": [
            {
                "layer": layer,
                "head": head,
                "key_head": head // 2,
                "prompts": {prompt: fake_statistics(draw, tokens, 16) for prompt in prompts},
                "verdicts": [
                    fake_verdict(draw, prompt, which) for prompt in prompts for which in range(5)
                ],
            }
            for layer in range(layers)
            for head in range(heads)
        ],
    }


def fake_report(*names: str, **sizes: int) -> dict[str, Any]:
    return {
        "schema": 1,
        "versions": {"ropeproof": "0.1.0", "torch": "2.13.0"},
        "options": {
            "length": 512,
            "threshold": 0.1,
            "gamma": 0.1,
            "tau": 0.0001,
            "seed": 0,
            "text": "notes.txt",
        },
        "models": [
            fake_model(seed, name, **sizes) for seed, name in enumerate(names or ("small-lm",))
        ],
    }


def with_kinds(report: dict[str, Any]) -> dict[str, Any]:
    """A copy of a report with kinds: the heads have the labels in turn, and every score."""
    found = copy.deepcopy(report)
    for model in found["models"]:
        labels = itertools.cycle(LABELS)
        counts = dict.fromkeys(LABELS, 0)
        for number, head in enumerate(model["heads"]):
            label = next(labels)
            counts[label] += 1
            score = {"mean": 0.3 + number / 1000, "spread": 0.01, "low": 0.29, "high": 0.6}
            score |= {"null": 0.01, "threshold": 0.2, "verdict": "holds", "prompts": 8, "rows": 9}
            scores = {kind.name: score for kind in KINDS}
            head["kinds"] = {"label": label, "confidence": 0.95, "scores": scores}
            for statistics in head["prompts"].values():
                race = {"offset": 1, "rows": [5, 9], "lower": 0.5, "upper": 0.501}
                race |= {"measured": 0.6, "added": [0.099, 0.1], "error": 0.02}
                statistics["race"] = race if statistics["explained"] else None
        model["kinds"] = {"confidence": 0.95, "prompts": 8, "tokens": 512, "source": "notes.txt"}
        model["kinds"] |= {"repeated": 4, "period": 256, "counts": counts, "skipped": []}
    return found


def with_inconsistency(report: dict[str, Any]) -> dict[str, Any]:
    """A copy of a report with one theorem that guarantees more than is observed."""
    found = copy.deepcopy(report)
    verdict = found["models"][0]["heads"][5]["verdicts"][0]
    verdict["verdict"] = "guaranteed"
    verdict["guaranteed"] = {"relation": ">=", "value": 0.7, "unit": "weight"}
    verdict |= {"observed": 0.65, "consistent": False}
    return found


def with_nothing(report: dict[str, Any]) -> dict[str, Any]:
    """A copy of a report in which everything that may be missing is missing."""
    found = copy.deepcopy(report)
    for model in found["models"]:
        model |= {"context": None, "warnings": [], "skipped": []}
        for head in model["heads"]:
            del head["prompts"]["random"]
            statistics = head["prompts"]["text"]
            statistics["rank"] = {
                "queries": dict.fromkeys(("r1", "r095", "epsilon")),
                "keys": dict.fromkeys(("r1", "r095", "epsilon")),
                "eta": None,
            }
            statistics["bands"] = None
            statistics["explained"] = statistics["slash"]["law"] = None
            statistics["extended"] = statistics["bfloat16"] = []
            statistics["planes"]["amplitudes"] = [0.0] * 16
            statistics["scores"] |= {"positional": None, "symbolic": None, "purity": None}
            for fit in statistics["additive"]:
                fit.update(correlation=None, r_squared=None, predicted=None)
            for verdict in head["verdicts"]:
                verdict.update(hypotheses=[], guaranteed=None, observed=None)
                verdict["verdict"] = "out of scope"
        model["heads"][0]["prompts"] = {}
    return found
