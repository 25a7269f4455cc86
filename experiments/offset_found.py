"""Does training on induction find offset 1? Descent on lags, on a RoPE key, and a trained pair.

    python experiments/offset_found.py --output FOLDER [--steps 20000] [--length 32] [--beta 4] [--step 1]
        [--seeds 5] [--trained-seeds 3] [--trained-steps 700] [--only lags] [--only rope] [--only trained]

1. `lags`: the setting of `slash.gd.offset-signs` and `slash.gd.offset-step` as it stands: from equal logits,
   from drawn ones where lag 1 leads, and from drawn ones where another lag does. Measured: which lag wins,
   whether every other falls at every step, each step against the shrinking by
   `e^(-eta a_1 |D_1| (1 - a_1))`, and the odds of lag 1 against the bound that grows linearly.
2. `rope`: the same with the weights that a RoPE head can make, its key trained from zero: no theorem.
3. `trained`: a Llama of two layers (`small_lm.copying`), from small random weights, on sequences that repeat;
   the slash scores of its first layer at every lag, as training goes on: no theorem.

FOLDER gets offset_found.json, and offset_found.png with the curves of what was run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from induction_study.offset import Descent, descend_lags, descend_rope
from small_lm.copying import CopySettings, copying_model, draw, train_copying

from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

PARTS = ("lags", "rope", "trained")
ROW = "{:<30} {:>6} {:>7} {:>7} {:>9} {:>9} {:>7} {:>11} {:>11} {:>10} {:>7}"
HEADINGS = (
    "start",
    "winner",
    "from",
    "falls",
    "1-a_1",
    "loss",
    "signs",
    "excess",
    "sharp",
    "1/X:bound",
    "slope",
)
SCORED = 64
"""The number of sequences over which the trained model's scores are averaged."""


def told(name: str, run: Descent) -> dict[str, Any]:
    """The figures of one descent, which are also printed as a line of the table."""
    half = len(run.odds) // 2
    promised = run.guaranteed[1:] - run.guaranteed[0]
    gained = run.odds[1:] - run.odds[0]
    # The order of 1 - a_1 in the number of steps, over the second half of the run.
    slope = np.log(run.odds[-1] / run.odds[half]) / np.log((len(run.odds) - 1) / half)
    found = {
        "start": name,
        "winner": int(run.leader[-1]),
        "from": run.taken,
        "falls": run.falls,
        "left": float(1 - run.weight[-1]),
        "loss": float(run.loss[-1]),
        "wrong_signs": run.wrong_signs,
        "excess": float(run.excess.max()),
        "sharp": float(run.sharp.max()),
        "over_bound": float((gained / promised).min()),
        "slope": float(slope),
    }
    cells = [found["start"], found["winner"], str(found["from"]), f"{run.falls:.2f}"]
    cells += [f"{found['left']:.2e}", f"{found['loss']:.4f}", run.wrong_signs]
    cells += [f"{found['excess']:.2e}", f"{found['sharp']:.2e}"]
    cells += [f"{found['over_bound']:.3f}", f"{found['slope']:.3f}"]
    print(ROW.format(*cells), flush=True)
    return found


def starts(length: int, seeds: int) -> list[tuple[str, np.ndarray[Any, Any]]]:
    """The starting logits by name: equal ones, and drawn ones with lag 1 leading or in the middle."""
    found = [("equal", np.zeros(length))]
    for seed in range(seeds):
        random = np.random.default_rng([seed, 7])
        logits = random.normal(size=length)
        ahead, behind = logits.copy(), logits.copy()
        ahead[1] = logits.max() + 0.01
        behind[1] = np.median(logits)
        found += [(f"drawn, lag 1 ahead, seed {seed}", ahead)]
        found += [(f"drawn, lag 1 median, seed {seed}", behind)]
    return found


def trained(settings: CopySettings) -> dict[str, Any]:
    """Train a pair of layers; returns the first layer's slash scores by lag as training goes on.

    `lag_one` has shape `(points, heads)`; what is found at the end is printed.
    """
    torch.set_num_threads(settings.threads)
    model = copying_model(settings)
    model.set_attn_implementation("eager")  # the fused kernel does not return its weights
    tokens, _ = draw(settings, SCORED, np.random.default_rng([settings.seed, 1]))
    read = torch.from_numpy(tokens)
    points: list[tuple[int, float]] = []
    scores: list[np.ndarray[Any, Any]] = []
    done_steps = [0]

    def look(loss: float) -> None:
        with torch.no_grad():
            first = model(input_ids=read, output_attentions=True, use_cache=False).attentions[0]
        weights = first.double().mean(0)
        weights /= weights.sum(-1, keepdim=True)  # single precision leaves them 1e-8 off
        scores.append(slash_scores(weights.numpy())[:, : settings.length // 2])
        points.append((done_steps[0], loss))

    def progress(_: float, loss: float) -> None:
        done_steps[0] += 1
        if done_steps[0] % max(1, settings.steps // 35) == 0:
            look(loss)

    look(float("nan"))
    train_copying(model, settings, progress=progress)
    curve = np.array(scores)
    best = curve[-1, :, 1].argmax()
    leaders = curve[:, :, :].argmax(2)
    lag_one = curve[:, :, 1]
    taken = [
        next((points[i][0] for i in range(len(points)) if (leaders[i:, head] == 1).all()), None)
        for head in range(settings.heads)
    ]
    rest = curve[:, best, :]
    falls = (rest[-1, 2:] < rest[0, 2:]).mean()
    print(
        f"trained, seed {settings.seed}: "
        f"loss {points[1][1]:.2f} to {points[-1][1]:.3f}; lag 1 at the end "
        f"{np.round(lag_one[-1], 3).tolist()}, largest lag {leaders[-1].tolist()}, "
        f"for good from step {taken}; "
        f"of the lags above 1, fallen in the best head: {falls:.2f}",
        flush=True,
    )
    return {
        "seed": settings.seed,
        "steps": [step for step, _ in points],
        "loss": [None if np.isnan(loss) else loss for _, loss in points],
        "lag_one": lag_one.tolist(),
        "leaders": leaders.tolist(),
        "from": taken,
        "largest_other": np.delete(curve, 1, 2).max(2).tolist(),
    }


def draw_figure(
    path: Path, runs: dict[str, list[tuple[str, Descent]]], models: list[dict[str, Any]]
) -> None:
    """Draw the odds of lag 1 against the bound, and the trained models' scores."""
    shown = [name for name in ("lags", "rope") if runs[name]] + ["trained"] * bool(models)
    figure, axes = plt.subplots(1, len(shown), figsize=(5 * len(shown), 4), squeeze=False)
    for axis, part in zip(axes[0], shown, strict=True):
        axis.set_title(part)
        if part == "trained":
            for model in models:
                axis.plot(
                    model["steps"], np.max(model["lag_one"], 1), label=f"seed {model['seed']}"
                )
            axis.set(xlabel="step", ylabel="largest slash score at lag 1, layer 0")
        else:
            for name, run in runs[part]:
                axis.loglog(np.arange(1, len(run.odds)), run.odds[1:], label=name)
            axis.loglog(
                np.arange(1, len(run.odds)),
                runs[part][0][1].guaranteed[1:],
                "k--",
                label="bound, first",
            )
            axis.set(xlabel="step", ylabel="$a_1/(1-a_1)$")
        axis.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--length", type=int, default=32, help="N, at least 4")
    parser.add_argument("--beta", type=float, default=4.0)
    parser.add_argument("--step", type=float, default=1.0, help="eta")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trained-seeds", type=int, default=3)
    parser.add_argument("--trained-steps", type=int, default=700)
    parser.add_argument("--only", choices=PARTS, action="append")
    options = parser.parse_args(arguments)
    for name, least in (
        ("steps", 2),
        ("length", 4),
        ("seeds", 0),
        ("trained_seeds", 0),
        ("trained_steps", 2),
    ):
        if getattr(options, name) < least:
            parser.error(
                f"--{name.replace('_', '-')}: got {getattr(options, name)}, allowed: at least {least}"
            )
    for name in ("beta", "step"):
        if not 0 < getattr(options, name) < 700:
            parser.error(f"--{name}: got {getattr(options, name)}, allowed: above 0, below 700")
    parts = options.only or PARTS
    sizes: dict[str, Any] = {"beta": options.beta, "step": options.step, "steps": options.steps}
    runs: dict[str, list[tuple[str, Descent]]] = {"lags": [], "rope": []}
    result: dict[str, Any] = {"settings": {k: str(v) for k, v in vars(options).items()}}
    if {"lags", "rope"} & set(parts):
        print(ROW.format(*HEADINGS))
    if "lags" in parts:
        for name, start in starts(options.length, options.seeds):
            runs["lags"].append((name, descend_lags(start, **sizes)))
        result["lags"] = [told(*run) for run in runs["lags"]]
    if "rope" in parts:
        for head_dim, base in ((64, 10_000), (16, 10_000), (4, 10_000), (64, 500_000)):
            theta = frequencies_float64(RopeSpec(head_dim, base))
            zero = np.zeros(2 * len(theta))
            # A step of descent moves a lag's logit by the planes' number times as much.
            slower = sizes | {"step": options.step / len(theta)}
            run = descend_rope(theta, zero, length=options.length, **slower)
            runs["rope"].append((f"RoPE {head_dim}, base {base}", run))
        result["rope"] = [told(*run) for run in runs["rope"]]
    models = []
    if "trained" in parts:
        for seed in range(options.trained_seeds):
            models.append(trained(CopySettings(seed=seed, steps=options.trained_steps)))
        result["trained"] = models
    options.output.mkdir(parents=True, exist_ok=True)
    text = json.dumps(result, indent=1) + "\n"
    (options.output / "offset_found.json").write_text(text, encoding="utf-8")
    draw_figure(options.output / "offset_found.png", runs, models)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
