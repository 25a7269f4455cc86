"""What a weight costs where the target has as many keys on each side, as a Markdown table.

    python experiments/soft_table.py [--score 0.9]

For 64 planes of standard frequencies: what the two nearest keys force (`slash.amplitude-needed`), the least
amplitude of any head from both sides (`slash.amplitude-needed-window`, `slash.soft-optimal`), and what
the margin asks for that guarantees the weight (`slash.game`). Every number is certified; lower bounds are
rounded down, the others up.
"""

from __future__ import annotations

import argparse

from ropeproof.numerics.bounds.slash.soft.prices import window_prices
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.budget.text import down, up

HEADINGS = ("base", "keys on each side", "two neighbours", "needed", "best head", "by the margin")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--score", type=float, default=0.9)
    score = parser.parse_args().score
    print(f"| {' | '.join(HEADINGS)} |")
    print(f"| {' | '.join(['---:'] * len(HEADINGS))} |")
    for base in (10000, 500000):
        for reach in (16, 64, 256, 1024, 4096, 16384):
            found = window_prices(RopeSpec(128, base), reach=reach, score=score)
            assert found.neighbours is not None  # no frequency exceeds 1
            best = found.optimum
            cells = [str(base), str(reach), down(found.neighbours.lower, 3)]
            cells += [
                down(best.amplitude_needed, 3),
                up(best.amplitude, 3),
                up(found.margin.upper, 2),
            ]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
