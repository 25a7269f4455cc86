"""How long `ropeproof lint` takes for a file, with the start of the interpreter and without.

    python benchmarks/lint.py [--runs N] [--json FILE]

Each command is run `--runs` times in a new process, as a hook or a CI job does, on a configuration of
everyday size, on one with two lists of LongRoPE, on a GGUF header and on a folder of all three; the median
and the longest are printed, and the median of the processor's seconds, which a busy machine does not change.
Then one process reads all right files of `tests/helpers/pages/lint_corpus.py`, which gives the
time of a file alone, and tells which heavy packages linting has loaded. The aim is a second of the
processor a file, start included.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "helpers" / "pages"))
HEAVY = (
    "sympy",
    "numpy",
    "flint",
    "torch",
    "transformers",
    "scipy",
    "z3",
    "hypothesis",
    "matplotlib",
)
AIM = 1.0

_WITHIN = """
import json, sys, time
began = time.perf_counter()
from ropeproof.tools.lint.verdict import verdicts
loaded = time.perf_counter()
for path in sys.argv[1:]:
    verdicts(path)
ended = time.perf_counter()
heavy = [name for name in %r if name in sys.modules]
print(json.dumps([loaded - began, ended - loaded, heavy]))
"""


def gguf(path: Path) -> None:
    """Write a GGUF header of everyday size: 41 keys, one of them a vocabulary of 50,000 tokens."""

    def string(text: str) -> bytes:
        return struct.pack("<Q", len(text)) + text.encode()

    data = b"GGUF" + struct.pack("<IQQ", 3, 0, 41)
    data += string("general.architecture") + struct.pack("<I", 8) + string("llama")
    data += string("llama.rope.freq_base") + struct.pack("<If", 6, 500000.0)
    for key in range(38):
        data += string(f"llama.key_{key}") + struct.pack("<II", 4, key)
    data += string("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 50000)
    path.write_bytes(data + b"".join(string(f"token{n}") for n in range(50000)))


def files(folder: Path) -> dict[str, Path]:
    """Write the files that are timed; returns them by name, and last their folder."""
    from lint_corpus import RIGHT

    right = dict(RIGHT)
    names = {"config.json": "Llama-3.1-8B", "longrope/config.json": "Phi-3-mini-128k"}
    found = {}
    for place, name in names.items():
        path = folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(right[name], indent=2))
        found[name] = path
    gguf(folder / "model.gguf")
    return {**found, "GGUF header": folder / "model.gguf", "folder": folder}


def timed(command: list[str], runs: int) -> dict[str, float]:
    """The seconds of a command; exits if the command ends with an error of its own."""
    seconds, processor = [], []
    for _ in range(runs):
        before = os.times()
        began = time.perf_counter()
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds.append(time.perf_counter() - began)
        after = os.times()
        used = after.children_user + after.children_system
        processor.append(used - before.children_user - before.children_system)
        if run.returncode not in (0, 1, 3) or "Traceback" in run.stderr:
            raise SystemExit(run.stderr)
    return {
        "median": statistics.median(seconds),
        "longest": max(seconds),
        "processor": statistics.median(processor),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=9)
    options.add_argument("--json", metavar="FILE")
    chosen = options.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lint = [sys.executable, "-m", "ropeproof", "lint"]
        own = {title: [*lint, str(path)] for title, path in files(folder).items()}
        own["readers of Llama-3.1-8B"] = [*own["Llama-3.1-8B"], "--readers"]
        own["an empty interpreter"] = [sys.executable, "-c", "pass"]
        for title, command in own.items():
            row = found[title] = timed(command, chosen.runs)
            told = "  ".join(f"{name} {value:6.3f} s" for name, value in row.items())
            print(f"{title:<26} {told}")
        from lint_corpus import RIGHT

        paths = []
        for number, (_, fields) in enumerate(RIGHT):
            path = folder / f"{number}.json"
            path.write_text(json.dumps(fields))
            paths.append(str(path))
        run = [sys.executable, "-c", _WITHIN % (HEAVY,), *paths]
        loading, reading, heavy = json.loads(subprocess.check_output(run, text=True))
    each = reading / len(paths)
    found["import"], found["each"], found["heavy"] = loading, each, heavy
    print(f"import {loading:.3f} s, then {each * 1e3:.2f} ms a file ({len(paths)} files)")
    print(f"heavy packages that linting loaded: {', '.join(heavy) or 'none'}")
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(found, indent=2) + "\n")
    slow = [
        title for title, row in found.items() if isinstance(row, dict) and row["processor"] > AIM
    ]
    print(f"above {AIM:g} s of the processor: {', '.join(slow) or 'none'}")
    return 1 if slow or heavy else 0


if __name__ == "__main__":
    sys.exit(main())
