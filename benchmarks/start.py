"""How long one waits for a first answer: the import of the catalogue, and the commands.

    python benchmarks/start.py [--ids 20] [--repeats 3] [--only show]

Each command runs in a process of its own, `--repeats` times after a first time that is shown by itself:
what it finds is kept (in the folder that `ROPEPROOF_CACHE` names), and read by the others. For `show`
the ids are spread evenly over the catalogue, `--ids 0` takes all; one number stands for each, the median
of its repeats. Times are wall seconds and CPU seconds (user and system) of the process; where other work
shares the processors, the CPU seconds are the ones to compare.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ropeproof import CLAIMS, __version__

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ("-c", "from ropeproof import CLAIMS; len(CLAIMS), list(CLAIMS)")
ROPEPROOF = ("-m", "ropeproof")
COMMANDS = {
    "from ropeproof import CLAIMS": CATALOGUE,
    "list": (*ROPEPROOF, "list"),
    "errata": (*ROPEPROOF, "errata"),
    "coverage nosuch": (*ROPEPROOF, "coverage", "nosuch"),
    "show nosuch": (*ROPEPROOF, "show", "nosuch"),
    "check nosuch": (*ROPEPROOF, "check", "nosuch"),
    "list --nosuch": (*ROPEPROOF, "list", "--nosuch"),
    "find, by words": (*ROPEPROOF, "find", "exponential is monotone"),
    "find, by a pattern": (*ROPEPROOF, "find", "Sum(exp(a)) <= b"),
    "find, by any relation": (*ROPEPROOF, "find", "a <= b"),
}
LONG = {"coverage heads": (*ROPEPROOF, "coverage", "heads")}
"""What runs many proofs the first time; only with `--long`."""

Times = tuple[float, float]


def run(arguments: Sequence[str]) -> Times:
    """Wall and CPU seconds of one process."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begin = time.perf_counter()
    child = subprocess.Popen([sys.executable, *arguments], env=environment, **quiet)  # type: ignore[call-overload]
    _, _, used = os.wait4(child.pid, 0)
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def timed(name: str, arguments: Sequence[str], repeats: int) -> Times:
    """The median of each time over the repeats, printed beside those of the first time."""
    first = run(arguments)
    again = [run(arguments) for _ in range(repeats)]
    wall, cpu = (median(times) for times in zip(*again, strict=True))
    print(f"{name:<40} {first[0]:>8.2f} {first[1]:>8.2f} {wall:>8.2f} {cpu:>8.2f}", flush=True)
    return wall, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ids", type=int, default=20, help="how many claims are shown; 0: all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], help="commands with such a word, or show")
    parser.add_argument("--long", action="store_true", help="also: " + ", ".join(LONG))
    given = parser.parse_args()
    print(f"ropeproof {__version__}, Python {platform.python_version()}, {os.cpu_count()} cores")
    print(f"{'':<40} {'first':>17} {'again, median':>17}")
    print(f"{'command':<40} {'wall':>8} {'CPU':>8} {'wall':>8} {'CPU':>8}")
    for name, arguments in (COMMANDS | (LONG if given.long else {})).items():
        if not given.only or any(word in name for word in given.only):
            timed(name, arguments, given.repeats)
    if given.only and "show" not in given.only:
        return
    step = max(1, len(CLAIMS) // given.ids) if given.ids else 1
    chosen = list(CLAIMS)[::step]
    shown = [timed(f"show {id}", (*ROPEPROOF, "show", id), given.repeats) for id in chosen]
    for what, times in zip(("wall", "CPU"), zip(*shown, strict=True), strict=True):
        print(
            f"show, {len(chosen)} claims, {what}: median {median(times):.2f} s, "
            f"worst {max(times):.2f} s ({chosen[times.index(max(times))]})"
        )


if __name__ == "__main__":
    main()
