"""One head with one rotary angle, trained on index, retrieval and partial induction at ten angles.

    python experiments/train_canonical_tasks.py --output FOLDER [--epochs 100] [--seeds 3] [--only index]

The experiment of [DECOUPLE], section 4, 5 and appendix C.1 (its Figures 2A, 2B and 3A): contexts of
32 pairs of a symbol and an integer and one query, 16 symbols, 32 integers; 40,960 training and
20,480 held-out sequences, batches of 64, up to 100 epochs. Width and optimiser are not printed:
width 16, AdamW without weight decay, rate 0.03 falling linearly to zero. All angles and seeds of a
task are trained at once, as separate models in one batch.

At each mark of the paper (iterations 64, 256, 448, epochs 1, 2, 5, then every tenth) it keeps the
weights, the accuracy by place of the answer, and the head's positional and symbolic score by the
table method. A run that was stopped goes on where it was if the command is given again. Writes
`canonical_tasks.json` (settings, versions, command and all that is drawn) and the pictures
`canonical-*.png`, and prints the accuracies beside what is proved for such heads. The four runs
take about a quarter of an hour each on an idle core; `--epochs 1 --training 640` a few seconds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

import torch
from canonical_tasks.record import predictions, recorded
from canonical_tasks.train import BASE_ANGLES, BATCH, RUNS, Run, Settings, train
from experiment import check_options, versions
from rich.console import Console
from rich.table import Table

from ropeproof.theory.errors import RopeproofError

NAME = "canonical_tasks.json"


def read() -> argparse.Namespace:
    first, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--output", type=Path, required=True, help="folder for everything")
    for name, text in (
        ("epochs", "passes over the training sequences"),
        ("training", f"training sequences, a multiple of {BATCH}"),
        ("validation", "held-out sequences"),
        ("seeds", "models per angle"),
        ("width", "of the embeddings"),
    ):
        default = next(f.default for f in fields(Settings) if f.name == name)
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} ({default})")
    parser.add_argument(
        "--only", choices=sorted(RUNS), action="append", help="run this one, repeatable"
    )
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (1)")
    chosen = parser.parse_args()
    check_options(parser, chosen, ("epochs", "training", "validation", "seeds", "width", "threads"))
    if chosen.training % BATCH:
        parser.error(f"--training is {chosen.training}: a multiple of {BATCH} is needed")
    return chosen


def command(settings: Settings, only: Sequence[str]) -> str:
    """The command that repeats this run, in whatever folder."""
    fresh = asdict(Settings())
    given = {name: value for name, value in asdict(settings).items() if value != fresh[name]}
    options = [f"--{name} {value}" for name, value in given.items()] + [f"--only {o}" for o in only]
    return " ".join(["python experiments/train_canonical_tasks.py --output FOLDER", *options])


def table_of(record: dict) -> Table:
    """The accuracy at the last mark by angle, over all seeds, beside what is proved."""
    table = Table(title="held-out accuracy after the last epoch, lowest to highest seed")
    table.add_column("angle, of pi/33", justify="right")
    for name in record["runs"]:
        table.add_column(name, justify="right")
    table.add_column("scale learned (index)", justify="right")
    table.add_column("scale that is needed", justify="right")
    table.add_column("places with a margin (retrieval)", justify="right")
    told = record["proved"]
    for column, base in enumerate(BASE_ANGLES):
        row = [f"{base:g}"]
        for run in record["runs"].values():
            shares = [seed[column] / run["of"] for seed in run["right"][-1]]
            row.append(f"{min(shares):.3f} to {max(shares):.3f}")
        learned = record["runs"].get("index", {}).get("amplitude")
        row.append(
            ""
            if learned is None
            else f"{min(s[column] for s in learned):.0f} to {max(s[column] for s in learned):.0f}"
        )
        needed, places = told["index scale"][column], told["retrieval places"][column]
        row += [
            "none does" if needed is None else f"{needed:.4g}",
            "any" if places is None else f"{places}",
        ]
        table.add_row(*row)
    return table


def main() -> None:
    chosen, console = read(), Console(width=140)
    torch.set_num_threads(chosen.threads)
    names = ("epochs", "training", "validation", "seeds", "width")
    settings = Settings(**{name: getattr(chosen, name) for name in names})

    def said(step: int, run: Run) -> None:
        loss = " ".join(f"{value:.2f}" for value in run.losses[-1][: len(BASE_ANGLES)])
        console.print(
            f"{run.name}: step {step}, {run.seconds:.0f} s, loss of the first seed {loss}"
        )

    record = {
        "command": command(settings, chosen.only or ()),
        "versions": versions(),
        "device": chosen.device,
        "settings": asdict(settings),
        "base angles": list(BASE_ANGLES),
        "proved": predictions(),
        "runs": {},
    }
    try:
        for name in [n for n in RUNS if not chosen.only or n in chosen.only]:
            run = train(name, settings, chosen.output / "kept", chosen.device, said)
            record["runs"][name] = recorded(run, settings, chosen.output / "kept")
    except RopeproofError as wrong:
        console.print(str(wrong), style="red")
        raise SystemExit(2) from None
    (chosen.output / NAME).write_text(json.dumps(record) + "\n", encoding="utf-8")
    from ropeproof.proofs_check.site.pictures.recorded import canonical
    from ropeproof.proofs_check.site.pictures.style import save

    for drawing in canonical.pictures_of(record):
        save(drawing, chosen.output, "png")
    console.print(table_of(record))


if __name__ == "__main__":
    main()
