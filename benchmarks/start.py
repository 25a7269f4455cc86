"""How long one waits for a first answer: the import of the catalogue, and the commands.

    python benchmarks/start.py [--ids 20] [--repeats 3] [--only show] [--checked]

Each command runs in a process of its own, `--repeats` times after a first time that is shown by itself:
what it finds is kept (in the folder that `ROPEPROOF_CACHE` names), and read by the others.

For `show` the ids are spread evenly over the catalogue, `--ids 0` takes all, and `ID` arguments these;
the cache is a folder of its own, empty at the first time, when `show` says `not run`. With `--checked` the
claim is checked in between (profile quick, not timed), so that the repeats show results that are cached.
The last lines have the median and the worst over the claims, of the first times and of the repeats, where
the median of its repeats stands for each claim.

Times are wall seconds and CPU seconds (user and system) of the process and of those it started; where
other work shares the processors, the CPU seconds are the ones to compare.
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
from tempfile import TemporaryDirectory

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


def run(arguments: Sequence[str], cache: str | None = None) -> Times:
    """The wall and CPU seconds of one process, with those it waited for; `cache` is its cache folder."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    if cache is not None:
        environment["ROPEPROOF_CACHE"] = cache
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begin = time.perf_counter()
    child = subprocess.Popen([sys.executable, *arguments], env=environment, **quiet)  # type: ignore[call-overload]
    _, _, used = os.wait4(child.pid, 0)
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def timed(
    name: str,
    arguments: Sequence[str],
    repeats: int,
    cache: str | None = None,
    between: Sequence[str] = (),
) -> tuple[Times, Times]:
    """The times of the first run and the median times of the repeats, which are also printed.

    The command `between` is run after the first time.
    """
    first = run(arguments, cache)
    if between:
        run(between, cache)
    again = [run(arguments, cache) for _ in range(repeats)]
    wall, cpu = (median(times) for times in zip(*again, strict=True))
    print(f"{name:<40} {first[0]:>8.2f} {first[1]:>8.2f} {wall:>8.2f} {cpu:>8.2f}", flush=True)
    return first, (wall, cpu)


def shows(chosen: Sequence[str], repeats: int, *, checked: bool) -> None:
    """Time `show` for these claims, and print the median and the worst over the claims."""
    found = []
    for id in chosen:
        check = (*ROPEPROOF, "check", id, "--profile", "quick", "--jobs", "1") if checked else ()
        with TemporaryDirectory() as cache:
            found.append(timed(f"show {id}", (*ROPEPROOF, "show", id), repeats, cache, check))
    later = "cached results" if checked else "again, nothing cached"
    for when, times in zip(("empty cache", later), zip(*found, strict=True), strict=True):
        for what, each in zip(("wall", "CPU"), zip(*times, strict=True), strict=True):
            print(
                f"show, {len(chosen)} claims, {when}, {what}: median {median(each):.2f} s, "
                f"worst {max(each):.2f} s ({chosen[each.index(max(each))]})"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("id", nargs="*", metavar="ID", help="shown claims")
    parser.add_argument("--ids", type=int, default=20, help="how many claims are shown; 0: all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], help="commands with such a word, or show")
    parser.add_argument("--checked", action="store_true", help="check each claim after its first")
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
    shows(given.id or list(CLAIMS)[::step], given.repeats, checked=given.checked)


if __name__ == "__main__":
    main()
