"""A GPT-J trained on the number and the letter task, its heads scored at every checkpoint.

    python experiments/train_multi_hop_tasks.py --output FOLDER [--preset full] [--task letter]

The experiment of [HEADS], sections 3.1, 3.3 and 3.6, appendices C.2, E and G (its Figures 2, 5B, 6,
7 and 8 and Table 1). `--preset full` is the paper's setting: 12 layers of one head, width 128, 1 to
4 hops, 6,750 batches of 64; `reduced`, without the option, has 4 layers and 1 or 2 hops and takes a
few minutes; `tiny` shows in seconds that all of it runs.

Weights are kept at every mark. A run that was stopped goes on where it was if the command is given
again, and on one thread ends with the same bits. With `--so-far` nothing is trained and the runs
are looked at as they are. Each mark is looked at once: accuracy by hops, positional and symbolic
score of each layer by the table method, entropy, and the plane that each layer uses; the last one
on longer inputs too. Writes `multi_hop_tasks-PRESET.json` (settings, versions, command and all that
is drawn) and pictures `multi-hop-PRESET-*.png`, and prints when layers became pure.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from experiment import check_options, versions
from multi_hop_tasks.record import recorded
from multi_hop_tasks.settings import PRESETS, TASKS
from multi_hop_tasks.train import Run, read_run, train
from rich.console import Console
from rich.table import Table

from ropeproof.proofs_check.site.pictures.recorded import multi_hop
from ropeproof.proofs_check.site.pictures.style import save
from ropeproof.theory.errors import RopeproofError

LOOK = {"full": (2_400, 128, 1_000), "reduced": (1_200, 128, 1_000), "tiny": (64, 8, 60)}
"""Sequences for accuracy (the paper's 2,400), for scores, and tokens of the longest test."""


def read() -> argparse.Namespace:
    first, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--output", type=Path, required=True, help="folder for everything")
    parser.add_argument("--preset", choices=list(PRESETS), default="reduced", help="(reduced)")
    parser.add_argument("--task", choices=TASKS, action="append", help="this one; both without")
    parser.add_argument("--seeds", type=int, default=1, help="models of each task (1)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="(cpu)")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (1)")
    parser.add_argument("--so-far", action="store_true", help="look at what is kept, train nothing")
    chosen = parser.parse_args()
    check_options(parser, chosen, ("seeds", "threads"))
    return chosen


def command(chosen: argparse.Namespace) -> str:
    """The command that repeats this run, in whatever folder."""
    options = [f"--preset {chosen.preset}"] + [f"--task {task}" for task in chosen.task or ()]
    options += [f"--seeds {chosen.seeds}"] * (chosen.seeds != 1)
    options += [f"--device {chosen.device}"] * (chosen.device != "cpu")
    options += ["--so-far"] * chosen.so_far
    return " ".join(["python experiments/train_multi_hop_tasks.py --output FOLDER", *options])


def table_of(record: dict[str, Any]) -> Table:
    """A table of when each layer became pure, and when accuracy reached its maximum."""
    table = Table(title="pure at level .1 from which step on, to the last one")
    table.add_column("layer", justify="right")
    told = {name: multi_hop.became_pure(run, 0.1) for name, run in record["runs"].items()}
    for name in told:
        table.add_column(name)
    for layer in range(max(len(each) for each in told.values())):
        cells = (each[layer] for each in told.values())
        table.add_row(
            str(layer), *("" if cell is None else f"{cell[1]} {cell[0]}" for cell in cells)
        )
    table.add_section()
    reached = (f"{multi_hop.accuracy_reached(run)}" for run in record["runs"].values())
    table.add_row("accuracy within .01 of its maximum", *reached)
    best = (f"{multi_hop.accuracy(run)[-1]:.3f}" for run in record["runs"].values())
    table.add_row("accuracy at the last step", *best)
    return table


def main() -> None:
    chosen, console = read(), Console(width=140)
    torch.set_num_threads(chosen.threads)
    settings, (held, scored, longest) = PRESETS[chosen.preset], LOOK[chosen.preset]
    kept = chosen.output / "kept"

    def said(run: Run) -> None:
        done = f"step {run.steps[-1]}, {run.seconds:.0f} s, loss {run.losses[-1]:.3f}"
        console.print(f"{run.name}: {done}")

    record: dict[str, Any] = {
        "command": command(chosen),
        "versions": versions("transformers"),
        "preset": chosen.preset,
        "settings": asdict(settings),
        "scored": scored,
        "runs": {},
    }
    try:
        for seed in range(chosen.seeds):
            for task in chosen.task or TASKS:
                if chosen.so_far:
                    run = read_run(task, seed, kept)
                else:
                    run = train(task, seed, settings, kept, chosen.device, said)
                record["runs"][run.name] = recorded(
                    run, kept, held=held, scored=scored, longest=longest, said=console.print
                )
    except RopeproofError as wrong:
        console.print(str(wrong), style="red")
        raise SystemExit(2) from None
    name = f"multi_hop_tasks-{chosen.preset}.json"
    (chosen.output / name).write_text(json.dumps(record) + "\n", encoding="utf-8")
    for drawing in multi_hop.pictures_of(record):
        save(drawing, chosen.output, "png")
    console.print(table_of(record))


if __name__ == "__main__":
    main()
