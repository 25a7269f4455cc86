"""What a term compiled from a claim costs beside the same formula typed again.

    python benchmarks/compiled.py [--size 10000] [--planes 64]

Each formula is evaluated both ways in one process, the best of some rounds in processor seconds of
one thread: of single numbers in float64 and in balls, and of arrays of `size` numbers, or of `size`
heads of `planes` planes. The ratio is that of the compiled term to the typed formula. Single numbers in
float64 are checked on their way in, which the typed formula does not do. The last line is what all of
these claims cost when their bounds are first asked for, imports and compilation together.
"""

from __future__ import annotations

import argparse
import math
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from flint import arb

from ropeproof.numerics.core.compiled import Stated
from ropeproof.theory.rotary.precision import precision

BITS = 192


class Formula(NamedTuple):
    """A term of a claim, the same formula written by hand for arrays and for balls, and drawn arguments."""

    stated: Stated
    typed: Callable[..., Any]
    in_balls: Callable[..., Any]
    draw: Callable[[np.random.Generator, int, int], dict[str, Any]]


def _weights(g: np.random.Generator, size: int, _: int) -> dict[str, Any]:
    return {"margin": g.uniform(0, 9, size), "keys": g.integers(2, 999, size).astype(float)}


def _heads(g: np.random.Generator, size: int, planes: int) -> dict[str, Any]:
    theta = 10000.0 ** (-np.arange(planes) / planes)
    return {"amplitudes": g.uniform(0, 1, (size, planes)), "frequencies": theta, "planes": planes}


def _sines(amplitudes: Any, frequencies: Any, planes: int) -> Any:
    return 2 * amplitudes @ np.abs(np.sin(frequencies[:planes] / 2))


def _sines_in_balls(amplitudes: Any, frequencies: Any, planes: int) -> Any:
    pairs = zip(amplitudes[:planes], frequencies, strict=True)
    return sum((2 * arb(a) * abs((arb(x) / 2).sin()) for a, x in pairs), arb(0))


FORMULAS = {
    "1/(1 + (n - 1) e^-gamma)": Formula(
        Stated("softmax.margin", "1.below", {"margin": "gamma", "keys": "n"}),
        lambda margin, keys: 1 / (1 + (keys - 1) * np.exp(-margin)),
        lambda margin, keys: 1 / (1 + (arb(keys) - 1) * (-arb(margin)).exp()),
        _weights,
    ),
    "1 - cos(2 pi/n)": Formula(
        Stated("index.margin", "1.then.1.above", {"length": "n"}),
        lambda length: 1 - np.cos(2 * np.pi / length),
        lambda length: 1 - (arb(2) / length).cos_pi(),
        lambda g, size, _: {"length": g.integers(2, 999, size).astype(float)},
    ),
    "2 sqrt(2) u + 2 u^2": Formula(
        Stated("slash.precision", "2.above.own", {"unit": "u"}),
        lambda unit: 2 * math.sqrt(2) * unit + 2 * unit**2,
        lambda unit: 2 * arb(2).sqrt() * arb(unit) + 2 * arb(unit) * arb(unit),
        lambda g, size, _: {"unit": g.uniform(0, 0.1, size)},
    ),
    "sum 2 A |sin(theta/2)|": Formula(
        Stated(
            "rope.lipschitz",
            "1.above",
            {"amplitudes": "A", "frequencies": "theta", "planes": "m"},
        ),
        _sines,
        _sines_in_balls,
        _heads,
    ),
}


def best(run: Callable[[], Any], repeats: int) -> float:
    """The processor seconds of one call, the least of seven rounds."""
    run()
    rounds = []
    for _ in range(7):
        begin = time.process_time()
        for _ in range(repeats):
            run()
        rounds.append((time.process_time() - begin) / repeats)
    return min(rounds)


def first_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with only the first number, or the first head, of each; frequencies stay whole."""

    def first(value: Any) -> Any:
        return value[0].tolist() if getattr(value, "ndim", 0) else value

    whole = {name: value for name, value in arguments.items() if name == "frequencies"}
    return {name: first(value) for name, value in arguments.items()} | whole


def main() -> None:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=10000)
    parser.add_argument("--planes", type=int, default=64)
    given = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    begin = time.process_time()
    for formula in FORMULAS.values():
        _ = formula.stated.term
    first_use = time.process_time() - begin
    print(f"{'formula':28}{'numbers':28}{'compiled':>12}{'typed':>12}{'ratio':>8}")
    for name, (stated, typed, in_balls, draw) in FORMULAS.items():
        arrays = draw(np.random.default_rng(0), given.size, given.planes)
        single = first_of(arrays)
        lists = {k: v.tolist() if hasattr(v, "tolist") else v for k, v in single.items()}
        of_numpy = {k: np.asarray(v) if isinstance(v, list) else v for k, v in single.items()}
        with precision(BITS):
            sides = {
                "one, float64": (stated.float64, typed, of_numpy, 300),
                "one, balls": (stated.ball, in_balls, lists, 100),
                f"{given.size}, float64": (stated.float64, typed, arrays, 5),
            }
            for about, (ours, theirs, at, repeats) in sides.items():
                if not np.allclose(*(np.float64(side(**at)) for side in (ours, theirs))):
                    raise SystemExit(f"{name}: not the same numbers")
                ratio = [
                    best(lambda side=side, at=at: side(**at), repeats) for side in (ours, theirs)
                ]
                shown = "".join(f"{1e6 * seconds:9.1f} us" for seconds in ratio)
                print(f"{name:28}{about:28}{shown}{ratio[0] / ratio[1]:8.2f}")
    print(f"first use of these {len(FORMULAS)} claims: {first_use:.2f} s")


if __name__ == "__main__":
    main()
