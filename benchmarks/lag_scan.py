"""The certified lag scan against the ways to evaluate a head's logits that a user would write.

    python benchmarks/lag_scan.py [--planes 64] [--lags 1048576] [--repeats 7]

Every time of ours includes the tables. The NumPy code certifies nothing; it takes the faster of two
forms. The two interval loops run on a sample of lags and are compared per lag and plane. Ours and
the NumPy code alternate, and medians are printed. Peak memory is that of a fresh process.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mpmath
import numpy as np
from flint import arb, ctx, fmpq

from ropeproof.numerics.core.lag_scan import largest_step, logit_enclosure, minimum_gap

BASE = 10_000


def frequencies_ball(planes: int) -> list:
    with ctx.workprec(128):
        return [arb(BASE) ** arb(fmpq(-plane, planes)) for plane in range(planes)]


def head(planes: int) -> tuple[np.ndarray, np.ndarray, list]:
    random = np.random.default_rng(0)
    return random.random(planes), random.uniform(-np.pi, np.pi, planes), frequencies_ball(planes)


def numpy_by_plane(amplitudes, phases, frequencies, lags: int) -> np.ndarray:
    """The logits in NumPy by one pass of cos over all lags per plane, with buffers reused."""
    t = np.arange(lags, dtype=np.float64)
    total, angle = np.zeros(lags), np.empty(lags)
    for amplitude, phase, frequency in zip(amplitudes, phases, frequencies, strict=True):
        np.multiply(t, frequency, out=angle)
        angle += phase
        np.cos(angle, out=angle)
        angle *= amplitude
        total += angle
    return total


def numpy_by_chunk(amplitudes, phases, frequencies, lags: int, chunk: int = 2048) -> np.ndarray:
    """The logits in NumPy by an outer product of lags and frequencies per chunk that fits in cache."""
    total = np.empty(lags)
    for start in range(0, lags, chunk):
        t = np.arange(start, min(start + chunk, lags), dtype=np.float64)
        angle = np.multiply.outer(t, frequencies)
        angle += phases
        total[start : start + chunk] = np.cos(angle, out=angle) @ amplitudes
    return total


def flint_loop(amplitudes, phases, frequencies, lags: Sequence[int]) -> list:
    with ctx.workprec(64):
        planes = [
            (arb(a), arb(p), f)
            for a, p, f in zip(amplitudes.tolist(), phases.tolist(), frequencies, strict=True)
        ]
        results = []
        for lag in lags:
            total = arb(0)
            for amplitude, phase, frequency in planes:
                total += amplitude * (frequency * lag + phase).cos()
            results.append(total)
        return results


def mpmath_loop(amplitudes, phases, planes: int, lags: Sequence[int]) -> list:
    iv = mpmath.iv
    frequencies = [iv.mpf(BASE) ** (iv.mpf(-plane) / planes) for plane in range(planes)]
    rows = [
        (iv.mpf(a), iv.mpf(p), f)
        for a, p, f in zip(amplitudes.tolist(), phases.tolist(), frequencies, strict=True)
    ]
    return [sum((a * iv.cos(f * lag + p) for a, p, f in rows), iv.mpf(0)) for lag in lags]


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def peak_memory(planes: int, lags: int) -> int:
    """The peak resident MB of a fresh process that does one full enclosure and one minimum gap."""
    command = [sys.executable, __file__, "--memory", "--planes", str(planes), "--lags", str(lags)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--planes", type=int, default=64)
    parser.add_argument("--lags", type=int, default=2**20)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    planes, lags = options.planes, options.lags
    amplitudes, phases, balls = head(planes)
    if options.memory:
        logit_enclosure(amplitudes, phases, balls, lags=lags)
        minimum_gap(amplitudes, phases, balls, target=lags // 2, lags=lags)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    doubles = np.array([float(ball) for ball in balls])
    plain = (amplitudes, phases, doubles)
    ways = {
        "ours: logits of all lags": lambda: logit_enclosure(amplitudes, phases, balls, lags=lags),
        "ours: minimum gap": lambda: minimum_gap(
            amplitudes, phases, balls, target=lags // 2, lags=lags
        ),
        "ours: largest step": lambda: largest_step(amplitudes, phases, balls, lags=lags),
        "NumPy cos, plane by plane": lambda: numpy_by_plane(*plain, lags),
        "NumPy cos, chunk by chunk": lambda: numpy_by_chunk(*plain, lags),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.repeats + 1):
        for name, way in ways.items():
            times[name].append(seconds(way))
    median = {name: statistics.median(values[1:]) for name, values in times.items()}
    sample = np.random.default_rng(1).integers(0, lags, 300).tolist()
    loop = statistics.median(
        seconds(lambda: flint_loop(amplitudes, phases, balls, sample)) for _ in range(5)
    ) / (len(sample) * planes)
    interval = statistics.median(
        seconds(lambda: mpmath_loop(amplitudes, phases, planes, sample[:20])) for _ in range(5)
    ) / (20 * planes)

    logits = logit_enclosure(amplitudes, phases, balls, lags=lags)
    for lag, ball in zip(sample, flint_loop(amplitudes, phases, balls, sample), strict=True):
        assert ball.overlaps(arb(float(logits.mid[lag]), logits.radius))
    unproved = numpy_by_plane(*plain, lags)

    print(f"planes {planes}, lags {lags}, {platform.machine()}, NumPy {np.__version__}")
    for name, value in median.items():
        print(
            f"{name:28} {1e3 * value:10.2f} ms {1e9 * value / (lags * planes):12.4f} ns/lag/plane"
        )
    print(f"{'python-flint loop (sample)':41} {1e9 * loop:12.1f} ns/lag/plane")
    print(f"{'mpmath.iv loop (sample)':41} {1e9 * interval:12.1f} ns/lag/plane")
    fastest = min(value for name, value in median.items() if name.startswith("NumPy"))
    print("ratios, higher is better for ours:")
    for name, value in median.items():
        if name.startswith("ours"):
            each = value / (lags * planes)
            print(
                f"  {name:26} {fastest / value:8.1f} x NumPy   {loop / each:10.0f} x python-flint"
                f"   {interval / each:10.0f} x mpmath.iv"
            )
    print(f"radius per unit amplitude    {logits.radius / amplitudes.sum():.3e} (proved)")
    print(
        f"NumPy differs from ours by   {np.abs(unproved - logits.mid).max() / amplitudes.sum():.1e}"
    )
    print(f"peak memory, fresh process   {peak_memory(planes, lags)} MB (target below 400)")


if __name__ == "__main__":
    main()
