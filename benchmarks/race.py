"""Expected attention on independent keys: enclosed by `race_bounds`, against sampling rows.

    python benchmarks/race.py [--lags 512 2048 16384] [--values 256] [--repeats 3]

A row has one lag with an expected weight between 0.2 and 0.8, and each lag a table of equally likely
logits. `race_bounds` takes as few cells as enclose every lag to the width, of the numbers tried.
Sampling draws rows until the 99 % interval of that one lag has the same full width; it is timed on
as many rows as fit into `--seconds` and multiplied up, the number of rows from the sample's own
variance. It draws from exponentials formed once, and divides only the one lag's. Both are
single-threaded; times are CPU seconds, the least of the repeats for `race_bounds`.

Then a needle among independent distractors, all lengths at once.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from numpy.typing import NDArray

from ropeproof import expected_needle_score, race_bounds

Floats = NDArray[np.float64]
WIDTHS = (1e-3, 1e-4)
CELLS = (25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 1600)
NORMAL_99 = 2.5758293035489004


def row(lags: int, values: int, scale: float, random: np.random.Generator) -> Floats:
    """Logits `(lags, values)` in which lag 1 is so far above the others that it has about half the weight."""
    logits = scale * random.normal(size=(lags, values))
    logits[1] += np.log(lags) + scale**2 / 2
    return logits


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def enclose(logits: Floats, width: float, repeats: int) -> tuple[float, int, Floats, Floats]:
    """The seconds, cells and bounds of the coarsest enclosure that has the width."""
    for cells in CELLS:
        lower, upper = race_bounds(logits, cells=cells)
        if (upper - lower).max() <= width:
            again = partial(race_bounds, logits, cells=cells)
            seconds = min(cpu(again)[0] for _ in range(repeats))
            return seconds, cells, lower, upper
    raise SystemExit(f"no width of {width} with {CELLS[-1]} cells")


def sample(logits: Floats, seconds: float, seed: int) -> tuple[float, int, float, float]:
    """The CPU seconds per row, the number of rows, and mean and standard deviation of lag 1's weight."""
    random = np.random.default_rng(seed)
    lags, values = logits.shape
    rates = np.exp(logits - logits.max())
    start = np.arange(lags) * values
    flat = rates.ravel()
    chunk = max(1, 2**18 // lags)
    kind = np.uint8 if values <= 256 else np.uint16
    found: list[Floats] = []
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        drawn = flat[random.integers(values, size=(chunk, lags), dtype=kind) + start]
        found.append(drawn[:, 1] / drawn.sum(1))
    spent = time.process_time() - begun
    weights = np.concatenate(found)
    return spent / len(weights), len(weights), float(weights.mean()), float(weights.std(ddof=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lags", type=int, nargs="+", default=[512, 2048, 16384])
    parser.add_argument("--values", type=int, default=256)
    parser.add_argument("--scale", type=float, default=2.0, help="standard deviation of the logits")
    parser.add_argument("--seconds", type=float, default=5.0, help="of sampling, for its speed")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    random = np.random.default_rng(0)
    print(
        f"{options.values} values a lag, logits of standard deviation {options.scale:g}; "
        f"{platform.machine()}, numpy {np.__version__}, one thread"
    )
    print("   lags  weight    width  cells  race_bounds    rows to draw     sampling    ratio")
    for lags in options.lags:
        logits = row(lags, options.values, options.scale, random)
        each, drawn, mean, spread = sample(logits, options.seconds, seed=1)
        for width in WIDTHS:
            seconds, cells, lower, upper = enclose(logits, width, options.repeats)
            middle = float(lower[1] + upper[1]) / 2
            if not 0.2 <= middle <= 0.8:
                raise SystemExit(f"a weight of {middle:.3f}, not between 0.2 and 0.8")
            slack = 5 * spread / drawn**0.5
            if not lower[1] - slack <= mean <= upper[1] + slack:
                raise SystemExit(f"sampling found {mean}, not between {lower[1]} and {upper[1]}")
            needed = (2 * NORMAL_99 * spread / width) ** 2
            print(
                f"{lags:7d}  {middle:6.3f}  {width:7.0e}  {cells:5d}  {seconds:9.3f} s"
                f"  {needed:14.3g}  {needed * each:9.3g} s  {needed * each / seconds:7.3g}"
            )
    needle = 10 + random.normal(size=options.values)
    distractors = random.normal(size=options.values)
    lengths = [10**k for k in range(1, 7)]
    seconds, (lower, upper) = cpu(lambda: expected_needle_score(needle, distractors, lengths))
    print(f"a needle among distractors, {len(lengths)} lengths up to 10^6: {seconds:.3f} s")
    for length, low, high in zip(lengths, lower, upper, strict=True):
        print(f"  {length:8d} keys: {low:.5f} to {high:.5f}")


if __name__ == "__main__":
    main()
