r"""Is additivity learned? The course of additive fits, kinds and slash scores over a training, three seeds.

    python experiments/additivity_in_training.py --output FOLDER

Trains two shapes of model on the standard library's sources as `experiments/train_small_lm.py` does, from
three seeds each, and measures them at some steps: the best additive fits with two and with three axes
beside their nulls, the key term at a dummy distance, how alike queries and keys are, kinds of heads and slash
scores. The second shape is deep and starts as libraries start a model, since an untrained model of
SmolLM2's shape is additive before it has learned anything.

Writes `additive_training.json`, and prints each prediction of
`experiments/additive_course/predictions.toml`, which was committed before the run: predicted, observed, the
same or not. Each training is kept in the folder, so that the same command goes on where it was cut.
A quarter of an hour on one core; `--quick` trains models of a few thousand parameters for four steps.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import torch
from additive_course.course import course
from additive_course.shapes import QUICK, SHAPES
from additive_course.summary import quantities, table
from experiment import check_options, versions
from predicted import held_against, table_of
from released.subject import Steps
from rich.console import Console
from small_lm.corpus import read_corpus, standard_library
from small_lm.training import encode, tokenizer_of

PREDICTIONS = Path(__file__).parent / "additive_course" / "predictions.toml"
PROMPTS = 8
HELD_OUT = 65_536
"""The held-out tokens that prompts are taken from."""

Json = dict[str, Any]


def shortened(value: Any) -> Any:
    """A value with all its numbers rounded to five digits, since people read the record, too."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list) else value


def read(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder of the record")
    parser.add_argument("--sources", type=Path, default=standard_library(), help="Python files")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each shape (3)")
    parser.add_argument("--shape", choices=list(SHAPES), action="append", help="this one only")
    parser.add_argument("--quick", action="store_true", help="tiny models: does everything run?")
    chosen = parser.parse_args(arguments)
    chosen.device = "cpu"
    check_options(parser, chosen, ("seeds",))
    return chosen


def main(arguments: list[str] | None = None) -> None:
    """Train, measure, write the record and print the predictions beside what was observed."""
    chosen = read(arguments)
    chosen.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    begin = time.process_time()
    shapes = QUICK if chosen.quick else SHAPES
    corpus = read_corpus(chosen.sources)
    texts = [source.text for source in corpus.train]
    if chosen.quick:
        texts = texts[:20]
    settings = next(iter(shapes.values())).settings
    tokenizer = tokenizer_of(texts, settings.vocabulary, settings.length)
    tokens = encode(tokenizer, texts)
    held_out = encode(tokenizer, [source.text for source in corpus.held_out])[:HELD_OUT]
    facts = {
        "text": "the standard library's sources",
        "tokens sha256": hashlib.sha256(tokens.tobytes() + held_out.tobytes()).hexdigest(),
        "versions": versions("transformers", "tokenizers"),
    }
    steps = Steps(chosen.output / "additive_training.steps", facts)
    courses: dict[str, list[Json]] = {}
    prompts = 4 if chosen.quick else PROMPTS
    end = int(tokenizer.eos_token_id)
    for name in chosen.shape or shapes:
        for seed in range(chosen.seeds):
            named = {"shape": repr(shapes[name]), "seed": seed, "prompts": prompts}
            run = partial(
                course, name, shapes[name], seed, tokens, held_out, end=end, prompts=prompts
            )
            courses.setdefault(name, []).append(steps.of(f"{name} seed {seed}", named, run))
    numbers = quantities(courses) | dict.fromkeys(missing(shapes, courses))
    predictions = held_against(PREDICTIONS, numbers)
    found = {
        "command": "python experiments/additivity_in_training.py --output FOLDER",
        "quick": chosen.quick,
        "seeds": chosen.seeds,
        **facts,
        "courses": courses,
        "tables": {name: table(runs) for name, runs in courses.items()},
        "predictions": predictions,
    }
    path = chosen.output / "additive_training.json"
    path.write_text(json.dumps(shortened(found)) + "\n", encoding="utf-8")
    if chosen.quick:
        print("Tiny models: the predictions are not about them.")
    Console().print(table_of(predictions["rows"], title="predictions against this run"))
    print(f"{path}; {time.process_time() - begin:.0f} s of a core, this time")


def missing(shapes: Any, courses: Any) -> list[str]:
    """The names of the quantities of shapes that were left out."""
    some = next(iter(courses.values()))
    left = {name: some for name in shapes if name not in courses}
    return list(quantities(left))


if __name__ == "__main__":
    main()
