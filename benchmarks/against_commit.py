"""CPU seconds of claims' evidence and of tests beside those of another commit, in alternating runs.

    python benchmarks/against_commit.py COMMIT [--claims ID ... | --every K] [--tests PATH ...]
        [--profile default] [--repeats 3] [--json FILE]

The commit is checked out to a temporary folder and runs with the same Python and the same libraries. For
each part, both run in turn, each in a process of its own: the claims that both have, by `check --fresh`
with one job and an empty cache, and the tests that both have under the same name, by `pytest -n 0`. A line
gives the medians of user and system time, child processes included, and the ratio. Of the claims it also
says whether status, cases, mutants and details of each piece of evidence that both have are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HERE = """
import runpy, sys
sys.meta_path[:] = [one for one in sys.meta_path if "__editable__" not in str(getattr(one, "__module__", ""))]
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""
"""Runs a module of a checkout, and finds nothing of the one that is installed in its place."""


def run(folder: Path, *words: str) -> tuple[str, float]:
    """What `python -m` prints in a checkout, and the CPU seconds of it and of its child processes."""
    env = {**os.environ, "PYTHONPATH": str(folder), "ROPEPROOF_CACHE": "", "ROPEPROOF_QUIET": "1"}
    env |= {"OMP_NUM_THREADS": "1", "PYTEST_ADDOPTS": ""}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # the first run compiles
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-P", "-c", HERE, *words], cwd=folder, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    after = getrusage(RUSAGE_CHILDREN)
    # 1: something is not as expected, or a test fails.
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def claims(folder: Path) -> list[str]:
    """The ids of a checkout's claims."""
    listed = json.loads(run(folder, "ropeproof", "list", "--json", "-")[0])
    return [claim["id"] for claim in listed["claims"]]


def tests(folder: Path, paths: list[str]) -> list[str]:
    """The names of the tests below those of the paths that a checkout has."""
    there = [path for path in paths if (folder / path.partition("::")[0]).exists()]
    if not there:
        return []
    options = ("--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider")
    told = run(folder, "pytest", *options, *there)[0]
    return [line for line in told.splitlines() if "::" in line and not line.startswith("ERROR")]


def found(text: str) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """What a check found: all but the seconds, by claim, kind and name of the piece of evidence."""
    pieces: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for claim in json.loads(text)["claims"]:
        pieces[claim["id"], "", ""] = (claim["status"], str(claim["mutants"]))
        for one in claim["evidence"]:
            said = (one["outcome"], one["cases"], one["detail"])
            pieces[claim["id"], one["kind"], one["name"]] = said
    return pieces


def compared(name: str, folders: tuple[Path, Path], words: tuple[str, ...], repeats: int) -> Any:
    """Run a command in both checkouts in turn, print the medians and return them with the last outputs."""
    seconds: tuple[list[float], list[float]] = ([], [])
    last = ["", ""]
    for _ in range(repeats):
        for place, folder in enumerate(folders):
            last[place], spent = run(folder, *words)
            seconds[place].append(spent)
    then, now = map(median, seconds)
    print(f"{name:40} {then:9.1f} s {now:9.1f} s   ratio {now / then:.2f}", flush=True)
    return {"name": name, "then": then, "now": now, "ratio": now / then}, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("--claims", nargs="*", default=[], help="ids")
    parser.add_argument("--every", type=int, help="each K-th claim that both have")
    parser.add_argument("--tests", nargs="*", default=[], help="files or folders of tests")
    parser.add_argument("--profile", default="default")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as place:
        then = Path(place) / "then"
        git = ("git", "-C", str(ROOT), "worktree")
        subprocess.run([*git, "add", "-q", "--detach", str(then), options.commit], check=True)
        try:
            folders = (then, ROOT)
            print(
                f"CPU seconds, medians of {options.repeats}:{'':11} {options.commit:>9}        now"
            )
            before = claims(then) if options.claims or options.every else []
            both = [id for id in (claims(ROOT) if before else []) if id in set(before)]
            drawn = both[:: options.every] if options.every else []
            chosen = [id for id in both if id in options.claims or id in drawn]
            if chosen:
                words = ("ropeproof", "check", *chosen, "--fresh", "--jobs", "1")
                words += ("--profile", options.profile, "--json", "-")
                name = f"check of {len(chosen)} claims, {options.profile}"
                row, last = compared(name, folders, words, options.repeats)
                first, second = map(found, last)
                shared = first.keys() & second.keys()
                other = sorted(key for key in shared if first[key] != second[key])
                print(f"  {len(shared) - len(other)} of {len(shared)} findings are the same")
                for key in other:
                    print(f"  {' '.join(key)}: {first[key]} then, {second[key]} now")
                rows.append(row)
            for path in options.tests:
                had = set(tests(then, [path]))
                names = [name for name in tests(ROOT, [path]) if name in had]
                if not names:
                    print(f"{path:40} no test that both have")
                    continue
                file = Path(place) / "names"
                file.write_text("\n".join(names))
                words = (
                    "pytest",
                    "-q",
                    "-n",
                    "0",
                    "-p",
                    "no:cacheprovider",
                    f"@{file}",
                )
                rows.append(compared(f"{path}, {len(names)}", folders, words, options.repeats)[0])
        finally:
            subprocess.run([*git, "remove", "--force", str(then)], check=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
