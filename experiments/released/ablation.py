"""The worth of heads' attention patterns: the loss with another pattern in one head at a time.

The heads are the strongest of each kind, as `experiments/released_model.py` prints them, and others
drawn from all the rest. Beside it the expected patterns of layer 0 are held against the enclosures of
`softmax.race`, which knows their exact means there: queries and keys depend on the token alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from released.subject import Json, Steps, Subject
from ropeproof.numerics.bounds.race import race_bounds
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.tools.measure.on_demand.ablation import ablate_heads, expected_patterns

__all__ = ["DEFAULT", "QUICK", "record"]

HEADS = {
    "induction": ["18.6", "17.3", "18.7", "20.6"],
    "duplicate-token": ["14.3", "15.6"],
    "previous-token": ["16.0", "11.1", "1.2", "2.1"],
    "slash": ["11.7", "11.0", "10.5", "10.4"],
    "sink": ["18.8", "24.3", "25.7", "26.7"],
    "positional": ["1.8", "11.6", "0.5", "1.5"],
    "symbolic": ["3.4", "7.1", "4.5", "3.5"],
}
"""The strongest heads of each kind on text; see docs/smollm2.md."""

DEFAULT = {
    "heads": HEADS,
    "controls": 13,
    "seed": 0,
    "prompts": 4,
    "length": 128,
    "draws": 16,
    "at once": 13,
    "checked length": 48,
    "checked draws": 512,
}
QUICK = DEFAULT | {
    "heads": {"previous-token": ["1.2"], "slash": ["2.2"]},
    "controls": 1,
    "prompts": 2,
    "length": 24,
    "draws": 2,
    "at once": 2,
    "checked length": 8,
    "checked draws": 16,
}
DEVIATIONS = 6.0
"""How many standard errors a mean may be outside an enclosure before it counts as another one."""


def record(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The whole record as JSON; each group of heads is a step that is kept."""
    groups = dict(settings["heads"])
    named = [name for names in groups.values() for name in names]
    groups["control"] = controls(subject, named, settings["controls"], settings["seed"])
    asked = [name for names in groups.values() for name in names]
    few = {key: settings[key] for key in ("prompts", "length", "draws")}
    rows: dict[str, Json] = {}
    loss = None
    for start in range(0, len(asked), settings["at once"]):
        some = asked[start : start + settings["at once"]]
        found = steps.of(
            f"ablated {some[0]} to {some[-1]}",
            few | {"heads": some},
            lambda some=some: ablated(subject, some, few),
        )
        loss = found["loss"]
        for head in found["heads"]:
            rows[f"{head['layer']}.{head['head']}"] = head
    few = {key: settings[key] for key in ("checked length", "checked draws")}
    checked = steps.of("expected patterns of layer 0", few, lambda: against_race(subject, few))
    return {
        "loss": loss,
        "groups": {kind: [rows[name] for name in names] for kind, names in groups.items()},
        "medians": {
            kind: {
                name: float(np.median([rows[head]["change"][name] for head in names]))
                for name in ("expected", "uniform", "none")
            }
            for kind, names in groups.items()
        },
        "layer 0": checked,
    }


def controls(subject: Subject, named: list[str], count: int, seed: int) -> list[str]:
    """Heads drawn without replacement from those that are not named, in order."""
    config = subject.model.config
    others = [
        f"{layer}.{head}"
        for layer in range(config.num_hidden_layers)
        for head in range(config.num_attention_heads)
        if f"{layer}.{head}" not in named
    ]
    chosen = np.random.default_rng(seed).choice(len(others), size=count, replace=False)
    return [others[place] for place in sorted(chosen.tolist())]


def ablated(subject: Subject, names: list[str], settings: Json) -> Json:
    """The change of the loss for each head, by the pattern put in place of its own."""
    places = [(int(layer), int(head)) for layer, head in (name.split(".") for name in names)]
    texts = subject.prompts(settings["prompts"], settings["length"]).tolist()
    return ablate_heads(subject.model, texts, places, draws=settings["draws"]).as_json()


def against_race(subject: Subject, settings: Json) -> Json:
    """Compare the last row of layer 0's expected patterns with its enclosure, over all heads and lags.

    Errors of the means come from groups of draws with seeds of their own.
    """
    length, draws = settings["checked length"], settings["checked draws"]
    groups = min(32, draws // 2)
    tokens = subject.prompts(1, length)
    heads = int(subject.model.config.num_attention_heads)
    places = [(0, head) for head in range(heads)]
    each: list[dict[Any, Any]] = [
        expected_patterns(subject.model, tokens.tolist(), places, draws=draws // groups, seed=seed)
        for seed in range(groups)
    ]
    seen: list[LayerHeads] = []
    visit_layers(subject.model, tokens, seen.append, layers=[0])
    widths, deviations, outside, sizes = [], [], 0, []
    for head, place in enumerate(places):
        lower, upper = enclosed_row(seen[0], head, subject)
        rows = torch.stack([found[place][-1].flip(0) for found in each]).numpy()
        mean, error = rows.mean(0), rows.std(0, ddof=1) / groups**0.5
        beyond = np.maximum(np.maximum(lower - mean, mean - upper), 0)
        ratio = beyond / np.maximum(error, 1e-12)
        widths.append(float((upper - lower).max()))
        deviations.append(float(ratio.max()))
        sizes.append(float(error.max()))
        outside += int((ratio > DEVIATIONS).sum())
    return {
        "heads": heads,
        "lags": length,
        "draws": draws,
        "widest enclosure": max(widths),
        "largest standard error": max(sizes),
        "farthest outside, in standard errors": max(deviations),
        "lags outside by more than six": outside,
    }


def enclosed_row(layer: LayerHeads, head: int, subject: Subject) -> tuple[Any, Any]:
    """Bounds of the expected weight of every lag in the last row, if contents are drawn from the prompt."""
    queries = layer.queries[0, head].double().numpy()
    key_head = head // (layer.queries.shape[1] // layer.keys.shape[1])
    keys = layer.keys[0, key_head].double().numpy()
    length, spec = len(keys), subject.spec
    real, imaginary = list(layer.rotation.real), list(layer.rotation.imaginary)
    angles = np.arange(length)[:, None] * np.array(frequencies_float64(spec))
    turned = np.exp(1j * angles)
    q = queries[:, real] + 1j * queries[:, imaginary]
    k = keys[:, real] + 1j * keys[:, imaginary]
    lower, upper = np.zeros(length), np.zeros(length)
    for number in range(length):
        logits = ((q[number] * turned) @ k.conj().T).real * layer.scale
        logits[0] = logits[0, number]
        low, high = race_bounds(logits)
        lower, upper = lower + np.asarray(low) / length, upper + np.asarray(high) / length
    return lower, upper
