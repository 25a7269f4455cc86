"""Five seeds of the number and letter task in the reduced setting, against predictions.

    python experiments/multi_hop_seeds.py --output FOLDER

Trains seeds 1 to 5 of either task as `experiments/train_multi_hop_tasks.py` does (that page draws
seed 0, from which the predictions were made), follows accuracy and the purity of heads over the
marks, gives means with 95 % intervals by Student's t, and compares them with the predictions of
`experiments/multi_hop_tasks/predictions.toml`, which were committed before the run. About four
minutes of a core for each run; a run that was stopped goes on where it was. `--quick` shows in
seconds that all of it runs: two layers, two seeds, twenty steps, after which most predictions fail.

Writes `multi_hop_seeds.json` (settings, versions, command, runs, intervals, predictions) and
pictures `multi-hop-seeds-*.png`, and prints for each prediction its criterion, what was observed, and
same or not.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from experiment import check_options, versions
from multi_hop_tasks.seeds import followed, observed, summary_of
from multi_hop_tasks.settings import PRESETS, TASKS
from multi_hop_tasks.train import Run, train
from predicted import compared, file_hash, read_predictions, table_of
from rich.console import Console
from rich.table import Table

from ropeproof.proofs_check.site.pictures.recorded import multi_hop_seeds
from ropeproof.proofs_check.site.pictures.style import save
from ropeproof.theory.errors import RopeproofError

PREDICTIONS = Path(__file__).parent / "multi_hop_tasks/predictions.toml"
LOOK = {"reduced": (1_200, 128, 1_000), "tiny": (64, 8, 60)}
"""Sequences for accuracy, for scores, and tokens of the longest test."""
FIRST, SEEDS, FEW = 1, 5, 2
"""The first seed, as the page on one run has seed 0; how many; how many with `--quick`."""


def read() -> argparse.Namespace:
    first, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--output", type=Path, required=True, help="folder for everything")
    parser.add_argument("--quick", action="store_true", help="tiny models: does everything run?")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="(cpu)")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (1)")
    chosen = parser.parse_args()
    check_options(parser, chosen, ("threads",))
    return chosen


def shortened(value: Any) -> Any:
    """A value with all its numbers rounded to five digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list) else value


def means(intervals: dict[str, Any]) -> Table:
    """The table of means with their intervals, by task."""
    table = Table(title="means over the runs, 95 % intervals by Student's t")
    for name in ("quantity", *TASKS):
        table.add_column(name)
    for name in intervals[TASKS[0]]:
        cells = []
        for task in TASKS:
            each = intervals[task][name]
            ends = "" if each["low"] is None else f" [{each['low']:.3g}, {each['high']:.3g}]"
            mean = "" if each["mean"] is None else f"{each['mean']:.4g}"
            cells.append(f"{mean}{ends} of {each['of']}")
        table.add_row(name, *cells)
    return table


def main() -> None:
    chosen, console = read(), Console(width=150)
    progress = Console(stderr=True)
    torch.set_num_threads(chosen.threads)
    preset, seeds = ("tiny", FEW) if chosen.quick else ("reduced", SEEDS)
    settings, (held, scored, longest) = PRESETS[preset], LOOK[preset]
    kept = chosen.output / "kept"

    def said(run: Run) -> None:
        done = f"step {run.steps[-1]} of {settings.steps}, {run.seconds:.0f} s"
        progress.print(f"{run.name}: {done}", highlight=False)

    runs: dict[str, Any] = {}
    try:
        for seed in range(FIRST, FIRST + seeds):
            for task in TASKS:
                run = train(task, seed, settings, kept, chosen.device, said)
                runs[run.name] = followed(
                    run, kept, held=held, scored=scored, longest=longest, said=progress.print
                )
    except RopeproofError as wrong:
        print(wrong, file=sys.stderr)
        raise SystemExit(2) from None
    summaries = {
        task: [summary_of(run) for run in runs.values() if run["task"] == task] for task in TASKS
    }
    numbers, intervals = observed(summaries)
    rows = [asdict(each) for each in compared(read_predictions(PREDICTIONS), numbers)]
    record = shortened(
        {
            "command": "python experiments/multi_hop_seeds.py --output FOLDER"
            + " --quick" * chosen.quick,
            "versions": versions("transformers"),
            "preset": preset,
            "settings": asdict(settings),
            "scored": scored,
            "runs": runs,
            "summaries": summaries,
            "intervals": intervals,
            "predictions sha256": file_hash(PREDICTIONS),
            "predictions": rows,
        }
    )
    path = chosen.output / "multi_hop_seeds.json"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    for drawing in multi_hop_seeds.pictures_of(record):
        save(drawing, chosen.output, "png")
    console.print(means(intervals))
    console.print(table_of(rows, title=f"predictions against {seeds} runs of each task"))
    console.print(str(path))


if __name__ == "__main__":
    main()
