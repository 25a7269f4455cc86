"""Seconds of `slash_budget` for each preset at its own context: `python benchmarks/budget.py`.

What `ropeproof budget --preset NAME` computes, without the start of Python. Shown are seconds on the clock
and of processor; the exit status is 1 if a preset takes more than 10 of processor.
"""

from __future__ import annotations

import sys
import time

from ropeproof import PRESETS, slash_budget

LIMIT = 10.0


def main() -> None:
    """Time the presets that are named on the command line, or all."""
    late = []
    print(f"{'preset':<16} {'context':>8} {'seconds':>8} {'processor':>10}")
    for name in sys.argv[1:] or PRESETS:
        spec, context = PRESETS[name].spec, PRESETS[name].context
        clock, processor = time.perf_counter(), time.process_time()
        slash_budget(spec, offset=1, length=context, score=0.9)
        seconds, used = time.perf_counter() - clock, time.process_time() - processor
        print(f"{name:<16} {context:>8} {seconds:>8.1f} {used:>10.1f}", flush=True)
        if used > LIMIT:
            late.append(name)
    raise SystemExit(bool(late))


if __name__ == "__main__":
    main()
