"""Which learned slash heads survive longer prompts and scaled frequencies: predicted, then run.

    python experiments/predict_break.py MODEL [MODEL ...] --output FOLDER [--factors 2 4 8]
        [--rows 4096] [--prompts 16] [--tokens 16384] [--threshold 0.1] [--confidence 0.999] [--seed 0]
        [--threads 1] [--predict-only]

Each MODEL is a folder of a Llama with held_out.txt beside it, as `train_small_lm.py` and
`train_copying_lm.py` write them. First the heads are looked at on prompts of the model's own length,
random tokens and held-out text, and for every head with a slash score of at least the threshold
`predictions.json` is written: for each length and scaling what is guaranteed of its score, and of
its margin, on independently drawn positions. Only then is the model run there: `report.json` has
prediction and observation side by side, `scores.png` and `kept.png` show them.

A guarantee is about positions drawn independently from a population of the head: of the first layer
on random tokens that is the model's own run; of all others it is a run of the head on such
positions, with the library's rotation and softmax. What the model shows there on its own tokens is
compared too, without a guarantee. Exit status 1 if a guarantee is violated.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import torch
import transformers
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).resolve().parent))

from breaks.bounds import drawn_score, guarantee
from breaks.pictures import draw_pictures
from breaks.populations import POSITIONS, Population, populations, prompts_of
from breaks.runs import Observed, on_drawn_positions, on_prompts
from breaks.settings import Setting, settings_of, spec_of
from breaks.tables import head_of, shares, show, show_predictions
from small_lm.command import Parser, versions

from ropeproof.numerics.bounds.slash.learned.factor import rank_one
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

TOKENS = ("random", "text")
TOKENS_OF_A_RUN = 16_384
ROWS_OF_A_PROMPT = 64
"""The number of rows drawn from each prompt, to see what single prompts add."""
Row = dict[str, Any]


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command's options; exits with status 2 on a bad value."""
    parser = Parser(
        prog="predict_break.py",
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("models", nargs="+", type=Path, metavar="MODEL", help="folders of models")
    add("--output", type=Path, required=True, help="folder for predictions, report and pictures")
    add("--factors", type=int, nargs="+", default=[2, 4, 8], help="of the model's own length")
    add("--rows", type=int, default=4096, help="rows drawn for each prediction")
    add("--prompts", type=int, default=16, help="least number of prompts of each run")
    add("--tokens", type=int, default=TOKENS_OF_A_RUN, help="least number in all prompts of a run")
    add("--threshold", type=float, default=0.1, help="slash score from which a head is one")
    add("--confidence", type=float, default=0.999, help="that all predictions hold")
    add("--seed", type=int, default=0)
    add("--threads", type=int, default=1, help="threads of PyTorch")
    add("--predict-only", action="store_true", help="write the predictions and stop")
    given = parser.parse_args(arguments)
    ranges = (
        ("rows", 16, 10**6),
        ("prompts", 3, 10**4),
        ("tokens", 1, 10**9),
        ("seed", 0, 2**32 - 1),
        ("threads", 1, 1024),
    )
    for name, least, most in ranges:
        if not least <= getattr(given, name) <= most:
            parser.error(f"--{name}: got {getattr(given, name)}, allowed: {least} to {most}")
    for name in ("threshold", "confidence"):
        if not 0 < getattr(given, name) < 1:
            parser.error(f"--{name}: got {getattr(given, name)}, allowed: above 0 and below 1")
    if not all(1 < factor <= 64 for factor in given.factors):
        parser.error(f"--factors: got {given.factors}, allowed: whole numbers from 2 to 64")
    for folder in given.models:
        if not (folder / "config.json").is_file():
            parser.error(f"MODEL: {folder} is not a model's folder, it has no config.json")
        if not (folder.parent / "held_out.txt").is_file():
            parser.error(f"MODEL: there is no file {folder.parent / 'held_out.txt'}")
    if given.output.exists() and not given.output.is_dir():
        parser.error(f"--output: got {given.output}, allowed: a folder, or a new name")
    return given


# --- before the run -------------------------------------------------------------------------------


def own_scores(model: Any, prompts: torch.Tensor) -> Any:
    """The slash scores of every prompt and head by lag, `(prompts, layers, heads, length)`."""
    usual = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            found = [
                model(input_ids=prompt[None], output_attentions=True).attentions
                for prompt in prompts
            ]
    finally:
        model.set_attn_implementation(usual)
    each = [np.stack([slash_scores(layer[0].numpy()) for layer in one]) for one in found]
    return np.stack(each)


def by_prompt(population: Population, profiles: Any, spec: RopeSpec) -> Row:
    """The scores of a head at each prompt's own best lag, beside those on positions drawn from that prompt.

    An induction head has another lag in every text. Means over the prompts; the lags in order.
    """
    length = profiles.shape[1]
    lags = (profiles[:, 1 : length // 2].argmax(1) + 1).tolist()
    alone: list[float] = []
    for place, lag in enumerate(lags):
        own = slice(place * length, (place + 1) * length)
        part = replace(population, queries=population.queries[own], keys=population.keys[own])
        alone.append(drawn_score(part, spec, lag, length, ROWS_OF_A_PROMPT, place))
    best = [float(profile[lag]) for profile, lag in zip(profiles, lags, strict=True)]
    return {"lags": lags, "score": float(np.mean(best)), "independent": float(np.mean(alone))}


def look(
    model: Any, folder: Path, tokens: str, given: argparse.Namespace, seed: Sequence[int]
) -> tuple[list[Row], dict[tuple[int, int], Population]]:
    """The slash heads of a model on these tokens at its own length, and their populations."""
    generator = np.random.default_rng(seed)
    length = int(model.config.max_position_embeddings)
    count = max(given.prompts, POSITIONS // length)
    prompts = prompts_of(model, folder, tokens, count, length, generator)
    scores = own_scores(model, prompts)
    spec = RopeSpec.from_config(model.config)
    sampled = {(one.layer, one.head): one for one in populations(model, prompts, drawn=False)}
    known = populations(model, prompts, drawn=True) if tokens == "random" else sampled.values()
    found = {(one.layer, one.head): one for one in known}
    rows: list[Row] = []
    for layer, head in np.ndindex(*scores.shape[1:3]):
        profile = scores[:, layer, head].mean(0)
        lag = int(profile[1 : length // 2].argmax()) + 1
        factors = [rank_one(x) for x in (found[layer, head].queries, found[layer, head].keys)]
        rows.append(
            {
                "layer": layer,
                "head": head,
                "lag": lag,
                "score": float(profile[lag]),
                "slash": bool(profile[lag] >= given.threshold),
                "exact": found[layer, head].exact,
                "positions": len(found[layer, head].keys),
                "r1": [1 - factor.outside for factor in factors],
                "negative": [factor.negative for factor in factors],
                "mean_over_size": [factor.mean_over_size for factor in factors],
                "by_prompt": by_prompt(sampled[layer, head], scores[:, layer, head], spec),
            }
        )
    return rows, found


def predict(
    given: argparse.Namespace, models: Sequence[Any], say: Callable[[str], None]
) -> tuple[dict[str, Any], dict[tuple[int, str], dict[tuple[int, int], Population]]]:
    """The content of predictions.json, and the populations that it is about."""
    known, entries = {}, []
    for number, (model, folder) in enumerate(zip(models, given.models, strict=True)):
        entry: Row = {"folder": str(folder), "length": int(model.config.max_position_embeddings)}
        entry |= {"weights_sha256": digest(folder / "model.safetensors"), "heads": {}}
        for kind, tokens in enumerate(TOKENS):
            say(f"{folder}: heads on {tokens}")
            seed = [given.seed, number, kind, 0]
            entry["heads"][tokens], known[number, tokens] = look(model, folder, tokens, given, seed)
        entries.append(entry)
    asked = [
        (number, tokens, head, setting)
        for number, entry in enumerate(entries)
        for tokens in TOKENS
        for head in entry["heads"][tokens]
        if head["slash"]
        for setting in settings_of(entry["length"], tuple(given.factors))
    ]
    if not asked:
        most = max(h["score"] for e in entries for t in TOKENS for h in e["heads"][t])
        raise InvalidArgument(
            "threshold", given.threshold, f"at most the largest score, {most:.4f}"
        )
    rows: list[Row] = []
    for place, (number, tokens, head, setting) in enumerate(asked):
        say(f"{place + 1} of {len(asked)} predictions")
        population = known[number, tokens][head["layer"], head["head"]]
        found = guarantee(
            population,
            spec_of(models[number].config, setting),
            setting,
            head["lag"],
            rows=given.rows,
            confidence=given.confidence,
            comparisons=len(asked),
            generator=np.random.default_rng([given.seed, number, place, 1]),
        )
        row = {name: head[name] for name in ("layer", "head", "lag", "exact")}
        row |= {"model": number, "tokens": tokens} | asdict(setting)
        rows.append(row | {"setting": setting.name, "predicted": asdict(found)})
    judge(rows)
    return {
        "schema": 1,
        "command": shlex.join(["predict_break.py", *sys.argv[1:]]),
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "versions": versions(scipy) | {"system": platform.system()},
        "options": {k: v for k, v in vars(given).items() if k not in {"models", "output"}},
        "models": entries,
        "predictions": rows,
    }, known


def judge(rows: Iterable[Row]) -> None:
    """Add to each prediction its verdict: `survives`, `falls` or `open`.

    `survives` is at least half of the head's score at the model's own length, `falls` at most half, `open`
    that neither is guaranteed.
    """
    rows = list(rows)
    own = {head_of(row): row["predicted"] for row in rows if row["setting"] == "none x1"}
    for row in rows:
        now, before = row["predicted"], own[head_of(row)]
        survives, falls = now["lower"] >= before["upper"] / 2, now["upper"] <= before["lower"] / 2
        row["verdict"] = "survives" if survives else "falls" if falls else "open"


# --- the run --------------------------------------------------------------------------------------


def observe(
    given: argparse.Namespace,
    models: Sequence[Any],
    predictions: dict[str, Any],
    known: dict[tuple[int, str], dict[tuple[int, int], Population]],
    say: Callable[[str], None],
) -> list[Row]:
    """The predictions with their observations: `model_run` and `guaranteed_run`, and what is violated.

    The two runs are the same where the population is exact.
    """
    rows: list[Row] = predictions["predictions"]
    alpha = (1 - given.confidence) / max(1, 2 * len(rows))
    groups = {(row["model"], row["tokens"], row["setting"]): [] for row in rows}
    for row in rows:
        groups[row["model"], row["tokens"], row["setting"]].append(row)
    for place, ((number, tokens, name), group) in enumerate(groups.items()):
        say(f"{place + 1} of {len(groups)} runs: {given.models[number]}, {tokens}, {name}")
        model, first = models[number], group[0]
        setting = Setting(first["kind"], first["factor"], first["length"])
        lags = {(row["layer"], row["head"]): row["lag"] for row in group}
        generator = np.random.default_rng([given.seed, place, 2])
        count = max(given.prompts, given.tokens // setting.length)
        prompts = prompts_of(model, given.models[number], tokens, count, setting.length, generator)
        seed = int(generator.integers(2**32))
        in_model = on_prompts(model, prompts, setting, lags, seed=seed)
        drawn = on_drawn_positions(
            model,
            known[number, tokens].values(),
            setting,
            {(row["layer"], row["head"]): row["lag"] for row in group if not row["exact"]},
            prompts=count,
            seed=seed,
        )
        for row in group:
            where = row["layer"], row["head"]
            row["model_run"] = numbers(in_model[where], alpha)
            row["guaranteed_run"] = (
                row["model_run"] if row["exact"] else numbers(drawn[where], alpha)
            )
            row["violated"] = violated(row)
    return rows


def numbers(found: Observed, alpha: float) -> Row:
    """The score and the margin of a run with their radii."""
    margin, room = found.margin(alpha)
    score = {"score": found.score, "score_radius": found.radius(alpha)}
    return score | {"margin": margin, "margin_radius": room}


def violated(row: Row) -> list[str]:
    """The names of the guarantees that their run contradicts beyond its sampling error."""
    said, seen = row["predicted"], row["guaranteed_run"]
    wrong = {
        "lower": seen["score"] + seen["score_radius"] < said["lower"],
        "upper": seen["score"] - seen["score_radius"] > said["upper"],
        "margin": seen["margin"] + seen["margin_radius"] < said["margin_guaranteed"],
    }
    if row["kind"] == "bfloat16 angles":
        # Logits of rounded angles are no function of the lag: no margin is promised.
        del wrong["margin"]
    return [name for name, broken in wrong.items() if broken]


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """The rank correlations, verdicts and violations of a report."""
    longer = [row for row in rows if row["factor"] > 1]
    groups: dict[str, list[Row]] = {
        "guaranteed run": longer,
        "model's run, random tokens": [row for row in longer if row["tokens"] == "random"],
        "model's run, text": [row for row in longer if row["tokens"] == "text"],
    }
    found: dict[str, Any] = {"predictions": len(rows), "longer or scaled": len(longer)}
    own = {head_of(row): row for row in rows if row["setting"] == "none x1"}
    for name, group in groups.items():
        run = "guaranteed_run" if name == "guaranteed run" else "model_run"
        if len(group) < 3:
            continue
        said = [row["predicted"]["estimate"] for row in group]
        seen = [row[run]["score"] for row in group]
        right = {"survives": [0, 0], "falls": [0, 0]}
        for row in group:
            if row["verdict"] in right:
                kept = row[run]["score"] >= own[head_of(row)][run]["score"] / 2
                right[row["verdict"]][kept == (row["verdict"] == "falls")] += 1
        found[name] = {
            "rank_correlation": float(spearmanr(said, seen).statistic),
            "mean_distance": float(np.abs(np.subtract(said, seen)).mean()),
            "compared": len(group),
            "verdicts_right_and_wrong": right,
            "open": sum(row["verdict"] == "open" for row in group),
        }
    found["violated"] = sum(bool(row["violated"]) for row in rows)
    return found


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0 done, 1 a guarantee is violated, 2 bad options or an unfit model."""
    given = read_options(arguments)
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    torch.set_num_threads(given.threads)

    def say(stage: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{stage}")

    try:
        models = [
            transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
            for folder in given.models
        ]
        predictions, known = predict(given, models, say)
        given.output.mkdir(parents=True, exist_ok=True)
        path = given.output / "predictions.json"
        path.write_text(json.dumps(predictions, indent=1) + "\n", encoding="utf-8")
        if given.predict_only:
            show_predictions(predictions)
            print(f"{len(predictions['predictions'])} predictions in {path}")
            return 0
        rows = observe(given, models, predictions, known, say)
    except InvalidArgument as wrong:
        sys.stderr.write(f"predict_break.py: {wrong}\n")
        return 2
    report = predictions | {
        "predictions_sha256": digest(path),
        "summary": summary(rows) | {"explained": shares(rows)},
    }
    text = json.dumps(report, indent=1) + "\n"
    (given.output / "report.json").write_text(text, encoding="utf-8")
    show(report)
    draw_pictures(report, given.output)
    return 1 if report["summary"]["violated"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
