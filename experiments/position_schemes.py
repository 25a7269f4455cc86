"""Models of one shape with no positions, RoPE, ALiBi and T5 biases: how additive are their logits?

    python experiments/position_schemes.py --output FOLDER [--steps 600] [--length 64] [--seeds 2]

A causal model of 2 layers of 4 heads (width 64) is trained four times a seed on the bytes of the standard
library's sources (`small_lm.corpus`), from the same initial weights. On held-out text, medians over heads:
- grid: the R² of the best part of the lag plus part of the key, query by query, each query with each key at
  each lag. By `posgen.alibi` it is 1 for a bias of the lag, whatever was learned, and for no positions;
- triangle: the correlation of row-centred logits with key part plus lag part, on the causal triangle.
  Queries that differ make it less than 1 for every scheme;
- their nulls: normal random queries and keys, with the moments of their coordinates, and the head's own bias;
- untrained: the same of the model before training.

FOLDER gets position_schemes.json, with every head.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from induction_study.schemes import (
    SCHEMES,
    Shape,
    Small,
    grid_r_squared,
    logits_at_every_lag,
    train,
    triangle_correlation,
)
from small_lm.corpus import read_corpus, standard_library

ROW = "{:<8} {:>5} {:>9} {:>8} {:>8} {:>8} {:>10} {:>8} {:>10} {:>10}"
HEADINGS = (
    "scheme",
    "seed",
    "held-out",
    "train",
    "grid",
    "null",
    "untrained",
    "triangle",
    "null",
    "untrained",
)
SEQUENCES = 3


def figures(model: Small, tokens: torch.Tensor, *, seed: int) -> list[dict[str, float]]:
    """The grid and triangle figures and their nulls, for each head and sequence."""
    random = np.random.default_rng([seed, 4])
    found = []
    for sequence in tokens:
        with torch.no_grad():
            model(sequence[None])
        for number, layer in enumerate(model.layers):
            queries, keys, bias = (x.double().numpy() for x in layer.seen)
            for head in range(len(bias)):
                q, k, rope = queries[0, head], keys[0, head], layer.scheme == "rope"
                # Same mean and standard deviation of each coordinate, nothing else in common.
                drawn = [x.mean(0) + x.std(0) * random.normal(size=x.shape) for x in (q, k)]
                one = {"layer": number, "head": head}
                for name, sides in (("", (q, k)), ("_null", drawn)):
                    logits = logits_at_every_lag(*sides, bias[head], rope=rope)
                    n = len(q)
                    lag = np.maximum(np.arange(n)[:, None] - np.arange(n), 0)
                    causal = logits[np.arange(n)[:, None], lag, np.arange(n)]
                    one["grid" + name] = grid_r_squared(logits)
                    one["triangle" + name] = triangle_correlation(causal)
                found.append(one)
    return found


def held_out_loss(model: Small, tokens: torch.Tensor) -> float:
    """The loss on held-out windows, in nats per byte."""
    with torch.no_grad():
        logits = model(tokens[:, :-1]).transpose(1, 2)
        return float(torch.nn.functional.cross_entropy(logits, tokens[:, 1:]))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args(arguments)
    for name, least in (("steps", 1), ("length", 4), ("batch", 1), ("seeds", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name}: got {getattr(options, name)}, allowed: at least {least}")
    torch.set_num_threads(1)
    corpus = read_corpus(standard_library())
    text, held = (
        np.frombuffer("\n".join(p.text for p in part)[:most].encode(), np.uint8).astype(np.int64)
        for part, most in ((corpus.train, 4_000_000), (corpus.held_out, 400_000))
    )
    starts = np.linspace(0, len(held) - options.length - 1, 64).astype(int)
    windows = torch.from_numpy(np.stack([held[s : s + options.length + 1] for s in starts]))
    shape = Shape(length=options.length)
    print(ROW.format(*HEADINGS))
    result: list[dict[str, Any]] = []
    for seed in range(options.seeds):
        for scheme in SCHEMES:
            model = Small(shape, scheme, seed)
            seen = windows[:: 64 // SEQUENCES, :-1][:SEQUENCES]
            before = figures(model, seen, seed=seed)
            sizes = {"length": options.length, "steps": options.steps, "batch": options.batch}
            loss = train(model, text, seed=seed, **sizes)
            after = figures(model, seen, seed=seed)
            one = {"scheme": scheme, "seed": seed, "held_out": held_out_loss(model, windows)}
            one |= {"train": loss, "heads": after, "untrained": before}
            result.append(one)
            middle = {
                name: float(np.median([each[name] for each in after]))
                for name in ("grid", "grid_null", "triangle", "triangle_null")
            }
            old = {n: float(np.median([each[n] for each in before])) for n in ("grid", "triangle")}
            cells = (one["held_out"], loss, middle["grid"], middle["grid_null"], old["grid"])
            cells += (middle["triangle"], middle["triangle_null"], old["triangle"])
            print(ROW.format(scheme, seed, *(f"{x:.3f}" for x in cells)), flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    text_out = json.dumps(
        {"settings": {k: str(v) for k, v in vars(options).items()}, "runs": result}
    )
    (options.output / "position_schemes.json").write_text(text_out + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
