"""How large a logit a query can guarantee to one token at every lag, as two Markdown tables.

    python experiments/sink_table.py [--shares .9 .5 .1] [--width .01]

The token, a sink or instructions at the start, is at the lags `1 .. N` from the queries after it, and the
guarantee is the least logit at these lags per unit of the query's amplitude (`head.sink-horizon`). The first
table has the best guarantee of 64 planes of standard frequencies at four windows. The second has it for eight
released models: at the last position of the context, and the numbers of positions up to which some query
guarantees a share of its amplitude and from which none does. Every number is certified, in ball arithmetic or
by a scan of enclosed logits at every lag; lower bounds are rounded down, upper bounds up.
"""

from __future__ import annotations

import argparse
import sys

from ropeproof.numerics.bounds.head.sink import SinkGuarantee, best_sink
from ropeproof.numerics.bounds.head.sink_reach import sink_reach
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.presets import PRESETS, Preset
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.budget.text import down, up

WINDOWS = ((10000, 1024), (10000, 8192), (10000, 65536), (500000, 65536))
MOST_LAGS = 2**26
"""The longest window whose lags are all looked at, five times the longest that the table needs."""


def rounded(found: SinkGuarantee) -> str:
    """The guarantee to five digits, if both of its bounds round to the same."""
    ends = {f"{end:.5f}" for end in (found.lower, found.upper)}
    return ends.pop() if len(ends) == 1 else "not decided"


def head(*names: str, left: int) -> None:
    """Print the headings of a table whose first columns are flush left."""
    print(f"| {' | '.join(names)} |")
    print(f"| {' | '.join(['---'] * left + ['---:'] * (len(names) - left))} |")


def of_windows() -> None:
    """Print the best guarantee of 64 planes at the windows."""
    head("base", "lags", "at least", "at most", "to five digits", left=0)
    for base, lags in WINDOWS:
        found = best_sink(RopeSpec(128, base), lags, tolerance=1e-7)
        cells = [str(base), str(lags), down(found.lower, 7), up(found.upper, 7), rounded(found)]
        print(f"| {' | '.join(cells)} |", flush=True)


def wavelength(preset: Preset) -> str:
    """The longest wavelength in positions; a plane that stands still has none."""
    slowest = float(frequencies_float64(preset.spec).min())
    return "still" if slowest == 0 else f"{6.283185307179586 / slowest:,.0f}"


def of_models(shares: list[float], width: float) -> None:
    """Print what a query can guarantee in the released models."""
    names = [f"{share:g} up to / not from" for share in shares]
    head("model", "base", "context", "longest wavelength", "at the context", *names, left=1)
    for preset in PRESETS.values():
        found = best_sink(preset.spec, preset.context - 1, tolerance=1e-5)
        cells = [preset.model, str(preset.spec.base), f"{preset.context:,}", wavelength(preset)]
        cells.append(f"{down(found.lower, 4)} / {up(found.upper, 4)}")
        for share in shares:
            if sys.stderr.isatty():
                print(f"\r{preset.model}, {share:g} ...", end="\033[K", file=sys.stderr)
            reach = sink_reach(preset.spec, share, width=width, most_lags=MOST_LAGS)
            if reach.lost is None:
                cells.append("any")
            else:
                cells.append(f"{reach.kept + 1:,} / {reach.lost + 1:,}")
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.9, 0.5, 0.1])
    parser.add_argument("--width", type=float, default=0.01)
    chosen = parser.parse_args()
    of_windows()
    print()
    of_models(chosen.shares, chosen.width)


if __name__ == "__main__":
    main()
