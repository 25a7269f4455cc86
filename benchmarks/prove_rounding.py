"""Bounds of rounding of the reference implementations beside the worst errors that are observed.

    python benchmarks/prove_rounding.py [--context 4096] [--cases 1000000] [--only NAME] [--type float32]

One line for each implementation, number type and decade of positions: the bound, per norm of the
plane, the worst of the drawn cases, the worst of a search, and the bound over the larger of these.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ropeproof.proofs_check.programs.judging.calls import Setup
from ropeproof.proofs_check.programs.rounding.attack import attack
from ropeproof.proofs_check.programs.rounding.of_calls import bound_of_calls
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS

TYPES = ("float64", "float32", "bfloat16", "float16")


def references(context: int) -> Iterator[tuple[str, Setup]]:
    """The reference implementations, each for a spec with this context."""
    for name, right in RIGHT.items():
        spec = RopeSpec(32, 10000, layout=right.layouts[0], length=context)
        yield name, _setup(spec, right.make, right.options)
    for name, (own, make) in RIGHT_KINDS.items():
        yield name, _setup(own.changed(length=context), make, {})


def _setup(spec: RopeSpec, make: Callable[[RopeSpec], Any], options: Mapping[str, Any]) -> Setup:
    form, axes = options.get("form", "rotate"), options.get("axes", "bhld")
    return Setup(make(spec), spec, form, axes, options.get("array", "torch"))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=int, default=4096)
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--type", choices=TYPES)
    given = parser.parse_args()
    torch.set_num_threads(1)
    worst, exceeded, lines = 0.0, 0, 0
    print(f"{'type':8} {'positions':>17} {'bound':>9} {'drawn':>9} {'searched':>9} {'ratio':>6}")
    for name, setup in references(given.context):
        if given.only not in name:
            continue
        for dtype in TYPES if given.type is None else (given.type,):
            begun = time.process_time()
            try:
                bound = bound_of_calls(setup, dtype, given.context)
            except Unsupported as error:
                print(f"{name}, {dtype}: no bound: {error}")
                continue
            seconds = time.process_time() - begun
            print(f"{name}: {bound.headline()} ({seconds:.1f} s)")
            for seen in attack(setup, dtype, bound, cases=given.cases):
                span = f"{seen.first:,}-{seen.last:,}"
                numbers = f"{seen.bound:9.2e} {seen.drawn:9.2e} {seen.searched:9.2e}"
                print(f"{dtype:8} {span:>17} {numbers} {seen.ratio:6.2f}", flush=True)
                worst, exceeded = max(worst, seen.ratio), exceeded + seen.exceeded
                lines += 1
    print(f"{lines} lines, worst ratio {worst:.2f}, {exceeded} errors above their bound")


if __name__ == "__main__":
    main()
