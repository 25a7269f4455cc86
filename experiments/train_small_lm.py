"""A small language model with learned heads, trained here on text that every machine has.

    python experiments/train_small_lm.py --output FOLDER [--minutes 6] [--steps N] [--length 512]
        [--layers 4] [--heads 4] [--width 128] [--vocabulary 2048] [--seed 0] [--threads 2]
        [--family llama|qwen3|gpt-neox]

Trains a model with RoPE of base 10000, of the Llama family if no other is named, on the sources of the
standard library of the Python that runs it, without a network. FOLDER then holds

- trained/ and initial/: the model after and before training, with the tokenizer, to be read by
  `AutoModelForCausalLM` and `AutoTokenizer`;
- held_out.txt: files that neither the model nor the tokenizer was trained on;
- training.json: the loss curve, the held-out loss of both models beside what tables of tokens and
  of pairs reach, the loss on random tokens the first and the second time they come, the attention
  of every head to the previous token and to what came next the last time, and all settings.

With --minutes the clock ends the training; with --steps the same settings give the same weights on
the same machine. Either everything is written or nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
import torch
import transformers
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))

from small_lm.command import (
    Parser,
    all_or_nothing,
    bad_values,
    best_heads,
    train_and_tell,
    versions,
)
from small_lm.corpus import Corpus, read_corpus, standard_library
from small_lm.families import FAMILIES, fresh_model, rotated
from small_lm.measures import (
    head_scores,
    held_out_loss,
    ngram_references,
    repeated_random_loss,
)
from small_lm.training import (
    Settings,
    encode,
    precision_of_this_cpu,
    tokenizer_of,
    train,
)

from ropeproof.theory.errors import InvalidArgument

EVALUATED = 65_536
"""Held-out tokens that the reported losses are means over."""
NAMES = ("trained", "initial", "held_out.txt", "training.json")
DEFAULTS = Settings()


def read_options(arguments: list[str] | None = None) -> tuple[Settings, Path, Path]:
    """The settings, the folder to write and the folder of the text; exits with status 2 on a bad value."""
    parser = Parser(
        prog="train_small_lm.py",
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--output", type=Path, required=True, help="folder for the models and the report")
    add("--sources", type=Path, default=standard_library(), help="folder of Python files")
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--minutes", type=float, default=DEFAULTS.minutes, help="time to train")
    end.add_argument("--steps", type=int, default=None, help="steps to train, instead of a time")
    add("--length", type=int, default=DEFAULTS.length, help="context in tokens")
    add("--layers", type=int, default=DEFAULTS.layers)
    add("--heads", type=int, default=DEFAULTS.heads, help="heads of a layer")
    add("--width", type=int, default=DEFAULTS.width, help="of the residual stream")
    add("--vocabulary", type=int, default=DEFAULTS.vocabulary, help="tokens of the tokenizer")
    add("--seed", type=int, default=DEFAULTS.seed)
    told = "; ".join(f"{name}: {what}" for name, what in FAMILIES.items())
    add("--family", choices=list(FAMILIES), default=DEFAULTS.family, help=told)
    add("--threads", type=int, default=DEFAULTS.threads, help="threads of PyTorch")
    given = vars(parser.parse_args(arguments))
    output, sources = given.pop("output"), given.pop("sources")
    settings = Settings(**given, precision=precision_of_this_cpu())
    for name, got, allowed in _bad_values(settings, output):
        parser.error(f"--{name}: got {got}, allowed: {allowed}")
    return settings, output, sources


def _bad_values(settings: Settings, output: Path) -> Iterator[tuple[str, object, str]]:
    if not (math.isfinite(settings.minutes) and 0 < settings.minutes <= 10_000):
        yield "minutes", settings.minutes, "more than 0, at most 10000"
    found = list(bad_values(settings, output))
    yield from found
    if not found and rotated(settings.family, settings.width // settings.heads) % 2:
        allowed = f"a multiple of {8 * settings.heads}, so that a quarter of each head is planes"
        yield "width", settings.width, allowed


def report(console: Console, result: dict[str, Any]) -> None:
    """Print the most important figures of training.json as a table."""
    table = Table("figure", "trained", "initial", title="A small model with learned heads")
    held, repeated = result["held_out"], result["repeated_random"]
    table.add_row(
        "held-out loss, nats per token", f"{held['trained']:.4f}", f"{held['initial']:.4f}"
    )
    for name, title in (
        ("unigram_entropy", "entropy of its tokens"),
        ("bigram_entropy", "entropy of its tokens given the one before"),
        ("unigram_loss", "loss of a table of tokens"),
        ("bigram_loss", "loss of a table of pairs"),
    ):
        table.add_row(f"  {title}", f"{held[name]:.4f}", "")
    for name in ("first", "second"):
        row = f"random tokens, the {name} time", f"{repeated[name]:.4f}"
        table.add_row(*row, f"{result['repeated_random_initial'][name]:.4f}")
    best_heads(table, result["heads"], ("previous_token", "induction"))
    console.print(table)
    console.print(
        f"{result['steps']} steps, {result['tokens']} tokens, {result['seconds']:.0f} seconds"
    )


def run(
    settings: Settings,
    output: Path,
    corpus: Corpus,
    *,
    progress: Callable[[str, float], None] = lambda stage, done: None,
) -> dict[str, Any]:
    """Train, measure and write; returns the content of training.json.

    Raises `InvalidArgument` if the text is too short for these settings.
    """
    torch.set_num_threads(settings.threads)
    progress("tokenizer", 0)
    texts = [source.text for source in corpus.train]
    tokenizer = tokenizer_of(texts, settings.vocabulary, settings.length)
    tokens = encode(tokenizer, texts)
    held_out_text = "\n".join(source.text for source in corpus.held_out)
    held_out = encode(tokenizer, [held_out_text])
    check_text(settings, tokens, held_out, len(tokenizer))

    with all_or_nothing(output, NAMES) as work:
        model = fresh_model(settings, tokenizer.eos_token_id)
        save(model, tokenizer, work / "initial")
        before = measure(model, held_out, settings)
        training = train(
            model, tokens, settings, progress=lambda done, _: progress("training", done)
        )
        progress("measuring", 0)
        after = measure(model, held_out, settings)
        save(model, tokenizer, work / "trained")
        references = ngram_references(tokens, held_out[:EVALUATED], settings.vocabulary)
        result = {
            "schema": 1,
            "settings": asdict(settings) | {"rate": settings.rate},
            "versions": versions(tokenizers),
            "parameters": sum(p.numel() for p in model.parameters()),
            "steps": len(training.losses),
            "tokens": training.tokens[-1],
            "seconds": training.seconds[-1],
            "held_out": {
                "trained": after["loss"],
                "initial": before["loss"],
                **asdict(references),
                "tokens": min(EVALUATED, len(held_out)) // settings.length * settings.length,
                "lines_also_trained_on": corpus.shared_lines(),
            },
            "repeated_random": after["repeated_random"],
            "repeated_random_initial": before["repeated_random"],
            "log_vocabulary": math.log(settings.vocabulary),
            "heads": {"trained": after["heads"], "initial": before["heads"]},
            "text": {
                "files": len(corpus.train),
                "tokens": len(tokens),
                "held_out_files": [source.name for source in corpus.held_out],
                "held_out_tokens": len(held_out),
            },
            "curve": training.curve(),
        }
        (work / "held_out.txt").write_text(held_out_text, encoding="utf-8")
        (work / "training.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def check_text(
    settings: Settings, tokens: NDArray[np.int64], held_out: NDArray[np.int64], vocabulary: int
) -> None:
    """Raise `InvalidArgument` if the text is too short for these settings."""
    if vocabulary != settings.vocabulary:
        allowed = f"at most {vocabulary}: the text has no more pairs of tokens that come twice"
        raise InvalidArgument("vocabulary", settings.vocabulary, allowed)
    shortest = min(len(tokens), len(held_out))
    if shortest < settings.length:
        allowed = f"at most {shortest}, the tokens of the text or of its held-out part"
        raise InvalidArgument("length", settings.length, allowed)


def measure(
    model: transformers.PreTrainedModel, held_out: NDArray[np.int64], settings: Settings
) -> dict[str, Any]:
    """The held-out loss, the loss on repeated random tokens, and the scores of every head."""
    windows = min(8, len(held_out) // settings.length)
    first, second = repeated_random_loss(model, settings.length)
    return {
        "loss": held_out_loss(model, held_out[:EVALUATED], settings.length),
        "repeated_random": {"first": first, "second": second},
        "heads": [
            asdict(head) for head in head_scores(model, held_out, settings.length, windows=windows)
        ],
    }


def save(
    model: transformers.PreTrainedModel,
    tokenizer: transformers.PreTrainedTokenizerFast,
    folder: Path,
) -> None:
    """Write a folder that `AutoModelForCausalLM` and `AutoTokenizer` read."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; exit status 0 done, 1 the training diverged, 2 bad options, 130 interrupted."""
    settings, output, sources = read_options(arguments)
    return train_and_tell(
        "train_small_lm.py",
        lambda progress: run(settings, output, read_corpus(sources), progress=progress),
        report,
        f"models and text in {output}",
        first="reading",
    )


if __name__ == "__main__":
    raise SystemExit(main())
