"""The budgets of the eight presets, as a Markdown table.

    python experiments/budget_table.py [--score 0.9]

For every model the least amplitude found, and the least that any head needs, with which a head
attends 1 back, or half the context back, with that average weight on every prompt of the model's
own context length; the product of query and key norms it takes at the model's scale; and what the
same amplitude gives at 2, 4 and 8 times the length, re-optimised and with the same head.
Every number is certified; lower bounds are rounded down, upper bounds up.
"""

from __future__ import annotations

import argparse
import sys

from ropeproof.numerics.bounds.slash.budget import slash_budget
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.tools.budget.text import down, up

HEADINGS = (
    "model",
    "length",
    "offset",
    "amplitude",
    "needed",
    "norms",
    "margin",
    "2x",
    "4x",
    "8x",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--score", type=float, default=0.9)
    score = parser.parse_args().score
    print(f"| {' | '.join(HEADINGS)} |")
    print(f"| --- |{' ---: |' * (len(HEADINGS) - 1)}")
    for preset in PRESETS.values():
        for offset in (1, preset.context // 2):
            if sys.stderr.isatty():
                print(f"\r{preset.model}, offset {offset} ...", end="\033[K", file=sys.stderr)
            budget = slash_budget(preset.spec, offset=offset, length=preset.context, score=score)
            if sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr, flush=True)
            cells = [preset.model, str(preset.context), str(offset)]
            cells += [up(budget.amplitude, 2), down(budget.amplitude_needed, 2)]
            cells += [up(budget.query_key_norm_product, 1), down(budget.game.lower, 4)]
            cells += [f"{down(x.reoptimised, 3)} / {down(x.frozen, 3)}" for x in budget.longer]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
