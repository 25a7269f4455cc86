"""What a slash head costs by three theorems, as a Markdown table.

    python experiments/spaced_table.py [--score 0.9]

The total amplitude with which a head of 64 planes, without noise, holds the margin that gives it the
score on every prompt of a length: the least with which any head holds that margin (`slash.game`), that
of a few spaced planes (`slash.head`, part (b)), and of equal shares of the fastest planes
(`slash.band-uniform`). Every number is certified and rounded up, but the least, which is rounded down.
A head can have the score without the margin, and with less (`ropeproof budget`).
"""

from __future__ import annotations

import argparse

from ropeproof.numerics.bounds.slash.spaced import head_cost
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.budget.text import down, up

HEADINGS = (
    "base",
    "length",
    "margin",
    "the game",
    "spaced planes",
    "how many",
    "times the game",
    "equal shares",
    "how many",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--score", type=float, default=0.9)
    score = parser.parse_args().score
    print(f"| {' | '.join(HEADINGS)} |")
    print(f"| {' | '.join(['---:'] * len(HEADINGS))} |")
    for base in (10000, 500000, 1000000):
        for length in (128, 1024, 4096, 16384):
            cost = head_cost(RopeSpec(128, base), length, score)
            cells = [str(base), str(length), up(cost.margin.upper, 2), down(cost.game.lower, 1)]
            cells += [up(cost.spaced.upper, 1), str(cost.planes)]
            cells += [up(cost.spaced.upper / cost.game.lower, 2)]
            cells += [up(cost.uniform.upper, 1), str(cost.fast)] if cost.uniform else ["none", ""]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
