r"""How far SmolLM2's slash heads are from the sizes that protect a slash, as a Markdown table.

    python experiments/slash_sizes.py [--record docs/experiments/smollm2_slash.json] [--rows 8]

`slash.sandwich` with the margin `mu A` of a mean head of amplitude A says something of a head only if
`e_q + e_k + e_q e_k` is below `mu/2`, where `e_q` and `e_k` bound how far queries and keys lie from their
means, relatively, and `mu` is at most the value of the one-sided slash game (`slash.game-one-sided`).
The record of `released_experiments.py --part slash` has `r_1` of queries and of keys. Whatever vector is
taken for the mean, the root mean square of the distances from it is at least `sqrt(1 - r_1)` times its
norm, and the largest distance no less. The table compares the sum that follows for each
slash head of the record with half of the game's value, which is certified, at the head's lag. No model
is run.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.theory.rotary.spec import RopeSpec

RECORD = Path(__file__).resolve().parents[1] / "docs/experiments/smollm2_slash.json"
SPEC = RopeSpec(64, 100000)
"""What the header of the package's GGUF file says: 64 dimensions a head, `rope.freq_base` 100000."""


def least_radius(r1: float) -> float:
    """The least that `e` can be for vectors with this `r_1`, `sqrt(1 - r_1)`, whatever stands for their mean.

    Of n vectors of squares E in all, R >= (1 - r_1) E lies across the direction u of the reference c u, and
    P = E - R along it. The mean squared distance over c^2 is at least R/(n c^2) + (sqrt(P/n)/c - 1)^2, whose
    least value over c is R/E.

    >>> round(least_radius(0.95), 4)
    0.2236
    """
    return math.sqrt(1 - r1)


def least_size(head: dict[str, Any]) -> float:
    """The least `e_q + e_k + e_q e_k` of a head of the record, whose `r1` is a pair."""
    query, key = (least_radius(r1) for r1 in head["r1"])
    return query + key + query * key


def allowed(lag: int, length: int) -> float:
    """Half of the one-sided game's value for this lag in prompts of this length, from above."""
    return optimal_slash(SPEC, before=lag, after=length - 1 - lag).upper / 2


def main() -> None:
    """Print the heads nearest to what is allowed, and how many are below it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--rows", type=int, default=8)
    options = parser.parse_args()
    record = json.loads(options.record.read_text(encoding="utf-8"))
    settings = record["settings"]
    heads = [h for h in record["heads"]["text"] if h["score"] >= settings["threshold"]]
    limits = {lag: allowed(lag, settings["length"]) for lag in sorted({h["lag"] for h in heads})}
    rows = sorted(
        ((least_size(head) / limits[head["lag"]], head) for head in heads), key=lambda row: row[0]
    )
    print("| head | lag | score | r1 of queries | r1 of keys | size at least | allowed | factor |")
    print("| --- " + "| ---: " * 7 + "|")
    for factor, head in rows[: options.rows]:
        numbers = [head["score"], *head["r1"], least_size(head), limits[head["lag"]]]
        cells = [head["name"], str(head["lag"]), *(f"{number:.3f}" for number in numbers)]
        print(f"| {' | '.join([*cells, f'{factor:.1f}'])} |")
    factors = [factor for factor, _ in rows]
    below = sum(factor < 1 for factor in factors)
    print(
        f"\n{below} of {len(rows)} slash heads may have the size; the others exceed it by a factor of "
        f"{factors[below]:.1f} to {factors[-1]:.1f}, median {factors[len(rows) // 2]:.1f}."
    )


if __name__ == "__main__":
    main()
