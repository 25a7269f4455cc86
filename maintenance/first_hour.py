"""A newcomer's first hour: the commands of README and tutorials, run in an empty folder.

    python maintenance/first_hour.py [--python PATH] > docs/first_hour.md

PATH is the Python of an environment in which a wheel of ropeproof is installed, by default this one. Each
command runs in one new folder, with an empty cache, and the page says what it printed and how long it took.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUSPECT = """\
import torch


def my_rope(x, positions):
    inverse = 10000 ** -(torch.arange(0, 64, 2) / 64)
    angles = positions[..., None].float() * inverse
    angles = angles[:, None] if angles.ndim == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat((first * c - second * s, second * c + first * s), -1)
"""
CONFIG = """\
{"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_key_value_heads": 8,
 "max_position_embeddings": 4096, "rope_theta": 500000.0}
"""
WRONG = """\
{"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 500000.0,
 "rope_scaling": {"type": "yarnn", "factor": -2}}
"""
HOUR = [
    ("What is there?", ["--version", "presets"]),
    ("What does a claim say, and is it so?", ["show exp.monotone --statement"]),
    ("", ["check exp.monotone --profile quick --jobs 1"]),
    (
        "A mistyped id or option is answered with what is allowed.",
        ["show exp.monotne", "export exp.monotone"],
    ),
    ("A claim of one's own.", ["new mine.py", "try mine.py"]),
    ("", ["check --module mine.py 'own.*' --profile quick --jobs 1"]),
    ("Is there a lemma for this goal?", ["find '0 < Sum(exp(f(k)), (k, 0, n))'"]),
    (
        "A pattern may be typed as statements are printed; a wrong one is refused.",
        ["find 'exp(a) ≤ exp(b)' --most 1", "find 'a <= b <= c'"],
    ),
    (
        "Is this RoPE right? The file `my_module.py` has one, `config.json` says what it should be.",
        [],
    ),
    ("", ["conform my_module:my_rope --config config.json"]),
    ("Is this configuration right?", ["lint config.json wrong.json"]),
    (
        "What does a head cost in a released model?",
        ["budget --preset llama-3-8b --offset 1 --length 8192"],
    ),
    ("The tutorials, as notebooks.", ["docs --notebooks tutorials"]),
]
MOST = 24
PROGRESS = re.compile(r"ropeproof \w+: .*; \d+ s")
"""What a command that takes long says of its progress, on standard error, as the machine's speed has it."""
OPENING = """\
# A newcomer's first hour

The commands of README and the tutorials, run from an installed wheel in an empty folder with nothing
cached. This page is the output of `python maintenance/first_hour.py` at 80 columns; long output is cut,
lines of progress are left out, and below each command stands how long
it took, by the clock and in time of the processor.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    python = parser.parse_args().python
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "my_module.py").write_text(SUSPECT)
        (folder / "config.json").write_text(CONFIG)
        (folder / "wrong.json").write_text(WRONG)
        print(OPENING)
        total = 0.0
        for heading, commands in HOUR:
            if heading:
                print(f"**{heading}**\n")
            for command in commands:
                lines, seconds = run(python, command, folder)
                total += seconds
                print("\n".join(lines), flush=True)
        print(
            f"The commands took {total / 60:.1f} minutes in all, on {os.cpu_count()} cores; reading takes "
            "the rest of the hour."
        )


def run(python: str, command: str, folder: Path) -> tuple[list[str], float]:
    """Run a command in a folder; returns the lines of the page about it, and its seconds."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ROPEPROOF_CACHE")}
    given = kept | {"COLUMNS": "80", "XDG_CACHE_HOME": str(folder / ".cache")}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        f"{python} -m ropeproof {command}", shell=True, cwd=folder, env=given, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    said = [line for line in said if not PROGRESS.fullmatch(line)]
    if len(said) > MOST:
        said = [*said[:MOST], f"... ({len(said) - MOST} more lines)"]
    ended = f", exit code {done.returncode}" if done.returncode else ""
    note = f"*{seconds:.1f} s, {cpu:.1f} s of a core{ended}*"
    return ["```console", f"$ ropeproof {command}", *said, "```", "", note, ""], seconds


if __name__ == "__main__":
    main()
