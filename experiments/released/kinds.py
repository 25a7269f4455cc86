"""Positional against symbolic [DECOUPLE, HEADS]: scores over layers, and what becomes of each kind of head.

A head's population is what it showed at the base length: the query and the key of every position but the
first, and the first one's key. **Predicted**, before the model runs anywhere else: its scores on rows of
another length under other frequencies, with contents drawn independently from the population and the
first key in its place. **Guaranteed**: the expected weight at a slash head's lag on such rows, enclosed
by `softmax.race` without sampling. The run then has the guarantee checked on drawn rows turned by the
library's own tables, and the predictions on other prompts in the model itself.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from breaks.settings import Setting, spec_of, under
from scipy.special import rel_entr
from scipy.stats import spearmanr

from released.subject import Json, Steps, Subject
from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.bounds.head.scores import TAU, score_heads
from ropeproof.numerics.bounds.race import race_bounds
from ropeproof.numerics.models.visit import LayerHeads, visit_layers

__all__ = ["BEYOND", "DEFAULT", "QUICK", "predicted", "record"]

DEFAULT = {
    "base": 64,
    "factors": [2, 4, 8],
    "prompts": 2,
    "rows": 4,
    "scored rows": 1,
    "guaranteed heads": 12,
    "cells": 64,
    "draws": 256,
}
BEYOND = DEFAULT | {"prompts": 4, "rows": 8, "scored rows": 2, "draws": 4096}
"""The settings for a model whose base is its training length, so that the factors go beyond it."""
QUICK = DEFAULT | {"base": 32, "factors": [2], "guaranteed heads": 2, "draws": 512}
"""`scored rows` of each prompt have positional and symbolic scores, `rows` the weights."""

SCALINGS = ("none", "linear", "dynamic", "yarn")
SCORES = ("slash", "sink", "positional", "symbolic")
LABELS = ("slash", "sink", "positional", "symbolic", "mixed")
CHANCE = 1e-6
"""The chance that a check calls a valid guarantee violated; there are some hundreds of checks."""
ROUNDING = 1e-5
"""The most by which the library's own tables, in float32, may change a mean weight."""


def settings_of(base: int, factors: list[int]) -> list[Setting]:
    """The settings: the base length itself, then every factor with every scaling."""
    return [Setting("none", 1, base)] + [
        Setting(kind, factor, factor * base) for factor in factors for kind in SCALINGS
    ]


def predicted(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The predictions and guarantees, made before the model runs anywhere but at the base length."""
    base = settings["base"]
    pool = _Population(subject, settings)
    asked = settings_of(base, settings["factors"])
    scores = {}
    bounds = {}
    for setting in asked:
        name = {"setting": setting.name, **settings}
        scores[setting.name] = steps.of(
            f"predicted {setting.name}", name, lambda setting=setting: pool().scores(setting)
        )
        bounds[setting.name] = steps.of(
            f"guaranteed {setting.name}", name, lambda setting=setting: pool().bounds(setting)
        )
    at_base = steps.of("at the base", settings, lambda: pool().at_base())
    found = {"base": at_base, "predicted": scores, "guaranteed": bounds}
    whole = json.dumps(found, sort_keys=True)
    return found | {"predictions sha256": hashlib.sha256(whole.encode()).hexdigest()}


def record(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The predictions, the run, and how they agree, as JSON; each step is kept."""
    before = predicted(subject, steps, settings)
    pool = _Population(subject, settings)
    observed, checked = {}, {}
    for setting in settings_of(settings["base"], settings["factors"]):
        name = {"setting": setting.name, "predictions": before["predictions sha256"]}
        observed[setting.name] = steps.of(
            f"observed {setting.name}",
            name | settings,
            lambda setting=setting: pool().observed(setting),
        )
        checked[setting.name] = steps.of(
            f"checked {setting.name}",
            name | settings,
            lambda setting=setting: pool().checked(setting, before["guaranteed"][setting.name]),
        )
    return before | {
        "observed": observed,
        "checked": checked,
        "agreement": agreement(before, observed, checked),
    }


def label(scores: Json, head: int, null: float) -> str:
    """The kind of one head: the first that holds, with the thresholds of `ropeproof measure`."""
    slash, sink, positional, symbolic = (scores[name][head] for name in SCORES)
    if slash >= 0.1 and slash > null:
        return "slash"
    if sink >= 0.3:
        return "sink"
    if abs(positional - symbolic) >= 0.3:
        return "positional" if positional > symbolic else "symbolic"
    return "mixed"


def agreement(before: Json, observed: Json, checked: Json) -> Json:
    """The agreement of predictions and observations by setting: correlations, labels, guarantees.

    Beside each stands what the forecast 'as at the base' has, from the same prompts' base run.
    """
    found: Json = {}
    same = before["base"]
    for name, seen in observed.items():
        said = before["predicted"][name]
        row: Json = {}
        heads = range(len(seen["slash"]))
        slashes = [h for h in heads if label(same, h, 0.0) == "slash"]
        for which, over, of in (
            ("slash heads' score", slashes, lambda s: np.array(s["slash"])),
            ("weight on the first token", heads, lambda s: np.array(s["sink"])),
            (
                "positional less symbolic",
                heads,
                lambda s: np.array(s["positional"]) - np.array(s["symbolic"]),
            ),
        ):
            there = of(seen)[list(over)]
            row[which] = {
                "mean": float(there.mean()) if len(there) else None,
                "predicted mean": float(of(said)[list(over)].mean()) if len(there) else None,
                "rank correlation": _rank(of(said)[list(over)], there),
                "as at the base": _rank(of(same)[list(over)], there),
            }
        labels = [[label(one, h, 0.0) for h in heads] for one in (seen, said, same)]
        row["labels"] = {
            "observed": {kind: labels[0].count(kind) for kind in LABELS},
            "foreseen": sum(a == b for a, b in zip(labels[0], labels[1], strict=True)),
            "as at the base": sum(a == b for a, b in zip(labels[0], labels[2], strict=True)),
            "of": len(labels[0]),
        }
        checks = checked[name]
        row["guarantees"] = {
            "checked": len(checks),
            "violated": sum(check["violated"] for check in checks),
        }
        found[name] = row
    return found


def violated(mean: float, draws: int, bound: Json) -> bool:
    """Whether the mean of `draws` drawn weights contradicts an enclosure of their expectation.

    Weights are between 0 and 1, so that a mean is at `x` or further from its expectation `p` with a
    chance of at most `exp(-draws kl(x, p))` (Hoeffding 1963, theorem 1), whatever their law; Student's
    interval is too narrow for weights of which few are large.
    """
    low, high = bound["lower"] - ROUNDING, bound["upper"] + ROUNDING
    end = min(max(mean, low), high)
    distance = float(rel_entr(mean, end) + rel_entr(1 - mean, 1 - end))
    return draws * distance > math.log(2 / CHANCE)


def _rank(one: Any, other: Any) -> float | None:
    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(spearmanr(one, other).statistic)


class _Population:
    """The heads at the base length, captured when they are first needed."""

    def __init__(self, subject: Subject, settings: Json) -> None:
        self.subject, self.settings = subject, settings
        self.layers: list[_Layer] = []

    def __call__(self) -> _Population:
        if not self.layers:
            base = self.settings["base"]
            prompts = self.subject.prompts(self.settings["prompts"], base)
            seen: list[list[LayerHeads]] = []
            for prompt in prompts:
                one: list[LayerHeads] = []
                visit_layers(self.subject.model, prompt[None], one.append)
                seen.append(one)
            self.layers = [_Layer(list(parts)) for parts in zip(*seen, strict=True)]
        return self

    def at_base(self) -> Json:
        """The scores on the prompts from which the populations are, and each head's lag."""
        found = _empty()
        for layer in self.layers:
            for part in layer.parts:
                part_scores = layer.look(
                    part.queries[0], part.keys[0], part.rotation, self.settings
                )
                layer.gather(part_scores)
            layer.into(found)
        return found | {"lag": [lag for layer in self.layers for lag in layer.lags]}

    def scores(self, setting: Setting) -> Json:
        """The scores on independently drawn contents, in the exact rotation of the setting."""
        generator = np.random.default_rng(0)
        with _base(self.subject.model, self.settings["base"]):
            spec = spec_of(self.subject.model.config, setting)
        rotation = Rotation.of(spec, setting.length, torch.device("cpu"))
        found = _empty()
        for layer in self.layers:
            for _ in range(self.settings["prompts"]):
                drawn = torch.from_numpy(generator.integers(layer.count, size=setting.length))
                queries, keys = layer.queries[:, drawn], layer.keys[:, drawn]
                keys[:, 0] = layer.first[generator.integers(len(layer.first))]
                layer.gather(layer.look(queries, keys, rotation, self.settings))
            layer.into(found)
        return found

    def strongest(self) -> list[tuple[_Layer, int]]:
        """The slash heads with the largest scores at the base, as layers and heads."""
        every = [(layer, head) for layer in self.layers for head in range(len(layer.lags))]
        every.sort(key=lambda pair: -pair[0].slash[pair[1]])
        return every[: self.settings["guaranteed heads"]]

    def bounds(self, setting: Setting) -> list[Json]:
        """Enclosures of the expected weight at the lag, for a drawn query of each of the strongest heads."""
        with _base(self.subject.model, self.settings["base"]):
            spec = spec_of(self.subject.model.config, setting)
        rotation = Rotation.of(spec, setting.length, torch.device("cpu"))
        row = setting.length - 1
        found = []
        for layer, head in self.strongest():
            query, keys, lag = layer.drawn_row(head)
            back = rotation.turned_back(query * layer.scale, row).flip(0)  # by lag
            logits = back @ keys.T
            logits[0] = logits[0, layer.own]
            logits[row] = back[row] @ layer.first[0, head // layer.groups]
            # Float32 vectors in float64: what the products round is below 1e-9.
            lower, upper = race_bounds(logits.numpy(), cells=self.settings["cells"])
            found.append(
                {
                    "head": f"{layer.number}.{head}",
                    "lag": lag,
                    # Six decimals, outwards: what is written is what is checked.
                    "lower": math.floor(lower[lag] * 1e6) / 1e6,
                    "upper": math.ceil(upper[lag] * 1e6) / 1e6,
                }
            )
        return found

    def checked(self, setting: Setting, bounds: list[Json]) -> list[Json]:
        """Check the enclosures on drawn rows that are turned by the library's own tables."""
        generator = np.random.default_rng(1)
        row, draws = setting.length - 1, self.settings["draws"]
        model = self.subject.model
        with _base(model, self.settings["base"]), under(model, setting), torch.no_grad():
            places = torch.arange(setting.length)[None]
            cosines, sines = model.model.rotary_emb(torch.zeros(1, setting.length, 1), places)
        exact = Rotation.of(self.subject.spec, 1, torch.device("cpu"))
        planes = exact.planes
        rotation = Rotation(
            cosines[0, :, :planes].double(),
            sines[0, :, :planes].double(),
            exact.real,
            exact.imaginary,
        )
        found = []
        for (layer, head), bound in zip(self.strongest(), bounds, strict=True):
            query, keys, lag = layer.drawn_row(head)
            back = rotation.turned_back(query * layer.scale, row).flip(0)
            table = back @ keys.T
            drawn = torch.from_numpy(generator.integers(len(keys), size=(draws, row + 1)))
            logits = table[torch.arange(row + 1), drawn]
            logits[:, 0] = table[0, layer.own]
            logits[:, row] = back[row] @ layer.first[0, head // layer.groups]
            weights = logits.softmax(1)[:, lag].numpy()
            mean = float(weights.mean())
            seen = {"mean": mean, "violated": violated(mean, draws, bound)}
            found.append({"head": bound["head"]} | seen)
        return found

    def observed(self, setting: Setting) -> Json:
        """The scores of the model's own run under the setting, on prompts that are in no population."""
        base, count = self.settings["base"], self.settings["prompts"]
        prompts = self.subject.prompts(count, setting.length, skip=base)
        model = self.subject.model
        found = _empty()
        with _base(model, base), under(model, setting):
            for prompt in prompts:

                def visit(seen: LayerHeads) -> None:
                    layer = self.layers[seen.layer]
                    parts = seen.queries[0], seen.keys[0], seen.rotation
                    layer.gather(layer.look(*parts, self.settings))

                visit_layers(model, prompt[None], visit, beyond=True)
        for layer in self.layers:
            layer.into(found)
        return found


class _Layer:
    """The heads of a layer on the base prompts: population, lag, and scores gathered so far."""

    def __init__(self, parts: list[LayerHeads]) -> None:
        self.parts, first = parts, parts[0]
        self.number, self.scale = first.layer, first.scale
        self.groups = first.queries.shape[1] // first.keys.shape[1]
        self.queries = torch.cat([part.queries[0, :, 1:] for part in parts], 1).double()
        self.keys = torch.cat([part.keys[0, :, 1:] for part in parts], 1).double()
        self.first = torch.stack([part.keys[0, :, 0] for part in parts]).double()
        self.count = self.keys.shape[1]
        self.own = self.count // 2
        self.lags, self.slash = self._lags()
        self.waiting: list[Json] = []

    def _lags(self) -> tuple[list[int], list[float]]:
        """Each head's largest slash score and its lag, among lags that half of the rows have."""
        length = self.parts[0].keys.shape[2]
        scores = np.zeros((self.queries.shape[0], length // 2))
        for part in self.parts:
            for row in range(1, length):
                weights = self.row(part.queries[0], part.keys[0], part.rotation, row)
                lags = weights.flip(1)[:, 1 : length // 2 + 1].numpy()
                scores[:, : lags.shape[1]] += lags / (length - np.arange(1, lags.shape[1] + 1))
        scores /= len(self.parts)
        best = scores.argmax(1)
        return (best + 1).tolist(), scores[np.arange(len(best)), best].tolist()

    def row(self, queries: Any, keys: Any, rotation: Rotation, row: int) -> torch.Tensor:
        """The attention weights of one row, `(heads, row + 1)`."""
        back = rotation.turned_back(queries[:, row].double() * self.scale, row)
        shared = keys[:, : row + 1].double().repeat_interleave(self.groups, 0)
        return (back * shared).sum(-1).softmax(-1)

    def drawn_row(self, head: int) -> tuple[torch.Tensor, torch.Tensor, int]:
        """One query of the population, all its keys, and the head's lag."""
        return self.queries[head, self.own], self.keys[head // self.groups], self.lags[head]

    def look(self, queries: Any, keys: Any, rotation: Rotation, settings: Json) -> Json:
        """The four scores of every head on one prompt: slash, sink, positional, symbolic."""
        length = keys.shape[1]
        rows = np.linspace(length // 2, length - 1, settings["rows"]).astype(int).tolist()
        slash, sink = np.zeros(len(self.lags)), np.zeros(len(self.lags))
        for row in rows:
            weights = self.row(queries, keys, rotation, row).numpy()
            slash += weights[np.arange(len(slash)), row - np.array(self.lags)] / len(rows)
            sink += weights[:, 0] / len(rows)
        kinds = np.zeros((2, len(self.lags)))
        scored = rows[-settings["scored rows"] :]
        heads, size = queries.shape[0], queries.shape[2]
        for row in scored:
            one = queries[:, row : row + 1].reshape(-1, self.groups, 1, size)
            found = score_heads(
                one.double(),
                keys[:, None, : row + 1].double(),
                rotation,
                (heads // self.groups, self.groups),
                rows=range(row, row + 1),
                block=1,
                tau=TAU,
                scale=self.scale,
                soft_cap=None,
            )
            kinds += found.reshape(2, heads).numpy() / len(scored)
        return dict(zip(SCORES, (slash, sink, *kinds), strict=True))

    def gather(self, scores: Json) -> None:
        """Keep the scores of one prompt."""
        self.waiting.append(scores)

    def into(self, found: Json) -> None:
        """Add the means over the gathered prompts to `found`, head by head, and forget the prompts."""
        for name in SCORES:
            values = np.mean([scores[name] for scores in self.waiting], axis=0)
            found[name] += [round(float(value), 3) for value in values]
        self.waiting = []


def _empty() -> Json:
    return {name: [] for name in SCORES}


@contextmanager
def _base(model: Any, length: int) -> Iterator[None]:
    """A context in which the model counts as trained to `length` positions, where scalings start from."""
    usual = model.config.max_position_embeddings
    model.config.max_position_embeddings = length
    try:
        yield
    finally:
        model.config.max_position_embeddings = usual
