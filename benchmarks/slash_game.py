"""The slash game, certified, against the linear programme that a user would write.

    python benchmarks/slash_game.py [--reach 1048576] [--head-dim 128] [--base 10000]

Ours: time, peak memory of a fresh process and the relative gap of the two certified bounds, for a
target with `reach` positions on each side, and for one with all of them on one side. The usual way
is one dense linear programme over all lags, solved once by the same solver; it certifies nothing.
It is run at equal reach as far as `--dense` allows, then extrapolated by the growth measured.
"""

from __future__ import annotations

import argparse
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import scipy
from scipy.optimize import linprog

from ropeproof.numerics.bounds.slash.game import SlashGame, optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec


def dense(spec: RopeSpec, reach: int) -> float:
    """The value of the game by one dense linear programme over all lags; not certified."""
    theta = frequencies_float64(spec)
    rows = 1 - np.cos(np.multiply.outer(np.arange(1, reach + 1), theta))
    result = linprog(
        np.append(np.zeros(len(theta)), -1.0),
        A_ub=np.column_stack((-rows, np.ones(reach))),
        b_ub=np.zeros(reach),
        A_eq=np.append(np.ones(len(theta)), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * len(theta) + [(None, None)],
        method="highs",
    )
    return float(result.x[-1])


def ours(spec: RopeSpec, reach: int, one_sided: bool) -> SlashGame:
    if one_sided:
        return optimal_slash(spec, before=0, after=reach)
    return optimal_slash(spec, reach)


def peak(mode: str, options: argparse.Namespace, reach: int) -> int:
    """The peak resident MB of a fresh process that solves the game in one way."""
    command = [sys.executable, __file__, "--memory", mode, "--reach", str(reach)]
    command += ["--head-dim", str(options.head_dim), "--base", str(options.base)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reach", type=int, default=2**20)
    parser.add_argument("--head-dim", type=int, default=128)
    parser.add_argument("--base", type=int, default=10_000)
    parser.add_argument("--dense", type=int, default=2**15, help="largest reach of the dense way")
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    options = parser.parse_args()
    spec, reach = RopeSpec(options.head_dim, options.base), options.reach
    if options.memory:
        if options.memory == "dense":
            dense(spec, reach)
        else:
            ours(spec, reach, options.memory == "one-sided")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return

    print(
        f"planes {spec.planes}, base {options.base}, {platform.machine()}, SciPy {scipy.__version__}"
    )
    optimal_slash(spec, 64)
    for mode in ("two-sided", "one-sided"):
        start = time.perf_counter()
        game = ours(spec, reach, mode == "one-sided")
        took = time.perf_counter() - start
        print(
            f"ours, {mode}, reach {reach}: {took:.2f} s, {game.rounds} rounds, "
            f"{peak(mode, options, reach)} MB, value {game.lower:.10f}, gap {game.gap:.1e} certified"
        )

    print("one dense programme over all lags, two-sided, nothing certified:")
    times: list[tuple[int, float, float]] = []
    size = min(reach, 2048)
    while size <= min(reach, options.dense):
        start = time.perf_counter()
        value = dense(spec, size)
        theirs = time.perf_counter() - start
        start = time.perf_counter()
        game = optimal_slash(spec, size)
        mine = time.perf_counter() - start
        off = abs(value - game.lower) / game.lower
        times.append((size, theirs, mine))
        print(
            f"  reach {size:8}: {theirs:8.2f} s, ours {mine:6.2f} s: {theirs / mine:6.1f} x, "
            f"its value is {off:.0e} off"
        )
        size *= 2
    last, theirs, _ = times[-1]
    print(f"  reach {last:8}: {peak('dense', options, last)} MB")
    if last < reach and len(times) > 2:
        first, early, _ = times[-3]
        growth = np.log(theirs / early) / np.log(last / first)
        seconds = theirs * (reach / last) ** growth
        matrix = 8 * reach * (spec.planes + 1) / 2**20
        print(
            f"  reach {reach:8}: {seconds:8.0f} s extrapolated (time grows as reach^{growth:.2f}); "
            f"its matrix alone takes {matrix:.0f} MB"
        )


if __name__ == "__main__":
    main()
