"""A small language model that copies: previous-token heads and induction heads, learned here.

    python experiments/train_copying_lm.py --output FOLDER [--steps 700] [--length 64] [--layers 2]
        [--heads 4] [--width 64] [--vocabulary 64] [--seed 0] [--threads 1]

Trains a model of the Llama family (RoPE, base 10000) on random tokens that repeat with a random
period, from an eighth to a half of the length, without a network. FOLDER then holds

- trained/ and initial/: the model after and before training, to be read by `AutoModelForCausalLM`;
- held_out.txt: sequences that were not trained on, as numbers, a line each, eight times as long as
  those of the training: `ropeproof measure FOLDER/trained --tokens FOLDER/held_out.txt`;
- training.json: the loss curve, the held-out loss of both models on the tokens that can be known,
  the attention of every head to the previous token, to its token's last occurrence and to what
  came next then, and all settings.

The same settings give the same weights on the same machine. Either everything is written or
nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))

from small_lm.command import (
    RANGES,
    Parser,
    all_or_nothing,
    bad_values,
    best_heads,
    train_and_tell,
    versions,
)
from small_lm.copying import (
    CopySettings,
    copy_head_scores,
    copying_model,
    draw,
    repeated_loss,
    train_copying,
)

NAMES = ("trained", "initial", "held_out.txt", "training.json")
DEFAULTS = CopySettings()
HELD_OUT = 256
"""The number of sequences in the held-out file."""
LONGER = 8
"""How many times as long as the training's sequences the held-out ones are."""
SCORED = 32
"""Held-out sequences that the heads are scored on."""


def read_options(arguments: list[str] | None = None) -> tuple[CopySettings, Path]:
    """The settings and the folder to write; exits with status 2 on a bad value."""
    parser = Parser(
        prog="train_copying_lm.py",
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--output", type=Path, required=True, help="folder for the models and the report")
    add("--steps", type=int, default=DEFAULTS.steps, help="steps to train")
    add("--length", type=int, default=DEFAULTS.length, help="context in tokens")
    add("--layers", type=int, default=DEFAULTS.layers)
    add("--heads", type=int, default=DEFAULTS.heads, help="heads of a layer")
    add("--width", type=int, default=DEFAULTS.width, help="of the residual stream")
    add("--vocabulary", type=int, default=DEFAULTS.vocabulary, help="tokens to draw from")
    add("--seed", type=int, default=DEFAULTS.seed)
    add("--threads", type=int, default=DEFAULTS.threads, help="threads of PyTorch")
    given = vars(parser.parse_args(arguments))
    output = given.pop("output")
    settings = CopySettings(**given)
    for name, got, allowed in bad_values(settings, output, RANGES | {"vocabulary": (2, 60_000)}):
        parser.error(f"--{name}: got {got}, allowed: {allowed}")
    return settings, output


def report(console: Console, result: dict[str, Any]) -> None:
    """Print the most important figures of training.json as a table."""
    table = Table("figure", "trained", "initial", title="A small model that copies")
    held = result["held_out"]
    table.add_row(
        "held-out loss, nats per repeated token", *(f"{held[name]:.4f}" for name in NAMES[:2])
    )
    table.add_row("  logarithm of the vocabulary", f"{result['log_vocabulary']:.4f}", "")
    best_heads(table, result["heads"], ("previous_token", "matching", "induction"))
    console.print(table)
    console.print(
        f"{result['steps']} steps, {result['tokens']} tokens, {result['seconds']:.0f} seconds"
    )


def run(
    settings: CopySettings,
    output: Path,
    *,
    progress: Callable[[str, float], None] = lambda stage, done: None,
) -> dict[str, Any]:
    """Train, measure and write; returns the content of training.json."""
    torch.set_num_threads(settings.threads)
    generator = np.random.default_rng([settings.seed, 1])
    long = LONGER * settings.length
    held_out, periods = draw(settings, HELD_OUT, generator, length=long)
    short = held_out[:, : settings.length]

    def measure(model: transformers.LlamaForCausalLM) -> dict[str, Any]:
        heads = copy_head_scores(model, short[:SCORED], periods[:SCORED])
        return {
            "loss": repeated_loss(model, short, periods),
            "heads": [asdict(head) for head in heads],
        }

    with all_or_nothing(output, NAMES) as work:
        model = copying_model(settings)
        model.save_pretrained(work / "initial")
        before = measure(model)
        training = train_copying(
            model, settings, progress=lambda done, _: progress("training", done)
        )
        progress("measuring", 0)
        after = measure(model)
        model.save_pretrained(work / "trained")
        result = {
            "schema": 1,
            "settings": asdict(settings),
            "versions": versions(),
            "parameters": sum(p.numel() for p in model.parameters()),
            "steps": len(training.losses),
            "tokens": training.tokens[-1],
            "seconds": training.seconds[-1],
            "held_out": {
                "trained": after["loss"],
                "initial": before["loss"],
                "sequences": HELD_OUT,
                "length": long,
                "periods": periods.tolist(),
            },
            "log_vocabulary": math.log(settings.vocabulary),
            "heads": {"trained": after["heads"], "initial": before["heads"]},
            "curve": training.curve(),
        }
        lines = "\n".join(" ".join(map(str, line)) for line in held_out.tolist())
        (work / "held_out.txt").write_text(lines + "\n", encoding="utf-8")
        (work / "training.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def main(arguments: list[str] | None = None) -> int:
    """Run the command; exit status 0 done, 1 the training diverged, 2 bad options, 130 interrupted."""
    settings, output = read_options(arguments)
    return train_and_tell(
        "train_copying_lm.py",
        lambda progress: run(settings, output, progress=progress),
        report,
        f"models and tokens in {output}",
    )


if __name__ == "__main__":
    raise SystemExit(main())
